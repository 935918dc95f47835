/* Merging: the steps of include/ordo/merge.h and include/ordo/merge/ring.h, one for each access to memory that other
 * threads can see.
 *
 * Two producers and a merger. Producer i delivers Ei events and closes. Ki says how:
 *    1  it stamps the events
 *    2  it appends each event within FLUSH ticks of the read of its time, as it has promised
 *    4  it appends events without a promise, and may report its progress
 * A ring holds RING events.
 *
 * Checked: events come out in the order of their times, so no event is late; the order of two successive events is
 * called certain only if it is the order of their clock reads; no event is lost, or read while its slot is
 * overwritten.
 *
 * TSO: the stores of a producer wait in a buffer, in their order, until the producer reads the clock with a full
 * read.
 */
#ifndef END
#define END 3
#endif
#define MAX (deadline[0] < deadline[1] -> deadline[0] : deadline[1]) /* true time waits for a promise to be kept */
byte deadline[2] = END;
#include "clock.pml"

#ifndef E0
#define E0 1
#endif
#ifndef E1
#define E1 1
#endif
#ifndef K0
#define K0 1
#endif
#ifndef K1
#define K1 1
#endif
#ifndef FLUSH
#define FLUSH 1
#endif
#ifndef RING
#define RING 2
#endif
#define SILENT 0
#define IDLE 1
#define ANNOUNCED 2
#define CLOSED 3
#define OVER 255
#define EVENT(t) (((t) + 1) << 1)
#define BOUND(t) (((t) + 1) << 1 | 1)

byte state[2], tail[2], progress[2], given[2];
byte ring[4], when[4]; /* index: producer and slot; the time, and the true time of its read */

#ifdef TSO
#define STATE 1
#define TAIL 2
#define PROGRESS 3
chan buffer[2] = [4] of { byte, byte };
#define store(what, array, value) buffer[me]!what, value
inline perform(t)
{
    buffer[t]?bw, bv;
    if
    :: bw == STATE -> state[t] = bv
    :: bw == TAIL -> tail[t] = bv
    :: bw == PROGRESS -> progress[t] = bv
    fi;
    bw = 0; bv = 0
}
#define flush()                                                                                                        \
    do                                                                                                                 \
    :: nempty(buffer[me]) -> perform(me)                                                                               \
    :: empty(buffer[me]) -> break                                                                                      \
    od

active proctype buffers()
{
    byte me = 9, bw, bv;
end:
    do
    :: atomic { nempty(buffer[0]) -> perform(0); SAY(a store of producer 0 becomes visible) }
    :: atomic { nempty(buffer[1]) -> perform(1); SAY(a store of producer 1 becomes visible) }
    od
}
#else
#define store(what, array, value) array[me] = value
#define flush() skip
#endif
#ifdef CLOCK_NOT_FULL
#define full() skip
#else
#define full() flush()
#endif

/* ordo_merge_room, if there is a free slot. Without a slot the caller gets an error, and tries again. */
#ifdef M8_ROOM
#define has_room() (1)
#else
#define has_room() (count - given[me] < RING)
#endif

/* ordo_merge_put */
inline put()
{
#ifdef M8_COUNT
    atomic { store(TAIL, tail, count + 1) }
#endif
    atomic { /* step: ordo_merge_put [M2] */
#ifndef M2_BACK
        if
        :: t > last -> last = t
        :: else
        fi;
        t = last;
#endif
        ring[me * 2 + (count & (RING - 1))] = t;
        when[me * 2 + (count & (RING - 1))] = real;
        count++;
        SAY1(writes an event of time %d, t);
        t = 0; real = 0
    }
#ifndef M8_COUNT
    atomic { store(TAIL, tail, count); SAY1(counts it: %d, count) } /* step: ordo_merge_put [M8] */
#endif
}

proctype producer(byte me; byte events; byte mode)
{
    byte t, real, last, count;
#ifdef TSO
    byte bw, bv;
#endif

    if
    :: mode == 1 -> atomic { store(STATE, state, IDLE) } /* step: ordo_merge_idle [M3] */
    :: else
    fi;
    do
    :: events && mode == 1 ->
        atomic { has_room() -> events-- } /* step: ordo_merge_room [M8] */
#if !defined M5_NONE && !defined M5_LATE
        atomic { store(STATE, state, ANNOUNCED); SAY(announces an event) } /* step: ordo_merge_stamp [M5] */
#endif
        atomic { full(); read_clock(t); real = true_time; SAY1(reads the clock: %d, t) } /* step: ordo_merge_stamp */
#ifdef M5_LATE
        atomic { store(STATE, state, ANNOUNCED); SAY(announces an event) }
#endif
#ifdef M3_IDLE_FIRST
        atomic { store(STATE, state, IDLE); SAY(is idle) }
        put()
#else
        put();
        atomic { store(STATE, state, IDLE); SAY(is idle) } /* step: ordo_merge_stamp [M3] */
#endif
    :: events && mode == 2 ->
        atomic { has_room() -> events--; read_clock(t); real = true_time; SAY1(reads the clock: %d, t);
                 deadline[me] = (true_time + FLUSH < END -> true_time + FLUSH : END) }
        put(); /* step: ordo_merge_append */
        atomic { flush(); deadline[me] = END }
    :: events && mode == 4 ->
        atomic { has_room() -> events--; read_clock(t); real = true_time; SAY1(reads the clock: %d, t) }
        put() /* step: ordo_merge_append */
    :: events && mode == 4 && last < END ->
        atomic { read_clock(t); SAY1(reads the clock: %d, t) }
        if
        :: t > last ->
#ifndef M2_PROGRESS
            last = t; /* step: ordo_merge_progress [M2] */
#endif
            atomic { store(PROGRESS, progress, t); SAY1(says that it is at %d, t) } /* step: ordo_merge_progress [M3] */
        :: else
        fi;
        t = 0
    :: !events -> break
    od;
    atomic { store(STATE, state, CLOSED); last = 0; count = 0; SAY(closes) } /* step: ordo_merge_close [M3] */
}

#if defined M4_B
#define behind 0
#else
#define behind B
#endif
#ifdef M4_FLUSH
#define delay(p, s) 0
#else
#define delay(p, s) ((s) == IDLE -> 0 : FLUSH)
#endif
#define promised(p, s) ((s) == IDLE || ((p) == 0 -> K0 : K1) == 2)
#define largest(a, b_) ((a) > (b_) -> (a) : (b_))

inline load_state(p)
{
    atomic { /* step: ordo_merge_look [M3]; two loads, but no producer that reports progress has states */
        y = progress[p];
        s = state[p];
        SAY2(finds progress %d and state %d of a producer, y, s)
    }
}

/* ordo_merge_turn, ordo_merge_look */
inline turn(p)
{
    if
    :: given[p] != taken[p] -> atomic { given[p] = taken[p]; SAY2(gives %d slots of producer %d back, taken[p], p) } /* step: ordo_merge_turn [M8] */
    :: else
    fi;
    if
    :: taken[p] < seen[p] -> key[p] = EVENT(ring[(p) * 2 + (taken[p] & (RING - 1))]) /* step: ordo_merge_open */
    :: else ->
#ifndef M3_LOOK_FIRST
        load_state(p);
#endif
        atomic { seen[p] = tail[p]; SAY2(finds %d events of producer %d, seen[p], p) } /* step: ordo_merge_look [M8] */
#ifdef M8_GIVE
        given[p] = seen[p];
#endif
#ifdef M3_LOOK_FIRST
        load_state(p);
#endif
#ifdef M4_LOOK_FIRST
        if
        :: !looked -> read_clock(now); looked = 1
        :: else
        fi;
#endif
        atomic {
            if
            :: taken[p] < seen[p] -> key[p] = EVENT(ring[(p) * 2 + (taken[p] & (RING - 1))])
            :: else ->
                bound[p] = largest(bound[p], y);
                if /* step: ordo_merge_look, ordo_merge_horizon [M4 bound] [M4 flush] [M5] */
#ifdef M5_COUNTS_AS_IDLE
                :: looked && (promised(p, s) || s == ANNOUNCED) && now > behind -> bound[p] = largest(bound[p], now - behind)
                :: !looked || (!promised(p, s) && s != ANNOUNCED) || now <= behind
#else
                :: looked && promised(p, s) && now > behind + delay(p, s) -> bound[p] = largest(bound[p], now - behind - delay(p, s))
                :: !looked || !promised(p, s) || now <= behind + delay(p, s)
#endif
                fi;
                key[p] = (s == CLOSED -> OVER : BOUND(bound[p]))
            fi;
            y = 0; s = 0
        }
    fi
}

