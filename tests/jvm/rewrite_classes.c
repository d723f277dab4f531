/* SPDX-License-Identifier: MIT */
/*
 * Rewrites every class below a directory, for the tests that let a JVM judge the result.
 *
 *     rewrite_classes MODE IN OUT [FIRST-SITE]
 *
 * MODE is `instrument`; `identity`, every method written anew without a change; `relocate`, every
 * instruction moved by inserted nops; `spoil`, a wrong pop at the start of every method; `stretch`,
 * methods blown up until jumps need their wide forms; or `check`, which writes nothing and compares
 * the two ways of the type analysis with the stack maps. Unchanged classes are not written. A
 * summary goes to stdout, what was left alone to stderr.
 */
#define _XOPEN_SOURCE 700
#include "jvm-bridge/classfile/frames.h"
#include "jvm-bridge/instrument/instrument.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct {
    unsigned long classes, written, methods, left_alone, sites, bytes_in, bytes_out, frames,
        instructions, errors;
} totals;

static const char *mode;
static int32_t first_site;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "rewrite_classes: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

static void report(void *context, const struct ditto_cf *cf, const struct ditto_cf_member *method,
                   const char *why)
{
    struct ditto_cf_text class = ditto_cf_class_name(cf, cf->this_class);
    struct ditto_cf_text name =
        method ? ditto_cf_utf8(cf, method->name) : (struct ditto_cf_text){"", 0};
    (void)context;
    totals.left_alone++;
    fprintf(stderr, "%.*s.%.*s: %s\n", (int)class.size, class.data, (int)name.size, name.data, why);
}

static void insert_nops(struct ditto_snippet *code, int count)
{
    for (int i = 0; i < count; i++)
        ditto_snippet_op(code, 0);
}

static void relocate(struct ditto_ed *ed)
{
    /* HotSpot takes every object to have a finalizer once Object.finalize is not empty. */
    if (ed->listing.count == 1)
        return;
    insert_nops(ditto_ed_entry(ed), 1);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        struct ditto_insn insn = ditto_listing_insn(&ed->listing, i);
        insert_nops(ditto_ed_before(ed, i), 1 + (int)(i % 3));
        if (!(ditto_op(insn.opcode)->flags & DITTO_OPF_END))
            insert_nops(ditto_ed_after(ed, i, i % 2), (int)(i % 2));
    }
}

static void stretch(struct ditto_ed *ed)
{
    uint32_t size = ed->code.size;
    if (size > 20000 || ed->listing.count < 6)
        return;
    insert_nops(ditto_ed_before(ed, ed->listing.count / 3), 17000);
    insert_nops(ditto_ed_before(ed, ed->listing.count * 2 / 3), 17000);
}

static void check_map(const struct ditto_ed *ed, const struct ditto_bcimap *map)
{
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        enum ditto_bci_kind kind;
        uint32_t there = ditto_bcimap_to_new(map, ed->listing.bci[i]);
        if (ditto_bcimap_to_old(map, there, &kind) != ed->listing.bci[i] ||
            kind != DITTO_BCI_ORIGINAL)
            totals.errors++;
    }
}

static bool rewrite(const struct ditto_cf *cf, struct ditto_rw_result *result,
                    struct ditto_error *error)
{
    struct ditto_rw *rw = ditto_rw_open(cf);
    struct ditto_ed **editors = calloc(cf->method_count + 1u, sizeof *editors);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        editors[i] = ditto_rw_edit(rw, i, error);
        if (!editors[i] && error->text[0])
            report(NULL, cf, &cf->methods[i], error->text);
        if (editors[i] && strcmp(mode, "relocate") == 0)
            relocate(editors[i]);
        if (editors[i] && strcmp(mode, "stretch") == 0)
            stretch(editors[i]);
        if (editors[i] && strcmp(mode, "spoil") == 0)
            ditto_snippet_op(ditto_ed_entry(editors[i]), DITTO_OP_POP);
        totals.methods += editors[i] != NULL;
    }
    bool good = ditto_rw_write(rw, result, error);
    for (uint32_t i = 0; good && i < cf->method_count; i++) {
        if (result->methods[i].outcome == DITTO_RW_LEFT_ALONE)
            report(NULL, cf, &cf->methods[i], result->methods[i].reason);
        else if (result->methods[i].map)
            check_map(editors[i], result->methods[i].map);
    }
    free(editors);
    ditto_rw_close(rw);
    return good;
}

/* The analysis must arrive at the stack's shape that the StackMapTable gives, both ways. */
static void check_shapes(const struct ditto_ed *ed, enum ditto_flow_mode way)
{
    struct ditto_error error;
    struct ditto_flow flow;
    if (ditto_flow_open(&flow, ed->names, &ed->code, &ed->listing, &ed->map, way, &error)) {
        while (ditto_flow_next(&flow, &error)) {
            const struct ditto_frame *frame = ditto_stackmap_at(&ed->map, flow.insn.bci);
            totals.instructions++;
            if (!frame || !flow.state.reachable)
                continue;
            totals.frames++;
            bool same = frame->stack_count == flow.state.stack_count;
            for (uint32_t i = 0; same && i < frame->stack_count; i++)
                same = ditto_type_is_wide(frame->stack[i]) ==
                           ditto_type_is_wide(flow.state.stack[i]) &&
                       ditto_type_is_reference(frame->stack[i]) ==
                           ditto_type_is_reference(flow.state.stack[i]);
            uint32_t used;
            ditto_type *locals = DITTO_NEW_ARRAY(ed->arena, ditto_type, ed->code.max_locals);
            same = same && ditto_frame_spread(frame, locals, ed->code.max_locals, &used);
            for (uint32_t i = 0; same && i < used; i++)
                same = locals[i] == DITTO_TYPE_TOP ||
                       ditto_type_is_reference(locals[i]) ==
                           ditto_type_is_reference(flow.state.locals[i]);
            if (!same) {
                totals.errors++;
                report(NULL, ed->cf, &ed->method, "the analysis and the StackMapTable disagree");
            }
        }
    }
    if (flow.failed) {
        totals.errors++;
        report(NULL, ed->cf, &ed->method, error.text);
    }
}

