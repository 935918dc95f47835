/* Options that only store a value. */
#include "options.h"

/* Returns the upper limit as an integer. The limit is a double, which cannot represent the largest integers exactly. */
static uint64_t most_of(const struct cli_store *row)
{
    return row->most >= 0x1p64 ? UINT64_MAX : (uint64_t)row->most;
}

void cli_set(const struct cli_store *row, void *member, const char *argument, const struct argp_state *state)
{
    switch (row->kind) {
    case CLI_FLAG:
        *(bool *)member = true;
        return;
    case CLI_TEXT:
        *(const char **)member = argument;
        return;
    case CLI_INT:
        *(int *)member =
            argument ? (int)cli_number(state, row->option, argument, (uint64_t)row->least, most_of(row)) : 1;
        return;
    case CLI_WHOLE:
        *(uint64_t *)member = cli_number(state, row->option, argument, (uint64_t)row->least, most_of(row));
        return;
    case CLI_REAL:
        *(double *)member = cli_real(state, row->option, argument, row->least, row->most);
    }
}

error_t cli_store(const struct cli_store *stores, int key, const char *argument, const struct argp_state *state)
{
    for (const struct cli_store *row = stores; row->option; row++)
        if (row->key == key) {
            cli_set(row, (char *)state->input + row->offset, argument, state);
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}
