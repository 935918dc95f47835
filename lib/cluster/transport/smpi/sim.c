#include "cluster/transport/smpi/sim.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/random.h"
#include "base/time.h"
#include "cluster/transport/mpi.h"
#include "cluster/transport/sim_physics.h"

/** The state of one rank in a run. */
struct process {
    /* The MPI transport's send and exchange. */
    int (*send)(struct ordo_transport *, int, int, const void *, size_t);
    int (*exchange)(struct ordo_transport *, int, int, int, const void *, void *, size_t);
    uint64_t random, messages;
    int64_t ended_ns;
    int code;
    struct ordo_error error;
};

/** A run that rank 0 requests. It is on rank 0's stack; the other ranks get a pointer to it. */
struct job {
    struct ordo_sim_options options;
    ordo_sim_body *body;
    void *context;
    struct process *processes;
    double begin_s;
};

/* The present run; NULL: none. All ranks store the same pointer, so it does not matter if SMPI gives each rank its own
 * copy of this variable. */
static struct job *the_job;

static int own_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int64_t true_ns(void)
{
    return (int64_t)floor((MPI_Wtime() - the_job->begin_s) * 1e9);
}

static uint64_t read_smpi_clock(void)
{
    const struct ordo_sim_options *options = &the_job->options;
    int64_t shown_ns = ordo_sim_clock_at(options, own_rank(), true_ns()), above_ns = shown_ns % options->granule_ns;
    return (uint64_t)(shown_ns - (above_ns < 0 ? above_ns + options->granule_ns : above_ns));
}

static const struct ordo_clock_source simulated = {.name = "simulated",
                                                   .title = "an oscillator on simulated time",
                                                   .unit_hz = 1000000000,
                                                   .granule_units = 1,
                                                   .read = read_smpi_clock};

/* Delays this rank's next message by a random time. The platform simulates only the network, which is equally fast for
 * all messages; the random delay is that of software. */
static struct process *delay_message(void)
{
    struct process *own = &the_job->processes[own_rank()];
    own->messages++;
    ordo_sleep_ns(ordo_sim_latency(&the_job->options, 0, 0, &own->random));
    return own;
}

static int delayed_send(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count)
{
    return delay_message()->send(self, to, tag, bytes, count);
}

static int delayed_exchange(struct ordo_transport *self, int to, int from, int tag, const void *sent, void *received,
                            size_t count)
{
    return delay_message()->exchange(self, to, from, tag, sent, received, count);
}

int ordo_mpi_socket(void)
{
    return ordo_sim_socket_of(&the_job->options, own_rank());
}

/* Checks that SMPI's nodes are those of the options: clocks are assigned to ranks by the options, but SMPI places the
 * ranks. */
static int check_place(struct ordo_transport *world, struct ordo_error *error)
{
    struct ordo_transport *node;
    int per_node = the_job->options.ranks_per_socket * the_job->options.sockets_per_node;
    int code = world->split_level(world, ORDO_LEVEL_NODE, &node, NULL, error);
    if (!code && node->rank != world->rank % per_node)
        code = ordo_error_set(error, ORDO_E_INVALID, 0,
                              "rank %d is number %d of its host, and with %d ranks to a node number %d: let the host "
                              "file give every host that many slots",
                              world->rank, node->rank, per_node, world->rank % per_node);
    return code;
}

static int perform(struct process *own, int rank)
{
    struct ordo_transport *world;
    uint64_t seed = the_job->options.seed * 2 + 1 + ((uint64_t)rank << 40);
    *own = (struct process){.random = ordo_random_next(&seed)};
    int code = ordo_transport_mpi_create(MPI_COMM_WORLD, &simulated, 0, &world, &own->error);
    if (code)
        return code;
    own->send = world->send; /* groups that are split from `world` inherit its functions */
    own->exchange = world->exchange;
    world->send = delayed_send;
    world->exchange = delayed_exchange;
    world->granule_ns = the_job->options.granule_ns;
    code = the_job->body(world, the_job->context);
    own->ended_ns = true_ns();
    if (code)
        (void)ordo_error_set(&own->error, code, 0, "rank %d: %s", rank, ordo_strerror(code));
    int misplaced = check_place(world, code ? NULL : &own->error); /* after the run, because the check makes levels,
                                                                    * and the run must include their time */
    world->free(world);
    return code ? code : misplaced;
}

/* Collective: takes part in the job that rank 0 passes. NULL: the ranks are to end. */
static void take_part(struct job *job)
{
    (void)MPI_Bcast(&job, sizeof job, MPI_BYTE, 0, MPI_COMM_WORLD);
    the_job = job;
    if (!job)
        return;
    int rank = own_rank();
    job->processes[rank].code = perform(&job->processes[rank], rank);
    (void)MPI_Barrier(
        MPI_COMM_WORLD); /* rank 0 must not return before all ranks are done, because the job is on its stack */
}

void ordo_smpi_serve(void)
{
    do
        take_part(NULL);
    while (the_job);
}

void ordo_smpi_end(void)
{
    take_part(NULL);
}

static int check_smpi_options(const struct ordo_sim_options *options, struct ordo_error *error)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (options->ranks != size)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%d rank%s, and smpirun started %d", options->ranks,
                              ordo_plural(options->ranks), size);
    if (options->ranks_per_socket < 1 || options->sockets_per_node < 1 || options->granule_ns < 1)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "ranks per socket %d, granule %lld ns: must be positive",
                              options->ranks_per_socket, (long long)options->granule_ns);
    return ORDO_OK;
}

int ordo_sim_run(const struct ordo_sim_options *options, ordo_sim_body *body, void *context,
                 struct ordo_sim_result *result, struct ordo_error *error)
{
    struct job job = {.options = *options, .body = body, .context = context, .begin_s = MPI_Wtime()};
    *result = (struct ordo_sim_result){0};
    int code = check_smpi_options(options, error);
    if (code)
        return code;
    job.options.node_latency_ns =
        job.options.latency_ns; /* software delays messages within a node and between nodes alike */
    job.options.asymmetry = 0;
    job.processes = calloc((size_t)options->ranks, sizeof *job.processes);
    if (!job.processes)
        return ordo_error_errno(error, "%d rank%s", options->ranks, ordo_plural(options->ranks));
    take_part(&job);
    for (int i = 0; i < options->ranks; i++) {
        const struct process *process = &job.processes[i];
        result->messages += process->messages;
        result->true_ns = process->ended_ns > result->true_ns ? process->ended_ns : result->true_ns;
        if (!code && process->code && error)
            *error = process->error;
        code = code ? code : process->code;
    }
    free(job.processes);
    return code;
}

int64_t ordo_sim_true_ns(const struct ordo_transport *self)
{
    (void)self;
    return true_ns();
}

uint64_t ordo_sim_messages(const struct ordo_transport *self)
{
    uint64_t messages = 0;
    (void)self;
    for (int i = 0; i < the_job->options.ranks; i++)
        messages += the_job->processes[i].messages;
    return messages;
}

int64_t ordo_sim_clock_ns(const struct ordo_transport *self, int world_rank, int64_t at_ns)
{
    (void)self;
    return ordo_sim_clock_at(&the_job->options, world_rank, at_ns);
}

void ordo_sim_sleep_until(struct ordo_transport *self, int64_t until_ns)
{
    (void)self;
    ordo_sleep_ns(until_ns - true_ns());
}
