/* The checker's parts: the stream (checker.c) and what is looked for in a window (window.c). */
#ifndef ORDO_CC_HISTORY_CHECKER_H
#define ORDO_CC_HISTORY_CHECKER_H

#include <ordo/cc/history.h>

#include "cc/history/format.h"
#include "cc/history/graph.h"
#include "cc/history/map.h"

struct history_txn {
    const uint64_t *words; /* of its head */
    uint32_t accesses;
    bool committed;
};

struct ordo_history_checker {
    struct ordo_history_report report;
    int code;        /* what was wrong with the stream */
    uint64_t *words; /* of a head or window that is not complete */
    size_t bytes, capacity_bytes;
    size_t wanted_bytes; /* until it is */
    enum { AT_FILE, AT_WINDOW, IN_WINDOW } at;
    /* From window to window: the last version of each record (first), and the highest identity of each worker. */
    struct history_map last;
    uint64_t highest[UINT16_MAX + 1];
    /* Of the window. */
    struct history_map ids;  /* id -> transaction */
    struct history_map made; /* record and version -> its writer (first), who overwrote it (second) */
    struct history_map seen; /* record and transaction -> the version that it read */
    struct history_txn *txns;
    uint32_t count, capacity;
    struct history_graph graph;
    struct history_edge *inserts; /* of records that were never there: `from` inserted (table, key) */
    size_t insert_count, insert_capacity;
};

/** Checks one window of well-formed words. 0, ORDO_E_MALFORMED, ORDO_E_SYSTEM. */
int history_window_check(struct ordo_history_checker *checker, const uint64_t *words, size_t count);

#endif
