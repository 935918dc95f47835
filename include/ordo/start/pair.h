/* The measurement of one pair of CPUs that share a cache line. Every other result is computed from such measurements.
 *
 * The sign is the same everywhere: the offset of (a, b) is clock b minus clock a.
 *
 * The protocol is that of Ordo (EuroSys 2018, Figure 3). In each run the reader clears the line and announces the run,
 * and the writer writes its clock into the line. The delta of the run is the reader's clock minus the written clock.
 * The smallest delta of many runs belongs to the run that was delayed least.
 *
 * Why a delta is at least the offset, clock(reader) - clock(writer), in every run:
 *   - the writer's clock is read before the line is written, because the stored value is the reading;
 *   - the line is written before it is read, because the reader has seen that very value;
 *   - the line is read before the reader's clock, because ordo_clock_read performs earlier loads first.
 * The reader's clock is therefore read later, in true time, than the writer's clock. A delay only makes the delta
 * larger.
 *
 * The announcement contains the number of the run. Therefore runs need no barrier between them: a value that arrives in
 * a run is the answer to this run only.
 *
 * A visit is the whole measurement of a pair; it consists of blocks of runs. Why a visit has blocks: if a clock steps
 * during a visit, the smallest deltas of the two directions belong to different offsets. For example, if clock b jumps
 * ahead by S after direction ab has been measured, delta_ab stays one latency although the offset is S. Therefore the
 * directions alternate in blocks of runs, and each visit ends with a short block of each direction. A visit keeps two
 * values of each direction: its smallest delta (delta_ab) and its largest block minimum (ceiling_ab).
 *   - [P1] A block that begins after a step sees only the new offset: its minimum is at least that offset.
 *   - [P2] The last short blocks of both directions are part of the ceilings. If a clock steps before these blocks
 *     begin, the ceilings therefore bound the new offset: offset <= ceiling_ab, which matters if clock b jumped ahead,
 *     and -offset <= ceiling_ba, which matters if clock b fell back.
 *   - [P3] A step during the short blocks or later looks like a step after the visit. The window is one short block of
 *     each direction, 2 * ORDO_PAIR_SHORT runs: about 20 to 50 us.
 *   - The short blocks are repeated while the sum of their minima is more than an eighth above the sum of the smallest
 *     deltas, because other load has then delayed them. Only the last repetition counts, and P2 holds for it
 *     independently of the earlier ones. The offset cancels in the sum, so a step does not change the number of
 *     repetitions.
 * A visit of up to 2 * ORDO_PAIR_SHORT runs is itself one short block of each direction: its ceilings equal its
 * smallest deltas, and the window of P3 is the whole visit. */
#ifndef ORDO_START_PAIR_H
#define ORDO_START_PAIR_H

#include <ordo/error.h>

#include <sched.h>
#include <stdint.h>
#include <time.h>

/** One visit to a pair: the deltas of each direction, in ticks. If the offset has not changed, the smallest deltas
 * bound it: -delta_ba <= offset <= delta_ab. The ceilings, the largest block minimum of each direction, bound the
 * offset at the end of the visit even if a clock has stepped. A boundary is computed from ceilings. In a visit of a
 * single block, the ceilings equal the deltas. */
struct ordo_visit {
    int64_t delta_ab, delta_ba;
    uint64_t at_ab, at_ba; /* times of the runs with the smallest deltas, in ticks of clock a */
    int64_t ceiling_ab, ceiling_ba;
};

/** A function that reads the clock of the calling CPU, after earlier loads and before all later accesses. */
typedef uint64_t ordo_pair_read(void);

/** The number of runs per direction. A direction stops earlier if its minimum has not changed for `settle` runs; 0: it
 * never stops earlier. A visit of more than 2 * ORDO_PAIR_SHORT runs makes 32 to 1,024 additional runs per direction at
 * its end. */
struct ordo_pair_runs {
    uint64_t runs, settle;
};

/** The shared memory of one direction, on two adjacent cache lines that contain nothing else, because processors fetch
 * lines in pairs. */
struct ordo_pair_line {
    uint64_t clock __attribute__((aligned(128))); /* the writer's time; 0: not written yet */
    uint64_t phase; /* 2 * the number of the run for which the reader is ready; + 1 if the block is over */
    uint64_t claim; /* the writer writes it to own the line before it reads its clock */
};

