/* SPDX-License-Identifier: MIT */
/* Of a class file no more than the name of its superclass; the rest is for whoever is handed it. */
#include "gdb-plugin/classpath/superclass.h"

#include "jvm-bridge/classfile/classfile.h"

bool superclass_of(const uint8_t *bytes, size_t size, const char **name, size_t *length)
{
    struct ditto_cf cf;
    if (!ditto_cf_open(&cf, bytes, size, NULL))
        return false;
    struct ditto_cf_text text = {0};
    if (cf.super_class)
        text = ditto_cf_class_name(&cf, cf.super_class);
    ditto_cf_close(&cf);
    *name = text.data;
    *length = text.size;
    return text.size > 0;
}
