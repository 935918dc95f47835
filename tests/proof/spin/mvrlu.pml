/* MV-RLU: the steps of include/ordo/cc/mvrlu.h, one for each access to memory that other threads can see. Each step
 * names its functions and, in brackets, the condition of MV-RLU that it keeps; tests/proof/steps.sh compares both with
 * the code.
 *
 * Three threads, two objects; with JOIN thread 2 joins while the others run. Threads below WRITERS have a log with room
 * for SLOTS sections that write. Thread i makes Si sections, each chosen among those of its mask Oi:
 *    1  reads both objects in either order
 *    2  writes both objects (PAIR), the first one as it has read it (LOOKS); thread 1 reads object 0 and writes object 1, the
 *       others write object 0 (NEST); object 1, which is reached through object 0 (LEAVE)
 *    4  reclaims, as ordo_mvrlu_collect
 *    8  unlinks object 1 from object 0, and frees it (LEAVE)
 * and, added to these,
 *    16 it may reclaim at the end of any section
 *    32 it may abort a section that wrote
 *    64 it writes first, and then reclaims at most twice
 *    128 it may reclaim between its two locks, as if its log were full (PAIR)
 * IN_TURN: a thread begins when the first commit of the previous thread has its time. DEFER: a thread flushes after this number
 * of commits, or sooner.
 *
 * Times: a section takes the floor as its time. `shown`, the reading of a clock, is any number from 1 to TOP, because the floor
 * must keep the order whatever the clocks show. With OWN_CLOCK sections read the clocks of clock.pml.
 *
 * Checked with PAIR: both objects are equal for every section, and stay equal. With NEST: the sets of commits that two sections
 * see are nested; with a commit, a set contains all commits that this commit had read. Always: a commit that has returned is
 * seen; no section reads an object that is being written back; no version, commit or object is accessed after its memory was
 * reclaimed; when all threads have ended, ordo_mvrlu_rest leaves every object with its last change.
 *
 * TSO: plain stores wait in a buffer until some later moment, in their order; a locked access or a full read of the clock waits
 * for them.
 *
 * Mutants are switches; tests/proof/searches has the list.
 */
#include "clock.pml"

#ifndef S0
#define S0 1
#endif
#ifndef S1
#define S1 1
#endif
#ifndef S2
#define S2 1
#endif
#ifndef O0
#define O0 2
#endif
#ifndef O1
#define O1 1
#endif
#ifndef O2
#define O2 1
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef DEFER
#define DEFER 1
#endif
#ifndef TOP
#define TOP 4
#endif

#define OPEN 255
#define ANNOUNCED 254
#define POISON 250 /* the memory of the object was reclaimed */
#define TORN 99    /* the object is being written */
#define LOGS (WRITERS * SLOTS)
#define V(p, o) (((p) - 1) * 2 + (o)) /* the version of an object in a slot, of which p is 1 + the number */
#define SLOT (me * SLOTS + slots - 1) /* of the section that writes */
#define VERSION(o) (SLOT * 2 + (o))   /* the section's version of an object */
#define BELOW (kind[me * SLOTS * 2 + y] -> older[me * SLOTS * 2 + y] : 0) /* the version below a version of this thread */
#define END_OF_LOG (slots * 3) /* positions of a log: for each slot the commit, and the versions of both objects */

/* Kinds of sections, and options of a mask. */
#define READS 1
#define WRITES 2
#define COLLECTS 4
#define REMOVES 8
#define ENDS 16
#define ABORTS 32
#define ORDER 64
#define FULL 128
#define FLUSHES 255

#define NOTHING 0
#define COPY 1
#define FREED 2

bit section[3];
byte time_[3];
#ifdef JOIN
byte listed = 2; /* number of threads that others can find */
#else
#define listed 3
#endif
byte floor = B + 1;
byte hdr[2];    /* 0: no version; otherwise 1 + slot */
byte master[2]; /* LEAVE: object 0 is 0 while it leads to object 1 */
byte commits[LOGS];
byte told[LOGS * 2]; /* the time of a version; 0: the version names its commit */
byte above[LOGS * 2], older[LOGS * 2], copies[LOGS * 2], kind[LOGS * 2];
bit undone[LOGS];
byte settled[WRITERS];
#if DEFER > 1
byte lead[LOGS]; /* the slot with the commit */
#define LEAD(slot) lead[slot]
#else
#define LEAD(slot) (slot)
#endif

/* For the checks. */
byte returned[2];
byte rested[8]; /* NEST: the value that the writer of object 1's value had read */
short seen;     /* NEST: bit v0 * 4 + v1 */
byte ended;
bit gone; /* object 1 */
#define check_there(o) assert(!(gone && (o) == 1)) /* an object that was freed */

