/* SPDX-License-Identifier: MIT */
/* Archives of class paths, as make_archives.py makes them: what is found in each, and what is not.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "gdb-plugin/classpath/archive.h"
#include "tests/support.h"
#include "tests/tap.h"

/* Whether the entry is there and says that. */
static bool says(const char *path, const char *name, const char *text)
{
    struct archive *archive = archive_open(path);
    size_t size = 0;
    uint8_t *bytes = archive ? archive_read(archive, name, &size) : NULL;
    bool good = bytes && size == strlen(text) && memcmp(bytes, text, size) == 0;
    free(bytes);
    archive_close(archive);
    return good;
}

static bool is_there(const char *path, const char *name)
{
    struct archive *archive = archive_open(path);
    size_t size;
    uint8_t *bytes = archive ? archive_read(archive, name, &size) : NULL;
    bool there = bytes != NULL;
    free(bytes);
    archive_close(archive);
    return there;
}

static bool opens(const char *path)
{
    struct archive *archive = archive_open(path);
    archive_close(archive);
    return archive != NULL;
}

/* Every one of so many entries, by its name. */
static bool all_there(const char *path, unsigned count)
{
    struct archive *archive = archive_open(path);
    char name[64];
    for (unsigned i = 0; archive && i < count; i++) {
        size_t size = 0;
        snprintf(name, sizeof name, "com/acme/C%u.class", i);
        uint8_t *bytes = archive_read(archive, name, &size);
        snprintf(name, sizeof name, "%u", i);
        bool good = bytes && size == strlen(name) && memcmp(bytes, name, size) == 0;
        free(bytes);
        if (!good) {
            archive_close(archive);
            return false;
        }
    }
    archive_close(archive);
    return archive != NULL;
}

static const char *in(const char *directory, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void good_archives(const char *work)
{
    static const char *const names[] = {"packed.jar", "stored.jar", "comment.jar", "zip64.jar"};
    char a[1001];
    memset(a, 'a', 1000);
    a[1000] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = in(work, names[i]);
        ok(says(path, "com/acme/A.class", a) && says(path, "com/acme/B.class", "b") &&
               says(path, "Empty.class", "") && says(path, "com/acme/Größe.class", "c"),
           "%s: all of its entries", names[i]);
        ok(!is_there(path, "com/acme/C.class") && !is_there(path, "com/acme/a.class") &&
               !is_there(path, "A.class") && !is_there(path, ""),
           "%s: and no others", names[i]);
    }
    ok(says(in(work, "twice.jar"), "A.class", "new"),
       "a name that comes twice is the last, as java has it");
    ok(says(in(work, "twice.jar"), "B.class", "b"), "and what stands between is itself");
    ok(!is_there(in(work, "none.jar"), "A.class"), "an archive without entries has none");
    ok(all_there(in(work, "many.jar"), 70000), "an archive with more than 65,535 entries");
}

static void damaged_archives(const char *work)
{
    ok(!is_there(in(work, "data.jar"), "com/acme/A.class"), "damaged data is nothing");
    ok(says(in(work, "data.jar"), "com/acme/B.class", "b"), "and harms no other entry");
    ok(!is_there(in(work, "large.jar"), "com/acme/A.class"),
       "nor is an entry that claims to be of 2 GB");
    ok(!opens(in(work, "cut.jar")), "an archive that was cut is none");
    ok(!opens(in(work, "directory.jar")), "nor is one whose directory is damaged");
    ok(!opens(in(work, "text.jar")), "nor a text");
    ok(!opens(in(work, "missing.jar")), "nor a file that is not there");
    ok(!opens(work), "nor a directory");
}

int main(int argument_count, char **arguments)
{
    char work[512], command[8192];
    snprintf(work, sizeof work, "%s", scratch("archives"));
    if (argument_count != 2 || mkdir(work, 0700) != 0)
        return 2;
    snprintf(command, sizeof command, "python3 '%s' '%s'", arguments[1], work);
    if (system(command) != 0)
        return 2;
    good_archives(work);
    damaged_archives(work);
    done_testing();
    return exit_status();
}
