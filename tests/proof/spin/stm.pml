/* TL2: the steps of include/ordo/cc/stm/, one for each access to memory that other threads can see. epoch.pml has the
 * reclamation of memory (C10).
 *
 * Three transactions over two words; each word has its own stripe. Each transaction has a thread of its own or, with
 * TWO, thread 0 runs transactions 0 and 2, one after the other. With OWNED thread 0 was the last to write word 0. Each
 * transaction visits the words in either order. Its mask Oi has a bit for each kind that it may be:
 *    0    transaction 2 is left out
 *    1    reads both words
 *    2    reads, writes or updates each word
 *    4    updates word 0
 *    8    reads word 0 and writes word 1
 *    16   writes word 0 and reads word 1
 *    32   writes both words
 *    64   updates both words
 *    128  writes one of the words
 * With CARRY a thread may have read its begin long before. With TOKEN the threads in that mask may become irrevocable,
 * before or after their first read. With SNAPSHOT transaction 1 is a snapshot; saved values stay for ever. With ELASTIC
 * transaction 0 is elastic, whatever O0 is: it reads one word; perhaps the other, and then perhaps the first again; holds;
 * perhaps reads any word; and perhaps writes any word. In the graph it is its last two reads before it holds, and what
 * follows. If O2 is 0, transaction 2 is its first two reads. Not with TOKEN, TWO or SNAPSHOT.
 *
 * Checked at every read and store: the graph of all transactions, including those that will abort, together with the
 * order of real time, has no cycle (opacity, strict serialisability); no update is lost; an irrevocable transaction
 * does not abort. Also checked: no thread waits for ever.
 *
 * STAMP is ordo, or with B=0 gv4 or gv5: the same code over a counter. TSO: the stores of the commit, from the first
 * word to the last stripe, become visible in their order, possibly after the transaction has returned, but before the
 * next locked access of the thread; with GATE_RELEASE the store of the flag too.
 */
#define OPACITY
#define EXTERNAL
#define ORDO 1
#define GV4 4
#define GV5 5
#ifndef STAMP
#define STAMP ORDO
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
#ifndef TOKEN
#define TOKEN 0
#endif
#ifndef OLD
#define OLD 0 /* the first version of word 0: the clock of its writer may have been ahead */
#endif
#define READS 1
#define WRITES 2
#define LOCKED 128

byte stripe[2]; /* a version, or LOCKED + thread */
byte data[2];   /* slot of the writer */
byte counter = 1;
bit flag[3], flag_buffer[3];
byte token; /* 1 + thread */

#ifdef SNAPSHOT
byte begun, over;     /* number of snapshots that have begun, and that have ended */
byte saves[2];        /* for each word the number of saved values */
byte saved_slot[4];   /* of word r the items 2r and 2r + 1, the oldest first */
byte saved_number[4]; /* as above: the number of the commit that saved it */
#endif

#if STAMP == ORDO
#define now(v) read_clock(v)
#define waits_for(least) could_show(least)
#define later(v, least) clock_from(v, least)
#define never(least) out_of_time(least)
#elif STAMP == GV4
#define now(v) v = counter
#define waits_for(least) (counter >= (least))
#define later(v, least) v = counter
#define never(least) (0)
#else
#define now(v) v = counter
#define waits_for(least) (1)
#define later(v, least) if :: counter < (least) -> counter = least :: else fi; v = counter
#define never(least) (0)
#endif

#if defined NO_C3
#define limit_of(t) (((t) - B) & 255) /* subtracts first: wraps below the boundary */
#elif defined C5_RAW
#define limit_of(t) (t)
#else
#define limit_of(t) ((t) > B -> (t) - B : 0)
#endif
#ifdef C5_RENEW_RAW
#define renewed(t) (t)
#else
#define renewed(t) limit_of(t)
#endif