/* Stores. */
#ifdef TSO
#define RUN 0
#define TIME 1
#define COMMIT 2
#define HEADER 3
#define ABOVE 4
#define TOLD 5
chan buffer[3] = [8] of { byte, byte, byte };
#define store(array, what, at, value) buffer[me]!what, at, value
inline perform(t)
{
    buffer[t]?b_what, b_at, b_value;
    if
    :: b_what == RUN -> section[t] = b_value
    :: b_what == TIME -> time_[t] = b_value
    :: b_what == COMMIT -> commits[b_at] = b_value
    :: b_what == HEADER -> hdr[b_at] = b_value
    :: b_what == ABOVE -> assert(told[b_at] != POISON); above[b_at] = b_value
    :: b_what == TOLD -> assert(told[b_at] != POISON); told[b_at] = b_value
    fi;
    b_what = 0; b_at = 0; b_value = 0
}
inline drain()
{
    do
    :: nempty(buffer[me]) -> perform(me)
    :: empty(buffer[me]) -> break
    od
}

active proctype buffers()
{
    byte me = 9, b_what, b_at, b_value;
end:
    do
    :: atomic { nempty(buffer[0]) -> perform(0); SAY(a store of thread 0 becomes visible) }
    :: atomic { nempty(buffer[1]) -> perform(1); SAY(a store of thread 1 becomes visible) }
    :: atomic { nempty(buffer[2]) -> perform(2); SAY(a store of thread 2 becomes visible) }
    od
}
#define set_time(v) L = v; store(time_, TIME, me, L)
#else
#define store(array, what, at, value) array[at] = value
#define drain() skip
#define L time_[me]
#define set_time(v) L = v
#endif

/* Times. */

#ifdef C2_STEAL
#define is_before(w) (L > (w))
#else
#define is_before(w) after(L, w)
#endif

/* ordo_mvrlu_take_by_floor, as one step, because an exchange that fails changes nothing. The addition that follows it takes
 * floor - B and raises the floor by 1, as an exchange does if the clock shows at most floor - B. The clock read is not ordered with
 * other accesses, so it shows any number. */
inline take_by_floor(w)
{
    w = 1;
    do
    :: w < TOP -> w++
    :: break
    od;
#ifdef C5_LOWERS
    shown = w;
#endif
#ifndef C4_SHOWN
    w = (floor > B && floor - B > w -> floor - B : w);
#endif
#if defined C5_LOWERS
    floor = shown + B + 1; shown = 0
#elif defined C5_NOT_ABOVE
    floor = w + B
#elif !defined C5_NO_FLOOR
    floor = w + B + 1
#endif
}

#ifdef OWN_CLOCK
#define full_clock(v) drain(); read_clock(v)
#define take(w) full_clock(w)
#define take_for_another(w) read_clock(w)
#else
#define take(w) drain(); take_by_floor(w)
#define take_for_another(w) drain(); take_by_floor(w)
#endif

/* ordo_stamp_settle, and in `ordo_mvrlu_catch_up` ordo_stamp_later_before: waits until a clock shows `least`. Earlier accesses
 * may be incomplete, so with EARLY the clock may have been read long before. */
inline wait_for(least)
{
    if
#ifdef EARLY
    :: atomic { ahead && ahead >= (least) -> x = ahead }
#endif
    :: atomic { could_show(least) -> clock_from(x, least); SAY1(has waited until a clock shows %d, x) }
    :: atomic { out_of_time(least) -> time_is_up = 1; goto end_time }
    fi
}

/* ordo_mvrlu_stamp */
inline stamp(log, w)
{
    atomic { /* step: ordo_mvrlu_stamp */
        drain();
        assert(commits[log] != POISON);
        if
        :: commits[log] == ANNOUNCED -> commits[log] = w; SAY2(commit %d has time %d, log, w)
        :: else -> w = commits[log]; SAY2(commit %d has time %d already, log, w)
        fi
    }
}

#define load_word(p, o, w) w = told[V(p, o)]; SAY2(visits the version of object %d in slot %d, o, p - 1); assert(w != POISON)

/* The time of the commit of the version in slot p - 1. If it has none, the thread takes a time for the commit. */
#ifdef C4_NO_HELP
#define load_time(p) w = commits[LEAD(p - 1)]; assert(w != POISON); w = (w == ANNOUNCED -> OPEN : w)
#else
#define load_time(p) w = commits[LEAD(p - 1)]; SAY2(commit %d shows %d, LEAD(p - 1), w); assert(w != POISON)
#endif
#define help(p) take_for_another(w); SAY2(takes %d for commit %d, w, LEAD(p - 1))

#ifdef C11_NOT_OWN /* of the section that writes only */
#define is_own(p, w) ((w) == 0 && commit && writing && (p) == slots)
#else
#define is_own(p, w) ((w) == 0 && commit && LEAD((p) - 1) + 1 == commit)
#endif

/* Sections. */

