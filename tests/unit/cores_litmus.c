/* Litmus tests of a simulated machine: small programs whose outcomes tell which orders it keeps. They call the hooks that the
 * compiler puts at each atomic operation (lab/cores/hooks/atomic.c), as the simulated programs do. */
#include <criterion/criterion.h>
#include <stdint.h>

#include "base/random.h"
#include "lab/cores/run/run.h"
#include "lab/cores/run/schedule.h"

enum { CPUS = 4, STEPS = 4, ROUNDS = 400, TRANSFER_PS = 50000, WAKE_PS = 3000000, LATE_PS = 200000, APART_PS = 300000 };

typedef uint64_t value64; /* the hooks of 64 bits */
value64 __tsan_atomic64_load(const volatile value64 *address, int order);
void __tsan_atomic64_store(volatile value64 *address, value64 value, int order);
value64 __tsan_atomic64_fetch_add(volatile value64 *address, value64 operand, int order);
void __tsan_atomic_thread_fence(int order);

enum variable { X, Y, VARIABLES };
enum operation { END, STORE, LOAD, ADD, FENCE };

/* A store writes 1, an addition adds 1 to 0. */
struct step {
    enum operation operation;
    enum variable variable;
    int order;
    uint64_t sees; /* of a load in the outcome in question */
};

struct litmus {
    enum cores_order machine;
    int threads;
    struct step steps[CPUS][STEPS];
};

static const struct litmus *litmus;
static struct {
    _Alignas(128) value64 value;
} variables[VARIABLES], wakes;
static value64 loaded[CPUS][STEPS];
static int arrived, rounds, outcomes, matches[CPUS][STEPS];

/* ---- the machine ---- */

static int cpu_numbers[CPUS] = {0, 1, 2, 3}, zeros[CPUS];
static uint32_t transfers_ps[CPUS * CPUS], memories_ps[1] = {100000};
static struct cores_machine machine = {.cpus = CPUS,
                                       .cores = CPUS,
                                       .clusters = 1,
                                       .nodes = 1,
                                       .core = cpu_numbers,
                                       .cluster = zeros,
                                       .node = zeros,
                                       .line_bytes = 64,
                                       .protocol = CORES_MESI,
                                       .l1 = {1024, 4, 1000},
                                       .l2 = {4096, 4, 4000},
                                       .l3 = {16384, 8, 20000},
                                       .transfer_ps = transfers_ps,
                                       .memory_ps = memories_ps,
                                       .transfer_percent = {50, 85, 100},
                                       .overlap = {2, 5, 10},
                                       .store_entries = 16,
                                       .cycle_ps = 400,
                                       .instruction_ps = 200,
                                       .mispredict_ps = 4000,
                                       .call_ps = 100000,
                                       .wake_ps = WAKE_PS,
                                       .switch_ps = 1500000,
                                       .pause_ps = 20000,
                                       .update_ps = 8000,
                                       .fence_ps = 10000,
                                       .clock_ps = 7000,
                                       .clock_load_ps = 2000,
                                       .smt_percent = 100,
                                       .clock_hz = 1000000000};

/* ---- the threads ---- */

static void clear_variables(void)
{
    for (int i = 0; i < VARIABLES; i++)
        variables[i].value = 0;
}

static void count_outcome(void)
{
    bool all = true;
    rounds++;
    for (int thread = 0; thread < litmus->threads; thread++)
        for (int i = 0; i < STEPS; i++) {
            const struct step *step = &litmus->steps[thread][i];
            bool same = step->operation == LOAD && loaded[thread][i] == step->sees;
            matches[thread][i] += same;
            all &= same || step->operation != LOAD;
        }
    outcomes += all;
}

/* The last thread that arrives calls `between`, and all threads leave at about the same time. */
static void meet_others(void (*between)(void))
{
    cores_fence();
    if (++arrived < litmus->threads) {
        (void)cores_wait(&wakes, UINT64_MAX);
        return;
    }
    arrived = 0;
    cores_spend(WAKE_PS);
    between();
    (void)cores_wake(&wakes, CPUS);
    cores_sleep_until(cores.cpu->front_ps + WAKE_PS);
}

static void do_step(const struct step *step, value64 *result)
{
    value64 *variable = &variables[step->variable].value;
    if (step->operation == STORE)
        __tsan_atomic64_store(variable, 1, step->order);
    else if (step->operation == LOAD)
        *result = __tsan_atomic64_load(variable, step->order);
    else if (step->operation == ADD)
        (void)__tsan_atomic64_fetch_add(variable, 1, step->order);
    else if (step->operation == FENCE)
        __tsan_atomic_thread_fence(step->order);
}

static void *run_thread(void *argument)
{
    int thread = (int)(intptr_t)argument;
    uint64_t random = 1 + (uint64_t)thread;
    cores_thread_pin(thread);
    for (int round = 0; round < ROUNDS; round++) {
        meet_others(clear_variables);
        cores_spend(ordo_random_next(&random) % APART_PS);
        for (int i = 0; i < STEPS; i++)
            do_step(&litmus->steps[thread][i], &loaded[thread][i]);
        meet_others(count_outcome);
    }
    return NULL;
}

