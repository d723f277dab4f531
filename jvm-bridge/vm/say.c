/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "jvm-bridge/vm/progress_line.h"

static void say(const char *format, va_list arguments)
{
    ditto_progress_hide();
    fputs("ditto: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    ditto_progress_may_show();
}

void ditto_agent_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void ditto_agent_refuse(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    _exit(2);
}

void ditto_agent_expect(bool good, const char *what)
{
    if (good)
        return;
    dprintf(STDERR_FILENO, "ditto: the JVM or the system did not give the agent %s\n", what);
    abort();
}
