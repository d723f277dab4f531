/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/copied_fields.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/classes/recorded.h"
#include "jvm-bridge/classfile/classfile.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/vm.h"

/* Appends the recorded fields that the class declares itself. */
static void add_fields(JNIEnv *jni, jclass class, struct ditto_shadow *shadow, int64_t *table)
{
    const struct ditto_type_info *type = ditto_type_with_offsets(jni, class);
    char *name = ditto_copy_text(type->signature + 1, "the name of a class");
    name[strlen(name) - 1] = '\0';
    for (unsigned i = 0; i < type->own_fields; i++) {
        const char *member = type->own_field_names[i];
        if (!ditto_records_field(jni, class, name, member))
            continue;
        ditto_place *place =
            ditto_field(ditto_agent.session, &shadow->cell, shadow->fields, type->first_field + i);
        int64_t *entry = table + 1 + 3 * table[0]++;
        entry[0] = type->own_field_offsets[i];
        entry[1] = (int64_t)((uintptr_t)place - (uintptr_t)shadow);
        entry[2] = ditto_cf_value_size(strchr(member, ' ')[1]);
    }
    free(name);
}

static int64_t *make_table(JNIEnv *jni, struct ditto_shadow *shadow, jobject object)
{
    int64_t *table =
        ditto_alloc_zeroed(1 + 3 * (size_t)shadow->fields, sizeof *table, "the fields of a class");
    for (jclass class = (*jni)->GetObjectClass(jni, object), super; class; class = super) {
        add_fields(jni, class, shadow, table);
        super = (*jni)->GetSuperclass(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
    }
    return table;
}

const int64_t *ditto_copied_fields(JNIEnv *jni, struct ditto_shadow *shadow, jobject object)
{
    _Atomic(int64_t *) *at = &((struct ditto_type_info *)shadow->type)->copied;
    int64_t *table = atomic_load_explicit(at, memory_order_acquire);
    if (!table) {
        /* Two threads may come to the same table: one is enough. */
        int64_t *made = make_table(jni, shadow, object);
        if (atomic_compare_exchange_strong_explicit(at, &table, made, memory_order_acq_rel,
                                                    memory_order_acquire))
            table = made;
        else
            free(made);
    }
    return table;
}
