/* SPDX-License-Identifier: MIT */
/* Every name once: equal texts are the same pointer, and a name may stand for a class. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_NAMES_H
#define DITTO_GDB_PLUGIN_PROGRAM_NAMES_H

#include "core/base/arena.h"

struct program_names;

struct program_names *names_make(void);
void names_free(struct program_names *names);

/* The name, made known if it was not.  It lives as long as `names`. */
const char *names_add(struct program_names *names, const char *text, size_t length);

/* NULL if it is not known. */
const char *names_find(const struct program_names *names, const char *text, size_t length);

/* What a name that names_add gave stands for, NULL at first. */
void **names_meaning(const char *name);

#endif
