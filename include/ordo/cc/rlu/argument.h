/* Why RLU is correct, and when a reader needs the clock. Part of rlu.h; no code.
 *
 * WHEN A READER NEEDS THE CLOCK
 *
 * A reader needs the clock if another thread has committed since the reader's last section. A section needs a time L
 * such that it sees exactly the commits that are certainly before L. An L that the thread has read earlier is still
 * correct if every commit that has been written back since then is certainly before it. A thread therefore keeps its L
 * from section to section. A writer that commits at W stores W in the *mark* of each thread before it checks whether
 * that thread is in a section. A section that finds its mark set reads the clock until the clock is certainly after W.
 * This loop is the commit wait, done by the reader instead of the writer. The reader knows W, so its wait ends when its
 * clock shows more than W + B; a writer would have to wait until W + 2B. Most of the wait is over by the time the mark
 * has travelled to the reader. A writer waits for sections, never for the boundary.
 *
 * With one thread the clock is read only to stamp a commit. With many threads, even if each updates rarely, some thread
 * commits between almost any two sections of a thread, so that almost every section reads the clock. Each commit also
 * costs one contended exchange for each thread, to set its mark. Deferral reduces the number of commits.
 *
 * A section without a mark costs its announcement, which is an exchange on the thread's own line, and a load of the
 * mark from that line. A dereference of an unlocked object loads the object's header, usually on the line that is read
 * next, and takes no branch. Neither writes to a line that is shared with other readers.
 *
 * WHY IT IS CORRECT
 *
 * The lemma (ordo.h): a read of the clock that happens after a read x shows at least x - B. A time is "after" another
 * if it is certainly after it (cmp 1: larger by more than B). In the code the atomic accesses tagged C2 and the
 * announcement of C4 are sequentially consistent; S is their single order. The argument also orders reads of the clock
 * and stores. It assumes that a store becomes visible to all other cores at once (multi-copy atomicity: x86, ARMv8,
 * RISC-V RVWMO). C2, C4 and C5 say with which accesses a read of the clock is ordered.
 *
 *  C1  The boundary covers every CPU of every thread: the caller promises this. If the promise is broken, nothing in
 *      this argument holds; `watch` shows that it is broken. Only a thread that waits for a clock or commits checks the
 *      watch.
 *      If a section must be after W, its clock is not certainly after W, and the watch shows that waiting is in vain
 *      (ordo_stamp_hopeless), the section is refused: it ends before it has read anything, and leaves its mark to the
 *      thread's next section [C1 watch]. It must not proceed with its old L: the
 *      writer of W, if its sample missed the section, assumes that the section's L is after W, and would overwrite an
 *      object while the section reads it.
 *      A commit that finds the clocks disrupted before it is announced is undone like any section [C1 undo], because no
 *      thread has seen it. An announced commit cannot be undone: readers may have stolen its copies, and other commits
 *      may depend on them. It need not be undone either: from the announcement on, the commit waits for no clock, only
 *      for sections, which end by themselves or are refused as described above. The commit no longer believes the times
 *      that sections publish, but waits for the end of each section [C1 believe]. Hence every announced commit is
 *      completed.
 *
 *  C2  Reader: announces the section, then reads its mark, then (if marked) reads the clock, then reads objects
 *      [C2 announce, C2 look, C2 time]. Writer: marks, then reads the announcement [C2 mark, C2 sample]. In S either
 *      the writer sees the section, or the section sees the mark and reads a time after W. The section reads the clock
 *      before its first object [C2 time]. No other order of this read is needed, so ordo_stamp_now_before is enough. In
 *      particular, the clock may be read before the announcement is visible: the value of L shows that L is after W,
 *      and C4 requires only that L was read before the first object.
 *
 *  C3  Times are compared without overflow. A log's `word` >= ORDO_STAMP_LIMIT is no time, and is not before any L
 *      [C3].
 *
 *  C4  A writer announces its commit before any thread reads the clock for this commit [C4]. The announcement is an
 *      exchange, after which a cheaper read of the clock is enough (clock.h); the writer's next access is an exchange,
 *      too. Suppose a reader finds a copy whose commit is not announced yet. The reader read its L before the
 *      announcement, hence W >= L - B, and W is not certainly before L. The master (the object itself, not the copy)
 *      was then the right choice.
 *      A reader that meets the announcement does not wait: it reads a time for the commit itself, as a helper, and the
 *      time that is stored first counts [C4 help]. The helper reads the clock after the load that met the announcement,
 *      and then stores only the time that it read (ordo_stamp_take_after). A late helper cannot stamp a later commit of
 *      the log: either this commit or the thread's next commit waits for the helper's section (C10), and the log is
 *      announced again only after both of these commits.
 *
 *  C5  Before a master is written, every section that has not ended has an L after W. A section that the sample saw has
 *      ended, or its L is after W [C5 wait]. A section that the sample missed found the mark, and its L is after W [C5
 *      after]. A thread that was not yet in the list at the sample reads its first time T later than W was read (D3 in
 *      domain.h). Hence T >= W - B; the thread marks itself with T + B >= W [C5 join].
 *
 *  C6  A copy is stolen if and only if W is certainly before L [C6]. Otherwise the master is the right choice, and by
 *      C5 it has not been overwritten.
 *
 *  C7  Two commits may have equal times: one mark serves both [C7], and a section sees the changes of both or of
 *      neither.
 *
 *  C8  A thread that migrates may read a time smaller than its L. L becomes the larger of the two [C8]: both were read
 *      before the section's first load, as C4 requires, and the larger one is after every mark that the thread has
 *      taken. Hence the published L of a thread never decreases. It must not decrease, because a writer that finds L
 *      after W stops waiting for this section, and does not wait for later sections of the thread.
 *
 *  C9  Every retry takes a fresh time [C9 fresh]; the loops on the clock last at most 2B. Without deferral a section
 *      waits for no thread before its end. Only a commit, and an abort that flushes undone changes (C10), wait for
 *      sections: they spin, then yield, then sleep [C9 turn]. With deferral the start of a section, before it has read
 *      anything, and its end may flush; a flush waits as a commit does.
 *
 *  C10 Each thread has two logs, used in turn [C10]: the copies of a commit are overwritten only after the thread's
 *      *next* commit has sampled and waited. A section that found a copy in a header had read its L before that header
 *      was unlocked, hence before the next W was read. Its L is therefore not after the next W, and the section was
 *      announced before the next commit set its mark. Hence the next commit's sample sees the section, and the next
 *      commit waits for it. Until then the section may read the copy's record to find the log and, for a link, the
 *      target before the change. For the same reason the copies of an undone section stay in the log until the log is
 *      flushed; a log with many undone copies is flushed for this purpose alone [C10 undo]. Freed objects were unlinked
 *      at W. By C5 no section that could reach them is left. Because they were locked, no other thread has a copy of
 *      them to write back [C10 free].
 *
 *  Order between commits: a section that sees commit 1, in a copy or in a written master, has L after W1, by C5 and C6.
 *  A commit 2 that depends on commit 1 therefore has W2 >= L - B > W1, without any wait. A section that sees commit 2
 *  has L > W2 + B > W1 + B, and sees commit 1. A committer marks itself, so that its next section sees all commits up
 *  to its own [C2 self]. The only thread of a domain need not mark itself, because a thread that joins later starts
 *  after these commits [C5 join].
 */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif
