/* Homes: the steps of lib/cc/txn/core/home.h and hekaton/anchor.h with the home of one bucket, one for each access to
 * memory that other threads can see. The conditions V1 to V4 are those of home.h. The home has the anchor of key X,
 * whose record is deleted.
 *
 * Thread 0 buries X, makes the home vacant when C10 permits this, and inserts Y or Z in the same bucket.
 * Thread 1 makes two transactions: the first reads X or inserts X again, the second reads Y.
 * Thread 2 inserts Y, and commits or aborts; if it aborts, it makes the home that it took vacant again.
 * A thread that inserts and does not find the home vacant adds an anchor to the chain.
 *
 * Checked: a transaction that has found a key in the home finds the versions and claims of this key there until it
 * ends; when a home becomes vacant, it still has the version of its key; no key is in the bucket twice.
 *
 * Not in this model: the memory of anchors outside of homes, and the content of anchors (tomb.pml). Instead of the
 * times of C10, a transaction announces how many anchors had been retired when it read its clock. A scan of the
 * announcements is one step for each announcement.
 *
 * TSO: stores wait in a buffer, in their order; a full read of the clock, an exchange or a compare-and-exchange empties
 * it. */
#define X 1
#define Y 2
#define Z 3
#define TOMB 10 /* at the head: the deletion of X; a key at the head is a version of that key's record */
#define DEAD 9  /* a claim */

#define KEY 0    /* places; 0 is CC_NO_KEY */
#define CLAIM 1  /* 1 + thread */
#define HEAD 2
#define BUCKET 3 /* 1: locked; 1 << key: the chain has an anchor of it */
#define ACT 4    /* + thread: 0 idle; 1 + number of anchors retired when it read its clock */
#define PLACES 7

byte memory[PLACES] = { X, 0, TOMB, 0, 0, 0, 0 };
byte retired;  /* number of anchors in this home that have been retired */
byte ended;
chan buffer[3] = [8] of { byte, byte };

#define SAY(text) printf("%d\t%d\t", me, retired); printf(#text); printf("\n")
#define SAY1(text, a) printf("%d\t%d\t", me, retired); printf(#text, a); printf("\n")
/* The values that are possible at the head and in the claim of an anchor of this key. The insert of the key may be
 * aborted. Thread 0 claims X to bury X, thread 1 claims X to insert X again; threads 0 and 2 insert Y. */
#define is_of(head, key) ((head) == (key) || ((key) == X && (head) == TOMB) || ((key) == Y && (head) == 0))
#define may_claim(n, key) ((n) == 0 || (n) == DEAD || (n) == 1 || (n) == ((key) == X -> 2 : 3))

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
    od
}
#else
#define store(where, value) memory[where] = value
#define drain(t) skip
#endif

/* No thread loads a place that may be in its own buffer, because an exchange comes first. */

inline enter()
{
    atomic { n = 1 + retired; SAY1(reads its clock: %d, n - 1) } /* step: cc_enter_newest [C2 newest] */
#ifdef ANNOUNCE_RELEASE
    atomic { store(ACT + me, n); n = 0; SAY(announces itself) }
#else
    atomic { drain(me); memory[ACT + me] = n; n = 0; SAY(announces itself) } /* step: cc_enter_newest [C2 newest] */
#endif
}

inline leave()
{
    atomic { store(ACT + me, 0); SAY(ends) } /* step: cc_exit */
}

/* cc_hash_find: f is 1 if the key is at home, 2 if it is in the chain, 0 if it is not found */
inline find(k)
{
    atomic {
        if
        :: memory[KEY] == k -> f = 1; SAY1(finds key %d at home, k) /* step: cc_hash_find, cc_hash_is_at */
        :: else -> f = 0
        fi
    }
    if
    :: f
    :: else -> atomic { f = (memory[BUCKET] >> k & 1 -> 2 : 0); SAY1(looks for it in the chain: %d, f) } /* step: cc_hash_find, cc_hash_first */
    fi
}

#define lock()                                                                                                         \
    atomic { (memory[BUCKET] & 1) == 0 -> drain(me); memory[BUCKET] = memory[BUCKET] | 1; SAY(locks the bucket) }
#define unlock(more, less)                                                                                             \
    atomic { store(BUCKET, (memory[BUCKET] | (more)) & ~(1 | (less))); SAY(unlocks the bucket) }

inline unlink_home()
{
    lock(); /* step: cc_hash_remove, cc_hash_lock */
    atomic { store(KEY, 0); SAY(takes the key out of its home) } /* step: cc_hash_remove */
    unlock(0, 0); /* step: cc_hash_remove, cc_hash_unlock */
}

/* The anchor leaves the index, with its claim, and is retired. */
inline give_up()
{
#ifdef NO_DEAD
    atomic { store(CLAIM, 0); SAY(drops its claim) }
    unlink_home();
#elif defined DEAD_LATE
    atomic { store(CLAIM, 0); SAY(drops its claim) }
    unlink_home();
    atomic { store(CLAIM, DEAD); SAY(gives the anchor up) }
#else
    atomic { store(CLAIM, DEAD); SAY(gives the anchor up) } /* step: hk_bury, hk_roll_back [V3] */
    unlink_home(); /* step: hk_anchor_unlink */
#endif
    atomic {
#ifndef CLOCK_NOT_FULL
        drain(me);
#endif
        retired++; r = retired; SAY(retires it) /* step: cc_retire_time */
    }
}

/* Makes the home vacant when no transaction can hold the anchor. */
inline give_back(k)
{
#ifndef EARLY
    atomic { (me == 0 || memory[ACT] == 0 || memory[ACT] > r); SAY(thread 0 does not delay the reclaimer) } /* step: cc_look_around, cc_reclaim [C10] */
    atomic { (memory[ACT + 1] == 0 || memory[ACT + 1] > r); SAY(thread 1 does not delay the reclaimer) } /* step: cc_look_around, cc_reclaim [C10] */
    atomic { (me == 2 || memory[ACT + 2] == 0 || memory[ACT + 2] > r); SAY(thread 2 does not delay the reclaimer) } /* step: cc_look_around, cc_reclaim [C10] */
#endif
#ifdef VACATE_FIRST
    atomic { store(CLAIM, 0); SAY(the home is vacant) }
    atomic { SAY1(gives back version %d, memory[HEAD]); assert(is_of(memory[HEAD], k)) }
#else
    atomic { SAY1(gives back version %d, memory[HEAD]); assert(is_of(memory[HEAD], k)) } /* step: hk_free_item */
    atomic { store(CLAIM, 0); SAY(the home is vacant) } /* step: hk_anchor_free, cc_home_vacate [V4] */
#endif
}

#ifdef KEY_ALONE
#define is_vacant (memory[KEY] == 0)
#else
#define is_vacant (memory[KEY] == 0 && memory[CLAIM] == 0)
#endif

inline fill(k)
{
    atomic { store(CLAIM, me + 1); SAY(claims the home) } /* step: hk_anchor_fill */
    atomic { store(HEAD, k) } /* step: hk_anchor_fill */
}

/* hk_insert: f says where the key is now: 1 in the home, 2 in the chain; 0: the key was in the index already */
inline insert(k)
{
    atomic { n = is_vacant; SAY1(finds the home vacant: %d, n) } /* step: cc_home_is_vacant; the key, and the claim, cannot come back in between */
    if
    :: n ->
        n = 0;
        lock(); /* step: cc_home_lock, cc_hash_lock */
#ifdef LOOK_ONCE
        n = 1;
#else
        atomic { n = is_vacant; SAY1(finds the home vacant: %d, n) } /* step: cc_home_lock, cc_home_is_vacant [V1] */
#endif
#ifdef NO_FIND
        f = 0;
#else
        find(k); /* step: cc_home_lock [V1] */
#endif
        if
        :: n && !f ->
#ifdef KEY_FIRST
            atomic { store(KEY, k); SAY1(gives the home key %d, k) }
            fill(k);
#else
            fill(k); /* step: hk_anchor_at_home */
            atomic { store(KEY, k); SAY1(gives the home key %d, k) } /* step: cc_home_settle [V2] */
#endif
            f = 1
        :: else -> n = 0; f = 0
        fi;
        unlock(0, 0) /* step: cc_home_lock, cc_home_settle, cc_hash_unlock */
    :: else
    fi;
    if
    :: n -> n = 0
    :: else ->
        lock(); /* step: cc_hash_add, cc_hash_lock */
        find(k); /* step: cc_hash_add */
        if
        :: f -> f = 0; unlock(0, 0) /* step: cc_hash_add, cc_hash_unlock */
        :: else -> unlock(1 << k, 0); f = 2 /* step: cc_hash_add, cc_hash_unlock */
        fi
    fi
}

