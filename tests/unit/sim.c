/* The simulated cluster itself, because every other test on it relies on its correctness. */
#include <criterion/criterion.h>

#include "cluster/transport/sim.h"

/* Returns the options of a cluster without disturbances; each test adds its own. */
static struct ordo_sim_options quiet(int ranks)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    options.ranks = ranks;
    options.ranks_per_socket = options.sockets_per_node = 1;
    options.jitter_ns = 0;
    options.tail_chance = 0;
    return options;
}

static int pingpong_body(struct ordo_transport *world, void *context)
{
    int64_t *arrived_ns = context;
    char byte = 7;
    for (int i = 0; i < 100; i++) {
        int peer = 1 - world->rank, code;
        if ((i + world->rank) % 2 == 0)
            code = world->send(world, peer, i, &byte, 1);
        else
            code = world->receive(world, peer, i, &byte, 1);
        if (code)
            return code;
        arrived_ns[world->rank] = ordo_sim_true_ns(world);
    }
    return byte == 7 ? 0 : ORDO_E_MEASURE;
}

Test(sim, a_message_takes_its_latency)
{
    struct ordo_sim_options options = quiet(2);
    struct ordo_sim_result result;
    int64_t arrived_ns[2];
    options.asymmetry = 0.5;
    cr_assert_eq(ordo_sim_run(&options, pingpong_body, arrived_ns, &result, NULL), 0);
    cr_assert_eq(result.messages, 100);
    cr_assert_eq(result.true_ns, 100 * (1000 + 2 * 25), "1.5 us there, 0.5 us back, both ends take 25 ns");
    cr_assert_eq(arrived_ns[0] - arrived_ns[1], 500 + 25, "the last message went back");
    options.tail_chance = 1;
    cr_assert_eq(ordo_sim_run(&options, pingpong_body, arrived_ns, &result, NULL), 0);
    cr_assert_geq(result.true_ns, 100 * (1000 + 2 * 25 + options.tail_ns), "every message suffers the tail");
}

Test(sim, the_same_seed_gives_the_same_run)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result first, again, other;
    int64_t arrived_ns[2];
    options.ranks = 2;
    cr_assert_eq(ordo_sim_run(&options, pingpong_body, arrived_ns, &first, NULL), 0);
    cr_assert_eq(ordo_sim_run(&options, pingpong_body, arrived_ns, &again, NULL), 0);
    options.seed = 2;
    cr_assert_eq(ordo_sim_run(&options, pingpong_body, arrived_ns, &other, NULL), 0);
    cr_assert_eq(first.true_ns, again.true_ns);
    cr_assert_neq(first.true_ns, other.true_ns);
}

static int order_body(struct ordo_transport *world, void *context)
{
    (void)context;
    for (int i = 0, got = i; i < 1000; i++)
        if (world->rank == 0 ? world->send(world, 1, 5, &i, sizeof i)
                             : world->receive(world, 0, 5, &got, sizeof got) || got != i)
            return ORDO_E_MEASURE;
    return ORDO_OK;
}

Test(sim, messages_of_a_tag_arrive_in_order)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    options.ranks = 2;
    options.tail_chance = 0.5;
    cr_assert_eq(ordo_sim_run(&options, order_body, NULL, &result, NULL), 0);
}

static int wait_body(struct ordo_transport *world, void *context)
{
    (void)context;
    char byte;
    return world->receive(world, 1 - world->rank, 1, &byte, 1);
}

Test(sim, a_deadlock_of_ranks_is_found)
{
    struct ordo_sim_options options = quiet(2);
    struct ordo_sim_result result;
    cr_assert_eq(ordo_sim_run(&options, wait_body, NULL, &result, NULL), ORDO_E_MEASURE);
}

static int short_body(struct ordo_transport *world, void *context)
{
    (void)context;
    char bytes[2] = {0};
    return world->rank ? world->receive(world, 0, 1, bytes, 2) : world->send(world, 1, 1, bytes, 1);
}

Test(sim, a_message_of_another_size_is_an_error)
{
    struct ordo_sim_options options = quiet(2);
    struct ordo_sim_result result;
    cr_assert_eq(ordo_sim_run(&options, short_body, NULL, &result, NULL), ORDO_E_SYSTEM);
}

