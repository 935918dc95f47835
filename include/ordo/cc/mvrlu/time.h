/* Times: of sections, of commits, and of versions that name their commit. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* Reads the clock, ordered with no other access: the floor keeps the order. */
static inline ordo_time ordo_mvrlu_clock(struct ordo_stamp *stamp)
{
#if defined ORDO_STAMP_KNOWS_RELAXED
    return ordo_stamp_relaxed(stamp);
#else
    return ordo_stamp_take(stamp);
#endif
}

/* Takes a time after everything that this thread has done and seen: a section that is after the time has seen all of
 * that too. Raises the floor above the time. */
static inline ordo_time ordo_mvrlu_take_by_floor(struct ordo_mvrlu_thread *t)
{
    struct ordo_mvrlu *domain = t->domain;
    uint64_t boundary = ordo_stamp_boundary(&domain->stamp);
    uint64_t floor = t->time; /* a guess: usually no other thread has raised it since */
    ordo_time shown = ordo_mvrlu_clock(&domain->stamp), w;
    do {
        w = shown;
        if (floor > boundary && floor - boundary > w.ticks)
            w.ticks = floor - boundary; /* C4 take */
        /* C5 floor. Pairs with ordo_mvrlu_begin: a section that finds it raised sees everything that this thread has
         * done and seen; and with ordo_mvrlu_horizon. Relaxed on failure: nothing is read through the floor then. */
    } while (!__atomic_compare_exchange_n(&domain->floor, &floor, w.ticks + boundary + 1, 0, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    return w;
}

/* As ordo_mvrlu_take_by_floor, or, if sections read the clock, takes the time from the clock. */
static inline ordo_time ordo_mvrlu_take(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* Takes a time for the commit of another thread, which this thread has found announced. The clock need only be read
 * after the load that found the announcement, and only the time is stored then (C4 help). */
static inline ordo_time ordo_mvrlu_take_for_another(struct ordo_mvrlu_thread *t)
{
    return t->own_clock ? ordo_stamp_take_after(&t->domain->stamp) : ordo_mvrlu_take_by_floor(t);
}

/* Returns the commit that a version's word names; NULL: the word is its time. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_commit_of(uint64_t word)
{
    return word < ORDO_STAMP_LIMIT ? NULL : (struct ordo_mvrlu_version *)(uintptr_t)(word - ORDO_STAMP_LIMIT);
}

/* C11 ask: asks the owner of a pending version to flush; does nothing if its commit has been announced. */
static inline void ordo_mvrlu_ask(const struct ordo_mvrlu_thread *t, uint64_t word)
{
    struct ordo_mvrlu_version *commit = ordo_mvrlu_commit_of(word);
    /* Relaxed: hints. */
    if (commit && t->domain->options.defer_commits > 1 &&
        __atomic_load_n(&commit->word, __ATOMIC_RELAXED) == ORDO_MVRLU_OPEN)
        __atomic_store_n(&((struct ordo_mvrlu_thread *)commit->older)->asked, 1, __ATOMIC_RELAXED);
}

/* C11 ask: as ordo_mvrlu_ask, for the newest version of the object of this version; in a section. */
static inline void ordo_mvrlu_ask_above(const struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&version->object->copy, __ATOMIC_ACQUIRE);
    const struct ordo_mvrlu_version *newest = ordo_mvrlu_version_in(version->is_link, word);
    if (newest)
        ordo_mvrlu_ask(t, __atomic_load_n(&newest->word, __ATOMIC_RELAXED));
}

/* The time of the commit that is announced: the one that is offered, unless another thread was faster. */
static inline ordo_time ordo_mvrlu_stamp(struct ordo_mvrlu_version *commit, ordo_time w)
{
    return ordo_rlu_stamp_word(&commit->word, w);
}

/* Returns the time of a version of another section; ORDO_MVRLU_OPEN: it is not committed. */
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
