#include "trace/page/drawn.h"

#include <stdlib.h>
#include <string.h>

static void write_record(struct ordo_drawn *drawn, const uint64_t *words)
{
    ordo_blocks_put(&drawn->blocks, words);
    drawn->written++;
}

static double real_of(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Writes the merged record of a lane, if there is one. */
static void flush_held(struct ordo_drawn *drawn, struct ordo_held *held)
{
    if (held->count == 0)
        return;
    if (held->count > 1) {
        held->words[0] = ordo_block_real(held->begin);
        held->words[1] = ordo_block_real(held->end);
        if (drawn->name_column >= 0)
            held->words[drawn->name_column] = drawn->merged_name;
        drawn->merged += held->count;
    }
    write_record(drawn, held->words);
    held->count = 0;
}

static void join_held(const struct ordo_drawn *drawn, struct ordo_held *held, const uint64_t *words)
{
    double begin = real_of(words[0]), end = real_of(words[1]);
    held->begin = begin < held->begin ? begin : held->begin;
    held->end = end > held->end ? end : held->end;
    held->count++;
    if (drawn->bytes_column >= 0) {
        double bytes = real_of(held->words[drawn->bytes_column]) + real_of(words[drawn->bytes_column]);
        held->words[drawn->bytes_column] = ordo_block_real(bytes);
    }
}

static void start_held(struct ordo_held *held, const uint64_t *words)
{
    memcpy(held->words, words, sizeof held->words);
    held->begin = real_of(words[0]);
    held->end = real_of(words[1]);
    held->count = 1;
}

static int make_held(struct ordo_drawn *drawn)
{
    uint32_t room = drawn->overview.room;
    struct ordo_held *held = realloc(drawn->held, room * sizeof *held);
    if (!held)
        return -1;
    memset(held + drawn->held_room, 0, (room - drawn->held_room) * sizeof *held);
    drawn->held = held;
    drawn->held_room = room;
    return 0;
}

int ordo_drawn_take(struct ordo_drawn *drawn, uint64_t a, uint64_t b, int64_t begin_ns, int64_t length_ns,
                    const uint64_t *words)
{
    if (!drawn->is_counting && drawn->shift < 0) {
        write_record(drawn, words);
        return 0;
    }
    uint32_t lane = ordo_overview_lane(&drawn->overview, a, b);
    if (lane == UINT32_MAX || (lane >= drawn->held_room && !drawn->is_counting && make_held(drawn)))
        return -1;
    if (drawn->is_counting) {
        ordo_overview_count(&drawn->overview, lane, begin_ns, length_ns);
        return 0;
    }
    switch (ordo_overview_take(&drawn->overview, drawn->shift, lane, begin_ns, length_ns)) {
    case ORDO_OVERVIEW_KEEPS:
        write_record(drawn, words);
        break;
    case ORDO_OVERVIEW_STARTS:
        flush_held(drawn, &drawn->held[lane]);
        start_held(&drawn->held[lane], words);
        break;
    default:
        join_held(drawn, &drawn->held[lane], words);
    }
    return 0;
}

void ordo_drawn_finish(struct ordo_drawn *drawn)
{
    for (uint32_t i = 0; i < drawn->held_room; i++)
        flush_held(drawn, &drawn->held[i]);
}

void ordo_drawn_free(struct ordo_drawn *drawn)
{
    ordo_blocks_end(&drawn->blocks);
    ordo_overview_free(&drawn->overview);
    free(drawn->held);
    drawn->held = NULL;
}
