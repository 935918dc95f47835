/* The anchor's copy of the newest version (lib/cc/txn/hekaton/inline.h), and deletions that wait (retire.h, prune.h): a
 * step for each access to memory that other threads can see. The conditions I1 to I5 are those of inline.h.
 *
 * There is one record. Its anchor has a copy of the newest version's time and record, or the number of deletions that
 * wait. Threads 0 and 1 make OPS0 and OPS1 changes. A change is an update or a deletion of the record, or an insert above
 * a deletion; it commits or, with ABORTS, aborts. A worker that has deleted the record later ends the wait of this
 * deletion: by hk_drop_tomb if the record was written again, otherwise by hk_bury, after which the anchor has left the
 * index. With HISTORY deletions do not wait. Thread 2 reads the record LOOKS times:
 *    COPIES  as READ_ONLY: it copies the record from the anchor, without a walk and without a name
 *    WALKS   as READ_ONLY: it announces a walk, and accesses the version
 *    NAMES   as a serialisable transaction: it names the version, with or without a fence, copies the record, and
 *            accesses the version
 * A version that was overwritten, or whose writer has aborted, is reused at once unless thread 2 holds it back.
 *
 * Checked: if the reader accepts the anchor's copy, the copy is complete, and belongs to the version that was the
 * newest when the claim was checked, which is no deletion. Unless the reader only copies, the version that it accesses
 * is this version too. The wait of a deletion ends only once.
 *
 * Not in this model: the comparison of a version's time with the begin (hekaton.pml), the ways to hold a version back
 * (hazard.pml, prune.pml; one step here), and the index (home.pml). Times come from a counter, so the times of a chain
 * ascend.
 *
 * TSO: stores wait in a buffer, in their order; a full read of the clock or an exchange empties it. */
#ifndef OPS0
#define OPS0 2
#endif
#ifndef OPS1
#define OPS1 1
#endif
#ifndef LOOKS
#define LOOKS 1
#endif

#define SLOTS 4
#define NONE 9
#define TOLD 100 /* in INLINED: TOLD + number of deletions that wait; a smaller number is a time */
#define DEAD 9

#define HEAD 0    /* places */
#define CLAIM 1   /* 1 + thread */
#define INLINED 2
#define FIRST 3   /* the two words of the record */
#define SECOND 4
#define AT 5      /* the version that thread 2 names */
#define WALK 6
#define BEGIN 7   /* + version: 0 while it has no time */
#define IS_TOMB 11 /* + version */
#define PLACES 15

byte memory[PLACES];
byte now = 1;
bit used[SLOTS]; /* 1 if a version is in the chain, or waits to be released */
chan buffer[3] = [8] of { byte, byte };

#define SAY(text) printf("%d\t%d\t", me, now); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, now); printf(#text, a); printf("\n")
#define SAY2(text, a, b) printf("%d\t%d\t", me, now); printf(#text, a, b); printf("\n")

#ifdef TSO
#define store(where, value) buffer[me]!where, value
#define drain(t)                                                                                                       \
    do                                                                                                                 \
    :: nempty(buffer[t]) -> buffer[t]?w, u; memory[w] = u; w = 0; u = 0                                                \
    :: empty(buffer[t]) -> break                                                                                       \
    od

active proctype buffers()
{
    byte me = 9, w, u;
end:
    do
    :: atomic { nempty(buffer[0]) -> buffer[0]?w, u; memory[w] = u; w = 0; u = 0; SAY(a store of thread 0 becomes visible) }
    :: atomic { nempty(buffer[1]) -> buffer[1]?w, u; memory[w] = u; w = 0; u = 0; SAY(a store of thread 1 becomes visible) }
    :: atomic { nempty(buffer[2]) -> buffer[2]?w, u; memory[w] = u; w = 0; u = 0; SAY(a store of thread 2 becomes visible) }
    od
}
#else
#define store(where, value) memory[where] = value
#define drain(t) skip
#endif

/* No thread loads a place that may be in its own buffer, because the exchange of the claim has emptied the
 * buffer. */

/* hk_inline of version v and time t, by the holder of the claim; n deletions wait. */
inline tell(v, t, tomb)
{
#ifdef TELLS_TOMB
    if
    :: n == TOLD ->
#elif defined TELLS_BESIDE
    if
    :: !(tomb) ->
#else
    if
    :: !(tomb) && n == TOLD ->
#endif
#ifdef TIME_FIRST
        atomic { store(INLINED, t); SAY1(inlines the time %d, t) }
#endif
        atomic { store(FIRST, t); SAY1(copies the record of %d, t) } /* step: hk_inline, cc_copy_words_in */
        atomic { store(SECOND, t) } /* step: hk_inline, cc_copy_words_in */
#ifndef TIME_FIRST
        atomic { store(INLINED, t); SAY1(inlines the time %d, t) } /* step: hk_inline, hk_set_inlined [I1] */
#endif
    :: else -> atomic { store(INLINED, n); SAY1(tells that %d deletions wait, n - TOLD) } /* step: hk_inline, hk_set_inlined [I5] */
    fi
}

