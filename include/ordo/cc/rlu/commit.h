/* Commits a log: stamps it, waits for sections, and writes the copies back. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

static inline struct ordo_rlu_thread *ordo_rlu_thread_of(const struct ordo_cc_thread *common)
{
    return (struct ordo_rlu_thread *)ordo_cc_thread_around(common, offsetof(struct ordo_rlu_thread, common));
}

/* Makes the thread's next section read a time after `ticks`. */
static inline void ordo_rlu_mark(struct ordo_rlu_thread *r, uint64_t ticks)
{
    uint64_t old = 0, mark;
    do {
        if (old >> 1 >= ticks)
            /* C7: the mark is already set to this time or a later one. This load is in S too. A section that takes a
             * later mark is after w by the clock. */
            return;
        mark = ticks << 1 | (old & 1);
        /* C2 mark. Pairs with ordo_rlu_refresh: everything before this commit is visible to the section that takes the
         * mark. */
    } while (!__atomic_compare_exchange_n(&r->mark, &old, mark, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

/* True if a section whose thread has published the time `reader` needs nothing that a commit at w overwrites. */
static inline int ordo_rlu_is_past(const struct ordo_rlu_thread *t, ordo_time reader, ordo_time w)
{
    return ordo_stamp_after(&t->rlu->stamp, reader, w) && !ordo_stamp_disrupted(&t->rlu->stamp); /* C1 believe */
}

/* C9 turn: waits one turn for another thread: spins at first, then yields the CPU, then sleeps ever longer. */
static inline void ordo_rlu_wait_turn(unsigned *turn, uint64_t *yields, uint64_t *sleeps)
{
    static const struct ordo_cc_patience patience = {ORDO_RLU_SPINS, 0, ORDO_RLU_YIELDS, ORDO_RLU_NAP_US,
                                                     ORDO_RLU_NAP_DOUBLES};
    *turn = ordo_cc_wait_turn(&patience, *turn, yields, sleeps);
}

/* Waits until the section `run` of thread `r` has ended, or is known to be after w. */
ORDO_CC_SLOW void ordo_rlu_wait_reader(struct ordo_rlu_thread *t, struct ordo_rlu_thread *r, uint64_t run, ordo_time w)
{
    uint64_t since;
    unsigned turn = 0;
    ordo_time reader;
    /* Acquire pairs with ordo_rlu_refresh: the section that published this time has begun, and the thread's older
     * sections have ended. */
    reader.ticks = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE);
    if (ordo_rlu_is_past(t, reader, w))
        return;
    since = ordo_clock_relaxed();
    /* Acquire pairs with ordo_rlu_reader_unlock: the section's loads are done. */
    while (__atomic_load_n(&r->run, __ATOMIC_ACQUIRE) == run) {     /* C5 wait */
        reader.ticks = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE); /* acquire as above */
        if (ordo_rlu_is_past(t, reader, w))
            break;
        ordo_rlu_wait_turn(&turn, &t->statistics.yields, &t->statistics.sleeps);
    }
    ordo_cc_count(&t->statistics.reader_waits, 1);
    ordo_cc_count(&t->statistics.reader_wait_ticks, ordo_clock_relaxed() - since);
}

/* Returns when each section of another thread that is running or starts later is after w. */
static inline void ordo_rlu_pass(struct ordo_rlu_thread *t, struct ordo_rlu_thread *r, ordo_time w)
{
    uint64_t run;
    ordo_rlu_mark(r, w.ticks);
    /* C2 sample. Pairs with ordo_rlu_announce: a section that this load does not see sees the mark. */
    run = __atomic_load_n(&r->run, __ATOMIC_SEQ_CST);
    if (run & 1)
        ordo_rlu_wait_reader(t, r, run, w);
}

/* Returns when every section that is running or starts later is after w. A committer begins behind its own thread in the
 * list, so that committers do not queue for the first thread's line, then for the second one's: each begins at another
 * thread. The threads behind it have joined before it; the scan finds those in front of it. */
static inline void ordo_rlu_quiesce(struct ordo_rlu_thread *t, ordo_time w)
{
    struct ordo_cc_thread *common;
    int alone = 1;
    for (common = t->common.next;; common = common->next) {
        if (!common)
            /* D3: a thread that the scan does not find, or finds without an owner, reads its first time in
             * ordo_rlu_thread_init, later than w. */
            common = ordo_cc_threads_scan(&t->rlu->threads);
        if (common == &t->common)
            break;
        if (!ordo_cc_thread_is_used(common))
            continue;
        alone = 0;
        ordo_rlu_pass(t, ordo_rlu_thread_of(common), w);
    }
    if (!alone)
        ordo_rlu_mark(t, w.ticks); /* C2 self */
}

/* Stamps a commit whose `word` is announced, and returns its time: `w`, or the time of another thread that was faster.
 * The caller has taken `w` after the announcement. */
static inline ordo_time ordo_rlu_stamp_word(uint64_t *word, ordo_time w)
{
    uint64_t found = ORDO_RLU_ANNOUNCED;
    /* Release pairs with ordo_rlu_sees, and in MV-RLU with ordo_mvrlu_time: the copies are visible to a thread that
     * reads the time. Acquire serves a helper: its release then also covers everything that the announcement made
     * visible. */
    if (!__atomic_compare_exchange_n(word, &found, w.ticks, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        w.ticks = found;
    return w;
}

/* C4: as ordo_rlu_stamp_word, for the commit that is announced in the log. */
static inline ordo_time ordo_rlu_stamp(struct ordo_rlu_log *log, ordo_time w)
{
    return ordo_rlu_stamp_word(&log->word, w);
}

/* Writes a copy back and unlocks the object, unless a newer copy of this thread has replaced the copy. Relaxed: this
 * thread locked the object. Release pairs with the load of a thread that finds the object unlocked: the object is
 * written. */
static inline void ordo_rlu_write_object(struct ordo_rlu_record *record)
{
    if (__atomic_load_n(&record->object->copy, __ATOMIC_RELAXED) != record + 1)
        return;
    memcpy(record->object + 1, record + 1, (size_t)record->bytes);
    __atomic_store_n(&record->object->copy, NULL, __ATOMIC_RELEASE);
}

static inline void ordo_rlu_write_link(struct ordo_rlu_record *record)
{
    struct ordo_rlu_link_copy *copy = (struct ordo_rlu_link_copy *)(void *)(record + 1);
    if (__atomic_load_n(&record->object->copy, __ATOMIC_RELAXED) == ordo_rlu_locked_by(copy))
        __atomic_store_n(&record->object->copy, copy->to, __ATOMIC_RELEASE);
}

static inline void ordo_rlu_write_back(struct ordo_rlu_thread *t, struct ordo_rlu_log *log)
{
    struct ordo_rlu_position at = {log->first, sizeof(struct ordo_rlu_chunk)};
    struct ordo_rlu_record *record;
    int freed = 0;
    while ((record = ordo_rlu_log_step(log, &at)) != NULL) {
        /* No other thread changes the word of an object that this thread has locked. */
        ORDO_INVARIANT("rlu", "C5", record->kind > ORDO_RLU_LINK || ordo_rlu_holds(record),
                       "a master is written by the thread that has locked it", record->object,
                       (uintptr_t)record->object->copy, (uintptr_t)(record + 1));
        ORDO_INVARIANT("rlu", "C10", record->kind != ORDO_RLU_FREED || ordo_rlu_shows(record),
                       "an object that is freed is locked by its last section", record->object,
                       (uintptr_t)record->object->copy, (uintptr_t)(record + 1));
        freed |= record->kind == ORDO_RLU_FREED;
        if (record->kind == ORDO_RLU_COPY)
            ordo_rlu_write_object(record);
        else if (record->kind == ORDO_RLU_LINK)
            ordo_rlu_write_link(record);
    }
    if (!freed)
        return;
    at.chunk = log->first;
    at.used = sizeof(struct ordo_rlu_chunk);
    while ((record = ordo_rlu_log_step(log, &at)) != NULL)
        if (record->kind == ORDO_RLU_FREED)
            ordo_rlu_release(t->rlu, record->object);
}

/* Commits everything in the log; not in a section. */
static inline void ordo_rlu_flush_log(struct ordo_rlu_thread *t)
{
    struct ordo_rlu_log *log = t->log;
    struct ordo_rlu_position start;
    uint64_t since = t->group.share ? ordo_clock_relaxed() : 0;
    ordo_time w;
    ORDO_INVARIANT("rlu", "use", !(t->run & 1), "a flush is in no section", t, t->run, t->pending);
    /* A helper changes only the word of a log that is announced. */
    ORDO_INVARIANT("rlu", "C4", log->word == UINT64_MAX, "a commit is announced once", log, log->word, t->pending);
    /* C4. An exchange, because a cheaper read of the clock is enough after it. Pairs with ordo_rlu_stamp_word of a
     * helper: the copies are complete. */
    (void)__atomic_exchange_n(&log->word, ORDO_RLU_ANNOUNCED, __ATOMIC_SEQ_CST);
    w = ordo_rlu_stamp(log, ordo_stamp_take_after_exchange(&t->rlu->stamp));
    /* Only this thread announces the log again. */
    ORDO_INVARIANT("rlu", "C4", log->word == w.ticks && w.ticks < ORDO_STAMP_LIMIT, "the first time of a commit counts",
                   log, log->word, w.ticks);
    ordo_rlu_quiesce(t, w);
    ordo_rlu_write_back(t, log);
    t->log = log = &t->logs[log == &t->logs[0]]; /* C10 */
    /* Only this thread announces this log. */
    ORDO_INVARIANT("rlu", "C10", log->word != ORDO_RLU_ANNOUNCED, "a log is used again when its last commit has a time",
                   log, log->word, t->pending);
    start.chunk = log->first;
    start.used = sizeof(struct ordo_rlu_chunk);
    ordo_rlu_log_cut(log, start);
    /* Relaxed: no header points into this log, and ordo_rlu_show releases each new copy. */
    __atomic_store_n(&log->word, UINT64_MAX, __ATOMIC_RELAXED);
    if (t->group.share && t->pending) /* relaxed: bit 0 of the mark is a hint that a pending object is wanted */
        ordo_rlu_group_adapt(&t->group, t->pending, __atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1, since,
                             ordo_clock_relaxed());
    else if (t->group.share)
        t->group.flushed += ordo_clock_relaxed() - since;  /* does not count as time between flushes */
    ordo_cc_count(&t->statistics.flushes, t->pending > 0); /* if none is pending, the log has only undone changes */
    t->pending = 0;
    t->group_bytes = 0;
    t->due = t->group_due = UINT64_MAX;
}

static inline void ordo_rlu_flush(struct ordo_rlu_thread *t)
{
    if (t->pending)
        ordo_rlu_flush_log(t);
}

static inline void ordo_rlu_poll(struct ordo_rlu_thread *t)
{
    /* Relaxed: a hint. */
    if (t->pending && __atomic_load_n(&t->mark, __ATOMIC_RELAXED) & 1)
        ordo_rlu_flush_log(t);
}
