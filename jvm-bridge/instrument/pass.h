/* SPDX-License-Identifier: MIT */
/* The state of the instrumenting pass (instrument.h), and what its parts all do: number a site,
 * call a hook. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_PASS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_PASS_H

#include "jvm-bridge/classfile/rewrite.h"
#include "jvm-bridge/instrument/access_guards.h"
#include "jvm-bridge/instrument/instrument_options.h"

/* A method that was added to the class for calls of the method with that constant. */
struct ditto_added_atomic {
    struct ditto_added_atomic *next;
    uint32_t called;
    uint16_t added;
};

/* A hook whose constant the class has got. */
struct ditto_known_hook {
    const struct ditto_hook *hook;
    const char *class_name;
    uint16_t method;
};
enum { DITTO_KNOWN_HOOKS = 32 };

struct ditto_pass {
    const struct ditto_cf *cf;
    const struct ditto_instrument_options *options;
    const char *hook_class, *site_class, *call_class;
    struct ditto_rw *rw;
    struct ditto_buf sites;
    uint32_t site_count;
    struct ditto_added_atomic *atomics;
    unsigned atomic_count;
    uint8_t *traits; /* of methods that are called, by constant: see call_sites.c */
    struct ditto_known_hook known_hooks[DITTO_KNOWN_HOOKS];
    unsigned known_hook_count;
};

/* What is known about the method at hand. */
struct ditto_method_pass {
    struct ditto_pass *pass;
    uint32_t number;
    struct ditto_ed *ed;
    struct ditto_guards guards, mutings;
    bool constructor;
    bool initializer;
    bool called_back;
    const struct ditto_pause *pause;
    enum { DITTO_BUILDERS_UNKNOWN, DITTO_BUILDERS_STAY, DITTO_BUILDERS_MAY_LEAVE } builders;
    bool edited;
};

/* Whether sites of that kind get hooks. */
bool ditto_pass_wants(const struct ditto_pass *pass, enum ditto_site_kind kind);

/* The next id; `context` is the method's pass.  `field` is as in struct ditto_site. */
int32_t ditto_pass_site(void *context, enum ditto_site_kind kind, uint32_t bci, uint32_t field);

/* The constant of a hook that is in a table, by its place there: a class calls a few ones often. */
uint16_t ditto_pass_hook(struct ditto_pass *pass, const char *class_name,
                         const struct ditto_hook *hook);

/* Calls a hook of a site, with the site if it takes one; what else it takes is on the stack. */
void ditto_pass_call(void *context, struct ditto_snippet *code, const struct ditto_hook *hook,
                     int32_t site);

#endif