#define claim()                                                                                                        \
    atomic {                                                                                                           \
        drain(me);                                                                                                     \
        if                                                                                                             \
        :: memory[CLAIM] == 0 -> memory[CLAIM] = me + 1; h = memory[HEAD]; c = 1; SAY1(has the claim of version %d, h) \
        :: memory[CLAIM] == DEAD -> c = 0                                                                              \
        fi                                                                                                             \
    }
#define unclaim() atomic { store(CLAIM, 0); SAY(drops its claim); h = 0; c = 0 }

/* Takes a version that is not in use. */
inline take()
{
    atomic {
        if
        :: !used[0] -> f = 0
        :: else ->
            if
            :: !used[1] -> f = 1
            :: else ->
                if
                :: !used[2] -> f = 2
                :: else -> assert(!used[3]); f = 3
                fi
            fi
        fi;
        used[f] = 1; memory[BEGIN + f] = 0; memory[IS_TOMB + f] = d; SAY1(makes version %d, f)
    } /* step: hk_version_new, hk_push: no other thread sees them yet */
}

/* Releases a version that was taken out of its chain, when the reader does not hold it back. The stores to the version
 * are visible by then. */
inline retire(v)
{
    atomic {
        drain(me);
#ifndef NO_FENCE
        drain(2); /* step: hk_order_names */
#endif
        if
        :: memory[AT] == v || memory[WALK] -> SAY1(has to keep version %d, v) /* step: hk_mark_names_of, hk_oldest_walk */
        :: else -> used[v] = 0; SAY1(gives back version %d, v) /* step: hk_free_item */
        fi
    }
}

/* hk_drop_tomb, hk_bury */
inline forget()
{
#ifdef FORGETS_WITHOUT_CLAIM
    atomic { drain(me); c = 1; h = memory[HEAD] }
#else
    claim(); /* step: hk_try_claim, hk_drop_tomb, hk_bury */
#endif
    if
    :: c ->
        atomic { n = memory[INLINED]; SAY1(finds the inlined time %d, n); assert(n > TOLD); n-- } /* step: hk_forget_tomb, hk_tombs */
        atomic { store(INLINED, n); SAY1(tells that %d deletions wait, n - TOLD) } /* step: hk_forget_tomb, hk_set_inlined */
        if
        :: n == TOLD -> tell(h, memory[BEGIN + h], memory[IS_TOMB + h]) /* step: hk_forget_tomb */
        :: else
        fi;
        if
        :: n == TOLD && memory[IS_TOMB + h] -> atomic { store(CLAIM, DEAD); SAY(gives the anchor up); h = 0; c = 0 } /* step: hk_bury */
#ifdef FORGETS_WITHOUT_CLAIM
        :: else -> h = 0; c = 0
#else
        :: else -> unclaim() /* step: hk_drop_tomb, hk_unclaim */
#endif
        fi;
        n = 0
    :: else
    fi
}

inline change()
{
    claim(); /* step: hk_claim */
    if
    :: c ->
        if
        :: memory[IS_TOMB + h] -> d = 0 /* an insert */
        :: !memory[IS_TOMB + h] -> d = 0
        :: !memory[IS_TOMB + h] -> d = 1
        fi;
        take();
        atomic { store(HEAD, f); SAY1(puts version %d on the head, f) } /* step: hk_push */
        if
        :: atomic { drain(me); now++; t = now; SAY1(takes its end %d, t) } /* step: hk_end_time */
            n = (memory[INLINED] < TOLD -> TOLD : memory[INLINED]); /* step: hk_tombs */
#ifndef HISTORY
            n = n + d; /* step: hk_publish, hk_inline */
#endif
#ifdef UNCLAIM_FIRST
            atomic { store(BEGIN + f, t) }
            atomic { store(CLAIM, 0); SAY(drops its claim) }
            tell(f, t, d);
            atomic { h = 0; c = 0 }
#else
            tell(f, t, d); /* step: hk_publish, hk_inline */
            atomic { store(BEGIN + f, t); SAY2(version %d has time %d, f, t) } /* step: hk_publish */
            o = h;
            unclaim(); /* step: hk_publish, hk_unclaim */
            retire(o); /* step: hk_publish, cc_retire_item */
#endif
            n = 0; o = 0; t = 0;
#ifndef HISTORY
            waits = waits + d;
#endif
            d = 0
#ifdef ABORTS
        :: atomic { store(HEAD, h); SAY(aborts) } /* step: hk_roll_back */
            o = f; d = 0;
            unclaim(); /* step: hk_roll_back, hk_unclaim */
            retire(o); /* step: hk_roll_back, cc_retire_item */
            o = 0
#endif
        fi;
        f = 0
    :: else
    fi
}

