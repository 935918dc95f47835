/* Reclamation by epochs: the steps of include/ordo/cc/stm/epoch.h for C10, one for each access to memory that other
 * threads can see.
 *
 * Thread 0 unlinks an object and frees it or, with QUIESCE, takes it for its own use. Thread 1 makes two transactions,
 * and thread 2 makes one; they use the object if they find it. Between transactions each thread tries to advance the
 * epoch, and visits the other threads in either order. The address of the object is in a word with a stripe: a
 * transaction that finds the word locked waits.
 *
 * Checked: no transaction uses the object after it was freed, or while thread 0 owns it.
 *
 * TSO: stores wait in a buffer, in their order; an exchange empties the buffer first. WEAK: the announcement waits in
 * the buffer too, because an exchange on ARMv8 orders no later load; only the second load of the epoch waits for the
 * announcement. C11_ORDER: the lock is missing, because by the language alone the lock orders no later load either.
 */
#ifndef LAST
#define LAST 6
#endif
#ifndef GRACE
#define GRACE 3 /* epochs until a retired object is freed */
#endif
#ifndef WAITED
#define WAITED 3 /* epochs that ordo_stm_quiesce waits */
#endif

#define UNLINKED 0
#define LINKED 1
#define LOCKED 2
#define LINK 3 /* the place of `link` in the buffer; places 0, 1 and 2 are the announcements */

byte epoch = 1;
byte announced[3]; /* 1 + epoch, or 0 */
byte link = LINKED;
bit gone;          /* freed, or owned by thread 0 */
bit backwards;
chan buffer[3] = [2] of { byte, byte };

#define true_time epoch
#define SAY(text) printf("%d\t%d\t", me, true_time); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, true_time); printf(#text, a); printf("\n")
#define SAY2(text, a, b) printf("%d\t%d\t", me, true_time); printf(#text, a, b); printf("\n")

#if defined TSO || defined WEAK
#define store(where, value) buffer[me]!where, value
inline perform(t)
{
    buffer[t]?w, u;
    if
    :: w == LINK -> link = u
    :: else -> announced[w] = u
    fi;
    w = 0; u = 0
}
#define flush()                                                                                                        \
    do                                                                                                                 \
    :: nempty(buffer[me]) -> perform(me)                                                                               \
    :: empty(buffer[me]) -> break                                                                                      \
    od

active proctype buffers()
{
    byte me = 9, w, u;
end:
    do
    :: atomic { nempty(buffer[0]) -> perform(0); SAY(a store of thread 0 becomes visible) }
    :: atomic { nempty(buffer[1]) -> perform(1); SAY(a store of thread 1 becomes visible) }
    :: atomic { nempty(buffer[2]) -> perform(2); SAY(a store of thread 2 becomes visible) }
    od
}
#else
#define store(where, value) if :: where == LINK -> link = value :: else -> announced[me] = value fi
#define flush() skip
#endif

inline begin()
{
    atomic { e = epoch; SAY1(finds epoch %d, e) } /* step: ordo_stm_begin */
#ifndef C10_ANNOUNCE
    atomic { /* step: ordo_stm_begin [C10 announce] */
#ifndef ANNOUNCE_RELEASE
        flush();
#endif
#if defined ANNOUNCE_RELEASE || defined WEAK
        store(me, e + 1);
#else
        announced[me] = e + 1;
#endif
        SAY1(announces %d, e)
    }
#ifndef C10_ACQUIRE
    atomic { /* step: ordo_stm_begin [C10 acquire] */
#ifdef WEAK
        flush();
#endif
        SAY(looks at the epoch again)
    }
#endif
#endif
}

/* ordo_stm_leave */
inline leave()
{
    atomic { store(me, 0); e = 0; SAY(ends its transaction) } /* step: ordo_stm_leave */
}

#define thread_at(i) (backwards -> 2 - (i) : (i))
/* ordo_stm_epoch_advance, outside of transactions. */
inline advance()
{
    atomic { e = epoch; i = 0 } /* step: ordo_stm_epoch_advance */
    do
    :: i == 3 ->
        atomic { /* step: ordo_stm_epoch_advance */
            flush();
            if
            :: epoch == e && e < LAST -> epoch = e + 1; SAY1(advances the epoch to %d, epoch)
            :: else
            fi
        };
        break
#ifdef C10_SCAN
    :: i < 3 -> i++
#else
    :: atomic { i < 3 && (thread_at(i) == me || announced[thread_at(i)] == 0 || announced[thread_at(i)] == e + 1) ->
           SAY2(finds %d of thread %d, announced[thread_at(i)], thread_at(i)); i++ } /* step: ordo_stm_epoch_advance [C10 scan] */
    :: atomic { i < 3 && thread_at(i) != me && announced[thread_at(i)] != 0 && announced[thread_at(i)] != e + 1 -> break }
#endif
    od;
    atomic { i = 0; e = 0 }
}

proctype frees()
{
    byte me = 0, e, i, w, u, retired;

    begin();
#ifndef C11_ORDER
    atomic { flush(); link = LOCKED; SAY(locks the word) } /* step: ordo_stm_lock_all */
#endif
    atomic { store(LINK, UNLINKED); SAY(unlinks the object) } /* step: ordo_stm_write_back */
#ifndef QUIESCE
    atomic { /* step: ordo_stm_retire [C10 retire] */
#ifdef C10_RETIRE
        retired = e;
#else
        retired = epoch;
#endif
        SAY1(retires it in epoch %d, retired)
    }
#endif
    leave();
#ifdef QUIESCE
    atomic { retired = epoch; SAY1(waits from epoch %d, retired) } /* step: ordo_stm_quiesce */
#endif
    do
    :: advance();
        if
#ifdef QUIESCE
        :: atomic { epoch >= retired + WAITED -> gone = 1; SAY(takes the object for its own); break } /* step: ordo_stm_quiesce [C10 quiesce] */
        :: atomic { epoch < retired + WAITED && epoch < LAST }
#else
        :: atomic { epoch >= retired + GRACE -> gone = 1; SAY(frees the object); break } /* step: ordo_stm_collect [C10 free] */
        :: atomic { epoch < retired + GRACE && epoch < LAST }
#endif
        :: epoch == LAST -> break
        fi
    od
#ifdef REACH
    ; assert(!gone)
#endif
}

inline uses()
{
    begin();
    atomic { link != LOCKED -> u = link; SAY1(finds the link %d, u) } /* step: ordo_stm_read */
    if
    :: u == LINKED ->
        atomic { u = 0; SAY(uses the object); assert(!gone) };
        atomic { SAY(still uses the object); assert(!gone) }
    :: else
    fi;
    leave()
}

proctype reader(byte me; byte times)
{
    byte e, i, w, u;

    do
    :: times == 0 -> break
    :: times -> times--; uses()
    :: times && epoch < LAST -> advance()
    od
}

init
{
    atomic {
        if
        :: backwards = 1
        :: true
        fi;
        run frees();
        run reader(1, 2);
        run reader(2, 1)
    }
}
