/* The history of a store's transactions, written to a file while they run.
 *
 * A history is cut into windows at moments when no transaction runs. So that memory stays bounded, all clients come to
 * rest whenever one of them has noted enough, and the last to arrive writes the window. */
#ifndef BENCH_TXN_RECORDING_H
#define BENCH_TXN_RECORDING_H

#include <ordo/cc/history.h>

#include "base/error.h"

struct mvcc_recording;

/** Creates the file; an engine with these promises is recorded. */
int mvcc_recording_open(struct mvcc_recording **recording, const char *path, enum ordo_txn_level level, bool strict,
                        struct ordo_error *error);

/** Closes the file. The code says whether all of the history is in it. May be called with NULL. */
int mvcc_recording_close(struct mvcc_recording *recording, struct ordo_error *error);

/** Records what this worker does from now on. Before any other of the store's workers has begun to work. */
int mvcc_recording_join(struct mvcc_recording *recording, struct ordo_worker *worker, struct ordo_error *error);

/** To be called by every joined worker between its transactions: waits where a window is due. */
void mvcc_recording_rest(struct mvcc_recording *recording, struct ordo_worker *worker);

/** Writes what the worker has noted, and ends its part. */
void mvcc_recording_leave(struct mvcc_recording *recording, struct ordo_worker *worker);

#endif
