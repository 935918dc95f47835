/* Begins transactions. */
#ifndef ORDO_CC_STM_BEGIN_H
#define ORDO_CC_STM_BEGIN_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/abort.h>
#include <ordo/cc/stm/elastic.h>
#include <ordo/cc/stm/irrevocable.h>
#include <ordo/cc/stm/snapshot.h>

/* Begins a nested transaction, as a part of the outer one. */
ORDO_CC_SLOW int ordo_stm_begin_nested(struct ordo_stm_thread *t, unsigned flags)
{
    if (t->code || (!(flags & ORDO_STM_ELASTIC) && ordo_stm_hold(t)))
        return t->code;
    if (t->flags & ORDO_STM_READ_ONLY && !(flags & ORDO_STM_READ_ONLY))
        return ordo_stm_give_up(t, ORDO_E_INVALID, &t->statistics.aborts_asked);
    t->flags |= flags & ORDO_STM_QUIESCE;
    t->depth++;
    return ORDO_OK;
}

/* Makes the transaction that begins a snapshot. */
ORDO_CC_SLOW int ordo_stm_begin_snapshot(struct ordo_stm_thread *t)
{
    /* C12 limit. This time must be read before C12 begin. It is a new one, so that fewer versions are too new. */
    ordo_stm_carry(t, ordo_stamp_now_before(&t->stm->stamp));
    t->limit = ordo_stm_limit(t);
    t->keeps = ORDO_STM_KEEPS_NONE;
    if (!ordo_stm_snapshot_begin(t))
        return ORDO_OK;
    (void)ordo_stm_give_up(t, ORDO_E_SYSTEM, &t->statistics.aborts_asked);
    return ordo_stm_abort(t);
}

/* Makes the transaction that begins a snapshot or elastic, unless it is irrevocable: then nothing changes while it
 * reads. */
static inline int ordo_stm_begin_kind(struct ordo_stm_thread *t, unsigned flags)
{
    if (t->irrevocable)
        return ORDO_OK;
    if ((flags & ORDO_STM_SNAPSHOT) == ORDO_STM_SNAPSHOT)
        return ordo_stm_begin_snapshot(t);
    t->keeps = ORDO_STM_KEEPS_LAST;
    t->read_before = NULL;
    return ORDO_OK;
}

static inline int ordo_stm_begin(struct ordo_stm_thread *t, unsigned flags)
{
    struct ordo_stm *stm = t->stm;
    uint64_t announced;
    if (t->depth)
        return ordo_stm_begin_nested(t, flags);
    /* Only the owner writes `used`. */
    ORDO_INVARIANT("stm", "use", t->common.used, "a thread that has finished begins no transaction", t, t->depth,
                   t->common.used);
    /* Only the owner writes `announced`. */
    ORDO_INVARIANT("stm", "C10", !t->announced, "a transaction that begins is not announced yet", t, t->announced,
                   t->depth);
    if (__builtin_expect(t->attempts != 0, 0)) {
        ordo_stm_wait_turn(t, t->attempts - 1);
        if (t->attempts >= ORDO_STM_PATIENCE || t->wants_token)
            ordo_stm_token_take(t);
    }
    announced = __atomic_load_n(&stm->epoch, __ATOMIC_RELAXED) << 1 | 1; /* relaxed: it is loaded again below */
    if (t->fresh) {
        t->fresh--;
        ordo_cc_count(&t->statistics.clock_reads, 1);
        ordo_stm_carry(t, ordo_stamp_now_before_exchange(&stm->stamp, &announced)); /* C2 begin */
    }
    /* C10 announce. Pairs with C10 scan: the epoch is not advanced twice from here on before this transaction ends. */
    (void)__atomic_exchange_n(&t->announced, announced, __ATOMIC_SEQ_CST);
    /* C10 acquire. Pairs with ordo_stm_epoch_advance: this transaction cannot find an object that was unlinked two
     * epochs ago. */
    (void)__atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST);
    t->limit = t->irrevocable ? ORDO_STM_LOCKED : ordo_stm_limit(t);
    t->keeps = !t->irrevocable && (!(flags & ORDO_STM_READ_ONLY) || t->attempts);
    t->flags = flags;
    t->last_read = NULL;
    t->depth = 1;
    if (__builtin_expect((flags & ~(unsigned)(ORDO_STM_READ_ONLY | ORDO_STM_QUIESCE)) != 0, 0))
        return ordo_stm_begin_kind(t, flags);
    return ORDO_OK;
}

static inline void ordo_stm_drop(struct ordo_stm_thread *t)
{
    if (__builtin_expect(t->attempts != 0, 0) && !t->depth) {
        t->attempts = 0;
        t->wants_token = 0;
    }
}

static inline int ordo_stm_active(const struct ordo_stm_thread *t)
{
    return t->depth != 0;
}

#endif
