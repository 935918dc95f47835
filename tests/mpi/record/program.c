/* program [PART...]: the traced program. Without a PART it makes all kinds of calls.
 *
 *   flood N         records N regions
 *   die             kills rank 1
 *   threads         calls MPI in several threads
 *   communicators   makes communicators of all kinds, of four ranks on one node
 *   spawn           starts two more processes, which exchange messages with the first ones; both hold a session
 *   spread S        makes collective calls for S seconds
 *   pingpong N      exchanges N messages of 1 KiB, and prints the time */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/trace.h>

static int rank, size;
static MPI_Status *volatile ignored =
    MPI_STATUSES_IGNORE; /* volatile, because compilers that know MPI warn that it is too small */

static void point_to_point(MPI_Comm comm)
{
    int own, in[8], out[8] = {0}, which, many, some[4];
    MPI_Request requests[4];
    MPI_Status status, statuses[4];
    MPI_Comm_rank(comm, &own);
    int next = (own + 1) % size, before = (own + size - 1) % size; /* the communicator has all ranks */
    MPI_Sendrecv(out, 8, MPI_INT, next, 1, in, 8, MPI_INT, before, 1, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(in, 8, MPI_INT, next, 2, before, 2, comm, &status);
    for (int i = 0; i < 4; i++) { /* two messages of one tag, one from any source, one of another tag */
        MPI_Irecv(in + i, 1, MPI_INT, i == 2 ? MPI_ANY_SOURCE : before, i < 2 ? 3 : i == 2 ? 4 : 5, comm, &requests[i]);
        MPI_Send(out, 1, MPI_INT, next, i < 2 ? 3 : i == 2 ? 4 : 5, comm);
    }
    MPI_Waitany(4, requests, &which, MPI_STATUS_IGNORE);
    MPI_Waitsome(4, requests, &many, some, statuses);
    MPI_Waitall(4, requests, ignored);
    MPI_Isend(out, 2, MPI_INT, next, 6, comm, &requests[0]);
    MPI_Irecv(in, 8, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &requests[1]);
    for (int done = 0; !done;)
        MPI_Testall(2, requests, &done, statuses);
    MPI_Recv_init(in, 1, MPI_INT, before, 7, comm, &requests[0]);
    MPI_Send_init(out, 1, MPI_INT, next, 7, comm, &requests[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, requests);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        for (int done = 0; !done;)
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Message message;
    MPI_Isend(out, 3, MPI_INT, next, 8, comm, &requests[0]);
    MPI_Mprobe(before, 8, comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], &status);
    MPI_Irecv(in, 1, MPI_INT, before, 999, comm, &requests[0]); /* never sent */
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Send(out, 1, MPI_INT, MPI_PROC_NULL, 9, comm);
    MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 9, comm, MPI_STATUS_IGNORE);
}

static void collectives(MPI_Comm comm)
{
    int count, one = 1, *all;
    MPI_Comm_size(comm, &count);
    all = calloc((size_t)count, sizeof *all);
    MPI_Barrier(comm);
    MPI_Bcast(&one, 1, MPI_INT, count - 1, comm);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MAX, comm);
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    MPI_Scatter(all, 1, MPI_INT, &one, 1, MPI_INT, 0, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
    MPI_Scan(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(&one, all, 1, MPI_INT, MPI_SUM, 0, comm);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm); /* of no elements: no rank waits for another one */
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(all);
}

