/* PROGRAM NAME: one line for people. */
#include <stdio.h>
#include <unistd.h>

#include "common/command.h"
#include "common/options.h"
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

static int print_json(long cpus)
{
    struct ordo_json document = ordo_json_document("ordo-NAME/1");
    ordo_json_put_int(&document, "cpus", cpus);
    return ordo_json_write(&document, stdout);
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {argp_options,
                                     parse,
                                     NULL,
                                     "Says how many CPUs are online.\v"
                                     "Exit status: 0 told; 64 usage; 70 internal.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct options options = {0};
    cli_parse(&argp, argc, argv, &options);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    if (options.json)
        return print_json(cpus) ? cli_fail_output(argv[0]) : EXIT_OK;
    printf("cpus %ld\n", cpus);
    return EXIT_OK;
}

const struct command command_NAME = {
    .name = "NAME",
    .title = "one line for people",
    .schema = "ordo-NAME/1",
    .run = run,
};
