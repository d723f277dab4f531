/* SPDX-License-Identifier: MIT */
/* The edit engine: where things land, which tables follow, and what is refused. */
#include "core/orders/order.h"
#include "jvm-bridge/instrument/instrument.h"
#include "tests/jvm/classbuilder.h"
#include "tests/tap.h"

#include <stdlib.h>

static struct class_builder cb;
static struct ditto_cf cf, again;
static struct ditto_rw *rw;
static struct ditto_rw_result result;
static struct ditto_cf_code code; /* of the first method of the result */

static struct ditto_ed *open_class(void)
{
    struct ditto_error error;
    struct ditto_buf *bytes = cb_finish(&cb);
    if (!ditto_cf_open(&cf, bytes->data, bytes->size, &error)) {
        diag("%s", error.text);
        exit(1);
    }
    rw = ditto_rw_open(&cf);
    struct ditto_ed *ed = ditto_rw_edit(rw, 0, &error);
    if (!ed) {
        diag("%s", error.text);
        exit(1);
    }
    return ed;
}

static bool write_class(void)
{
    struct ditto_error error;
    bool present;
    bool good = ditto_rw_write(rw, &result, &error) &&
                ditto_cf_open(&again, result.data, result.size, &error) &&
                ditto_cf_code(&again, &again.methods[0], &present, &code, &error);
    if (!good)
        diag("%s", error.text);
    return good;
}

static void finish(void)
{
    if (again.bytes)
        ditto_cf_close(&again);
    ditto_rw_result_free(&result);
    ditto_rw_close(rw);
    ditto_cf_close(&cf);
    cb_free(&cb);
}

/* 0 iload_0; 1 ifeq 0; 4 return, with a handler of [1, 4) at 4, lines 10 at 0 and 11 at 4, a local
 * over all.
 */
static void build_loop(uint16_t major)
{
    static const uint8_t loop[] = {0x1a, 0x99, 0xff, 0xff, 0xb1};
    static const uint8_t handlers[] = {0, 1, 0, 1, 0, 4, 0, 4, 0, 0};
    static const uint8_t lines[] = {0, CB_LINES, 0, 0, 0, 10, 0, 2, 0, 0, 0, 10, 0, 4, 0, 11};
    static const uint8_t locals[] = {0, CB_LOCALS, 0, 0, 0,       12, 0,       1, 0,
                                     0, 0,         5, 0, CB_NAME, 0,  CB_NAME, 0, 0};
    /* The same frame at 0; at 4 one of an int and, on the stack, an object. */
    static const uint8_t frames[] = {
        0, CB_STACK_MAP, 0, 0, 0, 14, 0, 2, 0, 255, 0, 3, 0, 1, 1, 0, 1, 7, 0, CB_OBJECT};
    struct ditto_buf tables = {0};
    ditto_buf_bytes(&tables, handlers, sizeof handlers);
    ditto_buf_u2(&tables, 3);
    ditto_buf_bytes(&tables, lines, sizeof lines);
    ditto_buf_bytes(&tables, locals, sizeof locals);
    ditto_buf_bytes(&tables, frames, sizeof frames);
    cb_start(&cb, major);
    cb_method(&cb, DITTO_ACC_STATIC, "m", "(I)V", 1, 1, loop, sizeof loop, tables.data,
              tables.size);
    ditto_buf_free(&tables);
}

static void test_before_and_after(void)
{
    build_loop(61);
    struct ditto_ed *ed = open_class();
    ditto_snippet_op(ditto_ed_entry(ed), 0);
    ditto_snippet_op(ditto_ed_before(ed, 0), 0);
    ditto_snippet_op(ditto_ed_before(ed, 0), 0);
    ditto_snippet_op(ditto_ed_after(ed, 1, false), 0);
    ok(write_class(), "it is written");
    static const uint8_t expected[] = {0, 0, 0, 0x1a, 0x99, 0xff, 0xfd, 0, 0xb1};
    ok(code.size == sizeof expected && memcmp(code.code, expected, sizeof expected) == 0,
       "a jump runs what was inserted before its target, not what was inserted on entry");
    struct ditto_cf_handler handler = ditto_cf_handler(&code, 0);
    is(handler.start, 4, "a range starts with its instruction");
    is(handler.end, 8, "and takes in what follows its last one");
    is(handler.handler, 8, "the handler moved");
    struct ditto_cf_attr attr;
    ok(ditto_cf_find_attr(&again, code.attrs, "LineNumberTable", &attr) &&
           ditto_u2(again.bytes + attr.at + 2) == 1 && ditto_u2(again.bytes + attr.at + 6) == 8,
       "lines moved");
    ok(ditto_cf_find_attr(&again, code.attrs, "LocalVariableTable", &attr) &&
           ditto_u2(again.bytes + attr.at + 2) == 0 && ditto_u2(again.bytes + attr.at + 4) == 9,
       "locals moved; a parameter is there on entry");
    struct ditto_arena arena = {0};
    struct ditto_names names;
    struct ditto_stackmap map;
    struct ditto_error error;
    ditto_names_init(&names, &again, &arena);
    ok(ditto_stackmap_decode(&map, &names, &again.methods[0], &code, &error) && map.count == 2 &&
           map.frames[0].bci == 1 && map.frames[1].bci == 8 && map.frames[1].stack_count == 1,
       "frames moved");
    ditto_arena_free(&arena);
    const struct ditto_bcimap *moved = result.methods[0].map;
    enum ditto_bci_kind kind;
    is(ditto_bcimap_to_new(moved, 1), 4, "the map leads forth");
    is(ditto_bcimap_to_old(moved, 4, &kind), 1, "and back");
    ok(ditto_bcimap_to_old(moved, 2, &kind) == 0 && kind == DITTO_BCI_BEFORE,
       "inserted code belongs to its instruction");
    ok(ditto_bcimap_to_old(moved, 7, &kind) == 1 && kind == DITTO_BCI_AFTER, "on either side");
    is(ditto_bcimap_to_old(moved, 9, &kind), DITTO_NO_BCI, "and nothing lies behind the end");
    finish();
}

static void test_joining(void)
{
    build_loop(48);
    struct ditto_ed *ed = open_class();
    ditto_snippet_op(ditto_ed_after(ed, 0, true), 0);
    ok(write_class() && ditto_cf_handler(&code, 0).start == 1,
       "code can join the range that begins behind it");
    finish();
}

static void test_wide_jumps(void)
{
    for (int old = 0; old < 2; old++) {
        build_loop(old ? 48 : 61);
        struct ditto_ed *ed = open_class();
        for (int i = 0; i < 33000; i++)
            ditto_snippet_op(ditto_ed_before(ed, 1), 0);
        ok(write_class(), "a conditional jump of 33000 bytes");
        static const uint8_t expected[] = {0x9a, 0, 8, 0xc8, 0xff, 0xff, 0x7f, 0x14};
        ok(memcmp(code.code + 33001, expected, sizeof expected) == 0,
           "becomes its opposite over a goto_w");
        struct ditto_cf_attr attr;
        is(ditto_cf_find_attr(&again, code.attrs, "StackMapTable", &attr), !old,
           "with frames if the class has them");
        is(ditto_bcimap_to_old(result.methods[0].map, 33004, NULL), 1, "and belongs to the jump");
        finish();
    }
}

