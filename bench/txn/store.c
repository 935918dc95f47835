#include "store.h"

#include <ordo/clock.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "recording.h"
#include "zipf.h"

#define ATTEMPTS 1000 /* most attempts of a transaction that runs alone */
#define PATIENCE 64   /* conflicts in a row after which the conflicting thread is assumed to be descheduled */

const char *const txn_ahead_words[] = {
    [TXN_AHEAD_UPDATES] = "updates", [TXN_AHEAD_KEYS] = "keys", [TXN_AHEAD_NOTHING] = "nothing"};

struct txn_keys *txn_keys_draw(const struct txn_options *options)
{
    struct txn_keys *keys = malloc(sizeof *keys);
    struct txn_random random = {1};
    struct txn_zipf zipf;
    if (!keys)
        return NULL;
    txn_zipf_init(&zipf, options->rows, options->theta);
    for (uint32_t i = 0; i < TXN_KEYS; i++)
        keys->keys[i] = (uint32_t)txn_zipf_key(&zipf, txn_zipf_rank(&zipf, &random));
    return keys;
}

int txn_client_join(struct txn_client *client, struct ordo_error *error)
{
    int code = txn_memory_use_arena(client->index, error);
    if (code)
        return code;
    code = ordo_worker_join(client->store->db, &client->worker);
    if (code)
        return ordo_error_set(error, code, 0, "client %d cannot join: %s", client->index, ordo_strerror(code));
    memset(&client->work, 0, sizeof client->work);
    memset(&client->pending, 0, sizeof client->pending);
    return ORDO_OK;
}

void txn_client_leave(struct txn_client *client)
{
    client->work.counts = client->worker->counts;
    ordo_worker_leave(client->worker);
    client->worker = NULL;
}

int txn_store_table(struct txn_store *store, int table, size_t record_bytes, uint64_t rows, struct ordo_error *error)
{
    const struct ordo_table_spec spec = {
        .record_bytes = record_bytes, .rows = rows, .ordered = store->workload->scans, .dense = store->options->dense};
    store->record_bytes[table] = record_bytes;
    int code = ordo_table_add(store->db, &spec, &store->tables[table]);
    return code ? ordo_error_set(error, code, 0, "a table of %ju rows of %zu bytes: %s", (uintmax_t)rows, record_bytes,
                                 ordo_strerror(code))
                : ORDO_OK;
}

static int failed(int code, const char *what, int table, uint64_t key, struct ordo_error *error)
{
    if (code < 0)
        return ordo_error_set(error, code, 0, "%s of key %ju in table %d: %s", what, (uintmax_t)key, table,
                              ordo_strerror(code));
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "%s of key %ju in table %d: %s", what, (uintmax_t)key, table,
                          ordo_txn_outcome_name(code));
}

int txn_load(struct txn_client *client, int table, uint64_t key, const void *record, struct ordo_error *error)
{
    int code = ORDO_TXN_CONFLICT;
    for (int i = 0; i < ATTEMPTS && code == ORDO_TXN_CONFLICT; i++) {
        void *room;
        code = ordo_txn_begin(client->worker, ORDO_TXN_SERIALIZABLE);
        if (!code)
            code = txn_insert(client, table, key, &room);
        if (!code) {
            memcpy(room, record, client->store->record_bytes[table]);
            code = ordo_txn_commit(client->worker);
        } else {
            ordo_txn_abort(client->worker);
        }
    }
    if (client->store->recording)
        txn_recording_rest(client->store->recording, client->worker);
    return code ? failed(code, "load", table, key, error) : ORDO_OK;
}

int txn_inspect(struct txn_client *client, int table, uint64_t key, void *record, bool *found, struct ordo_error *error)
{
    int code = ORDO_TXN_CONFLICT, end = ORDO_TXN_CONFLICT;
    for (int i = 0; i < ATTEMPTS && end == ORDO_TXN_CONFLICT; i++) {
        code = ordo_txn_begin(client->worker, ORDO_TXN_SERIALIZABLE);
        if (!code)
            code = txn_read(client, table, key, record);
        end = code < 0 ? code : ordo_txn_commit(client->worker);
    }
    if (end || (code && !found))
        return failed(end ? end : code, "look-up", table, key, error);
    if (found)
        *found = code == ORDO_OK;
    return ORDO_OK;
}

/* Makes one attempt at the drawn transaction. */
static int attempt(struct txn_client *client)
{
    const struct txn_store *store = client->store;
    memset(&client->pending, 0, sizeof client->pending);
    int code =
        ordo_txn_begin(client->worker, store->options->snapshot                             ? ORDO_TXN_SNAPSHOT
                                       : client->read_only && store->options->readers_apart ? ORDO_TXN_READ_ONLY
                                                                                            : ORDO_TXN_SERIALIZABLE);
    if (code)
        return code;
    code = store->workload->execute(client);
    if (code < 0 || code == TXN_ROLLBACK || code == ORDO_TXN_CONFLICT) {
        ordo_txn_abort(client->worker);
        return code;
    }
    /* A read found no record, or an insert found a record. An optimistic transaction may see this and then fail to
     * commit; a transaction that commits must not see it. */
    bool surprised = code != ORDO_OK;
    code = ordo_txn_commit(client->worker);
    client->pending.broken += surprised;
    return code;
}

