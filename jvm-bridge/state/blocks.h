/* SPDX-License-Identifier: MIT */
/*
 * Where shadows lie: in slots, each as large as one shadow and the state of its object.
 *
 * A program may make an object every few nanoseconds, so slots are handed out without a lock: they
 * lie in blocks, and a thread that takes slots owns a block of each size that it needs.  Nobody is
 * told of the death of objects; a shadow has a weak reference to its object, and who has used up a
 * block takes another one, looks which of its objects have died since, and uses their slots again.
 * There are new blocks only while it is not worth while to look again, so that memory stays within
 * a small multiple of what the objects in the heap need, and looking within a few references for
 * each new object.
 */
#ifndef DITTO_JVM_BRIDGE_STATE_BLOCKS_H
#define DITTO_JVM_BRIDGE_STATE_BLOCKS_H

#include <jvmti.h>
#include <stddef.h>

struct ditto_shadow;
struct ditto_block;

/* Numbers of shadows count in these bytes. */
enum { DITTO_SHADOW_UNIT = 32, DITTO_BLOCK_SIZES = 48 };

/* The blocks that a thread owns, by their slots' size.  Zeroed at first. */
struct ditto_blocks {
    struct ditto_block *blocks[DITTO_BLOCK_SIZES];
};

/* The objects of these shadows have died.  Those that nobody uses any more have no `weak` then. */
typedef void ditto_recycle(JNIEnv *jni, struct ditto_shadow *const shadows[], size_t count);

/* A shadow alone takes that many bytes. */
void ditto_blocks_open(size_t shadow, ditto_recycle *recycle);

/* What numbers count from. */
char *ditto_blocks_base(void);

/* A slot of at least that size, with anything in it; its shadow's `weak` is NULL. */
struct ditto_shadow *ditto_blocks_take(JNIEnv *jni, struct ditto_blocks *mine, size_t size);

/* One of the size of a shadow alone, which is never looked at: its user uses it again by itself. */
struct ditto_shadow *ditto_blocks_keep(void);

/* Gives all blocks back. */
void ditto_blocks_leave(struct ditto_blocks *mine);

/* The slot after that one, or, after NULL, the first; NULL: there is none.  Some may never have
 * been taken. */
struct ditto_shadow *ditto_blocks_next(const struct ditto_shadow *shadow);

/* JVMTI's GarbageCollectionFinish: objects may have died. */
void JNICALL ditto_blocks_collected(jvmtiEnv *jvmti);

#endif
