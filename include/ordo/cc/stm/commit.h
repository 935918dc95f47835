/* The commit: locks, takes a time, validates, writes, and unlocks. */
#ifndef ORDO_CC_STM_COMMIT_H
#define ORDO_CC_STM_COMMIT_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/abort.h>
#include <ordo/cc/stm/epoch.h>
#include <ordo/cc/stm/irrevocable.h>
#include <ordo/cc/stm/snapshot.h>

/* Locks the stripes of the write set.
 * 1: all are locked; `*latest` is raised to the largest of their versions
 * 0: another thread has locked one of them */
static inline int ordo_stm_lock_all(struct ordo_stm_thread *t, uint64_t *latest)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    struct ordo_stm_lock *locks = (struct ordo_stm_lock *)t->locks.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++) {
        uint64_t *stripe = ordo_stm_stripe(t, entries[i].word);
        uint64_t version = __atomic_load_n(stripe, __ATOMIC_RELAXED); /* relaxed: the exchange decides */
        if (version == t->mine)
            continue;
        if (version & ORDO_STM_LOCKED)
            return 0;
        /* C2 lock. Pairs with C4 look: a transaction whose begin is certainly after the commit's time finds the stripe
         * locked, or unlocked by this commit or a later one. */
        if (!__atomic_compare_exchange_n(stripe, &version, t->mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            return 0;
        locks[t->locks.count].stripe = stripe;
        locks[t->locks.count++].version = version;
        if (version > *latest)
            *latest = version;
    }
    return 1;
}

/* Unlocks the stripes with this version; if it is 0, each with its old version. */
static inline void ordo_stm_unlock_all(struct ordo_stm_thread *t, uint64_t version)
{
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i;
    for (i = 0; i < t->locks.count; i++)
        /* C4 unlock. Release pairs with C4 look: the words are visible. */
        __atomic_store_n(locks[i].stripe, version ? version : locks[i].version, __ATOMIC_RELEASE);
}

/* Remembers the stripes that a commit has unlocked with this version. */
static inline void ordo_stm_own(struct ordo_stm_thread *t, uint64_t version)
{
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i;
    t->own_version = version;
    t->owned = t->locks.count <= ORDO_STM_OWN ? (unsigned)t->locks.count : 0;
    for (i = 0; i < t->owned; i++)
        t->own[i] = locks[i].stripe;
}

/* Gives the transaction up during its commit: unlocks the stripes and aborts. */
ORDO_CC_SLOW int ordo_stm_commit_fails(struct ordo_stm_thread *t, int code, uint64_t *cause)
{
    ordo_stm_unlock_all(t, 0);
    t->locks.count = 0;
    ordo_stm_flag_down(t);
    (void)ordo_stm_give_up(t, code, cause);
    return ordo_stm_abort(t);
}

/* True if this thread has locked the stripe of every word that it writes. */
static inline int ordo_stm_holds_all(const struct ordo_stm_thread *t)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++)
        if (__atomic_load_n(ordo_stm_stripe(t, entries[i].word), __ATOMIC_RELAXED) != t->mine)
            return 0;
    return 1;
}

/* Makes the writes visible. */
static inline void ordo_stm_write_back(struct ordo_stm_thread *t)
{
    const struct ordo_stm_entry *entries = (const struct ordo_stm_entry *)t->writes.items;
    size_t i;
    for (i = 0; i < t->writes.count; i++)
        /* C4 store. Release pairs with C4 load: a reader that sees the new value also sees that the stripe was locked.
         */
        __atomic_store_n(entries[i].word, entries[i].value, __ATOMIC_RELEASE);
}

/* Commits a transaction that wrote. */
static inline int ordo_stm_commit_writes(struct ordo_stm_thread *t)
{
    struct ordo_stm *stm = t->stm;
    struct ordo_stm_statistics *sum = &t->statistics;
    ordo_time now;
    uint64_t latest = 0, version, number;
    if (ordo_stamp_disrupted(&stm->stamp) && !t->irrevocable) { /* C1 watch */
        (void)ordo_stm_give_up(t, ORDO_E_DISRUPTED, &sum->aborts_asked);
        return ordo_stm_abort(t);
    }
    if (__builtin_expect(ordo_stm_snapshots(stm) != 0, 0))
        ordo_stm_saved_reserve(t);
    ordo_stm_gate(t);
    if (!ordo_stm_lock_all(t, &latest))
        return ordo_stm_commit_fails(t, ORDO_STM_AGAIN, &sum->aborts_locked);
    number = ordo_stm_snapshots(stm);
    now = ordo_stamp_take_after_exchange(&stm->stamp);     /* C2 time: the exchange is C2 lock */
    version = now.ticks > latest ? now.ticks : latest + 1; /* C7 up */
    ordo_stm_carry(t, now);
    if (t->keeps && !ordo_stm_stands(t, t->limit, latest >= t->limit))
        return ordo_stm_commit_fails(t, ORDO_STM_AGAIN, &sum->aborts_changed);
    /* Only this thread unlocks a stripe that it has locked. */
    ORDO_INVARIANT("stm", "C2", ordo_stm_holds_all(t), "a commit has locked every stripe that it writes", t,
                   t->writes.count, t->locks.count);
    /* `version` and `latest` are local. */
    ORDO_INVARIANT("stm", "C7", version > latest && version < ORDO_STM_LOCKED, "the versions of a stripe go up", t,
                   version, latest);
    /* Only the owner lowers its flag, and only the holder of the token releases it. */
    ORDO_INVARIANT("stm", "C11", t->committing && (!t->irrevocable || t->stm->token == t->mine),
                   "a commit has its flag up, and the token if it is irrevocable", t, t->committing, t->stm->token);
    if (__builtin_expect(number != 0, 0))
        ordo_stm_save_all(t, number);
    ordo_stm_write_back(t);
    ordo_stm_unlock_all(t, version);
    ordo_stm_flag_down(t);
    ordo_stm_trim_if_due(t, number);
    ordo_stm_own(t, version);
    t->locks.count = 0;
    ordo_cc_count(&sum->updates, 1);
    ordo_stm_forget(t);
    return ORDO_OK;
}

static inline int ordo_stm_commit(struct ordo_stm_thread *t)
{
    unsigned flags = t->flags;
    int code;
    ORDO_INVARIANT("stm", "use", t->depth, "a transaction that commits has begun", t, t->depth, t->attempts);
    if (__builtin_expect(t->code != ORDO_OK, 0))
        return ordo_stm_abort(t);
    if (t->depth > 1) {
        t->depth--;
        return ORDO_OK;
    }
    if (t->writes.count && (code = ordo_stm_commit_writes(t)) != ORDO_OK)
        return code;
    if (t->frees.count)
        ordo_stm_retire(t);
    ordo_stm_leave(t);
    ordo_cc_count(&t->statistics.commits, 1);
    t->attempts = 0;
    if (__builtin_expect(t->retired.count + t->removed > t->collect_at, 0))
        ordo_stm_collect(t);
    if (flags & ORDO_STM_QUIESCE)
        ordo_stm_quiesce(t);
    return ORDO_OK;
}

#endif
