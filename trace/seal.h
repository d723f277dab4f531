/* SPDX-License-Identifier: MIT */
/* Making a finished recording compact: one closed file without room for open chunks. */
#ifndef DITTO_TRACE_SEAL_H
#define DITTO_TRACE_SEAL_H

#include <stdbool.h>

#include "trace/error.h"
#include "trace/metadata.h"

/*
 * Rewrites the trace that `fd` has open under `path`, thread by thread, and puts the new file in
 * its place.  Nobody may be writing it any more.  The old file stays as it is until the new one is
 * complete, and for good if that fails.  `note`, if it is not NULL, is added to the metadata: what
 * became known of the run only after its end.
 */
bool ditto_seal(int fd, const char *path, const struct ditto_meta *note, struct ditto_error *error);

#endif
