#include "net/wire/refusal.h"

#include <stddef.h>

const char *ordo_net_refusal_name(int refusal)
{
    static const char *const names[ORDO_NET_REFUSALS] = {
        "truncated", "oversized", "foreign",  "version", "kind",    "unknown",    "key",
        "field",     "session",   "replayed", "rate",    "crowded", "unexpected", "unanswered"};
    return refusal >= 0 && refusal < ORDO_NET_REFUSALS ? names[refusal] : NULL;
}
