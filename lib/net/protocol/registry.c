#include <string.h>

#include "net/protocol/protocol.h"

enum { TEXT = 200 };

static const struct ordo_net_protocol *find(const char *name)
{
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++)
        if (strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

static int take(struct ordo_net_choice *choice, char *option, struct ordo_error *error)
{
    char *value = strchr(option, '=');
    if (value)
        *value++ = '\0';
    if (value && choice->protocol->take(choice, option, value))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: '%.40s%s%.40s' is not an option of it; it takes %s",
                          choice->protocol->name, option, value ? "=" : "", value ? value : "",
                          choice->protocol->options);
}

static int unknown(const char *name, struct ordo_error *error)
{
    char known[TEXT] = "";
    for (const struct ordo_net_protocol *const *at = ordo_net_protocols; *at; at++) {
        if (*known)
            strncat(known, ", ", sizeof known - strlen(known) - 1);
        strncat(known, (*at)->name, sizeof known - strlen(known) - 1);
    }
    return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.40s' is not a protocol; take one of %s", name, known);
}

int ordo_net_choice_parse(struct ordo_net_choice *choice, const char *text, struct ordo_error *error)
{
    char copy[TEXT], *rest = copy, *name;
    if (strlen(text) >= sizeof copy)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.40s...': longer than %d letters", text, TEXT - 1);
    (void)strcpy(copy, text);
    name = strsep(&rest, ":");
    *choice = (struct ordo_net_choice){
        .protocol = find(name),
        .huygens = ordo_net_huygens_defaults(),
        .ntp = ordo_net_ntp_defaults(),
        .dtp = ordo_net_dtp_defaults(),
        .osmosis = ordo_net_osmosis_defaults(),
        .ptp = ordo_net_ptp_defaults(),
        .firefly = ordo_net_firefly_defaults(),
    };
    int code = choice->protocol ? ORDO_OK : unknown(name, error);
    while (!code && rest)
        code = take(choice, strsep(&rest, ":"), error);
    return code;
}
