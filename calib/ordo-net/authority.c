#include "ordo-net/authority.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/duration.h"

/* Returns the index of the host; -1: there is no such host. */
static int index_of_peer(const struct peers *peers, const char *host)
{
    int i = 0;
    while (i < peers->count && strcmp(peers->name[i], host) != 0)
        i++;
    return i < peers->count ? i : -1;
}

/* The bound is behind the last '=', which no address contains. */
static int add_authority(char *word, const struct peers *peers, int64_t *bound_ns, struct ordo_error *error)
{
    char *bound = strrchr(word, '=');
    if (bound)
        *bound++ = '\0';
    int i = index_of_peer(peers, word);
    if (i < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--authority %.80s: not one of the hosts of --peers", word);
    if (bound_ns[i] != AUTHORITY_NONE)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--authority %.80s: is given twice: leave one out", word);
    bound_ns[i] = bound ? duration_between(bound, 1, INT64_C(1000000000000)) : AUTHORITY_CLAIMS;
    if (bound_ns[i] < 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "--authority %.60s=%.30s: not a time from 1ns to 1000s, as 100us", word, bound);
    return ORDO_OK;
}

int authority_parse(const char *list, const struct peers *peers, int64_t *bound_ns, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < peers->count; i++)
        bound_ns[i] = AUTHORITY_NONE;
    if (!list)
        return code;
    char *copy = strdup(list);
    if (!copy)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    for (char *rest = copy, *word; !code && (word = strsep(&rest, ","));)
        code = add_authority(word, peers, bound_ns, error);
    free(copy);
    return code;
}
