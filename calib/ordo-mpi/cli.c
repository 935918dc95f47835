#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "base/minmax.h"
#include "base/time.h"
#include "cli.h"
#include "cluster/transport/tags.h"
#include "drain.h"
#include "launcher.h"
#include "json/builder.h"

/* Set once by mpi_cli_begin. */
static double the_deadline_s;
static struct ordo_mpi_watch *the_watch;

/* Longest wait until the output is read, before all ranks are ended. */
enum { READ_NS = 2000000000 };

bool mpi_cli_speaks(void)
{
    return mpi_launcher_rank() <= 0;
}

void mpi_cli_read(const struct cli_table *table, int argc, char **argv, void *options)
{
    int out = -1, err = -1;
    if (!mpi_cli_speaks()) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
        err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
    cli_read(table, argc, argv, options);
    if (out >= 0 && err >= 0) {
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(err, STDERR_FILENO);
        (void)close(out);
        (void)close(err);
    }
}

static void wait_ms(int ms)
{
    enum { MOST_MS = 1000 };
    ordo_sleep_ns(ordo_min(ms, MOST_MS) * INT64_C(1000000));
}

/* Calls MPI_Wtime for the first time, one rank of a node after another. The first call of a rank begins at least 1 ms
 * after the first call of the rank before has ended. */
static void first_wtime(void)
{
    MPI_Comm node;
    char byte = 0;
    int rank, size;
    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    if (rank > 0) {
        MPI_Recv(&byte, 1, MPI_BYTE, rank - 1, ORDO_TAG_TURN, node, MPI_STATUS_IGNORE);
        wait_ms(1);
    }
    (void)MPI_Wtime();
    if (rank + 1 < size)
        MPI_Send(&byte, 1, MPI_BYTE, rank + 1, ORDO_TAG_TURN, node);
    MPI_Comm_free(&node);
}

/* Redirects stdout to stderr. Libraries that MPI uses print to stdout, which would break a report. UCX is one of them.
 * It reads its environment before main, so this program cannot redirect it. */
static int set_stdout_aside(void)
{
    (void)fflush(stdout);
    int report = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (report >= 0)
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    return report;
}

static void restore_stdout(int report)
{
    if (report < 0)
        return;
    (void)fflush(stdout);
    (void)dup2(report, STDOUT_FILENO);
    (void)close(report);
}

int64_t mpi_cli_deadline_ns(void)
{
    return the_deadline_s > 0 ? (int64_t)(the_deadline_s * 1e9) : -1;
}

/* The text that the signal handler writes. It is formatted before, because a signal handler must not format. */
static struct {
    char text[200], json[400];
    bool speaks;
} guard;

static void on_alarm(int signal)
{
    (void)signal;
    if (!guard.speaks)
        (void)sleep(1); /* so that rank 0 prints first, and ends all ranks */
    ssize_t written = write(STDERR_FILENO, guard.text, strlen(guard.text));
    if (guard.speaks)
        written = write(STDOUT_FILENO, guard.json, strlen(guard.json));
    (void)written;
    mpi_drain(READ_NS);
    _exit(EXIT_INTERNAL);
}

void mpi_cli_guard(const char *call)
{
    if (the_deadline_s <= 0)
        return;
    (void)alarm(0);
    if (!call)
        return;
    guard.speaks = mpi_cli_speaks();
    (void)snprintf(guard.text, sizeof guard.text,
                   "ordo-mpi: %s has not returned for %g s: a rank has ended, or stands still\n", call,
                   ceil(the_deadline_s));
    guard.json[0] = '\0';
    if (cli_owes_json())
        (void)snprintf(guard.json, sizeof guard.json,
                       "{\"schema\": \"%s\", \"error\": {\"code\": %d, \"text\": \"%.*s\"}}\n", cli_owes_json(),
                       EXIT_INTERNAL, (int)strlen(guard.text) - 11, guard.text + 10);
    (void)signal(SIGALRM, on_alarm);
    (void)alarm((unsigned)ceil(the_deadline_s));
}

/* Ends the program with exit code 2 if there is nothing to compare (mpi_launcher_differs), for example if every process
 * has an MPI_COMM_WORLD of its own although the launcher started several. */
