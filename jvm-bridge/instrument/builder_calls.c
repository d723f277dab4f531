/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/builder_calls.h"

enum ditto_site_kind ditto_builder_kind(const struct ditto_cf_ref *method)
{
    static const char *const stores[] = {
        "append", "appendCodePoint", "delete",  "deleteCharAt", "ensureCapacity", "insert",
        "repeat", "replace",         "reverse", "setCharAt",    "setLength",      "trimToSize"};
    static const char *const loads[] = {
        "capacity", "charAt",      "codePointAt", "codePointBefore", "codePointCount",
        "getChars", "indexOf",     "isEmpty",     "lastIndexOf",     "offsetByCodePoints",
        "length",   "subSequence", "substring",   "toString"};
    if (!ditto_cf_is(method->owner, DITTO_BUILDER_CLASS))
        return DITTO_SITE_UNUSED;
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        if (ditto_cf_is(method->name, stores[i]))
            return DITTO_SITE_TEXT_STORE;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++)
        if (ditto_cf_is(method->name, loads[i]))
            return DITTO_SITE_TEXT_LOAD;
    return DITTO_SITE_UNUSED;
}
