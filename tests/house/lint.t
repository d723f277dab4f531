#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How the sources look, as far as tools can tell: clang-format (14, .clang-format) for C, shellcheck (.shellcheckrc) for
# shell scripts, pyflakes for Python. None of them may have anything to say.
cd "$(dirname "$0")/../.." || exit 1
folders=(.ci core examples gdb-plugin jvm-bridge tests trace)
echo 1..3

# lint NUMBER NAME TOOL...: the tool, given the files of the standard input, says nothing and has nothing against them
lint() {
    local number=$1 name=$2 said files
    shift 2
    mapfile -t files
    if ! command -v "$1" >/dev/null; then
        echo "not ok $number - $name: $1 is not installed"
    elif [ ${#files[@]} -gt 0 ] && said=$("$@" "${files[@]}" 2>&1) && [ -z "$said" ]; then
        echo "ok $number - $name: ${#files[@]} files"
    else
        echo "not ok $number - $name: ${#files[@]} files"
        echo "# ${said//$'\n'/$'\n'# }"
    fi
}

# Those that say so in their first line, and those that are sourced.
scripts() {
    find "${folders[@]}" -type f -exec awk '/^#!.*sh$/ || FILENAME ~ /\.sh$/ { print FILENAME } { nextfile }' {} +
}

lint 1 "format of C" clang-format --dry-run -Werror < <(find "${folders[@]}" -name '*.[ch]' | sort)
lint 2 "shell scripts" shellcheck < <(scripts | sort)
lint 3 "Python" pyflakes3 < <(find "${folders[@]}" -name '*.py' | sort)
