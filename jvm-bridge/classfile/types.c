/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/types.h"

#include <string.h>

void ditto_names_init(struct ditto_names *names, const struct ditto_cf *cf,
                      struct ditto_arena *arena)
{
    *names = (struct ditto_names){.cf = cf, .arena = arena, .numbers = {.arena = arena}};
    names->of_constant = DITTO_NEW_ARRAY(arena, uint32_t, cf->pool_count);
}

ditto_type ditto_names_type(struct ditto_names *names, struct ditto_cf_text name)
{
    uintptr_t next = (uintptr_t)names->count + 1;
    uintptr_t number =
        (uintptr_t)ditto_map_add(&names->numbers, name.data, name.size, (void *)next);
    if (number == next) {
        if (names->count == names->capacity) {
            uint32_t capacity = names->capacity ? names->capacity * 2 : 32;
            struct ditto_cf_text *texts =
                DITTO_NEW_ARRAY(names->arena, struct ditto_cf_text, capacity);
            if (names->count)
                memcpy(texts, names->texts, names->count * sizeof *texts);
            names->texts = texts;
            names->capacity = capacity;
        }
        names->texts[names->count++] = name;
    }
    return DITTO_TYPE(DITTO_TYPE_CLASS, number - 1);
}

ditto_type ditto_names_literal(struct ditto_names *names, const char *name)
{
    return ditto_names_type(names, (struct ditto_cf_text){name, (uint32_t)strlen(name)});
}

ditto_type ditto_names_constant(struct ditto_names *names, uint32_t index)
{
    uint32_t *known = &names->of_constant[index];
    if (!*known)
        *known =
            ditto_type_data(ditto_names_type(names, ditto_cf_class_name(names->cf, index))) + 1;
    return DITTO_TYPE(DITTO_TYPE_CLASS, *known - 1);
}

ditto_type ditto_names_array_of(struct ditto_names *names, struct ditto_cf_text name)
{
    bool array = name.size && name.data[0] == '[';
    char *text = DITTO_NEW_ARRAY(names->arena, char, name.size + 3);
    uint32_t size = 0;
    text[size++] = '[';
    if (!array)
        text[size++] = 'L';
    memcpy(text + size, name.data, name.size);
    size += name.size;
    if (!array)
        text[size++] = ';';
    return ditto_names_type(names, (struct ditto_cf_text){text, size});
}

struct ditto_cf_text ditto_names_text(const struct ditto_names *names, ditto_type type)
{
    return names->texts[ditto_type_data(type)];
}

bool ditto_descriptor_next(struct ditto_names *names, struct ditto_cf_text descriptor, uint32_t *at,
                           ditto_type *type)
{
    uint32_t start = *at, i = start;
    while (i < descriptor.size && descriptor.data[i] == '[')
        i++;
    if (i >= descriptor.size || i - start > 255)
        return false;
    bool array = i > start;
    char letter = descriptor.data[i++];
    if (letter == 'L') {
        const char *end = memchr(descriptor.data + i, ';', descriptor.size - i);
        if (!end || end == descriptor.data + i)
            return false;
        uint32_t name = i;
        i = (uint32_t)(end - descriptor.data) + 1;
        *type = array ? ditto_names_type(names,
                                         (struct ditto_cf_text){descriptor.data + start, i - start})
                      : ditto_names_type(
                            names, (struct ditto_cf_text){descriptor.data + name, i - 1 - name});
    } else if (!strchr("BCDFIJSZ", letter) || letter == '\0') {
        return false;
    } else if (array) {
        *type = ditto_names_type(names, (struct ditto_cf_text){descriptor.data + start, i - start});
    } else {
        *type = letter == 'J'   ? DITTO_TYPE_LONG
                : letter == 'D' ? DITTO_TYPE_DOUBLE
                : letter == 'F' ? DITTO_TYPE_FLOAT
                                : DITTO_TYPE_INT;
    }
    *at = i;
    return true;
}
