/* rlu [RUNS [SEED]]: RLU, or MV-RLU with TESTS_MVRLU, on a simulated machine, one random schedule after the other. Exit 0 holds, 1 violated.
 *
 * The header itself is compiled with a step before each of its atomic accesses, copies and clock reads: at a step any other
 * thread may go on, for any number of steps, and true time passes. Threads are coroutines. A CPU's clock is ahead of
 * true time by something between 0 and exactly the boundary, and a thread may move to another CPU at any step. Memory
 * is sequentially consistent: this finds wrong orders of steps, not missing orders of accesses.
 *
 * There are two pairs of numbers. A commit adds 1 to both of a pair, or puts others in their place that are 1 greater;
 * what is freed is spoiled at once. At any time a section must find the numbers of a
 * pair equal; find the same if it looks again; see what was returned before it began, and what its thread saw before; and what any two sections see
 * must be nested. Every schedule ends, and then everything is unlocked and counted. */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <ucontext.h>
#include <unistd.h>

static void model_step(void);

#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
#define __atomic_store_n(p, v, o) (model_step(), __atomic_store_n(p, v, o))
#define __atomic_exchange_n(p, v, o) (model_step(), __atomic_exchange_n(p, v, o))
#define __atomic_fetch_or(p, v, o) (model_step(), __atomic_fetch_or(p, v, o))
#define __atomic_fetch_add(p, v, o) (model_step(), __atomic_fetch_add(p, v, o))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define memcpy(to, from, n) (model_step(), memcpy(to, from, n))
#define sched_yield() (model_step(), 0)
#define select(n, r, w, e, t) ((void)(t), model_step(), 0)
#include "rlu_names.h"

enum { THREADS = 4, SECTIONS = 8, PAIRS = 2, BOUNDARY = 60, STACK_BYTES = 65536, SEEN = THREADS * (SECTIONS + 1) };

struct number {
    uint64_t value;
};

struct place {
    struct number *number;
};

static struct {
    uint64_t random;
    uint64_t true_time;
    uint64_t skew[THREADS];
    int running, left;
    uint64_t patience; /* steps until the schedule is taken for stuck */
    ucontext_t scheduler, context[THREADS];
    int done[THREADS];
} machine;

static char stacks[THREADS][STACK_BYTES];
static struct ordo_rlu rlu;
static struct place *places[PAIRS][2];
static uint64_t committed[PAIRS], returned[PAIRS];
static uint64_t seen[SEEN][PAIRS], last[THREADS][PAIRS]; /* of each thread */
static int seen_count, deferred;
static const char *violated;

static uint64_t model_random(uint64_t limit)
{
    uint64_t x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    machine.random = x;
    return (x >> 16) % limit;
}

static void expect(int holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

static uint64_t draw_skew(void)
{
    uint64_t kind = model_random(4);
    return kind == 0 ? 0 : kind == 1 ? BOUNDARY : model_random(BOUNDARY + 1);
}

/* The others may go on. Not before the threads run, nor after. */
static void model_step(void)
{
    int me = machine.running;
    machine.true_time++;
    if (me < 0)
        return;
    if (model_random(16) == 0)
        machine.skew[me] = draw_skew();
    if (model_random(3) == 0)
        (void)swapcontext(&machine.context[me], &machine.scheduler);
}

uint64_t model_time(void)
{
    return machine.true_time + (machine.running < 0 ? 0 : machine.skew[machine.running]);
}

uint64_t model_clock(void)
{
    model_step();
    return model_time();
}

/* The allocator: what is given back is spoiled, but for its header, and stays until the schedule has ended. */
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
    size_t bytes = ((struct memory *)what - 1)->bytes;
    (void)context;
    memset((struct ordo_rlu_header *)what + 1, 0xdb, bytes - sizeof(struct ordo_rlu_header));
}

static void give_all(void)
{
    struct memory *memory, *next;
    for (memory = taken; memory; memory = next) {
        next = memory->next;
        free(memory);
    }
    taken = NULL;
}

/* The number that a place shows; what is no object is a violation, and not a crash. */
static struct number *number_of(struct ordo_rlu_thread *t, struct place *place)
{
    static struct {
        struct ordo_rlu_header header;
        struct number number;
    } none;
    struct number *number = ((struct place *)ordo_rlu_dereference(t, place))->number;
    struct memory *memory = taken;
    while (memory && (void *)(memory + 1) != (void *)((struct ordo_rlu_header *)number - 1))
        memory = memory->next;
    expect(memory != NULL, "a pointer leads nowhere");
    return memory ? number : &none.number;
}

/* Another number that is 1 greater in this one's place. */
static int replace(struct ordo_rlu_thread *t, struct place *place, struct number *old)
{
    struct number *copy = ordo_rlu_try_lock(t, old, sizeof *old), *fresh;
    struct place *changed = copy ? ordo_rlu_try_lock(t, place, sizeof *place) : NULL;
    if (!changed || !(fresh = ordo_rlu_alloc(t, sizeof *fresh)))
        return -1;
    fresh->value = copy->value + 1;
    ordo_rlu_assign(&changed->number, fresh);
    return ordo_rlu_free(t, old);
}

static int write_number(struct ordo_rlu_thread *t, struct place *place)
{
    struct number *old = number_of(t, place), *n;
    if (model_random(4) == 0)
        return replace(t, place, old);
    n = ordo_rlu_try_lock(t, old, sizeof *n);
    if (!n)
        return -1;
    n->value++;
    return 0;
}

