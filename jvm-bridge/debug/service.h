/* SPDX-License-Identifier: MIT */
/*
 * The agent's debug service: obeys a debugger over a socket (messages.h), in a JVM that was started
 * for one.  It is the observer there (observer.h).
 *
 * One thread of the agent's own serves requests while the program's threads rest at gates
 * (core/engine/timeline.h).  A run is set up by that thread when all rest; from then until all rest
 * again the program's threads read it, and its results are theirs.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_SERVICE_H
#define DITTO_JVM_BRIDGE_DEBUG_SERVICE_H

#include "core/engine/timeline.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/control/messages.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/threads/threads.h"
#include "jvm-bridge/vm/observer.h"

struct ditto_debug_method;

/* What it keeps of a thread; see go.c. */
struct ditto_debug_thread {
    bool stepping;                         /* JVMTI tells its single steps */
    uint8_t counting;                      /* enum ditto_spot_kind: what `steps` counts from */
    uint64_t steps, nth, throws;           /* throws: exceptions in this turn */
    const struct ditto_debug_method *mark; /* where counting began */
    int32_t mark_bci;
    const struct ditto_debug_method *skip; /* a breakpoint that was dealt with */
    jlocation skip_at;
    const struct ditto_debug_method *logged;
    jint logged_depth;
    bool watched;   /* the access under way is: */
    jobject object; /* a global reference */
    struct ditto_wire_hit hit;
    bool stop_next; /* it stops at the next bytecode, because of that */
    uint64_t made;  /* objects */
    /* What the last method returned, if the thread has come to no bytecode but one since then. */
    struct ditto_wire_value returned;
    jobject returned_object; /* a global reference */
    bool returned_seen;
};

static inline struct ditto_debug_thread *ditto_debug_of(const struct ditto_java_thread *thread)
{
    return (struct ditto_debug_thread *)thread->observed;
}

/* ------------------------------------------------------------ for the agent's other files */

extern const struct ditto_timeline_calls ditto_debug_timeline;

/* The service observes from now on.  What Agent_OnLoad asks of JVMTI in addition. */
void ditto_debug_prepare(jvmtiCapabilities *capabilities, jvmtiEventCallbacks *callbacks);
/* At VMInit, before main becomes known: starts the service. */
void ditto_debug_begin(JNIEnv *jni);

/* ------------------------------------------------- the observer's calls: see observer.h */

void ditto_debug_class(const char *name, const struct ditto_cf *cf,
                       const struct ditto_instrumented *result);
void ditto_debug_access(JNIEnv *jni, struct ditto_java_thread *self, jint site,
                        struct ditto_thing *thing, jobject object, jint index, bool store);
void ditto_debug_access_ends(struct ditto_java_thread *self);
void ditto_debug_accessed(struct ditto_java_thread *self);
void ditto_debug_made(JNIEnv *jni, jobject object);
void ditto_debug_met(struct ditto_java_thread *self, struct ditto_thing *thing);
void ditto_debug_returns(JNIEnv *jni, char type, uint64_t bits, jobject object);
void ditto_debug_forget(struct ditto_thing *thing);
void ditto_debug_thread_ends(struct ditto_java_thread *self);

/* What a thread that rests returned, in the step to where it is. */
bool ditto_debug_returned(JNIEnv *jni, uint32_t thread, struct ditto_wire_value *value);
/* The replay left its trace: tells the debugger. */
void ditto_debug_lost(const char *text);

/* ----------------------------------------------------------------- methods: methods.c */

struct ditto_debug_method {
    struct ditto_debug_method *next_by_name, *next_by_id;
    uint32_t number; /* from 1 on */
    char *class_name, *name, *descriptor;
    _Atomic(jmethodID) id; /* NULL: its class is not prepared */
    /*
     * Of a recorded method, by index of the rewritten code: the original index of the bytecode that
     * this belongs to, -1 for the entry and where there is none; and whether a thread that comes to
     * it comes to that bytecode.  NULL: not recorded.
     */
    int32_t *place;
    bool *arrival;
    uint32_t size;
};