static void refuse_to_be_alone(const char *program, bool alone)
{
    char text[400];
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!mpi_launcher_differs(size, alone, text))
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && mpi_cli_speaks())
        (void)cli_fail(EXIT_UNKNOWN, program, text);
    else if (rank == 0)
        wait_ms(1000); /* The launcher ends all processes when one fails, so the process that prints must end first. */
    MPI_CLI_GUARDED(MPI_Finalize, );
    exit(rank == 0 ? EXIT_UNKNOWN : EXIT_OK);
}

int mpi_cli_begin(const char *program, double deadline_s, bool alone)
{
    struct ordo_error error;
    int rank;
    the_deadline_s = deadline_s;
    wait_ms(mpi_launcher_local_rank());
    int report = set_stdout_aside();
    MPI_CLI_GUARDED(MPI_Init, NULL, NULL);
    restore_stdout(report);
    refuse_to_be_alone(program, alone);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpi_cli_guard("the first call of MPI_Wtime, rank by rank,");
    first_wtime();
    mpi_cli_guard(NULL);
    if (rank != 0)
        cli_json(NULL);
    mpi_cli_must(ordo_mpi_watch_create(MPI_COMM_WORLD, mpi_cli_deadline_ns(), &the_watch, &error), &error);
    mpi_cli_must(ordo_mpi_same(the_watch, the_watch->comm, program, "command", &error), &error);
    return rank;
}

int mpi_cli_end(int exit_code)
{
    int rank = the_watch->rank;
    mpi_cli_barrier();
    ordo_mpi_watch_free(the_watch);
    int report = set_stdout_aside();
    MPI_CLI_GUARDED(MPI_Finalize, );
    restore_stdout(report);
    return rank == 0 ? exit_code : EXIT_OK;
}

struct ordo_mpi_watch *mpi_cli_watch(void)
{
    return the_watch;
}

void mpi_cli_must(int code, const struct ordo_error *error)
{
    int rank;
    if (!code)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* All ranks get these two errors. Ranks other than 0 wait, so that rank 0 reports the error and ends all. */
    if (the_watch && (error->sys_errno == ETIMEDOUT || code == ORDO_E_INVALID) && rank != 0)
        wait_ms(1000);
    (void)cli_fail(EXIT_INTERNAL, "ordo-mpi", error->text);
    (void)fflush(stdout);
    (void)fflush(stderr);
    mpi_drain(READ_NS);
    MPI_Abort(MPI_COMM_WORLD, EXIT_INTERNAL);
}

void mpi_cli_call(int failed, const char *call)
{
    struct ordo_error error;
    mpi_cli_must(ordo_mpi_result(failed, call, &error), &error);
}

void mpi_cli_barrier(void)
{
    struct ordo_error error;
    mpi_cli_must(ordo_mpi_barrier(the_watch, the_watch->comm, &error), &error);
}

void mpi_cli_reduce(void *values, int count, MPI_Datatype type, MPI_Op op)
{
    struct ordo_error error;
    mpi_cli_must(ordo_mpi_reduce(the_watch, the_watch->comm, values, count, type, op, &error), &error);
}

/* Returns the approximate number of units per second of a clock, for injections. */
static double units_per_second(const struct ordo_clock_source *source)
{
    if (source->unit_hz)
        return (double)source->unit_hz;
    int64_t begin_ns = ordo_raw_ns();
    uint64_t begin = source->read();
    wait_ms(20);
    uint64_t ticks = source->read() - begin;
    return (double)ticks * 1e9 / (double)(ordo_raw_ns() - begin_ns);
}

void mpi_cli_inject(struct ordo_node_clock *clocks, int count, const struct mpi_injections *injections, int rank)
{
    for (int i = 0; i < count; i++)
        for (const struct mpi_injection *at = injections->of; at < injections->of + injections->count; at++)
            if (at->source == clocks[i].source && at->rank == rank) {
                double per_second = units_per_second(clocks[i].source);
                clocks[i].ahead_units = (int64_t)((double)at->ahead_ns * per_second / 1e9);
                clocks[i].fast = at->ppm * 1e-6;
                clocks[i].origin = clocks[i].source->read();
            }
}
