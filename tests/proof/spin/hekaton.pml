/* Hekaton: the steps of lib/cc/txn/hekaton/ and lib/cc/txn/core/, one for each access to memory that other threads can
 * see. Each step names the function and, in brackets, the condition of core.h or the argument (A) of types.h that it
 * keeps.
 *
 * Three transactions over two records. Each transaction visits the records in either order. Its mask Oi has a bit for
 * each kind that it may be:
 *    1   a snapshot that reads both records (READ_ONLY)
 *    2   serialisable, reads or updates each record
 *    4   serialisable, updates record 0 only
 *    8   serialisable, reads record 0 and updates record 1
 *    16  serialisable, updates record 0 and reads record 1
 *    32  serialisable, updates both records
 *    64  does nothing
 * With SESSION one worker runs transactions 0 and 1, one after the other.
 *
 * Checked when all transactions have ended: the conflict graph of the committed ones, snapshots included, has no cycle.
 * With EXTERNAL the graph includes the order of real time, with SESSION the order of the session. Always checked: a
 * version that is read was committed; with RECLAIM, no freed version is accessed.
 *
 * With COME no transaction sees by times at first, and writers do not wait until a transaction that sees by times
 * begins (snapshots.h). With GO the era of that transaction is ended once, at any time.
 *
 * UNCERTAIN is the mode in which a transaction aborts, instead of waiting, if a version is uncertain. TSO: as in
 * rlu.pml, for the announcements.
 */
#define START (B + 1)
#include "clock.pml"
#include "graph.pml"

#ifndef O0
#define O0 2
#endif
#ifndef O1
#define O1 2
#endif
#ifndef O2
#define O2 1
#endif

#ifndef FIXED
#define FIXED 9 /* the transaction that begins with record 0 */
#endif

#define TAG 100
#define IDLE 0
#define ANNOUNCED 1 /* smaller than any reading of a clock (START) */
#define ACTIVE 0
#define PREPARING 1
#define ABORTED 3

byte head[2];
byte begins[8]; /* index: record * 4 for the record's first version, record * 4 + 1 + transaction for the others */
byte older[8];
byte claim[2];  /* 1 + transaction */
byte announced[3];
byte state_buffer[3], active_buffer[3]; /* TSO: 1 + value */
bit freed[8];

/* db->era */
#if defined COME || defined GO
byte era = 0;
#else
byte era = 1; /* odd: a snapshot began long ago */
#endif

#ifdef TSO
#define flush_buffer()                                                                                                 \
    if                                                                                                                 \
    :: state_buffer[me] -> status[me] = state_buffer[me] - 1; state_buffer[me] = 0                                     \
    :: else                                                                                                            \
    fi;                                                                                                                \
    if                                                                                                                 \
    :: active_buffer[me] -> announced[me] = active_buffer[me] - 1; active_buffer[me] = 0                                  \
    :: else                                                                                                            \
    fi
#define store_status(v) flush_buffer(); state_buffer[me] = (v) + 1
#define store_active(v) flush_buffer(); active_buffer[me] = (v) + 1
active proctype buffers()
{
    byte me = 9;
end:
    do
    :: atomic { state_buffer[0] -> status[0] = state_buffer[0] - 1; state_buffer[0] = 0; SAY(the status of transaction 0 becomes visible) }
    :: atomic { state_buffer[1] -> status[1] = state_buffer[1] - 1; state_buffer[1] = 0; SAY(the status of transaction 1 becomes visible) }
    :: atomic { state_buffer[2] -> status[2] = state_buffer[2] - 1; state_buffer[2] = 0; SAY(the status of transaction 2 becomes visible) }
    :: atomic { active_buffer[0] -> announced[0] = active_buffer[0] - 1; active_buffer[0] = 0; SAY(the announcement of transaction 0 becomes visible) }
    :: atomic { active_buffer[1] -> announced[1] = active_buffer[1] - 1; active_buffer[1] = 0; SAY(the announcement of transaction 1 becomes visible) }
    :: atomic { active_buffer[2] -> announced[2] = active_buffer[2] - 1; active_buffer[2] = 0; SAY(the announcement of transaction 2 becomes visible) }
    od
}
#else
#define flush_buffer() skip
#define store_status(v) status[me] = v
#define store_active(v) announced[me] = v
#endif
#ifdef CLOCK_NOT_FULL
#define barrier() skip /* the clock does not wait for stores */
#else
#define barrier() flush_buffer()
#endif

