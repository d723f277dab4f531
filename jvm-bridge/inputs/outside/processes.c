/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/processes.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jvm-bridge/inputs/inputs.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

/* A process that the program starts exists in the recording alone: its pipes are inputs. */
static int my_posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const arguments[],
                          char *const environment[])
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return posix_spawn(pid, path, actions, attributes, arguments, environment);
    int error = ditto_agent.replay
                    ? 0
                    : posix_spawn(pid, path, actions, attributes, arguments, environment);
    error = (int)ditto_input_number(self, DITTO_INPUT_SPAWN, (uint64_t)error);
    if (error == 0)
        *pid = (pid_t)ditto_input_number(self, DITTO_INPUT_SPAWN, (uint64_t)*pid);
    return error;
}

static int my_kill(pid_t pid, int number)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return ditto_agent.replay ? 0 : kill(pid, number);
    return (int)ditto_input_result(self, DITTO_INPUT_KILL,
                                   ditto_agent.replay ? 0 : kill(pid, number));
}

/*
 * A helper thread of the JDK waits for each process to end, and tells whoever waits for that; what
 * it learns is its input.  For threads that are not known the trace has how processes ended as a
 * property, and the end of one that the recording did not see never comes.
 */
static const char *end_of(pid_t pid, char property[32])
{
    snprintf(property, 32, "process.%d", (int)pid);
    return ditto_property(ditto_agent.session, property);
}

static int my_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    char property[32];
    struct ditto_thread *self = ditto_input_thread();
    if (self) {
        int result = ditto_agent.replay ? 0 : waitid(type, id, info, options);
        result = (int)ditto_input_result(self, DITTO_INPUT_REAP, result);
        if (result == 0)
            ditto_input_bytes(self, DITTO_INPUT_REAP, info, sizeof *info);
        return result;
    }
    if (!ditto_agent.replay || type != P_PID)
        return waitid(type, id, info, options);
    if (!end_of((pid_t)id, property))
        ditto_agent_park();
    info->si_pid = (pid_t)id;
    return 0;
}

static pid_t my_waitpid(pid_t pid, int *status, int options)
{
    char property[32], text[16];
    struct ditto_thread *self = ditto_input_thread();
    int how = 0;
    if (self) {
        pid_t ended = ditto_agent.replay ? 0 : waitpid(pid, &how, options);
        ended = (pid_t)ditto_input_result(self, DITTO_INPUT_REAP, ended);
        how = (int)ditto_input_number(self, DITTO_INPUT_REAP, (uint64_t)(unsigned)how);
        if (status)
            *status = how;
        return ended;
    }
    if (!ditto_agent.replay) {
        pid_t ended = waitpid(pid, &how, options);
        if (status)
            *status = how;
        if (ended > 0) {
            end_of(ended, property);
            snprintf(text, sizeof text, "%d", how);
            ditto_set_property(ditto_agent.session, property, text);
        }
        return ended;
    }
    const char *end = end_of(pid, property);
    if (!end)
        ditto_agent_park();
    if (status)
        *status = atoi(end);
    return pid;
}

/* The recorded process's, for the whole of a replay. */
static pid_t my_getpid(void)
{
    const char *recorded = ditto_property(ditto_agent.session, "process-id");
    return recorded ? (pid_t)atoi(recorded) : getpid();
}

static pid_t my_getppid(void)
{
    const char *recorded = ditto_property(ditto_agent.session, "parent-process-id");
    return recorded ? (pid_t)atoi(recorded) : getppid();
}

struct ditto_imports ditto_process_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("posix_spawn", my_posix_spawn), DITTO_IMPORT("kill", my_kill),
        DITTO_IMPORT("waitid", my_waitid),           DITTO_IMPORT("waitpid", my_waitpid),
        DITTO_IMPORT("getpid", my_getpid),           DITTO_IMPORT("getppid", my_getppid),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
