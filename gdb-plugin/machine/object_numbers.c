/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/object_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/machine/replica.h"

struct numbered {
    uint64_t key;      /* for good, or that of the JVM `serial` */
    uint32_t serial;   /* 0: for good */
    char *class_name;  /* of one that is found again by it */
    const char *noted; /* its class, if somebody has asked for it */
    struct way way;    /* texts are owned */
};

void numbers_free(struct numbers *numbers)
{
    for (size_t i = 0; i < numbers->count; i++) {
        struct numbered *one = &numbers->all[i];
        free(one->class_name);
        free((char *)one->way.class_name);
        free((char *)one->way.field);
        free((char *)one->way.descriptor);
    }
    free(numbers->all);
    ditto_map_free(&numbers->by_key);
    *numbers = (struct numbers){0};
}

/* A key of one JVM has its serial between the bit that tells and what the JVM counts. */
static uint64_t map_key(uint64_t key, uint32_t serial)
{
    return key | (uint64_t)serial << 40;
}

static void enter(struct numbers *numbers, uint64_t number)
{
    const struct numbered *one = &numbers->all[number - 1];
    ditto_map_put_number(&numbers->by_key, map_key(one->key, one->serial),
                         (void *)(uintptr_t)number);
}

static uint64_t find(const struct numbers *numbers, uint64_t key, uint32_t serial)
{
    return (uintptr_t)ditto_map_get_number(&numbers->by_key, map_key(key, serial));
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_way(const struct way *a, const struct way *b)
{
    return a->kind == b->kind && a->holder == b->holder && a->index == b->index &&
           a->thread == b->thread && a->depth == b->depth &&
           same_text(a->class_name, b->class_name) && same_text(a->field, b->field) &&
           same_text(a->descriptor, b->descriptor);
}

/* The class of what has that key; to be freed. */
static char *class_of(struct replica *replica, uint64_t key)
{
    replica_begin(replica, DITTO_ASK_CLASS_OF);
    ditto_message_put64(&replica->out, key);
    return replica_ask(replica)
               ? ditto_copy_text(ditto_message_get_text(&replica->in), "the name of a class")
               : NULL;
}

/* One that was seen the same way in another JVM, and not in this one yet. */
static uint64_t seen_before(struct numbers *numbers, const struct replica *replica,
                            const struct way *way, const char *class_name)
{
    for (size_t i = 0; way->kind != WAY_NONE && i < numbers->count; i++) {
        struct numbered *one = &numbers->all[i];
        if (one->serial && one->serial != replica->serial && same_way(&one->way, way) &&
            same_text(one->class_name, class_name))
            return i + 1;
    }
    return 0;
}

static char *copy(const char *text)
{
    return text ? ditto_copy_text(text, "a name") : NULL;
}

uint64_t number_of_key(struct numbers *numbers, struct replica *replica, uint64_t key,
                       const struct way *way)
{
    bool passing = key & DITTO_KEY_LOOKED_AT;
    if (key == 0 || (passing && !replica))
        return 0;
    uint32_t serial = passing ? replica->serial : 0;
    uint64_t number = find(numbers, key, serial);
    if (number)
        return number;
    char *class_name = passing ? class_of(replica, key) : NULL;
    number = passing ? seen_before(numbers, replica, way, class_name) : 0;
    if (number) {
        struct numbered *one = &numbers->all[number - 1];
        ditto_map_remove_number(&numbers->by_key, map_key(one->key, one->serial));
        one->key = key;
        one->serial = serial;
        free(class_name);
        enter(numbers, number);
        return number;
    }
    struct numbered new = {.key = key, .serial = serial, .class_name = class_name, .way = *way};
    new.way.class_name = copy(way->class_name);
    new.way.field = copy(way->field);
    new.way.descriptor = copy(way->descriptor);
    DITTO_PUSH(numbers->all, numbers->count, numbers->room, new);
    enter(numbers, numbers->count);
    return numbers->count;
}

const char *class_of_number(const struct numbers *numbers, uint64_t number)
{
    return number && number <= numbers->count ? numbers->all[number - 1].noted : NULL;
}

void note_class(struct numbers *numbers, uint64_t number, const char *class_name)
{
    if (number && number <= numbers->count)
        numbers->all[number - 1].noted = class_name;
}

/* Goes the way again. */
static uint64_t find_again(struct numbers *numbers, struct replica *replica, const struct way *way)
{
    uint64_t holder = way->holder ? key_of_number(numbers, replica, way->holder) : 0;
    if (way->holder && !holder)
        return 0;
    switch (way->kind) {
    case WAY_FIELD:
        replica_begin(replica, DITTO_ASK_FIELD);
        ditto_message_put64(&replica->out, holder);
        ditto_message_put_text(&replica->out, way->class_name);
        ditto_message_put_text(&replica->out, way->field);
        ditto_message_put_text(&replica->out, way->descriptor);
        break;
    case WAY_STATIC:
        replica_begin(replica, DITTO_ASK_STATIC);
        ditto_message_put_text(&replica->out, way->class_name);
        ditto_message_put_text(&replica->out, way->field);
        ditto_message_put_text(&replica->out, way->descriptor);
        break;
    case WAY_ELEMENT:
        replica_begin(replica, DITTO_ASK_ELEMENTS);
        ditto_message_put64(&replica->out, holder);
        ditto_message_put64(&replica->out, (uint64_t)way->index);
        ditto_message_put32(&replica->out, 1);
        break;
    case WAY_LOCAL:
        replica_begin(replica, DITTO_ASK_LOCAL);
        ditto_message_put32(&replica->out, way->thread);
        ditto_message_put32(&replica->out, way->depth);
        ditto_message_put32(&replica->out, (uint32_t)way->index);
        ditto_message_put8(&replica->out, 'L');
        break;
    default:
        return 0;
    }
    if (!replica_ask(replica))
        return 0;
    uint32_t there = way->kind == WAY_ELEMENT ? ditto_message_get32(&replica->in)
                                              : ditto_message_get8(&replica->in);
    return there ? ditto_message_get_value(&replica->in).bits : 0;
}

uint64_t key_of_number(struct numbers *numbers, struct replica *replica, uint64_t number)
{
    if (number == 0 || number > numbers->count)
        return 0;
    struct numbered *one = &numbers->all[number - 1];
    if (one->serial == 0 || one->serial == replica->serial)
        return one->key;
    const struct way way = one->way;
    uint64_t key = find_again(numbers, replica, &way);
    if (!(key & DITTO_KEY_LOOKED_AT) || find(numbers, key, replica->serial))
        return 0;
    return number_of_key(numbers, replica, key, &way) == number ? key : 0;
}