static int write_pair(struct ordo_rlu_thread *t, int pair)
{
    int first = (int)model_random(2), i;
    for (i = 0; i < 2; i++)
        if (write_number(t, places[pair][(first + i) % 2]))
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
        at[i / 2][i % 2] = ordo_rlu_dereference(t, number_of(t, places[i / 2][i % 2]));
        model_step();
        value[i / 2][i % 2] = at[i / 2][i % 2]->value;
    }
    for (int p = 0; p < PAIRS; p++) {
        expect(value[p][0] == value[p][1], "a pair is torn");
        expect(value[p][0] == at[p][0]->value && value[p][1] == at[p][1]->value, "what was read has changed");
        expect(deferred || value[p][0] >= before[p], "a commit that has returned is not seen");
        expect(value[p][0] >= last[machine.running][p], "what a thread has seen is lost");
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
    machine.done[machine.running] = 1;
    machine.left--;
    (void)setcontext(&machine.scheduler);
}

static void start(ucontext_t *context, char *stack)
{
    (void)getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = STACK_BYTES;
    makecontext(context, run_thread, 0);
}

static void schedule(void)
{
    int asleep = -1; /* one loses its CPU for a while now and then */
    machine.left = THREADS;
    for (int i = 0; i < THREADS; i++) {
        machine.done[i] = 0;
        machine.skew[i] = draw_skew();
        start(&machine.context[i], stacks[i]);
    }
    for (machine.patience = 1000000; machine.left && machine.patience && !violated; machine.patience--) {
        int i = (int)model_random(THREADS);
        if (model_random(100) == 0)
            asleep = (int)model_random(2 * THREADS);
        if (machine.done[i] || (i == asleep && machine.left > 1))
            continue;
        machine.running = i;
        (void)swapcontext(&machine.scheduler, &machine.context[i]);
    }
    machine.running = -1;
    expect(machine.patience > 0, "the schedule does not end");
}

static void check_end(void)
{
    tests_rest(&rlu);
    for (int p = 0; p < PAIRS; p++)
        for (int i = 0; i < 2; i++) {
            struct number *number = places[p][i]->number;
            expect(ordo_rlu_header_of(places[p][i])->copy == NULL && ordo_rlu_header_of(number)->copy == NULL,
                   "locked at the end");
            expect(number->value == committed[p], "a commit is lost");
        }
    for (int a = 0; !deferred && a < seen_count; a++)
        for (int b = 0; b < a; b++)
            expect((seen[a][0] <= seen[b][0] && seen[a][1] <= seen[b][1]) ||
                       (seen[a][0] >= seen[b][0] && seen[a][1] >= seen[b][1]),
                   "what two sections see is not nested");
}

static void run_schedule(uint64_t seed)
{
    struct ordo_rlu_options options = {.boundary_ticks = BOUNDARY, .memory = {take, give, NULL}};
    struct ordo_rlu_thread *t;
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    machine.true_time = 1000;
    machine.running = -1;
    seen_count = 0;
    memset(last, 0, sizeof last);
    deferred = TESTS_DEFERS && model_random(3) == 0;
#ifdef TESTS_MVRLU
    options.collect_commits = 1 + (unsigned)model_random(3);
    options.own_clock = (int)model_random(2);
#else
    options.defer_commits = deferred ? 3 : 1;
#endif
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    for (int p = 0; p < PAIRS; p++) {
        committed[p] = returned[p] = 0;
        for (int i = 0; i < 2; i++) {
            places[p][i] = ordo_rlu_alloc(t, sizeof(struct place));
            places[p][i]->number = ordo_rlu_alloc(t, sizeof(struct number));
            places[p][i]->number->value = 0;
        }
    }
    ordo_rlu_thread_finish(t);
    schedule();
    if (!violated)
        check_end();
    else
        tests_rest(&rlu);
    for (int i = 0; i < 2 * PAIRS; i++) {
        ordo_rlu_discard(&rlu, places[i / 2][i % 2]->number);
        ordo_rlu_discard(&rlu, places[i / 2][i % 2]);
    }
    ordo_rlu_destroy(&rlu);
    give_all();
}

#ifdef TESTS_MVRLU
/* Here alone memory of a log is used again while others may look at it: what was a version may then be followed anywhere,
 * and that is the violation. */
static unsigned long current;

static void follow_nowhere(int number)
{
    char text[64];
    int length = snprintf(text, sizeof text, "seed %lu: a log is used again too early\n", current);
    (void)number;
    (void)!write(STDOUT_FILENO, text, (size_t)length);
    _exit(1);
}

static void catch_what_leads_nowhere(unsigned long seed)
{
    current = seed;
    (void)signal(SIGSEGV, follow_nowhere);
    (void)signal(SIGBUS, follow_nowhere);
}
#else
static void catch_what_leads_nowhere(unsigned long seed)
{
    (void)seed; /* a crash is a crash */
}
#endif

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, run;
    for (run = 0; run < runs && !violated; run++) {
        catch_what_leads_nowhere(seed + run);
        run_schedule(seed + run);
    }
    if (violated)
        printf("seed %lu: %s\n", seed + run - 1, violated);
    else
        printf("%lu schedules\n", runs);
    return violated != NULL;
}
