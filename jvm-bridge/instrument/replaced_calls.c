/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/replaced_calls.h"

#define OBJECT    "Ljava/lang/Object;"
#define CLASS     "Ljava/lang/Class;"
#define THREAD    "Ljava/lang/Thread;"
#define STATE     "Ljava/lang/Thread$State;"
#define UNIT      "Ljava/util/concurrent/TimeUnit;"
#define DURATION  "Ljava/time/Duration;"
#define MAP       "Ljava/util/IdentityHashMap;"
#define SET       "Ljava/util/Set;"
#define REFERENCE "Ljava/lang/ref/Reference;"
#define BUFFER    "Ljava/lang/StringBuffer;"

#define COPIES(type)                                                                               \
    {"copyOf",                                                                                     \
     "([" type "I)[" type,                                                                         \
     true,                                                                                         \
     DITTO_CALL_ARRAYS,                                                                            \
     {{"copyOf", "([" type "II)[" type}, true}},                                                   \
    {                                                                                              \
        "copyOfRange", "([" type "II)[" type, true, DITTO_CALL_ARRAYS,                             \
        {                                                                                          \
            {"copyOfRange", "([" type "III)[" type}, true                                          \
        }                                                                                          \
    }

static const struct ditto_call calls[] = {
    {"wait", "()V", false, DITTO_CALL_ANY, {{"waitOn", "(" OBJECT ")V"}, false}},
    {"wait", "(J)V", false, DITTO_CALL_ANY, {{"waitOn", "(" OBJECT "J)V"}, false}},
    {"wait", "(JI)V", false, DITTO_CALL_ANY, {{"waitOn", "(" OBJECT "JI)V"}, false}},
    {"join", "()V", false, DITTO_CALL_THREAD, {{"join", "(" THREAD ")V"}, false}},
    {"join", "(J)V", false, DITTO_CALL_THREAD, {{"join", "(" THREAD "J)V"}, false}},
    {"join", "(JI)V", false, DITTO_CALL_THREAD, {{"join", "(" THREAD "JI)V"}, false}},
    {"join",
     "(" DURATION ")Z",
     false,
     DITTO_CALL_THREAD,
     {{"join", "(" THREAD DURATION ")Z"}, false}},
    {"isAlive", "()Z", false, DITTO_CALL_THREAD, {{"isAlive", "(" THREAD ")Z"}, false}},
    {"getState", "()" STATE, false, DITTO_CALL_THREAD, {{"getState", "(" THREAD ")" STATE}, false}},
    {"activeCount", "()I", true, DITTO_CALL_THREAD, {{"activeCount", "()I"}, false}},
    {"isInterrupted", "()Z", false, DITTO_CALL_THREAD, {{"isInterrupted", "(" THREAD ")Z"}, false}},
    {"interrupted", "()Z", true, DITTO_CALL_THREAD, {{"interrupted", "()Z"}, false}},
    {"sleep", "(J)V", true, DITTO_CALL_THREAD, {{"sleep", "(J)V"}, false}},
    {"sleep", "(JI)V", true, DITTO_CALL_THREAD, {{"sleep", "(JI)V"}, false}},
    {"sleep", "(" DURATION ")V", true, DITTO_CALL_THREAD, {{"sleep", "(" DURATION ")V"}, false}},
    {"runHooks", "()V", true, DITTO_CALL_HOOKS, {{"runHooks", "()V"}, false}},
    {"keySet", "()" SET, false, DITTO_CALL_HOOKS, {{"shutdownHooks", "(" MAP ")" SET}, false}},
    {"get",
     "()" OBJECT,
     false,
     DITTO_CALL_REFERENCE,
     {{"referent", "(" REFERENCE ")" OBJECT}, false}},
    {"refersTo",
     "(" OBJECT ")Z",
     false,
     DITTO_CALL_REFERENCE,
     {{"refersTo", "(" REFERENCE OBJECT ")Z"}, false}},
    {"arraycopy",
     "(" OBJECT "I" OBJECT "II)V",
     true,
     DITTO_CALL_SYSTEM,
     {{"arraycopy", "(" OBJECT "I" OBJECT "III)V"}, true}},
    {"clone", "()" OBJECT, false, DITTO_CALL_ARRAY, {{"cloneArray", "(" OBJECT "I)" OBJECT}, true}},
    {"copyOf",
     "([" OBJECT "I" CLASS ")[" OBJECT,
     true,
     DITTO_CALL_ARRAYS,
     {{"copyOf", "([" OBJECT "I" CLASS "I)[" OBJECT}, true}},
    {"copyOfRange",
     "([" OBJECT "II" CLASS ")[" OBJECT,
     true,
     DITTO_CALL_ARRAYS,
     {{"copyOfRange", "([" OBJECT "II" CLASS "I)[" OBJECT}, true}},
    COPIES(OBJECT),
    COPIES("B"),
    COPIES("S"),
    COPIES("I"),
    COPIES("J"),
    COPIES("C"),
    COPIES("F"),
    COPIES("D"),
    COPIES("Z"),
    {"append",
     "([C)" BUFFER,
     false,
     DITTO_CALL_BUFFER,
     {{"append", "(" BUFFER "[CI)" BUFFER}, true}},
    {"append",
     "([CII)" BUFFER,
     false,
     DITTO_CALL_BUFFER,
     {{"append", "(" BUFFER "[CIII)" BUFFER}, true}},
    {"hashCode", "()I", false, DITTO_CALL_KEY, {{"hashOf", "(" OBJECT ")I"}, false}},
    {"park", "(ZJ)V", false, DITTO_CALL_UNSAFE, {{"park", "(" OBJECT "ZJ)V"}, false}},
    {"sleep", "(J)V", false, DITTO_CALL_TIME_UNIT, {{"sleep", "(" UNIT "J)V"}, false}},
};

const struct ditto_call *ditto_call_find(const struct ditto_call *after, struct ditto_cf_text name,
                                         struct ditto_cf_text descriptor, bool is_static)
{
    for (size_t i = after ? (size_t)(after - calls) + 1 : 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].is_static == is_static && ditto_cf_is(name, calls[i].name) &&
            ditto_cf_is(descriptor, calls[i].descriptor))
            return &calls[i];
    return NULL;
}
