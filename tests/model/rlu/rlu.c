/* rlu [RUNS [SEED]]: runs RLU, or with TESTS_MVRLU MV-RLU, on a simulated machine, one random schedule after another.
 * Exit 0: the promises held; 1: one was violated.
 *
 * The header is unmodified, but has a step before each of its atomic accesses, copies and clock reads (machine.h).
 *
 * There are two pairs of numbers, each number behind a link. A commit adds 1 to both numbers of a pair, or replaces
 * both by new numbers that are 1 greater. Freed memory is overwritten at once. Checked in each section:
 *  - The two numbers of a pair are equal, and a second read finds the same numbers.
 *  - The section sees every commit that had returned before the section began, and every commit that its thread saw
 *    before.
 *  - The sets of commits that any two sections see are nested.
 * Every schedule ends; then no object is locked, and no commit is lost. */
#include <signal.h>
#include <unistd.h>

#include "machine.h"

#define memcpy(to, from, n) (MODEL_HERE, model_step(), memcpy(to, from, n))
/* Checks that no loaded or compared value is the pattern that overwrites freed memory. */
#undef __atomic_load_n
#define __atomic_load_n(p, o)                                                                                          \
    __extension__({                                                                                                    \
        MODEL_HERE;                                                                                                    \
        model_step_to_load();                                                                                          \
        __auto_type model_result = __atomic_load_n(p, o);                                                              \
        check_loaded((uintptr_t)model_result);                                                                         \
        model_result;                                                                                                  \
    })
static void check_loaded(uintptr_t word);
static size_t undone_bytes;
#define ORDO_RLU_UNDONE_BYTES undone_bytes
#include "rlu_names.h"

enum { SECTIONS = 8, PAIRS = 2, SEEN = THREADS * (SECTIONS + 1), SPOILED = 0xdb };

struct number {
    uint64_t value;
};

static struct ordo_rlu rlu;
static struct ordo_rlu_link places[PAIRS][2];
static uint64_t committed[PAIRS], returned[PAIRS];
static uint64_t seen[SEEN][PAIRS], last[THREADS][PAIRS]; /* numbers that the sections of a thread saw */
static uint64_t own[THREADS][PAIRS];                     /* number of commits of each thread */
static int seen_count, deferred;
static size_t number_bytes = sizeof(struct number); /* size of an object with one number */

/* The allocator. Released memory is overwritten, and not reused until the schedule has ended. */
struct memory {
    struct memory *next;
    size_t bytes;
};
static struct memory *taken;

static void *take(void *context, size_t bytes)
{
    struct memory *memory = malloc(sizeof *memory + bytes);
    (void)context;
    if (!memory)
        return NULL;
    memory->bytes = bytes;
    memory->next = taken;
    taken = memory;
    return memory + 1;
}

static void give(void *context, void *what)
{
    (void)context;
    memset(what, SPOILED, ((struct memory *)what - 1)->bytes);
}

/* Ends a schedule at the first word that was loaded from released memory, because the word points nowhere. */
static void check_loaded(uintptr_t word)
{
    uintptr_t spoiled;
    memset(&spoiled, SPOILED, sizeof spoiled);
    if (word != spoiled)
        return;
    expect(0, "memory that was given back is read");
    if (machine.running >= 0)
        ordo_coroutine_switch(&machine.threads[machine.running], &machine.scheduler);
}

/* Frees all memory at the end, when the program has released everything. */
static void give_all(void)
{
    struct memory *memory, *next;
    for (memory = taken; memory; memory = next) {
        const unsigned char *bytes = (const unsigned char *)(memory + 1);
        for (size_t i = 0; i < memory->bytes; i++)
            expect(bytes[i] == SPOILED, "memory that was given back is written to");
        next = memory->next;
        free(memory);
    }
    taken = NULL;
}

/* Returns the number that a link points to. A pointer to anything else is reported as a violation, and causes no
 * crash. */
