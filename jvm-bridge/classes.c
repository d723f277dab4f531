/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "jvm-bridge/calls.h"
#include "jvm-bridge/debug.h"
#include "jvm-bridge/identity.h"
#include "jvm-bridge/ignore.h"
#include "jvm-bridge/inputs.h"
#include "jvm-bridge/instrument.h"
#include "jvm-bridge/loaders.h"
#include "jvm-bridge/regions.h"
#include "jvm-bridge/reserve.h"
#include "jvm-bridge/selection.h"

enum { MOST_SITES = 1 << 24, BUCKETS = 4096 };

/*
 * `lock` guards the numbering of sites and the table of classes.  A site is read without it by the
 * code that carries its number, which cannot run before the class is defined.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_reserve sites;
static int32_t next_site;
static struct ditto_class *classes[BUCKETS];

/* The number of an object's thing; see things.h. */
#define CLONED_FIELD "$ditto"

static struct ditto_selection selection;
static jobject platform_loader;
static jclass hook_class;
static jmethodID class_file_method, find_loaded_method, declared_fields_method;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    ditto_agent_expect(memory, "room for a class");
    return memory;
}

static char *copy(struct ditto_cf_text text)
{
    char *string = zeroed(text.size + 1, 1);
    memcpy(string, text.data, text.size);
    return string;
}

