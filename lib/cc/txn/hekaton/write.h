/* Hekaton's other half: claims, new versions, and how transactions begin and end. The argument is in hekaton.h. */
#ifndef ORDO_CC_TXN_HEKATON_WRITE_H
#define ORDO_CC_TXN_HEKATON_WRITE_H

#if !defined HK_PATIENCE
#define HK_PATIENCE 64 /* turns of waiting for a running writer; the last of them gives way to another thread */
#endif

/* ---- writing ---- */

static struct hk_anchor *hk_anchor_new(struct cc_worker *worker, struct ordo_table *table, uint64_t key,
                                       struct hk_version *head)
{
    unsigned height = 0;
    if (table->list.first) {
        uint64_t seed = key * 2 + table->list.random;
        height = cc_list_height(&seed);
    }
    struct hk_anchor *anchor = cc_allocate(table->db, 64, hk_anchor_bytes(height));
    if (!anchor)
        return NULL;
    anchor->node.key = anchor->tower.key = key;
    anchor->tower.height = height;
    anchor->writer = worker->id;
    anchor->head = head;
    head->anchor = anchor;
    anchor->tombs = 0;
    return anchor;
}

static void hk_anchor_unlink(struct ordo_table *table, struct hk_anchor *anchor)
{
    cc_hash_remove(&table->hash, &anchor->node);
    if (table->list.first)
        cc_list_remove(&table->list, &anchor->tower);
}

static struct hk_version *hk_version_new(struct cc_worker *worker, struct ordo_table *table)
{
    struct hk_version *version = cc_item_take(worker, table);
    if (version) {
        version->id = worker->id;
        version->tomb = 0;
        version->older = NULL;
        __atomic_store_n(&version->begin, HK_TAG | worker->id, __ATOMIC_RELAXED);
    }
    return version;
}

/* Makes room for a write and what a commit or abort must then be able to retire. */
static int hk_reserve(struct cc_worker *worker)
{
    struct cc_txn *txn = &worker->txn;
    if (cc_grow(worker->base.db, &txn->writes, txn->write_count, &txn->write_capacity, sizeof *txn->writes) ||
        cc_queue_reserve(worker->base.db, &worker->queue, 2 * txn->write_count + 4))
        return hk_out_of_memory(worker);
    return ORDO_OK;
}

static void hk_unclaim(struct hk_anchor *anchor)
{
    /* Pairs with hk_claim: the chain and its times are as they are now. */
    __atomic_store_n(&anchor->writer, 0, __ATOMIC_RELEASE);
}

