/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/methods.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/base/die.h"

struct method_entry {
    struct method_entry *next;
    struct ditto_method method;
};

const struct ditto_method *method_named(struct methods *methods, const char *class_name,
                                        const char *name, const char *descriptor)
{
    uint64_t hash = XXH3_64bits(class_name, strlen(class_name));
    hash = XXH3_64bits_withSeed(name, strlen(name), hash);
    hash = XXH3_64bits_withSeed(descriptor, strlen(descriptor), hash);
    struct method_entry **bucket = &methods->buckets[hash % METHOD_BUCKETS];
    for (struct method_entry *entry = *bucket; entry; entry = entry->next)
        if (strcmp(entry->method.class_name, class_name) == 0 &&
            strcmp(entry->method.name, name) == 0 &&
            strcmp(entry->method.descriptor, descriptor) == 0)
            return &entry->method;
    struct method_entry *entry = ditto_alloc_zeroed(1, sizeof *entry, "a method");
    entry->method = (struct ditto_method){ditto_copy_text(class_name, "a method"),
                                          ditto_copy_text(name, "a method"),
                                          ditto_copy_text(descriptor, "a method")};
    entry->next = *bucket;
    *bucket = entry;
    return &entry->method;
}

void methods_free(struct methods *methods)
{
    for (size_t i = 0; i < METHOD_BUCKETS; i++)
        while (methods->buckets[i]) {
            struct method_entry *entry = methods->buckets[i];
            methods->buckets[i] = entry->next;
            free((char *)entry->method.class_name);
            free((char *)entry->method.name);
            free((char *)entry->method.descriptor);
            free(entry);
        }
}
