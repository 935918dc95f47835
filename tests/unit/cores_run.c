/* The simulated machine at work: its scheduler, its store buffers and its clocks. Each test is a program that
 * runs on a machine of six CPUs. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "lab/cores/clock/clock.h"
#include "lab/cores/run/buffer.h"
#include "lab/cores/run/run.h"
#include "lab/cores/run/schedule.h"
#include "lab/cores/wrap/futex.h"
#include "lab/cores/wrap/memory.h"

#define ORDO_CLOCK_INCLUDED_BY_CLOCK_H
#include "lab/cores/clock/cores_clock.h"

/* Of lab/cores/wrap/thread.c: the programs' pthread_create and pthread_join. */
int hooked_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int hooked_pthread_join(pthread_t thread, void **result);

enum {
    CPUS = 6,
    TRANSFER_PS = 50000,
    MEMORY_PS = 100000,
    L1_PS = 1000,
    L2_PS = 4000,
    QUANTUM_PS = 1000000,
    EXIT_STUCK = 70
};
enum {
    CALL_PS = 100000,
    WAKE_PS = 3000000,
    SWITCH_PS = 1500000,
    WAKE_CALL_PS = 700000,
    UPDATE_PS = 8000,
    FENCE_PS = 10000
};
enum { SECOND_PS = 2000, WALK_PS = 30000 };
enum { CLOCK_PS = 7000, CLOCK_LOAD_PS = 2000 };

static int core_of[CPUS] = {0, 1, 2, 3, 4, 5}, same[CPUS];
static uint32_t transfers_ps[CPUS * CPUS], memories_ps[1] = {MEMORY_PS};
static struct cores_machine machine;
static struct cores_options options;

static void machine_make(enum cores_order order)
{
    for (int i = 0; i < CPUS * CPUS; i++)
        transfers_ps[i] = TRANSFER_PS;
    machine = (struct cores_machine){.cpus = CPUS,
                                     .cores = CPUS,
                                     .clusters = 1,
                                     .nodes = 1,
                                     .core = core_of,
                                     .cluster = same,
                                     .node = same,
                                     .line_bytes = 64,
                                     .protocol = CORES_MESI,
                                     .order = order,
                                     .l1 = {1024, 4, L1_PS},
                                     .l2 = {4096, 4, L2_PS},
                                     .l3 = {16384, 8, 20000},
                                     .transfer_ps = transfers_ps,
                                     .memory_ps = memories_ps,
                                     .transfer_percent = {50, 85, 100},
                                     .overlap = {2, 5, 10},
                                     .store_entries = 16,
                                     .cycle_ps = 400,
                                     .instruction_ps = 200,
                                     .mispredict_ps = 4000,
                                     .call_ps = CALL_PS,
                                     .wake_ps = WAKE_PS,
                                     .wake_call_ps = WAKE_CALL_PS,
                                     .switch_ps = SWITCH_PS,
                                     .pause_ps = 20000,
                                     .update_ps = UPDATE_PS,
                                     .fence_ps = FENCE_PS,
                                     .clock_ps = CLOCK_PS,
                                     .clock_load_ps = CLOCK_LOAD_PS,
                                     .smt_percent = 100,
                                     .clock_hz = 1000000000};
    options = (struct cores_options){.machine = &machine, .seed = 1, .quantum_ps = QUANTUM_PS};
}

static int run_body(int argc, char **argv)
{
    (void)argc;
    ((void (*)(void))(uintptr_t)argv)();
    return 0;
}

static void run(void (*body)(void))
{
    struct ordo_error error;
    int result = -1;
    cr_assert_eq(cores_run(&options, run_body, 0, (char **)(uintptr_t)body, &result, &error), 0);
    cr_assert_eq(result, 0);
}

/* ---- threads ---- */

static struct {
    int at[64];
    int count;
} trail; /* the numbers of the threads, in the order in which they acted */
static uint64_t times_ps[64];

static int number_of(void *argument)
{
    return (int)(intptr_t)argument;
}

/* The calling thread acts when its turn has come. */
static void act(int number)
{
    cores_turn(cores.cpu->front_ps);
    times_ps[trail.count] = cores.cpu->front_ps;
    trail.at[trail.count++] = number;
}

