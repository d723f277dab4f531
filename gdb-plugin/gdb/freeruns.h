/* SPDX-License-Identifier: MIT */
/* Free runs, read from the trace itself: no replay is needed for them. */
#ifndef DITTO_GDB_PLUGIN_GDB_FREERUNS_H
#define DITTO_GDB_PLUGIN_GDB_FREERUNS_H

#include "core/base/text.h"
#include "trace/error.h"

/* A thread's free runs, or every thread's with thread == -1, as text. */
bool freeruns_print(const char *trace, int64_t thread, struct ditto_buf *out,
                    struct ditto_error *error);

#endif
