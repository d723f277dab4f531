/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/positions.h"

void position_from_message(struct methods *methods, struct position *position,
                           const struct ditto_message_position *message)
{
    *position = (struct position){.kind = (enum ditto_spot_kind)message->kind,
                                  .thread = message->thread,
                                  .turn = message->turn,
                                  .clock = message->clock,
                                  .step = message->step,
                                  .nth = message->nth,
                                  .bci = message->bci};
    if (message->kind == DITTO_POSITION_MARK)
        position->mark =
            method_named(methods, message->class_name, message->method, message->descriptor);
}

void position_to_message(const struct position *position, struct ditto_message_position *message)
{
    *message = (struct ditto_message_position){.kind = (uint8_t)position->kind,
                                               .thread = position->thread,
                                               .turn = position->turn,
                                               .clock = position->clock,
                                               .step = position->step,
                                               .nth = position->nth,
                                               .bci = position->bci};
    if (position->mark) {
        message->class_name = position->mark->class_name;
        message->method = position->mark->name;
        message->descriptor = position->mark->descriptor;
    }
}
