#!/bin/bash
# SPDX-License-Identifier: MIT
# The real programs that are fast enough to be tried each time; tests/programs/run tries them all, and measures.
# DITTO_PROGRAMS names others.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../jvm/jdk.sh"
ditto=$(readlink -f "${2:-$here/../../build/bin/ditto}")
half=$(((${DITTO_REPLAYS:-4} + 1) / 2))

for home in $(jdks); do
    for program in ${DITTO_PROGRAMS:-javac jar}; do
        JAVA_HOME=$home DITTO=$ditto DITTO_ROUNDS=1 DITTO_REPLAYS=$half DITTO_VERIFIED=$half \
            "$here/run" "$program" >"$work/table" 2>&1
        ok $? "JDK $(jdk_version "$home"): $program: recorded, and replayed $half times, and $half with --verify"
        sed 's/^/# /' "$work/table"
    done
done
echo "1..$count"
