/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/text.h"
#include "jvm-bridge/classes/chosen_calls.h"
#include "jvm-bridge/classes/class_bytes.h"
#include "jvm-bridge/classes/identity.h"
#include "jvm-bridge/classes/initialization.h"
#include "jvm-bridge/classes/jdk_image.h"
#include "jvm-bridge/classes/loaders.h"
#include "jvm-bridge/classes/recorded.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/classes/value_methods.h"
#include "jvm-bridge/instrument/ignored.h"
#include "jvm-bridge/instrument/instrument.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"

/* The number of an object's shadow; see shadow.h. */
#define CLONED_FIELD "$ditto"

/* Whose code sites in the library are in. */
static struct ditto_class library_class = {.name = "java.util"};
/* VMInit has come to where classes of the program can be looked at; set once, there. */
static bool begun;

/* -------------------------------------------------------------- instrumenting */

struct load {
    JNIEnv *jni;
    jobject loader;
    const char *name;
    const char *label; /* of the loader */
    struct ditto_replaced replaced;
    struct ignored_field *ignored_fields;
    struct ditto_arena arena;
    bool only_monitors;
    bool library; /* a class of the JDK that is recorded */
    bool of_the_jdk;
    bool mutes;               /* calls of the library */
    bool has_pauses;          /* besides the class's initializer */
    unsigned char *rewritten; /* what the class is to be instead, to be freed; NULL: nothing */
    size_t rewritten_size;
};

/* A field that is not recorded. */
struct ignored_field {
    struct ignored_field *next;
    struct ditto_cf_ref ref;
};

/* As calls: before the class is rewritten, since it may have to look at other classes. */
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

static const struct ditto_call_hook *replace_call(void *context, const struct ditto_cf *cf,
                                                  uint8_t opcode, const struct ditto_cf_ref *method)
{
    const struct load *load = context;
    (void)cf;
    return ditto_replaced_by(&load->replaced, opcode, method);
}

static const struct ditto_pause *find_pause(void *context, const struct ditto_cf *cf,
                                            const struct ditto_cf_member *method)
{
    const struct load *load = context;
    if (!load->has_pauses && !ditto_cf_is(ditto_cf_utf8(cf, method->name), "<clinit>"))
        return NULL;
    return ditto_pause_of(cf, load->name, method, load->library);
}

static bool mutes(void *context, const struct ditto_cf *cf, const struct ditto_cf_ref *method)
{
    static const char streams[] = "java/io/";
    const struct load *load = context;
    char owner[256], name[64];
    (void)cf;
    if (method->owner.size >= sizeof owner || method->owner.data[0] == '[')
        return false;
    /* A stream's own monitor counts, whichever of its methods the program calls. */
    if (ditto_begins(load->name, streams) && ditto_cf_is(method->owner, load->name))
        return false;
    snprintf(owner, sizeof owner, "%.*s", (int)method->owner.size, method->owner.data);
    snprintf(name, sizeof name, "%.*s", (int)method->name.size, method->name.data);
    return ditto_is_muted(owner, name);
}

static bool is_called_back(void *context, const struct ditto_cf *cf,
                           const struct ditto_cf_member *method)
{
    const struct load *load = context;
    return load->of_the_jdk ? ditto_is_never_muted(cf, method) : ditto_is_called_back(cf, method);
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

static bool is_of_the_library(const struct load *load, struct ditto_cf_text method)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(method.size < 63 ? method.size : 63), method.data);
    return ditto_is_method_of_the_library(load->name, name);
}

