/* rlu [PREEMPTIONS]: the unmodified rlu.h on a simulated machine, at every schedule of two threads with at most so many
 * preemptions (default 1). Exit 0 holds, 1 violated.
 *
 * A step comes before each atomic access and each clock read. At every step the running thread either goes on or is
 * preempted; a thread that waits gives way by itself, which does not count. Each thread joins and makes two sections;
 * each section reads or writes a pair of numbers. For each thread and section the CPU's clock is right, or ahead by
 * exactly the boundary. All choices are enumerated: a run follows the choices of the last one up to the last that could
 * be different, and takes the next there. Memory is sequentially consistent (tests/proof/spin has the store buffers).
 *
 * Checked as in tests/model/rlu: pairs are equal and stay so, what was returned is seen, nothing is lost or locked. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/select.h>
#include <ucontext.h>

static void model_step(void);
static void model_wait(void);

#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
#define __atomic_store_n(p, v, o) (model_step(), __atomic_store_n(p, v, o))
#define __atomic_exchange_n(p, v, o) (model_step(), __atomic_exchange_n(p, v, o))
#define __atomic_fetch_or(p, v, o) (model_step(), __atomic_fetch_or(p, v, o))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define sched_yield() (model_wait(), 0)
#define select(n, r, w, e, t) ((void)(t), model_wait(), 0)
#include <ordo/cc/rlu.h>

enum { THREADS = 2, SECTIONS = 2, STACK_BYTES = 65536, CHOICES = 4096, LIMIT = 20000 };

static struct {
    uint64_t true_time, skew[THREADS], boundary;
    int running, left, preemptions;
    unsigned steps;
    ucontext_t scheduler, context[THREADS];
    int done[THREADS];
} machine;

/* The choices of this run: all have two answers. */
static struct {
    unsigned char taken[CHOICES];
    unsigned made, known;
} path;

static char stacks[THREADS][STACK_BYTES];
static struct ordo_rlu rlu;
static struct number {
    uint64_t value;
} * numbers[2];
static uint64_t committed, returned;
static unsigned script; /* a bit for each thread and section: it writes */
static const char *violated;

static void expect(int holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

/* The next choice, 0 where it is new. */
static int choose(void)
{
    if (path.made == CHOICES) {
        expect(0, "too many choices");
        return 0;
    }
    if (path.made == path.known)
        path.taken[path.known++] = 0;
    return path.taken[path.made++];
}

/* To the next path; whether there is one. */
static int advance(void)
{
    while (path.known > 0 && path.taken[path.known - 1] == 1)
        path.known--;
    if (path.known == 0)
        return 0;
    path.taken[path.known - 1] = 1;
    return 1;
}

static void give_way(void)
{
    (void)swapcontext(&machine.context[machine.running], &machine.scheduler);
}

static void model_step(void)
{
    machine.true_time++;
    if (machine.running < 0)
        return;
    if (machine.steps++ > LIMIT) {
        expect(0, "the schedule does not end");
        (void)setcontext(&machine.scheduler);
    }
    if (machine.preemptions > 0 && !machine.done[1 - machine.running] && choose()) {
        machine.preemptions--;
        give_way();
    }
}

/* The running thread waits: for time, or for the other one. */
static void model_wait(void)
{
    machine.true_time++;
    if (machine.running >= 0 && !machine.done[1 - machine.running])
        give_way();
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

void model_pause(void)
{
    model_wait();
}

static void section_writes(struct ordo_rlu_thread *t)
{
    struct number *first, *second = NULL;
    ordo_rlu_reader_lock(t);
    first = ordo_rlu_try_lock(t, numbers[0], sizeof *first);
    if (first)
        second = ordo_rlu_try_lock(t, numbers[1], sizeof *second);
    if (!second) {
        (void)ordo_rlu_abort(t);
        return;
    }
    first->value++;
    second->value++;
    ordo_rlu_reader_unlock(t);
    committed++;
    returned++;
}

static void section_reads(struct ordo_rlu_thread *t)
{
    uint64_t before = returned;
    const struct number *first, *second;
    ordo_rlu_reader_lock(t);
    first = ordo_rlu_dereference(t, numbers[0]);
    model_step();
    uint64_t a = first->value;
    second = ordo_rlu_dereference(t, numbers[1]);
    model_step();
    uint64_t b = second->value;
    model_step();
    expect(a == b, "a pair is torn");
    expect(a == first->value && b == second->value, "what was read has changed");
    expect(a >= before, "a commit that has returned is not seen");
    ordo_rlu_reader_unlock(t);
}

static void run_thread(void)
{
    int me = machine.running;
    struct ordo_rlu_thread *t = NULL;
    for (int i = 0; i < SECTIONS && !violated; i++) {
        machine.skew[me] = choose() ? machine.boundary : 0;
        if (i == 0 && ordo_rlu_thread_init(&rlu, &t)) {
            expect(0, "no memory");
            break;
        }
        if (script >> (me * SECTIONS + i) & 1)
            section_writes(t);
        else
            section_reads(t);
    }
    if (t)
        ordo_rlu_thread_finish(t);
    machine.done[me] = 1;
    machine.left--;
    (void)setcontext(&machine.scheduler);
}

static void schedule(int first)
{
    machine.left = THREADS;
    for (int i = 0; i < THREADS; i++) {
        machine.done[i] = 0;
        machine.skew[i] = 0;
        (void)getcontext(&machine.context[i]);
        machine.context[i].uc_stack.ss_sp = stacks[i];
        machine.context[i].uc_stack.ss_size = STACK_BYTES;
        makecontext(&machine.context[i], run_thread, 0);
    }
    for (machine.running = first; machine.left && !violated;) {
        (void)swapcontext(&machine.scheduler, &machine.context[machine.running]);
        if (!machine.done[1 - machine.running])
            machine.running = 1 - machine.running;
    }
    machine.running = -1;
}

static void run(int preemptions)
{
    struct ordo_rlu_options options = {.boundary_ticks = machine.boundary};
    struct ordo_rlu_thread *t;
    machine.true_time = 1000;
    machine.running = -1;
    machine.steps = 0;
    machine.preemptions = preemptions;
    committed = returned = 0;
    path.made = 0;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    for (int i = 0; i < 2; i++)
        *(numbers[i] = ordo_rlu_alloc(t, sizeof(struct number))) = (struct number){0};
    ordo_rlu_thread_finish(t);
    schedule(choose());
    for (int i = 0; i < 2; i++) {
        expect(ordo_rlu_header_of(numbers[i])->copy == NULL, "locked at the end");
        expect(numbers[i]->value == committed, "a commit is lost");
        ordo_rlu_discard(&rlu, numbers[i]);
    }
    ordo_rlu_destroy(&rlu);
}

/* All that differ in the names of the threads only are left out. */
static int is_new(unsigned what)
{
    unsigned mine = what & 3, other = what >> 2;
    return mine <= other && what != 0;
}

int main(int argc, char **argv)
{
    static const uint64_t boundaries[] = {8, 40};
    int preemptions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    unsigned long runs = 0;
    for (int b = 0; b < 2; b++)
        for (script = 0; script < 16; script++) {
            if (!is_new(script))
                continue;
            machine.boundary = boundaries[b];
            path.known = 0;
            do {
                run(preemptions);
                runs++;
                if (violated) {
                    printf("schedule %lu: %s (boundary %llu, script %x)\n", runs, violated,
                           (unsigned long long)machine.boundary, script);
                    return 1;
                }
            } while (advance());
        }
    printf("%lu schedules, all with at most %d preemptions\n", runs, preemptions);
    return 0;
}
