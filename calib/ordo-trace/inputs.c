#include "inputs.h"

#include <string.h>

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
    {"partial", INPUTS_PARTIAL, NULL, 0, "Accept traces of ranks that were killed, and use their complete part", 10},
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
    case INPUTS_COLUMN:
        set_column(state, &options->columns, argument);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp inputs_argp = {argp_options, parse_inputs, NULL, NULL, NULL, NULL, NULL};

struct ordo_traces_options inputs_defaults(void)
{
    return (struct ordo_traces_options){.columns = ordo_columns_defaults()};
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
