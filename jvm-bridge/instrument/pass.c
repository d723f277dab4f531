/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/pass.h"

bool ditto_pass_wants(const struct ditto_pass *pass, enum ditto_site_kind kind)
{
    return !(pass->options->leave_out >> kind & 1);
}

int32_t ditto_pass_site(void *context, enum ditto_site_kind kind, uint32_t bci, uint32_t field)
{
    struct ditto_method_pass *mp = context;
    struct ditto_site site = {mp->number, bci, (uint16_t)field, (uint16_t)kind};
    ditto_buf_bytes(&mp->pass->sites, &site, sizeof site);
    return mp->pass->options->first_site + (int32_t)mp->pass->site_count++;
}

uint16_t ditto_pass_hook(struct ditto_pass *pass, const char *class_name,
                         const struct ditto_hook *hook)
{
    for (unsigned i = 0; i < pass->known_hook_count; i++)
        if (pass->known_hooks[i].hook == hook && pass->known_hooks[i].class_name == class_name)
            return pass->known_hooks[i].method;
    uint16_t method = ditto_pool_ref(ditto_rw_pool(pass->rw), DITTO_TAG_METHOD, class_name,
                                     hook->name, hook->descriptor);
    if (pass->known_hook_count < DITTO_KNOWN_HOOKS)
        pass->known_hooks[pass->known_hook_count++] =
            (struct ditto_known_hook){hook, class_name, method};
    return method;
}

void ditto_pass_call(void *context, struct ditto_snippet *code, const struct ditto_hook *hook,
                     int32_t site)
{
    struct ditto_method_pass *mp = context;
    if (!hook->name)
        return;
    struct ditto_pool *pool = ditto_rw_pool(mp->pass->rw);
    if (ditto_hook_takes_site(hook))
        ditto_snippet_push_int(code, pool, site);
    ditto_snippet_op_u2(code, DITTO_OP_INVOKESTATIC,
                        ditto_pass_hook(mp->pass, mp->pass->site_class, hook));
}
