/* Commits a section, or all pending sections of a thread, at one time. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* True if the time of a version, or of the commit that it names, is <= w. */
static inline int ordo_mvrlu_is_by(const struct ordo_mvrlu_version *version, ordo_time w)
{
    uint64_t word = __atomic_load_n(&version->word, __ATOMIC_RELAXED);
    const struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    return (commit ? __atomic_load_n(&commit->word, __ATOMIC_RELAXED) : word) <= w.ticks;
}

/* True if the floor is after w, or sections read the clock. */
static inline int ordo_mvrlu_is_below_floor(const struct ordo_mvrlu_thread *t, ordo_time w)
{
    return t->own_clock ||
           __atomic_load_n(&t->domain->floor, __ATOMIC_RELAXED) > w.ticks + ordo_stamp_boundary(&t->domain->stamp);
}

/* Stores the time of the commit in the versions that it replaces. Walks the log only if such versions may exist, which
 * is rare. */
static inline void ordo_mvrlu_tell_below(struct ordo_mvrlu_thread *t, ordo_time w)
{
    struct ordo_rlu_position at = t->first;
    struct ordo_mvrlu_version *entry;
    if (!t->replaces)
        return;
    t->replaces = 0;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL) {
        struct ordo_mvrlu_version *below =
            ordo_mvrlu_is_version(entry) ? ordo_mvrlu_version_in(entry->is_link, entry->older) : NULL;
        /* The version below is committed, keeps its time, and is not reclaimed before this section ends. */
        ORDO_INVARIANT("mvrlu", "C2", !below || ordo_mvrlu_is_by(below, w), "a chain is in the order of its times",
                       entry->object, w.ticks, below ? below->word : 0);
        if (below)
            /* C8 above. Release pairs with ordo_mvrlu_settle: this thread needs the version below no longer. */
            __atomic_store_n(&below->above, w.ticks, __ATOMIC_RELEASE);
    }
}

/* Announces the commit, and returns a time for it. */
static inline ordo_time ordo_mvrlu_announce(struct ordo_mvrlu_thread *t)
{
    uint64_t *word = &t->commit->word;
    /* A helper changes only the word of a commit that is announced. */
    ORDO_INVARIANT("mvrlu", "C4", *word == ORDO_MVRLU_OPEN, "a commit is announced once", t->commit, *word, t->pending);
    ORDO_INVARIANT("mvrlu", "C8", t->run & 1, "a commit is announced in a section", t, t->run, t->pending);
    if (t->own_clock) {
        /* C4 announce. Pairs with ordo_mvrlu_time of a helper: the copies are complete. */
        (void)__atomic_exchange_n(word, ORDO_MVRLU_ANNOUNCED, __ATOMIC_SEQ_CST);
        return ordo_stamp_take_after_exchange(&t->domain->stamp);
    }
    /* C4 announce. Pairs with ordo_mvrlu_time of a helper, as above, and through the floor with ordo_mvrlu_begin. */
    __atomic_store_n(word, ORDO_MVRLU_ANNOUNCED, __ATOMIC_RELEASE);
    return ordo_mvrlu_take_by_floor(t);
}

/* Commits the pending sections, and returns the time of the commit. Call it in a section. */
static inline ordo_time ordo_mvrlu_publish(struct ordo_mvrlu_thread *t)
{
    ordo_time offered = ordo_mvrlu_announce(t),
              w = ordo_mvrlu_stamp(t->commit, offered); /* C4: the first time counts */
    /* A stamped commit's word does not change. */
    ORDO_INVARIANT("mvrlu", "C4", t->commit->word == w.ticks && w.ticks < ORDO_STAMP_LIMIT,
                   "the first time of a commit counts", t->commit, t->commit->word, w.ticks);
    /* The floor only grows. */
    ORDO_INVARIANT("mvrlu", "C5", ordo_mvrlu_is_below_floor(t, w), "the floor is after every commit that has a time", t,
                   t->domain->floor, w.ticks);
    ordo_mvrlu_tell_below(t, w);
    if (t->unlinked.ticks == ORDO_MVRLU_OPEN)
        t->unlinked = offered; /* C9 now */
    t->commits += t->pending;
    t->pending = 0;
    t->commit = NULL;
    t->group_due = UINT64_MAX;
    /* Collects soon, because readers load more lines for an object until it is written back, but only after other
     * threads have begun later sections. If commits are rare, collects after each. */
    if (t->collect_due == UINT64_MAX &&
        (t->commits >= t->domain->options.collect_commits || t->run - t->collected >= (uint64_t)2 * ORDO_MVRLU_REST))
        t->collect_due = t->run + 2 * ORDO_MVRLU_SOON;
    ordo_mvrlu_set_due(t);
    ordo_cc_count(&t->statistics.flushes, 1);
    return w;
}

