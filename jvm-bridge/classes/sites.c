/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/sites.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/base/die.h"
#include "jvm-bridge/instrument/ignored.h"
#include "jvm-bridge/instrument/instrument.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/reserve.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

enum { MOST_SITES = 1 << 24 };

/*
 * Guards the numbering.  A site is read without it by the code that carries its number, which
 * cannot run before the class is defined.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_reserve sites;
static int32_t next_site;
static jmethodID find_loaded_method, declared_fields_method;

void ditto_sites_open(void)
{
    ditto_reserve_open(&sites, (size_t)MOST_SITES * sizeof(struct ditto_site_info),
                       "places in its code to record");
}

void ditto_sites_begin(JNIEnv *jni)
{
    jclass loader = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jclass class = (*jni)->FindClass(jni, "java/lang/Class");
    if (loader && class) {
        find_loaded_method = (*jni)->GetMethodID(jni, loader, "findLoadedClass0",
                                                 "(Ljava/lang/String;)Ljava/lang/Class;");
        declared_fields_method =
            (*jni)->GetMethodID(jni, class, "getDeclaredFields", "()[Ljava/lang/reflect/Field;");
    }
    ditto_agent_expect(!ditto_agent_clear(jni) && find_loaded_method && declared_fields_method,
                       "the class loaders of java.base");
    (*jni)->DeleteLocalRef(jni, class);
    (*jni)->DeleteLocalRef(jni, loader);
}

struct ditto_site_info *ditto_site_at(jint site)
{
    return (struct ditto_site_info *)sites.base + site;
}

/*
 * What says kind and place: class, method, and the site's number in it.  Not the number of the
 * method, because when a class is loaded again the JVM makes its bytes anew, and the methods come
 * in any order; nor the bytecode index, which ignored code may change, as it may the number.
 */
static uint32_t site_digest(const struct ditto_cf *cf, const struct ditto_site *site,
                            uint32_t number)
{
    const struct ditto_cf_member *method = &cf->methods[site->method];
    struct ditto_cf_text texts[] = {ditto_cf_class_name(cf, cf->this_class),
                                    ditto_cf_utf8(cf, method->name),
                                    ditto_cf_utf8(cf, method->descriptor)};
    uint32_t where[] = {site->kind, number, 0};
    uint64_t hash = 0;
    if (ditto_is_lambda(cf, texts[1], &texts[1], &where[2]))
        where[2]++;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash = XXH3_64bits_withSeed(texts[i].data, texts[i].size, hash);
    return (uint32_t)XXH3_64bits_withSeed(where, sizeof where, hash);
}

/* "com/acme/Main.run, bytecode 17", for messages of --verify. */
static char *describe_location(const struct ditto_cf *cf, const struct ditto_site *site)
{
    char *class = ditto_text_copy(ditto_cf_class_name(cf, cf->this_class));
    char *method = ditto_text_copy(ditto_cf_utf8(cf, cf->methods[site->method].name));
    bool whole = site->bci == DITTO_SITE_WHOLE_METHOD;
    char *text = whole ? ditto_format("%s.%s", class, method)
                       : ditto_format("%s.%s, bytecode %" PRIu32, class, method, site->bci);
    free(class);
    free(method);
    return text;
}

int32_t ditto_sites_first(void)
{
    pthread_mutex_lock(&lock);
    return next_site;
}

/* Under the lock. */
static void enter(const struct ditto_cf *cf, const struct ditto_instrumented *result,
                  struct ditto_class *class, jweak loader)
{
    ditto_reserve_use(&sites,
                      ((size_t)next_site + result->site_count) * sizeof(struct ditto_site_info));
    uint32_t number = 0; /* of the site in its method, without those that only a replay has */
    for (uint32_t i = 0; i < result->site_count; i++) {
        const struct ditto_site *from = &result->sites[i];
        if (i == 0 || from->method != from[-1].method)
            number = 0;
        number += from->kind != DITTO_SITE_INIT;
        int32_t id = next_site + (int32_t)i;
        struct ditto_site_info *to = ditto_site_at(id);
        to->kind = (uint8_t)from->kind;
        to->digest = site_digest(cf, from, number);
        to->in = class;
        to->loader = loader;
        if (ditto_agent.verify)
            to->where = describe_location(cf, from);
        if (from->field == 0)
            continue;
        struct ditto_cf_ref ref;
        if (ditto_cf_ref(cf, from->field, &ref)) {
            to->owner = ditto_text_copy(ref.owner);
            to->member = ditto_member_text(ref.name, ref.descriptor);
        } else {
            to->owner = ditto_text_copy(ditto_cf_class_name(cf, from->field));
        }
    }
    next_site += (int32_t)result->site_count;
}

