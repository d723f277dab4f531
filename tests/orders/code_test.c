/* SPDX-License-Identifier: MIT */
/* The encodings: variable-length numbers, items of the order `ditto`, metadata records, values. */
#include "core/orders/ditto/code.h"
#include "core/reading/values.h"
#include "tests/support.h"
#include "tests/tap.h"
#include "trace/metadata.h"
#include "trace/varint.h"

/* Numbers of every length are as likely. */
static uint64_t any_number(uint64_t *state)
{
    return random_next(state) >> (random_next(state) % 64);
}

static void test_varints(void)
{
    static const struct {
        uint64_t value;
        unsigned length;
    } known[] = {{0, 1},     {127, 1},        {128, 2},        {16383, 2},
                 {16384, 3}, {UINT32_MAX, 5}, {1ull << 62, 9}, {UINT64_MAX, 10}};
    uint8_t bytes[DITTO_VARINT_MAX];
    bool lengths = true, back = true, cut = true, folded = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        lengths =
            lengths && (size_t)(ditto_varint_put(bytes, known[i].value) - bytes) == known[i].length;
    ok(lengths, "numbers take the bytes they should");
    uint64_t state = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t value = any_number(&state), read = ~value;
        const uint8_t *end = ditto_varint_put(bytes, value), *from = bytes;
        back = back && ditto_varint_get(&from, end, &read) && read == value && from == end;
        from = bytes;
        cut = cut && !ditto_varint_get(&from, end - 1, &read) && from == bytes;
        folded = folded && ditto_unzigzag(ditto_zigzag((int64_t)value)) == (int64_t)value;
    }
    ok(back, "numbers come back");
    ok(cut, "a number that is cut short is refused");
    ok(folded, "signed numbers come back");
    const uint8_t long_ones[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    const uint8_t *from = long_ones;
    uint64_t read;
    ok(!ditto_varint_get(&from, long_ones + sizeof long_ones, &read),
       "a number of more than 64 bits is refused");
}

static void test_items(void)
{
    enum { ITEMS = 5000 };
    static uint8_t bytes[ITEMS * ITEM_BYTES_MAX];
    static struct ditto_item items[ITEMS];
    uint64_t state = 2, previous = 0;
    struct ditto_decoder decoder = {{0}};
    uint8_t *end = bytes;
    bool short_enough = true;
    for (int i = 0; i < ITEMS; i++) {
        items[i] = (struct ditto_item){.run = (uint32_t)any_number(&state),
                                       .kind = random_next(&state) % 2 ? ITEM_LOAD : ITEM_STORE,
                                       .value = {any_number(&state), 0}};
        if (items[i].kind == ITEM_STORE)
            items[i].value[1] = any_number(&state);
        uint8_t *from = end;
        end = ditto_item_put(from, &previous, (uint32_t)items[i].run, items[i].kind,
                             items[i].value[0], items[i].value[1]);
        short_enough = short_enough && end - from <= ITEM_BYTES_MAX;
    }
    ok(short_enough, "no item is longer than ITEM_BYTES_MAX");
    const uint8_t *at = bytes;
    bool same = true;
    for (int i = 0; same && i < ITEMS; i++) {
        struct ditto_item item;
        same = ditto_item_get(DITTO_STREAM_MEMORY, &at, end, &decoder, &item) &&
               item.run == items[i].run && item.kind == items[i].kind &&
               item.value[0] == items[i].value[0] && item.value[1] == items[i].value[1];
    }
    ok(same && at == end, "items come back");

    static uint8_t columns[sizeof bytes], joined[sizeof bytes];
    struct ditto_column_lengths lengths;
    size_t length = (size_t)(end - bytes);
    ditto_items_split(bytes, length, columns, &lengths);
    ok(ditto_items_join(columns, &lengths, joined) && memcmp(joined, bytes, length) == 0,
       "and so they do from columns");
    bool refused = true;
    for (int i = 0; i < DITTO_COLUMNS; i++) {
        struct ditto_column_lengths wrong = lengths;
        wrong.length[i]--;
        refused = refused && !ditto_items_join(columns, &wrong, joined);
    }
    ok(refused, "columns that do not fit each other are refused");

    uint8_t small[ITEM_BYTES_MAX];
    previous = 100;
    is((uint64_t)(ditto_item_put(small, &previous, 2, ITEM_LOAD, 107, 0) - small), 1,
       "a load close to the last clock after a short run takes one byte");
    previous = 100;
    is((uint64_t)(ditto_item_put(small, &previous, 0, ITEM_STORE, 100, 3) - small), 2,
       "a store takes two");
    const uint8_t *from = small;
    struct ditto_item item;
    ok(!ditto_item_get(DITTO_STREAM_SYNC, &from, small + 2, &decoder, &item),
       "a sync stream has no stores");
    from = small;
    ok(!ditto_item_get(DITTO_STREAM_MEMORY, &from, small + 1, &decoder, &item) && from == small,
       "an item that is cut short is refused");
}