/* ordo_mvrlu_begin */
inline announce_section()
{
    atomic { /* step: ordo_mvrlu_begin [C3 announce] */
#ifdef C3_RELEASE
        store(section, RUN, me, 1);
#else
        drain();
        section[me] = 1;
#endif
        expected[0] = returned[0]; expected[1] = returned[1];
        SAY(announces a section)
    }
}
inline take_time()
{
    atomic { /* step: ordo_mvrlu_begin [C3 time] */
#ifdef OWN_CLOCK
        full_clock(x)
    }
    atomic { /* until then, the horizon of another thread may find the time of an earlier section */
#else
        x = floor;
#endif
#ifndef C6_LATER
        x = (x > L -> x : L); /* step: ordo_mvrlu_begin [C6] */
#endif
        set_time(x);
        SAY1(begins at %d, L);
        x = 0
    }
}
inline begin()
{
#ifdef C3_TIME_FIRST
    take_time();
    announce_section()
#else
    announce_section();
    take_time()
#endif
}

/* ordo_mvrlu_end */
#define end_section() store(section, RUN, me, 0); SAY(ends its section) /* step: ordo_mvrlu_end */

inline read_value(o, p, u)
{
    if
    :: p -> assert(told[V(p, o)] != POISON); u = copies[V(p, o)]
    :: else -> check_there(o); u = master[o]
    fi;
    SAY2(reads object %d: %d, o, u);
    assert(u != TORN)
}

/* Decides about the version of object o in slot p - 1, whose time is w. If the section sees the version, k is 1; otherwise p
 * becomes the version below. The value is read in the same step, and once more at the end of the section. */
inline decide()
{
    if
    :: is_own(p, w) || is_before(w) -> SAY2(sees the version of %d in slot %d, o, p - 1); k = 1 /* step: ordo_mvrlu_sees, ordo_mvrlu_is_own [C2] [C4] [C11 own] */
    :: else -> /* step: ordo_mvrlu_resolve */
        assert(told[V(p, o)] != POISON); p = older[V(p, o)]; assert(p != TORN);
        SAY2(goes below to %d of object %d, p, o);
        k = (p == 0)
    fi;
    w = 0;
    if
    :: k -> found[o] = p; read_value(o, p, saw[o])
    :: else
    fi
}

/* ordo_mvrlu_dereference of object o: found is 0 for the object itself, otherwise 1 + slot. */
inline dereference()
{
    atomic { /* step: ordo_mvrlu_dereference */
        check_there(o); p = hdr[o]; SAY2(object %d shows %d, o, p);
        k = (p == 0);
        if
        :: k -> found[o] = 0; read_value(o, p, saw[o])
        :: else
        fi
    }
    do
    :: k == 1 -> k = 0; p = 0; break
    :: atomic { k == 0 -> /* step: ordo_mvrlu_sees */
        load_word(p, o, w);
        if
        :: w || is_own(p, w) -> decide()
        :: else -> k = 2
        fi }
    :: atomic { k == 2 -> /* step: ordo_mvrlu_time */
        load_time(p);
        if
        :: w != ANNOUNCED -> decide()
        :: else -> k = 3
        fi }
    :: atomic { k == 3 -> help(p); k = 4 } /* step: ordo_mvrlu_time, ordo_mvrlu_take_for_another [C4 help] */
    :: atomic { k == 4 -> stamp(LEAD(p - 1), w); decide() }
    od
}

/* ordo_mvrlu_put of object o above version p, whose time is w, and the change of the copy. x is 1 if this succeeds. */
inline put_on_top()
{
#ifdef C2_ANY
    x = (p == 0 || is_own(p, w) || w < ANNOUNCED);
#else
    x = (p == 0 || is_own(p, w) || is_before(w)); /* step: ordo_mvrlu_may_lock, ordo_mvrlu_may_replace [C2 newest] */
#endif
    conflict = (!x && w < ANNOUNCED -> w : 0);
    w = 0;
    x = x && hdr[o] == p;
    if
    :: x ->
        drain();
        if
        :: writing == 0 -> writing = 1; slots++
        :: else
        fi;
        if
        :: commit == 0 -> commit = SLOT + 1; commits[SLOT] = OPEN
        :: else
        fi;
#if DEFER > 1
        lead[SLOT] = commit - 1;
#endif
        read_value(o, p, w);
        mine[o] = w + 1; w = 0;
        hdr[o] = SLOT + 1; older[VERSION(o)] = p; kind[VERSION(o)] = COPY; copies[VERSION(o)] = mine[o]; /* step: ordo_mvrlu_put, ordo_mvrlu_try_lock */
        SAY2(puts slot %d on object %d, SLOT, o)
    :: else -> SAY1(may not lock object %d, o)
    fi
}
inline put()
{
#ifdef C11_IN_PLACE
    if
    :: p && is_own(p, w) -> x = 1; mine[o] = copies[V(p, o)] + 1; copies[V(p, o)] = mine[o] /* step: ordo_mvrlu_is_of_section [C11 section] */
    :: else -> put_on_top()
    fi;
#else
    put_on_top();
#endif
    k = 0; p = 0
}

/* ordo_mvrlu_try_lock. The last load and the exchange are one step: an exchange that fails causes an abort, as a load of the new
 * header would. */
