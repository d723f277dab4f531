#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs Java programs rewritten in every way, under hooks that count, and compares what they print.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"

# run HOME DIRECTORY ARGUMENT...: stdout to DIRECTORY.out, stderr to DIRECTORY.err
run() {
    local home=$1 classes=$2
    shift 2
    "$home/bin/java" -Xverify:all -XX:+UseSerialGC --patch-module java.base="$work/$version/counting" \
        -cp "$classes" "$@" >"$classes.out" 2>"$classes.err"
}

# rewritten MODE [FIRST-SITE]: a copy of the plain classes, rewritten
rewritten() {
    rm -rf "${dir:?}/$1"
    cp -r "$dir/plain" "$dir/$1"
    "$rewrite" "$1" "$dir/plain" "$dir/$1" ${2:+"$2"} >"$dir/$1.summary" 2>"$dir/$1.left"
}

# same NAME MODE
same() {
    cmp -s "$dir/plain.out" "$dir/$2.out"
    local status=$?
    ok $status "JDK $version: $1"
    [ $status -eq 0 ] || { diff "$dir/plain.out" "$dir/$2.out"; head -5 "$dir/$2.err"; } | sed 's/^/# /'
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    dir=$work/$version
    mkdir -p "$dir"
    {
        "$home/bin/javac" -d "$dir/counting" --patch-module java.base="$here/counting" \
            "$here/counting/java/lang/DittoHooks.java"
        "$home/bin/javac" -d "$dir/tool" "$here/java/MakeOdd.java"
        "$home/bin/java" -cp "$dir/tool" MakeOdd "$dir/plain"
        "$home/bin/javac" -nowarn -Xlint:-options --release 8 -g -d "$dir/plain" "$here/java/behaviour/OldStyle.java"
        "$home/bin/javac" -g -cp "$dir/plain" -d "$dir/plain" "$dir/plain/Large.java" \
            "$here/java/behaviour/Behaviour.java"
    } 2>"$dir/javac.log"
    ok $? "JDK $version: the programs compile"
    # Version 49: the JVM then ignores stack maps.
    printf '\0\061' | dd of="$dir/plain/OldStyle.class" bs=1 seek=6 conv=notrunc 2>/dev/null
    run "$home" "$dir/plain" Behaviour
    ok $? "JDK $version: they run as they are"
    for mode in identity relocate; do
        rewritten $mode
        run "$home" "$dir/$mode" Behaviour
        same "$mode changes nothing" $mode
    done
    for first in 0 100000; do
        rewritten instrument $first
        run "$home" "$dir/instrument" Behaviour
        same "instrumented with sites from $first they print the same" instrument
        grep -q 'problem: none' "$dir/instrument.err"
        ok $? "JDK $version: every access that began was ended or abandoned, none inside another"
        grep -q 'abandoned 18;' "$dir/instrument.err"
        ok $? "JDK $version: the 18 accesses that threw were abandoned"
        # One acquisition was of null, and so is not released.
        awk -F'[; ]+' '{ for (i = 1; i < NF; i++) { if ($i == "acquisitions") a = $(i + 1); if ($i == "releases") r = $(i + 1) } }
                       END { exit !(a > 20000 && a == r + 1) }' "$dir/instrument.err"
        ok $? "JDK $version: what was acquired was released"
    done
    grep -q '^Large.tooLarge: with the inserted code' "$dir/instrument.left"
    ok $? "JDK $version: a method that would be too large is reported"
    grep -q '^OddJsr.run: it uses jsr or ret' "$dir/instrument.left"
    ok $? "JDK $version: a method with jsr is reported"
    is=$(wc -l <"$dir/instrument.left")
    [ "$is" -eq 2 ]
    ok $? "JDK $version: nothing else is"

    run "$home" "$dir/instrument" -Xcomp -XX:CompileCommand=quiet '-XX:CompileCommand=compileonly,Behaviour*::*' \
        -XX:+PrintCompilation Behaviour
    ! grep -E 'COMPILE SKIPPED|made not compilable|unbalanced' "$dir/instrument.out" | sed 's/^/# /' | grep .
    ok $? "JDK $version: HotSpot compiles every instrumented method"
    run "$home" "$dir/instrument" Behaviour overflow
    grep -q '^stack overflow' "$dir/instrument.out"
    ok $? "JDK $version: a stack overflow is survived"

    # As version 50 and 51 it has stack maps that count.
    for old in 50 51; do
        printf '%b' "\\0\\0$(printf %03o $old)" | dd of="$dir/plain/OldStyle.class" bs=1 seek=6 conv=notrunc 2>/dev/null
        rewritten instrument
        run "$home" "$dir/instrument" Behaviour
        same "a class of version $old works" instrument
    done

    # Once more as version 48: the static synchronized method must stay as it is.
    printf '\0\060' | dd of="$dir/plain/OldStyle.class" bs=1 seek=6 conv=notrunc 2>/dev/null
    rewritten instrument
    run "$home" "$dir/instrument" Behaviour
    same "a class of version 48 works" instrument
    grep -q '^OldStyle.isLast: it is static synchronized in a class too old' "$dir/instrument.left"
    ok $? "JDK $version: its static synchronized method is reported"
done
echo "1..$count"
