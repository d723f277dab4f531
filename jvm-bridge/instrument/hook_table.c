/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/hook_table.h"

#include "core/orders/order.h"

#include <string.h>

#define OBJECT "Ljava/lang/Object;"
#define HANDLE "Ljava/lang/invoke/VarHandle;"

const struct ditto_hook_pair ditto_hooks[DITTO_SITE_KINDS] = {
    [DITTO_SITE_LOAD] = {{"beforeLoad", "(" OBJECT "I)V"}, {"afterLoad", "(I)V"}},
    [DITTO_SITE_STORE] = {{"beforeStore", "(" OBJECT "I)V"}, {"afterStore", "(I)V"}},
    [DITTO_SITE_STATIC_LOAD] = {{"beforeStaticLoad", "(I)V"}, {"afterStaticLoad", "(I)V"}},
    [DITTO_SITE_STATIC_STORE] = {{"beforeStaticStore", "(I)V"}, {"afterStaticStore", "(I)V"}},
    [DITTO_SITE_ARRAY_LOAD] = {{"beforeArrayLoad", "(" OBJECT "II)V"}, {"afterArrayLoad", "(I)V"}},
    [DITTO_SITE_ARRAY_STORE] = {{"beforeArrayStore", "(" OBJECT "II)V"},
                                {"afterArrayStore", "(I)V"}},
    [DITTO_SITE_ACQUIRE] = {{"beforeAcquire", "(" OBJECT "I)V"},
                            {"afterAcquire", "(" OBJECT "I)V"}},
    [DITTO_SITE_RELEASE] = {{"beforeRelease", "(" OBJECT "I)V"}, {NULL, NULL}},
    [DITTO_SITE_INIT] = {{"beforeInit", "(Ljava/lang/Class;I)V"}, {NULL, NULL}},
    [DITTO_SITE_CLINIT] = {{"beginInit", "(I)V"}, {"endInit", "(I)V"}},
    [DITTO_SITE_RAW_LOAD] = {{"beforeRawLoad", "(" OBJECT "JI)V"}, {"afterLoad", "(I)V"}},
    [DITTO_SITE_RAW_STORE] = {{"beforeRawStore", "(" OBJECT "JI)V"}, {"afterStore", "(I)V"}},
    [DITTO_SITE_RAW_UPDATE] = {{"beforeRawUpdate", "(" OBJECT "JI)V"}, {"afterUpdate", "(ZI)V"}},
    [DITTO_SITE_VAR_LOAD] = {{"beforeVarLoad", "(" HANDLE OBJECT "II)V"}, {"afterLoad", "(I)V"}},
    [DITTO_SITE_VAR_STORE] = {{"beforeVarStore", "(" HANDLE OBJECT "II)V"}, {"afterStore", "(I)V"}},
    [DITTO_SITE_VAR_UPDATE] = {{"beforeVarUpdate", "(" HANDLE OBJECT "II)V"},
                               {"afterUpdate", "(ZI)V"}},
    [DITTO_SITE_TEXT_LOAD] = {{"beforeTextLoad", "(" OBJECT "I)V"}, {"afterLoad", "(I)V"}},
    [DITTO_SITE_TEXT_STORE] = {{"beforeTextStore", "(" OBJECT "I)V"}, {"afterStore", "(I)V"}},
};

const struct ditto_text_hooks ditto_text_hooks = {
    .object = {"textOf", "(" OBJECT "I)Ljava/lang/String;"},
    .sequence = {"contentsOf", "(Ljava/lang/CharSequence;I)Ljava/lang/String;"},
    .characters = {"charactersOf", "([CI)[C"},
    .part = {"partOf", "(Ljava/lang/CharSequence;III)Ljava/lang/String;"}};

const struct ditto_hook ditto_abandon_hook = {"abandon", "()V"};

const struct ditto_hook_pair ditto_callback_hooks = {{"enterProgram", "()V"},
                                                     {"leaveProgram", "()V"}};

const struct ditto_hook_pair ditto_mute_hooks = {{"mute", "()V"}, {"unmute", "()V"}};

const struct ditto_clone_hooks ditto_clone_hooks = {.before = {"cloning", "(" OBJECT ")V"},
                                                    .after = {"cloned", "(" OBJECT OBJECT "I)V"},
                                                    .copied = {"copied", "(" OBJECT OBJECT "I)V"},
                                                    .answered = {"cloned", "(" OBJECT ")V"}};

const struct ditto_hook_pair ditto_ignore_hooks = {{"beginIgnored", "()V"}, {"endIgnored", "()V"}};

const struct ditto_hook ditto_same_hook = {"same", "(" OBJECT ")" OBJECT};

const struct ditto_hook ditto_made_hook = {"made", "(" OBJECT ")V"};

const struct ditto_hook *ditto_returned_hook(char type)
{
    static const struct ditto_hook hooks[] = {{"returned", "(I)V"},
                                              {"returned", "(J)V"},
                                              {"returned", "(F)V"},
                                              {"returned", "(D)V"},
                                              {"returned", "(" OBJECT ")V"}};
    const char *types = "IJFDL", *at = strchr(types, type);
    return &hooks[at ? at - types : 0];
}

const struct ditto_hook *ditto_value_hook(bool store, char type)
{
    static const struct ditto_hook hooks[][2] = {
        {{"loaded", "(J)V"}, {"stored", "(J)V"}},
        {{"loaded", "(F)V"}, {"stored", "(F)V"}},
        {{"loaded", "(D)V"}, {"stored", "(D)V"}},
        {{"loaded", "(" OBJECT ")V"}, {"stored", "(" OBJECT ")V"}},
        {{"loaded", "(I)V"}, {"stored", "(I)V"}},
    };
    static const char types[] = "JFDL";
    if (type == '[')
        type = 'L';
    const char *at = type ? strchr(types, type) : NULL;
    return &hooks[at ? at - types : 4][store];
}

bool ditto_hook_takes_object(const struct ditto_hook *hook)
{
    return hook->name && strstr(hook->descriptor, OBJECT);
}

bool ditto_hook_takes_site(const struct ditto_hook *hook)
{
    return hook->name && strstr(hook->descriptor, "I)");
}

uint32_t ditto_unwanted_sites(unsigned wants)
{
    static const uint8_t accesses[] = {
        DITTO_SITE_LOAD,         DITTO_SITE_STORE,      DITTO_SITE_STATIC_LOAD,
        DITTO_SITE_STATIC_STORE, DITTO_SITE_ARRAY_LOAD, DITTO_SITE_ARRAY_STORE,
        DITTO_SITE_RAW_LOAD,     DITTO_SITE_RAW_STORE,  DITTO_SITE_RAW_UPDATE,
        DITTO_SITE_VAR_LOAD,     DITTO_SITE_VAR_STORE,  DITTO_SITE_VAR_UPDATE,
        DITTO_SITE_COPY,         DITTO_SITE_TEXT_LOAD,  DITTO_SITE_TEXT_STORE,
    };
    uint32_t unwanted = 0;
    for (size_t i = 0; i < sizeof accesses; i++)
        if (!(wants & (DITTO_WANTS_LOADS | DITTO_WANTS_STORES)))
            unwanted |= UINT32_C(1) << accesses[i];
    if (!(wants & (DITTO_WANTS_ACQUIRES | DITTO_WANTS_RELEASES)))
        unwanted |= UINT32_C(1) << DITTO_SITE_ACQUIRE | UINT32_C(1) << DITTO_SITE_RELEASE;
    return unwanted;
}
