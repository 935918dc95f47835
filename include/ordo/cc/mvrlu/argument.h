/* Why MV-RLU is correct. Part of mvrlu.h; no code.
 *
 * WHY IT IS CORRECT
 *
 * L is a section's time, W a commit's; "after" means certainly after (cmp 1), that is by more than B. The lemma
 * (ordo.h): a read of the clock that happens after a read x shows at least x - B. S is the single order of the
 * sequentially consistent accesses.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. (The floor keeps the order even if the
 *      promise is broken.) A commit that finds the clocks disrupted before it is announced is undone [C1 undo]. Once
 *      announced it does not wait for a clock in vain, because ordo_stamp_wait does not.
 *
 *  C2  A section sees of each object the newest version whose W is before its L, or else the object itself [C2]. (If a
 *      link shows a version, the oldest version holds the pointer that the link held before.) A section locks only an
 *      object whose newest version it sees [C2 newest]; hence a chain is in the order of its times. If commit 2 depends
 *      on commit 1, then L2 is after W1, and W2 >= L2 - B > W1. A section that sees commit 2 has L > W2 + B > W1 + B,
 *      and sees commit 1.
 *
 *  C3  A section announces itself, then takes L, then reads objects [C3 announce, C3 time]. Hence the floor was as high
 *      as L, or a clock had shown L, before the section read its first object.
 *
 *  C4  A commit announces itself before any thread takes a time for it [C4 announce, C4], and its versions are in their
 *      headers before the announcement. If a section read an object and found no version of the commit, or found the
 *      commit not announced, then W >= L - B: W is not before L, and the section was right not to see the version.
 *      If sections read the clock: a clock had shown L before the section read the object, and W is read after that.
 *      The announcement is an exchange, after which a cheaper read of the clock is enough (clock.h).
 *      With the floor: in one exchange the thread that takes W reads the floor F and raises it, and W >= F - B
 *      [C4 take]. A section with L > F has read the value that this exchange stored, or a later one, and has therefore
 *      seen everything that the thread had done and seen before the exchange: the announcement. Hence L <= F for a
 *      section that has not seen the announcement. No clock is needed for this, nor for L2 <= F in C2.
 *      A reader that meets the announcement does not wait: it takes a time for the commit itself, and the first time
 *      counts [C4 help].
 *
 *  C5  A commit returns when the floor is after W: the thread that took W raised the floor [C5 floor], and no thread
 *      lowers it. If sections read the clock, the commit returns when every later read is after W [C5 settle], and a
 *      section that came too early for a version waits for a time after the version's before it begins again
 *      [C5 conflict].
 *
 *  C6  The L of a thread never goes back, even if the thread migrates to a CPU whose clock is behind: the larger of two
 *      is taken [C6]. C3 holds for both.
 *
 *  C7  Horizon [C7 horizon]: a time H such that every section that has not ended, and every later one, has L >= H. The
 *      thread that computes H first reads the floor, or its clock less B, and then scans for sections. In S either the
 *      scan sees the section's announcement, and its L or an earlier L of its thread; or the section takes its L after
 *      the scan, and reads at least that floor (C5), or at least that clock less B. The second case covers a thread
 *      that is not yet in the list (D3 in domain.h).
 *
 *  C8  A version is settled once H is after its W [C8 all]: no section goes below it any more. If a commit has replaced
 *      the version, H must also be after the W above, because then no section comes to the version [C8 above]. It is
 *      not enough that this W was known when this thread's clock was last read for something else, because that clock
 *      may be behind by B. If no commit has replaced the version, it is copied to the object, which no section reads
 *      now, and removed from the header [C8 write]; for a link this is one step. If another thread locks the object
 *      meanwhile, the version stays for a later collection. The reclaimer does all of this in a section of its own
 *      [C8 section]: a commit that replaces the version after the reclaimer has read the header has W >= L - B, so that
 *      no other thread settles that replacement, writes it to the object, or frees the object before the reclaimer is
 *      done.
 *      A commit that replaced the version earlier, at a W' that is not yet stored in the version, cannot cause the
 *      object to be freed too early either. A commit stores its time in the versions below (it tells them) in the
 *      section in which it is announced; a flush between sections begins a section for this purpose [C8 tell]. By C4
 *      the L of this section is not after W'. A thread that settles a version of W' or later has seen that
 *      announcement. Either it sees this section, and then it cannot settle; or it sees the end of this section, and
 *      then takes the time of C9 later than all these stores. The time of C9 is therefore not before the L of a section
 *      that found a version without W', and the object is freed after that section has ended.
 *
 *  C9  A section that came to a version before it was settled may still be reading it. The memory of settled versions
 *      is used again [C9 empty] or given back [C9 spare], and an object that left is freed [C9 free], once H is after a
 *      time taken when all of it was settled [C9 now, C9 twice]: a section after this time does not find a version that
 *      was removed from its header, by the argument of C4. The time is that of the thread's next commit, unless the
 *      thread wants the memory sooner. Undone versions stay in the log until then, too. A late helper (C4) is in a
 *      section that came to the commit before the commit was settled, so the commit that it may stamp is still the
 *      same.
 *      A version has the time of the commit that it names. When a commit is settled, the time is stored in each of its
 *      versions that is left, in the same step [C9 tell]. Hence a section after the time above finds no version whose
 *      commit no longer exists. Undone versions get no time: behind the commit entry there may be versions of other
 *      commits, which were undone alone and have no time.
 *
 *  C10 No thread waits for a section: a thread that finds no room reclaims as much as possible and reports that the log
 *      is full [C10 full].
 *
 *  C11 With deferral the sections of a group have one commit. All of the above holds for the group as for one long
 *      section that began with its last section, or with the flush after it, which is a section too: meanwhile no other
 *      thread can replace a version of the group, so each version was still the newest then, and is before its L. Three
 *      things are different.
 *      A section sees the versions of its thread's group whatever their time, and may replace them [C11 own]. It
 *      replaces them by a new version, so that it can be undone alone [C11 section]. Both versions have the time of the
 *      commit, and a section after that time comes to the newer one first.
 *      Undone versions still name the commit, which goes on. A section that found such a version before it was undone
 *      has an L that the floor or a clock had shown before the undo, and therefore before the flush: by C4 the commit's
 *      W is not before this L.
 *      Pending versions keep the versions below them unsettled, in the log of the owner of those versions too. A thread
 *      that wants such an object, or the room, asks the owner [C11 ask], which flushes before its next section or at
 *      its end [C11 flush].
 *      (A flush of RLU is no section, because it waits for sections. It reads only objects that its thread keeps locked
 *      until they are written back, so that no other thread has replaced or freed them.) */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif
