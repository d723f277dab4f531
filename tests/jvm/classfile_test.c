/* SPDX-License-Identifier: MIT */
/* The parser: what it finds in a good class, and that it survives every bad one. */
#include "jvm-bridge/classfile/annotation.h"
#include "tests/jvm/classbuilder.h"
#include "tests/tap.h"

#include <stdlib.h>

static const uint8_t return_code[] = {0xb1};

static void test_good_class(void)
{
    struct class_builder cb;
    struct ditto_cf cf;
    struct ditto_error error;
    cb_start(&cb, 61);
    ditto_buf_u1(&cb.pool, DITTO_TAG_LONG);
    ditto_buf_u4(&cb.pool, 0);
    ditto_buf_u4(&cb.pool, 42);
    cb.constants += 2;
    uint16_t field = cb_member(&cb, DITTO_TAG_FIELD, CB_THIS, "f", "J");
    cb_method(&cb, DITTO_ACC_STATIC, "run", "()V", 0, 0, return_code, 1, NULL, 0);
    struct ditto_buf *bytes = cb_finish(&cb);
    if (!ok(ditto_cf_open(&cf, bytes->data, bytes->size, &error), "a good class opens"))
        diag("%s", error.text);
    ok(ditto_cf_is(ditto_cf_class_name(&cf, cf.this_class), "T"), "it has its name");
    is(ditto_cf_tag(&cf, CB_FIRST_FREE), DITTO_TAG_LONG, "a long has its tag");
    is(ditto_cf_tag(&cf, CB_FIRST_FREE + 1), 0, "the slot behind a long is no constant");
    struct ditto_cf_ref ref;
    ok(ditto_cf_ref(&cf, field, &ref) && ditto_cf_is(ref.owner, "T") &&
           ditto_cf_is(ref.name, "f") && ditto_cf_is(ref.descriptor, "J"),
       "a field reference is resolved");
    ok(!ditto_cf_ref(&cf, CB_THIS, &ref), "a class is no member reference");
    struct ditto_cf_code code;
    bool present;
    ok(ditto_cf_code(&cf, &cf.methods[0], &present, &code, &error) && present && code.size == 1,
       "it has code");
    ditto_cf_close(&cf);

    /* Every shorter file, and every file with one byte changed, must be refused or read, but never
     * crash. */
    int opened = 0;
    for (size_t size = 0; size < bytes->size; size++) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, bytes->data, size);
        if (ditto_cf_open(&cf, copy, size, &error)) {
            opened++;
            ditto_cf_close(&cf);
        }
        free(copy);
    }
    is(opened, 0, "no truncated class opens");
    for (size_t at = 0; at < bytes->size; at++) {
        for (int value = 0; value < 256; value += 5) {
            uint8_t old = bytes->data[at];
            bytes->data[at] = (uint8_t)value;
            if (ditto_cf_open(&cf, bytes->data, bytes->size, &error)) {
                for (uint32_t i = 0; i < cf.method_count; i++)
                    ditto_cf_code(&cf, &cf.methods[i], &present, &code, &error);
                ditto_cf_close(&cf);
            }
            bytes->data[at] = old;
        }
    }
    ok(true, "no changed byte crashes the parser");
    cb_free(&cb);
}

static void test_versions(void)
{
    static const struct {
        uint16_t major;
        bool good;
    } versions[] = {{44, false}, {45, true}, {52, true}, {69, true}, {70, false}};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        struct class_builder cb;
        struct ditto_cf cf;
        struct ditto_error error;
        char name[40];
        cb_start(&cb, versions[i].major);
        struct ditto_buf *bytes = cb_finish(&cb);
        bool opened = ditto_cf_open(&cf, bytes->data, bytes->size, &error);
        snprintf(name, sizeof name, "version %u is %s", versions[i].major,
                 versions[i].good ? "read" : "refused");
        is(opened, versions[i].good, "%s", name);
        if (opened)
            ditto_cf_close(&cf);
        cb_free(&cb);
    }
}

static void test_messages(void)
{
    struct ditto_cf cf;
    struct ditto_error error;
    ok(!ditto_cf_open(&cf, "hello, world", 12, &error), "text is no class");
    is_string(error.text, "not a class file: it does not begin with CAFEBABE",
              "and the message says so");
    struct class_builder cb;
    cb_start(&cb, 61);
    cb_pair(&cb, DITTO_TAG_NAME_AND_TYPE, CB_THIS, 999);
    struct ditto_buf *bytes = cb_finish(&cb);
    ok(!ditto_cf_open(&cf, bytes->data, bytes->size, &error), "a dangling reference is refused");
    is_string(error.text,
              "constant 9 (tag 12) refers to a constant that is missing or of the wrong kind",
              "and the message names the constant");
    cb_free(&cb);
}

/* An annotations attribute stands on the class: @pkg.Outer$Mark(value = {"x"}). */
static void test_annotations(void)
{
    struct class_builder cb;
    struct ditto_cf cf;
    struct ditto_error error;
    cb_start(&cb, 61);
    uint16_t attribute = cb_utf8(&cb, "RuntimeInvisibleAnnotations");
    uint16_t type = cb_utf8(&cb, "Lpkg/Outer$Mark;"), other = cb_utf8(&cb, "Lpkg/Other;");
    struct ditto_buf *bytes = cb_finish(&cb);
    bytes->size -= 2;
    ditto_buf_u2(bytes, 1);
    ditto_buf_u2(bytes, attribute);
    ditto_buf_u4(bytes, 2 + 4 + 2 + 1 + 2 + 3 + 4);
    ditto_buf_u2(bytes, 2);
    ditto_buf_u2(bytes, other);
    ditto_buf_u2(bytes, 1);
    ditto_buf_u2(bytes, CB_NAME);
    ditto_buf_u1(bytes, '[');
    ditto_buf_u2(bytes, 1);
    ditto_buf_u1(bytes, 's');
    ditto_buf_u2(bytes, CB_NAME);
    ditto_buf_u2(bytes, type);
    ditto_buf_u2(bytes, 0);
    ok(ditto_cf_open(&cf, bytes->data, bytes->size, &error), "a class with annotations opens");
    ok(ditto_cf_has_annotation(&cf, cf.attrs, "Mark"), "an annotation is found by its simple name");
    ok(ditto_cf_has_annotation(&cf, cf.attrs, "pkg.Outer$Mark"), "by its full name with dots");
    ok(ditto_cf_has_annotation(&cf, cf.attrs, "pkg/Other"), "by its full name with slashes");
    ok(!ditto_cf_has_annotation(&cf, cf.attrs, "ark"), "not by the end of its name");
    ok(!ditto_cf_has_annotation(&cf, cf.attrs, "g.Other"), "not by the end of its full name");
    ditto_cf_close(&cf);
    cb_free(&cb);
}

int main(void)
{
    test_good_class();
    test_versions();
    test_messages();
    test_annotations();
    done_testing();
    return exit_status();
}
