/* The other half of the single-version engines: how transactions begin and end. The argument is in single.h. */
#ifndef ORDO_CC_TXN_SINGLE_COMMIT_H
#define ORDO_CC_TXN_SINGLE_COMMIT_H

/* ---- leaving the index ---- */

/* Takes a locked record out of the index, for ever; `word` is its last. */
static void sv_bury(struct cc_worker *worker, struct ordo_table *table, struct sv_record *record, uint64_t word)
{
    cc_keep_larger(&table->floor,
                   sv_valid_until(word)); /* the bucket's lock, which is taken next, carries it to sv_create */
    sv_unlock(record, (word & ~SV_LOCK) | SV_ABSENT | SV_DEAD);
    cc_hash_remove(&table->hash, &record->node);
    cc_retire(worker, table, record, 0, cc_retire_time(worker).ticks);
}

/* Absent records that the transaction met: nobody may need them any more, and whoever does finds them dead. One that is
 * locked is its writer's to see to. */
static void sv_bury_absent(struct cc_worker *worker)
{
    for (size_t i = 0; i < worker->txn.read_count; i++) {
        const struct sv_read *read = &worker->txn.reads[i];
        if (!(read->word & SV_ABSENT) || worker->base.db->options.history)
            continue;
        uint64_t word = sv_word(read->record);
        if ((word & SV_ABSENT) && !(word & SV_DEAD) && sv_try_lock(read->record, &word))
            sv_bury(worker, read->table, read->record, word);
    }
}

static bool cc_item_free(struct cc_worker *worker, const struct cc_retired *retired)
{
    cc_item_put(worker, retired->table, retired->item);
    return true;
}

/* ---- the end ---- */

static void sv_finish(struct cc_worker *worker, bool committed)
{
    struct cc_txn *txn = &worker->txn;
    for (size_t i = 0; i < txn->write_count; i++)
        if (txn->writes[i].copy)
            cc_item_put(worker, txn->writes[i].table, txn->writes[i].copy);
    if (txn->absent_count)
        sv_bury_absent(worker);
    cc_exit(worker);
    history_end(worker->base.history, committed);
    txn->read_count = txn->write_count = txn->absent_count = 0;
    txn->opened = false;
    txn->doomed = true;
    if (worker->queue.head != worker->queue.tail)
        cc_reclaim(worker, false);
    cc_queue_shrink(worker);
    cc_give_way(worker);
}

static void sv_sort_writes(struct cc_txn *txn)
{
    for (size_t i = 1; i < txn->write_count; i++) {
        struct sv_write write = txn->writes[i];
        size_t at = i;
        for (; at > 0 && (uintptr_t)txn->writes[at - 1].record > (uintptr_t)write.record; at--)
            txn->writes[at] = txn->writes[at - 1];
        txn->writes[at] = write;
    }
}

static void sv_unlock_all(struct cc_worker *worker, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sv_record *record = worker->txn.writes[i].record;
        sv_unlock(record, __atomic_load_n(&record->word, __ATOMIC_RELAXED) & ~SV_LOCK);
    }
}

/* Whether all records to be written are locked; none is otherwise. */
static bool sv_lock_all(struct cc_worker *worker)
{
    struct cc_txn *txn = &worker->txn;
    sv_sort_writes(txn);
    for (size_t i = 0; i < txn->write_count; i++) {
        struct sv_record *record = txn->writes[i].record;
        uint64_t word = sv_word(record);
        unsigned turns = 0;
        while (!(word & SV_DEAD) && !sv_try_lock(record, &word)) {
            sv_wait(worker, &turns);
            word = sv_word(record);
        }
        if (word & SV_DEAD) {
            sv_unlock_all(worker, i);
            return false;
        }
    }
    return true;
}

static uint64_t sv_fresh_word(uint64_t value)
{
#if defined CC_TICTOC
    return sv_validity(0, value, value);
#else
    return value;
#endif
}

static void sv_install(struct cc_worker *worker, uint64_t value)
{
    for (size_t i = 0; i < worker->txn.write_count; i++) {
        struct sv_write *write = &worker->txn.writes[i];
        struct sv_record *record = write->record;
        history_note(worker->base.history, write->copy ? HISTORY_WRITE : HISTORY_REMOVE, write->table->number,
                     record->node.key, record->id);
        /* Pairs with sv_copy: whoever sees the identity sees the word locked. */
        __atomic_store_n(&record->id, worker->id, __ATOMIC_RELEASE);
        if (write->copy) {
            cc_copy_in(record->data, write->copy->data, write->table->record_bytes);
            sv_unlock(record, sv_fresh_word(value));
        } else if (worker->base.db->options.history) {
            sv_unlock(record, SV_ABSENT | sv_fresh_word(value));
        } else {
            sv_bury(worker, write->table, record, sv_fresh_word(value));
        }
    }
}

static void sv_abort(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    if (!worker->txn.opened)
        return;
    base->counts.aborts_user += !worker->txn.doomed;
    sv_finish(worker, false);
}

/* The transaction has no time to commit at: nothing is written yet, and it ends with this code. */
static void sv_fail(struct cc_worker *worker, int code)
{
    if (code == ORDO_E_DISRUPTED) { /* C1 */
        (void)cc_disrupt(worker);
        return;
    }
    worker->doom = sv_doom(worker, &worker->base.counts.aborts_user, code);
}

