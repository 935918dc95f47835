/* Pruning: the steps of lib/cc/txn/hekaton/prune.h during an old snapshot, one for each access to memory that other threads can
 * see. The conditions P1 to P8 are those of prune.h.
 *
 * One record has four versions, of times 0, 3, 4 and 5; a snapshot of time 2 needs the oldest. Thread 0 has retired version 1 or
 * 2, and prunes. Thread 1 has retired the other of these two, and prunes too. Each thread makes ROUNDS rounds. The switches add
 * more:
 *    OLD      thread 2 is the snapshot of time 2: it walks the chain WALKS times, and ends. With LATER there is another
 *             snapshot of time 2, which does not end; a round may use either of the two
 *    NEW      thread 2 begins a snapshot at any time, walks, and ends; the snapshot of time 2 does not end
 *    NAMES    thread 3 makes two serialisable transactions that name their versions (hazards.h), with or without fences;
 *             thread 0 commits version 3 first; the snapshot of time 2 does not end, unless OLD is set
 *    FREES    thread 1 frees by time (core/horizon.h) instead of pruning; thread 2 is the snapshot of time 2, and ends. With
 *             DELETED version 3 is a deletion, the anchor was retired at 6, and thread 2 begins another snapshot at 10
 *    STOPPED  thread 1 was preempted in a round
 *    ABORTED  thread 0 has put another version on the head; it aborts, and retires this version
 *
 * Checked: no freed version or anchor is accessed; a snapshot reads the version that it would read in the complete chain; with
 * UNCERTAIN it also finds the same versions uncertain as in the complete chain.
 *
 * Not in this model: deletions among the items, and the index. The times of C10 are in hekaton.pml; here clocks are read only
 * with NEW. Without NEW, a transaction that a scan sees holds back the items that its time would hold back, and `now` is late.
 *
 * TSO: stores wait in a buffer, in their order; a full read of the clock or an exchange empties it. */
#define START 5
#include "clock.pml"

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef WALKS
#define WALKS 1
#endif
#ifndef PRUNERS
#define PRUNERS 2
#endif
#ifndef ROUNDS1
#define ROUNDS1 ROUNDS /* of thread 1 */
#endif
#ifndef TRANSACTIONS
#define TRANSACTIONS 2
#endif
#ifdef NAMES
#define ITEM 2 /* the item of thread 0, which writes version 3 */
#elif defined ABORTED
#define ITEM UNDONE
#endif
#ifndef ITEM
#define ITEM 1
#endif

#define NONE 9
#define UNDONE 4 /* the version on the head, of a writer that aborts */
#define UNSURE 8 /* the result of a snapshot with UNCERTAIN */
#define LATE 15  /* the value of `now` if no clock is read */
#define OLDEST 2 /* the time of the old snapshot */

#define HEAD 0    /* places */
#define OLDER 1   /* + version */
#define ANCHOR 6  /* + version: 1 until it was cut */
#define CLAIM 10  /* 1 + thread */
#define CUTS 11
#define ACT 12    /* + thread */
#define WALK 16
#define AT 17
#define BELOW 18
#define READS 19
#define BEGIN 20  /* the begin of version 3; 0 while it has no time */
#define PLACES 21

#define IDLE 0
#define FENCED 96 /* in ACT: the transaction fences its names */
#define UNFENCED 97 /* in ACT: it does not */
#define ANNOUNCED 98
#define PRUNES 99
#define SNAPSHOT 100 /* + time */

byte memory[PLACES];
bit freed[5];
bit anchor_freed;
chan buffer[4] = [8] of { byte, byte };

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

/* No thread loads a place that may be in its own buffer, because a pruner remembers its last stores. */
#define exchange(where, value) drain(me); memory[where] = value

#define time_of(v) ((v) == 0 -> 0 : (v) + 2)
#define touch(v) assert(!freed[v])
#define touch_anchor() assert(!anchor_freed)

