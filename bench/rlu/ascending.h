/* Sorts small numbers and drops duplicates: the order in which a multi-get takes the locks of its buckets.
 *
 * A hierarchical bitmap: level 0 has a bit for each number, and each higher level has a bit for each word of the level
 * below. To mark a number and to take it out again costs a word of each level, however large the numbers are. */
#ifndef BENCH_RLU_ASCENDING_H
#define BENCH_RLU_ASCENDING_H

#include <stdint.h>
#include <stdlib.h>

#define ASCENDING_LEVELS 4 /* 64^4 numbers */

struct ascending {
    unsigned levels;
    uint64_t *words[ASCENDING_LEVELS]; /* the highest level is one word */
};

/** Prepares for numbers below `limit`, at most 64^ASCENDING_LEVELS. Returns -1 if out of memory. */
static inline int ascending_init(struct ascending *set, uint64_t limit)
{
    *set = (struct ascending){0};
    do {
        limit = (limit + 63) / 64;
        set->words[set->levels] = calloc(limit, sizeof(uint64_t));
        if (!set->words[set->levels])
            return -1;
        set->levels++;
    } while (limit > 1);
    return 0;
}

static inline void ascending_free(struct ascending *set)
{
    for (unsigned level = 0; level < set->levels; level++)
        free(set->words[level]);
}

static inline void ascending_mark(struct ascending *set, uint64_t number)
{
    uint64_t before = 0;
    for (unsigned level = 0; level < set->levels && before == 0; level++, number >>= 6) {
        uint64_t *word = &set->words[level][number >> 6];
        before = *word; /* if the word was not empty, the higher levels have their bits already */
        *word |= UINT64_C(1) << (number & 63);
    }
}

/* Takes out the numbers below a word of a level. */
static inline unsigned ascending_drain(struct ascending *set, unsigned level, uint64_t at, uint32_t *numbers,
                                       unsigned count)
{
    uint64_t word = set->words[level][at];
    set->words[level][at] = 0;
    for (; word; word &= word - 1) {
        uint64_t number = at << 6 | (uint64_t)__builtin_ctzll(word);
        if (level > 0)
            count = ascending_drain(set, level - 1, number, numbers, count);
        else
            numbers[count++] = (uint32_t)number;
    }
    return count;
}

/** Takes out all marked numbers in ascending order, each once. Returns how many there are. */
static inline unsigned ascending_take(struct ascending *set, uint32_t *numbers)
{
    return ascending_drain(set, set->levels - 1, 0, numbers, 0);
}

#endif
