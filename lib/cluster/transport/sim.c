/* Each rank is a coroutine with its own true time. It runs until it has to wait for a message.
 *
 * The result on a rank does not depend on the order in which the ranks run (a Kahn network), because
 * - ranks influence each other only by messages;
 * - a receive names its sender;
 * - the random part of a message's latency comes from the sender's own generator.
 * So the ranks need not run in the order of true time: a queue of ready ranks is enough. Only the ports of nodes (port_ns)
 * make messages of several ranks wait for each other; the order of the queue, which is the same in every run, then
 * decides which of two messages goes first. */
#include "cluster/transport/sim.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/coroutine.h"
#include "base/plural.h"
#include "base/random.h"
#include "cluster/transport/sim_physics.h"
#include "cluster/transport/sim_port.h"

enum { STACK_BYTES = 256 * 1024 };

struct message {
    struct message *next;
    int group, from, tag;
    int64_t arrives_ns;
    size_t count;
    char bytes[];
};

struct fiber {
    struct ordo_coroutine coroutine;
    void *stack;
    struct sim *sim;
    int rank, code;
    bool done, active; /* active: it runs, or is in the queue of ready ranks */
    int64_t true_ns;
    uint64_t random;
    struct message *inbox, **inbox_end;
    struct fiber *next_ready;
    struct rank *world, *split_off; /* this rank in the group of all ranks, and in the group of the last split */
};

/** A group of ranks that can send to each other, and the state of a split of the group. */
struct group {
    int id, size, users;
    struct fiber **members;
    int arrived, splits, *colors, *keys;
    bool split_failed;
};

/** The transport of one rank in one group. */
struct rank {
    struct ordo_transport transport;
    struct fiber *fiber;
    struct group *group;
    struct ordo_transport_level levels[ORDO_LEVELS];
};

struct sim {
    struct ordo_sim_options options;
    ordo_sim_body *body;
    void *body_context;
    struct ordo_coroutine scheduler;
    struct fiber *fibers, *ready, **ready_end;
    struct ordo_sim_ports *ports; /* NULL: port_ns is 0 */
    int groups, splits;
    uint64_t messages;
};

static struct rank *rank_of_transport(const struct ordo_transport *self)
{
    return (struct rank *)(uintptr_t)self;
}

/* Puts a rank into the queue, unless it is there or runs. A running rank that sends a message to itself needs no place
 * in the queue: it looks for the message before it pauses. */
static void make_ready(struct fiber *fiber)
{
    if (fiber->active || fiber->done)
        return;
    fiber->active = true;
    fiber->next_ready = NULL;
    *fiber->sim->ready_end = fiber;
    fiber->sim->ready_end = &fiber->next_ready;
}

static void pause_fiber(struct fiber *fiber)
{
    ordo_coroutine_switch(&fiber->coroutine, &fiber->sim->scheduler);
}

static void spend(struct fiber *fiber)
{
    fiber->true_ns += fiber->sim->options.call_ns;
}

/* Returns when a message that `fiber` sends now arrives. */
static int64_t arrival_ns(struct fiber *fiber, const struct fiber *receiver)
{
    const struct ordo_sim_options *options = &fiber->sim->options;
    int from = ordo_sim_node_of(options, fiber->rank), to = ordo_sim_node_of(options, receiver->rank);
    struct ordo_sim_ports *ports = from == to ? NULL : fiber->sim->ports;
    int64_t left_ns = ports ? ordo_sim_ports_pass(ports, from, ORDO_SIM_OUT, fiber->true_ns) : fiber->true_ns;
    int64_t there_ns = left_ns + ordo_sim_latency(options, fiber->rank, receiver->rank, &fiber->random);
    return ports ? ordo_sim_ports_pass(ports, to, ORDO_SIM_IN, there_ns) : there_ns;
}

static int sim_send(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count)
{
    struct fiber *fiber = rank_of_transport(self)->fiber, *receiver = rank_of_transport(self)->group->members[to];
    struct message *message = malloc(sizeof *message + count);
    if (!message)
        return ORDO_E_SYSTEM;
    spend(fiber);
    *message = (struct message){
        .group = rank_of_transport(self)->group->id,
        .from = self->rank,
        .tag = tag,
        .arrives_ns = arrival_ns(fiber, receiver),
        .count = count,
    };
    memcpy(message->bytes, bytes, count);
    *receiver->inbox_end = message;
    receiver->inbox_end = &message->next;
    fiber->sim->messages++;
    make_ready(receiver);
    return ORDO_OK;
}

