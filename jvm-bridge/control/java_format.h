/* SPDX-License-Identifier: MIT */
/* The format of what is recorded of Java programs, beside that of the file. */
#ifndef DITTO_JVM_BRIDGE_CONTROL_JAVA_FORMAT_H
#define DITTO_JVM_BRIDGE_CONTROL_JAVA_FORMAT_H

/*
 * What the agent in the JVM records of a Java program, and how, by number: the property
 * "java.format" of a trace.  To be raised with every change after which an earlier recording no
 * longer replays, because other events or inputs are expected.
 */
#define DITTO_JAVA_FORMAT "6"

#endif
