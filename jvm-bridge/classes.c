/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/calls.h"
#include "jvm-bridge/debug.h"
#include "jvm-bridge/identity.h"
#include "jvm-bridge/ignore.h"
#include "jvm-bridge/inputs.h"
#include "jvm-bridge/instrument.h"
#include "jvm-bridge/loaders.h"
#include "jvm-bridge/regions.h"
#include "jvm-bridge/selection.h"
#include "jvm-bridge/sites.h"
#include "jvm-bridge/texts.h"

/* The number of an object's thing; see things.h. */
#define CLONED_FIELD "$ditto"

static struct ditto_selection selection;
static jobject platform_loader;
static jclass hook_class;
static jmethodID class_file_method;

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
        bytes = ditto_zeroed((size_t)length, 1);
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
    char *owner = ditto_text_copy(ref->owner);
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
        owner = ditto_text_copy(ditto_cf_class_name(class, class->super_class));
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
    char *text = ditto_text_copy(name);
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
    char *name = method ? ditto_text_copy(ditto_cf_utf8(cf, method->name)) : NULL;
    ditto_agent_say("%s%s%s is not recorded: %s", load->name, name ? "." : "", name ? name : "",
                    why);
    free(name);
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

static void give_edited(struct ditto_rw *rw, jint *new_size, unsigned char **new_bytes)
{
    struct ditto_rw_result result;
    struct ditto_error error;
    if (ditto_rw_write(rw, &result, &error)) {
        give(&result, new_size, new_bytes);
        ditto_rw_result_free(&result);
    }
    ditto_rw_close(rw);
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
    options.first_site = ditto_sites_first();
    enum ditto_instrument_outcome outcome = ditto_instrument(cf, &options, &result, &error);
    ditto_sites_enter(cf, outcome == DITTO_INSTRUMENT_DONE ? &result : NULL, class, loader);
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
    give_edited(rw, new_size, new_bytes);
}

/* A class of the JDK with regions (regions.h). */
static void edit_regions(const struct ditto_cf *cf, const char *name, jint *new_size,
                         unsigned char **new_bytes)
{
    struct ditto_rw *rw = ditto_rw_open(cf);
    ditto_regions_edit(rw, cf, name);
    give_edited(rw, new_size, new_bytes);
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
            class = ditto_class_enter(&cf, name, load.label);
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
    class_file_method = (*jni)->GetStaticMethodID(jni, hooks, "classFile",
                                                  "(Ljava/lang/ClassLoader;Ljava/lang/String;)[B");
    failed = ditto_agent_clear(jni) || failed;
    ditto_agent_expect(!failed && platform_loader && class_file_method,
                       "the class loaders of java.base");
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    (*jni)->DeleteLocalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, loader);
    ditto_loaders_begin(jni);
    ditto_sites_begin(jni);
    retransform_loaded(jni);
}
