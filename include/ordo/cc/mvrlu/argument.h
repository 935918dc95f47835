/* Why MV-RLU is correct. Part of mvrlu.h; no code.
 *
 * WHY IT IS CORRECT
 *
 * L is a section's time, and W a commit's time. A time is "after" another if it is certainly after it (cmp 1: larger by
 * more than B), and "before" another if the other is after it. The lemma (ordo.h): a read of the clock that happens
 * after a read x shows at least x - B. S is the single order of the sequentially consistent accesses.
 *
 *  C1  The boundary covers every CPU of every thread: the caller promises this. (The floor keeps the order even if the
 *      promise is broken.) A commit that finds the clocks disrupted before it is announced is undone [C1 undo]. A
 *      commit that is already announced is completed, and does not wait for ever: a wait for the clock gives up once
 *      the clocks are disrupted (stamp.h).
 *
 *  C2  For each object, a section sees the newest version whose W is before the section's L, or the object itself if no
 *      version has such a W [C2]. (While a link has versions, the oldest version holds the target that the link had
 *      before.) A section locks an object only if it sees the newest version [C2 newest]; hence the versions of a chain
 *      are in the order of their times. If commit 2 depends on commit 1, the L of commit 2's section, called L2, is
 *      after W1, and W2 >= L2 - B > W1. A section that sees commit 2 has L > W2 + B > W1 + B, and sees commit 1.
 *
 *  C3  A section announces itself, then takes L, then reads objects [C3 announce, C3 time]. Hence, before the section
 *      read its first object, the floor had reached L or a clock had shown L.
 *
 *  C4  A commit announces itself before any thread takes a time for it [C4 announce, C4], and its versions are in their
 *      headers before the announcement. Claim: if a section read an object and found no version of the commit, or found
 *      the commit not announced, then W >= L - B. Hence W is not before L, and the section was right not to see the
 *      version.
 *      If sections read the clock: a clock had shown L before the section read the object, and W is read after that.
 *      The announcement is an exchange, after which a cheaper read of the clock is enough (clock.h).
 *      With the floor: the thread that takes W reads the floor F and raises it, in one exchange or addition, and W >= F
 *      - B [C4 take]. A section with L > F has read the value that it stored, or a later value. It has therefore seen
 *      everything that the thread had done and seen before, including the announcement. Hence a section that has not
 *      seen the announcement has L <= F, and W >= F - B >= L - B. No clock is needed for this, nor for C2, where L2 <=
 *      F because L2 is an earlier value of the floor.
 *      A reader that meets the announcement does not wait: it takes a time for the commit itself, as a helper, and the
 *      time that is stored first counts [C4 help].
 *
 *  C5  When a commit returns, the floor is after W: the thread that took W has raised the floor [C5 floor], and no
 *      thread lowers it; the next section of any thread is then after W. If sections read the clock, a commit returns
 *      when every later read of a clock is after W [C5 settle]; a section that could not lock an object because the W
 *      of its newest version was not before L waits until its clock is after this W, and then begins again [C5
 *      conflict].
 *
 *  C6  The L of a thread never decreases, even if the thread migrates to a CPU whose clock is behind: L becomes the
 *      larger of the thread's last L and the new time [C6]. C3 holds for both.
 *
 *  C7  The horizon H is a time such that every section that has not ended, and every later section, has L >= H [C7
 *      horizon]. The thread that computes H first reads the floor, or its clock, from which it subtracts B, and then
 *      scans all threads for sections; H is the smallest of this value and the L of the sections found. Each section is
 *      in one of two cases in S. Either the scan sees the section's announcement, and reads its L or an earlier L of
 *      its thread. Or the section takes its L after the scan, and then L is at least that floor (C5), or at least that
 *      clock - B. The second case covers a thread that is not yet in the list (D3 in domain.h).
 *
 *  C8  The reclaimer, the thread that made a version, settles the version once H is after its W [C8 all]: no section
 *      then needs the older versions below it, or the object itself. If a commit has replaced the version, H must also
 *      be after the W of the replacing version, which is above it in the chain, because then no section reads the
 *      version [C8 above]. It is not enough that the W above was known when the reclaimer last read its clock for
 *      another purpose, because this clock may be behind by B. If no commit has replaced the version, it is copied to
 *      the object, which no section reads then, and removed from the header [C8 write]; for a link this is one step. If
 *      another thread locks the object meanwhile, the version stays for a later collection.
 *      The reclaimer does all of this in a section of its own [C8 section]. Suppose a commit replaces the version after
 *      the reclaimer has read the header. By C4 its W is >= L - B, where L is that of the reclaimer's section. Hence,
 *      before the reclaimer's section ends, no other thread settles the replacing version, writes it to the object, or
 *      frees the object.
 *      Suppose a commit at W' replaced the version earlier, but has not stored W' in the version yet. The object is not
 *      freed too early in this case either. A commit stores its time in the versions that it replaces (it tells them
 *      the time) during the section in which it is announced; a flush between sections begins a section for this
 *      purpose [C8 tell]. By C4 the L of this section is not after W'. A thread that settles a version with a time >=
 *      W' has seen the announcement of the commit at W'. If this thread sees the committing section still running, its
 *      H is not after W', and it cannot settle. If it sees the end of the committing section, it takes the time of C9
 *      later than all the stores of W'. The time of C9 is therefore not before the L of any section that found the
 *      version without W', and the object is freed only after that section has ended.
 *
 *  C9  A section that found a version before it was settled may still be reading it. Let T be a time that is taken
 *      after a set of versions was settled [C9 now]. Once H is after T [C9 twice], the memory of these versions is used
 *      again [C9 empty] or released [C9 spare], and the objects that their commits freed are released [C9 free]. This
 *      is safe because, by the argument of C4, a section with L after T does not find a version that was removed from
 *      its header before T was taken. T is the time of the thread's next commit, unless the thread needs the memory
 *      sooner. Undone versions stay in the log until then, too. A late helper (C4) is in a section that found the
 *      commit before the commit was settled. The memory of the commit is therefore not used again before this section
 *      ends, and the helper cannot stamp another commit.
 *      A version names its commit, whose log entry has the time. If the commit's entry is settled and some of its
 *      versions are not, the time is stored in these versions in the same step [C9 tell]. Hence a section with L after
 *      T finds no version whose commit's entry no longer exists. Undone versions get no time: some of them, behind the
 *      commit's entry in the log, may belong to other commits, which were undone completely and have no time.
 *
 *  C10 No thread waits for a section. A thread that finds no room in its log reclaims as much as possible; if there is
 *      still no room, it reports that the log is full [C10 full].
 *
 *  C11 With deferral a group, several sections of a thread, has one commit. The argument above holds for the group as
 *      if it were one section that began with the group's last section, or with the flush after it, which is a section
 *      too. The reason is that no other thread can put a version above a pending version. Hence each version that the
 *      group replaced was still the newest committed version of its object when that last section began, and its W is
 *      before that section's L. Three things are different.
 *      First, a section sees the pending versions of its own thread, which have no time yet, and may replace them [C11
 *      own]. It replaces a pending version by a new version, so that the section can be undone alone [C11 section].
 *      Both versions get the time of the commit, and a section after that time finds the newer one first.
 *      Second, an undone version still names the group's commit, which takes place without it. A section that found
 *      such a version before the undo has an L that the floor or a clock had shown before the undo, and therefore
 *      before the flush. By C4 the commit's W is not before this L, and the section does not see the version.
 *      Third, a pending version keeps the version below it unsettled, even if that version is in the log of another
 *      thread. A thread that wants such an object, or the room in its log, asks the owner of the pending version [C11
 *      ask], which flushes before its next section or at the end of that section [C11 flush].
 *      (In RLU a flush is not a section, because it waits for sections. It reads only objects that its thread keeps
 *      locked until they are written back, so that no other thread can have replaced or freed them.) */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif
