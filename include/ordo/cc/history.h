/* Histories: the reads and writes of transactions, and the check that some serial order explains them.
 *
 * Recording: every worker gets a recorder. For each transaction it notes, in the worker's own memory, which versions of
 * which records were read, overwritten, or not found (missed). While no transaction runs, the program writes the
 * contents of all recorders to a stream, as one window:
 *
 *     ordo_history_create(&history, worker, &memory);      // between its transactions; the db opened with .history
 *     ... transactions ...
 *     ordo_history_cut(histories, workers, write, context)  // no transaction runs: writes one window
 *     ordo_history_destroy(history)                         // after the worker has left the db
 *
 * Checking: the windows, from memory or a file, are fed to a checker that keeps one window and the last version of each
 * record. The checker builds the graph of dependencies (A. Adya, "Weak Consistency", MIT 1999). Transaction 2 depends
 * on transaction 1 if 2 read a version that 1 wrote (wr), or overwrote a version that 1 wrote (ww), or overwrote a
 * version that 1 had read or missed (rw), or, in a history that claims to be strict, began after 1 had ended. A cycle
 * is an anomaly.
 *
 * No transaction runs when a window is cut, so no cycle of a correct engine spans two windows. If a transaction reads a
 * version that an earlier window overwrote, the checker reports an anomaly at once.
 *
 * As soon as one worker has a recorder, every worker that writes must have one. For each record the checker accepts one
 * version that no transaction of the stream wrote, because it may be from before the stream: the first that it meets.
 *
 * A history does not contain, and no checker can find:
 *  - intermediate reads (G1b): a version stands for the final state that a transaction wrote to a record, even if the
 *    version was read earlier;
 *  - torn or wrong values: versions are compared, not the bytes of records;
 *  - the order of one thread's transactions, unless the history is strict: if it is not strict and a thread misses its
 *    own write of the same window, no anomaly is reported;
 *  - whether a record that no transaction writes exists or is deleted: a scan that leaves the record out is no anomaly.
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

/** Takes the next `bytes` of the stream. Returns 0, or a negative code that ends the cut. */
typedef int ordo_history_sink(void *context, const void *data, size_t bytes);

/** Makes a recorder for a worker. Call it from the worker's thread, which allocates the memory, between two
 * transactions. `memory` all zero: aligned_alloc and free, as in struct ordo_db_options. Returns 0, or ORDO_E_SYSTEM:
 * out of memory. */
int ordo_history_create(struct ordo_history **history, struct ordo_worker *worker, const struct ordo_memory *memory);

void ordo_history_destroy(struct ordo_history *history);

/** Returns the number of words that the recorder has noted since the last cut. The caller uses it to decide when to
 * cut, because a checker takes at most 2^26 words in a window, the words of all recorders together. Call it from the
 * worker's thread. */
uint64_t ordo_history_words(const struct ordo_history *history);

/** Writes the head of a stream. Call it once, before the first cut. The head claims isolation `level` for all
 * transactions; `strict` claims that their order respects real time. */
int ordo_history_head(enum ordo_txn_level level, bool strict, ordo_history_sink *sink, void *context);

/** Writes the contents of the recorders as one window and empties them. No transaction may be running on their workers.
 * After an error, write no more windows to the stream, because a later window would refer to missing words.
 * 0: written
 * ORDO_E_SYSTEM: a recorder had run out of memory; the window is incomplete and was not written
 * Otherwise: the code of the sink */
int ordo_history_cut(struct ordo_history *const *histories, unsigned count, ordo_history_sink *sink, void *context);

/** The kinds of anomaly, the worst first. */
enum ordo_history_anomaly {
    ORDO_ANOMALY_NONE,
    /* G1a: a transaction read a version whose writer aborted, or that no transaction had written */
    ORDO_ANOMALY_DIRTY_READ,
    ORDO_ANOMALY_DIRTY_WRITE,         /* G0: a cycle of ww dependencies */
    ORDO_ANOMALY_LOST_UPDATE,         /* two transactions overwrote the same version */
    ORDO_ANOMALY_CIRCULAR_FLOW,       /* G1c: a cycle of wr and ww dependencies */
    ORDO_ANOMALY_NON_REPEATABLE_READ, /* one transaction read two versions of a record */
    /* a transaction read a version that was overwritten before the transaction or its window began */
    ORDO_ANOMALY_STALE_READ,
    ORDO_ANOMALY_READ_SKEW,  /* G-single: a transaction saw some writes of another transaction and not the others */
    ORDO_ANOMALY_PHANTOM,    /* a scan missed a record that it should have found */
    ORDO_ANOMALY_WRITE_SKEW, /* G2: a cycle with several rw dependencies */
    ORDO_ANOMALY_KINDS
};

/** Returns the name of an anomaly, such as "dirty-read"; "unknown" for a value that is not in the enumeration. */
const char *ordo_history_anomaly_name(enum ordo_history_anomaly anomaly);

struct ordo_history_report {
    enum ordo_txn_level level; /* claimed by the head of the stream */
    bool strict;
    uint64_t windows, committed, aborted, reads, writes, scans;
    uint64_t anomalies; /* all anomalies that are no cycles, and at most one cycle per window */
    uint64_t by_kind[ORDO_ANOMALY_KINDS];
    enum ordo_history_anomaly first_anomaly; /* the kind of the first anomaly that was found */
    /* That anomaly as text; of a cycle, the shortest of its window, a line for each step:
     * "T1.7 -rw(table 0, key 5)-> T2.3" */
    char first_text[1024];
};

/** Makes a checker; NULL: out of memory. */
struct ordo_history_checker *ordo_history_checker_create(void);

/** Checks the next bytes of a stream; can be used as an ordo_history_sink. Anomalies are counted, and are not errors.
 * 0: taken
 * ORDO_E_MALFORMED or ORDO_E_LAYOUT: not a history; no more bytes are taken
 * ORDO_E_SYSTEM: out of memory, or the window is too large: more than 2^26 words, 2^27 dependencies or 16 dependencies
 *     for each word, or its scans pass more than 2^28 records */
int ordo_history_check(void *checker, const void *data, size_t bytes);

/** Writes the findings so far to `*report`.
 * 0: the stream is complete so far
 * ORDO_E_TRUNCATED: the stream ends inside its head or a window
 * Otherwise: the code of the ordo_history_check that failed */
int ordo_history_finish(struct ordo_history_checker *checker, struct ordo_history_report *report);

void ordo_history_checker_destroy(struct ordo_history_checker *checker);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
