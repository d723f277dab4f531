/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/import_table.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/inputs/outside/attributes.h"
#include "jvm-bridge/inputs/outside/directories.h"
#include "jvm-bridge/inputs/outside/files.h"
#include "jvm-bridge/inputs/outside/processes.h"
#include "jvm-bridge/inputs/outside/sockets.h"
#include "jvm-bridge/inputs/outside/writing.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

static void *my_dlsym(void *handle, const char *name);
static const struct ditto_import lookups[] = {DITTO_IMPORT("dlsym", my_dlsym)};

enum { TABLES = 7 };

static void get_tables(struct ditto_imports tables[TABLES])
{
    tables[0] = ditto_file_imports();
    tables[1] = ditto_writing_imports();
    tables[2] = ditto_attribute_imports();
    tables[3] = ditto_directory_imports();
    tables[4] = ditto_socket_imports();
    tables[5] = ditto_process_imports();
    tables[6] = (struct ditto_imports){lookups, 1};
}

/* Looks a name up in all tables: the function of ours, or NULL. */
static void *function_named(const char *name)
{
    struct ditto_imports tables[TABLES];
    get_tables(tables);
    for (int i = 0; i < TABLES; i++)
        for (size_t j = 0; j < tables[i].count; j++)
            if (strcmp(tables[i].table[j].name, name) == 0)
                return __extension__(void *) tables[i].table[j].instead;
    return NULL;
}

/* Functions that the JDK looks up by name, because not every system has them. */
static void *my_dlsym(void *handle, const char *name)
{
    void *real = dlsym(handle, name);
    void *ours = real ? function_named(name) : NULL;
    return ours ? ours : real;
}

void ditto_import_table_begin(void)
{
    static const char *const libraries[] = {"libjava.so", "libnio.so", "libnet.so"};
    struct ditto_imports tables[TABLES];
    char *directory = ditto_system_property("sun.boot.library.path");
    get_tables(tables);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char *path = ditto_format("%s/%s", directory ? directory : "", libraries[i]);
        int replaced = 0;
        for (int j = 0; j < TABLES && replaced >= 0; j++)
            replaced = ditto_imports_replace(path, tables[j]);
        if (replaced < 0)
            ditto_agent_refuse("%s cannot be loaded; use an OpenJDK build, 17 or later", path);
        free(path);
    }
    free(directory);
}
