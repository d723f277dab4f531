/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/positions.h"

void position_from_wire(struct methods *methods, struct position *position,
                        const struct ditto_wire_spot *wire)
{
    *position = (struct position){.kind = (enum ditto_spot_kind)wire->kind,
                                  .thread = wire->thread,
                                  .turn = wire->turn,
                                  .clock = wire->clock,
                                  .step = wire->step,
                                  .nth = wire->nth,
                                  .bci = wire->bci};
    if (wire->kind == DITTO_SPOT_MARK)
        position->mark = method_named(methods, wire->class_name, wire->method, wire->descriptor);
}

void position_to_wire(const struct position *position, struct ditto_wire_spot *wire)
{
    *wire = (struct ditto_wire_spot){.kind = (uint8_t)position->kind,
                                     .thread = position->thread,
                                     .turn = position->turn,
                                     .clock = position->clock,
                                     .step = position->step,
                                     .nth = position->nth,
                                     .bci = position->bci};
    if (position->mark) {
        wire->class_name = position->mark->class_name;
        wire->method = position->mark->name;
        wire->descriptor = position->mark->descriptor;
    }
}
