/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/pauses.h"

#include <stdio.h>
#include <string.h>

#include "jvm-bridge/classfile/around.h"
#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/instrument/jdk_classes.h"

enum how {
    PAUSED,   /* only paused */
    RESULT,   /* the hook takes and answers what is returned */
    ARGUMENT, /* the hook takes the first argument of an instance method, which was filled */
    SEEDING,  /* the hook takes nothing; only if the class itself is not recorded */
    NOTHING,  /* the method is to do nothing at all */
    ENTRY,    /* on entry, and not paused: the hook takes nothing */
    FIRST,    /* the same, and the hook takes the first local */
    SECOND,   /* the same, and the hook takes the second local */
    LEAVING,  /* on return, and not paused: the hook takes the first local */
};

struct ditto_pause {
    /* NULL: any method but constructors; any descriptor. */
    const char *class_name, *method, *descriptor;
    enum how how;
    struct ditto_hook hook;
};

#define CLASS_NAME "Ljava/lang/String;"
#define OBJECT     "Ljava/lang/Object;"
#define WILL_INITIALIZE                                                                            \
    {                                                                                              \
        "willInitialize", "(" OBJECT ")V"                                                          \
    }
static const struct ditto_pause pauses[] = {
    /* Loading classes. */
    {"java/lang/ClassLoader", "loadClass", "(" CLASS_NAME ")Ljava/lang/Class;", PAUSED, {0}},
    {"jdk/internal/loader/BuiltinClassLoader",
     "loadClassOrNull",
     "(" CLASS_NAME "Z)Ljava/lang/Class;",
     PAUSED,
     {0}},
    {"jdk/internal/loader/URLClassPath", "getLoader", NULL, PAUSED, {0}},
    {"jdk/internal/loader/URLClassPath$JarLoader", "ensureOpen", NULL, PAUSED, {0}},
    {"jdk/internal/loader/URLClassPath$Loader", "getResource", NULL, PAUSED, {0}},
    {"jdk/internal/loader/URLClassPath$Loader", "findResource", NULL, PAUSED, {0}},
    {"jdk/internal/loader/URLClassPath$FileLoader", "getResource", NULL, PAUSED, {0}},
    {"jdk/internal/loader/URLClassPath$FileLoader", "findResource", NULL, PAUSED, {0}},
    {"java/lang/ClassLoader", "findNative", NULL, PAUSED, {0}},
    {"java/lang/ClassLoader", "loadLibrary", NULL, PAUSED, {0}},
    {"java/lang/ClassLoader", "getResource", NULL, PAUSED, {0}},
    {"java/lang/ClassLoader", "getResources", NULL, PAUSED, {0}},
    {"java/lang/ClassLoader", "getResourceAsStream", NULL, PAUSED, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResource", NULL, PAUSED, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResources", NULL, PAUSED, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResourceAsStream", NULL, PAUSED, {0}},
    {"jdk/internal/module/Modules", "transformedByAgent", NULL, PAUSED, {0}},
    {"sun/instrument/InstrumentationImpl", "transform", NULL, PAUSED, {0}},
    {"java/util/ServiceLoader$LazyClassPathLookupIterator", "parse", NULL, PAUSED, {0}},
    {"java/util/ServiceLoader$ModuleServicesLookupIterator", "hasNext", NULL, PAUSED, {0}},
    /* Describing the JDK's modules: hundreds of sets, which would be muted one by one otherwise. */
    {"jdk/internal/module/SystemModules$default", NULL, NULL, PAUSED, {0}},
    {"jdk/internal/module/SystemModules$all", NULL, NULL, PAUSED, {0}},
    /* Linking call sites, which whoever comes first does. */
    {"java/lang/invoke/MethodHandleNatives", "linkCallSite", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkDynamicConstant", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkMethod", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkMethodHandleConstant", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandleNatives", "findMethodHandleType", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodType", "makeImpl", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "asType", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "asCollector", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "asSpreader", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "asVarargsCollector", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "bindTo", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandle", "withVarargs", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles", NULL, NULL, PAUSED, {0}},
    {"java/lang/invoke/VarHandle", "getMethodHandle", NULL, PAUSED, {0}},
    {"java/lang/invoke/VarHandle", "toMethodHandle", NULL, PAUSED, {0}},
    {"java/lang/invoke/DirectMethodHandle", "make", NULL, PAUSED, {0}},
    {"java/lang/invoke/DirectMethodHandle", "ensureInitialized", NULL, PAUSED, {0}},
    {"java/lang/invoke/DirectMethodHandle", "checkInitialized", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findVirtual", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findStatic", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findStaticGetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findStaticSetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findStaticVarHandle", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findConstructor", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "bind", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findSpecial", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findVarHandle", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findGetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "findSetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflect", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflectConstructor", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflectGetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflectSetter", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflectSpecial", NULL, PAUSED, {0}},
    {"java/lang/invoke/MethodHandles$Lookup", "unreflectVarHandle", NULL, PAUSED, {0}},
    {"java/lang/invoke/InvokerBytecodeGenerator", NULL, NULL, PAUSED, {0}},
    {"java/lang/invoke/LambdaFormEditor", NULL, NULL, PAUSED, {0}},
    {"java/lang/invoke/ClassSpecializer", NULL, NULL, PAUSED, {0}},
    {"java/lang/reflect/Method", "acquireMethodAccessor", NULL, PAUSED, {0}},
    {"java/lang/reflect/Constructor", "acquireConstructorAccessor", NULL, PAUSED, {0}},
    {"java/lang/reflect/Field", "acquireFieldAccessor", NULL, PAUSED, {0}},
    {"java/lang/reflect/Proxy", "getProxyConstructor", NULL, PAUSED, {0}},
    {"java/lang/reflect/Proxy", "defaultMethodHandle", NULL, PAUSED, {0}},
    {"jdk/internal/reflect/MethodAccessorGenerator", NULL, NULL, PAUSED, {0}},
    {"jdk/internal/reflect/ReflectionFactory", "checkInitted", NULL, PAUSED, {0}},
    {"jdk/internal/reflect/ReflectionFactory", "config", NULL, PAUSED, {0}},
    {"jdk/internal/reflect/ReflectionFactory", "loadConfig", NULL, PAUSED, {0}},
    {"jdk/internal/reflect/Reflection", "filterFields", NULL, PAUSED, {0}},
    {"jdk/internal/reflect/Reflection", "filterMethods", NULL, PAUSED, {0}},
    /* Caches, of which nobody knows who fills them. */
    {"java/lang/ProcessEnvironment", "getenv", NULL, PAUSED, {0}},
    {"java/lang/Class", "getEnumConstantsShared", NULL, PAUSED, {0}},
    {"java/lang/Enum", "valueOf", NULL, PAUSED, {0}},
    {"java/lang/runtime/SwitchBootstraps", "mappedEnumSwitch", NULL, PAUSED, {0}},
    {"java/lang/runtime/SwitchBootstraps$ResolvedEnumLabels", "test", NULL, PAUSED, {0}},
    {"java/util/Locale", "getInstance", NULL, PAUSED, {0}},
    {"java/util/Locale", "getDefault", NULL, PAUSED, {0}},
    {"java/util/ResourceBundle", "getBundleImpl", NULL, PAUSED, {0}},
    {"java/text/Collator", "getInstance", NULL, PAUSED, {0}},
    {"java/time/format/DateTimeFormatterBuilder$LocalizedPrinterParser",
     "formatter",
     NULL,
     PAUSED,
     {0}},
    {"javax/net/ssl/SSLContext", "getDefault", NULL, PAUSED, {0}},
    {"sun/util/locale/provider/LocaleResources", NULL, NULL, PAUSED, {0}},
    {"sun/util/locale/provider/TimeZoneNameUtility", NULL, NULL, PAUSED, {0}},
    {"sun/reflect/annotation/AnnotationParser", NULL, NULL, PAUSED, {0}},
    {"sun/reflect/annotation/AnnotationType", "getInstance", NULL, PAUSED, {0}},
    {"java/lang/Runtime", "version", NULL, PAUSED, {0}},
    {"jdk/xml/internal/JdkXmlConfig", "getInstance", NULL, PAUSED, {0}},
    {"java/util/logging/LogManager", "ensureLogManagerInitialized", NULL, PAUSED, {0}},
    {"java/lang/management/ManagementFactory", "getPlatformMBeanServer", NULL, PAUSED, {0}},
    {"sun/nio/fs/MimeTypesFileTypeDetector", "loadMimeTypes", NULL, PAUSED, {0}},
    {"sun/security/jca/ProviderConfig", "getProvider", NULL, PAUSED, {0}},
    {"sun/security/provider/X509Factory", "addToCache", NULL, PAUSED, {0}},
    {"sun/security/provider/X509Factory", "getFromCache", NULL, PAUSED, {0}},
    {"sun/security/provider/X509Factory", "intern", NULL, PAUSED, {0}},
    {"sun/security/x509/IPAddressName", NULL, NULL, PAUSED, {0}},
    /* Random numbers that are taken out of the result again. */
    {"sun/security/rsa/RSACore", "getBlindingRandomPair", NULL, PAUSED, {0}},
    {"com/sun/org/apache/xml/internal/serializer/OutputPropertiesFactory",
     "getDefaultMethodProperties",
     NULL,
     PAUSED,
     {0}},
    /* Initialized late, though it is loaded before anything is recorded. */
    {"java/lang/StackWalker", "<clinit>", NULL, PAUSED, {0}},
    /* Queues that the collector fills. */
    {"java/lang/ref/ReferenceQueue", "enqueue", NULL, PAUSED, {0}},
    {"java/lang/ref/ReferenceQueue", "poll", NULL, PAUSED, {0}},
    {"java/lang/ref/ReferenceQueue", "remove", NULL, PAUSED, {0}},
    /* Initializing classes, which other threads may have to do first. */
    {"java/lang/reflect/Constructor", "newInstanceWithCaller", NULL, FIRST, WILL_INITIALIZE},
    {"java/lang/reflect/Method", "invoke", "(" OBJECT "[" OBJECT ")" OBJECT, FIRST,
     WILL_INITIALIZE},
    {"java/lang/invoke/DirectMethodHandle", "allocateInstance", NULL, FIRST, WILL_INITIALIZE},
    {"jdk/internal/misc/Unsafe", "ensureClassInitialized", "(Ljava/lang/Class;)V", SECOND,
     WILL_INITIALIZE},
    /* Who of several threads ends the program; the others wait for it. */
    {"java/lang/Runtime", "exit", "(I)V", ENTRY, {"willExit", "()V"}},
    {"java/lang/Shutdown", "runHooks", "()V", ENTRY, {"exits", "()V"}},
    {"java/lang/ref/Reference",
     "<init>",
     "(" OBJECT "Ljava/lang/ref/ReferenceQueue;)V",
     LEAVING,
     {"referenceMade", "(Ljava/lang/ref/Reference;)V"}},
    /* Counters, seeds and times. */
    {"java/lang/Thread", "nextThreadID", "()J", RESULT, {"threadId", "(J)J"}},
    {"java/lang/Thread", "nextThreadNum", "()I", RESULT, {"threadNumber", "(I)I"}},
    {"java/lang/Thread$ThreadIdentifiers", "next", "()J", RESULT, {"threadId", "(J)J"}},
    {"java/lang/Thread$ThreadNumbering", "next", "()I", RESULT, {"threadNumber", "(I)I"}},
    {"java/util/Random", "seedUniquifier", "()J", RESULT, {"seed", "(J)J"}},
    {"java/util/concurrent/ThreadLocalRandom", "current", NULL, SEEDING, {"currentSeed", "()V"}},
    {"jdk/internal/util/random/RandomSupport", "initialSeed", "()J", RESULT, {"runSeed", "(J)J"}},
    {"java/security/SecureRandom", "getDefaultPRNG", NULL, PAUSED, {0}},
    {"java/security/SecureRandom", "getInstance", NULL, PAUSED, {0}},
    {"java/security/SecureRandom", "getInstanceStrong", NULL, PAUSED, {0}},
    {"sun/security/jca/JCAUtil", "getDefSecureRandom", NULL, PAUSED, {0}},
    {"sun/security/jca/JCAUtil", "getSecureRandom", NULL, PAUSED, {0}},
    {"java/security/SecureRandom", "nextBytes", "([B)V", ARGUMENT, {"randomBytes", "([B)V"}},
    {"java/security/SecureRandom", "generateSeed", "(I)[B", RESULT, {"randomSeed", "([B)[B"}},
    {"java/security/SecureRandom", "getSeed", "(I)[B", RESULT, {"randomSeed", "([B)[B"}},
    {"sun/management/RuntimeImpl", "getUptime", "()J", RESULT, {"jvmTime", "(J)J"}},
    {"sun/management/RuntimeImpl", "getStartTime", "()J", RESULT, {"jvmTime", "(J)J"}},
    {"sun/management/ThreadImpl", "getCurrentThreadCpuTime", "()J", RESULT, {"jvmTime", "(J)J"}},
    {"sun/management/ThreadImpl", "getCurrentThreadUserTime", "()J", RESULT, {"jvmTime", "(J)J"}},
    {"sun/management/ThreadImpl", "getThreadCpuTime", "(J)J", RESULT, {"jvmTime", "(J)J"}},
    {"sun/management/ThreadImpl", "getThreadUserTime", "(J)J", RESULT, {"jvmTime", "(J)J"}},
    /* The time zone is found out by whoever first needs it. */
    {"java/util/TimeZone", "setDefaultZone", NULL, PAUSED, {0}},
    /* Processes. What one has written stays in its pipe, where its reader finds it; the pipe that
     * it reads from is closed by who writes. */
    {"java/lang/ProcessImpl$ProcessPipeInputStream", "processExited", "()V", NOTHING, {0}},
    {"java/lang/ProcessImpl$ProcessPipeOutputStream", "processExited", "()V", NOTHING, {0}},
};

enum { PAUSES = sizeof pauses / sizeof *pauses };

/* Classes of the JDK are initialized by whoever needs them first. */
static const struct ditto_pause initializer = {.how = PAUSED};

bool ditto_has_pauses(const char *class_name)
{
    for (int i = 0; i < PAUSES; i++)
        if (strcmp(pauses[i].class_name, class_name) == 0)
            return true;
    return false;
}

/* What these make of inputs the main thread makes when the program begins: DittoHooks.share(). */
static bool is_made_at_once(const char *class_name)
{
    return strcmp(class_name, "java/lang/Math$RandomNumberGeneratorHolder") == 0 ||
           strcmp(class_name, "java/time/Clock") == 0;
}

const struct ditto_pause *ditto_pause_of(const struct ditto_cf *cf, const char *class_name,
                                         const struct ditto_cf_member *method, bool recorded)
{
    struct ditto_cf_text name = ditto_cf_utf8(cf, method->name);
    struct ditto_cf_text descriptor = ditto_cf_utf8(cf, method->descriptor);
    for (int i = 0; i < PAUSES; i++)
        if (strcmp(pauses[i].class_name, class_name) == 0 &&
            !(recorded && pauses[i].how == SEEDING) &&
            (pauses[i].method ? ditto_cf_is(name, pauses[i].method)
                              : !ditto_cf_is(name, "<init>")) &&
            (!pauses[i].descriptor || ditto_cf_is(descriptor, pauses[i].descriptor)))
            return &pauses[i];
    return ditto_cf_is(name, "<clinit>") && !is_made_at_once(class_name) ? &initializer : NULL;
}

/* What the JDK calls while it loads classes and links call sites. */
static bool is_of_loading(struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    static const char *const names[] = {"findClass",          "loadClass",   "findResource",
                                        "findResources",      "getResource", "getResources",
                                        "getResourceAsStream"};
    static const char of_loader[] = "(" CLASS_NAME,
                      bootstrap[] = "(Ljava/lang/invoke/MethodHandles$Lookup;";
    if (descriptor.size >= sizeof bootstrap &&
        memcmp(descriptor.data, bootstrap, sizeof bootstrap - 1) == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ditto_cf_is(name, names[i]))
            return descriptor.size >= sizeof of_loader &&
                   memcmp(descriptor.data, of_loader, sizeof of_loader - 1) == 0;
    return false;
}

/* What the JDK calls of streams that the program has made, in calls that are muted as those of any
 * other stream; and what it calls of objects that it writes, reads or formats. */
static bool is_of_streams(struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    static const struct {
        const char *name, *descriptor;
    } methods[] = {
        {"read", "()I"},
        {"read", "([B)I"},
        {"read", "([BII)I"},
        {"read", "([C)I"},
        {"read", "([CII)I"},
        {"read", "(Ljava/nio/CharBuffer;)I"},
        {"readAllBytes", "()[B"},
        {"readNBytes", "(I)[B"},
        {"readNBytes", "([BII)I"},
        {"transferTo", "(Ljava/io/OutputStream;)J"},
        {"transferTo", "(Ljava/io/Writer;)J"},
        {"skip", "(J)J"},
        {"available", "()I"},
        {"ready", "()Z"},
        {"mark", "(I)V"},
        {"markSupported", "()Z"},
        {"reset", "()V"},
        {"write", "(I)V"},
        {"write", "([B)V"},
        {"write", "([BII)V"},
        {"write", "([C)V"},
        {"write", "([CII)V"},
        {"write", "(Ljava/lang/String;)V"},
        {"write", "(Ljava/lang/String;II)V"},
        {"append", "(C)Ljava/io/Writer;"},
        {"append", "(Ljava/lang/CharSequence;)Ljava/io/Writer;"},
        {"append", "(Ljava/lang/CharSequence;II)Ljava/io/Writer;"},
        {"flush", "()V"},
        {"close", "()V"},
        {"readObject", "(Ljava/io/ObjectInputStream;)V"},
        {"readObjectNoData", "()V"},
        {"readExternal", "(Ljava/io/ObjectInput;)V"},
        {"readResolve", "()" OBJECT},
        {"resolveClass", "(Ljava/io/ObjectStreamClass;)Ljava/lang/Class;"},
        {"resolveObject", "(" OBJECT ")" OBJECT},
        {"validateObject", "()V"},
        {"writeObject", "(Ljava/io/ObjectOutputStream;)V"},
        {"writeExternal", "(Ljava/io/ObjectOutput;)V"},
        {"writeReplace", "()" OBJECT},
        {"replaceObject", "(" OBJECT ")" OBJECT},
        {"formatTo", "(Ljava/util/Formatter;III)V"},
    };
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (ditto_cf_is(name, methods[i].name) && ditto_cf_is(descriptor, methods[i].descriptor))
            return true;
    return false;
}

/* Whether the JDK can have the class by another type than Object. */
static bool has_other_types(const struct ditto_cf *cf)
{
    /* The number of interfaces follows access, this and super. */
    return ditto_u2(cf->bytes + cf->pool_end + 6) != 0 ||
           (cf->super_class &&
            !ditto_cf_is(ditto_cf_class_name(cf, cf->super_class), "java/lang/Object"));
}

bool ditto_is_called_back(const struct ditto_cf *cf, const struct ditto_cf_member *method)
{
    struct ditto_cf_text name = ditto_cf_utf8(cf, method->name);
    struct ditto_cf_text descriptor = ditto_cf_utf8(cf, method->descriptor);
    return is_of_loading(name, descriptor) ||
           (!(method->access & DITTO_ACC_STATIC) && has_other_types(cf) &&
            is_of_streams(name, descriptor));
}

/* What is done to a socket or channel, through streams over it as well, while others close it. */
static bool is_of_channels(struct ditto_cf_text class_name, struct ditto_cf_text name)
{
    static const char *const methods[] = {
        "accept",  "available", "blockingRead",  "blockingWriteFully", "close",
        "connect", "read",      "shutdownInput", "shutdownOutput",     "write"};
    char text[80];
    if (class_name.size >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)class_name.size, class_name.data);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (ditto_cf_is(name, methods[i]))
            return ditto_is_of_channels(text);
    return false;
}

/* Sockets, TLS, the keeping of HTTP connections, and taking channels out of their selectors, which
 * the JDK may come to in calls that are muted: in those of streams, at the end of what is read from
 * one, when one is closed.  And the stream in which one thread finds what another has received. */
bool ditto_is_never_muted(const struct ditto_cf *cf, const struct ditto_cf_member *method)
{
    struct ditto_cf_text class_name = ditto_cf_class_name(cf, cf->this_class);
    struct ditto_cf_text name = ditto_cf_utf8(cf, method->name);
    if (is_of_channels(class_name, name))
        return true;
    if (ditto_cf_is(class_name, "sun/net/www/http/KeepAliveStream"))
        return ditto_cf_is(name, "queueForCleanup");
    if (ditto_cf_is(class_name, "sun/net/www/http/HttpClient"))
        return ditto_cf_is(name, "lock") || ditto_cf_is(name, "unlock");
    if (ditto_cf_is(class_name, "sun/nio/ch/SelectorImpl"))
        return ditto_cf_is(name, "cancel");
    if (ditto_cf_is(class_name,
                    "jdk/internal/net/http/ResponseSubscribers$HttpResponseInputStream") ||
        ditto_cf_is(class_name, "sun/security/ssl/SSLSocketImpl$AppInputStream") ||
        ditto_cf_is(class_name, "sun/security/ssl/SSLSocketImpl$AppOutputStream"))
        return is_of_streams(name, ditto_cf_utf8(cf, method->descriptor));
    if (ditto_cf_is(class_name, "sun/security/ssl/SSLSocketImpl"))
        return ditto_cf_is(name, "close");
    return ditto_cf_is(class_name, "sun/net/www/http/KeepAliveCache") &&
           (ditto_cf_is(name, "get") || ditto_cf_is(name, "put") || ditto_cf_is(name, "remove"));
}

static void call_of(struct ditto_ed *ed, struct ditto_snippet *code, const char *class_name,
                    struct ditto_hook hook)
{
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, class_name, hook.name, hook.descriptor));
}

