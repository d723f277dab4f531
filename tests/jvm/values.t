#!/bin/bash
# SPDX-License-Identifier: MIT
# Native methods: `ditto info` names those whose answers are not recorded, and --value records them. The library is
# built here; what it answers depends on the time, and a replay gets on with one that answers nothing.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
cd "$work" || exit 1

for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    classes=$work/classes-$version trace=$work/$version.dt
    library=$work/libsensor-$version.so
    "$home/bin/javac" -nowarn -g -d "$classes" "$here"/java/values/*.java &&
        ${CC:-cc} -shared -fPIC -I "$home/include" -I "$home/include/linux" -o "$library" "$here/sensor.c"
    ok $? "JDK $version: the program and its library compile"
    cp "$library" library.so
    echo there >file
    access=()
    [ "$version" -lt 22 ] || access=(--enable-native-access=ALL-UNNAMED)
    run=("$java" "${access[@]}" -cp "$classes" Sensor "$library" "$work/file")
    all=()
    for method in open isOpen byteValue charValue shortValue intValue longValue floatValue doubleValue text numbers \
        bytes fractions times fails java; do
        all+=(--value "Sensor.$method")
    done

    "$ditto" record -o "$trace" "${run[@]}" >plain.out 2>err
    "$ditto" info "$trace" | grep -q 'limit.*native method longValue of Sensor:'
    ok $? "JDK $version: info names native methods that are not recorded"

    for option in "" --verify; do
        # shellcheck disable=SC2086 # options are words
        "$ditto" record $option "${all[@]}" -o "$trace" "${run[@]}" >out 2>err
        status=$?
        [ "$status" -eq 0 ] && [ ! -s err ]
        ok $? "JDK $version: results of native methods are recorded${option:+, $option}"
        sed 's/^/# /' err
        ! cmp -s out plain.out
        ok $? "JDK $version: another run has another output"
        diff <(grep -A2 IllegalState plain.out | sed 's/after .*//') <(grep -A2 IllegalState out | sed 's/after .*//')
        ok $? "JDK $version: stack traces are those of the plain program"
        ! "$ditto" info "$trace" | grep -q 'limit.*native method'
        ok $? "JDK $version: info names none of them"
        # The library that a replay loads has the same methods, and they answer nothing.
        sed -e 's/return (type)next()/return (type)(0 * next())/' "$here/sensor.c" >silent.c
        ${CC:-cc} -shared -fPIC -I "$home/include" -I "$home/include/linux" -o "$library" silent.c
        rm -f file
        mv out "$trace.out"
        # shellcheck disable=SC2086 # options are words
        compare "$replays" 0 "$trace" "$option" "$ditto" replay $option --java "$java" "$trace"
        ok $? "JDK $version: $good of $replays replays are the recording, without calling them${option:+, $option}"
        cp library.so "$library"
        echo there >file
    done

    "$ditto" record --value 'Sensor.long*' --value Sensor.missing --value Sensor -o "$trace" "${run[@]}" >out 2>err
    [ "$(cat err)" = "$(printf '%s\n' \
        'ditto: --value Sensor.missing: no class of the program that was loaded has such a method' \
        'ditto: --value Sensor: no class of the program that was loaded has such a method')" ]
    ok $? "JDK $version: a method that is not there is told"
    sed 's/^/# /' err
    "$ditto" info "$trace" | grep -q 'limit.*native method text of' &&
        ! "$ditto" info "$trace" | grep -q 'limit.*native method longValue of'
    ok $? "JDK $version: those that were not named are limits still"

    "$ditto" record --value 'Maker.make' -o "$trace" "$java" -cp "$classes" Maker >out 2>err
    status=$?
    [ "$status" -eq 2 ] && grep -q '^ditto: --value Maker.make()Ljava/lang/Object;: it answers an object; only' err
    ok $? "JDK $version: a method that answers an object is refused"
done
echo "1..$count"
