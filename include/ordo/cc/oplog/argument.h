/* Why Oplog is correct: conditions with numbers. The access that keeps one carries its tag.
 *
 * WHY THE CUT IS A NUMBER AND NOT A TIME
 *
 * A reader that sees an operation must see all that had returned before that one began. Let operation 1 return on a CPU
 * whose clock is ahead, and 2 begin then on one whose clock is behind: t1 may be larger than t2, by up to B. A reader that
 * takes all operations up to a time between them sees 2 and not 1, which no order explains; and this for any such time,
 * however long it waits for stragglers. Waiting at the end of each operation would cure it at the price of B each, and
 * each would have to be announced before it reads the clock, lest one with an early time is published late. A number that
 * the reader advances and each appender looks at costs the appender one load of an unchanged line, is exact, and needs no
 * announcement: an operation that is not published when a reader looks has not returned, so nothing that looked at the
 * old number can have begun after it. So times are left to do what only they can: to order the operations of many threads
 * on one object without a shared word.
 *
 * WHY IT IS CORRECT
 *
 * S is the single order of the accesses that are sequentially consistent. "Before" of two operations means that one has
 * returned when the other begins, and that this can be known: it happens before it.
 *
 *  C1  The boundary B covers every CPU of every thread: the caller's promise. Only C5 needs it. A boundary that was
 *      forgotten is refused [C1 given].
 *
 *  C2  Appender: looks at the number of the cut, then publishes [C2 look, C2 publish]. Synchroniser: advances the number
 *      from c to c + 1, then reads how much of each log is published [C2 flip, C2 sample]. What it finds published, and
 *      what looked at c or less, is the cut. If 1 is before 2 and 2 is in the cut, then 2 looked at c or less, so before
 *      the advance; 1 was published before 2 began, so before the advance too, and the sample finds it; and it looked
 *      earlier, at c or less, for the number only grows: 1 is in the cut. (That 2's thread knows of 1 means that all do:
 *      a store is visible to all other cores at once. x86, ARMv8 and RISC-V RVWMO promise it: multi-copy atomicity.)
 *      What has returned before the reader began is in the cut, or was in an earlier one.
 *      A reader that finds all logs applied needs no cut [C2 empty]: what returned before it looked was there to be
 *      found, and it sees nothing new.
 *
 *  C3  Who finds an operation published finds its entry, and the mark that says where in its log the present number
 *      began [C3 mark]. Operations behind that mark are left to the next cut [C3 limit]. There is one mark to a log: the
 *      number does not advance again before the synchroniser that advanced it is done. Operations that are appended
 *      together look once and are published at once.
 *
 *  C4  States are changed and read under one lock only [C4 lock]. A thread that empties its own log under the lock
 *      applies no more than operations that commute, and stops at the first that does not [C4 own]: they are all
 *      published before the next advance, and so in the next cut in any case, in which their order does not matter.
 *
 *  C5  In a cut, operations of TIMED objects are applied in the order of their times, each log from front to back
 *      [C5 merge]; the times of a log do not decrease, even if the thread migrates [C5 own]. If 1 is before 2, then t1 <
 *      t2: 1 has returned only when a clock showed more than t1 + B [C5 settle], and by the lemma (ordo.h) every
 *      read that begins later, on any CPU, shows more than t1. Each of the two clock reads needs one side. That of the
 *      settling comes before whatever makes it known that 1 has returned (ordo_stamp_later_before). That of t2 comes
 *      after the load by which it is known [C5 take], and the time is published only with the entry that it is in
 *      (ordo_stamp_take_after). Equal times belong to concurrent operations, whose order is
 *      free. Between two cuts the order is that of the cuts, by C2. So the order of application respects "before".
 *
 *  C6  An operation on an ORDERED object takes a time that is certainly after the object's last one, and becomes the
 *      last one by the exchange of a word that has not changed since [C6 after, C6 claim]. So the times of an object's
 *      operations increase, by more than B, in the order of those exchanges, which respects "before"; the rest is C5.
 *
 *  C7  An entry is written over another only when that one is applied [C7 room, C7 done].
 *
 *  C8  A log stays when its thread ends, and is applied like any other; a thread that begins may take it over, with what
 *      is in it (D2 in domain.h) [C8 reuse]. One that is not in the list yet when the synchroniser reads it looks at the
 *      number later than the advance (D3) [C8 join].
 *
 *  C9  Nobody waits for an appender, wherever it stopped. Who waits, waits for the clock, at most 2B, or for the holder
 *      of the lock: spinning, then yielding, then asleep [C9 turn]. Times are taken and room is made before the look, so
 *      that the number looked at is never old by more than a few stores, unless its thread has lost its CPU.
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
