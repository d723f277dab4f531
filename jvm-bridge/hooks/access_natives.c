/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/hooks/access_natives.h"

#include <ctype.h>
#include <string.h>

#include "core/engine/quick.h"
#include "jvm-bridge/classes/copied_fields.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/threads/digests.h"
#include "jvm-bridge/threads/pausing.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/* Ends the access under way, if there is one. */
static void finish_access(struct ditto_java_thread *self)
{
    if (ditto_agent.observer)
        ditto_agent.observer->access_ends(self);
    ditto_access_end(ditto_handle_of(self));
    if (ditto_agent.observer)
        ditto_agent.observer->accessed(self);
}

static void begin_access(struct ditto_java_thread *self, bool store, ditto_place *place,
                         uint32_t digest)
{
    ditto_digest(self, digest);
    if (store)
        ditto_store_begin(ditto_handle_of(self), place);
    else
        ditto_load_begin(ditto_handle_of(self), place);
}

struct ditto_java_thread *ditto_enter(void)
{
    struct ditto_java_thread *self = ditto_current();
    if (self)
        finish_access(self);
    if (self && self->printing == 0 && ditto_agent_is_ending())
        ditto_agent_park();
    return self;
}

static void access_field(JNIEnv *jni, jint number, jobject object, jint site, bool store)
{
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    struct ditto_site_info *info = ditto_site_at(site);
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    int32_t field = atomic_load_explicit(&info->field, memory_order_relaxed);
    if (field == 0) {
        field = ditto_type_field(shadow->type, info->owner, info->member) + 1;
        /* No such field: the access is about to fail. */
        if (field == 0)
            return;
        atomic_store_explicit(&info->field, field, memory_order_relaxed);
    }
    ditto_place *place =
        ditto_field(ditto_agent.session, &shadow->cell, shadow->fields, (unsigned)field - 1);
    atomic_store_explicit(&info->quick, (uintptr_t)place - (uintptr_t)shadow, memory_order_relaxed);
    begin_access(self, store, place, info->digest);
    if (ditto_agent.observer)
        ditto_agent.observer->access(jni, self, site, shadow, object, 0, store);
}

static void access_static(JNIEnv *jni, jint site, bool store)
{
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    struct ditto_site_info *info = ditto_site_at(site);
    ditto_place *place = (ditto_place *)atomic_load_explicit(&info->quick, memory_order_acquire);
    if (!place) {
        jclass class = ditto_site_find_class(jni, info);
        place = class ? ditto_type_static(ditto_type_of(jni, class), info->member) : NULL;
        (*jni)->DeleteLocalRef(jni, class);
        if (!place)
            return;
        atomic_store_explicit(&info->quick, (uintptr_t)place, memory_order_release);
    }
    begin_access(self, store, place, info->digest);
    if (ditto_agent.observer)
        ditto_agent.observer->access(jni, self, site, NULL, NULL, 0, store);
}

static void access_element(JNIEnv *jni, jint number, jobject array, jint length, jint index,
                           jint site, bool store)
{
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    begin_access(self, store, ditto_shadow_element(ditto_shadow_at(number), length, index),
                 ditto_element_digest(ditto_site_at(site)->digest, (uint32_t)index));
    if (ditto_agent.observer)
        ditto_agent.observer->access(jni, self, site, ditto_shadow_at(number), array, index, store);
}

static void JNICALL begin_field_load(JNIEnv *jni, jclass hooks, jint shadow, jobject object,
                                     jint site)
{
    (void)hooks;
    access_field(jni, shadow, object, site, false);
}

static void JNICALL begin_field_store(JNIEnv *jni, jclass hooks, jint shadow, jobject object,
                                      jint site)
{
    (void)hooks;
    access_field(jni, shadow, object, site, true);
}

static void JNICALL load_static(JNIEnv *jni, jclass hooks, jint site)
{
    (void)hooks;
    access_static(jni, site, false);
}

static void JNICALL store_static(JNIEnv *jni, jclass hooks, jint site)
{
    (void)hooks;
    access_static(jni, site, true);
}

