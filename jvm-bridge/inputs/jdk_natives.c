/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/jdk_natives.h"
#include "core/base/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "jvm-bridge/inputs/askers.h"
#include "jvm-bridge/inputs/inputs.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/say.h"

/* A number that the program asks for. */
#define NUMBER(kind, call)                                                                         \
    do {                                                                                           \
        struct ditto_thread *self = ditto_input_thread();                                          \
        if (!self)                                                                                 \
            return call;                                                                           \
        return (jlong)ditto_input_number(self, kind, ditto_agent.replay ? 0 : (uint64_t)(call));   \
    } while (0)

static jlong JNICALL nano_time(JNIEnv *jni, jclass class)
{
    NUMBER(DITTO_INPUT_NANO_TIME, ditto_hotspot.nano_time(jni, class));
}

static jlong JNICALL millis(JNIEnv *jni, jclass class)
{
    NUMBER(DITTO_INPUT_MILLIS, ditto_hotspot.millis(jni, class));
}

static jlong JNICALL adjustment(JNIEnv *jni, jclass class, jlong offset)
{
    NUMBER(DITTO_INPUT_ADJUSTMENT, ditto_hotspot.adjustment(jni, class, offset));
}

static jlong processors_number(void)
{
    NUMBER(DITTO_INPUT_PROCESSORS, ditto_hotspot.processors());
}

static jint JNICALL processors(JNIEnv *jni, jobject runtime)
{
    (void)jni;
    (void)runtime;
    return (jint)processors_number();
}

static jlong JNICALL free_memory(JNIEnv *jni, jobject runtime)
{
    (void)jni;
    (void)runtime;
    NUMBER(DITTO_INPUT_FREE_MEMORY, ditto_hotspot.free_memory());
}

static jlong JNICALL total_memory(JNIEnv *jni, jobject runtime)
{
    (void)jni;
    (void)runtime;
    NUMBER(DITTO_INPUT_TOTAL_MEMORY, ditto_hotspot.total_memory());
}

static jlong JNICALL max_memory(JNIEnv *jni, jobject runtime)
{
    (void)jni;
    (void)runtime;
    NUMBER(DITTO_INPUT_MAX_MEMORY, ditto_hotspot.max_memory());
}

/* The system's time zone, which whoever first needs it asks for: one for the whole run. */
typedef jstring system_zone(JNIEnv *, jclass, jstring);
static system_zone *real_zone;

static jstring JNICALL time_zone(JNIEnv *jni, jclass class, jstring java_home)
{
    static const char property[] = "time-zone";
    const char *recorded =
        ditto_agent.replay ? ditto_property(ditto_agent.session, property) : NULL;
    if (recorded)
        return (*jni)->NewStringUTF(jni, recorded);
    jstring zone = real_zone(jni, class, java_home);
    const char *text = zone ? (*jni)->GetStringUTFChars(jni, zone, NULL) : NULL;
    if (text && !ditto_agent.replay)
        ditto_set_property(ditto_agent.session, property, text);
    if (text)
        (*jni)->ReleaseStringUTFChars(jni, zone, text);
    return zone;
}

/* ------------------------------------------------------------------- hashes */

/*
 * Identity hashes of classes are asked for by whoever loads and links, in any thread and at any
 * time, and the answers meet in the JDK's tables: they must be the same for everybody.  So a class
 * has a hash that follows from its name.  Those that had another one before we were here, and may
 * be in such tables with it, keep it: they are marked by `keeps_hash`.
 */
enum { KEPT = 1024 };
static jclass class_class, object_class;
static uint64_t kept[KEPT]; /* open addressing; 0: free.  Not changed after the start. */

static uint64_t name_hash(jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
        return 1;
    /* Behind the name of a hidden class is something that is made up at run time. */
    size_t length = strcspn(signature, ".");
    const char *lambda = strstr(signature, "$$Lambda");
    if (lambda && (size_t)(lambda - signature) < length)
        length = (size_t)(lambda - signature) + strlen("$$Lambda");
    uint64_t hash = XXH3_64bits(signature, length);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return hash ? hash : 1;
}

static bool keeps_hash(uint64_t name)
{
    for (uint64_t i = name % KEPT; kept[i]; i = (i + 1) % KEPT)
        if (kept[i] == name)
            return true;
    return false;
}

static jint class_hash(JNIEnv *jni, jclass class)
{
    uint64_t name = name_hash(class);
    jint hash = (jint)(name >> 33);
    return keeps_hash(name) ? ditto_hotspot.hash(jni, class) : hash ? hash : 1;
}

/*
 * From JDK 21 on a constant of an enum keeps its hash, in a field that is not recorded, for whoever
 * asks next, in code that is paused or muted as well.  So it has one that follows from its class
 * and place.
 */
