/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/jdk_classes.h"

#include <stddef.h>
#include <string.h>

#include "core/base/text.h"

/* One of the classes, or inside one of them. */
static bool is_one_of(const char *name, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]);
        if (strncmp(name, list[i], length) == 0 && (name[length] == '\0' || name[length] == '$'))
            return true;
    }
    return false;
}

bool ditto_is_ours(const char *name)
{
    return ditto_begins(name, "java/lang/Ditto");
}

/* Proxies are made anew in each run. */
bool ditto_is_of_the_jdk(const char *name)
{
    static const char *const packages[] = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (ditto_begins(name, packages[i]))
            return true;
    return false;
}

/* Threads close sockets, and cancel keys, that others are about to use, and no lock tells them. */
bool ditto_is_of_channels(const char *name)
{
    static const char *const classes[] = {
        "java/net/DatagramSocket",
        "java/net/ServerSocket",
        "java/net/Socket",
        "java/nio/channels/spi/AbstractInterruptibleChannel",
        "java/nio/channels/spi/AbstractSelectableChannel",
        "java/nio/channels/spi/AbstractSelectionKey",
        "sun/nio/ch/DatagramChannelImpl",
        "sun/nio/ch/NioSocketImpl",
        "sun/nio/ch/SelectionKeyImpl",
        "sun/nio/ch/ServerSocketChannelImpl",
        "sun/nio/ch/SinkChannelImpl",
        "sun/nio/ch/SocketChannelImpl",
        "sun/nio/ch/SourceChannelImpl",
    };
    return is_one_of(name, classes, sizeof classes / sizeof *classes);
}

/* What the program's threads meet in without a lock of the program's: who looks a name up and who
 * finds it in the cache, which connection or TLS session is taken up again, who completes what was
 * asked of an asynchronous channel; the numbers that log records get; and formats, which keep what
 * they are at in fields, and share calendars. */
static bool is_shared_by_threads(const char *name)
{
    static const char *const classes[] = {
        "java/net/Inet4AddressImpl",
        "java/net/Inet6AddressImpl",
        "java/net/InetAddress",
        "java/text/CalendarBuilder",
        "java/text/ChoiceFormat",
        "java/text/DateFormat",
        "java/text/DecimalFormat",
        "java/text/DigitList",
        "java/text/Format",
        "java/text/MessageFormat",
        "java/text/NumberFormat",
        "java/text/SimpleDateFormat",
        "java/util/logging/LogRecord",
        "jdk/internal/misc/ThreadFlock",
        "sun/net/www/http/ClientVector",
        "sun/net/www/http/HttpClient",
        "sun/net/www/http/KeepAliveCache",
        "sun/net/www/http/KeepAliveEntry",
        "sun/net/www/http/KeepAliveKey",
        "sun/net/www/http/KeepAliveStream",
        "sun/net/www/http/KeepAliveStreamCleaner",
        "sun/nio/ch/AsynchronousChannelGroupImpl",
        "sun/nio/ch/AsynchronousFileChannelImpl",
        "sun/nio/ch/AsynchronousServerSocketChannelImpl",
        "sun/nio/ch/AsynchronousSocketChannelImpl",
        "sun/nio/ch/EPollPort",
        "sun/nio/ch/PendingFuture",
        "sun/nio/ch/Port",
        "sun/nio/ch/SimpleAsynchronousFileChannelImpl",
        "sun/nio/ch/UnixAsynchronousServerSocketChannelImpl",
        "sun/nio/ch/UnixAsynchronousSocketChannelImpl",
        "sun/security/util/Cache",
        "sun/security/util/MemoryCache",
        "sun/util/calendar/AbstractCalendar",
        "sun/util/calendar/BaseCalendar",
        "sun/util/calendar/CalendarDate",
        "sun/util/calendar/Gregorian",
        "sun/util/calendar/ImmutableGregorianDate",
        "sun/util/calendar/JulianCalendar",
        "sun/util/calendar/LocalGregorianCalendar",
        "sun/util/calendar/ZoneInfo",
    };
    return is_one_of(name, classes, sizeof classes / sizeof *classes);
}

