/* SPDX-License-Identifier: MIT */
/*
 * One run of a debugged replay, as all of the service that belongs to it sees it.
 *
 * A step is an arrival of a thread at an original bytecode of a recorded method.  Arrivals are seen
 * by JVMTI's single steps, which are switched on for a thread only while somebody wants to count,
 * and otherwise at breakpoints alone.  A thread that stands somewhere is stepped until its turn
 * ends, so that where it stops next can be told; with its next turn counting begins anew.
 *
 * The run is written by the service when all threads rest.  One by one, a single thread is between
 * gates at a time and has what is said to be its own; when threads run together nothing stops them
 * and `lock` guards what is found.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_GO_STATE_H
#define DITTO_JVM_BRIDGE_DEBUG_GO_STATE_H

#include <jvmti.h>
#include <pthread.h>

#include "core/engine/timeline.h"
#include "jvm-bridge/control/messages.h"
#include "jvm-bridge/debug/methods.h"
#include "jvm-bridge/state/thread.h"

/* What the service keeps of a thread. */
struct ditto_debug_thread {
    bool stepping;                         /* JVMTI tells its single steps */
    uint8_t counting;                      /* enum ditto_spot_kind: what `steps` counts from */
    uint64_t steps, nth, throws;           /* throws: exceptions in this turn */
    const struct ditto_debug_method *mark; /* where counting began */
    int32_t mark_bci;
    const struct ditto_debug_method *skip; /* a breakpoint that was dealt with */
    jlocation skip_at;
    const struct ditto_debug_method *logged;
    jint logged_depth;
    bool watched;   /* the access under way is: */
    jobject object; /* a global reference */
    struct ditto_message_hit hit;
    bool stop_next; /* it stops at the next bytecode, because of that */
    uint64_t made;  /* objects */
    /* What the last method returned, if the thread has come to no bytecode but one since then. */
    struct ditto_message_value returned;
    jobject returned_object; /* a global reference */
    bool returned_seen;
};

static inline struct ditto_debug_thread *ditto_debug_of(const struct ditto_java_thread *thread)
{
    return (struct ditto_debug_thread *)thread->observed;
}

/* The run: what was asked for, and what has come of it. */
struct ditto_go_state {
    pthread_mutex_t lock;
    struct ditto_message_go asked;
    struct ditto_message_halt halt;
    bool reached;                  /* the target's turn is done */
    bool stopped;                  /* halt says why */
    struct ditto_turn now, before; /* the last two turns, one by one */
    /* Where the walker is, and how deep, if it is to leave a range. */
    const struct ditto_debug_method *range_method;
    jint range_depth;
};
extern struct ditto_go_state ditto_go;

/* Whether a single thread is between gates at a time. */
bool ditto_debug_one_by_one(void);

/* Whether what is found stops the run, and is not only remembered. */
bool ditto_debug_stops(void);

/* Of the calling thread. */
void ditto_debug_set_stepping(struct ditto_java_thread *self, bool on);

/* Where the calling thread is, as well as it is known. */
struct ditto_message_position ditto_debug_position_of(const struct ditto_java_thread *self);

/* The end of a turn. */
struct ditto_message_position ditto_debug_position_after(const struct ditto_turn *turn);

/* Whether the calling thread is in the turn that the run is to come to. */
bool ditto_debug_is_target_turn(const struct ditto_java_thread *self);

/* Counting goes on from a mark: a breakpoint or an exception. */
void ditto_debug_count_from(struct ditto_java_thread *self, enum ditto_spot_kind kind,
                            const struct ditto_debug_method *method, int32_t bci, uint64_t nth);

/* The calling thread stands here, until the next run; and says why, unless that is said. */
void ditto_debug_stand(struct ditto_java_thread *self, enum ditto_message_why why, uint32_t index);

#endif
