/* SPDX-License-Identifier: MIT */
/*
 * Classes as they load: which are recorded, what their sites mean, whether they are those of the
 * recording, and who initializes them.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_H
#define DITTO_JVM_BRIDGE_CLASSES_H

#include "jvm-bridge/agent.h"

/*
 * What is known of a class from its file: enough to tell which class an instruction initializes.
 */
struct ditto_class {
    struct ditto_class *next; /* in its bucket */
    char *name;               /* "com/acme/Main" */
    const char *loader;       /* the label of its loader */
    char *super;              /* NULL: none */
    char **interfaces;
    unsigned interface_count;
    char **statics; /* "name descriptor" of its static fields and methods */
    unsigned static_count;
    bool has_initializer;
    bool is_interface;
    bool has_defaults;      /* an interface with methods that classes inherit */
    int64_t initializer;    /* replaying: the replay id of who initialized it; -1: nobody did */
    ditto_flag initialized; /* replaying: its initializer has ended */
    char *awaited;          /* "the initialization of com.acme.Main", for messages */
};

struct ditto_site_info {
    uint8_t kind;
    uint32_t digest;        /* what of it is the same in record and replay */
    char *where;            /* with --verify: class, method, bytecode index, for messages */
    struct ditto_class *in; /* whose code it is in; NULL: that of output streams */
    jweak loader;           /* of that class; NULL: the boot loader */
    char *owner;            /* the class that the code names, for fields and at INIT sites */
    char *member;           /* "name descriptor"; NULL for `new` */
    _Atomic int32_t field;  /* of a field's site: its number + 1, 0: not known yet */
    /* For DittoHooks.java.  Of a field's site: where its place is in the state of an object; of a
     * static's: its place; 0: not known yet. */
    _Atomic uintptr_t quick;
};

/* Classes of the JDK by name, wherever they come from. */
bool ditto_is_of_the_jdk(const char *name);

/* The bytes of a class that may not be loaded yet, to be freed; NULL if they cannot be found. */
unsigned char *ditto_class_file(JNIEnv *jni, jobject loader, const char *name, size_t *size);

/* The name of a class's property: "class.com/acme/Main", or "class.com/acme/Main@2.0" from another
 * loader than the application's. */
void ditto_class_property(char *text, size_t size, const char *kind, const char *name,
                          const char *loader);

/* Before the first class, and at VMInit. */
void ditto_classes_open(void);
void ditto_classes_begin(JNIEnv *jni, jclass hooks);

/* JVMTI's ClassFileLoadHook. */
void JNICALL ditto_class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                 const char *name, jobject domain, jint size,
                                 const unsigned char *bytes, jint *new_size,
                                 unsigned char **new_bytes);

struct ditto_site_info *ditto_site_at(jint site);

/* The digest of an access to an array's element, from its site's. */
static inline uint32_t ditto_element_digest(uint32_t digest, uint32_t index)
{
    return digest ^ index * 0x9e3779b1u;
}

/* With --verify: "a load of Main.count (com/acme/Main.run, bytecode 17)" for a digest, or NULL if
 * no site has it.  To be freed. */
char *ditto_digest_words(uint32_t digest);

/* The class of that name as the code at the site sees it; a local reference, NULL if not loaded. */
jclass ditto_site_find_class(JNIEnv *jni, const struct ditto_site_info *site);

/* Replaying: waits for the others who initialize what the site may initialize; `owner` is the class
 * that the code names.  True if the calling thread need not ask there again. */
bool ditto_class_await(JNIEnv *jni, struct ditto_thread *thread, jclass owner,
                       const struct ditto_site_info *site);

/* The calling thread begins, or has ended, to run the initializer of the site's class. */
void ditto_class_initializing(struct ditto_thread *thread, struct ditto_class *class);
void ditto_class_initialized(struct ditto_class *class);

#endif
