#include "trace/record/communicator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record/recorder.h"

static struct ordo_trace_communicator *the_world;
static int keyval = MPI_KEYVAL_INVALID;
/* The next number that this rank gives, and the next index in this rank's file. The recorder's lock guards both. */
static int next_number;
static uint32_t next_index;

struct ordo_trace_communicator *ordo_trace_communicator_keep(struct ordo_trace_communicator *communicator)
{
    if (communicator) /* relaxed: the caller holds a reference already */
        (void)atomic_fetch_add_explicit(&communicator->users, 1, memory_order_relaxed);
    return communicator;
}

void ordo_trace_communicator_drop(struct ordo_trace_communicator *communicator)
{
    /* acq_rel: pairs with itself: the other users' accesses happen before the free */
    if (communicator && atomic_fetch_sub_explicit(&communicator->users, 1, memory_order_acq_rel) == 1)
        free(communicator);
}

static int freed(MPI_Comm comm, int key, void *value, void *context)
{
    (void)comm;
    (void)key;
    (void)context;
    ordo_trace_communicator_drop(value);
    return MPI_SUCCESS;
}

/* Translates at most `room` ranks of a group, from `from` on, to ranks of MPI_COMM_WORLD. Returns the number of ranks
 * that it has translated. */
static int translate(MPI_Group group, MPI_Group world, int from, int32_t *to, int room)
{
    enum { MOST = 256 };
    int size, ranks[MOST], count;
    PMPI_Group_size(group, &size);
    count = size - from < room ? size - from : room;
    count = count < MOST ? count : MOST;
    for (int i = 0; i < count; i++)
        ranks[i] = from + i;
    if (count > 0)
        PMPI_Group_translate_ranks(group, count, ranks, world, to);
    return count;
}

/* [G2] True if all ranks of a group are in MPI_COMM_WORLD. */
static bool is_ours(MPI_Group group, MPI_Group world)
{
    int32_t some[64];
    int from = 0, count;
    while ((count = translate(group, world, from, some, 64)) > 0) {
        for (int i = 0; i < count; i++)
            if (some[i] < 0) /* MPI_UNDEFINED */
                return false;
        from += count;
    }
    return true;
}

/* The groups of a communicator. `peers` is the other group of an intercommunicator; for an intracommunicator it is
 * `own` again. */
struct groups {
    MPI_Group own, peers, world;
    int two;
};

static struct groups groups_of(MPI_Comm comm)
{
    struct groups groups = {.two = 1};
    PMPI_Comm_test_inter(comm, &groups.two);
    PMPI_Comm_group(comm, &groups.own);
    PMPI_Comm_group(MPI_COMM_WORLD, &groups.world);
    if (groups.two)
        PMPI_Comm_remote_group(comm, &groups.peers);
    else
        PMPI_Comm_group(comm, &groups.peers);
    return groups;
}

static void groups_free(struct groups *groups)
{
    PMPI_Group_free(&groups->own);
    PMPI_Group_free(&groups->peers);
    PMPI_Group_free(&groups->world);
}

/* Makes the description of a communicator. Returns NULL if out of memory. */
static struct ordo_trace_communicator *describe_groups(const struct groups *groups)
{
    int size, own, from = 0, count;
    PMPI_Group_size(groups->peers, &size);
    PMPI_Group_rank(groups->own, &own);
    struct ordo_trace_communicator *made = malloc(sizeof *made + (size_t)size * sizeof *made->world);
    if (!made)
        return NULL;
    *made = (struct ordo_trace_communicator){.size = size, .own = own, .two_groups = groups->two, .users = 1};
    while ((count = translate(groups->peers, groups->world, from, made->world + from, size - from)) > 0)
        from += count;
    return made;
}

/* A number and the rank that gives it: a pair MPI_2INT for MPI_MINLOC. */
struct given {
    int lowest, number;
};

/* [G1] Takes the next number of this rank. */
static struct given propose(void)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    pthread_mutex_lock(&recorder->lock);
    struct given mine = {recorder->rank, next_number++};
    pthread_mutex_unlock(&recorder->lock);
    return mine;
}

/* Agrees on the number of a communicator. On an intercommunicator a reduction gives each group the result of the other
 * group, so a second reduction brings back the group's own result. */
static struct given agree_number(MPI_Comm comm, bool two_groups)
{
    struct given mine = propose(), least, other;
    PMPI_Allreduce(&mine, &least, 1, MPI_2INT, MPI_MINLOC, comm);
    if (!two_groups)
        return least;
    PMPI_Allreduce(&least, &other, 1, MPI_2INT, MPI_MINLOC, comm);
    return other.lowest < least.lowest ? other : least;
}

/* Appends the communicator to the file, with the next index. Returns false if this failed; no event may then have the
 * index. */
static bool tell_file(struct ordo_trace_communicator *communicator, MPI_Group own, struct given given)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    struct ordo_trace_group head = {
        .number = (uint32_t)given.number, .lowest = given.lowest, .place = communicator->own};
    MPI_Group world;
    int size, from = 0, count;
    PMPI_Group_size(own, &size);
    size_t bytes = ordo_trace_group_bytes((uint32_t)size);
    if (bytes > ORDO_TRACE_CHUNK_MOST)
        bytes = ordo_trace_group_bytes((uint32_t)(size = 0));
    char *payload = calloc(1, bytes);
    if (!payload)
        return false;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    while (from < size && (count = translate(own, world, from, (int32_t *)(payload + sizeof head) + from, size)) > 0)
        from += count;
    PMPI_Group_free(&world);
    head.size = (uint32_t)size;
    pthread_mutex_lock(&recorder->lock);
    head.communicator = communicator->index = next_index++;
    memcpy(payload, &head, sizeof head);
    bool told = ordo_trace_file_append(&recorder->file, ORDO_TRACE_GROUP, payload, bytes, 1, 0) == ORDO_OK;
    pthread_mutex_unlock(&recorder->lock);
    free(payload);
    return told;
}

/* Writes a communicator with its agreed number to the file, and attaches its description to it. */
static void name(MPI_Comm comm, const struct groups *groups, struct given given)
{
    struct ordo_trace_communicator *made = describe_groups(groups);
    if (made && (!tell_file(made, groups->own, given) || PMPI_Comm_set_attr(comm, keyval, made) != MPI_SUCCESS))
        ordo_trace_communicator_drop(made);
}

void ordo_trace_communicator_number(MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL || keyval == MPI_KEYVAL_INVALID)
        return;
    struct groups groups = groups_of(comm);
    if (is_ours(groups.own, groups.world) && is_ours(groups.peers, groups.world))
        name(comm, &groups, agree_number(comm, groups.two));
    groups_free(&groups);
}

struct ordo_trace_naming {
    MPI_Comm *made;
    MPI_Request agreed;
    struct given mine, least;
};

/* Takes part in an agreement if out of memory, because the other ranks wait for this rank. */
static void agree_at_once(MPI_Comm comm)
{
    struct ordo_trace_naming naming = {.mine = propose()};
    PMPI_Iallreduce(&naming.mine, &naming.least, 1, MPI_2INT, MPI_MINLOC, comm, &naming.agreed);
    PMPI_Wait(&naming.agreed, MPI_STATUS_IGNORE);
}

/* Leaves out intercommunicators: these need two reductions, and the second cannot begin before the first has ended. */
struct ordo_trace_naming *ordo_trace_naming_begin(MPI_Comm comm, MPI_Comm *made)
{
    if (keyval == MPI_KEYVAL_INVALID)
        return NULL;
    struct groups groups = groups_of(comm);
    bool ours = !groups.two && is_ours(groups.own, groups.world);
    groups_free(&groups);
    struct ordo_trace_naming *naming = ours ? malloc(sizeof *naming) : NULL;
    if (ours && !naming)
        agree_at_once(comm);
    if (!naming)
        return NULL;
    *naming = (struct ordo_trace_naming){.made = made, .mine = propose()};
    PMPI_Iallreduce(&naming->mine, &naming->least, 1, MPI_2INT, MPI_MINLOC, comm, &naming->agreed);
    return naming;
}

void ordo_trace_naming_end(struct ordo_trace_naming *naming)
{
    PMPI_Wait(&naming->agreed, MPI_STATUS_IGNORE);
    struct groups groups = groups_of(*naming->made);
    name(*naming->made, &groups, naming->least);
    groups_free(&groups);
    free(naming);
}

struct ordo_trace_communicator *ordo_trace_communicator_of(MPI_Comm comm)
{
    void *value = NULL;
    int found = 0;
    if (__builtin_expect(comm == MPI_COMM_WORLD, 1))
        return the_world;
    if (comm == MPI_COMM_NULL || PMPI_Comm_get_attr(comm, keyval, &value, &found) != MPI_SUCCESS || !found)
        return NULL;
    return value;
}

/* MPI_COMM_WORLD has the number 0, and MPI_COMM_SELF of each rank the number 1. */
int ordo_trace_communicators_start(struct ordo_trace_recorder *recorder)
{
    const struct given self = {recorder->rank, 1};
    next_number = 2;
    next_index = 1;
    if (PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freed, &keyval, NULL) != MPI_SUCCESS)
        return ORDO_E_SYSTEM;
    struct groups groups = groups_of(MPI_COMM_WORLD);
    the_world = describe_groups(&groups);
    groups_free(&groups);
    groups = groups_of(MPI_COMM_SELF);
    name(MPI_COMM_SELF, &groups, self);
    groups_free(&groups);
    return the_world && ordo_trace_communicator_of(MPI_COMM_SELF) ? ORDO_OK : ORDO_E_SYSTEM;
}

void ordo_trace_communicators_stop(void)
{
    ordo_trace_communicator_drop(the_world);
    the_world = NULL;
    if (keyval != MPI_KEYVAL_INVALID) /* MPI keeps the key until the last communicator with this key is freed */
        (void)PMPI_Comm_free_keyval(&keyval);
}
