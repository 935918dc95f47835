/* Histories: the reads and writes of transactions, and the check that some serial order explains them.
 *
 * Recording: every worker gets a recorder, which notes in the worker's own memory which version of which record each
 * transaction read, overwrote or missed. While no transaction runs, the contents of all recorders are written to a
 * stream, as one window:
 *
 *     ordo_history_create(&history, worker, &memory);      // between its transactions; the db opened with .history
 *     ... transactions ...
 *     ordo_history_cut(histories, workers, write, context)  // all workers at rest: one window
 *     ordo_history_destroy(history)                         // after the worker left
 *
 * Checking: the windows, from memory or a file, are fed to a checker that keeps one window and the last version of each
 * record. It builds the graph of dependencies (A. Adya, "Weak Consistency", MIT 1999): one transaction read a version
 * that another wrote (wr), overwrote it (ww), overwrote a version that another had read or missed (rw), or, if
 * strictness is claimed, began after another ended. A cycle is an anomaly.
 *
 * No transaction runs when a window is cut, so no cycle of a correct engine spans two windows. If a transaction reads a
 * version that was already overwritten in an earlier window, the checker reports it at once.
 *
 * From the first recorder on, every worker that writes has one. The checker believes the first version that it meets of
 * a record from before the stream, and nothing else.
 *
 * A history does not tell, and no checker can find:
 *  - intermediate reads (G1b): a version is the final state that a transaction wrote to a record, whenever it was read;
 *  - torn or wrong values: versions are compared, not the bytes of records;
 *  - the order of one thread's transactions, unless the history is strict: in a history that is not strict, a thread
 *    that misses its own write of the same window is no anomaly;
 *  - whether a record that is only ever read exists or is deleted: a scan may leave it out.
 */
#ifndef ORDO_CC_HISTORY_H
#define ORDO_CC_HISTORY_H

#include <ordo/cc/txn.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* the library's interface */

struct ordo_history;
struct ordo_history_checker;

/** Takes `bytes` of the stream, in order. 0, or a negative code that ends the cut. */
typedef int ordo_history_sink(void *context, const void *data, size_t bytes);

/** Makes a recorder for a worker, between its transactions, with memory from the worker's thread. Returns 0, or
 * ORDO_E_SYSTEM: out of memory. `memory` all zero: aligned_alloc and free, as in struct ordo_db_options. */
int ordo_history_create(struct ordo_history **history, struct ordo_worker *worker, const struct ordo_memory *memory);

void ordo_history_destroy(struct ordo_history *history);

/** Returns the number of words noted since the last cut, to decide when to cut: a window is the words of all recorders,
 * and a checker takes a window of at most 2^26 words. From the worker's thread. */
uint64_t ordo_history_words(const struct ordo_history *history);

/** Writes the head of a stream: call it once, first. All transactions claim `level`; `strict` claims that they respect
 * real time. */
int ordo_history_head(enum ordo_txn_level level, bool strict, ordo_history_sink *sink, void *context);

/** Writes the contents of the recorders as one window and empties them. No transaction may be running on their workers.
 * After an error the stream is over, because a later window would refer to missing words.
 * 0: written
 * ORDO_E_SYSTEM: a recorder had run out of memory; the window would be incomplete and is not written
 * Otherwise: the code of the sink */
int ordo_history_cut(struct ordo_history *const *histories, unsigned count, ordo_history_sink *sink, void *context);

/** The kinds of anomaly, from the worst. */
enum ordo_history_anomaly {
    ORDO_ANOMALY_NONE,
    ORDO_ANOMALY_DIRTY_READ,    /* G1a: a version was read whose writer aborted, or that no transaction had written */
    ORDO_ANOMALY_DIRTY_WRITE,   /* G0: writes of transactions in each other's order */
    ORDO_ANOMALY_LOST_UPDATE,   /* two transactions overwrote the same version */
    ORDO_ANOMALY_CIRCULAR_FLOW, /* G1c: information flowed in a circle */
    ORDO_ANOMALY_NON_REPEATABLE_READ, /* one transaction read two versions of a record */
    ORDO_ANOMALY_STALE_READ, /* a version was read that had been overwritten before the transaction or the window */
    ORDO_ANOMALY_READ_SKEW,  /* G-single: part of a transaction was seen, and part was not */
    ORDO_ANOMALY_PHANTOM,    /* a scan missed a record that it must have seen */
    ORDO_ANOMALY_WRITE_SKEW, /* G2: a cycle with several overwritten reads */
    ORDO_ANOMALY_KINDS
};

/** "dirty-read" and the like; "unknown" beyond the list. */
const char *ordo_history_anomaly_name(enum ordo_history_anomaly anomaly);

struct ordo_history_report {
    enum ordo_txn_level level; /* as the stream claims */
    bool strict;
    uint64_t windows, committed, aborted, reads, writes, scans;
    uint64_t anomalies; /* at most one cycle per window is counted, others each */
    uint64_t by_kind[ORDO_ANOMALY_KINDS];
    enum ordo_history_anomaly first_anomaly; /* with the shortest cycle of its window, as text: */
    char first_text[1024];                   /* lines, one for each step: "T1.7 -rw(table 0, key 5)-> T2.3" */
};

/** Makes a checker; NULL: out of memory. */
struct ordo_history_checker *ordo_history_checker_create(void);

/** Takes the next bytes of a stream; an ordo_history_sink. Anomalies are not errors.
 * 0: taken
 * ORDO_E_MALFORMED or ORDO_E_LAYOUT: not a history; no more bytes are taken
 * ORDO_E_SYSTEM: out of memory, or the window is too large: more than 2^26 words, 2^27 dependencies or 16 of them for
 *     each word, or its scans pass more than 2^28 records */
int ordo_history_check(void *checker, const void *data, size_t bytes);

/** Reports the findings so far. After the last bytes, returns ORDO_E_TRUNCATED if the stream ended inside a window. */
int ordo_history_finish(struct ordo_history_checker *checker, struct ordo_history_report *report);

void ordo_history_checker_destroy(struct ordo_history_checker *checker);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
