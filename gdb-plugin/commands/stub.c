/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/stub.h"

#include "core/commands/commands.h"

static int run(const struct command *self, int argc, char **argv)
{
    enum { LISTEN, SYMBOLS, WITH_PARENT, JAVA, SPARES, SPARE_MEMORY, OPTIONS };
    struct option_slot slots[OPTIONS] = {
        [LISTEN] = {.name = "--listen", .has_value = true},
        [SYMBOLS] = {.name = "--symbols", .has_value = true},
        [WITH_PARENT] = {.name = "--with-parent"},
        [JAVA] = {.name = "--java", .has_value = true},
        [SPARES] = {.name = "--spares", .has_value = true},
        [SPARE_MEMORY] = {.name = "--spare-memory", .has_value = true},
    };
    uint64_t spares = 0, megabytes = 0;
    const char *trace = parse_options(self, argc, argv, slots, OPTIONS);
    if (!trace)
        return EXIT_TROUBLE;
    if ((slots[SPARES].given && (!parse_number(slots[SPARES].value, &spares) || spares > 1000)) ||
        (slots[SPARE_MEMORY].given &&
         (!parse_number(slots[SPARE_MEMORY].value, &megabytes) || megabytes > UINT64_MAX >> 20))) {
        complain("%s: --spares takes a number up to 1000, --spare-memory one of megabytes",
                 self->name);
        return EXIT_TROUBLE;
    }
    struct stub_options options = {
        .listen = slots[LISTEN].value,
        .symbols = slots[SYMBOLS].value,
        .with_parent = slots[WITH_PARENT].given,
        .java = slots[JAVA].value,
        .spares = (unsigned)spares,
        .spare_bytes = megabytes << 20,
    };
    return ditto_stub(trace, &options);
}

const struct command stub_command = {
    .name = "stub",
    .summary = "[OPTION]... TRACE  serves a recorded run to gdb or an IDE",
    .manual =
        "ditto stub [--listen PATH|HOST:PORT] [OPTION]... TRACE\n"
        "\n"
        "Speaks gdb's remote protocol for a recorded run, with one gdb, until it goes. 'ditto "
        "gdb'\n"
        "and gdb's 'target ditto' call this; by hand, in a gdb without the plugin or in an IDE:\n"
        "\n"
        "    target extended-remote | ditto stub trace.dt\n"
        "\n"
        "    --listen PATH        on a unix socket; its directory must be its owner's alone\n"
        "    --listen HOST:PORT   on a TCP port of this machine; others are refused\n"
        "    --symbols FILE       writes the program's symbols to FILE, too\n"
        "    --with-parent        ends when the process that started it does\n"
        "    --java PATH          as for 'ditto replay'\n"
        "    --spares N           keeps at most N replay JVMs along the way\n"
        "    --spare-memory MB    and at most so much memory for all of them\n"
        "\n"
        "Symbols come through the connection. 'monitor help' lists what Ditto adds to gdb. A\n"
        "replay may take its time to begin: 'set remotetimeout 60' before connecting helps.\n"
        "\n"
        "Exit status: 0, or 2 if there is nothing to serve.\n",
    .run = run,
};
