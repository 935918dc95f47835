/* Writes the history of a store's transactions to a file while they run.
 *
 * A history is divided into windows, at moments when no transaction runs. To bound the memory, all workers rest as soon
 * as one of them has recorded enough; the last worker that begins to rest writes the window. */
#ifndef BENCH_TXN_RECORDING_H
#define BENCH_TXN_RECORDING_H

#include <ordo/cc/history.h>

#include "base/error.h"

struct txn_recording;

/** Creates the file for an engine with this isolation level and strictness. */
int txn_recording_open(struct txn_recording **recording, const char *path, enum ordo_txn_level level, bool strict,
                       struct ordo_error *error);

/** Closes the file; `recording` may be NULL. Returns ORDO_OK if the file has the whole history. */
int txn_recording_close(struct txn_recording *recording, struct ordo_error *error);

/** Starts recording the operations of this worker. Call it before any worker of the store begins to work. */
int txn_recording_join(struct txn_recording *recording, struct ordo_worker *worker, struct ordo_error *error);

/** Waits if a window is due. Every joined worker must call it between its transactions. */
void txn_recording_rest(struct txn_recording *recording, struct ordo_worker *worker);

/** Writes the worker's recorded operations, and ends its recording. */
void txn_recording_leave(struct txn_recording *recording, struct ordo_worker *worker);

#endif
