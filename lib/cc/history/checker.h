/* The parts of the checker: the stream (checker.c) and the search for anomalies in a window (window.c). */
#ifndef ORDO_CC_HISTORY_CHECKER_H
#define ORDO_CC_HISTORY_CHECKER_H

#include <ordo/cc/history.h>

#include "cc/history/format.h"
#include "cc/history/graph.h"
#include "cc/history/map.h"

struct history_txn {
    const uint64_t *words; /* the words of the transaction's head */
    uint32_t accesses;
    bool committed;
};

struct history_place {
    uint64_t table, key;
};

/* The identities of a worker's transactions, as far as the stream has shown them. */
struct history_worker {
    uint64_t lowest, highest; /* in all windows so far; 0 if the worker has no transaction */
    /* The highest identity that was assumed to be older than the stream; the transaction that read its version, and the
     * key of that version. */
    uint64_t believed, reader, key;
    uint32_t table;
};

enum {
    HISTORY_WINDOW_WORDS_MAX = 1 << 26,
    HISTORY_EDGES_MAX = 1 << 27, /* edges of a window, 4 GiB */
    HISTORY_EDGES_PER_WORD = 16, /* keeps a small file from making the checker allocate much */
    HISTORY_WORKERS = 256,
    HISTORY_SCAN_STEPS_MAX = 1 << 28 /* limit of a window; more than the number of reads in a window */
};

struct ordo_history_checker {
    struct ordo_history_report report;
    size_t window_words_max, edges_max, scan_steps_max; /* limits; variables, so that a test can lower them */
    int code;                                           /* error code, once the stream was found to be faulty */
    uint64_t *words;                                    /* words of the head or window that is being collected */
    size_t bytes, capacity_bytes;
    size_t wanted_bytes; /* size of the complete head or window */
    enum { AT_FILE, AT_WINDOW, IN_WINDOW } at;
    /* State that is kept between windows. In `last`, the entry of a record has its last version in `first`, and in
     * `second` HISTORY_WRITE or HISTORY_REMOVE if the stream contains that write. `places` has all keys that the stream
     * mentions. */
    struct history_map last;
    struct history_place *places; /* the first places_sorted are sorted; later ones were added since the last sort */
    size_t place_count, place_capacity, places_sorted;
    struct history_worker *workers[(UINT16_MAX + 1) / HISTORY_WORKERS]; /* blocks of workers; NULL if none was seen */
    /* State of one window. */
    struct history_map ids; /* id -> transaction */
    /* (record, version) -> the version's writer in `first`, its overwriter in `second`. HISTORY_BEFORE stands for the
     * version that the record had before the window. */
    struct history_map made;
    struct history_map seen; /* (record, transaction) -> the version that the transaction read */
    struct history_txn *txns;
    uint32_t count, capacity;
    struct history_graph graph;
    size_t places_written; /* number of places after the window's writes were noted */
    size_t scan_steps;     /* places that the window's scans have visited */
};

/** Checks one window of well-formed words. Returns 0, ORDO_E_MALFORMED or ORDO_E_SYSTEM. */
int history_window_check(struct ordo_history_checker *checker, const uint64_t *words, size_t count);

#endif