/* step: ordo_stm_is_past, ordo_stm_is_own [C7 own] */
#if !defined TWO && !defined OWNED
#define is_own(v, r) (0)
#elif defined C7_OWN_VERSION
#define is_own(v, r) (owned && (v) == own_version)
#elif defined C7_OWN_STRIPE
#define is_own(v, r) (own[r] && (v) < LOCKED)
#else
#define is_own(v, r) (own[r] && (v) == own_version)
#endif
#ifdef C3_LOCKED
#define is_past(v, r) ((v) < limit || (v) >= LOCKED || is_own(v, r))
#define unlocked(v) (1)
#else
#define is_past(v, r) ((v) < limit || is_own(v, r))
#define unlocked(v) ((v) < LOCKED)
#endif

#if defined ELASTIC && (TOKEN || defined TWO || defined SNAPSHOT)
#error "ELASTIC is not modelled with TOKEN, TWO or SNAPSHOT"
#endif
#define LAST 2 /* keeps its last read only, and the one before it for ordo_stm_hold */
#ifdef ELASTIC
#define is_kept(r) (keeps == LAST -> last == 1 + (r) : (op[r] & READS) && read_[n * 2 + (r)] != NONE && !dropped[r])
#else
#define is_kept(r) ((op[r] & READS) && read_[n * 2 + (r)] != NONE)
#endif

#define flush_flag() if :: flag_buffer[me] -> flag[me] = 1; flag_buffer[me] = 0 :: else fi
#ifdef GATE_RELEASE
#define raise_flag() flag_buffer[me] = 1
active proctype buffers()
{
    byte me = 9;
end:
    do
    :: atomic { flag_buffer[0] -> flag[0] = 1; flag_buffer[0] = 0; SAY(the flag of thread 0 becomes visible) }
    :: atomic { flag_buffer[1] -> flag[1] = 1; flag_buffer[1] = 0; SAY(the flag of thread 1 becomes visible) }
    :: atomic { flag_buffer[2] -> flag[2] = 1; flag_buffer[2] = 0; SAY(the flag of thread 2 becomes visible) }
    od
}
#else
#define raise_flag() flag[me] = 1
#endif
#define flag_down() flag[me] = 0; flag_buffer[me] = 0

inline carry(t)
{
#ifdef C8_LATER
    begin = t
#else
    if
    :: t > begin -> begin = t
    :: else
    fi
#endif
}

/* ordo_stm_stands, for one word: c is 1 if it has changed. */
inline stands_one(r, late)
{
    if
    :: keeps && is_kept(r) && !c ->
        atomic { /* step: ordo_stm_stands [C6 validate] [C6 own] [C13 renew] */
            v = stripe[r];
            if
            :: is_past(v, r)
            :: else ->
#ifdef C6_OWN
                c = (v != LOCKED + me)
#else
                c = !(v == LOCKED + me && (!(late) || is_past(old[r], r)))
#endif
            fi;
            SAY2(checks word %d again: its stripe shows %d, r, v);
            v = 0
        }
    :: else
    fi
}
inline stands(late)
{
    stands_one(first, late);
    stands_one(1 - first, late)
}

/* ordo_stm_renew: for a version v. */
inline renew()
{
    z = v + B + 1;
    v = 0;
    if
    :: atomic { waits_for(z) -> later(x, z); SAY1(reads a new begin %d, x); carry(x); x = 0; z = 0 } /* step: ordo_stm_renew [C5 later] */
    :: atomic { never(z) -> time_is_up = 1; goto end_time }
    fi;
    if
#ifndef C5_READ_ONLY
    :: !keeps && reads -> doomed = 1
#endif
    :: else ->
#if defined C13_RENEW
        if :: keeps != LAST -> stands(0) :: else fi;
#elif !defined C5_NO_RENEW
        stands(0); /* step: ordo_stm_renew [C5 renew] */
#endif
        if
        :: c -> doomed = 1; c = 0
        :: else -> limit = renewed(begin)
        fi
    fi
}

