/* SPDX-License-Identifier: MIT */
/*
 * Sites: the places in rewritten code that call hooks.  Each has a number, which the code hands to
 * the hook, and here stands what the number means.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_SITES_H
#define DITTO_JVM_BRIDGE_CLASSES_SITES_H

#include <jni.h>
#include <stdatomic.h>
#include <stdint.h>

struct ditto_cf;
struct ditto_class;
struct ditto_instrumented;

struct ditto_site_info {
    uint8_t kind;
    uint32_t digest;        /* what of it is the same in record and replay */
    char *where;            /* with --verify: class, method, bytecode index, for messages */
    struct ditto_class *in; /* whose code it is in; NULL: that of output streams */
    jweak loader;           /* of that class; NULL: the boot loader */
    char *owner;            /* the class that the code names, for fields and at INIT sites */
    char *member;           /* "name descriptor"; NULL for `new` */
    _Atomic int32_t field;  /* of a field's site: its number + 1, 0: not known yet */
    /* For DittoHooks.java.  Of a field's site: where its place is in the state of an object; of a
     * static's: its place; 0: not known yet. */
    _Atomic uintptr_t quick;
};

/* Before the first class, and at VMInit. */
void ditto_sites_open(void);
void ditto_sites_begin(JNIEnv *jni);

/*
 * Around the rewriting of a class, which numbers its sites from what the first call answers on; one
 * class at a time.  The second call enters them, unless `result` is NULL: then there are none.
 * `loader` is the class's, kept.
 */
int32_t ditto_sites_first(void);
void ditto_sites_enter(const struct ditto_cf *cf, const struct ditto_instrumented *result,
                       struct ditto_class *class, jweak loader);

struct ditto_site_info *ditto_site_at(jint site);

/* The digest of an access to an array's element, from its site's. */
static inline uint32_t ditto_element_digest(uint32_t digest, uint32_t index)
{
    return digest ^ index * 0x9e3779b1u;
}

/* With --verify: "a load of Main.count (com/acme/Main.run, bytecode 17)" for a digest, or NULL if
 * no site has it.  To be freed. */
char *ditto_digest_words(uint32_t digest);

/* The class of that name as the code at the site sees it; a local reference, NULL if not loaded. */
jclass ditto_site_find_class(JNIEnv *jni, const struct ditto_site_info *site);

#endif
