/* Oplog: the steps of include/ordo/cc/oplog/, one for each access to memory that other threads can see.
 *
 * Three threads, each with a log. Thread i appends Ai operations (at most two) and makes Ri reads, in any order. Its mask Ki
 * has a bit for each kind of operation that it may append: 1 commutes; 2 is timed; 4 is ordered; 8: both operations commute
 * and are appended together. With LATER a thread settles only once, after its last operation. A log holds RING operations.
 * With JOIN thread 2 joins late; with REUSE it takes over the log of thread 0 after thread 0 has ended.
 *
 * Checked: operations that had returned when a reader began are applied; a reader that sees an operation X sees all operations
 * that had returned before X began; operations that happen together are seen together. Operations of a timed or ordered object
 * are applied in their order. No entry is overwritten before it was applied, or applied twice. No thread waits for ever.
 *
 * TSO: the stores of an appender wait in a buffer, in their order, until the appender makes a locked access or takes the time of
 * an ordered operation. Clock reads that are ordered on one side, for timed operations and for settling, do not empty the buffer.
 * The knowledge that the appender has returned waits in the buffer too. FLIP_RELEASE: the number that a synchroniser advances
 * also waits there.
 */
#include "clock.pml"

#ifndef A0
#define A0 1
#endif
#ifndef A1
#define A1 1
#endif
#ifndef A2
#define A2 0
#endif
#ifndef R0
#define R0 0
#endif
#ifndef R1
#define R1 0
#endif
#ifndef R2
#define R2 1
#endif
#ifndef K0
#define K0 2
#endif
#ifndef K1
#define K1 2
#endif
#ifndef K2
#define K2 2
#endif
#ifndef RING
#define RING 2
#endif
#define COMMUTE 1
#define TIMED 2
#define ORDERED 4
#define TOGETHER 8

byte cut = 1;
byte published[3], cut_[3], first[3], head[3], limit_[3];
byte ring[6]; /* index: log and slot; operation k of log l is the number l * 2 + k */
bit listed[3];
bit locked;
byte last[3]; /* of the log */
byte object_last;
/* State of the operations. */
byte time_[6], kind[6], before_[6];
/* For the checks: masks of operations. */
byte returned, applied, timed, ordered;

#define one(op) (1 << (op))

#ifdef TSO
#define FIRST 1
#define CUT 2
#define PUBLISHED 3
#define RETURNED 4
#define FLIP 5
chan buffer[3] = [5] of { byte, byte };
byte owned_by[3]; /* the log of each thread */
#define store(what, array, value) buffer[me]!what, value
inline perform(t)
{
    buffer[t]?bw, bv;
    if
    :: bw == FIRST -> first[owned_by[t]] = bv
    :: bw == CUT -> cut_[owned_by[t]] = bv
    :: bw == PUBLISHED -> published[owned_by[t]] = bv
    :: bw == RETURNED -> returned = returned | bv
    :: bw == FLIP -> cut = bv
    fi;
    bw = 0; bv = 0
}
#define flush()                                                                                                        \
    do                                                                                                                 \
    :: nempty(buffer[me]) -> perform(me)                                                                               \
    :: empty(buffer[me]) -> break                                                                                      \
    od
#define returns(ops) buffer[me]!RETURNED, ops

active proctype buffers()
{
    byte me = 9, bw, bv;
end:
    do
    :: atomic { nempty(buffer[0]) -> perform(0); SAY(a store of thread 0 becomes visible) }
    :: atomic { nempty(buffer[1]) -> perform(1); SAY(a store of thread 1 becomes visible) }
    :: atomic { nempty(buffer[2]) -> perform(2); SAY(a store of thread 2 becomes visible) }
    od
}
#else
#define store(what, array, value) array[log] = value
#define flush() skip
#define returns(ops) returned = returned | (ops)
#endif

inline lock()
{
#ifndef C4_LOCK
    atomic { locked == 0 -> flush(); locked = 1; SAY(takes the lock) } /* step: ordo_oplog_try_lock [C4 lock] */
#else
    skip
#endif
}

/* ordo_oplog_apply, for one operation of log l. */
inline apply_one(l)
{
    x = l * 2 + head[l];
    SAY2(applies operation %d of log %d, head[l], l);
    assert(ring[l * 2 + (head[l] & (RING - 1))] == x); /* overwritten */
    assert(!(applied & one(x)));
    assert(!(kind[x] == TIMED && (before_[x] & timed & ~applied)));
    assert(!(kind[x] == ORDERED && (before_[x] & ordered & ~applied)));
    applied = applied | one(x);
    head[l] = head[l] + 1;
    x = 0
}

