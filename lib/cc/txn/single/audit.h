/* The structure at rest, checked. */
#ifndef ORDO_CC_TXN_SINGLE_AUDIT_H
#define ORDO_CC_TXN_SINGLE_AUDIT_H

#include "base/error.h"
#include "cc/txn/single/types.h"

static int sv_audit(struct ordo_db *db, struct ordo_error *error)
{
    int64_t expected = 0, present = 0;
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < cc_hash_count(&db->table[t]->hash); i++)
            for (struct cc_node *node = cc_hash_first(cc_hash_bucket_at(&db->table[t]->hash, i)); node;
                 node = node->next) {
                uint64_t word = ((struct sv_record *)node)->word;
                const char *wrong = word & SV_LOCK                               ? "a lock was left"
                                    : word & SV_DEAD                             ? "a dead record is in the index"
                                    : (word & SV_ABSENT) && !db->options.history ? "an absent record was left"
                                                                                 : NULL;
                expected++;
                if (wrong)
                    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", t,
                                          (unsigned long long)node->key, wrong);
            }
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i]) {
            present += db->places[i]->items;
            expected += (int64_t)(db->places[i]->queue.tail - db->places[i]->queue.head);
        }
    if (expected != present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld records are reachable or retired, %lld were taken",
                              (long long)expected, (long long)present);
    return ORDO_OK;
}

#endif
