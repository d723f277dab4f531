/* SPDX-License-Identifier: MIT */
#include "core/commands/commands.h"

const char *ending_words(const struct ditto_trace_info *info)
{
    switch (info->ending) {
    case DITTO_ENDING_CLOSED:
        return "in good order";
    case DITTO_ENDING_STOPPED:
        return "early: the recording stopped before the program did";
    default:
        return "abruptly: the process was killed or crashed, or is still running";
    }
}
