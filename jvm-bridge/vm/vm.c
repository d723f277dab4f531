/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/vm.h"

struct ditto_agent ditto_agent;

bool ditto_agent_clear(JNIEnv *jni)
{
    bool pending = (*jni)->ExceptionCheck(jni);
    if (pending)
        (*jni)->ExceptionClear(jni);
    return pending;
}
