/* history [key=value...]: the project's history checker (history.h) on transactional memory. Exit 0: holds, 1:
 * violated, 64: usage.
 *
 * A word holds the identity of the attempt that wrote it, so every read names the version that it met. A writer has
 * read the word that it writes, so every write names the version that it overwrote. Every attempt is recorded, with its
 * reads up to its end. An attempt that did not commit is recorded as a read-only transaction that committed: opacity
 * demands that it behaves as one (R. Guerraoui, M. Kapalka, PPoPP 2008). The checker then demands one order of all
 * attempts that agrees with the reads and, if `strict`, with real time.
 *
 * Real time is given by numbers of one shared counter, drawn before the beginning and after the end of each attempt. If
 * an end has a smaller number than a beginning, it happens before the beginning also in the sense of the memory model;
 * no clock is read.
 *
 * Clocks are skewed and threads interrupted as in stm.c. Without arguments, a matrix of settings that must all hold.
 * Keys (one setting): boundary skew threads migrate preempt strict rounds;
 *   reads=0     attempts that did not commit are recorded without their reads
 *   writers=1   no transaction is read-only
 *   expect=1    an anomaly must be found, in at most TRIES times the rounds */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include <ordo/cc/history.h>
#include <ordo/cc/stm.h>

#include "cc/history/note.h"

enum { MAX_THREADS = 16, WORDS = 8, TRANSACTIONS = 100, STEPS = 5, ROUNDS = 10, TRIES = 200 };

struct setting {
    uint64_t boundary, skew;
    int threads, migrate, preempt, strict, rounds, reads, writers, expected;
};

/* A word that an attempt has read and will write. */
struct change {
    uint64_t key, overwritten;
};

struct worker {
    struct ordo_stm_thread *t;
    struct ordo_history *history;
    int index;
    uint64_t random, clock_random, number; /* number: the attempts of this thread so far */
    uint64_t id;                           /* the identity of the current attempt */
    struct change changes[STEPS];
    size_t change_count;
    pthread_t thread;
};

static struct setting now;
static struct ordo_stm stm;
static struct ordo_history *histories[MAX_THREADS];
static struct ordo_history_checker *checker;
static struct ordo_history_report report;
static pthread_barrier_t together;
static uint64_t words[WORDS][4]; /* each on a stripe of its own */
static _Atomic uint64_t moments;
static _Atomic int running, over, failed; /* running: number of threads that may be interrupted; the others are flags */
static __thread struct worker *self;

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

/* Moves the thread to another core. */
static void place(struct worker *w)
{
    int ahead = now.migrate ? (int)(next_random(&w->clock_random) & 1) : w->index % 2;
    skewed_clock_ticks = ahead ? now.skew : 0;
}

static void sleep_a_while(int number)
{
    (void)number;
    if (!self)
        return;
    struct timespec pause = {0, 20000 + (long)(next_random(&self->clock_random) % 280000)};
    (void)nanosleep(&pause, NULL);
    place(self);
}

/* Yields or pauses now and then between two accesses, so that threads that wait for this CPU run. */
static void linger(struct worker *w)
{
    uint64_t kind = below(w, 128);
    if (kind == 0)
        (void)sched_yield(); /* rarely, because a yield takes milliseconds on a busy machine */
    else if (kind < 8)
        for (uint64_t i = below(w, 400); i > 0; i--)
            ordo_clock_pause();
}

/* ---- an attempt, and its record ---- */

/* Draws a moment. Sequentially consistent: all moments have one order, and a thread that draws a moment sees every
 * access that precedes an earlier moment. */
static uint64_t moment(void)
{
    return now.strict ? atomic_fetch_add(&moments, 1) : 1;
}

static void open_attempt(struct worker *w)
{
    w->id = ++w->number << 16 | (uint64_t)(w->index + 1);
    w->change_count = 0;
    history_begin(w->history, w->id);
    if (!w->history->failed)
        w->history->words[w->history->open + 2] = moment();
}

static void close_attempt(struct worker *w, int committed)
{
    if (w->history->failed)
        return;
    for (size_t i = 0; committed && i < w->change_count; i++)
        history_note(w->history, HISTORY_WRITE, 0, w->changes[i].key, w->changes[i].overwritten);
    history_end(w->history, committed || now.reads);
    if (!w->history->failed)
        w->history->words[w->history->open + 3] = moment();
}

static int read_word(struct worker *w, uint64_t key, uint64_t *version)
{
    int code = ordo_stm_read(w->t, &words[key][0], version);
    if (!code)
        history_note(w->history, HISTORY_READ, 0, key, *version);
    return code;
}

