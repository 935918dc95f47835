#include "ordo-net/estimators.h"

#include <stdio.h>

const struct ordo_net_offset_estimator *estimator_named(const char *name, const struct argp_state *state)
{
    char names[400] = "";
    const struct ordo_net_offset_estimator *found = ordo_net_offset_estimator_find(name);
    for (const struct ordo_net_offset_estimator *const *at = ordo_net_offset_estimators; !found && *at; at++)
        cli_add_name(names, sizeof names, (*at)->name);
    if (!found)
        cli_wrong(state, "--estimator %.40s: not one of %s", name, names);
    return found;
}

int estimators_list(const char *program)
{
    for (const struct ordo_net_offset_estimator *const *at = ordo_net_offset_estimators; *at; at++)
        printf("%-8s %s\n", (*at)->name, (*at)->title);
    return cli_close_stdout(program);
}
