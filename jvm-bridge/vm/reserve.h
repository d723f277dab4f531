/* SPDX-License-Identifier: MIT */
/*
 * An array that grows without moving: addresses are set aside for as much as it may ever hold, and
 * memory is asked for as it is needed.  So code that was compiled with its address stays right.
 */
#ifndef DITTO_JVM_BRIDGE_VM_RESERVE_H
#define DITTO_JVM_BRIDGE_VM_RESERVE_H

#include <stddef.h>

struct ditto_reserve {
    char *base;
    size_t size;          /* addresses */
    size_t usable;        /* of them, from the base on; zeroed at first */
    const char *for_what; /* for messages: "places to record" */
};

/* Sets the addresses aside.  Refuses to go on where the system does not give them. */
void ditto_reserve_open(struct ditto_reserve *reserve, size_t size, const char *for_what);

/* Makes the first `size` bytes usable.  Refuses to go on when there are not as many. */
void ditto_reserve_use(struct ditto_reserve *reserve, size_t size);

#endif
