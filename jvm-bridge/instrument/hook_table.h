/* SPDX-License-Identifier: MIT */
/*
 * The kinds of instrumented sites and the signatures of the hooks that are called there: the one
 * place that the instrumenter and whoever defines the hook class agree on.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_HOOK_TABLE_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_HOOK_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define DITTO_HOOK_CLASS "java/lang/DittoHooks"
/* What stands in for methods of the JDK, and what pauses call for inputs. */
#define DITTO_CALL_HOOK_CLASS  "java/lang/DittoCalls"
#define DITTO_INPUT_HOOK_CLASS "java/lang/DittoInputs"
/* Has the hooks of sites for recorded classes of the JDK. */
#define DITTO_LIBRARY_HOOK_CLASS "java/lang/DittoLibrary"

enum ditto_site_kind {
    DITTO_SITE_UNUSED, /* the id was given out, but the method was left alone in the end */
    DITTO_SITE_LOAD,
    DITTO_SITE_STORE,
    DITTO_SITE_STATIC_LOAD,
    DITTO_SITE_STATIC_STORE,
    DITTO_SITE_ARRAY_LOAD,
    DITTO_SITE_ARRAY_STORE,
    DITTO_SITE_ACQUIRE,
    DITTO_SITE_RELEASE,
    DITTO_SITE_INIT,     /* what may initialize another class */
    DITTO_SITE_CLINIT,   /* a class initializer */
    DITTO_SITE_CALL,     /* a call that is replaced, and whose replacement wants to know the site */
    DITTO_SITE_RAW_LOAD, /* a call of Unsafe; atomic_calls.h */
    DITTO_SITE_RAW_STORE,
    DITTO_SITE_RAW_UPDATE,
    DITTO_SITE_VAR_LOAD, /* of VarHandle */
    DITTO_SITE_VAR_STORE,
    DITTO_SITE_VAR_UPDATE,
    DITTO_SITE_COPY,      /* a call of clone(), which loads all fields; clone_calls.h */
    DITTO_SITE_TEXT_LOAD, /* a call of StringBuilder; builder_calls.h */
    DITTO_SITE_TEXT_STORE,
    DITTO_SITE_KINDS
};

/* In place of a bytecode index: what a synchronized method does on entry and when an exception
 * leaves it. */
#define DITTO_SITE_WHOLE_METHOD UINT32_MAX

struct ditto_hook {
    const char *name; /* NULL: no call */
    const char *descriptor;
};

struct ditto_hook_pair {
    struct ditto_hook before, after;
};

/*
 * What a hook may take, in this order, and only where it is written:
 *   before LOAD, STORE                 (Object) (int site)
 *   before STATIC_LOAD, STATIC_STORE   (int site)
 *   before ARRAY_LOAD, ARRAY_STORE     (Object, int index) (int site)
 *   before ACQUIRE, RELEASE            (Object) (int site)
 *   after ACQUIRE                      (Object) (int site)
 *   before INIT                        (Class) (int site)
 *   before CLINIT, on entry; after CLINIT, on every way out  (int site)
 *   before RAW_...                     (Object, long offset) (int site)
 *   before VAR_...                     (VarHandle, Object, int index) (int site)
 *   before TEXT_...                    (Object) (int site)
 *   after ..._UPDATE                   (boolean stored) (int site)
 *   after anything else                (int site)
 * The first parenthesis, or both, may be dropped from a descriptor in the table; the instrumenter
 * follows; not those of RAW, VAR and TEXT.
 */
extern const struct ditto_hook_pair ditto_hooks[DITTO_SITE_KINDS];

/* The kinds of sites, as a bit set, that are of no use to an order which wants only these events:
 * DITTO_WANTS_... of core/orders/order.h. */
uint32_t ditto_unwanted_sites(unsigned wants);

/* What is called in place of a method: with its receiver, its arguments and, perhaps, the site. */
struct ditto_call_hook {
    struct ditto_hook hook;
    bool takes_site;
};

/* Called, before a builder is changed, with an argument whose code must not run inside the access,
 * or whose contents are an access of their own, and the site: what is to be given instead. */
extern const struct ditto_text_hooks {
    struct ditto_hook object, sequence, characters;
    struct ditto_hook part; /* of a sequence: from, to */
} ditto_text_hooks;

/* Called with nothing when what stands between a before and an after hook threw. */
extern const struct ditto_hook ditto_abandon_hook;

/* Around a call during which classes of the JDK record nothing; the second also if it throws. */
extern const struct ditto_hook_pair ditto_mute_hooks;

/* On entry to a method that the JDK may call in a pause, and on every way out. */
extern const struct ditto_hook_pair ditto_callback_hooks;

/* For calls of clone(); clone_calls.h.  The second and third are given original, copy and site. */
extern const struct ditto_clone_hooks {
    struct ditto_hook before;   /* a clone() that may not be Object's; with the original */
    struct ditto_hook after;    /* of such a one */
    struct ditto_hook copied;   /* after Object's */
    struct ditto_hook answered; /* in code that is not recorded: with what a clone() has answered */
} ditto_clone_hooks;

/* Around an ignored method; with nothing. */
extern const struct ditto_hook_pair ditto_ignore_hooks;

/* Answers its argument. A call hides from HotSpot's monitor analysis that two locks are one object:
 * locking the same local twice makes it refuse to compile the method. */
extern const struct ditto_hook ditto_same_hook;

/* Called with each object that a constructor, and each array that an instruction, has made. */
extern const struct ditto_hook ditto_made_hook;

/* Called with what a method is about to return, by the type of it: I J F D or L. */
const struct ditto_hook *ditto_returned_hook(char type);

/*
 * The hook that is given the value of a load or a store, by the first letter of its type in a
 * descriptor: those that an int stands for share one, as do references.
 */
const struct ditto_hook *ditto_value_hook(bool store, char type);

bool ditto_hook_takes_object(const struct ditto_hook *hook);
bool ditto_hook_takes_site(const struct ditto_hook *hook);

#endif
