/* ordo-net evaluate: a name of earlier versions, in which one word ran a daemon and read its log. */
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/options.h"
#include "ordo-net/judging.h"

struct options {
    struct judging judging;
    const char **paths;
};

enum { LOG = 1, SAVED };

static const struct argp_option argp_options[] = {
    {"log", LOG, "FILE", 0, "A log, as an argument of judge", 1},
    {"file", SAVED, "FILE", 0, "The same", 1},
    {0},
};

/* The words that `ordo-lab evaluate` takes, which this command ignores: a line of a log names its daemon. */
static bool is_daemon(const char *word)
{
    return strcmp(word, "linuxptp") == 0 || strcmp(word, "chrony") == 0;
}

static error_t parse_evaluate(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    if (key == LOG || key == SAVED || (key == ARGP_KEY_ARG && !is_daemon(argument)))
        options->paths[options->judging.count++] = argument;
    else if (key == ARGP_KEY_END && options->judging.count == 0)
        cli_wrong(state,
                  "'ordo-lab evaluate' runs a daemon, and 'ordo-net judge FILE...' judges logs: use one of them");
    else if (key != ARGP_KEY_ARG && key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct argp argp = {
    argp_options,
    parse_evaluate,
    "[DAEMON] FILE...",
    "The name in earlier versions: ordo-lab evaluate runs a daemon and measures its error, and ordo-net judge judges "
    "logs. With files, this command does what judge does without limits.\vExit status: 0 measured; 2 could not tell; "
    "64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int run_evaluate(int argc, char **argv)
{
    struct options options = {.judging = judging_begin()};
    options.paths = calloc((size_t)argc, sizeof *options.paths);
    if (!options.paths)
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    cli_parse(&argp, argc, argv, &options);
    options.judging.paths = options.paths;
    int code = judging_run(&options.judging, argv[0]);
    free(options.paths);
    return code;
}

const struct command command_evaluate = {
    .name = "evaluate",
    .title = "earlier name: ordo-lab evaluate runs daemons, judge judges logs",
    .run = run_evaluate,
};
