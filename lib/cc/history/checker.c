/* The stream: collects the bytes of a head or a window. No byte is trusted. */
#include "cc/history/checker.h"

#include <stdlib.h>
#include <string.h>

const char *ordo_history_anomaly_name(enum ordo_history_anomaly anomaly)
{
    static const char *const names[ORDO_ANOMALY_KINDS] = {
        [ORDO_ANOMALY_NONE] = "none",
        [ORDO_ANOMALY_DIRTY_READ] = "dirty-read",
        [ORDO_ANOMALY_DIRTY_WRITE] = "dirty-write",
        [ORDO_ANOMALY_LOST_UPDATE] = "lost-update",
        [ORDO_ANOMALY_CIRCULAR_FLOW] = "circular-flow",
        [ORDO_ANOMALY_NON_REPEATABLE_READ] = "non-repeatable-read",
        [ORDO_ANOMALY_STALE_READ] = "stale-read",
        [ORDO_ANOMALY_READ_SKEW] = "read-skew",
        [ORDO_ANOMALY_PHANTOM] = "phantom",
        [ORDO_ANOMALY_WRITE_SKEW] = "write-skew",
    };
    return (unsigned)anomaly < ORDO_ANOMALY_KINDS ? names[anomaly] : "unknown";
}

struct ordo_history_checker *ordo_history_checker_create(void)
{
    struct ordo_history_checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return NULL;
    checker->wanted_bytes = HISTORY_FILE_WORDS * sizeof(uint64_t);
    checker->window_words_max = HISTORY_WINDOW_WORDS_MAX;
    checker->scan_steps_max = HISTORY_SCAN_STEPS_MAX;
    checker->edges_max = HISTORY_EDGES_MAX;
    return checker;
}

void ordo_history_checker_destroy(struct ordo_history_checker *checker)
{
    if (!checker)
        return;
    for (size_t i = 0; i < sizeof checker->workers / sizeof *checker->workers; i++)
        free(checker->workers[i]);
    history_map_free(&checker->last);
    history_map_free(&checker->ids);
    history_map_free(&checker->made);
    history_map_free(&checker->seen);
    free(checker->graph.edges);
    free(checker->places);
    free(checker->txns);
    free(checker->words);
    free(checker);
}

static int take_file_head(struct ordo_history_checker *checker)
{
    const uint64_t *head = checker->words;
    if (head[0] != HISTORY_MAGIC)
        return ORDO_E_MALFORMED;
    if (head[1] != HISTORY_LAYOUT)
        return ORDO_E_LAYOUT;
    if ((head[2] != ORDO_TXN_SERIALIZABLE && head[2] != ORDO_TXN_SNAPSHOT) || head[3] > 1)
        return ORDO_E_MALFORMED;
    checker->report.level = (enum ordo_txn_level)head[2];
    checker->report.strict = head[3] != 0;
    return ORDO_OK;
}

/* Processes a complete head or window, and sets what the stream must contain next. */
static int take_words(struct ordo_history_checker *checker)
{
    const uint64_t *words = checker->words;
    size_t count = checker->bytes / sizeof *words, next = HISTORY_WINDOW_WORDS;
    int code = ORDO_OK;
    switch (checker->at) {
    case AT_FILE:
        code = take_file_head(checker);
        checker->at = AT_WINDOW;
        break;
    case AT_WINDOW:
        if (words[0] != (uint64_t)HISTORY_WINDOW << 32)
            return ORDO_E_MALFORMED;
        if (words[1] > checker->window_words_max)
            return ORDO_E_SYSTEM;
        checker->report.windows++;
        if (words[1] > 0) {
            checker->at = IN_WINDOW;
            next = (size_t)words[1];
        }
        break;
    case IN_WINDOW:
        code = history_window_check(checker, words, count);
        checker->at = AT_WINDOW;
        break;
    }
    checker->bytes = 0;
    checker->wanted_bytes = next * sizeof *words;
    return code;
}

/* Appends the bytes that arrived. Memory grows with the bytes that have arrived, not with the announced length. */
static int append_bytes(struct ordo_history_checker *checker, const void *data, size_t bytes)
{
    size_t wider = checker->capacity_bytes ? checker->capacity_bytes : 65536;
    while (wider < checker->bytes + bytes)
        wider *= 2;
    if (wider != checker->capacity_bytes) {
        uint64_t *words = realloc(checker->words, wider);
        if (!words)
            return ORDO_E_SYSTEM;
        checker->words = words;
        checker->capacity_bytes = wider;
    }
    memcpy((char *)checker->words + checker->bytes, data, bytes);
    checker->bytes += bytes;
    return ORDO_OK;
}

int ordo_history_check(void *context, const void *data, size_t bytes)
{
    struct ordo_history_checker *checker = context;
    const char *at = data;
    while (bytes > 0 && !checker->code) {
        size_t missing = checker->wanted_bytes - checker->bytes, taken = bytes < missing ? bytes : missing;
        checker->code = append_bytes(checker, at, taken);
        at += taken;
        bytes -= taken;
        if (!checker->code && checker->bytes == checker->wanted_bytes)
            checker->code = take_words(checker);
    }
    return checker->code;
}

int ordo_history_finish(struct ordo_history_checker *checker, struct ordo_history_report *report)
{
    *report = checker->report;
    if (checker->code)
        return checker->code;
    return checker->at == AT_WINDOW && checker->bytes == 0 ? ORDO_OK : ORDO_E_TRUNCATED;
}
