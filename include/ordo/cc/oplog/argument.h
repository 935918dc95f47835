/* Why Oplog is correct: conditions with numbers. The access that keeps one carries its tag.
 *
 * WHY THE CUT IS A NUMBER AND NOT A TIME
 *
 * A reader that sees an operation must see all operations that had returned before that one began. Suppose operation 1
 * returns on a CPU whose clock is ahead, and operation 2 then begins on a CPU whose clock is behind: t1 may be larger
 * than t2, by up to B. A reader that takes all operations up to a time between t2 and t1 sees 2 and not 1, which no
 * order explains. This holds for every such time, however long the reader waits for stragglers. A wait at the end of
 * each operation would prevent it at the price of B each, and each operation would have to be announced before it reads
 * the clock, lest one with an early time is published late. A number that the reader advances and each appender loads
 * costs the appender one load of an unchanged line, is exact, and needs no announcement: an operation that is not
 * published when a reader checks has not returned, so no operation that loaded the old number can have begun after it.
 * Times are left to do what only they can: to order the operations of many threads on one object without a shared word.
 *
 * WHY IT IS CORRECT
 *
 * S is the single order of the accesses that are sequentially consistent. Operation 1 is "before" operation 2 if 1 has
 * returned when 2 begins and this can be known: the return happens before the beginning.
 *
 *  C1  The boundary B covers every CPU of every thread: the caller's promise. Only C5 needs it. A boundary that was
 *      forgotten is refused [C1 given].
 *
 *  C2  Appender: loads the number of the cut, then publishes [C2 look, C2 publish]. Synchroniser: advances the number
 *      from c to c + 1, then reads how many operations of each log are published [C2 flip, C2 sample]. The cut is the
 *      set of operations that it finds published and that loaded c or less. If 1 is before 2 and 2 is in the cut, then
 *      2 loaded c or less, and therefore did so before the advance. 1 was published before 2 began, hence before the
 *      advance too, and the sample finds it. 1 also loaded the number earlier, at c or less, because the number only
 *      grows: 1 is in the cut. (If the thread of 2 knows of 1, all threads do, because a store is visible to all other
 *      cores at once. x86, ARMv8 and RISC-V RVWMO promise it: multi-copy atomicity.) An operation that has returned
 *      before the reader began is in the cut, or was in an earlier one.
 *      A reader that finds all logs applied needs no cut [C2 empty]: an operation that returned before the check was
 *      there to be found, and the reader sees no new operation.
 *
 *  C3  A thread that finds an operation published finds its entry, and the mark that says where in its log the present
 *      number began [C3 mark]. Operations behind that mark are left to the next cut [C3 limit]. A log has one mark,
 *      because the number does not advance again before the synchroniser that advanced it is done. Operations that are
 *      appended together load the number once and are published at once.
 *
 *  C4  States are changed and read under one lock only [C4 lock]. A thread that empties its own log under the lock
 *      applies only operations that commute, and stops at the first that does not [C4 own]: all of them are published
 *      before the next advance, and therefore in the next cut in any case, in which their order does not matter.
 *
 *  C5  In a cut, operations of TIMED objects are applied in the order of their times, each log from front to back
 *      [C5 merge]; the times of a log do not decrease, even if the thread migrates [C5 own]. If 1 is before 2, then
 *      t1 < t2: 1 has returned only when a clock showed more than t1 + B [C5 settle], and by the lemma (ordo.h) every
 *      read that begins later, on any CPU, shows more than t1. Each of the two clock reads needs order on one side
 *      only. The settling read comes before any access that makes known that 1 has returned (ordo_stamp_later_before).
 *      The read of t2 comes after the load by which the return of 1 is known [C5 take], and t2 is published only with
 *      the entry that holds it (ordo_stamp_take_after). Equal times belong to concurrent operations, whose order is
 *      free. Operations in different cuts are applied in the order of the cuts, which respects "before" by C2. Hence
 *      the order of application respects "before".
 *
 *  C6  An operation on an ORDERED object takes a time that is certainly after the object's last one, and becomes the
 *      last one by the exchange of a word that has not changed since [C6 after, C6 claim]. Hence the times of an
 *      object's operations increase, by more than B, in the order of those exchanges, which respects "before"; the rest
 *      is C5.
 *
 *  C7  An entry is overwritten only after it has been applied [C7 room, C7 done].
 *
 *  C8  A log stays when its thread ends, and is applied like any other; a new thread may take it over, with the
 *      operations in it (D2 in domain.h) [C8 reuse]. A thread whose log is not in the list yet when the synchroniser
 *      reads the list loads the number later than the advance (D3) [C8 join].
 *
 *  C9  No thread waits for an appender, wherever the appender stopped. A thread waits only for the clock, at most 2B,
 *      or for the holder of the lock: spinning, then yielding, then asleep [C9 turn]. Times are taken and room is made
 *      before the number is loaded, so that the loaded number is never older than a few stores, unless its thread is
 *      preempted.
 */
#ifndef ORDO_CC_OPLOG_ARGUMENT_H
#define ORDO_CC_OPLOG_ARGUMENT_H

#ifndef ORDO_CC_OPLOG_H
#error "include <ordo/cc/oplog.h>"
#endif

#include <ordo/cc/oplog/append.h>
#include <ordo/cc/oplog/domain.h>
#include <ordo/cc/oplog/object.h>
#include <ordo/cc/oplog/read.h>
#include <ordo/cc/oplog/thread.h>

#endif
