/* Links (struct ordo_rlu_link), and nodes, which begin with a link. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* Returns the target, as this section sees it, of a link that is locked or has versions. */
ORDO_MVRLU_CALL void *ordo_mvrlu_follow_versions(struct ordo_mvrlu_thread *t, void *word)
{
    struct ordo_mvrlu_version *version;
    for (; (version = ordo_mvrlu_version_in(1, word)) != NULL; word = version->older)
        if (ordo_mvrlu_sees(t, version))
            return *(void **)(void *)(version + 1);
    return word;
}

static inline void *ordo_mvrlu_follow(struct ordo_mvrlu_thread *t, const struct ordo_rlu_link *link)
{
    /* Acquire: as in ordo_mvrlu_dereference; and the target of the link is completely written. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    /* Only the owner writes `run`. */
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "a link is followed in a section", t, t->run, (uintptr_t)link);
    if (__builtin_expect((uintptr_t)word & ORDO_RLU_LOCKED, 0))
        return ordo_mvrlu_follow_versions(t, word);
    return word;
}

static inline void **ordo_mvrlu_try_lock_link(struct ordo_mvrlu_thread *t, struct ordo_rlu_link *link)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    struct ordo_mvrlu_version *old = ordo_mvrlu_version_in(1, word), *version;
    void **to;
    int own = old ? ordo_mvrlu_may_lock(t, old) : 0;
    ORDO_INVARIANT("mvrlu", "use", t->run & 1, "a link is locked in a section", t, t->run, (uintptr_t)link);
    if (own)
        return own > 0 ? (void **)(void *)(old + 1) : NULL;
    version = ordo_mvrlu_append(t, ORDO_MVRLU_COPY, &link->word, sizeof word);
    if (!version)
        return NULL;
    version->is_link = 1;
    to = (void **)(void *)(version + 1);
    *to = old ? *(void **)(void *)(old + 1) : word;
    return ordo_mvrlu_put(t, version, word, old != NULL) ? to : NULL;
}

static inline void *ordo_mvrlu_alloc_node(struct ordo_mvrlu_thread *t, size_t bytes)
{
    return ordo_rlu_node_begin(ordo_mvrlu_alloc_in(t, 0, ordo_rlu_node_bytes(bytes)));
}

static inline int ordo_mvrlu_free_node(struct ordo_mvrlu_thread *t, void *node)
{
    /* Acquire: as in ordo_mvrlu_dereference. */
    void *word = __atomic_load_n(&((struct ordo_rlu_link *)node)->word.copy, __ATOMIC_ACQUIRE);
    return ordo_mvrlu_leaves(t, ordo_mvrlu_version_in(1, word));
}

static inline void ordo_mvrlu_discard_node(struct ordo_mvrlu *domain, void *node)
{
    ordo_mvrlu_release(domain, node);
}
