/* Learning the model of one client against one reference (LEARN_CLOCK_MODEL; Hunold and Carpen-Amarie, CLUSTER 2018,
 * Algorithm 2). The reference says when each measurement begins: it alone knows when it is free, and whether the window
 * asks for a pause, and no exchange is stretched by waiting for its attention. */
#ifndef ORDO_CLUSTER_SYNC_LINK_H
#define ORDO_CLUSTER_SYNC_LINK_H

#include "cluster/sync/types.h"
#include "cluster/transport/tags.h"

/** The reference's half, with `count` clients from `first` on, whose measurements take turns (JK; 1 in a tree). Costs
 * each client (1 + 2 pingpong) messages for each measurement. */
int ordo_link_serve(struct ordo_transport *transport, int first, int count, const struct ordo_sync_spec *spec);

/** The client's half. A measurement that contradicts itself, or for which there was no memory, leaves the model
 * unknown, fills `error` and returns 0: all messages were exchanged, so that nobody waits for one. */
int ordo_link_learn(struct ordo_transport *transport, int reference, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);

/** One measurement more, without an estimator's round trip: its two halves. */
int ordo_link_serve_once(struct ordo_transport *transport, int client, int pingpong);
int ordo_link_measure_once(struct ordo_transport *transport, int reference, int pingpong, struct ordo_fit_point *point,
                           int64_t *granule_ns);

#endif
