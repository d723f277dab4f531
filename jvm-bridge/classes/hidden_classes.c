/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/hidden_classes.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/instrument/instrument.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/say.h"

/* ClassLoader.defineClass0 of libjava: defines a hidden class. */
typedef jclass define_hidden(JNIEnv *, jclass, jobject loader, jclass lookup, jstring name,
                             jbyteArray bytes, jint offset, jint length, jobject domain,
                             jboolean initialize, jint flags, jobject data);
static define_hidden *real_define;

/* The class that asked for the hidden one is initialized, or this thread is doing it, or the JVM
 * makes it wait for who does. */
static bool may_initialize(void *context, const struct ditto_cf *cf, struct ditto_cf_text name)
{
    (void)cf;
    char *text = ditto_text_copy(name);
    bool may = text[0] != '[' && !ditto_is_of_the_jdk(text) && strcmp(text, context) != 0;
    free(text);
    return may;
}

/* The bytes with hooks; NULL: they may stay as they are. */
static jbyteArray instrumented(JNIEnv *jni, jobject loader, const char *asker,
                               const unsigned char *bytes, size_t size)
{
    const uint32_t nothing_else = ~0u;
    struct ditto_instrument_options options = {.context = (void *)(uintptr_t)asker,
                                               .may_initialize = may_initialize,
                                               .leave_out = nothing_else};
    struct ditto_cf cf;
    struct ditto_instrumented result;
    struct ditto_error error;
    if (!ditto_cf_open(&cf, bytes, size, &error))
        return NULL;
    options.first_site = ditto_sites_first();
    bool changed = ditto_instrument(&cf, &options, &result, &error) == DITTO_INSTRUMENT_DONE;
    jweak weak = changed && loader ? (*jni)->NewWeakGlobalRef(jni, loader) : NULL;
    ditto_sites_enter(&cf, changed ? &result : NULL, NULL, weak);
    jbyteArray array = NULL;
    if (changed) {
        jsize length = (jsize)result.class.size;
        array = (*jni)->NewByteArray(jni, length);
        ditto_agent_expect(array, "room for a rewritten class");
        (*jni)->SetByteArrayRegion(jni, array, 0, length, (const jbyte *)result.class.data);
        ditto_instrumented_free(&result);
    }
    ditto_cf_close(&cf);
    return array;
}

/* "com/acme/Main" of a class; to be freed. */
static char *name_of(jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    size_t length = signature ? strlen(signature) : 0;
    struct ditto_cf_text text = {"", 0};
    if (length > 2)
        text = (struct ditto_cf_text){signature + 1, (uint32_t)(length - 2)};
    char *name = ditto_text_copy(text);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return name;
}

static bool is_lambda(JNIEnv *jni, jstring name)
{
    const char *text = name ? (*jni)->GetStringUTFChars(jni, name, NULL) : NULL;
    bool found = text && strstr(text, "$$Lambda");
    if (text)
        (*jni)->ReleaseStringUTFChars(jni, name, text);
    return found;
}

static jclass JNICALL my_define(JNIEnv *jni, jclass class, jobject loader, jclass lookup,
                                jstring name, jbyteArray bytes, jint offset, jint length,
                                jobject domain, jboolean initialize, jint flags, jobject data)
{
    char *asker = lookup && bytes && is_lambda(jni, name) ? name_of(lookup) : NULL;
    jbyteArray changed = NULL;
    if (asker && !ditto_is_of_the_jdk(asker) && length > 0) {
        unsigned char *copy = ditto_alloc((size_t)length, "a hidden class");
        (*jni)->GetByteArrayRegion(jni, bytes, offset, length, (jbyte *)copy);
        if (!(*jni)->ExceptionCheck(jni))
            changed = instrumented(jni, loader, asker, copy, (size_t)length);
        free(copy);
    }
    free(asker);
    if (changed) {
        bytes = changed;
        offset = 0;
        length = (*jni)->GetArrayLength(jni, changed);
    }
    if ((*jni)->ExceptionCheck(jni))
        return NULL;
    return real_define(jni, class, loader, lookup, name, bytes, offset, length, domain, initialize,
                       flags, data);
}

void ditto_hidden_take_over(JNIEnv *jni)
{
    *(void **)&real_define =
        ditto_hotspot_library_function("Java_java_lang_ClassLoader_defineClass0");
    ditto_hotspot_replace_native(
        jni, "java/lang/ClassLoader", "defineClass0",
        "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BII"
        "Ljava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
        __extension__(void *) my_define);
}
