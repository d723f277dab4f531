#!/bin/bash
# SPDX-License-Identifier: MIT
# Every Java example compiles without a warning on every JDK in reach, and a run of it ends well or fails as its header
# says. Which of the two is chance; DITTO_EXAMPLE_RUNS runs of each (one by default) see more of both.
#
# Then each is recorded until its bug shows, a few times at most, and what was recorded last is replayed: output, exit
# status, every event and, of one that hangs, who waits for what where must be those of the recording. With
# DITTO_EXAMPLE_REPEATS (2000, say) the bug must have shown within so many runs; DITTO_EXAMPLE_REPLAYS says how often
# each is replayed. Without, the first JDK has to do.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"

examples=$here/../../examples/java
runs=${DITTO_EXAMPLE_RUNS:-1}
unset JAVA_TOOL_OPTIONS # the JVM would tell of them
hang_after=10 # seconds; a good run takes a fraction of one
repeats=${DITTO_EXAMPLE_REPEATS:-3}
replays=${DITTO_EXAMPLE_REPLAYS:-1}

# What a program prints when all is well; how it fails (exit, hang, never); what it prints then. For one that hangs, the
# method it hangs in, which the thread dump must show.
programs='
Account          ^books.balance:          exit  ^books.do.not.balance:
AirlineTickets   ^flight.closed:          exit  ^flight.overbooked:
Booking          ^all.bookings.hold       exit  ^double.booking:
BoundedBuffer    ^relayed.36.messages     hang  -                                     BoundedBuffer.Spool.(put|take)
BubbleSort       ^ranked.72.scores        hang  IllegalStateException:.ranking.damaged:  BubbleSort.Rounds.await
LinkedList       ^list.in.order:          exit  ^list.out.of.order:
Liveness         ^served.180.requests      hang  -                                     Liveness.LicenceServer.awaitLicence
Loader           ^catalogue.in.order:     exit  ^catalogue.not.in.order:
Lottery          ^issued.480.tickets      exit  ^number.issued.twice:
Manager          ^queries.done            exit  ^wrong.pin.count:
MergeSort        ^log.sorted:             exit  ^log.damaged:
Micro            ^final.values            never
PingPong         ^healthy:                exit  ^health.check.failed.*NullPointerException
Piper            ^4.flights,.12.passengers hang -                                     Piper.Aircraft.fly
ProducerConsumer ^converted.150.images    hang  IllegalStateException:.job.queue.inconsistent:  ProducerConsumer.JobQueue.take
Shop             ^sold.at.the.right.price exit  ^sold.below.price:
'

# run NAME: leaves its exit status in $status. One that hangs is asked for a thread dump, then killed, as status 137.
run() {
    # The group keeps bash's own word about a killed command off the output.
    {
        timeout --signal=QUIT --kill-after=3 "$hang_after" "$home/bin/java" -cp "$dir" "$1" >"$dir/out" 2>"$dir/err"
        status=$?
    } 2>/dev/null
}

# as_documented GOOD FAILURE TEXT METHOD: judges the last run and leaves its end in $end.
as_documented() {
    case $2:$status in
    *:0)
        end=well
        grep -Eq "$1" "$dir/out" && [ ! -s "$dir/err" ]
        ;;
    exit:1)
        end='with its bug'
        grep -Eq "$3" "$dir/out" && ! grep -Eq "$1" "$dir/out" && [ ! -s "$dir/err" ]
        ;;
    hang:137)
        end='in its hang'
        ! grep -Eq "$1" "$dir/out" && { [ "$3" = - ] || grep -Eq "$3" "$dir/err"; } && grep -Eq "at $4\(" "$dir/out"
        ;;
    *)
        end="with status $status"
        false
        ;;
    esac
}

# report FILE: the threads that a deadlock report on stderr lists, and where they are
report() {
    sed -n '/^ditto: \(the program stands still; \)\?where its threads are:/,/^ditto: [^w]/p' "$1" | grep '^  '
}

# replayed NAME STATUS: replays $dir/NAME.dt, and says how often in vain
replayed() {
    local trace=$dir/$1.dt status i good=0
    for ((i = 0; i < replays; i++)); do
        timeout 60 "$ditto" replay --verify --java "$home/bin/java" "$trace" >"$trace.out2" 2>"$trace.err2"
        status=$?
        if [ $status -eq "$2" ] && cmp -s "$trace.out" "$trace.out2" && grep -q '^ditto: verified' "$trace.err2" &&
            { [ "$2" -ne 137 ] || [ "$(report "$trace.err")" = "$(report "$trace.err2")" ]; }; then
            good=$((good + 1))
        else
            echo "# replay $i of $1: status $status, recorded $2"
            { diff "$trace.out" "$trace.out2" | head -5; grep '^ditto:' "$trace.err2"; } | sed 's/^/# /'
        fi
    done
    [ "$good" -eq "$replays" ]
    ok $? "JDK $version: $1: $replays replays are the recording"
}