static jclass enum_class;           /* NULL: hashes are not kept */
static jfieldID kept_hash, ordinal; /* of Enum */

static jint enum_hash(JNIEnv *jni, jobject constant)
{
    jint hash = (*jni)->GetIntField(jni, constant, kept_hash);
    if (hash)
        return hash;
    jclass class = (*jni)->GetObjectClass(jni, constant);
    uint64_t parts[] = {name_hash(class), (uint64_t)(*jni)->GetIntField(jni, constant, ordinal)};
    (*jni)->DeleteLocalRef(jni, class);
    hash = (jint)(XXH3_64bits(parts, sizeof parts) >> 33);
    return hash ? hash : 1;
}

static void find_enums(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Enum");
    kept_hash = class ? (*jni)->GetFieldID(jni, class, "hash", "I") : NULL;
    if (!ditto_agent_clear(jni) && kept_hash) {
        ordinal = (*jni)->GetFieldID(jni, class, "ordinal", "I");
        enum_class = (*jni)->NewGlobalRef(jni, class);
        ditto_agent_expect(!ditto_agent_clear(jni) && ordinal && enum_class, "the class Enum");
    }
    (*jni)->DeleteLocalRef(jni, class);
}

/* What the JDK puts into sets that it hands to the program. */
static bool is_handed_out(jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    bool is = signature && strcmp(signature, "Lsun/nio/ch/SelectionKeyImpl;") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return is;
}

/* The JDK keeps much in tables by identity; what it asks there of its own objects is no input. */
static bool is_input(JNIEnv *jni, struct ditto_thread *self, jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jboolean array = false;
    if (*ditto_muted(self))
        return is_handed_out(class);
    (*jvmti)->IsArrayClass(jvmti, class, &array);
    return array || (*jni)->IsSameObject(jni, class, object_class) ||
           ditto_is_of_program(jni, class) || ditto_program_asks(jni);
}

/* Of protection domains there are few, and all threads ask for them, in pauses as well, and so does
 * the JVM: they have one hash, from when the first class is defined in them. */
static bool is_asked_by_all(uint64_t name)
{
    static const char domain[] = "Ljava/security/ProtectionDomain;";
    return name == XXH3_64bits(domain, sizeof domain - 1);
}

/*
 * But the order of those tables may decide what the JDK does next: javac goes through modules so.
 * The hash of an object of its follows from the class, the thread that first asks for it, and how
 * many of that class it has asked for: a replay gives it the same one, whatever was drawn before.
 */
static jint jdk_hash(JNIEnv *jni, jobject object, jclass class)
{
    struct ditto_java_thread *thread = ditto_current_or_paused();
    if (!thread)
        return ditto_hotspot.hash(jni, object);
    uint64_t name = name_hash(class);
    uint32_t *count = &thread->hashed[!ditto_current()][name % DITTO_HASHED_CLASSES];
    uint64_t parts[] = {name, ditto_replay_id(ditto_handle_of(thread)), *count};
    if (is_asked_by_all(name))
        parts[1] = parts[2] = 0;
    jint wanted = (jint)(XXH3_64bits(parts, sizeof parts) >> 33);
    jint hash = ditto_hotspot_hash_as(jni, object, wanted ? wanted : 1);
    *count += hash == wanted;
    return hash;
}

void ditto_domain_hash(JNIEnv *jni, jobject domain)
{
    if (!object_class)
        return; /* The program has not begun. */
    jclass class = (*jni)->GetObjectClass(jni, domain);
    jdk_hash(jni, domain, class);
    (*jni)->DeleteLocalRef(jni, class);
}

static void say_hash(jclass class, jint hash, bool input)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    DITTO_DEBUG(inputs, 2, "identity hash %d of an object of %s, %s", hash,
                signature ? signature : "?", input ? "an input" : "the JDK's own");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static jint hash_of(JNIEnv *jni, jobject object)
{
    if (!object)
        return 0;
    if (class_class && (*jni)->IsInstanceOf(jni, object, class_class))
        return class_hash(jni, object);
    if (enum_class && (*jni)->IsInstanceOf(jni, object, enum_class))
        return enum_hash(jni, object);
    struct ditto_thread *self = ditto_input_thread();
    jclass class = (*jni)->GetObjectClass(jni, object);
    jint hash;
    if (!self || !is_input(jni, self, class)) {
        hash = jdk_hash(jni, object, class);
    } else if (!ditto_agent.replay) {
        hash = ditto_hotspot.hash(jni, object);
        ditto_input_number(self, DITTO_INPUT_HASH, (uint64_t)(uint32_t)hash);
    } else {
        /* The object has it from now on, whoever asks. */
        hash = (jint)ditto_input_number(self, DITTO_INPUT_HASH, 0);
        ditto_hotspot_hash_as(jni, object, hash);
    }
    if (ditto_debug_is_on(DITTO_DEBUG_inputs, 2))
        say_hash(class, hash, self && is_input(jni, self, class));
    (*jni)->DeleteLocalRef(jni, class);
    return hash;
}