void txn_counts_add(struct ordo_txn_counts *to, const struct ordo_txn_counts *from)
{
    uint64_t *to_words = (uint64_t *)to; /* the struct contains only uint64_t */
    const uint64_t *from_words = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *to_words; i++)
        to_words[i] += from_words[i];
}

void txn_tally_add(struct txn_tally *to, const struct txn_tally *from)
{
    to->updates += from->updates;
    to->inserts += from->inserts;
    to->broken += from->broken;
    to->cents += from->cents;
}

uint64_t txn_client_work(struct txn_client *client, bool (*running)(const void *context), const void *context)
{
    struct txn_work *work = &client->work;
    uint64_t before = ordo_clock_relaxed();
    while (running(context) || work->transactions == 0) {
        int code;
        client->store->workload->draw(client);
        for (unsigned conflicts = 0; (code = attempt(client)) == ORDO_TXN_CONFLICT;) {
            if (!running(context) && work->transactions > 0)
                break;
            if (++conflicts % PATIENCE == 0)
                sched_yield();
        }
        if (code < 0)
            work->code = code;
        if (code < 0 || code == ORDO_TXN_CONFLICT)
            break;
        uint64_t now = ordo_clock_relaxed();
        txn_latency_add(&work->latency, now - before);
        before = now;
        work->transactions++;
        if (code == TXN_ROLLBACK)
            work->rollbacks++;
        else
            txn_tally_add(&work->tally, &client->pending);
        if (client->store->recording)
            txn_recording_rest(client->store->recording, client->worker);
    }
    return work->transactions;
}

static int open_clients(struct txn_store *store, struct ordo_error *error)
{
    size_t count = (size_t)store->options->clients + 1, bytes = (store->options->record_bytes + 127) / 128 * 128;
    store->clients = aligned_alloc(128, count * sizeof *store->clients);
    if (!store->clients)
        return ordo_error_errno(error, "%zu clients", count);
    memset(store->clients, 0, count * sizeof *store->clients);
    for (size_t i = 0; i < count; i++) {
        struct txn_client *client = &store->clients[i];
        client->store = store;
        client->index = (int)i;
        client->random.state = i << 32;
        client->next_key = (uint32_t)(i * (TXN_KEYS / count));
        client->record = aligned_alloc(128, bytes);
        if (!client->record)
            return ordo_error_errno(error, "a record of %zu bytes", bytes);
    }
    return ORDO_OK;
}

/* Returns the handle of a stamp that has its own boundary; NULL for other stamps. */
static const struct ordo *clocks_of(const struct txn_options *options, const char *stamp)
{
    return !stamp                            ? NULL
           : strcmp(stamp, "corrected") == 0 ? options->corrected
           : strcmp(stamp, "any") == 0       ? options->any
                                             : NULL;
}

int txn_store_open(struct txn_store *store, struct ordo_error *error)
{
    const struct txn_options *options = store->options;
    const struct ordo *clocks = clocks_of(options, store->engine->stamp);
    uint64_t boundary_ticks = clocks ? ordo_boundary(clocks) : options->boundary_ticks;
    struct ordo_db_options db = {
        .memory = {txn_memory_allocate, txn_memory_release, NULL},
        .boundary_ticks = boundary_ticks,
        .watch = clocks ? clocks : options->watch,
        .unsafe_boundary = boundary_ticks == 0, /* requested; without a record it is infinite */
        .external_consistency = options->external_consistency,
        .workers = (unsigned)options->clients + 2, /* clients, the keeper, and a long reader */
        .history = store->recording != NULL,
    };
    int code = open_clients(store, error);
    if (code)
        return code;
    code = ordo_db_open(&store->db, store->engine, &db);
    if (code)
        return ordo_error_set(error, code, 0, "%s/%s cannot be opened: %s", store->engine->name,
                              store->engine->stamp ? store->engine->stamp : "-", ordo_strerror(code));
    struct txn_client *keeper = &store->clients[options->clients];
    code = txn_client_join(keeper, error);
    if (code)
        return code;
    if (store->recording)
        code = txn_recording_join(store->recording, keeper->worker, error);
    if (!code)
        code = store->workload->load(keeper, error);
    if (!code && store->recording)
        txn_recording_leave(store->recording, keeper->worker);
    txn_client_leave(keeper);
    return code;
}

void txn_store_close(struct txn_store *store)
{
    /* After a cancelled trial the clients are still joined, although their threads have ended. */
    for (int i = 0; store->clients && i <= store->options->clients; i++)
        if (store->clients[i].worker)
            txn_client_leave(&store->clients[i]);
    if (store->db)
        ordo_db_close(store->db);
    for (int i = 0; store->clients && i <= store->options->clients; i++)
        free(store->clients[i].record);
    free(store->clients);
    free(store->shared);
    store->db = NULL;
    store->clients = NULL;
    store->shared = NULL;
}

int txn_store_check(struct txn_store *store, struct ordo_error *error)
{
    struct txn_client *keeper = &store->clients[store->options->clients];
    int code = ordo_db_audit(store->db, error);
    if (code)
        return code;
    if (store->tally.broken)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%ju committed reads were torn, misplaced, or missed a record",
                              (uintmax_t)store->tally.broken);
    code = txn_client_join(keeper, error);
    if (code)
        return code;
    code = store->workload->check(keeper, error);
    txn_client_leave(keeper);
    return code;
}