#ifdef UNCERTAIN
#define right(b) ((b) > 6 -> 3 : UNSURE)
#else
#define right(b) ((b) > 6 -> 3 : ((b) > 5 -> 2 : ((b) > 4 -> 1 : 0)))
#endif

/* hk_needs */
#if defined UNCERTAIN && !defined P1_UNCERTAIN
#define needs(s, begin, end) ((s) && (after(s, begin) -> !after(s, end) : !after(begin, s)))
#else
#define needs(s, begin, end) ((s) && after(s, begin) && !after(s, end))
#endif
#ifdef P1_NEEDED
#define needed(begin, end) (needs(oldest, begin, end))
#elif defined P1_NOT_AT_ALL
#define needed(begin, end) 0
#else
#define needed(begin, end) (needs(oldest, begin, end) || needs(other, begin, end))
#endif

#ifdef P1_B
#define KEEP B
#else
#define KEEP (2 * B)
#endif

/* Loads the announcement of thread t. */
inline look_at(t)
{
    atomic {
        x = memory[ACT + t];
        SAY2(finds that thread %d has announced %d, t, x);
        if
        :: x == IDLE
#ifdef P4_COUNTS
        :: x == PRUNES -> least = 0
#else
        :: x == PRUNES /* step: hk_look [P4] */
#endif
        :: x > SNAPSHOT -> /* step: hk_look */
            x = x - SNAPSHOT;
            if
            :: oldest == 0 || x < oldest -> other = oldest; oldest = x
            :: else -> other = x
            fi
#ifdef P1_ANNOUNCED
        :: x == ANNOUNCED
#else
        :: x == ANNOUNCED -> least = 0 /* step: hk_look, cc_time_of */
#endif
        :: x == FENCED || x == UNFENCED -> /* step: hk_look, cc_names */
#if defined NO_FENCE_FOR_ALL && !defined P8_UNKNOWN
            if
            :: unknown || x == UNFENCED -> least = 0 /* the transaction counts by its time */
            :: else
            fi
#else
            skip
#endif
        :: x > IDLE && x < FENCED -> least = (x < least -> x : least) /* step: hk_look */
        fi;
        x = 0
    }
}

inline look()
{
    atomic {
#ifdef P3_STORE
        skip; /* the stamp is a counter, and `now` a load of it */
#else
        drain(me);
#endif
#ifdef NEW
        read_clock(least);
#else
        least = LATE;
#endif
        oldest = 0; other = 0;
        SAY1(looks at %d, least)
    } /* step: hk_look */
#if !defined OLD && !defined FREES
    oldest = OLDEST; /* the snapshot of another thread, which does not end */
#elif defined LATER
    oldest = LATER; /* likewise */
#endif
#if PRUNERS > 1 || defined STOPPED
    look_at(1 - me);
#endif
#if defined OLD || defined NEW || defined FREES
    look_at(2);
#endif
#ifdef NAMES
    look_at(3);
#endif
    least = (least > KEEP -> least - KEEP : 0);
#if defined OLD || defined NEW || defined FREES
    atomic {
#ifndef P7_LOAD
        drain(me);
#endif
        walk = (memory[WALK] -> memory[WALK] - 1 : 255);
        SAY1(finds the walk %d, walk)
    } /* step: hk_oldest_walk */
#endif
}

/* hk_candidates_to_prune: scans the names, if an item was cut. */
inline look_at_names()
{
    atomic {
        unknown = 0; named = 0;
        drain(me); SAY(orders its own names) /* step: hk_fence_here */
    }
    atomic { x = memory[ACT + 3]; SAY(checks whether the reader fences its names) } /* step: hk_oldest_unfenced */
    if
    :: x == UNFENCED ->
#ifdef NO_FENCE_FOR_ALL
       unknown = 1
#elif !defined P8_NO_FENCE
       atomic { drain(3); SAY(thread 3 passes the fence) } /* step: hk_fence_all */
#else
       skip
#endif
    :: else
    fi;
    x = 0;
#ifndef P8_NO_AT
    atomic { named = named || memory[AT] == item; SAY(checks the announced name of the head) } /* step: hk_mark_names_of */
#endif
#ifndef P8_NO_BELOW
    atomic { named = named || memory[BELOW] == item; SAY(checks the announced name of the version below) } /* step: hk_mark_names_of */
#endif
#ifndef P8_NO_READS
    atomic { named = named || memory[READS] == item; SAY(looks at the reads) } /* step: hk_mark_names_of */
#endif
}

