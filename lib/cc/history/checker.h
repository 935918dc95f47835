/* The parts of the checker: the stream (checker.c) and the search for anomalies in a window (window.c). */
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

struct history_place {
    uint64_t table, key;
};

/* The identities of a worker, as known from the stream. */
struct history_worker {
    uint64_t lowest, highest; /* 0 before there is one; of earlier windows too */
    /* The highest identity that was believed to be from before the stream, and its reader and key. */
    uint64_t believed, reader, key;
    uint32_t table;
};

enum {
    HISTORY_WINDOW_WORDS_MAX = 1 << 26,
    HISTORY_EDGES_MAX = 1 << 27, /* of a window: 4 GiB */
    HISTORY_EDGES_PER_WORD = 16, /* a small file cannot ask for much memory */
    HISTORY_WORKERS = 256,
    HISTORY_SCAN_STEPS_MAX = 1 << 28 /* of a window: more than the reads that it can have */
};

struct ordo_history_checker {
    struct ordo_history_report report;
    size_t window_words_max, edges_max, scan_steps_max; /* variables, so that a test can make them smaller */
    int code;                                           /* the fault of the stream */
    uint64_t *words;                                    /* of an incomplete head or window */
    size_t bytes, capacity_bytes;
    size_t wanted_bytes; /* the bytes that complete it */
    enum { AT_FILE, AT_WINDOW, IN_WINDOW } at;
    /* Kept from window to window: the last version of each record (first), and HISTORY_WRITE or HISTORY_REMOVE, if the
     * stream says how it was written (second); all keys that the stream mentions; and each worker. */
    struct history_map last;
    struct history_place *places; /* the first places_sorted are in order: all but those added since the last scan */
    size_t place_count, place_capacity, places_sorted;
    struct history_worker *workers[(UINT16_MAX + 1) / HISTORY_WORKERS]; /* blocks; NULL if the stream has none of it */
    /* For one window only. */
    struct history_map ids;  /* id -> transaction */
    struct history_map made; /* record and version -> its writer (first) and its overwriter (second); the version is
                                HISTORY_BEFORE for the record as it was before the window */
    struct history_map seen; /* record and transaction -> the version that it read */
    struct history_txn *txns;
    uint32_t count, capacity;
    struct history_graph graph;
    size_t places_written; /* number of places when the window's writes were noted */
    size_t scan_steps;     /* places that its scans passed */
};

/** Checks one window of well-formed words. Returns 0, ORDO_E_MALFORMED or ORDO_E_SYSTEM. */
int history_window_check(struct ordo_history_checker *checker, const uint64_t *words, size_t count);

#endif
