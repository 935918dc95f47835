/* Begins, ends and undoes sections. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

/* Starts section number `run`. */
static inline void ordo_rlu_announce(struct ordo_rlu_thread *t, uint64_t run)
{
    /* C2 announce. Pairs with ordo_rlu_pass: the committer sees this section, or this section sees the committer's
     * mark. */
    (void)__atomic_exchange_n(&t->run, run, __ATOMIC_SEQ_CST);
}

/* C1 watch: refuses a section that has just been announced and must be after w, because it would wait in vain. */
ORDO_CC_SLOW int ordo_rlu_turn_away(struct ordo_rlu_thread *t, ordo_time w)
{
    ordo_rlu_mark(t, w.ticks); /* before the end, so that neither a committer nor the next section misses the mark */
    t->aborted += 2;           /* the section that ends here did not succeed */
    /* Release, as in ordo_rlu_reader_unlock. */
    __atomic_store_n(&t->run, t->run + 1, __ATOMIC_RELEASE);
    return ORDO_E_DISRUPTED;
}

/* Brings L up to date for a marked section that has just been announced, and flushes if another thread waits for a
 * pending object.
 * 0: the section goes on
 * ORDO_E_DISRUPTED: the section was refused */
ORDO_CC_SLOW int ordo_rlu_refresh(struct ordo_rlu_thread *t)
{
    const struct ordo_stamp *stamp = &t->rlu->stamp;
    uint64_t mark = __atomic_load_n(&t->mark, __ATOMIC_RELAXED), run = t->run;
    ordo_time now, w;
    if (mark & 1 && t->pending) {
        /* The section has read nothing yet and begins again afterwards. Release, as in ordo_rlu_reader_unlock. */
        __atomic_store_n(&t->run, run + 1, __ATOMIC_RELEASE);
        ordo_cc_count(&t->statistics.flushes_asked, 1);
        ordo_rlu_flush_log(t);
        ordo_rlu_announce(t, run + 2);
        t->aborted += 2; /* the section that ended here did not succeed */
    }
    /* Pairs with ordo_rlu_mark: if the committer saw an object unlocked, so does this section. */
    mark = __atomic_exchange_n(&t->mark, 0, __ATOMIC_SEQ_CST);
    w.ticks = mark >> 1;
    if (w.ticks == 0)
        return ORDO_OK; /* only a pending object was wanted; a thread that still wants it will ask again */
    now = ordo_stamp_now_before(stamp); /* C2 time: before the first object is read */
    ordo_cc_count(&t->statistics.clock_reads, 1);
    if (!ordo_stamp_after(stamp, now, w)) {
        uint64_t since = ordo_clock_relaxed();
        do { /* C5 after */
            if (ordo_stamp_watched(stamp) && ordo_stamp_hopeless(stamp, now, w))
                return ordo_rlu_turn_away(t, w);
            ordo_clock_pause();
            now = ordo_stamp_now_before(stamp); /* C9 fresh */
        } while (!ordo_stamp_after(stamp, now, w));
        ordo_cc_count(&t->statistics.boundary_waits, 1);
        since = ordo_clock_relaxed() - since;
        ordo_cc_count(&t->statistics.boundary_wait_ticks, since);
        t->group.flushed += since; /* this wait does not count as time between the thread's flushes */
    }
    if (now.ticks > t->time) /* C8 */
        /* Release pairs with ordo_rlu_wait_reader: older sections have ended. */
        __atomic_store_n(&t->time, now.ticks, __ATOMIC_RELEASE);
    /* Only the owner writes L. */
    ORDO_INVARIANT("rlu", "C8", t->time >= now.ticks, "L is at least the section's time", t, t->time, now.ticks);
    ORDO_INVARIANT("rlu", "C5", ordo_stamp_after(stamp, now, w), "a section is after the mark that it took in", t,
                   now.ticks, w.ticks);
    return ORDO_OK;
}

static inline int ordo_rlu_reader_lock(struct ordo_rlu_thread *t)
{
    /* Only the owner writes `run` and `used`. */
    ORDO_INVARIANT("rlu", "use", t->common.used, "a thread that has finished begins no section", t, t->run,
                   t->common.used);
    ORDO_INVARIANT("rlu", "use", !(t->run & 1), "sections do not nest", t, t->run, t->section);
    ordo_rlu_announce(t, t->run + 1);
    /* C2 look. Pairs with ordo_rlu_mark. */
    if (__builtin_expect(__atomic_load_n(&t->mark, __ATOMIC_SEQ_CST) != 0, 0))
        return ordo_rlu_refresh(t);
    return ORDO_OK;
}