/** The shared memory of one pair, aligned to 128 bytes. Zero it before use. */
struct ordo_pair {
    struct ordo_pair_line ab, ba; /* ab: written by a, read by b; ba: written by b, read by a */
    int gave_up __attribute__((aligned(128)));
    int stage;                        /* enum ordo_pair_stage: side a sets it before the next blocks */
    int told_over;                    /* } b tells a at the end of each block: whether it has made all its runs, */
    int64_t told_smallest, told_last; /* } and the smallest delta of all runs, and of the last block */
    uint64_t patience_ns;             /* how long a side waits for the other; 0: ten seconds */
    struct ordo_visit visit;          /* the result */
    uint64_t runs_ab, runs_ba;        /* numbers of runs, without the ending */
};

enum {
    ORDO_PAIR_SHORT = 32,   /* number of runs in a block of the ending */
    ORDO_PAIR_ENDINGS = 32, /* maximum number of endings; the last one always counts */
    ORDO_PAIR_BLOCKS = 8,   /* maximum number of blocks in each direction before the ending */
    ORDO_PAIR_LONG = 256,   /* minimum number of runs in such a block */
    ORDO_PAIR_SPINS = 1 << 14,
    ORDO_PAIR_PATIENCE_S = 10
};

enum ordo_pair_stage { ORDO_PAIR_MAIN, ORDO_PAIR_ENDING, ORDO_PAIR_OVER };

/* In a strictly conforming program <time.h> does not declare clock_gettime, although libc defines it. Therefore this
 * header declares the libc symbol under another name. */
#if !defined CLOCK_MONOTONIC && defined __linux__
#ifdef __cplusplus
extern "C" int ordo_pair_gettime(int, struct timespec *) __asm__("clock_gettime");
#else
extern int ordo_pair_gettime(int, struct timespec *) __asm__("clock_gettime");
#endif
#define ORDO_PAIR_GETTIME(now) ordo_pair_gettime(1, now) /* 1: CLOCK_MONOTONIC in Linux's ABI */
#else
#define ORDO_PAIR_GETTIME(now) clock_gettime(CLOCK_MONOTONIC, now)
#endif