inline lock_and_change()
{
    atomic { /* step: ordo_mvrlu_try_lock */
        check_there(o); p = hdr[o]; SAY2(object %d shows %d, o, p);
        if
        :: p == 0 -> put()
        :: else -> k = 1
        fi
    }
    do
    :: k == 0 -> break
    :: atomic { k == 1 -> /* step: ordo_mvrlu_may_lock */
        load_word(p, o, w);
        if
        :: w || is_own(p, w) -> put()
        :: else -> k = 2
        fi }
    :: atomic { k == 2 -> /* step: ordo_mvrlu_time */
        load_time(p);
        if
        :: w != ANNOUNCED -> put()
        :: else -> k = 3
        fi }
    :: atomic { k == 3 -> help(p); k = 4 }
    :: atomic { k == 4 -> stamp(LEAD(p - 1), w); put() }
    od
}

/* ordo_mvrlu_undo */
#define undo(o) atomic { writing && kind[VERSION(o)] -> kind[VERSION(o)] = NOTHING; store(hdr, HEADER, o, older[VERSION(o)]); SAY1(takes its version off object %d, o) } /* step: ordo_mvrlu_undo */

/* ordo_mvrlu_abort, and ordo_mvrlu_catch_up. */
inline abort()
{
    do
    :: undo(0)
    :: undo(1)
    :: !writing || !(kind[VERSION(0)] || kind[VERSION(1)]) -> break
    od;
    atomic {
        if
#ifndef C11_TAKES_ALONG
        :: pending
#endif
        :: else ->
            if
            :: writing -> undone[SLOT] = 1
            :: else
            fi;
            commit = 0
#ifdef C11_TAKES_ALONG
            ; pending = 0; changed[0] = 0; changed[1] = 0
#endif
        fi;
#ifdef C9_GIVES_BACK /* the thread releases its log */
        if
        :: writing -> told[VERSION(0)] = POISON; told[VERSION(1)] = POISON; commits[SLOT] = POISON
        :: else
        fi;
#endif
        writing = 0; mine[0] = 0; mine[1] = 0; found[0] = 0; saw[0] = 0; found[1] = 0; saw[1] = 0;
        o = 0; n = 0; op = 0; x = 0;
        end_section()
    }
#ifdef OWN_CLOCK /* for progress only: no search needs it */
    if
    :: conflict ->
        wait_for(conflict + B + 1); /* step: ordo_mvrlu_catch_up [C5 conflict] */
        atomic { /* step: ordo_mvrlu_catch_up [C6] */
            if
            :: x > L -> set_time(x)
            :: else
            fi;
            x = 0
        }
    :: else
    fi;
#endif
    conflict = 0
}

/* ordo_mvrlu_publish, in a section: w is the time. */
inline publish()
{
#ifdef EARLY
    if
    :: skip
    :: atomic { read_clock(ahead); SAY1(reads the clock ahead of its commit: %d, ahead) }
    fi;
#endif
#ifdef C4_TIME_FIRST
    atomic { take(w); SAY1(takes %d, w) }
#endif
#ifdef OWN_CLOCK
#ifdef C4_RELEASE
    atomic { store(commits, COMMIT, commit - 1, ANNOUNCED); SAY1(announces commit %d, commit - 1) }
#else
    atomic { drain(); commits[commit - 1] = ANNOUNCED; SAY1(announces commit %d, commit - 1) } /* step: ordo_mvrlu_announce [C4 announce] */
#endif
#ifndef C4_TIME_FIRST
    atomic { read_clock(w); SAY1(reads the clock for its commit: %d, w) } /* step: ordo_mvrlu_announce */
#endif
#else
    atomic { store(commits, COMMIT, commit - 1, ANNOUNCED); SAY1(announces commit %d, commit - 1) } /* step: ordo_mvrlu_announce [C4 announce] */
#ifndef C4_TIME_FIRST
    atomic { take(w); SAY1(takes %d for its commit, w) } /* step: ordo_mvrlu_take_by_floor [C4 take] [C5 floor] */
#endif
#endif
    atomic {
        unlinked = (unlinked == OPEN && (mask & (COLLECTS + ENDS + FULL)) -> w : unlinked); /* step: ordo_mvrlu_publish [C9 now] */
        stamp(commit - 1, w); /* step: ordo_mvrlu_publish [C4] */
#ifdef C11_TELLS_LAST
        y = (slots - 1) * 2
#else
        y = (commit - 1 - me * SLOTS) * 2
#endif
    }
#ifdef C8_TELLS_LATE
    atomic { end_section() }
#endif
    do
    :: atomic {
        do
        :: y < slots * 2 && !BELOW -> y++
        :: else -> break
        od;
        if
#ifndef C8_TELLS_NOBODY
        :: y < slots * 2 -> /* step: ordo_mvrlu_tell_below [C8 above] */
            assert(told[V(BELOW, y % 2)] != POISON);
            store(above, ABOVE, V(BELOW, y % 2), w);
            SAY2(tells slot %d below that it was replaced at %d, BELOW - 1, w);
            y++
#endif
        :: else -> break
        fi
    }
    od;
    atomic {
        y = 0; commit = 0; pending = 0;
        mine[0] = changed[0]; changed[0] = 0; mine[1] = changed[1]; changed[1] = 0
    }
}

