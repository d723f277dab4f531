/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/monitor.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/gdb/freeruns.h"
#include "gdb-plugin/gdb/jit.h"
#include "gdb-plugin/gdb/member_names.h"
#include "gdb-plugin/gdb/value_text.h"
#include "gdb-plugin/gdb/write_list.h"
#include "gdb-plugin/program/bytecode_text.h"

enum { WORDS = 8 };

struct line {
    char *words[WORDS + 1]; /* without the command's; NULL behind the last */
    size_t count;
};

static bool parse(const char *text, uint64_t *number)
{
    char *end;
    if (!text || !isdigit((unsigned char)*text))
        return false;
    *number = strtoull(text, &end, 0);
    return *end == '\0';
}

/* ---------------------------------------------------------------------- where we are */

static bool position_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    struct ditto_position position;
    (void)line;
    ditto_machine_position(client->machine, &position);
    ditto_put_format(out, "clock %" PRIu64 " of %" PRIu64 ", thread %u \"%s\", event %" PRIu64,
                     position.clock, ditto_machine_last_clock(client->machine),
                     to_gdb(position.thread), thread_name(client, position.thread), position.turn);
    /* Between two events, at a breakpoint, bytecodes were not counted. */
    if (position.step != DITTO_STEP_UNKNOWN)
        ditto_put_format(out, ", bytecode %" PRIu64 " after it", position.step);
    ditto_put_format(out, "\n");
    return true;
}

static bool clock_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    struct ditto_position position;
    (void)line;
    ditto_machine_position(client->machine, &position);
    ditto_put_format(out, "%" PRIu64 "\n", position.clock);
    return true;
}

static bool info_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views);
    size_t classes = 0;
    for (size_t i = 0; i < client->program->class_count; i++)
        classes += !client->program->classes[i]->built_in;
    ditto_put_format(out, "trace %s: %zu threads, %zu classes\nat ", client->trace, count, classes);
    position_command(client, line, out);
    for (size_t i = 0; i < count; i++) {
        const struct ditto_location *frames;
        ditto_put_format(out, "  thread %u \"%s\": ", to_gdb(views[i].replay_id),
                         views[i].name ? views[i].name : "?");
        put_doing(client, out, &views[i]);
        size_t depth = ditto_machine_frames(client->machine, views[i].replay_id, &frames);
        if (depth) {
            ditto_put_format(out, ", in ");
            put_location(client, out, &frames[0]);
        }
        ditto_put_format(out, "\n");
    }
    for (size_t i = 0; i < client->program->complaint_count; i++)
        ditto_put_format(out, "  %s\n", client->program->complaints[i]);
    return true;
}

static void put_held(struct client *client, uint32_t thread, struct ditto_buf *out)
{
    const uint64_t *objects;
    size_t count = ditto_machine_held(client->machine, thread, &objects);
    for (size_t i = 0; i < count; i++) {
        ditto_put_format(out, i == 0 ? "; holds the monitor of " : i + 1 == count ? " and " : ", ");
        put_numbered(client, out, objects[i]);
    }
}

static bool waits_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    (void)line;
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views), waiting = 0;
    for (size_t i = 0; i < count; i++) {
        if (views[i].life != DITTO_BLOCKED)
            continue;
        waiting++;
        ditto_put_format(out, "thread %u \"%s\" ", to_gdb(views[i].replay_id),
                         views[i].name ? views[i].name : "?");
        put_doing(client, out, &views[i]);
        put_held(client, views[i].replay_id, out);
        ditto_put_format(out, "\n");
    }
    if (!waiting)
        ditto_put_format(out, "No thread waits here.\n");
    return true;
}

/* ---------------------------------------------------------------------------- going */