static void test_replacing(void)
{
    build_loop(61);
    struct ditto_ed *ed = open_class();
    ditto_label out = ditto_ed_new_label(ed);
    struct ditto_snippet *instead = ditto_ed_instead(ed, 1);
    ditto_snippet_op(instead, DITTO_OP_POP);
    ditto_snippet_jump(instead, DITTO_OP_GOTO, out);
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    ditto_snippet_label(tail, out);
    ditto_snippet_op(tail, DITTO_OP_RETURN);
    const ditto_type integer = DITTO_TYPE_INT;
    ditto_ed_frame(ed, out, &integer, 1, NULL, 0);
    ed->access |= DITTO_ACC_FINAL;
    ok(write_class(), "an instruction is replaced");
    static const uint8_t expected[] = {0x1a, 0x57, 0xa7, 0, 4, 0xb1, 0xb1};
    ok(code.size == sizeof expected && memcmp(code.code, expected, sizeof expected) == 0,
       "by a jump into the tail");
    is(again.methods[0].access, DITTO_ACC_STATIC | DITTO_ACC_FINAL, "flags can be changed");
    is(ditto_bcimap_to_new(result.methods[0].map, 1), 1, "its place is that of what replaced it");
    is(ditto_bcimap_to_old(result.methods[0].map, 6, NULL), DITTO_NO_BCI,
       "the tail belongs to no instruction");
    finish();
}

/* Type annotations of a new, a local, an exception parameter and a cast; what they hold does not
 * matter. */
static void test_type_annotations(void)
{
    static const uint8_t loop[] = {0x1a, 0x99, 0xff, 0xff, 0xb1};
    static const uint8_t handlers[] = {0, 1, 0, 1, 0, 4, 0, 4, 0, 0};
    static const uint8_t before[] = {
        0,    4,                                                                  /* four */
        0x44, 0,      4, 0, 0, CB_NAME, 0, 0,                                     /* new */
        0x40, 0,      1, 0, 0, 0,       5, 0, 0,       0, 0, CB_NAME, 0,       0, /* local */
        0x42, 0,      0, 0, 0, CB_NAME, 0, 0,                                     /* exception */
        0x47, 0,      1, 7, 1, 3,       2, 0, CB_NAME, 0, 1, 0,       CB_NAME, 's',
        0,    CB_NAME}; /* cast */
    static const uint8_t after[] = {
        0, 4, 0x44,    0, 7, 0,    0,       CB_NAME, 0, 0,      0x40,    0, 1, 0,    1, 0, 7, 0, 0,
        0, 0, CB_NAME, 0, 0, 0x42, 0,       1,       0, 0,      CB_NAME, 0, 0, 0x47, 0, 4, 7, 1, 3,
        2, 0, CB_NAME, 0, 1, 0,    CB_NAME, 's',     0, CB_NAME};
    struct ditto_buf tables = {0};
    cb_start(&cb, 48);
    ditto_buf_bytes(&tables, handlers, sizeof handlers);
    ditto_buf_u2(&tables, 1);
    ditto_buf_u2(&tables, cb_utf8(&cb, "RuntimeVisibleTypeAnnotations"));
    ditto_buf_u4(&tables, sizeof before);
    ditto_buf_bytes(&tables, before, sizeof before);
    cb_method(&cb, DITTO_ACC_STATIC, "m", "(I)V", 1, 1, loop, sizeof loop, tables.data,
              tables.size);
    ditto_buf_free(&tables);
    struct ditto_ed *ed = open_class();
    ditto_snippet_op(ditto_ed_entry(ed), 0);
    ditto_snippet_op(ditto_ed_before(ed, 1), 0);
    ditto_snippet_op(ditto_ed_before(ed, 1), 0);
    ditto_ed_inner_handler(ed, (struct ditto_new_handler){0, 1, 2, 0});
    ok(write_class(), "a method with type annotations is written");
    struct ditto_cf_attr attr;
    ok(ditto_cf_find_attr(&again, code.attrs, "RuntimeVisibleTypeAnnotations", &attr) &&
           attr.size == sizeof after,
       "it still has them");
    ok(memcmp(again.bytes + attr.at, after, sizeof after) == 0, "and every one moved");
    finish();
}