void ditto_sites_enter(const struct ditto_cf *cf, const struct ditto_instrumented *result,
                       struct ditto_class *class, jweak loader)
{
    if (result)
        enter(cf, result, class, loader);
    pthread_mutex_unlock(&lock);
}

static char *site_words(const struct ditto_site_info *site, int64_t index)
{
    static const char *const kinds[DITTO_SITE_KINDS] = {
        [DITTO_SITE_LOAD] = "a load of",
        [DITTO_SITE_STORE] = "a store to",
        [DITTO_SITE_STATIC_LOAD] = "a load of",
        [DITTO_SITE_STATIC_STORE] = "a store to",
        [DITTO_SITE_ARRAY_LOAD] = "a load of element",
        [DITTO_SITE_ARRAY_STORE] = "a store to element",
        [DITTO_SITE_ACQUIRE] = "an acquisition",
        [DITTO_SITE_RAW_LOAD] = "a load by Unsafe",
        [DITTO_SITE_RAW_STORE] = "a store by Unsafe",
        [DITTO_SITE_RAW_UPDATE] = "a compare-and-set by Unsafe",
        [DITTO_SITE_VAR_LOAD] = "a load by a VarHandle",
        [DITTO_SITE_VAR_STORE] = "a store by a VarHandle",
        [DITTO_SITE_VAR_UPDATE] = "a compare-and-set by a VarHandle",
        [DITTO_SITE_COPY] = "a load for a copy",
        [DITTO_SITE_TEXT_LOAD] = "a load of a StringBuilder",
        [DITTO_SITE_TEXT_STORE] = "a store to a StringBuilder",
    };
    const char *kind = kinds[site->kind] ? kinds[site->kind] : "something";
    return index >= 0     ? ditto_format("%s %" PRId64 " (%s)", kind, index, site->where)
           : site->member ? ditto_format("%s %s.%.*s (%s)", kind, site->owner,
                                         (int)strcspn(site->member, " "), site->member, site->where)
                          : ditto_format("%s (%s)", kind, site->where);
}

/*
 * A digest of an array access has the index in it, ditto_element_digest(): of all indexes that a
 * site could have had, one that is likely.
 */
char *ditto_digest_words(uint32_t digest)
{
    enum { LIKELY = 1 << 16 };
    char *text = NULL;
    pthread_mutex_lock(&lock);
    for (int32_t id = 0; id < next_site && !text; id++) {
        const struct ditto_site_info *site = ditto_site_at(id);
        bool array = site->kind == DITTO_SITE_ARRAY_LOAD || site->kind == DITTO_SITE_ARRAY_STORE;
        if (!array && site->digest == digest)
            text = site_words(site, -1);
    }
    for (int32_t id = 0; id < next_site && !text; id++) {
        const struct ditto_site_info *site = ditto_site_at(id);
        bool array = site->kind == DITTO_SITE_ARRAY_LOAD || site->kind == DITTO_SITE_ARRAY_STORE;
        for (uint32_t index = 0; array && !text && index < LIKELY; index++)
            if (ditto_element_digest(site->digest, index) == digest)
                text = site_words(site, index);
    }
    pthread_mutex_unlock(&lock);
    return text;
}

/*
 * A class that code has only named on the way to an inherited static may be loaded and no more, and
 * JVMTI tells nothing of its members before it is linked.  Reflection links it without initializing
 * it.
 */
static jclass linked(JNIEnv *jni, jclass class)
{
    jint status = 0;
    if (!class ||
        (*ditto_agent.jvmti)->GetClassStatus(ditto_agent.jvmti, class, &status) !=
            JVMTI_ERROR_NONE ||
        status & (JVMTI_CLASS_STATUS_PREPARED | JVMTI_CLASS_STATUS_ARRAY))
        return class;
    (*jni)->DeleteLocalRef(jni, (*jni)->CallObjectMethod(jni, class, declared_fields_method));
    ditto_agent_clear(jni);
    return class;
}

jclass ditto_site_find_class(JNIEnv *jni, const struct ditto_site_info *site)
{
    if (ditto_is_of_the_jdk(site->owner)) {
        jclass class = (*jni)->FindClass(jni, site->owner);
        if (!ditto_agent_clear(jni) && class)
            return class;
    }
    jobject loader = site->loader ? (*jni)->NewLocalRef(jni, site->loader) : NULL;
    jstring name = (*jni)->NewStringUTF(jni, site->owner);
    jclass class =
        loader && name ? (*jni)->CallObjectMethod(jni, loader, find_loaded_method, name) : NULL;
    if (ditto_agent_clear(jni))
        class = NULL;
    (*jni)->DeleteLocalRef(jni, name);
    (*jni)->DeleteLocalRef(jni, loader);
    return linked(jni, class);
}
