#include "cluster/transport/smpi/split.h"

#include <stdbool.h>
#include <stdlib.h>

struct member {
    int color, key, rank;
};

/** The colors and keys of all ranks, and their order. The last rank that leaves frees the table. */
struct table {
    int size, left;
    bool sorted;
    struct member *member;
    int *order, *place; /* order: the ranks, sorted by color and key; place: index of each rank in `order` */
};

static void free_table(struct table *table)
{
    free(table->member);
    free(table->order);
    free(table);
}

static struct table *new_table(int size)
{
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    table->size = size;
    table->member = calloc((size_t)size, sizeof *table->member);
    table->order = calloc((size_t)size, 2 * sizeof *table->order);
    if (table->member && table->order) {
        table->place = table->order + size;
        return table;
    }
    free_table(table);
    return NULL;
}

static int compare_keys(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    if (a->color != b->color)
        return a->color < b->color ? -1 : 1;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

/* Sorts the table. Called by the first rank after the barrier. No other rank runs meanwhile, because the ranks are
 * coroutines and this function waits for no message. */
static void sort(struct table *table)
{
    qsort(table->member, (size_t)table->size, sizeof *table->member, compare_keys);
    for (int i = 0; i < table->size; i++) {
        table->order[i] = table->member[i].rank;
        table->place[table->member[i].rank] = i;
    }
    table->sorted = true;
}

static int make_part(const struct table *table, MPI_Comm comm, int rank, MPI_Comm *part)
{
    int first = table->place[rank], end = first, color = table->member[first].color;
    MPI_Group all, members;
    while (first > 0 && table->member[first - 1].color == color)
        first--;
    while (end < table->size && table->member[end].color == color)
        end++;
    int code = MPI_Comm_group(comm, &all);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Group_incl(all, end - first, &table->order[first], &members);
    (void)MPI_Group_free(&all);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Comm_create_group(comm, members, 0, part);
    (void)MPI_Group_free(&members);
    return code;
}

int ordo_smpi_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    struct table *table = NULL;
    int rank, size, code = MPI_SUCCESS;
    *part = MPI_COMM_NULL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0)
        table = new_table(size);
    (void)MPI_Bcast(&table, sizeof table, MPI_BYTE, 0, comm);
    if (!table)
        return MPI_ERR_NO_MEM;
    table->member[rank] = (struct member){color, key, rank};
    (void)MPI_Barrier(comm);
    if (!table->sorted)
        sort(table);
    if (color != MPI_UNDEFINED)
        code = make_part(table, comm, rank, part);
    if (++table->left == table->size)
        free_table(table);
    return code;
}
