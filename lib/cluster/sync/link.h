/* Learns the model of one client against one reference (LEARN_CLOCK_MODEL; Hunold and Carpen-Amarie, CLUSTER 2018,
 * Algorithm 2). The reference decides when each measurement begins, because only the reference knows when it is free
 * and whether the window needs a pause. So no exchange becomes longer by waiting for the reference. */
#ifndef ORDO_CLUSTER_SYNC_LINK_H
#define ORDO_CLUSTER_SYNC_LINK_H

#include "cluster/sync/types.h"
#include "cluster/transport/tags.h"

/** The reference's half, with `count` clients from `first` on, whose measurements take turns (JK; 1 in a tree). Costs
 * each client (1 + 2 pingpong) messages for each measurement. */
int ordo_link_serve(struct ordo_transport *transport, int first, int count, const struct ordo_sync_spec *spec);

/** The client's half. If a measurement contradicts itself, or memory runs out, the model is unknown, `error` is filled
 * in, and 0 is returned: all messages were exchanged, so no rank waits for one. */
int ordo_link_learn(struct ordo_transport *transport, int reference, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);

/** The two halves of one more measurement, without an estimator's round trip. */
int ordo_link_serve_once(struct ordo_transport *transport, int client, int pingpong);
int ordo_link_measure_once(struct ordo_transport *transport, int reference, int pingpong, struct ordo_fit_point *point,
                           int64_t *granule_ns);

#endif
