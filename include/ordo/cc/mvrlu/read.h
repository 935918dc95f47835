/* Reading: returns the version that the section sees, or the object. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* C11 own: true if the version with this word was made by this section, or by a pending section of its thread. */
static inline int ordo_mvrlu_is_own(const struct ordo_mvrlu_thread *t, uint64_t word)
{
    return t->commit && ordo_mvrlu_commit_of(word) == t->commit;
}

/* C11 section: true if this section made the copy, which belongs to the thread's open commit. */
static inline int ordo_mvrlu_is_of_section(const struct ordo_mvrlu_thread *t, const void *copy)
{
    return t->writing && ((const struct ordo_mvrlu_version *)copy - 1)->section == (t->section & 0xffffff);
}

/* True if this section sees the version; if not, the caller tries the version below. */
static inline int ordo_mvrlu_sees(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire pairs with ordo_mvrlu_tell: the copy is complete. */
    uint64_t word = __atomic_load_n(&version->word, __ATOMIC_ACQUIRE);
    ordo_time section;
    section.ticks = t->time;
    if (ordo_mvrlu_is_own(t, word))
        return 1;
    if (!ordo_stamp_after(&t->domain->stamp, section, ordo_mvrlu_time(t, word))) /* C2, C4 */
        return 0;
    ordo_cc_count(&t->statistics.steals, 1);
    return 1;
}

/* Returns the version of an object that this section sees, or the object if it sees none. `copy` is the value of the
 * object's header. */
ORDO_MVRLU_CALL void *ordo_mvrlu_resolve(struct ordo_mvrlu_thread *t, void *object, void *copy)
{
    /* `object` is a copy from an earlier dereference. The section sees it, unless it has locked the object since. */
    if (copy == ORDO_RLU_IS_COPY) {
        if (!t->commit)
            return object;
        /* Acquire pairs with ordo_rlu_show: the version names its commit. */
        copy = __atomic_load_n(&ordo_mvrlu_version_of(object)->object->copy, __ATOMIC_ACQUIRE);
        return copy && ordo_mvrlu_is_own(t, __atomic_load_n(&ordo_mvrlu_version_of(copy)->word, __ATOMIC_RELAXED))
                   ? copy
                   : object;
    }
    for (; copy; copy = ordo_mvrlu_version_of(copy)->older)
        if (ordo_mvrlu_sees(t, ordo_mvrlu_version_of(copy)))
            return copy;
    return object;
}

static inline void *ordo_mvrlu_dereference(struct ordo_mvrlu_thread *t, void *object)
{
    /* Acquire pairs with ordo_mvrlu_settle: if the object has no versions, the last version is written to it; and with
     * ordo_rlu_show: a version names its commit. */
    void *copy = __atomic_load_n(&ordo_rlu_header_of(object)->copy, __ATOMIC_ACQUIRE);
    /* Only the owner writes `run`. */
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "an object is dereferenced in a section", t, t->run, (uintptr_t)object);
    if (__builtin_expect(copy != NULL, 0))
        return ordo_mvrlu_resolve(t, object, copy);
    return object;
}