static struct message *pop_message(struct fiber *fiber, int group, int from, int tag)
{
    for (struct message **at = &fiber->inbox; *at; at = &(*at)->next) {
        struct message *message = *at;
        if (message->group != group || message->from != from || message->tag != tag)
            continue;
        *at = message->next;
        if (!*at)
            fiber->inbox_end = at;
        return message;
    }
    return NULL;
}

static int sim_receive(struct ordo_transport *self, int from, int tag, void *bytes, size_t count)
{
    struct fiber *fiber = rank_of_transport(self)->fiber;
    struct message *message;
    while (!(message = pop_message(fiber, rank_of_transport(self)->group->id, from, tag)))
        pause_fiber(fiber);
    if (message->arrives_ns > fiber->true_ns)
        fiber->true_ns = message->arrives_ns;
    spend(fiber);
    bool fits = message->count == count;
    if (fits)
        memcpy(bytes, message->bytes, count);
    free(message);
    return fits ? ORDO_OK : ORDO_E_SYSTEM;
}

static int sim_exchange(struct ordo_transport *self, int to, int from, int tag, const void *sent, void *received,
                        size_t count)
{
    int code = sim_send(self, to, tag, sent, count);
    return code ? code : sim_receive(self, from, tag, received, count);
}

static int64_t read_fiber_clock(const struct fiber *fiber)
{
    int64_t granule_ns = fiber->sim->options.granule_ns;
    int64_t shown_ns = ordo_sim_clock_at(&fiber->sim->options, fiber->rank, fiber->true_ns);
    int64_t above_ns = shown_ns % granule_ns;
    return shown_ns - (above_ns < 0 ? above_ns + granule_ns : above_ns);
}

static int64_t sim_now_ns(struct ordo_transport *self)
{
    struct fiber *fiber = rank_of_transport(self)->fiber;
    spend(fiber);
    return read_fiber_clock(fiber);
}

static void sim_wait_until_ns(struct ordo_transport *self, int64_t until_ns)
{
    struct fiber *fiber = rank_of_transport(self)->fiber;
    int64_t left_ns = until_ns - read_fiber_clock(fiber), end_ns = fiber->true_ns + left_ns + left_ns / 100;
    for (; left_ns > 0 && fiber->true_ns < end_ns; left_ns = until_ns - read_fiber_clock(fiber)) {
        int64_t most_ns = end_ns - fiber->true_ns;
        left_ns -= left_ns / 1000; /* no simulated clock runs fast by 0.1%: this step does not go too far */
        fiber->true_ns += left_ns < most_ns ? left_ns : most_ns;
    }
}

static int64_t sim_spin_until_ns(struct ordo_transport *self, int64_t until_ns)
{
    struct fiber *fiber = rank_of_transport(self)->fiber;
    sim_wait_until_ns(self, until_ns);
    fiber->true_ns -= (int64_t)((double)fiber->sim->options.noise_ns * log(1 - ordo_random_unit(&fiber->random)));
    return read_fiber_clock(fiber);
}

static void free_group(struct group *group)
{
    if (!group)
        return;
    free(group->members);
    free(group->colors);
    free(group);
}

static void sim_free(struct ordo_transport *self)
{
    struct group *group = rank_of_transport(self)->group;
    ordo_transport_free_levels(rank_of_transport(self)->levels);
    if (--group->users == 0)
        free_group(group);
    free(rank_of_transport(self));
}

static struct group *new_group(struct sim *sim, int size)
{
    struct group *group = calloc(1, sizeof *group);
    if (!group)
        return NULL;
    group->members = calloc((size_t)size, sizeof *group->members);
    group->colors = calloc((size_t)size, 2 * sizeof *group->colors);
    if (!group->members || !group->colors) {
        free_group(group);
        return NULL;
    }
    group->keys = group->colors + size;
    group->id = sim->groups++;
    group->size = size;
    return group;
}

static int sim_split(struct ordo_transport *, int, int, struct ordo_transport **, struct ordo_error *);
static int sim_split_level(struct ordo_transport *, enum ordo_level, struct ordo_transport **, struct ordo_transport **,
                           struct ordo_error *);

static struct rank *join_group(struct group *group, struct fiber *fiber, int place)
{
    struct rank *rank = malloc(sizeof *rank);
    if (!rank)
        return NULL;
    *rank = (struct rank){{place, group->size, fiber->sim->options.granule_ns, 0, sim_send, sim_receive, sim_exchange,
                           sim_now_ns, sim_wait_until_ns, sim_spin_until_ns, sim_split, sim_split_level, sim_free},
                          fiber,
                          group,
                          {{0}}};
    group->members[place] = fiber;
    group->users++;
    return rank;
}

