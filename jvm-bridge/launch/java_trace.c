/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/launch/java_trace.h"

#include "core/commands/commands.h"

struct ditto_reader *open_java_trace(const char *path)
{
    struct ditto_reader *reader = open_trace(path);
    const char *damage = reader ? ditto_reader_info(reader)->damage : NULL;
    if (damage)
        complain("%s: cannot be replayed: %s", path, damage);
    else if (reader && !ditto_reader_property(reader, "java"))
        complain("%s: not a recording of a Java program; run the program that made it", path);
    else
        return reader;
    ditto_reader_close(reader);
    return NULL;
}