/* The part after a flush, when the section of the flush has ended. */
inline flushed()
{
#ifdef OWN_CLOCK
#if defined C5_NO_SETTLE
#elif defined C5_SETTLE_RAW
    wait_for(w + B + 1);
#else
    wait_for(w + 2 * B + 1); /* step: ordo_mvrlu_flush_ends [C5 settle] */
#endif
#endif
    atomic {
        returned[0] = (mine[0] > returned[0] -> mine[0] : returned[0]);
        returned[1] = (mine[1] > returned[1] -> mine[1] : returned[1]);
        mine[0] = 0; mine[1] = 0; w = 0; x = 0;
#ifdef EARLY
        ahead = 0;
#endif
        SAY(has returned)
    }
}

/* Reclaiming. */

/* ordo_mvrlu_horizon: the result is in h. The thread's own section is visited first. */
#define look_at_own() h = (section[me] && L < h -> L : h)
inline horizon()
{
#ifdef C7_TIME_LAST
    atomic { h = OPEN; look_at_own(); i = listed }
#else
    horizon_begins();
    i = listed; /* step: ordo_mvrlu_horizon */
#endif
    do
    :: i == 0 -> break
#ifdef C7_NO_LOOK
    :: else -> i = 0
#else
    :: else ->
        atomic { /* step: ordo_mvrlu_horizon [C7 horizon] */
            i = (i - 1 == me -> i - 1 : i);
            if
            :: i && section[i - 1] -> SAY1(finds thread %d in a section, i - 1); k = 1
            :: i && !section[i - 1] -> SAY1(finds thread %d in no section, i - 1)
            :: else
            fi
        }
        if
        :: k -> atomic { h = (time_[i - 1] < h -> time_[i - 1] : h); SAY1(finds that it began at %d, time_[i - 1]); k = 0 } /* step: ordo_mvrlu_horizon */
        :: else
        fi;
        i = (i -> i - 1 : 0)
#endif
    od;
#ifdef C7_TIME_LAST
    z = h;
    horizon_begins();
    atomic { h = (z < h -> z : h); z = 0 }
#endif
}
inline horizon_begins()
{
    atomic { /* step: ordo_mvrlu_horizon [C7 horizon] */
#ifdef OWN_CLOCK
        full_clock(h);
#ifndef C7_RAW
        h = (h > B -> h - B : 0);
#endif
#else
        h = floor;
#endif
        SAY1(the horizon begins with %d, h);
        look_at_own()
    }
}

#ifdef C9_RAW
#define is_unlinked() (h > unlinked)
#elif defined C9_ONCE
#define is_unlinked() (1)
#else
#define is_unlinked() after(h, unlinked)
#endif

/* ordo_mvrlu_reclaim, in one step, before any other use of the memory. */
inline reclaim()
{
    d_step { /* step: ordo_mvrlu_reclaim [C9 empty] [C9 free] */
        SAY2(reclaims its log from %d to %d, oldest, settled[me]);
        do
        :: oldest == settled[me] -> break
        :: else ->
            y = me * SLOTS + oldest / 3;
            if
            :: oldest % 3 == 0 ->
                if
                :: LEAD(y) == y -> commits[y] = POISON; undone[y] = 0
                :: else
                fi
            :: else ->
                y = y * 2 + oldest % 3 - 1;
                if
                :: kind[y] == FREED -> assert(!gone); gone = 1
                :: else
                fi;
                told[y] = POISON; above[y] = 0; older[y] = 0; copies[y] = 0; kind[y] = NOTHING
            fi;
            oldest++
        od;
        y = 0
    }
}

#define ENTRY (me * SLOTS + settled[me] / 3)                            /* the slot of the next entry */
#define ENTRY_VERSION (ENTRY * 2 + settled[me] % 3 - 1)
#define ENTRY_OBJECT (settled[me] % 3 - 1)
#if defined C8_RAW
#define is_later(slot) (h <= commits[slot])
#elif defined C8_AT_ONCE
#define is_later(slot) (commits[slot] >= ANNOUNCED)
#else
#define is_later(slot) (!after(h, commits[slot]))
#endif

/* ordo_mvrlu_settle: settles a version of an object that is not freed. y is the time at which the version was replaced, 0 if it
 * was not. x is 1 if this succeeds. */