static struct number *number_of(struct ordo_rlu_thread *t, struct ordo_rlu_link *place)
{
    static struct {
        struct ordo_rlu_header header;
        struct number number;
    } none;
    struct number *number = ordo_rlu_follow(t, place);
    struct memory *memory = taken;
    while (memory && (void *)(memory + 1) != (void *)((struct ordo_rlu_header *)number - 1))
        memory = memory->next;
    expect(memory != NULL, "a pointer leads nowhere");
    return memory ? number : &none.number;
}

/* Replaces a number by a new one that is 1 greater. */
static int replace(struct ordo_rlu_thread *t, struct ordo_rlu_link *place, struct number *old)
{
    struct number *copy = ordo_rlu_try_lock(t, old, number_bytes), *fresh;
    void **to = copy ? ordo_rlu_try_lock_link(t, place) : NULL;
    if (!to || !(fresh = ordo_rlu_alloc(t, number_bytes)))
        return -1;
    fresh->value = copy->value + 1;
    *to = fresh;
    return ordo_rlu_free(t, old);
}

static int write_number(struct ordo_rlu_thread *t, struct ordo_rlu_link *place)
{
    struct number *old = number_of(t, place), *n;
    if (model_random(4) == 0)
        return replace(t, place, old);
    n = ordo_rlu_try_lock(t, old, number_bytes);
    if (!n)
        return -1;
    n->value++;
    return 0;
}

static int write_pair(struct ordo_rlu_thread *t, int pair)
{
    int first = (int)model_random(2), i;
    for (i = 0; i < 2; i++)
        if (write_number(t, &places[pair][(first + i) % 2]))
            return -1;
    return 0;
}

static void update(struct ordo_rlu_thread *t)
{
    int pair = (int)model_random(PAIRS), result, attempts = 0;
    do {
        ordo_rlu_reader_lock(t);
        result = write_pair(t, pair);
        if (result == 0)
            ordo_rlu_reader_unlock(t);
        else
            (void)ordo_rlu_abort(t);
    } while (result && ++attempts < 3);
    committed[pair] += result == 0;
    returned[pair] += result == 0;
    own[machine.running][pair] += result == 0;
}

static void read_all(struct ordo_rlu_thread *t)
{
    const struct number *at[PAIRS][2];
    uint64_t before[PAIRS], value[PAIRS][2];
    int start = (int)model_random(2 * PAIRS);
    memcpy(before, returned, sizeof before);
    ordo_rlu_reader_lock(t);
    for (int k = 0; k < 2 * PAIRS; k++) {
        int i = (start + k) % (2 * PAIRS);
        at[i / 2][i % 2] = ordo_rlu_dereference(t, number_of(t, &places[i / 2][i % 2]));
        model_step();
        value[i / 2][i % 2] = at[i / 2][i % 2]->value;
    }
    for (int p = 0; p < PAIRS; p++) {
        expect(value[p][0] == value[p][1], "a pair is torn");
        expect(value[p][0] == at[p][0]->value && value[p][1] == at[p][1]->value, "a value that was read has changed");
        expect(deferred || value[p][0] >= before[p], "a commit that has returned is not seen");
        expect(value[p][0] >= last[machine.running][p], "a commit that a thread has seen is lost");
        expect(value[p][0] >= own[machine.running][p], "a thread does not see its own commits");
        last[machine.running][p] = seen[seen_count][p] = value[p][0];
    }
    seen_count++;
    ordo_rlu_reader_unlock(t);
}

static void run_thread(void)
{
    struct ordo_rlu_thread *t;
    if (ordo_rlu_thread_init(&rlu, &t))
        expect(0, "no memory");
    for (int i = 0; i < SECTIONS && !violated; i++) {
        if (model_random(8) == 0) {
            ordo_rlu_thread_finish(t);
            (void)ordo_rlu_thread_init(&rlu, &t);
        }
        if (model_random(2))
            update(t);
        else
            read_all(t);
    }
    ordo_rlu_thread_finish(t);
}

