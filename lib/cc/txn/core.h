/* The parts that all engines share: memory, workers and their places, tables, and reclamation.
 *
 * These headers are a template over the stamp: each engine's translation unit compiles its own copy, so that no access
 * to a record is a function call. An engine's worker begins with struct cc_worker, and the engine supplies the function
 * that frees the worker's retired items (cc_free_item).
 *
 * Reclamation, C10. B is the boundary. A transaction announces itself, then takes its time and announces the time
 * (cc_enter); or it announces itself with a time that it has already read (cc_enter_newest). Let t be a time that was
 * read after some memory became unreachable. The memory is reused if t < min(oldest active, now) - 2B. Here "oldest
 * active" is the oldest announced time, and minus infinity if an announced transaction has no time yet
 * (cc_look_around). For three reasons no transaction uses the memory any more:
 *
 *  - A transaction that could still hold a pointer to the memory took its time x before the memory became unreachable,
 *    so t >= x - B by the lemma of ordo.h. It is active, so t < x - 2B: a contradiction.
 *  - A transaction that begins after the scan of cc_look_around does not find the memory, and its time x is >= now - B.
 *    There is one exception: if it reads only the newest versions, x may be before t. An entry that was in the index
 *    when such a transaction began may then leave the index while the transaction runs.
 *  - For a superseded version X, t is the time of the version above X. All active and future transactions have t + B <
 *    x - B, so every reader by time stops at the version above X or at a newer one, and never follows the link to X. A
 *    reader of the newest version does not go below a version that has its time. If it went below the version above X
 *    while that version had no time, t had not been read by then.
 *
 * A transaction that names the versions that it holds keeps only these versions from being reused, not those that its
 * time would keep (cc_names, hekaton/hazards.h).
 *
 * A transaction announces itself before it takes its time, and cc_look_around takes its time before it scans the
 * announcements. So either the scan sees the announcement, or the transaction sees everything that was done before the
 * scan; with cc_enter it then also takes its time after the scan took its own. (cc_enter_newest reads its time first:
 * C2 newest.) The scan reads all announcements twice, because of workers that prune (hekaton/prune.h).
 *
 * The arguments in these files name the following conditions, numbered as in <ordo/cc/rlu/argument.h>:
 *
 *  C1  The boundary covers every CPU of every worker. The caller ensures this (txn.h); if it is false, no argument here
 *      holds. A worker notices this if a wait for the clock is in vain. It then ends its transaction before it has
 *      shown any of its writes. From then on no memory is reclaimed, because reclamation relies on the clocks [C1].
 *
 *  C2  A transaction announces itself before it takes its time [C2]. A transaction that reads only the newest versions
 *      may announce a time x that it has already read, but it reads and announces x before its first access [C2
 *      newest]. So a transaction that changes a record after such an access reads its clock later, and gets a time >= x
 *      - B. If the thread is preempted between the read of x and its announcement, x is old, and more of the versions
 *      that the transaction meets are too new.
 *
 *  C3  A value that is not a time is never treated as a time [C3].
 *
 *  C4  A writer announces that it commits, by a state or by locks, before it reads the clock for its end [C4].
 *
 *  C5  While transactions may begin to see versions by their times, no transaction depends on the writes of a
 *      transaction T before every clock has passed the end of T [C5, C5 look]. A transaction that begins to see by
 *      times first announces this (it makes the era odd). It begins certainly after every end for which no writer has
 *      waited by then, and it finds its announcement still in force [C5 come]. After that, the announcement may be
 *      withdrawn [C5 go].
 *
 *  C6  An uncertain order is never treated as an order [C6].
 *
 *  C7  Nothing relies on different transactions having different times [C7].
 *
 *  C8  The times of one worker do not decrease [C8].
 *
 *  C9  A retry finds a later time [C9].
 *
 *  C10 Memory is reused only when no transaction can hold or find it, as shown above [C10].
 */
#ifndef ORDO_CC_TXN_CORE_H
#define ORDO_CC_TXN_CORE_H

#include "cc/txn/core/database.h"
#include "cc/txn/core/doom.h"
#include "cc/txn/core/home.h"
#include "cc/txn/core/horizon.h"
#include "cc/txn/core/memory.h"
#include "cc/txn/core/queue.h"
#include "cc/txn/core/reclaim.h"
#include "cc/txn/core/times.h"
#include "cc/txn/core/types.h"
#include "cc/txn/core/worker.h"

#endif