static bool include_method(void *context, const struct ditto_cf *cf,
                           const struct ditto_cf_member *method)
{
    const struct load *load = context;
    /* Each exception is made in a synchronized method. */
    if (strcmp(load->name, "java/lang/Throwable") == 0 && method->access & DITTO_ACC_SYNCHRONIZED)
        return false;
    /* The monitor under which an interrupt finds out what its thread is blocked in: whether that is
     * closed or woken is decided there. */
    if (strcmp(load->name, "java/lang/Thread") == 0 &&
        !ditto_cf_is(ditto_cf_utf8(cf, method->name), "interrupt") &&
        !ditto_cf_is(ditto_cf_utf8(cf, method->name), "blockedOn"))
        return false;
    if (load->library && !is_of_the_library(load, ditto_cf_utf8(cf, method->name)))
        return false;
    return ditto_selects_method(ditto_selection(load->of_the_jdk),
                                ditto_cf_class_name(cf, cf->this_class),
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
    return ditto_selects_field(ditto_selection(load->of_the_jdk), field->owner, field->name);
}

static void report(void *context, const struct ditto_cf *cf, const struct ditto_cf_member *method,
                   const char *why)
{
    const struct load *load = context;
    if (ditto_agent.replay || load->of_the_jdk)
        return;
    char property[1100], text[1400];
    char *name = method ? ditto_text_copy(ditto_cf_utf8(cf, method->name)) : NULL;
    snprintf(property, sizeof property, "limit.%s.%s", load->name, name ? name : "");
    snprintf(text, sizeof text, "%s%s%s is not recorded: %s", load->name, name ? "." : "",
             name ? name : "", why);
    ditto_agent_say("%s", text);
    ditto_set_property(ditto_agent.session, property, text);
    free(name);
}

/* The bytes of the result become the load's. */
static void take(struct load *load, struct ditto_rw_result *class)
{
    load->rewritten = class->data;
    load->rewritten_size = class->size;
    class->data = NULL;
}

static void take_edited(struct load *load, struct ditto_rw *rw)
{
    struct ditto_rw_result result;
    struct ditto_error error;
    if (ditto_rw_write(rw, &result, &error)) {
        take(load, &result);
        ditto_rw_result_free(&result);
    }
    ditto_rw_close(rw);
}

static void instrument(struct load *load, const struct ditto_cf *cf, struct ditto_class *class)
{
    bool application = !load->of_the_jdk;
    struct ditto_instrument_options options = {
        .context = load,
        .include_method = include_method,
        .ignore_method = application ? ignore_method : NULL,
        .include_field = include_field,
        .report = report,
        .replace_call = replace_call,
        .may_initialize = ditto_agent.replay && application ? may_initialize : NULL,
        .is_called_back = is_called_back,
        .class_initializers = application,
        .pause = application ? NULL : find_pause,
        .atomics = !load->only_monitors,
        .mutes = load->mutes ? mutes : NULL,
        .site_class = application ? NULL : DITTO_LIBRARY_HOOK_CLASS,
        .clone_field = CLONED_FIELD,
        .values = ditto_agent.verify && application,
        .for_debugging = ditto_agent.observer && application,
        .leave_out =
            ditto_unwanted_sites(ditto_wants(ditto_agent.session)) |
            (load->only_monitors ? ~(1u << DITTO_SITE_ACQUIRE | 1u << DITTO_SITE_RELEASE) : 0),
    };
    struct ditto_instrumented result;
    struct ditto_error error;
    jweak loader = load->loader ? (*load->jni)->NewWeakGlobalRef(load->jni, load->loader) : NULL;
    options.first_site = ditto_sites_first();
    enum ditto_instrument_outcome outcome = ditto_instrument(cf, &options, &result, &error);
    ditto_sites_enter(cf, outcome == DITTO_INSTRUMENT_DONE ? &result : NULL, class, loader);
    DITTO_DEBUG(classes, 1, "%s: %s", load->name,
                outcome == DITTO_INSTRUMENT_DONE      ? "rewritten"
                : outcome == DITTO_INSTRUMENT_NOTHING ? "nothing to record"
                                                      : error.text);
    DITTO_DEBUG(classes, 2, "%s: sites from %d on, %u", load->name, options.first_site,
                outcome == DITTO_INSTRUMENT_DONE ? result.site_count : 0);
    if (outcome != DITTO_INSTRUMENT_DONE) {
        if (loader)
            (*load->jni)->DeleteWeakGlobalRef(load->jni, loader);
        return;
    }
    take(load, &result.class);
    if (options.for_debugging)
        ditto_agent.observer->class_rewritten(load->name, cf, &result);
    ditto_instrumented_free(&result);
}

/* Whether the class may name something: every class is asked, so this is quick, and may err. */
static bool has_text(const unsigned char *bytes, size_t size, const char *text)
{
    return memmem(bytes, size, text, strlen(text)) != NULL;
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
 * A class that is not recorded: its pauses, and see clone_field in instrument.h.  Where classes of
 * the JDK call clone() on what they do not know, that is one which calls that of Object by its
 * name.
 */
static void edit_unrecorded(struct load *load, const struct ditto_cf *cf)
{
    bool of_the_jdk = load->of_the_jdk;
    const struct ditto_instrument_options options = {.context = load,
                                                     .include_method = include_nothing,
                                                     .pause = of_the_jdk ? find_pause : NULL,
                                                     .mutes = load->mutes ? mutes : NULL,
                                                     .clone_field = CLONED_FIELD,
                                                     .only_objects_clone = !begun || of_the_jdk};
    struct ditto_instrumented result;
    struct ditto_error error;
    if (ditto_instrument(cf, &options, &result, &error) != DITTO_INSTRUMENT_DONE)
        return;
    take(load, &result.class);
    ditto_instrumented_free(&result);
}

/*
 * Object and Thread, as they load and whenever somebody has them loaded again: the fields of
 * shadow.h, thread.h and DittoRandom; and Thread tells when an exception ends a thread.
 */
static void extend(struct load *load, const struct ditto_cf *cf)
{
    enum { PUBLIC = 0x0001, TRANSIENT = 0x0080, SYNTHETIC = 0x1000 };
    struct ditto_rw *rw = ditto_rw_open(cf);
    struct ditto_error error;
    const char *name = load->name;
    bool thread = strcmp(name, "java/lang/Thread") == 0;
    static const char *const of_thread[][2] = {
        {"$dittoThread", "J"},    {"$dittoSeed", "J"}, {"$dittoProbe", "I"},
        {"$dittoSecondary", "I"}, {"$dittoKept", "I"},
    };
    static const char *const of_object[][2] = {{CLONED_FIELD, "I"}};
    const char *const(*fields)[2] = thread ? of_thread : of_object;
    size_t count = thread ? sizeof of_thread / sizeof *of_thread : 1;
    for (size_t i = 0; i < count; i++)
        ditto_rw_add_field(rw, PUBLIC | TRANSIENT | SYNTHETIC, fields[i][0], fields[i][1]);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        bool uncaught = thread && ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].name),
                                              "dispatchUncaughtException");
        struct ditto_ed *ed = uncaught ? ditto_rw_edit(rw, i, &error) : NULL;
        if (ed)
            ditto_snippet_op_u2(ditto_ed_entry(ed), DITTO_OP_INVOKESTATIC,
                                ditto_pool_ref(ditto_rw_pool(rw), DITTO_TAG_METHOD,
                                               DITTO_HOOK_CLASS, "uncaught", "()V"));
    }
    take_edited(load, rw);
}