/* "name descriptor" */
static char *member_text(struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    char *string = zeroed(name.size + 1 + descriptor.size + 1, 1);
    memcpy(string, name.data, name.size);
    string[name.size] = ' ';
    memcpy(string + name.size + 1, descriptor.data, descriptor.size);
    return string;
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Proxies are made anew in each run. */
bool ditto_is_of_the_jdk(const char *name)
{
    static const char *const packages[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (begins(name, packages[i]))
            return true;
    return false;
}

/* JDK classes whose monitors order what several threads print. */
static bool orders_output(const char *name)
{
    return strcmp(name, "java/io/PrintStream") == 0 || strcmp(name, "java/lang/Throwable") == 0;
}

/* ---------------------------------------------------------- classes by name */

static struct ditto_class **bucket_of(const char *name)
{
    return &classes[XXH3_64bits(name, strlen(name)) % BUCKETS];
}

/* The class of that name from that very loader, or NULL. */
static struct ditto_class *find_class(const char *name, const char *loader)
{
    pthread_mutex_lock(&lock);
    struct ditto_class *class = *bucket_of(name);
    while (class && (strcmp(class->name, name) || strcmp(class->loader, loader)))
        class = class->next;
    pthread_mutex_unlock(&lock);
    return class;
}

/*
 * The class that a class of that loader means by a name: its loader's own, or the application's, to
 * which loaders delegate, or where there are loaders in between any of that name.
 */
static struct ditto_class *find_seen(const char *name, const char *loader)
{
    struct ditto_class *class = find_class(name, loader);
    if (!class)
        class = find_class(name, "");
    if (class)
        return class;
    pthread_mutex_lock(&lock);
    class = *bucket_of(name);
    while (class && strcmp(class->name, name))
        class = class->next;
    pthread_mutex_unlock(&lock);
    return class;
}

void ditto_class_property(char *text, size_t size, const char *kind, const char *name,
                          const char *loader)
{
    snprintf(text, size, "%s.%s%s%s", kind, name, *loader ? "@" : "", loader);
}

static void describe_members(const struct ditto_cf *cf, struct ditto_class *class)
{
    class->statics = zeroed((size_t)cf->field_count + cf->method_count, sizeof(char *));
    for (uint32_t i = 0; i < (uint32_t)cf->field_count + cf->method_count; i++) {
        const struct ditto_cf_member *member =
            i < cf->field_count ? &cf->fields[i] : &cf->methods[i - cf->field_count];
        struct ditto_cf_text name = ditto_cf_utf8(cf, member->name);
        if (member->access & DITTO_ACC_STATIC)
            class->statics[class->static_count++] =
                member_text(name, ditto_cf_utf8(cf, member->descriptor));
        if (ditto_cf_is(name, "<clinit>"))
            class->has_initializer = true;
        else if (class->is_interface && i >= cf->field_count)
            class->has_defaults |= !(member->access & (DITTO_ACC_STATIC | DITTO_ACC_ABSTRACT));
    }
}

/* The constants of the interfaces follow the three of access, this and super. */
static void describe_interfaces(const struct ditto_cf *cf, struct ditto_class *class)
{
    const uint8_t *at = cf->bytes + cf->pool_end + 6;
    unsigned count = ditto_u2(at);
    class->interfaces = zeroed(count, sizeof(char *));
    for (unsigned i = 0; i < count; i++)
        class->interfaces[class->interface_count++] =
            copy(ditto_cf_class_name(cf, ditto_u2(at + 2 + 2 * i)));
}

/* The recorded initializer of the class, from the property that ditto_class_initializing() wrote.
 */
static void find_initializer(struct ditto_class *class)
{
    char property[1024];
    ditto_class_property(property, sizeof property, "class-init", class->name, class->loader);
    const char *id = ditto_property(ditto_agent.session, property);
    class->initializer = id ? strtoll(id, NULL, 10) : -1;
}

static struct ditto_class *enter_class(const struct ditto_cf *cf, const char *name,
                                       const char *loader)
{
    struct ditto_class *class = find_class(name, loader);
    if (class)
        return class;
    class = zeroed(1, sizeof *class);
    class->loader = loader;
    class->is_interface = cf->access & DITTO_ACC_INTERFACE;
    class->name = strdup(name);
    ditto_agent_expect(class->name &&
                           asprintf(&class->awaited, "the initialization of class %s", name) > 0,
                       "room for a class");
    if (cf->super_class)
        class->super = copy(ditto_cf_class_name(cf, cf->super_class));
    describe_members(cf, class);
    describe_interfaces(cf, class);
    find_initializer(class);
    pthread_mutex_lock(&lock);
    struct ditto_class **bucket = bucket_of(name);
    class->next = *bucket;
    *bucket = class;
    pthread_mutex_unlock(&lock);
    return class;
}

/* -------------------------------------------------------------- instrumenting */

/* A call that is to be replaced. */
struct chosen_call {
    struct chosen_call *next;
    struct ditto_cf_ref ref;
    const struct ditto_call *call;
};

struct load {
    JNIEnv *jni;
    jobject loader;
    const char *name;
    const char *label; /* of the loader */
    struct chosen_call *chosen;
    struct ignored_field *ignored_fields;
    struct ditto_arena arena;
    bool only_monitors;
};

static bool declares(const struct ditto_cf *cf, const struct ditto_cf_ref *ref)
{
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].name), ref->name) &&
            ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].descriptor), ref->descriptor))
            return true;
    return false;
}

unsigned char *ditto_class_file(JNIEnv *jni, jobject loader, const char *name, size_t *size)
{
    char *resource = NULL;
    unsigned char *bytes = NULL;
    if (asprintf(&resource, "%s.class", name) < 0)
        return NULL;
    jstring text = (*jni)->NewStringUTF(jni, resource);
    free(resource);
    jbyteArray array =
        text ? (*jni)->CallStaticObjectMethod(jni, hook_class, class_file_method, loader, text)
             : NULL;
    if (!ditto_agent_clear(jni) && array) {
        jsize length = (*jni)->GetArrayLength(jni, array);
        bytes = zeroed((size_t)length, 1);
        (*jni)->GetByteArrayRegion(jni, array, 0, length, (jbyte *)bytes);
        *size = (size_t)length;
    }
    (*jni)->DeleteLocalRef(jni, array);
    (*jni)->DeleteLocalRef(jni, text);
    return bytes;
}

/* A field that is not recorded. */
struct ignored_field {
    struct ignored_field *next;
    struct ditto_cf_ref ref;
};

