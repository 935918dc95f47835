/* Sends messages by MPI. */
#include <sched.h>
#include <stdlib.h>

#include <ordo/clock.h>

#include "base/cpus.h"
#include "base/gang.h"
#include "base/time.h"
#include "cluster/transport/mpi.h"

struct mpi_transport {
    struct ordo_transport seam;   /* first, because pointers to it are cast to this struct */
    struct ordo_mpi_watch *watch; /* shared by all groups that were split from one transport */
    MPI_Comm comm;
    const struct ordo_clock_source *source;
    uint64_t ns_per_tick_32; /* 2^32 ns per tick; 0: the clock counts nanoseconds */
    struct ordo_transport_level levels[ORDO_LEVELS];
};

static int mpi_send(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count)
{
    struct mpi_transport *transport = (struct mpi_transport *)self;
    return ORDO_MPI_WAIT(transport->watch, NULL, MPI_Isend, bytes, (int)count, MPI_BYTE, to, tag, transport->comm);
}

static int mpi_receive(struct ordo_transport *self, int from, int tag, void *bytes, size_t count)
{
    struct mpi_transport *transport = (struct mpi_transport *)self;
    MPI_Status status;
    int got, code = ORDO_MPI_WAIT_STATUS(transport->watch, &status, NULL, MPI_Irecv, bytes, (int)count, MPI_BYTE, from,
                                         tag, transport->comm);
    if (code || MPI_Get_count(&status, MPI_BYTE, &got) != MPI_SUCCESS)
        return ORDO_E_SYSTEM;
    return got == (int)count ? ORDO_OK : ORDO_E_SYSTEM;
}

static int mpi_exchange(struct ordo_transport *self, int to, int from, int tag, const void *sent, void *received,
                        size_t count)
{
    struct mpi_transport *transport = (struct mpi_transport *)self;
    MPI_Request sending;
    int begun = MPI_Isend(sent, (int)count, MPI_BYTE, to, tag, transport->comm, &sending);
    int code = begun == MPI_SUCCESS ? mpi_receive(self, from, tag, received, count) : ORDO_E_SYSTEM;
    if (code)
        return code;
    transport->watch->request = sending;
    return ordo_mpi_wait(transport->watch, MPI_SUCCESS, MPI_STATUS_IGNORE, "MPI_Isend", NULL);
}

static int64_t mpi_now_ns(struct ordo_transport *self)
{
    const struct mpi_transport *transport = (struct mpi_transport *)self;
    if (transport->ns_per_tick_32)
        return (int64_t)((unsigned __int128)ordo_clock_read() * transport->ns_per_tick_32 >> 32);
    (void)ordo_clock_read(); /* the next read then follows earlier loads */
    return (int64_t)transport->source->read();
}

static void mpi_wait_until_ns(struct ordo_transport *self, int64_t until_ns)
{
    const int64_t nap_ns = 2000000, long_ns = 10000000; /* long_ns: longest sleep between answers to roll calls */
    struct ordo_mpi_watch *watch = ((struct mpi_transport *)self)->watch;
    /* The clock may step backwards during the wait. So the wait also ends after 1.01 times the expected time plus
     * nap_ns, measured by a clock that cannot step. */
    int64_t left_ns = until_ns - mpi_now_ns(self), most_ns = left_ns + left_ns / 100 + nap_ns;
    int64_t begin_ns = ordo_raw_ns();
    for (; left_ns > 0; left_ns = until_ns - mpi_now_ns(self)) {
        if (ordo_raw_ns() - begin_ns > most_ns)
            return;
        if (left_ns > long_ns && !ordo_mpi_watch_serve(watch))
            return;
        left_ns = left_ns > most_ns ? nap_ns : left_ns > long_ns ? long_ns : left_ns;
        ordo_sleep_ns(left_ns);
    }
}

/* Yields until the time is near, because other ranks may need this CPU to receive the time. Stops early if the clock
 * stepped back. The test for a step comes before the reading of the clock: if the rank is preempted between the two,
 * the reading has reached the time. */
static int64_t mpi_spin_until_ns(struct ordo_transport *self, int64_t until_ns)
{
    const int64_t near_ns = 5000, late_ns = 1000000;
    int64_t begin_ns = ordo_raw_ns(), now_ns = mpi_now_ns(self), most_ns = 2 * (until_ns - now_ns) + late_ns;
    while (now_ns < until_ns) {
        bool stepped = ordo_raw_ns() - begin_ns > most_ns;
        now_ns = mpi_now_ns(self);
        if (stepped)
            break;
        if (until_ns - now_ns <= near_ns)
            ordo_clock_pause();
        else
            (void)sched_yield();
    }
    return now_ns;
}

