#include "levels.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/report.h"

enum { ALG = 1100, INTER, SOCKET, INTRA, WANDER, LATE, SKEW };

static const struct argp_option argp_options[] = {
    {"alg", ALG, "SPEC", 0,
     "Algorithm as ALGORITHM[:KEY=VALUE,...]: @ (prop: clockprop); fit=N, pingpong=N, window=TIME, intercept=0|1, "
     "offset=NAME: @",
     0},
    {"inter", INTER, "SPEC", 0, "Algorithm between nodes, for h2hca and h3hca (default hca3)", 0},
    {"socket", SOCKET, "SPEC", 0, "Algorithm between the sockets of a node, for h3hca (default hca3)", 0},
    {"intra", INTRA, "SPEC", 0, "Algorithm within a node, or for h3hca within a socket (default prop)", 0},
    {"max-wander-ppb", WANDER, "N", 0,
     "Most that a clock's rate changes within a minute, in ppb: declared, and part of every bound (default 100)", 0},
    {"late-wander-ppb", LATE, "N", 0,
     "Most that a clock's rate changes in an hour or longer, in ppb; between a minute and an hour it grows evenly "
     "(default 2000)",
     0},
    {"max-skew-ppb", SKEW, "N", 0, "Largest difference of a clock's rate from the true one, in ppb (default 500000)",
     0},
    {0},
};

static void add(struct argp_state *state, struct mpi_levels *levels, const char *text)
{
    if (levels->count == levels->most)
        cli_wrong(state, "--alg: at most %d", levels->most);
    levels->names[levels->count++] = text;
}

/* Levels are for the algorithms that have them; where none has, the first complains. */
static void read_all(struct argp_state *state, struct mpi_levels *levels)
{
    struct ordo_error error;
    bool composed = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < levels->count; i++) {
            struct ordo_sync_options *read = &levels->algorithms[i];
            bool with = pass == 1 && (read->main.algorithm->composed || (i == 0 && !composed));
            *read = levels->declared;
            if (ordo_sync_read(levels->names[i], with ? levels->inter : NULL, with ? levels->socket : NULL,
                               with ? levels->intra : NULL, read, &error))
                cli_wrong(state, "%s", error.text);
            composed |= read->main.algorithm->composed;
        }
}

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(INTER, "--inter", struct mpi_levels, inter),
    CLI_TEXT_STORE(SOCKET, "--socket", struct mpi_levels, socket),
    CLI_TEXT_STORE(INTRA, "--intra", struct mpi_levels, intra),
    CLI_STORE(WANDER, "--max-wander-ppb", struct mpi_levels, declared.max_wander_ppb, 0, 1000000),
    CLI_STORE(LATE, "--late-wander-ppb", struct mpi_levels, declared.late_wander_ppb, 0, 1000000),
    CLI_STORE(SKEW, "--max-skew-ppb", struct mpi_levels, declared.max_skew_ppb, 1, 1000000),
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct mpi_levels *levels = state->input;
    switch (key) {
    case ALG:
        add(state, levels, text);
        return 0;
    case ARGP_KEY_END:
        for (int i = 0; i < 3 && levels->count == i && levels->usual[i]; i++)
            add(state, levels, levels->usual[i]);
        read_all(state, levels);
        return 0;
    default:
        return cli_store(stores, key, text, state);
    }
}

static char *help(int key, const char *text, void *input)
{
    char names[400] = "", offsets[400] = "";
    (void)input;
    if (key != ALG)
        return (char *)(uintptr_t)text;
    for (const struct ordo_sync_algorithm *const *at = ordo_sync_algorithms; *at; at++)
        cli_add_name(names, sizeof names, (*at)->name);
    for (const struct ordo_offset_estimator *const *at = ordo_offset_estimators; *at; at++)
        cli_add_name(offsets, sizeof offsets, (*at)->name);
    char *half = cli_help_with(text, names), *whole = half ? cli_help_with(half, offsets) : NULL;
    free(half);
    return whole;
}

const struct argp mpi_levels_argp = {argp_options, parse, NULL, NULL, NULL, help, NULL};