/* As choose_calls(): before the class is rewritten, since it may have to look at other classes. */
static void choose_fields(struct load *load, const struct ditto_cf *cf)
{
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        struct ditto_cf_ref ref;
        if (ditto_cf_tag(cf, i) != DITTO_TAG_FIELD || !ditto_cf_ref(cf, i, &ref) ||
            !ditto_is_ignored(load->jni, load->loader, &ref))
            continue;
        struct ignored_field *field = DITTO_NEW(&load->arena, struct ignored_field);
        *field = (struct ignored_field){load->ignored_fields, ref};
        load->ignored_fields = field;
    }
}

/* ------------------------------------------------------------ calls to replace */

/* Whether `owner` is Thread or inherits the method from it. */
static bool is_threads(const struct load *load, const struct ditto_cf *cf,
                       const struct ditto_cf_ref *ref)
{
    enum { DEEPEST = 64 };
    char *owner = copy(ref->owner);
    bool found = false;
    for (int i = 0; i < DEEPEST && !(found = strcmp(owner, "java/lang/Thread") == 0); i++) {
        if (ditto_is_of_the_jdk(owner))
            break;
        bool here = strcmp(owner, load->name) == 0;
        size_t size;
        unsigned char *bytes =
            here ? NULL : ditto_class_file(load->jni, load->loader, owner, &size);
        struct ditto_cf other;
        if (!here && (!bytes || !ditto_cf_open(&other, bytes, size, NULL))) {
            free(bytes);
            break;
        }
        const struct ditto_cf *class = here ? cf : &other;
        bool overrides = declares(class, ref);
        free(owner);
        owner = copy(ditto_cf_class_name(class, class->super_class));
        if (!here)
            ditto_cf_close(&other);
        free(bytes);
        if (overrides)
            break;
    }
    free(owner);
    return found;
}

static void choose_call(struct load *load, const struct ditto_cf *cf, struct ditto_cf_ref ref,
                        bool is_static)
{
    const struct ditto_call *call = ditto_call_find(ref.name, ref.descriptor, is_static);
    if (!call)
        return;
    if (call->owner == DITTO_CALL_THREAD && !is_threads(load, cf, &ref))
        return;
    if (call->owner == DITTO_CALL_TIME_UNIT &&
        !ditto_cf_is(ref.owner, "java/util/concurrent/TimeUnit"))
        return;
    if (call->owner == DITTO_CALL_REFERENCE && !ditto_cf_is(ref.owner, "java/lang/ref/Reference") &&
        !ditto_cf_is(ref.owner, "java/lang/ref/WeakReference") &&
        !ditto_cf_is(ref.owner, "java/lang/ref/SoftReference"))
        return;
    struct chosen_call *chosen = DITTO_NEW(&load->arena, struct chosen_call);
    *chosen = (struct chosen_call){load->chosen, ref, call};
    load->chosen = chosen;
}

/*
 * Chooses the calls to replace before the class is rewritten: looking at other classes runs Java
 * code, which may load further ones, and cannot be done under the lock.
 */
static void choose_calls(struct load *load, const struct ditto_cf *cf)
{
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        struct ditto_cf_ref ref;
        if (ditto_cf_tag(cf, i) != DITTO_TAG_METHOD || !ditto_cf_ref(cf, i, &ref))
            continue;
        choose_call(load, cf, ref, false);
        choose_call(load, cf, ref, true);
    }
}

static const struct ditto_hook *replace_call(void *context, const struct ditto_cf *cf,
                                             uint8_t opcode, const struct ditto_cf_ref *method)
{
    const struct load *load = context;
    (void)cf;
    for (const struct chosen_call *chosen = load->chosen; chosen; chosen = chosen->next) {
        if (chosen->call->is_static != (opcode == DITTO_OP_INVOKESTATIC) ||
            !ditto_cf_same(chosen->ref.owner, method->owner) ||
            !ditto_cf_same(chosen->ref.name, method->name) ||
            !ditto_cf_same(chosen->ref.descriptor, method->descriptor))
            continue;
        /* super.isInterrupted() in a method that overrides it must not come back to that method. */
        if (opcode == DITTO_OP_INVOKESPECIAL && ditto_cf_is(method->name, "isInterrupted"))
            return NULL;
        return &chosen->call->instead;
    }
    return NULL;
}

