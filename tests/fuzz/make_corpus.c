/* SPDX-License-Identifier: MIT */
/* Writes the traces that tests/fuzz/traces holds: small ones, of every kind of ending. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/micro.h"

/* With "all" enough for chunks in columns. */
static struct micro_parameters parameters = {.threads = 3,
                                             .operations = 120,
                                             .loads = 1,
                                             .stores = 1,
                                             .fields = 2,
                                             .objects = 3,
                                             .locked = 5,
                                             .seed = 7};

static void copy(const char *from, const char *to)
{
    char bytes[4096];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    size_t got;
    if (!in || !out) {
        perror(to);
        exit(1);
    }
    while ((got = fread(bytes, 1, sizeof bytes, in)) > 0)
        fwrite(bytes, 1, got, out);
    fclose(in);
    fclose(out);
}

/* A recording of a Java program by an agent that did not say what it records. */
static bool make_old(struct ditto_error *error)
{
    const struct ditto_record_options options = {.buffer_size = 4096};
    struct ditto_session *session = ditto_record("old.dt", &options, error);
    if (!session)
        return false;
    ditto_set_property(session, "java", "17.0.1, a JVM");
    ditto_set_property(session, "java.argument.1", "Main");
    return ditto_close(session, error);
}

int main(int argc, char **argv)
{
    struct ditto_error error;
    bool all = argc > 2 && strcmp(argv[2], "all") == 0;
    if (all)
        parameters.operations = 1200;
    const struct ditto_record_options options = {
        .buffer_size = 4096, .pruning = all ? DITTO_PRUNE_NONE : DITTO_PRUNE_FULL};
    if (argc < 2 || chdir(argv[1])) {
        fprintf(stderr, "usage: make_corpus DIRECTORY [all]\n");
        return 1;
    }
    struct ditto_session *session = ditto_record("sealed.dt", &options, &error);
    if (!session) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    struct micro_result result;
    micro_result_make(&result, &parameters, false);
    micro_run(&parameters, session, &result);
    struct ditto_thread *self = ditto_main_thread(session);
    char line[] = "an input line";
    size_t length = sizeof line;
    ditto_input(self, 1, line, &length, sizeof line);
    ditto_input_number(self, 2, 1234567);
    char *large = calloc(1, 10000);
    length = 10000;
    ditto_input(self, 3, large, &length, length);
    copy("sealed.dt", "open.dt");
    if (all && !make_old(&error))
        fprintf(stderr, "%s\n", error.text);
    free(large);
    micro_result_free(&result, &parameters);
    return ditto_close(session, &error) ? 0 : 1;
}