static jint JNICALL hash_code(JNIEnv *jni, jobject object)
{
    return hash_of(jni, object);
}

static jint JNICALL identity_hash_code(JNIEnv *jni, jclass system, jobject object)
{
    (void)system;
    return hash_of(jni, object);
}

jint JNICALL ditto_real_hash(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    return ditto_hotspot.hash(jni, object);
}

/* Room for local references to all classes that are loaded when the program begins: -Xcheck:jni
 * prints, on stdout, who has more than it has announced. */
enum { MANY_CLASSES = 8192 };

static void keep_hashes(JNIEnv *jni, jclass inputs)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jmethodID has_hash = (*jni)->GetStaticMethodID(jni, inputs, "hasHash", "(Ljava/lang/Object;)Z");
    jclass *loaded = NULL;
    jint count = 0, used = 0;
    (*jni)->PushLocalFrame(jni, MANY_CLASSES);
    (*jvmti)->GetLoadedClasses(jvmti, &count, &loaded);
    for (jint i = 0; i < count; i++) {
        bool has =
            used < KEPT - 1 && (*jni)->CallStaticBooleanMethod(jni, inputs, has_hash, loaded[i]);
        if (!ditto_agent_clear(jni) && has) {
            uint64_t name = name_hash(loaded[i]), at = name % KEPT;
            while (kept[at])
                at = (at + 1) % KEPT;
            kept[at] = name;
            used++;
        }
        (*jni)->DeleteLocalRef(jni, loaded[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)loaded);
    (*jni)->PopLocalFrame(jni, NULL);
    ditto_agent_expect(!ditto_agent_clear(jni), "the hashes of classes");
    jclass class = (*jni)->FindClass(jni, "java/lang/Class");
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    class_class = (*jni)->NewGlobalRef(jni, class);
    object_class = (*jni)->NewGlobalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, class);
    (*jni)->DeleteLocalRef(jni, object);
}

/* ------------------------------------------------------------------- start */

/*
 * Only the order in which sets and maps are gone through depends on the salt, so it can change.
 * Compiled code does not have it as a constant: it is not final any more (loading.c).
 */
void ditto_share_salt(JNIEnv *jni)
{
    char text[32];
    jclass class = (*jni)->FindClass(jni, "java/util/ImmutableCollections");
    jfieldID salt = class ? (*jni)->GetStaticFieldID(jni, class, "SALT32L", "J") : NULL;
    jfieldID reverse = salt ? (*jni)->GetStaticFieldID(jni, class, "REVERSE", "Z") : NULL;
    if (ditto_agent_clear(jni) || !reverse)
        ditto_agent_refuse("this JVM has no salt of Map.of where it is expected; use JDK 17 or 25");
    const char *recorded = ditto_property(ditto_agent.session, "salt");
    long long value = (*jni)->GetStaticLongField(jni, class, salt);
    if (recorded) {
        value = atoll(recorded);
        (*jni)->SetStaticLongField(jni, class, salt, value);
        (*jni)->SetStaticBooleanField(jni, class, reverse, strchr(recorded, '-') != NULL);
    }
    snprintf(text, sizeof text, "%lld%s", value,
             (*jni)->GetStaticBooleanField(jni, class, reverse) ? " -" : "");
    ditto_set_property(ditto_agent.session, "salt", text);
    (*jni)->DeleteLocalRef(jni, class);
}

/* A number of the run that is kept in an atomic counter: the recorded one. */
static void share_counter(JNIEnv *jni, jclass class, const char *name, const char *type_name,
                          const char *descriptor)
{
    char type[80], property[80], text[32];
    snprintf(type, sizeof type, "L%s;", type_name);
    snprintf(property, sizeof property, "counter.%s", name);
    jfieldID field = class ? (*jni)->GetStaticFieldID(jni, class, name, type) : NULL;
    jclass counter_class = field ? (*jni)->FindClass(jni, type_name) : NULL;
    jfieldID value =
        counter_class ? (*jni)->GetFieldID(jni, counter_class, "value", descriptor) : NULL;
    if (ditto_agent_clear(jni) || !value)
        ditto_agent_refuse(
            "this JVM has no seeds of ThreadLocalRandom where they are expected; use "
            "JDK 17 or 25");
    jobject counter = (*jni)->GetStaticObjectField(jni, class, field);
    bool wide = descriptor[0] == 'J';
    const char *recorded = ditto_property(ditto_agent.session, property);
    long long number = recorded ? atoll(recorded)
                       : wide   ? (*jni)->GetLongField(jni, counter, value)
                                : (*jni)->GetIntField(jni, counter, value);
    if (wide)
        (*jni)->SetLongField(jni, counter, value, number);
    else
        (*jni)->SetIntField(jni, counter, value, (jint)number);
    snprintf(text, sizeof text, "%lld", number);
    if (!ditto_agent.replay)
        ditto_set_property(ditto_agent.session, property, text);
    (*jni)->DeleteLocalRef(jni, counter);
    (*jni)->DeleteLocalRef(jni, counter_class);
}

