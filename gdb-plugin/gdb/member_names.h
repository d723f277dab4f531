/* SPDX-License-Identifier: MIT */
/* CLASS.MEMBER, as users write it. */
#ifndef DITTO_GDB_PLUGIN_GDB_MEMBER_NAMES_H
#define DITTO_GDB_PLUGIN_GDB_MEMBER_NAMES_H

#include "gdb-plugin/gdb/client.h"

/*
 * The class of "CLASS.MEMBER", and the member's name in the text; NULL if it is not
 * clear which is meant, and why is in `out`.  `kind` is "field" or "method".
 */
const struct program_class *member_class(struct client *client, const char *text, const char *kind,
                                         const char *example, const char **member,
                                         struct ditto_buf *out);
void put_no_member(const struct program_class *class, const char *kind, const char *member,
                   struct ditto_buf *out);

#endif