static void expect_trail(const char *expected)
{
    char text[65] = {0};
    for (int i = 0; i < trail.count; i++)
        text[i] = (char)('0' + trail.at[i]);
    cr_expect_str_eq(text, expected);
}

static void start_and_join(void *(*const bodies[])(void *), int count)
{
    struct cores_thread *threads[CPUS];
    for (int i = 0; i < count; i++)
        threads[i] = cores_thread_make(bodies[i], (void *)(intptr_t)i);
    for (int i = 0; i < count; i++)
        (void)cores_thread_join(threads[i]);
}

static void start_equal(void *(*body)(void *), int count)
{
    void *(*bodies[CPUS])(void *);
    for (int i = 0; i < count; i++)
        bodies[i] = body;
    start_and_join(bodies, count);
}

/* Thread 0 needs 100 for each action, thread 1 needs 250. */
static void *act_at_own_speed(void *argument)
{
    cores_thread_pin(number_of(argument));
    for (int i = 0; i < 4; i++) {
        act(number_of(argument));
        cores_spend(number_of(argument) ? 250 : 100);
    }
    return NULL;
}

static void two_speeds(void)
{
    start_equal(act_at_own_speed, 2);
}

Test(cores_run, the_cpu_that_is_furthest_behind_acts_and_the_lowest_number_of_equals)
{
    machine_make(CORES_TSO);
    run(two_speeds);
    expect_trail("01001011"); /* 0: 0 100 200 300; 1: 0 250 500 750 */
    for (int i = 1; i < trail.count; i++)
        cr_expect_leq(times_ps[i - 1], times_ps[i]);
}

Test(cores_run, stalls_of_no_time_change_nothing)
{
    machine_make(CORES_TSO);
    options.stall_each_ps = 100;
    run(two_speeds);
    expect_trail("01001011");
}

static void *act_once(void *argument)
{
    cores_thread_pin(number_of(argument));
    act(number_of(argument));
    return argument;
}

static void six_equal(void)
{
    start_equal(act_once, CPUS);
}

Test(cores_run, equal_times_are_served_by_number)
{
    machine_make(CORES_TSO);
    run(six_equal);
    expect_trail("012345");
}

static void *sleep_and_act(void *argument)
{
    cores_thread_pin(number_of(argument));
    cores_sleep_until(1000000 * (uint64_t)(CPUS - number_of(argument)));
    act(number_of(argument));
    return NULL;
}

static void sleepers(void)
{
    start_equal(sleep_and_act, 3);
}

Test(cores_run, sleepers_wake_at_their_times)
{
    machine_make(CORES_TSO);
    run(sleepers);
    expect_trail("210");
    for (int i = 0; i < 3; i++)
        cr_expect_eq(times_ps[i], 1000000 * (uint64_t)(4 + i));
}

static int place;

static void *wait_and_act(void *argument)
{
    cores_thread_pin(number_of(argument));
    cores_spend((uint64_t)number_of(argument)); /* they come in the order of their numbers */
    cr_expect(cores_wait(&place, UINT64_MAX));
    act(number_of(argument));
    return NULL;
}

static void *wake_others(void *argument)
{
    cores_thread_pin(number_of(argument));
    cores_sleep_until(5000000);
    cr_expect_eq(cores_wake(&trail, 5), 0, "nobody waits for this address");
    cr_expect_eq(cores_wake(&place, 2), 2);
    cores_sleep_until(20000000);
    cr_expect_eq(cores_wake(&place, 5), 1);
    return NULL;
}

static void waiters(void)
{
    start_and_join((void *(*const[])(void *)){wait_and_act, wait_and_act, wait_and_act, wake_others}, 4);
}

Test(cores_run, waiters_are_woken_in_the_order_of_their_arrival)
{
    machine_make(CORES_TSO);
    run(waiters);
    expect_trail("012");
    cr_expect_eq(times_ps[0], 5000000 + WAKE_PS);
    cr_expect_eq(times_ps[1], 5000000 + WAKE_PS);
    cr_expect_eq(times_ps[2], 20000000 + WAKE_PS);
}