/* Threads draw their seeds and probes of ThreadLocalRandom from counters. */
static void share_seeds(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/util/concurrent/ThreadLocalRandom");
    share_counter(jni, class, "seeder", "java/util/concurrent/atomic/AtomicLong", "J");
    share_counter(jni, class, "probeGenerator", "java/util/concurrent/atomic/AtomicInteger", "I");
    (*jni)->DeleteLocalRef(jni, class);
}

/*
 * From JDK 21 on the JVM takes a thread's id for granted, so two threads must never have the same.
 * Ids of known threads are inputs.  All others in a replay count from far above; and the first ones
 * are left free, because there may be more or fewer threads of the JVM's own before we begin.
 */
static void part_thread_ids(JNIEnv *jni)
{
    enum { FIRST = 64 };
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread$ThreadIdentifiers");
    jfieldID field = class ? (*jni)->GetStaticFieldID(jni, class, "NEXT_TID_OFFSET", "J") : NULL;
    if (ditto_agent_clear(jni) || !field)
        return;
    _Atomic int64_t *next =
        (_Atomic int64_t *)(uintptr_t)(*jni)->GetStaticLongField(jni, class, field);
    int64_t first = ditto_agent.replay ? (int64_t)1 << 40 : FIRST;
    int64_t now = atomic_load_explicit(next, memory_order_relaxed);
    while (now < first && !atomic_compare_exchange_weak_explicit(
                              next, &now, first, memory_order_relaxed, memory_order_relaxed))
        ;
    (*jni)->DeleteLocalRef(jni, class);
}

void ditto_jdk_natives_take_over(JNIEnv *jni)
{
#define TAKE(class, name, signature, function)                                                     \
    ditto_hotspot_replace_native(jni, class, name, signature, __extension__(void *) function)
    TAKE("java/lang/System", "nanoTime", "()J", nano_time);
    TAKE("java/lang/System", "currentTimeMillis", "()J", millis);
    TAKE("jdk/internal/misc/VM", "getNanoTimeAdjustment", "(J)J", adjustment);
    TAKE("java/lang/Runtime", "availableProcessors", "()I", processors);
    TAKE("java/lang/Runtime", "freeMemory", "()J", free_memory);
    TAKE("java/lang/Runtime", "totalMemory", "()J", total_memory);
    TAKE("java/lang/Runtime", "maxMemory", "()J", max_memory);
    TAKE("java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I", identity_hash_code);
    TAKE("java/lang/Object", "hashCode", "()I", hash_code);
    *(void **)&real_zone =
        ditto_hotspot_library_function("Java_java_util_TimeZone_getSystemTimeZoneID");
    TAKE("java/util/TimeZone", "getSystemTimeZoneID", "(Ljava/lang/String;)Ljava/lang/String;",
         time_zone);
#undef TAKE
}

/* What the JDK asks for before this, or where recording pauses, is no input: a replay's JVM is told
 * the number when it starts (jvm-bridge/launch/launch.c). */
static void note_processors(void)
{
    char text[16];
    snprintf(text, sizeof text, "%d", (int)ditto_hotspot.processors());
    ditto_set_property(ditto_agent.session, "java.processors", text);
}

void ditto_jdk_natives_begin(JNIEnv *jni)
{
    jclass inputs = (*jni)->FindClass(jni, DITTO_INPUT_HOOK_CLASS);
    jmethodID share = (*jni)->GetStaticMethodID(jni, inputs, "share", "()V");
    if (!ditto_agent.replay)
        note_processors();
    keep_hashes(jni, inputs);
    find_enums(jni);
    part_thread_ids(jni);
    share_seeds(jni);
    (*jni)->CallStaticVoidMethod(jni, inputs, share);
    ditto_agent_expect(!ditto_agent_clear(jni), "the seeds of random numbers");
    (*jni)->DeleteLocalRef(jni, inputs);
}