static int run_threads(int argc, char **argv)
{
    struct cores_thread *threads[CPUS];
    (void)argc;
    (void)argv;
    for (int i = 0; i < litmus->threads; i++)
        threads[i] = cores_thread_make(run_thread, (void *)(intptr_t)i);
    for (int i = 0; i < litmus->threads; i++)
        (void)cores_thread_join(threads[i]);
    return 0;
}

/* Runs the program on a machine whose stores stay in their buffer for up to LATE_PS, and whose CPUs never stall. Each load
 * alone must see its value sometimes: the outcome is not excluded by the times at which the threads run. */
static void litmus_run(const struct litmus *tested)
{
    struct ordo_error error;
    int result = -1;
    struct cores_options options = {.machine = &machine,
                                    .seed = 1,
                                    .quantum_ps = 1000000,
                                    .stall_ps = LATE_PS,
                                    .stall_each_ps = UINT64_C(1000000000000000)};
    litmus = tested;
    machine.order = tested->machine;
    for (int i = 0; i < CPUS * CPUS; i++)
        transfers_ps[i] = TRANSFER_PS;
    cr_assert_eq(cores_run(&options, run_threads, 0, NULL, &result, &error), 0);
    cr_assert_eq(rounds, ROUNDS);
    for (int thread = 0; thread < litmus->threads; thread++)
        for (int i = 0; i < STEPS; i++)
            cr_expect(litmus->steps[thread][i].operation != LOAD || matches[thread][i] > 0, "thread %d, step %d",
                      thread, i);
}

#define NEVER(name, ...)                                                                                               \
    Test(cores_litmus, name)                                                                                           \
    {                                                                                                                  \
        static const struct litmus tested = __VA_ARGS__;                                                               \
        litmus_run(&tested);                                                                                           \
        cr_expect_eq(outcomes, 0, "%d times", outcomes);                                                               \
    }

#define SEEN(name, ...)                                                                                                \
    Test(cores_litmus, name)                                                                                           \
    {                                                                                                                  \
        static const struct litmus tested = __VA_ARGS__;                                                               \
        litmus_run(&tested);                                                                                           \
        cr_expect(outcomes > 0 && outcomes < ROUNDS, "%d times", outcomes);                                            \
    }

#define ALWAYS(name, ...)                                                                                              \
    Test(cores_litmus, name)                                                                                           \
    {                                                                                                                  \
        static const struct litmus tested = __VA_ARGS__;                                                               \
        litmus_run(&tested);                                                                                           \
        cr_expect_eq(outcomes, ROUNDS);                                                                                \
    }

#define RELAXED __ATOMIC_RELAXED
#define ACQUIRE __ATOMIC_ACQUIRE
#define RELEASE __ATOMIC_RELEASE
#define SEQ_CST __ATOMIC_SEQ_CST

/* clang-format off */

/* ---- store buffering: each thread misses the other's store ---- */

#define BUFFERING(machine, first, store, load)                                                                         \
    {machine, 2, {{{STORE, X, store, 0}, first, {LOAD, Y, load, 0}},                                                   \
                  {{STORE, Y, store, 0}, first, {LOAD, X, load, 0}}}}
#define NO_STEP {END, X, 0, 0}
#define FENCE_OF(order) {FENCE, X, order, 0}
#define ADD_TO(variable, order) {ADD, variable, order, 0}

SEEN(store_buffering_with_total_store_order, BUFFERING(CORES_TSO, NO_STEP, RELEASE, ACQUIRE))
SEEN(store_buffering_with_weak_order, BUFFERING(CORES_WEAK, NO_STEP, RELAXED, RELAXED))
SEEN(store_buffering_with_release_and_acquire, BUFFERING(CORES_WEAK, NO_STEP, RELEASE, ACQUIRE))
SEEN(store_buffering_with_a_release_fence, BUFFERING(CORES_WEAK, FENCE_OF(RELEASE), RELAXED, RELAXED))
NEVER(no_store_buffering_with_seq_cst_and_total_store_order, BUFFERING(CORES_TSO, NO_STEP, SEQ_CST, SEQ_CST))
NEVER(no_store_buffering_with_seq_cst_and_weak_order, BUFFERING(CORES_WEAK, NO_STEP, SEQ_CST, SEQ_CST))
NEVER(no_store_buffering_with_a_full_fence_and_total_store_order, BUFFERING(CORES_TSO, FENCE_OF(SEQ_CST), RELAXED, RELAXED))
NEVER(no_store_buffering_with_a_full_fence_and_weak_order, BUFFERING(CORES_WEAK, FENCE_OF(SEQ_CST), RELAXED, RELAXED))
NEVER(no_store_buffering_by_atomic_additions_with_total_store_order,
      {CORES_TSO, 2, {{ADD_TO(X, RELAXED), {LOAD, Y, RELAXED, 0}}, {ADD_TO(Y, RELAXED), {LOAD, X, RELAXED, 0}}}})

