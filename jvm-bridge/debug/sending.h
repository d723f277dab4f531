/* SPDX-License-Identifier: MIT */
/* What the service says to the debugger. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_SENDING_H
#define DITTO_JVM_BRIDGE_DEBUG_SENDING_H

#include "jvm-bridge/control/messages.h"

/* Sends, from any thread.  Does not return when the debugger is gone. */
void ditto_debug_send(struct ditto_message *message);

/* The replay left its trace: tells the debugger, and ends. */
_Noreturn void ditto_debug_lost(const char *text);

#endif
