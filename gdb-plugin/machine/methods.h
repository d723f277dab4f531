/* SPDX-License-Identifier: MIT */
/* Every method that was ever named, once. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_METHODS_H
#define DITTO_GDB_PLUGIN_MACHINE_METHODS_H

#include "core/base/map.h"
#include "gdb-plugin/machine/machine.h"

struct methods {
    struct ditto_map known; /* by class, name and descriptor */
};

/* The method, made known if it was not; it stays until methods_free(). */
const struct ditto_method *method_named(struct methods *methods, const char *class_name,
                                        const char *name, const char *descriptor);
void methods_free(struct methods *methods);

#endif
