/* The notes of a worker about its transactions: the words of a history window (format.h), in the worker's own memory.
 *
 * A worker without a recorder pays one test per access. */
#ifndef ORDO_CC_HISTORY_NOTE_H
#define ORDO_CC_HISTORY_NOTE_H

#include <string.h>
#include <time.h>

#include <ordo/cc/history.h>

#include "cc/history/format.h"

struct ordo_history {
    struct ordo_memory memory;
    uint64_t *words;
    size_t count, capacity; /* in words */
    size_t open;            /* index of the present transaction */
    bool failed;            /* out of memory, so the window is incomplete */
};

/* Makes room for `more` words. */
static inline bool history_reserve(struct ordo_history *history, size_t more)
{
    size_t wider = history->capacity ? 2 * history->capacity : 4096;
    if (history->count + more <= history->capacity)
        return true;
    uint64_t *words = history->memory.allocate(history->memory.context, 64, wider * sizeof *words);
    if (!words) {
        history->failed = true;
        return false;
    }
    if (history->words) {
        memcpy(words, history->words, history->count * sizeof *words);
        history->memory.release(history->memory.context, history->words, history->capacity * sizeof *words);
    }
    history->words = words;
    history->capacity = wider;
    return true;
}

/* Returns the time of a clock that the kernel keeps monotonic on all CPUs, independently of the engine's clock. */
static inline uint64_t history_time_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static inline void history_begin(struct ordo_history *history, uint64_t id)
{
    if (!history)
        return;
    history->open = history->count;
    if (history_reserve(history, HISTORY_HEAD_WORDS)) {
        uint64_t *head = history->words + history->count;
        head[1] = id;
        head[2] = history_time_ns();
        history->count += HISTORY_HEAD_WORDS;
    }
}

/* Notes one access. The meaning of `a` and `b` depends on `kind` (format.h). */
static inline void history_note(struct ordo_history *history, enum history_kind kind, unsigned table, uint64_t a,
                                uint64_t b)
{
    if (!history || history->failed || !history_reserve(history, HISTORY_ACCESS_WORDS))
        return;
    uint64_t *access = history->words + history->count;
    access[0] = (uint64_t)kind << 32 | table;
    access[1] = a;
    access[2] = b;
    history->count += HISTORY_ACCESS_WORDS;
}

static inline void history_end(struct ordo_history *history, bool committed)
{
    if (!history || history->failed)
        return;
    uint64_t *head = history->words + history->open;
    uint64_t accesses = (history->count - history->open - HISTORY_HEAD_WORDS) / HISTORY_ACCESS_WORDS;
    head[0] = (uint64_t)(committed ? HISTORY_COMMITTED : HISTORY_ABORTED) << 32 | accesses;
    head[3] = history_time_ns();
}

#endif
