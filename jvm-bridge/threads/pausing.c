/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/threads/pausing.h"

#include <stdlib.h>

#include "core/base/debug.h"
#include "core/base/list.h"

/* While the thread runs ignored code: who it is otherwise, and how deep it is in such code. */
static _Thread_local struct ditto_java_thread *ignored;
static _Thread_local unsigned ignored_depth;

/* What leave_pauses() has noted, the latest at the end. */
static _Thread_local struct {
    struct note {
        jlong handle;
        int32_t muted;
    } * notes;
    size_t count, room;
} left;

/* How deep the calling thread, which is known or paused, is in muted calls. */
static int32_t *muted(void)
{
    return ditto_muted(ditto_handle_of(ditto_current_or_paused()));
}

jlong ditto_java_thread_leave_pauses(jlong handle)
{
    DITTO_DEBUG(threads, 2, "a paused thread is called back");
    jlong real = handle < 0 ? ditto_java_thread_pause(false) : handle;
    DITTO_PUSH(left.notes, left.count, left.room, (struct note){handle, *muted()});
    *muted() = 0;
    return real;
}

jlong ditto_java_thread_enter_pauses(void)
{
    if (!left.count)
        return 0;
    struct note note = left.notes[--left.count];
    *muted() = note.muted;
    if (note.handle < 0)
        ditto_java_thread_pause(true);
    return note.handle;
}

void ditto_ignore(JNIEnv *jni, jobject object, bool begin)
{
    /* Nothing is recorded already. */
    if (!ditto_current() && ditto_current_or_paused())
        return;
    if (begin && ignored_depth++ == 0) {
        ignored = ditto_current();
        ditto_set_current(jni, object, NULL);
    } else if (!begin && --ignored_depth == 0) {
        ditto_set_current(jni, object, ignored);
        ignored = NULL;
    }
}

struct ditto_java_thread *ditto_known_thread(void)
{
    return ignored ? ignored : ditto_current_or_paused();
}

void ditto_pausing_end(JNIEnv *jni, jobject thread)
{
    ditto_end_current(jni, thread);
    free(left.notes);
    left.notes = NULL;
    left.count = left.room = 0;
    ignored = NULL;
}
