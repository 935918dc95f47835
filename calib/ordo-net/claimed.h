/* The sources whose claims an agent tells, from the option --claims. */
#ifndef ORDO_NET_CLAIMED_H
#define ORDO_NET_CLAIMED_H

#include "net/live/take.h"

/** The chosen sources. The paths are parts of `text`. */
struct claimed {
    char *text;
    int count;
    struct ordo_net_claimed_source source[ORDO_NET_MOST_HOST_CLAIMS];
};

/** Parses "NAME,NAME=PATH,...". NULL means every source at its default place, and "none" no source. ORDO_E_INVALID: there
 * is no such source, or there are too many. */
int claimed_parse(struct claimed *claimed, const char *list, struct ordo_error *error);
void claimed_free(struct claimed *claimed);

#endif
