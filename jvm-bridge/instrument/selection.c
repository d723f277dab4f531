/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/selection.h"

#include <string.h>

/* The next pattern of a list, or false at its end. */
static bool next_pattern(const char **list, struct ditto_cf_text *pattern)
{
    while (*list && **list) {
        pattern->data = *list;
        pattern->size = (uint32_t)strcspn(*list, "\n");
        *list += pattern->size;
        *list += **list == '\n';
        if (pattern->size)
            return true;
    }
    return false;
}

/* The letter of a name "com/acme/Main" or, with a member, "com/acme/Main.run"; 0 behind its end. */
static char letter(struct ditto_cf_text class_name, struct ditto_cf_text member, uint32_t index)
{
    if (index < class_name.size)
        return class_name.data[index] == '/' ? '.' : class_name.data[index];
    if (member.size == 0 || index > class_name.size + member.size)
        return 0;
    return index == class_name.size ? '.' : member.data[index - class_name.size - 1];
}

/* Whether the pattern fits the name; `or_inside`: or something inside what the name names. */
static bool fits(struct ditto_cf_text pattern, struct ditto_cf_text class_name,
                 struct ditto_cf_text member, bool or_inside)
{
    for (uint32_t i = 0; i < pattern.size; i++) {
        char c = letter(class_name, member, i);
        if (pattern.data[i] == '*' && i + 1 == pattern.size)
            return true;
        if (c == 0)
            return or_inside && pattern.data[i] == '.';
        if (c != pattern.data[i])
            return false;
    }
    char behind = letter(class_name, member, pattern.size);
    return behind == 0 || behind == '.' || behind == '$';
}

static bool any_fits(const char *list, struct ditto_cf_text class_name, struct ditto_cf_text member,
                     bool or_inside)
{
    struct ditto_cf_text pattern;
    while (next_pattern(&list, &pattern))
        if (fits(pattern, class_name, member, or_inside))
            return true;
    return false;
}

bool ditto_selects_class(struct ditto_selection *selection, struct ditto_cf_text name)
{
    const struct ditto_cf_text none = {NULL, 0};
    const char *list = selection->include;
    struct ditto_cf_text pattern;
    uint64_t fitted = 0, bit = 1;
    bool included = !list || !*list;
    for (; next_pattern(&list, &pattern); bit <<= 1)
        if (fits(pattern, name, none, true)) {
            included = true;
            fitted |= bit;
        }
    if (fitted & ~atomic_load_explicit(&selection->fitted, memory_order_relaxed))
        atomic_fetch_or_explicit(&selection->fitted, fitted, memory_order_relaxed);
    return included && !any_fits(selection->exclude, name, none, false);
}

void ditto_selection_unused(const struct ditto_selection *selection,
                            void (*tell)(struct ditto_cf_text pattern))
{
    const char *list = selection->include;
    struct ditto_cf_text pattern;
    uint64_t fitted = atomic_load_explicit(&selection->fitted, memory_order_relaxed);
    for (uint64_t bit = 1; bit && next_pattern(&list, &pattern); bit <<= 1)
        if (!(fitted & bit))
            tell(pattern);
}

bool ditto_selects_method(const struct ditto_selection *selection, struct ditto_cf_text class_name,
                          struct ditto_cf_text method)
{
    bool included = !selection->include || !*selection->include ||
                    any_fits(selection->include, class_name, method, false);
    return included && !any_fits(selection->exclude, class_name, method, false);
}

bool ditto_selects_field(const struct ditto_selection *selection, struct ditto_cf_text class_name,
                         struct ditto_cf_text field)
{
    return !any_fits(selection->exclude, class_name, field, false);
}

bool ditto_pattern_fits(struct ditto_cf_text pattern, struct ditto_cf_text class_name,
                        struct ditto_cf_text member)
{
    return fits(pattern, class_name, member, false);
}
