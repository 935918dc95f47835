/* RLU: the steps of include/ordo/cc/rlu.h, one for each access to memory that other threads can see. Each step names
 * the function and, in brackets, the condition of RLU that it keeps; tests/proof/steps.sh compares both with the
 * code.
 *
 * Three threads, two objects; with JOIN thread 2 joins while the others run. Thread i makes Si sections, each of a kind
 * in its mask Oi:
 *    1  reads both objects in either order
 *    2  writes both objects (PAIR); or thread 1 reads object 0 and writes object 1, and the others write object 0 (NEST)
 *    4  writes as with 2, except for the last section, which reads
 *
 * Checked with PAIR: both objects are equal for every section, and stay equal. With NEST: the sets of commits that any
 * two sections see are nested, and a section that sees a commit also sees the values that the commit had read. Always:
 * a commit that has returned is seen; no memory is read while it is reused (POISON), or after it was freed; no thread
 * waits for ever (the search looks for invalid end states).
 *
 * TSO: the stores that announce (run, word) wait in a buffer until some later moment, in their order; a locked access
 * or a full read of the clock waits for them. Other stores are visible at once.
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
#define O0 3
#endif
#ifndef O1
#define O1 3
#endif
#ifndef O2
#define O2 3
#endif
#ifndef DEFER
#define DEFER 1
#endif

#define INF 255
#define ANNOUNCED 254
#define POISON 99
#define LOG (me * 2 + gen)

byte section[3], mark[3], time_[3];
bit used[3], wanted[3];
byte word[6] = INF;
byte hdr[2];     /* 0: unlocked; otherwise 1 + log */
byte master[2];
byte copies[12]; /* index: log and object */
byte run_buffer[3], word_buffer[3]; /* TSO: 1 + value; 1 + log */

/* For the checks. */
byte returned[2];
byte rested[4]; /* NEST: the value that the writer of object 1's value had read */
short seen;     /* NEST: bit v0 * 4 + v1 */
byte ended;

#ifdef TSO
#define flush_buffer()                                                                                                 \
    if                                                                                                                 \
    :: run_buffer[me] -> section[me] = run_buffer[me] - 1; run_buffer[me] = 0                                              \
    :: else                                                                                                            \
    fi;                                                                                                                \
    if                                                                                                                 \
    :: word_buffer[me] -> word[word_buffer[me] - 1] = ANNOUNCED; word_buffer[me] = 0                                   \
    :: else                                                                                                            \
    fi
#define store_run(v) flush_run(); run_buffer[me] = (v) + 1
#define flush_run() if :: run_buffer[me] -> section[me] = run_buffer[me] - 1 :: else fi
#define store_announced(l) word_buffer[me] = (l) + 1

active proctype buffers()
{
    byte me = 9;
end:
    do
    :: atomic { run_buffer[0] -> section[0] = run_buffer[0] - 1; run_buffer[0] = 0; SAY(the store to run of thread 0 becomes visible) }
    :: atomic { run_buffer[1] -> section[1] = run_buffer[1] - 1; run_buffer[1] = 0; SAY(the store to run of thread 1 becomes visible) }
    :: atomic { run_buffer[2] -> section[2] = run_buffer[2] - 1; run_buffer[2] = 0; SAY(the store to run of thread 2 becomes visible) }
    :: atomic { word_buffer[0] && !run_buffer[0] -> word[word_buffer[0] - 1] = ANNOUNCED; word_buffer[0] = 0; SAY(the announcement of thread 0 becomes visible) }
    :: atomic { word_buffer[1] && !run_buffer[1] -> word[word_buffer[1] - 1] = ANNOUNCED; word_buffer[1] = 0; SAY(the announcement of thread 1 becomes visible) }
    :: atomic { word_buffer[2] && !run_buffer[2] -> word[word_buffer[2] - 1] = ANNOUNCED; word_buffer[2] = 0; SAY(the announcement of thread 2 becomes visible) }
    od
}
#else
#define flush_buffer() skip
#define store_run(v) section[me] = v
#define store_announced(l) word[l] = ANNOUNCED
#endif

