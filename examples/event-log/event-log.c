/* event-log [SLACK_NS]: a log of many threads, whose lines are in order, with a mark if the order is not known.
 *
 * On the hot path a thread reads its clock unordered, the cheapest way, and appends 16 bytes to a ring of its own: the
 * number of a text, and an argument. Nothing is shared, formatted or locked. Behind, one thread merges the rings and
 * writes the lines: `~` before a line that may have happened before the line above it, `!` before one that came late.
 *
 * An unordered stamp adds uncertainty: the processor may read the clock before earlier loads of the program are done, or after later
 * instructions have begun, as long as all of them are in flight together: a few hundred instructions, so a handful of cache
 * misses of 100 ns each, and never across an interrupt. The slack states this time (1000 ns by default), and the window of
 * uncertainty grows by twice the slack. The summary says how many lines are uncertain for this reason alone, and the cost of
 * an ordered stamp on the hot path. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <ordo/merge.h>

enum { THREADS = 3, REQUESTS = 200, RING = 1024, ROOM = 64, LIMIT_MS = 50, COSTED = 10000, LAPS = 20 };
enum text { BEGINS, WORKS, ENDS };

static const char *const texts[] = {"request %u begins", "works for request %u", "request %u ends"};
static struct ordo o;
static struct ordo_merge *merge;
static atomic_uint turn;                       /* a request goes from thread to thread */
static uint64_t begun[REQUESTS], wrong, slack; /* for the checks of the log's reader */
static int failed;                             /* the merger */

/* The hot path. */
static inline int log_event(struct ordo_merge_producer *p, enum text text, unsigned argument)
{
    return ordo_merge_append(p, ordo_get_time_relaxed(&o), (uint64_t)text << 32 | argument);
}

/* Ordered after the thread's earlier loads. One side is enough: other threads see its later stores after the event, which is
 * released. */
static inline int log_ordered(struct ordo_merge_producer *p, enum text text, unsigned argument)
{
    return ordo_merge_append(p, ordo_get_time_after(&o), (uint64_t)text << 32 | argument);
}

static void say(struct ordo_merge_producer *p, enum text text, unsigned argument)
{
    while (log_event(p, text, argument) == ORDO_LATER) /* or lose the line, and count it */
        sched_yield();
}

/* Thread k begins every third request, and ends those of the thread before it. */
static void *work(void *number)
{
    unsigned me = (unsigned)(uintptr_t)number;
    struct ordo_merge_producer *p = ordo_merge_producer_of(merge, me);
    for (unsigned step; p && (step = atomic_load(&turn)) < 2 * REQUESTS;) {
        unsigned request = step / 2;
        if ((request + step % 2) % THREADS != me) {
            sched_yield();
            continue;
        }
        say(p, step % 2 ? ENDS : BEGINS, request);
        atomic_store(&turn, step + 1);
        say(p, WORKS, request);
    }
    if (p)
        ordo_merge_close(p);
    return NULL;
}

/* A request does not certainly end before it begins. */
static void check(const struct ordo_merge_out *event)
{
    enum text text = (enum text)(event->data >> 32);
    uint64_t window = ordo_boundary(&o) + 2 * slack;
    if (text == BEGINS)
        begun[event->data & UINT32_MAX] = event->time.ticks;
    else if (text == ENDS && begun[event->data & UINT32_MAX] > event->time.ticks + window)
        wrong++;
}

static void write_line(const struct ordo_merge_out *event, uint64_t first)
{
    char mark = event->flags & ORDO_MERGE_LATE ? '!' : event->flags & ORDO_MERGE_CERTAIN ? ' ' : '~';
    printf("%c %12.3f us  thread %u: ", mark, (double)ordo_ticks_to_ns(&o, event->time.ticks - first) / 1e3,
           event->producer);
    printf(texts[event->data >> 32], (unsigned)event->data);
    putchar('\n');
}

