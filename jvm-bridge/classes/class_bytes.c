/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/class_bytes.h"

#include <stdlib.h>

#include "core/base/die.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

static jclass hook_class;
static jmethodID class_file_method;

void ditto_class_bytes_begin(JNIEnv *jni, jclass hooks)
{
    class_file_method = (*jni)->GetStaticMethodID(jni, hooks, "classFile",
                                                  "(Ljava/lang/ClassLoader;Ljava/lang/String;)[B");
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    ditto_agent_expect(!ditto_agent_clear(jni) && class_file_method && hook_class,
                       "the class loaders of java.base");
}

unsigned char *ditto_class_file(JNIEnv *jni, jobject loader, const char *name, size_t *size)
{
    char *resource = ditto_format("%s.class", name);
    unsigned char *bytes = NULL;
    jstring text = (*jni)->NewStringUTF(jni, resource);
    free(resource);
    jbyteArray array =
        text ? (*jni)->CallStaticObjectMethod(jni, hook_class, class_file_method, loader, text)
             : NULL;
    if (!ditto_agent_clear(jni) && array) {
        jsize length = (*jni)->GetArrayLength(jni, array);
        bytes = ditto_alloc((size_t)length, "a class file");
        (*jni)->GetByteArrayRegion(jni, array, 0, length, (jbyte *)bytes);
        *size = (size_t)length;
    }
    (*jni)->DeleteLocalRef(jni, array);
    (*jni)->DeleteLocalRef(jni, text);
    return bytes;
}
