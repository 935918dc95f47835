/* Why RLU is correct, and when a reader needs the clock. A room of rlu.h without code.
 *
 * WHEN A READER NEEDS THE CLOCK
 *
 * A reader needs the clock if another thread has committed since the reader's last section. A section needs a time L
 * such that it sees exactly the commits that are certainly before L. Any time that the thread has read earlier will do,
 * unless a commit has been written back since then that is not certainly before it. A thread therefore keeps its L from
 * section to section. A writer that commits at W leaves W in the *mark* of each thread before it checks whether that
 * thread is in a section. A section that finds its mark set reads the clock until the clock is certainly after W. This
 * loop is also the commit wait, moved to the reader that may have come too early. The reader knows W itself, so its
 * wait ends at W + B and not at W + 2B, and most of the wait is over by the time the mark has travelled to the reader.
 * A writer waits for sections, never for the boundary.
 *
 * With one thread the clock is read only to stamp a commit. But every commit marks every thread, at the cost of one
 * contended exchange for each. With many threads, even if each updates rarely, a commit falls into nearly every
 * section, and nearly every section reads the clock. Deferral reduces the number of commits.
 *
 * A section without a mark costs its announcement, which is an exchange on the thread's own line, and a load of the
 * mark, which is on the same line. A dereference loads the object's header, usually on the line that is read next, and
 * finds it empty: a branch that is never taken. Neither writes to anything shared.
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" for a time means
 * certainly after (cmp 1). The atomic accesses marked C below are sequentially consistent; S is their single order. If
 * a read of the clock is compared with a store, the store is visible to all other cores at once (multi-copy atomicity:
 * x86, ARMv8, RISC-V RVWMO). C2, C4 and C5 say with which accesses a read of the clock is ordered.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, nothing in this argument
 *      holds, and `watch` shows that it is broken. Only a thread that waits for a clock or commits checks the watch.
 *      A section that must be after W and waits in vain ends before it has read anything, and leaves its mark to the
 *      next section [C1 watch]. It must not proceed with its old L: the writer whose sample missed it assumes that the
 *      section's L is after W, and would overwrite an object while the section reads it.
 *      A commit that finds the clocks disrupted before it is announced is undone like any section [C1 undo], because no
 *      thread has seen it. Once announced it cannot be undone: readers may have stolen its copies, and other commits
 *      may depend on them. There is no need to undo it either: from the announcement on the commit waits for no clock,
 *      only for sections, which end by themselves or are refused as described above. The commit no longer believes the
 *      times that sections publish, but waits for the end of each section [C1 believe]. Hence no commit stays half
 *      done.
 *
 *  C2  Reader: announces the section, then reads its mark, then (if marked) reads the clock, then reads objects
 *      [C2 announce, C2 look, C2 time]. Writer: marks, then reads the announcement [C2 mark, C2 sample]. In S either
 *      the writer sees the section, or the section sees the mark and reads a time after W. The clock is read before the
 *      first object is [C2 time], and ordering on this one side is enough (ordo_stamp_now_before). The clock may be
 *      read before the announcement is visible: L is after W by its value, and C4 requires only that L was read before
 *      the first object.
 *
 *  C3  Times are compared without overflow. A log's word that is no time (at least ORDO_STAMP_LIMIT) is not before any
 *      L [C3].
 *
 *  C4  A writer announces that it commits before any thread reads the clock for the commit [C4]. The announcement is an
 *      exchange, after which a cheaper read of the clock is enough (clock.h); the writer's next access is an exchange,
 *      too. If a reader finds an object whose copy is not committing yet, it read its L before the announcement, and
 *      W >= L - B. W is then not certainly before L, and the master was the right choice.
 *      A reader that meets the announcement does not wait: it takes a time for the commit itself, and the first time
 *      counts [C4 help]. It reads the clock after the load that met the announcement, and then stores nothing but the
 *      time that it read (ordo_stamp_take_after). A late helper cannot stamp another commit: this commit or the next
 *      one waits for the helper's section (C10), and the log is announced again only after both.
 *
 *  C5  Before a master is written, every section that has not ended is after W: a section that the sample saw has
 *      ended, or its L is after W [C5 wait]; a section that the sample missed found the mark, and has an L after W
 *      [C5 after]. A thread that was not yet in the list at the sample reads its first time later than W was read (D3
 *      in domain.h), and reads at least W - B; it marks itself with the time that it read + B [C5 join].
 *
 *  C6  Uncertain is not ordered: a copy is stolen iff W is certainly before L [C6]. Otherwise the master is the right
 *      choice, and by C5 it is still there.
 *
 *  C7  Nothing requires two commits to have different times: they share a mark [C7], and a section sees the objects of
 *      both or of neither.
 *
 *  C8  A thread that migrates may read a time smaller than its L. The larger of the two is taken [C8]: both were read
 *      before the section's first load, which is all that C4 requires, and the larger one is after every mark that the
 *      thread has taken in. Hence the time that a thread publishes never goes back. It must not, because a writer that
 *      finds it after W no longer waits for this section or any later one.
 *
 *  C9  Every retry takes a fresh time [C9 fresh]; the loops on the clock last at most 2B. Without deferral a section
 *      waits for no thread. Only a commit waits for sections, and so does an abort that flushes undone changes (C10):
 *      spinning, then yielding, then asleep [C9 turn]. With deferral the start of a section may flush, before it has
 *      read anything, and so may its end; a flush waits as a commit does.
 *
 *  C10 Two log generations [C10]: the copies of a commit are overwritten only after the sample of the *next* commit. A
 *      section that found a copy in a header had read its L before that header was unlocked, hence before the next W
 *      was read. Its L is therefore not after the next W, it was announced before the next mark, and the next sample
 *      waits for it. Until then the section may read the copy's record to find the log and, for a link, the target
 *      before the change. For the same reason the copies of an undone section stay in place until the log is flushed; a
 *      log with many of them is flushed for this purpose alone [C10 undo]. Freed objects were unlinked at W. By C5 no
 *      section that could reach them is left; and because they were locked, no other thread has a copy of them to write
 *      back [C10 free].
 *
 *  Order between commits: a section that sees commit 1 in any form has L after W1, by C5 and C6. A commit 2 that
 *  depends on commit 1 therefore has W2 >= L - B > W1, without any wait, and a section that sees commit 2 has
 *  L > W2 + B > W1 + B and sees commit 1. A committer marks itself, so that its next section sees all commits up to its
 *  own [C2 self]. While it is the only thread it need not, because a thread that joins later starts after these commits
 *  [C5 join].
 */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif
