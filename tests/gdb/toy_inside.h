/* SPDX-License-Identifier: MIT */
/*
 * The inside of the toy JVM: what an instruction does to values, objects, frames, monitors and
 * threads (toy_heap.c), for those who interpret instructions (toy_jvm.c).
 */
#ifndef DITTO_TESTS_GDB_TOY_INSIDE_H
#define DITTO_TESTS_GDB_TOY_INSIDE_H

#include "jvm-bridge/classfile/bytecode.h"
#include "tests/gdb/toy_jvm.h"

static inline struct ditto_value int_value(int64_t integer)
{
    return (struct ditto_value){.type = 'I', .integer = (int32_t)integer};
}

static inline struct ditto_value long_value(int64_t integer)
{
    return (struct ditto_value){.type = 'J', .integer = integer};
}

static inline struct ditto_value object_value(uint64_t object)
{
    return (struct ditto_value){.type = 'L', .object = object};
}

static inline struct toy_frame *top(struct toy_thread *thread)
{
    return &thread->frames[thread->frame_count - 1];
}

static inline void push(struct toy_frame *frame, struct ditto_value value)
{
    frame->stack[frame->depth++] = value;
}

static inline struct ditto_value pop(struct toy_frame *frame)
{
    return frame->depth ? frame->stack[--frame->depth] : (struct ditto_value){0};
}

/* A value of the stack as a field or element of that type holds it. */
struct ditto_value toy_stored(struct ditto_value value, char type);
/* The other way round. */
struct ditto_value toy_loaded(struct ditto_value value);
uint64_t toy_new_object(struct toy_run *run, const char *class_name, int64_t length);
/* A string as the JDK keeps it: Latin-1 if that is enough, UTF-16 otherwise. */
uint64_t toy_new_string(struct toy_run *run, const char *text, size_t length);
bool toy_is_a(const struct toy_program *program, const char *class_name, const char *wanted);
bool toy_is_initialized(const struct toy_run *run, const struct toy_class *class);
struct toy_frame *toy_push_frame(struct toy_thread *thread, struct toy_method *method);
void toy_pop_frame(struct toy_thread *thread);
/* Puts arguments, `this` first, into the locals of a new frame. */
void toy_call(struct toy_thread *thread, struct toy_method *method,
              const struct ditto_value *arguments, size_t count);
bool toy_can_acquire(const struct toy_run *run, int thread, uint64_t object);
void toy_acquire(struct toy_run *run, int thread, uint64_t object);
void toy_release(struct toy_run *run, uint64_t object);
void toy_raise(struct toy_run *run, struct toy_thread *thread, uint64_t exception);
void toy_raise_new(struct toy_run *run, struct toy_thread *thread, const char *class_name);
int toy_thread_of(const struct toy_run *run, uint64_t object);
void toy_invoke(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn);
/* A lambda: the second argument of its bootstrap method is what it calls. */
void toy_invoke_dynamic(struct toy_run *run, struct toy_thread *thread,
                        const struct ditto_insn *insn);
void toy_give_back(struct toy_run *run, struct toy_thread *thread, bool value);
void toy_access_field(struct toy_run *run, struct toy_thread *thread,
                      const struct ditto_insn *insn);
void toy_access_element(struct toy_run *run, struct toy_thread *thread,
                        const struct ditto_insn *insn, bool write);

#endif