static void mpi_free(struct ordo_transport *self)
{
    struct mpi_transport *transport = (struct mpi_transport *)self;
    ordo_transport_free_levels(transport->levels);
    if (transport->comm == transport->watch->comm)
        ordo_mpi_watch_free(transport->watch);
    else
        ordo_mpi_part_free(transport->watch, &transport->comm);
    free(transport);
}

/* Collective over `parent`: makes a group of `comm`, and owns `comm` from then on. `code` is the code of the split that
 * made `comm`. If this fails on one rank, it fails on all. MPI_COMM_NULL: this rank gets no group, which is no
 * error. */
static int wrap(MPI_Comm parent, const struct mpi_transport *like, int code, MPI_Comm comm,
                struct ordo_transport **group, struct ordo_error *error)
{
    struct mpi_transport *transport = NULL;
    *group = NULL;
    if (!code && comm != MPI_COMM_NULL) {
        code = ORDO_MPI_CALL(error, MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
        transport = code ? NULL : malloc(sizeof *transport);
        if (!code && !transport)
            code = ordo_error_errno(error, "transport");
    }
    code = ordo_mpi_agree(like->watch, parent, code, error);
    if (code) {
        if (comm != parent)
            ordo_mpi_part_free(like->watch, &comm);
        free(transport);
        return code;
    }
    if (!transport)
        return ORDO_OK;
    *transport = (struct mpi_transport){.seam = like->seam,
                                        .watch = like->watch,
                                        .comm = comm,
                                        .source = like->source,
                                        .ns_per_tick_32 = like->ns_per_tick_32};
    MPI_Comm_rank(comm, &transport->seam.rank);
    MPI_Comm_size(comm, &transport->seam.size);
    *group = &transport->seam;
    return ORDO_OK;
}

static int mpi_split(struct ordo_transport *self, int color, int key, struct ordo_transport **group,
                     struct ordo_error *error)
{
    const struct mpi_transport *transport = (struct mpi_transport *)self;
    MPI_Comm comm = MPI_COMM_NULL;
    int code = ordo_mpi_split(transport->watch, transport->comm, color < 0 ? MPI_UNDEFINED : color, key, &comm, error);
    return wrap(transport->comm, transport, code, comm, group, error);
}

static int make_level(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                      struct ordo_error *error)
{
    const struct mpi_transport *transport = (struct mpi_transport *)self;
    MPI_Comm node, socket = MPI_COMM_NULL;
    int code = ordo_mpi_split_node(transport->watch, transport->comm, &node, error);
    if (code || level == ORDO_LEVEL_NODE)
        return code ? code : wrap(transport->comm, transport, ORDO_OK, node, group, error);
    code = ordo_mpi_split(transport->watch, node, ordo_mpi_socket(), 0, &socket, error);
    ordo_mpi_part_free(transport->watch, &node);
    return wrap(transport->comm, transport, code, socket, group, error);
}

static int mpi_split_level(struct ordo_transport *self, enum ordo_level level, struct ordo_transport **group,
                           struct ordo_transport **firsts, struct ordo_error *error)
{
    struct mpi_transport *transport = (struct mpi_transport *)self;
    return ordo_transport_level(self, &transport->levels[level], make_level, level, group, firsts, error);
}

struct instant {
    uint64_t tick, ns, wide; /* when ns was read, the tick counter was between tick and tick + wide */
};

/* Reads the tick counter, CLOCK_MONOTONIC_RAW and the tick counter again, many times. Returns the narrowest of these
 * triples, so that a preemption within some of them does no harm. */
static struct instant bracket(void)
{
    enum { TRIES = 50 };
    struct instant best = {.wide = UINT64_MAX};
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = ordo_clock_read(), ns = (uint64_t)ordo_raw_ns();
        uint64_t wide = ordo_clock_read() - before;
        if (wide < best.wide)
            best = (struct instant){before, ns, wide};
    }
    return best;
}

/* Keeps the calling thread on its CPU, because two CPUs may disagree by any amount. */
static int stay_here(void *context, int index, struct ordo_error *error)
{
    (void)context;
    (void)index;
    (void)error;
    (void)ordo_cpus_bind_to((unsigned)sched_getcpu());
    return ORDO_OK;
}

/* Takes two instants with a sleep between them. If the sleep was far too long, the process or the whole machine was
 * stopped, and perhaps one of the two clocks: tries again, a few times. */