/* The second thread waits; the first one keeps their CPU until shortly after the wake-up, and ends. */
static void *keep_or_wait(void *argument)
{
    cores_thread_pin(2);
    if (number_of(argument)) {
        cr_expect(cores_wait(&place, UINT64_MAX));
        act(number_of(argument));
        return NULL;
    }
    cores_sleep_until(4000000);
    while (cores.cpu->front_ps < 5100000)
        cores_spend(100000);
    cr_expect_eq(trail.count, 0);
    return NULL;
}

static void *wake_at_five(void *argument)
{
    cores_thread_pin(1 + number_of(argument));
    cores_sleep_until(5000000);
    cr_expect_eq(cores_wake(&place, 1), 1);
    return NULL;
}

static void wake_on_a_busy_cpu(void)
{
    start_and_join((void *(*const[])(void *)){keep_or_wait, keep_or_wait, wake_at_five}, 3);
}

Test(cores_run, a_thread_woken_on_a_busy_cpu_does_not_run_before_its_wake_up_arrives)
{
    machine_make(CORES_TSO);
    options.quantum_ps = 100 * QUANTUM_PS;
    run(wake_on_a_busy_cpu);
    expect_trail("1");
    cr_expect_eq(times_ps[0], 5000000 + WAKE_PS);
}

static void wait_too_long(void)
{
    cr_expect_not(cores_wait(&place, 7000000));
    cr_expect_eq(cores.cpu->front_ps, 7000000);
    cr_expect_eq(cores_wake(&place, 1), 0, "it does not wait any more");
}

Test(cores_run, a_wait_ends_at_its_limit)
{
    machine_make(CORES_TSO);
    run(wait_too_long);
}

static int word;

static void refuse_wait(void)
{
    cores_thread_pin(0);
    uint64_t begin_ps = cores.cpu->front_ps;
    cr_expect(cores_futex_wait(&word, 1, UINT64_MAX));
    cr_expect_geq(cores.cpu->front_ps, begin_ps + CALL_PS + 2 * UPDATE_PS);
    cr_expect_lt(cores.cpu->front_ps, begin_ps + CALL_PS + 2 * UPDATE_PS + 3 * MEMORY_PS);
    cr_expect_not(cores_futex_wanted(&word));
    begin_ps = cores.cpu->front_ps;
    cores_futex_wake(&word, 1);
    cr_expect_eq(cores.cpu->front_ps, begin_ps + CALL_PS + L1_PS, "the number of waiters is in L1");
    cr_expect_not(cores_futex_wait(&word, 0, cores.cpu->front_ps + 50 * (uint64_t)WAKE_PS));
    cr_expect_not(cores_futex_wanted(&word));
}

Test(cores_run, a_futex_call_that_neither_sleeps_nor_wakes_is_short)
{
    machine_make(CORES_TSO);
    run(refuse_wait);
}

static void *sleep_on_word(void *argument)
{
    cores_thread_pin(1 + number_of(argument));
    cr_expect(cores_futex_wait(&word, 0, UINT64_MAX));
    act(number_of(argument));
    return NULL;
}

static void *wake_both(void *argument)
{
    cores_thread_pin(1 + number_of(argument));
    cores_sleep_until(9000000);
    cr_expect(cores_futex_wanted(&word));
    cores_futex_wake(&word, INT32_MAX);
    cr_expect_geq(cores.cpu->front_ps, 9000000 + CALL_PS + 2 * WAKE_CALL_PS);
    cr_expect_not(cores_futex_wanted(&word));
    return NULL;
}

static void sleepers_on_word(void)
{
    start_and_join((void *(*const[])(void *)){sleep_on_word, sleep_on_word, wake_both}, 3);
}

Test(cores_run, a_futex_call_pays_for_each_thread_that_it_wakes)
{
    machine_make(CORES_TSO);
    run(sleepers_on_word);
    expect_trail("01");
    cr_expect_geq(times_ps[0], 9000000 + WAKE_PS);
    cr_expect_geq(times_ps[1], times_ps[0] + WAKE_CALL_PS);
}

/* In each round, at about the same time, one thread waits for the word and the other one sets it. After a lost wake-up, the
 * first one would sleep for ever. */