/* Returns the time now, at the start of a flush, if the thread chooses how many commits it gathers; otherwise 0. */
static inline uint64_t ordo_mvrlu_flush_begins(const struct ordo_mvrlu_thread *t)
{
    return t->group.share ? ordo_clock_relaxed() : 0;
}

/* Ends a flush of `gathered` commits that have time w, outside sections. With `own_clock` waits for the clock. Then
 * chooses, from the duration of the flush, how many commits to gather next. */
static inline void ordo_mvrlu_flush_ends(struct ordo_mvrlu_thread *t, ordo_time w, unsigned gathered, uint64_t since)
{
    if (t->own_clock)
        (void)ordo_stamp_settle(&t->domain->stamp, w); /* C5 settle: gives up if the clocks are disrupted */
    if (t->group.share)
        /* Relaxed: a hint that another thread wants a pending object. */
        ordo_rlu_group_adapt(&t->group, gathered, (int)__atomic_load_n(&t->asked, __ATOMIC_RELAXED), since,
                             ordo_clock_relaxed());
}

/* True if the pending commits must be flushed at the end of this section. */
static inline int ordo_mvrlu_is_due(const struct ordo_mvrlu_thread *t)
{
    return t->pending > 0 && (t->pending >= t->group.most || t->group_bytes >= t->domain->options.defer_bytes ||
                              t->run >= t->group_due || ordo_mvrlu_is_wanted(t));
}

/* Completes a section that wrote, or at whose end a flush or a collection is due, and ends it.
 * 0: ended
 * ORDO_E_DISRUPTED: the section was undone */
ORDO_MVRLU_CALL int ordo_mvrlu_commit(struct ordo_mvrlu_thread *t)
{
    ordo_time w;
    unsigned gathered = 0;
    uint64_t since = 0;
    if (t->writing && ordo_stamp_disrupted(&t->domain->stamp)) { /* C1 undo */
        ordo_mvrlu_undo(t);
        ordo_mvrlu_end(t);
        ordo_cc_count(&t->statistics.aborts, 1);
        return ORDO_E_DISRUPTED;
    }
    if (t->writing) {
        t->writing = 0;
        ordo_cc_count(&t->statistics.commits, 1);
        if (t->pending++ == 0)
            t->group_due = t->run + 2 * (uint64_t)t->domain->options.defer_sections;
    }
    if (t->run >= t->collect_due)
        ordo_mvrlu_collect_in(t); /* C8 section: this section has not ended yet */
    w.ticks = 0;
    if (ordo_mvrlu_is_due(t)) {
        gathered = t->pending;
        since = ordo_mvrlu_flush_begins(t);
        w = ordo_mvrlu_publish(t); /* C8 tell, C11 flush: this section has not ended yet */
    }
    ordo_mvrlu_set_due(t);
    ordo_mvrlu_end(t);
    if (w.ticks)
        ordo_mvrlu_flush_ends(t, w, gathered, since);
    return ORDO_OK;
}

static inline int ordo_mvrlu_reader_unlock(struct ordo_mvrlu_thread *t)
{
    if (__builtin_expect(t->run >= t->due, 0))
        return ordo_mvrlu_commit(t);
    ordo_mvrlu_end(t);
    return ORDO_OK;
}

/* Commits the pending sections. Call it outside sections. */
ORDO_MVRLU_CALL void ordo_mvrlu_flush_group(struct ordo_mvrlu_thread *t)
{
    unsigned gathered = t->pending;
    uint64_t since = ordo_mvrlu_flush_begins(t);
    ordo_time w;
    (void)ordo_mvrlu_begin(t, t->own_clock); /* C8 tell: this section lasts until the versions below have the time */
    w = ordo_mvrlu_publish(t);
    ordo_mvrlu_end(t);
    t->aborted += 2; /* the section that ended here did not succeed */
    ordo_mvrlu_flush_ends(t, w, gathered, since);
}

static inline void ordo_mvrlu_flush(struct ordo_mvrlu_thread *t)
{
    if (t->pending)
        ordo_mvrlu_flush_group(t);
}

static inline void ordo_mvrlu_poll(struct ordo_mvrlu_thread *t)
{
    if (ordo_mvrlu_is_wanted(t))
        ordo_mvrlu_flush_group(t);
}
