/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/calls.h"

#define OBJECT    "Ljava/lang/Object;"
#define THREAD    "Ljava/lang/Thread;"
#define UNIT      "Ljava/util/concurrent/TimeUnit;"
#define DURATION  "Ljava/time/Duration;"
#define REFERENCE "Ljava/lang/ref/Reference;"

static const struct ditto_call calls[] = {
    {"wait", "()V", false, DITTO_CALL_ANY, {"waitOn", "(" OBJECT ")V"}},
    {"wait", "(J)V", false, DITTO_CALL_ANY, {"waitOn", "(" OBJECT "J)V"}},
    {"wait", "(JI)V", false, DITTO_CALL_ANY, {"waitOn", "(" OBJECT "JI)V"}},
    {"join", "()V", false, DITTO_CALL_THREAD, {"join", "(" THREAD ")V"}},
    {"join", "(J)V", false, DITTO_CALL_THREAD, {"join", "(" THREAD "J)V"}},
    {"join", "(JI)V", false, DITTO_CALL_THREAD, {"join", "(" THREAD "JI)V"}},
    {"join", "(" DURATION ")Z", false, DITTO_CALL_THREAD, {"join", "(" THREAD DURATION ")Z"}},
    {"isAlive", "()Z", false, DITTO_CALL_THREAD, {"isAlive", "(" THREAD ")Z"}},
    {"isInterrupted", "()Z", false, DITTO_CALL_THREAD, {"isInterrupted", "(" THREAD ")Z"}},
    {"interrupted", "()Z", true, DITTO_CALL_THREAD, {"interrupted", "()Z"}},
    {"sleep", "(J)V", true, DITTO_CALL_THREAD, {"sleep", "(J)V"}},
    {"sleep", "(JI)V", true, DITTO_CALL_THREAD, {"sleep", "(JI)V"}},
    {"sleep", "(" DURATION ")V", true, DITTO_CALL_THREAD, {"sleep", "(" DURATION ")V"}},
    {"get", "()" OBJECT, false, DITTO_CALL_REFERENCE, {"referent", "(" REFERENCE ")" OBJECT}},
    {"sleep", "(J)V", false, DITTO_CALL_TIME_UNIT, {"sleep", "(" UNIT "J)V"}},
};

const struct ditto_call *ditto_call_find(struct ditto_cf_text name, struct ditto_cf_text descriptor,
                                         bool is_static)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].is_static == is_static && ditto_cf_is(name, calls[i].name) &&
            ditto_cf_is(descriptor, calls[i].descriptor))
            return &calls[i];
    return NULL;
}
