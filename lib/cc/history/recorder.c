/* Recorders, and the division of their notes into windows. */
#include "cc/history/note.h"
#include "cc/memory.h"

int ordo_history_create(struct ordo_history **result, struct ordo_worker *worker, const struct ordo_memory *memory)
{
    const struct ordo_memory chosen = cc_memory_or_default(memory);
    struct ordo_history *history = chosen.allocate(chosen.context, 64, sizeof *history);
    if (!history)
        return ORDO_E_SYSTEM;
    *history = (struct ordo_history){.memory = chosen};
    *result = worker->history = history;
    return ORDO_OK;
}

void ordo_history_destroy(struct ordo_history *history)
{
    if (!history)
        return;
    struct ordo_memory memory = history->memory;
    if (history->words)
        memory.release(memory.context, history->words, history->capacity * sizeof *history->words);
    memory.release(memory.context, history, sizeof *history);
}

uint64_t ordo_history_words(const struct ordo_history *history)
{
    return history->count;
}

int ordo_history_head(enum ordo_txn_level level, bool strict, ordo_history_sink *sink, void *context)
{
    uint64_t head[HISTORY_FILE_WORDS] = {HISTORY_MAGIC, HISTORY_LAYOUT, level, strict};
    return sink(context, head, sizeof head);
}

int ordo_history_cut(struct ordo_history *const *histories, unsigned count, ordo_history_sink *sink, void *context)
{
    uint64_t head[HISTORY_WINDOW_WORDS] = {(uint64_t)HISTORY_WINDOW << 32, 0};
    bool failed = false;
    for (unsigned i = 0; i < count; i++) {
        head[1] += histories[i]->count;
        failed |= histories[i]->failed;
    }
    int code = failed ? ORDO_E_SYSTEM : sink(context, head, sizeof head);
    for (unsigned i = 0; i < count; i++) {
        struct ordo_history *history = histories[i];
        if (!code && history->count)
            code = sink(context, history->words, history->count * sizeof *history->words);
        history->count = 0;
        history->failed = false;
    }
    return code;
}
