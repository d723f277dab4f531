/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/class_texts.h"

#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/vm/say.h"

void *ditto_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    ditto_agent_expect(memory, "room for a class");
    return memory;
}

char *ditto_text_copy(struct ditto_cf_text text)
{
    char *string = ditto_zeroed(text.size + 1, 1);
    memcpy(string, text.data, text.size);
    return string;
}

char *ditto_member_text(struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    char *string = ditto_zeroed(name.size + 1 + descriptor.size + 1, 1);
    memcpy(string, name.data, name.size);
    string[name.size] = ' ';
    memcpy(string + name.size + 1, descriptor.data, descriptor.size);
    return string;
}