#define has(l) (head[l] != limit_[l])
#define key(l) time_[(l) * 2 + head[l]]
#ifdef C5_MERGE
#define first_of(l) has(l)
#else
#define first_of(l) (has(l) && (!has((l + 1) % 3) || key(l) <= key((l + 1) % 3)) && (!has((l + 2) % 3) || key(l) <= key((l + 2) % 3)))
#endif

/* ordo_oplog_limit */
inline limit_one(l)
{
    if
    :: listed[l] ->
        atomic { x = published[l]; SAY2(finds %d operations in log %d, x, l) } /* step: ordo_oplog_limit [C2 sample] */
#ifndef C3_LIMIT
        if
        :: atomic { cut_[l] == next -> y = first[l]; SAY2(leaves out the operations from %d of log %d, y, l) } /* step: ordo_oplog_limit [C3 limit] */
            x = (y < x -> y : x)
        :: atomic { cut_[l] != next }
        fi;
#endif
        atomic { limit_[l] = x; x = 0; y = 0 }
    :: else -> limit_[l] = head[l]
    fi
}

/* ordo_oplog_pending, for one log: x is 1 if the log has an operation. */
inline pending_one(l)
{
    if
    :: listed[l] && !x -> atomic { x = (published[l] != head[l]); SAY2(finds whether log %d has operations: %d, l, x) } /* step: ordo_oplog_pending [C2 empty] */
    :: else
    fi
}

inline list()
{
#ifdef JOIN
    atomic { listed[2] = joined } /* step: ordo_oplog_take */
#else
    skip
#endif
}

/* ordo_oplog_take */
inline take()
{
    list();
    pending_one(0);
#ifndef C2_EMPTY
    pending_one(1);
#endif
    pending_one(2);
    if
    :: x ->
        x = 0;
#ifdef C8_JOIN
        list();
#endif
#if defined C2_NO_FLIP
        next = cut + 1;
#elif defined C2_FLIP_LATE
        next = cut + 1;
#elif defined FLIP_RELEASE
        atomic { next = cut + 1; store(FLIP, cut, next); SAY1(advances the number to %d, next) }
#else
        atomic { flush(); cut++; next = cut; SAY1(advances the number to %d, next) } /* step: ordo_oplog_take [C2 flip] */
#endif
#ifndef C8_JOIN
        list(); /* step: ordo_oplog_take [C8 join] */
#endif
        limit_one(0);
        limit_one(1);
        limit_one(2);
#ifdef C2_FLIP_LATE
        atomic { cut++ }
#endif
        do
        :: atomic { first_of(0) -> apply_one(0) } /* step: ordo_oplog_apply, ordo_oplog_merge [C5 merge] [C7 done] */
        :: atomic { first_of(1) -> apply_one(1) } /* step: ordo_oplog_apply, ordo_oplog_merge [C5 merge] [C7 done] */
        :: atomic { first_of(2) -> apply_one(2) } /* step: ordo_oplog_apply, ordo_oplog_merge [C5 merge] [C7 done] */
        :: !has(0) && !has(1) && !has(2) -> break
        od;
        next = 0
    :: else
    fi
}

/* Checks a reader: with each operation it sees all operations that had returned before that operation began, and it sees both or
 * none of two operations that happen together. */
inline check_seen()
{
    d_step {
        assert(!(want & ~applied)); /* returned, and not seen */
        x = 0;
        do
        :: x == 6 -> break
        :: x < 6 ->
            assert(!(applied & one(x)) || !(before_[x] & ~applied)); /* an earlier operation is not seen */
            assert(kind[x] != TOGETHER || ((applied >> x) & 1) == ((applied >> (x ^ 1)) & 1));
            x++
        od;
        x = 0
    }
}

inline reads()
{
    atomic { reads_left--; want = returned | mine; SAY(begins to read) } /* step: ordo_oplog_read_lock */
    lock();
    take();
    atomic { SAY1(reads the states: operations %d are applied, applied); check_seen(); want = 0 }
    atomic { locked = 0; SAY(gives the lock back) } /* step: ordo_oplog_unlock */
}

