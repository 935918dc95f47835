/* Names: the steps by which lib/cc/txn/hekaton reclaims memory for C10 while threads are preempted in transactions, one
 * for each access to memory that other threads can see.
 *
 * A record has version 1. Threads 0 and 1 each put a version of their own above the newest version, and publish it or,
 * with ROLL_BACK, roll it back. So the version below, or their own version, leaves the chain. They retire the version
 * that has left, scan the names of threads 2 and 3, and reuse the version if it is not named. Threads 2 and 3 make
 * TXNS2 and TXNS3 transactions, and choose for each transaction whether it fences its names. Each transaction finds the
 * newest version that was published, at the head or below a head that has no time yet; adds it to its reads; accesses
 * another record; and compares its reads. Unless all open transactions fence their names, a reclaimer issues a fence
 * for all threads. With WRITERS 1, only thread 0 writes.
 *
 * tests/proof/schedule/txn.c has more than one record, and clocks, but no store buffers. Pruning during snapshots,
 * tombs and homes are in other models.
 *
 * Checked: no thread accesses a version that is reused, and no version that a transaction has read returns to the
 * chain.
 *
 * TSO: stores wait in a buffer, in their order; a fence or an exchange empties the buffer. No thread loads a place that
 * may be in its own buffer.
 *
 * Mutants are switches; tests/proof/searches has the list. */
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef TXNS2
#define TXNS2 1
#endif
#ifndef TXNS3
#define TXNS3 1
#endif

#define FIRST 1 /* a version; versions 2 and 3 are those of threads 0 and 1 */
#define MINE (me + 2)
#define OTHER 4 /* a version of another record */
#define HEAD 0  /* places */
#define CLAIM 1
#define TIMED 2             /* three places: 1 if version 1, 2, 3 has its time */
#define AT(t) ((t) * 4 - 3) /* of thread 2 or 3: the version that it accesses */
#define BELOW(t) (AT(t) + 1) /* the version below that */
#define READS(t) (AT(t) + 2)
#define ACTIVE(t) (AT(t) + 3)
#define FENCED 2 /* in ACTIVE: the transaction fences its names; 1: it does not */

byte memory[13] = 0;
byte older[4]; /* of each version, the version below; stored before the version becomes the head */
bit reused[5];
#ifdef TSO
chan buffer[4] = [6] of { byte, byte };
#endif

#define true_time 0
#define SAY(text) printf("%d\t%d\t", me, true_time); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, true_time); printf(#text, a); printf("\n")
#define SAY2(text, a, b) printf("%d\t%d\t", me, true_time); printf(#text, a, b); printf("\n")

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
    :: atomic { nempty(buffer[3]) -> buffer[3]?w, u; memory[w] = u; w = 0; u = 0; SAY(a store of thread 3 becomes visible) }
    od
}
#else
#define store(where, value) memory[where] = value
#define drain(t) skip
#endif

#define exchange(where, value) drain(me); memory[where] = value
#define is_there(v) assert(!reused[v])

/* Issues the fence if a transaction is open that does not fence its names. */
inline order_names()
{
#ifndef NO_EXCHANGE
    atomic { drain(me); SAY(orders its own names) } /* step: hk_order_names, hk_fence_here */
#endif
#ifdef BELIEVES
    fenced = 1;
#else
    atomic { fenced = memory[ACTIVE(2)] != 1; SAY1(finds that thread 2 fences its names or has none: %d, fenced) } /* step: hk_oldest_unfenced */
    atomic { fenced = fenced && memory[ACTIVE(3)] != 1; SAY1(finds that threads 2 and 3 fence their names or have none: %d, fenced) } /* step: hk_oldest_unfenced */
#endif
#ifndef NO_FENCE
    if
    :: fenced
    :: else ->
        atomic { drain(me); drain(2); SAY(thread 2 passes the fence) } /* step: hk_fence_all */
        atomic { drain(3); SAY(thread 3 passes the fence) } /* step: hk_fence_all */
    fi;
#endif
    fenced = 0
}

inline mark_names_of(t)
{
#ifdef READS_FIRST
    atomic { named = named || memory[READS(t)] == gone; SAY1(looks at the reads of thread %d, t) }
#endif
    atomic { named = named || memory[AT(t)] == gone; SAY1(looks at the head that thread %d names, t) } /* step: hk_mark_names_of */
#ifndef NO_BELOW
    atomic { named = named || memory[BELOW(t)] == gone; SAY1(looks at the version below that thread %d names, t) } /* step: hk_mark_names_of */
#endif
#if !defined READS_FIRST && !defined NO_READS
    atomic { named = named || memory[READS(t)] == gone; SAY1(looks at the reads of thread %d, t) } /* step: hk_mark_names_of */
#endif
}