/* The same for what instrument() has made of Thread. */
static void extend_again(struct load *load)
{
    unsigned char *bytes = load->rewritten;
    struct ditto_error error;
    struct ditto_cf cf;
    bool good = ditto_cf_open(&cf, bytes, load->rewritten_size, &error);
    ditto_agent_expect(good, "its field in java.lang.Thread");
    extend(load, &cf);
    ditto_cf_close(&cf);
    if (load->rewritten != bytes)
        free(bytes);
}

/* `used` is a class, or "" for a finalizer of its own. */
static void note_limit(const char *name, const char *used, const char *what)
{
    char property[1100], text[1200];
    snprintf(property, sizeof property, "limit.%s.%s", name, used);
    snprintf(text, sizeof text, "class %s %s%s: %s", name, used[0] ? "uses " : "has a finalizer",
             used, what);
    ditto_set_property(ditto_agent.session, property, text);
}

/* A method that loads or stores a field, or makes a handle that does. */
static bool reaches_fields(const struct ditto_cf_ref *ref)
{
    static const char *const handles[] = {"findGetter",       "findSetter",      "findStaticGetter",
                                          "findStaticSetter", "unreflectGetter", "unreflectSetter"};
    static const char of_field[] = "(Ljava/lang/Object;";
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (ditto_cf_is(ref->owner, "java/lang/invoke/MethodHandles$Lookup") &&
            ditto_cf_is(ref->name, handles[i]))
            return true;
    return ditto_cf_is(ref->owner, "java/lang/reflect/Field") && ref->name.size >= 3 &&
           (memcmp(ref->name.data, "get", 3) == 0 || memcmp(ref->name.data, "set", 3) == 0) &&
           ref->descriptor.size >= sizeof of_field &&
           memcmp(ref->descriptor.data, of_field, sizeof of_field - 1) == 0;
}

