/* SPDX-License-Identifier: MIT */
/* The stub over the fake machine, called as `ditto stub` is. */
#include <stdio.h>
#include <string.h>

#include "gdb-plugin/gdb/stub.h"

int main(int argc, char **argv)
{
    struct stub_options options = {0};
    const char *trace = NULL;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (i == 1 && strcmp(argv[i], "stub") == 0)
            continue;
        if (strcmp(argv[i], "--listen") == 0 && more)
            options.listen = argv[++i];
        else if (strcmp(argv[i], "--symbols") == 0 && more)
            options.symbols = argv[++i];
        else if (strcmp(argv[i], "--with-parent") == 0)
            options.with_parent = true;
        else
            trace = argv[i];
    }
    if (!trace) {
        fputs("which trace?\n", stderr);
        return 2;
    }
    return ditto_stub(trace, &options);
}
