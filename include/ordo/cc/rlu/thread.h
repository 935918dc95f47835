/* Creates and destroys threads and domains. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

/* Frees the chunks of both logs. */
static inline void ordo_rlu_thread_empty(struct ordo_cc_thread *common)
{
    struct ordo_rlu_thread *t = ordo_rlu_thread_of(common);
    ordo_rlu_chunks_release(&t->rlu->options.memory, t->logs[0].first);
    ordo_rlu_chunks_release(&t->rlu->options.memory, t->logs[1].first);
}

/* Makes a thread that scans find from now on. NULL: out of memory. */
ORDO_CC_SLOW struct ordo_rlu_thread *ordo_rlu_thread_make(struct ordo_rlu *rlu)
{
    struct ordo_cc_thread *common = ordo_cc_thread_make(&rlu->options.memory, sizeof(struct ordo_rlu_thread),
                                                        offsetof(struct ordo_rlu_thread, common));
    struct ordo_rlu_thread *t;
    int i;
    if (!common)
        return NULL;
    t = ordo_rlu_thread_of(common);
    t->rlu = rlu;
    t->log = &t->logs[0];
    t->due = t->group_due = UINT64_MAX;
    t->code = ORDO_LATER;
    for (i = 0; i < 2; i++) {
        t->logs[i].word = UINT64_MAX;
        t->logs[i].owner = t;
        if (!ordo_rlu_log_grow(t, &t->logs[i], 0)) {
            ordo_rlu_thread_empty(common);
            ordo_cc_thread_discard(&rlu->options.memory, common);
            return NULL;
        }
    }
    ordo_cc_thread_join(&rlu->threads, common);
    return t;
}

/* Takes a thread that is out of use, or makes a thread. Scans find it from now on. NULL: out of memory. */
static inline struct ordo_rlu_thread *ordo_rlu_thread_reuse(struct ordo_rlu *rlu)
{
    struct ordo_cc_thread *common = ordo_cc_thread_reuse(&rlu->threads);
    return common ? ordo_rlu_thread_of(common) : ordo_rlu_thread_make(rlu);
}

static inline int ordo_rlu_thread_init(struct ordo_rlu *rlu, struct ordo_rlu_thread **result)
{
    struct ordo_rlu_thread *t = ordo_rlu_thread_reuse(rlu);
    ordo_time now;
    *result = t;
    if (!t)
        return ORDO_E_SYSTEM;
    ordo_rlu_group_begin(&t->group, rlu->options.defer_commits, ORDO_RLU_DEFER_SHARE);
    now = ordo_stamp_take(&rlu->stamp); /* C5 join: read when scans already find the thread */
    ordo_rlu_mark(t, now.ticks + ordo_stamp_boundary(&rlu->stamp));
    return ORDO_OK;
}

static inline void ordo_rlu_thread_finish(struct ordo_rlu_thread *t)
{
    ORDO_INVARIANT("rlu", "use", !(t->run & 1), "a thread finishes in no section", t, t->run, t->pending);
    ordo_rlu_flush(t);
    ordo_cc_thread_leave(&t->common);
}

static inline int ordo_rlu_create(struct ordo_rlu *rlu, const struct ordo_rlu_options *options)
{
    memset(rlu, 0, sizeof *rlu);
    rlu->options = *options;
    if (rlu->options.defer_sections == 0)
        rlu->options.defer_sections = 4096;
    if (rlu->options.defer_bytes == 0)
        rlu->options.defer_bytes = (size_t)1 << 20;
    return ordo_cc_boundary_begin(&rlu->stamp, options->boundary_ticks, options->unsafe_boundary, options->watch);
}

/* True if the thread is in a section, or has commits pending. Relaxed: the caller of ordo_rlu_raise has ordered this
 * call after all earlier calls. */
static inline int ordo_rlu_is_busy(const struct ordo_cc_thread *common)
{
    const struct ordo_rlu_thread *t = ordo_rlu_thread_of(common);
    return t->pending || __atomic_load_n(&t->run, __ATOMIC_RELAXED) & 1;
}

/* In a domain at rest all stamped commits are written back, so later sections see them. When ordo_rlu_raise returns,
 * all times are settled: the W of a later commit is certainly after the L that any thread has kept. */
static inline int ordo_rlu_raise(struct ordo_rlu *rlu, uint64_t boundary_ticks)
{
    return ordo_cc_boundary_raise(&rlu->stamp, &rlu->threads, ordo_rlu_is_busy, boundary_ticks);
}

static inline void ordo_rlu_destroy(struct ordo_rlu *rlu)
{
    ordo_cc_threads_destroy(&rlu->threads, &rlu->options.memory, ordo_rlu_thread_empty);
}

/* Adds a thread's statistics of `bytes` to a sum. The first counter is the number of sections, which `run` gives. */
static inline void ordo_rlu_add_up(uint64_t *sum, const void *statistics, size_t bytes, const uint64_t *run)
{
    ordo_cc_add_up(sum, statistics, bytes);
    *sum += (ordo_cc_counted(run) + 1) / 2;
}

static inline void ordo_rlu_thread_count(const struct ordo_cc_thread *common, void *sum)
{
    const struct ordo_rlu_thread *t = ordo_rlu_thread_of(common);
    ordo_rlu_add_up((uint64_t *)sum, &t->statistics, sizeof t->statistics, &t->run);
}

static inline void ordo_rlu_statistics_read(struct ordo_rlu *rlu, struct ordo_rlu_statistics *sum)
{
    ordo_cc_threads_count(&rlu->threads, sum, sizeof *sum, ordo_rlu_thread_count);
}