inline settle_version(o)
{
#ifdef C8_LOCKED_IS_REPLACED
    y = (y == 0 && hdr[o] != ENTRY + 1 -> 1 : y);
#endif
    if
    :: y ->
#ifdef C8_NO_ABOVE
        x = 1
#else
        x = after(h, y) /* step: ordo_mvrlu_settle [C8 above] */
#endif
    :: else ->
        atomic { check_there(o); x = (hdr[o] == ENTRY + 1); SAY2(object %d shows %d, o, hdr[o]) } /* step: ordo_mvrlu_settle */
        if
        :: x ->
#ifdef C8_WRITES_LATE
            atomic { x = (hdr[o] == ENTRY + 1); hdr[o] = (x -> 0 : hdr[o]) }
#endif
            atomic { check_there(o); master[o] = TORN; SAY1(begins to write object %d back, o) } /* step: ordo_mvrlu_write [C8 write] */
            atomic { check_there(o); master[o] = copies[ENTRY_VERSION]; SAY2(writes object %d back: %d, o, master[o]) } /* step: ordo_mvrlu_write [C8 write] */
            atomic { /* step: ordo_mvrlu_settle */
                drain();
                check_there(o);
#ifndef C8_WRITES_LATE
                x = (hdr[o] == ENTRY + 1);
#endif
                if
                :: x -> hdr[o] = 0; SAY1(takes its version off object %d, o)
                :: else -> SAY1(finds object %d locked, o)
                fi
            }
#if DEFER > 1
        :: else -> atomic { check_there(o); p = hdr[o] } /* step: ordo_mvrlu_ask_above [C11 ask] */
            if
            :: p ->
                atomic { load_word(p, o, w) } /* step: ordo_mvrlu_ask_above [C11 ask] */
                if
                :: w == 0 -> atomic { assert(commits[LEAD(p - 1)] != POISON) } /* step: ordo_mvrlu_ask [C11 ask] */
                :: else
                fi
            :: else
            fi;
            p = 0; w = 0
#else
        :: else
#endif
        fi
    fi;
    y = 0
}

/* ordo_mvrlu_tell, for the versions of the commit of slot z - 1 that are not settled. */
#define TELL_VERSION ((me * SLOTS + y / 3) * 2 + y % 3 - 1)
#ifdef C9_TELLS_ALL
#define begins_commit(y) 0
#else
#define begins_commit(y) (y % 3 == 0 && LEAD(me * SLOTS + y / 3) == me * SLOTS + y / 3 && !undone[me * SLOTS + y / 3])
#endif
#define is_told(y) (y % 3 && kind[TELL_VERSION])
inline tell()
{
    y = settled[me];
    do
    :: atomic {
        do
        :: y < END_OF_LOG && !begins_commit(y) && !is_told(y) -> y++
        :: else -> break
        od;
        if
        :: z && y < END_OF_LOG && !begins_commit(y) -> /* step: ordo_mvrlu_tell [C9 tell] */
            store(told, TOLD, TELL_VERSION, commits[z - 1]); SAY2(writes to the version at %d its time %d, y, commits[z - 1]);
            y++;
#ifdef C9_TELLS_ONE
            z = 0
#endif
        :: else -> break
        fi
    }
    od;
    y = 0
}

/* ordo_mvrlu_settle_all: z is 1 + the slot of the commit; x is 1 if an entry was settled, 2 if no entry is left. */
inline settle_all()
{
    do
    :: atomic {
        x = 1;
        do
        :: settled[me] == END_OF_LOG -> x = 2; break
        :: settled[me] < END_OF_LOG && settled[me] % 3 == 0 ->
            if
            :: LEAD(ENTRY) != ENTRY || undone[ENTRY] -> settled[me] = settled[me] + 1
            :: else ->
                if
                :: ENTRY + 1 == commit || is_later(ENTRY) -> x = 2; break /* step: ordo_mvrlu_settle_all, ordo_mvrlu_is_later [C8 all] */
                :: else -> z = ENTRY + 1; settled[me] = settled[me] + 1
                fi
            fi
        :: settled[me] < END_OF_LOG && settled[me] % 3 ->
            if
            :: kind[ENTRY_VERSION] == NOTHING -> settled[me] = settled[me] + 1
            :: kind[ENTRY_VERSION] == FREED ->
#ifdef C9_FREES_SETTLED
                gone = 1; kind[ENTRY_VERSION] = NOTHING;
#endif
                older[ENTRY_VERSION] = TORN; settled[me] = settled[me] + 1 /* step: ordo_mvrlu_leave */
            :: kind[ENTRY_VERSION] == COPY -> y = above[ENTRY_VERSION]; SAY2(the version of %d was replaced at %d, ENTRY_OBJECT, y); break /* step: ordo_mvrlu_settle [C8 above] */
            fi
        od
    }
        if
        :: x == 2 -> break
        :: else -> settle_version(ENTRY_OBJECT)
        fi;
        if
        :: x -> settled[me] = settled[me] + 1
        :: else ->
#ifndef C9_TELLS_NOTHING
            tell();
#endif
            break
        fi
    od;
    atomic { x = 0; z = 0 }
}

/* ordo_mvrlu_collect_in */
inline collect_in()
{
    horizon();
    if
    :: oldest != settled[me] && !is_unlinked() /* step: ordo_mvrlu_collect_in [C9 twice] */
    :: else ->
        reclaim();
        settle_all();
#if defined C9_FROM_HORIZON
        unlinked = h
#else
        unlinked = OPEN
#endif
    fi;
    h = 0
}