static bool may_initialize(void *context, const struct ditto_cf *cf, struct ditto_cf_text name)
{
    (void)context;
    (void)cf;
    char *text = copy(name);
    bool of_the_jdk = ditto_is_of_the_jdk(text) || text[0] == '[';
    free(text);
    return !of_the_jdk;
}

static bool include_method(void *context, const struct ditto_cf *cf,
                           const struct ditto_cf_member *method)
{
    const struct load *load = context;
    /* The flags of a class that is loaded already cannot be changed. */
    if (load->only_monitors)
        return !(method->access & DITTO_ACC_SYNCHRONIZED);
    return ditto_selects_method(&selection, ditto_cf_class_name(cf, cf->this_class),
                                ditto_cf_utf8(cf, method->name));
}

static bool ignore_method(void *context, const struct ditto_cf *cf,
                          const struct ditto_cf_member *method)
{
    (void)context;
    return ditto_ignores_method(cf, method);
}

static bool include_field(void *context, const struct ditto_cf *cf,
                          const struct ditto_cf_ref *field)
{
    const struct load *load = context;
    (void)cf;
    for (const struct ignored_field *at = load->ignored_fields; at; at = at->next)
        if (ditto_cf_same(at->ref.owner, field->owner) &&
            ditto_cf_same(at->ref.name, field->name) &&
            ditto_cf_same(at->ref.descriptor, field->descriptor))
            return false;
    return ditto_selects_field(&selection, field->owner, field->name);
}

static void report(void *context, const struct ditto_cf *cf, const struct ditto_cf_member *method,
                   const char *why)
{
    const struct load *load = context;
    if (ditto_agent.replay || load->only_monitors)
        return;
    char *name = method ? copy(ditto_cf_utf8(cf, method->name)) : NULL;
    ditto_agent_say("%s%s%s is not recorded: %s", load->name, name ? "." : "", name ? name : "",
                    why);
    free(name);
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
static char *describe_place(const struct ditto_cf *cf, const struct ditto_site *site)
{
    char *class = copy(ditto_cf_class_name(cf, cf->this_class)), *text = NULL;
    char *method = copy(ditto_cf_utf8(cf, cf->methods[site->method].name));
    bool whole = site->bci == DITTO_SITE_WHOLE_METHOD;
    ditto_agent_expect(
        asprintf(&text, whole ? "%s.%s" : "%s.%s, bytecode %" PRIu32, class, method, site->bci) > 0,
        "room for a class");
    free(class);
    free(method);
    return text;
}

/*
 * Enters the sites of a class in the table.  Under the lock.
 */
static void enter_sites(const struct ditto_cf *cf, const struct ditto_instrumented *result,
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
            to->where = describe_place(cf, from);
        if (from->field == 0)
            continue;
        struct ditto_cf_ref ref;
        if (ditto_cf_ref(cf, from->field, &ref)) {
            to->owner = copy(ref.owner);
            to->member = member_text(ref.name, ref.descriptor);
        } else {
            to->owner = copy(ditto_cf_class_name(cf, from->field));
        }
    }
    next_site += (int32_t)result->site_count;
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
    };
    const char *kind = kinds[site->kind] ? kinds[site->kind] : "something";
    char *text = NULL;
    int length = index >= 0 ? asprintf(&text, "%s %" PRId64 " (%s)", kind, index, site->where)
                 : site->member
                     ? asprintf(&text, "%s %s.%.*s (%s)", kind, site->owner,
                                (int)strcspn(site->member, " "), site->member, site->where)
                     : asprintf(&text, "%s (%s)", kind, site->where);
    ditto_agent_expect(length > 0, "room for a message");
    return text;
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

static void give(const struct ditto_rw_result *class, jint *new_size, unsigned char **new_bytes)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    unsigned char *bytes = NULL;
    (*jvmti)->Allocate(jvmti, (jlong) class->size, &bytes);
    ditto_agent_expect(bytes, "room for a rewritten class");
    memcpy(bytes, class->data, class->size);
    *new_bytes = bytes;
    *new_size = (jint) class->size;
}