static void *set_or_await(void *argument)
{
    uint64_t random = 1 + (uint64_t)number_of(argument);
    cores_thread_pin(number_of(argument));
    for (uint64_t round = 1; round <= 2000; round++) {
        cores_sleep_until(round * 100000000 + ordo_random_next(&random) % 600000);
        if (number_of(argument)) {
            for (int seen; cores_load((uintptr_t)&word, sizeof word), seen = word, seen == 0;)
                (void)cores_futex_wait(&word, seen, UINT64_MAX);
            cores_update((uintptr_t)&word, sizeof word, true);
            word = 0;
            continue;
        }
        cores_update((uintptr_t)&word, sizeof word, true);
        word = 1;
        cores_futex_wake(&word, 1);
    }
    return NULL;
}

static void two_in_turn(void)
{
    start_equal(set_or_await, 2);
}

Test(cores_run, a_futex_loses_no_wake_up)
{
    machine_make(CORES_TSO);
    options.stall_ps = 200000;
    options.stall_each_ps = 400000;
    run(two_in_turn);
    cr_expect_eq(word, 0);
    cr_expect_not(cores_futex_wanted(&word));
}

static void *work_long(void *argument)
{
    cores_thread_pin(1);
    cores_spend(9000000);
    return argument;
}

static void join_one(void)
{
    struct cores_thread *thread = cores_thread_make(work_long, &place);
    cr_expect_eq(cores_thread_join(thread), &place);
    cr_expect_geq(cores.cpu->front_ps, 9000000);
}

Test(cores_run, a_join_waits_for_the_end_and_returns_the_result)
{
    machine_make(CORES_TSO);
    run(join_one);
}

static void *share_a_cpu(void *argument)
{
    cores_thread_pin(2);
    for (int i = 0; i < 30; i++) {
        act(number_of(argument));
        cores_spend(QUANTUM_PS / 10);
    }
    return NULL;
}

static void two_on_one(void)
{
    start_equal(share_a_cpu, 2);
}

Test(cores_run, threads_of_one_cpu_take_turns_of_a_quantum)
{
    int turns = 0, longest = 0, now = 0;
    machine_make(CORES_TSO);
    run(two_on_one);
    cr_assert_eq(trail.count, 60);
    for (int i = 1; i < trail.count; i++) {
        bool other = trail.at[i] != trail.at[i - 1];
        turns += other;
        now = other ? 0 : now + 1;
        longest = now > longest ? now : longest;
        if (other)
            cr_expect_geq(times_ps[i] - times_ps[i - 1], SWITCH_PS);
    }
    cr_expect_geq(turns, 3);
    cr_expect_leq(longest, 12);
}

/* Threads 0 and 1 share a CPU. Thread 0 loses its quantum while it waits for a turn at 20 quanta, and thread 1 ends at once;
 * thread 2 acts at 10 quanta. */
static void *wait_beyond_quantum(void *argument)
{
    int number = number_of(argument);
    cores_thread_pin(number == 2 ? 1 : 2);
    if (number == 2)
        cores_sleep_until(10 * (uint64_t)QUANTUM_PS);
    if (number == 0) {
        cores_turn(QUANTUM_PS / 2); /* thread 1 comes to the CPU */
        cores_turn(20 * (uint64_t)QUANTUM_PS);
    }
    act(number);
    return NULL;
}

static void three_wait(void)
{
    start_equal(wait_beyond_quantum, 3);
}

Test(cores_run, a_thread_that_loses_its_quantum_while_it_waits_still_waits_for_its_turn)
{
    machine_make(CORES_TSO);
    run(three_wait);
    expect_trail("120");
}

static void wait_for_ever(void)
{
    (void)cores_wait(&place, UINT64_MAX);
}

Test(cores_run, a_deadlock_is_reported)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        machine_make(CORES_TSO);
        run(wait_for_ever);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_STUCK);
}

/* ---- store buffers ---- */

/* Variables on lines of their own. A line that no CPU has is fetched from memory; a store to it is visible then. */
static struct {
    uint64_t value;
    char rest[120];
} x __attribute__((aligned(128))), y __attribute__((aligned(128)));

static uint64_t load_of(const uint64_t *from, bool acquires)
{
    uint64_t value;
    cores_load((uintptr_t)from, sizeof *from);
    cores_buffer_load((uintptr_t)from, sizeof *from, &value);
    if (acquires && machine.order == CORES_WEAK)
        cores_drain(false);
    return value;
}

