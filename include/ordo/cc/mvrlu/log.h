/* The log of a thread: appends entries to chunks and walks them. The log grows up to a limit. Part of mvrlu.h. */
#ifndef ORDO_CC_MVRLU_ROOMS
#error "include <ordo/cc/mvrlu.h>"
#endif

/* Returns the size of an entry with a copy of `bytes`. */
static inline size_t ordo_mvrlu_entry_bytes(size_t bytes)
{
    return ordo_rlu_lines(sizeof(struct ordo_mvrlu_version) + bytes);
}

/* True if an entry is a version that was not undone. */
static inline int ordo_mvrlu_is_version(const struct ordo_mvrlu_version *entry)
{
    return entry->kind == ORDO_MVRLU_COPY || entry->kind == ORDO_MVRLU_FREED;
}

/* Returns the entry at the position, and moves the position behind the entry. NULL: the log ends at the position. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_log_step(const struct ordo_mvrlu_thread *t,
                                                             struct ordo_rlu_position *at)
{
    struct ordo_mvrlu_version *entry = (struct ordo_mvrlu_version *)ordo_rlu_entry_at(t->current, at);
    if (entry)
        at->used += ordo_mvrlu_entry_bytes(entry->bytes);
    return entry;
}

/* True if the log can grow by `whole` bytes within its limit. If necessary, releases spare chunks for this. */
static inline int ordo_mvrlu_log_shrink(struct ordo_mvrlu_thread *t, size_t whole)
{
    uint64_t most = t->domain->options.log_bytes, filled = t->statistics.log_bytes;
    struct ordo_rlu_chunk *chunk;
    for (chunk = t->spare; chunk; chunk = chunk->next)
        filled -= chunk->bytes;
    if (filled + whole > most)
        return 0;
    while (t->statistics.log_bytes + whole > most) {
        chunk = t->spare;
        t->spare = chunk->next;
        ordo_cc_count(&t->statistics.log_bytes, -(uint64_t)chunk->bytes);
        ordo_mvrlu_release(t->domain, chunk->memory); /* C9 spare */
    }
    return 1;
}

/* Returns a new chunk with room for `step` bytes. NULL: the log would exceed its limit, or out of memory; t->code says
 * which.
 */
ORDO_CC_SLOW struct ordo_rlu_chunk *ordo_mvrlu_chunk_make(struct ordo_mvrlu_thread *t, size_t step)
{
    size_t whole = ordo_rlu_chunk_bytes(ORDO_MVRLU_CHUNK_BYTES, step);
    struct ordo_rlu_chunk *chunk;
    if (!ordo_mvrlu_log_shrink(t, whole)) {
        t->code = ORDO_E_FULL;
        return NULL;
    }
    /* Only the owner writes `log_bytes`. */
    ORDO_INVARIANT("mvrlu", "C10", t->statistics.log_bytes + whole <= t->domain->options.log_bytes,
                   "a log does not outgrow its limit", t, t->statistics.log_bytes + whole,
                   t->domain->options.log_bytes);
    chunk = ordo_rlu_chunk_allocate(&t->domain->options.memory, whole);
    if (chunk)
        ordo_cc_count(&t->statistics.log_bytes, whole);
    else
        t->code = ORDO_E_SYSTEM;
    return chunk;
}

/* Returns an empty chunk with room for `step` bytes: a spare chunk, or a new one. NULL: see t->code. */
static inline struct ordo_rlu_chunk *ordo_mvrlu_chunk_take(struct ordo_mvrlu_thread *t, size_t step)
{
    struct ordo_rlu_chunk *chunk = ordo_rlu_chunk_unlink(&t->spare, step);
    return chunk ? chunk : ordo_mvrlu_chunk_make(t, step);
}

static inline void ordo_mvrlu_collect_in(struct ordo_mvrlu_thread *t);

/* Makes a chunk with room for `step` bytes the current chunk, and returns it. NULL: see t->code. */
ORDO_CC_SLOW struct ordo_rlu_chunk *ordo_mvrlu_log_grow(struct ordo_mvrlu_thread *t, size_t step)
{
    struct ordo_rlu_chunk *chunk = ordo_mvrlu_chunk_take(t, step);
    if (!chunk && t->code == ORDO_E_FULL && t->run & 1) { /* C10 full */
        ordo_mvrlu_collect_in(t);
        chunk = ordo_mvrlu_chunk_take(t, step);
    }
    if (!chunk)
        return NULL;
    t->code = ORDO_LATER;
    chunk->next = NULL;
    chunk->used = sizeof *chunk;
    if (t->current)
        t->current->next = chunk;
    return t->current = chunk;
}

/* Returns a new entry with `bytes` for the copy. NULL: see t->code. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_log_append(struct ordo_mvrlu_thread *t, uint32_t kind,
                                                               struct ordo_rlu_header *object, size_t bytes)
{
    struct ordo_rlu_chunk *chunk = t->current;
    struct ordo_mvrlu_version *entry;
    size_t step = ordo_mvrlu_entry_bytes(bytes);
    if (chunk->bytes - chunk->used < step) {
        chunk = ordo_mvrlu_log_grow(t, step);
        if (!chunk)
            return NULL;
    }
    entry = (struct ordo_mvrlu_version *)(void *)((char *)chunk + chunk->used);
    chunk->used += step;
    /* Only the owner uses the log. */
    ORDO_INVARIANT("mvrlu", "C10", chunk->used <= chunk->bytes && chunk == t->current,
                   "a version lies within the current chunk of its log", t, chunk->used, chunk->bytes);
    entry->above = 0;
    entry->object = object;
    entry->kind = kind & 0x7f;
    entry->is_link = 0;
    entry->section = t->section & 0xffffff;
    entry->bytes = (uint32_t)bytes;
    entry->self.copy = ORDO_RLU_IS_COPY;
    return entry;
}

/* As ordo_mvrlu_log_append, in a section; also opens a commit if the thread has none, and marks the section as one that
 * writes. */
static inline struct ordo_mvrlu_version *ordo_mvrlu_append(struct ordo_mvrlu_thread *t, uint32_t kind,
                                                           struct ordo_rlu_header *object, size_t bytes)
{
    if (bytes > ORDO_MVRLU_LARGEST) {
        t->code = ORDO_E_SYSTEM;
        return NULL;
    }
    if (!t->commit) {
        struct ordo_mvrlu_version *commit = ordo_mvrlu_log_append(t, ORDO_MVRLU_COMMIT, NULL, 0);
        if (!commit)
            return NULL;
        commit->word = ORDO_MVRLU_OPEN;
        commit->older = t;
        t->first.chunk = t->current;
        t->first.used = t->current->used;
        t->group_bytes = 0;
        t->commit = commit;
    }
    if (!t->writing) {
        t->writing = 1;
        t->due = 0;
        t->section++;
        t->start.chunk = t->current;
        t->start.used = t->current->used;
    }
    t->group_bytes += ordo_mvrlu_entry_bytes(bytes);
    return ordo_mvrlu_log_append(t, kind, object, bytes);
}