static void instrument(struct load *load, const struct ditto_cf *cf, struct ditto_class *class,
                       jint *new_size, unsigned char **new_bytes)
{
    struct ditto_instrument_options options = {
        .context = load,
        .include_method = include_method,
        .ignore_method = load->only_monitors ? NULL : ignore_method,
        .include_field = include_field,
        .report = report,
        .replace_call = load->only_monitors ? NULL : replace_call,
        .may_initialize = ditto_agent.replay && !load->only_monitors ? may_initialize : NULL,
        .class_initializers = !load->only_monitors,
        .clone_field = CLONED_FIELD,
        .values = ditto_agent.verify,
        .for_debugging = ditto_agent.debug && !load->only_monitors,
        .leave_out =
            load->only_monitors ? ~(1u << DITTO_SITE_ACQUIRE | 1u << DITTO_SITE_RELEASE) : 0,
    };
    struct ditto_instrumented result;
    struct ditto_error error;
    jweak loader = load->loader ? (*load->jni)->NewWeakGlobalRef(load->jni, load->loader) : NULL;
    pthread_mutex_lock(&lock);
    options.first_site = next_site;
    enum ditto_instrument_outcome outcome = ditto_instrument(cf, &options, &result, &error);
    if (outcome == DITTO_INSTRUMENT_DONE)
        enter_sites(cf, &result, class, loader);
    pthread_mutex_unlock(&lock);
    if (outcome != DITTO_INSTRUMENT_DONE) {
        if (loader)
            (*load->jni)->DeleteWeakGlobalRef(load->jni, loader);
        return;
    }
    give(&result.class, new_size, new_bytes);
    if (options.for_debugging)
        ditto_debug_class(load->name, cf, &result);
    ditto_instrumented_free(&result);
}

/* Whether the class may call Object.clone(): every class is asked, so this is quick, and may err.
 */
static bool may_clone(const unsigned char *bytes, size_t size)
{
    static const char name[] = "clone";
    return memmem(bytes, size, name, sizeof name - 1) != NULL;
}

static bool include_nothing(void *context, const struct ditto_cf *cf,
                            const struct ditto_cf_member *method)
{
    (void)context;
    (void)cf;
    (void)method;
    return false;
}

/*
 * A class that is not recorded: see clone_field in instrument.h.  Those of the JDK may run before
 * there are hooks; where they call clone() on what they do not know, that is one which calls that
 * of Object by its name.
 */
static void clear_clones(const struct ditto_cf *cf, const char *name, jint *new_size,
                         unsigned char **new_bytes)
{
    const struct ditto_instrument_options options = {.include_method = include_nothing,
                                                     .clone_field = CLONED_FIELD,
                                                     .only_objects_clone =
                                                         !hook_class || ditto_is_of_the_jdk(name)};
    struct ditto_instrumented result;
    struct ditto_error error;
    if (ditto_instrument(cf, &options, &result, &error) != DITTO_INSTRUMENT_DONE)
        return;
    give(&result.class, new_size, new_bytes);
    ditto_instrumented_free(&result);
}

/*
 * Object and Thread, as they load and whenever somebody has them loaded again: the fields of
 * things.h and javathreads.h; and Thread tells when an exception ends a thread.
 */
static void extend(const struct ditto_cf *cf, const char *name, jint *new_size,
                   unsigned char **new_bytes)
{
    enum { PUBLIC = 0x0001, TRANSIENT = 0x0080, SYNTHETIC = 0x1000 };
    struct ditto_rw *rw = ditto_rw_open(cf);
    struct ditto_rw_result result;
    struct ditto_error error;
    bool thread = strcmp(name, "java/lang/Thread") == 0;
    ditto_rw_add_field(rw, PUBLIC | TRANSIENT | SYNTHETIC, thread ? "$dittoThread" : CLONED_FIELD,
                       thread ? "J" : "I");
    if (hook_class)
        ditto_regions_edit(rw, cf, name);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        struct ditto_ed *ed;
        if (thread &&
            ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].name), "dispatchUncaughtException") &&
            (ed = ditto_rw_edit(rw, i, &error)))
            ditto_code_op_u2(ditto_ed_entry(ed), DITTO_OP_INVOKESTATIC,
                             ditto_pool_ref(ditto_rw_pool(rw), DITTO_TAG_METHOD, DITTO_HOOK_CLASS,
                                            "uncaught", "()V"));
    }
    if (ditto_rw_write(rw, &result, &error)) {
        give(&result, new_size, new_bytes);
        ditto_rw_result_free(&result);
    }
    ditto_rw_close(rw);
}