/* Claims an anchor. ABSENT: it has left the index, look again. CONFLICT: it is another transaction's. */
static int hk_claim(struct cc_worker *worker, struct hk_anchor *anchor)
{
    unsigned turns = 0;
    for (;;) {
        uint64_t holder = 0;
        /* Pairs with hk_unclaim: the chain is the last holder's, with its times. */
        if (__atomic_compare_exchange_n(&anchor->writer, &holder, worker->id, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return ORDO_OK;
        if (holder == HK_DEAD) {
            (void)sched_yield(); /* whoever took it out of the index may not be done */
            return ORDO_TXN_ABSENT;
        }
        /* One that commits will be done in a moment. One that still runs may be waiting for a claim of this
         * transaction, so patience is bounded. */
        if (turns >= HK_PATIENCE && hk_status_of(worker->base.db, holder) == HK_ACTIVE)
            return hk_doom(worker, &worker->base.counts.aborts_write, ORDO_TXN_CONFLICT);
        hk_wait(worker, &turns);
    }
}

/* The claimed anchor's newest version, which the transaction must be able to read (first committer wins). */
static int hk_current(struct cc_worker *worker, struct hk_anchor *anchor, struct hk_version **version)
{
    /* The claim is this worker's and nothing is pushed yet: the head is a finished version of somebody's. */
    *version = hk_head(anchor);
    if (!*version)
        return ORDO_OK;
    uint64_t begin = hk_begin_of(*version);
    if (ordo_stamp_after(&worker->base.db->stamp, hk_time(worker->txn.begin), hk_time(begin)))
        return ORDO_OK;
    return hk_extend(worker, begin);
}

/* Puts a new version above `old` in a claimed anchor. */
static void hk_push(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                    struct hk_version *fresh, struct hk_version *old)
{
    fresh->older = old;
    fresh->anchor = anchor;
    /* Pairs with hk_head: the version is complete but for its record, which nobody reads before it is committed. */
    __atomic_store_n(&anchor->head, fresh, __ATOMIC_RELEASE);
    worker->txn.writes[worker->txn.write_count++] = (struct hk_write){anchor, fresh, old, table};
}

/* Replaces the record by a new version, a copy or a tomb. */
static int hk_replace(struct cc_worker *worker, struct ordo_table *table, uint64_t key, void **record)
{
    struct hk_version *old, *fresh;
    struct hk_anchor *anchor;
    int answer;
    do {
        anchor = hk_find(table, key);
        if (!anchor)
            return hk_add_miss(worker, table, key, NULL);
        answer = hk_claim(worker, anchor);
    } while (answer == ORDO_TXN_ABSENT);
    if (answer)
        return answer;
    answer = hk_current(worker, anchor, &old);
    if (!answer && (!old || old->tomb))
        answer = hk_add_miss(worker, table, key, old);
    if (!answer && !(fresh = hk_version_new(worker, table)))
        answer = hk_out_of_memory(worker);
    if (answer) {
        hk_unclaim(anchor);
        return answer;
    }
    history_note(worker->base.history, HISTORY_READ, table->number, key, old->id);
    if (record)
        *record = memcpy(fresh->record, old->record, table->record_bytes);
    else
        fresh->tomb = 1;
    hk_push(worker, table, anchor, fresh, old);
    return ORDO_OK;
}

static int hk_may_write(struct cc_worker *worker)
{
    if (worker->txn.doomed)
        return cc_refuse(worker);
    if (worker->txn.level == ORDO_TXN_READ_ONLY)
        return hk_doom(worker, &worker->base.counts.aborts_user, ORDO_E_INVALID);
    return hk_reserve(worker);
}

static int hk_update(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = hk_may_write(worker);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor || !hk_is_mine(worker, anchor))
        return hk_replace(worker, table, key, record);
    if (hk_head(anchor)->tomb)
        return ORDO_TXN_ABSENT;
    *record = hk_head(anchor)->record;
    return ORDO_OK;
}

static int hk_remove(struct ordo_worker *base, struct ordo_table *table, uint64_t key)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = hk_may_write(worker);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (!anchor || !hk_is_mine(worker, anchor))
        return hk_replace(worker, table, key, NULL);
    if (hk_head(anchor)->tomb)
        return ORDO_TXN_ABSENT;
    hk_head(anchor)->tomb = 1;
    return ORDO_OK;
}

/* Adds an anchor of this worker's to the indices, with `fresh` as its only version. ABSENT: there is one by now. */
static int hk_insert_anchor(struct cc_worker *worker, struct ordo_table *table, uint64_t key, struct hk_version *fresh)
{
    struct hk_anchor *anchor = hk_anchor_new(worker, table, key, fresh);
    if (!anchor)
        return hk_out_of_memory(worker);
    if (cc_hash_add(&table->hash, &anchor->node) != &anchor->node) {
        cc_release(table->db, anchor, hk_anchor_bytes(anchor->tower.height));
        return ORDO_TXN_ABSENT;
    }
    if (table->list.first)
        cc_list_add(&table->list, &anchor->tower);
    worker->txn.writes[worker->txn.write_count++] = (struct hk_write){anchor, fresh, NULL, table};
    return ORDO_OK;
}

/* Inserts above what an anchor has: a deletion, or nothing yet. ABSENT: the anchor has left the index. */
static int hk_insert_above(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor,
                           struct hk_version *fresh)
{
    struct hk_version *old;
    int answer = hk_claim(worker, anchor);
    if (answer)
        return answer;
    answer = hk_current(worker, anchor, &old);
    if (!answer && old && !old->tomb) {
        answer = hk_add_read(worker, anchor, old);
        history_note(worker->base.history, HISTORY_READ, table->number, anchor->node.key, old->id);
        answer = answer ? answer : ORDO_TXN_EXISTS;
    }
    if (answer)
        hk_unclaim(anchor);
    else
        hk_push(worker, table, anchor, fresh, old);
    return answer;
}

