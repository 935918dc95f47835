/* A thread in addition to the measured ones, which sleeps most of the time: the long reader, which holds a snapshot for seconds and
 * then reads the same records again, and the observer of the memory. The reader pauses for as long as it held the snapshot, so
 * that the memory shows both phases. */
#ifndef BENCH_TXN_COMPANION_H
#define BENCH_TXN_COMPANION_H

#include "memory.h"
#include "store.h"

struct txn_companion;

struct txn_sample {
    double at_s; /* since the companion was created */
    bool reading;
    struct txn_memory memory;
};

/** For a reader that stays for `reader_s` and samples every `memory_s`; 0 is none of that kind. NULL: no memory. */
struct txn_companion *txn_companion_create(double reader_s, double memory_s);

void txn_companion_destroy(struct txn_companion *companion);

/** Begins, and ends, with a trial. The code of the end says whether the reader saw its snapshot unchanged. */
int txn_companion_start(struct txn_companion *companion, struct txn_store *store, struct ordo_error *error);
int txn_companion_stop(struct txn_companion *companion, struct ordo_error *error);

/** The samples of all trials so far; `*count` of them. */
const struct txn_sample *txn_companion_samples(const struct txn_companion *companion, size_t *count);

#endif
