/* Begins, ends and undoes sections. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

ORDO_MVRLU_CALL void ordo_mvrlu_flush_group(struct ordo_mvrlu_thread *t);

/* True if another thread wants an object that is pending or was pending. */
static inline int ordo_mvrlu_is_asked(const struct ordo_mvrlu_thread *t)
{
    return __atomic_load_n(&t->asked, __ATOMIC_RELAXED) != 0; /* a hint */
}

/* True if another thread wants a pending object. */
static inline int ordo_mvrlu_is_wanted(const struct ordo_mvrlu_thread *t)
{
    return t->commit && ordo_mvrlu_is_asked(t);
}

static inline int ordo_mvrlu_begin(struct ordo_mvrlu_thread *t, int own_clock)
{
    uint64_t time;
    /* Only the owner writes `used`, `run`, `commit` and `pending`. */
    ORDO_INVARIANT("mvrlu", "use", t->common.used, "a thread that has finished begins no section", t, t->run,
                   t->common.used);
    ORDO_INVARIANT("mvrlu", "use", !(t->run & 1), "sections do not nest", t, t->run, t->section);
    ORDO_INVARIANT("mvrlu", "C11", !t->commit == !t->pending, "a commit is open between sections only if it is pending",
                   t, (uintptr_t)t->commit, t->pending);
    /* C3 announce. Pairs with ordo_mvrlu_horizon: the reclaimer sees this section, or this section's L is at least the
     * reclaimer's floor, or clock - B. */
    (void)__atomic_exchange_n(&t->run, t->run + 1, __ATOMIC_SEQ_CST);
    /* C3 time. Pairs with ordo_mvrlu_take_by_floor: everything that the thread which raised the floor had seen is
     * visible now. */
    if (own_clock)
        time = ordo_stamp_now(&t->domain->stamp).ticks;
    else
        time = __atomic_load_n(&t->domain->floor, __ATOMIC_SEQ_CST);
    time = time > t->time ? time : t->time; /* C6 */
    /* Only the owner writes L. */
    ORDO_INVARIANT("mvrlu", "C6", time >= t->time, "the L of a thread does not go back", t, time, t->time);
    /* L is stored even if it has not changed, because compilers then make a conditional move. A branch on whether
     * another thread has committed would be mispredicted, and would discard the loads that the CPU began while it
     * waited for the floor's line. Release pairs with ordo_mvrlu_horizon: this thread's older sections have ended. */
    __atomic_store_n(&t->time, time, __ATOMIC_RELEASE);
    return ORDO_OK;
}

ORDO_MVRLU_CALL int ordo_mvrlu_begin_slowly(struct ordo_mvrlu_thread *t)
{
    if (ordo_mvrlu_is_asked(t)) {
        if (t->commit)
            ordo_mvrlu_flush_group(t); /* C11 flush: before the section begins */
        /* Relaxed: the request concerned an earlier commit, because no thread has seen a version of the next commit
         * yet. */
        __atomic_store_n(&t->asked, 0, __ATOMIC_RELAXED);
    }
    return ordo_mvrlu_begin(t, t->own_clock);
}

static inline int ordo_mvrlu_reader_lock(struct ordo_mvrlu_thread *t)
{
    if (__builtin_expect(t->own_clock || ordo_mvrlu_is_asked(t), 0))
        return ordo_mvrlu_begin_slowly(t);
    return ordo_mvrlu_begin(t, 0);
}

static inline void ordo_mvrlu_end(struct ordo_mvrlu_thread *t)
{
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "a section that ends has begun", t, t->run, t->section);
    /* Release pairs with ordo_mvrlu_horizon: the loads of this section are done. */
    __atomic_store_n(&t->run, t->run + 1, __ATOMIC_RELEASE);
}

/* Sets `due` to its value outside sections that write. */
static inline void ordo_mvrlu_set_due(struct ordo_mvrlu_thread *t)
{
    t->due = t->group_due < t->collect_due ? t->group_due : t->collect_due;
}

/* Undoes the section's changes to shared memory. Its entries stay in the log until no section can be reading them (C9).
 */
static inline void ordo_mvrlu_undo(struct ordo_mvrlu_thread *t)
{
    struct ordo_rlu_position at = t->start;
    struct ordo_mvrlu_version *entry;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (ordo_mvrlu_is_version(entry)) {
            /* No other thread replaces a version that is not committed. */
            ORDO_INVARIANT("mvrlu", "C11", entry->object->copy == ordo_mvrlu_shown(entry),
                           "an object shows the version that is undone", entry->object, (uintptr_t)entry->object->copy,
                           (uintptr_t)ordo_mvrlu_shown(entry));
            entry->kind = ORDO_MVRLU_NOTHING;
            /* Release pairs with ordo_mvrlu_try_lock of the next owner. */
            __atomic_store_n(&entry->object->copy, entry->older, __ATOMIC_RELEASE);
        }
    at = t->start; /* second pass: the first pass may write to the header of an allocated object */
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (entry->kind == ORDO_MVRLU_ALLOCATED) {
            entry->kind = ORDO_MVRLU_NOTHING;
            ordo_mvrlu_release(t->domain, entry->object);
        }
    t->writing = 0;
    ordo_mvrlu_set_due(t);
    if (t->pending > 0)
        return; /* the commit of the group takes place without this section (C11) */
    t->commit->kind = ORDO_MVRLU_NOTHING;
    t->commit = NULL;
}
