#!/bin/bash
# SPDX-License-Identifier: MIT
# Records Java programs that race, wait, exit, and replays each several times: output, exit status and every event must
# be those of the recording. DITTO_REPLAYS says how often.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
options=
verify=--verify
cd "$work" || exit 1

# record TRACE ARGUMENT...: stdout to TRACE.out, stderr to TRACE.err, the exit status in $status
record() {
    local trace=$1
    shift
    # shellcheck disable=SC2086 # options are words
    timeout 120 "$ditto" record $verify $options -o "$trace" "$java" "$@" >"$trace.out" 2>"$trace.err"
    status=$?
}

# replay TRACE: like record, to TRACE.out2 and TRACE.err2
replay() {
    # shellcheck disable=SC2086 # options are words
    timeout 120 "$ditto" replay $verify --java "$java" "$1" >"$1.out2" 2>"$1.err2"
    status=$?
}

# round_trip NAME STATUS JAVA-ARGUMENT...: recordings with that exit status, and all their replays. With digests every
# event is compared, but none is quick; so half of the replays are of a recording without.
round_trip() {
    local half=$(((replays + 1) / 2))
    one_way "$half" "$@"
    verify=
    one_way "$half" "$1, quick" "${@:2}"
    verify=--verify
}

one_way() {
    local replays=$1 name=$2 expected=$3 trace=$work/$version.dt
    shift 3
    record "$trace" -cp "$classes" "$@"
    [ "$status" -eq "$expected" ]
    ok $? "JDK $version: $name: records, exit status $expected"
    [ "$status" -eq "$expected" ] || { echo "# status $status"; head -5 "$trace.err" | sed 's/^/# /'; }
    "$ditto" check "$trace" >/dev/null
    ok $? "JDK $version: $name: its trace is sound"
    # shellcheck disable=SC2086 # options are words
    compare "$replays" "$expected" "$trace" "$verify" timeout 120 "$ditto" replay $verify --java "$java" "$trace"
    ok $? "JDK $version: $name: $replays replays are the recording"
}

