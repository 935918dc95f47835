/* Why the transactions are correct: conditions with numbers. The access that keeps one carries its tag.
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" and "before" for a
 * time mean certainly so (cmp). A clock read that is compared with a store needs multi-copy atomicity (x86, ARMv8,
 * RISC-V RVWMO). The *moment* of a commit is that of its clock read (for gv4: of the increment that it shares), or of
 * its first look of C6, if that comes earlier. So its time is of its moment or later.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, all that is said here is
 *      void, and `watch` tells. A commit asks it before it locks anything [C1 watch], and so does a wait for the
 *      clock: both give up. An irrevocable transaction does not give up, and needs no clock but for its version.
 *
 *  C2  A commit has locked every stripe that it writes before it takes its time [C2 lock, C2 time]. A lock is taken by an
 *      exchange, and one at least is taken: the clock is read behind that exchange, and needs no fence of its own to
 *      be read behind the others (ordo_stamp_take_after_exchange). A transaction has its begin before it looks at any
 *      stripe [C2 begin], which is all that its clock read has to be ordered with (ordo_stamp_now_before): by C8 it may
 *      be of an earlier moment. A begin that is the time of a commit was taken before the exchange of C10 announce.
 *      So if the moment of a commit is before that of a begin, the transaction finds the stripe locked, or unlocked by
 *      that commit, or by a later one.
 *
 *  C3  Times are compared without overflow; a locked stripe has the top bit set and is before no begin [C3].
 *
 *  C4  A word is read between two looks at its stripe that find it unlocked and the same [C4 look, C4 load, C4 again].
 *      A writer stores words after the stripe was locked, and unlocks it after the words [C4 store, C4 unlock]. So what
 *      was read stood there at the first look, and belongs to that version.
 *
 *  C5  A word is taken only if its version is certainly before the begin [C5]. Uncertain is not ordered: then a new begin
 *      is read that is certainly after the version [C5 later], and all earlier reads must stand at that moment
 *      [C5 renew]. Certainly after is a matter of the value; of the read's moment it is only needed that the looks come
 *      after it (ordo_stamp_later_before). By the lemma a commit whose moment is after the begin's has a time of at least
 *      begin - B, which is not certainly before it. So every version that is taken belongs to a commit before the
 *      moment of the begin; and with C2 every such commit to the word is there, or still holds the stripe. What is read
 *      is memory as it was at the moment of the begin.
 *
 *  C6  A commit looks again at every stripe that it has read, after all is locked and before it writes [C6 validate]:
 *      it must be unlocked or its own, with a version before the begin (its own: as it was when it locked it [C6 own]).
 *      A commit that changed one of them between the moments of the begin and of this commit had
 *      locked it by then, and by the lemma leaves a version that is not before the begin. So all that was read stands
 *      at the moment of the commit: the commits happen in the order of their moments. No look need come after the
 *      clock read, but both come after the last lock, and so does the moment, whichever of them is first. That the
 *      time is later than the moment does no harm: it is certainly before fewer begins. The same look, after a new
 *      begin, is C5 renew; there the clock read is before it.
 *
 *  C7  Nothing relies on different commits having different times. But the versions of one stripe go up: a commit whose
 *      clock is behind makes its version one more than the largest that it found [C7 up]. A version that is later than
 *      its commit's time does no harm: it is taken as certainly before fewer begins. So a stripe that this thread
 *      unlocked last, in its last commit, and that still has that version, is as the thread left it, for any reading of
 *      the clock [C7 own]. It is unchanged since before the transaction began, and stands at every moment up to the look.
 *
 *  C8  The begin may be any time that the thread has read earlier, its own commit's too, and of two the larger one
 *      [C8 carry], as after migration to a CPU whose clock is behind. C5 and C6 ask only that its moment be before the
 *      first look. Real time holds as well: the words read are unchanged since the moment of the begin, hence also since
 *      the transaction really began; a commit in between that changed it would be refused and the begin renewed.
 *
 *  C9  No wait for another thread or for the clock happens while stripes are locked: a commit that finds a stripe locked
 *      gives up. A reader looks ORDO_STM_SPINS times and gives up. A thread that begins again waits, the longer the more
 *      often: spinning, yielding, asleep [C9 turn]; and in the end becomes irrevocable. The clock lets wait 2B.
 *
 *  C10 Memory. A transaction announces the epoch that it found [C10 announce] and looks at the epoch again, which makes
 *      visible what happened before it was reached [C10 acquire]. The epoch is advanced only past e when every announced
 *      transaction has announced e [C10 scan]; a thread that is not found announces later (D3 in domain.h). What a
 *      commit has unlinked is freed in epoch l + 3 [C10 free], where l is the epoch that it finds when it has
 *      [C10 retire], and not the one that it announced: a thread that loses its CPU between finding an epoch and
 *      announcing it announces one that is long over. It has announced l or less: so who advances to l + 2 has seen its
 *      end, and with it the unlinked words; a transaction that is missed by the scan that advances to l + 3 announced
 *      itself later, hence in its second look finds at least l + 2, and with it the unlinked words: it cannot reach the
 *      memory. And one that was seen has announced l + 2, or there is no advance. ordo_stm_quiesce waits for three
 *      epochs [C10 quiesce], by the same argument.
 *
 *  C11 Irrevocable. A commit raises its flag and looks at the token [C11 gate]; the thread that takes the token then waits
 *      until all flags are down [C11 take, C11 drain]. Both are sequentially consistent, so one sees the other; a thread
 *      that is not found raises its first flag later, and finds the token (D3 in domain.h). From then on no other thread
 *      writes: all earlier reads must stand once more [C11 stand], every unlocked word is taken in any version, and the
 *      commit cannot fail. A thread whose flag is up waits for no other.
 */
#ifndef ORDO_CC_STM_ARGUMENT_H
#define ORDO_CC_STM_ARGUMENT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/domain.h>
#include <ordo/cc/stm/object.h>
#include <ordo/cc/stm/read.h>
#include <ordo/cc/stm/run.h>
#include <ordo/cc/stm/thread.h>
#include <ordo/cc/stm/write.h>

#endif
