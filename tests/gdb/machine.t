#!/bin/bash
# SPDX-License-Identifier: MIT
# The machine behind gdb, driven by scripts: cuts, steps, breakpoints, watches, forwards and backwards, must agree with
# each other and be the same each time.
#
#     machine.t DRIVE DITTO
here=$(cd "$(dirname "$0")" && pwd)
drive=$(readlink -f "${1:-$here/../../build/bin/drive}")
ditto=$(readlink -f "${2:-$here/../../build/bin/ditto}")
set -- "$here/../../build/bin/rewrite_classes"
. "$here/../jvm/jdk.sh"
cd "$work" || exit 1

# run SCRIPT-LINE...: drives the trace; its output is in $work/out
run() {
    printf '%s\n' "$@" | timeout 60 "$drive" "$trace" "$java" >"$work/out" 2>&1
}

# repeat N LINE
repeat() {
    for ((i = 0; i < $1; i++)); do
        echo "$2"
    done
}

# same NAME FILE FILE
same() {
    cmp -s "$2" "$3"
    local result=$?
    ok $result "JDK $version: $1"
    [ $result -eq 0 ] || diff "$2" "$3" | head -10 | sed 's/^/# /'
}

last_clock() {
    run last
    sed -n 's/^last clock //p' "$work/out"
}

# A thread that is alive in the middle, and runs next.
last_thread() {
    run "goto $(($(last_clock) / 2))"
    sed -n 's/^stepped in thread \([0-9]*\);.*/\1/p' "$work/out"
}

# The whole state at a clock, reached from the beginning, from behind, and in another session.
cuts() {
    local half=$(($(last_clock) / 2))
    run "goto $half" state "goto end" "goto $half" state
    cp "$work/out" "$work/first"
    run "goto $half" state "goto end" "goto $half" state
    same "$1: a session is the same when it is repeated" "$work/first" "$work/out"
    sed '/^end/,$d' "$work/out" >"$work/a"
    sed '1,/^end/d' "$work/out" | sed 1d >"$work/b"
    same "$1: the cut at $half is the same from both sides" "$work/a" "$work/b"
}

# steps NAME THREAD: up to forty steps on, as long as it lives, and back again
steps() {
    local half=$(($(last_clock) / 2)) on
    run "goto $half" "$(repeat 40 "step $2")"
    on=$(grep -c '^  \[.*:' "$work/out")
    run "goto $half" "$(repeat $((on - 1)) "step $2")" "echo BACK" "$(repeat $((on - 2)) "back $2")"
    sed '/BACK/,$d' "$work/out" | grep '^  \[' | sed -n "2,$((on - 1))p" | tac >"$work/a"
    sed '1,/BACK/d' "$work/out" | grep '^  \[' >"$work/b"
    same "$1: $((on - 2)) steps back undo steps" "$work/a" "$work/b"
}

# What is written, by list, forwards and backwards: NAME CLASS FIELD TYPE
watches() {
    run "writes $2 $3 $4"
    sed 's/ event [0-9]*//' "$work/out" >"$work/writes"
    local writes
    writes=$(wc -l <"$work/writes")
    run "watch $2 $3 $4" "$(repeat $((writes + 1)) cont)"
    sed -n 's/^watch 0 write \([0-9]*\): \(.*\) at \(.*\) in thread \([0-9]*\); at \([0-9]*\) .*/write \1 at \5 thread \4: \2 at \3/p' \
        "$work/out" >"$work/on"
    same "$1: watched on, $writes writes" "$work/writes" "$work/on"
    grep -q '^end' "$work/out"
    ok $? "JDK $version: $1: and then the end"
    run "goto end" "watch $2 $3 $4" "$(repeat $((writes + 1)) rcont)"
    sed -n 's/^watch 0 write \([0-9]*\): \(.*\) at \(.*\) in thread \([0-9]*\); .*/write \1 thread \4: \2 at \3/p' \
        "$work/out" | tac >"$work/back"
    sed 's/ at [0-9]* thread/ thread/' "$work/writes" >"$work/a"
    same "$1: watched back, the same" "$work/a" "$work/back"
    grep -q '^begin' "$work/out"
    ok $? "JDK $version: $1: and then the beginning"
}

