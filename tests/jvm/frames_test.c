/* SPDX-License-Identifier: MIT */
/* The type analysis on classes without a StackMapTable; tests/jvm/jdk-classes.t compares both ways
 * on the JDK. */
#include "jvm-bridge/classfile/frames.h"
#include "jvm-bridge/classfile/rewrite.h"
#include "tests/jvm/classbuilder.h"
#include "tests/tap.h"

static struct class_builder cb;
static struct ditto_cf cf;
static struct ditto_rw *rw;
static struct ditto_flow flow;

/* A class of one method, opened, and the analysis run up to an instruction. */
static bool run_to(uint16_t access, const char *name, const char *descriptor, const uint8_t *code,
                   size_t size, const void *tables, size_t tables_size, uint32_t stop,
                   struct ditto_error *error)
{
    cb_method(&cb, access, name, descriptor, 6, 6, code, size, tables, tables_size);
    struct ditto_buf *bytes = cb_finish(&cb);
    if (!ditto_cf_open(&cf, bytes->data, bytes->size, error))
        return false;
    rw = ditto_rw_open(&cf);
    struct ditto_ed *ed = ditto_rw_edit(rw, 0, error);
    if (!ed || !ditto_flow_open(&flow, ed->names, &ed->code, &ed->listing, &ed->map,
                                DITTO_FLOW_AUTO, error))
        return false;
    while (ditto_flow_next(&flow, error))
        if (flow.index == stop)
            return true;
    return false;
}

static void finish(void)
{
    if (rw)
        ditto_rw_close(rw);
    rw = NULL;
    ditto_cf_close(&cf);
    cb_free(&cb);
}

static void test_straight(void)
{
    struct ditto_error error;
    static const uint8_t code[] = {0x0a, 0x03, 0x5b, 0x57,
                                   0x58, 0x57, 0xb1}; /* lconst_1 iconst_0 dup_x2 pop pop2 pop */
    cb_start(&cb, 48);
    ok(run_to(DITTO_ACC_STATIC, "m", "()V", code, sizeof code, NULL, 0, 3, &error),
       "dup_x2 over a long");
    is(flow.state.stack_count, 3, "leaves three entries");
    is(flow.state.stack_slots, 4, "in four slots");
    is(flow.state.stack[1], DITTO_TYPE_LONG, "the long in the middle");
    finish();
}

/* aload_0; iconst_0; putfield x; aload_0; invokespecial Object.<init>; return */
static void test_constructor(void)
{
    struct ditto_error error;
    cb_start(&cb, 48);
    uint16_t field = cb_member(&cb, DITTO_TAG_FIELD, CB_THIS, "x", "I");
    uint16_t init = cb_member(&cb, DITTO_TAG_METHOD, CB_OBJECT, "<init>", "()V");
    const uint8_t code[] = {0x2a, 0x03, 0xb5,          0,   (uint8_t)field, 0x2a,
                            0xb7, 0,    (uint8_t)init, 0xb1};
    ok(run_to(0, "<init>", "()V", code, sizeof code, NULL, 0, 2, &error), "a constructor");
    is(flow.state.stack[0], DITTO_TYPE_UNINIT_THIS, "stores into this before it is initialized");
    ok(flow.state.this_uninit, "and the state says so");
    while (flow.index < 5 && ditto_flow_next(&flow, &error))
        continue;
    ok(!flow.state.this_uninit && ditto_type_tag(flow.state.locals[0]) == DITTO_TYPE_CLASS,
       "after the call of super() it is initialized");
    finish();
}

/* 0 iload_0; 1 ifeq 8; 4 aconst_null; 5 goto 9; 8 aload_1; 9 astore_2; 10 goto 0 */
static void test_merging(void)
{
    struct ditto_error error;
    static const uint8_t code[] = {0x1a, 0x99, 0,    7,    0x01, 0xa7, 0,
                                   4,    0x2b, 0x4d, 0xa7, 0xff, 0xf6};
    cb_start(&cb, 48);
    ok(run_to(DITTO_ACC_STATIC, "m", "(ILjava/lang/String;)V", code, sizeof code, NULL, 0, 5,
              &error),
       "two ways meet");
    is(flow.state.stack_count, 1, "with one entry");
    is(ditto_type_tag(flow.state.stack[0]), DITTO_TYPE_CLASS, "null and a String make a String");
    finish();

    /* The same with iconst_0 on one way: an int and a reference cannot be told apart afterwards. */
    uint8_t mixed[sizeof code];
    memcpy(mixed, code, sizeof code);
    mixed[4] = 0x03;
    cb_start(&cb, 48);
    ok(!run_to(DITTO_ACC_STATIC, "m", "(ILjava/lang/String;)V", mixed, sizeof mixed, NULL, 0, 5,
               &error),
       "an int and a String make nothing that can be stored");
    finish();
}

/* A handler sees the locals of every instruction it covers: 0 iconst_0; 1 istore_0; 2 aconst_null;
 * 3 astore_0; 4 return; 5 (handler) pop; 6 return. */
static void test_handler(void)
{
    struct ditto_error error;
    static const uint8_t code[] = {0x03, 0x3b, 0x01, 0x4b, 0xb1, 0x57, 0xb1};
    static const uint8_t tables[] = {0, 1, 0, 2, 0, 5, 0, 5, 0, 0, 0, 0};
    cb_start(&cb, 48);
    ok(run_to(DITTO_ACC_STATIC, "m", "()V", code, sizeof code, tables, sizeof tables, 5, &error),
       "a handler");
    is(flow.state.stack_count, 1, "finds the exception on the stack");
    is(flow.state.locals[0], DITTO_TYPE_TOP,
       "and nothing certain in a local that changes its type");
    finish();
}

static void test_refusals(void)
{
    struct ditto_error error;
    static const uint8_t underflow[] = {0x57, 0xb1};
    cb_start(&cb, 48);
    ok(!run_to(DITTO_ACC_STATIC, "m", "()V", underflow, sizeof underflow, NULL, 0, 1, &error),
       "a pop of nothing");
    is_string(error.text, "pop at 0 does not fit the types on the stack or in the locals",
              "is explained");
    finish();
    static const uint8_t jsr[] = {0xa8, 0, 4, 0xb1, 0x3a, 0, 0xa9, 0};
    cb_start(&cb, 48);
    ok(!run_to(DITTO_ACC_STATIC, "m", "()V", jsr, sizeof jsr, NULL, 0, 1, &error), "jsr and ret");
    is_string(error.text, "the method uses jsr or ret", "are refused");
    finish();
    static const uint8_t dead[] = {0xb1, 0x57, 0xb1};
    cb_start(&cb, 48);
    ok(run_to(DITTO_ACC_STATIC, "m", "()V", dead, sizeof dead, NULL, 0, 1, &error) &&
           !flow.state.reachable,
       "dead code of an old class is passed over");
    finish();
}

int main(void)
{
    test_straight();
    test_constructor();
    test_merging();
    test_handler();
    test_refusals();
    done_testing();
    return exit_status();
}
