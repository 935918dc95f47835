/* Synchronises the clocks of a group of ranks: the list of algorithms (algorithm/), and the function that runs one of
 * them. */
#ifndef ORDO_CLUSTER_SYNC_SYNC_H
#define ORDO_CLUSTER_SYNC_SYNC_H

#include "cluster/sync/track.h"
#include "cluster/sync/types.h"

/** All algorithms, ending with NULL; generated from the files of algorithm/. */
extern const struct ordo_sync_algorithm *const ordo_sync_algorithms[];

/** Returns the algorithm of this name, or NULL. "prop" is another name of clockprop. */
const struct ordo_sync_algorithm *ordo_sync_algorithm_find(const char *name);

/** Returns the default options: H2HCA, with HCA3 between nodes and clockprop within a node; unverified; no fallback;
 * wander 100 ppb, late wander 2 ppm, skew 500 ppm. */
struct ordo_sync_options ordo_sync_defaults(void);

/** A parameter that every algorithm has: its name, the range of its value in words, and the function that reads its
 * value, which returns false if the value is out of range. */
struct ordo_sync_key {
    const char *name, *range;
    bool (*read)(const char *value, struct ordo_sync_spec *spec);
};

/** All keys, ending with a NULL name. */
extern const struct ordo_sync_key ordo_sync_keys[];

/** Reads "ALGORITHM[:KEY=VALUE,...]" into `spec`. Fields without a KEY keep their values. Keys are ordo_sync_keys.
 * ORDO_E_INVALID: a word is unknown, a value is out of range, or a key is given twice; the text has the word. */
int ordo_sync_parse(const char *text, struct ordo_sync_spec *spec, struct ordo_error *error);

/** Reads an algorithm and the algorithms of its levels into `options`, each in the form of ordo_sync_parse. NULL keeps
 * the algorithm that `options` has. The parameters of a composed algorithm apply to all its levels, but parameters of
 * the level itself take precedence. ORDO_E_INVALID: as ordo_sync_parse, or the algorithm has no such level. */
int ordo_sync_read(const char *algorithm, const char *inter, const char *socket, const char *intra,
                   struct ordo_sync_options *options, struct ordo_error *error);

/** Returns the ranks among which these options copy models, if any. common_residual_ns must hold for these ranks. */
enum ordo_sync_copying { ORDO_SYNC_COPIES_NOT, ORDO_SYNC_COPIES_IN_SOCKETS, ORDO_SYNC_COPIES_IN_NODES };
enum ordo_sync_copying ordo_sync_copies(const struct ordo_sync_options *options);

/** Collective: measures all offsets once more (ordo_tree_narrow) if the algorithm uses a tree; else does nothing. The
 * models may have another reference than when the algorithm ran (ordo_tree_put_on). Returns 0, or a negative code if
 * the transport failed. */
int ordo_sync_narrow(struct ordo_transport *transport, const struct ordo_sync_spec *spec, struct ordo_model *model,
                     struct ordo_error *error);

/** Collective: returns the worst code of all ranks. The text names the lowest rank with this code; on that rank and on
 * rank 0, the text also has the reason. If `code` is not 0, the caller must have filled `own`. */
int ordo_sync_agree(struct ordo_transport *transport, int code, struct ordo_error *own);

/** Collective: synchronises. All ranks must pass the same options, except `common_...`.
 *
 * `track` is this rank's memory of earlier synchronisations over this transport; it must be NULL on all ranks or on
 * none. The track narrows the new model, and then takes it. If this function fails with another code than ORDO_E_INVALID, the
 * track is emptied on all ranks, because its bounds may no longer be true.
 *
 * Every rank returns the same code, unless the transport fails. If the code is not 0, the models of all ranks are
 * unknown.
 * 0: synchronised
 * ORDO_E_UNVERIFIED: clockprop was to copy among ranks that are not verified to read one clock, or are on several nodes
 * ORDO_E_MEASURE: a measurement contradicts itself, the declarations or the track
 * ORDO_E_INVALID: the options are out of range
 * ORDO_E_SYSTEM: out of memory, or the transport failed */
int ordo_sync_run(struct ordo_transport *transport, const struct ordo_sync_options *options,
                  struct ordo_offset_track *track, struct ordo_model *model, struct ordo_error *error);

#endif
