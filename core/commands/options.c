/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/base/text.h"
#include "core/commands/commands.h"
#include "core/orders/orders.h"

void complain(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("ditto: ", stderr);
    ditto_print_text(stderr, text);
    fputc('\n', stderr);
}

/* How many letters have to be changed, added or left out to make one word of the other. */
static unsigned distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t length = strlen(b);
    unsigned row[LONGEST + 1];
    if (strlen(a) > LONGEST || length > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            unsigned add = row[j - 1] + 1, leave = row[j] + 1;
            row[j] = change < add ? change : add;
            if (leave < row[j])
                row[j] = leave;
        }
    }
    return row[length];
}

const char *closest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    unsigned least = (unsigned)strlen(word) / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        unsigned letters = distance(word, names[i]);
        if (letters <= least) {
            least = letters;
            best = names[i];
        }
    }
    return best;
}

static void unknown_option(const struct command *command, const char *option,
                           const struct option_slot *slots, size_t count)
{
    const char *names[16];
    size_t known = 0;
    for (size_t i = 0; i < count && known < sizeof names / sizeof *names; i++)
        names[known++] = slots[i].name;
    const char *hint = closest(option, names, known);
    if (hint)
        complain("%s: there is no option '%s'; did you mean '%s'?", command->name, option, hint);
    else
        complain("%s: there is no option '%s'; 'ditto help %s' lists those there are",
                 command->name, option, command->name);
}

static struct option_slot *find_slot(const char *argument, size_t length, struct option_slot *slots,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(slots[i].name) == length && strncmp(slots[i].name, argument, length) == 0)
            return &slots[i];
    return NULL;
}

/* A further value of an option that repeats.  The joined text is never freed. */
static const char *joined(const char *values, const char *value)
{
    return values ? ditto_format("%s\n%s", values, value) : value;
}

/* Takes the option at argv[*at], and moves *at to its last word.  False after a complaint. */
static bool take_option(const struct command *command, char **argv, int *at,
                        struct option_slot *slots, size_t count)
{
    const char *argument = argv[*at];
    size_t length = strcspn(argument, "=");
    struct option_slot *slot = find_slot(argument, length, slots, count);
    if (!slot) {
        unknown_option(command, argument, slots, count);
        return false;
    }
    slot->given = true;
    if (!slot->has_value) {
        if (argument[length])
            complain("%s: option '%s' takes no value; see 'ditto help %s'", command->name,
                     slot->name, command->name);
        return !argument[length];
    }
    const char *value = argument[length] ? argument + length + 1 : argv[++*at];
    if (!value) {
        complain("%s: option '%s' needs a value; see 'ditto help %s'", command->name, slot->name,
                 command->name);
        return false;
    }
    slot->value = slot->repeats ? joined(slot->value, value) : value;
    return true;
}

int parse_leading_options(const struct command *command, int argc, char **argv,
                          struct option_slot *slots, size_t count)
{
    int at = 1;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (strcmp(argv[at], "--") == 0)
            return at + 1;
        if (!take_option(command, argv, &at, slots, count))
            return -1;
    }
    return at;
}

const char *parse_options(const struct command *command, int argc, char **argv,
                          struct option_slot *slots, size_t count)
{
    const char *operand = NULL;
    bool options_over = false;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (!options_over && strcmp(argument, "--") == 0) {
            options_over = true;
            continue;
        }
        if (options_over || argument[0] != '-' || argument[1] == '\0') {
            if (operand) {
                complain("%s: one trace at a time, but there are '%s' and '%s'", command->name,
                         operand, argument);
                return NULL;
            }
            operand = argument;
            continue;
        }
        if (!take_option(command, argv, &i, slots, count))
            return NULL;
    }
    if (!operand)
        complain("%s: which trace? Say 'ditto %s TRACE'; 'ditto help %s' tells more", command->name,
                 command->name, command->name);
    return operand;
}

bool parse_number(const char *text, uint64_t *number)
{
    char *end;
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

struct ditto_reader *open_trace(const char *path)
{
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    DITTO_DEBUG(trace, 1, "open %s: %s", path, reader ? "good" : error.text);
    if (!reader)
        complain("%s", error.text);
    return reader;
}

const struct ditto_order *find_order(const struct ditto_reader *reader)
{
    struct ditto_error error;
    const struct ditto_order *order = ditto_trace_order(reader, &error);
    if (!order && !ditto_reader_info(reader)->damage)
        complain("%s", error.text);
    return order;
}
