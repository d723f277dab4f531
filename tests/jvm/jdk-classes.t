#!/bin/bash
# SPDX-License-Identifier: MIT
# Rewrites the classes of large JDK modules in several ways and lets the JVM verify every one of them. The JVM
# that does so has itself booted from the rewritten java.base.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/jdk.sh"
modules="java.base java.xml java.desktop java.compiler"

# verify MODE NAMES: links every class with the rewritten modules in place
verify() {
    local module patches=()
    for module in $modules; do
        patches+=(--patch-module "$module=$([ "$module" = java.base ] && echo "$dir/stubs:")$dir/$1/$module")
    done
    "$home/bin/java" -Xverify:all -XX:TieredStopAtLevel=1 -XX:+UseSerialGC "${patches[@]}" -cp "$dir/tool" \
        VerifyAll "$2" >"$dir/$1.verified" 2>&1
    local status=$?
    grep '^#' "$dir/$1.verified" | head -20
    return $status
}

for home in $(jdks); do
    version=$(jdk_version "$home")
    dir=$work/$version
    mkdir -p "$dir"
    "$home/bin/jimage" extract --dir="$dir/in" --include "regex:/(${modules// /|})/.*\.class" \
        "$home/lib/modules"
    (cd "$dir/in" && find . -name '*.class' ! -name module-info.class) |
        sed -e 's,^\./[^/]*/,,' -e 's,/,.,g' -e 's/\.class$//' | sort >"$dir/names"
    "$home/bin/javac" -d "$dir/stubs" --patch-module java.base="$here/stubs" "$here/stubs/java/lang/DittoHooks.java" &&
        "$home/bin/javac" -d "$dir/tool" "$here/java/VerifyAll.java"
    ok $? "JDK $version: $(wc -l <"$dir/names") classes to verify"

    "$rewrite" check "$dir/in" "$dir/none" 2>"$dir/check.left" | sed 's/^/# /'
    ok "${PIPESTATUS[0]}" "JDK $version: the type analysis agrees with every stack map, both ways"

    for mode in identity relocate instrument; do
        "$rewrite" $mode "$dir/in" "$dir/$mode" 2>"$dir/$mode.left" | sed 's/^/# /'
        ok "${PIPESTATUS[0]}" "JDK $version: $mode rewrites them"
        verify $mode "$dir/names"
        ok $? "JDK $version: the verifier has no complaint after $mode"
    done

    # With hooks that see values, and around calls of Unsafe, VarHandle and StringBuilder; and with all methods ignored:
    # in two packages, as the JVM needs some of java.lang as it is.
    grep -e '^java\.util\.' -e '^java\.text\.' "$dir/names" >"$dir/some"
    for mode in values ignore; do
        for package in java/util java/text; do
            "$rewrite" $mode "$dir/in/java.base/$package" "$dir/$mode/java.base/$package" 2>"$dir/$mode.left" | sed 's/^/# /'
            ok "${PIPESTATUS[0]}" "JDK $version: $mode rewrites $package"
        done
        verify $mode "$dir/some"
        ok $? "JDK $version: the verifier has no complaint after $mode"
    done

    # Methods of more than 32 KB, so that jumps take their wide forms; a package is enough, it takes much space.
    package=java/util/concurrent
    "$rewrite" stretch "$dir/in/java.base/$package" "$dir/stretch/java.base/$package" | sed 's/^/# /'
    ok "${PIPESTATUS[0]}" "JDK $version: stretch rewrites $package"
    verify stretch "$dir/some"
    ok $? "JDK $version: the verifier has no complaint after stretch"

    # The verifier must be able to complain, or all of this shows nothing.
    package=javax/xml/parsers
    "$rewrite" spoil "$dir/in/java.xml/$package" "$dir/spoil/java.xml/$package" >"$dir/spoil.summary"
    grep '^javax\.xml\.' "$dir/names" >"$dir/few"
    ! verify spoil "$dir/few" >"$dir/spoil.text"
    ok $? "JDK $version: the verifier refuses what was spoiled on purpose"
    grep -q VerifyError "$dir/spoil.text"
    ok $? "JDK $version: and says so"
    rm -rf "$dir"
done
echo "1..$count"