/* Undoes the section's changes to shared memory. */
static inline void ordo_rlu_undo(struct ordo_rlu_thread *t)
{
    struct ordo_rlu_position at = t->start;
    struct ordo_rlu_record *record;
    while ((record = ordo_rlu_log_step(t->log, &at)) != NULL) {
        /* This thread has locked the object, and a section has at most one copy of an object. */
        ORDO_INVARIANT("rlu", "C10", record->kind > ORDO_RLU_FREED || ordo_rlu_shows(record),
                       "an object shows the copy that is undone", record->object, (uintptr_t)record->object->copy,
                       (uintptr_t)(record + 1));
        if (record->kind <= ORDO_RLU_FREED)
            /* Release, like every unlock: pairs with ordo_rlu_try_lock of the next owner. */
            __atomic_store_n(&record->object->copy, record->previous, __ATOMIC_RELEASE);
    }
    at = t->start; /* second pass: the first pass may write to the header of an allocated object */
    while ((record = ordo_rlu_log_step(t->log, &at)) != NULL) {
        if (record->kind == ORDO_RLU_ALLOCATED)
            ordo_rlu_release(t->rlu, record->object);
        record->kind = ORDO_RLU_NOTHING; /* C10 undo */
    }
    t->writing = 0;
    t->due = t->group_bytes < (t->pending ? t->rlu->options.defer_bytes : ORDO_RLU_UNDONE_BYTES) ? t->group_due : 0;
}

/* Completes the end of a section that wrote, or at whose end the pending commits are due.
 * 0: ended
 * ORDO_E_DISRUPTED: the section was undone */
ORDO_CC_SLOW int ordo_rlu_finish_section(struct ordo_rlu_thread *t)
{
    const struct ordo_rlu_options *options = &t->rlu->options;
    if (t->writing && ordo_stamp_disrupted(&t->rlu->stamp)) { /* C1 undo */
        ordo_rlu_undo(t);
        ordo_cc_count(&t->statistics.aborts, 1);
        if (t->due == 0)
            ordo_rlu_flush_log(t);
        return ORDO_E_DISRUPTED;
    }
    if (t->writing) {
        t->writing = 0;
        ordo_cc_count(&t->statistics.commits, 1);
        if (t->pending++ == 0)
            t->group_due = t->run + 2 * (uint64_t)options->defer_sections;
        t->due = t->group_due;
        /* Relaxed: bit 0 of the mark is a hint that another thread wants a pending object. */
        if (t->pending < t->group.most && t->group_bytes < options->defer_bytes &&
            !(__atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1))
            return ORDO_OK;
    }
    ordo_rlu_flush_log(t);
    return ORDO_OK;
}

static inline int ordo_rlu_reader_unlock(struct ordo_rlu_thread *t)
{
    uint64_t run = t->run + 1;
    ORDO_INVARIANT("rlu", "use", t->run & 1, "a section that ends has begun", t, t->run, t->section);
    /* Release pairs with ordo_rlu_wait_reader and ordo_rlu_pass: the loads of this section are done. */
    __atomic_store_n(&t->run, run, __ATOMIC_RELEASE);
    if (__builtin_expect(run >= t->due, 0))
        return ordo_rlu_finish_section(t);
    return ORDO_OK;
}

/* Returns the code of the reason why a section must be aborted, and resets it to ORDO_LATER: another thread was faster.
 */
static inline int ordo_rlu_take_code(int *code)
{
    int taken = *code;
    *code = ORDO_LATER;
    return taken;
}

ORDO_CC_SLOW int ordo_rlu_abort(struct ordo_rlu_thread *t)
{
    int code = ordo_rlu_take_code(&t->code);
    ORDO_INVARIANT("rlu", "use", t->run & 1, "an abort is in a section", t, t->run, t->aborted);
    ordo_cc_count(&t->statistics.aborts, 1);
    if (t->writing)
        ordo_rlu_undo(t);
    if (t->run - t->aborted > 2) /* a section between the last abort and this one succeeded */
        t->turn = 0;
    t->aborted = t->run;
    (void)ordo_rlu_reader_unlock(t); /* flushes pending commits or undone changes if they are due */
    ordo_rlu_wait_turn(&t->turn, &t->statistics.yields, &t->statistics.sleeps);
    return code;
}

#define ORDO_RLU_AGAIN (-1000)

/* ORDO_RLU_SECTION for an engine whose functions begin with `engine`. */
#define ORDO_RLU_SECTION_OF(engine, t, result, call)                                                                   \
    do {                                                                                                               \
        if (((result) = engine##_reader_lock(t)) != ORDO_OK)                                                           \
            break;                                                                                                     \
        (result) = (call);                                                                                             \
        if ((result) >= 0) {                                                                                           \
            if (engine##_reader_unlock(t) != ORDO_OK)                                                                  \
                (result) = ORDO_E_DISRUPTED;                                                                           \
        } else if (((result) = engine##_abort(t)) == ORDO_LATER) {                                                     \
            (result) = ORDO_RLU_AGAIN;                                                                                 \
        }                                                                                                              \
    } while ((result) == ORDO_RLU_AGAIN)
