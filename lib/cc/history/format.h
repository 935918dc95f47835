/* The stream of a history: 64-bit words in the byte order of the machine.
 *
 *     head         HISTORY_MAGIC, layout, level, strict
 *     window*      HISTORY_WINDOW << 32, words that follow in it
 *       transaction* status << 32 | accesses, id, begin in ns, end in ns
 *         access*      kind << 32 | table, a, b
 *
 * An id names a transaction, and all versions that it wrote; 0 is the version of a key that was never there. For a read
 * `a` is the key and `b` the version; for a write or removal, the key and the overwritten version; for a scan, the
 * first and last key of the range: the versions that the scan met are noted as reads, and so are the deletions,
 * whatever the engine itself validates. A key of the range without a note was met as it was before the window, and
 * absent; a deletion of the same window that is not noted makes the scan come before it. A transaction that reads a
 * record as absent notes the deletion too, or 0.
 *
 * For this reason a database that records keeps deletions, with their identities (ordo_db_options.history). If
 * deletions left it as they do otherwise, a key that is inserted again would overwrite version 0 once more, which looks
 * like a lost update; and a read of 0 would not say which absence it met, of which a window may have many. The checker
 * would have to guess the order of versions that it now knows.
 *
 * The identities of a worker (by the low 16 bits) ascend, and from its first one in the stream on, the stream has all
 * that it wrote. Only lower identities, and those of workers that the stream does not have, may be from before the
 * stream.
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
