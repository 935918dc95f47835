/* PROGRAM NAME: one line for people. */
#ifdef ORDO_MPI
#include "ordo-mpi/cli.h"
#else
#include <stdio.h>
#include <unistd.h>

#include "common/command.h"
#include "common/options.h"
#endif
#include "json/builder.h"

struct options {
    bool json;
};

enum { JSON = 1 };

static const struct argp_option argp_options[] = {
    {"json", JSON, NULL, 0, "Print the result as JSON", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const struct cli_store stores[] = {CLI_FLAG_STORE(JSON, "--json", struct options, json), {0}};
    return cli_store(stores, key, argument, state);
}

static int print_json(long count)
{
    struct ordo_json document = ordo_json_document("ordo-NAME/1");
    ordo_json_put_int(&document, "KEY", count);
    return ordo_json_write(&document, stdout);
}

static int print(const char *program, const struct options *options, long count)
{
    if (options->json)
        return print_json(count) ? cli_fail_output(program) : EXIT_OK;
    printf("KEY %ld\n", count);
    return EXIT_OK;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {argp_options,
                                     parse,
                                     NULL,
                                     "Says how many KEY there are.\v"
                                     "Exit status: 0 told; 64 usage; 70 internal.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct options options = {0};
#ifdef ORDO_MPI
    int ranks;
    mpi_cli_parse(&argp, argc, argv, &options);
    int rank = mpi_cli_begin(argv[0], MPI_CLI_DEADLINE_S, true);
    MPI_CLI_CALL(MPI_Comm_size, MPI_COMM_WORLD, &ranks);
    return mpi_cli_end(rank == 0 ? print(argv[0], &options, ranks) : EXIT_OK);
#else
    cli_parse(&argp, argc, argv, &options);
    return print(argv[0], &options, sysconf(_SC_NPROCESSORS_ONLN));
#endif
}

const struct command command_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .schema = "ordo-NAME/1",
    .run = run,
};