static bool goto_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    uint64_t clock, last = ditto_machine_last_clock(client->machine);
    const char *where = line->words[0];
    if (where && strcmp(where, "begin") == 0) {
        client->jump = JUMP_BEGIN;
    } else if (where && strcmp(where, "end") == 0) {
        client->jump = JUMP_END;
    } else if (!parse(where, &clock)) {
        ditto_put_format(
            out, "Where to? goto CLOCK, goto begin or goto end; the last clock is %" PRIu64 ".\n",
            last);
        return false;
    } else if (clock > last) {
        ditto_put_format(
            out, "There is no clock %" PRIu64 " in this trace; the last one is %" PRIu64 ".\n",
            clock, last);
        return false;
    } else {
        client->jump = JUMP_CLOCK;
        client->jump_clock = clock;
    }
    ditto_put_format(out, "The next `continue` goes there.\n");
    return true;
}

/* --------------------------------------------------------------------------- writes */

/* "CLASS.FIELD" as a watch of all its objects, or the static. */
static bool parse_field(struct client *client, const char *text, struct ditto_watch *watch,
                        struct ditto_buf *out)
{
    const char *field_name;
    bool is_static;
    const struct program_class *class =
        member_class(client, text, "field", "Account.balance", &field_name, out);
    const struct program_field *field = class ? program_field(class, field_name, &is_static) : NULL;
    if (class && !field)
        put_no_member(class, "field", field_name, out);
    if (!field)
        return false;
    *watch = (struct ditto_watch){.kind = DITTO_WATCH_WRITE,
                                  .class_name = field->owner->name,
                                  .field = field->name,
                                  .descriptor = field->descriptor};
    return true;
}

/* "[N] [of ADDRESS]" */
static bool parse_which(struct client *client, struct line *line, struct ditto_watch *watch,
                        struct ditto_buf *out)
{
    size_t at = 1;
    uint64_t address;
    if (at < line->count && strcmp(line->words[at], "of") != 0) {
        if (!parse(line->words[at], &watch->nth) || watch->nth == 0) {
            ditto_put_format(out, "'%s' is no number of a write; they are counted from 1.\n",
                             line->words[at]);
            return false;
        }
        at++;
    }
    if (at == line->count)
        return true;
    if (strcmp(line->words[at], "of") != 0 || at + 2 != line->count ||
        !parse(line->words[at + 1], &address)) {
        ditto_put_format(out,
                         "After CLASS.FIELD come a number, or `of` and an object's address, or "
                         "both.\n");
        return false;
    }
    watch->object = view_object(address);
    if (!watch->object || !ditto_machine_class_of(client->machine, watch->object)) {
        ditto_put_format(out, "0x%" PRIx64 " is no object's address here.\n", address);
        return false;
    }
    return true;
}

static void list_requests(const struct client *client, struct ditto_buf *out)
{
    if (!client->request_count)
        ditto_put_format(out, "No writes are waited for.\n");
    for (size_t i = 0; i < client->request_count; i++) {
        const struct write_request *request = &client->requests[i];
        ditto_put_format(out, "%u: ", request->number);
        if (request->watch.nth)
            ditto_put_format(out, "write %" PRIu64 " of %s\n", request->watch.nth, request->text);
        else
            ditto_put_format(out, "each write of %s\n", request->text);
    }
}

static bool delete_request(struct client *client, struct line *line, struct ditto_buf *out)
{
    uint64_t number = 0;
    bool all = line->count == 1;
    if (!all && !parse(line->words[1], &number)) {
        ditto_put_format(out, "'%s' is no number; `break-write` lists them.\n", line->words[1]);
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < client->request_count; i++) {
        if (all || client->requests[i].number == number)
            free(client->requests[i].text);
        else
            client->requests[kept++] = client->requests[i];
    }
    bool found = all || kept < client->request_count;
    client->request_count = kept;
    if (!found)
        ditto_put_format(out, "There is no number %" PRIu64 "; `break-write` lists them.\n",
                         number);
    return found;
}