static void test_new_jumps(void)
{
    build_loop(48);
    struct ditto_ed *ed = open_class();
    ditto_label far = ditto_ed_new_label(ed);
    ditto_snippet_jump(ditto_ed_entry(ed), DITTO_OP_GOTO, far);
    ditto_snippet_local(ditto_ed_tail(ed), DITTO_OP_ALOAD, 300);
    for (int i = 0; i < 33000; i++)
        ditto_snippet_op(ditto_ed_tail(ed), 0);
    ditto_snippet_label(ditto_ed_tail(ed), far);
    ditto_snippet_op(ditto_ed_tail(ed), DITTO_OP_RETURN);
    static const uint8_t jump[] = {DITTO_OP_GOTO_W, 0, 0, 0x80, 0xf6},
                         load[] = {DITTO_OP_WIDE, DITTO_OP_ALOAD, 1, 44};
    ok(write_class() && memcmp(code.code, jump, sizeof jump) == 0,
       "a new goto over 33000 bytes becomes wide");
    ok(memcmp(code.code + 10, load, sizeof load) == 0, "so does the use of a local beyond 255");
    finish();

    build_loop(48);
    ed = open_class();
    ditto_snippet_jump(ditto_ed_entry(ed), DITTO_OP_IFEQ, ed->listing.count);
    for (int i = 0; i < 33000; i++)
        ditto_snippet_op(ditto_ed_before(ed, 1), 0);
    struct ditto_error error;
    ok(ditto_rw_write(rw, &result, &error) && result.methods[0].outcome == DITTO_RW_LEFT_ALONE,
       "with a new conditional jump that long the method is left alone");
    finish();
}

static void test_limits(void)
{
    build_loop(61);
    struct ditto_ed *ed = open_class();
    for (int i = 0; i < 65531; i++)
        ditto_snippet_op(ditto_ed_tail(ed), 0);
    struct ditto_error error;
    ok(ditto_rw_write(rw, &result, &error), "a class with a method that grew too large is written");
    is(result.methods[0].outcome, DITTO_RW_LEFT_ALONE, "the method is left alone");
    is_string(result.methods[0].reason,
              "with the inserted code the method would have 65536 bytes of code, 65535 are allowed",
              "for the reason given");
    ok(result.size >= cf.size && memcmp(result.data + result.size - (cf.size - cf.methods_at),
                                        cf.bytes + cf.methods_at, cf.size - cf.methods_at) == 0,
       "byte for byte");
    finish();

    build_loop(61);
    ed = open_class();
    struct ditto_snippet *before = ditto_ed_before(ed, 0);
    for (int32_t i = 0; i < 65536; i++)
        ditto_pool_int(ditto_rw_pool(rw), i + 40000);
    ditto_snippet_op(before, 0);
    ok(!ditto_rw_write(rw, &result, &error), "a constant too many fails the class");
    is_string(error.text, "the constant pool would have more than 65535 entries", "and says so");
    ditto_rw_close(rw);
    ditto_cf_close(&cf);
    cb_free(&cb);
}

static void test_constants_and_members(void)
{
    build_loop(61);
    open_class();
    struct ditto_pool *pool = ditto_rw_pool(rw);
    is(ditto_pool_class(pool, ditto_cf_string("T")), CB_THIS, "an existing constant is found");
    uint16_t first = ditto_pool_ref(pool, DITTO_TAG_METHOD, "H", "m", "()V");
    is(ditto_pool_ref(pool, DITTO_TAG_METHOD, "H", "m", "()V"), first, "a new one is added once");
    uint16_t number = ditto_pool_long(pool, -2);
    is(ditto_pool_string(pool, "m"), number + 2, "a long takes two slots");
    ditto_rw_add_field(rw, DITTO_ACC_PRIVATE, "$ditto", "I");
    struct ditto_ed *added = ditto_rw_add_method(rw, DITTO_ACC_STATIC, "$m", "(J)I", 2, 2);
    ditto_snippet_push_int(ditto_ed_tail(added), pool, 70000);
    ditto_snippet_op(ditto_ed_tail(added), DITTO_OP_IRETURN);
    ok(write_class(), "a class with a new field and a new method is written");
    is(again.field_count, 1, "it has the field");
    is(again.method_count, 2, "and the method");
    ok(ditto_cf_is(ditto_cf_utf8(&again, again.methods[1].name), "$m"), "of that name");
    is((int32_t)ditto_cf_tag(&again, number), DITTO_TAG_LONG,
       "constants are where they were promised");
    finish();
}

