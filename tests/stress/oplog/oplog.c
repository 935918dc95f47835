/* oplog CASE [key=value...]: Oplog under races, preemption and skewed clocks. Exit 0: holds, 1: violated, 64: usage.
 *
 * Threads append to objects and read. Before and after each call a thread draws a number from one shared counter, which
 * orders all calls that cannot have overlapped. Every call is recorded, and at the end the whole history is compared
 * with the sequential model (check_order and check_reads):
 *
 *   timed, ordered, mixed  an object is the sequence of the operations applied to it: A is not applied before B if B
 *                          had returned when A began
 *   commute                the same objects, without this order
 *   all                    a reader sees every operation that had returned when the read began; if it sees X, it also
 *                          sees every operation that had returned when X began
 *
 * Now and then an object is removed with operations pending, and a thread leaves with operations in its log; logs are
 * short. A thread's clock is ahead of the true one by 0 or by the skew, and signals take its CPU away.
 *
 * Keys: boundary skew threads log operations later; milliseconds: the longest run; agree=0: the real clocks disagree
 * too; expect=1: a violation must be found. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include <ordo/cc/oplog.h>

#include "any_clock.h"

enum { MAX_THREADS = 16, OBJECTS = 4, BATCH = 4, MOST_ROUNDS = 1000 };

struct setting {
    uint64_t boundary, skew;
    int threads, log, later, expect;
    long operations; /* by all threads */
    long milliseconds;
};

/* The record of an operation by its thread. The log entry of the operation points to it. */
struct operation {
    uint64_t begin, end;
    int object;
    struct operation *together; /* the first of the operations appended together */
};

/* The result of a read: the number of applied operations, for each thread. */
struct reading {
    uint64_t begin, end;
    uint32_t seen[MAX_THREADS];
};

struct worker {
    pthread_t thread;
    int index;
    uint64_t random, clock_random;
    struct operation *operations;
    struct reading *readings;
    long count, reading_count, room;
    atomic_long applied; /* written by the holder of the lock */
};

static struct setting setting;
static struct ordo_oplog oplog;
static struct ordo_oplog_object objects[OBJECTS];
static struct worker workers[MAX_THREADS];
static struct operation **sequence[OBJECTS]; /* in the order of application */
static long applied[OBJECTS], dropped;
static _Atomic uint64_t moment = 1;
static atomic_int over, violations;
static pthread_barrier_t together;
static __thread struct worker *self;