#ifdef CLOCK_NOT_FULL
#define full_clock(v) read_clock(v) /* earlier stores stay in the buffer, even an announcement that is no exchange */
#else
#define full_clock(v) flush_buffer(); read_clock(v)
#endif

#ifdef C6_STEAL
#define sees(w) (L > (w))
#else
#define sees(w) after(L, w)
#endif
#ifdef C6_WAIT
#define is_past(t, w) ((t) > (w))
#else
#define is_past(t, w) after(t, w)
#endif

/* The time for which a marked section waits. */
#if defined C5_NO_AFTER || defined WRITER_WAIT
#define LEAST(w) 0
#elif defined C5_WAIT_W
#define LEAST(w) ((w) + 1)
#else
#define LEAST(w) ((w) + B + 1)
#endif

/* ordo_rlu_mark */
inline set_mark(r, w, was)
{
#ifdef C2_MARKS_DO_NOT_ADD_UP
    was = mark[r]; mark[r] = w
#else
    was = mark[r];
    if
    :: mark[r] < w -> mark[r] = w
    :: else
    fi
#endif
}

/* The clock read, and ordo_rlu_stamp for the thread's own log or for a log that it helps. The exchange that announces
 * empties the buffer; this is the flush before the clock read. */
inline stamp(log, w)
{
    atomic { full_clock(w); SAY1(reads the clock for the commit: %d, w) } /* step: ordo_rlu_stamp [C4] */
    atomic {                                                              /* step: ordo_rlu_stamp */
        flush_buffer();
        if
        :: word[log] == ANNOUNCED -> word[log] = w; SAY2(log %d has time %d, log, w)
        :: else -> w = word[log]; SAY2(log %d has time %d already, log, w)
        fi
    }
}

/* ordo_rlu_quiesce */
inline quiesce(w)
{
    alone = 1;
    r = 0;
    do
    :: r == 3 -> break
    :: r == me -> r++
    :: r < 3 && r != me ->
        if
        :: atomic { !used[r] -> r++ } /* step: ordo_rlu_quiesce */
        :: atomic { used[r] -> alone = 0; x = 0 };
#ifdef C2_SAMPLE_FIRST
            atomic { x = section[r]; SAY2(finds run %d of thread %d, x, r) }
#endif
#ifndef C2_NO_MARK
            atomic { flush_buffer(); set_mark(r, w, y); SAY2(marks thread %d with %d, r, w) } /* step: ordo_rlu_mark [C2 mark] [C7] */
#endif
#ifdef C7_UNIQUE
            if
            :: y >= w && y -> x = 0
            :: else -> atomic { x = section[r]; SAY2(finds run %d of thread %d, x, r) }
            fi;
#else
#ifndef C2_SAMPLE_FIRST
            atomic { x = section[r]; SAY2(finds run %d of thread %d, x, r) } /* step: ordo_rlu_pass [C2 sample] */
#endif
#endif
#ifndef C5_NO_WAIT
            if
            :: atomic { !(x & 1) || section[r] != x || is_past(time_[r], w) -> SAY1(need not wait for thread %d any longer, r) } /* step: ordo_rlu_wait_reader [C5 wait] */
            :: atomic { time_is_up -> goto end_time }
            fi;
#endif
            r++
        fi
    od;
#ifndef C2_NO_SELF
    if
    :: alone
    :: else -> atomic { flush_buffer(); set_mark(me, w, y); SAY1(marks itself with %d, w) } /* step: ordo_rlu_quiesce [C2 self] */
    fi;
#endif
    y = 0
}

/* ordo_rlu_write_back */
inline write_back()
{
    i = 0;
    do
    :: i == 2 -> break
    :: i < 2 ->
        if
        :: own[i] ->
            atomic {
                master[i] = copies[LOG * 2 + i]; SAY2(writes object %d back: %d, i, master[i])
            } /* step: ordo_rlu_write_back */
            atomic { hdr[i] = 0; own[i] = 0; SAY1(unlocks object %d, i) } /* step: ordo_rlu_write_back */
        :: else
        fi;
        i++
    od
}

/* ordo_rlu_flush_log */
inline flush_log()
{
#ifdef C4_STAMP_FIRST
    atomic { full_clock(w); SAY1(reads the clock for the commit: %d, w) }
    atomic { word[LOG] = w }
#else
    atomic { store_announced(LOG); SAY1(announces log %d, LOG) } /* step: ordo_rlu_flush_log [C4] */
    stamp(LOG, w);
#endif
#ifdef WRITER_WAIT /* as in the paper: the writer waits instead of the readers */
    if
    :: atomic { could_show(w + WRITER_WAIT * B + 1) -> flush_buffer(); clock_from(x, w + WRITER_WAIT * B + 1); SAY1(has waited until a clock shows %d, x); x = 0 }
    :: atomic { out_of_time(w + WRITER_WAIT * B + 1) -> time_is_up = 1; goto end_time }
    fi;
#endif
    quiesce(w);
    write_back();
    atomic { /* step: ordo_rlu_flush_log [C10] */
#ifndef C10_ONE_GENERATION
        gen = 1 - gen;
#endif
        copies[LOG * 2] = POISON; copies[LOG * 2 + 1] = POISON;
        word[LOG] = INF;
        SAY1(goes on with log %d, LOG);
        if
        :: changed[0] -> returned[0] = returned[0] + changed[0]; changed[0] = 0
        :: else
        fi;
        if
        :: changed[1] -> returned[1] = returned[1] + changed[1]; changed[1] = 0
        :: else
        fi;
        pending = 0; w = 0; x = 0; r = 0; i = 0; alone = 0
    }
}

/* ordo_rlu_announce */
#ifdef ANNOUNCE_RELEASE
#define announce()                                                                                                     \
    atomic { store_run(myrun + 1); myrun++; expected[0] = returned[0]; expected[1] = returned[1]; SAY1(announces section %d, myrun) }
#else
#define announce()                                                                                                     \
    atomic { flush_buffer(); section[me] = myrun + 1; myrun++; expected[0] = returned[0]; expected[1] = returned[1]; SAY1(announces section %d, myrun) } /* step: ordo_rlu_announce [C2 announce] */
#endif

/* ordo_rlu_reader_lock, ordo_rlu_refresh. The clock is read before the first object, and not ordered after anything. So
 * with EARLY it may have been read before the section was announced. */
inline reader_lock()
{
#ifdef EARLY
    if
    :: skip
    :: atomic { read_clock(ahead); SAY1(reads the clock ahead of the announcement: %d, ahead) }
    fi;
#endif
#ifdef C2_LOOK_FIRST
    atomic { x = mark[me]; y = wanted[me] }
    announce();
#else
    announce();
    atomic { x = mark[me]; y = wanted[me]; SAY1(finds its mark %d, x) } /* step: ordo_rlu_reader_lock [C2 look] */
#endif
    if
    :: y && pending ->
        atomic { store_run(myrun + 1); myrun++ } /* step: ordo_rlu_refresh */
        flush_log();
        announce();
        x = mark[me] || 1
    :: else
    fi;
    if
    :: x || y ->
#ifdef LOAD_EARLY
        atomic { early = hdr[first] + 1 }
#endif
        atomic { flush_buffer(); w = mark[me]; mark[me] = 0; wanted[me] = 0; SAY1(consumes its mark %d, w) } /* step: ordo_rlu_refresh */
        if
        :: w == 0
        :: else ->
#ifdef C9_STALE
            atomic { full_clock(x) }
            if
            :: after(x, w)
            :: time_is_up -> goto end_time
            fi;
#else
            if
#ifdef EARLY
            :: atomic { ahead && ahead >= LEAST(w) -> x = ahead }
#endif
            :: atomic { could_show(LEAST(w)) -> clock_from(x, LEAST(w)); SAY1(reads the clock: %d, x) } /* step: ordo_rlu_refresh [C2 time] [C5 after] [C9 fresh] */
            :: atomic { out_of_time(LEAST(w)) -> time_is_up = 1; goto end_time }
            fi;
#endif
            atomic { /* step: ordo_rlu_refresh [C8] */
#ifdef C8_LATER
                time_[me] = x; SAY1(publishes its time %d, time_[me]);
#else
                if
                :: x > time_[me] -> time_[me] = x; SAY1(publishes its time %d, x)
                :: else
                fi;
#endif
                L = time_[me]
            }
        fi
    :: else
    fi;
#ifdef EARLY
    ahead = 0;
#endif
    x = 0; y = 0; w = 0
}

/* ordo_rlu_dereference, ordo_rlu_sees: p is 0 for the master, 1 + log for a copy. */
inline dereference(o, p)
{
#ifdef LOAD_EARLY
    if
    :: early && o == first -> p = early - 1; early = 0
    :: else -> p = hdr[o]
    fi;
#else
    atomic { p = hdr[o]; SAY2(object %d shows %d, o, p) } /* step: ordo_rlu_dereference */
#endif
    if
    :: p == 0
    :: p && (p - 1) / 2 == me
    :: else ->
        atomic { w = word[p - 1]; SAY2(log %d shows %d, p - 1, w) } /* step: ordo_rlu_sees */
        if
        :: w == ANNOUNCED ->
#ifdef C4_NO_HELP
            w = INF
#else
            stamp(p - 1, w) /* step: ordo_rlu_sees [C4 help] */
#endif
        :: else
        fi;
        if
        :: atomic { sees(w) -> SAY1(steals the copy of %d, p - 1) } /* step: ordo_rlu_sees [C3] [C6] */
        :: atomic { else -> p = 0; SAY1(takes the master of %d, o) }
        fi;
        w = 0
    fi
}

#define value(p, o) (p -> copies[(p - 1) * 2 + o] : master[o])

/* ordo_rlu_try_lock, and the change of the object: x is 1 if it succeeds. This is one step, for two reasons: if the
 * header changes between the load and the exchange, the exchange fails as the load would have failed; and no thread
 * reads the copy before the copy is announced. */
inline lock_and_change(o)
{
    atomic { /* step: ordo_rlu_try_lock */
        if
        :: hdr[o] && (hdr[o] - 1) / 2 != me -> wanted[(hdr[o] - 1) / 2] = (DEFER > 1); x = 0; SAY1(finds object %d locked, o)
        :: else ->
            if
            :: hdr[o] == 0 -> flush_buffer(); hdr[o] = LOG + 1; own[o] = 1; fresh[o] = 1; copies[LOG * 2 + o] = master[o]
            :: else /* pending: the copy is the same, and an abort restores its value */
            fi;
            x = 1; mine[o] = mine[o] + 1; copies[LOG * 2 + o] = copies[LOG * 2 + o] + 1;
            SAY2(locks object %d and changes its copy to %d, o, copies[LOG * 2 + o])
        fi
    }
}

/* ordo_rlu_undo */
inline undo(o)
{
    if
    :: mine[o] -> copies[LOG * 2 + o] = copies[LOG * 2 + o] - mine[o]; mine[o] = 0
    :: else
    fi;
    if
    :: fresh[o] -> atomic { hdr[o] = 0; own[o] = 0; SAY1(gives object %d back, o) } /* step: ordo_rlu_undo */
    :: else
    fi
}

