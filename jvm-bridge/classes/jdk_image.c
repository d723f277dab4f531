/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/jdk_image.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/vm.h"

/* Functions of libjimage, with the signatures that they have had from JDK 9 to 25. */
typedef jlong find_function(void *image, const char *module, const char *version, const char *name,
                            jlong *size);
typedef jlong get_function(void *image, jlong location, char *buffer, jlong size);
enum { NEWEST_JDK = 25 };

static find_function *find_resource;
static get_function *get_resource;
static ditto_change_class *change_class;
static _Atomic bool closed;

/*
 * What the JVM will ask for next in this thread: it finds a class to learn its size, and then gets
 * it.
 */
static _Thread_local struct {
    char *name;
    unsigned char *bytes;
    size_t size;
    jlong location;
} found;

/* Names of classes that came through here.  Guarded by the lock, under which nothing is asked of
 * the JVM; the names are kept. */
static struct ditto_map given;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool ditto_image_gave(const char *name)
{
    pthread_mutex_lock(&lock);
    bool gave = ditto_map_get(&given, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return gave;
}

static void remember(char *name)
{
    pthread_mutex_lock(&lock);
    const char *kept = ditto_map_add(&given, name, strlen(name), name);
    pthread_mutex_unlock(&lock);
    if (kept != name)
        free(name);
}

static void forget_found(void)
{
    free(found.name);
    free(found.bytes);
    found.name = NULL;
    found.bytes = NULL;
}

/* "java/lang/Object", to be freed, of "java/lang/Object.class"; NULL if it is not that of a class.
 */
static char *class_name(const char *name)
{
    static const char end[] = ".class";
    size_t length = strlen(name);
    if (length < sizeof end || strcmp(name + length - (sizeof end - 1), end) != 0)
        return NULL;
    return ditto_text_copy((struct ditto_cf_text){name, (uint32_t)(length - (sizeof end - 1))});
}

/*
 * The JVM calls Java code, once for each module, when the load hook has changed a class of it: only
 * to let it read other modules, which nothing here needs.  For java.base that is to be over before
 * VMInit, when it comes to nothing: so one of the last classes before is left to the load hook.
 */
static bool is_left_to_the_hook(const char *name)
{
    return strcmp(name, "java/lang/ModuleLayer") == 0;
}

static jlong find(void *image, const char *module, const char *version, const char *name,
                  jlong *size)
{
    jlong location = find_resource(image, module, version, name, size);
    forget_found();
    if (!location || atomic_load_explicit(&closed, memory_order_relaxed) ||
        !(found.name = class_name(name)) || is_left_to_the_hook(found.name))
        return location;
    found.location = location;
    found.size = (size_t)*size;
    found.bytes = ditto_alloc_zeroed(found.size, 1, "a class of the JDK");
    get_resource(image, location, (char *)found.bytes, *size);
    size_t new_size;
    unsigned char *instead = change_class(found.name, found.bytes, found.size, &new_size);
    if (instead) {
        free(found.bytes);
        found.bytes = instead;
        found.size = new_size;
        *size = (jlong)new_size;
    }
    return location;
}

static jlong get(void *image, jlong location, char *buffer, jlong size)
{
    if (!found.bytes || found.location != location || found.size != (size_t)size)
        return get_resource(image, location, buffer, size);
    memcpy(buffer, found.bytes, found.size);
    remember(found.name);
    found.name = NULL;
    forget_found();
    return size;
}

/*
 * The JVM has looked the functions up when it loads us, and keeps their addresses in variables that
 * have no names for others.  So we look for the addresses in the memory that it writes to: each
 * must be there once.
 */
struct note {
    const void *looked_up;
    void *instead;
    void **at;
    unsigned count;
};

struct search {
    ElfW(Addr) of; /* an address in the library */
    struct note *notes;
    size_t count;
};

/* Only what the library may write to all the time. */
static void search_segment(const struct search *search, ElfW(Addr) from, ElfW(Addr) to)
{
    from = (from + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    for (void **at = (void **)from; (ElfW(Addr))(at + 1) <= to; at++) {
        for (size_t i = 0; *at && i < search->count; i++) {
            if (*at != search->notes[i].looked_up)
                continue;
            search->notes[i].at = at;
            search->notes[i].count++;
        }
    }
}

static int search_library(struct dl_phdr_info *library, size_t size, void *context)
{
    (void)size;
    const struct search *search = context;
    ElfW(Addr) protected_from = 0, protected_to = 0;
    bool found_library = false;
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        ElfW(Addr) from = library->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type == PT_LOAD && search->of >= from && search->of < to)
            found_library = true;
        if (segment->p_type == PT_GNU_RELRO) {
            protected_from = from;
            protected_to = to;
        }
    }
    for (int i = 0; found_library && i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[i];
        ElfW(Addr) from = library->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_W))
            continue;
        search_segment(search, protected_from <= from && from < protected_to ? protected_to : from,
                       to);
    }
    return found_library;
}

void ditto_image_open(ditto_change_class *change)
{
    change_class = change;
    void *library = ditto_hotspot_library("libjimage.so");
    if (!library || ditto_hotspot_feature(ditto_agent.jvmti) > NEWEST_JDK)
        return;
    *(void **)&find_resource = dlsym(library, "JIMAGE_FindResource");
    *(void **)&get_resource = dlsym(library, "JIMAGE_GetResource");
    struct note notes[] = {
        {__extension__(void *) find_resource, __extension__(void *) find, NULL, 0},
        {__extension__(void *) get_resource, __extension__(void *) get, NULL, 0}};
    struct search search = {(ElfW(Addr)) * (void **)ditto_agent.vm, notes, 2};
    if (!find_resource || !get_resource)
        return;
    dl_iterate_phdr(search_library, &search);
    if (notes[0].count != 1 || notes[1].count != 1)
        return;
    *notes[0].at = notes[0].instead;
    *notes[1].at = notes[1].instead;
}

void ditto_image_close(void)
{
    atomic_store_explicit(&closed, true, memory_order_relaxed);
}
