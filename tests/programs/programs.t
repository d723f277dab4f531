#!/bin/bash
# SPDX-License-Identifier: MIT
# The real programs that are fast enough to be tried each time; tests/programs/run tries them all, and measures.
# DITTO_PROGRAMS names others, DITTO_PROGRAM_REPLAYS says how often.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../jvm/jdk.sh"
times=${DITTO_PROGRAM_REPLAYS:-1}

for home in $(jdks); do
    for program in ${DITTO_PROGRAMS:-javac jar disruptor httpserver}; do
        JAVA_HOME=$home DITTO=$ditto DITTO_ROUNDS=1 DITTO_REPLAYS=$times DITTO_VERIFIED=$times \
            "$here/run" "$program" >"$work/table" 2>&1
        ok $? "JDK $(jdk_version "$home"): $program: recorded, and replayed $times times, and $times with --verify"
        sed 's/^/# /' "$work/table"
    done
done
echo "1..$count"
