/* rlu [RUNS [SEED]]: RLU on a simulated machine, one random schedule after the other. Exit 0 holds, 1 violated.
 *
 * The header itself is compiled with a step before each of its atomic accesses and clock reads: at a step any other
 * thread may go on, for any number of steps, and true time passes. Threads are coroutines. A CPU's clock is ahead of
 * true time by something between 0 and exactly the boundary, and a thread may move to another CPU at any step. Memory
 * is sequentially consistent: this finds wrong orders of steps, not missing orders of accesses.
 *
 * There are two pairs of numbers. A commit adds 1 to both of a pair. At any time a section must find the numbers of a
 * pair equal; find the same if it looks again; see what was returned before it began; and what any two sections see
 * must be nested. Every schedule ends, and then everything is unlocked and counted. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/select.h>
#include <ucontext.h>

static void model_step(void);

#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
#define __atomic_store_n(p, v, o) (model_step(), __atomic_store_n(p, v, o))
#define __atomic_exchange_n(p, v, o) (model_step(), __atomic_exchange_n(p, v, o))
#define __atomic_fetch_or(p, v, o) (model_step(), __atomic_fetch_or(p, v, o))
#define __atomic_fetch_add(p, v, o) (model_step(), __atomic_fetch_add(p, v, o))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define sched_yield() (model_step(), 0)
#define select(n, r, w, e, t) ((void)(t), model_step(), 0)
#include <ordo/cc/rlu.h>

enum { THREADS = 4, SECTIONS = 8, PAIRS = 2, BOUNDARY = 60, STACK_BYTES = 65536, SEEN = THREADS * (SECTIONS + 1) };

struct number {
    uint64_t value;
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
static struct number *numbers[PAIRS][2];
static uint64_t committed[PAIRS], returned[PAIRS];
static uint64_t seen[SEEN][PAIRS];
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

static int write_pair(struct ordo_rlu_thread *t, int pair)
{
    int first = (int)model_random(2), i;
    for (i = 0; i < 2; i++) {
        struct number *n = ordo_rlu_try_lock(t, numbers[pair][(first + i) % 2], sizeof *n);
        if (!n)
            return -1;
        n->value++;
    }
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
        at[i / 2][i % 2] = ordo_rlu_dereference(t, numbers[i / 2][i % 2]);
        model_step();
        value[i / 2][i % 2] = at[i / 2][i % 2]->value;
    }
    for (int p = 0; p < PAIRS; p++) {
        expect(value[p][0] == value[p][1], "a pair is torn");
        expect(value[p][0] == at[p][0]->value && value[p][1] == at[p][1]->value, "what was read has changed");
        expect(deferred || value[p][0] >= before[p], "a commit that has returned is not seen");
        seen[seen_count][p] = value[p][0];
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
    for (int p = 0; p < PAIRS; p++)
        for (int i = 0; i < 2; i++) {
            expect(ordo_rlu_header_of(numbers[p][i])->copy == NULL, "locked at the end");
            expect(numbers[p][i]->value == committed[p], "a commit is lost");
        }
    for (int a = 0; !deferred && a < seen_count; a++)
        for (int b = 0; b < a; b++)
            expect((seen[a][0] <= seen[b][0] && seen[a][1] <= seen[b][1]) ||
                       (seen[a][0] >= seen[b][0] && seen[a][1] >= seen[b][1]),
                   "what two sections see is not nested");
}

static void run_schedule(uint64_t seed)
{
    struct ordo_rlu_options options = {.boundary_ticks = BOUNDARY};
    struct ordo_rlu_thread *t;
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    machine.true_time = 1000;
    machine.running = -1;
    seen_count = 0;
    deferred = model_random(3) == 0;
    options.defer_commits = deferred ? 3 : 1;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    for (int p = 0; p < PAIRS; p++) {
        committed[p] = returned[p] = 0;
        for (int i = 0; i < 2; i++)
            *(numbers[p][i] = ordo_rlu_alloc(t, sizeof(struct number))) = (struct number){0};
    }
    ordo_rlu_thread_finish(t);
    schedule();
    if (!violated)
        check_end();
    for (int i = 0; i < 2 * PAIRS; i++)
        ordo_rlu_discard(&rlu, numbers[i / 2][i % 2]);
    ordo_rlu_destroy(&rlu);
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, run;
    for (run = 0; run < runs && !violated; run++)
        run_schedule(seed + run);
    if (violated)
        printf("seed %lu: %s\n", seed + run - 1, violated);
    else
        printf("%lu schedules\n", runs);
    return violated != NULL;
}
