/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/member_names.h"

#include <stdio.h>
#include <string.h>

static void put_choices(const struct program *program, const char *name, struct ditto_buf *out)
{
    size_t count;
    char dotted[512];
    for (size_t i = 0; i < program->class_count; i++) {
        const struct program_class *class = program->classes[i];
        if (!program_user_means(program, class, name))
            continue;
        const char *full = program_dotted(class->name, dotted, sizeof dotted);
        if (program_class_by_user(program, full, &count) == class)
            ditto_put_format(out, " %s", full);
    }
}

const struct program_class *member_class(struct client *client, const char *text, const char *kind,
                                         const char *example, const char **member,
                                         struct ditto_buf *out)
{
    char class_name[512];
    const char *dot = text ? strrchr(text, '.') : NULL, *colons = NULL;
    for (const char *at = text ? strstr(text, "::") : NULL; at; at = strstr(at + 2, "::"))
        colons = at;
    const char *split = colons && (!dot || colons > dot) ? colons : dot;
    if (!split || split == text || strlen(text) >= sizeof class_name) {
        ditto_put_format(out, "Which %s? Say CLASS.%s, for example %s.\n", kind,
                         strcmp(kind, "field") == 0 ? "FIELD" : "METHOD", example);
        return NULL;
    }
    snprintf(class_name, sizeof class_name, "%.*s", (int)(split - text), text);
    *member = split + (split == colons ? 2 : 1);
    size_t count;
    const struct program_class *class = program_class_by_user(client->program, class_name, &count);
    if (count > 1) {
        ditto_put_format(out, "%s may be one of", class_name);
        put_choices(client->program, class_name, out);
        ditto_put_format(out, "; say which.\n");
        return NULL;
    }
    if (!class)
        ditto_put_format(out,
                         "There is no class %s in this trace; `info types %s` looks for others.\n",
                         class_name, class_name);
    return class;
}

void put_no_member(const struct program_class *class, const char *kind, const char *member,
                   struct ditto_buf *out)
{
    char dotted[512];
    ditto_put_format(out, "Class %s has no %s %s; `ptype ",
                     program_dotted(class->name, dotted, sizeof dotted), kind, member);
    /* gdb takes names of types in C++'s spelling alone. */
    for (const char *at = class->name; *at; at++)
        if (*at == '/')
            ditto_put_format(out, "::");
        else
            ditto_put_format(out, "%c", *at);
    ditto_put_format(out, "` lists those it has.\n");
}
