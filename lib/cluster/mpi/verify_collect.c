/* The leader of each node (its lowest rank) sends the findings of the node to rank 0, one part after another. */
#include "cluster/mpi/verify_work.h"

#include <string.h>

#include "base/plural.h"
#include "cluster/transport/tags.h"

enum { SIZES = 5 };

int ordo_verify_send(const struct ordo_verify_work *run, int to, const void *bytes, size_t count,
                     struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Isend, bytes, (int)count, MPI_BYTE, to, ORDO_TAG_VERIFY, run->leaders);
}

int ordo_verify_receive(const struct ordo_verify_work *run, int from, void *bytes, size_t count,
                        struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Irecv, bytes, (int)count, MPI_BYTE, from, ORDO_TAG_VERIFY,
                         run->leaders);
}

int ordo_verify_tell_evidence(struct ordo_verify_work *run, struct ordo_error *error)
{
    struct ordo_verify_rank *own = &run->evidence;
    struct ordo_verify *verify = run->verify;
    int size = run->watch->size, code = ORDO_OK;
    own->rank = run->rank;
    own->node = verify->own.ranks[0];
    if (run->rank == 0 && !(verify->ranks = ordo_verify_array((size_t)size, sizeof *own)))
        code = ordo_error_errno(error, "evidence of %d rank%s", size, ordo_plural(size));
    code = ordo_mpi_agree(run->watch, run->world, code, error);
    if (code)
        return code;
    verify->rank_count = run->rank == 0 ? size : 0;
    code = ORDO_MPI_WAIT(run->watch, error, MPI_Igather, own, sizeof *own, MPI_BYTE, verify->ranks, sizeof *own,
                         MPI_BYTE, 0, run->world);
    /* Numbers the nodes in the order of their lowest ranks. Until now, `node` is the lowest rank of the node. */
    for (int rank = 0, nodes = 0; !code && rank < verify->rank_count; rank++)
        verify->ranks[rank].node =
            verify->ranks[rank].node == rank ? nodes++ : verify->ranks[verify->ranks[rank].node].node;
    return code;
}

enum { PARTS = 6 };

/* One part of a node's findings: an array that is sent as one message. */
struct part {
    void *bytes;
    size_t count;
};

static void parts_of(struct ordo_verify_node *node, int clock_count, struct part parts[PARTS])
{
    size_t clocks = (size_t)clock_count;
    parts[0] = (struct part){node->ranks, (size_t)node->size * sizeof *node->ranks};
    parts[1] = (struct part){node->verdicts, clocks * sizeof *node->verdicts};
    parts[2] = (struct part){node->summaries, clocks * sizeof *node->summaries};
    parts[3] = (struct part){node->pairs, clocks * (size_t)node->pair_count * sizeof *node->pairs};
    parts[4] = (struct part){node->swept, clocks * (size_t)node->sweeps * sizeof *node->swept};
    parts[5] = (struct part){&node->tick_hz, sizeof node->tick_hz};
}

/* Returns this node's findings, without the pairs if the caller did not ask for pairs. */
static struct ordo_verify_node wanted(const struct ordo_verify_work *run)
{
    struct ordo_verify_node node = run->verify->own;
    bool pairs = run->options->detail >= ORDO_VERIFY_PAIRS;
    node.pair_count = pairs ? node.pair_count : 0;
    node.sweeps = pairs ? node.sweeps : 0;
    return node;
}

static int send_own(struct ordo_verify_work *run, struct ordo_error *error)
{
    struct ordo_verify_node node = wanted(run);
    struct part parts[PARTS];
    int code = ORDO_OK;
    parts_of(&node, run->options->clock_count, parts);
    parts[PARTS - 1].bytes = &run->verify->own.tick_hz;
    for (int i = 0; i < PARTS && !code; i++)
        code = ordo_verify_send(run, 0, parts[i].bytes, parts[i].count, error);
    return code;
}

static int receive_node(struct ordo_verify_work *run, struct ordo_verify_node *node, int from, struct ordo_error *error)
{
    struct part parts[PARTS];
    int code = ORDO_OK;
    parts_of(node, run->options->clock_count, parts);
    for (int i = 0; i < PARTS && !code; i++)
        code = ordo_verify_receive(run, from, parts[i].bytes, parts[i].count, error);
    return code;
}

static void copy_own(struct ordo_verify_work *run, struct ordo_verify_node *copy)
{
    struct ordo_verify_node own = wanted(run);
    struct part from[PARTS], to[PARTS];
    parts_of(&own, run->options->clock_count, from);
    parts_of(copy, run->options->clock_count, to);
    for (int i = 0; i < PARTS; i++)
        memcpy(to[i].bytes, from[i].bytes, to[i].count);
}

/* Allocates the findings of the node whose leader has the number `index` and has sent these sizes. Node 0 is this
 * rank's own node: its findings are copied. */
static int make_room_for_node(struct ordo_verify_work *run, int index, const int sizes[SIZES], struct ordo_error *error)
{
    struct ordo_verify_node *node = &run->verify->nodes[run->verify->node_count++];
    *node = (struct ordo_verify_node){
        .size = sizes[0], .sweeps = sizes[1], .pair_count = sizes[2], .shared = sizes[3], .cpus = sizes[4]};
    int code = ordo_verify_node_alloc(node, run->options->clock_count, true, error);
    if (!code && index == 0)
        copy_own(run, node);
    return code;
}

static int gather_sizes(struct ordo_verify_work *run, int *own, int *all, struct ordo_error *error)
{
    return ORDO_MPI_WAIT(run->watch, error, MPI_Igather, own, SIZES, MPI_INT, all, SIZES, MPI_INT, 0, run->leaders);
}

int ordo_verify_tell_nodes(struct ordo_verify_work *run, struct ordo_error *error)
{
    struct ordo_verify *verify = run->verify;
    const struct ordo_verify_node node = wanted(run);
    int self, count, code = ORDO_OK;
    MPI_Comm_rank(run->leaders, &self);
    MPI_Comm_size(run->leaders, &count);
    int *all = ordo_verify_array((size_t)count + 1, SIZES * sizeof *all),
        *own = all ? all + (size_t)count * SIZES : NULL;
    if (!all || (self == 0 && !(verify->nodes = ordo_verify_array((size_t)count, sizeof *verify->nodes))))
        code = ordo_error_errno(error, "%d node%s", count, ordo_plural(count));
    else
        memcpy(own, (int[SIZES]){node.size, node.sweeps, node.pair_count, node.shared, node.cpus}, SIZES * sizeof *own);
    code = ordo_mpi_agree(run->watch, run->leaders, code, error);
    code = code ? code : gather_sizes(run, own, all, error);
    for (int i = 0; i < count && self == 0 && !code; i++)
        code = make_room_for_node(run, i, all + i * SIZES, error);
    ordo_verify_release(run, all);
    code = ordo_mpi_agree(run->watch, run->leaders, code, error);
    if (self != 0)
        return code ? code : send_own(run, error);
    for (int i = 1; i < count && !code; i++)
        code = receive_node(run, &verify->nodes[i], i, error);
    return code;
}
