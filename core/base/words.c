/* SPDX-License-Identifier: MIT */
#include "core/base/words.h"

#include <stdlib.h>

#include "core/base/list.h"

void ditto_words_add(struct ditto_words *list, const char *word)
{
    DITTO_MAKE_ROOM(list->words, list->count, list->room, 2);
    list->words[list->count++] = ditto_copy_text(word, "a word");
    list->words[list->count] = NULL;
}

void ditto_words_free(struct ditto_words *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->words[i]);
    free(list->words);
    *list = (struct ditto_words){0};
}