/*
 * The few left out have what they do depend on hash codes of objects or on the collector, fill
 * caches of their own, or are code that the JVM's compilers replace by their own.
 */
bool ditto_is_of_the_library(const char *name)
{
    static const char util[] = "java/util/";
    static const char *const left_out[] = {
        "java/util/WeakHashMap",
        "java/util/Base64",
        "java/util/DualPivotQuicksort",
        "java/util/ResourceBundle",
        "java/util/Locale",
        "java/util/ServiceLoader",
        "java/util/TimeZone",
        "java/util/SimpleTimeZone",
        "java/util/Currency",
        "java/util/Formatter",
        "java/util/Scanner",
        "java/util/UUID",
        "java/util/Properties",
        "java/util/PropertyResourceBundle",
        "java/util/ListResourceBundle",
    };
    /* It compares times with that of its own initialization, which is not recorded, and moves on
     * when they are far apart: only the differences between those that it answers count. */
    static const char *const http_clock = "jdk/internal/net/http/common/TimeSource";
    if (ditto_begins(name, "java/io/Piped") || ditto_begins(name, "java/lang/ClassValue") ||
        ditto_begins(name, "sun/security/ssl/") || ditto_is_of_channels(name) ||
        is_shared_by_threads(name))
        return true;
    if (ditto_begins(name, "java/net/http/") || ditto_begins(name, "jdk/internal/net/http/"))
        return !is_one_of(name, &http_clock, 1);
    /* Its resource bundles are filled by whoever asks first. */
    if (ditto_begins(name, "sun/net/httpserver/"))
        return !strstr(name, "/resources/");
    if (!ditto_begins(name, util) || is_one_of(name, left_out, sizeof left_out / sizeof *left_out))
        return false;
    const char *rest = name + sizeof util - 1;
    return !strchr(rest, '/') || ditto_begins(rest, "concurrent/") || ditto_begins(rest, "stream/");
}

bool ditto_is_method_of_the_library(const char *class_name, const char *method)
{
    static const char *const of_arrays[] = {"binarySearch0", "setAll", "parallelSetAll",
                                            "lambda$parallelSetAll$"};
    if (strcmp(class_name, "java/util/Arrays"))
        return true;
    for (size_t i = 0; i < sizeof of_arrays / sizeof *of_arrays; i++)
        if (ditto_begins(method, of_arrays[i]))
            return true;
    return false;
}

bool ditto_hashes_keys(const char *name)
{
    static const char *const hashed[] = {"java/util/HashMap", "java/util/Hashtable",
                                         "java/util/ImmutableCollections",
                                         "java/util/concurrent/ConcurrentHashMap"};
    return is_one_of(name, hashed, sizeof hashed / sizeof *hashed);
}

bool ditto_guards_by_monitors(const char *name)
{
    static const char *const guarded[] = {
        "java/lang/ApplicationShutdownHooks",
        "java/lang/StringBuffer",
        "java/lang/ProcessImpl",
        "java/nio/channels/Channels",
        "java/nio/channels/spi/AbstractSelector",
        "java/util/logging/ConsoleHandler",
        "java/util/logging/FileHandler",
        "java/util/logging/Handler",
        "java/util/logging/MemoryHandler",
        "java/util/logging/SocketHandler",
        "java/util/logging/StreamHandler",
        "sun/nio/cs/StreamDecoder",
        "sun/nio/cs/StreamEncoder",
        "sun/nio/fs/AbstractPoller",
        "sun/nio/fs/AbstractWatchKey",
        "sun/nio/fs/AbstractWatchService",
        "sun/nio/fs/LinuxWatchService",
        "sun/nio/ch/ChannelInputStream",
        "sun/nio/ch/ChannelOutputStream",
        "sun/nio/ch/EPollSelectorImpl",
        "sun/nio/ch/FileChannelImpl",
        "sun/nio/ch/PollSelectorImpl",
        "sun/nio/ch/SelectorImpl",
    };
    return ditto_begins(name, "java/io/") || strcmp(name, "java/lang/Thread") == 0 ||
           is_one_of(name, guarded, sizeof guarded / sizeof *guarded) || ditto_prints(name);
}