/* A class of the JDK with regions (regions.h). */
static void edit_regions(const struct ditto_cf *cf, const char *name, jint *new_size,
                         unsigned char **new_bytes)
{
    struct ditto_rw *rw = ditto_rw_open(cf);
    struct ditto_rw_result result;
    struct ditto_error error;
    ditto_regions_edit(rw, cf, name);
    if (ditto_rw_write(rw, &result, &error)) {
        give(&result, new_size, new_bytes);
        ditto_rw_result_free(&result);
    }
    ditto_rw_close(rw);
}

/* What the collector decides is not recorded, but for Reference.get: whoever uses it is named. */
static void note_limits(const struct ditto_cf *cf, const char *name)
{
    static const char *const of_the_collector[] = {
        "java/lang/ref/WeakReference",    "java/lang/ref/SoftReference",
        "java/lang/ref/PhantomReference", "java/lang/ref/ReferenceQueue",
        "java/lang/ref/Cleaner",          "java/util/WeakHashMap"};
    char property[1100], text[1200];
    if (ditto_agent.replay)
        return;
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        if (ditto_cf_tag(cf, i) != DITTO_TAG_CLASS)
            continue;
        for (size_t j = 0; j < sizeof of_the_collector / sizeof *of_the_collector; j++) {
            if (!ditto_cf_is(ditto_cf_class_name(cf, i), of_the_collector[j]))
                continue;
            snprintf(property, sizeof property, "limit.%s.%s", name, of_the_collector[j]);
            snprintf(text, sizeof text,
                     "class %s uses %s: what the garbage collector does to it is not recorded",
                     name, of_the_collector[j]);
            ditto_set_property(ditto_agent.session, property, text);
        }
    }
    for (uint32_t i = 0; i < cf->method_count; i++) {
        if (!ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].name), "finalize") ||
            !ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].descriptor), "()V"))
            continue;
        snprintf(property, sizeof property, "limit.%s.finalize", name);
        snprintf(text, sizeof text, "class %s has a finalizer: when it runs is not recorded", name);
        ditto_set_property(ditto_agent.session, property, text);
    }
}

static void load_class(JNIEnv *jni, jclass redefined, jobject loader, const char *name, jint size,
                       const unsigned char *bytes, jint *new_size, unsigned char **new_bytes)
{
    struct load load = {.jni = jni, .loader = loader, .name = name};
    struct ditto_error error;
    struct ditto_cf cf;
    bool extended = strcmp(name, "java/lang/Thread") == 0 || strcmp(name, "java/lang/Object") == 0;
    bool has_regions = hook_class && ditto_has_regions(name);
    /* Before VMInit there are no hooks to call, and no program. */
    load.only_monitors = hook_class && redefined && orders_output(name);
    bool application = hook_class && !redefined && loader && !ditto_is_of_the_jdk(name) &&
                       !(*jni)->IsSameObject(jni, loader, platform_loader);
    if (!load.only_monitors && !extended && !application && !has_regions &&
        !may_clone(bytes, (size_t)size))
        return;
    if (!ditto_cf_open(&cf, bytes, (size_t)size, &error)) {
        if (!ditto_agent.replay && application)
            ditto_agent_say("class %s is not recorded: %s", name, error.text);
        return;
    }
    if (extended) {
        extend(&cf, name, new_size, new_bytes);
    } else if (has_regions) {
        edit_regions(&cf, name, new_size, new_bytes);
    } else if (load.only_monitors) {
        instrument(&load, &cf, NULL, new_size, new_bytes);
    } else if (application &&
               ditto_selects_class(&selection, ditto_cf_class_name(&cf, cf.this_class))) {
        ditto_enter_ignored(&cf, name);
        load.label = ditto_loader_label(jni, loader);
        struct ditto_class *class = NULL;
        if (!ditto_ignores_class(&cf)) {
            ditto_check_identity(jni, loader, name, load.label, &cf);
            note_limits(&cf, name);
            class = enter_class(&cf, name, load.label);
            choose_calls(&load, &cf);
            choose_fields(&load, &cf);
        }
        instrument(&load, &cf, class, new_size, new_bytes);
        ditto_arena_free(&load.arena);
    } else {
        clear_clones(&cf, name, new_size, new_bytes);
    }
    ditto_cf_close(&cf);
}

