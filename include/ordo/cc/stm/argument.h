/* Why the transactions are correct: conditions with numbers. The access that keeps one carries its tag.
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" and "before" for a
 * time mean certainly so (cmp). A read of the clock that is compared with a store needs multi-copy atomicity (x86,
 * ARMv8, RISC-V RVWMO). The *moment* of a commit is that of its clock read (for gv4: of the increment that it shares),
 * or of its first stripe check of C6, if that comes earlier. Hence the time of a commit is that of its moment or later.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, nothing in this argument
 *      holds, and `watch` shows that it is broken. A commit checks the watch before it locks anything [C1 watch], and
 *      so does a wait for the clock: both give up. An irrevocable transaction does not give up; it needs the clock only
 *      for the version that it leaves.
 *
 *  C2  A commit has locked every stripe that it writes before it takes its time [C2 lock, C2 time]. A lock is taken by
 *      an exchange, and a commit takes at least one: the clock is read behind that exchange, and needs no fence of its
 *      own to be read behind the others (ordo_stamp_take_after_exchange). A transaction has its begin before it reads
 *      any stripe [C2 begin]; its clock read need be ordered with nothing else (ordo_stamp_now_before), and by C8 it
 *      may be of an earlier moment. A begin that is the time of a commit was taken before the exchange of C10 announce.
 *      Therefore, if the moment of a commit is before that of a begin, the transaction finds the stripe locked, or
 *      unlocked by that commit or by a later one.
 *
 *  C3  Times are compared without overflow; a locked stripe has the top bit set and is before no begin [C3].
 *
 *  C4  A word is read between two loads of its stripe that find it unlocked and the same [C4 look, C4 load, C4 again].
 *      A writer stores words after the stripe was locked, and unlocks it after the words [C4 store, C4 unlock]. Hence
 *      the value that was read was in memory at the first load of the stripe, and belongs to that version.
 *
 *  C5  A word is taken only if its version is certainly before the begin [C5]. Uncertain is not ordered: in this case a
 *      new begin is read that is certainly after the version [C5 later], and all earlier reads must still be valid at
 *      that moment [C5 renew]. "Certainly after" concerns the value of the new begin; the clock read need only come
 *      before the loads of the stripes (ordo_stamp_later_before). By the lemma a commit whose moment is after the
 *      begin's has a time of at least begin - B, which is not certainly before the begin. Therefore every version that
 *      is taken belongs to a commit before the moment of the begin; and by C2 every such commit to the word has written
 *      it, or still holds the stripe. The values that are read are those in memory at the moment of the begin.
 *
 *  C6  A commit checks again every stripe that it has read, after all stripes of its write set are locked and before it
 *      writes [C6 validate]: the stripe must be unlocked or its own, with a version before the begin (if its own: the
 *      version when it locked it [C6 own]). A commit that changed one of these stripes between the moments of the begin
 *      and of this commit had locked it by then, and by the lemma leaves a version that is not before the begin. Hence
 *      all values that were read are still valid at the moment of the commit: the commits happen in the order of their
 *      moments. The checks need not come after the clock read, but both come after the last lock, and so does the
 *      moment, whichever of them is first. A time later than the moment does no harm, because it is certainly before
 *      fewer begins. The same check, after a new begin, is C5 renew; there the clock read is before the check.
 *
 *  C7  Nothing requires two commits to have different times. But the versions of one stripe go up: a commit whose clock
 *      is behind makes its version one more than the largest that it found [C7 up]. A version that is later than its
 *      commit's time does no harm, because it is certainly before fewer begins. Therefore, if this thread unlocked a
 *      stripe in its last commit and the stripe still has that version, the stripe is as the thread left it, whatever
 *      the clock shows [C7 own]. It has not changed since before the transaction began, and its words are valid at
 *      every moment up to the check.
 *
 *  C8  The begin may be any time that the thread has read earlier, its own commit's too; of two times the larger one is
 *      taken [C8 carry], as after migration to a CPU whose clock is behind. C5 and C6 require only that its moment be
 *      before the first load of a stripe. Real time is respected as well: the words read are unchanged since the moment
 *      of the begin, hence also since the transaction really began. If a commit in between changed one of them, its
 *      version would be refused and the begin renewed.
 *
 *  C9  No thread waits for another thread or for the clock while it has stripes locked: a commit that finds a stripe
 *      locked gives up. A reader tries ORDO_STM_SPINS times and gives up. A thread that begins again waits, longer
 *      after each attempt: spinning, yielding, asleep [C9 turn]; in the end its transaction becomes irrevocable. A wait
 *      for the clock lasts at most 2B.
 *
 *  C10 Memory. A transaction announces the epoch that it found [C10 announce] and loads the epoch again, which makes
 *      visible everything that happened before that epoch was reached [C10 acquire]. The epoch is advanced past e only
 *      if every announced transaction has announced e [C10 scan]; a thread that the scan does not find announces later
 *      (D3 in domain.h). An object that a commit has unlinked is freed in epoch l + 3 [C10 free], where l is the epoch
 *      that the commit finds after it has unlinked the object [C10 retire], and not the epoch that it announced: a
 *      thread that is preempted between finding an epoch and announcing it announces one that is long over. The commit
 *      has announced l or less. Therefore the thread that advances the epoch to l + 2 has seen the end of the commit,
 *      and with it the unlinked words. A transaction that is missed by the scan that advances to l + 3 announced itself
 *      later, and in its second load finds at least l + 2, and with it the unlinked words: it cannot reach the memory.
 *      A transaction that this scan sees has announced l + 2, or else the epoch does not advance. ordo_stm_quiesce
 *      waits for three epochs [C10 quiesce], by the same argument.
 *
 *  C11 Irrevocable. A commit raises its flag and loads the token [C11 gate]; the thread that takes the token then waits
 *      until all flags are down [C11 take, C11 drain]. Both are sequentially consistent, so at least one of the two
 *      sees the other; a thread that the scan does not find raises its first flag later, and finds the token (D3 in
 *      domain.h). From then on no other thread writes: all earlier reads must be valid once more [C11 stand], every
 *      unlocked word is taken in any version, and the commit cannot fail. A thread whose flag is up waits for no other.
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
