/* Locks, allocates and frees objects. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

/* Sets the word of an object to `word`, which shows a copy or a version, if it is still `old`. 0: another thread was
 * faster. */
static inline int ordo_rlu_show(struct ordo_rlu_header *object, void *old, void *word)
{
    /* Acquire pairs with ordo_rlu_write_object and ordo_rlu_write_link, and in MV-RLU with ordo_mvrlu_settle: if the
     * object is unlocked, the last commit is written to it. Release pairs with ordo_rlu_dereference and
     * ordo_rlu_follow, and in MV-RLU with ordo_mvrlu_dereference and ordo_mvrlu_follow: the record names its log, and
     * the version names its commit. */
    return __atomic_compare_exchange_n(&object->copy, &old, word, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Locks the object that shows `old`, so that it shows `word`. 0: another thread was faster. */
static inline int ordo_rlu_take(struct ordo_rlu_thread *t, struct ordo_rlu_record *record, void *old, void *word)
{
    record->previous = old;
    if (ordo_rlu_show(record->object, old, word))
        return 1;
    record->kind = ORDO_RLU_NOTHING;
    t->code = ORDO_LATER;
    return 0;
}

/* True if another thread has locked the object that shows this copy, which may be NULL. With deferral, asks that thread
 * to flush. */
static inline int ordo_rlu_is_taken(struct ordo_rlu_thread *t, void *copy)
{
    if (!copy || ordo_rlu_log_of(copy)->owner == t)
        return 0;
    t->code = ORDO_LATER;
    if (t->rlu->options.defer_commits > 1)
        /* Relaxed: a hint. */
        (void)__atomic_fetch_or(&ordo_rlu_log_of(copy)->owner->mark, 1, __ATOMIC_RELAXED);
    return 1;
}

static inline void *ordo_rlu_try_lock(struct ordo_rlu_thread *t, void *object, size_t bytes)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    struct ordo_rlu_record *record;
    /* Acquire pairs with ordo_rlu_write_object: if the object is unlocked, the last commit is written to it. */
    void *old = __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE);
    ORDO_INVARIANT("rlu", "use", t->run & 1, "an object is locked in a section", t, t->run, (uintptr_t)object);
    if (ordo_rlu_is_own(t, old))
        return old;
    if (ordo_rlu_is_taken(t, old))
        return NULL;
    record = ordo_rlu_log_append(t, ORDO_RLU_COPY, header, bytes);
    if (!record || !ordo_rlu_take(t, record, old, record + 1))
        return NULL;
    memcpy(record + 1, record->previous ? record->previous : header + 1, bytes);
    return record + 1;
}

/* Allocates `header` + `bytes` bytes. In a section, an abort frees them, and after NULL the section must be aborted.
 * NULL: out of memory.
 */
static inline void *ordo_rlu_alloc_in(struct ordo_rlu_thread *t, size_t header, size_t bytes)
{
    void *memory = bytes <= ORDO_RLU_LARGEST ? ordo_rlu_allocate(t->rlu, header + bytes) : NULL;
    if (memory && t->run & 1 && !ordo_rlu_log_append(t, ORDO_RLU_ALLOCATED, (struct ordo_rlu_header *)memory, 0)) {
        ordo_rlu_release(t->rlu, memory);
        memory = NULL;
    }
    if (!memory && t->run & 1)
        t->code = ORDO_E_SYSTEM;
    return memory;
}

static inline void *ordo_rlu_alloc(struct ordo_rlu_thread *t, size_t bytes)
{
    return ordo_rlu_object_begin(ordo_rlu_alloc_in(t, sizeof(struct ordo_rlu_header), bytes));
}

/* C10 free: marks the object that shows this copy to be freed by the commit.
 * 0: marked
 * ORDO_E_INVALID: the copy is not this section's, or the object is marked already */
static inline int ordo_rlu_leave(struct ordo_rlu_thread *t, void *copy)
{
    ORDO_INVARIANT("rlu", "use", t->run & 1, "an object is freed in a section", t, t->run, (uintptr_t)copy);
    if (!ordo_rlu_is_own(t, copy) || ordo_rlu_record_of(copy)->kind > ORDO_RLU_LINK)
        return t->code = ORDO_E_INVALID;
    ordo_rlu_record_of(copy)->kind = ORDO_RLU_FREED;
    return ORDO_OK;
}

static inline int ordo_rlu_free(struct ordo_rlu_thread *t, void *object)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    /* Acquire pairs with ordo_rlu_show of another owner: the record names its log. */
    return ordo_rlu_leave(t, __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE));
}

static inline void ordo_rlu_discard(struct ordo_rlu *rlu, void *object)
{
    ordo_rlu_release(rlu, ordo_rlu_header_of(object));
}
