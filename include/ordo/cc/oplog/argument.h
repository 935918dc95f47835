/* Why Oplog is correct: a list of numbered conditions. In the code, the comment of an access names the condition that
 * the access keeps.
 *
 * WHY THE CUT IS A NUMBER AND NOT A TIME
 *
 * The cut is the set of operations that a reader applies. If a reader sees an operation, it must see all operations
 * that had returned before this operation began. Suppose the cut were all operations with times up to some T. Operation
 * 1, with time t1, returns on a CPU whose clock is ahead; then operation 2, with time t2, begins on a CPU whose clock
 * is behind: t1 may be larger than t2, by up to B. A reader with t2 <= T < t1 sees 2 and not 1, which no order
 * explains. This can happen however long the reader waits for late operations. A wait of B at the end of each operation
 * would prevent it. But each operation would also have to be announced before it reads the clock, because otherwise an
 * operation with an early time might be published late. The cut is therefore defined by a number that the reader
 * advances and each appender loads. The number is exact, costs the appender one load of a line that rarely changes, and
 * needs no announcement: an operation that is not published when a reader checks has not returned, so no operation that
 * loaded the old number can have begun after its return. Times are used only to order the operations of many threads on
 * one object without a shared word.
 *
 * WHY IT IS CORRECT
 *
 * S is the single order of the accesses that are sequentially consistent. Operation 1 is "before" operation 2 if the
 * return of 1 happens before the beginning of 2, in the sense of the memory model, so that the thread of 2 can know of
 * 1.
 *
 *  C1  The boundary B covers every CPU of every thread: the caller promises this. Only C5 needs it. A forgotten
 *      boundary is refused [C1 given].
 *
 *  C2  An appender loads the number of the cut, then publishes its operation [C2 look, C2 publish]. The synchroniser,
 *      the thread that applies all logs, advances the number from c to c + 1, then reads how many operations of each
 *      log are published [C2 flip, C2 sample]. The cut is the set of operations that the synchroniser finds published
 *      and that loaded a number <= c. Suppose 1 is before 2, and 2 is in the cut. Then 2 loaded a number <= c, and
 *      therefore loaded it before the advance. 1 was published before 2 began, hence before the advance too, and the
 *      sample finds it. 1 loaded the number earlier than 2, and the number only grows, so 1 loaded a number <= c. Hence
 *      1 is in the cut. (A publication that is visible to the thread of 2 is visible to all threads, because a store
 *      becomes visible to all other cores at once: multi-copy atomicity of x86, ARMv8 and RISC-V RVWMO.) An operation
 *      that returned before the reader began is in the cut or in an earlier cut.
 *      A reader that finds all logs applied needs no cut [C2 empty]: every operation that returned before the check is
 *      applied already, and the reader sees no newer operation.
 *
 *  C3  A thread that finds an operation published also finds its entry, and the mark of the log: the last number that
 *      the log's owner loaded, and the first operation that loaded it [C3 mark]. Operations behind the mark of the new
 *      number are left to the next cut [C3 limit]. One mark for each log is enough, because the number does not advance
 *      again before the synchroniser that advanced it is done. Operations that are appended together load the number
 *      once and are published by one store.
 *
 *  C4  States are changed and read only under one lock [C4 lock]. A thread that empties its own log, under the lock,
 *      applies operations that commute, and stops at the first operation that does not [C4 own]. All these operations
 *      are published before the next advance, and would be in the next cut anyway; because they commute, their order in
 *      it does not matter.
 *
 *  C5  In a cut, operations of TIMED objects are applied in the order of their times, each log from front to back
 *      [C5 merge]; the times of a log do not decrease, even if the thread migrates [C5 own]. If 1 is before 2, then t1
 *      < t2, because 1 returned only after a clock had shown more than t1 + B [C5 settle], and by the lemma (ordo.h)
 *      every read that begins later, on any CPU, shows more than t1. Each of the two clock reads needs order on one
 *      side only. The settling read of 1 precedes every access by which another thread can learn that 1 has returned
 *      (ordo_stamp_later_before). The read of t2 follows the load by which the thread of 2 learned this [C5 take], and
 *      t2 is published only with the entry that holds it (ordo_stamp_take_after). Operations with equal times are
 *      concurrent, so their order is free. Operations in different cuts are applied in the order of the cuts, which
 *      respects "before" by C2. Hence the order of application respects "before".
 *
 *  C6  An operation on an ORDERED object takes a time that is certainly after the object's last time [C6 after]. It
 *      then stores its time as the object's last time, by a compare-and-exchange that fails if the last time has
 *      changed [C6 claim]. Hence the times of an object's operations increase, each by more than B, in the order of
 *      these exchanges, and this order respects "before". The rest is as in C5.
 *
 *  C7  An entry is overwritten only after it has been applied [C7 room, C7 done].
 *
 *  C8  A log remains when its thread ends, and is applied like any other log; a new thread may take it over, with the
 *      operations in it (D2 in domain.h) [C8 reuse]. If a thread's log is not in the list yet when the synchroniser
 *      reads the list, the thread loads the number after the advance (D3) [C8 join].
 *
 *  C9  No thread waits for an appender, even if the appender stops in the middle of an append. A thread waits only for
 *      the clock, at most 2B, or for the holder of the lock: it spins, then yields, then sleeps [C9 turn]. An appender
 *      makes room and takes its time before it loads the number. Hence only a few stores separate the load from the
 *      publication, unless the thread is preempted.
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