static int hk_insert(struct ordo_worker *base, struct ordo_table *table, uint64_t key, void **record)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    int answer = key == UINT64_MAX ? ORDO_E_INVALID : hk_may_write(worker);
    if (answer)
        return answer;
    struct hk_anchor *anchor = hk_find(table, key);
    if (anchor && hk_is_mine(worker, anchor)) {
        struct hk_version *own = hk_head(anchor);
        if (!own->tomb)
            return ORDO_TXN_EXISTS;
        own->tomb = 0;
        *record = own->record;
        return ORDO_OK;
    }
    struct hk_version *fresh = hk_version_new(worker, table);
    if (!fresh)
        return hk_out_of_memory(worker);
    for (answer = ORDO_TXN_ABSENT; answer == ORDO_TXN_ABSENT; anchor = hk_find(table, key))
        answer = anchor ? hk_insert_above(worker, table, anchor, fresh) : hk_insert_anchor(worker, table, key, fresh);
    if (answer)
        cc_item_put(worker, table, fresh); /* nobody has seen it */
    else
        *record = fresh->record;
    return answer;
}

#include "cc/txn/hekaton/prune.h"

/* ---- the end ---- */

static void hk_reclaim(struct cc_worker *worker)
{
    if (worker->queue.head != worker->queue.tail)
        cc_reclaim(worker, false);
}

/* Waits for a time certainly after `t`. ORDO_E_DISRUPTED: in vain. */
static int hk_pass(struct cc_worker *worker, ordo_time t)
{
    struct ordo_stamp *stamp = &worker->base.db->stamp;
    ordo_time now = ordo_stamp_now(stamp), later;
    if (ordo_stamp_after(stamp, now, t))
        return ORDO_OK;
    int code = ordo_stamp_later(stamp, t, &later);
    if (!code)
        worker->base.counts.commit_wait_ticks += later.ticks - now.ticks;
    return code;
}

/* The end time, the announcement before it and the wait after it. ORDO_E_DISRUPTED: waited in vain. */
static int hk_end_time(struct cc_worker *worker, ordo_time *end)
{
    struct cc_txn *txn = &worker->txn;
    struct ordo_db *db = worker->base.db;
    ordo_time latest = hk_time(txn->begin);
    for (size_t i = 0; i < txn->write_count; i++)
        if (txn->writes[i].old)
            latest = cc_max(latest, hk_time(hk_begin_of(txn->writes[i].old)));
    hk_set_state(worker, HK_PREPARING); /* C4 */
    if (ordo_stamp_commit(&db->stamp, latest, end))
        return ORDO_E_DISRUPTED;
    worker->base.counts.stamps++;
    hk_reclaim(worker); /* has to be done anyway, and lets time pass */
    /* Argument 3: what is validated below is overwritten, if at all, at a time after `end`. */
    if (ordo_stamp_boundary(&db->stamp) && txn->level == ORDO_TXN_SERIALIZABLE &&
        db->options.uncertain == ORDO_UNCERTAIN_WAIT)
        return hk_pass(worker, *end); /* C5 */
    return ORDO_OK;
}

static void hk_finish(struct cc_worker *worker, bool committed)
{
    struct cc_txn *txn = &worker->txn;
    cc_exit(worker);
    history_end(worker->base.history, committed);
    txn->read_count = txn->miss_count = txn->write_count = txn->scan_count = 0;
    txn->opened = false;
    txn->doomed = true;
    cc_queue_shrink(worker);
    cc_give_way(worker);
    if (worker->since == 0 && worker->queue.tail - worker->queue.head > HK_PRUNE_FROM)
        hk_prune(worker);
}

static void hk_note_writes(struct cc_worker *worker)
{
    for (size_t i = 0; worker->base.history && i < worker->txn.write_count; i++) {
        const struct hk_write *write = &worker->txn.writes[i];
        history_note(worker->base.history, write->fresh->tomb ? HISTORY_REMOVE : HISTORY_WRITE, write->table->number,
                     write->anchor->node.key, write->old ? write->old->id : 0);
    }
}

/* Gives the new versions their time and retires the old ones. */
static void hk_publish(struct cc_worker *worker, uint64_t end)
{
    for (size_t i = 0; i < worker->txn.write_count; i++) {
        struct hk_write *write = &worker->txn.writes[i];
        bool buried = write->fresh->tomb && !worker->base.db->options.history;
        write->anchor->tombs += buried;
        /* Pairs with hk_begin_of: the record is complete. */
        __atomic_store_n(&write->fresh->begin, end, __ATOMIC_RELEASE);
        hk_unclaim(write->anchor);
        if (write->old)
            hk_retire_again(worker, (struct cc_retired){end, write->old->begin, write->old, write->table, HK_VERSION});
        if (buried)
            cc_retire(worker, write->table, write->anchor, HK_TOMB, end);
    }
}

