/* Epochs: delays the release of freed memory until no transaction can see it, and waits for transactions to end. */
#ifndef ORDO_CC_STM_EPOCH_H
#define ORDO_CC_STM_EPOCH_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <string.h>

#include <ordo/cc/stm/snapshot.h>
#include <ordo/cc/stm/wait.h>

/* An object that is released in epoch `epoch` + 3 (C10). */
struct ordo_stm_retired {
    void *object;
    uint64_t epoch;
};

/* Advances the epoch, unless a transaction has announced another epoch than the present one. */
ORDO_CC_SLOW void ordo_stm_epoch_advance(struct ordo_stm *stm)
{
    /* These two loads pair with the exchange below and with C10 announce: see C10. */
    uint64_t epoch = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST), announced;
    const struct ordo_cc_thread *common = ordo_cc_threads_scan(&stm->threads);
    for (; common; common = common->next) {
        const struct ordo_stm_thread *r = ordo_stm_thread_of(common);
        /* C10 scan. Pairs with ordo_stm_leave: the accesses of an ended transaction are visible. */
        announced = __atomic_load_n(&r->announced, __ATOMIC_SEQ_CST);
        if (announced && announced != (epoch << 1 | 1))
            return;
    }
    /* Pairs with C10 acquire: everything that the scan saw is visible to a thread that finds the new epoch. Relaxed on
     * failure: another thread has advanced the epoch. */
    (void)__atomic_compare_exchange_n(&stm->epoch, &epoch, epoch + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* Retires the objects that the committed transaction has freed. */
ORDO_CC_SLOW void ordo_stm_retire(struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items + t->retired.count;
    void **objects = (void **)t->frees.items;
    /* C10 retire. Pairs with ordo_stm_epoch_advance: the epoch is not advanced twice from here on before this
     * transaction ends. */
    uint64_t epoch = __atomic_load_n(&t->stm->epoch, __ATOMIC_SEQ_CST);
    size_t i;
    /* The epoch only grows. */
    ORDO_INVARIANT("stm", "C10", t->retired.count == t->retired_start || retired[-1].epoch <= epoch,
                   "objects are retired in the order of their epochs", t, epoch, t->retired.count);
    for (i = 0; i < t->frees.count; i++) {
        retired[i].object = objects[i];
        retired[i].epoch = epoch;
    }
    t->retired.count += t->frees.count;
}

/* Releases the retired objects that no transaction can see any more. Call it outside transactions. */
ORDO_CC_SLOW void ordo_stm_collect(struct ordo_stm_thread *t)
{
    struct ordo_stm_retired *retired = (struct ordo_stm_retired *)t->retired.items;
    size_t i = t->retired_start;
    uint64_t epoch;
    ORDO_INVARIANT("stm", "use", !t->depth, "objects are given back outside of transactions", t, t->depth,
                   t->retired.count);
    ordo_stm_epoch_advance(t->stm);
    /* Pairs with ordo_stm_epoch_advance: the transactions that could see the objects have ended. */
    epoch = __atomic_load_n(&t->stm->epoch, __ATOMIC_SEQ_CST);
    for (; i < t->retired.count && epoch >= retired[i].epoch + 3; i++) /* C10 free */
        ordo_cc_release(&t->stm->options.memory, retired[i].object);
    ordo_stm_saved_release(t, epoch);
    ordo_cc_count(&t->statistics.freed, i - t->retired_start);
    t->retired_start = i;
    if (2 * i >= t->retired.count) {
        if (i < t->retired.count)
            memmove(retired, retired + i, (t->retired.count - i) * sizeof *retired);
        t->retired.count -= i;
        t->retired_start = 0;
    }
    t->collect_at = t->retired.count + t->removed + 64;
}

ORDO_CC_SLOW void ordo_stm_quiesce(struct ordo_stm_thread *t)
{
    struct ordo_stm *stm = t->stm;
    /* Pairs with ordo_stm_epoch_advance. */
    uint64_t start = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST), epoch = start, next;
    unsigned turn = 0;
    ORDO_INVARIANT("stm", "use", !t->depth, "a thread in a transaction does not wait for all others", t, t->depth,
                   epoch);
    ordo_cc_count(&t->statistics.quiesces, 1);
    while (epoch < start + 3) { /* C10 quiesce */
        ordo_stm_epoch_advance(stm);
        next = __atomic_load_n(&stm->epoch, __ATOMIC_SEQ_CST); /* pairs with ordo_stm_epoch_advance */
        if (next == epoch)
            ordo_stm_wait_turn(t, turn++);
        epoch = next;
    }
    ordo_stm_collect(t);
}

#endif
