/* The last transaction that holds an absent record takes it out of the index. If every transaction did this at its end,
 * it would abort all others that have found the key missing, and concurrent readers of its key could starve an insert.
 *
 * Until its first write, `id` of a record counts its holders: SV_HELD + count. A transaction holds each absent record
 * before it adds it to its reads (sv_find), once for each such read, and lets go of it at its end. The count that falls
 * to 0 becomes SV_GONE, for good: the transaction that stored it, and no other, takes the record out of the index. In a
 * database with histories, `id` is 0 at first: no record leaves the index, and holders are not counted.
 *
 *  H1  A transaction that holds a record keeps it from SV_GONE until its own end. So another transaction that only
 *      reads the key, or fails to insert it, changes nothing for it.
 *  H2  A transaction that finds SV_GONE searches for the key again, until the record has left the index. It waits with
 *      no lock held, for a thread that waits only for the lock of a bucket.
 *  H3  After SV_GONE only the transaction that stored it changes the word. Only a transaction that has an absent record
 *      among its reads locks it or extends its validity, and all those have let go of it. So the last holder needs no
 *      lock.
 *  H4  The first write replaces the count by the identity of the writer, with the record locked. A record that was
 *      deleted never comes back: a deletion takes it out of the index at once (sv_install). So holders may find no
 *      count when they let go, and a transaction may count as a holder although its copy finds the record present.
 *  H5  A holder lets go before it announces its end, and does not access the record afterwards. Until then C10 keeps
 *      the memory.
 */
#ifndef ORDO_CC_TXN_SINGLE_HOLD_H
#define ORDO_CC_TXN_SINGLE_HOLD_H

#include "cc/txn/single/types.h"

#define SV_HELD (UINT64_C(1) << 63) /* in `id`: a count of holders follows; identities have this bit clear */
#define SV_GONE UINT64_MAX          /* the last holder takes the record out of the index */

/* Returns the `id` of a new record. */
static inline uint64_t sv_unwritten(const struct ordo_db *db)
{
    return db->options.history ? 0 : SV_HELD;
}

/* Returns the writer that an `id` names, 0 for none. */
static inline uint64_t sv_writer(uint64_t id)
{
    return id & SV_HELD ? 0 : id;
}

/* Holds an absent record. False: it is leaving the index (H2). */
static bool sv_hold(struct sv_record *record)
{
    uint64_t id = __atomic_load_n(&record->id, __ATOMIC_RELAXED);
    /* Relaxed: the order of the changes of this one word decides. */
    while ((id & SV_HELD) && id != SV_GONE &&
           !__atomic_compare_exchange_n(&record->id, &id, id + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return id != SV_GONE;
}

/* Lets go of a record that was held. True if this was the last holder, and no transaction has written the record. */
static bool sv_let_go(struct sv_record *record)
{
    uint64_t id = __atomic_load_n(&record->id, __ATOMIC_RELAXED), next;
    do {
        if (!(id & SV_HELD))
            return false; /* H4 */
        /* The count has this holder in it. */
        ORDO_INVARIANT("single", "H1", id != SV_HELD && id != SV_GONE, "a holder is counted until it lets go", record,
                       id, record->word);
        next = id == (SV_HELD | 1) ? SV_GONE : id - 1;
        /* Pairs with itself: the last holder finds the word as all others have left it (H3). */
    } while (!__atomic_compare_exchange_n(&record->id, &id, next, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    return next == SV_GONE;
}

#endif
