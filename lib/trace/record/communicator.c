#include "trace/record/communicator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "trace/record/recorder.h"

static struct ordo_trace_communicator *the_world;
static int keyval = MPI_KEYVAL_INVALID;
static uint32_t next_number;

struct ordo_trace_communicator *ordo_trace_communicator_keep(struct ordo_trace_communicator *communicator)
{
    if (communicator) /* relaxed: who keeps it has it already */
        (void)atomic_fetch_add_explicit(&communicator->users, 1, memory_order_relaxed);
    return communicator;
}

void ordo_trace_communicator_drop(struct ordo_trace_communicator *communicator)
{
    /* acq_rel: pairs with itself: what the other users have done with it is over before it is freed */
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

/* Its ranks; NULL where there is no memory. */
static struct ordo_trace_communicator *describe(MPI_Comm comm)
{
    int size, own;
    MPI_Group group, world;
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_rank(comm, &own);
    struct ordo_trace_communicator *made = malloc(sizeof *made + (size_t)size * sizeof *made->world);
    int *ranks = malloc((size_t)size * sizeof *ranks);
    if (!made || !ranks) {
        free(made);
        free(ranks);
        return NULL;
    }
    *made = (struct ordo_trace_communicator){.size = size, .own = own, .users = 1};
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    PMPI_Comm_group(comm, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_translate_ranks(group, size, ranks, world, made->world);
    PMPI_Group_free(&group);
    PMPI_Group_free(&world);
    free(ranks);
    return made;
}

static void tell(const struct ordo_trace_communicator *communicator)
{
    struct ordo_trace_group head = {communicator->number, (uint32_t)communicator->size};
    size_t ranks = (size_t)communicator->size * sizeof *communicator->world, bytes = ordo_trace_padded(ranks);
    char *payload = bytes <= ORDO_TRACE_CHUNK_MOST ? calloc(1, bytes) : NULL;
    if (!payload)
        return;
    memcpy(payload, &head, sizeof head);
    memcpy(payload + sizeof head, communicator->world, ranks);
    pthread_mutex_lock(&ordo_trace_recorder.lock);
    (void)ordo_trace_file_append(&ordo_trace_recorder.file, ORDO_TRACE_GROUP, payload, bytes, 1, 0);
    pthread_mutex_unlock(&ordo_trace_recorder.lock);
    free(payload);
}

/* [G1] Two threads that make one each at the same time may agree on the same number twice: then once more. */
static uint32_t agree(MPI_Comm comm)
{
    struct ordo_trace_recorder *recorder = &ordo_trace_recorder;
    for (;;) {
        uint32_t mine, most;
        int taken, any;
        pthread_mutex_lock(&recorder->lock);
        mine = next_number;
        pthread_mutex_unlock(&recorder->lock);
        PMPI_Allreduce(&mine, &most, 1, MPI_UINT32_T, MPI_MAX, comm);
        pthread_mutex_lock(&recorder->lock);
        taken = next_number > most;
        if (!taken)
            next_number = most + 1;
        pthread_mutex_unlock(&recorder->lock);
        PMPI_Allreduce(&taken, &any, 1, MPI_INT, MPI_MAX, comm);
        if (!any)
            return most;
    }
}

void ordo_trace_communicator_number(MPI_Comm comm)
{
    int two_groups = 1;
    if (comm == MPI_COMM_NULL || keyval == MPI_KEYVAL_INVALID)
        return;
    PMPI_Comm_test_inter(comm, &two_groups);
    if (two_groups)
        return;
    uint32_t number = agree(comm);
    struct ordo_trace_communicator *made = describe(comm);
    if (!made)
        return;
    made->number = number;
    tell(made);
    if (PMPI_Comm_set_attr(comm, keyval, made) != MPI_SUCCESS)
        ordo_trace_communicator_drop(made);
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

int ordo_trace_communicators_start(struct ordo_trace_recorder *recorder)
{
    (void)recorder;
    next_number = 2;
    the_world = describe(MPI_COMM_WORLD);
    struct ordo_trace_communicator *self = describe(MPI_COMM_SELF);
    if (!the_world || !self || PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, freed, &keyval, NULL) != MPI_SUCCESS) {
        free(self);
        return ORDO_E_SYSTEM;
    }
    self->number = 1;
    tell(self);
    return PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, self) == MPI_SUCCESS ? ORDO_OK : ORDO_E_SYSTEM;
}

void ordo_trace_communicators_stop(void)
{
    ordo_trace_communicator_drop(the_world);
    the_world = NULL;
    if (keyval != MPI_KEYVAL_INVALID) /* it lives on with what still has it */
        (void)PMPI_Comm_free_keyval(&keyval);
}
