/* Creates and destroys threads and domains, and brings a domain to rest. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* Makes a thread that scans find from now on. NULL: out of memory. */
ORDO_CC_SLOW struct ordo_mvrlu_thread *ordo_mvrlu_thread_make(struct ordo_mvrlu *domain)
{
    struct ordo_cc_thread *common = ordo_cc_thread_make(&domain->options.memory, sizeof(struct ordo_mvrlu_thread),
                                                        offsetof(struct ordo_mvrlu_thread, common));
    struct ordo_mvrlu_thread *t;
    if (!common)
        return NULL;
    t = ordo_mvrlu_thread_of(common);
    t->domain = domain;
    t->own_clock = domain->options.own_clock;
    t->due = t->group_due = t->collect_due = UINT64_MAX;
    if (!ordo_mvrlu_log_grow(t, ORDO_RLU_LINE)) {
        ordo_cc_thread_discard(&domain->options.memory, common);
        return NULL;
    }
    t->oldest.chunk = t->settled.chunk = t->current;
    t->oldest.used = t->settled.used = t->current->used;
    ordo_cc_thread_join(&domain->threads, common);
    return t;
}

static inline int ordo_mvrlu_thread_init(struct ordo_mvrlu *domain, struct ordo_mvrlu_thread **result)
{
    struct ordo_cc_thread *common = ordo_cc_thread_reuse(&domain->threads);
    *result = common ? ordo_mvrlu_thread_of(common) : ordo_mvrlu_thread_make(domain);
    if (!*result)
        return ORDO_E_SYSTEM;
    ordo_rlu_group_begin(&(*result)->group, domain->options.defer_commits, ORDO_MVRLU_DEFER_SHARE);
    return ORDO_OK;
}

static inline void ordo_mvrlu_thread_finish(struct ordo_mvrlu_thread *t)
{
    ORDO_INVARIANT("mvrlu", "use", !(t->run & 1), "a thread finishes in no section", t, t->run, t->pending);
    ordo_mvrlu_flush(t);
    ordo_mvrlu_collect(t);
    ordo_mvrlu_collect(t); /* reclaims the entries that the first call settled */
    ordo_cc_thread_leave(&t->common);
}

static inline void ordo_mvrlu_thread_count(const struct ordo_cc_thread *common, void *sum)
{
    const struct ordo_mvrlu_thread *t = ordo_mvrlu_thread_of(common);
    ordo_rlu_add_up((uint64_t *)sum, &t->statistics, sizeof t->statistics, &t->run);
}

static inline void ordo_mvrlu_statistics_read(struct ordo_mvrlu *domain, struct ordo_mvrlu_statistics *sum)
{
    ordo_cc_threads_count(&domain->threads, sum, sizeof *sum, ordo_mvrlu_thread_count);
}

static inline int ordo_mvrlu_create(struct ordo_mvrlu *domain, const struct ordo_mvrlu_options *options)
{
    memset(domain, 0, sizeof *domain);
    domain->options = *options;
    if (domain->options.log_bytes == 0)
        domain->options.log_bytes = (size_t)1 << 20;
    if (domain->options.collect_commits == 0)
        domain->options.collect_commits = 16;
    if (domain->options.defer_sections == 0)
        domain->options.defer_sections = 4096;
    if (domain->options.defer_bytes == 0 || domain->options.defer_bytes > domain->options.log_bytes / 4)
        domain->options.defer_bytes = domain->options.log_bytes / 4;
    if (domain->options.defer_bytes > ORDO_MVRLU_GROUP)
        domain->options.defer_bytes = ORDO_MVRLU_GROUP;
    if (domain->options.log_bytes < ORDO_MVRLU_CHUNK_BYTES)
        return ORDO_E_INVALID;
    return ordo_cc_boundary_begin(&domain->stamp, options->boundary_ticks, options->unsafe_boundary, options->watch);
}

/* Writes back the newest versions in the log of a thread at rest, and empties the log. */
static inline void ordo_mvrlu_rest_thread(struct ordo_mvrlu_thread *t)
{
    struct ordo_rlu_position at = t->settled;
    struct ordo_mvrlu_version *entry;
    while ((entry = ordo_mvrlu_log_step(t, &at)) != NULL)
        if (entry->kind == ORDO_MVRLU_COPY && entry->above == 0) {
            entry->object->copy = ordo_mvrlu_write(entry);
        } else if (entry->kind == ORDO_MVRLU_FREED) {
            ordo_mvrlu_leave(t, entry);
        }
    t->settled.chunk = t->current;
    t->settled.used = t->current->used;
    ordo_mvrlu_reclaim(t);
}

static inline void ordo_mvrlu_rest(struct ordo_mvrlu *domain)
{
    struct ordo_cc_thread *t;
    /* Flushes all threads first, because a flush stores its time in the versions of other threads. */
    for (t = domain->threads.first; t; t = t->next)
        ordo_mvrlu_flush(ordo_mvrlu_thread_of(t));
    for (t = domain->threads.first; t; t = t->next)
        ordo_mvrlu_rest_thread(ordo_mvrlu_thread_of(t));
}

/* True if the thread is in a section. Relaxed: the caller of ordo_mvrlu_raise has ordered this call after all earlier
 * calls. */
static inline int ordo_mvrlu_is_busy(const struct ordo_cc_thread *common)
{
    return __atomic_load_n(&ordo_mvrlu_thread_of(common)->run, __ATOMIC_RELAXED) & 1;
}

static inline int ordo_mvrlu_raise(struct ordo_mvrlu *domain, uint64_t boundary_ticks)
{
    if (ordo_cc_threads_any(&domain->threads, ordo_mvrlu_is_busy))
        return ORDO_E_INVALID;
    ordo_mvrlu_rest(domain);
    return ordo_cc_boundary_raise(&domain->stamp, &domain->threads, ordo_mvrlu_is_busy, boundary_ticks);
}

/* Frees the chunks of a log. */
static inline void ordo_mvrlu_thread_empty(struct ordo_cc_thread *common)
{
    struct ordo_mvrlu_thread *t = ordo_mvrlu_thread_of(common);
    t->current->next = t->spare;
    ordo_rlu_chunks_release(&t->domain->options.memory, t->current);
}

static inline void ordo_mvrlu_destroy(struct ordo_mvrlu *domain)
{
    ordo_mvrlu_rest(domain);
    ordo_cc_threads_destroy(&domain->threads, &domain->options.memory, ordo_mvrlu_thread_empty);
}
