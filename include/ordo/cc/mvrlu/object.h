/* Converts between objects and their versions, and compares and stores pointers to objects. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

static inline struct ordo_mvrlu_thread *ordo_mvrlu_thread_of(const struct ordo_cc_thread *common)
{
    return (struct ordo_mvrlu_thread *)ordo_cc_thread_around(common, offsetof(struct ordo_mvrlu_thread, common));
}

static inline void *ordo_mvrlu_allocate(const struct ordo_mvrlu *domain, size_t bytes)
{
    return ordo_cc_allocate(&domain->options.memory, bytes);
}

static inline void ordo_mvrlu_release(const struct ordo_mvrlu *domain, void *what)
{
    ordo_cc_release(&domain->options.memory, what);
}

static inline struct ordo_rlu_header *ordo_mvrlu_header_of(void *object)
{
    return ordo_rlu_header_of(object);
}

static inline struct ordo_mvrlu_version *ordo_mvrlu_version_of(void *copy)
{
    return (struct ordo_mvrlu_version *)copy - 1;
}

/* ordo_mvrlu_shown returns the word that an object, or a link, has when it shows a version. ordo_mvrlu_version_in
 * returns the version that such a word shows, or NULL.
 */
static inline void *ordo_mvrlu_shown(struct ordo_mvrlu_version *version)
{
    return (char *)(version + 1) + (version->is_link ? ORDO_RLU_LOCKED : 0);
}

static inline struct ordo_mvrlu_version *ordo_mvrlu_version_in(int is_link, void *word)
{
    void *copy = is_link ? (void *)ordo_rlu_link_copy_of(word) : word;
    return copy ? ordo_mvrlu_version_of(copy) : NULL;
}

static inline void ordo_mvrlu_assign(void *where, void *object)
{
    ordo_rlu_assign(where, object);
}

static inline int ordo_mvrlu_cmp_ptrs(void *a, void *b)
{
    return ordo_rlu_cmp_ptrs(a, b);
}

static inline void ordo_mvrlu_will_lock(void *object)
{
    ordo_rlu_will_lock(object);
}
