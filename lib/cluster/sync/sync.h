/* Synchronising the clocks of a group of ranks: the registry of algorithm/, and the one way to run its members. */
#ifndef ORDO_CLUSTER_SYNC_SYNC_H
#define ORDO_CLUSTER_SYNC_SYNC_H

#include "cluster/sync/track.h"
#include "cluster/sync/types.h"

/** All algorithms, ending with NULL; generated from the files of algorithm/. */
extern const struct ordo_sync_algorithm *const ordo_sync_algorithms[];

/** The algorithm of this name, or NULL; "prop" is clockprop. */
const struct ordo_sync_algorithm *ordo_sync_algorithm_find(const char *name);

/** H2HCA (HCA3 between nodes, propagation within), unverified, no fallback; wander 100 ppb and late 2 ppm, skew
 * 500 ppm. */
struct ordo_sync_options ordo_sync_defaults(void);

/** A parameter of every algorithm: its name, what its value may be, and what reads it (false: it is not). */
struct ordo_sync_key {
    const char *name, *range;
    bool (*read)(const char *value, struct ordo_sync_spec *spec);
};

/** All of them, ending with a NULL name. */
extern const struct ordo_sync_key ordo_sync_keys[];

/** Reads "ALGORITHM[:KEY=VALUE,...]" into `spec`, whose other fields stay. Keys are ordo_sync_keys. ORDO_E_INVALID, and the word, where one is not known or
 * a key comes twice. */
int ordo_sync_parse(const char *text, struct ordo_sync_spec *spec, struct ordo_error *error);

/** Reads an algorithm and those of its levels, each as above or NULL for what `options` has. The parameters of a
 * composed algorithm are those of all its levels, which may have their own beside. ORDO_E_INVALID also for a level that
 * the algorithm does not have. */
int ordo_sync_read(const char *algorithm, const char *inter, const char *socket, const char *intra,
                   struct ordo_sync_options *options, struct ordo_error *error);

/** Whether models are to be copied, and among which ranks: what common_residual_ns has to be about. */
enum ordo_sync_copying { ORDO_SYNC_COPIES_NOT, ORDO_SYNC_COPIES_IN_SOCKETS, ORDO_SYNC_COPIES_IN_NODES };
enum ordo_sync_copying ordo_sync_copies(const struct ordo_sync_options *options);

/** Collective: the last pass of offsets (ordo_tree_narrow), where the algorithm gains by it; `model` may have been put
 * on another reference since it ran. Fails as the algorithm does. */
int ordo_sync_narrow(struct ordo_transport *transport, const struct ordo_sync_spec *spec, struct ordo_model *model,
                     struct ordo_error *error);

/** Collective: all ranks return the worst code of all, and the text names the lowest rank that had it: on that rank, and
 * on rank 0, it also says why. `own` is filled in where the own code is not 0. */
int ordo_sync_agree(struct ordo_transport *transport, int code, struct ordo_error *own);

/** Synchronises, collectively; all ranks must pass the same options but for common_residual_ns.
 *
 * `track`, which may be NULL, is what this rank remembers of earlier times over this transport: on all ranks, or on
 * none. What it says narrows the model, which is taken into it; where it contradicts what is found that is
 * ORDO_E_MEASURE. Where this fails it is emptied on all ranks: what was found there may not be true any more.
 *
 * Every rank returns the same code: 0; ORDO_E_UNVERIFIED where propagation was asked for on ranks that were not shown
 * to share a clock, or are of several nodes; ORDO_E_MEASURE where a measurement contradicts itself or what was
 * declared; ORDO_E_INVALID. Where it is not 0 no model is known. (Where the transport fails, ranks may return different
 * codes.) */
int ordo_sync_run(struct ordo_transport *transport, const struct ordo_sync_options *options,
                  struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

#endif