static int clock_body(struct ordo_transport *world, void *context)
{
    const struct ordo_sim_options *options = context;
    int64_t last_ns = world->now_ns(world);
    for (int i = 0; i < 20; i++) {
        int64_t until_ns = last_ns + 100000000;
        world->wait_until_ns(world, until_ns);
        int64_t now_ns = world->now_ns(world);
        int64_t truth_ns = ordo_sim_clock_ns(world, world->rank, ordo_sim_true_ns(world));
        if (now_ns < until_ns || now_ns - until_ns > 1000 || now_ns % options->granule_ns != 0 || now_ns > truth_ns ||
            truth_ns > now_ns + world->granule_ns)
            return ORDO_E_MEASURE;
        last_ns = now_ns;
    }
    return ORDO_OK;
}

Test(sim, clocks_and_waits_are_right_within_a_granule)
{
    struct ordo_sim_options options = quiet(16);
    struct ordo_sim_result result;
    options.granule_ns = 10;
    options.wander_ppb = 1000;
    cr_assert_eq(ordo_sim_run(&options, clock_body, &options, &result, NULL), 0);
}

static int set_back_body(struct ordo_transport *world, void *context)
{
    int64_t begin_ns = ordo_sim_true_ns(world);
    (void)context;
    world->wait_until_ns(world, world->now_ns(world) + 1000000000);
    int64_t took_ns = ordo_sim_true_ns(world) - begin_ns;
    return took_ns > 500000000 && took_ns < 1020000000 ? ORDO_OK : ORDO_E_MEASURE;
}

Test(sim, a_wait_ends_even_if_the_clock_is_set_back)
{
    struct ordo_sim_options options = quiet(2);
    struct ordo_sim_result result;
    options.step_ns = -INT64_C(3600000000000);
    options.step_at_true_ns = 500000000;
    cr_assert_eq(ordo_sim_run(&options, set_back_body, NULL, &result, NULL), 0);
    options.step_ns = 0;
    cr_assert_eq(ordo_sim_run(&options, set_back_body, NULL, &result, NULL), 0);
}

static int rate_body(struct ordo_transport *world, void *context)
{
    double *ppb = context;
    int64_t apart_ns = ordo_sim_clock_ns(world, world->rank, 20000000000) - ordo_sim_clock_ns(world, world->rank, 0);
    ppb[world->rank] = (double)(apart_ns - 20000000000) / 20;
    return ORDO_OK;
}

Test(sim, the_skews_of_clocks_spread_over_their_whole_range)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    double ppb[512], most = 0;
    cr_assert_eq(ordo_sim_run(&options, rate_body, ppb, &result, NULL), 0);
    for (int i = 0; i < 512; i++) {
        cr_assert(ppb[i] >= -20001 && ppb[i] <= 20001);
        cr_assert_eq(ppb[i], ppb[i / 16 * 16]);
        most = ppb[i] > most ? ppb[i] : most;
    }
    cr_assert_gt(most, 10000);
}

/* Splits the ranks: odd ranks leave, and the order of the even ranks is reversed twice; then splits by level. In each
 * group, rank 0 tells the other ranks its rank in the world. */
static int split_body(struct ordo_transport *world, void *context)
{
    (void)context;
    struct ordo_transport *half, *again, *socket, *same, *firsts;
    if (world->split(world, world->rank % 2 ? -1 : 3, -world->rank, &half, NULL) ||
        world->split_level(world, ORDO_LEVEL_SOCKET, &socket, NULL, NULL) ||
        world->split_level(world, ORDO_LEVEL_SOCKET, &same, &firsts, NULL))
        return ORDO_E_SYSTEM;
    int first = world->rank, wrong = socket->size != 8 || socket->rank != world->rank % 8;
    for (int to = 1; to < socket->size && socket->rank == 0; to++)
        wrong |= socket->send(socket, to, 1, &first, sizeof first);
    if (socket->rank > 0)
        wrong |= socket->receive(socket, 0, 1, &first, sizeof first) || first != world->rank / 8 * 8;
    wrong |= same != socket ||
             (socket->rank == 0 ? !firsts || firsts->size != 8 || firsts->rank != world->rank / 8 : firsts != NULL);
    wrong |= world->rank % 2 ? half != NULL : half->size != 32 || half->rank != 31 - world->rank / 2;
    if (half && !wrong) {
        wrong |=
            half->split(half, half->rank % 4, 0, &again, NULL) || again->size != 8 || again->rank != half->rank / 4;
        again->free(again);
    }
    if (half)
        half->free(half);
    return wrong ? ORDO_E_MEASURE : ORDO_OK;
}

