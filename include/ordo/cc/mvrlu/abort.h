/* Giving up a section, and the waits before it begins again. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* With `own_clock`, waits until the thread's next section is after the version that this section could not lock. */
static inline int ordo_mvrlu_catch_up(struct ordo_mvrlu_thread *t)
{
    ordo_time now, w = t->conflict;
    t->conflict.ticks = 0;
    if (w.ticks == 0 || !t->own_clock) /* C5 floor: without own_clock the next section is after w anyway */
        return ORDO_LATER;
    /* A read ordered before later accesses is enough: C3 requires only that a clock showed L before the section reads
     * its first object. */
    if (ordo_stamp_later_before(&t->domain->stamp, w, &now) != ORDO_OK) /* C5 conflict */
        return ORDO_E_DISRUPTED;
    if (now.ticks > t->time) /* C6 */
        /* Release pairs with ordo_mvrlu_horizon, as in ordo_mvrlu_begin. */
        __atomic_store_n(&t->time, now.ticks, __ATOMIC_RELEASE);
    return ORDO_LATER;
}

enum { ORDO_MVRLU_NAPS = 128 }; /* sleeps, about 100 ms in all */

/* After a section that found its log full: collects. Returns ORDO_LATER, or ORDO_E_FULL after 128 sleeps in a row. */
static inline int ordo_mvrlu_wait_for_room(struct ordo_mvrlu_thread *t)
{
    ordo_cc_count(&t->statistics.fulls, 1);
    ordo_mvrlu_collect(t);
    ordo_mvrlu_collect(t); /* reclaims the entries that the first call settled, so that the log may become empty */
    if (t->turn < ORDO_RLU_SPINS)
        t->turn = ORDO_RLU_SPINS;
    if (t->turn < ORDO_RLU_SPINS + ORDO_RLU_YIELDS + ORDO_RLU_NAP_DOUBLES || t->naps++ < ORDO_MVRLU_NAPS)
        return ORDO_LATER;
    t->naps = 0;
    return ORDO_E_FULL;
}

ORDO_CC_SLOW int ordo_mvrlu_abort(struct ordo_mvrlu_thread *t)
{
    int code = ordo_rlu_take_code(&t->code);
    if (t->writing)
        ordo_mvrlu_undo(t);
    ordo_cc_count(&t->statistics.aborts, 1);
    if (t->run - t->aborted > 1) { /* a section between the last abort and this one succeeded */
        t->turn = 0;
        t->naps = 0;
    }
    ordo_mvrlu_end(t);
    if (t->pending && (code == ORDO_E_FULL || t->group_bytes >= t->domain->options.defer_bytes || t->run >= t->due ||
                       ordo_mvrlu_is_wanted(t)))
        /* C11 flush: before the sleep below, because pending commits prevent other threads from reclaiming. */
        ordo_mvrlu_flush_group(t);
    /* an abort counts too, because undone versions take room in the log */
    if (++t->commits >= t->domain->options.collect_commits)
        ordo_mvrlu_collect(t);
    if (code == ORDO_E_FULL)
        code = ordo_mvrlu_wait_for_room(t);
    else if (code == ORDO_LATER)
        code = ordo_mvrlu_catch_up(t);
    t->aborted = t->run; /* ordo_mvrlu_collect has run sections, which do not count as successes */
    if (code == ORDO_LATER)
        ordo_rlu_wait_turn(&t->turn, &t->statistics.yields, &t->statistics.sleeps);
    return code;
}
