/* One pair of CPUs on one cache line: every other result is computed from this measurement.
 *
 * Sign everywhere: the offset of (a, b) is clock b minus clock a.
 *
 * The protocol is that of Ordo (EuroSys 2018, Figure 3). In each run the reader clears the line and announces the run,
 * the writer writes its clock into the line, and the reader subtracts that from its own clock. The smallest delta of
 * many runs belongs to the run that was delayed least.
 *
 * Why a delta is at least the offset, clock(reader) - clock(writer), in every run:
 *   - the writer's clock is read before the line is written, because the stored value is the reading;
 *   - the line is written before it is read, because the reader has seen that very value;
 *   - the line is read before the reader's clock, because `read` performs earlier loads first (ordo_clock_read).
 * The reader's clock is therefore read later, in true time, than the writer's; a delay only makes the delta larger.
 *
 * The announcement is the number of the run, so runs need no barrier between them: a value that comes back is the
 * answer to this run and to no other.
 *
 * Why a visit has blocks. A clock that steps during a visit makes the smallest deltas belong to different offsets: if
 * clock b jumps ahead by S after direction ab has been measured, delta_ab stays one latency although the offset is S.
 * Therefore the directions alternate in blocks of runs, and each visit ends with a short block of both. A visit keeps
 * the smallest delta of each direction (delta_ab) and also its largest block minimum (ceiling_ab).
 *   - [P1] A block that begins after a step sees only the new offset: its minimum is at least that offset.
 *   - [P2] The last short blocks of both directions are part of the ceilings. If a clock steps before they begin, the
 *     ceilings therefore bound the new offset: it is at most ceiling_ab, which matters if clock b went ahead, and its
 *     negative is at most ceiling_ba, which matters if clock b fell back.
 *   - [P3] A step during the short blocks or later looks like a step after the visit. The window is one short block of
 *     each direction, 2 * ORDO_PAIR_SHORT runs: about 20 to 50 us.
 *   - The short blocks are repeated while their sum is more than an eighth above the sum of the smallest deltas,
 *     because another load has then delayed them. Only the last repetition counts. P2 holds for the last repetition,
 *     independently of the earlier ones. The offset cancels in the sum, so a step neither hurries nor delays the end.
 * A visit of up to 2 * ORDO_PAIR_SHORT runs is itself one short block of each direction: its ceilings are its smallest
 * deltas, and P3 is about all of it. */
#ifndef ORDO_START_PAIR_H
#define ORDO_START_PAIR_H

#include <ordo/error.h>

#include <sched.h>
#include <stdint.h>
#include <time.h>

/** One visit to a pair: the deltas of each direction, in ticks. The smallest deltas bound the offset, if it has not
 * changed: -delta_ba <= offset <= delta_ab. The ceilings, the largest block minimum of each direction, bound the offset
 * at the end of the visit even if a clock has stepped; a boundary is made of them. A visit without blocks has ceilings
 * equal to its deltas. */
struct ordo_visit {
    int64_t delta_ab, delta_ba;
    uint64_t at_ab, at_ba; /* when the smallest deltas were seen, in ticks of clock a */
    int64_t ceiling_ab, ceiling_ba;
};

/** Reads the clock of the calling CPU: earlier loads are performed first, nothing later starts before. */
typedef uint64_t ordo_pair_read(void);

/** The number of runs per direction, and a condition to stop earlier: the minimum has not moved for `settle` runs (0:
 * never). A visit of more than 2 * ORDO_PAIR_SHORT runs makes 32 to 1,024 more at its end. */
struct ordo_pair_runs {
    uint64_t runs, settle;
};

/** The memory that one direction shares, on two adjacent cache lines of its own, because processors fetch lines in
 * pairs. */
struct ordo_pair_line {
    uint64_t clock __attribute__((aligned(128))); /* the writer's time; 0: not written yet */
    uint64_t phase; /* twice the number of the run for which the reader is ready; plus 1 if the block is over instead */
    uint64_t claim; /* written by the writer to own the line before it reads its clock */
};

/** The memory of one pair, aligned to 128 bytes; zeroed before use. */
struct ordo_pair {
    struct ordo_pair_line ab, ba; /* written by a and read by b; written by b and read by a */
    int gave_up __attribute__((aligned(128)));
    int stage;                        /* enum ordo_pair_stage: a chooses the next blocks */
    int told_over;                    /* } b tells a at the end of each block: true if it has made all its runs; */
    int64_t told_smallest, told_last; /* } the smallest delta of all runs, and of the last block */
    uint64_t patience_ns;             /* how long a side waits for the other; 0: ten seconds */
    struct ordo_visit visit;          /* the result */
    uint64_t runs_ab, runs_ba;        /* without those of the ending */
};