static inline uint64_t ordo_pair_now_ns(void)
{
    struct timespec now;
    (void)ORDO_PAIR_GETTIME(&now); /* cannot fail: the clock exists and the pointer is good */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t ordo_pair_patience_ns(const struct ordo_pair *pair)
{
    return pair->patience_ns ? pair->patience_ns : (uint64_t)ORDO_PAIR_PATIENCE_S * 1000000000u;
}

/* Relaxed: the flag carries no other data with it. */
static inline int ordo_pair_gave_up(const struct ordo_pair *pair)
{
    return __atomic_load_n(&pair->gave_up, __ATOMIC_RELAXED);
}

/** Makes both sides return soon with ORDO_E_MEASURE. Call it on a third thread, or on a side that has not begun. */
static inline void ordo_pair_give_up(struct ordo_pair *pair)
{
    __atomic_store_n(&pair->gave_up, 1, __ATOMIC_RELAXED);
}

/* Called repeatedly while a side waits for the other side. Spins at first, then yields, because the other thread may
 * need this CPU, and finally gives up for both sides. False once either side has given up. */
static inline int ordo_pair_patient(struct ordo_pair *pair, unsigned *spins, uint64_t *since_ns)
{
    uint64_t now_ns;
    if (++*spins < ORDO_PAIR_SPINS)
        return 1;
    if (*spins % 64 == 0) {
        now_ns = ordo_pair_now_ns();
        if (*since_ns == 0)
            *since_ns = now_ns;
        if (now_ns - *since_ns > ordo_pair_patience_ns(pair))
            ordo_pair_give_up(pair);
    }
    (void)sched_yield();
    return !ordo_pair_gave_up(pair);
}

/* Waits until the line contains a time, and returns this time; 0 if a side has given up. */
static inline uint64_t ordo_pair_await_clock(struct ordo_pair *pair, struct ordo_pair_line *line)
{
    unsigned spins = 0;
    uint64_t since_ns = 0, sent;
    /* Acquire, pairs with ordo_pair_write: orders this run's answer before the next run's clearing. */
    while ((sent = __atomic_load_n(&line->clock, __ATOMIC_ACQUIRE)) == 0)
        if (!ordo_pair_patient(pair, &spins, &since_ns))
            return 0;
    return sent;
}

/* Waits until the reader is ready for run `turn`. False if the block is over, or if a side has given up. */
static inline int ordo_pair_await_turn(struct ordo_pair *pair, struct ordo_pair_line *line, uint64_t turn)
{
    unsigned spins = 0;
    uint64_t since_ns = 0, phase;
    /* Acquire, pairs with ordo_pair_announce: the line's clearing is visible before the line is written again; at the
     * end of a block, the fields that the reader has set for the writer are visible. */
    while ((phase = __atomic_load_n(&line->phase, __ATOMIC_ACQUIRE)) >> 1 < turn)
        if (!ordo_pair_patient(pair, &spins, &since_ns))
            return 0;
    return !(phase & 1);
}

static inline void ordo_pair_announce(struct ordo_pair_line *line, uint64_t turn, unsigned is_over)
{
    /* Release, pairs with ordo_pair_await_turn: makes the line's clearing visible, and at the end of a block the
     * reader's fields. */
    __atomic_store_n(&line->phase, turn << 1 | is_over, __ATOMIC_RELEASE);
}

/* Answers the runs of one block. The write of `claim` is not part of the protocol. It makes this core fetch the line
 * for writing before it reads its clock, and not between this read and the reader's. The smallest delta is then one
 * transfer shorter, and varies less. */
__attribute__((always_inline)) static inline void ordo_pair_write(struct ordo_pair *pair, struct ordo_pair_line *line,
                                                                  uint64_t *turn, ordo_pair_read *read)
{
    while (ordo_pair_await_turn(pair, line, ++*turn)) {
        __atomic_store_n(&line->claim, *turn, __ATOMIC_RELAXED);
        /* Release, pairs with ordo_pair_await_clock: orders this run's answer before the next run's clearing. */
        __atomic_store_n(&line->clock, read(), __ATOMIC_RELEASE);
    }
}

/* The reader's own state of one direction. */
struct ordo_pair_reader {
    int64_t smallest, last, ceiling; /* smallest delta of all runs, and of the last block; largest block minimum */
    uint64_t sent, received;         /* clock readings of the run with the smallest delta */
    uint64_t runs, moved;            /* number of runs; number of the run in which the smallest delta last changed */
    uint64_t turn, asked, blocks, block;
    uint64_t counted; /* number of runs without the ending */
    int is_over;      /* only runs of the ending are left */
};

static inline struct ordo_pair_reader ordo_pair_reader_new(struct ordo_pair_runs runs)
{
    struct ordo_pair_reader reader = {INT64_MAX, INT64_MAX, INT64_MIN, 0, 0, 0, 0, 0, runs.runs, 0, 0, 0, 0};
    uint64_t fit = runs.runs / ORDO_PAIR_LONG;
    reader.blocks = fit < 1 ? 1 : fit > ORDO_PAIR_BLOCKS ? (uint64_t)ORDO_PAIR_BLOCKS : fit;
    return reader;
}

/* Makes up to `runs` runs. Returns their number. */
__attribute__((always_inline)) static inline uint64_t
ordo_pair_read_block(struct ordo_pair *pair, struct ordo_pair_line *line, struct ordo_pair_reader *reader,
                     uint64_t runs, uint64_t settle, ordo_pair_read *read)
{
    uint64_t made, sent, received;
    int64_t delta;
    reader->last = INT64_MAX;
    for (made = 0; made < runs; made++) {
        if (settle && reader->runs - reader->moved >= settle)
            break;
        __atomic_store_n(&line->clock, 0, __ATOMIC_RELAXED);
        ordo_pair_announce(line, ++reader->turn, 0);
        sent = ordo_pair_await_clock(pair, line);
        received = read();
        if (sent == 0)
            break;
        delta = (int64_t)(received - sent);
        reader->runs++;
        if (delta < reader->last)
            reader->last = delta;
        if (delta < reader->smallest) {
            reader->smallest = delta;
            reader->sent = sent;
            reader->received = received;
            reader->moved = reader->runs;
        }
    }
    return made;
}

static inline void ordo_pair_raise(struct ordo_pair_reader *reader)
{
    if (reader->last > reader->ceiling)
        reader->ceiling = reader->last;
}

/* Makes the next block of the reader's direction, if there is one at this stage. If `settle` cuts a block short, the
 * block has fewer chances of a quick run than a full block. Therefore its minimum counts for the ceiling only if it is
 * the first block. */
__attribute__((always_inline)) static inline void
ordo_pair_read_next(struct ordo_pair *pair, struct ordo_pair_line *line, struct ordo_pair_reader *reader,
                    struct ordo_pair_runs runs, int stage, ordo_pair_read *read)
{
    uint64_t size = ORDO_PAIR_SHORT, made;
    if (stage == ORDO_PAIR_MAIN)
        size = reader->is_over ? 0
                               : reader->asked * (reader->block + 1) / reader->blocks -
                                     reader->asked * reader->block / reader->blocks;
    made = ordo_pair_read_block(pair, line, reader, size, stage == ORDO_PAIR_MAIN ? runs.settle : 0, read);
    if (stage != ORDO_PAIR_MAIN || reader->is_over)
        return;
    if (made == size || reader->block == 0)
        ordo_pair_raise(reader);
    reader->counted = reader->runs;
    reader->is_over = ++reader->block == reader->blocks || made < size;
}

/* True if the minima of the last short blocks are close to the smallest deltas. The sums are unsigned, because the
 * deltas of clocks that are 2^63 apart wrap around; the judge of the visit refuses such deltas. */
static inline int ordo_pair_was_quiet(const struct ordo_pair *pair, const struct ordo_pair_reader *mine)
{
    uint64_t least = (uint64_t)pair->told_smallest + (uint64_t)mine->smallest;
    uint64_t last = (uint64_t)pair->told_last + (uint64_t)mine->last;
    return least <= INT64_MAX && last - least <= least / 8;
}

/* Returns the next stage. Side a calls it at the end of its block, after side b has reported its block. */
static inline int ordo_pair_next_stage(const struct ordo_pair *pair, const struct ordo_pair_reader *mine, int *endings)
{
    if (ordo_pair_gave_up(pair))
        return ORDO_PAIR_OVER;
    if (pair->stage == ORDO_PAIR_MAIN && !(pair->told_over && mine->is_over))
        return ORDO_PAIR_MAIN;
    if (pair->stage == ORDO_PAIR_MAIN)
        return mine->asked <= 2 * ORDO_PAIR_SHORT ? ORDO_PAIR_OVER : ORDO_PAIR_ENDING;
    return ++*endings == ORDO_PAIR_ENDINGS || ordo_pair_was_quiet(pair, mine) ? ORDO_PAIR_OVER : ORDO_PAIR_ENDING;
}

/** ordo_pair_side_a and ordo_pair_side_b make the measurements of CPU a and of CPU b. Two threads that are pinned to
 * these CPUs call them at the same time, with the same `runs`, at least 1. Each call fills one half of `pair->visit`
 * (side a: ba; side b: ab). The visit is complete when both calls have returned. Each returns
 *
 * - 0: its half is filled;
 * - ORDO_E_MEASURE: the other side has made no progress for `patience_ns`, or a side has given up. */
__attribute__((always_inline)) static inline int ordo_pair_side_a(struct ordo_pair *pair, struct ordo_pair_runs runs,
                                                                  ordo_pair_read *read)
{
    struct ordo_pair_reader reader = ordo_pair_reader_new(runs);
    uint64_t turn = 0;
    int stage = ORDO_PAIR_MAIN, endings = 0, ended = 0;
    do {
        ordo_pair_write(pair, &pair->ab, &turn, read);
        ordo_pair_read_next(pair, &pair->ba, &reader, runs, stage, read);
        ended = stage == ORDO_PAIR_ENDING;
        stage = ordo_pair_next_stage(pair, &reader, &endings);
        /* Relaxed, because the announcement orders this store. Atomic, because after a side has given up there is no
         * such order. */
        __atomic_store_n(&pair->stage, stage, __ATOMIC_RELAXED);
        ordo_pair_announce(&pair->ba, ++reader.turn, 1);
    } while (stage != ORDO_PAIR_OVER);
    if (ended) /* [P2] */
        ordo_pair_raise(&reader);
    pair->visit.delta_ba = reader.smallest;
    pair->visit.at_ba = reader.received;
    pair->visit.ceiling_ba = reader.ceiling;
    pair->runs_ba = reader.counted;
    return ordo_pair_gave_up(pair) ? ORDO_E_MEASURE : ORDO_OK;
}

__attribute__((always_inline)) static inline int ordo_pair_side_b(struct ordo_pair *pair, struct ordo_pair_runs runs,
                                                                  ordo_pair_read *read)
{
    struct ordo_pair_reader reader = ordo_pair_reader_new(runs);
    uint64_t turn = 0;
    int stage = ORDO_PAIR_MAIN, ended = 0;
    do {
        ordo_pair_read_next(pair, &pair->ab, &reader, runs, stage, read);
        pair->told_over = reader.is_over;
        pair->told_smallest = reader.smallest;
        pair->told_last = reader.last;
        ended = stage == ORDO_PAIR_ENDING;
        ordo_pair_announce(&pair->ab, ++reader.turn, 1);
        ordo_pair_write(pair, &pair->ba, &turn, read);
        stage = ordo_pair_gave_up(pair) ? ORDO_PAIR_OVER : __atomic_load_n(&pair->stage, __ATOMIC_RELAXED);
    } while (stage != ORDO_PAIR_OVER);
    if (ended) /* [P2] */
        ordo_pair_raise(&reader);
    pair->visit.delta_ab = reader.smallest;
    pair->visit.at_ab = reader.sent;
    pair->visit.ceiling_ab = reader.ceiling;
    pair->runs_ab = reader.counted;
    return ordo_pair_gave_up(pair) ? ORDO_E_MEASURE : ORDO_OK;
}

#endif
