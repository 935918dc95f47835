/* Reading: returns the object or the copy that the section sees. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

/* Resolves a copy that an earlier dereference returned: returns the copy of this thread if it has locked the object
 * since, otherwise the argument. */
ORDO_CC_SLOW void *ordo_rlu_resolve_copy(struct ordo_rlu_thread *t, void *copy)
{
    /* Acquire pairs with ordo_rlu_show of another owner: the record names its log. */
    void *now = __atomic_load_n(&ordo_rlu_record_of(copy)->object->copy, __ATOMIC_ACQUIRE);
    return now && ordo_rlu_log_of(now)->owner == t ? now : copy;
}

/* True if an object's copy was made by this section. */
static inline int ordo_rlu_is_own(struct ordo_rlu_thread *t, void *copy)
{
    return copy && ordo_rlu_log_of(copy)->owner == t && t->writing && ordo_rlu_record_of(copy)->section == t->section;
}

/* True if this section sees the copy, false if it sees the object itself. */
static inline int ordo_rlu_sees(struct ordo_rlu_thread *t, void *copy)
{
    struct ordo_rlu_log *log = ordo_rlu_log_of(copy);
    ordo_time section, w;
    if (ordo_rlu_is_own(t, copy))
        return 1;
    t->group.looks++;
    if (log->owner == t)
        return 1;
    /* Acquire pairs with ordo_rlu_stamp_word: the copy is complete. */
    w.ticks = __atomic_load_n(&log->word, __ATOMIC_ACQUIRE);
    if (w.ticks == ORDO_RLU_ANNOUNCED) { /* C4 help */
        ordo_cc_count(&t->statistics.helps, 1);
        w = ordo_rlu_stamp(log, ordo_stamp_take_after(&t->rlu->stamp));
    }
    section.ticks = t->time;
    if (!ordo_stamp_after(&t->rlu->stamp, section, w)) /* C3, C6 */
        return 0;
    ordo_cc_count(&t->statistics.steals, 1);
    return 1;
}

/* Returns the version that this section sees: the object, or the copy that the header shows. */
ORDO_CC_SLOW void *ordo_rlu_resolve(struct ordo_rlu_thread *t, void *object, void *copy)
{
    if (copy == ORDO_RLU_IS_COPY)
        return ordo_rlu_resolve_copy(t, object);
    return ordo_rlu_sees(t, copy) ? copy : object;
}

static inline void *ordo_rlu_dereference(struct ordo_rlu_thread *t, void *object)
{
    /* Only the owner writes `run`. */
    ORDO_INVARIANT("rlu", "use", t->run & 1, "an object is dereferenced in a section", t, t->run, (uintptr_t)object);
    /* Acquire pairs with ordo_rlu_write_object: if the object is unlocked, the last commit is written to it. */
    void *copy = __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_ACQUIRE);
    if (__builtin_expect(copy != NULL, 0))
        return ordo_rlu_resolve(t, object, copy);
    return object;
}