void JNICALL ditto_class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                 const char *name, jobject domain, jint size,
                                 const unsigned char *bytes, jint *new_size,
                                 unsigned char **new_bytes)
{
    (void)jvmti;
    (void)domain;
    if (!name)
        return;
    /* Other classes may have to be read. */
    ditto_quiet_begin();
    load_class(jni, redefined, loader, name, size, bytes, new_size, new_bytes);
    ditto_quiet_end();
}

/* Whether a class that was loaded before there were hooks has to be loaded again. */
static bool is_wanted_again(const char *signature)
{
    char name[256];
    size_t length = strlen(signature);
    if (signature[0] != 'L' || length - 2 >= sizeof name)
        return false;
    memcpy(name, signature + 1, length - 2);
    name[length - 2] = '\0';
    return orders_output(name) || ditto_has_regions(name) ||
           begins(name, "java/util/ImmutableCollections$");
}

static void retransform_loaded(JNIEnv *jni)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jclass *loaded = NULL;
    jint count = 0, wanted = 0;
    (*jvmti)->GetLoadedClasses(jvmti, &count, &loaded);
    for (jint i = 0; i < count; i++) {
        char *signature = NULL;
        (*jvmti)->GetClassSignature(jvmti, loaded[i], &signature, NULL);
        if (signature && is_wanted_again(signature))
            loaded[wanted++] = loaded[i];
        else
            (*jni)->DeleteLocalRef(jni, loaded[i]);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    }
    jvmtiError error =
        wanted ? (*jvmti)->RetransformClasses(jvmti, wanted, loaded) : JVMTI_ERROR_INVALID_CLASS;
    for (jint i = 0; i < wanted; i++)
        (*jni)->DeleteLocalRef(jni, loaded[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)loaded);
    if (error != JVMTI_ERROR_NONE)
        ditto_agent_refuse("this JVM does not let java.io.PrintStream be rewritten (JVMTI error "
                           "%d); use JDK 17 or 25",
                           error);
}

void ditto_classes_open(void)
{
    ditto_reserve_open(&sites, (size_t)MOST_SITES * sizeof(struct ditto_site_info),
                       "places in its code to record");
}

void ditto_classes_begin(JNIEnv *jni, jclass hooks)
{
    const struct ditto_agent *agent = &ditto_agent;
    bool replay = agent->replay;
    selection.include = replay ? ditto_property(agent->session, "include") : agent->options.include;
    selection.exclude = replay ? ditto_property(agent->session, "exclude") : agent->options.exclude;
    jclass loader = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jmethodID platform = (*jni)->GetStaticMethodID(jni, loader, "getPlatformClassLoader",
                                                   "()Ljava/lang/ClassLoader;");
    jobject object = (*jni)->CallStaticObjectMethod(jni, loader, platform);
    bool failed = ditto_agent_clear(jni);
    platform_loader = failed ? NULL : (*jni)->NewGlobalRef(jni, object);
    find_loaded_method = (*jni)->GetMethodID(jni, loader, "findLoadedClass0",
                                             "(Ljava/lang/String;)Ljava/lang/Class;");
    class_file_method = (*jni)->GetStaticMethodID(jni, hooks, "classFile",
                                                  "(Ljava/lang/ClassLoader;Ljava/lang/String;)[B");
    jclass class = (*jni)->FindClass(jni, "java/lang/Class");
    declared_fields_method =
        (*jni)->GetMethodID(jni, class, "getDeclaredFields", "()[Ljava/lang/reflect/Field;");
    failed = ditto_agent_clear(jni) || failed;
    ditto_agent_expect(!failed && platform_loader && find_loaded_method && class_file_method &&
                           declared_fields_method,
                       "the class loaders of java.base");
    (*jni)->DeleteLocalRef(jni, class);
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    (*jni)->DeleteLocalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, loader);
    ditto_loaders_begin(jni);
    retransform_loaded(jni);
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