/* What the collector decides is not recorded, but for what weak and soft references are asked:
 * whoever uses it is named.  So is who calls native code without native methods, or reaches fields
 * where no hook can see it. */
static void note_limits(const struct ditto_cf *cf, const char *name)
{
    static const char of_the_collector[] = "what the garbage collector does to it is not recorded";
    static const char *const limits[][2] = {
        {"java/lang/ref/PhantomReference", of_the_collector},
        {"java/lang/ref/ReferenceQueue", of_the_collector},
        {"java/lang/ref/Cleaner", of_the_collector},
        {"java/util/WeakHashMap", of_the_collector},
        {"java/lang/foreign/Linker", "what native code answers and does is not recorded; --value "
                                     "adds what a method of the class answers"},
    };
    struct ditto_cf_ref ref;
    if (ditto_agent.replay)
        return;
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        int tag = ditto_cf_tag(cf, i);
        for (size_t j = 0; tag == DITTO_TAG_CLASS && j < sizeof limits / sizeof *limits; j++)
            if (ditto_cf_is(ditto_cf_class_name(cf, i), limits[j][0]))
                note_limit(name, limits[j][0], limits[j][1]);
        if (tag == DITTO_TAG_METHOD && ditto_cf_ref(cf, i, &ref) && reaches_fields(&ref))
            note_limit(name,
                       ref.owner.size == strlen("java/lang/reflect/Field")
                           ? "java/lang/reflect/Field"
                           : "method handles of fields",
                       "races for fields that are reached so are not recorded");
    }
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].name), "finalize") &&
            ditto_cf_is(ditto_cf_utf8(cf, cf->methods[i].descriptor), "()V"))
            note_limit(name, "", "when it runs is not recorded");
}

/*
 * Code that is compiled before VMInit would have the salt of Map.of as a constant, but a replay
 * sets it then: so it must not be final.  Answers the class's bytes, changed, in memory of the
 * load's.
 */
static const unsigned char *with_open_salt(struct load *load, const unsigned char *bytes,
                                           size_t size)
{
    enum { FINAL = 0x0010 };
    struct ditto_cf cf;
    unsigned char *changed = DITTO_NEW_ARRAY(&load->arena, unsigned char, size);
    memcpy(changed, bytes, size);
    if (!ditto_cf_open(&cf, bytes, size, NULL))
        return bytes;
    for (uint32_t i = 0; i < cf.field_count; i++) {
        struct ditto_cf_text name = ditto_cf_utf8(&cf, cf.fields[i].name);
        if (ditto_cf_is(name, "SALT32L") || ditto_cf_is(name, "REVERSE"))
            changed[cf.fields[i].start + 1] &= (unsigned char)~FINAL;
    }
    ditto_cf_close(&cf);
    return changed;
}

