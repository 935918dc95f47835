#include "inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES_BYTES = 400 };

const char *inputs_methods(void)
{
    static char names[NAMES_BYTES];
    names[0] = '\0';
    for (const struct ordo_method *const *at = ordo_methods; *at; at++)
        cli_add_name(names, sizeof names, (*at)->name);
    return names;
}

const char *inputs_forms(bool written)
{
    static char names[NAMES_BYTES];
    names[0] = '\0';
    for (const struct ordo_form *const *at = ordo_forms; *at; at++)
        if ((*at)->begin || !written)
            cli_add_name(names, sizeof names, (*at)->name);
    return names;
}

static const struct argp_option argp_options[] = {
    {"from", INPUTS_FROM, "FORM", 0,
     "The form of the traces, as in correct --list (default: recognised by the beginning of each file)", 10},
    {"column", INPUTS_COLUMN, "COLUMN=NAME", 0,
     "Name of a column of CSV or of a key of JSON Lines; COLUMN is rank, time_ns, kind, name, peer, tag, bytes, "
     "thread, communicator, root, number, global_ns, earliest_ns, latest_ns; may be given more than once",
     10},
    {"time-unit", INPUTS_UNIT, "UNIT", 0,
     "Unit of the times in the traces: s, ms, us or ns (default: ns; us in Chrome's form; the unit of a column time_s, "
     "time_ms or time_us)",
     10},
    {"partial", INPUTS_PARTIAL, NULL, 0,
     "Use the complete part of a truncated file, such as the trace of a rank that was killed", 10},
    {"strict", INPUTS_STRICT, NULL, 0,
     "Refuse files with oddities, such as a span without a dur (default: count the oddities and read the rest)", 10},
    {0},
};

static void set_column(const struct argp_state *state, struct ordo_columns *columns, const char *argument)
{
    const char *name = strchr(argument, '=');
    int column = name ? ordo_column_find(argument, (size_t)(name - argument)) : -1;
    if (column < 0 || name[1] == '\0' || strpbrk(name + 1, ",\"\\"))
        cli_wrong(state,
                  "--column %.40s: is not COLUMN=NAME with one of rank, time_ns, kind, name, peer, tag, bytes, thread, "
                  "communicator, root, number, global_ns, earliest_ns, latest_ns",
                  argument);
    columns->names[column] = name + 1;
}

static error_t parse_inputs(int key, char *argument, struct argp_state *state)
{
    struct ordo_traces_options *options = state->input;
    switch (key) {
    case INPUTS_FROM:
        options->form = ordo_form_find(argument);
        if (!options->form)
            cli_wrong(state, "--from %.40s: is not one of %s", argument, inputs_forms(false));
        return 0;
    case INPUTS_PARTIAL:
        options->partial = true;
        return 0;
    case INPUTS_UNIT:
        if (!ordo_columns_set_unit(&options->columns, argument))
            cli_wrong(state, "--time-unit %.40s: is not one of s, ms, us, ns", argument);
        return 0;
    case INPUTS_STRICT:
        options->strict = true;
        return 0;
    case INPUTS_COLUMN:
        set_column(state, &options->columns, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp inputs_argp = {argp_options, parse_inputs, NULL, NULL, NULL, NULL, NULL};

void inputs_tell_odds(FILE *stream, const struct ordo_reader *reader, const char *before)
{
    for (int i = 0; i < ORDO_ODDS; i++)
        if (reader->odds.of[i].count > 0)
            fprintf(stream, "%s%s: %" PRIu64 ", the first at row %" PRIu64 "\n", before, ordo_odd_text(i),
                    reader->odds.of[i].count, reader->odds.of[i].row);
}

static void tell(const struct ordo_reader *reader)
{
    char before[300];
    (void)snprintf(before, sizeof before, "%s: odd: ", reader->input.path);
    inputs_tell_odds(stderr, reader, before);
}

struct ordo_traces_options inputs_defaults(void)
{
    return (struct ordo_traces_options){.columns = ordo_columns_defaults(), .tell = tell};
}

error_t inputs_parse_files(int key, struct argp_state *state, struct ordo_traces_options *options)
{
    switch (key) {
    case ARGP_KEY_ARGS:
        options->paths = (const char *const *)state->argv + state->next;
        options->count = state->argc - state->next;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        cli_wrong(state, "name the files of a trace");
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int inputs_spare(const char *output, const char *const *inputs, int count, struct ordo_error *error)
{
    struct stat to, from;
    if (strcmp(output, "-") == 0 || stat(output, &to) != 0 || !S_ISREG(to.st_mode))
        return ORDO_OK;
    for (int i = 0; i < count; i++)
        if (inputs[i] && stat(inputs[i], &from) == 0 && from.st_dev == to.st_dev && from.st_ino == to.st_ino)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: is an input, and is not replaced: name another file",
                                  output);
    return ORDO_OK;
}

int inputs_fail(const char *program, const struct ordo_error *error)
{
    switch (error->code) {
    case ORDO_E_MEASURE:
        return cli_fail(EXIT_FAILS, program, error->text);
    case ORDO_E_SYSTEM:
        return cli_fail(error->sys_errno ? EXIT_USAGE : EXIT_INTERNAL, program, error->text);
    default:
        return cli_fail(EXIT_USAGE, program, error->text);
    }
}
