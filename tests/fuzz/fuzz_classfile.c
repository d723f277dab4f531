/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes everything that reads a class file: the parser, the annotations, both ways of the type
 * analysis, the rewriter and the instrumenter. Whatever is written must be readable again. Built
 * with libFuzzer.
 */
#include "jvm-bridge/classfile/annotation.h"
#include "jvm-bridge/classfile/frames.h"
#include "jvm-bridge/instrument/ignored.h"
#include "jvm-bridge/instrument/instrument.h"

#include <stdlib.h>

static void must(bool condition)
{
    if (!condition)
        abort();
}

/* What the rewriter has written, it must be able to take apart. */
static void read_again(const struct ditto_rw_result *result)
{
    struct ditto_cf cf;
    struct ditto_error error;
    must(ditto_cf_open(&cf, result->data, result->size, &error));
    struct ditto_rw *rw = ditto_rw_open(&cf);
    for (uint32_t i = 0; i < result->method_count; i++) {
        if (result->methods[i].outcome != DITTO_RW_WRITTEN)
            continue;
        struct ditto_ed *ed = ditto_rw_edit(rw, i, &error);
        must(ed);
        for (uint32_t k = 0; k < ed->listing.count; k++)
            ditto_bcimap_to_old(result->methods[i].map, ed->listing.bci[k], NULL);
    }
    ditto_rw_close(rw);
    ditto_cf_close(&cf);
}

static void analyse(struct ditto_ed *ed, enum ditto_flow_mode mode)
{
    struct ditto_error error;
    struct ditto_flow flow;
    if (ditto_flow_open(&flow, ed->names, &ed->code, &ed->listing, &ed->map, mode, &error))
        while (ditto_flow_next(&flow, &error))
            continue;
}

static void rewrite(const struct ditto_cf *cf)
{
    struct ditto_error error;
    struct ditto_rw *rw = ditto_rw_open(cf);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        struct ditto_ed *ed = ditto_rw_edit(rw, i, &error);
        if (!ed)
            continue;
        analyse(ed, DITTO_FLOW_AUTO);
        analyse(ed, DITTO_FLOW_MERGING);
        for (uint32_t k = 0; k < ed->listing.count; k++)
            ditto_snippet_op(ditto_ed_before(ed, k), 0);
        /* A long way, so that jumps must grow. */
        for (int k = 0; ed->listing.count % 16 == 1 && k < 33000; k++)
            ditto_snippet_op(ditto_ed_before(ed, ed->listing.count / 2), 0);
    }
    ditto_rw_add_field(rw, DITTO_ACC_STATIC, "$ditto", "I");
    struct ditto_rw_result result;
    if (ditto_rw_write(rw, &result, &error)) {
        read_again(&result);
        ditto_rw_result_free(&result);
    }
    ditto_rw_close(rw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ditto_cf cf;
    struct ditto_error error;
    if (!ditto_cf_open(&cf, data, size, &error))
        return 0;
    ditto_cf_has_annotation(&cf, cf.attrs, "Deprecated");
    for (uint32_t i = 0; i < cf.field_count; i++)
        ditto_cf_has_annotation(&cf, cf.fields[i].attrs, "java.lang.Deprecated");
    rewrite(&cf);
    struct ditto_buf essence = {0};
    bool left_out;
    ditto_class_essence(&cf, NULL, NULL, &essence, &left_out);
    ditto_buf_free(&essence);
    struct ditto_instrument_options options = {
        .first_site = 32760, .values = size % 2, .atomics = true, .clone_field = "number"};
    struct ditto_instrumented done;
    if (ditto_instrument(&cf, &options, &done, &error) == DITTO_INSTRUMENT_DONE) {
        read_again(&done.class);
        ditto_instrumented_free(&done);
    }
    ditto_cf_close(&cf);
    return 0;
}