static bool break_write_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    enum { MOST = 1000 };
    struct write_request request = {0};
    if (line->count == 0) {
        list_requests(client, out);
        return true;
    }
    if (strcmp(line->words[0], "delete") == 0)
        return delete_request(client, line, out);
    if (!parse_field(client, line->words[0], &request.watch, out) ||
        !parse_which(client, line, &request.watch, out))
        return false;
    if (client->request_count == MOST) {
        ditto_put_format(out, "That is enough; `break-write delete` forgets them.\n");
        return false;
    }
    request.number = ++client->last_request;
    request.text = ditto_copy_text(line->words[0], "a request");
    DITTO_PUSH(client->requests, client->request_count, client->request_room, request);
    list_requests(&(struct client){.requests = &request, .request_count = 1}, out);
    return true;
}

static bool writes_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    struct ditto_watch watch;
    return parse_field(client, line->words[0], &watch, out) &&
           parse_which(client, line, &watch, out) &&
           listing_begin(client, &watch, line->words[0], out);
}

static bool more_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    (void)line;
    return listing_more(client, out);
}

static bool stop_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    (void)line, (void)out;
    listing_end(client);
    return true;
}

/* ------------------------------------------------------------------------- the rest */

static bool freeruns_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    uint64_t thread = 0;
    struct ditto_error error;
    if (line->count && (!parse(line->words[0], &thread) || thread == 0)) {
        ditto_put_format(out, "'%s' is no thread; `info threads` lists them.\n", line->words[0]);
        return false;
    }
    if (freeruns_print(client->trace, (int64_t)thread - 1, out, &error))
        return true;
    ditto_put_format(out, "%s\n", error.text);
    return false;
}

static bool class_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    uint64_t address;
    char dotted[512];
    const char *name = NULL;
    if (parse(line->words[0], &address) && view_object(address))
        name = ditto_machine_class_of(client->machine, view_object(address));
    if (!name) {
        ditto_put_format(out, "%s is no object's address here.\n",
                         line->words[0] ? line->words[0] : "Nothing");
        return false;
    }
    ditto_put_format(out, "%s\n", program_dotted(name, dotted, sizeof dotted));
    return true;
}

static bool jit_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    bool intel = line->count == 2 && strcmp(line->words[1], "intel") == 0;
    if (line->count > 1 && !intel) {
        ditto_put_format(out, "After the method comes nothing but `intel`, for that syntax.\n");
        return false;
    }
    return jit_print(client, line->words[0], intel, out);
}

static bool sources_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    (void)line;
    const char *const *paths;
    size_t count = ditto_machine_source_paths(client->machine, &paths);
    for (size_t i = 0; i < count; i++)
        ditto_put_format(out, "%s\n", paths[i]);
    return true;
}

static void put_members(const struct program_class *class, bool methods, struct ditto_buf *out)
{
    for (size_t i = 0; !methods && i < class->field_count; i++)
        ditto_put_format(out, " %s", class->fields[i].name);
    for (size_t i = 0; !methods && i < class->static_count; i++)
        ditto_put_format(out, " %s", class->statics[i].name);
    for (size_t i = 0; methods && i < class->method_count; i++)
        if (class->methods[i].size)
            ditto_put_format(out, " %s", class->methods[i].name);
}

static bool classes_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    char dotted[512];
    bool methods = line->count == 1 && strcmp(line->words[0], "methods") == 0;
    if (line->count && !methods) {
        ditto_put_format(out, "classes, or classes methods?\n");
        return false;
    }
    for (size_t i = 0; i < client->program->class_count; i++) {
        const struct program_class *class = client->program->classes[i];
        if (class->built_in)
            continue;
        ditto_put_format(out, "%s", program_dotted(class->name, dotted, sizeof dotted));
        put_members(class, methods, out);
        ditto_put_format(out, "\n");
    }
    return true;
}