#ifdef C6_RAW
#define visible(b, x) ((b) > (x))
#else
#define visible(b, x) after(b, x)
#endif

/* z: the smallest time that is certainly after a and certainly after b. */
inline least_after(a, b_)
{
    atomic {
        z = a;
        if
        :: b_ > a -> z = b_
        :: else
        fi;
        z = z + B + 1
    }
}

inline touch(version)
{
#ifdef RECLAIM
    assert(!freed[version]); /* the version was freed */
#endif
    skip
}

/* hk_newest: v is the result; c is 1 if a version is being committed. */
inline newest(r)
{
    atomic { /* step: hk_head; and hk_begin_of if that is a time, which does not change any more */
        v = head[r];
        touch(v);
        x = begins[v];
        SAY2(version %d has begin %d, v, x);
        c = (x < TAG -> 0 : 2)
    }
    do
    :: c == 2 ->
        atomic { touch(v); x = begins[v]; SAY2(version %d has begin %d, v, x) } /* step: hk_begin_of */
        if
        :: atomic { x < TAG -> c = 0 }
        :: atomic { x == TAG + me -> v = older[v] }
        :: atomic { x >= TAG && x != TAG + me -> /* step: hk_judge, hk_status_of [C3] */
            if
            :: status[x - TAG] == ACTIVE || status[x - TAG] == ABORTED -> touch(v); v = older[v]
            :: else -> c = 1
            fi
        }
        fi
    :: else -> break
    od
}

/* hk_validate: c is 1 if a version that was read is not the newest any more. */
inline validate()
{
    k = 0;
    c = 0;
    do
    :: k < 2 && !c ->
        if
        :: did[k] == 1 ->
            newest(k);
            if
#ifdef C7_BY_TIME
            :: begins[v] != begins[k * 4 + read_[me * 2 + k]] -> c = 1
#else
            :: v != k * 4 + read_[me * 2 + k] -> c = 1 /* step: hk_validate [C7] */
#endif
            :: else
            fi
        :: else
        fi;
        k++
    :: else -> break
    od;
    k = 0; v = 0; x = 0
}

/* hk_extend: takes a begin certainly after x, or aborts. */
inline extend(t)
{
#ifdef UNCERTAIN
    atomic { doomed = 1; SAY(is uncertain and aborts) } /* step: hk_extend */
#else
    least_after(t, b);
    if
    :: atomic { could_show(z) -> barrier(); clock_from(y, z); z = 0; SAY1(extends to %d, y) } /* step: hk_extend */
    :: atomic { out_of_time(z) -> time_is_up = 1; goto end_time }
    fi;
#ifndef EXTEND_BLINDLY
    validate();
#else
    c = 0;
#endif
    if
    :: atomic { c -> doomed = 1; SAY(finds its read set changed); c = 0; y = 0 }
    :: atomic { !c -> b = y; y = 0 }
    fi
#endif
}