#ifdef ELASTIC
/* ordo_stm_note, in an elastic transaction that reads slot `d` */
inline note(r)
{
    if :: n == 0 -> op[r] = op[r] | READS :: else fi;
    if
    :: keeps == LAST -> /* step: ordo_stm_note [C13 keep] */
        if
        :: first == r && read_[n * 2 + r] != NONE && read_[n * 2 + r] != d -> passed = 1
        :: else
        fi;
#ifndef C13_KEEP
        prior = last;
#endif
        last = 1 + r
    :: keeps == 1 && n == 0 ->
        assert(read_[n * 2 + r] == NONE || read_[n * 2 + r] == d); /* a word that it holds is unchanged */
        dropped[r] = 0
    :: else
    fi
}

/* ordo_stm_hold: forgets a word unless it is one of the last two reads. */
inline hold()
{
    atomic { /* step: ordo_stm_hold [C13 hold] */
        dropped[0] = (read_[n * 2] != NONE && prior != 1);
        dropped[1] = (read_[n * 2 + 1] != NONE && prior != 2);
#ifndef C13_HOLD
        dropped[last - 1] = 0;
#endif
        keeps = 1;
        SAY(holds its last reads)
    }
}

/* The first two reads of an elastic transaction are a transaction of their own, which comes before the rest. */
inline part()
{
#if !O2
    atomic {
        read_[4] = read_[0];
        read_[5] = read_[1];
        before[2] = before[0];
        before[0] = before[0] | 4;
        returned = returned | 4;
        SAY(has made its first two reads);
        check_graph()
    }
#else
    skip
#endif
}

/* The rest of an elastic transaction, after its first read and before its commit */
inline search_on()
{
    if
    :: !doomed ->
        read_word(1 - first);
        if
        :: !doomed ->
            part();
            if :: true -> read_word(first) :: true fi
        :: else
        fi
    :: true
    fi;
    if
    :: !doomed -> hold();
        if :: true -> read_word(first) :: true -> read_word(1 - first) :: true fi
    :: else
    fi
}
#endif

#ifdef C2_LOOK_FIRST
#define unchanged(r) (looked || stripe[r] == v)
#else
#define unchanged(r) (stripe[r] == v)
#endif
/* ordo_stm_read, ordo_stm_read_on. A transaction that finds the word locked finally gives up, and has then read fewer
 * words. */