/* ordo_mvrlu_settled_now, and the wait of ordo_mvrlu_collect. */
inline settled_now()
{
    if
    :: unlinked == OPEN -> atomic { take(unlinked); SAY1(finds all settled at %d, unlinked) } /* step: ordo_mvrlu_settled_now [C9 now] */
    :: else
    fi
#ifdef OWN_CLOCK
    ;
    wait_for(unlinked + 2 * B + 1); /* step: ordo_mvrlu_collect */
    x = 0
#endif
}

inline check_seen(v0, v1)
{
    d_step {
        if
        :: seen & (1 << (v0 * 4 + v1)) -> skip
        :: else ->
            i = 0;
            do
            :: i == 16 -> break
            :: i < 16 ->
                assert(!(seen & (1 << i)) || !((i / 4 < v0 && i % 4 > v1) || (i / 4 > v0 && i % 4 < v1))); /* nested */
                i++
            od;
            seen = seen | (1 << (v0 * 4 + v1))
        fi;
        i = 0
    }
}

inline check_what_it_read()
{
#ifdef LEAVE
    assert(saw[0] >= expected[0] && (saw[0] || saw[1] >= expected[1])); /* returned, and not seen */
#endif
    read_value(0, found[0], x);
    assert(saw[0] == x); /* the value that was read has changed */
    if
#ifdef LEAVE
    :: saw[0]
#endif
    :: else -> read_value(1, found[1], x); assert(saw[1] == x)
    fi;
    assert(saw[0] >= changed[0] && saw[1] >= changed[1]); /* the thread's own pending change */
#ifdef PAIR
    assert(saw[0] == saw[1]); /* torn */
    assert(pending || saw[0] >= expected[0]); /* returned, and not seen */
#endif
#ifdef NEST
    assert(pending || (saw[0] >= expected[0] && saw[1] >= expected[1]));
    assert(saw[0] >= rested[saw[1]] || pending); /* sees a commit, but not the value that the commit had read */
    if
    :: pending
    :: else -> check_seen(saw[0], saw[1])
    fi
#endif
}

/* The reads of a section that writes, and then its locks. */
#define HAS_TIME(t) (commits[(t) * SLOTS] && commits[(t) * SLOTS] < ANNOUNCED)
#define MAY_WRITE(what) sections && (mask & what) && (!(mask & ORDER) || sections > 2) && slots < SLOTS
#if defined LOOKS || defined LEAVE
#define LOOKS_FIRST 1
#elif defined NEST
#define LOOKS_FIRST (me == 1)
#else
#define LOOKS_FIRST 0
#endif
#if defined LEAVE
#define LOCKS (op == REMOVES -> 2 : (saw[0] -> 0 : 1))
#define FIRST_LOCKED (op != REMOVES)
#elif defined NEST
#define LOCKS 1
#define FIRST_LOCKED (me == 1)
#else
#define LOCKS 2
#define FIRST_LOCKED 0
#endif
#define VERSION_1 (op == REMOVES -> VERSION(1) : 0)

/* ordo_mvrlu_rest, when all threads have ended. */
inline rest()
{
    d_step {
        me = 0;
        do
        :: me == WRITERS -> break
        :: else ->
            i = 0;
            do
            :: i == SLOTS * 3 -> break
            :: else ->
                y = (me * SLOTS + i / 3) * 2 + i % 3 - 1;
                if
                :: i % 3 == 0
                :: else ->
                    if
                    :: kind[y] == COPY && above[y] == 0 && i >= settled[me] -> check_there(i % 3 - 1); master[i % 3 - 1] = copies[y] /* step: ordo_mvrlu_rest_thread */
                    :: kind[y] == FREED -> assert(!gone); gone = 1 /* step: ordo_mvrlu_rest_thread */
                    :: else
                    fi
                fi;
                i++
            od;
            me++
        od;
        assert(master[0] == returned[0] && (gone || master[1] == returned[1]))
    }
}

