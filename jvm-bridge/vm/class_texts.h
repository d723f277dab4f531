/* SPDX-License-Identifier: MIT */
/* Memory and texts that the agent keeps of classes.  Without memory the JVM is ended. */
#ifndef DITTO_JVM_BRIDGE_VM_CLASS_TEXTS_H
#define DITTO_JVM_BRIDGE_VM_CLASS_TEXTS_H

#include "jvm-bridge/classfile/classfile.h"

/* Zeroed, and to be freed; never NULL. */
void *ditto_zeroed(size_t count, size_t size);

/* A text of a class file as a string, to be freed. */
char *ditto_text_copy(struct ditto_cf_text text);

/* "name descriptor", to be freed. */
char *ditto_member_text(struct ditto_cf_text name, struct ditto_cf_text descriptor);

#endif
