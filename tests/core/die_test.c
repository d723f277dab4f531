/* SPDX-License-Identifier: MIT */
/* Checks and what they say; memory that is there or the end; lists and words that are made of it.
 */
#include "core/base/die.h"

#include <signal.h>

#include "core/base/list.h"
#include "core/base/seconds.h"
#include "core/base/words.h"
#include "tests/support.h"
#include "tests/tap.h"

static void fail_check(void *argument)
{
    DITTO_CHECK(argument != NULL, "this holds");
    DITTO_CHECK(argument == NULL, "a check with a %s, and %d", (const char *)argument, 42);
}

static void fail_long_check(void *argument)
{
    (void)argument;
    DITTO_CHECK(false, "%5000s", "");
}

/* A sanitizer's malloc is to answer as others do. */
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* Most of the address space, which no machine has; volatile, lest a compiler knows. */
static volatile size_t too_much = (size_t)-1 / 4;

static void ask_for_much(void *argument)
{
    (void)argument;
    free(ditto_alloc(too_much, "a monster"));
}

static void ask_for_many(void *argument)
{
    (void)argument;
    free(ditto_alloc_zeroed(too_much, 16, "monsters"));
}

static void grow_too_large(void *argument)
{
    (void)argument;
    free(ditto_grow(NULL, too_much, 16, "more monsters"));
}

static void test_deaths(void)
{
    static const struct {
        void (*body)(void *);
        const char *says;
    } deaths[] = {{fail_check, "a check with a word, and 42\n"},
                  {ask_for_much, "no memory for a monster ("},
                  {ask_for_many, "no memory for monsters ("},
                  {grow_too_large, "no memory for more monsters ("}};
    struct child_result result;
    for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++) {
        in_child(deaths[i].body, "word", &result);
        is((uint64_t)result.exit_status, (uint64_t)-SIGABRT, "death %zu is an abort", i);
        /* A sanitizer may have said something before. */
        const char *said = strstr(result.output, "ditto: ");
        const char *place = said ? strstr(said, "tests/core/die_test.c:") : NULL;
        ok(place && strstr(place, deaths[i].says) != NULL, "it says where, and what: %.60s", said);
    }
    in_child(fail_long_check, NULL, &result);
    size_t length = strlen(result.output);
    ok(length > 500 && result.output[length - 1] == '\n', "what is too long is cut");
}

static void test_memory(void)
{
    char *zeroed = ditto_alloc_zeroed(100, 1, "zeroes");
    size_t sum = 0;
    for (int i = 0; i < 100; i++)
        sum += (size_t)zeroed[i];
    is(sum, 0, "zeroed memory");
    memset(zeroed, 1, 100);
    zeroed = ditto_grow(zeroed, 1000, 100, "more");
    for (int i = 0; i < 100; i++)
        sum += (size_t)zeroed[i];
    is(sum, 100, "memory that grew has what it had");
    free(zeroed);
    void *none = ditto_alloc(0, "nothing"), *no_more = ditto_grow(NULL, 0, 8, "nothing");
    ok(none && no_more, "no bytes are something, too");
    free(none);
    free(no_more);
    char *text = ditto_format("%s %d", "text", 1), *copy = ditto_copy_text(text, "a copy");
    ok(strcmp(copy, "text 1") == 0 && copy != text, "texts");
    free(text);
    free(copy);
}

static void test_lists(void)
{
    struct pair {
        int a, b;
    } *items = NULL;
    size_t count = 0, room = 0, growths = 0;
    for (int i = 0; i < 1000; i++) {
        size_t before = room;
        DITTO_PUSH(items, count, room, (struct pair){i, -i});
        growths += room != before;
    }
    bool same = count == 1000 && room >= count;
    for (int i = 0; i < 1000; i++)
        same = same && items[i].a == i && items[i].b == -i;
    ok(same, "a list has what was pushed");
    ok(growths < 12, "and did not grow each time");
    DITTO_MAKE_ROOM(items, count, room, 5000);
    ok(count == 1000 && room >= 6000 && items[999].a == 999, "room for many at once");
    free(items);

    uint32_t small = 0, small_room = 0, *numbers = NULL;
    for (uint32_t i = 0; i < 100; i++)
        DITTO_PUSH(numbers, small, small_room, i);
    ok(small == 100 && numbers[99] == 99, "a list whose count is of 32 bits");
    free(numbers);
}

static void test_words(void)
{
    struct ditto_words list = {0};
    ok(!list.words, "no words");
    for (int i = 0; i < 100; i++) {
        char word[16];
        snprintf(word, sizeof word, "word %d", i);
        ditto_words_add(&list, word);
        if (list.words[list.count])
            break;
    }
    ok(list.count == 100 && !list.words[100] && strcmp(list.words[42], "word 42") == 0,
       "words end with NULL after each");
    ditto_words_free(&list);
    ok(!list.words && list.count == 0, "and are gone");
}

static void test_seconds(void)
{
    double before = ditto_seconds(), used = ditto_processor_seconds();
    double after = ditto_seconds();
    ok(after >= before && after - before < 60 && used >= 0, "seconds pass");
}

int main(void)
{
    test_deaths();
    test_memory();
    test_lists();
    test_words();
    test_seconds();
    done_testing();
    return exit_status();
}