/* hk_pick: waits while a version is being committed. */
inline pick(r)
{
    found = 0;
    do
    :: found || doomed -> break
    :: !found && !doomed && level == 2 ->
        newest(r);
        if
        :: c == 1 ->
            if
            :: atomic { begins[v] != x || status[x - TAG] == ABORTED -> c = 0 } /* step: hk_pick */
            :: atomic { time_is_up -> goto end_time }
            fi
        :: else ->
            if
            :: atomic { after(b, x) -> found = 1; read_[me * 2 + r] = v - r * 4; did[r] = 1; SAY2(reads version %d of %d, v, x) } /* step: hk_pick */
            :: atomic { !after(b, x) -> SAY2(version %d of %d is uncertain, v, x) } extend(x)
            fi
        fi
    :: !found && !doomed && level == 1 -> /* hk_visible */
        atomic { v = head[r] } /* step: hk_head */
        do
        :: found || doomed || v == NONE -> break
        :: else ->
            atomic { touch(v); x = begins[v]; SAY2(version %d has begin %d, v, x) } /* step: hk_begin_of */
            if
            :: x < TAG ->
                if
                :: atomic { visible(b, x) -> found = 1; read_[me * 2 + r] = v - r * 4; did[r] = 1; SAY2(reads version %d of %d, v, x) } /* step: hk_visible [C6] */
                :: atomic { !visible(b, x) ->
#if defined UNCERTAIN && !defined ABORT_NOT
                    if
                    :: !after(x, b) -> doomed = 1; SAY(is uncertain and aborts)
                    :: else -> touch(v); v = older[v]
                    fi
#else
                    touch(v); v = older[v] /* step: hk_visible */
#endif
                }
                fi
            :: else ->
#if defined NO_C3_TAG || defined A1_NO_BUSY
                atomic { touch(v); v = older[v] } /* a version without a time compares as a large time */
#else
                if
                :: atomic { status[x - TAG] == ACTIVE || status[x - TAG] == ABORTED -> touch(v); v = older[v] } /* step: hk_status_of, hk_judge */
                :: atomic { status[x - TAG] == PREPARING || status[x - TAG] == COMMITTED -> SAY2(waits for version %d of transaction %d, v, x - TAG) }
                    if
                    :: atomic { begins[v] != x || status[x - TAG] == ABORTED -> v = NONE } /* step: hk_pick */
                    :: atomic { time_is_up -> goto end_time }
                    fi
                fi
#endif
            fi
        od
    od;
    v = 0; x = 0; c = 0; found = 0
}

/* hk_update, hk_replace, hk_claim, hk_current, hk_push */
inline update(r)
{
    if
    :: atomic { claim[r] == 0 -> claim[r] = me + 1; v = head[r]; x = begins[v]; SAY1(claims record %d, r) } /* step: hk_claim, hk_current */
    :: atomic { claim[r] && status[claim[r] - 1] == ACTIVE -> doomed = 1; SAY1(finds record %d claimed, r) } /* step: hk_claim */
    :: atomic { time_is_up -> goto end_time }
    fi;
    if
    :: !doomed ->
        if
        :: after(b, x)
        :: else -> w = v; extend(x); v = w; w = 0
        fi;
        if
        :: atomic { doomed -> claim[r] = 0 } /* step: hk_unclaim */
        :: atomic { !doomed -> /* step: hk_push */
            read_[me * 2 + r] = v - r * 4; did[r] = 2;
            older[r * 4 + 1 + me] = v; begins[r * 4 + 1 + me] = TAG + me;
            head[r] = r * 4 + 1 + me;
            SAY2(puts version %d above %d, r * 4 + 1 + me, v)
        }
        fi
    :: else
    fi;
    v = 0; x = 0
}

#define old_begin(r) (did[r] == 2 -> begins[r * 4 + read_[me * 2 + r]] : 0)
inline least_end()
{
#ifndef END_AFTER /* argument 4: no wait until the end is certainly after the overwritten versions */
    z = 0
#else
    atomic {
        z = b;
        if
        :: old_begin(0) > z -> z = old_begin(0)
        :: else
        fi;
        if
        :: old_begin(1) > z -> z = old_begin(1)
        :: else
        fi;
        z = z + B + 1
    }
#endif
}

inline clock_of_end()
{
    least_end();
    if
    :: atomic { could_show(z) -> barrier(); clock_from(e, z); z = 0; SAY1(takes its end %d, e) } /* step: hk_end_time */
    :: atomic { out_of_time(z) -> time_is_up = 1; goto end_time }
    fi
}

