/* What all engines share: memory, workers and their places, tables, and reclamation.
 *
 * A header template over the stamp: each engine's translation unit has its own copy, so that no access to a record is a
 * call. An engine's worker begins with struct cc_worker, and the engine frees the items that the worker has retired
 * (cc_free_item).
 *
 * Reclamation, C10. Every transaction announces itself before it takes its time, and announces the time then
 * (cc_enter), or it announces itself with a time that it has read before (cc_enter_newest). Let t be read from the
 * clock after some memory became unreachable. The memory is reused if t < min(oldest active, now) - 2B, where an
 * announced transaction without a time counts as minus infinity (cc_look_around). Why no transaction uses it any more:
 *
 *  - A transaction that could still hold a pointer to the memory took its time x before the memory became unreachable,
 *    so t >= x - B by the lemma of ordo.h. It is active, so t < x - 2B: a contradiction.
 *  - A transaction that begins later than the scan of cc_look_around does not find the memory, and has x >= now - B.
 *    Only if it reads nothing but the newest versions, x may be before t, and an entry that was still in the index may
 *    leave it while the transaction runs.
 *  - For a superseded version, t is the time of the version above. For all active and future x, t + B < x - B, so every
 *    reader by time stops at the version above or earlier in the chain, and never follows its link down. A reader of
 *    the newest version does not go below a version that has its time; and if it went below one that had none, t had
 *    not been read by then.
 *
 * A transaction that names the versions it holds counts by its names in place of its time (cc_names,
 * hekaton/hazards.h).
 *
 * The announcement is ordered before the time, and the time of cc_look_around before its scan of the announcements, so
 * of a transaction and a scan one sees the other. The scan goes over the announcements twice, because of workers that
 * prune (hekaton/prune.h).
 *
 * The conditions that the arguments in these files name. Their numbers are those of <ordo/cc/rlu/argument.h>:
 *
 *  C1  The boundary covers every CPU of every worker. The caller ensures this (txn.h); if it is false, no argument here
 *      holds. A worker that notices, because a wait for the clock is in vain, ends its transaction before it has shown
 *      any of its writes. From then on no memory is reclaimed, because clocks decide when it may be [C1].
 *
 *  C2  A transaction announces itself before it takes its time [C2]. A transaction that reads only the newest versions
 *      announces a time x that it has read already; but it has read and announced x before its first access
 *      [C2 newest]. So a transaction that changes something that an access has found reads its clock later, and finds
 *      at least x - B. The time x may be old, if the thread was preempted in between: then more of the versions that it
 *      meets are too new.
 *
 *  C3  A value that is not a time is not taken for one [C3].
 *
 *  C4  A writer announces that it commits, by a state or by locks, before it reads the clock for its end [C4].
 *
 *  C5  While any transaction may begin to see versions by their times, no transaction builds on the writes of another
 *      before every clock has passed the other's end [C5, C5 look]. A transaction that begins so has announced it first
 *      (the era is odd), begins certainly after every end that was not waited for until then, and finds the
 *      announcement still there [C5 come]; then the announcement may be withdrawn [C5 go].
 *
 *  C6  An uncertain order is not taken for an order [C6].
 *
 *  C7  Nothing relies on different transactions having different times [C7].
 *
 *  C8  The times of one worker do not decrease [C8].
 *
 *  C9  A retry finds a later time [C9].
 *
 *  C10 Memory is reused when no transaction can hold or find it, as above [C10].
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