static void store_to(uint64_t *to, uint64_t value, bool releases)
{
    uint64_t visible_ps = cores_store_atomic((uintptr_t)to, sizeof *to, releases);
    cores_buffer_store((uintptr_t)to, sizeof *to, &value, visible_ps);
}

static void store_and_look(void)
{
    cores_thread_pin(0);
    store_to(&x.value, 1, false);
    store_to(&x.value, 2, false);
    cr_expect_eq(x.value, 0, "other CPUs do not see it");
    cr_expect_eq(load_of(&x.value, false), 2, "the CPU itself does");
    cores_fence();
    cr_expect_eq(x.value, 2);
}

Test(cores_run, a_cpu_sees_its_own_stores_before_others_do)
{
    machine_make(CORES_TSO);
    run(store_and_look);
}

Test(cores_run, a_cpu_of_a_weak_machine_sees_its_own_stores_too)
{
    machine_make(CORES_WEAK);
    run(store_and_look);
}

static bool second_releases;

/* The line of x is far, that of y is in the CPU's own cache: y's store is ready first. */
static void store_far_and_near(void)
{
    cores_thread_pin(0);
    store_to(&y.value, 1, true);
    cores_fence();
    store_to(&x.value, 1, false);
    store_to(&y.value, 2, second_releases);
    uint64_t begin_ps = cores.cpu->front_ps;
    bool reordered = false;
    for (int i = 0; i < 200 && x.value == 0; i++) {
        cores_spend(1000);
        reordered |= x.value == 0 && y.value == 2;
    }
    cr_expect_eq(x.value, 1);
    cr_expect_geq(cores.cpu->front_ps, begin_ps + MEMORY_PS / 2);
    cr_expect_eq(reordered, machine.order == CORES_WEAK && !second_releases);
}

Test(cores_run, stores_become_visible_in_order_on_a_machine_with_total_store_order)
{
    machine_make(CORES_TSO);
    run(store_far_and_near);
}

Test(cores_run, stores_of_a_weak_machine_overtake_each_other)
{
    machine_make(CORES_WEAK);
    run(store_far_and_near);
}

Test(cores_run, a_releasing_store_of_a_weak_machine_waits_for_earlier_ones)
{
    machine_make(CORES_WEAK);
    second_releases = true;
    run(store_far_and_near);
}

static void update_after_store(void)
{
    cores_thread_pin(0);
    store_to(&x.value, 1, false);
    cores_update((uintptr_t)&y.value, sizeof y.value, true);
    cr_expect_eq(x.value, 1);
}

Test(cores_run, an_atomic_update_that_releases_makes_earlier_stores_visible)
{
    machine_make(CORES_WEAK);
    run(update_after_store);
}

/* Hooks of plain accesses come before the access, which the program does itself. */
static void access_after_store(void)
{
    cores_thread_pin(0);
    store_to(&x.value, 1, false);
    cr_expect_eq(x.value, 0, "the store is still in its buffer");
    cores_load_plain((uintptr_t)&x.value, sizeof x.value);
    cr_expect_eq(x.value, 1);
    store_to(&y.value, 1, false);
    cores_store_plain((uintptr_t)&y.value, sizeof y.value);
    y.value = 2;
    cores_fence();
    cr_expect_eq(y.value, 2, "the earlier store does not come afterwards");
}

Test(cores_run, a_plain_access_comes_after_the_earlier_atomic_store_of_its_thread)
{
    machine_make(CORES_TSO);
    run(access_after_store);
}

static void *store_and_end(void *argument)
{
    cores_thread_pin(1);
    store_to(&x.value, 1, false);
    return argument;
}

static void join_after_store(void)
{
    memories_ps[0] = 20 * WAKE_PS;
    (void)cores_thread_join(cores_thread_make(store_and_end, NULL));
    cr_expect_eq(x.value, 1);
}

Test(cores_run, a_join_sees_the_stores_of_the_thread)
{
    machine_make(CORES_TSO);
    run(join_after_store);
}

static void move_after_store(void)
{
    memories_ps[0] = 20 * WAKE_PS;
    cores_thread_pin(0);
    store_to(&x.value, 1, false);
    cores_thread_pin(1);
    cr_expect_eq(load_of(&x.value, false), 1);
}

