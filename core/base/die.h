/* SPDX-License-Identifier: MIT */
/*
 * What must not be: said with the line that noticed it, and the end of the process.
 *
 * A check is for what only a mistake of ours, or a machine without memory, can bring about; what a
 * user or a file may do wrong is an error value (trace/error.h).  Checks stay in every build.
 */
#ifndef DITTO_CORE_BASE_DIE_H
#define DITTO_CORE_BASE_DIE_H

#include <stddef.h>

/* Says `ditto: FILE:LINE: ` and the text on stderr, and aborts.  Nothing is allocated for it, and
 * no lock is taken. */
_Noreturn void ditto_die(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* DITTO_CHECK(condition, "what is wrong, %s", ...). */
#define DITTO_CHECK(condition, ...)                                                                \
    (__builtin_expect(!(condition), 0) ? ditto_die(__FILE__, __LINE__, __VA_ARGS__) : (void)0)

/*
 * Memory of malloc, to be freed by free().  None of these returns NULL: they end the process, and
 * say that there was no memory for `what`, a noun with its article.  A product of `count` and
 * `size` that is too large is memory that is not there.
 */
#define ditto_alloc(size, what) ditto_alloc_at((size), (what), __FILE__, __LINE__)
#define ditto_alloc_zeroed(count, size, what)                                                      \
    ditto_alloc_zeroed_at((count), (size), (what), __FILE__, __LINE__)
#define ditto_grow(memory, count, size, what)                                                      \
    ditto_grow_at((memory), (count), (size), (what), __FILE__, __LINE__)
#define ditto_copy_text(text, what) ditto_copy_text_at((text), (what), __FILE__, __LINE__)

/* A new text, made as by printf. */
char *ditto_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

void *ditto_alloc_at(size_t size, const char *what, const char *file, int line)
    __attribute__((malloc, returns_nonnull));
void *ditto_alloc_zeroed_at(size_t count, size_t size, const char *what, const char *file, int line)
    __attribute__((malloc, returns_nonnull));
void *ditto_grow_at(void *memory, size_t count, size_t size, const char *what, const char *file,
                    int line) __attribute__((returns_nonnull));
char *ditto_copy_text_at(const char *text, const char *what, const char *file, int line)
    __attribute__((malloc, returns_nonnull));

#endif
