/* The token of the irrevocable transaction, which will not run again. At most one transaction is irrevocable. */
#ifndef ORDO_CC_STM_IRREVOCABLE_H
#define ORDO_CC_STM_IRREVOCABLE_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/elastic.h>
#include <ordo/cc/stm/snapshot.h>
#include <ordo/cc/stm/validate.h>

static inline void ordo_stm_flag_down(struct ordo_stm_thread *t)
{
    /* Pairs with ordo_stm_token_take: a thread that finds the flag down sees everything that this commit wrote. */
    __atomic_store_n(&t->committing, 0, __ATOMIC_RELEASE);
}

static inline void ordo_stm_token_wait(struct ordo_stm_thread *t)
{
    unsigned turn = 0;
    /* relaxed: the caller loads or exchanges the token again */
    while (__atomic_load_n(&t->stm->token, __ATOMIC_RELAXED))
        ordo_stm_wait_turn(t, turn++);
}

/* Takes the token, and waits until this thread is the only one that can commit. Call it with the thread's flag down. */
ORDO_CC_SLOW void ordo_stm_token_take(struct ordo_stm_thread *t)
{
    const struct ordo_cc_thread *common;
    uint64_t free_token = 0;
    unsigned turn = 0;
    /* Only the owner writes its flag. */
    ORDO_INVARIANT("stm", "C11", !t->committing, "the token is taken with the flag down", t, t->committing,
                   t->stm->token);
    /* C11 take. Pairs with ordo_stm_gate: see C11; and with ordo_stm_leave of the last owner: the owner's writes are
     * visible. */
    while (!__atomic_compare_exchange_n(&t->stm->token, &free_token, t->mine, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
        ordo_stm_token_wait(t);
        free_token = 0;
    }
    for (common = ordo_cc_threads_scan(&t->stm->threads); common; common = common->next) {
        const struct ordo_stm_thread *r = ordo_stm_thread_of(common);
        /* C11 drain. Pairs with ordo_stm_gate: see C11; and with ordo_stm_flag_down. */
        for (turn = 0; __atomic_load_n(&r->committing, __ATOMIC_SEQ_CST); turn++)
            ordo_stm_wait_turn(t, turn);
    }
    t->irrevocable = 1;
    t->wants_token = 0;
    ordo_cc_count(&t->statistics.irrevocable, 1);
}

/* Raises the flag of this thread's commit. Waits, with the flag down, while another thread has the token. */
static inline void ordo_stm_gate(struct ordo_stm_thread *t)
{
    for (;;) {
        /* C11 gate. Pairs with C11 drain: either the drain sees the flag, or this thread sees the token. */
        (void)__atomic_exchange_n(&t->committing, 1, __ATOMIC_SEQ_CST);
        if (__builtin_expect(__atomic_load_n(&t->stm->token, __ATOMIC_SEQ_CST) == 0, 1) || t->irrevocable)
            return;
        ordo_stm_flag_down(t);
        ordo_stm_token_wait(t);
    }
}

ORDO_CC_SLOW int ordo_stm_irrevocable(struct ordo_stm_thread *t)
{
    ORDO_INVARIANT("stm", "use", t->depth, "a transaction that becomes irrevocable has begun", t, t->depth,
                   t->attempts);
    if (ordo_stm_hold(t))
        return t->code;
    if (t->irrevocable)
        return ORDO_OK;
    ordo_stm_token_take(t);
    if ((!t->keeps && t->last_read) || !ordo_stm_stands(t, t->limit, 0)) { /* C11 stand */
        t->wants_token = 1;
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, &t->statistics.aborts_changed);
    }
    ordo_stm_snapshot_end(t); /* it has read nothing */
    t->limit = ORDO_STM_LOCKED;
    t->keeps = ORDO_STM_KEEPS_NONE;
    return ORDO_OK;
}

#endif
