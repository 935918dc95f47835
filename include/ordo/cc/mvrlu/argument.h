/* Why MV-RLU is correct. A room of mvrlu.h without code.
 *
 * WHY IT IS CORRECT
 *
 * L is a section's time, W a commit's; "after" means certainly after (cmp 1), that is by more than B. The lemma (ordo.h):
 * a read of the clock that happens after a read x shows at least x - B. S is the single order of the sequentially
 * consistent accesses.
 *
 *  C1  The boundary covers every CPU of every thread: the caller's promise. (The floor keeps the order even where it is
 *      broken.) A commit that finds the clocks disrupted before it is announced is undone [C1 undo]; afterwards it waits for
 *      no clock in vain, as ordo_stamp_wait does not.
 *
 *  C2  A section sees of each object the newest version whose W is before its L, or else the object itself [C2]. (Of a
 *      link that shows a version, the oldest version has the pointer that was there before.) It locks only what it sees as
 *      the newest [C2 newest]: so a chain is in the order of its times. If commit 2 depends on commit 1, then L2 is after
 *      W1, and W2 >= L2 - B > W1; who sees 2 has L > W2 + B > W1 + B, and sees 1.
 *
 *  C3  A section announces itself, then takes L, then looks at objects [C3 announce, C3 time]. So the floor was as high as
 *      L, or a clock had shown it, before its first look.
 *
 *  C4  A commit announces itself before any thread takes a time for it [C4 announce, C4], and its versions are in their
 *      headers before that. Its W is not before the L of a section that looked and found none of them, or found them not
 *      announced: W >= L - B. So that section was right not to see it.
 *      Where sections read the clock: L had been shown before the look, and W is read after it. The announcement is an
 *      exchange, which is what makes a cheaper read of the clock enough (clock.h).
 *      With the floor: one exchange shows who takes W what the floor is, F, and raises it; and W >= F - B [C4 take]. A
 *      section with L > F has read what that exchange stored, or a later one, and so has seen all that was done and seen
 *      before it: the announcement. So L <= F. No clock is needed for that, nor for L2 <= F in C2.
 *      A reader that meets the announcement does not wait: it takes the commit's time itself, and the first time counts
 *      [C4 help].
 *
 *  C5  A commit returns when the floor is after W: whoever took W raised it so [C5 floor], and nobody lowers it. Where
 *      sections read the clock, it returns when every later read is after W [C5 settle], and a section that came too early
 *      for a version waits for a time after it before it begins again [C5 conflict].
 *
 *  C6  The L of a thread never goes back, also where it migrates to a clock that is behind: the larger of two is taken
 *      [C6]. C3 holds of both.
 *
 *  C7  Horizon [C7 horizon]: a time H that the L of every section which is left, and of every later one, reaches. Who
 *      computes it reads the floor first, or its clock less B, and then looks for sections. In S either it sees a section
 *      that is announced, and its L or an earlier one of that thread; or the section takes its L after that, and reads at
 *      least that floor (C5), or at least that time less B. The second holds of a thread that the list does not show yet (D3
 *      in domain.h).
 *
 *  C8  A version is settled once H is after its W [C8 all]: no section goes below it any more. If a commit has replaced
 *      it, H must be after the W above as well, for then nobody comes to it [C8 above]; that this W was known when
 *      something else was read from this thread's clock does not do, since that may be behind by B. If none has, it is
 *      copied to the object, which no section reads now, and taken from the header [C8 write], of a link in one step, unless
 *      somebody locks the object meanwhile: then it stays for later. All of this is done in a section of one's own [C8
 *      section]: whatever replaces the version after one has looked has W >= L - B, so that nobody settles it, writes it to
 *      the object, or frees the object, before one is done.
 *      What had replaced it before, at a W' that it was not told yet, does not lose the object either. A commit tells the
 *      versions below in the section in which it is announced, and a flush between sections is one for that [C8 tell].
 *      By C4 the L of this section is not after W'. Who settles something of W' or later has seen that announcement, and so
 *      it sees this section, and cannot; or the end of it, and then takes the time of C9 later than all was told. That is
 *      not before the L of a section which found a version not told: the object is freed when that one has ended.
 *
 *  C9  What is settled may still be looked at by a section that came to it before. Its memory is used again [C9 empty]
 *      or given back [C9 spare], and an object that left is freed [C9 free], once H is after a time taken when all of it was
 *      settled [C9 now, C9 twice], which is that of the thread's next commit, unless it wants the memory sooner: a section
 *      after that does not find what was taken from its header, by the argument of C4. What was undone stays in the log as
 *      long. A late helper (C4) is in a section that came to the commit before it was settled, so the commit that it may
 *      stamp is still the same.
 *      A version has the time of the commit that it names. One that is left when its commit is settled is told the time as
 *      a part of that [C9 tell]. So a section after that finds no version whose commit is gone. What was undone is told
 *      nothing: behind the commit there may be some of others, which were undone alone and have no time.
 *
 *  C10 Nobody waits for a section: who finds no room reclaims what it can and says that the log is full [C10 full].
 *
 *  C11 With deferral the sections of a group have one commit, and all of the above holds of it as of one long section which
 *      began with the last of them, or with the flush after it, which is a section too: none of their versions can be
 *      replaced by another thread meanwhile, so each was still the newest then, and is before its L. Three things are
 *      different.
 *      A section sees the versions of its thread's group whatever their time, and may replace them [C11 own]. It does so by
 *      a new version, so that it can be undone alone [C11 section]. Both have the time of the commit, and who is after that
 *      comes to the newer one first.
 *      What was undone still names the commit, which goes on. A section that found it before it was undone has an L that
 *      the floor or a clock had shown before that, and so before the flush: by C4 the commit's W is not before it.
 *      Pending versions keep what lies below them unsettled, in the log of its owner too. Whoever wants such an object, or
 *      the room, asks the owner [C11 ask], which flushes before its next section or at its end [C11 flush].
 *      (A flush of RLU is no section. It waits for them; and it looks only at what its thread keeps locked until it is
 *      written back, so that nobody else has replaced or freed it.)
 */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif
