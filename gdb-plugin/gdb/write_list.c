/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/write_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/gdb/value_text.h"

#define PIECE 0.4 /* seconds */

struct listing {
    struct session *session;
    struct ditto_writes *writes;
    struct ditto_watch watch;
    char *name; /* as the user wrote it */
    struct ditto_buf *out;
    uint64_t count;
};

static bool put_write(void *context, const struct ditto_write *write)
{
    struct listing *listing = context;
    struct ditto_buf *out = listing->out;
    if (listing->watch.nth && write->nth != listing->watch.nth)
        return true;
    listing->count++;
    put_format(out, "%6" PRIu64 "  clock %-8" PRIu64 " thread %u \"%s\"  ", write->nth,
               write->position.clock, to_gdb(write->position.thread),
               thread_name(listing->session, write->position.thread));
    if (write->object && !listing->watch.object)
        put_format(out, "of 0x%" PRIx64 "  ", view_reference("L", write->object));
    put_value(listing->session, out, listing->watch.descriptor, &write->before);
    put_format(out, " -> ");
    put_value(listing->session, out, listing->watch.descriptor, &write->after);
    put_format(out, "  ");
    put_place(listing->session, out, &write->place);
    put_format(out, "\n");
    return true;
}

void listing_end(struct session *session)
{
    struct listing *listing = session->listing;
    if (!listing)
        return;
    ditto_writes_end(listing->writes);
    free(listing->name);
    free(listing);
    session->listing = NULL;
}

bool listing_more(struct session *session, struct ditto_buf *out)
{
    struct listing *listing = session->listing;
    struct ditto_error error;
    double done = 0;
    int found;
    if (!listing) {
        put_format(out, "Nothing is under way.\n");
        return false;
    }
    if (session->pieces) {
        found = ditto_writes_look(listing->writes, PIECE, &done, &error);
    } else {
        session_busy_begin(session);
        found = ditto_writes_look(listing->writes, INFINITY, &done, &error);
        session_busy_end(session);
    }
    if (found == 0) {
        put_format(out, "more: %.0f%%\n", done * 100);
        return true;
    }
    listing->out = out;
    if (found > 0)
        ditto_writes_each(listing->writes, put_write, listing);
    if (found > 0 && !listing->count)
        put_format(out, "%s is never written in this run.\n", listing->name);
    if (found < 0)
        put_format(out, "%s\n", error.text);
    listing_end(session);
    return found > 0;
}

bool listing_begin(struct session *session, const struct ditto_watch *watch, const char *name,
                   struct ditto_buf *out)
{
    struct ditto_error error;
    listing_end(session);
    struct ditto_writes *writes = ditto_writes_begin(session->machine, watch, &error);
    if (!writes) {
        put_format(out, "%s\n", error.text);
        return false;
    }
    struct listing *listing = session->listing = calloc(1, sizeof *listing);
    if (!listing)
        abort();
    *listing = (struct listing){session, writes, *watch, strdup(name), NULL, 0};
    if (!listing->name)
        abort();
    return listing_more(session, out);
}