/* Takes events until all threads have ended; returns how many are uncertain because of the slack alone. */
static uint64_t write_log(void)
{
    struct ordo_merge_out out[ROOM], before = {{0}, 0, UINT32_MAX, 0};
    uint64_t first = 0, added = 0;
    uint32_t count;
    int code;
    while ((code = ordo_merge_pull(merge, out, ROOM, &count)) == ORDO_LATER || count > 0) {
        for (uint32_t i = 0; i < count; i++) {
            first = first ? first : out[i].time.ticks;
            added += !(out[i].flags & ORDO_MERGE_CERTAIN) && ordo_cmp_time(&o, out[i].time, before.time) == 1;
            before = out[i];
            check(&out[i]);
            write_line(&out[i], first);
        }
        if (count == 0)
            sched_yield();
    }
    failed = code;
    if (code)
        fprintf(stderr, "event-log: %s\n", ordo_strerror(code));
    return added;
}

static struct ordo_merge *make(uint32_t producers, uint32_t ring, void **memory)
{
    struct ordo_merge_options options = {.clock = &o, .producers = producers, .ring_events = ring};
    struct ordo_merge *m = NULL;
    options.slack_ticks = slack;
    options.policy = ORDO_MERGE_LIMIT; /* a thread that sleeps does not stop the log */
    options.limit_ticks = ordo_ns_to_ticks(&o, LIMIT_MS * 1000000ull);
    size_t bytes = ordo_merge_bytes(&options);
    *memory = bytes ? malloc(bytes) : NULL;
    if (!*memory || ordo_merge_create(&m, *memory, bytes, &options))
        return NULL;
    return m;
}

/* Nanoseconds of an event on the hot path: the best of some laps. */
static double cost(int (*log)(struct ordo_merge_producer *, enum text, unsigned))
{
    void *memory;
    struct ordo_merge *m = make(1, 1u << 14, &memory);
    struct ordo_merge_producer *p = m ? ordo_merge_producer_of(m, 0) : NULL;
    uint64_t best = UINT64_MAX;
    for (int lap = 0; lap < LAPS && p; lap++) {
        struct ordo_merge_out out[ROOM];
        uint32_t count;
        ordo_time begin = ordo_get_time_before(&o);
        for (unsigned i = 0; i < COSTED; i++)
            (void)log(p, WORKS, i);
        uint64_t ticks = ordo_get_time_after(&o).ticks - begin.ticks;
        best = ticks < best ? ticks : best;
        while (ordo_merge_pull(m, out, ROOM, &count) == ORDO_OK && count > 0)
            ;
    }
    free(memory);
    return (double)ordo_ticks_to_ns(&o, best) / COSTED;
}

int main(int argc, char **argv)
{
    struct ordo_error error;
    pthread_t threads[THREADS];
    void *memory;
    if (ordo_open_error(&o, NULL, &error)) {
        fprintf(stderr, "event-log: %s\n", error.text);
        return 1;
    }
    slack = ordo_ns_to_ticks(&o, argc > 1 ? strtoull(argv[1], NULL, 10) : 1000);
    merge = make(THREADS, RING, &memory);
    if (!merge)
        return 1;
    for (uintptr_t k = 0; k < THREADS; k++)
        if (pthread_create(&threads[k], NULL, work, (void *)k))
            return 1;
    uint64_t added = write_log();
    for (int k = 0; k < THREADS; k++)
        pthread_join(threads[k], NULL);
    struct ordo_merge_counts counts = ordo_merge_count(merge);
    printf("%llu lines, %llu uncertain, of these %llu because the stamp is unordered; %llu late, %llu wrong\n",
           (unsigned long long)counts.events, (unsigned long long)counts.uncertain, (unsigned long long)added,
           (unsigned long long)counts.late, (unsigned long long)wrong);
    printf("a line costs %.1f ns on the hot path; with an ordered stamp %.1f ns\n", cost(log_event), cost(log_ordered));
    free(memory);
    ordo_close(&o);
    return wrong > 0 || failed || fflush(stdout) != 0 || ferror(stdout);
}
