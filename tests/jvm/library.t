#!/bin/bash
# SPDX-License-Identifier: MIT
# A table of java.util, java.util.concurrent, and what else of the JDK threads share: for each primitive a program whose
# output depends on the order in which its threads got there, recorded and replayed with every event compared, and again
# as quickly as it goes. DITTO_REPLAYS says how often; DITTO_ONLY, which programs.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
cd "$work" || exit 1

# events TRACE: how many it has
events() {
    "$ditto" check "$1" | sed 's/.* \([0-9]*\) events.*/\1/'
}

# trip NAME STATUS OPTION TIMES PROGRAM ARGUMENT...: one recording and its replays
trip() {
    local name=$1 expected=$2 option=$3 times=$4 trace=$work/library.dt status
    shift 4
    # A race in a collection may end in an endless loop, or in an exception: then another recording is wanted.
    for _ in 1 2 3 4; do
        # shellcheck disable=SC2086 # options are words
        timeout 40 "$ditto" record $option -o "$trace" "$java" -cp "$classes" "$@" >"$trace.out" 2>"$trace.err"
        status=$?
        if [ "$status" -eq "$expected" ] || [ "$1" != Collections ]; then
            break
        fi
        echo "# $name: status $status"
    done
    if [ "$status" -ne "$expected" ]; then
        echo "# recording: status $status"
        head -5 "$trace.err" | sed 's/^/# /'
        good=0
        false
    else
        "$ditto" check "$trace" | sed "s/^[^:]*/# $name/"
        # shellcheck disable=SC2086 # options are words
        compare "$times" "$expected" "$trace" "$option" timeout 120 "$ditto" replay $option --java "$java" "$trace"
    fi
    ok $? "JDK $version: $name${option:+, $option}: $good of $times replays are the recording"
}

row() {
    local name=$1 half=$(((replays + 1) / 2))
    case " ${DITTO_ONLY:-$3} " in *" $3 "*) ;; *) return ;; esac
    trip "$name" "$2" --verify "$half" "${@:3}"
    trip "$name" "$2" "" "$half" "${@:3}"
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    classes=$work/classes-$version
    "$home/bin/javac" -nowarn -g -d "$classes" "$here"/java/library/*.java 2>"$work/javac.log"
    ok $? "JDK $version: the programs compile"

    row "atomics and field updaters" 0 Atomics
    row "VarHandle and Unsafe, of all types" 0 Handles
    row "every access mode of VarHandle: field, static, element" 0 Modes
    row "ReentrantLock and conditions" 0 Locks
    row "read-write and stamped locks, park" 0 SharedLocks
    row "Semaphore, CountDownLatch, CyclicBarrier, Phaser, Exchanger" 0 Synchronizers
    for queue in LinkedBlockingQueue ArrayBlockingQueue LinkedBlockingDeque PriorityBlockingQueue SynchronousQueue \
        "fair SynchronousQueue" LinkedTransferQueue; do
        row "$queue" 0 Queues "$queue"
    done
    row "ConcurrentHashMap, ConcurrentSkipListMap" 0 Maps
    row "concurrent queues, copies on write, adders, DelayQueue" 0 Concurrents
    row "ThreadPoolExecutor" 0 Pools
    row "CompletableFuture" 0 Futures
    row "virtual threads in an executor" 0 Virtuals
    row "ForkJoinPool, parallel streams" 0 Forks
    row "Timer, scheduled executors, FutureTask, ThreadLocal" 0 Timers
    row "plain collections and copies of arrays without locks" 0 Collections
    row "arrays that java.util.Arrays reads and fills, without locks" 0 Filled race
    row "StringBuilders without locks" 0 Texts race
    for class in Filled Texts; do
        "$java" -cp "$classes" $class everything >plain.out
        "$ditto" record -o texts.dt "$java" -cp "$classes" $class everything 2>/dev/null | cmp - plain.out
        ok $? "JDK $version: $class: methods of the JDK do what they do"
    done
    for where in kept left; do
        "$ditto" record -o $where.dt "$java" -cp "$classes" Texts $where >/dev/null
    done
    kept=$(events kept.dt)
    left=$(events left.dt)
    [ "$kept" -lt 100 ] && [ "$left" -ge 5000 ]
    ok $? "JDK $version: calls of StringBuilders are events only where these may leave a method: $kept, $left"
    row "formats and calendars without locks" 0 Formats
    row "lambdas, method references, callbacks" 0 References
    row "streams and objects of the program that the JDK calls" 0 Streams
    row "exit with threads in pools, queues and park" 5 Endless
done
echo "1..$count"
