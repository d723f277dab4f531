/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/vm.h"

#include "core/base/die.h"

struct ditto_agent ditto_agent;

bool ditto_agent_clear(JNIEnv *jni)
{
    bool pending = (*jni)->ExceptionCheck(jni);
    if (pending)
        (*jni)->ExceptionClear(jni);
    return pending;
}

char *ditto_system_property(const char *name)
{
    char *value = NULL, *own;
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    if ((*jvmti)->GetSystemProperty(jvmti, name, &value) != JVMTI_ERROR_NONE)
        return NULL;
    own = ditto_copy_text(value, "a property of the JVM");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)value);
    return own;
}
