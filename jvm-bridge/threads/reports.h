/* SPDX-License-Identifier: MIT */
/* Where threads are and what they wait for, on stderr. */
#ifndef DITTO_JVM_BRIDGE_THREADS_REPORTS_H
#define DITTO_JVM_BRIDGE_THREADS_REPORTS_H

/* Prints a heading, and where each living thread is and what it waits for. */
void ditto_java_threads_report(const char *heading);

/* The same of the calling thread, if it is a Java thread that Ditto knows. */
void ditto_java_thread_report(const char *heading);

#endif