/* Of a pause of its own kind. */
static void call(struct ditto_ed *ed, struct ditto_snippet *code, struct ditto_hook hook)
{
    call_of(ed, code, DITTO_INPUT_HOOK_CLASS, hook);
}

static void call_pause(struct ditto_ed *ed, struct ditto_snippet *code)
{
    call_of(ed, code, DITTO_HOOK_CLASS, (struct ditto_hook){"pause", "()V"});
}

static void resume(struct ditto_ed *ed, struct ditto_snippet *code)
{
    call_of(ed, code, DITTO_HOOK_CLASS, (struct ditto_hook){"resume", "()V"});
}

/* The method returns at once; the verifier must believe that the rest can be reached. */
static void do_nothing(struct ditto_ed *ed, const struct ditto_pause *pause)
{
    struct ditto_snippet *entry = ditto_ed_entry(ed);
    ditto_label body = ditto_ed_new_label(ed);
    ditto_type this = ditto_names_literal(ed->names, pause->class_name);
    ditto_snippet_push_int(entry, ed->pool, 1);
    ditto_snippet_jump(entry, DITTO_OP_IFEQ, body);
    ditto_snippet_op(entry, DITTO_OP_RETURN);
    ditto_snippet_label(entry, body);
    ditto_ed_frame(ed, body, &this, 1, NULL, 0);
    ditto_ed_stack_at_least(ed, 1);
}