/* Reclaims the version that has left the chain (C10). */
inline retires()
{
    order_names();
    mark_names_of(2);
    mark_names_of(3);
    if
#ifdef NO_NAMES
    :: true ->
#else
    :: !named ->
#endif
        atomic { reused[gone] = 1; SAY1(reuses version %d, gone) } /* step: hk_free_unnamed [C10] */
#ifdef REACH
        assert(!(reused[1] && (WRITERS == 1 || reused[2])))
#endif
    :: else
    fi
}

proctype writes(byte me)
{
    byte gone, w, u;
    bit named, fenced;

    atomic { memory[CLAIM] == 0 -> exchange(CLAIM, 1); gone = memory[HEAD]; SAY1(has the claim; the head is version %d, gone) } /* step: hk_try_claim */
    atomic { older[MINE] = gone; store(HEAD, MINE); SAY1(puts version %d on the head, MINE) } /* step: hk_push */
#ifdef RETIRES_EARLY
    retires();
#endif
    if
    :: atomic { store(TIMED + MINE - 1, 1); SAY1(version %d has its time, MINE) } /* step: hk_publish */
#ifdef ROLL_BACK
    :: atomic { store(HEAD, gone); gone = MINE; SAY1(takes version %d away, MINE) } /* step: hk_roll_back */
#endif
    fi;
    atomic { store(CLAIM, 0); SAY(gives the claim back) } /* step: hk_unclaim */
#ifndef RETIRES_EARLY
    retires()
#endif
}

inline name(where, version)
{
    if
#ifndef NO_OWN_FENCE
    :: atomic { way == FENCED -> exchange(where, version); SAY1(names version %d with a fence, version) } /* step: hk_show_name */
    :: atomic { way != FENCED -> store(where, version); SAY1(names version %d, version) } /* step: hk_show_name */
#else
    :: atomic { store(where, version); SAY1(names version %d, version) }
#endif
    fi
}

/* hk_newest; the result is in v. */
inline newest()
{
    do
    :: atomic { h = memory[HEAD]; SAY1(finds version %d, h) } /* step: hk_newest */
        name(AT(me), h);
#ifdef NO_LOOK
        b = h;
#else
        atomic { b = memory[HEAD]; SAY1(finds version %d on the head, b) } /* step: hk_name */
#endif
        if
        :: b != h -> b = 0
        :: else ->
            atomic { is_there(h); b = memory[TIMED + h - 1]; SAY2(finds whether version %d has a time: %d, h, b) } /* step: hk_judge */
            if
            :: b -> v = h; at = AT(me); b = 0; break
            :: else ->
                atomic { is_there(h); v = older[h]; SAY2(finds version %d below version %d, v, h) } /* step: hk_newest */
#ifndef NO_NAME_BELOW
                name(BELOW(me), v); /* step: hk_name_below */
#endif
#ifdef NO_TIME_AGAIN
                b = 0;
#else
                atomic { is_there(h); b = memory[TIMED + h - 1]; SAY2(finds whether version %d has a time by now: %d, h, b) } /* step: hk_name_below */
#endif
                if
                :: b -> b = 0
                :: else ->
#ifdef NO_HEAD_AGAIN
                    b = h;
#else
                    atomic { b = memory[HEAD]; SAY1(finds version %d on the head, b) } /* step: hk_name_below */
#endif
                    if
                    :: b == h -> at = BELOW(me); b = 0; break
                    :: else -> b = 0
                    fi
                fi
            fi
        fi
    od;
    h = 0
}

proctype reads(byte me; byte left)
{
    byte h, v, b, at, way, w, u;

    do
    :: left == 0 -> break
    :: else ->
        left--;
        if
#ifndef ALL_FENCED
        :: way = 1
#endif
#ifndef NONE_FENCED
        :: way = FENCED
#endif
        fi; /* step: hk_choose_fence */
#ifdef NO_ANNOUNCEMENT
        atomic { store(ACTIVE(me), way); SAY1(announces itself: %d, way) }
#else
        atomic { exchange(ACTIVE(me), way); SAY1(announces itself: %d, way) } /* step: cc_enter_newest */
#endif
        newest();
#ifdef MOVED
        name(at, OTHER);
        atomic { is_there(v); store(READS(me), v); SAY(adds it to its reads) }
#else
        atomic { is_there(v); store(READS(me), v); SAY(adds it to its reads) } /* step: hk_add_read */
        name(at, OTHER); /* the name of another record replaces this one's; a name that is not needed any more stays */
#endif
        atomic { is_there(v); SAY(compares it); v = 0; at = 0 } /* step: hk_validate */
        if
        :: left ->
            atomic { store(ACTIVE(me), 0); SAY(ends) } /* step: cc_exit */
            atomic { store(READS(me), 0); SAY(forgets its reads) } /* step: hk_finish */
        :: else /* for other threads, the transaction has not begun */
        fi;
        way = 0
    od
}

init
{
    atomic {
        memory[HEAD] = FIRST;
        memory[TIMED] = 1;
        run writes(0);
#if WRITERS > 1
        run writes(1);
#endif
        run reads(2, TXNS2);
        run reads(3, TXNS3)
    }
}
