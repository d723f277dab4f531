/* SPDX-License-Identifier: MIT */
#include "core/commands/launch.h"

#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void words_add(struct words *list, const char *word)
{
    list->words = realloc(list->words, (list->count + 2) * sizeof *list->words);
    char *own = strdup(word);
    if (!list->words || !own)
        abort();
    list->words[list->count++] = own;
    list->words[list->count] = NULL;
}

/* In the build tree the agent is in ../lib from here; installed, where libraries go. */
char *agent_argument(const struct command *command)
{
    static const char *const places[] = {"../lib/libditto-jvm.so", DITTO_AGENT_FROM_COMMAND};
    char here[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    const char *directory = dirname(here);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, places[i]);
        char *agent = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        char *argument = NULL;
        if (agent && asprintf(&argument, "-agentpath:%s", agent) < 0)
            abort();
        free(agent);
        if (argument)
            return argument;
    }
    complain("%s: there is no libditto-jvm.so beside this command (%s/%s); build it with a JDK "
             "on the PATH or in JAVA_HOME",
             command->name, directory, places[0]);
    return NULL;
}

char *agent_option(char *argument, const char *name, const char *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    fprintf(out, "%s%c%s=", argument, strstr(argument, ".so=") ? ',' : '=', name);
    for (const unsigned char *at = (const unsigned char *)value; *at; at++) {
        if (*at == ',' || *at == '%' || *at < 0x20)
            fprintf(out, "%%%02x", *at);
        else
            fputc(*at, out);
    }
    fclose(out);
    free(argument);
    return text;
}
