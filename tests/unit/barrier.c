/* Barriers and schemes of measurement on the simulated cluster, judged by its true time. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cluster/barrier/barrier.h"
#include "cluster/barrier/scheme.h"
#include "cluster/sync/sync.h"
#include "cluster/transport/sim.h"

enum { MOST_RANKS = 128 };

/** One barrier, called when each rank has slept for a random time. */
struct crossing {
    int (*run)(struct ordo_transport *transport);
    int64_t arrived_ns[MOST_RANKS], left_ns[MOST_RANKS];
};

static int cross(struct ordo_transport *world, void *context)
{
    struct crossing *crossing = context;
    uint64_t random = (uint64_t)world->rank;
    ordo_sim_sleep_until(world, (int64_t)(1e6 * ordo_random_unit(&random)));
    crossing->arrived_ns[world->rank] = ordo_sim_true_ns(world);
    int code = crossing->run(world);
    crossing->left_ns[world->rank] = ordo_sim_true_ns(world);
    return code;
}

/* Returns the number of messages, and sets `*early` if a rank left before another had arrived. */
static uint64_t messages_of(int (*run)(struct ordo_transport *), int ranks, bool *early)
{
    struct crossing crossing = {.run = run};
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    options.ranks = ranks;
    cr_assert_eq(ordo_sim_run(&options, cross, &crossing, &result, NULL), 0);
    int64_t last_ns = 0;
    for (int i = 0; i < ranks; i++)
        last_ns = crossing.arrived_ns[i] > last_ns ? crossing.arrived_ns[i] : last_ns;
    *early = false;
    for (int i = 0; i < ranks; i++)
        *early |= crossing.left_ns[i] < last_ns;
    return result.messages;
}

Test(barrier, no_rank_leaves_before_the_last_arrives)
{
    bool early;
    for (const struct ordo_barrier *const *at = ordo_barriers; *at; at++)
        for (int ranks = 1; ranks <= MOST_RANKS; ranks += ranks < 20 ? 1 : 27) {
            (void)messages_of((*at)->run, ranks, &early);
            cr_assert(!early, "%s, %d ranks", (*at)->name, ranks);
        }
}

static int no_barrier(struct ordo_transport *transport)
{
    (void)transport;
    return ORDO_OK;
}

Test(barrier, the_judge_sees_a_barrier_that_does_not_wait)
{
    bool early;
    (void)messages_of(no_barrier, 4, &early);
    cr_assert(early);
}

static uint64_t expected_messages(const char *name, uint64_t p)
{
    uint64_t power = 1, floor = 0, ceiling = 0;
    for (; power * 2 <= p; power *= 2)
        floor++;
    ceiling = floor + (power < p);
    return strcmp(name, "double-ring") == 0          ? (p > 1 ? 2 * p : 0)
           : strcmp(name, "recursive-doubling") == 0 ? power * floor + 2 * (p - power)
           : strcmp(name, "bruck") == 0              ? p * ceiling
                                                     : 2 * (p - 1);
}

Test(barrier, each_algorithm_sends_its_number_of_messages)
{
    static const int sizes[] = {1, 2, 3, 7, 8, 9, 100, 128};
    bool early;
    for (const struct ordo_barrier *const *at = ordo_barriers; *at; at++)
        for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
            cr_assert_eq(messages_of((*at)->run, sizes[i], &early), expected_messages((*at)->name, (uint64_t)sizes[i]),
                         "%s, %d ranks", (*at)->name, sizes[i]);
}

Test(barrier, a_barrier_is_found_by_its_name)
{
    cr_assert_str_eq(ordo_barrier_find("double-ring")->name, "double-ring");
    cr_assert_null(ordo_barrier_find("ring"));
}

/** A measurement of an operation that lasts 10 us on even ranks and 30 us on odd ones. */
struct measurement {
    int rounds;
    struct ordo_scheme_times times;
    struct ordo_scheme_round round;
};

static int run_tree(struct ordo_transport *world, void *context)
{
    (void)context;
    return ordo_barrier_find("tree")->run(world);
}

static int lasts(struct ordo_transport *world, void *context)
{
    (void)context;
    ordo_sim_sleep_until(world, ordo_sim_true_ns(world) + (world->rank % 2 ? 30000 : 10000));
    return ORDO_OK;
}

static int measure(struct ordo_transport *world, void *context)
{
    struct measurement *measurement = context, own = *measurement, *mine = world->rank ? &own : measurement;
    struct ordo_sync_options options = ordo_sync_defaults();
    struct ordo_harmonizer harmonizer = {0};
    struct ordo_model model;
    mine->times.longest_ns = calloc((size_t)mine->rounds, sizeof(int64_t));
    options.common_residual_ns = 0;
    options.common_at_ns = options.common_since_ns = world->now_ns(world);
    int code = ordo_sync_run(world, &options, NULL, &model, NULL);
    code = code ? code : ordo_scheme_by_barrier(world, run_tree, lasts, NULL, mine->rounds, &mine->times);
    code = code ? code : ordo_scheme_by_time(world, &model, 0, &harmonizer, lasts, NULL, &mine->round);
    code = code ? code : ordo_scheme_by_time(world, &model, 0, &harmonizer, lasts, NULL, &mine->round);
    if (world->rank)
        free(mine->times.longest_ns);
    return code;
}

static struct measurement measured(int ranks, int rounds)
{
    struct measurement measurement = {.rounds = rounds};
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    options.ranks = ranks;
    cr_assert_eq(ordo_sim_run(&options, measure, &measurement, &result, NULL), 0);
    return measurement;
}

Test(scheme, after_a_barrier_each_rank_times_its_own_call)
{
    enum { ROUNDS = 1500 }; /* several messages of numbers */
    struct measurement measurement = measured(16, ROUNDS);
    cr_assert_float_eq(measurement.times.mean_ns, 20000, 100);
    cr_assert_float_eq(measurement.times.slowest_ns, 30000, 100);
    for (int i = 0; i < ROUNDS; i++)
        cr_assert_float_eq((double)measurement.times.longest_ns[i], 30000, 100, "round %d", i);
    free(measurement.times.longest_ns);
}

Test(scheme, by_time_a_run_ends_with_the_last_rank)
{
    struct measurement measurement = measured(16, 1);
    cr_assert(!measurement.round.late);
    cr_assert_float_eq((double)measurement.round.run_ns, 30000, 500);
    cr_assert_float_eq((double)measurement.round.imbalance_ns, 20000, 500);
    free(measurement.times.longest_ns);
}