static int sleep_between(void *context, int index, struct ordo_error *error)
{
    enum { SLEEP_NS = 20000000, STOPPED_SLEEPS = 10, TRIES = 5 };
    struct instant *instants = context;
    (void)index;
    (void)error;
    for (int i = 0; i < TRIES; i++) {
        instants[0] = bracket();
        ordo_sleep_ns(SLEEP_NS);
        instants[1] = bracket();
        if (instants[1].ns - instants[0].ns < (uint64_t)STOPPED_SLEEPS * SLEEP_NS)
            break;
    }
    return ORDO_OK;
}

/* Measures the length of a tick by CLOCK_MONOTONIC_RAW, as 2^32 ns per tick, and a bound on its error. All ranks of a
 * node use the length that its lowest rank measured. So its error is a drift that all clocks of the node have in
 * common, and a model includes it. */
static int measure_rate(struct mpi_transport *transport, struct ordo_error *error)
{
    MPI_Comm node;
    int code = ordo_mpi_split_node(transport->watch, transport->comm, &node, error);
    if (code)
        return code;
    struct instant instants[2], *first = &instants[0], *last = &instants[1];
    struct ordo_error none;
    if (ordo_gang_run(1, stay_here, sleep_between, instants, &none)) /* no thread can be had */
        (void)sleep_between(instants, 0, &none);
    double unsure = (double)first->wide + (double)last->wide;
    uint64_t ticks = last->tick - first->tick, ns = last->ns - first->ns;
    ticks = ticks ? ticks : 1;
    uint64_t told[2] = {(uint64_t)(((unsigned __int128)ns << 32) / ticks),
                        (uint64_t)(1e9 * unsure / (double)ticks + 1e9 / (double)(ns ? ns : 1)) + 1};
    code = ordo_mpi_broadcast(transport->watch, node, told, sizeof told, error);
    transport->ns_per_tick_32 = told[0];
    transport->seam.rate_error_ppb = (int64_t)told[1];
    ordo_mpi_part_free(transport->watch, &node);
    return code;
}

/* Sets the granule, in ns, and the error of the rate to the largest values of all ranks. */
static int share_errors(struct mpi_transport *transport, struct ordo_error *error)
{
    int64_t worst[2] = {(int64_t)ordo_clock_granule(transport->source), transport->seam.rate_error_ppb};
    if (transport->ns_per_tick_32)
        worst[0] = (int64_t)((unsigned __int128)worst[0] * transport->ns_per_tick_32 >> 32) + 1;
    int code = ordo_mpi_reduce(transport->watch, transport->comm, worst, 2, MPI_INT64_T, MPI_MAX, error);
    transport->seam.granule_ns = worst[0];
    transport->seam.rate_error_ppb = worst[1];
    return code;
}

int ordo_transport_mpi_create(MPI_Comm comm, const struct ordo_clock_source *source, int64_t deadline_ns,
                              struct ordo_transport **transport, struct ordo_error *error)
{
    static const struct ordo_transport seam = {.send = mpi_send,
                                               .receive = mpi_receive,
                                               .exchange = mpi_exchange,
                                               .now_ns = mpi_now_ns,
                                               .wait_until_ns = mpi_wait_until_ns,
                                               .spin_until_ns = mpi_spin_until_ns,
                                               .split = mpi_split,
                                               .split_level = mpi_split_level,
                                               .free = mpi_free};
    struct mpi_transport like = {.seam = seam, .source = source};
    *transport = NULL;
    int code = ordo_mpi_watch_create(comm, deadline_ns, &like.watch, error);
    if (code)
        return code;
    code = ordo_mpi_same(like.watch, like.watch->comm, source->name, "clock", error);
    code = code ? code : wrap(like.watch->comm, &like, ORDO_OK, like.watch->comm, transport, error);
    if (code) {
        ordo_mpi_watch_free(like.watch);
        return code;
    }
    struct mpi_transport *made = (struct mpi_transport *)*transport;
    code = ordo_mpi_agree(made->watch, made->comm, source->unit_hz ? ORDO_OK : measure_rate(made, error), error);
    code = code ? code : ordo_mpi_agree(made->watch, made->comm, share_errors(made, error), error);
    if (code) {
        mpi_free(&made->seam);
        *transport = NULL;
    }
    return code;
}

struct ordo_mpi_watch *ordo_transport_mpi_watch(const struct ordo_transport *transport)
{
    return ((const struct mpi_transport *)transport)->watch;
}

uint64_t ordo_transport_mpi_rate(const struct ordo_transport *transport)
{
    return ((const struct mpi_transport *)transport)->ns_per_tick_32;
}