/* Runs an attempt that reads a few words, some of them twice, and overwrites some of them. A few attempts become
 * irrevocable, or give up. */
static int attempt(struct worker *w, int writes)
{
    uint64_t version, give_up = below(w, 8), alone = below(w, 64);
    for (uint64_t steps = 2 + below(w, STEPS - 1), i = 0; i < steps; i++) {
        uint64_t key = below(w, WORDS);
        int code = i == alone ? ordo_stm_irrevocable(w->t) : 0;
        if (code || (code = read_word(w, key, &version)) != 0)
            return code;
        linger(w);
        if (!writes || (below(w, 2) && i + 1 < steps) || version == w->id)
            continue;
        if ((code = ordo_stm_write(w->t, &words[key][0], w->id)) != 0)
            return code;
        w->changes[w->change_count++] = (struct change){key, version};
    }
    return give_up ? 0 : ORDO_E_MISSING;
}

static void transaction(struct worker *w)
{
    int writes = now.writers || below(w, 2), result;
    static const unsigned readers[] = {0, ORDO_STM_READ_ONLY, ORDO_STM_SNAPSHOT};
    unsigned flags = writes ? 0 : readers[below(w, 3)];
    do {
        open_attempt(w);
        result = ordo_stm_begin(w->t, flags);
        if (!result)
            result = ordo_stm_finish(w->t, attempt(w, writes));
        close_attempt(w, result >= 0);
    } while (result == ORDO_STM_AGAIN);
    if (result < 0 && result != ORDO_E_MISSING)
        atomic_store(&failed, 1);
}

/* ---- rounds: all threads, then one window ---- */

static void check(void)
{
    if (ordo_history_cut(histories, (unsigned)now.threads, ordo_history_check, checker) ||
        ordo_history_finish(checker, &report))
        atomic_store(&failed, 1);
    if (atomic_load(&failed) || report.anomalies)
        atomic_store(&over, 1);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    place(w);
    self = w;
    for (int round = 0; round < now.rounds && !atomic_load(&over); round++) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            if (now.migrate)
                place(w);
            transaction(w);
        }
        pthread_barrier_wait(&together);
        if (w->index == 0)
            check();
        pthread_barrier_wait(&together); /* after this barrier all threads read the same flag */
    }
    self = NULL;
    atomic_fetch_sub(&running, 1);
    return NULL;
}

/* Interrupts the threads until all have ended. */
static void interrupt(struct worker *workers)
{
    uint64_t state = 77;
    while (now.preempt && atomic_load(&running)) {
        struct timespec pause = {0, 50000 + (long)(next_random(&state) % 200000)};
        (void)nanosleep(&pause, NULL);
        (void)pthread_kill(workers[next_random(&state) % (uint64_t)now.threads].thread, SIGUSR1);
    }
}

