/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/identity.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "jvm-bridge/classes/class_bytes.h"
#include "jvm-bridge/classes/loaders.h"
#include "jvm-bridge/instrument/ignored.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/say.h"

/* What of a class is ignored.  There is one for each name that was asked for; not changed any more
 * once it is in the map, and never freed. */
struct ignored {
    char *name, *super;
    bool whole;
    char **members; /* "name descriptor" */
    unsigned member_count;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_map ignored_classes; /* by name; guarded by the lock */

static struct ignored *find_ignored(const char *name)
{
    pthread_mutex_lock(&lock);
    struct ignored *ignored = ditto_map_get(&ignored_classes, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return ignored;
}

static void add_ignored_members(struct ignored *ignored, const struct ditto_cf *cf)
{
    if (!ditto_has_ignored(cf))
        return;
    ignored->whole = ditto_ignores_class(cf);
    ignored->members = ditto_alloc_zeroed((size_t)cf->field_count + cf->method_count,
                                          sizeof(char *), "the members of a class");
    for (uint32_t i = 0; i < (uint32_t)cf->field_count + cf->method_count; i++) {
        bool is_field = i < cf->field_count;
        const struct ditto_cf_member *member =
            is_field ? &cf->fields[i] : &cf->methods[i - cf->field_count];
        if (is_field ? ditto_ignores_field(cf, member) : ditto_ignores_method(cf, member))
            ignored->members[ignored->member_count++] = ditto_member_text(
                ditto_cf_utf8(cf, member->name), ditto_cf_utf8(cf, member->descriptor));
    }
}

/* `cf` may be NULL: nothing of the class is known, and so nothing is ignored. */
static struct ignored *enter_ignored(const struct ditto_cf *cf, const char *name)
{
    struct ignored *ignored = ditto_alloc_zeroed(1, sizeof *ignored, "a class");
    ignored->name = ditto_copy_text(name, "the name of a class");
    if (cf) {
        if (cf->super_class)
            ignored->super = ditto_text_copy(ditto_cf_class_name(cf, cf->super_class));
        add_ignored_members(ignored, cf);
    }
    pthread_mutex_lock(&lock);
    /* Another thread may have been quicker: what it has found stays with whoever has it. */
    ditto_map_put(&ignored_classes, ignored->name, strlen(name), ignored);
    pthread_mutex_unlock(&lock);
    return ignored;
}

void ditto_enter_ignored(const struct ditto_cf *cf, const char *name)
{
    if (!find_ignored(name))
        enter_ignored(cf, name);
}

/* What of the class is ignored, from its file if it has not been seen yet. */
static struct ignored *learn_ignored(JNIEnv *jni, jobject loader, const char *name)
{
    struct ignored *ignored = find_ignored(name);
    struct ditto_cf cf;
    size_t size = 0;
    if (ignored)
        return ignored;
    unsigned char *bytes =
        ditto_is_of_the_jdk(name) ? NULL : ditto_class_file(jni, loader, name, &size);
    bool open = bytes && ditto_cf_open(&cf, bytes, size, NULL);
    ignored = enter_ignored(open ? &cf : NULL, name);
    if (open)
        ditto_cf_close(&cf);
    free(bytes);
    return ignored;
}

bool ditto_is_ignored(JNIEnv *jni, jobject loader, const struct ditto_cf_ref *ref)
{
    enum { DEEPEST = 64 };
    char *owner = ditto_text_copy(ref->owner),
         *member = ditto_member_text(ref->name, ref->descriptor);
    const struct ignored *ignored = owner[0] == '[' ? NULL : learn_ignored(jni, loader, owner);
    bool found = false;
    for (int depth = 0; ignored && !found && depth < DEEPEST; depth++) {
        found = ignored->whole;
        for (unsigned i = 0; i < ignored->member_count && !found; i++)
            found = strcmp(ignored->members[i], member) == 0;
        ignored = ignored->super ? learn_ignored(jni, loader, ignored->super) : NULL;
    }
    free(owner);
    free(member);
    return found;
}

/* Who asks for a class. */
struct asker {
    JNIEnv *jni;
    jobject loader;
};

static bool is_ignored_call(void *context, const struct ditto_cf_ref *method)
{
    const struct asker *asker = context;
    return ditto_is_ignored(asker->jni, asker->loader, method);
}

/* The hash of what matters of the class, with a '+' if something was left out; "" if it is damaged.
 */
static void hash_essence(struct asker *asker, const struct ditto_cf *cf, char hash[32])
{
    struct ditto_buf essence = {0};
    bool left_out;
    bool good = ditto_class_essence(cf, is_ignored_call, asker, &essence, &left_out);
    snprintf(hash, 32, "%016" PRIx64 "%s", (uint64_t)XXH3_64bits(essence.data, essence.size),
             left_out ? "+" : "");
    if (!good)
        hash[0] = '\0';
    ditto_buf_free(&essence);
}

/*
 * Whether a class whose file has changed does nothing else that is recorded.  That is so if its
 * essence is the same.  Something ignored must have been there to leave out, now or then: other
 * changes are nobody's declared intent.
 */
static bool is_same_but_for_ignored(struct asker *asker, const char *name, const char *label,
                                    const struct ditto_cf *cf)
{
    char property[1024], hash[32];
    ditto_class_property(property, sizeof property, "class-code", name, label);
    const char *recorded = ditto_property(ditto_agent.session, property);
    hash_essence(asker, cf, hash);
    return recorded && hash[0] && strncmp(recorded, hash, 16) == 0 &&
           (strchr(hash, '+') || strchr(recorded, '+'));
}

void ditto_check_identity(JNIEnv *jni, jobject loader, const char *name, const char *label,
                          const struct ditto_cf *cf)
{
    struct asker asker = {jni, loader};
    char property[1024], hash[32];
    ditto_class_property(property, sizeof property, "class", name, label);
    snprintf(hash, sizeof hash, "%016" PRIx64, (uint64_t)XXH3_64bits(cf->bytes, cf->size));
    if (!ditto_agent.replay) {
        ditto_set_property(ditto_agent.session, property, hash);
        ditto_class_property(property, sizeof property, "class-code", name, label);
        hash_essence(&asker, cf, hash);
        ditto_set_property(ditto_agent.session, property, hash);
        return;
    }
    const char *recorded = ditto_property(ditto_agent.session, property);
    if (recorded && strcmp(recorded, hash) && !is_same_but_for_ignored(&asker, name, label, cf))
        ditto_agent_refuse("%s: class %s is not the one that was recorded; restore its class file, "
                           "or record again",
                           ditto_agent.options.trace, name);
}

static void note_paths(const char *system_property, unsigned *count)
{
    char *value = NULL, *rest, name[32];
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    if ((*jvmti)->GetSystemProperty(jvmti, system_property, &value) != JVMTI_ERROR_NONE)
        return;
    for (char *path = strtok_r(value, ":", &rest); path; path = strtok_r(NULL, ":", &rest)) {
        if (access(path, F_OK))
            continue;
        snprintf(name, sizeof name, "class-path.%u", ++*count);
        ditto_set_property(ditto_agent.session, name, path);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)value);
}

void ditto_check_paths(void)
{
    unsigned count = 0;
    const char *path;
    char name[32];
    if (!ditto_agent.replay) {
        note_paths("java.class.path", &count);
        note_paths("jdk.module.path", &count);
        return;
    }
    for (;;) {
        snprintf(name, sizeof name, "class-path.%u", ++count);
        if (!(path = ditto_property(ditto_agent.session, name)))
            return;
        if (access(path, F_OK))
            ditto_agent_refuse("%s: the recorded program had classes in '%s', which is not there; "
                               "put them back, or record again",
                               ditto_agent.options.trace, path);
    }
}
