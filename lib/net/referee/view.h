/* The view of a claim: UTC minus the clock of the reference, if the claim is true (referee.h [R1], [R2]). */
#ifndef ORDO_NET_REFEREE_VIEW_H
#define ORDO_NET_REFEREE_VIEW_H

#include "net/referee/types.h"

/** Returns the view; [INT64_MIN, INT64_MAX] if the offset of the host is not proved. */
struct ordo_interval ordo_net_view_of(const struct ordo_net_bench *bench, const struct ordo_net_case *one);

/** Returns by how much two claims of one host are apart; 0 or less: they overlap [R5]. */
int64_t ordo_net_view_gap(const struct ordo_net_bench *bench, const struct ordo_net_case *a,
                          const struct ordo_net_case *b);

#endif