proctype writes(byte me; byte ops)
{
    byte w, u, h, f, n, t, o, waits;
    bit c, d;

    do
    :: ops -> ops--; change()
    :: waits -> waits--; forget()
    :: else -> break
    od
}

inline name(version)
{
    if
    :: atomic { way -> drain(me); memory[AT] = version; SAY1(names version %d with a fence, version) } /* step: hk_show_name */
    :: atomic { !way -> store(AT, version); SAY1(names version %d, version) } /* step: hk_show_name */
    fi
}

/* hk_newest_inline: `is_good` */
inline newest_inline()
{
    is_good = 0;
    atomic { t = memory[INLINED]; SAY1(finds the inlined time %d, t) } /* step: hk_tells */
    if
    :: t < TOLD ->
        atomic { h = memory[HEAD]; SAY1(finds version %d, h) } /* step: hk_newest_inline, hk_head */
#ifdef NAMES
        name(h);
        atomic { is_good = memory[HEAD] == h; SAY1(finds it there again: %d, is_good) } /* step: hk_name */
#else
        is_good = 1;
#endif
        if
        :: is_good ->
            atomic { t = memory[INLINED]; SAY1(finds the inlined time %d, t) } /* step: hk_newest_inline */
#ifdef CLAIM_FIRST
            atomic { is_good = memory[CLAIM] == 0; g = memory[HEAD]; r = memory[BEGIN + g]; e = memory[IS_TOMB + g] }
#endif
            atomic { a = memory[FIRST]; SAY1(copies %d, a) } /* step: hk_newest_inline, cc_copy_words_out */
            atomic { b = memory[SECOND]; SAY1(copies %d, b) } /* step: hk_newest_inline, cc_copy_words_out */
#if !defined CLAIM_FIRST
            atomic {
#ifdef NO_CLAIM
                g = memory[HEAD]
#else
                is_good = memory[CLAIM] == 0; g = memory[HEAD]; SAY1(finds no claim: %d, is_good) /* step: hk_newest_inline [I2] */
#endif
                ;
                r = memory[BEGIN + g]; e = memory[IS_TOMB + g] /* the newest version */
            }
#endif
#ifndef NO_TIME
            atomic { is_good = is_good && memory[INLINED] == t } /* step: hk_newest_inline [I3] */
#endif
#ifndef NO_HEAD
            atomic { is_good = is_good && memory[HEAD] == h; SAY1(the copy is good: %d, is_good) } /* step: hk_newest_inline [I4] */
#endif
        :: else
        fi
    :: else
    fi;
    is_good = is_good && t < TOLD
}

proctype reads()
{
    byte me = 2, w, u, h, t, a, b, g, r, n;
    bit way, is_good, e;

    if
    :: way = 0
    :: way = 1
    fi;
    do
    :: n < LOOKS ->
#if defined WALKS && !defined NO_WALK
        atomic { drain(me); memory[WALK] = 1; SAY(walks) } /* step: hk_walk */
#endif
        newest_inline();
        if
        :: is_good ->
#ifdef REACH
            assert(t == 1 || t < 4);
#endif
            atomic {
                SAY2(takes %d of version %d, t, h);
                assert(a == t && b == t); /* whole */
                assert(r == t && !e);      /* the newest when the claim was checked */
#ifndef COPIES
                assert(g == h && memory[BEGIN + h] == t && used[h]) /* step: hk_read_anchor */
#endif
            }
        :: else
        fi;
#ifdef WALKS
        atomic { store(WALK, 0); SAY(ends its walk) } /* step: hk_rest */
#endif
        atomic { n++; h = 0; t = 0; a = 0; b = 0; g = 0; r = 0; e = 0; is_good = 0 }
    :: else -> break
    od
}

init
{
    atomic {
        memory[INLINED] = 1; memory[FIRST] = 1; memory[SECOND] = 1;
        memory[BEGIN] = 1; memory[AT] = NONE;
        used[0] = 1;
        run writes(0, OPS0);
        run writes(1, OPS1);
        run reads()
    }
}