/* What the class is to be instead, in load->rewritten. */
static void rewrite(struct load *load, bool platform, bool application, const unsigned char *bytes,
                    size_t size)
{
    struct ditto_error error;
    struct ditto_cf cf;
    const char *name = load->name;
    bool extended = strcmp(name, "java/lang/Thread") == 0 || strcmp(name, "java/lang/Object") == 0;
    load->library = platform && ditto_records_of_the_jdk(name);
    load->only_monitors = !load->loader && !load->library && ditto_guards_by_monitors(name);
    load->replaced = (struct ditto_replaced){load->jni,    load->loader,        name,
                                             &load->arena, load->only_monitors, NULL};
    load->mutes = load->of_the_jdk && (!load->library || ditto_is_of_channels(name)) &&
                  ditto_mutes_calls(name) && has_text(bytes, size, "java/util/");
    load->has_pauses = ditto_has_pauses(name);
    bool may_pause =
        load->of_the_jdk && (load->has_pauses || (begun && has_text(bytes, size, "<clinit>")));
    if (!load->only_monitors && !extended && !application && !load->library && !may_pause &&
        !load->mutes && !has_text(bytes, size, "clone"))
        return;
    if (platform && strcmp(name, "java/util/ImmutableCollections") == 0)
        bytes = with_open_salt(load, bytes, size);
    if (!ditto_cf_open(&cf, bytes, size, &error)) {
        if (!ditto_agent.replay && application)
            ditto_agent_say("class %s is not recorded: %s", name, error.text);
        return;
    }
    struct ditto_cf_text own_name = ditto_cf_class_name(&cf, cf.this_class);
    if (load->only_monitors || load->library) {
        ditto_replaced_choose(&load->replaced, &cf);
        instrument(load, &cf, ditto_prints(name) ? NULL : &library_class);
        if (extended && load->rewritten)
            extend_again(load);
        else if (extended)
            extend(load, &cf);
    } else if (extended) {
        extend(load, &cf);
    } else if (application && ditto_selects_class(ditto_selection(false), own_name)) {
        ditto_enter_ignored(&cf, name);
        load->label = ditto_loader_label(load->jni, load->loader);
        struct ditto_class *class = NULL;
        if (!ditto_ignores_class(&cf)) {
            ditto_check_identity(load->jni, load->loader, name, load->label, &cf);
            note_limits(&cf, name);
            class = ditto_class_enter(&cf, name, load->label);
            ditto_replaced_choose(&load->replaced, &cf);
            choose_fields(load, &cf);
        }
        instrument(load, &cf, class);
    } else {
        edit_unrecorded(load, &cf);
    }
    ditto_cf_close(&cf);
}

/* Of an interface that is not public a proxy is in the interface's package.  Which it is of those
 * that threads make there, by its number, is anybody's guess. */
static bool is_proxy(const char *name, const unsigned char *bytes, size_t size)
{
    const char *last = strrchr(name, '/');
    struct ditto_cf cf;
    if (!ditto_begins(last ? last + 1 : name, "$Proxy") || !ditto_cf_open(&cf, bytes, size, NULL))
        return false;
    bool found = cf.super_class &&
                 ditto_cf_is(ditto_cf_class_name(&cf, cf.super_class), "java/lang/reflect/Proxy");
    ditto_cf_close(&cf);
    return found;
}

/* Every class that is loaded, or loaded again, and did not come changed from the image. */
void JNICALL ditto_class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                 const char *name, jobject domain, jint size,
                                 const unsigned char *bytes, jint *new_size,
                                 unsigned char **new_bytes)
{
    (void)domain;
    if (!name || ditto_is_ours(name) || (!loader && ditto_image_gave(name)))
        return;
    struct load load = {.jni = jni,
                        .loader = loader,
                        .name = name,
                        .of_the_jdk =
                            ditto_is_of_the_jdk(name) || is_proxy(name, bytes, (size_t)size)};
    bool platform = ditto_is_platform_loader(jni, loader);
    /* Before VMInit there is no program. */
    bool application = begun && !redefined && !platform && !load.of_the_jdk;
    size_t wrapped_size = (size_t)size;
    unsigned char *wrapped = application ? ditto_values_wrap(name, bytes, &wrapped_size) : NULL;
    rewrite(&load, platform, application, wrapped ? wrapped : bytes, wrapped_size);
    const unsigned char *instead = load.rewritten ? load.rewritten : wrapped;
    size_t instead_size = load.rewritten ? load.rewritten_size : wrapped_size;
    if (instead) {
        (*jvmti)->Allocate(jvmti, (jlong)instead_size, new_bytes);
        ditto_agent_expect(*new_bytes, "room for a rewritten class");
        memcpy(*new_bytes, instead, instead_size);
        *new_size = (jint)instead_size;
    }
    ditto_arena_free(&load.arena);
    free(load.rewritten);
    free(wrapped);
}

unsigned char *ditto_class_of_image(const char *name, const unsigned char *bytes, size_t size,
                                    size_t *new_size)
{
    struct load load = {.name = name, .of_the_jdk = ditto_is_of_the_jdk(name)};
    rewrite(&load, true, false, bytes, size);
    ditto_arena_free(&load.arena);
    *new_size = load.rewritten_size;
    return load.rewritten;
}

void ditto_classes_begin(JNIEnv *jni, jclass hooks)
{
    ditto_recorded_begin(jni);
    ditto_class_bytes_begin(jni, hooks);
    begun = true;
    ditto_loaders_begin(jni);
    ditto_sites_begin(jni);
}
