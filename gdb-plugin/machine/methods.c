/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/methods.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"

struct known {
    struct ditto_method method;
    char texts[]; /* the three, one after the other: its key */
};

const struct ditto_method *method_named(struct methods *methods, const char *class_name,
                                        const char *name, const char *descriptor)
{
    size_t class_size = strlen(class_name) + 1, name_size = strlen(name) + 1;
    size_t descriptor_size = strlen(descriptor) + 1;
    size_t size = class_size + name_size + descriptor_size;
    struct known *new = ditto_alloc(sizeof *new + size, "a method");
    new->method.class_name = memcpy(new->texts, class_name, class_size);
    new->method.name = memcpy(new->texts + class_size, name, name_size);
    new->method.descriptor =
        memcpy(new->texts + class_size + name_size, descriptor, descriptor_size);
    struct known *known = ditto_map_add(&methods->known, new->texts, size, new);
    if (known != new)
        free(new);
    return &known->method;
}

void methods_free(struct methods *methods)
{
    struct known *known;
    for (size_t at = 0; (known = ditto_map_next(&methods->known, &at));)
        free(known);
    ditto_map_free(&methods->known);
}
