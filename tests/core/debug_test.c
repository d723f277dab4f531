/* SPDX-License-Identifier: MIT */
/* Debug output: domains and levels, names that are none, a file, and silence. */
#include "core/base/debug.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/support.h"
#include "tests/tap.h"

static unsigned computed;

static unsigned compute(void)
{
    return ++computed;
}

struct choice {
    const char *domains, *file;
};

static void say(void *argument)
{
    const struct choice *choice = argument;
    ditto_debug_choose(choice->domains, choice->file);
    DITTO_DEBUG(wait, 1, "first %u", compute());
    DITTO_DEBUG(wait, 2, "second %u", compute());
    DITTO_DEBUG(rsp, 1, "third %u\n\x1b", compute());
}

static bool has(const char *text, const char *domains, const char *piece)
{
    bool found = strstr(text, piece) != NULL;
    if (!found)
        diag("%s: no '%s' in: %s", domains ? domains : "(none)", piece, text);
    return found;
}

static void test_levels(void)
{
    /* Which of the three lines a choice prints. */
    static const struct {
        const char *domains;
        bool lines[3];
    } choices[] = {{NULL, {0, 0, 0}},
                   {"", {0, 0, 0}},
                   {"wait", {1, 0, 0}},
                   {"wait:2", {1, 1, 0}},
                   {"rsp,wait", {1, 0, 1}},
                   {"wait:0", {0, 0, 0}},
                   {"wait:999,,rsp", {1, 1, 1}},
                   {"all", {1, 0, 1}},
                   {"all:2,rsp:0", {1, 1, 0}},
                   {"stop", {0, 0, 0}}};
    static const char *const lines[] = {"wait: first 1\n", "wait: second 2\n", "rsp: third "};
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct choice choice = {choices[i].domains, NULL};
        struct child_result result;
        in_child(say, &choice, &result);
        bool same = true;
        for (int line = 0; line < 3; line++)
            same = same && (strstr(result.output, lines[line]) != NULL) == choices[i].lines[line];
        bool silent = !choices[i].lines[0] && !choices[i].lines[1] && !choices[i].lines[2];
        ok(same && (!silent || result.output[0] == '\0'), "DITTO_DEBUG=%s",
           choices[i].domains ? choices[i].domains : "(not set)");
        if (!same)
            diag("%s", result.output);
    }
    struct choice off = {NULL, NULL};
    say(&off);
    is(computed, 0, "where it is off, arguments are not computed");
}

static void test_lines(void)
{
    struct choice choice = {"rsp", NULL};
    struct child_result result;
    in_child(say, &choice, &result);
    int process, thread, length = 0;
    double seconds;
    ok(sscanf(result.output, "ditto: [%d %d %lf] rsp: third 1%n", &process, &thread, &seconds,
              &length) == 3 &&
           length > 0 && process == thread && seconds > 0,
       "a line says who and when");
    is_string(result.output + length, "??\n", "and has no controls but its end");
}

static void test_unknown(void)
{
    struct choice choice = {"wiat,wait,rps:3", NULL};
    struct child_result result;
    in_child(say, &choice, &result);
    ok(has(result.output, choice.domains,
           "there is no domain 'wiat', 'rps:3'; there are all, wait,") &&
           has(result.output, choice.domains, "wait: first 1\n"),
       "domains that there are not are named together, the others print");
}

static void test_file(void)
{
    char pattern[600], path[600], text[1024] = "";
    struct child_result result;
    snprintf(pattern, sizeof pattern, "%s", scratch("debug-%p-%p"));
    struct choice choice = {"wait", pattern};
    snprintf(path, sizeof path, "%s", scratch("again"));
    struct choice again = {"wait", path};
    in_child(say, &again, &result);
    in_child(say, &again, &result);
    int fd = open(path, O_RDONLY);
    ssize_t got = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    close(fd);
    const char *second = got > 0 ? strchr(text, '\n') : NULL;
    ok(result.output[0] == '\0' && second && strstr(second, "wait: first 1\n"),
       "lines go to the end of the file");

    ditto_debug_choose(choice.domains, choice.file);
    DITTO_DEBUG(wait, 1, "mine");
    ditto_debug_choose(NULL, NULL);
    char name[64];
    snprintf(name, sizeof name, "debug-%d-%d", (int)getpid(), (int)getpid());
    ok(access(scratch(name), R_OK) == 0, "%%p is the process id");

    struct choice bad = {"wait", "/nonexistent/file"};
    in_child(say, &bad, &result);
    ok(has(result.output, bad.domains, "/nonexistent/file cannot be written: ") &&
           has(result.output, bad.domains, "wait: first 1\n"),
       "without the file they go to stderr");
}

static void test_environment(void)
{
    struct child_result result;
    setenv("DITTO_DEBUG", "trace", 1);
    run_ditto(&result, "check", "/nonexistent.dt");
    ok(has(result.output, "trace", "] trace: open /nonexistent.dt"),
       "the command takes the variable");
    setenv("DITTO_DEBUG", "wait", 1);
    run_ditto(&result, "check", "/nonexistent.dt");
    ok(!strstr(result.output, "] trace: "), "and no more than it says");
    unsetenv("DITTO_DEBUG");
}

int main(void)
{
    test_levels();
    test_lines();
    test_unknown();
    test_file();
    test_environment();
    done_testing();
    return exit_status();
}
