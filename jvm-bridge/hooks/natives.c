/* SPDX-License-Identifier: MIT */
/*
 * The classes of the hooks, and their native methods.  Each of these asks first whether the engine
 * knows the calling thread, and does nothing if not: the collector's helpers, the signal dispatcher
 * and whatever they run are not recorded.
 */
#include "jvm-bridge/hooks/natives.h"

#include "array_class.h"
#include "calls_class.h"
#include "copy_class.h"
#include "end_class.h"
#include "hooks_class.h"
#include "inputs_class.h"
#include "jvm-bridge/classes/hidden_classes.h"
#include "jvm-bridge/classes/initialization.h"
#include "jvm-bridge/hooks/access_natives.h"
#include "jvm-bridge/hooks/input_natives.h"
#include "jvm-bridge/hooks/sync_natives.h"
#include "jvm-bridge/inputs/jdk_natives.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/threads/threads.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"
#include "library_class.h"
#include "place_class.h"
#include "quick_class.h"
#include "quickfields_class.h"
#include "random_class.h"
#include "reference_class.h"
#include "values_class.h"

/*
 * Asking for a method initializes the class.  Its first use would, too, but that may be at the end
 * of a stack: a class whose initializer overflows it is of no use ever after.
 */
static void initialize(JNIEnv *jni, const char *name, const char *method, const char *descriptor)
{
    jclass class = (*jni)->FindClass(jni, name);
    bool good = class && (*jni)->GetStaticMethodID(jni, class, method, descriptor);
    if (ditto_agent_clear(jni) || !good)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25", name);
    (*jni)->DeleteLocalRef(jni, class);
}

/* The agent's; set before DittoHooks begins, and not changed any more. */
static void (*agent_set_up)(JNIEnv *, jclass);
static void (*agent_halt)(JNIEnv *, jclass, jint);

static void set_up(JNIEnv *jni, jclass hooks)
{
    initialize(jni, "java/lang/DittoQuick", "endLoad", "(JJ)V");
    initialize(jni, "java/lang/DittoArray", "shadowOf", "(" DITTO_OBJECT ")I");
    initialize(jni, DITTO_CALL_HOOK_CLASS, "hashOf", "(" DITTO_OBJECT ")I");
    initialize(jni, DITTO_INPUT_HOOK_CLASS, "seed", "(J)J");
    initialize(jni, DITTO_LIBRARY_HOOK_CLASS, "abandon", "()V");
    initialize(jni, "java/lang/DittoRandom", "keep", "(Ljava/lang/Thread;JZ)V");
    initialize(jni, "java/lang/DittoReference", "made", "(Ljava/lang/ref/Reference;)V");
    initialize(jni, "java/lang/DittoValues", "result", "(I)V");
    initialize(jni, "java/lang/DittoPlace", "offsetOf", "(Ljava/lang/reflect/Field;)J");
    initialize(jni, "java/lang/DittoCopy", "fields", "(J" DITTO_OBJECT DITTO_OBJECT "I)V");
    agent_set_up(jni, hooks);
}

/* The JVM looks this one up by its name. */
JNIEXPORT void JNICALL Java_java_lang_DittoHooks_register(JNIEnv *jni, jclass hooks);

static void enter_natives(JNIEnv *jni, jclass hooks, struct ditto_natives natives)
{
    if ((*jni)->RegisterNatives(jni, hooks, natives.methods, (jint)natives.count) != JNI_OK)
        ditto_agent_refuse("this JVM does not take the methods of %s; use JDK 17 or 25",
                           DITTO_HOOK_CLASS);
}

JNIEXPORT void JNICALL Java_java_lang_DittoHooks_register(JNIEnv *jni, jclass hooks)
{
    static const JNINativeMethod own[] = {DITTO_NATIVE("setUp", "()V", set_up)};
    enter_natives(jni, hooks, (struct ditto_natives){own, 1});
    enter_natives(jni, hooks, ditto_access_natives());
    enter_natives(jni, hooks, ditto_sync_natives());
    enter_natives(jni, hooks, ditto_input_natives());
    ditto_hotspot_take_over(jni, ditto_java_thread_start, agent_halt);
    ditto_jdk_natives_take_over(jni);
    if (ditto_agent.replay) {
        ditto_initialization_take_over(jni);
        ditto_hidden_take_over(jni);
    }
}

static jclass define(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t size)
{
    jclass class = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes, (jsize)size);
    if (ditto_agent_clear(jni) || !class)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25", name);
    return class;
}

void ditto_natives_define(JNIEnv *jni)
{
    const struct {
        const char *name;
        const unsigned char *bytes;
        size_t size;
    } all[] = {{DITTO_HOOK_CLASS, hooks_class, sizeof hooks_class},
               {DITTO_CALL_HOOK_CLASS, calls_class, sizeof calls_class},
               {DITTO_INPUT_HOOK_CLASS, inputs_class, sizeof inputs_class},
               {"java/lang/DittoQuick", quick_class, sizeof quick_class},
               {"java/lang/DittoQuickFields", quickfields_class, sizeof quickfields_class},
               {"java/lang/DittoArray", array_class, sizeof array_class},
               {DITTO_LIBRARY_HOOK_CLASS, library_class, sizeof library_class},
               {"java/lang/DittoPlace", place_class, sizeof place_class},
               {"java/lang/DittoCopy", copy_class, sizeof copy_class},
               {"java/lang/DittoEnd", end_class, sizeof end_class},
               {"java/lang/DittoRandom", random_class, sizeof random_class},
               {"java/lang/DittoReference", reference_class, sizeof reference_class},
               {"java/lang/DittoValues", values_class, sizeof values_class}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (*jni)->DeleteLocalRef(jni, define(jni, all[i].name, all[i].bytes, all[i].size));
}

void ditto_natives_begin(JNIEnv *jni, void (*set_up_function)(JNIEnv *, jclass),
                         void (*halt)(JNIEnv *, jclass, jint))
{
    agent_set_up = set_up_function;
    agent_halt = halt;
    jclass hooks = (*jni)->FindClass(jni, DITTO_HOOK_CLASS);
    jmethodID begin = hooks ? (*jni)->GetStaticMethodID(jni, hooks, "begin", "()V") : NULL;
    if (begin)
        (*jni)->CallStaticVoidMethod(jni, hooks, begin);
    if (ditto_agent_clear(jni) || !begin)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25",
                           DITTO_HOOK_CLASS);
    (*jni)->DeleteLocalRef(jni, hooks);
}
