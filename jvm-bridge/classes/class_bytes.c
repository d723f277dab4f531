/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/class_bytes.h"

#include <stdio.h>
#include <stdlib.h>

#include "jvm-bridge/vm/class_texts.h"
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