inline cut_chain()
{
    atomic {
#ifdef P2_NO_CLAIM
        x = 1; a = memory[HEAD]; end_ = time_of(a); SAY(walks without the claim)
#else
        drain(me);
        if
        :: memory[CLAIM] == 0 -> memory[CLAIM] = me + 1; x = 1; a = memory[HEAD]; end_ = time_of(a); SAY(has the claim) /* step: hk_cut, hk_try_claim [P2] */
        :: else -> SAY(finds the record claimed)
        fi
#endif
    }
    if
    :: x ->
        atomic { touch(a); v = memory[OLDER + a]; SAY2(finds version %d below %d, v, a) } /* step: hk_cut */
        do
        :: v != NONE && !after(oldest, end_) ->
            atomic { touch(v); begin_ = time_of(v) }
            if
#ifdef P1_NO_W
            :: atomic { needed(begin_, end_) -> /* leaves the version in the chain */
#else
            :: atomic { end_ >= least || needed(begin_, end_) -> /* step: hk_cut [P1] */
#endif
                a = v; end_ = begin_ }
                atomic { touch(a); v = memory[OLDER + a]; SAY2(finds version %d below %d, v, a) } /* step: hk_cut */
            :: atomic { else ->
                touch(v); x = memory[OLDER + v];
#ifdef P5_FIRST
                store(ANCHOR + v, 0);
#else
                store(OLDER + a, x); SAY2(cuts version %d from under %d, v, a) /* step: hk_cut */
#endif
                }
                atomic {
                    touch(v);
#ifdef P5_FIRST
                    store(OLDER + a, x); SAY2(cuts version %d from under %d, v, a)
#else
                    store(ANCHOR + v, 0) /* step: hk_cut [P5] */
#endif
                    ;
                    if
                    :: v == item -> mine = 1
                    :: else
                    fi;
                    v = x; x = 1
                }
            fi
        :: else -> break
        od;
        atomic {
            touch_anchor();
#ifndef P2_NO_CLAIM
            store(CLAIM, 0) /* step: hk_cut, hk_unclaim */
#endif
        }
    :: else
    fi;
    atomic { x = 0; v = 0; a = 0; begin_ = 0; end_ = 0 }
}

#define item_begin time_of(item)
#define item_end (item == UNDONE -> 5 : time_of(item + 1))

inline number_it()
{
    if
    :: is_cut && number == NONE ->
#ifdef P6_SAME
        atomic { drain(me); number = memory[CUTS]; SAY1(gives it number %d, number) }
#elif defined P6_FIRST
        number = first
#else
        atomic { drain(me); memory[CUTS] = memory[CUTS] + 1; number = memory[CUTS]; SAY1(gives it number %d, number) } /* step: hk_number [P6] */
#endif
    :: else
    fi
}

inline free_it()
{
    atomic {
        if
#ifdef P7_NO_WALK
        :: least > item_end &&
#else
        :: least > item_end && walk >= number && /* step: hk_must_wait [P7] */
#endif
#ifndef P8_NO_NAMES
           !(named && !unknown) && /* step: hk_must_wait [P8] */
#endif
           1 -> freed[item] = 1; SAY1(frees version %d, item) /* step: hk_prune_one, hk_free_item */
#ifdef REACH
           ; assert(0)
#endif
        :: else
        fi
    }
}

inline prune_one()
{
    if
    :: is_cut -> free_it()
    :: !is_cut && item_end < least -> /* step: hk_must_wait */
        if
        :: item == UNDONE -> mine = 1 /* step: hk_prune_one */
        :: else -> atomic { mine = memory[ANCHOR + item] == 0; SAY1(finds whether its version was cut: %d, mine) } /* step: hk_anchor_of [P5] */
        fi;
        if
#ifdef P3_HOME
        :: !mine && !needed(item_begin, item_end) ->
#else
        :: !mine && item_end > oldest && !needed(item_begin, item_end) -> /* step: hk_prune_one */
#endif
           cut_chain();
           atomic { mine = mine || memory[ANCHOR + item] == 0 } /* step: hk_anchor_of [P5] */
        :: else
        fi;
        if
        :: mine -> is_cut = 1; mine = 0
        :: else
        fi
    :: else
    fi
}

proctype prunes(byte me; byte item)
{
    byte w, u, x, a, v, begin_, end_, least, oldest, other, walk = 255, number = NONE, first, round;
    bit is_cut, named, unknown, mine;

#ifdef NAMES
    if
    :: me == 0 ->
        atomic { store(HEAD, 3); SAY(puts version 3 on the head) } /* step: hk_push */
        atomic { store(BEGIN, 5); SAY(commits it) } /* step: hk_publish */
        atomic { store(CLAIM, 0) } /* step: hk_publish, hk_unclaim */
    :: else
    fi;
#endif
#ifdef ABORTED
    if
    :: me == 0 ->
        atomic { store(HEAD, 3); SAY(takes its version off the head) } /* step: hk_roll_back */
        atomic { store(CLAIM, 0) } /* step: hk_roll_back, hk_unclaim */
        atomic { drain(me) } /* step: cc_retire_time */
    :: else
    fi;
#endif
    do
    :: round < (me -> ROUNDS1 : ROUNDS) && !freed[item] ->
#ifdef NAMES
        if
        :: is_cut -> look_at_names() /* step: hk_candidates_to_prune, hk_gather */
        :: else
        fi;
#endif
#ifdef P3_LATE
        look();
        atomic { exchange(ACT + me, PRUNES); SAY(announces its round) }
#elif defined P3_STORE || defined P3_RELEASE
        atomic { store(ACT + me, PRUNES); SAY(announces its round) }
        look();
#else
        atomic { exchange(ACT + me, PRUNES); SAY(announces its round) } /* step: hk_prune [P3] */
        look();
#endif
#ifdef P6_FIRST
        if
        :: !is_cut -> atomic { drain(me); memory[CUTS] = memory[CUTS] + 1; first = memory[CUTS]; SAY1(takes number %d, first) }
        :: else
        fi;
#endif
        if
        :: oldest ->
            prune_one();
            number_it()
#ifdef P7_SAME_ROUND
            ; if
            :: is_cut -> free_it()
            :: else
            fi
#endif
        :: else
        fi;
        atomic { store(ACT + me, IDLE); SAY(ends its round); round++; least = 0; oldest = 0; other = 0; walk = 255; first = 0; named = 0; unknown = 0 } /* step: hk_prune, cc_exit */
    :: else -> break
    od
}

#if defined OLD || defined NEW
inline walk_chain()
{
#ifndef P7_SILENT
    atomic { c = memory[CUTS]; SAY1(knows of number %d, c) } /* step: hk_walk */
#ifdef P7_STORE
    atomic { store(WALK, c + 1); SAY(announces its walk); c = 0 }
#else
    atomic { exchange(WALK, c + 1); SAY(announces its walk); c = 0 } /* step: hk_walk */
#endif
#endif
    atomic { v = memory[HEAD]; SAY1(finds version %d, v) } /* step: hk_head */
    do
#ifdef ABORTED
    :: v == UNDONE -> atomic { touch(v); v = memory[OLDER + v]; SAY1(finds version %d below, v) } /* step: hk_judge, hk_older */
    :: v != UNDONE && after(b, time_of(v)) -> break /* step: hk_visible */
    :: v != UNDONE && !after(b, time_of(v)) -> atomic { touch(v); v = memory[OLDER + v]; SAY1(finds version %d, v) } /* step: hk_older */
#else
    :: v == NONE || v == UNSURE || after(b, time_of(v)) -> break /* step: hk_visible */
#ifdef UNCERTAIN
    :: v != NONE && v != UNSURE && !after(b, time_of(v)) && !after(time_of(v), b) -> atomic { touch(v); v = UNSURE; SAY(is uncertain) } /* step: hk_visible */
    :: v != NONE && v != UNSURE && after(time_of(v), b) ->
#else
    :: v != NONE && v != UNSURE && !after(b, time_of(v)) ->
#endif
        atomic { touch(v); v = memory[OLDER + v]; SAY1(finds version %d, v) } /* step: hk_older */
#endif
    od;
    atomic { SAY2(reads version %d at %d, v, b); assert(v == right(b)) } /* step: hk_visible */
    atomic { store(WALK, 0); SAY(ends its walk) } /* step: hk_rest */
#ifndef UNCERTAIN
    atomic { SAY(accesses the version again); touch(v) } /* step: hk_view */
#endif
    v = 0
}

proctype reads()
{
    byte me = 2, w, u, b, c, v, n;

#ifdef OLD
    b = OLDEST;
#else
    atomic { store(ACT + 2, ANNOUNCED); SAY(announces itself) } /* step: cc_enter */
    atomic { drain(me); read_clock(b); SAY1(begins at %d, b) } /* step: cc_enter */
    atomic { store(ACT + 2, b) } /* step: cc_enter */
    atomic { store(ACT + 2, SNAPSHOT + b); SAY(says that it is a snapshot) } /* step: hk_begin */
#endif
    do
    :: n < WALKS -> walk_chain(); n++
    :: else -> break
    od;
    atomic { store(ACT + 2, IDLE); SAY(ends) } /* step: cc_exit */
#ifdef LATER
    atomic { /* at any later time, the other snapshot would read this */
        v = memory[HEAD];
        do
        :: after(LATER, time_of(v)) -> break
        :: else -> v = memory[OLDER + v]
        od;
        SAY1(the other snapshot would read version %d, v);
        assert(v == right(LATER))
    }
#endif
}
#endif

#ifdef NAMES
/* hk_show_name */
inline name(where, version)
{
    if
    :: atomic { way == FENCED -> exchange(where, version); SAY1(names version %d with a fence, version) } /* step: hk_show_name */
    :: atomic { else -> store(where, version); SAY1(names version %d, version) } /* step: hk_show_name */
    fi
}

inline transaction()
{
    if
#ifndef NO_FENCE_FOR_ALL
    :: way = UNFENCED
#else
    :: !begun -> way = UNFENCED /* a transaction that began before the worker found that there is no fence */
#endif
    :: way = FENCED
    fi;
    begun = 1;
    atomic { exchange(ACT + 3, way); SAY1(announces itself: %d, way) } /* step: cc_enter_newest */
    do
    :: atomic { h = memory[HEAD]; SAY1(finds version %d, h) } /* step: hk_newest */
       name(AT, h);
       if
       :: atomic { memory[HEAD] != h -> SAY(finds another head) }
       :: atomic { memory[HEAD] == h -> SAY(finds it there again) } /* step: hk_name */
          if
          :: atomic { h == 2 || memory[BEGIN] -> touch(h) }; break /* step: hk_judge */
          :: atomic { h == 3 && !memory[BEGIN] -> touch(h); l = memory[OLDER + 3]; SAY1(finds version %d below, l) } /* step: hk_newest, hk_older */
             name(BELOW, l);
#ifdef BELOW_ONCE
             h = l; l = 0; break
#else
             if
             :: atomic { !memory[BEGIN] -> h = l; l = 0; SAY(finds that the version still has no time) }; break /* step: hk_name_below */
             :: atomic { memory[BEGIN] -> l = 0; SAY(finds that it has its time) }
             fi
#endif
          fi
       fi
    od;
    atomic { SAY1(looks at version %d, h); touch(h) } /* step: hk_pick */
    atomic { store(READS, h); SAY(adds it to its reads) } /* step: hk_add_read */
    name(AT, NONE);
    name(BELOW, NONE);
    atomic { SAY(compares it); touch(h) } /* step: hk_validate */
    atomic { store(ACT + 3, IDLE); SAY(ends) } /* step: cc_exit */
    atomic { store(READS, NONE); h = 0; SAY(forgets its reads) } /* step: hk_finish */
}

proctype names()
{
    byte me = 3, h, l, way, w, u;
    bit begun;

    transaction();
#if TRANSACTIONS > 1
    transaction()
#endif
}
#endif

#ifdef FREES
proctype frees()
{
    byte me = 1, x, n, least = LATE;
    bit first;

    if
    :: first = 0
    :: first = 1
    fi; /* the worker that is scanned first */
    do
#ifdef P3_ONE_LOOK
    :: n < 2 ->
#else
    :: n < 4 -> /* step: cc_look_around */
#endif
        atomic {
            x = memory[ACT + (n % 2 == first -> 0 : 2)];
            SAY1(finds %d announced, x);
            if
            :: x == IDLE
            :: x == PRUNES || x == ANNOUNCED -> least = 0
            :: x > SNAPSHOT -> least = (x - SNAPSHOT < least -> x - SNAPSHOT : least)
            :: else -> least = (x < least -> x : least)
            fi;
            x = 0; n++
        } /* step: cc_announced */
    :: else -> break
    od;
    atomic {
        if
        :: least > KEEP + 3 -> freed[0] = 1; SAY(frees version 0 by time) /* step: cc_reclaim */
        :: else
        fi
    }
#ifdef DELETED
    atomic {
        if
        :: least > KEEP + 6 -> anchor_freed = 1; SAY(frees the anchor by time) /* step: cc_reclaim */
        :: else
        fi
    }
#endif
#ifdef REACH
    assert(!freed[0] && !anchor_freed)
#endif
}

proctype snapshot()
{
    byte me = 2, w, u;

    atomic { store(ACT + 2, IDLE); SAY(ends) } /* step: cc_exit */
#ifdef DELETED
    atomic { store(ACT + 2, ANNOUNCED); SAY(announces itself) } /* step: cc_enter */
    atomic { drain(me); store(ACT + 2, 10); SAY(begins at 10) } /* step: cc_enter */
    atomic { store(ACT + 2, SNAPSHOT + 10); SAY(says that it is a snapshot) } /* step: hk_begin */
    atomic { store(ACT + 2, IDLE); SAY(ends) } /* step: cc_exit */
#endif
}
#endif

init
{
    atomic {
        memory[OLDER] = NONE; memory[OLDER + 1] = 0; memory[OLDER + 2] = 1; memory[OLDER + 3] = 2;
        memory[ANCHOR + 1] = 1; memory[ANCHOR + 2] = 1;
        memory[AT] = NONE; memory[BELOW] = NONE; memory[READS] = NONE;
#ifdef NAMES
        memory[HEAD] = 2; memory[CLAIM] = 1; /* thread 0 is writing version 3 */
#else
        memory[HEAD] = 3; memory[BEGIN] = 5;
#endif
#ifdef ABORTED
        memory[HEAD] = UNDONE; memory[OLDER + UNDONE] = 3; memory[CLAIM] = 1; /* thread 0 has written this version */
#endif
#if defined OLD || defined FREES
        memory[ACT + 2] = SNAPSHOT + OLDEST;
#endif
#ifdef STOPPED
        memory[ACT + 1] = PRUNES;
#endif
        run prunes(0, ITEM);
#if PRUNERS > 1 && !defined FREES && !defined STOPPED
        run prunes(1, (ITEM == 1 -> 2 : 1));
#endif
#if defined OLD || defined NEW
        run reads();
#endif
#ifdef NAMES
        run names();
#endif
#ifdef FREES
        run frees();
        run snapshot()
#endif
    }
}
