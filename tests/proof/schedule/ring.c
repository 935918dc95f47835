/* ring [PREEMPTIONS]: runs the unmodified ring of the recorder (trace/record/buffer.c) on a simulated machine
 * (machine.h), at every schedule of a recording thread and a writer with at most PREEMPTIONS preemptions (default 3).
 * Exit 0: the promises held; 1: one was violated.
 *
 * The machine's memory is sequentially consistent. So the orders of the accesses, [B1] and [B2], are checked by
 * happens-before: a release stores the knowledge of its thread together with the value, and an acquire takes this
 * knowledge. A thread may read a place of the ring only if it knows that the place was filled. It may fill the place
 * again only if it knows that the place was read.
 *
 * The program also checks that each event is either in the file once, whole and in order, or counted once as
 * lost. */
#include "machine.h"

#include <pthread.h>
#include <stdatomic.h>

enum { OWNER, WRITER, MOST = 8 };

/** The knowledge of a thread: the number of its own and of the other thread's accesses that it knows. */
static uint64_t known[THREADS][THREADS];

/** The knowledge that was stored by a release, together with the last value of the variable. */
static struct carried {
    const void *of;
    uint64_t known[THREADS];
} carried[4];

static struct {
    uint64_t filled, read[THREADS]; /* numbers of accesses */
} places[MOST];

static int held; /* the recorder's lock */

static struct carried *carried_by(const void *of)
{
    int i = 0;
    while (carried[i].of && carried[i].of != of)
        i++;
    carried[i].of = of;
    return &carried[i];
}

static void store_by(const void *of, int order)
{
    int me = machine.running;
    struct carried *to = carried_by(of);
    for (int i = 0; i < THREADS && me >= 0; i++)
        to->known[i] = order == memory_order_release || order == memory_order_seq_cst ? known[me][i] : 0;
}

static void load_by(const void *of, int order)
{
    int me = machine.running;
    const struct carried *from = carried_by(of);
    for (int i = 0; i < THREADS && me >= 0 && order != memory_order_relaxed; i++)
        if (from->known[i] > known[me][i])
            known[me][i] = from->known[i];
}

static uint64_t count_access(void)
{
    return ++known[machine.running][machine.running];
}

static void model_lock(void)
{
    model_step();
    while (held) {
        model_step();
        model_wait();
    }
    held = 1;
    load_by(&held, memory_order_acquire);
}

static void model_unlock(void)
{
    model_step();
    store_by(&held, memory_order_release);
    held = 0;
}

/* For C11's generic functions; the __atomic_* functions that they call take the step. */
static uint64_t load_at(const void *of, int order)
{
    uint64_t value = __atomic_load_n((const uint64_t *)of, __ATOMIC_RELAXED);
    load_by(of, order);
    return value;
}

static void store_at(void *of, uint64_t value, int order)
{
    __atomic_store_n((uint64_t *)of, value, __ATOMIC_RELAXED);
    store_by(of, order);
}

#undef atomic_load_explicit
#undef atomic_store_explicit
#undef atomic_exchange_explicit
#undef atomic_fetch_add_explicit
#define atomic_load_explicit(p, o) load_at(p, o)
#define atomic_store_explicit(p, v, o) store_at(p, v, o)
#define atomic_exchange_explicit(p, v, o) __atomic_exchange_n((uint64_t *)(p), v, __ATOMIC_RELAXED)
#define atomic_fetch_add_explicit(p, v, o) __atomic_fetch_add((uint64_t *)(p), v, __ATOMIC_RELAXED)
#define pthread_mutex_lock(m) ((void)(m), model_lock())
#define pthread_mutex_unlock(m) ((void)(m), model_unlock())
#include "trace/record/buffer.c"

static struct ordo_trace_thread *ring;
static struct ordo_trace_file file;
static pthread_mutex_t unused;
static uint64_t made, written, told, next_ticks;

bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    return ordo_trace_find_room(thread, &unused, &file);
}

void ordo_trace_wake(void)
{
    model_step();
}

static size_t place_of(const struct ordo_trace_event *event)
{
    return (size_t)(event - ring->events);
}

static void read_event(const struct ordo_trace_event *event)
{
    int me = machine.running;
    size_t at = place_of(event);
    expect(event >= ring->events && at < ring->capacity, "what is written is not in the ring");
    if (violated)
        return;
    expect(me < 0 || known[me][OWNER] >= places[at].filled, "an event is read by who does not know that it was stored");
    if (me >= 0)
        places[at].read[me] = count_access();
    expect(event->bytes == (event->ticks % 2 ? 0 : event->ticks), "an event is torn");
    expect(event->ticks >= next_ticks && event->ticks < made, "an event is written twice, or was never made");
    expect(ring->policy == ORDO_TRACE_STOP || event->ticks == next_ticks, "an event is missing");
    next_ticks = event->ticks + 1;
}

