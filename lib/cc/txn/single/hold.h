/* Holders of absent records. A transaction that finds a key missing holds the key's absent record until it ends, and
 * the last holder takes the record out of the index. If instead every transaction took the record out at its end, it
 * would abort all others that have found the key missing, and concurrent readers of the key could starve an insert.
 *
 * Until the first write of a record, its `id` counts the holders: SV_HELD + count. A transaction holds an absent record
 * before it adds the record to its reads (sv_find), once for each such read, and lets go of the record at its end. When
 * the count would fall to 0, it becomes SV_GONE and stays so: the transaction that stored SV_GONE, and no other, takes
 * the record out of the index. In a database with histories, and in a dense table, `id` is 0 at first: no record leaves
 * the index, and holders are not counted.
 *
 *  H1  While a transaction holds a record, the record's `id` does not become SV_GONE. So other transactions that only
 *      read the key, or fail to insert it, change nothing for the holder.
 *  H2  A transaction that finds SV_GONE searches for the key again, until the record has left the index. It holds no
 *      lock while it waits, and the thread for which it waits can only be waiting for the lock of a bucket.
 *  H3  After SV_GONE, only the transaction that stored it changes the word of the record. The reason: a transaction
 *      locks an absent record, or extends its validity, only if it has the record among its reads, and all such
 *      transactions have let go of it. So the last holder needs no lock.
 *  H4  The first write, made with the record locked, replaces the count by the identity of the writer. A deleted record
 *      is never written again: its deletion takes it out of the index at once (sv_install). So a holder may find no
 *      count when it lets go, and a transaction may be counted as a holder although its copy shows the record as
 *      present.
 *  H5  A holder lets go of the record before it announces its own end, and does not access the record afterwards. Until
 *      then C10 keeps the memory of the record.
 */
#ifndef ORDO_CC_TXN_SINGLE_HOLD_H
#define ORDO_CC_TXN_SINGLE_HOLD_H

#include "cc/txn/single/types.h"

#define SV_HELD (UINT64_C(1) << 63) /* mark of an `id` that is a count of holders; identities have this bit clear */
#define SV_GONE UINT64_MAX          /* an `id`: the last holder takes the record out of the index */

/* True if the records of a table never leave the index: a deleted or missing key keeps an absent record. */
static inline bool sv_stays(const struct ordo_table *table)
{
    return table->places.first || table->db->options.history;
}

/* Returns the `id` of a new record. */
static inline uint64_t sv_unwritten(const struct ordo_table *table)
{
    return sv_stays(table) ? 0 : SV_HELD;
}

/* Returns the writer that an `id` names, 0 for none. */
static inline uint64_t sv_writer(uint64_t id)
{
    return id & SV_HELD ? 0 : id;
}

/* Holds an absent record. False: the record is leaving the index (H2). */
static bool sv_hold(struct sv_record *record)
{
    uint64_t id = __atomic_load_n(&record->id, __ATOMIC_RELAXED);
    /* Relaxed: only the order of the changes of this one word matters. */
    while ((id & SV_HELD) && id != SV_GONE &&
           !__atomic_compare_exchange_n(&record->id, &id, id + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return id != SV_GONE;
}

/* Lets go of a held record. True if this was the last holder, and no transaction has written the record. */
static bool sv_let_go(struct sv_record *record)
{
    uint64_t id = __atomic_load_n(&record->id, __ATOMIC_RELAXED), next;
    do {
        if (!(id & SV_HELD))
            return false; /* H4 */
        /* This holder is still counted. */
        ORDO_INVARIANT("single", "H1", id != SV_HELD && id != SV_GONE, "a holder is counted until it lets go", record,
                       id, record->word);
        next = id == (SV_HELD | 1) ? SV_GONE : id - 1;
        /* Pairs with itself: the last holder sees the word as all earlier holders left it (H3). */
    } while (!__atomic_compare_exchange_n(&record->id, &id, next, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return next == SV_GONE;
}

#endif
