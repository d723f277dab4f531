/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/compiled_code.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"

struct compiled {
    struct compiled *next;
    jmethodID method;
    const void *address;
    jint size;
    jint map_length;
    jvmtiAddrLocationMap *map;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the list, the latest first */
static struct compiled *first;

void JNICALL ditto_debug_compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *address,
                                  jint map_length, const jvmtiAddrLocationMap *map,
                                  const void *info)
{
    (void)jvmti;
    (void)info;
    struct compiled *compiled = ditto_alloc(sizeof *compiled, "compiled code");
    jvmtiAddrLocationMap *copy =
        ditto_alloc_zeroed((size_t)map_length, sizeof *copy, "the places of compiled code");
    if (map_length > 0)
        memcpy(copy, map, (size_t)map_length * sizeof *copy);
    *compiled = (struct compiled){NULL, method, address, size, map_length, copy};
    pthread_mutex_lock(&lock);
    compiled->next = first;
    first = compiled;
    pthread_mutex_unlock(&lock);
}

void JNICALL ditto_debug_uncompiled(jvmtiEnv *jvmti, jmethodID method, const void *address)
{
    (void)jvmti;
    pthread_mutex_lock(&lock);
    struct compiled **link = &first;
    while (*link && ((*link)->method != method || (*link)->address != address))
        link = &(*link)->next;
    struct compiled *gone = *link;
    if (gone)
        *link = gone->next;
    pthread_mutex_unlock(&lock);
    if (gone)
        free(gone->map);
    free(gone);
}

void ditto_debug_put_compiled(struct ditto_message *message,
                              const struct ditto_debug_method *method)
{
    pthread_mutex_lock(&lock);
    const struct compiled *compiled = first;
    jmethodID id = method ? atomic_load_explicit(&method->id, memory_order_acquire) : NULL;
    while (compiled && (!id || compiled->method != id))
        compiled = compiled->next;
    ditto_message_put8(message, compiled != NULL);
    if (compiled) {
        ditto_message_put64(message, (uint64_t)(uintptr_t)compiled->address);
        ditto_message_put_bytes(message, compiled->address, (size_t)compiled->size);
        ditto_message_put32(message, (uint32_t)compiled->map_length);
        for (jint i = 0; i < compiled->map_length; i++) {
            ditto_message_put32(message, (uint32_t)((const char *)compiled->map[i].start_address -
                                                    (const char *)compiled->address));
            ditto_message_put32(message, method->number);
            ditto_message_put32(message,
                                (uint32_t)ditto_debug_bci(method, compiled->map[i].location));
        }
    }
    pthread_mutex_unlock(&lock);
}