Test(cores_run, a_thread_that_moves_to_another_cpu_sees_its_own_stores)
{
    machine_make(CORES_TSO);
    run(move_after_store);
}

static void grow_after_store(void)
{
    cores_thread_pin(0);
    uint64_t *block = hooked_calloc(1, sizeof *block);
    store_to(block, 1, true);
    cr_expect_eq(*block, 0, "the store is still in its buffer");
    block = hooked_realloc(block, 4096);
    cr_expect_eq(*block, 1);
}

Test(cores_run, a_block_that_moves_keeps_the_stores_in_flight)
{
    struct ordo_error error;
    machine_make(CORES_TSO);
    cr_assert_eq(cores_memory_open(CPUS, &error), 0);
    run(grow_after_store);
}

/* Thread 0 buffers its store first, and the store becomes visible last. No CPU acts between the two times. */
static void *store_and_sleep(void *argument)
{
    uint64_t value = number_of(argument) ? 1 : 2, visible_ps = 10000000 * value;
    cores_thread_pin(number_of(argument));
    cores_buffer_store((uintptr_t)&x.value, sizeof x.value, &value, visible_ps);
    cores_sleep_until(40000000);
    return NULL;
}

static void *look_after_stores(void *argument)
{
    cores_thread_pin(number_of(argument));
    cores_sleep_until(9000000);
    cr_expect_eq(x.value, 0);
    cores_sleep_until(30000000);
    cr_expect_eq(x.value, 2, "the later store is the last one");
    return NULL;
}

static void two_stores(void)
{
    start_and_join((void *(*const[])(void *)){store_and_sleep, store_and_sleep, look_after_stores}, 3);
}

Test(cores_run, due_stores_of_several_cpus_become_visible_in_the_order_of_their_times)
{
    machine_make(CORES_TSO);
    run(two_stores);
}

static void *look_at_x(void *argument)
{
    cr_expect_eq(load_of(&x.value, true), 1);
    return argument;
}

/* The creator's store stays in its buffer for longer than the new thread needs to start. */
static void store_and_create(void)
{
    pthread_t thread;
    void *result = NULL;
    memories_ps[0] = 20 * WAKE_PS;
    cores_thread_pin(0);
    store_to(&x.value, 1, false);
    cr_expect_eq(x.value, 0, "the store is still in its buffer");
    cr_expect_eq(hooked_pthread_create(&thread, NULL, look_at_x, &place), 0);
    cr_expect_eq(hooked_pthread_join(thread, &result), 0);
    cr_expect_eq(result, &place);
    cr_expect_lt(cores.cpu->front_ps, 10 * (uint64_t)WAKE_PS, "the store would not be visible by itself");
}

Test(cores_run, a_new_thread_sees_the_stores_of_its_creator)
{
    machine_make(CORES_TSO);
    run(store_and_create);
}

Test(cores_run, a_new_thread_of_a_weak_machine_sees_the_stores_of_its_creator)
{
    machine_make(CORES_WEAK);
    run(store_and_create);
}

/* The store of a thread stays in its buffer for longer than another CPU's fence for all takes. */
static void *store_late(void *argument)
{
    if (argument)
        cores_thread_pin(1);
    store_to(&x.value, 1, false);
    cores_sleep_until(40 * (uint64_t)WAKE_PS);
    return NULL;
}

static bool storer_is_pinned;

static void fence_for_all(void)
{
    memories_ps[0] = 20 * WAKE_PS;
    struct cores_thread *thread = cores_thread_make(store_late, storer_is_pinned ? &place : NULL);
    cores_sleep_until(WAKE_PS);
    cr_expect_eq(x.value, 0);
    cores_fence_all();
    cr_expect_eq(x.value, 1);
    (void)cores_thread_join(thread);
}

Test(cores_run, a_fence_for_all_makes_the_stores_of_pinned_threads_visible)
{
    machine_make(CORES_TSO);
    storer_is_pinned = true;
    run(fence_for_all);
}

Test(cores_run, a_fence_for_all_makes_the_stores_of_unpinned_threads_visible)
{
    machine_make(CORES_TSO);
    run(fence_for_all);
}

