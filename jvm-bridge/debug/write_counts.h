/* SPDX-License-Identifier: MIT */
/*
 * How often each field, static and element was written since the run began, so that the how-manieth
 * a write is can be told wherever the run is.  At a cut the counts are those of the writes before
 * it, however the threads came there.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_WRITE_COUNTS_H
#define DITTO_JVM_BRIDGE_DEBUG_WRITE_COUNTS_H

#include "jvm-bridge/classes/sites.h"

struct ditto_shadow;

/* A write to the site's field of the shadow, to a static, or to an element. */
void ditto_count_write(struct ditto_site_info *site, struct ditto_shadow *shadow, jint index);
/* How many there were: to this object's field or element, to the field of all objects, to a static.
 */
uint64_t ditto_shadow_writes(const struct ditto_site_info *site, const struct ditto_shadow *shadow,
                             jint index);
uint64_t ditto_class_writes(const struct ditto_site_info *site, const struct ditto_shadow *shadow);
uint64_t ditto_static_writes(const struct ditto_site_info *site);

#endif