/* Takes the new versions away. Whoever looks at one finds the transaction ABORTED, and the version there until C10. */
static void hk_roll_back(struct cc_worker *worker)
{
    struct cc_txn *txn = &worker->txn;
    hk_set_state(worker, HK_ABORTED);
    for (size_t i = 0; i < txn->write_count; i++) {
        struct hk_write *write = &txn->writes[i];
        /* Pairs with hk_head: `old` is what was there before. */
        __atomic_store_n(&write->anchor->head, write->old, __ATOMIC_RELEASE);
        if (write->old) {
            hk_unclaim(write->anchor);
            continue;
        }
        /* Pairs with hk_claim: the anchor is given up. */
        __atomic_store_n(&write->anchor->writer, HK_DEAD, __ATOMIC_RELEASE);
        hk_anchor_unlink(write->table, write->anchor);
    }
    uint64_t now = txn->write_count ? cc_retire_time(worker).ticks : 0;
    for (size_t i = 0; i < txn->write_count; i++) {
        struct hk_write *write = &txn->writes[i];
        hk_retire_again(worker, (struct cc_retired){now, HK_TAG, write->fresh, write->table, HK_VERSION});
        if (!write->old)
            cc_retire(worker, write->table, write->anchor, HK_ANCHOR, now);
    }
}

static void hk_abort(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (!worker->txn.opened)
        return;
    base->counts.aborts_user += !worker->txn.doomed;
    hk_note_writes(worker);
    hk_roll_back(worker);
    hk_reclaim(worker);
    hk_finish(worker, false);
}

/* C1: no wait is left between COMMITTED and the end, so that whoever gives one up is PREPARING. Nothing of it was shown
 * to anybody, and who met it has waited or aborted: it ends as one whose validation failed. */
static bool hk_give_up(struct cc_worker *worker)
{
    (void)cc_disrupt(worker);
    return false;
}

/* Whether what the transaction wrote is committed. */
static bool hk_commit_writes(struct cc_worker *worker)
{
    struct cc_txn *txn = &worker->txn;
    struct ordo_db *db = worker->base.db;
    ordo_time end;
    if (hk_end_time(worker, &end))
        return hk_give_up(worker);
    if (txn->level == ORDO_TXN_SERIALIZABLE && !hk_validate(worker))
        return hk_doom(worker, &worker->base.counts.aborts_validation, false);
    if (db->options.external_consistency && /* settled: see stamp.h */
        hk_pass(worker, ordo_time_add(end, ordo_stamp_boundary(&db->stamp))))
        return hk_give_up(worker);
    hk_note_writes(worker);
    txn->last_end = end.ticks;
    hk_set_state(worker, HK_COMMITTED);
    hk_publish(worker, end.ticks);
    return true;
}

static int hk_commit(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct cc_txn *txn = &worker->txn;
    if (!txn->opened)
        return ORDO_E_INVALID;
    /* Without writes the transaction is a snapshot, valid at its begin: arguments 1 and 3. */
    if (txn->doomed || (txn->write_count && !hk_commit_writes(worker))) {
        int answer = cc_refuse(worker);
        hk_abort(base);
        return answer;
    }
    if (!txn->write_count) {
        hk_set_state(worker, HK_COMMITTED); /* whoever meets its claims in what follows waits for them */
        hk_reclaim(worker);
    }
    base->counts.commits++;
    hk_finish(worker, true);
    return ORDO_OK;
}

static int hk_begin(struct ordo_worker *base, enum ordo_txn_level level)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct cc_txn *txn = &worker->txn;
    ordo_time begin;
    if (txn->opened || !(base->engine->levels & level) || (level & (level - 1)) || worker->id >= HK_ID_LIMIT)
        return ORDO_E_INVALID;
    if (cc_is_disrupted(base->db))
        return ORDO_E_DISRUPTED;
    worker->id += UINT64_C(1) << 16;
    worker->doom = ORDO_OK;
    history_begin(base->history, worker->id);
    hk_set_state(worker, HK_ACTIVE);
    txn->level = level;
    txn->doomed = false;
    txn->opened = true;
    if (level != ORDO_TXN_SERIALIZABLE)
        ordo_stamp_move_on(
            &base->db->stamp); /* or what was committed last may stay uncertain, where nobody commits again */
    begin = cc_max(cc_enter(worker), hk_time(txn->last_begin)); /* C8 */
    if (level != ORDO_TXN_SERIALIZABLE && !ordo_stamp_after(&base->db->stamp, begin, hk_time(txn->last_end)) &&
        ordo_stamp_later(&base->db->stamp, hk_time(txn->last_end), &begin)) {
        (void)cc_disrupt(worker);
        hk_abort(base);
        return ORDO_E_DISRUPTED;
    }
    txn->begin = txn->last_begin = begin.ticks;
    if (level == ORDO_TXN_READ_ONLY)
        /* Pairs with hk_prune: what is not valid at this time is not read. */
        __atomic_store_n(&worker->active, CC_SNAPSHOT | txn->begin, __ATOMIC_RELEASE);
    return ORDO_OK;
}

/* C8 is about a thread, and the last times are in its place: who leaves gives them to whoever joins next, in whatever
 * place. Relaxed: a thread that joins again finds what it wrote itself, and another one that has synchronised with it
 * since, what it has seen. Nobody waits here; the begin waits, where it comes too early. */
static int hk_join(struct ordo_db *db, struct ordo_worker **result)
{
    int code = cc_join(db, result);
    if (code)
        return code;
    struct cc_txn *txn = &((struct cc_worker *)*result)->txn;
    txn->last_begin = __atomic_load_n(&db->last_begin, __ATOMIC_RELAXED);
    txn->last_end = __atomic_load_n(&db->last_end, __ATOMIC_RELAXED);
    return ORDO_OK;
}

static void hk_leave(struct ordo_worker *base)
{
    struct cc_txn *txn = &((struct cc_worker *)base)->txn;
    cc_keep_larger(&base->db->last_begin, txn->last_begin);
    cc_keep_larger(&base->db->last_end, txn->last_end);
    cc_leave(base);
}

/* Walks ahead for many keys at once: first the buckets, then the anchors, then the versions. */
static void hk_prefetch(struct ordo_worker *base, struct ordo_table *table, const uint64_t *keys, unsigned count)
{
    enum { MANY = 64 };
    struct hk_anchor *anchors[MANY];
    if (((struct cc_worker *)base)->txn.doomed)
        return;
    count = count < MANY ? count : MANY;
    for (unsigned i = 0; i < count; i++)
        __builtin_prefetch(cc_hash_bucket(&table->hash, keys[i]));
    for (unsigned i = 0; i < count; i++) {
        anchors[i] = (struct hk_anchor *)cc_hash_first(cc_hash_bucket(&table->hash, keys[i]));
        __builtin_prefetch(anchors[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct hk_anchor *anchor = anchors[i] ? hk_find(table, keys[i]) : NULL;
        struct hk_version *head = anchor ? hk_head(anchor) : NULL;
        for (size_t line = 0; head && line < table->item_bytes && line < CC_AHEAD; line += 64)
            __builtin_prefetch((char *)head + line);
    }
}

/* ---- reclamation ---- */

/* Looks at an anchor that was deleted long enough ago: if this was the last of its deletions that waits, and it is
 * still deleted, it leaves the index. Whether it could be looked at; until then its deletions keep it from being freed.
 */
static bool hk_bury(struct cc_worker *worker, struct ordo_table *table, struct hk_anchor *anchor)
{
    uint64_t holder = 0;
    /* Pairs with hk_unclaim: the chain and the deletions are as the last holder left them. */
    if (!__atomic_compare_exchange_n(&anchor->writer, &holder, worker->id, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return false;
    struct hk_version *head = hk_head(anchor);
    if (--anchor->tombs > 0 || !head->tomb) {
        hk_unclaim(anchor);
        return true;
    }
    /* Pairs with hk_claim: the anchor is given up. */
    __atomic_store_n(&anchor->writer, HK_DEAD, __ATOMIC_RELEASE);
    hk_anchor_unlink(table, anchor);
    cc_retire(worker, table, anchor, HK_ANCHOR, cc_retire_time(worker).ticks);
    return true;
}

static bool cc_item_free(struct cc_worker *worker, const struct cc_retired *retired)
{
    struct hk_anchor *anchor = retired->item;
    switch ((enum hk_kind)retired->kind) {
    case HK_VERSION:
    case HK_CUT:
        cc_item_put(worker, retired->table, retired->item);
        return true;
    case HK_ANCHOR:
        if (anchor->head)
            cc_item_put(worker, retired->table, anchor->head);
        cc_release(worker->base.db, anchor, hk_anchor_bytes(anchor->tower.height));
        return true;
    case HK_TOMB:
        return hk_bury(worker, retired->table, anchor);
    }
    return true;
}

/* ---- the database ---- */

static int hk_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table)
{
    return cc_table_add(db, spec, sizeof(struct hk_version), table);
}

static void hk_free_anchors(struct ordo_db *db, struct ordo_table *table)
{
    for (uint64_t i = 0; i < UINT64_C(1) << (64 - table->hash.shift); i++)
        for (struct cc_node *node = cc_hash_first(&table->hash.buckets[i]), *next; node; node = next) {
            struct hk_anchor *anchor = (struct hk_anchor *)node;
            next = node->next;
            cc_release(db, anchor->head, table->item_bytes);
            cc_release(db, anchor, hk_anchor_bytes(anchor->tower.height));
        }
}

static void hk_free_arrays(struct ordo_db *db, struct cc_txn *txn)
{
    cc_release(db, txn->reads, txn->read_capacity * sizeof *txn->reads);
    cc_release(db, txn->misses, txn->miss_capacity * sizeof *txn->misses);
    cc_release(db, txn->writes, txn->write_capacity * sizeof *txn->writes);
    cc_release(db, txn->scans, txn->scan_capacity * sizeof *txn->scans);
}

static void hk_close(struct ordo_db *db)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i]) {
            hk_free_arrays(db, &db->places[i]->txn);
            cc_worker_free(db->places[i]);
        }
    for (unsigned i = 0; i < db->tables; i++) {
        hk_free_anchors(db, db->table[i]);
        cc_table_free(db, db->table[i]);
    }
    cc_close(db);
}