static void *allocate(void *context, size_t align, size_t bytes)
{
    (void)context;
    return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void release(void *context, void *memory, size_t bytes)
{
    (void)context, (void)bytes;
    free(memory);
}

static int prepare(struct worker *workers)
{
    static const struct ordo_memory memory = {allocate, release, NULL};
    struct ordo_stm_options options = {.boundary_ticks = now.boundary, .unsafe_boundary = 1, .stripes = 1024};
    struct sigaction action = {.sa_handler = sleep_a_while, .sa_flags = SA_RESTART};
    int code = sigaction(SIGUSR1, &action, NULL) || ordo_stm_create(&stm, &options);
    memset(words, 0, sizeof words);
    memset(&report, 0, sizeof report);
    atomic_store(&over, 0);
    atomic_store(&running, now.threads);
    atomic_store(&moments, 1);
    checker = ordo_history_checker_create();
    code = code || !checker || pthread_barrier_init(&together, NULL, (unsigned)now.threads) ||
           ordo_history_head(ORDO_TXN_SERIALIZABLE, now.strict, ordo_history_check, checker);
    for (int i = 0; i < now.threads && !code; i++) {
        struct ordo_worker recorded = {0};
        workers[i].index = i;
        code =
            ordo_history_create(&workers[i].history, &recorded, &memory) || ordo_stm_thread_init(&stm, &workers[i].t);
        histories[i] = workers[i].history;
    }
    return code ? -1 : 0;
}

static void print_report(void)
{
    struct ordo_stm_statistics sum;
    ordo_stm_statistics_read(&stm, &sum);
    printf(
        "%-7s B %6llu skew %6llu threads %d%s%s%s: %llu attempts checked, %llu reads, %llu writes; %llu commits, "
        "aborts "
        "%llu locked %llu changed %llu newer %llu uncertain %llu asked, %llu extensions, %llu alone; %llu anomalies\n",
        ORDO_STAMP_NAME, (unsigned long long)now.boundary, (unsigned long long)now.skew, now.threads,
        now.migrate ? " migrating" : "", now.preempt ? " preempted" : "", now.strict ? " strict" : "",
        (unsigned long long)report.committed, (unsigned long long)report.reads, (unsigned long long)report.writes,
        (unsigned long long)sum.commits, (unsigned long long)sum.aborts_locked, (unsigned long long)sum.aborts_changed,
        (unsigned long long)sum.aborts_newer, (unsigned long long)sum.aborts_uncertain,
        (unsigned long long)sum.aborts_asked, (unsigned long long)sum.extensions, (unsigned long long)sum.irrevocable,
        (unsigned long long)report.anomalies);
    if (report.anomalies)
        printf("%s: %s\n", ordo_history_anomaly_name(report.first_anomaly), report.first_text);
}

/* Runs the setting. Returns the number of anomalies, or -1 if it could not be run. */
static int run(uint64_t seed)
{
    static struct worker workers[MAX_THREADS];
    memset(workers, 0, sizeof workers);
    if (prepare(workers))
        return -1;
    for (int i = 0; i < now.threads; i++) {
        workers[i].random = UINT64_C(88172645463325252) + seed * 7907 + (uint64_t)i * 977;
        workers[i].clock_random = 1 + seed * 104729 + (uint64_t)i * 7919;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
            return -1;
    }
    interrupt(workers);
    for (int i = 0; i < now.threads; i++)
        pthread_join(workers[i].thread, NULL);
    print_report();
    for (int i = 0; i < now.threads; i++) {
        ordo_stm_thread_finish(workers[i].t);
        ordo_history_destroy(workers[i].history);
    }
    ordo_history_checker_destroy(checker);
    pthread_barrier_destroy(&together);
    ordo_stm_destroy(&stm);
    return atomic_load(&failed) ? -1 : report.anomalies != 0;
}

/* Runs settings whose skew is at most the boundary; threads stay or migrate, and are interrupted or not. */
static int run_matrix(void)
{
    static const uint64_t boundaries[] = {5000, 400};
    int bad = 0;
    for (unsigned i = 0; i < 8; i++) {
        now.boundary = boundaries[i & 1];
        now.skew = i & 6 ? now.boundary : 0;
        now.migrate = (i & 4) != 0;
        now.preempt = (i & 2) != 0;
        now.threads = i % 3 == 2 ? 8 : 4;
        now.strict = i % 4 != 3;
        bad |= run(i);
    }
    return bad;
}

static int set_key(const char *argument)
{
    const char *equal = strchr(argument, '=');
    size_t length = equal ? (size_t)(equal - argument) : 0;
    int value = equal ? (int)strtol(equal + 1, NULL, 10) : 0;
    const struct {
        const char *name;
        int *place;
    } keys[] = {{"threads", &now.threads}, {"migrate", &now.migrate}, {"preempt", &now.preempt},
                {"strict", &now.strict},   {"rounds", &now.rounds},   {"reads", &now.reads},
                {"writers", &now.writers}, {"expect", &now.expected}};
    if (length == 8 && strncmp(argument, "boundary", 8) == 0)
        return now.boundary = (uint64_t)value, 0;
    if (length == 4 && strncmp(argument, "skew", 4) == 0)
        return now.skew = (uint64_t)value, 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].name) == length && strncmp(argument, keys[i].name, length) == 0)
            return *keys[i].place = value, 0;
    return fprintf(stderr, "unknown: %s\n", argument), -1;
}

int main(int argc, char **argv)
{
    int found = 0;
    now = (struct setting){.boundary = 5000, .threads = 4, .preempt = 1, .strict = 1, .rounds = ROUNDS, .reads = 1};
    skewed_clock_agree = 1;
    for (int i = 1; i < argc; i++)
        if (set_key(argv[i]))
            return 64;
    if (now.threads < 1 || now.threads > MAX_THREADS)
        return 64;
    if (!now.expected)
        return (argc > 1 ? run(0) : run_matrix()) != 0;
    for (uint64_t try = 0; found == 0 && try < TRIES; try++)
        found = run(try);
    return found != 1;
}