static void check_end(void)
{
    tests_rest(&rlu);
    for (int p = 0; p < PAIRS; p++)
        for (int i = 0; i < 2; i++) {
            const struct number *number = ordo_rlu_link_at_rest(&places[p][i]);
            if (ordo_rlu_link_is_locked(&places[p][i]) || ordo_rlu_header_of((void *)number)->copy)
                expect(0, "locked at the end");
            else
                expect(number->value == committed[p], "a commit is lost");
        }
    for (int a = 0; !deferred && a < seen_count; a++)
        for (int b = 0; b < a; b++)
            expect((seen[a][0] <= seen[b][0] && seen[a][1] <= seen[b][1]) ||
                       (seen[a][0] >= seen[b][0] && seen[a][1] >= seen[b][1]),
                   "the sets that two sections see are not nested");
}

#ifdef TESTS_MVRLU
/* Only in this model is the memory of a log reused while other threads may access it. A pointer to a former version may
 * then lead anywhere, and this is the violation. */
static uint64_t current;

static void follow_nowhere(int number)
{
    char text[64];
    int length = snprintf(text, sizeof text, "seed %lu: a log is used again too early\n", (unsigned long)current);
    (void)number;
    (void)!write(STDOUT_FILENO, text, (size_t)length);
    _exit(1);
}

static void catch_what_leads_nowhere(uint64_t seed)
{
    current = seed;
    (void)signal(SIGSEGV, follow_nowhere);
    (void)signal(SIGBUS, follow_nowhere);
}
#else
static void catch_what_leads_nowhere(uint64_t seed)
{
    (void)seed; /* a crash of the program itself */
}
#endif

static void run_schedule(uint64_t seed)
{
    struct ordo_rlu_options options = {.boundary_ticks = BOUNDARY, .memory = {take, give, NULL}};
    struct ordo_rlu_thread *t;
    catch_what_leads_nowhere(seed);
    model_begin(seed);
    seen_count = 0;
    memset(last, 0, sizeof last);
    memset(own, 0, sizeof own);
#ifdef TESTS_MVRLU
    deferred = seed % 3 == 0;
    options.collect_commits = 1 + (unsigned)model_random(3);
    options.own_clock = (int)model_random(2);
    if (model_random(2) == 0) /* logs that become full, with chunks of two sizes */
        options.log_bytes = ORDO_MVRLU_CHUNK_BYTES * (1 + model_random(12));
    number_bytes = model_random(3) ? sizeof(struct number) : ORDO_MVRLU_CHUNK_BYTES;
#else
    deferred = model_random(3) == 0;
    undone_bytes = model_random(2) ? 256 : ORDO_RLU_CHUNK_BYTES;
#endif
    options.defer_commits = !deferred ? 1 : seed % 2 ? ORDO_RLU_DEFER_AUTO : 3;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    for (int p = 0; p < PAIRS; p++) {
        committed[p] = returned[p] = 0;
        for (int i = 0; i < 2; i++) {
            struct number *number = ordo_rlu_alloc(t, number_bytes);
            number->value = 0;
            ordo_rlu_link_init(&places[p][i], number);
        }
    }
    ordo_rlu_thread_finish(t);
    model_run(run_thread);
    if (!violated)
        check_end();
    else
        tests_rest(&rlu);
    for (int i = 0; i < 2 * PAIRS; i++)
        if (!ordo_rlu_link_is_locked(&places[i / 2][i % 2])) /* a link that is still locked was a violation */
            ordo_rlu_discard(&rlu, ordo_rlu_link_at_rest(&places[i / 2][i % 2]));
    ordo_rlu_destroy(&rlu);
    give_all();
}

int main(int argc, char **argv)
{
    return model_main(argc, argv, 10000, run_schedule);
}
