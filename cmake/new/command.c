/* PROGRAM NAME: one line for people. */
#ifdef ORDO_MPI
#include "ordo-mpi/cli.h"
#include "ordo-mpi/read.h"
#else
#include <stdio.h>
#include <unistd.h>

#include "common/command.h"
#include "common/table.h"
#endif
#include "json/builder.h"

struct options {
    bool json;
};

static const struct cli_row rows[] = {
    {.name = "json", CLI_VALUE(struct options, json), .help = "Print the result as JSON"},
    {0},
};

static const struct cli_part parts[] = {{.rows = rows}, {0}};

static int print_NAME_json(long count)
{
    struct ordo_json document = ordo_json_document("ordo-NAME/1");
    ordo_json_put_int(&document, "KEY", count);
    return ordo_json_write(&document, stdout);
}

static int print_NAME(const char *program, const struct options *options, long count)
{
    if (options->json)
        return print_NAME_json(count) ? cli_fail_output(program) : EXIT_OK;
    printf("KEY %ld\n", count);
    return EXIT_OK;
}

static int run_NAME(int argc, char **argv)
{
    static const struct cli_table table = {"Prints the number of KEY.\v"
                                           "Exit status: 0 printed; 64 usage; 70 internal.",
                                           parts};
    struct options options = {0};
#ifdef ORDO_MPI
    int ranks;
    cli_read(&table, argc, argv, &options);
    int rank = mpi_cli_begin(argv[0], MPI_DEADLINE_S, true);
    MPI_CLI_CALL(MPI_Comm_size, MPI_COMM_WORLD, &ranks);
    return mpi_cli_end(rank == 0 ? print_NAME(argv[0], &options, ranks) : EXIT_OK);
#else
    cli_read(&table, argc, argv, &options);
    return print_NAME(argv[0], &options, sysconf(_SC_NPROCESSORS_ONLN));
#endif
}

const struct command command_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .schema = "ordo-NAME/1",
    .run = run_NAME,
};