Test(sim, groups_of_a_split_exchange_no_messages)
{
    struct ordo_sim_options options = ordo_sim_defaults();
    struct ordo_sim_result result;
    options.ranks = 64;
    cr_assert_eq(ordo_sim_run(&options, split_body, NULL, &result, NULL), 0);
}

/* A rank schedules a wake-up for itself and ends. The wake-up must not run the rank again. */
static int last_words_body(struct ordo_transport *world, void *context)
{
    int *ended = context;
    struct ordo_transport *all;
    int code = world->send(world, world->rank, 1, "", 1);
    if (!code)
        code = world->split(world, 0, 0, &all, NULL);
    if (code)
        return code;
    all->free(all);
    ++*ended;
    return ORDO_OK;
}

Test(sim, a_rank_ends_once_even_if_others_wait_for_it)
{
    for (int ranks = 1; ranks <= 5; ranks++) {
        struct ordo_sim_options options = quiet(ranks);
        struct ordo_sim_result result;
        int ended = 0;
        cr_assert_eq(ordo_sim_run(&options, last_words_body, &ended, &result, NULL), 0);
        cr_assert_eq(ended, ranks);
    }
}

/* Rank 0 sends one message in each of two groups of the same ranks and with each of two tags; rank 1 takes them in
 * another order. */
static int mixed_body(struct ordo_transport *world, void *context)
{
    (void)context;
    struct ordo_transport *groups[2];
    int code = 0, got;
    for (int g = 0; g < 2 && !code; g++)
        code = world->split(world, 0, 0, &groups[g], NULL);
    for (int i = 0; i < 4 && !code; i++)
        if (world->rank == 0)
            code = groups[i / 2]->send(groups[i / 2], 1, i % 2, &i, sizeof i);
        else if (!(code = groups[1 - i / 2]->receive(groups[1 - i / 2], 0, 1 - i % 2, &got, sizeof got)))
            code = got == 3 - i ? ORDO_OK : ORDO_E_MEASURE;
    for (int g = 0; g < 2; g++)
        groups[g]->free(groups[g]);
    return code;
}

Test(sim, a_message_is_received_by_group_and_tag)
{
    struct ordo_sim_options options = quiet(2);
    struct ordo_sim_result result;
    cr_assert_eq(ordo_sim_run(&options, mixed_body, NULL, &result, NULL), 0);
}

/* Sends a message to the next node from each rank at the same time. */
static int to_next_node(struct ordo_transport *world, void *context)
{
    int64_t *left_ns = context;
    int half = world->size / 2;
    char byte = 0;
    if (world->rank < half)
        return world->send(world, world->rank + half, 1, &byte, 1);
    int code = world->receive(world, world->rank - half, 1, &byte, 1);
    left_ns[world->rank] = ordo_sim_true_ns(world);
    return code;
}

Test(sim, messages_wait_for_each_other_at_the_port_of_a_node)
{
    enum { RANKS = 8, PORT_NS = 300 };
    struct ordo_sim_options options = quiet(RANKS);
    struct ordo_sim_result result;
    int64_t left_ns[RANKS], free_ns;
    options.ranks_per_socket = RANKS / 2;
    cr_assert_eq(ordo_sim_run(&options, to_next_node, left_ns, &result, NULL), 0);
    free_ns = result.true_ns;
    options.port_ns = PORT_NS;
    cr_assert_eq(ordo_sim_run(&options, to_next_node, left_ns, &result, NULL), 0);
    cr_assert_geq(result.true_ns, free_ns + RANKS / 2 * PORT_NS, "the last of four messages");
    cr_assert_leq(result.true_ns, free_ns + (RANKS / 2 + 3) * PORT_NS);
    options.ranks_per_socket = RANKS;
    cr_assert_eq(ordo_sim_run(&options, to_next_node, left_ns, &result, NULL), 0);
    cr_assert_lt(result.true_ns, free_ns, "no message leaves the node");
}

static int around(struct ordo_transport *world, void *context)
{
    int sent = world->rank, received = -1, left = (world->rank + world->size - 1) % world->size;
    (void)context;
    int code = world->exchange(world, (world->rank + 1) % world->size, left, 1, &sent, &received, sizeof sent);
    return code || received == left ? code : ORDO_E_MEASURE;
}

Test(sim, all_ranks_of_a_ring_can_exchange_at_once)
{
    struct ordo_sim_options options = quiet(5);
    struct ordo_sim_result result;
    cr_assert_eq(ordo_sim_run(&options, around, NULL, &result, NULL), 0);
    cr_assert_eq(result.messages, 5);
}