enum {
    ORDO_PAIR_SHORT = 32,   /* runs in a block of the ending */
    ORDO_PAIR_ENDINGS = 32, /* at most; then the last one counts as it is */
    ORDO_PAIR_BLOCKS = 8,   /* at most, in each direction before the ending */
    ORDO_PAIR_LONG = 256,   /* runs in such a block, at least */
    ORDO_PAIR_SPINS = 1 << 14,
    ORDO_PAIR_PATIENCE_S = 10
};

enum ordo_pair_stage { ORDO_PAIR_MAIN, ORDO_PAIR_ENDING, ORDO_PAIR_OVER };

/* A strictly conforming program does not see clock_gettime in <time.h>, though libc has it: it is declared here under
 * another name, with the libc symbol. */
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

/** Makes both sides return soon with ORDO_E_MEASURE. Called by a third thread, or by a side that has not begun. */
static inline void ordo_pair_give_up(struct ordo_pair *pair)
{
    __atomic_store_n(&pair->gave_up, 1, __ATOMIC_RELAXED);
}

/* Called while a side waits for the other: spins at first, then yields (the other thread may need this very CPU), and
 * in the end gives up for both sides. False once either side has given up. */
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

/* Waits until the line holds a time, and returns it; 0 if the side has given up. */
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

/* Waits until the reader is ready for `turn`. False if the block is over, or if the side has given up. */
static inline int ordo_pair_await_turn(struct ordo_pair *pair, struct ordo_pair_line *line, uint64_t turn)
{
    unsigned spins = 0;
    uint64_t since_ns = 0, phase;
    /* Acquire, pairs with ordo_pair_announce: the cleared line is visible before it is written again; at the end of a
     * block, the fields that the reader has set for the writer are visible. */
    while ((phase = __atomic_load_n(&line->phase, __ATOMIC_ACQUIRE)) >> 1 < turn)
        if (!ordo_pair_patient(pair, &spins, &since_ns))
            return 0;
    return !(phase & 1);
}

static inline void ordo_pair_announce(struct ordo_pair_line *line, uint64_t turn, unsigned is_over)
{
    /* Release, pairs with ordo_pair_await_turn: see there. */
    __atomic_store_n(&line->phase, turn << 1 | is_over, __ATOMIC_RELEASE);
}

/* Answers the runs of one block. The claim is not part of the protocol. The claim makes this core fetch the line for
 * writing while it reads its clock, rather than between this read and the reader's: the smallest delta is then one
 * transfer shorter, and steadier. */
__attribute__((always_inline)) static inline void ordo_pair_write(struct ordo_pair *pair, struct ordo_pair_line *line,
                                                                  uint64_t *turn, ordo_pair_read *read)
{
    while (ordo_pair_await_turn(pair, line, ++*turn)) {
        __atomic_store_n(&line->claim, *turn, __ATOMIC_RELAXED);
        /* Release, pairs with ordo_pair_await_clock: see there. */
        __atomic_store_n(&line->clock, read(), __ATOMIC_RELEASE);
    }
}

/* One direction, as its reader keeps it. */
struct ordo_pair_reader {
    int64_t smallest, last, ceiling; /* deltas: least of all runs, of the last block; largest of the blocks' least */
    uint64_t sent, received;         /* of the run with the smallest delta */
    uint64_t runs, moved;            /* runs made; the run in which the smallest delta last moved */
    uint64_t turn, asked, blocks, block;
    uint64_t counted; /* runs without those of the ending */
    int is_over;      /* no runs are left but those of the ending */
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

/* Makes the next block of the reader's direction, if there is one at this stage. A block that `settle` has cut short
 * has fewer chances of a quick run than the others: its minimum counts for the ceiling only if it is the first
 * block. */
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

/* True if the last short blocks were about as quick as any before. Unsigned, because the deltas of clocks that are 2^63
 * apart wrap round; the judge of the visit refuses them. */
static inline int ordo_pair_was_quiet(const struct ordo_pair *pair, const struct ordo_pair_reader *mine)
{
    uint64_t least = (uint64_t)pair->told_smallest + (uint64_t)mine->smallest;
    uint64_t last = (uint64_t)pair->told_last + (uint64_t)mine->last;
    return least <= INT64_MAX && last - least <= least / 8;
}

/* Returns the next stage. Called by a at the end of its block, after b has reported its own. */
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

/** Make the measurements of CPU a and of CPU b. Two threads that are pinned there call them at the same time, with the
 * same `runs`, at least 1. Each returns 0, and has filled the half of `pair->visit` that it reads (a: ba; b: ab); or
 *
 * - ORDO_E_MEASURE: the other side has made no progress for `patience_ns`.
 *
 * The visit is complete when both have returned. */
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
        /* Relaxed: the announcement orders it. Atomic, because a side that has given up orders nothing. */
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