static void expect(int holds, const char *what)
{
    if (!holds && atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s\n", what);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state >> 16;
}

static uint64_t below(struct worker *w, uint64_t limit)
{
    return next_random(&w->random) % limit;
}

/* ---- the objects ---- */

static struct worker *owner_of(const struct operation *o)
{
    for (int i = 0; i < setting.threads; i++)
        if (o >= workers[i].operations && o < workers[i].operations + workers[i].room)
            return &workers[i];
    return NULL;
}

static void note_applied(const struct operation *o)
{
    struct worker *w = owner_of(o);
    atomic_store_explicit(&w->applied, atomic_load_explicit(&w->applied, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static void apply(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    struct operation *o = (struct operation *)(uintptr_t)entry->argument;
    sequence[o->object][applied[o->object]++] = o;
    expect(object == &objects[o->object], "an operation comes to another object");
    note_applied(o);
}

static void drop(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    (void)object;
    dropped++;
    note_applied((struct operation *)(uintptr_t)entry->argument);
}

static const struct ordo_oplog_kind commuting = {ORDO_OPLOG_COMMUTE, apply, NULL},
                                    timed = {ORDO_OPLOG_TIMED, apply, NULL},
                                    ordered = {ORDO_OPLOG_ORDERED, apply, NULL},
                                    temporary = {ORDO_OPLOG_COMMUTE, drop, drop};

/* ---- threads ---- */

static struct operation *begin_operation(struct worker *w, int object, uint64_t now)
{
    struct operation *o = &w->operations[w->count++];
    *o = (struct operation){.begin = now, .object = object, .together = o};
    return o;
}

static void append_one(struct worker *w, struct ordo_oplog_thread *t, struct ordo_oplog_object *object, int index)
{
    struct operation *o = begin_operation(w, index, atomic_fetch_add(&moment, 1));
    expect(ordo_oplog_append(t, object, 0, (uintptr_t)o) == ORDO_OK, "an append fails");
    if (setting.later)
        expect(ordo_oplog_settle(t) == ORDO_OK, "a settlement fails");
    o->end = atomic_fetch_add(&moment, 1);
}

static void append_several(struct worker *w, struct ordo_oplog_thread *t)
{
    struct ordo_oplog_operation many[BATCH];
    struct operation *first = &w->operations[w->count];
    uint64_t now = atomic_fetch_add(&moment, 1);
    for (int i = 0; i < BATCH; i++) {
        int index = (int)below(w, OBJECTS);
        if (objects[index].kind == &ordered)
            index = 0;
        struct operation *o = begin_operation(w, index, now);
        o->together = first;
        many[i] = (struct ordo_oplog_operation){&objects[index], 0, (uintptr_t)o};
    }
    expect(ordo_oplog_append_all(t, many, BATCH) == ORDO_OK, "an append fails");
    expect(ordo_oplog_settle(t) == ORDO_OK, "a settlement fails");
    now = atomic_fetch_add(&moment, 1);
    for (int i = 0; i < BATCH; i++)
        first[i].end = now;
}

/* Makes an object on the heap, appends operations to it, and frees it while they are pending. */
static void append_and_forget(struct worker *w, struct ordo_oplog_thread *t)
{
    struct ordo_oplog_object *object = malloc(sizeof *object);
    if (!object || ordo_oplog_object_init(object, &temporary, NULL))
        exit(70);
    for (int i = 0; i < 3; i++)
        append_one(w, t, object, OBJECTS);
    ordo_oplog_forget(t, object);
    free(object);
}

static void read_all(struct worker *w, struct ordo_oplog_thread *t)
{
    struct reading *r = &w->readings[w->reading_count++];
    r->begin = atomic_fetch_add(&moment, 1);
    ordo_oplog_read_lock(t);
    for (int i = 0; i < setting.threads; i++)
        r->seen[i] = (uint32_t)atomic_load_explicit(&workers[i].applied, memory_order_relaxed);
    ordo_oplog_read_unlock(t);
    r->end = atomic_fetch_add(&moment, 1);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct ordo_oplog_thread *t;
    skewed_clock_ticks = w->index % 2 ? setting.skew : 0;
    self = w;
    if (ordo_oplog_thread_init(&oplog, &t))
        exit(70);
    (void)pthread_barrier_wait(&together);
    while (w->count + BATCH <= w->room && !atomic_load_explicit(&over, memory_order_relaxed)) {
        uint64_t what = below(w, 64);
        if (below(w, 256) == 0)
            (void)
                sched_yield(); /* more threads than CPUs take turns; on a busy machine each yield costs milliseconds */
        int index = (int)below(w, OBJECTS);
        if (what < 6 && w->reading_count < w->room / 4)
            read_all(w, t);
        else if (what < 10)
            append_several(w, t);
        else if (what < 12)
            append_and_forget(w, t);
        else
            append_one(w, t, &objects[index], index);
        if (what == 63) { /* the thread leaves while its log contains operations */
            expect(ordo_oplog_thread_finish(t) == ORDO_OK, "a settlement fails");
            if (ordo_oplog_thread_init(&oplog, &t))
                exit(70);
        }
    }
    (void)ordo_oplog_thread_finish(t);
    self = NULL;
    return NULL;
}

static void sleep_a_while(int number)
{
    struct timespec pause = {0, self ? 20000 + (long)(next_random(&self->clock_random) % 300000) : 0};
    (void)number;
    (void)nanosleep(&pause, NULL);
}

/* Takes the CPU from one thread after the other until all threads have ended. */
static void interrupt(const atomic_int *left)
{
    uint64_t state = 77;
    struct timespec begin, now;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    while (atomic_load(left)) {
        struct timespec pause = {0, 50000 + (long)(next_random(&state) % 200000)};
        (void)nanosleep(&pause, NULL);
        (void)pthread_kill(workers[next_random(&state) % (uint64_t)setting.threads].thread, SIGUSR1);
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        if ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 > setting.milliseconds)
            atomic_store(&over, 1);
    }
}

static atomic_int left;

static void *work_and_leave(void *argument)
{
    (void)work(argument);
    atomic_fetch_sub(&left, 1);
    return NULL;
}

/* ---- the sequential model ---- */

/* Checks an object's sequence, from its end: if X was applied before Y, Y must not have returned before X began. */
static void check_order(int object)
{
    uint64_t earliest_end = UINT64_MAX;
    for (long i = applied[object] - 1; i >= 0; i--) {
        const struct operation *o = sequence[object][i];
        expect(objects[object].kind == &commuting || earliest_end >= o->begin,
               "operations are applied in another order than they happened in");
        if (o->end < earliest_end)
            earliest_end = o->end;
    }
}

/* Returns how many operations of a thread had returned before the moment `when`. The operations are sorted by their
 * ends. */
static long returned_before(const struct worker *w, uint64_t when)
{
    long low = 0, high = w->count;
    while (low < high) {
        long middle = (low + high) / 2;
        if (w->operations[middle].end < when)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void check_reading(const struct reading *r)
{
    uint64_t latest = r->begin; /* every operation that had returned before this must be seen */
    for (int i = 0; i < setting.threads; i++) {
        const struct worker *w = &workers[i];
        uint32_t seen = r->seen[i];
        if (seen && w->operations[seen - 1].begin > latest)
            latest = w->operations[seen - 1].begin;
        expect(seen == 0 || w->operations[seen - 1].begin < r->end, "a reader sees what began later");
        expect(seen == 0 || seen == w->count || w->operations[seen - 1].together != w->operations[seen].together,
               "a reader sees a part of what was appended together");
    }
    for (int i = 0; i < setting.threads; i++) {
        expect(returned_before(&workers[i], r->begin) <= r->seen[i], "a reader misses what had returned");
        expect(returned_before(&workers[i], latest) <= r->seen[i],
               "a reader misses what had returned before something began that it sees");
    }
}

/* Checks every reading, and checks that successive readings of a thread never lose an operation. */
static void check_reads(void)
{
    for (int i = 0; i < setting.threads; i++)
        for (long k = 0; k < workers[i].reading_count; k++) {
            check_reading(&workers[i].readings[k]);
            for (int t = 0; k > 0 && t < setting.threads; t++)
                expect(workers[i].readings[k].seen[t] >= workers[i].readings[k - 1].seen[t], "a state goes back");
        }
}

static void check_all(void)
{
    long all = 0, done = dropped;
    for (int i = 0; i < setting.threads; i++)
        all += workers[i].count;
    for (int i = 0; i < OBJECTS; i++) {
        done += applied[i];
        check_order(i);
    }
    expect(all == done, "an operation is lost");
    check_reads();
}

/* ---- a run ---- */

static int make_objects(const char *name)
{
    static const struct ordo_oplog_kind *const mixed[] = {&timed, &commuting, &ordered, &timed};
    static const struct {
        const char *name;
        const struct ordo_oplog_kind *kind;
    } cases[] = {{"commute", &commuting}, {"timed", &timed}, {"ordered", &ordered}, {"mixed", NULL}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        if (strcmp(cases[c].name, name) == 0) {
            for (int i = 0; i < OBJECTS; i++)
                (void)ordo_oplog_object_init(&objects[i], cases[c].kind ? cases[c].kind : mixed[i], NULL);
            if (cases[c].kind == &ordered) /* no operations can be appended together to an ordered object */
                (void)ordo_oplog_object_init(&objects[0], &timed, NULL);
            return 0;
        }
    return -1;
}

static void prepare(void)
{
    struct ordo_oplog_options options = {.boundary_ticks = setting.boundary,
                                         .log_entries = (size_t)setting.log,
                                         .settle_later = setting.later,
                                         .watch = any_clock(),
                                         .unsafe_boundary = 1};
    if (ordo_oplog_create(&oplog, &options))
        exit(70);
    for (int i = 0; i < OBJECTS; i++) {
        free(sequence[i]);
        sequence[i] = malloc(((size_t)setting.operations + BATCH) * sizeof *sequence[i]);
        applied[i] = 0;
    }
    dropped = 0;
    for (int i = 0; i < setting.threads; i++) {
        long room = setting.operations / setting.threads;
        workers[i] = (struct worker){.index = i,
                                     .random = 88172645463325252u + (uint64_t)i * 977,
                                     .clock_random = 1 + (uint64_t)i * 7919,
                                     .room = room};
        workers[i].operations = calloc((size_t)room + BATCH, sizeof *workers[i].operations);
        workers[i].readings = calloc((size_t)room / 4 + 1, sizeof *workers[i].readings);
        if (!workers[i].operations || !workers[i].readings)
            exit(70);
    }
}

static void run(const char *name)
{
    struct ordo_oplog_statistics sum;
    (void)make_objects(name); /* an object belongs to one domain */
    prepare();
    pthread_barrier_init(&together, NULL, (unsigned)setting.threads);
    atomic_store(&over, 0);
    atomic_store(&left, setting.threads);
    for (int i = 0; i < setting.threads; i++)
        if (pthread_create(&workers[i].thread, NULL, work_and_leave, &workers[i]))
            exit(70);
    interrupt(&left);
    for (int i = 0; i < setting.threads; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&together);
    ordo_oplog_statistics_read(&oplog, &sum);
    ordo_oplog_destroy(&oplog);
    check_all();
    printf("%-7s %-7s B %llu skew %llu threads %d log %d%s: %llu operations, %llu cuts, %llu drains, %llu fulls, "
           "%llu dropped, %d violations\n",
           name, ORDO_STAMP_NAME, (unsigned long long)setting.boundary, (unsigned long long)setting.skew,
           setting.threads, setting.log, setting.later ? " later" : "", (unsigned long long)sum.appends,
           (unsigned long long)sum.cuts, (unsigned long long)sum.drains, (unsigned long long)sum.fulls,
           (unsigned long long)sum.dropped, atomic_load(&violations));
    for (int i = 0; i < setting.threads; i++) {
        free(workers[i].operations);
        free(workers[i].readings);
    }
}

static int set_key(const char *argument)
{
    const char *equal = strchr(argument, '=');
    long value = equal ? strtol(equal + 1, NULL, 10) : -1;
    size_t length = equal ? (size_t)(equal - argument) : 0;
    struct {
        const char *name;
        int *number;
    } keys[] = {{"threads", &setting.threads},
                {"log", &setting.log},
                {"later", &setting.later},
                {"agree", &skewed_clock_agree},
                {"expect", &setting.expect}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].name) == length && strncmp(keys[i].name, argument, length) == 0)
            *keys[i].number = (int)value;
    if (strncmp(argument, "boundary=", 9) == 0)
        setting.boundary = (uint64_t)value;
    else if (strncmp(argument, "skew=", 5) == 0)
        setting.skew = (uint64_t)value;
    else if (strncmp(argument, "operations=", 11) == 0)
        setting.operations = value;
    else if (strncmp(argument, "milliseconds=", 13) == 0)
        setting.milliseconds = value;
    return value < 0 || setting.threads < 1 || setting.threads > MAX_THREADS ? -1 : 0;
}

/* Runs the case with settings whose skew is at most the boundary, on clocks that agree and on clocks that disagree. */
static void run_matrix(const char *name)
{
    static const struct {
        uint64_t boundary, skew;
        int threads, log, later;
    } rows[] = {{5000, 0, 4, 1024, 0}, {5000, 5000, 4, 8, 0}, {5000, 5000, 8, 64, 1}, {1000, 1000, 4, 16, 1}};
    long operations = setting.operations / (long)(sizeof rows / sizeof *rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setting = (struct setting){.boundary = rows[i].boundary,
                                   .skew = rows[i].skew,
                                   .threads = rows[i].threads,
                                   .log = rows[i].log,
                                   .later = rows[i].later,
                                   .operations = operations,
                                   .milliseconds = setting.milliseconds};
        run(name);
    }
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = sleep_a_while, .sa_flags = SA_RESTART};
    setting = (struct setting){.boundary = 5000, .threads = 4, .log = 16, .operations = 400000, .milliseconds = 8000};
    if (argc < 2 || make_objects(argv[1]) || sigaction(SIGUSR1, &action, NULL))
        return 64;
    int keyed = 0;
    skewed_clock_agree = 1; /* so that the skew may be the whole boundary */
    for (int i = 2; i < argc; i++) {
        if (set_key(argv[i]))
            return 64;
        keyed |= strncmp(argv[i], "operations=", 11) != 0 && strncmp(argv[i], "milliseconds=", 13) != 0;
    }
    if (!keyed)
        run_matrix(argv[1]);
    else if (!setting.expect)
        run(argv[1]);
    for (int round = 0; setting.expect && !atomic_load(&violations) && round < MOST_ROUNDS; round++)
        run(argv[1]);
    for (int i = 0; i < OBJECTS; i++)
        free(sequence[i]);
    return setting.expect ? atomic_load(&violations) == 0 : atomic_load(&violations) != 0;
}
