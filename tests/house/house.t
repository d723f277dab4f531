#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Rooms and modules know each other one way: by what they include and, in the build tree given, by what they call.
here=$(cd "$(dirname "$0")" && pwd)
build=$1
echo 1..2

# check NUMBER FORM ARGUMENT...: no more arrows up and circles than the file `open` has of this form
check() {
    local number=$1 form=$2 found last arrows circles may_arrows may_circles
    shift 2
    found=$(python3 "$here/check_rooms.py" "$@" 2>&1)
    last=${found##*$'\n'}
    read -r may_arrows may_circles < <(sed -n "s/^$form //p" "$here/open")
    if read -r arrows circles < <(sed -nE 's/^[0-9]+ modules, ([0-9]+) arrows up, ([0-9]+) circles$/\1 \2/p' <<<"$last") &&
        [ "$arrows" -le "$may_arrows" ] && [ "$circles" -le "$may_circles" ]; then
        echo "ok $number - $form: $last"
    else
        echo "not ok $number - $form: $last"
        echo "# may be: $may_arrows arrows up, $may_circles circles"
        echo "# ${found//$'\n'/$'\n'# }"
    fi
}

check 1 includes
check 2 symbols --symbols "$build"
