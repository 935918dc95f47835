/* Why RLU is correct, and when a reader needs the clock. A room of rlu.h without code.
 *
 * WHEN A READER NEEDS THE CLOCK
 *
 * When another thread has committed since its last section. A section needs a time L such that what it sees is exactly
 * the commits certainly before L. Any time that the thread read earlier will do, if no commit was written back since
 * that is not certainly before it. So a thread carries L along. A writer that commits at W leaves W in the *mark* of
 * each thread before it asks whether that thread is in a section. A section that finds its mark set reads the clock
 * until it is certainly after W. That is the commit wait too, moved to the reader that may come too early: the reader
 * knows W itself, so its wait ends at W + B and not at W + 2B. Most of that is over by the time the mark has travelled
 * to the reader. A writer waits for sections, never for the boundary.
 *
 * At one thread the clock is read only to stamp a commit. But every commit marks every thread, one contended exchange
 * for each. With many threads, even at few updates each, there is a commit in the time of nearly every section, and
 * nearly every section reads the clock. Deferral makes the commits fewer.
 *
 * A section without a mark costs its announcement, which is an exchange on the thread's own line, and a load of the
 * mark beside it. A dereference loads the object's header, usually on the line that is read next, and finds it empty: a
 * branch never taken. Neither writes to anything shared.
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. "After" for a time means
 * certainly after (cmp 1). Atomic accesses marked C below are sequentially consistent: S is their single order. If
 * a clock read is compared with a store, the store is visible to all other cores at once (multi-copy atomicity: x86,
 * ARMv8, RISC-V RVWMO). Which accesses a clock read is ordered with, C2, C4 and C5 say.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. If it is broken, all that is said here is
 *      void, and `watch` tells. It is asked only by a thread that waits for a clock or commits.
 *      A section that must be after W and waits in vain ends before it has read anything, and leaves its mark to the
 *      next [C1 watch]. It cannot be let in with the L that it carries: the writer whose sample missed it counts on its
 *      being after W, and would write under its eyes.
 *      A commit that finds the clocks disrupted before it is announced is undone like any section [C1 undo]: no thread
 *      has seen it. Once announced it cannot be undone: its copies may have been stolen, and others may have committed
 *      what rests on them. Nor need it be. From there on it waits for no clock, only for sections, which end by
 *      themselves or are turned away as above. It does not believe the times that they publish any more, but waits for
 *      the end of each [C1 believe]. So no commit stays half done.
 *
 *  C2  Reader: announces the section, then reads its mark, then (if marked) reads the clock, then reads objects
 *      [C2 announce, C2 look, C2 time]. Writer: marks, then reads the announcement [C2 mark, C2 sample]. In S either
 *      the writer sees the section, or the section sees the mark and reads a time after W. The clock is read before the
 *      first object is [C2 time], and one side is enough (ordo_stamp_now_before): that its moment may be before the
 *      announcement is visible does no harm, because L is after W by its value, and C4 asks only for a moment before
 *      the first object.
 *
 *  C3  Times are compared without overflow, and a log's word that is no time (at least ORDO_STAMP_LIMIT) is not before
 *      any L [C3].
 *
 *  C4  A writer announces that it commits before any thread reads the clock for it [C4]. It does so by an exchange,
 *      behind which it reads the clock with less (clock.h); its next access is an exchange, too. So a reader that found its
 *      objects not committing had read its L earlier, and W >= L - B: not certainly before L, the master was right.
 *      A reader that meets the announcement does not wait: it takes the commit's time itself, and the first time
 *      counts [C4 help]. It reads the clock behind the load that met the announcement, and stores nothing then but what
 *      it read (ordo_stamp_take_after). A late helper cannot stamp another commit: the helper's section is waited for by this commit
 *      or by the next (C10), and this log is announced again only after both.
 *
 *  C5  Before a master is written, every section that is left is after W: those that the sample saw have ended, or
 *      their L is after W [C5 wait]; those that it missed found the mark, and have an L after W [C5 after]. A thread that
 *      the list did not show yet at the sample reads its first time later than W was read (D3 in domain.h), so it reads
 *      W - B at least; it marks itself with that time + B [C5 join].
 *
 *  C6  Uncertain is not ordered: a copy is stolen iff W is certainly before L [C6]; otherwise the master is right, and
 *      by C5 still there.
 *
 *  C7  Nothing relies on different commits having different times: they share a mark [C7]. Objects of both are seen
 *      or not seen together.
 *
 *  C8  A thread that migrates may read a smaller time than the L it carries. The larger of the two is taken [C8]: both
 *      were read before the section's first load, which is all that C4 asks, and it is after every mark ever taken in.
 *      So the time that a thread publishes never goes back. It must not: a writer that finds it after its W waits no
 *      longer, for this section or any later one.
 *
 *  C9  Every retry takes a fresh time [C9 fresh]; the loops on the clock last at most 2B. Without deferral a section
 *      waits for no thread; only a commit waits for sections, and an abort that flushes what was undone (C10): spinning,
 *      then yielding, then asleep [C9 turn]. With deferral the start of a section may flush, which is a commit's wait,
 *      before it has read anything; and so may its end.
 *
 *  C10 Two log generations [C10]: copies are overwritten only after the *next* commit's sample. A section that found a
 *      copy in a header had read its L before that header was unlocked, hence before the next W was read: it is not
 *      after that W, was announced before that mark, and so the next sample waits for it. Until then it may ask the record
 *      of the copy which log that is in, and, of a link, what it was before. So also what was undone stays where it is until
 *      the log is flushed, which is for that alone where there is much of it [C10 undo]. Freed objects were unlinked at W:
 *      by C5 no section is left that can reach them; and they were locked, so no other thread has a copy of them to write
 *      back [C10 free].
 *
 *  Order between commits: a section that sees commit 1 in any form has L after W1, by C5 and C6. So a commit 2 that
 *  depends on it has W2 >= L - B > W1, without any wait, and a section that sees 2 has L > W2 + B > W1 + B and sees 1.
 *  A committer marks itself, so that its next section sees all commits up to its own [C2 self]. While it is alone it
 *  need not: a thread that joins later starts after all that [C5 join].
 */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif
