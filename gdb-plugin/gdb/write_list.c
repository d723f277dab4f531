/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/write_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "gdb-plugin/gdb/value_text.h"

#define PIECE 0.4 /* seconds */

struct listing {
    struct client *client;
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
    ditto_put_format(out, "%6" PRIu64 "  clock %-8" PRIu64 " thread %u \"%s\"  ", write->nth,
                     write->position.clock, to_gdb(write->position.thread),
                     thread_name(listing->client, write->position.thread));
    if (write->object && !listing->watch.object)
        ditto_put_format(out, "of 0x%" PRIx64 "  ", view_reference("L", write->object));
    put_value(listing->client, out, listing->watch.descriptor, &write->before);
    ditto_put_format(out, " -> ");
    put_value(listing->client, out, listing->watch.descriptor, &write->after);
    ditto_put_format(out, "  ");
    put_location(listing->client, out, &write->location);
    ditto_put_format(out, "\n");
    return true;
}

void listing_end(struct client *client)
{
    struct listing *listing = client->listing;
    if (!listing)
        return;
    ditto_writes_end(listing->writes);
    free(listing->name);
    free(listing);
    client->listing = NULL;
}

bool listing_more(struct client *client, struct ditto_buf *out)
{
    struct listing *listing = client->listing;
    struct ditto_error error;
    double done = 0;
    int found;
    if (!listing) {
        ditto_put_format(out, "Nothing is under way.\n");
        return false;
    }
    if (client->pieces) {
        found = ditto_writes_look(listing->writes, PIECE, &done, &error);
    } else {
        client_busy_begin(client);
        found = ditto_writes_look(listing->writes, INFINITY, &done, &error);
        client_busy_end(client);
    }
    if (found == 0) {
        ditto_put_format(out, "more: %.0f%%\n", done * 100);
        return true;
    }
    listing->out = out;
    if (found > 0)
        ditto_writes_each(listing->writes, put_write, listing);
    if (found > 0 && !listing->count)
        ditto_put_format(out, "%s is never written in this run.\n", listing->name);
    if (found < 0)
        ditto_put_format(out, "%s\n", error.text);
    listing_end(client);
    return found > 0;
}

bool listing_begin(struct client *client, const struct ditto_watch *watch, const char *name,
                   struct ditto_buf *out)
{
    struct ditto_error error;
    listing_end(client);
    struct ditto_writes *writes = ditto_writes_begin(client->machine, watch, &error);
    if (!writes) {
        ditto_put_format(out, "%s\n", error.text);
        return false;
    }
    struct listing *listing = client->listing =
        ditto_alloc_zeroed(1, sizeof *listing, "a list of writes");
    *listing = (struct listing){client, writes, *watch, ditto_copy_text(name, "a name"), NULL, 0};
    return listing_more(client, out);
}
