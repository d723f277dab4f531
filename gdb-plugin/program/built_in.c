/* SPDX-License-Identifier: MIT */
/*
 * Classes of the JDK that printing needs, and fields of some that keep their names from JDK 17 to
 * 25.  A class file, of the trace or of the JDK, goes before what is written here.
 */
#include "gdb-plugin/program/built_in.h"

#include <string.h>

#include "gdb-plugin/program/names.h"

static const struct {
    const char *name, *super;
    const char *fields; /* "name descriptor name descriptor", or "[I" for an array */
} known[] = {
    {"java/lang/Object", NULL, ""},
    {"java/lang/String", "java/lang/Object", "value [B coder B"},
    {"java/lang/Number", "java/lang/Object", ""},
    {"java/lang/Integer", "java/lang/Number", "value I"},
    {"java/lang/Long", "java/lang/Number", "value J"},
    {"java/lang/Short", "java/lang/Number", "value S"},
    {"java/lang/Byte", "java/lang/Number", "value B"},
    {"java/lang/Double", "java/lang/Number", "value D"},
    {"java/lang/Float", "java/lang/Number", "value F"},
    {"java/lang/Character", "java/lang/Object", "value C"},
    {"java/lang/Boolean", "java/lang/Object", "value Z"},
    {"java/lang/Enum", "java/lang/Object", "name Ljava/lang/String; ordinal I"},
    {"java/lang/Thread", "java/lang/Object", "name Ljava/lang/String;"},
    {"java/lang/Throwable", "java/lang/Object",
     "detailMessage Ljava/lang/String; cause Ljava/lang/Throwable;"},
    {"java/lang/Exception", "java/lang/Throwable", ""},
    {"java/lang/RuntimeException", "java/lang/Exception", ""},
    {"java/lang/Error", "java/lang/Throwable", ""},
    {"java/lang/AbstractStringBuilder", "java/lang/Object", "value [B coder B count I"},
    {"java/lang/StringBuilder", "java/lang/AbstractStringBuilder", ""},
    {"java/util/AbstractCollection", "java/lang/Object", ""},
    {"java/util/AbstractList", "java/util/AbstractCollection", "modCount I"},
    {"java/util/ArrayList", "java/util/AbstractList", "elementData [Ljava/lang/Object; size I"},
    {"java/util/AbstractSequentialList", "java/util/AbstractList", ""},
    {"java/util/LinkedList", "java/util/AbstractSequentialList",
     "size I first Ljava/util/LinkedList$Node; last Ljava/util/LinkedList$Node;"},
    {"java/util/LinkedList$Node", "java/lang/Object",
     "item Ljava/lang/Object; next Ljava/util/LinkedList$Node; prev Ljava/util/LinkedList$Node;"},
    {"java/util/ArrayDeque", "java/util/AbstractCollection",
     "elements [Ljava/lang/Object; head I tail I"},
    {"java/util/AbstractMap", "java/lang/Object", ""},
    {"java/util/HashMap", "java/util/AbstractMap", "table [Ljava/util/HashMap$Node; size I"},
    {"java/util/LinkedHashMap", "java/util/HashMap",
     "head Ljava/util/LinkedHashMap$Entry; tail Ljava/util/LinkedHashMap$Entry;"},
    {"java/util/HashMap$Node", "java/lang/Object",
     "hash I key Ljava/lang/Object; value Ljava/lang/Object; next Ljava/util/HashMap$Node;"},
    {"java/util/HashMap$TreeNode", "java/util/HashMap$Node", ""},
    {"java/util/LinkedHashMap$Entry", "java/util/HashMap$Node",
     "before Ljava/util/LinkedHashMap$Entry; after Ljava/util/LinkedHashMap$Entry;"},
    {"java/util/TreeMap", "java/util/AbstractMap", "root Ljava/util/TreeMap$Entry; size I"},
    {"java/util/TreeMap$Entry", "java/lang/Object",
     "key Ljava/lang/Object; value Ljava/lang/Object; left Ljava/util/TreeMap$Entry; "
     "right Ljava/util/TreeMap$Entry; parent Ljava/util/TreeMap$Entry;"},
    {"java/util/AbstractSet", "java/util/AbstractCollection", ""},
    {"java/util/HashSet", "java/util/AbstractSet", "map Ljava/util/HashMap;"},
    {"java/util/LinkedHashSet", "java/util/HashSet", ""},
    {"java/util/TreeSet", "java/util/AbstractSet", "m Ljava/util/NavigableMap;"},
    {"java/util/Optional", "java/lang/Object", "value Ljava/lang/Object;"},
    {"java/util/concurrent/ConcurrentHashMap", "java/util/AbstractMap",
     "table [Ljava/util/concurrent/ConcurrentHashMap$Node; baseCount J"},
    {"java/util/concurrent/ConcurrentHashMap$Node", "java/lang/Object",
     "hash I key Ljava/lang/Object; val Ljava/lang/Object; "
     "next Ljava/util/concurrent/ConcurrentHashMap$Node;"},
    {"java/util/concurrent/CopyOnWriteArrayList", "java/lang/Object", "array [Ljava/lang/Object;"},
    {"java/util/concurrent/atomic/AtomicInteger", "java/lang/Number", "value I"},
    {"java/util/concurrent/atomic/AtomicLong", "java/lang/Number", "value J"},
    {"java/util/concurrent/atomic/AtomicBoolean", "java/lang/Object", "value I"},
    {"java/util/concurrent/atomic/AtomicReference", "java/lang/Object", "value Ljava/lang/Object;"},
    /* Arrays, as objects: a length, and a pointer to where their elements are. */
    {"boolean_array", "java/lang/Object", "[Z"},
    {"byte_array", "java/lang/Object", "[B"},
    {"char_array", "java/lang/Object", "[C"},
    {"short_array", "java/lang/Object", "[S"},
    {"int_array", "java/lang/Object", "[I"},
    {"long_array", "java/lang/Object", "[J"},
    {"float_array", "java/lang/Object", "[F"},
    {"double_array", "java/lang/Object", "[D"},
    {"object_array", "java/lang/Object", "[L"},
};