inline read_word(r)
{
    do
    :: doomed -> break
    :: else ->
#ifdef C4_LOOK_AFTER
        atomic { d = data[r]; SAY2(loads word %d of slot %d, r, d) }
#endif
        atomic { unlocked(stripe[r]) -> v = stripe[r]; SAY2(the stripe of word %d shows %d, r, v) } /* step: ordo_stm_read_between [C4 look] */
#ifdef C2_LOOK_FIRST
        if
        :: !reads ->
            atomic { d = data[r]; SAY2(loads word %d of slot %d, r, d) };
            atomic { looked = (stripe[r] == v) };
            atomic { now(x); carry(x); x = 0; limit = limit_of(begin); SAY1(begins at %d, begin) }
        :: else
        fi;
#endif
        if
        :: is_past(v, r) -> /* step: ordo_stm_read_between [C3] [C5] */
#ifndef C4_LOOK_AFTER
#ifdef C2_LOOK_FIRST
            if
            :: reads -> d = data[r]
            :: else
            fi;
#else
            atomic { d = data[r]; SAY2(loads word %d of slot %d, r, d) } /* step: ordo_stm_read_between [C4 load] */
#endif
#endif
            if
#ifdef C4_NO_AGAIN
            :: atomic { true ->
#else
            :: atomic { unchanged(r) -> /* step: ordo_stm_read_between [C4 again] */
#endif
#ifdef ELASTIC
                   note(r);
#endif
                   read_[n * 2 + r] = d; reads = 1; v = 0; d = 0;
#ifdef C2_LOOK_FIRST
                   looked = 0;
#endif
                   SAY2(has read word %d of slot %d, r, read_[n * 2 + r]);
                   check_graph();
                   break
               }
#ifndef C4_NO_AGAIN
            :: atomic { !unchanged(r) -> v = 0; d = 0 }
#endif
            fi
        :: else -> renew()
        fi
    od
}

#ifdef SNAPSHOT
/* ordo_stm_snapshots: number is the number of snapshots, or 0. */
inline count_snapshots()
{
    atomic { d = over };
    atomic { number = (begun != d -> begun : 0); d = 0; SAY1(counts %d snapshots, number) } /* step: ordo_stm_snapshots [C12 count] */
}

/* ordo_stm_save, for one word */
inline save_one(r)
{
    if
    :: (op[r] & WRITES) && number ->
        atomic { /* step: ordo_stm_save [C12 save] */
            if
            :: saves[r] && saved_number[2 * (r) + saves[r] - 1] == number -> skip
            :: else ->
                saved_slot[2 * (r) + saves[r]] = data[r];
                saved_number[2 * (r) + saves[r]] = number;
                saves[r]++;
                SAY2(saves slot %d of word %d, data[r], r)
            fi
        }
    :: else
    fi
}

/* ordo_stm_snapshot_find: item of word r that the snapshot reads */
#define finds(r) ((saves[r] > 0) && (saved_number[2 * (r) + saves[r] - 1] >= number))
#define item(r) (2 * (r) + (saved_number[2 * (r)] >= number -> 0 : 1))

#ifdef C12_LOCKED
#define readable(v) (1)
#else
#define readable(v) ((v) < LOCKED)
#endif
inline snapshot_has_read(r, slot)
{
    read_[n * 2 + r] = slot;
    v = 0;
    d = 0;
    SAY2(has read word %d of slot %d, r, read_[n * 2 + r]);
    check_graph()
}

/* ordo_stm_read by a snapshot, ordo_stm_snapshot_read. Waits while the word is locked and no saved value is found. */
inline snapshot_word(r)
{
    atomic { v = stripe[r]; SAY2(the stripe of word %d shows %d, r, v) }; /* step: ordo_stm_read_between [C4 look] */
    atomic { d = data[r]; SAY2(loads word %d of slot %d, r, d) };         /* step: ordo_stm_read_between [C4 load] */
    if
    :: atomic { v < limit && stripe[r] == v -> snapshot_has_read(r, d) } /* step: ordo_stm_read_between [C4 again] */
    :: atomic { !(v < limit && stripe[r] == v) -> v = 0; d = 0 };
        do
        :: atomic { v = stripe[r]; SAY2(the stripe of word %d shows %d, r, v) }; /* step: ordo_stm_snapshot_read [C12 look] */
            atomic { d = data[r]; SAY2(loads word %d of slot %d, r, d) };        /* step: ordo_stm_snapshot_read [C12 load] */
            if
#ifndef C12_NO_SEARCH
            :: atomic { finds(r) -> snapshot_has_read(r, saved_slot[item(r)]); break } /* step: ordo_stm_snapshot_find [C12 search] */
#define missing(r) (!finds(r))
#else
#define missing(r) (1)
#endif
            :: atomic { missing(r) && readable(v) -> snapshot_has_read(r, d); break }
            :: atomic { missing(r) && !readable(v) -> d = 0 };
                (stripe[r] != v || finds(r))
            fi
        od
    fi
}

/* ordo_stm_begin_snapshot, ordo_stm_snapshot_begin */
inline begin_snapshot()
{
#ifdef C12_CLOCK_LATE
    atomic { begun++; number = begun };
    atomic { now(x); carry(x); x = 0; limit = limit_of(begin) }
#else
    atomic { now(x); carry(x); x = 0; limit = limit_of(begin); SAY1(reads its begin %d, begin) } /* step: ordo_stm_begin_snapshot [C12 limit] */
    atomic { begun++; number = begun; SAY1(is snapshot %d, number) } /* step: ordo_stm_snapshot_begin [C12 begin] */
#endif
}
#endif

/* ordo_stm_token_take */
inline token_take()
{
#ifdef C11_TAKE
    atomic { token = 1 + me; flush_flag(); SAY(takes the token) }
#else
    atomic { token == 0 -> token = 1 + me; flush_flag(); SAY(takes the token) } /* step: ordo_stm_token_take [C11 take] */
#endif
#ifndef C11_DRAIN
    (flag[0] == 0); /* step: ordo_stm_token_take [C11 drain] */
    (flag[1] == 0);
    (flag[2] == 0);
#endif
    irrevocable = 1
}

/* ordo_stm_irrevocable */
inline become_irrevocable()
{
    if
    :: (TOKEN & (1 << me)) && !irrevocable && !doomed ->
        token_take();
#ifndef C11_STAND
        if
        :: !keeps && reads -> c = 1
        :: else -> stands(0) /* step: ordo_stm_irrevocable [C11 stand] */
        fi;
#endif
        atomic {
            if
            :: c -> doomed = 1; c = 0; SAY(begins again: its read set has changed)
            :: else -> limit = LOCKED; keeps = 0; SAY(is irrevocable)
            fi
        }
    :: true
    fi
}

/* ordo_stm_gate */
inline gate()
{
#if TOKEN
#if defined C11_GATE
    atomic { raise_flag() }
#elif defined C11_LOOK_FIRST
    (token == 0 || irrevocable);
    atomic { raise_flag(); SAY(raises its flag) }
#else
    do
    :: true ->
        atomic { raise_flag(); SAY(raises its flag) } /* step: ordo_stm_gate [C11 gate] */
        if
        :: atomic { token == 0 || irrevocable -> SAY(finds the token free); break } /* step: ordo_stm_gate */
        :: atomic { token != 0 && !irrevocable -> flag_down() }                      /* step: ordo_stm_flag_down */
        fi;
        (token == 0) /* step: ordo_stm_token_wait */
    od
#endif
#else
    skip
#endif
}
/* ordo_stm_lock_all, for one word: c is 1 if another thread has the lock. */
inline lock_one(r)
{
    if
    :: (op[r] & WRITES) && !c ->
#if defined C2_NO_LOCK
        old[r] = stripe[r]
#else
        atomic { /* step: ordo_stm_lock_all [C2 lock] */
            flush_flag();
#ifdef C9_WAIT
            stripe[r] < LOCKED;
#endif
            if
            :: stripe[r] >= LOCKED -> c = 1; SAY1(finds word %d locked, r); assert(!irrevocable)
            :: else -> old[r] = stripe[r]; stripe[r] = LOCKED + me; held[r] = 1; SAY1(locks the stripe of word %d, r)
            fi
        };
        if
        :: held[r] && old[r] > latest -> latest = old[r]
        :: else
        fi
#endif
    :: else
    fi
}

/* ordo_stm_write_back, for one word. */
inline store_one(r)
{
    if
    :: (op[r] & WRITES) ->
        atomic { /* step: ordo_stm_write_back [C4 store] */
            if
            :: op[r] & READS -> assert(read_[n * 2 + r] == data[r]) /* no update is lost */
            :: else -> read_[n * 2 + r] = data[r]
            fi;
            wrote[n * 2 + r] = 1;
            data[r] = 1 + n;
            SAY1(stores word %d, r);
            check_graph()
        }
    :: else
    fi
}
inline store_all()
{
    store_one(first);
    store_one(1 - first)
}

inline unlock_one(r, u)
{
    if
    :: held[r] -> atomic { stripe[r] = u; held[r] = 0; SAY2(unlocks the stripe of word %d with version %d, r, stripe[r]) } /* step: ordo_stm_unlock_all [C4 unlock] */
    :: else
    fi
}

/* ordo_stm_commit_writes: the time. */
inline take_time()
{
#if STAMP == GV4
    atomic { x = counter };
    atomic {
        if
        :: counter == x -> counter = counter + 2; x++
        :: else -> x = counter - 1
        fi;
        SAY1(takes its time %d, x)
    }
#else
    atomic { now(x); SAY1(takes its time %d, x) } /* step: ordo_stm_commit_writes [C2 time] */
#endif
}

inline commit_writes()
{
    gate();
#ifdef C2_TIME_FIRST
    take_time();
#endif
#ifdef C6_EARLY
    stands(0);
#endif
#ifdef C4_STORE_FIRST
    store_all();
#endif
    lock_one(first);
    lock_one(1 - first);
#ifdef LOOK_BEFORE_TIME
    if :: keeps && !c -> stands(latest >= limit) :: else fi;
#endif
    if
    :: c -> doomed = 1
    :: else ->
#if defined SNAPSHOT && !defined C12_COUNT_LATE
        count_snapshots();
#endif
#ifndef C2_TIME_FIRST
        take_time();
#endif
#ifdef C12_COUNT_LATE
        count_snapshots();
#endif
        atomic {
#ifdef C7_NO_UP
            y = x;
#else
            y = (x > latest -> x : latest + 1); /* step: ordo_stm_commit_writes [C7 up] */
#endif
#ifdef C8_VERSION
            carry(y);
#else
            carry(x); /* step: ordo_stm_carry [C8 carry] */
#endif
            x = 0
        }
        if
#if !defined C6_NO_VALIDATION && !defined C6_EARLY && !defined LOOK_BEFORE_TIME
        :: keeps -> stands(latest >= limit); doomed = c
        :: else
#else
        :: true
#endif
        fi
    fi;
    c = 0;
    latest = 0;
    if
    :: doomed -> /* step: ordo_stm_commit_fails */
        unlock_one(0, old[0]);
        unlock_one(1, old[1])
    :: else ->
#ifdef TSO
        if
        :: atomic { returned = returned | (1 << n); SAY(returns; its stores wait in the buffer) }
        :: true
        fi;
#endif
#ifdef C4_UNLOCK_FIRST
        old[0] = y; old[1] = y;
        unlock_one(0, y);
        unlock_one(1, y);
#endif
#ifdef SNAPSHOT
        save_one(0);
        save_one(1);
#endif
#ifndef C4_STORE_FIRST
        store_all();
#endif
#if defined TWO || defined OWNED
        atomic { /* step: ordo_stm_own */
            own[0] = held[0]; own[1] = held[1]; owned = held[0] || held[1]; own_version = y
        }
#endif
        unlock_one(first, y);
        unlock_one(1 - first, y)
    fi;
    y = 0;
    atomic { flag_down() } /* step: ordo_stm_flag_down */
}

proctype thread(byte me; byte n; byte mask)
{
    byte begin, limit, v, d, x, y, z, i, j, first, latest;
    short graph;
    byte op[2], old[2];
    bit held[2], doomed, c, reads, irrevocable;
#ifdef ELASTIC
    byte keeps, last, prior; /* 1 + the word of the last read, and of the read before it */
    bit dropped[2];          /* words that ordo_stm_hold has forgotten */
    bit passed;              /* the first word had changed when it was read again */
#else
    bit keeps;
#endif
#if defined TWO || defined OWNED
    bit own[2], owned;
    byte own_version;
#endif
#ifdef C2_LOOK_FIRST
    bit looked;
#endif
#ifdef SNAPSHOT
    byte number;
#endif

#ifdef OWNED
    atomic {
        if
        :: me == 0 ->
            own[0] = 1; owned = 1; own_version = OLD;
#ifdef C8_VERSION
            begin = OLD
#endif
        :: else
        fi
    }
#endif
#ifdef CARRY
    if
    :: atomic { now(begin); SAY1(reads the clock in an earlier transaction: %d, begin) }
    :: true
    fi;
#endif
begins:
    atomic { /* step: ordo_stm_begin */
        if
#ifdef ELASTIC
        :: n == 0 ->
            if :: op[0] = WRITES :: true fi; /* note() adds READS */
            if :: op[1] = WRITES :: true fi
#endif
        :: mask & 1 -> op[0] = READS; op[1] = READS
        :: mask & 2 ->
            if :: op[0] = READS :: op[0] = WRITES :: op[0] = READS + WRITES fi;
            if :: op[1] = READS :: op[1] = WRITES :: op[1] = READS + WRITES fi
        :: mask & 4 -> op[0] = READS + WRITES
        :: mask & 8 -> op[0] = READS; op[1] = WRITES
        :: mask & 16 -> op[0] = WRITES; op[1] = READS
        :: mask & 32 -> op[0] = WRITES; op[1] = WRITES
        :: mask & 64 -> op[0] = READS + WRITES; op[1] = READS + WRITES
        :: mask & 128 -> op[0] = WRITES
        :: mask & 128 -> op[1] = WRITES
        fi;
        if
        :: first = 0
        :: me != FIXED && op[0] && op[1] -> first = 1
#ifdef ELASTIC
        :: n == 0 && me != FIXED -> first = 1
#endif
        fi;
        if
        :: keeps = 1
        :: !((op[0] | op[1]) & WRITES) -> keeps = 0
        fi;
#ifdef ELASTIC
        if :: n == 0 -> keeps = LAST :: else fi;
#endif
        before[n] = returned;
        SAY1(begins transaction %d, n)
    }
#ifdef SNAPSHOT
    if
    :: n == 1 ->
        begin_snapshot();
        snapshot_word(first);
        snapshot_word(1 - first);
        atomic { over++; number = 0 }; /* step: ordo_stm_snapshot_end */
        goto ends
    :: else
    fi;
#endif
#ifndef C2_LOOK_FIRST
    if
#ifdef CARRY
    :: begin != 0
#endif
    :: atomic { now(x); carry(x); SAY1(reads its begin %d, x); x = 0 } /* step: ordo_stm_begin [C2 begin] */
    fi;
#endif
    limit = limit_of(begin); /* step: ordo_stm_limit */
#ifdef ELASTIC
    if
    :: n == 0 -> read_word(first); search_on(); goto reads_are_done
    :: else
    fi;
#endif
    become_irrevocable();
    if
    :: op[first] & READS -> read_word(first)
    :: else
    fi;
    become_irrevocable();
    if
    :: !doomed && (op[1 - first] & READS) -> read_word(1 - first)
    :: else
    fi;
#ifdef ELASTIC
reads_are_done:
#endif
    if
    :: !doomed && ((op[0] | op[1]) & WRITES) -> commit_writes()
    :: else
    fi;
    if
    :: irrevocable -> atomic { token = 0; irrevocable = 0; SAY(gives the token back) } /* step: ordo_stm_leave */
    :: else
    fi;
ends:
    atomic { /* step: ordo_stm_commit, ordo_stm_abort, ordo_stm_leave */
        returned = returned | (1 << n);
#if defined ELASTIC && defined REACH_ELASTIC
        assert(n != 0 || doomed || !passed); /* an elastic transaction commits though its first read has changed: must be found */
#endif
        if
        :: doomed -> SAY(is aborted)
        :: else -> status[n] = COMMITTED; SAY(returns)
        fi;
        op[0] = 0; op[1] = 0; old[0] = 0; old[1] = 0; limit = 0; first = 0; doomed = 0; keeps = 0; reads = 0;
#ifdef ELASTIC
        last = 0; prior = 0; passed = 0; dropped[0] = 0; dropped[1] = 0;
#endif
        ended++
    }
#ifdef TWO
    if
    :: n == 0 -> atomic { n = 2; mask = O2 }; goto begins
    :: else
    fi;
#endif
    begin = 0;
#ifdef REACH
    assert(ended < 3 || status[0] + status[1] + status[2] < 3 * COMMITTED); /* all three can commit: must be found */
#endif
end_time:
    false
}

init
{
    atomic {
        stripe[0] = OLD;
        run thread(0, 0, O0);
        run thread(1, 1, O1);
#if !defined TWO && O2
        run thread(2, 2, O2)
#endif
    }
}