/* ---- the audit ---- */

/* One record at rest; NULL, or what is wrong. */
static const char *hk_audit_anchor(struct hk_anchor *anchor)
{
    const struct hk_version *version = anchor->head;
    if (anchor->writer)
        return "a claim was left";
    if (!version)
        return "a record without a version";
    if (version->begin & HK_TAG)
        return "the newest version is of a transaction that has not ended";
    return NULL;
}

static int hk_audit(struct ordo_db *db, struct ordo_error *error)
{
    int64_t expected = 0, present = 0;
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < UINT64_C(1) << (64 - db->table[t]->hash.shift); i++)
            for (struct cc_node *node = cc_hash_first(&db->table[t]->hash.buckets[i]); node; node = node->next) {
                const char *wrong = hk_audit_anchor((struct hk_anchor *)node);
                expected++;
                if (wrong)
                    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "table %u, key %llu: %s", t,
                                          (unsigned long long)node->key, wrong);
            }
    for (unsigned i = 0; i < db->options.workers; i++) {
        struct cc_worker *worker = db->places[i];
        if (!worker)
            continue;
        present += worker->items;
        for (uint64_t at = worker->queue.head; at != worker->queue.tail; at++) {
            const struct cc_retired *retired = &worker->queue.ring[at & worker->queue.mask];
            const struct hk_anchor *anchor = retired->item;
            expected +=
                retired->kind == HK_VERSION || retired->kind == HK_CUT || (retired->kind == HK_ANCHOR && anchor->head);
        }
    }
    if (expected != present)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%lld versions are reachable or retired, %lld were taken",
                              (long long)expected, (long long)present);
    return ORDO_OK;
}

extern const struct ordo_db_engine ORDO_ENGINE;

static int hk_open(struct ordo_db **db, const struct ordo_db_options *options)
{
    return cc_open(db, &ORDO_ENGINE, options);
}

const struct ordo_db_engine ORDO_ENGINE = {
    .name = "hekaton",
    .stamp = ORDO_STAMP_NAME,
    .levels = ORDO_TXN_SERIALIZABLE | ORDO_TXN_SNAPSHOT | ORDO_TXN_READ_ONLY,
    .scans = true,
    .open = hk_open,
    .close = hk_close,
    .table_add = hk_table_add,
    .raise = cc_raise,
    .join = hk_join,
    .leave = hk_leave,
    .audit = hk_audit,
    .begin = hk_begin,
    .prefetch = hk_prefetch,
    .read = hk_read_record,
    .update = hk_update,
    .insert = hk_insert,
    .remove = hk_remove,
    .scan = hk_scan_range,
    .commit = hk_commit,
    .rollback = hk_abort,
};

#endif
