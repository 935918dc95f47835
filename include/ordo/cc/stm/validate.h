/* Validates the read set, renews the begin, and gives transactions up. */
#ifndef ORDO_CC_STM_VALIDATE_H
#define ORDO_CC_STM_VALIDATE_H

#ifndef ORDO_CC_STM_H
#error "include <ordo/cc/stm.h>"
#endif

#include <ordo/cc/stm/stripe.h>
#include <ordo/cc/stm/wait.h>

/* Returns the limit of the begin: every smaller version is certainly before the begin (C3, ordo_stamp_after). */
static inline uint64_t ordo_stm_limit(const struct ordo_stm_thread *t)
{
    uint64_t boundary = ordo_stamp_boundary(&t->stm->stamp);
    return t->begin > boundary ? t->begin - boundary : 0;
}

/* C8 carry: raises the begin to a time that this thread has just read, if the time is larger. */
static inline void ordo_stm_carry(struct ordo_stm_thread *t, ordo_time now)
{
    if (now.ticks > t->begin)
        t->begin = now.ticks;
}

/* Gives the transaction up, so that its further calls have no effect, and counts this in `*cause`. Returns the code of
 * the first reason. */
ORDO_CC_SLOW int ordo_stm_give_up(struct ordo_stm_thread *t, int code, uint64_t *cause)
{
    if (!t->code) {
        t->code = code;
        t->limit = 0;
        ordo_cc_count(cause, 1);
    }
    return t->code;
}

/* C7 own: true if the stripe is as this thread's last commit left it. */
ORDO_CC_SLOW int ordo_stm_is_own(const struct ordo_stm_thread *t, const uint64_t *stripe, uint64_t version)
{
    unsigned i;
    for (i = 0; version == t->own_version && i < t->owned; i++)
        if (t->own[i] == stripe)
            return 1;
    return 0;
}

/* True if a version is certainly before the begin, or is this thread's own (C7). */
static inline int ordo_stm_is_past(const struct ordo_stm_thread *t, uint64_t limit, const uint64_t *stripe,
                                   uint64_t version)
{
    return version < limit || ordo_stm_is_own(t, stripe, version);
}

/* True if the read set is unchanged since the begin: C5 renew, C6 validate, C11 stand, C13 renew. `late` is true if a
 * stripe that this commit has locked had a version that is not before the begin. */
static inline int ordo_stm_stands(const struct ordo_stm_thread *t, uint64_t limit, int late)
{
    uint64_t *const *reads = (uint64_t *const *)t->reads.items;
    const struct ordo_stm_lock *locks = (const struct ordo_stm_lock *)t->locks.items;
    size_t i, k;
    if (t->keeps == ORDO_STM_KEEPS_LAST)
        /* C13 renew. Acquire as below. The read set is empty. */
        return !t->last_read ||
               ordo_stm_is_past(t, limit, t->last_read, __atomic_load_n(t->last_read, __ATOMIC_ACQUIRE));
    for (i = 0; i < t->reads.count; i++) {
        /* Acquire pairs with C4 unlock: the load sees every unlock before the moment of the commit or the new begin. */
        uint64_t version = __atomic_load_n(reads[i], __ATOMIC_ACQUIRE);
        if (ordo_stm_is_past(t, limit, reads[i], version)) /* C6 validate */
            continue;
        if (version != t->mine)
            return 0;
        for (k = 0; late && k < t->locks.count; k++) /* C6 own */
            if (locks[k].stripe == reads[i] && !ordo_stm_is_past(t, limit, reads[i], locks[k].version))
                return 0;
    }
    return 1;
}

/* True if the counter of the stamp would have to move past a version that was met, and moves only at aborts. */
static inline int ordo_stm_defers(const struct ordo_stm_thread *t, ordo_time met)
{
#if defined ORDO_STAMP_DEFERRED
    return !ordo_stamp_after(&t->stm->stamp, ordo_stamp_now(&t->stm->stamp), met);
#else
    (void)t, (void)met;
    return 0;
#endif
}

/* Renews the begin after the transaction has met a version that is not certainly before it. Returns 0 if the begin is
 * now certainly after the version, otherwise the code for which the transaction is given up. */
ORDO_CC_SLOW int ordo_stm_renew(struct ordo_stm_thread *t, uint64_t version)
{
    struct ordo_stm_statistics *sum = &t->statistics;
    ordo_time now, met, begin;
    uint64_t limit = t->limit, start = ordo_clock_relaxed();
    int uncertain, deferred;
    met.ticks = version;
    begin.ticks = t->begin;
    deferred = ordo_stm_defers(t, met);
    uncertain = ordo_stamp_cmp(&t->stm->stamp, met, begin) == 0;
    t->fresh = ORDO_STM_FRESH;
    if (ordo_stamp_later_before(&t->stm->stamp, met, &now)) /* C5 later */
        return ordo_stm_give_up(t, ORDO_E_DISRUPTED, &sum->aborts_asked);
    if (uncertain)
        ordo_cc_count(&sum->boundary_wait_ticks, ordo_clock_relaxed() - start);
    ordo_stm_carry(t, now);
    /* Only the owner writes the begin. */
    ORDO_INVARIANT("stm", "C5", ordo_stamp_after(&t->stm->stamp, now, met) && t->begin >= now.ticks,
                   "a new begin is after the version that was met", t, t->begin, version);
    if (deferred || (!t->keeps && t->last_read))
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, uncertain ? &sum->aborts_uncertain : &sum->aborts_newer);
    ordo_cc_count(&sum->extensions, 1);
    ordo_cc_count(&sum->extensions_uncertain, (uint64_t)uncertain);
    if (!ordo_stm_stands(t, limit, 0)) /* C5 renew */
        return ordo_stm_give_up(t, ORDO_STM_AGAIN, &sum->aborts_changed);
    t->limit = ordo_stm_limit(t);
    return ORDO_OK;
}

#endif