/* Every instruction of the method at an address: where, how long, what. */
static bool bytecode_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    uint64_t address;
    int32_t bci;
    const struct program_method *method =
        parse(line->words[0], &address) ? program_method_at(client->program, address, &bci) : NULL;
    if (!method) {
        ditto_put_format(out, "%s is in no method.\n", line->words[0] ? line->words[0] : "Nothing");
        return false;
    }
    for (bci = -1; bci < (int32_t)method->size;) {
        struct ditto_buf text = {0};
        unsigned size = bytecodes_put(method, bci, &text);
        ditto_put_format(out, "%" PRIx64 " %u %.*s\n", method->base + 1 + (uint64_t)(int64_t)bci,
                         size, (int)text.size, (const char *)text.data);
        ditto_buf_free(&text);
        bci += (int32_t)size;
    }
    return true;
}

static bool switch_on_off(struct line *line, const char *name, bool *what, struct ditto_buf *out)
{
    const char *word = line->words[0] ? line->words[0] : "";
    if (strcmp(word, "on") != 0 && strcmp(word, "off") != 0) {
        ditto_put_format(out, "%s on, or %s off?\n", name, name);
        return false;
    }
    *what = strcmp(word, "on") == 0;
    return true;
}

static bool progress_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    return switch_on_off(line, "progress", &client->progress, out);
}

static bool pieces_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    return switch_on_off(line, "pieces", &client->pieces, out);
}

static bool help_command(struct client *client, struct line *line, struct ditto_buf *out);

static const struct {
    const char *name, *arguments, *help;
    bool (*run)(struct client *client, struct line *line, struct ditto_buf *out);
} commands[] = {
    {"goto", "CLOCK|begin|end", "the next `continue` goes there", goto_command},
    {"break-write", "[CLASS.FIELD [N] [of ADDRESS]]",
     "stops at the Nth write, or at each; alone, lists them; `break-write delete [NUMBER]`",
     break_write_command},
    {"writes", "CLASS.FIELD [of ADDRESS]", "every write of the run", writes_command},
    {"freeruns", "[THREAD]", "free runs, and the constraint that ends each", freeruns_command},
    {"waits", "", "who waits for what", waits_command},
    {"info", "", "the trace, the position, the threads", info_command},
    {"position", "", "where we are in time", position_command},
    {"clock", "", "the clock alone; also $clock", clock_command},
    {"class", "ADDRESS", "the class of an object", class_command},
    {"classes", "[methods]", "classes of the trace, with their fields or methods", classes_command},
    {"bytecode", "ADDRESS", "the instructions of a method", bytecode_command},
    {"jit", "CLASS.METHOD|ADDRESS [intel]", "the machine code of a method in the replay JVM",
     jit_command},
    {"sources", "", "where sources may be", sources_command},
    {"progress", "on|off", "whether long commands tell how far they are", progress_command},
    {"pieces", "on|off", "whether `writes` answers within half a second, if only how far it is",
     pieces_command},
    {"more", "", "goes on with `writes` then", more_command},
    {"stop", "", "or gives it up", stop_command},
    {"help", "", "this", help_command},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static bool help_command(struct client *client, struct line *line, struct ditto_buf *out)
{
    (void)client, (void)line;
    for (size_t i = 0; i < COMMANDS; i++) {
        char call[80];
        snprintf(call, sizeof call, "%s %s", commands[i].name, commands[i].arguments);
        ditto_put_format(out, "monitor %-44s %s\n", call, commands[i].help);
    }
    return true;
}

bool monitor_command(struct client *client, char *text, struct ditto_buf *out)
{
    struct line line = {0};
    char *rest = NULL, *name = strtok_r(text, " \t\n", &rest), *word;
    if (!name)
        return help_command(client, &line, out);
    while (line.count < WORDS && (word = strtok_r(NULL, " \t\n", &rest)))
        line.words[line.count++] = word;
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(client, &line, out);
    ditto_put_format(out, "There is no command '%s'; `monitor help` lists those there are.\n",
                     name);
    return false;
}
