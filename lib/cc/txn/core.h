/* What all engines share: memory, workers and their places, tables, and reclamation.
 *
 * A header template over the stamp: each engine's translation unit has its own copy, so that no access to a record is a
 * call. An engine's worker begins with struct cc_worker, and what it has retired is freed by the engine (cc_free_item).
 *
 * Reclamation, C10. Every transaction announces itself before it takes its time, and its time then (cc_enter), or with a
 * time that it has read before (cc_enter_newest). Memory that was made unreachable at time t (by a clock read after it was)
 * is reused when t < min(oldest active, now) - 2B, an announced transaction without a time counting as minus infinity
 * (cc_look_around). Why nobody uses it then:
 *
 *  - a transaction that could still hold a pointer took its time x before the memory became unreachable, so that
 *    t >= x - B by the lemma of ordo.h; it is active, so t < x - 2B, a contradiction;
 *  - one that begins later than the scan of cc_look_around does not find the memory, and has x >= now - B, unless it
 *    reads only what is newest: then x may be before t, and what was not taken out of the index yet may leave it beside it;
 *  - for superseded versions t is the time of the version above: for all active and future x, t + B < x - B, so every
 *    reader by time stops at the version above or before, and never follows its link down. Who reads what is newest does
 *    not go below a version that has its time, and t was not read yet when it went below one that had none.
 *
 * A transaction that names what it holds counts by its names in place of its time (cc_names, hekaton/hazards.h).
 *
 * The announcement is ordered before the time, and the time of cc_look_around before its look at the announcements, so
 * of a transaction and a scan one sees the other. The scan looks twice, for the sake of those who prune
 * (hekaton/prune.h).
 *
 * The conditions that the arguments in these files name. Their numbers are those of <ordo/cc/rlu/argument.h>:
 *
 *  C1  The boundary covers every CPU of every worker: the caller's, txn.h. Where it does not, all that is said here is
 *      void. A worker that notices, because a wait for the clock is in vain, ends its transaction before anything of it
 *      was shown to anybody. From then on nothing is reclaimed, since clocks decide when it may be [C1].
 *
 *  C2  A transaction announces itself before it takes its time [C2]. One that reads only what is newest announces a time
 *      that it has read already; but before its first access it has read and announced it [C2 newest]. So whoever changes
 *      what an access has found reads its clock later, and finds at least x - B. That time may be old, if the thread has
 *      lost its CPU in between: then more of what it meets is too new.
 *
 *  C3  What is no time is not taken for one [C3].
 *
 *  C4  A writer announces that it commits, by a state or by locks, before it reads the clock for its end [C4].
 *
 *  C5  While anybody may begin to see versions by their times, nobody builds on what a transaction wrote before every
 *      clock has passed its end [C5, C5 look]. Who begins so has said it before, begins certainly after every end that was
 *      not waited for until then, and finds it still said [C5 come]; then it may be unsaid [C5 go].
 *
 *  C6  Uncertain is not ordered [C6].
 *
 *  C7  Nothing relies on different transactions having different times [C7].
 *
 *  C8  The times of one worker do not decrease [C8].
 *
 *  C9  A retry finds a later time [C9].
 *
 *  C10 Memory is reused when nobody can hold or find it, as above [C10].
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
