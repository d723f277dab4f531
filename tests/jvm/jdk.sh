# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034 # the variables are for those who source it
# What the tests that need a JVM have in common. To be sourced; expects the test's own directory in $here.

rewrite=${1:-$here/../../build/bin/rewrite_classes}
ditto=$(readlink -f "${2:-$here/../../build/bin/ditto}")
replays=${DITTO_REPLAYS:-20}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

# ok STATUS NAME: one line of TAP; 0 is success, as for commands.
ok() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
    fi
}

# compare TIMES STATUS TRACE VERIFY COMMAND...: COMMAND replays the trace, so often, as TRACE.out2 and TRACE.err2, and each
# time has that exit status and the output TRACE.out; with VERIFY it says that all events were compared. The number of
# those that do is left in $good; what others said is shown. (The recorded process may have ended in the middle of a line
# on stderr, so that is not compared.)
compare() {
    local times=$1 expected=$2 trace=$3 verify=$4 status i
    shift 4
    good=0
    i=0
    while [ "$i" -lt "$times" ]; do
        "$@" >"$trace.out2" 2>"$trace.err2"
        status=$?
        if [ "$status" -eq "$expected" ] && cmp -s "$trace.out" "$trace.out2" &&
            { [ -z "$verify" ] || grep -q 'ditto: verified' "$trace.err2"; }; then
            good=$((good + 1))
        else
            echo "# replay $i: status $status"
            { diff "$trace.out" "$trace.out2" | head -5; grep 'ditto:' "$trace.err2"; } | sed 's/^/# /'
        fi
        i=$((i + 1))
    done
    [ "$good" -eq "$times" ]
}

# Every JDK in reach: that of JAVA_HOME or of java on the PATH, and those installed beside it.
jdks() {
    local java home
    if [ -n "${JAVA_HOME:-}" ]; then
        home=$JAVA_HOME
    else
        java=$(command -v java) || return 0
        home=$(dirname "$(dirname "$(readlink -f "$java")")")
    fi
    for each in "$home" "$(dirname "$(readlink -f "$home")")"/*; do
        if [ -x "$each/bin/javac" ] && [ -x "$each/bin/jimage" ] && [ -e "$each/lib/modules" ]; then
            readlink -f "$each"
        fi
    done | awk '!seen[$0]++'
}

# jdk_version HOME: its feature number.
jdk_version() {
    "$1/bin/java" -version 2>&1 | sed -n '1s/[^"]*"\([0-9]*\).*/\1/p'
}

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ -x "$rewrite" ] || skip_all "rewrite_classes is not built"
[ -n "$(jdks)" ] || skip_all "no JDK found: set JAVA_HOME or put java on the PATH"