static void check(const struct ditto_cf *cf)
{
    struct ditto_error error;
    struct ditto_rw *rw = ditto_rw_open(cf);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        struct ditto_ed *ed = ditto_rw_edit(rw, i, &error);
        if (!ed || ed->listing.has_subroutines)
            continue;
        totals.methods++;
        check_shapes(ed, DITTO_FLOW_AUTO);
        check_shapes(ed, DITTO_FLOW_MERGING);
    }
    ditto_rw_close(rw);
}

static void write_file(const char *path, const void *data, size_t size)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) && errno != EEXIST)
            die("cannot make", path);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        die("cannot write", path);
}

static bool every_method(void *context, const struct ditto_cf *cf,
                         const struct ditto_cf_member *method)
{
    (void)context;
    (void)cf;
    (void)method;
    return true;
}

static void do_class(const uint8_t *bytes, size_t size, const char *in, const char *out)
{
    struct ditto_cf cf;
    struct ditto_error error;
    totals.classes++;
    if (!ditto_cf_open(&cf, bytes, size, &error)) {
        fprintf(stderr, "%s: %s\n", in, error.text);
        totals.errors++;
        return;
    }
    struct ditto_instrumented done = {0};
    bool changed = false;
    if (strcmp(mode, "check") == 0) {
        check(&cf);
    } else if (strcmp(mode, "instrument") == 0 || strcmp(mode, "values") == 0 ||
               strcmp(mode, "ignore") == 0) {
        bool values = strcmp(mode, "values") == 0;
        struct ditto_instrument_options options = {
            .report = report,
            .first_site = first_site,
            .values = values,
            .atomics = values,
            .hook_class = DITTO_HOOK_CLASS,
            .ignore_method = strcmp(mode, "ignore") == 0 ? every_method : NULL};
        changed = ditto_instrument(&cf, &options, &done, &error) == DITTO_INSTRUMENT_DONE;
        totals.sites += done.site_count;
        for (uint32_t i = 0; i < done.class.method_count; i++)
            totals.methods += done.class.methods[i].outcome == DITTO_RW_WRITTEN;
    } else {
        changed = rewrite(&cf, &done.class, &error);
        if (!changed)
            report(NULL, &cf, NULL, error.text);
    }
    if (changed) {
        totals.written++;
        totals.bytes_in += size;
        totals.bytes_out += done.class.size;
        write_file(out, done.class.data, done.class.size);
    }
    ditto_instrumented_free(&done);
    ditto_cf_close(&cf);
}

static void do_file(const char *in, const char *out)
{
    FILE *file = fopen(in, "rb");
    struct stat status;
    if (!file || fstat(fileno(file), &status))
        die("cannot read", in);
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size + 1);
    if (!bytes || fread(bytes, 1, size, file) != size)
        die("cannot read", in);
    fclose(file);
    do_class(bytes, size, in, out);
    free(bytes);
}

static void do_directory(const char *in, const char *out)
{
    DIR *directory = opendir(in);
    if (!directory)
        die("cannot list", in);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char from[4096], to[4096];
        struct stat status;
        size_t length = strlen(entry->d_name);
        if (entry->d_name[0] == '.')
            continue;
        if (snprintf(from, sizeof from, "%s/%s", in, entry->d_name) >= (int)sizeof from ||
            snprintf(to, sizeof to, "%s/%s", out, entry->d_name) >= (int)sizeof to ||
            stat(from, &status))
            die("cannot look at", entry->d_name);
        if (S_ISDIR(status.st_mode))
            do_directory(from, to);
        else if (length > 6 && strcmp(entry->d_name + length - 6, ".class") == 0)
            do_file(from, to);
    }
    closedir(directory);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs(
            "usage: rewrite_classes instrument|values|ignore|identity|relocate|spoil|stretch|check "
            "IN OUT [FIRST-SITE]\n",
            stderr);
        return 2;
    }
    mode = argv[1];
    first_site = argc > 4 ? atoi(argv[4]) : 0;
    do_directory(argv[2], argv[3]);
    printf("%s: %lu classes, %lu written, %lu methods, %lu left alone, %lu sites, %lu -> %lu bytes",
           mode, totals.classes, totals.written, totals.methods, totals.left_alone, totals.sites,
           totals.bytes_in, totals.bytes_out);
    printf(", %lu instructions and %lu frames compared, %lu errors\n", totals.instructions,
           totals.frames, totals.errors);
    return totals.errors != 0;
}
