/* Reclaiming: the horizon, settled versions, and the reuse of their memory. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* C7 horizon: returns a time H such that every section that has not ended, and every later section, has L >= H. */
static inline ordo_time ordo_mvrlu_horizon(struct ordo_mvrlu *domain)
{
    struct ordo_cc_thread *common;
    ordo_time horizon;
    uint64_t time;
    if (domain->options.own_clock) {
        uint64_t boundary = ordo_stamp_boundary(&domain->stamp);
        horizon = ordo_stamp_now(&domain->stamp);
        horizon.ticks -= horizon.ticks > boundary ? boundary : horizon.ticks;
    } else {
        /* Pairs with ordo_mvrlu_begin: a section that the scan below does not see finds at least this floor. */
        horizon.ticks = __atomic_load_n(&domain->floor, __ATOMIC_SEQ_CST);
    }
    /* D3: a thread that the scan does not find begins its first section later. */
    for (common = ordo_cc_threads_scan(&domain->threads); common; common = common->next) {
        const struct ordo_mvrlu_thread *r = ordo_mvrlu_thread_of(common);
        /* Pairs with ordo_mvrlu_begin, as above; and with ordo_mvrlu_end: the loads of an ended section are done.
         */
        if (!(__atomic_load_n(&r->run, __ATOMIC_SEQ_CST) & 1))
            continue;
        /* Acquire pairs with ordo_mvrlu_begin: the sections of this thread before the one that stored this time have
         * ended. */
        time = __atomic_load_n(&r->time, __ATOMIC_ACQUIRE);
        if (time < horizon.ticks)
            horizon.ticks = time;
    }
    return horizon;
}

/* Adds the last version of a freed object to the list `left`; the object is released when the log is reclaimed up to
 * `settled`. No section reads the versions below this one any more, so its member `older` can link the list. */
static inline void ordo_mvrlu_leave(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *last)
{
    last->older = t->left;
    t->left = last;
}

/* Releases the freed objects, and empties the chunks, before `settled`. If the log is then empty, its current chunk is
 * used again from the start, so that the next section finds a whole chunk even if no spare chunk exists. */
static inline void ordo_mvrlu_reclaim(struct ordo_mvrlu_thread *t)
{
    for (; t->left; t->left = (struct ordo_mvrlu_version *)t->left->older)
        ordo_mvrlu_release(t->domain, t->left->object); /* C9 free */
    while (t->oldest.chunk != t->settled.chunk) {
        struct ordo_rlu_chunk *empty = t->oldest.chunk;
        t->oldest.chunk = empty->next;
        empty->next = t->spare;
        t->spare = empty;
    }
    /* Only the owner uses the log. */
    ORDO_INVARIANT("mvrlu", "C9", t->settled.chunk != t->current || t->settled.used != t->current->used || !t->commit,
                   "a log that is empty has no commit open", t, (uintptr_t)t->commit, t->pending);
    /* C9 empty: no commit is open, because an open commit cannot be settled. */
    if (t->settled.chunk == t->current && t->settled.used == t->current->used)
        t->current->used = t->settled.used = sizeof(struct ordo_rlu_chunk);
    t->oldest = t->settled;
}

/* C8 write: writes a version to its object. Returns the word that the object has without versions: for a link the
 * target, otherwise NULL. */
static inline void *ordo_mvrlu_write(const struct ordo_mvrlu_version *version)
{
    if (version->is_link)
        return *(void *const *)(const void *)(version + 1);
    memcpy(version->object + 1, version + 1, version->bytes);
    return NULL;
}

/* Settles a version whose W is before the horizon: removes it from its object, if no newer version has replaced it.
 * True if it is settled. */
