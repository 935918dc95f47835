/* Learns the model of one client against one reference (LEARN_CLOCK_MODEL; Hunold and Carpen-Amarie, CLUSTER 2018,
 * Algorithm 2). The reference decides when each measurement begins, because only the reference knows when it is free
 * and when the window (types.h) needs a pause. So a client never waits for a busy reference within an exchange. */
#ifndef ORDO_CLUSTER_SYNC_LINK_H
#define ORDO_CLUSTER_SYNC_LINK_H

#include "cluster/sync/types.h"
#include "cluster/transport/tags.h"

/** Plays the reference's part for the `count` clients first, first + 1, ...: for each fit point, measures all clients
 * in turn. JK has several clients; an algorithm with a tree has one. Each measurement of a client takes 1 + 2 pingpong
 * messages. */
int ordo_link_serve(struct ordo_transport *transport, int first, int count, const struct ordo_sync_spec *spec);

/** Plays the client's part, and fits the model. If a measurement contradicts itself, or memory runs out, leaves the
 * model unknown, fills `error`, and still returns 0, because all messages were exchanged and no rank waits for more. */
int ordo_link_learn(struct ordo_transport *transport, int reference, const struct ordo_sync_options *options,
                    const struct ordo_sync_spec *spec, struct ordo_model *model, struct ordo_error *error);

/** Play the reference's part and the client's part in one more measurement, without extra exchanges for the round
 * trip. */
int ordo_link_serve_once(struct ordo_transport *transport, int client, int pingpong);
int ordo_link_measure_once(struct ordo_transport *transport, int reference, int pingpong, struct ordo_fit_point *point,
                           int64_t *granule_ns);

#endif