static void test_metadata(void)
{
    const struct ditto_meta records[] = {
        {.type = DITTO_META_PROPERTY, .name = ditto_text("order"), .text = ditto_text("ditto")},
        {.type = DITTO_META_PROPERTY, .name = ditto_text("empty"), .text = ditto_text("")},
        {.type = DITTO_META_THREAD_START, .replay_id = 0, .parent = UINT32_MAX},
        {.type = DITTO_META_THREAD_START,
         .replay_id = 7,
         .parent = 3,
         .clock = 1ull << 40,
         .text = ditto_text("worker")},
        {.type = DITTO_META_THREAD_END,
         .replay_id = 7,
         .clock = 12,
         .memory_events = 34,
         .sync_events = 56,
         .values = 78},
        {.type = DITTO_META_END, .ending = DITTO_ENDING_STOPPED, .text = ditto_text("full")},
    };
    bool same = true, cut = true;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        const struct ditto_meta *record = &records[i];
        size_t length;
        uint8_t *bytes = ditto_meta_encode(record, &length);
        struct ditto_meta back;
        const uint8_t *from = bytes;
        same = same && ditto_meta_decode(&from, bytes + length, &back) == DITTO_META_OK &&
               from == bytes + length && back.type == record->type && back.clock == record->clock &&
               back.memory_events == record->memory_events &&
               back.sync_events == record->sync_events && back.values == record->values &&
               back.ending == record->ending && back.text.length == record->text.length &&
               memcmp(back.text.bytes, record->text.bytes ? record->text.bytes : "",
                      back.text.length) == 0;
        if (record->type == DITTO_META_THREAD_START)
            same = same && back.replay_id == record->replay_id && back.parent == record->parent;
        for (size_t shorter = 0; shorter < length; shorter++) {
            from = bytes;
            cut = cut && ditto_meta_decode(&from, bytes + shorter, &back) == DITTO_META_DAMAGED;
        }
        free(bytes);
    }
    ok(same, "metadata records come back");
    ok(cut, "metadata records that are cut short are refused");
    const uint8_t newer[] = {99, 2, 1, 2};
    const uint8_t *from = newer;
    struct ditto_meta back;
    is(ditto_meta_decode(&from, newer + sizeof newer, &back), DITTO_META_SKIPPED,
       "a record of an unknown type is stepped over");
}

static void test_values(void)
{
    const uint8_t record[] = {7 << 1 | 1, 3, 'a', 'b', 'c'};
    const uint8_t *from = record;
    struct ditto_input_record value;
    ok(ditto_input_record_decode(&from, record + sizeof record, &value) && value.kind == 7 &&
           value.more && value.length == 3 && memcmp(value.bytes, "abc", 3) == 0,
       "a value comes back");
    from = record;
    ok(!ditto_input_record_decode(&from, record + sizeof record - 1, &value),
       "a value that is cut short is refused");
}

int main(void)
{
    plan(18);
    test_varints();
    test_items();
    test_metadata();
    test_values();
    return exit_status();
}
