#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The quick events of the order `ditto` in three texts, slow C, quick C and Java, on the same bytes.
# quick.t QUICK_TEST
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
quick_test=$1
java_home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/source/java/lang"
cp "$here"/java/lang/*.java "$here/../../jvm-bridge/hooks/java/lang/DittoQuickFields.java" "$work/source/java/lang"
"$java_home/bin/javac" -nowarn -Xlint:-options -XDstringConcat=inline -source 17 -target 17 \
    --patch-module "java.base=$work/source" -d "$work/classes" "$work"/source/java/lang/*.java

number=0
failed=0
for mode in full program-order replay; do
    "$quick_test" plan "$mode" "$work/plan"
    "$java_home/bin/java" --patch-module "java.base=$work/classes" -m java.base/java.lang.QuickCases \
        "$work/plan" "$work/answers"
    "$quick_test" compare "$mode" "$work/answers" >"$work/results" || failed=1
    # Three programs that count from 1 become one.
    while IFS= read -r line; do
        case $line in
        "ok "* | "not ok "*)
            number=$((number + 1))
            echo "${line%%ok *}ok $number ${line#*ok * }"
            ;;
        1..*) ;;
        *) echo "$line" ;;
        esac
    done <"$work/results"
done
echo "1..$number"
exit $failed