bool ditto_prints(const char *name)
{
    return strcmp(name, "java/io/PrintStream") == 0 || strcmp(name, "java/lang/Throwable") == 0;
}

bool ditto_mutes_calls(const char *name)
{
    /* What these do is done in pauses (pauses.h), or is none of the library; or threads meet in
     * it: who asks for the end of a process, and who waits for it. */
    static const char *const exempt[] = {"java/lang/invoke/",
                                         "jdk/internal/org/",
                                         "jdk/internal/module/SystemModules$default",
                                         "jdk/internal/module/SystemModules$all",
                                         "java/util/Arrays",
                                         "java/lang/ProcessHandleImpl"};
    /* Of java.lang itself, what is more than a servant of whoever calls it. */
    static const char *const of_lang[] = {
        "java/lang/Process",     "java/lang/System",        "java/lang/Module",
        "java/lang/Package",     "java/lang/Class",         "java/lang/Runtime",
        "java/lang/ThreadLocal", "java/lang/Shutdown",      "java/lang/Application",
        "java/lang/WeakPairMap", "java/lang/PublicMethods",
    };
    for (size_t i = 0; i < sizeof exempt / sizeof *exempt; i++)
        if (ditto_begins(name, exempt[i]))
            return false;
    const char *rest = ditto_begins(name, "java/lang/") ? name + strlen("java/lang/") : NULL;
    if (!rest || strchr(rest, '/'))
        return true;
    for (size_t i = 0; i < sizeof of_lang / sizeof *of_lang; i++)
        if (ditto_begins(name, of_lang[i]))
            return true;
    return false;
}

/* Methods of strings that are made of the library. */
static bool is_of_strings(const char *name, const char *method)
{
    static const char *const methods[] = {"chars", "codePoints", "lines",
                                          "join",  "format",     "split"};
    if (strcmp(name, "java/lang/String") && strcmp(name, "java/lang/CharSequence"))
        return false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(method, methods[i]) == 0)
            return true;
    return false;
}

/* Methods that only look at what they are given, and call nothing of it. */
static bool is_mute_already(const char *name, const char *method)
{
    return strcmp(name, "java/util/Objects") == 0 &&
           (strcmp(method, "requireNonNull") == 0 || ditto_begins(method, "check") ||
            strcmp(method, "isNull") == 0 || strcmp(method, "nonNull") == 0);
}

bool ditto_is_muted(const char *name, const char *method)
{
    static const char *const packages[] = {"java/util/stream/", "java/util/concurrent/atomic/",
                                           "java/util/concurrent/Concurrent",
                                           "java/util/concurrent/CopyOnWrite"};
    /* These are not recorded, but do as the library does. */
    if (strcmp(name, "java/util/Arrays") == 0 || strcmp(name, "java/lang/Iterable") == 0 ||
        is_of_strings(name, method))
        return true;
    /* What prints is for the program. */
    if (ditto_begins(name, "java/io/") || strcmp(name, "java/lang/StringBuffer") == 0)
        return !ditto_begins(name, "java/io/Print") && !ditto_begins(name, "java/io/Piped");
    if (!ditto_is_of_the_library(name) || is_mute_already(name, method))
        return false;
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (ditto_begins(name, packages[i]))
            return true;
    return ditto_begins(name, "java/util/") && !strchr(name + strlen("java/util/"), '/') &&
           !ditto_begins(name, "java/util/Timer");
}
