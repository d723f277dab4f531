/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/sending.h"

#include <pthread.h>
#include <unistd.h>

#include "jvm-bridge/vm/vm.h"

/* Guards the socket's direction to the debugger; the other one is the service's thread's. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void ditto_debug_send(struct ditto_message *message)
{
    pthread_mutex_lock(&lock);
    bool sent = ditto_message_send(ditto_agent.options.debug, message);
    pthread_mutex_unlock(&lock);
    if (!sent)
        _exit(0);
}

void ditto_debug_lost(const char *text)
{
    struct ditto_message message = {0};
    ditto_message_begin(&message, DITTO_SAY_LOST);
    ditto_message_put_text(&message, text);
    ditto_debug_send(&message);
    _exit(3);
}
