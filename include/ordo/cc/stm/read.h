/* Reads a word between two loads of its stripe. */
#ifndef ORDO_CC_STM_READ_H
#define ORDO_CC_STM_READ_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/log.h>
#include <ordo/cc/stm/snapshot.h>
#include <ordo/cc/stm/validate.h>

/* Adds a stripe to the read set, if the transaction keeps one. Returns 0, or the code for which the transaction is
 * given up. */
static inline int ordo_stm_note(struct ordo_stm_thread *t, int keeps, uint64_t *stripe)
{
    if (keeps == ORDO_STM_KEEPS_NONE) {
        t->last_read = stripe;
        return ORDO_OK;
    }
    if (t->last_read == stripe)
        return ORDO_OK;
    if (keeps == ORDO_STM_KEEPS_LAST) {
        t->read_before = t->last_read; /* C13 keep */
        t->last_read = stripe;
        return ORDO_OK;
    }
    t->last_read = stripe;
    if (__builtin_expect(ordo_stm_push(t->stm, &t->reads, stripe), 0))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

/* Reads a word if ordo_stm_read found its stripe locked, too new, or changed between the two loads. */
ORDO_CC_SLOW int ordo_stm_read_on(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe = ordo_stm_stripe(t, word), version, read;
    unsigned looks = 0;
    if (t->number)
        return ordo_stm_snapshot_read(t, word, value);
    for (;;) {
        if (t->code)
            return t->code;
        version = __atomic_load_n(stripe, __ATOMIC_ACQUIRE); /* as in ordo_stm_read */
        if (version & ORDO_STM_LOCKED) {
            /* An irrevocable transaction tries again without limit: no other transaction commits, so locks are short.
             */
            if (++looks >= ORDO_STM_SPINS && !t->irrevocable)
                return ordo_stm_give_up(t, ORDO_STM_AGAIN, &t->statistics.aborts_locked);
            ordo_clock_pause();
        } else if (!ordo_stm_is_past(t, t->limit, stripe, version)) {
            if (ordo_stm_renew(t, version))
                return t->code;
        } else {
            read = __atomic_load_n(word, __ATOMIC_ACQUIRE); /* as in ordo_stm_read */
            if (__atomic_load_n(stripe, __ATOMIC_RELAXED) == version) {
                *value = read;
                return ordo_stm_note(t, t->keeps, stripe);
            }
        }
    }
}

/* Reads a word between two loads of its stripe. True if the stripe is unlocked, its version is below the limit, and it did
 * not change. */
ORDO_CC_FAST int ordo_stm_read_between(const uint64_t *stripe, uint64_t limit, const uint64_t *word, uint64_t *value)
{
    /* C4 look. Acquire pairs with C4 unlock: the words of that version are visible. */
    uint64_t version = __atomic_load_n(stripe, __ATOMIC_ACQUIRE);
    /* C4 load. Acquire pairs with C4 store: if this value is newer than the version, the load below sees the stripe
     * changed. */
    uint64_t read = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (__builtin_expect(version < limit, 1) &&                                      /* C3, C5 */
        __builtin_expect(__atomic_load_n(stripe, __ATOMIC_RELAXED) == version, 1)) { /* C4 again */
        *value = read;
        return 1;
    }
    return 0;
}

static inline int ordo_stm_read(struct ordo_stm_thread *t, const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe;
    /* Only the owner writes the depth. */
    ORDO_INVARIANT("stm", "use", t->depth, "a word is read in a transaction", t, t->depth, (uintptr_t)word);
    ORDO_INVARIANT("stm", "use", !((uintptr_t)word & 7), "a word is aligned", t, (uintptr_t)word, t->depth);
    if (t->filter) {
        struct ordo_stm_entry *entry = ordo_stm_written(t, word);
        if (entry && !t->code) {
            *value = entry->value;
            return ORDO_OK;
        }
    }
    stripe = ordo_stm_stripe(t, word);
    if (ordo_stm_read_between(stripe, t->limit, word, value))
        return ordo_stm_note(t, t->keeps, stripe);
    return ordo_stm_read_on(t, word, value);
}

/* What a search needs of its thread for each read, so that it is loaded and stored once. It is constant while the
 * transaction writes nothing, does not hold, and begins no other one, but for the limit, which a renewal raises, and the
 * last reads. */
struct ordo_stm_view {
    uint64_t *stripes, limit;
    size_t mask;
    uint64_t *last_read, *read_before;
};

/* Which reads the transaction keeps: ORDO_STM_KEEPS_*. A search does not change it. */
static inline int ordo_stm_keeps(const struct ordo_stm_thread *t)
{
    return t->keeps;
}

/* Takes the thread's view. If the transaction has written, the limit is 0: ordo_stm_read then searches the write set. */
static inline void ordo_stm_view_begin(const struct ordo_stm_thread *t, struct ordo_stm_view *view)
{
    /* Only the owner writes the depth. */
    ORDO_INVARIANT("stm", "use", t->depth, "a word is read in a transaction", t, t->depth, (uintptr_t)view);
    view->stripes = t->stripes;
    view->limit = t->filter ? 0 : t->limit;
    view->mask = t->mask;
    view->last_read = t->last_read;
    view->read_before = t->read_before;
}

/* Tells the thread the last reads of a search. Without this call an elastic transaction would not keep them (C13 keep). */
static inline void ordo_stm_view_end(struct ordo_stm_thread *t, const struct ordo_stm_view *view, int keeps)
{
    t->last_read = view->last_read;
    if (keeps == ORDO_STM_KEEPS_LAST)
        t->read_before = view->read_before;
}

/* As ordo_stm_note, for a search. */
ORDO_CC_FAST int ordo_stm_view_note(struct ordo_stm_thread *t, struct ordo_stm_view *view, int keeps, uint64_t *stripe)
{
    uint64_t *before = view->last_read;
    view->last_read = stripe;
    if (keeps == ORDO_STM_KEEPS_NONE)
        return ORDO_OK;
    if (keeps == ORDO_STM_KEEPS_LAST) {
        view->read_before = before == stripe ? view->read_before : before; /* as in ordo_stm_note */
        return ORDO_OK;
    }
    if (before != stripe && __builtin_expect(ordo_stm_push(t->stm, &t->reads, stripe), 0))
        return ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ORDO_OK;
}

/* As ordo_stm_read; `*value` has no meaning after an error. `keeps` is that of ordo_stm_keeps, a constant if the caller has a
 * loop for each kind. */
ORDO_CC_FAST int ordo_stm_read_by(struct ordo_stm_thread *t, struct ordo_stm_view *view, int keeps,
                                  const uint64_t *word, uint64_t *value)
{
    uint64_t *stripe = &view->stripes[((uintptr_t)word >> ORDO_STM_STRIPE_SHIFT) & view->mask];
    uint64_t slow; /* so that *value can stay in a register: its address is not given to a call */
    int code;
    ORDO_INVARIANT("stm", "use", !((uintptr_t)word & 7), "a word is aligned", t, (uintptr_t)word, t->depth);
    if (ordo_stm_read_between(stripe, view->limit, word, value))
        return ordo_stm_view_note(t, view, keeps, stripe);
    ordo_stm_view_end(t, view, keeps);
    code = ordo_stm_read(t, word, &slow);
    *value = code ? 0 : slow;
    ordo_stm_view_begin(t, view);
    return code;
}

#endif