/* hk_pass: waits until some clock shows more than t + B. */
inline wait_until(least)
{
    if
    :: atomic { could_show(least) -> clock_from(y, least); y = 0; SAY1(has waited for %d, least) } /* step: hk_end_time, hk_pass [C5] */
    :: atomic { out_of_time(least) -> time_is_up = 1; goto end_time }
    fi
}

/* hk_end_time */
inline end_time_taken()
{
#ifdef C4_TIME_FIRST
    clock_of_end();
    atomic { store_status(PREPARING) }
#else
    atomic { store_status(PREPARING); SAY(announces that it commits) } /* step: hk_end_time, hk_set_state [C4] */
    clock_of_end();
#endif
#if !defined C5_NO_PASS && !defined UNCERTAIN
    atomic { c = era & 1; SAY1(finds era %d, era) } /* step: hk_has_snapshots, hk_end_time [C5 look] */
    if
    :: c -> c = 0; wait_until(e + B + 1) /* A3 */
    :: else
    fi
#endif
}

#ifdef SESSION
#define LAST(e) (e)
#else
#define LAST(e) 0
#endif
/* hk_publish */
inline publish(r)
{
    if
    :: did[r] == 2 ->
        /* step: hk_publish, hk_unclaim: one, since between the two others only wait */
        atomic { begins[r * 4 + 1 + me] = e; wrote[me * 2 + r] = 1; SAY2(version %d has begin %d, r * 4 + 1 + me, e); claim[r] = 0 }
    :: else
    fi
}

/* hk_roll_back */
inline roll_back(r)
{
    if
    :: did[r] == 2 ->
        atomic { head[r] = r * 4 + read_[me * 2 + r]; claim[r] = 0 } /* step: hk_roll_back, hk_unclaim */
    :: else
    fi
}

/* cc_look_around, cc_reclaim: frees the overwritten version once, if this is permitted. */
#ifdef C10_B
#define KEEP B
#else
#define KEEP (2 * B)
#endif
inline look_at(i)
{
    if
#ifdef C10_IDLE
    :: announced[i] == IDLE || announced[i] == ANNOUNCED
#else
    :: announced[i] == IDLE
#endif
    :: else -> y = (announced[i] < y -> announced[i] : y)
    fi
}
inline reclaim()
{
#ifdef C10_LOOK_FIRST
    y = 200;
    atomic { look_at(0) }
    atomic { look_at(1) }
    atomic { look_at(2) }
    atomic { barrier(); read_clock(x); y = (x < y -> x : y); x = 0 }
#else
    atomic { barrier(); read_clock(y); SAY1(scans the announcements at %d, y) } /* step: cc_look_around */
    atomic { look_at(0) } /* step: cc_announced */
    atomic { look_at(1) } /* step: cc_announced */
    atomic { look_at(2) } /* step: cc_announced */
#endif
    atomic {
        if
        :: y > KEEP + e && e -> /* step: cc_reclaim [C10] */
            if
            :: did[0] == 2 -> freed[read_[me * 2]] = 1; SAY2(frees version %d with horizon %d, read_[me * 2], y - KEEP)
            :: else
            fi;
            if
            :: did[1] == 2 -> freed[4 + read_[me * 2 + 1]] = 1; SAY2(frees version %d with horizon %d, 4 + read_[me * 2 + 1], y - KEEP)
            :: else
            fi
        :: else
        fi;
        y = 0
    }
}

/* hk_begin_snapshot: moves the begin b of a snapshot. The begin time of an era that began long ago does not
 * matter. */
