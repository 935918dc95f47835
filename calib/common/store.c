/* Options that are plain stores. */
#include "options.h"

static void store(const struct cli_store *row, const char *argument, const struct argp_state *state)
{
    void *member = (char *)state->input + row->offset;
    switch (row->kind) {
    case CLI_FLAG:
        *(bool *)member = true;
        return;
    case CLI_TEXT:
        *(const char **)member = argument;
        return;
    case CLI_INT:
        *(int *)member =
            argument ? (int)cli_number(state, row->option, argument, (uint64_t)row->least, (uint64_t)row->most) : 1;
        return;
    case CLI_WHOLE:
        *(uint64_t *)member = cli_number(state, row->option, argument, (uint64_t)row->least, (uint64_t)row->most);
        return;
    case CLI_REAL:
        *(double *)member = cli_real(state, row->option, argument, row->least, row->most);
    }
}

error_t cli_store(const struct cli_store *stores, int key, const char *argument, const struct argp_state *state)
{
    for (const struct cli_store *row = stores; row->option; row++)
        if (row->key == key) {
            store(row, argument, state);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}