/* The hook is called on entry, or wherever the method returns. */
static void only_call(struct ditto_ed *ed, const struct ditto_pause *pause)
{
    ditto_ed_stack_grows(ed, 1);
    ditto_ed_stack_at_least(ed, 1);
    if (pause->how != LEAVING) {
        if (pause->how != ENTRY)
            ditto_snippet_local(ditto_ed_entry(ed), DITTO_OP_ALOAD, pause->how == FIRST ? 0 : 1);
        call(ed, ditto_ed_entry(ed), pause->hook);
        return;
    }
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        if (!ditto_is_return(ed->code.code[ed->listing.bci[i]]))
            continue;
        ditto_snippet_local(ditto_ed_before(ed, i), DITTO_OP_ALOAD, 0);
        call(ed, ditto_ed_before(ed, i), pause->hook);
    }
}

/* A pause that is being edited. */
struct place {
    struct ditto_ed *ed;
    const struct ditto_pause *pause;
};

static void enter(void *context, struct ditto_snippet *code)
{
    const struct place *at = context;
    call_pause(at->ed, code);
}

static void leave(void *context, struct ditto_snippet *code)
{
    const struct place *at = context;
    if (at->pause->how == ARGUMENT)
        ditto_snippet_local(code, DITTO_OP_ALOAD, 1);
    if (at->pause->how == PAUSED)
        resume(at->ed, code);
    else
        call(at->ed, code, at->pause->hook);
}

static void throw(void *context, struct ditto_snippet *code)
{
    const struct place *at = context;
    resume(at->ed, code);
}

void ditto_pause_edit(struct ditto_ed *ed, const struct ditto_pause *pause)
{
    if (pause->how == NOTHING) {
        do_nothing(ed, pause);
    } else if (pause->how >= ENTRY) {
        only_call(ed, pause);
    } else {
        struct place at = {ed, pause};
        ditto_ed_around(ed, &(struct ditto_around){enter, leave, throw, &at});
    }
}
