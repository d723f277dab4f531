/* SPDX-License-Identifier: MIT */
/*
 * A very small JVM for tests: it interprets real class files, with threads that a fixed rule
 * interleaves, so that a run is the same every time and any moment of it can be reached by running
 * again from the beginning.
 *
 * It knows what the test programs use: fields, arrays, calls, monitors, exceptions, lambdas, and of
 * the JDK threads, boxes and strings.  Classes below java/ are run, but are not recorded: their
 * bytecodes are no steps.
 */
#ifndef DITTO_TESTS_GDB_TOY_JVM_H
#define DITTO_TESTS_GDB_TOY_JVM_H

#include "gdb-plugin/machine/machine.h"
#include "jvm-bridge/classfile/classfile.h"

enum { TOY_THREADS = 16, TOY_FRAMES = 600 };

struct toy_class {
    const char *name;
    struct toy_class *super;
    struct ditto_cf cf;
    const uint8_t *bytes;
    size_t length;
    bool recorded;
    struct toy_method {
        struct toy_class *owner;
        struct ditto_method handle;
        uint16_t access;
        struct ditto_cf_code code;
        bool has_code;
        unsigned arguments; /* slots, `this` included */
    } * methods;
    size_t method_count;
};

/* The program: it does not change. */
struct toy_program {
    struct toy_class **classes;
    size_t class_count;
    unsigned switch_after; /* so many events, another thread's turn */
    struct toy_method *main;
};

struct toy_frame {
    struct toy_method *method;
    int32_t bci; /* -1: at the entry */
    struct ditto_value *locals, *stack;
    unsigned depth;  /* of the stack */
    uint64_t locked; /* a synchronized method's monitor */
    bool initializer;
};

struct toy_thread {
    char name[64];
    uint64_t object;
    enum ditto_life life;
    struct toy_frame *frames;
    size_t frame_count;
    uint64_t waits_for;    /* a monitor */
    int joins;             /* a thread, -1: none */
    uint64_t events, step; /* done; bytecodes since the last */
    uint64_t wanted;       /* a monitor that somebody else holds */
};

struct toy_field {
    const char *class_name, *name;
    char type;
    struct ditto_value value;
};

struct toy_object {
    const char *class_name;
    struct toy_field *fields;
    size_t field_count;
    struct ditto_value *elements;
    int64_t length; /* -1: no array */
    int owner;      /* of its monitor, -1: nobody */
    unsigned held;
    struct toy_method *target; /* of a lambda; what it captured are its elements */
};

/* What a step did. */
struct toy_access {
    bool happened, write;
    uint64_t object; /* 0 for a static */
    const char *class_name, *field;
    int64_t index;
    struct ditto_value before, after;
    struct ditto_location location;
};

/* The state of a run. */
struct toy_run {
    const struct toy_program *program;
    struct toy_thread threads[TOY_THREADS];
    size_t thread_count;
    struct toy_object *objects; /* by number; 0 is null */
    size_t object_count;
    struct toy_field *statics;
    size_t static_count;
    const char **initialized;
    size_t initialized_count;
    struct {
        const char *text;
        uint64_t object;
    } * strings; /* literals, by the address of their constant */
    size_t string_count;

    uint64_t time;  /* steps done */
    uint64_t clock; /* stores and acquisitions done */
    int turn;       /* whose, and how many events it has had */
    unsigned turn_events;
    int last;                    /* the thread of the last step, */
    struct toy_access access;    /* what it did, */
    struct ditto_value returned; /* and gave back; type 0: nothing */
};

/* Reads every class below a directory.  False after having said what is wrong. */
bool toy_load(struct toy_program *program, const char *directory);
void toy_unload(struct toy_program *program);
bool toy_find_main(struct toy_program *program, const char *class_name);

void toy_start(struct toy_run *run, const struct toy_program *program);
void toy_free(struct toy_run *run);

/* The thread whose step is next, -1 when nobody can go on. */
int toy_next(struct toy_run *run);
/* Whether that step is a store or an acquisition, a throw, any event. */
bool toy_next_ticks(struct toy_run *run);
bool toy_next_throws(struct toy_run *run);
void toy_step(struct toy_run *run);

struct toy_class *toy_class(const struct toy_program *program, struct ditto_cf_text name);
struct toy_field *toy_field(struct toy_run *run, uint64_t object, const char *class_name,
                            const char *name, char type);

#endif
