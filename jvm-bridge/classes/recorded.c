/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/recorded.h"

#include <string.h>

#include "jvm-bridge/classes/identity.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/* Of the program's classes, and of the library's. */
static struct ditto_selection selection, library_selection;
static jobject platform_loader;

void ditto_recorded_open(void)
{
    const struct ditto_agent *agent = &ditto_agent;
    bool replay = agent->replay;
    selection.include = replay ? ditto_property(agent->session, "include") : agent->options.include;
    selection.exclude = replay ? ditto_property(agent->session, "exclude") : agent->options.exclude;
    library_selection.exclude = selection.exclude;
}

void ditto_recorded_begin(JNIEnv *jni)
{
    jclass loader = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jmethodID platform = (*jni)->GetStaticMethodID(jni, loader, "getPlatformClassLoader",
                                                   "()Ljava/lang/ClassLoader;");
    jobject object = (*jni)->CallStaticObjectMethod(jni, loader, platform);
    bool failed = ditto_agent_clear(jni);
    platform_loader = failed ? NULL : (*jni)->NewGlobalRef(jni, object);
    ditto_agent_expect(platform_loader, "the class loaders of java.base");
    (*jni)->DeleteLocalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, loader);
}

static void tell_unused(struct ditto_cf_text pattern)
{
    ditto_agent_say("--include %.*s: no class of the program that was loaded has such a name",
                    (int)pattern.size, pattern.data);
}

void ditto_recorded_end(void)
{
    ditto_selection_unused(&selection, tell_unused);
}

struct ditto_selection *ditto_selection(bool of_the_jdk)
{
    return of_the_jdk ? &library_selection : &selection;
}

bool ditto_is_platform_loader(JNIEnv *jni, jobject loader)
{
    return !loader || (*jni)->IsSameObject(jni, loader, platform_loader);
}

bool ditto_records_of_the_jdk(const char *name)
{
    const struct ditto_cf_text text = {name, (uint32_t)strlen(name)};
    return ditto_is_of_the_library(name) && ditto_selects_class(&library_selection, text);
}

/* Hidden classes, which have a point in their names, are not recorded. */
bool ditto_records_field(JNIEnv *jni, jclass class, const char *owner, const char *member)
{
    size_t length = strcspn(member, " ");
    const struct ditto_cf_ref ref = {
        .owner = {owner, (uint32_t)strlen(owner)},
        .name = {member, (uint32_t)length},
        .descriptor = {member + length + 1, (uint32_t)strlen(member + length + 1)}};
    jobject loader = NULL;
    (*ditto_agent.jvmti)->GetClassLoader(ditto_agent.jvmti, class, &loader);
    bool platform = ditto_is_platform_loader(jni, loader), found;
    if (platform)
        found = ditto_records_of_the_jdk(owner) &&
                ditto_selects_field(&library_selection, ref.owner, ref.name);
    else
        found = !strchr(owner, '.') && !ditto_is_of_the_jdk(owner) &&
                ditto_selects_class(&selection, ref.owner) &&
                ditto_selects_field(&selection, ref.owner, ref.name) &&
                !ditto_is_ignored(jni, loader, &ref);
    (*jni)->DeleteLocalRef(jni, loader);
    return found;
}
