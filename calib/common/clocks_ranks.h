/* The part of a comparison of clocks that the ranks of an MPI program contribute. */
#ifndef ORDO_COMMON_CLOCKS_RANKS_H
#define ORDO_COMMON_CLOCKS_RANKS_H

#include "json/builder.h"

/** The ranks' results about the clocks of their nodes, as JSON and as text. NULL: there are no ranks. */
struct cli_clocks_ranks {
    const struct ordo_json *json;
    const char *text;
};

#endif
