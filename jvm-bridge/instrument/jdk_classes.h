/* SPDX-License-Identifier: MIT */
/* Classes of the JDK: which are its own, and which of them are recorded like the program's. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_JDK_CLASSES_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_JDK_CLASSES_H

#include <stdbool.h>

/* The agent's own classes. */
bool ditto_is_ours(const char *name);

/* By the name, "java/util/List". */
bool ditto_is_of_the_jdk(const char *name);

/* java.util itself, java.util.concurrent with its packages, and java.util.stream, but for a few;
 * java.io's pipes between threads, the channels, the JDK's web server and HTTP client, TLS, formats
 * and calendars. */
bool ditto_is_of_the_library(const char *name);

/* Of Arrays, only methods that java.lang does not use for what is its own: array_calls.h has the
 * rest.
 */
bool ditto_is_method_of_the_library(const char *class_name, const char *method);

/* Of these: sockets, channels of sockets and pipes, and their keys in selectors. */
bool ditto_is_of_channels(const char *name);

/* Other classes of the JDK that threads share, and that do all they do to what is shared while they
 * hold a monitor; or that hold one while they use a recorded class, a channel say: a replay in
 * which another thread got it first would stand still.  Only these monitors are recorded. */
bool ditto_guards_by_monitors(const char *name);

/* Of those, the ones that print. */
bool ditto_prints(const char *name);

/*
 * Classes of the JDK use recorded ones for what is their own: caches that whoever comes first
 * fills, tables by identity, what the collector or helper threads have a hand in.  So their calls
 * of collections and counters are muted: they record nothing.  Their locks, queues and executors,
 * which order the program's threads, are recorded.  Of recorded classes, the channels do so, too.
 */
bool ditto_mutes_calls(const char *class_name);
bool ditto_is_muted(const char *called_class, const char *method);

/* A class of the JDK whose hash tables ask their keys for hash codes. */
bool ditto_hashes_keys(const char *name);

#endif
