/* SPDX-License-Identifier: MIT */
/* Every method that was ever named, once. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_METHODS_H
#define DITTO_GDB_PLUGIN_MACHINE_METHODS_H

#include "gdb-plugin/machine/machine.h"

enum { METHOD_BUCKETS = 4096 };

struct methods {
    struct method_entry *buckets[METHOD_BUCKETS];
};

/* The method, made known if it was not; it stays until methods_free(). */
const struct ditto_method *method_named(struct methods *methods, const char *class_name,
                                        const char *name, const char *descriptor);
void methods_free(struct methods *methods);

#endif
