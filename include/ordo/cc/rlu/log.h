/* The log of a thread: appends records to chunks, walks them and cuts them off. Part of rlu.h. */
#ifndef ORDO_CC_RLU_ROOMS
#error "include <ordo/cc/rlu.h>"
#endif

/* Returns `bytes`, rounded up to whole cache lines. */
static inline size_t ordo_rlu_lines(size_t bytes)
{
    return (bytes + ORDO_RLU_LINE - 1) & ~(ORDO_RLU_LINE - 1);
}

/* Returns the size of a record with a copy of `bytes`. A record starts a cache line; a small record with its copy fills
 * one line. */
static inline size_t ordo_rlu_record_bytes(size_t bytes)
{
    return ordo_rlu_lines(sizeof(struct ordo_rlu_record) + bytes);
}

/* Returns the size of a chunk with room for `step` bytes: `least`, doubled until it is enough. */
static inline size_t ordo_rlu_chunk_bytes(size_t least, size_t step)
{
    while (least - sizeof(struct ordo_rlu_chunk) < step)
        least *= 2;
    return least;
}

/* Returns a new, empty chunk of `whole` bytes, which is in no list yet. NULL: out of memory. */
static inline struct ordo_rlu_chunk *ordo_rlu_chunk_allocate(const struct ordo_cc_memory *memory, size_t whole)
{
    void *raw;
    struct ordo_rlu_chunk *chunk =
        (struct ordo_rlu_chunk *)ordo_cc_allocate_aligned(memory, whole, ORDO_RLU_LINE, &raw);
    if (!chunk)
        return NULL;
    chunk->bytes = whole;
    chunk->used = sizeof *chunk;
    chunk->memory = raw;
    return chunk;
}

/* Takes the first chunk with room for `step` bytes from a list of empty chunks. NULL: the list has no such chunk. */
static inline struct ordo_rlu_chunk *ordo_rlu_chunk_unlink(struct ordo_rlu_chunk **link, size_t step)
{
    struct ordo_rlu_chunk *chunk;
    while (*link && (*link)->bytes - sizeof *chunk < step)
        link = &(*link)->next;
    chunk = *link;
    if (chunk)
        *link = chunk->next;
    return chunk;
}

/* Frees a list of chunks. */
static inline void ordo_rlu_chunks_release(const struct ordo_cc_memory *memory, struct ordo_rlu_chunk *chunk)
{
    struct ordo_rlu_chunk *next;
    for (; chunk; chunk = next) {
        next = chunk->next;
        ordo_cc_release(memory, chunk->memory);
    }
}

/* Returns the entry at the position, in a log whose chunk in use is `current`; moves the position to the entry's chunk.
 * NULL: the log ends at the position. */
static inline void *ordo_rlu_entry_at(const struct ordo_rlu_chunk *current, struct ordo_rlu_position *at)
{
    while (at->used == at->chunk->used) {
        if (at->chunk == current) /* the chunks behind `current` are empty, and may be many */
            return NULL;
        at->chunk = at->chunk->next;
        at->used = sizeof(struct ordo_rlu_chunk);
    }
    return (char *)at->chunk + at->used;
}

/* Returns the record at the position, and moves the position behind the record. NULL: the log ends at the position. */
static inline struct ordo_rlu_record *ordo_rlu_log_step(const struct ordo_rlu_log *log, struct ordo_rlu_position *at)
{
    struct ordo_rlu_record *record = (struct ordo_rlu_record *)ordo_rlu_entry_at(log->current, at);
    if (record)
        at->used += ordo_rlu_record_bytes((size_t)record->bytes);
    return record;
}

/* Drops all records behind the position. */
static inline void ordo_rlu_log_cut(struct ordo_rlu_log *log, struct ordo_rlu_position at)
{
    struct ordo_rlu_chunk *last = log->current;
    log->current = at.chunk;
    at.chunk->used = at.used;
    while (at.chunk != last) {
        at.chunk = at.chunk->next;
        at.chunk->used = sizeof(struct ordo_rlu_chunk);
    }
}

/* Returns a new chunk with room for a record of `step` bytes, which is in no list yet. NULL: out of memory. */
ORDO_CC_SLOW struct ordo_rlu_chunk *ordo_rlu_chunk_make(struct ordo_rlu_thread *t, size_t step)
{
    struct ordo_rlu_chunk *chunk =
        ordo_rlu_chunk_allocate(&t->rlu->options.memory, ordo_rlu_chunk_bytes(ORDO_RLU_CHUNK_BYTES, step));
    if (chunk)
        ordo_cc_count(&t->statistics.log_bytes, chunk->bytes + ORDO_RLU_LINE);
    return chunk;
}

/* Makes an empty chunk with room for a copy of `bytes` the current chunk, and returns it. NULL: out of memory.
 *
 * No chunk is released before ordo_rlu_destroy. The first empty chunk behind the current one that is large enough is
 * reused. A new chunk is made only if all large enough chunks are in use. Hence, for each size (a power of two), the
 * log never has more chunks of at least this size than were in use at once between two flushes. */
ORDO_CC_SLOW struct ordo_rlu_chunk *ordo_rlu_log_grow(struct ordo_rlu_thread *t, struct ordo_rlu_log *log, size_t bytes)
{
    struct ordo_rlu_chunk **behind = log->current ? &log->current->next : &log->first, *chunk;
    size_t step = ordo_rlu_record_bytes(bytes);
    if (bytes > ORDO_RLU_LARGEST)
        return NULL;
    chunk = ordo_rlu_chunk_unlink(behind, step);
    if (!chunk)
        chunk = ordo_rlu_chunk_make(t, step);
    if (!chunk)
        return NULL;
    chunk->next = *behind;
    *behind = chunk;
    return log->current = chunk;
}

/* Returns a new record with `bytes` for the copy, and marks the section as one that writes. NULL: out of memory. */
static inline struct ordo_rlu_record *ordo_rlu_log_append(struct ordo_rlu_thread *t, uint32_t kind,
                                                          struct ordo_rlu_header *object, size_t bytes)
{
    struct ordo_rlu_chunk *chunk = t->log->current;
    struct ordo_rlu_record *record;
    size_t step = ordo_rlu_record_bytes(bytes);
    if (!t->writing) {
        t->writing = 1;
        t->due = 0;
        t->section++;
        t->start.chunk = chunk;
        t->start.used = chunk->used;
    }
    if (chunk->bytes - chunk->used < step || bytes > ORDO_RLU_LARGEST) {
        chunk = ordo_rlu_log_grow(t, t->log, bytes);
        if (!chunk) {
            t->code = ORDO_E_SYSTEM;
            return NULL;
        }
    }
    record = (struct ordo_rlu_record *)(void *)((char *)chunk + chunk->used);
    chunk->used += step;
    t->group_bytes += step;
    /* Only the owner uses the log. */
    ORDO_INVARIANT("rlu", "C10", chunk->used <= chunk->bytes && chunk == t->log->current,
                   "a record lies within the current chunk of its log", t, chunk->used, chunk->bytes);
    record->log = t->log;
    record->object = object;
    record->previous = NULL;
    record->section = t->section;
    record->kind = kind & 7;
    record->bytes = bytes & (UINT64_MAX >> 3);
    record->self.copy = ORDO_RLU_IS_COPY;
    return record;
}
