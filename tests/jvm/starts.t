#!/bin/bash
# SPDX-License-Identifier: MIT
# The ways in which Java programs are started: classes, jars, modules, argument files, options from the environment, with
# other agents; each is recorded and replayed. And what is no java that can be recorded is refused with a sentence.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
cd "$work" || exit 1

# starts NAME LAST-LINE ARGUMENT...: java with these arguments prints that line at last, recorded and replayed
starts() {
    local name=$1 last=$2
    shift 2
    timeout 60 "$ditto" record --verify -o way.dt "$java" "$@" >out 2>err
    ok $? "JDK $version: $name is recorded"
    tail -n 1 out | grep -Eq "^$last\$"
    ok $? "JDK $version: $name does what it does"
    timeout 60 "$ditto" replay --verify --java "$java" way.dt >out2 2>err2 && cmp -s out out2 &&
        grep -Eq '^ditto: verified: [0-9]{4,} events' err2
    ok $? "JDK $version: $name is replayed"
    grep '^ditto' err err2 | sed 's/^/# /'
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    java=$home/bin/java
    rm -rf mods agent.jar app.jar
    "$home/bin/javac" -g -d mods/tally "$here"/java/starts/module/module-info.java "$here"/java/starts/module/tally/Tally.java &&
        "$home/bin/javac" -g -d agent "$here/java/starts/agent/Weaver.java" &&
        printf 'Premain-Class: Weaver\nCan-Retransform-Classes: true\n' >manifest &&
        "$home/bin/jar" --create --file agent.jar --manifest manifest -C agent . &&
        "$home/bin/jar" --create --file app.jar --main-class tally.Tally -C mods/tally .
    ok $? "JDK $version: the programs compile"

    starts "a class" "plain [0-9]+ none a,b" -cp mods/tally tally.Tally a b
    starts "a jar" "plain [0-9]+ none a" -jar app.jar a
    starts "a module" "plain [0-9]+ none " -p mods -m tally/tally.Tally
    starts "a modular jar" "plain [0-9]+ 3 " --module-path=app.jar -Dextra=3 --module tally/tally.Tally
    printf '%s\n' '-Dextra="in a file"' -cp mods/tally >options
    starts "an argument file" "plain [0-9]+ in a file x" @options tally.Tally x
    starts "an agent in Java" "woven [0-9]+ none " -javaagent:agent.jar -cp mods/tally tally.Tally
    starts "an agent in Java that transforms again" "woven [0-9]+ none " -javaagent:agent.jar=again -cp mods/tally tally.Tally
    starts "an agent in Java that has the library loaded again" "woven [0-9]+ none " -javaagent:agent.jar=library \
        -cp mods/tally tally.Tally
    starts "a second native agent" "plain [0-9]+ none " \
        -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0 -cp mods/tally tally.Tally

    # Options from the environment belong to the user: a replay neither takes nor forgets them.
    for variable in JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS; do
        export $variable=-Dextra=tool
        starts "$variable" "plain [0-9]+ tool " -cp mods/tally tally.Tally
        unset $variable
        timeout 60 "$ditto" replay --java "$java" way.dt >out2 2>err2
        [ $? -eq 2 ] && [ ! -s out2 ] && grep -q "^ditto: .*recorded with $variable='-Dextra=tool'" err2
        ok $? "JDK $version: without $variable a replay is refused"
    done
    timeout 60 "$ditto" record -o way.dt "$java" -cp mods/tally tally.Tally >/dev/null
    _JAVA_OPTIONS=-Dextra=more timeout 60 "$ditto" replay --java "$java" way.dt >out2 2>err2
    [ $? -eq 2 ] && [ ! -s out2 ] && grep -q "^ditto: .*recorded without _JAVA_OPTIONS" err2
    ok $? "JDK $version: and with others, too"
done

# refused WORDS: the program `fake/bin/java` is refused, by record and by replay, in one line, without being run
refused() {
    timeout 60 "$ditto" record -o fake.dt fake/bin/java -cp mods/tally tally.Tally >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ ! -e fake.dt ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^ditto: record: .*fake/bin/java $1; use a 64-bit OpenJDK" err
    ok $? "refused: $1"
    sed 's/^/# /' err
    timeout 60 "$ditto" replay --java fake/bin/java way.dt >out 2>err
    [ $? -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^ditto: .*fake/bin/java $1; use a 64-bit OpenJDK" err
    ok $? "refused by replay: $1"
}

# A launcher that would run, if it were, with another file `release`.
mkdir -p fake/bin
fake() {
    ln -sfn "$home/lib" fake/lib
    ln -sfn "$home/conf" fake/conf
    cp "$home/bin/java" fake/bin/java
    grep -v -e ^JAVA_VERSION= -e ^JVM_VARIANT= -e ^SOURCE= "$home/release" >fake/release
    printf '%s\n' "$@" >>fake/release
}
fake 'JAVA_VERSION="17.0.1"' 'JVM_VARIANT="Hotspot"' 'SOURCE=".:git:123"'
timeout 60 "$ditto" record -o fake.dt fake/bin/java -cp mods/tally tally.Tally >out 2>err
ok $? "a java with a file 'release' that is in order is taken"
rm -f fake/release fake.dt
timeout 60 "$ditto" record -o fake.dt fake/bin/java -cp mods/tally tally.Tally >out 2>err
ok $? "and one that has none"
rm -f fake.dt
fake 'JAVA_VERSION="1.8.0_402"'
refused "is JDK 8"
fake 'JAVA_VERSION="11.0.22"'
refused "is JDK 11"
fake 'JAVA_VERSION="17.0.1"' 'JVM_VARIANT="Openj9"'
refused "is not a HotSpot JVM"
fake 'JAVA_VERSION="17.0.1"' 'SOURCE="OpenJ9:abc OMR:def OpenJDK:123"'
refused "is an OpenJ9 JVM"
fake 'JAVA_VERSION="17.0.1"'
printf '\001' | dd of=fake/bin/java bs=1 seek=4 conv=notrunc 2>/dev/null
refused "is a java of 32 bits"
fake 'JAVA_VERSION="17.0.1"'
printf '\377\377' | dd of=fake/bin/java bs=1 seek=18 conv=notrunc 2>/dev/null
refused "is a java for another processor"
cp "$(command -v touch)" fake/bin/java
refused "is no java"
echo 'a text' >fake/bin/java
refused "is neither a java nor a script that runs one"
printf '#!/bin/sh\necho "$#"\n' >fake/bin/java
timeout 60 "$ditto" record -o fake.dt fake/bin/java -version >out 2>err
[ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^ditto: fake.dt: the program wrote no trace" err
ok $? "a script that runs no java has no trace"
PATH=$work/fake/bin:$PATH timeout 60 "$ditto" record -o fake.dt java -version >out 2>err
[ $? -eq 2 ] && grep -q "^ditto: fake.dt: the program wrote no trace" err
ok $? "java is looked for on the PATH"

# mistaken MESSAGE OPTION...: refused in one line, before the program runs
mistaken() {
    local message=$1
    shift
    timeout 60 "$ditto" record "$@" java -version >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$message" err
    ok $? "$*: $message"
}
mistaken "cannot create the trace: No such file or directory" -o "$work/nowhere/trace.dt"
mistaken "cannot create the trace" -o /proc/trace.dt
mkfifo pipe.dt
mistaken "something of that name that is not a file; choose another name" -o pipe.dt
[ -p pipe.dt ]
ok $? "and it is still there"
mistaken "needs a name with points" --include com/acme
mistaken "needs a name with points" --exclude ""
mistaken "which is missing" --fail-pattern wrong
timeout 60 "$ditto" record -o include.dt --include com.nowhere java -version >out 2>err
grep -q "^ditto: --include com.nowhere: no class of the program" err
ok $? "a pattern that fits nothing is named"
echo "1..$count"
