/* Figure 2 of the report, replayed: processes P0 to P14, of which P0 has the reference; the channel from P7 to P10 is
 * cut, and the redundant channel from P9 to P12 replaces it.
 *
 * The replay keeps the statements of the text about the figure: P10 heads the sub-domain of P10 to P14, and the path to
 * P12 through P9 has more hops than the path through P10. The other channels are chosen here, because the figure does
 * not name them. */
#ifndef ORDO_LAB_NET_OSMOSIS_FIGURE2_H
#define ORDO_LAB_NET_OSMOSIS_FIGURE2_H

#include "lab/net/osmosis/tree.h"

enum {
    ORDO_NET_FIGURE2_PROCESSES = 15,
    ORDO_NET_FIGURE2_CHANNELS = 15, /* including the cut channel and the redundant channel */
    ORDO_NET_FIGURE2_CUT = 9,
    ORDO_NET_FIGURE2_REDUNDANT = 14,
    ORDO_NET_FIGURE2_MOMENTS = 4
};

/** A process at one moment. */
struct ordo_net_figure2_process {
    int follows; /* the process that it follows; -1: none */
    int master, hops;
    bool synchronised;
};

struct ordo_net_figure2 {
    struct ordo_net_link channel[ORDO_NET_FIGURE2_CHANNELS];
    struct ordo_net_figure2_moment {
        const char *title;
        int64_t after_cut_fs; /* time since the cut; negative: before the cut */
        struct ordo_net_figure2_process process[ORDO_NET_FIGURE2_PROCESSES];
    } moments[ORDO_NET_FIGURE2_MOMENTS];
    int64_t beacon_fs;
    /* Time from the cut until the whole sub-domain is tagged; time from the cut until it is synchronised again. */
    int64_t tagged_fs, rerooted_fs;
    int loops; /* number of changes after which a chain of masters was a loop; must be 0 */
};

/** Replays the figure. ORDO_E_SYSTEM: out of memory. */
int ordo_net_figure2_replay(struct ordo_net_figure2 *figure, uint64_t seed, struct ordo_error *error);

/** True if the replay agrees with the report: P10 becomes a pseudo-master at once; P10 to P14 are tagged, and then
 * follow P12, which follows P9; nothing else changes, and there is no loop. */
bool ordo_net_figure2_is_right(const struct ordo_net_figure2 *figure);

#endif
