/* SPDX-License-Identifier: MIT */
/* What the agent says on stderr, and how it ends the process when it cannot go on. */
#ifndef DITTO_JVM_BRIDGE_VM_SAY_H
#define DITTO_JVM_BRIDGE_VM_SAY_H

#include <stdbool.h>

/* Says why the program cannot be recorded or replayed, and ends the process with status 2. */
_Noreturn void ditto_agent_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A message that ends nothing: "ditto: " and the text. */
void ditto_agent_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For what cannot happen unless memory is out or the JVM breaks its promises. */
void ditto_agent_expect(bool good, const char *what);

#endif