inline begin_snapshot()
{
#if (defined COME || defined GO) && !defined UNCERTAIN && !defined C5_NO_COME
    z = 0;
#else
    z = 1;
#endif
    y = 0;
#ifndef C8_END
    y = last_end;
#endif
    w = 0;
    do
    :: z == 1 && (y == 0 || after(b, y)) -> break
    :: z == 1 && y && !after(b, y) ->
        if
        :: atomic { could_show(y + B + 1) -> clock_from(x, y + B + 1); b = x; x = 0; SAY1(begins at %d, b); last_begin = LAST(b) } /* step: hk_begin_snapshot [C5 come] */
        :: atomic { out_of_time(y + B + 1) -> time_is_up = 1; goto end_time }
        fi;
#if (defined COME || defined GO) && !defined UNCERTAIN && !defined C5_NO_COME && !defined C5_ONCE
        z = 0
#endif
    :: z == 0 ->
        atomic { /* step: hk_begin_snapshot, hk_enter_era [C5 come] */
            if
            :: era & 1 && era == w -> z = 1; SAY1(finds era %d again, era)
            :: !(era & 1) -> flush_buffer(); era++; w = era; z = 2; SAY1(begins era %d, era)
            :: era & 1 && era != w -> w = era; z = 2; SAY1(finds era %d, era)
            fi
        }
        if
        :: z == 2 ->
            atomic { barrier(); read_clock(x); z = 1 } /* step: hk_enter_era [C5 come] */
#ifndef C5_COME_NOW
            x = x + B;
#endif
            atomic { y = (x > y -> x : y); x = 0 }
        :: else
        fi
    od;
    atomic { y = 0; z = 0; w = 0 }
}

/* hk_end_era: at any time, once. */
#ifdef GO
active proctype go()
{
    byte me = 9;
    atomic { era & 1 -> era++; SAY1(begins era %d, era) } /* step: hk_end_era [C5 go] */
}
#endif

/* Begins a transaction that reads by its begin: it announces itself, then takes its time. */
inline enter()
{
#ifdef RECLAIM
#ifdef C2_TIME_FIRST
    atomic { read_clock(b); SAY1(begins at %d, b) }
    atomic { store_active(ANNOUNCED) }
#else
    atomic { store_active(ANNOUNCED); SAY(announces itself) } /* step: cc_enter [C2] */
    atomic { barrier(); read_clock(b); SAY1(begins at %d, b) } /* step: cc_enter [C2] */
#endif
    atomic { store_active(b) } /* step: cc_enter */
#else
    atomic { barrier(); read_clock(b); SAY1(begins at %d, b) } /* step: cc_enter [C2] */
#endif
}

/* Begins a transaction that reads the newest versions: it announces itself with an earlier time. */
inline enter_newest()
{
    atomic { read_clock(b); SAY1(begins at %d, b) } /* step: cc_enter_newest [C2 newest] */
#if defined RECLAIM && !defined C2_SILENT
    atomic { store_active(b); barrier() } /* step: cc_enter_newest [C2 newest] */
#elif defined TSO
    atomic { barrier() }
#endif
#if defined EXTERNAL || defined SESSION
    atomic { note_before() } /* the read may be as early as this, because the clock is not ordered after anything */
#endif
}

/* hk_begin */
#if defined EXTERNAL || defined SESSION
#define RETURN(t) (1 << (t))
#else
#define RETURN(t) 0
#endif
/* Notes the transactions that had returned before this one began. */
inline note_before()
{
#if defined EXTERNAL
    before[me] = returned
#elif defined SESSION /* the previous transaction of the same worker */
    before[me] = (me == 1 -> returned & 1 : 0)
#else
    skip
#endif
}

inline begin()
{
    if
    :: level == 1 -> atomic { note_before() } enter()
    :: else -> enter_newest()
    fi;
#ifndef C8_BEGIN
    atomic { /* step: hk_begin [C8] */
        if
        :: last_begin > b -> b = last_begin
        :: else
        fi
    }
#endif
#ifdef SESSION
    last_begin = b;
#endif
    if
    :: level == 1 -> begin_snapshot()
    :: else
    fi
}