# caught NAME GOOD FAILURE TEXT METHOD: records until it fails, and judges how it did; replays the last run
caught() {
    local trace=$dir/$1.dt status failed
    timeout 3600 "$ditto" record --verify --repeat "$repeats" -o "$trace" "$dir/java" -cp "$dir" "$1" 2>"$trace.said"
    status=$?
    mv "$dir/out" "$trace.out"
    mv "$dir/err" "$trace.err"
    failed=$(grep -o 'run [0-9]* failed.*s; ' "$trace.said")
    case $3:$status in
    *:0)
        grep -Eq "$2" "$trace.out" && { [ -z "${DITTO_EXAMPLE_REPEATS:-}" ] || [ "$3" = never ]; }
        ok $? "JDK $version: $1, recorded $repeats times, goes well"
        ;;
    exit:1)
        grep -Eq "$4" "$trace.out" && [ "${failed/exit status/}" != "$failed" ]
        ok $? "JDK $version: $1 is caught: $failed"
        ;;
    hang:137)
        { [ "$4" = - ] || grep -Eq "$4" "$trace.err"; } && [ "${failed/a standstill/}" != "$failed" ] &&
            report "$trace.err" | grep -Eq "at ${5//./[.\$]}\("
        ok $? "JDK $version: $1 is caught: $failed"
        ;;
    *)
        ok 1 "JDK $version: $1 is recorded: status $status"
        cat "$trace.said" "$trace.err" | tail -5 | sed 's/^/# /'
        ;;
    esac
    if [ $status -eq 0 ]; then
        "$ditto" record --verify --timeout "$hang_after" -o "$trace" "$dir/java" -cp "$dir" "$1" 2>"$trace.said"
        status=$?
        mv "$dir/out" "$trace.out"
        mv "$dir/err" "$trace.err"
        [ $status -ne 137 ] || return # it hung after all, and nobody has written a report
    fi
    replayed "$1" $status
}

# kept NAME ARGUMENT...: records it once, which must go well, and replays it
kept() {
    local trace=$dir/$1.dt status
    timeout 120 "$ditto" record --verify -o "$trace" "$dir/java" -cp "$dir" "$@" 2>"$trace.said"
    status=$?
    mv "$dir/out" "$trace.out"
    mv "$dir/err" "$trace.err"
    ok $status "JDK $version: $* is recorded"
    replayed "$1" 0
}

# Whether to record with the JDK at hand.
record=$([ -x "$ditto" ] && echo yes)
for home in $(jdks); do
    version=$(jdk_version "$home")
    dir=$work/$version
    "$home/bin/javac" -Xlint:all -d "$dir" "$examples"/*.java >"$work/javac.log" 2>&1 && [ ! -s "$work/javac.log" ]
    ok $? "JDK $version: the examples compile without a warning"
    sed 's/^/# /' "$work/javac.log"
    # In its place, java with the output of the last run alone in files.
    printf '#!/bin/sh\nexec "%s" "$@" >"%s/out" 2>"%s/err"\n' "$home/bin/java" "$dir" "$dir" >"$dir/java"
    chmod +x "$dir/java"
    while read -r name good failure text method; do
        [ -n "$name" ] || continue
        for ((i = 0; i < runs; i++)); do
            run "$name"
            as_documented "$good" "$failure" "$text" "$method"
            judged=$?
            ok $judged "JDK $version: $name ends $end"
            [ $judged -eq 0 ] || head -20 "$dir/out" "$dir/err" | sed 's/^/# /'
        done
        [ -z "$record" ] || [ "$failure" = never ] || caught "$name" "$good" "$failure" "$text" "$method"
    done <<<"$programs"
    if [ -x "$ditto" ]; then
        kept Micro 2 2000 3:1 4 8
        kept Micro 16 1000 1:1 2 4
    fi
    [ -n "${DITTO_EXAMPLE_REPEATS:-}" ] || record=
    [ "$(cd "$examples" && echo *.java)" = "$(awk 'NF { printf "%s%s.java", sep, $1; sep = " " }' <<<"$programs")" ]
    ok $? "JDK $version: these are all"
done
echo "1..$count"