/* ------------------------------------------------------------- initialization */

/* The class that declares a static member, looked for as the JVM does. */
static struct ditto_class *declaring(struct ditto_class *class, const char *member)
{
    if (!class)
        return NULL;
    for (unsigned i = 0; i < class->static_count; i++)
        if (strcmp(class->statics[i], member) == 0)
            return class;
    for (unsigned i = 0; i < class->interface_count; i++) {
        struct ditto_class *found =
            declaring(find_seen(class->interfaces[i], class->loader), member);
        if (found)
            return found;
    }
    return class->super ? declaring(find_seen(class->super, class->loader), member) : NULL;
}

/* Waits for who initializes the class itself, unless it is the thread.  True if that is over. */
static bool await_class(struct ditto_thread *thread, struct ditto_class *class)
{
    if (!class->has_initializer)
        return true;
    if (class->initializer >= 0 && class->initializer != (int64_t)ditto_replay_id(thread))
        ditto_flag_wait(thread, &class->initialized, class->awaited);
    return atomic_load_explicit(&class->initialized.raised, memory_order_acquire);
}

/* The interfaces that are initialized with a class: those with methods that it inherits. */
static bool await_interfaces(struct ditto_thread *thread, const struct ditto_class *class)
{
    bool over = true;
    for (unsigned i = 0; i < class->interface_count; i++) {
        struct ditto_class *interface = find_seen(class->interfaces[i], class->loader);
        if (!interface)
            continue;
        over = await_interfaces(thread, interface) && over;
        if (interface->has_defaults)
            over = await_class(thread, interface) && over;
    }
    return over;
}

bool ditto_class_await(JNIEnv *jni, struct ditto_thread *thread, jclass owner,
                       const struct ditto_site_info *site)
{
    jobject loader = NULL;
    bool over = true;
    (*ditto_agent.jvmti)->GetClassLoader(ditto_agent.jvmti, owner, &loader);
    struct ditto_class *class = find_seen(site->owner, ditto_loader_label(jni, loader));
    (*jni)->DeleteLocalRef(jni, loader);
    if (site->member)
        class = declaring(class, site->member);
    /* An interface does not bring its superinterfaces along. */
    if (class && class->is_interface)
        return await_class(thread, class);
    for (; class; class = class->super ? find_seen(class->super, class->loader) : NULL) {
        over = await_interfaces(thread, class) && over;
        over = await_class(thread, class) && over;
    }
    return over;
}

void ditto_class_initializing(struct ditto_thread *thread, struct ditto_class *class)
{
    char text[1200];
    if (!ditto_agent.replay) {
        char id[16];
        ditto_class_property(text, sizeof text, "class-init", class->name, class->loader);
        snprintf(id, sizeof id, "%" PRIu32, ditto_replay_id(thread));
        ditto_set_property(ditto_agent.session, text, id);
    } else if (class->initializer >= 0 && class->initializer != (int64_t)ditto_replay_id(thread)) {
        snprintf(text, sizeof text,
                 "expected thread %" PRId64 " to initialize class %s, found this one doing it",
                 class->initializer, class->name);
        ditto_left_trace(thread, text);
    }
}

void ditto_class_initialized(struct ditto_class *class)
{
    if (ditto_agent.replay)
        ditto_flag_raise(ditto_agent.session, &class->initialized);
}