/* A transaction that has written something. */
static void sv_commit_writes(struct cc_worker *worker)
{
    uint64_t value;
    worker->txn.locked = sv_lock_all(worker);
    if (!worker->txn.locked) {
        (void)sv_doom(worker, &worker->base.counts.aborts_write, 0);
        return;
    }
    int code = sv_commit_value(worker, &value);
    if (!code && sv_validate(worker, value)) {
        sv_install(worker, value);
        return;
    }
    sv_unlock_all(worker, worker->txn.write_count); /* as they were: whoever waits for one goes on */
    if (code)
        sv_fail(worker, code);
    else
        (void)sv_doom(worker, &worker->base.counts.aborts_validation, 0);
}

#if !defined CC_OCC /* there it was valid at its start */
static void sv_commit_reads(struct cc_worker *worker)
{
    uint64_t value;
    int code = sv_commit_value(worker, &value);
    if (code)
        sv_fail(worker, code);
    else if (!sv_validate(worker, value))
        (void)sv_doom(worker, &worker->base.counts.aborts_validation, 0);
}
#endif

static int sv_commit(struct ordo_worker *base)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct cc_txn *txn = &worker->txn;
    if (!txn->opened)
        return ORDO_E_INVALID;
    if (!txn->doomed && txn->write_count)
        sv_commit_writes(worker);
#if !defined CC_OCC
    else if (!txn->doomed)
        sv_commit_reads(worker);
#endif
    if (txn->doomed) {
        int answer = cc_refuse(worker);
        sv_abort(base);
        return answer;
    }
    base->counts.commits++;
    sv_finish(worker, true);
    return ORDO_OK;
}

static int sv_begin(struct ordo_worker *base, enum ordo_txn_level level)
{
    struct cc_worker *worker = (struct cc_worker *)base;
    struct cc_txn *txn = &worker->txn;
    if (txn->opened || !(base->engine->levels & level) || (level & (level - 1)))
        return ORDO_E_INVALID;
    if (cc_is_disrupted(base->db))
        return ORDO_E_DISRUPTED;
    worker->id += UINT64_C(1) << 16;
    worker->doom = ORDO_OK;
    history_begin(base->history, worker->id);
    txn->level = level;
    txn->doomed = txn->locked = false;
    txn->opened = true;
    uint64_t start = cc_enter(worker).ticks;
    txn->start = txn->start < start ? start : txn->start; /* C8 */
    return ORDO_OK;
}

/* Walks ahead for many keys at once: first the buckets, then the records. */
static void sv_prefetch(struct ordo_worker *base, struct ordo_table *table, const uint64_t *keys, unsigned count)
{
    if (((struct cc_worker *)base)->txn.doomed)
        return;
    for (unsigned i = 0; i < count; i++)
        __builtin_prefetch(cc_hash_bucket(&table->hash, keys[i]));
    for (unsigned i = 0; i < count; i++) {
        char *record = (char *)cc_hash_first(cc_hash_bucket(&table->hash, keys[i]));
        for (size_t line = 0; record && line < table->item_bytes && line < CC_AHEAD; line += 64)
            __builtin_prefetch(record + line);
    }
}

/* ---- the database ---- */

static int sv_table_add(struct ordo_db *db, const struct ordo_table_spec *spec, struct ordo_table **table)
{
    return cc_table_add(db, spec, offsetof(struct sv_record, data), table);
}

static void sv_close(struct ordo_db *db)
{
    for (unsigned i = 0; i < db->options.workers; i++)
        if (db->places[i]) {
            struct cc_txn *txn = &db->places[i]->txn;
            cc_release(db, txn->reads, txn->read_capacity * sizeof *txn->reads);
            cc_release(db, txn->writes, txn->write_capacity * sizeof *txn->writes);
            cc_worker_free(db->places[i]);
        }
    for (unsigned t = 0; t < db->tables; t++) {
        struct ordo_table *table = db->table[t];
        for (uint64_t i = 0; i < UINT64_C(1) << (64 - table->hash.shift); i++)
            for (struct cc_node *node = cc_hash_first(&table->hash.buckets[i]), *next; node; node = next) {
                next = node->next;
                cc_release(db, node, table->item_bytes);
            }
        cc_table_free(db, table);
    }
    cc_close(db);
}

static int sv_audit(struct ordo_db *db, struct ordo_error *error)
{
    int64_t expected = 0, present = 0;
    for (unsigned t = 0; t < db->tables; t++)
        for (uint64_t i = 0; i < UINT64_C(1) << (64 - db->table[t]->hash.shift); i++)
            for (struct cc_node *node = cc_hash_first(&db->table[t]->hash.buckets[i]); node; node = node->next) {
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

extern const struct ordo_db_engine ORDO_ENGINE;

static int sv_open(struct ordo_db **db, const struct ordo_db_options *options)
{
#if defined CC_TICTOC /* its order is not the real one */
    if (options->external_consistency)
        return ORDO_E_INVALID;
#endif
    return cc_open(db, &ORDO_ENGINE, options);
}

const struct ordo_db_engine ORDO_ENGINE = {
#if defined CC_OCC
    .name = "occ",
    .stamp = ORDO_STAMP_NAME,
    .strict = true,
#elif defined CC_SILO
    .name = "silo",
    .strict = true,
#else
    .name = "tictoc",
#endif
    .levels = ORDO_TXN_SERIALIZABLE | ORDO_TXN_READ_ONLY,
    .open = sv_open,
    .close = sv_close,
    .table_add = sv_table_add,
    .raise = cc_raise,
    .join = cc_join,
    .leave = cc_leave,
    .audit = sv_audit,
    .begin = sv_begin,
    .prefetch = sv_prefetch,
    .read = sv_read_record,
    .update = sv_update,
    .insert = sv_insert,
    .remove = sv_remove,
    .scan = sv_scan,
    .commit = sv_commit,
    .rollback = sv_abort,
};

#endif