/* Makes a group of all members with this color, ordered by key and then by rank. False if out of memory. */
static bool make_group(struct group *parent, int color)
{
    int size = 0, place = 0;
    for (int i = 0; i < parent->size; i++)
        size += parent->colors[i] == color;
    struct sim *sim = parent->members[0]->sim;
    struct group *group = sim->splits == sim->options.failing_split ? NULL : new_group(sim, size);
    bool whole = group != NULL;
    while (whole && place < size) {
        int best = -1;
        for (int i = 0; i < parent->size; i++)
            if (parent->colors[i] == color && (best < 0 || parent->keys[i] < parent->keys[best]))
                best = i;
        parent->members[best]->split_off = join_group(group, parent->members[best], place++);
        parent->colors[best] = -1;
        whole = parent->members[best]->split_off;
    }
    if (group && group->users == 0)
        free_group(group);
    return whole;
}

static void undo_split(struct group *group)
{
    for (int i = 0; i < group->size; i++) {
        if (group->members[i]->split_off)
            sim_free(&group->members[i]->split_off->transport);
        group->members[i]->split_off = NULL;
    }
}

/* Makes all groups of a split. Called by the last rank that arrives. All ranks leave the split at the same true time:
 * the latest arrival plus the time of a tree of messages. */
static void finish_split(struct group *group, const struct ordo_sim_options *options)
{
    int64_t latest_ns = 0;
    for (int i = 0; i < group->size; i++)
        if (group->members[i]->true_ns > latest_ns)
            latest_ns = group->members[i]->true_ns;
    for (int reached = 1; reached < group->size; reached *= 2)
        latest_ns += 2 * options->latency_ns;
    group->members[0]->sim->splits++;
    group->split_failed = false;
    for (int i = 0; i < group->size; i++)
        if (group->colors[i] >= 0 && !group->split_failed)
            group->split_failed = !make_group(group, group->colors[i]);
    if (group->split_failed)
        undo_split(group);
    for (int i = 0; i < group->size; i++) {
        group->members[i]->true_ns = latest_ns;
        make_ready(group->members[i]);
    }
    group->arrived = 0;
    group->splits++;
}

static int sim_split(struct ordo_transport *self, int color, int key, struct ordo_transport **made,
                     struct ordo_error *error)
{
    struct group *group = rank_of_transport(self)->group;
    struct fiber *fiber = rank_of_transport(self)->fiber;
    group->colors[self->rank] = color;
    group->keys[self->rank] = key;
    fiber->split_off = NULL;
    int splits = group->splits;
    if (++group->arrived == group->size)
        finish_split(group, &fiber->sim->options);
    else
        while (group->splits == splits)
            pause_fiber(fiber);
    *made = fiber->split_off ? &fiber->split_off->transport : NULL;
    if (group->split_failed)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "a group of ranks: out of memory");
    return ORDO_OK;
}

static int make_level(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **made,
                      struct ordo_error *error)
{
    const struct fiber *fiber = rank_of_transport(self)->fiber;
    int (*place_of)(const struct ordo_sim_options *, int) =
        level == ORDO_LEVEL_NODE ? ordo_sim_node_of : ordo_sim_socket_of;
    return sim_split(self, place_of(&fiber->sim->options, fiber->rank), 0, made, error);
}

static int sim_split_level(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                           struct ordo_transport **firsts, struct ordo_error *error)
{
    return ordo_transport_level(self, &rank_of_transport(self)->levels[level], make_level, level, group, firsts, error);
}

static void fiber_main(void *argument)
{
    struct fiber *fiber = argument;
    fiber->code = fiber->sim->body(&fiber->world->transport, fiber->sim->body_context);
    fiber->done = true;
    pause_fiber(fiber); /* never resumed */
}

static int prepare_fiber(struct sim *sim, struct group *world, int rank)
{
    struct fiber *fiber = &sim->fibers[rank];
    *fiber = (struct fiber){.sim = sim, .rank = rank, .inbox_end = &fiber->inbox};
    uint64_t seed = sim->options.seed * 2 + 1 + ((uint64_t)rank << 40);
    fiber->random = ordo_random_next(&seed);
    fiber->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fiber->stack == MAP_FAILED)
        fiber->stack = NULL;
    fiber->world = join_group(world, fiber, rank);
    if (!fiber->stack || !fiber->world)
        return ORDO_E_SYSTEM;
    ordo_coroutine_make(&fiber->coroutine, fiber->stack, STACK_BYTES, fiber_main, fiber);
    make_ready(fiber);
    return ORDO_OK;
}

