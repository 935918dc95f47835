/* The engines with a single version: the steps of lib/cc/txn/single/, one for each access to memory that other threads
 * can see. SCHEME is OCC (occ.h), SILO (silo.h) or TICTOC (tictoc.h).
 *
 * Three transactions over two records. Each visits the records in either order. Its mask Oi has a bit for each kind
 * that it may be:
 *    1   reads both records
 *    2   reads or updates each record
 *    4   updates record 0
 *    8   reads record 0 and updates record 1
 *    16  updates record 0 and reads record 1
 *    32  updates both records
 *    64  does nothing
 *
 * Checked when all transactions have ended: the conflict graph of the committed ones has no cycle; with EXTERNAL the
 * graph includes the order of real time. Always checked: a record that is read was committed.
 */
#define OCC 1
#define SILO 2
#define TICTOC 3
#ifndef SCHEME
#define SCHEME OCC
#endif
#ifndef START
#define START (B + 1)
#endif
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
#define FIXED 9
#endif

byte word[2];  /* OCC: time; Silo: number; TicToc: begin of validity */
byte until[2]; /* TicToc: end of validity */
byte lock[2];  /* 1 + transaction */
byte data[2];  /* slot of the writer */

#ifdef C6_RAW
#define before_start(x) (start > (x))
#else
#define before_start(x) after(start, x)
#endif

#ifdef LOCK_IGNORED
#define IGNORED(r)
#else
#define IGNORED(r) && (!lock[r] || (holds && did[r] == 2))
#endif
/* sv_validate, sv_validate_read: c is 1 if a read has changed. */
inline validate_one(r)
{
    if
    :: did[r] && !c ->
        atomic {
#if SCHEME == OCC
            c = !(before_start(word[r]) IGNORED(r)) /* step: sv_unchanged, sv_validate_read [C6] */
#elif SCHEME == SILO
            c = !(word[r] == was[r] IGNORED(r)) /* step: sv_validate_read */
#else
            if /* step: sv_validate_read */
#ifdef READ_VALIDITY_IGNORED
            :: word[r] == was[r] -> skip
#else
            :: was_until[r] >= value -> skip
            :: was_until[r] < value && word[r] != was[r] -> c = 1
            :: was_until[r] < value && word[r] == was[r] ->
                if
                :: until[r] >= value -> skip
                :: until[r] < value && lock[r] -> c = !(holds && did[r] == 2)
                :: until[r] < value && !lock[r] -> until[r] = value; SAY2(makes record %d valid to %d, r, value)
                fi
#endif
            fi
#endif
        }
    :: else
    fi
}
inline validate()
{
    c = 0;
#ifndef NO_VALIDATION
    validate_one(0);
    validate_one(1)
#endif
}

/* sv_copy, sv_fetch, sv_admit */
inline fetch(r)
{
    do
    :: atomic { lock[r] == 0 -> x = word[r]; u = until[r]; SAY2(record %d has word %d, r, x) } /* step: sv_copy, sv_word */
        atomic { d = data[r]; SAY2(copies record %d of slot %d, r, d) } /* step: sv_copy */
#ifndef ONE_LOOK
        if
        :: atomic { word[r] == x && !lock[r] -> break } /* step: sv_copy, sv_version */
        :: atomic { word[r] != x || lock[r] -> skip }
        fi
#else
        break
#endif
    :: atomic { time_is_up -> goto end_time }
    od;
#if SCHEME == OCC
    if
    :: before_start(x)
    :: else ->
        z = (x > start -> x : start) + B + 1;
        if
        :: atomic { could_show(z) -> clock_from(y, z); z = 0; SAY1(extends to %d, y) } /* step: sv_admit */
        :: atomic { out_of_time(z) -> time_is_up = 1; goto end_time }
        fi;
#ifdef EXTEND_BLINDLY
        c = 0;
#else
        validate();
#endif
        if
        :: c
        :: else ->
            atomic { start = y; c = (word[r] != x); y = 0 } /* step: sv_fetch */
        fi;
        doomed = c; c = 0; y = 0
    fi;
#endif
    atomic { read_[me * 2 + r] = d; was[r] = x; was_until[r] = u; did[r] = op[r]; d = 0; x = 0; u = 0 }
}

/* sv_lock_all */
inline lock_one(r)
{
    if
    :: did[r] == 2 ->
        if
        :: atomic { lock[r] == 0 -> lock[r] = me + 1; SAY1(locks record %d, r) } /* step: sv_try_lock, sv_lock_all */
        :: atomic { time_is_up -> goto end_time }
        fi
    :: else
    fi
}

#define until_of(r) (did[r] == 2 -> UNTIL(r) : 0)
#if SCHEME == TICTOC
#define UNTIL(r) until[r]
#else
#define UNTIL(r) word[r]
#endif

