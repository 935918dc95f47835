/* Links, and nodes, which begin with a link. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

static inline void ordo_rlu_link_init(struct ordo_rlu_link *link, void *to)
{
    link->word.copy = to;
}

/* Returns the target of a locked link as this section sees it. */
ORDO_CC_SLOW void *ordo_rlu_follow_locked(struct ordo_rlu_thread *t, struct ordo_rlu_link_copy *copy)
{
    return ordo_rlu_sees(t, copy) ? copy->to : copy->master; /* C10 */
}

static inline void *ordo_rlu_follow(struct ordo_rlu_thread *t, const struct ordo_rlu_link *link)
{
    /* Acquire pairs with ordo_rlu_write_link: if the link is unlocked, its target is completely written; and with
     * ordo_rlu_show: the record names its log. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    /* Only the owner writes `run`. */
    ORDO_INVARIANT("rlu", "use", t->run & 1, "a link is followed in a section", t, t->run, (uintptr_t)link);
    if (__builtin_expect((uintptr_t)word & ORDO_RLU_LOCKED, 0))
        return ordo_rlu_follow_locked(t, ordo_rlu_link_copy_of(word));
    return word;
}

static inline void ordo_rlu_will_lock_link(struct ordo_rlu_link *link)
{
    ordo_fetch_to_write(link);
}

static inline void **ordo_rlu_try_lock_link(struct ordo_rlu_thread *t, struct ordo_rlu_link *link)
{
    struct ordo_rlu_record *record;
    struct ordo_rlu_link_copy *copy;
    /* Acquire pairs with ordo_rlu_write_link: if the link is unlocked, its target is completely written. */
    void *word = __atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE);
    struct ordo_rlu_link_copy *old = ordo_rlu_link_copy_of(word);
    ORDO_INVARIANT("rlu", "use", t->run & 1, "a link is locked in a section", t, t->run, (uintptr_t)link);
    if (ordo_rlu_is_own(t, old))
        return &old->to;
    if (ordo_rlu_is_taken(t, old))
        return NULL;
    record = ordo_rlu_log_append(t, ORDO_RLU_LINK, &link->word, sizeof *copy);
    if (!record)
        return NULL;
    copy = (struct ordo_rlu_link_copy *)(void *)(record + 1);
    copy->to = old ? old->to : word;
    copy->master = old ? old->master : word;
    return ordo_rlu_take(t, record, word, ordo_rlu_locked_by(copy)) ? &copy->to : NULL;
}

/* Returns the size of a node of `bytes`: at least the size of a link. */
static inline size_t ordo_rlu_node_bytes(size_t bytes)
{
    return bytes < sizeof(struct ordo_rlu_link) ? sizeof(struct ordo_rlu_link) : bytes;
}

static inline void *ordo_rlu_alloc_node(struct ordo_rlu_thread *t, size_t bytes)
{
    return ordo_rlu_node_begin(ordo_rlu_alloc_in(t, 0, ordo_rlu_node_bytes(bytes)));
}

static inline int ordo_rlu_free_node(struct ordo_rlu_thread *t, void *node)
{
    struct ordo_rlu_link *link = (struct ordo_rlu_link *)node;
    /* Acquire pairs with ordo_rlu_show of another owner: the record names its log. */
    return ordo_rlu_leave(t, ordo_rlu_link_copy_of(__atomic_load_n(&link->word.copy, __ATOMIC_ACQUIRE)));
}

static inline void ordo_rlu_discard_node(struct ordo_rlu *rlu, void *node)
{
    ordo_rlu_release(rlu, node);
}

static inline int ordo_rlu_link_is_locked(const struct ordo_rlu_link *link)
{
    return ordo_rlu_link_copy_of(link->word.copy) != NULL;
}

static inline void *ordo_rlu_link_at_rest(const struct ordo_rlu_link *link)
{
    return link->word.copy;
}
