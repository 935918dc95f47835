/* PROGRAM NAME: one line for people. */
#include "ordo-mpi/cli.h"
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

static int print_json(int ranks)
{
    struct ordo_json document = ordo_json_document("ordo-NAME/1");
    ordo_json_put_int(&document, "ranks", ranks);
    return ordo_json_write(&document, stdout);
}

/* Of rank 0. */
static int print(const char *program, const struct options *options)
{
    int ranks;
    MPI_CLI_CALL(MPI_Comm_size, MPI_COMM_WORLD, &ranks);
    if (options->json)
        return print_json(ranks) ? cli_fail_output(program) : EXIT_OK;
    printf("ranks %d\n", ranks);
    return EXIT_OK;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {argp_options,
                                     parse,
                                     NULL,
                                     "Says how many ranks there are.\v"
                                     "Exit status: 0 told; 64 usage; 70 internal.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct options options = {0};
    mpi_cli_parse(&argp, argc, argv, &options);
    int rank = mpi_cli_begin(argv[0], MPI_CLI_DEADLINE_S, true);
    return mpi_cli_end(rank == 0 ? print(argv[0], &options) : EXIT_OK);
}

const struct command command_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .schema = "ordo-NAME/1",
    .run = run,
};
