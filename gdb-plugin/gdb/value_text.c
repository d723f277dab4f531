/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/value_text.h"

#include <inttypes.h>
#include <string.h>

/* A string's beginning, in quotes. */
static void put_string(struct client *client, struct ditto_buf *out, uint64_t object)
{
    enum { SHOWN = 60 };
    uint8_t bytes[SHOWN + 1];
    size_t length =
        view_read(&client->view, TEXTS_BASE + (object << ELEMENTS_SHIFT), bytes, sizeof bytes);
    size_t text = strnlen((const char *)bytes, length);
    ditto_put_format(out, "\"");
    for (size_t i = 0; i < text && i < SHOWN; i++) {
        if (bytes[i] < 0x20 || bytes[i] == 0x7f || bytes[i] == '"' || bytes[i] == '\\')
            ditto_put_format(out, "\\%03o", bytes[i]);
        else
            ditto_buf_bytes(out, &bytes[i], 1);
    }
    ditto_put_format(out, text > SHOWN ? "...\"" : "\"");
}

static void put_object(struct client *client, struct ditto_buf *out, const char *descriptor,
                       uint64_t object)
{
    const char *class_name = object ? ditto_machine_class_of(client->machine, object) : NULL;
    char dotted[512];
    if (!object) {
        ditto_put_format(out, "null");
    } else if (class_name && strcmp(class_name, "java/lang/String") == 0) {
        put_string(client, out, object);
    } else if (class_name && class_name[0] != '[') {
        ditto_put_format(out, "(%s *) 0x%" PRIx64,
                         program_dotted(class_name, dotted, sizeof dotted),
                         view_reference(descriptor, object));
    } else {
        ditto_put_format(out, "0x%" PRIx64, view_reference(descriptor, object));
    }
}

void put_value(struct client *client, struct ditto_buf *out, const char *descriptor,
               const struct ditto_value *value)
{
    switch (*descriptor) {
    case 'Z':
        ditto_put_format(out, value->integer ? "true" : "false");
        break;
    case 'C':
        ditto_put_format(out, "%" PRId64, value->integer);
        if (value->integer >= 0x20 && value->integer < 0x7f)
            ditto_put_format(out, " '%c'", (char)value->integer);
        break;
    case 'F':
        ditto_put_format(out, "%.9g", (double)value->f);
        break;
    case 'D':
        ditto_put_format(out, "%.17g", value->d);
        break;
    case 'L':
    case '[':
        put_object(client, out, descriptor, value->object);
        break;
    default:
        ditto_put_format(out, "%" PRId64, value->integer);
    }
}

void put_location(struct client *client, struct ditto_buf *out,
                  const struct ditto_location *location)
{
    char dotted[512];
    const struct program_method *method =
        location->method ? program_method(client->program, location->method) : NULL;
    if (!location->method) {
        ditto_put_format(out, "an unknown place");
        return;
    }
    ditto_put_format(out, "%s.%s",
                     program_dotted(location->method->class_name, dotted, sizeof dotted),
                     location->method->name);
    unsigned line = method ? program_line(method, location->bci) : 0;
    if (line && method->owner->source) {
        const char *slash = strrchr(method->owner->source, '/');
        ditto_put_format(out, " (%s:%u)", slash ? slash + 1 : method->owner->source, line);
    }
}

void put_numbered(struct client *client, struct ditto_buf *out, uint64_t object)
{
    char dotted[512];
    const char *name = object ? ditto_machine_class_of(client->machine, object) : NULL;
    ditto_put_format(out, "%s@%" PRIu64,
                     program_dotted(name ? name : "object", dotted, sizeof dotted), object);
}

static void put_thread(struct client *client, struct ditto_buf *out, uint32_t replay_id)
{
    ditto_put_format(out, "thread %u \"%s\"", to_gdb(replay_id), thread_name(client, replay_id));
}

static void put_waiting(struct client *client, struct ditto_buf *out,
                        const struct ditto_thread_view *view)
{
    switch (view->waiting) {
    case DITTO_WAITS_FOR_MONITOR:
        ditto_put_format(out, "waits for the monitor of ");
        put_numbered(client, out, view->object);
        if (view->on != DITTO_NOBODY) {
            ditto_put_format(out, ", held by ");
            put_thread(client, out, view->on);
        }
        break;
    case DITTO_WAITS_FOR_NOTIFICATION:
        ditto_put_format(out, "waits to be notified by ");
        put_numbered(client, out, view->object);
        break;
    case DITTO_WAITS_FOR_END:
        ditto_put_format(out, "waits for the end of ");
        put_thread(client, out, view->on);
        break;
    case DITTO_WAITS_FOR_ELSE:
        ditto_put_format(out, "waits for %s", view->what);
        break;
    case DITTO_IS_AT_END:
        ditto_put_format(out, "at the end of its trace");
        break;
    }
}

void put_doing(struct client *client, struct ditto_buf *out, const struct ditto_thread_view *given)
{
    const struct ditto_thread_view view = *given; /* names may ask for the threads again */
    if (view.life == DITTO_BLOCKED)
        put_waiting(client, out, &view);
    else
        ditto_put_format(out, view.life == DITTO_NOT_STARTED ? "not started yet"
                              : view.life == DITTO_OVER      ? "ended"
                                                             : "running");
}
