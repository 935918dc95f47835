/* Locks, allocates and frees objects. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* True if the section may replace the version with this word. Otherwise notes the time after which it may, or asks the
 * version's owner to flush. */
ORDO_MVRLU_CALL int ordo_mvrlu_may_replace(struct ordo_mvrlu_thread *t, uint64_t word)
{
    ordo_time section, w = ordo_mvrlu_time(t, word);
    section.ticks = t->time;
    if (ordo_stamp_after(&t->domain->stamp, section, w)) /* C2 newest */
        return 1;
    t->code = ORDO_LATER;
    if (w.ticks < ORDO_STAMP_LIMIT)
        t->conflict = w;
    else
        ordo_mvrlu_ask(t, word);
    return 0;
}

/* Checks if the section may lock the object whose newest version this is.
 * 1: the section has locked the object already
 * 0: the section may lock it
 * -1: the section may not lock it */
static inline int ordo_mvrlu_may_lock(struct ordo_mvrlu_thread *t, const struct ordo_mvrlu_version *version)
{
    /* Acquire pairs with ordo_mvrlu_tell: the copy is complete. */
    uint64_t word = __atomic_load_n(&version->word, __ATOMIC_ACQUIRE);
    if (ordo_mvrlu_is_own(t, word))
        return ordo_mvrlu_is_of_section(t, version + 1);
    return ordo_mvrlu_may_replace(t, word) ? 0 : -1;
}

/* Makes a version the newest of its object, if the object's word is still `old`. 0: another thread was faster. */
static inline int ordo_mvrlu_put(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version, void *old,
                                 int replaces)
{
    version->older = old;
    t->replaces |= replaces;
    /* Relaxed: the exchange in ordo_rlu_show releases this store. */
    __atomic_store_n(&version->word, ORDO_STAMP_LIMIT + (uint64_t)(uintptr_t)t->commit, __ATOMIC_RELAXED);
    if (ordo_rlu_show(version->object, old, ordo_mvrlu_shown(version)))
        return 1;
    version->kind = ORDO_MVRLU_NOTHING;
    t->code = ORDO_LATER;
    return 0;
}

static inline void *ordo_mvrlu_try_lock(struct ordo_mvrlu_thread *t, void *object, size_t bytes)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    struct ordo_mvrlu_version *version;
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *old = __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE);
    int own = old ? ordo_mvrlu_may_lock(t, ordo_mvrlu_version_of(old)) : 0;
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "an object is locked in a section", t, t->run, (uintptr_t)object);
    if (own)
        return own > 0 ? old : NULL;
    version = ordo_mvrlu_append(t, ORDO_MVRLU_COPY, header, bytes);
    if (!version || !ordo_mvrlu_put(t, version, old, old != NULL))
        return NULL;
    memcpy(version + 1, version->older ? version->older : header + 1, bytes);
    return version + 1;
}

/* Allocates `header` + `bytes` bytes. In a section, an abort frees them, and after NULL the section must be aborted.
 * NULL: out of memory, or the log is full. */
static inline void *ordo_mvrlu_alloc_in(struct ordo_mvrlu_thread *t, size_t header, size_t bytes)
{
    void *memory = bytes <= ORDO_MVRLU_LARGEST ? ordo_mvrlu_allocate(t->domain, header + bytes) : NULL;
    int in_section = t->run & 1;
    if (!memory) {
        t->code = in_section ? ORDO_E_SYSTEM : t->code;
        return NULL;
    }
    if (in_section && !ordo_mvrlu_append(t, ORDO_MVRLU_ALLOCATED, (struct ordo_rlu_header *)memory, 0)) {
        ordo_mvrlu_release(t->domain, memory);
        return NULL;
    }
    return memory;
}

static inline void *ordo_mvrlu_alloc(struct ordo_mvrlu_thread *t, size_t bytes)
{
    return ordo_rlu_object_begin(ordo_mvrlu_alloc_in(t, sizeof(struct ordo_rlu_header), bytes));
}

/* C9 free: marks the object of this version, which may be NULL, to be freed by the commit.
 * 0: marked
 * ORDO_E_INVALID: the version is not this section's, or the object is marked already */
static inline int ordo_mvrlu_leaves(struct ordo_mvrlu_thread *t, struct ordo_mvrlu_version *version)
{
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "an object is freed in a section", t, t->run, (uintptr_t)version);
    /* Relaxed: the word matters only if this thread wrote it. */
    if (!version || !ordo_mvrlu_is_own(t, __atomic_load_n(&version->word, __ATOMIC_RELAXED)) ||
        !ordo_mvrlu_is_of_section(t, version + 1) || version->kind != ORDO_MVRLU_COPY)
        return t->code = ORDO_E_INVALID;
    version->kind = ORDO_MVRLU_FREED;
    return ORDO_OK;
}

static inline int ordo_mvrlu_free(struct ordo_mvrlu_thread *t, void *object)
{
    struct ordo_rlu_header *header = ordo_rlu_header_of(ordo_rlu_master(object));
    /* Acquire: as in ordo_mvrlu_dereference. */
    return ordo_mvrlu_leaves(t, ordo_mvrlu_version_in(0, __atomic_load_n(&header->copy, __ATOMIC_ACQUIRE)));
}

static inline void ordo_mvrlu_discard(struct ordo_mvrlu *domain, void *object)
{
    ordo_mvrlu_release(domain, ordo_rlu_header_of(object));
}
