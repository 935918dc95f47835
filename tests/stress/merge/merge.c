/* merge [holds|violated [ROUNDS]]: live producers and a merger, on clocks that disagree by exactly the boundary.
 *
 * There are four producers: two stamp their events, one appends events and announces its progress, and one appends
 * events and closes early. The threads change CPUs all the time. The rings are small, so that they are often full and
 * often empty. The test expects that the merger delivers every event once, in the order of its producer and in the
 * order of the times, and that no event is late. If the order of two neighbouring events from different producers is
 * certain, the second event must not have ended before the first began, by a counter that all threads share.
 *
 * `violated`: the clocks disagree by four times the boundary, and a violation must be found within the rounds. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/merge.h>

enum { PRODUCERS = 4, EVENTS = 10000, RING = 64, ROOM = 32, BOUNDARY = 5000 };

static const struct ordo o = ORDO_INIT(BOUNDARY, 0);
static struct ordo_merge *merge;
static uint64_t counter, begun[PRODUCERS][EVENTS], ended[PRODUCERS][EVENTS];
static struct ordo_merge_out outs[PRODUCERS * EVENTS];
static uint32_t out_count;
static uint64_t skew;
static long violations;

static void expect(int holds, const char *what, uint64_t at)
{
    if (!holds && violations++ == 0)
        printf("violated: %s, at %llu\n", what, (unsigned long long)at);
}

static uint64_t count_up(void)
{
    return __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
}

static int produce_one(struct ordo_merge_producer *p, uint32_t me, uint32_t i)
{
    uint64_t name = (uint64_t)me << 32 | i;
    ordo_time t;
    if (me < 2)
        return ordo_merge_stamp(p, &o, name);
    t = ordo_get_time_full(&o);
    if (me == 2 && i % 3 == 0)
        ordo_merge_progress(p, t);
    return ordo_merge_append(p, t, name);
}

static void *produce(void *number)
{
    uint32_t me = (uint32_t)(uintptr_t)number, events = me == 3 ? EVENTS / 2 : EVENTS;
    struct ordo_merge_producer *p = ordo_merge_producer_of(merge, me);
    skewed_clock_range = skew;
    skewed_clock_reads = me * 17;
    for (uint32_t i = 0; i < events && p; i++) {
        begun[me][i] = count_up();
        while (produce_one(p, me, i) == ORDO_LATER) {
            (void)sched_yield();
            begun[me][i] = count_up();
        }
        ended[me][i] = count_up();
    }
    if (p)
        ordo_merge_close(p);
    return NULL;
}

static void take_all(void)
{
    int code = ORDO_OK;
    out_count = 0;
    while (!ordo_merge_over(merge) && code >= 0) {
        uint32_t count, left = PRODUCERS * EVENTS - out_count;
        code = ordo_merge_pull(merge, &outs[out_count], left < ROOM ? left : ROOM, &count);
        out_count += count;
        if (code == ORDO_LATER)
            (void)sched_yield();
    }
    expect(code >= 0, ordo_strerror(code), out_count);
}

static void check_pair(const struct ordo_merge_out *a, const struct ordo_merge_out *b)
{
    uint64_t begin = begun[a->producer][a->data & UINT32_MAX], end = ended[b->producer][b->data & UINT32_MAX];
    expect(b->time.ticks >= a->time.ticks, "out of the order of times", b->data);
    if (b->flags & ORDO_MERGE_CERTAIN && a->producer != b->producer)
        expect(end > begin, "certain, and wrong", b->data);
}

static void check_all(void)
{
    uint32_t seen[PRODUCERS] = {0};
    for (uint32_t i = 0; i < out_count; i++) {
        const struct ordo_merge_out *out = &outs[i];
        expect(out->data == ((uint64_t)out->producer << 32 | seen[out->producer]++), "lost, or twice", out->data);
        expect(!(out->flags & ORDO_MERGE_LATE), "late", out->data);
        if (i > 0)
            check_pair(out - 1, out);
    }
    expect(out_count == PRODUCERS * EVENTS - EVENTS / 2, "not all came out", out_count);
}

static void run_round(void)
{
    static char memory[65536];
    struct ordo_merge_options options = {.clock = &o, .producers = PRODUCERS, .ring_events = RING};
    pthread_t threads[PRODUCERS];
    if (ordo_merge_create(&merge, memory, sizeof memory, &options))
        abort();
    for (uint32_t k = 0; k < 2; k++)
        ordo_merge_idle(ordo_merge_producer_of(merge, k));
    skewed_clock_range = skew;
    for (uintptr_t k = 0; k < PRODUCERS; k++)
        if (pthread_create(&threads[k], NULL, produce, (void *)k))
            abort();
    take_all();
    for (int k = 0; k < PRODUCERS; k++)
        (void)pthread_join(threads[k], NULL);
    check_all();
}

int main(int argc, char **argv)
{
    int wants_violation = argc > 1 && strcmp(argv[1], "violated") == 0;
    long rounds = argc > 2 ? strtol(argv[2], NULL, 0) : wants_violation ? 200 : 20;
    skewed_clock_agree = 1; /* all threads read one clock, so the skew may be the whole boundary */
    skew = wants_violation ? 4 * BOUNDARY : BOUNDARY;
    for (long i = 0; i < rounds && violations == 0; i++)
        run_round();
    printf("%u events a round, %ld violations\n", out_count, violations);
    return (violations > 0) != wants_violation;
}