inline transaction(mask)
{
    atomic {
        if
        :: mask & 1 -> level = 1; op[0] = 1; op[1] = 1
        :: mask & 2 -> level = 2; if :: op[0] = 1 :: op[0] = 2 fi; if :: op[1] = 1 :: op[1] = 2 fi
        :: mask & 4 -> level = 2; op[0] = 2; op[1] = 0
        :: mask & 8 -> level = 2; op[0] = 1; op[1] = 2
        :: mask & 16 -> level = 2; op[0] = 2; op[1] = 1
        :: mask & 32 -> level = 2; op[0] = 2; op[1] = 2
        :: mask & 64 -> level = 2; op[0] = 0; op[1] = 0
        fi;
        if
        :: first = 0
        :: me != FIXED && !(mask & 4) -> first = 1
        fi;
        did[0] = 0; did[1] = 0; e = 0; doomed = 0
    }
    begin();
    n = 0;
    do
    :: n < 2 && !doomed ->
        r = (n -> 1 - first : first);
        if
        :: op[r] == 1 -> pick(r)
        :: op[r] == 2 -> update(r)
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0; r = 0;
    if
    :: !doomed && (did[0] == 2 || did[1] == 2) -> /* hk_commit_writes */
        end_time_taken();
        if
        :: did[0] == 1 || did[1] == 1 ->
#ifdef A2_NO_VALIDATION
            c = 0;
#else
            validate();
#endif
            if
            :: c -> atomic { doomed = 1; c = 0; SAY(finds its read set changed) }
            :: else
            fi
        :: else
        fi;
#ifdef EXTERNAL
        if
        :: !doomed -> wait_until(e + EXTERNAL * B + 1) /* A7: settled */
        :: else
        fi;
#endif
        if
        :: !doomed ->
            atomic { store_status(COMMITTED); last_end = LAST(e); SAY(is COMMITTED) } /* step: hk_commit_writes, hk_set_state */
            publish(0);
            publish(1)
        :: else
        fi
    :: else
    fi;
    if
    :: doomed ->
        atomic { flush_buffer(); status[me] = ABORTED; aborted_[me] = 1; SAY(is ABORTED) } /* step: hk_roll_back, hk_set_state */
        roll_back(0);
        roll_back(1);
        did[0] = 0; did[1] = 0
    :: else ->
        atomic { flush_buffer(); status[me] = COMMITTED; returned = returned | RETURN(me); SAY(returns) } /* step: hk_commit */
    fi;
#ifdef RECLAIM
    atomic { store_active(IDLE) } /* step: cc_exit */
    if
    :: did[0] == 2 || did[1] == 2 -> reclaim()
    :: else
    fi;
#endif
    atomic {
        did[0] = 0; did[1] = 0; b = 0; e = 0; level = 0; first = 0; op[0] = 0; op[1] = 0;
        if
        :: doomed -> read_[me * 2] = NONE; read_[me * 2 + 1] = NONE
        :: else
        fi;
        doomed = 0; ended++
    }
    if
    :: ended == 3 ->
#ifdef REACH
        assert(!(committed(0) && committed(1) && committed(2))); /* reachable: must be found */
#endif
        check_graph()
    :: else
    fi
}

proctype worker(byte me)
{
    byte last_begin, last_end, level, b, e, v, w, x, y, z, c, k, n, r, first, i, j;
    short graph;
    byte op[2], did[2];
    bit doomed, found;
    byte mask;

next:
    atomic { mask = (me == 0 -> O0 : (me == 1 -> O1 : O2)) }
    transaction(mask);
#ifdef SESSION
    if
    :: me == 0 -> me = 1; goto next
    :: else
    fi;
#endif
end_time:
    false
}

init
{
    atomic {
        head[1] = 4;
        begins[0] = 0; begins[4] = 0;
        older[0] = NONE; older[4] = NONE;
        run worker(0);
#ifndef SESSION
        run worker(1);
#endif
        run worker(2)
    }
}
