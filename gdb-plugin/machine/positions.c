/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/positions.h"

void spot_from_wire(struct methods *methods, struct spot *spot, const struct ditto_wire_spot *wire)
{
    *spot = (struct spot){.kind = (enum ditto_spot_kind)wire->kind,
                          .thread = wire->thread,
                          .turn = wire->turn,
                          .clock = wire->clock,
                          .step = wire->step,
                          .nth = wire->nth,
                          .bci = wire->bci};
    if (wire->kind == DITTO_SPOT_MARK)
        spot->mark = method_named(methods, wire->class_name, wire->method, wire->descriptor);
}

void spot_to_wire(const struct spot *spot, struct ditto_wire_spot *wire)
{
    *wire = (struct ditto_wire_spot){.kind = (uint8_t)spot->kind,
                                     .thread = spot->thread,
                                     .turn = spot->turn,
                                     .clock = spot->clock,
                                     .step = spot->step,
                                     .nth = spot->nth,
                                     .bci = spot->bci};
    if (spot->mark) {
        wire->class_name = spot->mark->class_name;
        wire->method = spot->mark->name;
        wire->descriptor = spot->mark->descriptor;
    }
}
