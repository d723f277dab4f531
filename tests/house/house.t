#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rooms and modules know each other one way: by what they include and, in the build tree given, by what they call.
here=$(cd "$(dirname "$0")" && pwd)
build=$1
echo 1..2

# check NUMBER FORM ARGUMENT...: no arrow up, no circle, and something was looked at
check() {
    local number=$1 form=$2 found last
    shift 2
    if found=$(python3 "$here/check_rooms.py" "$@" 2>&1) && [[ $found =~ ^[1-9][0-9]*\ modules ]]; then
        echo "ok $number - $form: $found"
    else
        last=${found##*$'\n'}
        echo "not ok $number - $form: $last"
        echo "# ${found//$'\n'/$'\n'# }"
    fi
}

check 1 includes
check 2 symbols --symbols "$build"
