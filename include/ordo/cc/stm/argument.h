/* Why the transactions are correct: a list of numbered conditions. In the code, the comment of an access names the
 * condition that the access keeps.
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. A time is "after" or
 * "before" another time only if this is certain (cmp). The argument compares reads of the clock with stores, which
 * requires multi-copy atomicity (x86, ARMv8, RISC-V RVWMO). The *moment* of a begin is that of its clock read. The
 * moment of a commit is that at which it loads the number of snapshots [C12 count]: after its last lock, and before it
 * takes its time and checks its read set. (With gv4 a commit may share the increment of another commit, which comes
 * later than its own moment.)
 *
 *  C1  The boundary covers every CPU of every thread: the caller promises this. If the promise is broken, nothing in
 *      this argument holds; `watch` shows that it is broken. A commit checks the watch before it locks a stripe [C1
 *      watch], and a wait for the clock checks it too. Both give up if the record is marked. An irrevocable transaction
 *      does not give up; it needs the clock only for the version that it leaves.
 *
 *  C2  A commit has locked every stripe that it writes before it takes its time [C2 lock, C2 time]. It takes each lock
 *      by an exchange, and takes at least one lock. After an exchange a cheaper read of the clock is enough to be
 *      ordered after all the locks (ordo_stamp_take_after_exchange). A transaction has its begin before it reads any
 *      stripe [C2 begin]. The clock read of the begin need be ordered only before these reads, and by C8 it may be
 *      much earlier. It comes before the exchange of C10 announce, whose value depends on it
 *      (ordo_stamp_now_before_exchange), and the reads come after the exchange. If a begin is the time of the thread's
 *      own commit, it was taken before the exchange of C10 announce. Therefore, if the moment of a commit is before
 *      the moment of a transaction's begin, and the transaction reads a stripe that the commit locked, it finds the
 *      stripe locked, or unlocked by this commit or a later one.
 *
 *  C3  Times are compared without overflow; the value of a locked stripe has its top bit set, and is not before any
 *      begin [C3].
 *
 *  C4  A word is read between two loads of its stripe, which must find the stripe unlocked and its version unchanged
 *      [C4 look, C4 load, C4 again]. A writer stores a word after it has locked the stripe, and unlocks the stripe
 *      after it has stored the words [C4 store, C4 unlock]. Hence the value that was read was in memory at the first
 *      load of the stripe, and belongs to the version that this load found.
 *
 *  C5  A read accepts a word only if its version is before the begin [C5]. Otherwise, even if their order is only
 *      uncertain, the transaction reads a new begin that is after the version [C5 later], and all earlier reads must
 *      still be valid at the moment of the new begin [C5 renew]. The new begin is after the version by its value, so
 *      its clock read need only be ordered before the loads of the stripes (ordo_stamp_later_before). By the lemma, a
 *      commit whose moment is after the moment of the begin has a time >= begin - B, which is not before the begin.
 *      Therefore every accepted version belongs to a commit whose moment is before the moment of the begin. By C2 every
 *      such commit to the word has written the word, or still holds the stripe. Hence the values that are read are
 *      those in memory at the moment of the begin.
 *
 *  C6  After a commit has locked all stripes of its write set, and before it writes, it checks again every stripe that
 *      the transaction has read [C6 validate]. The stripe must be unlocked, with a version before the begin, or locked
 *      by this commit, and then its version when it was locked must be before the begin [C6 own]. Suppose another
 *      commit changed one of these stripes, and its moment is between the moment of the begin and that of this commit.
 *      It had then locked the stripe before the moment of this commit, and by the lemma it leaves a version that is not
 *      before the begin; the check fails. Hence, if all checks succeed, all values that were read are still valid at
 *      the moment of the commit, and commits happen in the order of their moments. The checks may come before or after
 *      the clock read, because both come after the moment. A commit's time may be later than its moment. This does no
 *      harm, because a later time is before fewer begins. C5 renew makes the same check after a new begin; there the
 *      clock read comes before the check.
 *
 *  C7  Two commits may have equal times. But the versions of one stripe increase: if a commit's time is not above all
 *      versions that it found, because its clock is behind, its version is the largest of them + 1 [C7 up]. A version
 *      that is later than the commit's time does no harm, because it is before fewer begins. Therefore, if this thread
 *      unlocked a stripe in its last commit and the stripe still has that version, no thread has changed the stripe
 *      since, even if the version is not before the begin [C7 own]. The stripe has not changed since before the
 *      transaction began, so its words are valid at every moment up to the check.
 *
 *  C8  The begin may be any time that the thread has read earlier, for example the time of its last commit. If a new
 *      time is smaller, because the thread has migrated to a CPU whose clock is behind, the begin keeps the larger time
 *      [C8 carry]. C5 and C6 require only that the moment of the begin is before the first load of a stripe. Real time
 *      is respected as well: the words that a transaction reads have not changed since the moment of the begin, hence
 *      also not since the transaction really began. If a commit in between changed a word, the read would refuse its
 *      version and renew the begin.
 *
 *  C9  No thread waits for another thread or for the clock while it has stripes locked: a commit that finds a stripe
 *      locked gives up. A read that finds a stripe locked loads it ORDO_STM_SPINS times, and then gives up; a snapshot
 *      waits, because it has no stripe locked. A thread that begins its transaction again waits first, longer after
 *      each attempt: it spins, then yields, then sleeps [C9 turn]. In the end its transaction becomes irrevocable. A
 *      wait for the clock lasts at most 2B. A commit reserves memory for saved values before it locks, so it calls the
 *      allocator under its locks only if a snapshot has begun since.
 *
 *  C10 Memory. A transaction announces the epoch that it has loaded [C10 announce], and then loads the epoch again.
 *      This second load makes visible everything that happened before the loaded epoch was reached [C10 acquire]. A
 *      thread advances the epoch from e to e + 1 only if every announced transaction that its scan finds has announced
 *      e [C10 scan]; a thread that the scan does not find announces later (D3 in domain.h). A commit that has unlinked
 *      an object then loads the epoch; let l be its value [C10 retire]. The object is freed when the epoch is >= l + 3
 *      [C10 free]. (The epoch that the commit has announced cannot serve as l, because a thread that is preempted
 *      between loading an epoch and announcing it announces an old epoch.)
 *      The commit has announced an epoch <= l. Therefore the thread that advances the epoch to l + 2 has seen the end
 *      of the commit, and with it the unlinked words. Consider the scan that advances the epoch to l + 3. If this scan
 *      misses a transaction, the transaction announced itself later; its second load finds an epoch >= l + 2, and with
 *      it the unlinked words, so the transaction cannot reach the object. If this scan sees a transaction, the
 *      transaction has announced l + 2, because otherwise the epoch would not advance; its second load too finds an
 *      epoch >= l + 2, and with it the unlinked words. ordo_stm_quiesce waits for three epochs [C10 quiesce], by the
 *      same argument.
 *
 *  C11 Irrevocable transactions. A commit raises its thread's flag, and then loads the token [C11 gate]. A thread whose
 *      transaction becomes irrevocable takes the token, and then waits until all flags are down [C11 take, C11 drain].
 *      These accesses are sequentially consistent, so the commit sees the token taken, or the irrevocable thread sees
 *      the flag. A thread that the scan does not find raises its first flag later, and sees the token taken (D3 in
 *      domain.h). When all flags are down, no other thread writes. The irrevocable transaction then checks that all its
 *      earlier reads are still valid [C11 stand]. After this check it accepts every unlocked word, whatever its
 *      version, and its commit cannot fail. A thread whose flag is up waits for no other thread.
 *
 *  C12 Snapshots. A snapshot adds 1 to the number of snapshots. The sum is its own number, and the addition is its
 *      moment [C12 begin]. A commit loads the number at its own moment [C12 count]. Therefore a commit with a smaller
 *      number is before the snapshot, and any other commit is after it. The snapshot sees the commits before it. No
 *      clock decides this.
 *      If a commit finds that a snapshot is running, it saves each value before it overwrites the value [C12 save],
 *      unless a commit with the same number has saved an older value of the word: no snapshot began between the two.
 *      A snapshot reads a word in one of three ways. It accepts a version that is before the begin, as C5 does [C12
 *      limit]. The clock read of the begin precedes C12 begin. If the time of a commit is before the begin, its clock
 *      read came earlier, by the lemma, and its moment earlier still, because ordo_stamp_take_after_exchange comes
 *      after all earlier loads. Hence this commit, and all commits to the word before it, are before the snapshot.
 *      Otherwise it takes the oldest saved value of the word whose number is not smaller than its own [C12 search]: the
 *      first commit after the snapshot that overwrote the word has saved this value. If there is none, it takes
 *      the value that it has loaded before the search [C12 load], if it had found the stripe unlocked before that [C12
 *      look]: the commits before the snapshot had locked the stripe before the moment of the snapshot, so they had
 *      unlocked it; and if the value were that of a later commit, the search would find the value that this commit has
 *      saved before it stored its own.
 *      A snapshot that has read nothing may become irrevocable, and is then no snapshot any more.
 *      A value is removed when its number is smaller than that of every snapshot which is running or can still begin
 *      [C12 trim]. A snapshot announces a lower bound of its number before its moment [C12 announce]. A thread loads
 *      the number of snapshots before it scans [C12 scan]; a snapshot that the scan does not find has a larger number.
 *      The removing transaction is announced, and the value is released as an object that it has unlinked (C10).
 *
 *  C13 Elastic transactions keep their last two reads [C13 keep]. By C5, every word that is accepted under one begin
 *      stays unchanged from the moment of the begin until its read. If a word is too new, the begin is renewed when the
 *      read before it is unchanged since the old begin [C13 renew]. Hence for each read there is a moment at which its
 *      word and the word read before it had the values that were read: the moment of the begin under which the second
 *      was accepted, or the start of the transaction, if that is later. These moments do not go back, because begins do
 *      not. At the first write the last two reads become the read set [C13 hold]. Both are valid at the present begin,
 *      so the rest is a transaction as above.
 *      A search for a node: let each read be the link of a node, which the read before it has found. If the node before
 *      was linked at the moment before, it still is at the present one, because its link has not changed in between, and
 *      a removal writes the link of the removed node; so its successor, the present node, is linked at the present
 *      moment. By induction every node is linked at its moment. In a sorted list, the last node and its successor decide
 *      whether a key is present at that moment, and an update changes nodes that are linked when it commits. This is not
 *      enough for a tree or another structure whose keys move, because a key may pass the search.
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