# Stops at breakpoints on and back: NAME COUNT BREAKPOINT...
breakpoints() {
    local name=$1 stops=$2
    shift 2
    run "$@" "$(repeat $((stops + 1)) cont)" "$(repeat $((stops + 1)) rcont)"
    paste - - <"$work/out" | sed 's/ step [0-9]*//' >"$work/stops"
    sed '/^end/,$d' "$work/stops" >"$work/a"
    sed '1,/^end/d; /^begin/,$d' "$work/stops" | tac >"$work/b"
    same "$name: breakpoints on and back" "$work/a" "$work/b"
    [ "$(wc -l <"$work/a")" -eq "$stops" ]
    ok $? "JDK $version: $name: $stops stops"
}

# says NAME PATTERN: the last output has it
says() {
    grep -q "$2" "$work/out"
    local result=$?
    ok $result "JDK $version: $1"
    [ $result -eq 0 ] || sed 's/^/# /' "$work/out" | head -20
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    classes=$work/classes-$version
    "$home/bin/javac" -g -d "$classes" "$here"/java/{Race,Stretch}.java "$here"/../jvm/java/replay/{Deadlock,Throwing,Buffer}.java \
        2>"$work/javac.log"
    ok $? "JDK $version: the programs compile"

    trace=$work/race-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Race 5 >"$work/race.out" 2>&1
    watches "a field" 'Race$Counter' n I
    breakpoints loop 12 'break Race work (LRace$Counter;I)V 2'
    breakpoints "entry and store" 12 'break Race work (LRace$Counter;I)V -1' 'break Race work (LRace$Counter;I)V 14'
    run "goto end" 'static Race total I' 'classes' 'watch Race$Counter n I 0 3' 'rcont'
    says "a static" '^Race.total = 10$'
    says "the class files" '^3 classes$'
    says "back to the third write" '^watch 0 write 3: '
    run 'break Race work (LRace$Counter;I)V 33' cont 'bt 2 locals' 'bt 1 locals'
    says "locals at a breakpoint" 'Race.work:33 0=Race$Counter@[0-9]* 1=5 2=0'

    trace=$work/long-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Race 200 >"$work/race.out" 2>&1
    cuts race
    steps race "$(last_thread)"
    # The threads run together while writes are listed: each must find what the one before has left.
    run 'writes Race$Counter n I'
    sed 's/.*: \(.*\) at .*/\1/' "$work/out" >"$work/writes"
    awk '{ print $1 }' "$work/writes" | sed 1d >"$work/a"
    awk '{ print $3 }' "$work/writes" | sed '$d' >"$work/b"
    same "race: a list of $(wc -l <"$work/writes") writes is a chain" "$work/a" "$work/b"

    # What was found by one search is gone back to without a JVM each, until somebody looks.
    run 'break Race work (LRace$Counter;I)V 2' 'goto end' time rcont time "$(repeat 100 rcont)" time
    read -r first rest < <(grep ' ms$' "$work/out" | sed 's/ ms//' | paste -s -d ' ')
    [ "$(grep -c '^breakpoint' "$work/out")" -eq 101 ] && [ "$rest" -lt $((10 * first)) ]
    ok $? "JDK $version: race: 101 breakpoints back, the first in $first ms, the others in $rest ms"

    # After a step back, so is what the log of steps has come by.
    point='break Race work (LRace$Counter;I)V 2'
    run "$point" "$(repeat 500 cont)"
    paste - - <"$work/out" | sed '/^end/,$d; s/ step [0-9]*//' | tac >"$work/all"
    run "$point" "goto $(($(last_clock) / 2))" "back $(last_thread)" "$(repeat 41 rcont)"
    grep -A1 '^breakpoint' "$work/out" | sed '/^--$/d' | paste - - | sed 's/ step [0-9]*//' >"$work/b"
    grep -F -x -A40 "$(head -1 "$work/b")" "$work/all" >"$work/a"
    same "race: breakpoints back from a log" "$work/a" "$work/b"

    # A step back over more of them than a log holds: those of main are there, and of another thread found again.
    trace=$work/stretch-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Stretch >"$work/stretch.out" 2>&1
    store=$("$home/bin/javap" -c -cp "$classes" Stretch | sed -n 's/^ *\([0-9]*\): putstatic.*/\1/p' | head -1)
    run "break Stretch main ([Ljava/lang/String;)V $store" cont 'back 0' 'bt 0 locals' 'back 1' 'back 1'
    says "a step back in a long stretch" "^  #0 Stretch.main:$((store - 1)) .* 3=60000"
    says "and one of another thread before it" '^  \[1\] Stretch.lambda$main$0:5$'

    trace=$work/busy-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Race 160000 >"$work/race.out" 2>&1
    run progress cont progress
    sed -n '2,$s/^progress//p' "$work/out" | tr ' ' '\n' | sed '/^$/d' >"$work/a"
    sort -n "$work/a" >"$work/b"
    cmp -s "$work/a" "$work/b" && [ "$(sort -u "$work/a" | wc -l)" -ge 2 ]
    ok $? "JDK $version: race: how far a long run is: $(paste -s -d ' ' "$work/a")"

    trace=$work/buffer-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Buffer >"$work/buffer.out" 2>&1
    cuts "wait and notify"

    trace=$work/throwing-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Throwing >/dev/null 2>&1
    steps exceptions "$(last_thread)"
    run throws "$(repeat 8 cont)" "$(repeat 7 rcont)"
    paste - - <"$work/out" | head -7 >"$work/a"
    paste - - <"$work/out" | tail -7 | tac >"$work/b"
    same "exceptions thrown, on and back" "$work/a" "$work/b"

    # A deadlock that was killed: at the end, each thread is where it died.
    trace=$work/dead-$version.dt
    "$ditto" record -o "$trace" "$java" -cp "$classes" Deadlock >"$work/dead.out" 2>&1 &
    recorder=$!
    # Both threads run, and then nothing moves any more.
    before=
    for ((i = 0, same = 0; i < 300 && same < 5; i++)); do
        sleep 0.2
        now=$("$ditto" check "$trace" 2>/dev/null)
        if grep -q started "$work/dead.out" && [ -n "$now" ] && [ "$now" = "$before" ]; then
            same=$((same + 1))
        else
            same=0
        fi
        before=$now
    done
    pkill -KILL -P $recorder
    wait $recorder 2>/dev/null
    run "goto end" state
    says "a deadlock: who waits" 'blocked: for the monitor of Deadlock$Account@[0-9]* on thread 2'
    says "a deadlock: for whom" 'blocked: for the monitor of Deadlock$Account@[0-9]* on thread 1'
    says "a deadlock: where" '#0 Deadlock.transfer:'
    cuts deadlock

    # A replay JVM that something ends is told, and another one takes its place.
    trace=$work/race-$version.dt
    coproc machine { exec "$drive" "$trace" "$java" 2>&1; }
    echo "goto 10" >&"${machine[1]}"
    read -r line <&"${machine[0]}"
    read -r line <&"${machine[0]}"
    # shellcheck disable=SC2046,SC2154 # words; coproc sets machine_PID
    kill -KILL $(pgrep -P "$machine_PID" java)
    echo "step 1" >&"${machine[1]}"
    read -r line <&"${machine[0]}"
    [[ $line == lost:*signal\ 9* ]]
    ok $? "JDK $version: a JVM that was killed is told"
    echo "goto 20" >&"${machine[1]}"
    read -r line <&"${machine[0]}"
    [[ $line == "stepped in thread "*"; at 20 "* ]]
    ok $? "JDK $version: and the next command works"
    kill -KILL "$machine_PID"
    wait "$machine_PID" 2>/dev/null
    for ((i = 0; i < 50; i++)); do
        pgrep -f "trace=$trace" >/dev/null || break
        sleep 0.1
    done
    ! pgrep -f "trace=$trace" >/dev/null
    ok $? "JDK $version: no JVM outlives the debugger"
done
echo "1..$count"