static inline int ordo_mvrlu_settle(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version, ordo_time horizon)
{
    void *shown = ordo_mvrlu_shown(version), *written;
    ordo_time above;
    /* Only this thread, the version's owner, writes its word. */
    ORDO_INVARIANT("mvrlu", "C8", !t->commit || ordo_mvrlu_commit_of(version->word) != t->commit,
                   "a version that is settled is not pending", version, version->word, (uintptr_t)t->commit);
    if (version->kind == ORDO_MVRLU_FREED) { /* no section reads this version */
        ordo_mvrlu_leave(t, version);
        return 1;
    }
    /* Acquire pairs with ordo_mvrlu_tell_below: the thread that replaced the version needs it no longer. */
    above.ticks = __atomic_load_n(&version->above, __ATOMIC_ACQUIRE);
    if (above.ticks)
        return ordo_stamp_after(&t->domain->stamp, horizon, above); /* C8 above */
    /* Relaxed: the exchange below decides. */
    if (__atomic_load_n(&version->object->copy, __ATOMIC_RELAXED) != shown) {
        if (t->code == ORDO_E_FULL)
            ordo_mvrlu_ask_above(t, version);
        return 0;
    }
    written = ordo_mvrlu_write(version);
    ordo_cc_count(&t->statistics.written_back, 1);
    /* Release pairs with ordo_mvrlu_dereference and ordo_mvrlu_try_lock: a thread that finds the object without
     * versions finds this version written to it. If the exchange fails, another thread has locked the object, and no
     * section reads the object itself before the version of that thread is removed. */
    return __atomic_compare_exchange_n(&version->object->copy, &shown, written, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* True if an entry is a commit that some section may not see yet; the entries behind it cannot be settled either. */
static inline int ordo_mvrlu_is_later(const struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *entry,
                                      ordo_time horizon)
{
    ordo_time w;
    if (entry->kind != ORDO_MVRLU_COMMIT)
        return 0;
    /* Relaxed: this thread stored the time, or has read the time of a helper. Late helpers may still attempt their
     * exchange. */
    w.ticks = __atomic_load_n(&entry->word, __ATOMIC_RELAXED);
    return entry == t->commit || !ordo_stamp_after(&t->domain->stamp, horizon, w);
}

/* Prefetches the object of the entry at the position, and moves the position behind the entry. False if no more entries
 * can be settled. */
static inline int ordo_mvrlu_settle_soon(const struct ordo_mvrlu_thread *t, struct ordo_rlu_position *at,
                                         ordo_time horizon)
{
    const struct ordo_mvrlu_version *entry = ordo_mvrlu_log_step(t, at);
    if (!entry || ordo_mvrlu_is_later(t, entry, horizon))
        return 0;
    if (entry->kind == ORDO_MVRLU_COPY)
        ordo_fetch_to_write(entry->object);
    return 1;
}

/* Stores the time of a commit in those of its versions that are behind `settled`, because the commit's entry is before
 * `settled`. NULL: the versions have their time already. */
static inline void ordo_mvrlu_tell(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *commit)
{
    struct ordo_rlu_position at = t->settled;
    struct ordo_mvrlu_version *entry;
    while (commit && (entry = ordo_mvrlu_log_step(t, &at)) != NULL && entry->kind != ORDO_MVRLU_COMMIT)
        if (ordo_mvrlu_is_version(entry))
            /* C9 tell. Relaxed: as in ordo_mvrlu_is_later. Release pairs with ordo_mvrlu_time: the copy is complete. */
            __atomic_store_n(&entry->word, __atomic_load_n(&commit->word, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
}

/* Moves `settled` forward as far as the horizon allows. */
static inline void ordo_mvrlu_settle_all(struct ordo_mvrlu_thread *t, ordo_time horizon)
{
    struct ordo_rlu_position at = t->settled, ahead = at;
    struct ordo_mvrlu_version *entry, *commit = NULL;
    int i, more = 1;
    for (i = 0; i < ORDO_MVRLU_AHEAD && more; i++)
        more = ordo_mvrlu_settle_soon(t, &ahead, horizon);
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL) {
        more = more && ordo_mvrlu_settle_soon(t, &ahead, horizon);
        if (ordo_mvrlu_is_later(t, entry, horizon))
            break; /* C8 all */
        if (entry->kind == ORDO_MVRLU_COMMIT)
            commit = entry;
        if (ordo_mvrlu_is_version(entry) && !ordo_mvrlu_settle(t, entry, horizon)) {
            ordo_mvrlu_tell(t, commit);
            break;
        }
        t->settled = at;
    }
}

/* Reclaims the memory of versions that an earlier call has settled, and then settles more versions: as much as possible
 * without waiting. Call it in a section. */
static inline void ordo_mvrlu_collect_in(struct ordo_mvrlu_thread *t)
{
    ordo_time horizon = ordo_mvrlu_horizon(t->domain);
    /* This thread is in a section, and the horizon is at most its L. */
    ORDO_INVARIANT("mvrlu", "C7", t->run & 1 && horizon.ticks <= t->time,
                   "the horizon is not after a section that is left", t, horizon.ticks, t->time);
    t->commits = 0;
    t->collected = t->run;
    t->collect_due = UINT64_MAX;
    ordo_cc_count(&t->statistics.collections, 1);
    if (t->oldest.chunk != t->settled.chunk || t->oldest.used != t->settled.used) {
        if (!ordo_stamp_after(&t->domain->stamp, horizon, t->unlinked)) /* C9 twice */
            return;
        ordo_mvrlu_reclaim(t);
    }
    ordo_mvrlu_settle_all(t, horizon);
    t->unlinked.ticks = ORDO_MVRLU_OPEN; /* the next commit sets it to a time that it takes anyway */
}

/* Takes the time `unlinked` now, if no commit has set it since `settled` moved. */
static inline void ordo_mvrlu_settled_now(struct ordo_mvrlu_thread *t)
{
    if (t->unlinked.ticks == ORDO_MVRLU_OPEN)
        t->unlinked = ordo_mvrlu_take(t); /* C9 now */
}

ORDO_CC_SLOW void ordo_mvrlu_collect(struct ordo_mvrlu_thread *t)
{
    ordo_mvrlu_settled_now(t);
    if (t->own_clock)
        /* then the horizon, a clock - B, is after `unlinked` */
        (void)ordo_stamp_settle(&t->domain->stamp, t->unlinked);
    (void)ordo_mvrlu_reader_lock(t); /* C8 section */
    ordo_mvrlu_collect_in(t);
    ordo_mvrlu_end(t);
}
