/* Synchronises the clocks of a group of ranks: the registry of algorithm/, and the one function that runs its
 * members. */
#ifndef ORDO_CLUSTER_SYNC_SYNC_H
#define ORDO_CLUSTER_SYNC_SYNC_H

#include "cluster/sync/track.h"
#include "cluster/sync/types.h"

/** All algorithms, ending with NULL; generated from the files of algorithm/. */
extern const struct ordo_sync_algorithm *const ordo_sync_algorithms[];

/** Returns the algorithm of this name, or NULL; "prop" is clockprop. */
const struct ordo_sync_algorithm *ordo_sync_algorithm_find(const char *name);

/** Returns H2HCA (HCA3 between nodes, propagation within), unverified, without fallback; wander 100 ppb, late wander 2
 * ppm, skew 500 ppm. */
struct ordo_sync_options ordo_sync_defaults(void);

/** A parameter of every algorithm: its name, the range of its value, and its reader (false: the value is out of
 * range). */
struct ordo_sync_key {
    const char *name, *range;
    bool (*read)(const char *value, struct ordo_sync_spec *spec);
};

/** All keys, ending with a NULL name. */
extern const struct ordo_sync_key ordo_sync_keys[];

/** Reads "ALGORITHM[:KEY=VALUE,...]" into `spec`, whose other fields stay. Keys are ordo_sync_keys. ORDO_E_INVALID: a
 * word is unknown or a key comes twice; the text has the word. */
int ordo_sync_parse(const char *text, struct ordo_sync_spec *spec, struct ordo_error *error);

/** Reads an algorithm and those of its levels, each as above, or NULL for that of `options`. The parameters of a
 * composed algorithm apply to all its levels; a level may have its own as well. ORDO_E_INVALID also for a level that
 * the algorithm does not have. */
int ordo_sync_read(const char *algorithm, const char *inter, const char *socket, const char *intra,
                   struct ordo_sync_options *options, struct ordo_error *error);

/** Returns whether models are copied, and among which ranks: common_residual_ns must hold for these ranks. */
enum ordo_sync_copying { ORDO_SYNC_COPIES_NOT, ORDO_SYNC_COPIES_IN_SOCKETS, ORDO_SYNC_COPIES_IN_NODES };
enum ordo_sync_copying ordo_sync_copies(const struct ordo_sync_options *options);

/** Collective: makes the last pass of offsets (ordo_tree_narrow), if the algorithm gains by it. `model` may have been
 * put on another reference since the algorithm ran. Returns the codes of an algorithm. */
int ordo_sync_narrow(struct ordo_transport *transport, const struct ordo_sync_spec *spec, struct ordo_model *model,
                     struct ordo_error *error);

/** Collective: all ranks return the worst code of all, and the text names the lowest rank that had it; on that rank,
 * and on rank 0, the text also gives the reason. `own` is filled in if the own code is not 0. */
int ordo_sync_agree(struct ordo_transport *transport, int code, struct ordo_error *own);

/** Synchronises, collectively. All ranks must pass the same options but for common_residual_ns.
 *
 * `track`, which may be NULL, is this rank's memory of earlier synchronisations over this transport: on all ranks, or
 * on none. It narrows the model, and the model is taken into it. If the track contradicts the new measurement, the code
 * is ORDO_E_MEASURE. If this function fails, the track is emptied on all ranks, because its bounds may not be true any
 * more.
 *
 * Every rank returns the same code. If it is not 0, no model is known. (If the transport fails, ranks may return
 * different codes.)
 * 0: synchronised
 * ORDO_E_UNVERIFIED: propagation on ranks that are not verified to share a clock, or are of several nodes
 * ORDO_E_MEASURE: a measurement contradicts itself or the declarations
 * ORDO_E_INVALID: the options are out of range */
int ordo_sync_run(struct ordo_transport *transport, const struct ordo_sync_options *options,
                  struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

#endif
