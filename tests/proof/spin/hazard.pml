/* Names: what lib/cc/txn/hekaton does for C10 beside a transaction that does not go on, a step for each access to memory that
 * others can see.
 *
 * Thread 0 takes a version off the head of a chain, looks at what thread 1 names, and reuses the version if it is not named.
 * Thread 1 makes three transactions, and chooses for each whether it fences its names. Unless it says so, or is in no
 * transaction, thread 0 has a fence put into both threads. Each transaction looks at the head, adds what it found there to
 * its reads, looks at another record, and compares what it read. The schedules of tests/proof/schedule/txn.c have the rest,
 * without store buffers and fences of their own: what is below the head, more than one record, and clocks.
 *
 * Checked: nobody looks at a version that is reused, and none that somebody has read comes back.
 *
 * TSO: stores wait in a buffer, in their order; a fence empties it, and so does an exchange. */
#define OLD 1   /* the version that goes */
#define NEW 2   /* the one above */
#define OTHER 3 /* of another record */
#define HEAD 0  /* places */
#define AT 1
#define READS 2
#define ACTIVE 3
#define FENCED 2 /* in ACTIVE: it fences its names; 1: it does not */

byte memory[4] = { OLD, 0, 0, 0 };
bit reused;
chan buffer[2] = [8] of { byte, byte };

#define true_time reused
#define SAY(text) printf("%d\t%d\t", me, true_time); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, true_time); printf(#text, a); printf("\n")

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
    od
}

/* No thread reads what it may have in its own buffer. */
#else
#define store(where, value) memory[where] = value
#define drain(t) skip
#endif

#define exchange(where, value) drain(me); memory[where] = value

active proctype reclaims()
{
    byte me = 0, w, u;
    bit named, fenced;

    atomic { store(HEAD, NEW); SAY(takes the old version off the head) } /* step: hk_publish */
#ifndef NO_EXCHANGE
    atomic { drain(0); SAY(orders its own) } /* step: hk_order_names */
#endif
#ifdef BELIEVES
    fenced = 1;
#else
    atomic { fenced = memory[ACTIVE] != 1; SAY(looks at what is announced) } /* step: hk_oldest_unfenced */
#endif
#ifndef NO_FENCE
    if
    :: fenced
    :: else ->
       atomic { drain(0); SAY(passes the fence) } /* step: hk_fence_all */
       atomic { drain(1); SAY(thread 1 passes the fence) } /* step: hk_fence_all */
    fi;
#endif
#ifdef READS_FIRST
    atomic { named = memory[READS] == OLD; SAY(looks at the reads) }
#endif
    atomic { named = named || memory[AT] == OLD; SAY(looks at what it is looking at) } /* step: hk_mark_names_of */
#if !defined READS_FIRST && !defined NO_READS
    atomic { named = named || memory[READS] == OLD; SAY(looks at the reads) } /* step: hk_mark_names_of */
#endif
    if
#ifdef NO_NAMES
    :: true ->
#else
    :: !named ->
#endif
       atomic { reused = 1; SAY(reuses the old version) } /* step: hk_free_unnamed [C10] */
#ifdef REACH
       assert(0)
#endif
    :: else
    fi
}

inline name(version)
{
    if
#ifndef NO_OWN_FENCE
    :: atomic { way == FENCED -> exchange(AT, version); SAY1(names version %d with a fence, version) } /* step: hk_show_name */
#endif
    :: atomic { else -> store(AT, version); SAY1(names version %d, version) } /* step: hk_show_name */
    fi
}

inline transaction()
{
    if
    :: way = 1
    :: way = FENCED
    fi; /* step: hk_choose_fence */
#ifdef NO_ANNOUNCEMENT
    atomic { store(ACTIVE, way); SAY1(announces itself: %d, way) }
#else
    atomic { exchange(ACTIVE, way); SAY1(announces itself: %d, way) } /* step: cc_enter_newest */
#endif
    do
    :: atomic { h = memory[HEAD]; SAY1(finds version %d, h) } /* step: hk_newest */
       name(h);
#ifdef NO_LOOK
       break
#else
       if
       :: atomic { memory[HEAD] == h -> SAY(finds it there again) }; break /* step: hk_name */
       :: atomic { memory[HEAD] != h -> SAY(finds another one) }
       fi
#endif
    od;
    atomic { SAY(looks at it); assert(h != OLD || !reused) } /* step: hk_judge */
#ifdef MOVED
    name(OTHER);
    atomic { store(READS, h); SAY(adds it to its reads) }
#else
    atomic { store(READS, h); SAY(adds it to its reads) } /* step: hk_add_read */
    name(OTHER);
#endif
    atomic { SAY(compares it); assert(h != OLD || !reused) } /* step: hk_validate */
    atomic { store(ACTIVE, 0); SAY(ends) } /* step: cc_exit */
    atomic { store(READS, 0); h = 0; SAY(forgets its reads) } /* step: hk_finish */
}

active proctype reads()
{
    byte me = 1, h, way, w, u;

    transaction();
    transaction();
    transaction()
}