/* sv_commit_value: z is the lower limit of the value */
inline commit_value()
{
    atomic {
#if SCHEME == OCC
        z = start;
#else
        z = 0;
#endif
        if :: until_of(0) > z -> z = until_of(0) :: else fi;
        if :: until_of(1) > z -> z = until_of(1) :: else fi;
#if SCHEME == SILO
        if :: did[0] && was[0] > z -> z = was[0] :: else fi;
        if :: did[1] && was[1] > z -> z = was[1] :: else fi;
        value = z + 1;
#elif SCHEME == TICTOC
        value = (did[0] == 2 || did[1] == 2 -> z + 1 : 0);
        if :: did[0] && was[0] > value -> value = was[0] :: else fi;
        if :: did[1] && was[1] > value -> value = was[1] :: else fi;
#endif
#ifdef END_NOW
        z = 0
#else
        z = z + B + 1
#endif
    }
#if SCHEME == OCC
    if
    :: atomic { could_show(z) -> clock_from(value, z); SAY1(takes its time %d, value) } /* step: sv_commit_value */
    :: atomic { out_of_time(z) -> time_is_up = 1; goto end_time }
    fi;
#endif
    z = 0
}

/* sv_install */
inline install(r)
{
    if
    :: did[r] == 2 ->
        atomic { data[r] = me + 1; SAY1(writes record %d, r) } /* step: sv_install */
        atomic { word[r] = value; until[r] = value; lock[r] = 0; wrote[me * 2 + r] = 1; SAY2(unlocks record %d with word %d, r, value) } /* step: sv_unlock, sv_install */
    :: else
    fi
}

proctype worker(byte me; byte mask)
{
    byte start, d, u, x, y, z, c, n, r, first, i, j, value;
    short graph;
    byte op[2], did[2], was[2], was_until[2];
    bit doomed, holds;

    atomic {
        if
        :: mask & 1 -> op[0] = 1; op[1] = 1
        :: mask & 2 -> if :: op[0] = 1 :: op[0] = 2 fi; if :: op[1] = 1 :: op[1] = 2 fi
        :: mask & 4 -> op[0] = 2; op[1] = 0
        :: mask & 8 -> op[0] = 1; op[1] = 2
        :: mask & 16 -> op[0] = 2; op[1] = 1
        :: mask & 32 -> op[0] = 2; op[1] = 2
        :: mask & 64 -> op[0] = 0; op[1] = 0
        fi;
        if
        :: first = 0
        :: me != FIXED && !(mask & 4) -> first = 1
        fi
    }
    atomic { /* step: sv_begin, cc_enter [C8] */
        skip;
#if defined EXTERNAL
        before[me] = returned;
#endif
#if SCHEME == OCC
        read_clock(start); SAY1(starts at %d, start)
#endif
    }
    do
    :: n < 2 && !doomed ->
        r = (n -> 1 - first : first);
        if
        :: op[r] -> fetch(r)
        :: else
        fi;
        n++
    :: else -> break
    od;
    n = 0; r = 0;
    if
    :: !doomed && (did[0] == 2 || did[1] == 2) -> /* sv_commit_writes */
#ifdef C4_TIME_FIRST
        commit_value();
#endif
        lock_one(0);
        lock_one(1);
        holds = 1;
#ifndef C4_TIME_FIRST
        commit_value();
#endif
        validate();
        if
        :: c ->
            atomic { doomed = 1; c = 0; SAY(finds its read set changed) }
            if :: did[0] == 2 -> atomic { lock[0] = 0 } :: else fi; /* step: sv_unlock_all */
            if :: did[1] == 2 -> atomic { lock[1] = 0 } :: else fi  /* step: sv_unlock_all */
        :: else ->
            atomic { status[me] = COMMITTED }
            install(0);
            install(1)
        fi
    :: !doomed && did[0] != 2 && did[1] != 2 ->
#if SCHEME != OCC
        commit_value(); /* sv_commit_reads */
        validate();
        doomed = c;
        c = 0
#else
        skip /* sv_valid_at_start */
#endif
    :: else
    fi;
    atomic {
        if
        :: doomed -> aborted_[me] = 1; read_[me * 2] = NONE; read_[me * 2 + 1] = NONE; SAY(is aborted)
        :: else -> status[me] = COMMITTED; SAY(returns)
#ifdef EXTERNAL
            returned = returned | (1 << me)
#endif
        fi;
        did[0] = 0; did[1] = 0; op[0] = 0; op[1] = 0; was[0] = 0; was[1] = 0; was_until[0] = 0; was_until[1] = 0;
        start = 0; value = 0; first = 0; doomed = 0; holds = 0; ended++
    }
    if
    :: ended == 3 ->
#ifdef REACH
        assert(!(committed(0) && committed(1) && committed(2))); /* reachable: must be found */
#endif
        check_graph()
    :: else
    fi;
end_time:
    false
}

init
{
    atomic { run worker(0, O0); run worker(1, O1); run worker(2, O2) }
}