/* ---- clocks ---- */

Test(cores_run, a_clock_shows_virtual_time_with_its_skew_and_rate)
{
    struct cores_cpu plain = {0}, ahead = {.skew_ticks = 30}, fast = {.rate_ppb = 1000000};
    machine_make(CORES_TSO);
    machine.clock_hz = 10000000; /* a tick is 100 ns */
    cores.machine = &machine;
    uint64_t begin = cores_clock_ticks(&plain, 0);
    cr_expect_eq(cores_clock_ticks(&plain, 99999), begin);
    cr_expect_eq(cores_clock_ticks(&plain, 100000), begin + 1);
    cr_expect_eq(cores_clock_ticks(&ahead, 99999), begin + 30, "all clocks tick at the same moment");
    cr_expect_eq(cores_clock_ticks(&ahead, 100000), begin + 31);
    cr_expect_eq(cores_clock_ticks(&fast, 1000000000000), begin + 10010000);
    cr_expect_eq(cores_clock_ticks(&plain, UINT64_C(3600) * 1000000000000), begin + UINT64_C(36000000000), "an hour");
}

static int64_t least_skew, most_skew;

static void look_at_clocks(void)
{
    for (int i = 0; i < CPUS; i++) {
        int64_t skew = cores_cpu_at(i)->skew_ticks;
        least_skew = skew < least_skew ? skew : least_skew;
        most_skew = skew > most_skew ? skew : most_skew;
    }
}

Test(cores_run, two_clocks_differ_by_the_skew_and_not_by_more)
{
    machine_make(CORES_TSO);
    options.skew_ticks = 1000;
    run(look_at_clocks);
    cr_expect_eq(least_skew, 0);
    cr_expect_eq(most_skew, 1000);
}

/* Returns by how much a read of the clock is later than its begin, in ticks of 1 ns, behind a load and a store. */
static uint64_t read_behind(uint64_t (*read)(void), bool loads, bool stores)
{
    cores_drain(true);
    cores_caches_forget(cores.caches);
    uint64_t begin = cores_clock_ticks(cores.cpu, cores.cpu->front_ps);
    if (loads)
        (void)load_of(&x.value, false);
    if (stores)
        store_to(&y.value, 1, true);
    return read() - begin;
}

static void read_clocks(void)
{
    const uint64_t load = MEMORY_PS / 1000 - 45; /* the front waits for a load that is too far behind */
    cores_thread_pin(0);
    cr_expect_lt(read_behind(ordo_clock_relaxed, true, true), load);
    cr_expect_lt(read_behind(ordo_clock_read_before, true, true), load);
    cr_expect_geq(read_behind(ordo_clock_read_after, true, false), MEMORY_PS / 1000);
    cr_expect_geq(read_behind(ordo_clock_read, true, false), MEMORY_PS / 1000);
    cr_expect_lt(read_behind(ordo_clock_read, false, true), MEMORY_PS / 1000);
    cr_expect_geq(read_behind(ordo_clock_read_full, false, true), MEMORY_PS / 1000);
    cr_expect_geq(read_behind(ordo_clock_read_after_full, false, true), MEMORY_PS / 1000);
}

Test(cores_run, an_ordered_read_of_the_clock_waits_for_loads_and_a_full_one_for_stores_too)
{
    machine_make(CORES_TSO);
    run(read_clocks);
}

static void hold_back(void)
{
    cores_thread_pin(0);
    uint64_t ticks = ordo_clock_read();
    cr_expect_geq(cores_clock_ticks(cores.cpu, cores.cpu->front_ps), ticks + CLOCK_LOAD_PS / 1000);
    ticks = ordo_clock_read_after();
    cr_expect_eq(cores_clock_ticks(cores.cpu, cores.cpu->front_ps), ticks);
}

Test(cores_run, later_accesses_come_after_an_ordered_read)
{
    machine_make(CORES_TSO);
    run(hold_back);
}

static _Alignas(64) uint64_t two_lines[16];

/* Returns the time from now until the value of a load is known. */
static uint64_t loaded_after(const uint64_t *loaded)
{
    uint64_t begin_ps = cores.cpu->front_ps;
    cores_load((uintptr_t)loaded, sizeof *loaded);
    return cores.cpu->known_ps[CORES_VALUE_LOADED] - begin_ps;
}

