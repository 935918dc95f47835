#include "levels.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static void add_level(struct mpi_levels *levels, const char *text)
{
    levels->names[levels->count++] = text;
}

static void read_algorithm(const struct cli_given *given, void *member)
{
    struct mpi_levels *levels = member;
    if (levels->count == levels->most)
        cli_wrong(given->state, "--alg: at most %d", levels->most);
    add_level(levels, given->text);
}

#define VALUE(member) CLI_VALUE(struct mpi_levels, member)

/* The help names the defaults of ordo_sync_read and ordo_sync_defaults. A command may set other defaults. */
const struct cli_row mpi_levels_rows[] = {
    {.name = "alg",
     .argument = "SPEC",
     .read = read_algorithm,
     .help = "Algorithm as ALGORITHM[:KEY=VALUE,...], of 'ordo-mpi sync --list', or prop for clockprop; with fit=N, "
             "pingpong=N, window=TIME, intercept=0|1, offset=NAME, of the same list"},
    {.name = "inter",
     .argument = "SPEC",
     VALUE(inter),
     .help = "Algorithm between nodes, for h2hca and h3hca (default hca3)"},
    {.name = "socket",
     .argument = "SPEC",
     VALUE(socket),
     .help = "Algorithm between the sockets of a node, for h3hca (default hca3)"},
    {.name = "intra",
     .argument = "SPEC",
     VALUE(intra),
     .help = "Algorithm within a node, or for h3hca within a socket (default prop)"},
    {.name = "max-wander-ppb",
     .argument = "N",
     .most = 1000000,
     VALUE(declared.max_wander_ppb),
     .help = "Largest change of a clock's rate within a minute, in ppb: an assumption, on which every bound depends "
             "(default 100)"},
    {.name = "late-wander-ppb",
     .argument = "N",
     .most = 1000000,
     VALUE(declared.late_wander_ppb),
     .help = "Largest change of a clock's rate in an hour or longer, in ppb; between a minute and an hour the limit "
             "grows evenly (default 2000)"},
    {.name = "max-skew-ppb",
     .argument = "N",
     .least = 1,
     .most = 1000000,
     VALUE(declared.max_skew_ppb),
     .help = "Largest difference of a clock's rate from the true one, in ppb (default 500000)"},
    {0},
};

/* Reads all algorithms. The options for levels apply only to composed algorithms. If there is none, they are applied to
 * the first algorithm, which then reports the error. */
static bool read_algorithms(struct mpi_levels *levels, struct ordo_error *error)
{
    bool composed = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < levels->count; i++) {
            struct ordo_sync_options *read = &levels->algorithms[i];
            bool with = pass == 1 && (read->main.algorithm->composed || (i == 0 && !composed));
            *read = levels->declared;
            if (ordo_sync_read(levels->names[i], with ? levels->inter : NULL, with ? levels->socket : NULL,
                               with ? levels->intra : NULL, read, error))
                return false;
            composed |= read->main.algorithm->composed;
        }
    return true;
}

const char *mpi_levels_check(void *own, char text[400])
{
    struct mpi_levels *levels = own;
    struct ordo_error error;
    for (int i = 0; i < 3 && levels->count == i && levels->usual[i]; i++)
        add_level(levels, levels->usual[i]);
    if (read_algorithms(levels, &error))
        return NULL;
    (void)snprintf(text, 400, "%s", error.text);
    return text;
}