proctype thread(byte me; byte sections; byte mask)
{
    byte slots, oldest, commit, pending, conflict, unlinked = OPEN;
    byte mine[2], changed[2], expected[2], found[2], saw[2];
    byte op, o, n, w, x, y, z, h, k, p, i;
    bit writing, flushes;
#ifdef TSO
    byte L, b_what, b_at, b_value;
#endif
#ifdef EARLY
    byte ahead;
#endif
#ifdef C5_LOWERS
    byte shown;
#endif

#ifdef JOIN
    if
    :: me == 2 -> atomic { drain(); listed = 3; SAY(joins) } /* step: ordo_mvrlu_thread_make */
    :: else
    fi;
#endif
#ifdef IN_TURN
    if
    :: me == 0
    :: me && HAS_TIME(me - 1)
    fi;
#endif
next_section:
    if
    :: atomic { sections && (mask & READS) -> sections--; op = READS; n = 2;
        if
        :: o = 0
#ifndef LEAVE
        :: o = 1
#endif
        fi }
    :: atomic { MAY_WRITE(WRITES) -> sections--; op = WRITES; o = 0; n = LOOKS_FIRST }
    :: atomic { sections && (mask & COLLECTS) && (!(mask & ORDER) || sections <= 2) -> sections--; op = COLLECTS; n = 0 }
#ifdef LEAVE
    :: atomic { MAY_WRITE(REMOVES) -> sections--; op = REMOVES; o = 0; n = 0 }
#endif
    :: pending -> op = FLUSHES; n = 0 /* on demand, or at its end; step: ordo_mvrlu_begin_slowly, ordo_mvrlu_thread_finish [C11 flush] */
    :: sections == 0 && pending == 0 -> goto ends
    fi;
    if
    :: op == COLLECTS -> settled_now() /* step: ordo_mvrlu_collect */
    :: else
    fi;
    if
#ifdef C8_OUTSIDE
    :: op == COLLECTS
#endif
#ifdef C11_FLUSH_OUTSIDE
    :: op == FLUSHES
#endif
    :: else -> begin() /* step: ordo_mvrlu_collect, ordo_mvrlu_flush_group [C8 section] [C8 tell] */
    fi;
    do
    :: n == 0 -> break
    :: else ->
        dereference();
        atomic {
            n--;
#ifdef LEAVE
            n = (saw[0] -> 0 : n);
#endif
            o = 1 - o
        }
    od;
    if
    :: op == READS -> atomic {
        check_what_it_read();
        found[0] = 0; found[1] = 0; saw[0] = 0; saw[1] = 0; o = 0; x = 1;
        if
        :: pending == 0 && !(mask & ENDS) -> x = 0; op = 0; end_section(); goto next_section
        :: else
        fi }
    :: op == WRITES || op == REMOVES -> atomic { x = 1; n = LOCKS; o = FIRST_LOCKED }
    :: else -> x = 1
    fi;
locks:
    do
    :: n == 0 || !x -> break
    :: else ->
        lock_and_change();
        atomic {
#ifdef LOOKS
            assert(!x || o || mine[0] == saw[0] + 1); /* the section locks a version that it does not see */
#endif
#ifdef LEAVE
            x = x && (op != REMOVES || o || mine[0] == 1); /* the object has left already */
#endif
            n--; o = 1 - o
        }
        if
        :: n && x && (mask & FULL) -> break
        :: else
        fi
    od;
    if
    :: !x || ((mask & ABORTS) && mine[FIRST_LOCKED]) -> abort(); goto next_section
    :: x -> x = 0
    fi;
#ifdef NEST
    if
    :: me == 1 && writing && n == 0 -> rested[mine[1]] = saw[0]
    :: else
    fi;
#endif
    if
    :: op == COLLECTS || n || (mask & ENDS) -> collect_in(); /* step: ordo_mvrlu_commit, ordo_mvrlu_collect [C8 section]; ordo_mvrlu_log_grow */
        if
        :: n -> x = 1; goto locks /* step: ordo_mvrlu_log_grow [C10 full] */
        :: else
        fi
    :: op != COLLECTS && n == 0
    fi;
    atomic { /* step: ordo_mvrlu_commit, ordo_mvrlu_leaves [C9 free] */
#ifdef LEAVE
        kind[VERSION_1] = (op == REMOVES -> FREED : kind[VERSION_1]);
#endif
        if
        :: writing ->
            writing = 0; pending++;
            changed[0] = (mine[0] -> mine[0] : changed[0]); changed[1] = (mine[1] -> mine[1] : changed[1])
#ifdef C11_IN_PLACE
        :: !writing && mine[0] -> changed[0] = mine[0]; changed[1] = mine[1]
#endif
        :: else
        fi;
        mine[0] = 0; mine[1] = 0; found[0] = 0; found[1] = 0; saw[0] = 0; saw[1] = 0; o = 0;
        flushes = (op == FLUSHES || (pending && pending == DEFER))
    }
    if
    :: flushes ->
#ifdef C8_AFTER
        atomic { end_section() }
#endif
        publish(); /* step: ordo_mvrlu_commit, ordo_mvrlu_flush_group [C8 tell] [C11 flush] */
#if !defined C8_TELLS_LATE && !defined C8_AFTER
        atomic { end_section() }
#endif
        flushed()
#if DEFER > 1
    :: pending -> /* on demand */
        publish();
        atomic { end_section() }
        flushed()
#endif
    :: !flushes -> atomic { end_section() }
    fi;
    atomic { flushes = 0; op = 0 }
    goto next_section;
ends:
    atomic {
        drain();
        ended++;
        if
        :: ended == 3 -> rest()
        :: else
        fi;
#ifdef REACH
        assert(ended < 3); /* all threads can end: must be found */
#endif
    }
end_time:
    false
}

init
{
    atomic {
        run thread(0, S0, O0);
        run thread(1, S1, O1);
        run thread(2, S2, O2)
    }
}
