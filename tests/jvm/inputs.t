#!/bin/bash
# SPDX-License-Identifier: MIT
# A table of inputs. Each has a small program whose output depends on it; it is recorded, what it had from outside is
# taken away, and it is replayed: the output must be the recorded one, every time. DITTO_REPLAYS says how often.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
cd "$work" || exit 1

# What a program finds, and that it is gone.
prepare() {
    rm -rf data
    mkdir data
    echo "content of a file" >data/in.txt
    cp "$work/entry.jar" data/data.jar
    cp "$work/keys.p12" data/keys.p12
}

spoil() {
    rm -rf data
}

# replay TRACE OPTION...: in another world
replay() {
    echo "other input" | TEST_KEPT=no TZ=Asia/Tokyo timeout 120 "$ditto" replay "${@:2}" --java "$java" "$1"
}

# replay_on PROCESSOR TRACE
replay_on() {
    timeout 120 taskset -c "$1" "$ditto" replay --java "$java" "$2"
}

# one_way REPLAYS NAME OPTION CLASS ARGUMENT...
one_way() {
    local replays=$1 name=$2 option=$3 trace=$work/$version.dt runs
    shift 3
    for runs in recorded again; do
        prepare
        # shellcheck disable=SC2086 # options are words
        printf 'xline one\nline two\n' | TEST_KEPT=yes TZ=America/Lima timeout 120 "$ditto" record $option -o "$trace" \
            "$java" -cp "$classes" "$@" >"$trace.$runs" 2>"$trace.err"
        status=$?
        [ -z "$differs" ] && break
    done
    mv "$trace.$runs" "$trace.out"
    [ "$status" -eq 0 ]
    ok $? "JDK $version: $name: records"
    [ "$status" -eq 0 ] || { echo "# status $status"; head -5 "$trace.err" | sed 's/^/# /'; }
    # The test would prove nothing of an input that is the same in every run.
    if [ -n "$differs" ]; then
        ! cmp -s "$trace.recorded" "$trace.out"
        ok $? "JDK $version: $name: another run has another output"
    fi
    spoil
    # shellcheck disable=SC2086 # options are words
    compare "$replays" 0 "$trace" "$option" replay "$trace" $option
    ok $? "JDK $version: $name: $replays replays are the recording"
    [ ! -e data ]
    ok $? "JDK $version: $name: a replay makes no files"
}

# input NAME CLASS ARGUMENT...: half of the replays compare every event.
input() {
    local half=$(((replays + 1) / 2))
    one_way "$half" "$1" --verify "${@:2}"
    one_way "$half" "$1, quick" "" "${@:2}"
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    classes=$work/classes-$version
    "$home/bin/javac" -nowarn -g -d "$classes" "$here"/java/inputs/*.java 2>"$work/javac.log"
    ok $? "JDK $version: the programs compile"
    echo "an entry" >entry.txt
    "$home/bin/jar" cf entry.jar entry.txt
    rm -f keys.p12
    "$home/bin/keytool" -genkeypair -alias test -keyalg RSA -dname CN=localhost -ext SAN=dns:localhost,ip:127.0.0.1 \
        -validity 3650 -keystore keys.p12 -storetype PKCS12 -storepass secret 2>"$work/keytool.log"
    ok $? "JDK $version: a key for TLS is made"

    differs=yes
    input "nanoTime, currentTimeMillis, Instant, LocalDateTime, Date" Clocks
    input "seeds of Random and its kin, SecureRandom, UUID; Map.of" Seeds
    input "processors, memory, pid, environment, thread ids and names" Queries
    input "files, channels, mapped files, directories, attributes, jars" Reading data
    input "sockets, datagrams and lookups" Sockets
    input "the HTTP client" Asking
    input "TLS: sockets, https with both clients and the server" Secure data
    input "processes" Starting
    input "classes loaded by several threads" Linking
    input "files that are written" Writing data
    differs=
    input "places inside the JDK where threads meet" Meeting data
    input "identity hashes" Hashes
    input "standard input" Stdin
    input "writes to one descriptor" Printing
    input "selectors and pipes" Selecting
    input "channels and streams that threads use in turn" Turns data
    input "interrupts that meet channels and selectors" Blocked
    input "weak and soft references" -Xmx64m References
    input "references that the collector has no time for" Collected
    for limit in 'uses java/lang/ref/PhantomReference' 'uses java/lang/ref/ReferenceQueue' \
        'uses java/util/WeakHashMap' 'uses java/lang/ref/Cleaner'; do
        "$ditto" info "$work/$version.dt" | grep -q "^limit .*class Collected $limit:"
        ok $? "JDK $version: info names a limit: $limit"
    done
    "$ditto" info "$work/$version.dt" | grep -q '^limit .*class Collected$Finalized has a finalizer'
    ok $? "JDK $version: info names a limit: a finalizer"

    trace=$work/$version.dt
    prepare
    "$ditto" record -o "$trace" "$java" -cp "$classes" Meeting data >"$trace.out"
    spoil
    one=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    compare 1 0 "$trace" "" replay_on "$one" "$trace"
    ok $? "JDK $version: a replay has the recorded number of processors, on one, too"

    prepare
    "$ditto" record -o "$trace" "$java" -cp "$classes" Writing data >/dev/null
    mv data recorded
    mkdir data
    replay "$trace" --do-writes >/dev/null 2>"$trace.err2" && diff -r -x in.txt -x data.jar -x keys.p12 recorded data
    ok $? "JDK $version: --do-writes makes the same files"
    rm -rf recorded data

    "$ditto" dump --stream value "$trace" | grep -q '(System.nanoTime)'
    ok $? "JDK $version: the dump names the kinds of inputs"
    "$ditto" info "$trace" | grep -q 'System.nanoTime'
    ok $? "JDK $version: info counts inputs by kind"
done
echo "1..$count"
