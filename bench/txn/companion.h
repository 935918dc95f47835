/* A thread in addition to the measured threads. It sleeps most of the time, and does two things: as the long reader it
 * holds a snapshot for seconds and then checks that it reads the same records again; as the observer it samples the
 * memory. After each snapshot the reader pauses for the time that it held the snapshot, so that the samples show both
 * phases. */
#ifndef BENCH_TXN_COMPANION_H
#define BENCH_TXN_COMPANION_H

#include "memory.h"
#include "store.h"

struct txn_companion;

struct txn_sample {
    double at_s; /* seconds since the creation of the companion */
    bool reading;
    struct txn_memory memory;
};

/** Creates a companion whose reader holds snapshots for `reader_s` and whose observer samples every `memory_s`; 0:
 * without the reader, or without the observer. Returns NULL if out of memory. */
struct txn_companion *txn_companion_create(double reader_s, double memory_s);

void txn_companion_destroy(struct txn_companion *companion);

/** Start and stop the companion with a trial. txn_companion_stop() returns a code if the reader's snapshot changed. */
int txn_companion_start(struct txn_companion *companion, struct txn_store *store, struct ordo_error *error);
int txn_companion_stop(struct txn_companion *companion, struct ordo_error *error);

/** Returns the samples of all trials so far, and their number in `*count`. */
const struct txn_sample *txn_companion_samples(const struct txn_companion *companion, size_t *count);

#endif
