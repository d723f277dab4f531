/* SPDX-License-Identifier: MIT */
/*
 * What a maintainer wants to see, by domain.
 *
 *     DITTO_DEBUG=wait,classes:2 ditto replay trace.dt
 *
 * prints lines of these domains, those of level 1 and, for `classes`, of level 2; `all` is every
 * domain.  It works in the command, in the JVMs that it starts, which inherit the variable, and in
 * native programs.  Lines go to stderr, or to the end of the file DITTO_DEBUG_FILE, in whose name
 * %p stands for the process id.  A line is
 *
 *     ditto: [PROCESS THREAD SECONDS] DOMAIN: TEXT
 *
 * written at once, so that threads and processes do not mix theirs.
 *
 * To say something, in a domain of the table below:
 *
 *     DITTO_DEBUG(wait, 1, "thread %u waits for clock %llu", id, clock);
 *
 * Level 1 is for what happens rarely, a start, a decision, an end; 2 for each event, class, packet;
 * 3 for bytes.  Where it is off, it costs one load of a byte and a branch that is not taken, and
 * its arguments are not computed; still it has no place where an event is quick.  A line may be
 * printed with any lock held.  What is printed is nobody's interface.
 */
#ifndef DITTO_CORE_BASE_DEBUG_H
#define DITTO_CORE_BASE_DEBUG_H

#include <stdatomic.h>
#include <stdbool.h>

/* DOMAIN(name, what it prints). */
#define DITTO_DEBUG_DOMAINS(DOMAIN)                                                                \
    DOMAIN(wait, "who waits for which event, and who is woken")                                    \
    DOMAIN(stop, "why a replay ends, and where its threads are then")                              \
    DOMAIN(timeline, "gates and cuts of a debugged replay")                                        \
    DOMAIN(trace, "traces that are opened, sealed, read")                                          \
    DOMAIN(launch, "the java that is started, its agent's options, and how it ended")              \
    DOMAIN(classes, "classes as they load: rewritten, replaced, left alone")                       \
    DOMAIN(inputs, "inputs that are recorded, or taken from the trace")                            \
    DOMAIN(threads, "threads of a program that start, pause and end")                              \
    DOMAIN(messages, "what debugger and agent say to each other")                                  \
    DOMAIN(debug, "the debug service in a JVM: what it is asked for, and does")                    \
    DOMAIN(machine, "the machine: where it is, and what it is asked for")                          \
    DOMAIN(replica, "replay JVMs of the debugger, as they begin, serve and end")                   \
    DOMAIN(go, "how a go forward or backward is made of goes of replicas")                         \
    DOMAIN(rsp, "packets between gdb and us")

enum ditto_debug_domain {
#define DITTO_DEBUG_NAME(name, what) DITTO_DEBUG_##name,
    DITTO_DEBUG_DOMAINS(DITTO_DEBUG_NAME)
#undef DITTO_DEBUG_NAME
        DITTO_DEBUG_COUNT
};

/* 0: off.  Set before main(), and from then on only by ditto_debug_choose; whoever sees a change
 * late prints a line more or less. */
extern _Atomic unsigned char ditto_debug_levels[DITTO_DEBUG_COUNT];

static inline bool ditto_debug_is_on(enum ditto_debug_domain domain, unsigned level)
{
    return __builtin_expect(
        atomic_load_explicit(&ditto_debug_levels[domain], memory_order_relaxed) >= level, 0);
}

#define DITTO_DEBUG(domain, level, ...)                                                            \
    (ditto_debug_is_on(DITTO_DEBUG_##domain, (level))                                              \
         ? ditto_debug_print(DITTO_DEBUG_##domain, __VA_ARGS__)                                    \
         : (void)0)

/* Characters that a terminal could take for a command become ?; what is too long is cut. */
void ditto_debug_print(enum ditto_debug_domain domain, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

/*
 * Takes domains and file as the two variables have them; NULL: nothing, and stderr.  Domains that
 * there are not are named in one message, with those that there are.  Called before main(); another
 * call replaces what the one before has chosen.
 */
void ditto_debug_choose(const char *domains, const char *file);

#endif
