/* SPDX-License-Identifier: MIT */
/* Texts that the agent keeps of classes. */
#ifndef DITTO_JVM_BRIDGE_VM_CLASS_TEXTS_H
#define DITTO_JVM_BRIDGE_VM_CLASS_TEXTS_H

#include "jvm-bridge/classfile/classfile.h"

/* A text of a class file as a string, to be freed. */
char *ditto_text_copy(struct ditto_cf_text text);

/* "name descriptor", to be freed. */
char *ditto_member_text(struct ditto_cf_text name, struct ditto_cf_text descriptor);

#endif