/* ---- message passing: the reader sees the flag, and not the message ---- */

#define PASSING(machine, first, flag, second, load)                                                                    \
    {machine, 2, {{{STORE, X, RELAXED, 0}, first, flag},                                                               \
                  {{LOAD, Y, load, 1}, second, {LOAD, X, RELAXED, 0}}}}
#define FLAG(order) {STORE, Y, order, 0}

NEVER(messages_pass_in_order_with_total_store_order, PASSING(CORES_TSO, NO_STEP, FLAG(RELAXED), NO_STEP, RELAXED))
SEEN(messages_are_overtaken_by_relaxed_flags, PASSING(CORES_WEAK, NO_STEP, FLAG(RELAXED), NO_STEP, ACQUIRE))
SEEN(messages_are_overtaken_in_spite_of_an_acquire_fence_of_the_writer,
     PASSING(CORES_WEAK, FENCE_OF(ACQUIRE), FLAG(RELAXED), NO_STEP, ACQUIRE))
SEEN(messages_are_overtaken_by_a_relaxed_addition, PASSING(CORES_WEAK, NO_STEP, ADD_TO(Y, RELAXED), NO_STEP, ACQUIRE))
NEVER(messages_pass_in_order_with_release_and_acquire,
      PASSING(CORES_WEAK, NO_STEP, FLAG(RELEASE), NO_STEP, ACQUIRE))
NEVER(messages_pass_in_order_with_seq_cst, PASSING(CORES_WEAK, NO_STEP, FLAG(SEQ_CST), NO_STEP, SEQ_CST))
NEVER(messages_pass_in_order_with_a_releasing_addition,
      PASSING(CORES_WEAK, NO_STEP, ADD_TO(Y, RELEASE), NO_STEP, ACQUIRE))
NEVER(messages_pass_in_order_with_a_release_fence_and_an_acquire_fence,
      PASSING(CORES_WEAK, FENCE_OF(RELEASE), FLAG(RELAXED), FENCE_OF(ACQUIRE), RELAXED))
NEVER(messages_pass_in_order_with_a_release_fence_before_an_addition,
      PASSING(CORES_WEAK, FENCE_OF(RELEASE), ADD_TO(Y, RELAXED), FENCE_OF(ACQUIRE), RELAXED))
NEVER(messages_pass_in_order_with_full_fences,
      PASSING(CORES_WEAK, FENCE_OF(SEQ_CST), FLAG(RELAXED), FENCE_OF(SEQ_CST), RELAXED))

/* ---- load buffering: each thread sees the other's later store ----
 * The language allows it for relaxed accesses; this machine performs loads in program order, like all that are known. */

#define LOADS_FIRST(machine, load, store)                                                                              \
    {machine, 2, {{{LOAD, X, load, 1}, {STORE, Y, store, 0}}, {{LOAD, Y, load, 1}, {STORE, X, store, 0}}}}

NEVER(no_load_buffering_with_total_store_order, LOADS_FIRST(CORES_TSO, RELAXED, RELAXED))
NEVER(no_load_buffering_with_release_and_acquire, LOADS_FIRST(CORES_WEAK, ACQUIRE, RELEASE))
NEVER(no_load_buffering_with_relaxed_accesses, LOADS_FIRST(CORES_WEAK, RELAXED, RELAXED))

/* ---- independent reads of independent writes: two readers disagree about the order of two stores ---- */

#define INDEPENDENT(machine, store, load)                                                                              \
    {machine, 4, {{{STORE, X, store, 0}}, {{STORE, Y, store, 0}},                                                      \
                  {{LOAD, X, load, 1}, {LOAD, Y, load, 0}}, {{LOAD, Y, load, 1}, {LOAD, X, load, 0}}}}

NEVER(readers_agree_with_total_store_order, INDEPENDENT(CORES_TSO, RELAXED, RELAXED))
NEVER(readers_agree_with_release_and_acquire, INDEPENDENT(CORES_WEAK, RELEASE, ACQUIRE))
NEVER(readers_agree_with_seq_cst, INDEPENDENT(CORES_WEAK, SEQ_CST, SEQ_CST))
NEVER(readers_agree_with_relaxed_accesses, INDEPENDENT(CORES_WEAK, RELAXED, RELAXED))

/* ---- one thread: it sees its own store, which is still in the buffer ---- */

#define ALONE(machine) {machine, 1, {{{STORE, X, RELAXED, 0}, {LOAD, X, RELAXED, 1}}}}

ALWAYS(a_thread_sees_its_own_store_with_total_store_order, ALONE(CORES_TSO))
ALWAYS(a_thread_sees_its_own_store_with_weak_order, ALONE(CORES_WEAK))
