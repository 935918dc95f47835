#include "trace/perfetto/timelines.h"

#include <stdlib.h>
#include <string.h>

enum { BOOTTIME = 6, OWN_FIRST = 64, OWN_LAST = 127, READINGS_MOST = 256, ALL_PAIRS_MOST = 1 << 22 };

/* A reading in a snapshot. */
struct reading {
    uint32_t clock;
    int64_t time_ns, unit_ns;
    bool is_incremental;
};

static bool is_own(uint32_t clock)
{
    return clock >= OWN_FIRST && clock <= OWN_LAST;
}

/* Multiplies a time by its unit. Returns false if it is more than 73 years from 0. */
static bool scale_time(uint64_t time, int64_t unit_ns, int64_t *time_ns)
{
    return time <= INT64_MAX && !__builtin_mul_overflow((int64_t)time, unit_ns, time_ns) && *time_ns <= INT64_MAX / 4;
}

static bool read_reading(struct ordo_text message, struct reading *reading)
{
    struct ordo_wire wire = ordo_wire_of(message);
    struct ordo_wire_field field;
    uint64_t time = 0;
    *reading = (struct reading){.unit_ns = 1};
    while (ordo_wire_next(&wire, &field) == 1) {
        if (field.number == 1)
            reading->clock = (uint32_t)field.value;
        else if (field.number == 2)
            time = field.value;
        else if (field.number == 3)
            reading->is_incremental = field.value != 0;
        else if (field.number == 4 && field.value > 0 && field.value <= INT64_MAX)
            reading->unit_ns = (int64_t)field.value;
    }
    return reading->clock > 0 && scale_time(time, reading->unit_ns, &reading->time_ns);
}

/* Reads the readings of a snapshot. Returns their number; sets *main to the stated clock of the trace, if there is. */
static int read_snapshot(struct ordo_text snapshot, struct reading readings[READINGS_MOST], uint32_t *main)
{
    struct ordo_wire wire = ordo_wire_of(snapshot);
    struct ordo_wire_field field;
    int count = 0;
    while (ordo_wire_next(&wire, &field) == 1)
        if (field.number == 2 && field.type == ORDO_WIRE_VARINT && *main == 0)
            *main = (uint32_t)field.value;
        else if (field.number == 1 && count < READINGS_MOST && read_reading(field.bytes, &readings[count]))
            count++;
    return count;
}

static uint32_t main_clock(const struct ordo_timelines *timelines)
{
    return timelines->main ? timelines->main : BOOTTIME;
}

static const struct reading *find_reading(const struct reading *readings, int count, uint32_t clock)
{
    for (int i = 0; i < count; i++)
        if (readings[i].clock == clock)
            return &readings[i];
    return NULL;
}

static int add_pair_of_clocks(struct ordo_timelines *timelines, const struct ordo_clock_pair *pair)
{
    if (timelines->count == timelines->room) {
        size_t room = timelines->room ? 2 * timelines->room : 256;
        if (room > ALL_PAIRS_MOST)
            return -2;
        struct ordo_clock_pair *pairs = realloc(timelines->pairs, room * sizeof *pairs);
        if (!pairs)
            return -1;
        timelines->pairs = pairs;
        timelines->room = room;
    }
    timelines->pairs[timelines->count++] = *pair;
    return 0;
}

int ordo_timelines_learn(struct ordo_timelines *timelines, struct ordo_text snapshot)
{
    struct reading readings[READINGS_MOST];
    int count = read_snapshot(snapshot, readings, &timelines->main), failed = 0;
    const struct reading *main = find_reading(readings, count, main_clock(timelines));
    timelines->some |= count > 0;
    for (int i = 0; main && !failed && i < count; i++) {
        struct ordo_clock_pair pair = {readings[i].time_ns, main->time_ns, readings[i].clock};
        if (&readings[i] != main && !is_own(readings[i].clock))
            failed = add_pair_of_clocks(timelines, &pair);
    }
    return failed;
}

static int by_clock_and_time(const void *a, const void *b)
{
    const struct ordo_clock_pair *x = a, *y = b;
    if (x->clock != y->clock)
        return x->clock < y->clock ? -1 : 1;
    if (x->own_ns != y->own_ns)
        return x->own_ns < y->own_ns ? -1 : 1;
    return x->trace_ns < y->trace_ns ? -1 : x->trace_ns > y->trace_ns;
}

void ordo_timelines_settle(struct ordo_timelines *timelines)
{
    if (timelines->count > 1)
        qsort(timelines->pairs, timelines->count, sizeof *timelines->pairs, by_clock_and_time);
}

static int set_own_clock(struct ordo_timelines *timelines, uint32_t sequence, const struct reading *own,
                         const struct reading *other)
{
    uint64_t *index = ordo_map_add(&timelines->own, sequence, own->clock);
    if (!index)
        return -1;
    if (*index == 0) {
        if (timelines->own_count == timelines->own_room) {
            size_t room = timelines->own_room ? 2 * timelines->own_room : 64;
            if (room > ALL_PAIRS_MOST)
                return -2;
            struct ordo_sequence_clock *all = realloc(timelines->of_sequences, room * sizeof *all);
            if (!all)
                return -1;
            timelines->of_sequences = all;
            timelines->own_room = room;
        }
        *index = ++timelines->own_count;
    }
    timelines->of_sequences[*index - 1] = (struct ordo_sequence_clock){own->time_ns, other->time_ns - own->time_ns,
                                                                       own->unit_ns, other->clock, own->is_incremental};
    return 0;
}