/* ordo_oplog_make_room, ordo_oplog_drain */
inline make_room()
{
    do
    :: true ->
#ifdef C7_ROOM
        break
#else
        atomic { room = head[log] + RING } /* step: ordo_oplog_make_room [C7 room] */
        if
        :: room > count -> break
        :: else ->
#ifdef C4_ROOM
            skip;
#else
            lock();
#endif
            if
#ifdef C4_OWN
            :: head[log] != count ->
#else
            :: head[log] != count && (kind[log * 2 + head[log]] & (COMMUTE | TOGETHER)) ->
#endif
                do
#ifdef C4_OWN
                :: atomic { head[log] != count -> apply_one(log) }
                :: head[log] == count -> break
#else
                :: atomic { head[log] != count && (kind[log * 2 + head[log]] & (COMMUTE | TOGETHER)) -> apply_one(log) } /* step: ordo_oplog_drain, ordo_oplog_apply [C4 own] [C7 done] */
                :: head[log] == count || !(kind[log * 2 + head[log]] & (COMMUTE | TOGETHER)) -> break
#endif
                od
            :: else -> take() /* step: ordo_oplog_make_room */
            fi;
            atomic { locked = 0 } /* step: ordo_oplog_unlock */
        fi
#endif
    od
}

/* ordo_oplog_own_time */
inline own_time(t)
{
#ifdef C5_OWN
    last[log] = t
#else
    if
    :: t > last[log] -> last[log] = t
    :: else
    fi
#endif
}

/* ordo_oplog_claim */
inline claim()
{
    do
    :: atomic { z = object_last; SAY1(finds the last time %d of the object, z) } /* step: ordo_oplog_claim */
#ifdef C6_AFTER
        atomic { flush(); read_clock(y); own_time(y); y = 0; SAY1(takes its time %d, last[log]) }
#else
        if
        :: atomic { could_show(z + B + 1) -> flush(); clock_from(y, z + B + 1); own_time(y); y = 0; SAY1(takes its time %d, last[log]) } /* step: ordo_oplog_claim, ordo_oplog_own_time [C6 after] [C5 own] */
        :: atomic { out_of_time(z + B + 1) -> time_is_up = 1; goto end_time }
        fi;
#endif
        if
#ifdef C6_CLAIM
        :: true -> object_last = last[log]; break
#else
        :: atomic { object_last == z -> flush(); object_last = last[log]; SAY(claims the object); break } /* step: ordo_oplog_claim [C6 claim] */
        :: atomic { object_last != z }
#endif
        fi
    od;
    z = 0
}

/* ordo_oplog_look */
inline look()
{
#ifndef C2_NO_LOOK
    atomic { y = cut; SAY1(looks at the number: %d, y) } /* step: ordo_oplog_look [C2 look] */
    if
    :: y != mycut ->
        mycut = y;
#ifdef C3_MARK
        atomic { store(CUT, cut_, y) }
        atomic { store(FIRST, first, count) }
#else
        atomic { store(FIRST, first, count) } /* step: ordo_oplog_look */
        atomic { store(CUT, cut_, y); SAY1(marks where it began: %d, count) } /* step: ordo_oplog_look [C3 mark] */
#endif
    :: else
    fi;
    y = 0
#else
    skip
#endif
}

inline publish(n)
{
    atomic { count = count + n; store(PUBLISHED, published, count); SAY1(publishes: %d, count) } /* step: ordo_oplog_publish [C2 publish] */
}

inline write(op)
{
    atomic { ring[log * 2 + ((op) & (RING - 1))] = log * 2 + (op) } /* step: ordo_oplog_write */
}

/* ordo_oplog_settle */
#ifdef C5_SETTLE_RAW
#define settled() (last[log] + 1)
#else
#define settled() (last[log] + B + 1)
#endif
inline settle()
{
#ifndef C5_NO_SETTLE
    if
    :: kind[op] != TIMED
    :: atomic { kind[op] == TIMED && could_show(settled()) -> clock_from(y, settled()); SAY1(has waited until a clock shows %d, y); y = 0 } /* step: ordo_oplog_settle [C5 settle] */
    :: atomic { kind[op] == TIMED && out_of_time(settled()) -> time_is_up = 1; goto end_time }
    fi
#else
    skip
#endif
}

inline return_all() /* of z */
{
    atomic {
        mine = mine | z;
        returns(z);
        SAY1(returns from operations %d, z);
        z = 0
    }
}

/* ordo_oplog_append, ordo_oplog_append_all */
inline appends()
{
#ifdef C5_TAKE_EARLY
    atomic { read_clock(ahead); SAY1(reads the clock: %d, ahead) }
#endif
    atomic {
        op = log * 2 + count;
        if
        :: mask & COMMUTE -> kind[op] = COMMUTE; appends_left--
        :: mask & TIMED -> kind[op] = TIMED; timed = timed | one(op); appends_left--
        :: mask & ORDERED -> kind[op] = ORDERED; ordered = ordered | one(op); appends_left--
        :: mask & TOGETHER -> kind[op] = TOGETHER; kind[op + 1] = TOGETHER; before_[op + 1] = returned | mine; appends_left = 0
        fi;
        before_[op] = returned | mine;
        SAY2(begins operation %d of kind %d, op, kind[op])
    }
    if
    :: count == room -> make_room()
    :: else
    fi;
    if
#ifdef C5_TAKE_EARLY
    :: kind[op] == TIMED -> atomic { own_time(ahead); ahead = 0; SAY1(takes its time %d, last[log]) }
#else
    :: kind[op] == TIMED -> atomic { read_clock(y); own_time(y); y = 0; SAY1(takes its time %d, last[log]) } /* step: ordo_oplog_time, ordo_oplog_own_time [C5 take] [C5 own] */
#endif
    :: kind[op] == ORDERED -> claim()
    :: else
    fi;
    if
    :: kind[op] & (TIMED | ORDERED) -> time_[op] = last[log]
    :: else
    fi;
#ifndef C2_LOOK_LATE
    look();
#endif
#ifdef C3_PUBLISH_FIRST
    publish(1);
    write(count - 1);
#else
    if
    :: kind[op] == TOGETHER ->
        write(count);
        write(count + 1);
#ifdef C3_ONE_BY_ONE
        publish(1);
        publish(1)
#else
        publish(2) /* step: ordo_oplog_append_all */
#endif
    :: else ->
        write(count);
        publish(1)
    fi;
#endif
#ifdef C2_LOOK_LATE
    count--;
    look();
    count++;
#endif
#ifdef LATER
    late = late | one(op);
    if
    :: appends_left -> mine = mine | late
    :: else ->
        settle();
        z = late;
        late = 0;
        return_all()
    fi;
#elif defined C5_SETTLE_LATE
    z = one(op) | (kind[op] == TOGETHER -> one(op + 1) : 0);
    return_all();
    settle();
#else
    settle();
    z = one(op) | (kind[op] == TOGETHER -> one(op + 1) : 0);
    return_all();
#endif
    op = 0
}

bit joined, ended[3];

proctype thread(byte me; byte appends_left; byte reads_left; byte mask)
{
    byte log, count, room, mycut, mine, want, next, x, y, z, op;
#ifdef C5_TAKE_EARLY
    byte ahead;
#endif
#ifdef LATER
    byte late;
#endif
#ifdef TSO
    byte bw, bv;
#endif

    atomic {
        log = me; room = RING
    }
#ifdef JOIN
    if
    :: me == 2 -> atomic { flush(); joined = 1; SAY(joins the list) } /* step: ordo_oplog_thread_make [C8 join] */
    :: else
    fi;
#endif
#ifdef REUSE
    if
    :: me == 2 ->
        atomic { ended[0]; log = 0; SAY(takes over the log of thread 0) } /* step: ordo_oplog_thread_reuse [C8 reuse] */
#ifdef C8_REUSE
        atomic { count = head[0]; room = count + RING; mycut = cut_[0] }
#else
        atomic { count = published[0]; room = head[0] + RING; mycut = cut_[0] }
#endif
    :: else
    fi;
#endif
#ifdef TSO
    owned_by[me] = log;
#endif
    do
    :: appends_left -> appends()
    :: reads_left -> reads()
    :: !appends_left && !reads_left -> break
    od;
    atomic { /* step: ordo_oplog_thread_finish */
        flush();
        ended[me] = 1;
#ifdef REACH
        assert(!ended[0] || !ended[1] || !ended[2]); /* all threads can end: must be found */
#endif
    }
end_time:
    false
}

init
{
    atomic {
        listed[0] = 1; listed[1] = 1;
#if !defined JOIN && !defined REUSE
        listed[2] = 1;
#endif
        run thread(0, A0, R0, K0);
        run thread(1, A1, R1, K1);
        run thread(2, A2, R2, K2)
    }
}