# What takes long and is the same in every JVM is tried with the first JDK alone.
first=yes
for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    classes=$work/classes-$version
    "$home/bin/javac" -g -d "$classes" "$here"/java/replay/*.java 2>"$work/javac.log"
    ok $? "JDK $version: the programs compile"

    round_trip "racy counters" 0 Counters
    round_trip "wait and notify" 0 Buffer
    round_trip "interrupts" 0 Interrupts
    round_trip "joins and daemon threads" 0 Joins
    round_trip "exceptions" 1 Throwing
    round_trip "class initialization" 0 ClassInit
    round_trip "class initialization through reflection" 0 Reflected
    round_trip "class initialization before reflection" 0 Reflected late
    round_trip "class initialization through method references" 0 References
    round_trip "records that several threads compare first" 0 Records
    if [ "$version" -ge 21 ]; then
        "$home/bin/javac" -g -d "$classes" "$here/java/recent/Switches.java"
        round_trip "switches with patterns" 0 Switches
    fi
    round_trip "copies of objects" 0 Clones
    round_trip "copies of objects that others store to" 0 Copying
    for plugin in a b; do
        mkdir -p "$work/plugin-$plugin"
        sed "s/NAME/plugin $plugin/" "$here/java/plugins/Plugin.java" >"$work/Plugin.java"
        "$home/bin/javac" -g -cp "$classes" -d "$work/plugin-$plugin" "$work/Plugin.java"
    done
    round_trip "class loaders" 0 Loaders "$work/plugin-a" "$work/plugin-b"
    round_trip "System.exit" 7 Exits exit
    round_trip "Runtime.halt" 9 Exits halt
    round_trip "exit by another thread" 11 Exits other
    round_trip "exit after an uncaught exception" 13 Exits throw
    round_trip "only daemons left" 0 Exits daemon
    round_trip "hooks when the last thread has ended" 0 ShutdownHooks last
    round_trip "hooks after a signal" 143 ShutdownHooks signal
    verify="" record "$work/long.dt" -cp "$classes" ShutdownHooks long
    "$ditto" replay --java "$java" "$work/long.dt" >"$work/long.out" 2>/dev/null &
    until grep -q begun "$work/long.out" || ! kill -0 $! 2>/dev/null; do sleep 0.02; done
    kill -TERM $!
    wait $!
    [ $? -eq 143 ] && ! grep -q hook "$work/long.out"
    ok $? "JDK $version: a signal ends a replay at once"
    for i in 1 2; do
        record "$work/race.dt" -cp "$classes" Exits race
        [ "$status" -ge 20 ] && compare "$replays" "$status" "$work/race.dt" --verify \
            timeout 120 "$ditto" replay --verify --java "$java" "$work/race.dt"
        ok $? "JDK $version: of several threads that exit the same one does, $i"
    done

    more=$replays
    replays=2
    for collector in Serial Parallel G1 Z; do
        round_trip "with ${collector}GC" 0 -XX:+Use${collector}GC -Xmx64m Garbage
    done
    for options in "--granularity object" "--pruning none" "--pruning program-order" "--array-states 2"; do
        round_trip "$options" 0 Counters 500
    done
    options=
    options="--exclude Original"
    round_trip "copies by a class that is not recorded" 0 Copied
    options=
    round_trip "interpreted" 0 -Xint Counters 200
    round_trip "with C1 alone" 0 -XX:TieredStopAtLevel=1 Counters
    round_trip "with JNI checked" 0 -Xcheck:jni Buffer
    round_trip "virtual threads" 0 Virtual
    echo "-cp $classes Counters 300" >"$work/arguments"
    round_trip "an argument file" 0 "@$work/arguments"
    (cd "$classes" && "$home/bin/jar" --create --file "$work/app-$version.jar" --main-class Counters .)
    round_trip "a jar" 0 -jar "$work/app-$version.jar" 300
    replays=$more

    now=
    # A deadlock: the program is killed, and the replay comes to the same point and says so.
    "$ditto" record -o "$work/dead.dt" "$java" -cp "$classes" Deadlock >"$work/dead.out" 2>&1 &
    recorder=$!
    # Both threads run, and then nothing moves any more.
    for ((i = 0, same = 0; i < 300 && same < 5; i++)); do
        sleep 0.2
        before=$now
        now=$("$ditto" check "$work/dead.dt" 2>/dev/null)
        if grep -q started "$work/dead.out" && [ -n "$now" ] && [ "$now" = "$before" ]; then
            same=$((same + 1))
        else
            same=0
        fi
    done
    kill -USR1 $recorder
    wait $recorder
    ok $(($? == 137 ? 0 : 1)) "JDK $version: SIGUSR1 ends a deadlocked program"
    timeout 60 "$ditto" replay --java "$java" "$work/dead.dt" >"$work/dead.out2" 2>"$work/dead.err2"
    ok $(($? == 137 ? 0 : 1)) "JDK $version: its replay ends there, with the same exit status"
    [ "$(grep -c 'waits for the monitor of a Deadlock$Account that thread [12] holds' "$work/dead.err2")" -eq 2 ]
    ok $? "JDK $version: and says who waits for whom"
    grep -q 'at Deadlock.transfer(Deadlock.java:14)' "$work/dead.err2"
    ok $? "JDK $version: and where"

    # The same with nobody there to see it: the run is ended, and says what its replay says.
    report() { sed -n '/where its threads are:$/,/^ditto: [^w]/p' "$1" | grep '^  '; }
    timeout 60 "$ditto" record --repeat 1 -o "$work/dead.dt" "$java" -cp "$classes" Deadlock >/dev/null 2>"$work/err"
    status=$?
    [ "$status" -eq 137 ] && grep -q '^ditto: run 1 failed (a standstill)' "$work/err"
    ok $? "JDK $version: --repeat notices a deadlock"
    timeout 60 "$ditto" replay --java "$java" "$work/dead.dt" >/dev/null 2>"$work/dead.err2"
    [ "$(report "$work/err" | grep -c 'waits for the monitor')" -eq 2 ] && [ "$(report "$work/err")" = "$(report "$work/dead.err2")" ]
    ok $? "JDK $version: and its replay says the same of it"
    if [ $first = yes ]; then
        { echo 'class Large { static int n; public static void main(String[] a) {' && yes 'n++;' | head -3000 && echo '} }'; } >Large.java
        "$home/bin/javac" -d "$classes" Large.java && record "$work/large.dt" -cp "$classes" Large
        grep -q '^ditto: Large.main is not recorded: ' "$work/large.dt.err" && "$ditto" info "$work/large.dt" | grep -q '^limit *Large.main is not recorded'
        ok $? "JDK $version: a method that is too large is told of, and a limit of the trace"
        timeout 60 "$ditto" record --timeout 2 -o "$work/init.dt" "$java" -cp "$classes" InitDeadlock >/dev/null 2>&1
        timeout 60 "$ditto" replay --java "$java" "$work/init.dt" >/dev/null 2>"$work/err"
        status=$?
        [ "$status" -eq 137 ] && [ "$(grep -c 'waits for the initialization of class InitDeadlock' "$work/err")" -eq 2 ]
        ok $? "JDK $version: class initializers that deadlock do so again"
        timeout 60 "$ditto" record --repeat 1 -o "$work/slow.dt" "$java" -cp "$classes" Standing moving >/dev/null 2>"$work/err" &&
            grep -q '^ditto: none of 1 runs failed' "$work/err"
        ok $? "JDK $version: --repeat takes no sleep, timed wait or child process for a standstill"
        timeout 120 "$ditto" record --repeat 10 -o "$work/dying.dt" "$java" -cp "$classes" Dying >/dev/null 2>"$work/err" &&
            grep -q '^ditto: none of 10 runs failed' "$work/err"
        ok $? "JDK $version: a thread that asks the JVM while it dies does no harm"
    fi
    timeout 60 "$ditto" record --repeat 1 -o "$work/park.dt" "$java" -cp "$classes" Standing parked >/dev/null 2>"$work/err"
    status=$?
    [ "$status" -eq 137 ] && grep -q '^ditto: run 1 failed (a standstill)' "$work/err"
    ok $? "JDK $version: --repeat notices threads that nobody will unpark"
    timeout 60 "$ditto" record --repeat 1 -o "$work/lock.dt" "$java" -cp "$classes" Locked >/dev/null 2>"$work/err"
    timeout 60 "$ditto" replay --java "$java" "$work/lock.dt" >/dev/null 2>"$work/err2"
    status=$?
    [ "$status" -eq 137 ] && grep -q 'this is the end of the trace' "$work/err2" && [ "$(report "$work/err")" = "$(report "$work/err2")" ]
    ok $? "JDK $version: a replay notices threads that wait outside the engine"
    timeout 60 "$ditto" record --repeat 3 --timeout 1 -o "$work/late.dt" "$java" -cp "$classes" Ticking >/dev/null 2>"$work/err"
    status=$?
    [ "$status" -eq 137 ] && grep -q '^ditto: run 1 failed (it was not over within the time limit)' "$work/err"
    ok $? "JDK $version: --timeout ends a run, which is a failure"
    timeout 60 "$ditto" record --timeout 1 -o "$work/late.dt" "$java" -cp "$classes" Ticking >"$work/late.out" 2>"$work/err"
    status=$?
    [ "$status" -eq 137 ] && grep -q '^ditto: the program was not over after 1 s' "$work/err"
    ok $? "JDK $version: --timeout without --repeat"
    timeout 60 "$ditto" replay --java "$java" "$work/late.dt" >"$work/late.out2" 2>"$work/err"
    # Its last line may have been recorded and not yet printed.
    [ $? -eq 137 ] && [ "$(head -n "$(wc -l <"$work/late.out")" "$work/late.out2")" = "$(cat "$work/late.out")" ]
    ok $? "JDK $version: and its replay ends there"

    # What --verify compares.
    values=(int last)
    [ $first = yes ] && values=('long[]' byte float double null class length enum String place "${values[@]}")
    DITTO_OUTSIDE="first none" record "$work/value.dt" -cp "$classes" Valued
    for what in "${values[@]}"; do
        DITTO_OUTSIDE="other $what" replay "$work/value.dt"
        [ "$status" -eq 3 ] && grep -q 'thread 0 (main), event [0-9]* .*--verify: expected .*, found ' "$work/value.dt.err2"
        ok $? "JDK $version: --verify notices another value: $what"
    done
    grep -A2 '^ditto: where it left the trace:' "$work/value.dt.err2" | grep -q '^      at Valued\.main(Valued\.java:'
    ok $? "JDK $version: and says where"
    DITTO_OUTSIDE="other printed" timeout 60 "$ditto" replay --java "$java" "$work/value.dt" >"$work/out" 2>"$work/err"
    [ $? -eq 3 ] && [ ! -s "$work/out" ] && grep -q 'thread 0 (main).*expected other bytes to be printed' "$work/err"
    ok $? "JDK $version: a replay that would print something else stops, without --verify, too"
    DITTO_OUTSIDE="first none" replay "$work/value.dt"
    ok "$status" "JDK $version: --verify is content with the same ones"

    # Signals reach the program, and the replay ends as that did.
    : >"$work/term.out" # that of the JDK before would do
    "$ditto" record -o "$work/term.dt" "$java" -cp "$classes" Ticking >"$work/term.out" &
    recorder=$!
    until grep -q '^3 ' "$work/term.out"; do
        sleep 0.05
    done
    kill -TERM $recorder
    wait $recorder
    ok $(($? == 143 ? 0 : 1)) "JDK $version: SIGTERM ends a program"
    timeout 60 "$ditto" replay --java "$java" "$work/term.dt" >"$work/term.out2"
    [ $? -eq 143 ] && cmp -s "$work/term.out" "$work/term.out2"
    ok $? "JDK $version: and its replay"

    # How far a long replay is, on a terminal alone.
    if [ $first = yes ]; then
        "$ditto" record -o "$work/think.dt" "$java" -cp "$classes" Thinking 2500000000 >"$work/think.out"
        script -qec "'$ditto' replay --java '$java' '$work/think.dt'" /dev/null </dev/null >"$work/think.tty"
        grep -Eq 'ditto: [0-9]+ %, [0-9]+ of [0-9]+ events; thread .*[0-9]+ %' "$work/think.tty"
        ok $? "JDK $version: a long replay says how far it is"
        # Without the carriage returns of the terminal, and what stands between saving and restoring the cursor.
        tr -d '\r' <"$work/think.tty" | sed $'s/\033D\033\\[A//g; s/\0337[^\033]*\033\\[E\033\\[K[^\033]*\0338//g' | cmp -s - "$work/think.out"
        ok $? "JDK $version: around what the program prints"
        awk 'BEGIN { RS = "\033" } /^7/ { open = 1 } /^\[Kditto: / { shown = 1 } /^\[K$/ { shown = 0 } END { exit shown }' "$work/think.tty"
        ok $? "JDK $version: and takes it away at the end"
        timeout 60 "$ditto" replay --java "$java" "$work/think.dt" 2>"$work/err" >/dev/null
        [ ! -s "$work/err" ]
        ok $? "JDK $version: not where there is no terminal"
        if [ "$replays" -ge 20 ]; then
            round_trip "exit while a thread computes for long" 5 Thinking 6000000000 exit
        fi
    fi

    # Stack overflows: no lock is left behind, and no class that could not be initialized.
    verify=
    for mode in -Xint -XX:TieredStopAtLevel=1 -XX:-TieredCompilation; do
        record "$work/overflow.dt" $mode -cp "$classes" Overflow
        [ "$status" -eq 0 ] && [ ! -s "$work/overflow.dt.err" ] && "$ditto" check "$work/overflow.dt" >/dev/null
        ok $? "JDK $version: stack overflows are the program's alone, $mode"
    done
    verify=--verify

    # Refusals.
    record "$work/small.dt" -cp "$classes" Counters 10
    cp -r "$classes" "$work/kept"
    sed 's/sees/SEES/' "$here/java/replay/Counters.java" >"$work/Counters.java"
    "$home/bin/javac" -g -d "$classes" "$work/Counters.java"
    replay "$work/small.dt"
    [ "$status" -eq 2 ] && grep -q 'class Counters is not the one that was recorded' "$work/small.dt.err2"
    ok $? "JDK $version: a changed class is refused by name"
    rm -rf "$classes"
    replay "$work/small.dt"
    [ "$status" -eq 2 ] && grep -q "had classes in '$classes', which is not there" "$work/small.dt.err2"
    ok $? "JDK $version: so is a class path that is gone"
    mv "$work/kept" "$classes"
    replay "$work/small.dt"
    ok $status "JDK $version: and taken when it is back"
    "$ditto" replay --verify "$work/dead.dt" --java "$java" >/dev/null 2>"$work/err"
    [ $? -eq 2 ] && grep -q 'no digests' "$work/err"
    ok $? "JDK $version: --verify refuses a trace without digests"
    for other in $(jdks); do
        [ "$other" = "$home" ] && continue
        "$ditto" replay --java "$other/bin/java" "$work/small.dt" >/dev/null 2>"$work/err"
        [ $? -eq 2 ] && grep -q 'recorded with java' "$work/err"
        ok $? "JDK $version: another java is refused"
    done

    # Printing is added to a recorded program, and taken away again.
    ignore=$here/java/ignore
    app=$work/app-$version
    "$home/bin/javac" -g -d "$app" "$ignore/plain/Teller.java"
    record "$work/teller.dt" -cp "$app" Teller
    "$home/bin/javac" -g -d "$app" "$ignore"/debug/*.java
    tries=$([ $first = yes ] && echo "$replays" || echo 1)
    for ((i = 0; i < tries; i++)); do
        replay "$work/teller.dt"
        if [ "$status" -ne 0 ] || ! grep -q 'ditto: verified' "$work/teller.dt.err2"; then
            break
        fi
        [ "$(tail -n 1 "$work/teller.dt.out2")" = "$(cat "$work/teller.dt.out")" ] || break
        [ "$(grep -c -e '^log ' -e '^round ' -e '^printed 6$' "$work/teller.dt.out2")" -eq 17 ] || break
    done
    [ "$i" -eq "$tries" ]
    ok $? "JDK $version: code with @DittoIgnore is added, and the trace replays"
    record "$work/printing.dt" -cp "$app" Teller
    recorded=$(grep ^balance "$work/printing.dt.out")
    replay "$work/printing.dt"
    [ "$status" -eq 0 ] && [ "$(grep ^balance "$work/printing.dt.out2")" = "$recorded" ]
    ok $? "JDK $version: a program with it records and replays"
    sed 's/before + 1/before + 2/' "$ignore/debug/Teller.java" >"$work/Teller.java"
    "$home/bin/javac" -g -cp "$app" -d "$app" "$work/Teller.java"
    replay "$work/teller.dt"
    [ "$status" -eq 2 ] && grep -q 'class Teller is not the one that was recorded' "$work/teller.dt.err2"
    ok $? "JDK $version: other code is not changed under its cover"
    sed 's/show(i);/show(done);/' "$ignore/debug/Teller.java" >"$work/Teller.java"
    "$home/bin/javac" -g -cp "$app" -d "$app" "$work/Teller.java"
    replay "$work/teller.dt"
    [ "$status" -eq 2 ] && grep -q 'class Teller is not the one that was recorded' "$work/teller.dt.err2"
    ok $? "JDK $version: nor is a load added as an argument"
    "$home/bin/javac" -g -d "$app" "$ignore/plain/Teller.java"
    replay "$work/printing.dt"
    [ "$status" -eq 0 ] && [ "$(cat "$work/printing.dt.out2")" = "$recorded" ]
    ok $? "JDK $version: a trace of a program with it replays without it"

    for flag in -XX:-UseCompressedClassPointers -XX:+UseCompactObjectHeaders; do
        "$java" "$flag" -version >/dev/null 2>&1 || continue
        record "$work/layout.dt" "$flag" -cp "$classes" Counters 10
        [ "$status" -eq 2 ] && grep -q "^ditto: .*$flag" "$work/layout.dt.err"
        ok $? "JDK $version: $flag is refused"
    done
    record "$work/layout.dt" -XX:hashCode=0 -cp "$classes" Counters 10
    [ "$status" -eq 2 ] && grep -q '^ditto: .*without -XX:hashCode' "$work/layout.dt.err"
    ok $? "JDK $version: another generator of hashes is refused"
    LD_BIND_NOW=1 JAVA_TOOL_OPTIONS=-Dx=y FOO=bar "$ditto" record -o "$work/env.dt" "$java" -cp "$classes" Counters 5 >/dev/null 2>&1
    "$ditto" info --json "$work/env.dt" | grep -q 'FOO=bar' && ! "$ditto" info --json "$work/env.dt" | grep -E 'LD_BIND_NOW|JAVA_TOOL_OPTIONS'
    ok $? "JDK $version: the environment is in the trace, without what would run code"

    # What is recorded can be chosen.
    "$ditto" record -o "$work/part.dt" --exclude Counters.shared --exclude Counters.wide "$java" -cp "$classes" Counters 50 >/dev/null
    "$ditto" record -o "$work/all.dt" "$java" -cp "$classes" Counters 50 >/dev/null
    events() { "$ditto" check "$1" | sed 's/.* \([0-9]*\) events.*/\1/'; }
    [ "$(events "$work/part.dt")" -lt $(($(events "$work/all.dt") - 400)) ]
    ok $? "JDK $version: --exclude leaves fields out"
    "$ditto" record -o "$work/none.dt" --include com.acme --exclude java "$java" -cp "$classes" Counters 50 >/dev/null
    # Output and the start of threads remain.
    [ "$(events "$work/none.dt")" -lt 100 ]
    ok $? "JDK $version: --include takes nothing else"

    # Recording until it fails.
    "$ditto" record --repeat 200 --fail-pattern 'field ([0-9]{1,3}|[1-5][0-9]{3}) ' -o "$work/repeat.dt" "$java" \
        -cp "$classes" Counters >/dev/null 2>"$work/err"
    grep -q '^ditto: run [0-9]* failed' "$work/err" && "$ditto" replay --java "$java" "$work/repeat.dt" | grep -q 'field [1-5]\?[0-9]\{1,3\} '
    ok $? "JDK $version: --repeat finds a lost update, and it replays"
    "$ditto" record --repeat 3 -o "$work/repeat.dt" "$java" -cp "$classes" Throwing quietly >/dev/null 2>"$work/err"
    grep -q '^ditto: run 1 failed (an uncaught exception)' "$work/err"
    ok $? "JDK $version: --repeat notices an uncaught exception"
    "$ditto" record --repeat 3 -o "$work/repeat.dt" "$java" -cp "$classes" Counters 5 >/dev/null 2>"$work/err" &&
        grep -q '^ditto: none of 3 runs failed' "$work/err" && [ ! -e "$work/repeat.dt" ]
    ok $? "JDK $version: --repeat says when nothing fails"
    first=no
done

"$ditto" record >/dev/null 2>"$work/err"
[ $? -eq 2 ] && grep -q '^ditto: record: what shall I record' "$work/err"
ok $? "record without a program is a mistake"
"$ditto" record -o "$work/no.dt" /nowhere/java Main 2>"$work/err"
[ $? -eq 2 ] && grep -q '^ditto: /nowhere/java: cannot run' "$work/err"
ok $? "a java that is not there is a mistake"
"$ditto" record -o "$work/no/where.dt" "$java" -version 2>"$work/err"
[ $? -eq 2 ] && grep -q '^ditto: .*where.dt' "$work/err"
ok $? "a trace that cannot be written is a mistake"
"$ditto" replay "$work/nowhere.dt" 2>"$work/err"
[ $? -eq 2 ] && grep -q '^ditto: .*nowhere.dt' "$work/err"
ok $? "a trace that is not there is a mistake"
echo "1..$count"