/* Replaces trace/record/file.c, because the writer may be preempted while it reads. */
int ordo_trace_file_append(struct ordo_trace_file *to, enum ordo_trace_chunk_kind kind, const void *payload,
                           size_t bytes, uint32_t count, uint64_t lost)
{
    const struct ordo_trace_event *events = payload;
    (void)to;
    expect(kind == ORDO_TRACE_EVENTS && bytes == count * sizeof *events && count > 0, "a chunk is none of events");
    for (uint32_t i = 0; i < count && !violated; i++) {
        model_step();
        read_event(&events[i]);
    }
    written += count;
    told += lost;
    return ORDO_OK;
}

static void fill(struct ordo_trace_event *place)
{
    size_t at = place_of(place);
    for (int i = 0; i < THREADS; i++)
        expect(known[OWNER][i] >= places[at].read[i], "a place is filled by who does not know that it was read");
    places[at].filled = count_access();
}

/* Records an event; every other event in two halves, so that it can be torn. */
static void record(uint64_t number)
{
    made = number + 1;
    if (number % 2) {
        ordo_trace_push_region(ring, 0, ORDO_TRACE_BEGIN, number);
        return;
    }
    struct ordo_trace_event *place = ordo_trace_place(ring);
    if (!place)
        return;
    fill(place);
    place->ticks = number;
    model_step();
    fill(place);
    place->bytes = number;
    ordo_trace_publish(ring);
}

static uint64_t events;
static int rounds;

static void run_thread(void)
{
    if (machine.running == OWNER) {
        for (uint64_t i = 0; i < events && !violated; i++)
            record(i);
        return;
    }
    for (int i = 0; i < rounds && !violated; i++) { /* write_on of trace/record/writer.c */
        model_lock();
        ordo_trace_drain(ring, &file);
        model_unlock();
    }
}

static void begin(int preemptions)
{
    machine_start(preemptions);
    memset(known, 0, sizeof known);
    memset(carried, 0, sizeof carried);
    memset(places, 0, sizeof places);
    memset(ring->events, 0xff, ring->capacity * sizeof *ring->events);
    file = (struct ordo_trace_file){.fd = -1};
    ring->next = made = written = told = next_ticks = 0;
    ring->free_until = ring->capacity;
    *(uint64_t *)&ring->head = *(uint64_t *)&ring->tail = *(uint64_t *)&ring->lost = 0;
    held = 0;
}

/* Makes the last flush, when both threads have ended. */
static void end(void)
{
    ordo_trace_drain(ring, &file);
    uint64_t left = *(uint64_t *)&ring->lost;
    expect(!held && *(uint64_t *)&ring->head == *(uint64_t *)&ring->tail, "the ring is not empty at the end");
    expect(written + told + left == events, "an event is neither written nor counted as lost");
    expect(ring->policy == ORDO_TRACE_STOP || told + left == 0, "an event is lost");
    expect(file.lost == told, "the file counts other losses");
}

int main(int argc, char **argv)
{
    static const struct {
        enum ordo_trace_policy policy;
        uint64_t capacity, events;
        int rounds;
    } settings[] = {{ORDO_TRACE_FLUSH, 2, 5, 2},
                    {ORDO_TRACE_FLUSH, 4, 7, 2},
                    {ORDO_TRACE_STOP, 2, 5, 2},
                    {ORDO_TRACE_STOP, 4, 7, 2}};
    int preemptions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 3;
    unsigned long runs = 0;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        struct ordo_trace_thread *all = NULL;
        ring = ordo_trace_thread_open(&all, settings[s].capacity, settings[s].policy);
        expect(ring != NULL, "no memory");
        events = settings[s].events;
        rounds = settings[s].rounds;
        choices.known = 0;
        do {
            if (ring) {
                begin(preemptions);
                schedule(choose());
                if (!violated)
                    end();
            }
            runs++;
            if (violated) {
                printf("schedule %lu: %s (policy %d, room for %llu)\n", runs, violated, (int)settings[s].policy,
                       (unsigned long long)settings[s].capacity);
                return 1;
            }
        } while (advance());
        ordo_trace_threads_free(&all);
    }
    printf("%lu schedules, all with at most %d preemptions\n", runs, preemptions);
    return 0;
}