static void JNICALL load_element(JNIEnv *jni, jclass hooks, jint shadow, jobject array, jint length,
                                 jint index, jint site)
{
    (void)hooks;
    access_element(jni, shadow, array, length, index, site, false);
}

static void JNICALL store_element(JNIEnv *jni, jclass hooks, jint shadow, jobject array,
                                  jint length, jint index, jint site)
{
    (void)hooks;
    access_element(jni, shadow, array, length, index, site, true);
}

static void JNICALL end_access(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        finish_access(self);
}

static void JNICALL abandon_access(JNIEnv *jni, jclass hooks)
{
    end_access(jni, hooks);
    if (ditto_current())
        atomic_store_explicit(&ditto_current()->wanted, NULL, memory_order_release);
}

/* The value of the access before, or of the store to come: only with --verify. */
static void JNICALL verify_value(JNIEnv *jni, jclass hooks, jlong value, jint type)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (self)
        ditto_digest_value(self, (uint64_t)value, type >= 'a', (char)toupper(type));
}

/* Around an ignored method. */
static void JNICALL begin_ignored(JNIEnv *jni, jclass hooks, jobject thread)
{
    end_access(jni, hooks);
    ditto_ignore(jni, thread, true);
}

static void JNICALL end_ignored(JNIEnv *jni, jclass hooks, jobject thread)
{
    (void)hooks;
    ditto_ignore(jni, thread, false);
}

/* An object was made; only in classes rewritten for a debugger. */
static void JNICALL made(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    if (object && ditto_agent.observer)
        ditto_agent.observer->made(jni, object);
}

/* What a method returns; likewise. */
static void returned(JNIEnv *jni, char type, uint64_t bits, jobject object)
{
    if (ditto_agent.observer)
        ditto_agent.observer->returns(jni, type, bits, object);
}

static void JNICALL returned_int(JNIEnv *jni, jclass hooks, jint value)
{
    (void)hooks;
    returned(jni, 'I', (uint64_t)(int64_t)value, NULL);
}

static void JNICALL returned_long(JNIEnv *jni, jclass hooks, jlong value)
{
    (void)hooks;
    returned(jni, 'J', (uint64_t)value, NULL);
}

static void JNICALL returned_float(JNIEnv *jni, jclass hooks, jfloat value)
{
    (void)hooks;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    returned(jni, 'F', bits, NULL);
}

static void JNICALL returned_double(JNIEnv *jni, jclass hooks, jdouble value)
{
    (void)hooks;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    returned(jni, 'D', bits, NULL);
}

static void JNICALL returned_object(JNIEnv *jni, jclass hooks, jobject value)
{
    (void)hooks;
    returned(jni, 'L', 0, value);
}

/* ------------------------------------------------------ Unsafe and VarHandle */

static void access_place(jlong place, jint site, bool store)
{
    struct ditto_java_thread *self = ditto_enter();
    if (self)
        begin_access(self, store, (ditto_place *)(uintptr_t)place, ditto_site_at(site)->digest);
}

static void JNICALL load_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    access_place(place, site, false);
}

static void JNICALL store_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    access_place(place, site, true);
}

static void JNICALL update_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    ditto_digest(self, ditto_site_at(site)->digest);
    ditto_update_begin(ditto_handle_of(self), (ditto_place *)(uintptr_t)place);
}

static void JNICALL end_update(JNIEnv *jni, jclass hooks, jlong place, jboolean stored)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        ditto_update_end(ditto_handle_of(self), (ditto_place *)(uintptr_t)place, stored);
}

static jlong JNICALL field_place(JNIEnv *jni, jclass hooks, jobject object, jint number,
                                 jlong offset)
{
    (void)hooks;
    bool is_static;
    ditto_place *place =
        ditto_shadow_place_at(jni, ditto_shadow_at(number), object, offset, &is_static);
    return (jlong)(uintptr_t)place + (place && is_static);
}

