/* Takes and reads the times of sections, commits and versions. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* Reads the clock, ordered with no other access, because the floor provides the order. */
static inline ordo_time ordo_mvrlu_clock(struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_KNOWS_RELAXED
    return ordo_stamp_relaxed(stamp);
#else
    return ordo_stamp_take(stamp);
#endif
}

/* Takes a time W and raises the floor to W + boundary + 1. Every section whose L is after W sees everything that this
 * thread has done and seen before. */
static inline ordo_time ordo_mvrlu_take_by_floor(struct ordo_mvrlu_thread *t)
{
    struct ordo_mvrlu *domain = t->domain;
    uint64_t boundary = ordo_stamp_boundary(&domain->stamp);
    uint64_t floor = t->time; /* a guess: usually no other thread has raised the floor since */
    ordo_time shown = ordo_mvrlu_clock(&domain->stamp), w;
    do {
        w = shown;
        if (floor > boundary && floor - boundary > w.ticks)
            w.ticks = floor - boundary; /* C4 take */
        /* C5 floor. Pairs with ordo_mvrlu_begin: a section that finds the floor raised sees everything that this thread
         * has done and seen; and with ordo_mvrlu_horizon. Relaxed on failure: the loop uses only the number. */
        if (__atomic_compare_exchange_n(&domain->floor, &floor, w.ticks + boundary + 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
            return w;
    } while (floor <= boundary);
    /* C4 take, C5 floor. Another thread was faster. Adding 1 cannot fail, so committers do not repeat their exchanges.
     * The floor is still above the boundary, because it only grows. Pairs as above. */
    w.ticks = __atomic_fetch_add(&domain->floor, 1, __ATOMIC_SEQ_CST) - boundary;
    return w;
}

/* Takes a time, from the clock with `own_clock`, otherwise as ordo_mvrlu_take_by_floor. */
static inline ordo_time ordo_mvrlu_take(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* Takes a time for another thread's commit, which this thread has found announced (C4 help). A read of the clock that
 * is ordered only after the load of the announcement is enough, because only the time is stored afterwards. */
static inline ordo_time ordo_mvrlu_take_for_another(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take_after(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* Returns the commit that a version's word names; NULL: the word is the version's time. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_commit_of(uint64_t word)
{
    return word < ORDO_STAMP_LIMIT ? NULL : (struct ordo_mvrlu_version *)(uintptr_t)(word - ORDO_STAMP_LIMIT);
}

/* C11 ask: asks the owner of a version, if it is pending, to flush. Does nothing if its commit has been announced. */
static inline void ordo_mvrlu_ask(const struct ordo_mvrlu_thread *t, uint64_t word)
{
    struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    /* Relaxed: hints. */
    if (commit && t->domain->options.defer_commits > 1 &&
        __atomic_load_n(&commit->word, __ATOMIC_RELAXED) == ORDO_MVRLU_OPEN)
        __atomic_store_n(&((struct ordo_mvrlu_thread *)commit->older)->asked, 1, __ATOMIC_RELAXED);
}

/* C11 ask: as ordo_mvrlu_ask, for the newest version of the object of `version`. Call it in a section. */
static inline void ordo_mvrlu_ask_above(const struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&version->object->copy, __ATOMIC_ACQUIRE);
    const struct ordo_mvrlu_version *newest = ordo_mvrlu_version_in(version->is_link, word);
    if (newest)
        ordo_mvrlu_ask(t, __atomic_load_n(&newest->word, __ATOMIC_RELAXED));
}

/* Stamps an announced commit, and returns its time: w, or the time of another thread that was faster. */
static inline ordo_time ordo_mvrlu_stamp(struct ordo_mvrlu_version *commit, ordo_time w)
{
    return ordo_rlu_stamp_word(&commit->word, w);
}

/* Returns the time of a version of another section; ORDO_MVRLU_OPEN: its commit is not announced. */
static inline ordo_time ordo_mvrlu_time(struct ordo_mvrlu_thread *t, uint64_t word)
{
    struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    ordo_time w;
    w.ticks = word;
    if (!commit)
        return w;
    /* Acquire pairs with ordo_rlu_stamp_word: the copy is complete. */
    w.ticks = __atomic_load_n(&commit->word, __ATOMIC_ACQUIRE);
    if (w.ticks == ORDO_MVRLU_ANNOUNCED) { /* C4 help */
        ordo_cc_count(&t->statistics.helps, 1);
        w = ordo_mvrlu_stamp(commit, ordo_mvrlu_take_for_another(t));
    }
    return w;
}