/* Accesses the anchor that it has found. */
inline look(k)
{
    atomic { n = memory[CLAIM]; SAY1(finds the claim %d, n) } /* step: hk_newest_inline */
    atomic { assert(may_claim(n, k)); n = 0 }
    atomic { SAY1(finds version %d, memory[HEAD]); assert(is_of(memory[HEAD], k)) } /* step: hk_head */
}

inline finish()
{
    atomic {
        drain(me); ended++;
        if
        :: ended == 3 ->
            assert((memory[BUCKET] & 1) == 0);
            assert(memory[KEY] == 0 || (memory[BUCKET] >> memory[KEY] & 1) == 0) /* twice */
#ifdef REACH
            ; assert(!(memory[KEY] == Z && retired == 2))
#endif
        :: else
        fi
    }
}

active proctype deletes()
{
    byte me = 0, w, u, n, f, k, r;

    atomic {
        drain(me);
        if
        :: memory[CLAIM] == 0 -> memory[CLAIM] = 1; f = 1; SAY(claims X) /* step: hk_bury, hk_try_claim */
        :: else -> SAY(finds it claimed)
        fi
    }
    if
    :: f && memory[HEAD] == TOMB -> f = 0; give_up(); give_back(X) /* step: hk_bury */
    :: f && memory[HEAD] != TOMB -> atomic { f = 0; store(CLAIM, 0); SAY(finds it inserted again) } /* step: hk_bury, hk_unclaim */
    :: else
    fi;
    enter();
    if
    :: k = Y
    :: k = Z
    fi;
    insert(k);
    if
    :: f == 1 -> atomic { SAY1(finds version %d, memory[HEAD]); skip }; atomic { store(CLAIM, 0); SAY(commits) } /* step: hk_publish, hk_unclaim */
    :: else
    fi;
    leave();
    finish()
}

active proctype transactions()
{
    byte me = 1, w, u, n, f;
    bit inserts;

    if
    :: inserts = 0
    :: inserts = 1
    fi;
    enter();
again:
    find(X);
    if
    :: !inserts && f == 1 -> look(X)
    :: inserts && f == 1 ->
        atomic {
            drain(me);
            if
            :: memory[CLAIM] == 0 -> memory[CLAIM] = 2; n = 2; SAY(takes the claim that it found free) /* step: hk_claim, hk_insert_above */
            :: else -> n = memory[CLAIM]; SAY1(finds it claimed: %d, n)
            fi
        }
        if
        :: n == DEAD -> n = 0; goto again /* step: hk_claim */
        :: n == 2 ->
            n = 0;
            atomic { SAY1(finds version %d, memory[HEAD]); assert(is_of(memory[HEAD], X)) } /* step: hk_insert_above, hk_current */
            atomic { store(HEAD, X); SAY(puts a version of X above) } /* step: hk_push */
            atomic { store(CLAIM, 0); SAY(commits) } /* step: hk_publish, hk_unclaim */
        :: else -> assert(n == 1); n = 0 /* gives up */
        fi
    :: inserts && f == 0 ->
        insert(X); /* step: hk_insert, hk_insert_anchor */
        if
        :: f == 0 -> goto again
        :: f == 1 -> atomic { store(CLAIM, 0); SAY(commits) } /* step: hk_publish, hk_unclaim */
        :: else
        fi
    :: else
    fi;
    leave();
    enter();
    find(Y);
    if
    :: f == 1 -> look(Y)
    :: else
    fi;
    leave();
    finish()
}

active proctype inserts()
{
    byte me = 2, w, u, n, f, r;

    enter();
    find(Y);
    if
    :: f == 0 ->
        insert(Y); /* step: hk_insert, hk_insert_anchor */
        if
        :: f == 1 -> atomic { store(CLAIM, 0); SAY(commits) }; leave() /* step: hk_publish, hk_unclaim */
        :: f == 1 ->
           atomic { store(HEAD, 0); SAY(aborts) } /* step: hk_roll_back */
           give_up();
           leave();
           give_back(Y)
        :: else -> leave()
        fi
    :: else -> leave()
    fi;
    finish()
}
