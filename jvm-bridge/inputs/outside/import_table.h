/* SPDX-License-Identifier: MIT */
/* The list of all functions of the C library that are led here (imports.h). */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_IMPORT_TABLE_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_IMPORT_TABLE_H

/* Leads the calls of libjava, libnio and libnet here.  In the OnLoad phase, when the rest of this
 * room has begun. */
void ditto_import_table_begin(void);

#endif
