/* SPDX-License-Identifier: MIT */
#include "trace/slots.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Idle slots that are kept mapped; the memory and the disk blocks of any more are given back. */
enum { FREE_SLOTS_KEPT = 64 };

void ditto_slots_init(struct ditto_slots *slots, struct ditto_output *output, uint32_t size)
{
    *slots = (struct ditto_slots){.output = output, .size = size};
    pthread_mutex_init(&slots->lock, NULL);
}

void ditto_slots_destroy(struct ditto_slots *slots)
{
    struct ditto_slot *slot = slots->free;
    while (slot) {
        struct ditto_slot *next = slot->next;
        ditto_slots_drop(slots, slot);
        slot = next;
    }
    pthread_mutex_destroy(&slots->lock);
}

static struct ditto_slot *make_slot(struct ditto_slots *slots, struct ditto_error *error)
{
    struct ditto_output *output = slots->output;
    struct ditto_slot *slot = calloc(1, sizeof *slot);
    if (!slot) {
        ditto_error_system(error, output->path, "map the trace", ENOMEM);
        return NULL;
    }
    slot->offset = ditto_output_claim(output, slots->size, (uint64_t)sysconf(_SC_PAGESIZE), error);
    if (!slot->offset) {
        free(slot);
        return NULL;
    }
    slot->mapping = mmap(NULL, slots->size, PROT_READ | PROT_WRITE, MAP_SHARED, output->fd,
                         (off_t)slot->offset);
    if (slot->mapping == MAP_FAILED) {
        ditto_error_system(error, output->path, "map the trace", errno);
        free(slot);
        return NULL;
    }
    /* Free before it is findable: a reader sees the slot once the header's checksum is right. */
    ditto_slot_release(slot);
    struct ditto_chunk_header header = {
        .magic = DITTO_CHUNK_MAGIC,
        .kind = DITTO_CHUNK_SLOT,
        .stored_length = slots->size - (uint32_t)sizeof header,
        .raw_length = slots->size - (uint32_t)sizeof header,
    };
    header.header_checksum = ditto_chunk_header_checksum(&header, output->header.trace_id);
    *(struct ditto_chunk_header *)slot->mapping = header;
    return slot;
}

struct ditto_slot *ditto_slots_take(struct ditto_slots *slots, struct ditto_error *error)
{
    pthread_mutex_lock(&slots->lock);
    struct ditto_slot *slot = slots->free;
    if (slot) {
        slots->free = slot->next;
        slots->free_count--;
    } else {
        slot = make_slot(slots, error);
        slots->made += slot != NULL;
    }
    pthread_mutex_unlock(&slots->lock);
    return slot;
}

void ditto_slots_give(struct ditto_slots *slots, struct ditto_slot *slot)
{
    pthread_mutex_lock(&slots->lock);
    bool keep = slots->free_count < FREE_SLOTS_KEPT;
    if (keep) {
        slot->next = slots->free;
        slots->free = slot;
        slots->free_count++;
    }
    pthread_mutex_unlock(&slots->lock);
    if (keep)
        return;
    /* Where a file system cannot punch holes the slot stays behind, free, until sealing. */
    int ignored = fallocate(slots->output->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                            (off_t)slot->offset, (off_t)slots->size);
    (void)ignored;
    ditto_slots_drop(slots, slot);
}

void ditto_slot_assign(struct ditto_slots *slots, struct ditto_slot *slot,
                       enum ditto_stream_kind stream, uint32_t replay_id, uint32_t sequence)
{
    struct ditto_slot_control *control = ditto_slot_control(slot);
    control->replay_id = replay_id;
    control->stream = stream;
    control->sequence = sequence;
    control->reserved = 0;
    control->checksum = ditto_slot_control_checksum(control, slots->output->header.trace_id);
    atomic_store_explicit(&control->word, 0, memory_order_release);
}

void ditto_slot_release(struct ditto_slot *slot)
{
    /*
     * An exchange, not a store: its acquire half keeps the next owner's plain stores to the control
     * block below it.  Killed in between, the slot must read as free.
     */
    atomic_exchange_explicit(&ditto_slot_control(slot)->word, DITTO_SLOT_FREE,
                             memory_order_acq_rel);
}

void ditto_slots_drop(struct ditto_slots *slots, struct ditto_slot *slot)
{
    munmap(slot->mapping, slots->size);
    free(slot);
}