static void run_all(struct sim *sim)
{
    while (sim->ready) {
        struct fiber *fiber = sim->ready;
        sim->ready = fiber->next_ready;
        if (!sim->ready)
            sim->ready_end = &sim->ready;
        ordo_coroutine_switch(&sim->scheduler, &fiber->coroutine);
        fiber->active = false;
    }
}

static int outcome(const struct sim *sim, struct ordo_sim_result *result, struct ordo_error *error)
{
    *result = (struct ordo_sim_result){.messages = sim->messages};
    for (int i = sim->options.ranks - 1; i >= 0; i--)
        if (sim->fibers[i].true_ns > result->true_ns)
            result->true_ns = sim->fibers[i].true_ns;
    for (int i = 0; i < sim->options.ranks; i++) {
        if (!sim->fibers[i].done)
            return ordo_error_set(error, ORDO_E_MEASURE, 0, "rank %d waits for ever", i);
        if (sim->fibers[i].code)
            return ordo_error_set(error, sim->fibers[i].code, 0, "rank %d: %s", i, ordo_strerror(sim->fibers[i].code));
    }
    return ORDO_OK;
}

static void release_group(struct sim *sim, struct group *world)
{
    world->users++;
    for (int i = 0; i < sim->options.ranks; i++) {
        struct fiber *fiber = &sim->fibers[i];
        if (fiber->stack)
            (void)munmap(fiber->stack, STACK_BYTES);
        for (struct message *message = fiber->inbox, *next; message; message = next) {
            next = message->next;
            free(message);
        }
        if (fiber->world)
            sim_free(&fiber->world->transport);
    }
    free_group(world);
    ordo_sim_ports_free(sim->ports);
    free(sim->fibers);
}

int ordo_sim_run(const struct ordo_sim_options *options, ordo_sim_body *body, void *context,
                 struct ordo_sim_result *result, struct ordo_error *error)
{
    struct sim sim = {.options = *options, .body = body, .body_context = context};
    sim.ready_end = &sim.ready;
    if (options->ranks < 1 || options->ranks_per_socket < 1 || options->sockets_per_node < 1 || options->granule_ns < 1)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "ranks %d, per socket %d, granule %lld ns: must be positive",
                              options->ranks, options->ranks_per_socket, (long long)options->granule_ns);
    struct group *world = new_group(&sim, options->ranks);
    sim.fibers = calloc((size_t)options->ranks, sizeof *sim.fibers);
    int nodes = ordo_sim_node_of(options, options->ranks - 1) + 1;
    sim.ports = options->port_ns > 0 ? ordo_sim_ports_new(nodes, options->port_ns) : NULL;
    if (!world || !sim.fibers || (options->port_ns > 0 && !sim.ports)) {
        free_group(world);
        ordo_sim_ports_free(sim.ports);
        free(sim.fibers);
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%d rank%s: out of memory", options->ranks,
                              ordo_plural(options->ranks));
    }
    int code = ORDO_OK;
    for (int i = 0; i < options->ranks && !code; i++)
        code = prepare_fiber(&sim, world, i);
    if (code)
        (void)ordo_error_set(error, code, ENOMEM, "%d rank%s: no room for stacks", options->ranks,
                             ordo_plural(options->ranks));
    else {
        run_all(&sim);
        code = outcome(&sim, result, error);
    }
    release_group(&sim, world);
    return code;
}

int64_t ordo_sim_true_ns(const struct ordo_transport *self)
{
    return rank_of_transport(self)->fiber->true_ns;
}

uint64_t ordo_sim_messages(const struct ordo_transport *self)
{
    return rank_of_transport(self)->fiber->sim->messages;
}

int64_t ordo_sim_clock_ns(const struct ordo_transport *self, int world_rank, int64_t true_ns)
{
    return ordo_sim_clock_at(&rank_of_transport(self)->fiber->sim->options, world_rank, true_ns);
}

void ordo_sim_sleep_until(struct ordo_transport *self, int64_t true_ns)
{
    struct fiber *fiber = rank_of_transport(self)->fiber;
    if (fiber->true_ns < true_ns)
        fiber->true_ns = true_ns;
}