static jlong JNICALL copied_fields(JNIEnv *jni, jclass hooks, jint number, jobject object)
{
    (void)hooks;
    return (jlong)(uintptr_t)ditto_copied_fields(jni, ditto_shadow_at(number), object);
}

static jlong JNICALL first_element_place(JNIEnv *jni, jclass hooks, jint number, jint length,
                                         jint index)
{
    (void)jni;
    (void)hooks;
    return (jlong)(uintptr_t)ditto_shadow_element(ditto_shadow_at(number), length, index);
}

/* The method answers an int or a long, depending on the JDK. */
static jlong JNICALL array_base(JNIEnv *jni, jclass hooks, jclass array)
{
    (void)hooks;
    jclass class = (*jni)->FindClass(jni, "jdk/internal/misc/Unsafe");
    jmethodID get =
        (*jni)->GetStaticMethodID(jni, class, "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
    jobject unsafe = (*jni)->CallStaticObjectMethod(jni, class, get);
    ditto_agent_expect(!ditto_agent_clear(jni) && unsafe, "Unsafe");
    jmethodID base = (*jni)->GetMethodID(jni, class, "arrayBaseOffset", "(Ljava/lang/Class;)I");
    jlong result;
    if (base) {
        result = (*jni)->CallIntMethod(jni, unsafe, base, array);
    } else {
        ditto_agent_clear(jni);
        base = (*jni)->GetMethodID(jni, class, "arrayBaseOffset", "(Ljava/lang/Class;)J");
        result = (*jni)->CallLongMethod(jni, unsafe, base, array);
    }
    ditto_agent_expect(!ditto_agent_clear(jni), "the layout of arrays");
    (*jni)->DeleteLocalRef(jni, unsafe);
    (*jni)->DeleteLocalRef(jni, class);
    return result;
}

/* ------------------------------------------------------------- quick events */

static jlong JNICALL layout(JNIEnv *jni, jclass hooks, jstring name)
{
    (void)hooks;
    int64_t number = 0;
    const char *text = (*jni)->GetStringUTFChars(jni, name, NULL);
    if (!text || !ditto_quick_number(ditto_agent.session, text, &number))
        ditto_agent_refuse("the engine has no '%s', which the hooks ask for; build Ditto again",
                           text ? text : "?");
    (*jni)->ReleaseStringUTFChars(jni, name, text);
    return number;
}

static jstring JNICALL quick_text(JNIEnv *jni, jclass hooks)
{
    (void)hooks;
    const char *text = ditto_quick_text(ditto_agent.session);
    return text && !ditto_agent.verify && !ditto_agent.observer ? (*jni)->NewStringUTF(jni, text)
                                                                : NULL;
}

static jlong JNICALL shadows(JNIEnv *jni, jclass hooks, jlong number_offset)
{
    (void)jni;
    (void)hooks;
    ditto_shadows_check_layout(number_offset);
    return (jlong)(uintptr_t)ditto_shadows_base();
}

static jlong JNICALL shadow_unit(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return DITTO_SHADOW_UNIT;
}

static jlong JNICALL sites(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return (jlong)(uintptr_t)ditto_site_at(0) + (jlong)offsetof(struct ditto_site_info, quick);
}

static jlong JNICALL site_size(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return sizeof(struct ditto_site_info);
}

static jint JNICALL new_shadow(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    return ditto_shadow_make(jni, object);
}

static jint JNICALL new_object_shadow(JNIEnv *jni, jclass hooks, jobject object, jint class_number)
{
    (void)hooks;
    return ditto_shadow_make_for(jni, object, class_number);
}

static void JNICALL drop_shadow(JNIEnv *jni, jclass hooks, jobject object, jint number)
{
    (void)hooks;
    ditto_shadow_drop(jni, object, number);
}

static void JNICALL check_number(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    ditto_shadow_check(jni, object);
}

static void JNICALL free_shadow(JNIEnv *jni, jclass hooks, jint number)
{
    (void)jni;
    (void)hooks;
    ditto_shadow_free(number);
}

static void JNICALL wake_lock(JNIEnv *jni, jclass hooks, jlong place)
{
    (void)jni;
    (void)hooks;
    ditto_quick_wake_lock(ditto_agent.session, (ditto_place *)(uintptr_t)place);
}

static void JNICALL wake(JNIEnv *jni, jclass hooks, jlong self, jlong place)
{
    (void)jni;
    (void)hooks;
    ditto_quick_wake((struct ditto_thread *)(uintptr_t)self, (ditto_place *)(uintptr_t)place);
}

/* ----------------------------------------------------------------- the table */

struct ditto_natives ditto_access_natives(void)
{
    static const JNINativeMethod methods[] = {
        DITTO_NATIVE("layout", "(Ljava/lang/String;)J", layout),
        DITTO_NATIVE("quickText", "()Ljava/lang/String;", quick_text),
        DITTO_NATIVE("shadows", "(J)J", shadows),
        DITTO_NATIVE("shadowUnit", "()J", shadow_unit),
        DITTO_NATIVE("sites", "()J", sites),
        DITTO_NATIVE("siteSize", "()J", site_size),
        DITTO_NATIVE("newShadow", "(" DITTO_OBJECT ")I", new_shadow),
        DITTO_NATIVE("newShadow", "(" DITTO_OBJECT "I)I", new_object_shadow),
        DITTO_NATIVE("dropShadow", "(" DITTO_OBJECT "I)V", drop_shadow),
        DITTO_NATIVE("checkNumber", "(" DITTO_OBJECT ")V", check_number),
        DITTO_NATIVE("freeShadow", "(I)V", free_shadow),
        DITTO_NATIVE("wakeLock", "(J)V", wake_lock),
        DITTO_NATIVE("wake", "(JJ)V", wake),
        DITTO_NATIVE("beginFieldLoad", "(I" DITTO_OBJECT "I)V", begin_field_load),
        DITTO_NATIVE("beginFieldStore", "(I" DITTO_OBJECT "I)V", begin_field_store),
        DITTO_NATIVE("loadStatic", "(I)V", load_static),
        DITTO_NATIVE("storeStatic", "(I)V", store_static),
        DITTO_NATIVE("loadElement", "(I" DITTO_OBJECT "III)V", load_element),
        DITTO_NATIVE("storeElement", "(I" DITTO_OBJECT "III)V", store_element),
        DITTO_NATIVE("endAccess", "()V", end_access),
        DITTO_NATIVE("loadPlace", "(JI)V", load_place),
        DITTO_NATIVE("storePlace", "(JI)V", store_place),
        DITTO_NATIVE("updatePlace", "(JI)V", update_place),
        DITTO_NATIVE("endUpdate", "(JZ)V", end_update),
        DITTO_NATIVE("fieldPlace", "(" DITTO_OBJECT "IJ)J", field_place),
        DITTO_NATIVE("copiedFields", "(I" DITTO_OBJECT ")J", copied_fields),
        DITTO_NATIVE("firstElementPlace", "(III)J", first_element_place),
        DITTO_NATIVE("arrayBase", "(Ljava/lang/Class;)J", array_base),
        DITTO_NATIVE("abandonAccess", "()V", abandon_access),
        DITTO_NATIVE("beginIgnored", "(Ljava/lang/Thread;)V", begin_ignored),
        DITTO_NATIVE("endIgnored", "(Ljava/lang/Thread;)V", end_ignored),
        DITTO_NATIVE("verify", "(JI)V", verify_value),
        DITTO_NATIVE("made", "(" DITTO_OBJECT ")V", made),
        DITTO_NATIVE("returned", "(I)V", returned_int),
        DITTO_NATIVE("returned", "(J)V", returned_long),
        DITTO_NATIVE("returned", "(F)V", returned_float),
        DITTO_NATIVE("returned", "(D)V", returned_double),
        DITTO_NATIVE("returned", "(" DITTO_OBJECT ")V", returned_object),
    };
    return (struct ditto_natives){methods, sizeof methods / sizeof *methods};
}
