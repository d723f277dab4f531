/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/types.h"

#include <string.h>

void ditto_names_init(struct ditto_names *names, const struct ditto_cf *cf,
                      struct ditto_arena *arena)
{
    *names = (struct ditto_names){.cf = cf, .arena = arena, .bucket_count = 64};
    names->buckets = DITTO_NEW_ARRAY(arena, uint32_t, names->bucket_count);
    names->of_constant = DITTO_NEW_ARRAY(arena, uint32_t, cf->pool_count);
}

static uint32_t hash(struct ditto_cf_text text)
{
    uint32_t value = 2166136261u;
    for (uint32_t i = 0; i < text.size; i++)
        value = (value ^ (uint8_t)text.data[i]) * 16777619u;
    return value;
}

static uint32_t *bucket_of(const struct ditto_names *names, struct ditto_cf_text text)
{
    uint32_t mask = names->bucket_count - 1, i = hash(text) & mask;
    while (names->buckets[i] && !ditto_cf_same(names->texts[names->buckets[i] - 1], text))
        i = (i + 1) & mask;
    return &names->buckets[i];
}

static void grow(struct ditto_names *names)
{
    uint32_t capacity = names->capacity ? names->capacity * 2 : 32;
    struct ditto_cf_text *texts = DITTO_NEW_ARRAY(names->arena, struct ditto_cf_text, capacity);
    if (names->count)
        memcpy(texts, names->texts, names->count * sizeof *texts);
    names->texts = texts;
    names->capacity = capacity;
    names->bucket_count = capacity * 2;
    names->buckets = DITTO_NEW_ARRAY(names->arena, uint32_t, names->bucket_count);
    for (uint32_t i = 0; i < names->count; i++)
        *bucket_of(names, names->texts[i]) = i + 1;
}

ditto_type ditto_names_type(struct ditto_names *names, struct ditto_cf_text name)
{
    uint32_t *bucket = bucket_of(names, name);
    if (!*bucket) {
        if (names->count == names->capacity) {
            grow(names);
            bucket = bucket_of(names, name);
        }
        names->texts[names->count++] = name;
        *bucket = names->count;
    }
    return DITTO_TYPE(DITTO_TYPE_CLASS, *bucket - 1);
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
