/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/write_counts.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/state/shadow.h"
#include "jvm-bridge/state/types.h"

/* Arrays beyond this are not counted by element: the counts would outgrow them. */
enum { LONGEST_COUNTED = 1 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_map statics; /* counts of statics by their place; guarded by the lock */

/* Under the lock. */
static uint64_t *static_count(const struct ditto_site_info *site)
{
    uintptr_t place = atomic_load_explicit(&site->quick, memory_order_acquire);
    uint64_t *count = ditto_map_get_number(&statics, place);
    if (!count) {
        count = ditto_alloc_zeroed(1, sizeof *count, "a count of writes");
        ditto_map_add_number(&statics, place, count);
    }
    return count;
}

static bool is_static(const struct ditto_site_info *site)
{
    return site->kind == DITTO_SITE_STATIC_LOAD || site->kind == DITTO_SITE_STATIC_STORE;
}

/* The number of the shadow's place at the site. */
static size_t number_of(const struct ditto_site_info *site, jint index)
{
    return site->member ? (size_t)atomic_load_explicit(&site->field, memory_order_relaxed) - 1
                        : (size_t)index;
}

/* Grown to hold `index`: elements are counted up to the highest that was written. */
struct counts {
    size_t size;
    uint32_t each[];
};

static uint32_t *shadow_count(struct ditto_shadow *shadow, size_t index)
{
    if (index >= LONGEST_COUNTED)
        return NULL;
    struct counts *counts = shadow->writes;
    if (!counts || index >= counts->size) {
        size_t size = shadow->fields ? shadow->fields : counts ? 2 * counts->size : 4;
        while (size <= index)
            size *= 2;
        struct counts *larger =
            ditto_alloc_zeroed(1, sizeof *larger + size * sizeof *larger->each, "counts of writes");
        larger->size = size;
        for (size_t i = 0; counts && i < counts->size; i++)
            larger->each[i] = counts->each[i];
        free(counts);
        shadow->writes = larger;
        counts = larger;
    }
    return &counts->each[index];
}

static _Atomic uint64_t *class_count(struct ditto_type_info *type, size_t number)
{
    while (type->super && number < type->first_field)
        type = type->super;
    _Atomic uint64_t *counts = atomic_load_explicit(&type->writes, memory_order_acquire);
    if (!counts) {
        _Atomic uint64_t *made =
            ditto_alloc_zeroed(type->own_fields + 1, sizeof *made, "counts of writes");
        if (atomic_compare_exchange_strong(&type->writes, &counts, made))
            counts = made;
        else
            free((void *)made);
    }
    return &counts[number - type->first_field];
}

void ditto_count_write(struct ditto_site_info *site, struct ditto_shadow *shadow, jint index)
{
    pthread_mutex_lock(&lock);
    if (is_static(site)) {
        ++*static_count(site);
    } else {
        uint32_t *count = shadow_count(shadow, number_of(site, index));
        if (count)
            ++*count;
        if (site->member)
            ++*class_count((struct ditto_type_info *)shadow->type, number_of(site, index));
    }
    pthread_mutex_unlock(&lock);
}

uint64_t ditto_shadow_writes(const struct ditto_site_info *site, const struct ditto_shadow *shadow,
                             jint index)
{
    pthread_mutex_lock(&lock);
    const struct counts *counts = shadow->writes;
    size_t number = number_of(site, index);
    uint64_t writes = counts && number < counts->size ? counts->each[number] : 0;
    pthread_mutex_unlock(&lock);
    return writes;
}

uint64_t ditto_class_writes(const struct ditto_site_info *site, const struct ditto_shadow *shadow)
{
    return *class_count((struct ditto_type_info *)shadow->type, number_of(site, 0));
}

uint64_t ditto_static_writes(const struct ditto_site_info *site)
{
    pthread_mutex_lock(&lock);
    uint64_t writes = *static_count(site);
    pthread_mutex_unlock(&lock);
    return writes;
}