/* Those whose fields are the JDK's business: what the plugin prints of them it looks for. */
static const char *const others[] = {
    "java/io/File",
    "java/lang/Class",
    "java/lang/StackOverflowError",
    "java/lang/StringBuffer",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/util/Arrays$ArrayList",
    "java/util/Collections$CheckedCollection",
    "java/util/Collections$EmptyList",
    "java/util/Collections$EmptyMap",
    "java/util/Collections$EmptySet",
    "java/util/Collections$SetFromMap",
    "java/util/Collections$SingletonList",
    "java/util/Collections$SingletonMap",
    "java/util/Collections$SingletonSet",
    "java/util/Collections$SynchronizedCollection",
    "java/util/Collections$SynchronizedMap",
    "java/util/Collections$UnmodifiableCollection",
    "java/util/Collections$UnmodifiableMap",
    "java/util/EnumMap",
    "java/util/Hashtable",
    "java/util/Hashtable$Entry",
    "java/util/IdentityHashMap",
    "java/util/ImmutableCollections$List12",
    "java/util/ImmutableCollections$ListN",
    "java/util/ImmutableCollections$Map1",
    "java/util/ImmutableCollections$MapN",
    "java/util/ImmutableCollections$Set12",
    "java/util/ImmutableCollections$SetN",
    "java/util/OptionalDouble",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/PriorityQueue",
    "java/util/Properties",
    "java/util/Stack",
    "java/util/UUID",
    "java/util/Vector",
    "java/util/concurrent/ArrayBlockingQueue",
    "java/util/concurrent/ConcurrentLinkedDeque",
    "java/util/concurrent/ConcurrentLinkedQueue",
    "java/util/concurrent/ConcurrentSkipListMap",
    "java/util/concurrent/ConcurrentSkipListSet",
    "java/util/concurrent/CopyOnWriteArraySet",
    "java/util/concurrent/CountDownLatch",
    "java/util/concurrent/FutureTask",
    "java/util/concurrent/LinkedBlockingDeque",
    "java/util/concurrent/LinkedBlockingQueue",
    "java/util/concurrent/PriorityBlockingQueue",
    "java/util/concurrent/Semaphore",
    "java/util/concurrent/atomic/AtomicIntegerArray",
    "java/util/concurrent/atomic/AtomicLongArray",
    "java/util/concurrent/atomic/AtomicReferenceArray",
    "java/util/concurrent/atomic/LongAdder",
    "java/util/concurrent/atomic/Striped64$Cell",
    "java/util/concurrent/locks/ReentrantLock",
    "java/util/concurrent/locks/ReentrantReadWriteLock",
};

static size_t word_count(const char *text)
{
    size_t words = *text != '\0';
    for (; *text; text++)
        words += *text == ' ';
    return words;
}

static const char *take_word(struct program_names *names, const char **text)
{
    size_t length = strcspn(*text, " ");
    const char *word = names_add(names, *text, length);
    *text += length + ((*text)[length] == ' ');
    return word;
}

void built_in_classes(struct program *program, struct ditto_machine *machine,
                      void (*find)(struct program *program, struct ditto_machine *machine,
                                   const char *name),
                      void (*add)(struct program *program, struct program_class *class))
{
    struct program_names *names = program->names;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        find(program, machine, others[i]);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = names_add(names, known[i].name, strlen(known[i].name));
        find(program, machine, name);
        if (*names_meaning(name))
            continue;
        struct program_class *class = DITTO_NEW(&program->arena, struct program_class);
        class->name = name;
        class->built_in = true;
        if (known[i].super)
            class->super_name = names_add(names, known[i].super, strlen(known[i].super));
        const char *at = known[i].fields;
        if (at[0] != '[') {
            size_t count = word_count(at) / 2;
            class->fields = DITTO_NEW_ARRAY(&program->arena, struct program_field, count);
            class->field_count = count;
            for (size_t f = 0; f < count; f++) {
                class->fields[f].owner = class;
                class->fields[f].name = take_word(names, &at);
                class->fields[f].descriptor = take_word(names, &at);
            }
        } else {
            class->element = at[1];
        }
        add(program, class);
    }
}
