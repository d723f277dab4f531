/* SPDX-License-Identifier: MIT */
/* The classes of a JDK, from its modules. */
#ifndef DITTO_GDB_PLUGIN_CLASSPATH_JDK_MODULES_H
#define DITTO_GDB_PLUGIN_CLASSPATH_JDK_MODULES_H

#include <stddef.h>
#include <stdint.h>

struct jdk;

/* The modules of the JDK whose java that is; NULL if there are none. */
struct jdk *jdk_open(const char *java);
void jdk_close(struct jdk *jdk);
/* The bytes of the class "java/lang/Object", to be freed; NULL: there is none. */
uint8_t *jdk_read(const struct jdk *jdk, const char *class_name, size_t *size);

#endif
