/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/requests.h"

#include <stdlib.h>

#include "core/base/die.h"
#include "gdb-plugin/machine/present.h"

void request_fill(struct ditto_machine *machine, const struct ditto_go *go,
                  struct ditto_message_go *request)
{
    request->breaks =
        ditto_alloc_zeroed(go->breakpoint_count, sizeof *request->breaks, "a request");
    request->watches = ditto_alloc_zeroed(go->watch_count, sizeof *request->watches, "a request");
    for (size_t i = 0; i < go->breakpoint_count; i++) {
        const struct ditto_location *location = &go->breakpoints[i];
        request->breaks[request->break_count++] =
            (struct ditto_message_break){location->method->class_name, location->method->name,
                                         location->method->descriptor, location->bci};
    }
    for (size_t i = 0; i < go->watch_count; i++) {
        const struct ditto_watch *watch = &go->watches[i];
        struct replica *jvm = watch->object ? machine_jvm(machine) : NULL;
        uint64_t key = jvm ? key_of_number(&machine->numbers, jvm, watch->object) : 0;
        request->watches[request->watch_count++] =
            (struct ditto_message_watch){.kind = (uint8_t)watch->kind,
                                         /* A number that is no object here matches nothing. */
                                         .key = watch->object && !key ? UINT64_MAX : key,
                                         .class_name = watch->class_name,
                                         .field = watch->field,
                                         .descriptor = watch->descriptor,
                                         .index = watch->index,
                                         .nth = watch->nth};
    }
    if (go->at_throw)
        request->flags |= DITTO_GO_THROWS;
}

void request_free(struct ditto_message_go *request)
{
    free(request->breaks);
    free(request->watches);
}