int ordo_timelines_learn_own(struct ordo_timelines *timelines, struct ordo_text snapshot, uint32_t sequence)
{
    struct reading readings[READINGS_MOST];
    uint32_t main = timelines->main;
    int count = read_snapshot(snapshot, readings, &main), failed = 0;
    const struct reading *other = find_reading(readings, count, main_clock(timelines));
    for (int i = 0; !other && i < count; i++)
        other = is_own(readings[i].clock) ? NULL : &readings[i];
    for (int i = 0; other && !failed && i < count; i++)
        if (is_own(readings[i].clock))
            failed = set_own_clock(timelines, sequence, &readings[i], other);
    return failed;
}

/* Returns the index of the first pair of a clock whose time is later than `time_ns`, or of the pair behind its pairs. */
static size_t first_later(const struct ordo_timelines *timelines, uint32_t clock, int64_t time_ns)
{
    size_t low = 0, high = timelines->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct ordo_clock_pair *pair = &timelines->pairs[middle];
        if (pair->clock < clock || (pair->clock == clock && pair->own_ns <= time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Brings a time of a clock of the trace to the trace's clock [P1] [P2]. */
static enum ordo_time_known to_main(const struct ordo_timelines *timelines, uint32_t clock, int64_t *time_ns)
{
    const int64_t most_apart_ns = 1000000;
    if (clock == main_clock(timelines) || !timelines->some)
        return ORDO_TIME_KNOWN;
    size_t at = first_later(timelines, clock, *time_ns);
    const struct ordo_clock_pair *after = at < timelines->count ? &timelines->pairs[at] : NULL;
    const struct ordo_clock_pair *before = at > 0 ? &timelines->pairs[at - 1] : NULL;
    after = after && after->clock == clock ? after : NULL;
    before = before && before->clock == clock ? before : NULL;
    if (!after && !before)
        return ORDO_TIME_UNKNOWN;
    if (!after || !before) {
        const struct ordo_clock_pair *only = before ? before : after;
        *time_ns += only->trace_ns - only->own_ns;
        return ORDO_TIME_KNOWN;
    }
    int64_t own_ns = after->own_ns - before->own_ns, main_ns = after->trace_ns - before->trace_ns; /* own_ns > 0 */
    int64_t apart_ns = main_ns - own_ns;
    *time_ns = before->trace_ns + (int64_t)((__int128)(*time_ns - before->own_ns) * main_ns / own_ns);
    return apart_ns > most_apart_ns || apart_ns < -most_apart_ns ? ORDO_TIME_APART : ORDO_TIME_KNOWN;
}

/* Sets the time of a packet by the clock of its sequence, and then by the clock of the trace in its snapshot [P3]. */
static enum ordo_time_known from_own(struct ordo_timelines *timelines, const struct ordo_packet *packet,
                                     uint32_t *clock, int64_t *time_ns)
{
    const uint64_t *index = ordo_map_find(&timelines->own, packet->sequence, *clock);
    struct ordo_sequence_clock *own = index && *index ? &timelines->of_sequences[*index - 1] : NULL;
    if (!own)
        return ORDO_TIME_UNKNOWN;
    if (!scale_time(packet->timestamp, own->unit_ns, time_ns))
        return ORDO_TIME_FAR;
    if (own->is_incremental) {
        *time_ns += own->last_ns;
        if (*time_ns > INT64_MAX / 4)
            return ORDO_TIME_FAR;
        own->last_ns = *time_ns;
    }
    *time_ns += own->apart_ns;
    *clock = own->other;
    return ORDO_TIME_KNOWN;
}

enum ordo_time_known ordo_timelines_time(struct ordo_timelines *timelines, const struct ordo_packet *packet,
                                         uint32_t clock, int64_t *time_ns)
{
    const int64_t most = INT64_MAX / 4;
    if (clock == 0)
        clock = main_clock(timelines);
    enum ordo_time_known known = ORDO_TIME_KNOWN;
    if (is_own(clock))
        known = from_own(timelines, packet, &clock, time_ns);
    else if (!scale_time(packet->timestamp, 1, time_ns))
        known = ORDO_TIME_FAR;
    if (known != ORDO_TIME_KNOWN)
        return known;
    known = to_main(timelines, clock, time_ns);
    return *time_ns > most || *time_ns < -most ? ORDO_TIME_FAR : known;
}

void ordo_timelines_reset(struct ordo_timelines *timelines)
{
    ordo_map_free(&timelines->own);
    timelines->own = (struct ordo_map){0};
    timelines->own_count = 0;
}

void ordo_timelines_free(struct ordo_timelines *timelines)
{
    ordo_timelines_reset(timelines);
    free(timelines->pairs);
    free(timelines->of_sequences);
    *timelines = (struct ordo_timelines){0};
}
