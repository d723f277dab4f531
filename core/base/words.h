/* SPDX-License-Identifier: MIT */
/* Lists of strings that end with NULL, for exec. */
#ifndef DITTO_CORE_BASE_WORDS_H
#define DITTO_CORE_BASE_WORDS_H

#include <stddef.h>

/* Starts as all zeroes; `words` is NULL as long as nothing was added. */
struct ditto_words {
    char **words;
    size_t count, room;
};

/* Adds a copy. */
void ditto_words_add(struct ditto_words *list, const char *word);
void ditto_words_free(struct ditto_words *list);

#endif
