/* SPDX-License-Identifier: MIT */
/*
 * The records of a value stream, as the recording writes and the replay reads them: a kind, a
 * length and that many bytes.  An input too long for one record is cut into several.
 */
#ifndef DITTO_CORE_READING_VALUES_H
#define DITTO_CORE_READING_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Properties with this beginning and a kind's number have the kind's name. */
#define DITTO_INPUT_PROPERTY "input."
/* And with this one, what the recording could not see of the run. */
#define DITTO_LIMIT_PROPERTY "limit."

struct ditto_input_record {
    uint32_t kind;
    bool more; /* the next record goes on with the same input */
    const uint8_t *bytes;
    size_t length;
};

/* Decodes the record at *from and moves *from behind it; false on damage. */
bool ditto_input_record_decode(const uint8_t **from, const uint8_t *end,
                               struct ditto_input_record *value);

#endif
