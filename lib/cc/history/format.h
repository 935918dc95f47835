/* The stream of a history: 64-bit words in the byte order of the machine.
 *
 *     head         HISTORY_MAGIC, layout, level, strict
 *     window*      HISTORY_WINDOW << 32, number of words in the window
 *       transaction* status << 32 | accesses, id, begin in ns, end in ns
 *         access*      kind << 32 | table, a, b
 *
 * An id names a transaction and all versions that the transaction wrote. Id 0 is the version of a key that never had a
 * record. For a read, `a` is the key and `b` the version; for a write or removal, `a` is the key and `b` the
 * overwritten version; for a scan, `a` and `b` are the first and the last key of the range. The versions that a scan
 * met are noted as reads, deletions included, even if the engine does not validate them. If a scan has no read of a key
 * of its range, the key was absent, with the version that it had before the window; so the scan comes before every
 * deletion of that key in this window. A transaction that finds a record absent notes a read of its deletion, or of
 * version 0.
 *
 * For this reason a database that records a history keeps deletions with their identities (ordo_db_options.history). If
 * it removed them, a second insert of a key would overwrite version 0 again, which looks like a lost update; and a read
 * of version 0 would not tell in which of the key's absences it took place. The checker would have to guess the order
 * of versions, which the notes now state.
 *
 * The low 16 bits of an identity name the worker. The identities of a worker ascend, and the stream has all writes of
 * the worker from its first identity in the stream on. Only two kinds of identities may be older than the stream: those
 * below the worker's first one, and those of workers that are not in the stream.
 */
#ifndef ORDO_CC_HISTORY_FORMAT_H
#define ORDO_CC_HISTORY_FORMAT_H

#include <stdint.h>

#define HISTORY_MAGIC UINT64_C(0x3174736968646f) /* "odhist1" */

enum {
    HISTORY_LAYOUT = 1,
    HISTORY_FILE_WORDS = 4,
    HISTORY_WINDOW_WORDS = 2,
    HISTORY_HEAD_WORDS = 4,
    HISTORY_ACCESS_WORDS = 3
};

enum history_tag { HISTORY_WINDOW = 0x57, HISTORY_COMMITTED = 1, HISTORY_ABORTED = 2 };

enum history_kind { HISTORY_READ = 1, HISTORY_WRITE = 2, HISTORY_REMOVE = 3, HISTORY_SCAN = 4 };

#endif