/* A class as it is shown, of its signature, which is changed. */
const char *ditto_debug_class_name(char *signature);

struct ditto_debug_method *ditto_debug_method(jmethodID id);
struct ditto_debug_method *ditto_debug_method_named(const char *class_name, const char *name,
                                                    const char *descriptor);
/* NULL: no such number. */
struct ditto_debug_method *ditto_debug_method_at(uint32_t number);
int32_t ditto_debug_bci(const struct ditto_debug_method *method, jlocation at);
/* Where a thread comes to an original bytecode; -1: nowhere. */
jlocation ditto_debug_location(const struct ditto_debug_method *method, int32_t bci);
/* The class's methods get their ids; false if it is not recorded. */
bool ditto_debug_methods_prepared(jclass class);

/* ----------------------------------------------------------------------- runs: go.c */

/* Sets the next run up, and lets it begin; the texts must stay until the next one. */
void ditto_debug_run(JNIEnv *jni, const struct ditto_wire_run *run);
/* When all rest: what came out. */
void ditto_debug_halt(enum ditto_rest why, struct ditto_wire_halt *halt);
/* Asks the present run to stop. */
void ditto_debug_interrupt(void);

void JNICALL ditto_debug_single_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                     jlocation at);
void JNICALL ditto_debug_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                    jlocation at);
void JNICALL ditto_debug_class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class);
void JNICALL ditto_debug_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                   jlocation at, jobject exception, jmethodID catcher,
                                   jlocation caught_at);
void ditto_debug_passed(void *context, struct ditto_thread *thread);

/* Sends while a run is under way. */
void ditto_debug_send(struct ditto_wire *wire);

/* -------------------------------------------------------------------- looking: inspect.c */

/* The object's key, given to it if it has none; 0 for NULL. */
uint64_t ditto_debug_key(JNIEnv *jni, jobject object);
/* A local reference, or NULL. */
jobject ditto_debug_object(JNIEnv *jni, uint64_t key);

bool ditto_debug_field(JNIEnv *jni, jobject object, const char *class_name, const char *field,
                       const char *descriptor, struct ditto_wire_value *value);
bool ditto_debug_static(JNIEnv *jni, const char *class_name, const char *field,
                        const char *descriptor, struct ditto_wire_value *value);
bool ditto_debug_element(JNIEnv *jni, jobject array, jlong index, struct ditto_wire_value *value);
bool ditto_debug_local(JNIEnv *jni, uint32_t thread, uint32_t depth, jint slot, char type,
                       struct ditto_wire_value *value);
/* The class's name as "java/lang/String" or "[I", to be freed; NULL: none. */
char *ditto_debug_class_of(JNIEnv *jni, jobject object);

/* Frames without those of the hooks on top; to be freed.  `hidden` may be NULL. */
jint ditto_debug_frames(jthread thread, jvmtiFrameInfo **frames, jint *hidden);

/* --------------------------------------------------------------- writes: write_counts.c */

/* A write to the site's field of the thing, to a static, or to an element. */
void ditto_count_write(struct ditto_site_info *site, struct ditto_thing *thing, jint index);
/* How many there were: to this object's field or element, to the field of all objects, to a static.
 */
uint64_t ditto_thing_writes(const struct ditto_site_info *site, const struct ditto_thing *thing,
                            jint index);
uint64_t ditto_class_writes(const struct ditto_site_info *site, const struct ditto_thing *thing);
uint64_t ditto_static_writes(const struct ditto_site_info *site);

/* ------------------------------------------------------------------ compiled: compiled_code.c */

void JNICALL ditto_debug_compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *address,
                                  jint map_length, const jvmtiAddrLocationMap *map,
                                  const void *info);
void JNICALL ditto_debug_uncompiled(jvmtiEnv *jvmti, jmethodID method, const void *address);
void ditto_debug_put_compiled(struct ditto_wire *wire, const struct ditto_debug_method *method);

#endif