/* Ends a section that wrote: x is 1 if the section has locked all its objects. */
inline end_writing()
{
    if
    :: x ->
        atomic { store_run(myrun + 1); myrun++; SAY(ends its section) } /* step: ordo_rlu_reader_unlock */
        atomic { /* step: ordo_rlu_finish_section */
            changed[0] = changed[0] + mine[0]; changed[1] = changed[1] + mine[1];
            mine[0] = 0; mine[1] = 0; fresh[0] = 0; fresh[1] = 0; x = 0; pending++
        }
        if
        :: pending >= DEFER || wanted[me] -> flush_log()
        :: else
        fi
    :: else ->
        undo(0);
        undo(1);
        fresh[0] = 0; fresh[1] = 0;
        atomic { store_run(myrun + 1); myrun++; SAY(aborts) } /* step: ordo_rlu_abort */
    fi
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

inline section_reads()
{
    reader_lock();
    dereference(first, p);
    atomic { u = value(p, first); SAY2(reads object %d: %d, first, u); assert(u != POISON) }
    dereference(1 - first, q);
    atomic {
        v = value(q, 1 - first);
        SAY2(reads object %d: %d, 1 - first, v);
        assert(v != POISON);
        assert(u == value(p, first)); /* the value that was read has changed */
#ifdef PAIR
        assert(u == v);               /* torn */
        assert(DEFER > 1 || u >= expected[0]); /* returned, and not seen */
#endif
#ifdef NEST
        if
        :: first -> y = u; u = v; v = y; y = 0
        :: else
        fi;
#if DEFER == 1
        assert(u >= expected[0] && v >= expected[1]);
        check_seen(u, v);
#endif
        assert(u >= rested[v] || pending); /* sees a commit, but not the value that the commit had read */
#endif
        u = 0; v = 0; p = 0; q = 0; first = 0
    }
    atomic { store_run(myrun + 1); myrun++; SAY(ends its section) } /* step: ordo_rlu_reader_unlock */
}

inline section_writes()
{
    reader_lock();
#ifdef NEST
    if
    :: me == 1 ->
        dereference(0, p);
        atomic { u = value(p, 0); p = 0; SAY1(reads object 0: %d, u) }
        lock_and_change(1);
        if
        :: x -> rested[copies[LOG * 2 + 1]] = u
        :: else
        fi;
        u = 0
    :: else -> lock_and_change(0)
    fi;
#else
    lock_and_change(0);
    if
    :: x -> lock_and_change(1)
    :: else
    fi;
#endif
    end_writing()
}

proctype thread(byte me; byte sections; byte mask)
{
    byte myrun, L, gen, pending;
    byte own[2], fresh[2], mine[2], changed[2], expected[2];
    byte w, x, y, u, v, p, q, r, i, first;
    bit alone;
#ifdef LOAD_EARLY
    byte early;
#endif
#ifdef EARLY
    byte ahead;
#endif

#ifdef JOIN
    if
    :: me == 2 -> /* joins late */
#ifdef C5_JOIN_EARLY
        atomic { full_clock(x); SAY1(reads the clock to join: %d, x) }
        atomic { flush_buffer(); used[me] = 1; SAY(can be found) }
#else
        atomic { flush_buffer(); used[me] = 1; SAY(can be found) } /* step: ordo_rlu_thread_reuse */
        atomic { full_clock(x); SAY1(reads the clock to join: %d, x) } /* step: ordo_rlu_thread_init [C5 join] */
#endif
#if defined C5_NO_JOIN
#elif defined C5_JOIN_OWN
        atomic { set_mark(me, x, y); SAY1(marks itself with %d, x) }
#else
        atomic { set_mark(me, x + B, y); SAY1(marks itself with %d, x + B) } /* step: ordo_rlu_thread_init [C5 join] */
#endif
        x = 0; y = 0
    :: else
    fi;
#endif
    do
    :: sections == 0 -> break
    :: sections && ((mask & 1) || (mask == 4 && sections == 1)) -> atomic { sections--; if :: first = 0 :: first = 1 fi }; section_reads()
    :: sections && ((mask & 2) || (mask == 4 && sections > 1)) -> atomic { sections--; first = 0 }; section_writes()
    od;
    if
    :: pending -> flush_log() /* step: ordo_rlu_thread_finish */
    :: else
    fi;
    atomic {
        ended++;
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
        used[0] = 1; used[1] = 1;
#ifndef JOIN
        used[2] = 1;
#endif
        run thread(0, S0, O0);
        run thread(1, S1, O1);
        run thread(2, S2, O2)
    }
}