proctype merger()
{
    byte me = 2, k, now, y, s, latest, before_ticks, before_real, before_of = 9, out;
    byte key[2], bound[2], taken[2], seen[2];
    bit looked;

    key[0] = BOUND(0); key[1] = BOUND(0);
    do
    :: key[0] == OVER && key[1] == OVER -> break
    :: else ->
#ifdef M6_TIE
        k = (key[0] / 2 < key[1] / 2 || (key[0] / 2 == key[1] / 2 && key[0] % 2 > key[1] % 2) -> 0 : 1);
#else
        k = (key[0] <= key[1] -> 0 : 1);
#endif
        if
#ifdef M6_LEAVES
        :: (key[k] & 1) && key[1 - k] != OVER && !(key[1 - k] & 1) -> k = 1 - k
#endif
        :: key[k] & 1 -> /* step: ordo_merge_run, ordo_merge_wait [M6] */
#ifndef M4_LOOK_FIRST
            if
            :: !looked -> atomic { read_clock(now); looked = 1; SAY1(reads the clock: %d, now) } /* step: ordo_merge_wait [M4 first] */
            :: else
            fi;
#endif
            out = key[k];
            turn(k);
            if
            :: key[k] == out && key[1 - k] == out -> turn(1 - k) /* step: ordo_merge_look_beside */
            :: else
            fi;
            if
            :: key[k] == out -> looked = 0; now = 0 /* the next pull */
            :: else
            fi;
            out = 0;
            goto next
        :: else
        fi;
        atomic { /* step: ordo_merge_leave [M7] */
            y = ring[k * 2 + (taken[k] & (RING - 1))];
            SAY2(delivers the event of time %d of producer %d, y, k);
            assert(y + 1 == key[k] / 2);    /* overwritten */
            assert(y >= latest);            /* late */
            latest = y;
            if
#ifdef M7_RAW
            :: before_of != 9 && y > before_ticks ->
#else
            :: before_of != 9 && (before_of == k || y - before_ticks > B) ->
#endif
                assert(when[k * 2 + (taken[k] & (RING - 1))] >= before_real) /* called certain, but is not */
            :: else
            fi;
            before_of = k; before_ticks = y; before_real = when[k * 2 + (taken[k] & (RING - 1))];
            y = 0;
            taken[k] = taken[k] + 1;
            bound[k] = largest(bound[k], latest) /* step: ordo_merge_go_on */
        }
        if
        :: taken[k] < seen[k] -> key[k] = EVENT(ring[k * 2 + (taken[k] & (RING - 1))]) /* step: ordo_merge_go_on */
        :: else -> turn(k)
        fi;
next:
        k = 0
    od;
    assert(taken[0] == E0 && taken[1] == E1); /* lost */
#ifdef REACH
    assert(false) /* all can end: must be found */
#endif
}

init
{
    atomic { run producer(0, E0, K0); run producer(1, E1, K1); run merger() }
}
