/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/class_texts.h"

#include <string.h>

#include "core/base/die.h"

char *ditto_text_copy(struct ditto_cf_text text)
{
    char *string = ditto_alloc_zeroed(text.size + 1, 1, "a text of a class");
    memcpy(string, text.data, text.size);
    return string;
}

char *ditto_member_text(struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    char *string = ditto_alloc_zeroed(name.size + 1 + descriptor.size + 1, 1, "a text of a class");
    memcpy(string, name.data, name.size);
    string[name.size] = ' ';
    memcpy(string + name.size + 1, descriptor.data, descriptor.size);
    return string;
}
