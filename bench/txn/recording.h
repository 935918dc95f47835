/* The history of a store's transactions, written to a file while they run.
 *
 * A history is cut into windows at moments when no transaction runs. So that memory stays bounded, all clients come to
 * rest whenever one of them has noted enough, and the last to arrive writes the window. */
#ifndef BENCH_TXN_RECORDING_H
#define BENCH_TXN_RECORDING_H

#include <ordo/cc/history.h>

#include "base/error.h"

struct txn_recording;

/** Creates the file; an engine with these promises is recorded. */
int txn_recording_open(struct txn_recording **recording, const char *path, enum ordo_txn_level level, bool strict,
                       struct ordo_error *error);

/** Closes the file. The code says whether all of the history is in it. May be called with NULL. */
int txn_recording_close(struct txn_recording *recording, struct ordo_error *error);

/** Records the operations of this worker from now on. Call before any worker of the store begins to work. */
int txn_recording_join(struct txn_recording *recording, struct ordo_worker *worker, struct ordo_error *error);

/** Every joined worker calls it between its transactions. Waits if a window is due. */
void txn_recording_rest(struct txn_recording *recording, struct ordo_worker *worker);

/** Writes the worker's recorded operations, and ends its part. */
void txn_recording_leave(struct txn_recording *recording, struct ordo_worker *worker);

#endif
