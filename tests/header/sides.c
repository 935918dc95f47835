/* sides: checks that a clock read waits for the earlier accesses of its side. Exit 0: holds; 1: violated; 77: cannot be
 * tested here.
 *
 * Between two reads of the clock stands an access that misses all caches; the measure is the median distance of many
 * such pairs. If the second read waits for loads, the distance contains the miss of a load. A read that waits for no
 * earlier access must show a shorter distance; otherwise the test has shown nothing. The same is tested for a store and
 * the read that waits for stores.
 *
 * Later accesses cannot be tested in this way: a load that starts before the read of the clock gains only the time of
 * one instruction. tests/model covers them. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <ordo/clock.h>

#if defined __x86_64__ && !defined ORDO_CLOCK_POSIX

enum { TRIES = 20000, WORDS = 8192 };

static _Alignas(64) volatile uint64_t lines[WORDS];

enum access { LOADS, STORES };
enum side { BOTH, AFTER, AFTER_FULL, BEFORE, RELAXED };

static inline __attribute__((always_inline)) uint64_t read_clock(enum side side)
{
    switch (side) {
    case BOTH:
        return ordo_clock_read_full();
    case AFTER:
        return ordo_clock_read_after();
    case AFTER_FULL:
        return ordo_clock_read_after_full();
    case BEFORE:
        return ordo_clock_read_before();
    default:
        return ordo_clock_relaxed();
    }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the median distance in ticks from a read ordered on both sides to a read of `side`, with a cache miss between
 * them. */
static inline __attribute__((always_inline)) uint64_t distance(enum access access, enum side side)
{
    static uint64_t ticks[TRIES];
    for (unsigned i = 0; i < TRIES; i++) {
        volatile uint64_t *word = &lines[i * 8 * 37 % WORDS];
        __asm__ volatile("clflush %0\n\tmfence" : "+m"(*word));
        uint64_t begin = ordo_clock_read_full();
        if (access == LOADS)
            (void)*word;
        else
            *word = i;
        ticks[i] = read_clock(side) - begin;
    }
    qsort(ticks, TRIES, sizeof *ticks, ascending);
    return ticks[TRIES / 2];
}

/* Compares three median distances: of the read ordered on both sides, of the read that must wait, and of a read that
 * does not wait. Returns 0: the read waits, and the other one does not
 * 1: the read does not wait
 * 77: even the other read comes no earlier, so nothing was shown */
static int check(const char *what, uint64_t both, uint64_t waits, uint64_t wrong)
{
    printf("%s: %" PRIu64 " ticks, both sides %" PRIu64 ", the wrong read %" PRIu64 "\n", what, waits, both, wrong);
    if (waits < both / 2)
        return 1;
    return wrong < both / 2 ? 0 : 77;
}

static int worse(int a, int b)
{
    return a == 1 || b == 1 ? 1 : a > b ? a : b;
}

int main(void)
{
    uint64_t load = distance(LOADS, BOTH), store = distance(STORES, BOTH);
    int code = check("after a load", load, distance(LOADS, AFTER), distance(LOADS, RELAXED));
    code = worse(code, check("after a load, not before", load, distance(LOADS, AFTER), distance(LOADS, BEFORE)));
    code = worse(code, check("full, after a load", load, distance(LOADS, AFTER_FULL), distance(LOADS, BEFORE)));
    return worse(code, check("full, after a store", store, distance(STORES, AFTER_FULL), distance(STORES, AFTER)));
}

#else

int main(void)
{
    return 77;
}

#endif
