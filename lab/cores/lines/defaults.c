#include "lab/cores/lines/defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOUNDARY_TICKS = 300 };

/* True if the user gave the command this option, as "--name" or as "--name=value". */
static bool is_given(const struct cli_call *call, const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i < call->rest_count; i++)
        if (strncmp(call->rest[i], name, length) == 0 && strchr("=", call->rest[i][length]))
            return true;
    return false;
}

static void add_default(struct cores_defaults *defaults, const struct cli_call *call, const char *name,
                        const char *value)
{
    if (!is_given(call, name))
        (void)snprintf(defaults->options[defaults->count++], sizeof defaults->options[0], "%s=%s", name, value);
}

void cores_defaults_find(struct cores_defaults *defaults, const struct cli_call *call, const char *skew)
{
    char ticks[32];
    defaults->count = 0;
    (void)snprintf(ticks, sizeof ticks, "%lu", (skew ? strtoul(skew, NULL, 10) : 0) + BOUNDARY_TICKS);
    add_default(defaults, call, "--runs", "3");
    add_default(defaults, call, "--seconds", "0.0005");
    if (!is_given(call, "--record"))
        add_default(defaults, call, "--boundary", ticks);
    if (strcmp(call->rest[0], "rlu") == 0 || strcmp(call->rest[0], "stm") == 0)
        add_default(defaults, call, "--baseline", "none");
    if (strcmp(call->rest[0], "merge") == 0)
        add_default(defaults, call, "--producers", "0"); /* a lag of whole seconds would take hours */
}