static void read_lines_under_way(void)
{
    cores_thread_pin(0);
    cr_expect_eq(loaded_after(&two_lines[0]), MEMORY_PS);
    cr_expect_eq(loaded_after(&two_lines[1]), MEMORY_PS);
    cores_prefetch((uintptr_t)&two_lines[8], CORES_READ);
    cores_spend(MEMORY_PS / 2);
    cr_expect_eq(loaded_after(&two_lines[8]), MEMORY_PS / 2);
    cores_spend(MEMORY_PS);
    cr_expect_eq(loaded_after(&two_lines[1]), L1_PS);
    cr_expect_eq(loaded_after(&two_lines[8]), L1_PS);
}

Test(cores_run, a_load_waits_for_its_line_that_is_under_way)
{
    machine_make(CORES_TSO);
    run(read_lines_under_way);
}

/* Five lines of one set of L1, which has four ways, and of one page. */
static _Alignas(4096) uint64_t one_set[5 * 32];

/* Makes L1 lose the first line, which L2 keeps. */
static void evict_first_line(void)
{
    for (int line = 1; line < 5; line++) {
        (void)loaded_after(&one_set[(size_t)line * 32]);
        cores_spend(2 * MEMORY_PS);
    }
}

static void read_lines_of_l2(void)
{
    cores_thread_pin(0);
    (void)loaded_after(&one_set[0]);
    cores_spend(2 * MEMORY_PS);
    evict_first_line();
    cr_expect_eq(loaded_after(&one_set[0]), L2_PS);
    cr_expect_eq(loaded_after(&one_set[1]), L2_PS);
    cores_spend(MEMORY_PS);
    cr_expect_eq(loaded_after(&one_set[0]), L1_PS);
    evict_first_line();
    cores_prefetch((uintptr_t)&one_set[0], CORES_READ);
    cores_spend(L2_PS / 4);
    cr_expect_eq(loaded_after(&one_set[0]), L2_PS - L2_PS / 4);
}

Test(cores_run, a_line_of_l2_takes_the_time_of_l2_until_its_data_are_in_l1)
{
    machine_make(CORES_TSO);
    run(read_lines_of_l2);
}

static void read_pages(void)
{
    cores_thread_pin(0);
    cr_expect_eq(loaded_after(&one_set[0]), WALK_PS + MEMORY_PS);
    cores_spend(2 * (WALK_PS + MEMORY_PS));
    cr_expect_eq(loaded_after(&one_set[0]), L1_PS);
    for (uintptr_t page = 1; page <= 8; page++)
        (void)cores_tlb_translate(&cores.tlb, 0, (uintptr_t)one_set + page * 4096);
    cr_expect_eq(loaded_after(&one_set[0]), SECOND_PS + L1_PS);
}

Test(cores_run, a_load_waits_for_the_translation_of_its_page)
{
    machine_make(CORES_TSO);
    machine.tlb = (struct cores_pages){8, 16, 4096, SECOND_PS, WALK_PS};
    run(read_pages);
}

static void load_behind_an_address(void)
{
    cores_thread_pin(0);
    (void)loaded_after(&two_lines[0]);
    cores_spend(MEMORY_PS);
    cores.cpu->known_ps[CORES_VALUE_ARGUMENT] = cores.cpu->front_ps + 7000;
    cores_hook_begin(0);
    cr_expect_eq(loaded_after(&two_lines[0]), 7000 + L1_PS);
}

Test(cores_run, a_load_waits_for_the_register_of_its_address)
{
    machine_make(CORES_TSO);
    run(load_behind_an_address);
}

static void store_to_an_owned_line(void)
{
    cores_thread_pin(0);
    (void)cores_store_atomic((uintptr_t)&two_lines[0], 8, false);
    cores_drain(true);
    uint64_t front_ps = cores.cpu->front_ps;
    cr_expect_eq(cores_store_atomic((uintptr_t)&two_lines[0], 8, false) - front_ps, machine.cycle_ps);
}

Test(cores_run, a_store_to_an_owned_line_takes_a_cycle)
{
    machine_make(CORES_TSO);
    run(store_to_an_owned_line);
}
