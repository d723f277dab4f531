/* SPDX-License-Identifier: MIT */
#include "tests/support.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[256];
static pid_t owner;

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_directory(void)
{
    if (getpid() == owner)
        nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *scratch(const char *name)
{
    static char paths[8][512];
    static unsigned next;
    if (!directory[0]) {
        const char *top = getenv("TMPDIR");
        snprintf(directory, sizeof directory, "%s/ditto-test.XXXXXX", top ? top : "/tmp");
        if (!mkdtemp(directory)) {
            perror(directory);
            exit(1);
        }
        owner = getpid();
        atexit(remove_directory);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static void collect(pid_t child, int from, struct child_result *result)
{
    size_t length = 0;
    ssize_t got;
    while ((got = read(from, result->output + length, sizeof result->output - 1 - length)) > 0)
        length += (size_t)got;
    result->output[length] = '\0';
    close(from);
    int status;
    waitpid(child, &status, 0);
    result->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void in_child(void (*body)(void *argument), void *argument, struct child_result *result)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends)) {
        perror("pipe");
        exit(1);
    }
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        dup2(ends[1], STDERR_FILENO);
        close(ends[1]);
        body(argument);
        _exit(0);
    }
    close(ends[1]);
    collect(child, ends[0], result);
}

const char *ditto_command = DITTO_COMMAND;

struct command_line {
    const char *command, *path;
};

static void execute(void *argument)
{
    const struct command_line *line = argument;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(ditto_command, "ditto", line->command, line->path, (char *)NULL);
    perror(ditto_command);
    _exit(127);
}

void run_ditto(struct child_result *result, const char *command, const char *path)
{
    struct command_line line = {command, path};
    in_child(execute, &line, result);
}

uint64_t setting(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

uint64_t random_next(uint64_t *state)
{
    uint64_t value = (*state += 0x9e3779b97f4a7c15u);
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}
