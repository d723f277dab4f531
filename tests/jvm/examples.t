#!/bin/bash
# SPDX-License-Identifier: MIT
# Every Java example compiles without a warning on every JDK in reach, and a run of it ends well or fails as its header
# says. Which of the two is chance; DITTO_EXAMPLE_RUNS runs of each (one by default) see more of both.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"

examples=$here/../../examples/java
runs=${DITTO_EXAMPLE_RUNS:-1}
unset JAVA_TOOL_OPTIONS # the JVM would tell of them
hang_after=10 # seconds; a good run takes a fraction of one

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

for home in $(jdks); do
    version=$(jdk_version "$home")
    dir=$work/$version
    "$home/bin/javac" -Xlint:all -d "$dir" "$examples"/*.java >"$work/javac.log" 2>&1 && [ ! -s "$work/javac.log" ]
    ok $? "JDK $version: the examples compile without a warning"
    sed 's/^/# /' "$work/javac.log"
    while read -r name good failure text method; do
        [ -n "$name" ] || continue
        for ((i = 0; i < runs; i++)); do
            run "$name"
            as_documented "$good" "$failure" "$text" "$method"
            judged=$?
            ok $judged "JDK $version: $name ends $end"
            [ $judged -eq 0 ] || head -20 "$dir/out" "$dir/err" | sed 's/^/# /'
        done
    done <<<"$programs"
    [ "$(cd "$examples" && echo *.java)" = "$(awk 'NF { printf "%s%s.java", sep, $1; sep = " " }' <<<"$programs")" ]
    ok $? "JDK $version: these are all"
done
echo "1..$count"