static bool no_field(void *context, const struct ditto_cf *class, const struct ditto_cf_ref *field)
{
    (void)class;
    *(bool *)context = ditto_cf_is(field->owner, "T") && ditto_cf_is(field->name, "f");
    return false;
}

static bool no_class(void *context, const struct ditto_cf *class)
{
    (void)context;
    return !ditto_cf_is(ditto_cf_class_name(class, class->this_class), "T");
}

/* aload_0; getfield T.f; pop; return, in a static method: one access, with its guard. */
static void test_instrumenting(void)
{
    struct ditto_error error;
    cb_start(&cb, 61);
    uint16_t field = cb_member(&cb, DITTO_TAG_FIELD, CB_THIS, "f", "I");
    const uint8_t body[] = {0x2a, 0xb4, 0, (uint8_t)field, 0x57, 0xb1};
    cb_method(&cb, DITTO_ACC_STATIC, "m", "(LT;)V", 1, 1, body, sizeof body, NULL, 0);
    struct ditto_buf *bytes = cb_finish(&cb);
    ok(ditto_cf_open(&cf, bytes->data, bytes->size, &error), "a class with an access opens");
    struct ditto_instrument_options options = {.first_site = 100};
    struct ditto_instrumented done;
    is(ditto_instrument(&cf, &options, &done, &error), DITTO_INSTRUMENT_DONE, "it is instrumented");
    is(done.site_count, 1, "it has one site");
    is(done.sites[0].kind, DITTO_SITE_LOAD, "a load");
    is(done.sites[0].bci, 1, "at its original place");
    is(done.sites[0].field, field, "of its field");
    bool present;
    ok(ditto_cf_open(&again, done.class.data, done.class.size, &error) &&
           ditto_cf_code(&again, &again.methods[0], &present, &code, &error),
       "the result can be read");
    is(code.handler_count, 1, "a guard was added");
    is(code.max_stack, 4, "the stack has room");
    is(code.size, 6 + 1 + 5 + 5 + 4, "the code has the hooks and the handler");
    ditto_cf_close(&again);
    ditto_instrumented_free(&done);
    options.leave_out = 1u << DITTO_SITE_LOAD;
    is(ditto_instrument(&cf, &options, &done, &error), DITTO_INSTRUMENT_NOTHING,
       "a kind can be left out");
    bool asked = false;
    options = (struct ditto_instrument_options){.context = &asked, .include_field = no_field};
    is(ditto_instrument(&cf, &options, &done, &error), DITTO_INSTRUMENT_NOTHING,
       "a field can be left out");
    ok(asked, "it was asked for by name");
    options = (struct ditto_instrument_options){.include_class = no_class};
    is(ditto_instrument(&cf, &options, &done, &error), DITTO_INSTRUMENT_NOTHING, "so can a class");
    ditto_cf_close(&cf);
    cb_free(&cb);
}

/* What an order does not want is not put in. */
static void test_unwanted(void)
{
    const unsigned all = DITTO_WANTS_LOADS | DITTO_WANTS_STORES | DITTO_WANTS_ACQUIRES |
                         DITTO_WANTS_RELEASES | DITTO_WANTS_ENDS;
    is(ditto_unwanted_sites(all), 0, "an order that wants all gets all sites");
    uint32_t synchronization = ditto_unwanted_sites(DITTO_WANTS_ACQUIRES | DITTO_WANTS_RELEASES);
    ok(synchronization >> DITTO_SITE_LOAD & 1 && synchronization >> DITTO_SITE_VAR_UPDATE & 1 &&
           !(synchronization >> DITTO_SITE_ACQUIRE & 1) &&
           !(synchronization >> DITTO_SITE_INIT & 1),
       "one that wants monitors alone gets no accesses");
}

int main(void)
{
    test_unwanted();
    test_before_and_after();
    test_joining();
    test_wide_jumps();
    test_replacing();
    test_type_annotations();
    test_new_jumps();
    test_limits();
    test_constants_and_members();
    test_instrumenting();
    done_testing();
    return exit_status();
}
