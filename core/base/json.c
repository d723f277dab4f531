/* SPDX-License-Identifier: MIT */
#include "core/base/json.h"

#include <assert.h>
#include <inttypes.h>

#include "core/base/text.h"

static void begin_line(const struct ditto_json *json)
{
    static const char line[1 + 2 * DITTO_JSON_DEPTH + 1] = "\n                                ";
    fwrite(line, 1, 1 + 2 * json->indent, json->out);
}

/* How much of the text is what most of it is: letters that mean themselves. */
static size_t plain_length(const char *text)
{
    size_t length = 0;
    for (unsigned char next; (next = (unsigned char)text[length]) != 0; length++)
        if (next < 0x20 || next >= 0x7f || next == '"' || next == '\\')
            break;
    return length;
}

static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *at = text; *at;) {
        size_t length = plain_length(at);
        unsigned char first = (unsigned char)*at;
        if (length == 0 && first >= 0x80)
            length = ditto_utf8_length(at);
        if (length)
            fwrite(at, 1, length, out);
        else if (first >= 0x80)
            fputs("\\ufffd", out);
        else if (first == '"' || first == '\\')
            fprintf(out, "\\%c", first);
        else
            fprintf(out, "\\u%04x", first);
        at += length ? length : 1;
    }
    fputc('"', out);
}

/* What stands before a value: the separator, the line, the name. */
static void begin_member(struct ditto_json *json, const char *name)
{
    if (json->depth > 0) {
        bool separated = json->open[json->depth - 1].has_members;
        bool has_line = json->open[json->depth - 1].layout == DITTO_JSON_LINES || json->folds;
        if (separated)
            fputs(has_line ? "," : ", ", json->out);
        if (has_line)
            begin_line(json);
        json->open[json->depth - 1].has_members = true;
        json->folds = false;
    }
    if (name) {
        put_string(json->out, name);
        fputs(": ", json->out);
    }
}

static void open_bracket(struct ditto_json *json, const char *name, bool is_array,
                         enum ditto_json_layout layout)
{
    begin_member(json, name);
    assert(json->depth < DITTO_JSON_DEPTH);
    json->open[json->depth].layout = layout;
    json->open[json->depth].is_array = is_array;
    json->open[json->depth].has_members = false;
    json->depth++;
    json->indent += layout != DITTO_JSON_INLINE;
    fputc(is_array ? '[' : '{', json->out);
}

void ditto_json_object(struct ditto_json *json, const char *name, enum ditto_json_layout layout)
{
    open_bracket(json, name, false, layout);
}

void ditto_json_array(struct ditto_json *json, const char *name, enum ditto_json_layout layout)
{
    open_bracket(json, name, true, layout);
}

void ditto_json_end(struct ditto_json *json)
{
    assert(json->depth > 0);
    json->depth--;
    json->indent -= json->open[json->depth].layout != DITTO_JSON_INLINE;
    if (json->open[json->depth].layout == DITTO_JSON_LINES)
        begin_line(json);
    fputc(json->open[json->depth].is_array ? ']' : '}', json->out);
    if (json->depth == 0)
        fputc('\n', json->out);
}

void ditto_json_fold(struct ditto_json *json)
{
    assert(json->depth > 0 && json->open[json->depth - 1].layout == DITTO_JSON_FOLDED);
    json->folds = true;
}

void ditto_json_number(struct ditto_json *json, const char *name, uint64_t value)
{
    begin_member(json, name);
    fprintf(json->out, "%" PRIu64, value);
}

void ditto_json_bool(struct ditto_json *json, const char *name, bool value)
{
    begin_member(json, name);
    fputs(value ? "true" : "false", json->out);
}

void ditto_json_string(struct ditto_json *json, const char *name, const char *value)
{
    begin_member(json, name);
    put_string(json->out, value);
}

void ditto_json_hex(struct ditto_json *json, const char *name, const uint8_t *bytes, size_t size)
{
    begin_member(json, name);
    fputc('"', json->out);
    for (size_t i = 0; i < size; i++)
        fprintf(json->out, "%02x", bytes[i]);
    fputc('"', json->out);
}