/* Calls with counts of the type MPI_Count, if MPI has them: 4 messages of each rank, and 9 collectives. */
static void large_counts(void)
{
#if MPI_VERSION >= 4
    MPI_Comm comm = MPI_COMM_WORLD;
    int in[8], out[8] = {0}, one = 1, *all = calloc((size_t)size, sizeof *all);
    int next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Sendrecv_c(out, 8, MPI_INT, next, 1, in, 8, MPI_INT, before, 1, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace_c(in, 8, MPI_INT, next, 2, before, 2, comm, MPI_STATUS_IGNORE);
    MPI_Irecv_c(in, 8, MPI_INT, before, 3, comm, &request);
    MPI_Send_c(out, 3, MPI_INT, next, 3, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend_c(out, 4, MPI_INT, next, 4, comm, &request);
    MPI_Recv_c(in, 8, MPI_INT, before, 4, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast_c(&one, 1, MPI_INT, 0, comm);
    MPI_Allreduce_c(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_MAX, comm);
    MPI_Gather_c(&one, 1, MPI_INT, all, 1, MPI_INT, 0, comm);
    MPI_Scatter_c(all, 1, MPI_INT, &one, 1, MPI_INT, 0, comm);
    MPI_Allgather_c(&one, 1, MPI_INT, all, 1, MPI_INT, comm);
    MPI_Alltoall_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
    MPI_Scan_c(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, comm);
    MPI_Exscan_c(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_c(&one, all, 1, MPI_INT, MPI_SUM, 0, comm);
    free(all);
    if (rank == 0)
        puts("MPI has large counts");
#endif
}

static void everything(void)
{
    MPI_Comm half, copy, reversed;
    ordo_trace_begin("everything");
    point_to_point(MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_split(MPI_COMM_WORLD, rank ? 0 : MPI_UNDEFINED, 0, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    collectives(half);
    point_to_point(reversed);
    MPI_Comm_free(&half);
    if (copy != MPI_COMM_NULL)
        MPI_Comm_free(&copy);
    MPI_Comm_free(&reversed);
    if (ordo_trace_timesync())
        fprintf(stderr, "no session\n");
    ordo_trace_begin("odd \x01 \xff name");
    ordo_trace_end("odd \x01 \xff name");
    ordo_trace_end("everything");
}

/* Sends a message to the next rank, and enters five barriers. A late rank delays only the ranks of its own
 * communicator. */
static void pass_round(MPI_Comm comm, int late)
{
    int own, count, in, out = 0;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &count);
    if (late)
        usleep(2000);
    MPI_Sendrecv(&out, 1, MPI_INT, (own + 1) % count, 1, &in, 1, MPI_INT, (own + count - 1) % count, 1, comm,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(comm);
}

/* Makes communicators of the rows of a grid, and then of its columns. */
static void grid(void)
{
    int sizes[2] = {2, 2}, none[2] = {0, 0}, remain[2][2] = {{0, 1}, {1, 0}}, at[2];
    MPI_Comm all, line;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, none, 0, &all);
    MPI_Cart_coords(all, rank, 2, at);
    for (int i = 0; i < 2; i++) {
        MPI_Cart_sub(all, remain[i], &line);
        pass_round(line, at[i]);
        MPI_Comm_free(&line);
    }
    MPI_Comm_free(&all);
}

static void groups(void)
{
    MPI_Group all, half;
    MPI_Comm made;
    int low = rank < 2 ? rank : 3 - rank; /* the groups are {3, 0} and {2, 1} */
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, (int[]){3 - low, low}, &half);
    MPI_Comm_create_group(MPI_COMM_WORLD, half, 5, &made);
    pass_round(made, low);
    MPI_Comm_free(&made);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &made);
    pass_round(made, 0);
    MPI_Comm_free(&made);
    MPI_Group_free(&half);
    MPI_Group_free(&all);
}

/* Starts two duplications of a communicator, and waits for the second one first. */
static void copies(MPI_Comm comm)
{
    MPI_Comm made[2];
    MPI_Request requests[2];
    for (int i = 0; i < 2; i++)
        MPI_Comm_idup(comm, &made[i], &requests[i]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    for (int done = 0; !done;)
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; i++) {
        pass_round(made[i], 0);
        MPI_Comm_free(&made[i]);
    }
}

/* Exchanges messages with the rank at the same position of the other group. */
static void cross(MPI_Comm between, int place)
{
    int in, out = 0;
    MPI_Sendrecv(&out, 1, MPI_INT, place, 1, &in, 1, MPI_INT, place, 1, between, MPI_STATUS_IGNORE);
}

static void two_groups(void)
{
    MPI_Comm half, between, copy, both;
    int place, one = 1, sum;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_rank(half, &place);
    pass_round(half, rank % 2);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &between);
    cross(between, place);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, between);
    MPI_Comm_dup(between, &copy);
    cross(copy, place);
    MPI_Intercomm_merge(between, rank % 2, &both);
    pass_round(both, 0);
    MPI_Comm_free(&both);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

static void *split_often(void *context)
{
    MPI_Comm half, *all = context;
    for (int i = 0; i < 10; i++) {
        MPI_Comm_split(*all, rank % 2, rank, &half);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
    }
    return NULL;
}

static void split_in_threads(void)
{
    pthread_t threads[3];
    MPI_Comm all[3];
    for (int i = 0; i < 3; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, split_often, &all[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&all[i]);
    }
}

static void communicators(int threaded)
{
    pass_round(MPI_COMM_SELF, rank % 2);
    grid();
    groups();
    copies(MPI_COMM_WORLD);
    copies(MPI_COMM_SELF);
    two_groups();
    if (threaded)
        split_in_threads();
}

/* Starts a second MPI_COMM_WORLD, whose ranks have the same numbers as those of the first. */
static void spawn(char *self)
{
    MPI_Comm others, both;
    char *words[] = {"spawn", NULL};
    MPI_Comm_get_parent(&others);
    int spawned = others != MPI_COMM_NULL;
    if (!spawned)
        MPI_Comm_spawn(self, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
    (void)ordo_trace_timesync(); /* of this MPI_COMM_WORLD alone */
    if (rank < 2)
        cross(others, rank);
    MPI_Intercomm_merge(others, spawned, &both);
    pass_round(both, spawned);
    MPI_Comm_free(&both);
    MPI_Comm_disconnect(&others);
    pass_round(MPI_COMM_WORLD, 0);
}

static void flood(int count)
{
    double begin = MPI_Wtime();
    for (int i = 0; i < count / 2; i++) {
        ordo_trace_begin("flood");
        ordo_trace_end("flood");
    }
    double took = MPI_Wtime() - begin;
    if (rank == 0)
        printf("flood %.1f ns an event\n", 1e9 * took / count);
}

static void *chat(void *context)
{
    int tag = 100 + (int)(intptr_t)context, out = tag, in;
    for (int i = 0; i < 200; i++) {
        MPI_Request request;
        ordo_trace_begin("chat");
        MPI_Irecv(&in, 1, MPI_INT, (rank + size - 1) % size, tag, MPI_COMM_WORLD, &request);
        MPI_Send(&out, 1, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        ordo_trace_end("chat");
    }
    return NULL;
}

static void threads(void)
{
    pthread_t all[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, chat, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
}

static void spread(double seconds)
{
    int more = 1, number = 0;
    for (double begin = MPI_Wtime(); more; number++) {
        usleep(2000);
        more = MPI_Wtime() - begin < seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

static void pingpong(int count)
{
    char bytes[1024] = "";
    for (int i = -count / 10; rank < 2 && i < count; i++) {
        static double begin;
        if (i == 0)
            begin = MPI_Wtime();
        if (rank == 0)
            MPI_Send(bytes, sizeof bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(bytes, sizeof bytes, MPI_CHAR, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1)
            MPI_Send(bytes, sizeof bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        if (rank == 0 && i == count - 1)
            printf("pingpong %.1f ns\n", 1e9 * (MPI_Wtime() - begin) / count);
    }
}

int main(int argc, char **argv)
{
    const char *part = argc > 1 ? argv[1] : "";
    int provided, threaded = strcmp(part, "threads") == 0 || strcmp(part, "communicators") == 0;
    ordo_trace_begin("before MPI_Init nothing is recorded");
    if (threaded)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!*part)
        everything();
    if (strcmp(part, "threads") == 0 && provided == MPI_THREAD_MULTIPLE)
        threads();
    if (strcmp(part, "communicators") == 0)
        communicators(provided == MPI_THREAD_MULTIPLE);
    if (strcmp(part, "large") == 0)
        large_counts();
    if (strcmp(part, "spawn") == 0)
        spawn(argv[0]);
    if (strcmp(part, "flood") == 0)
        flood(atoi(argv[2]));
    if (strcmp(part, "spread") == 0)
        spread(atof(argv[2]));
    if (strcmp(part, "pingpong") == 0)
        pingpong(atoi(argv[2]));
    if (strcmp(part, "die") == 0) {
        flood(1000);
        ordo_trace_flush();
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            raise(SIGKILL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    ordo_trace_end("nor after the end");
    return 0;
}
