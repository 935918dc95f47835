/* YCSB (Cooper et al., SoCC 2010), with several requests in a transaction.
 *
 * A record has its key, and the number of its updates at both ends. A reader detects a torn or misplaced record, and
 * the sum over all records detects an update that was lost or done twice. An update changes one field of ten. Because
 * the engines store whole records, an update reads the record and writes it.
 *
 * A record of 8 or 16 bytes is too small for this format. It has one word, or the same word twice: the upper half is a
 * hash of the key, the lower half is the number of updates modulo 2^32. The checks are the same, except that a record
 * of 8 bytes is written at once and cannot be torn. */
#include <string.h>

#include "store.h"

#define FIELDS 10
#define MOST_SCANNED 100

struct head {
    uint64_t updates, key;
};

static bool is_small(const struct txn_store *store)
{
    return store->options->record_bytes < sizeof(struct head) + sizeof(uint64_t);
}

static void fill_small(const struct txn_store *store, uint64_t key, void *record, uint64_t updates)
{
    uint64_t *words = record;
    for (size_t i = 0; i < store->options->record_bytes / sizeof *words; i++)
        words[i] = (key * UINT64_C(0x9e3779b97f4a7c15) & ~(uint64_t)UINT32_MAX) | (uint32_t)updates;
}

/* Returns the number of updates that a record has; modulo 2^32 if the record is small. */
static uint64_t updates_of(const struct txn_store *store, const void *record)
{
    const struct head *head = record; /* valid for small records, too: only the first word is read */
    return is_small(store) ? (uint32_t)head->updates : head->updates;
}

static uint64_t *tail(const struct txn_store *store, void *record)
{
    return (uint64_t *)record + store->options->record_bytes / sizeof(uint64_t) - 1;
}

static void fill_record(struct txn_client *client, uint64_t key, void *record)
{
    struct txn_store *store = client->store;
    uint64_t *words = record;
    if (is_small(store)) {
        fill_small(store, key, record, 0);
        return;
    }
    for (size_t i = 0; i < store->options->record_bytes / sizeof *words; i++)
        words[i] = txn_random_next(&client->random);
    *(struct head *)words = (struct head){0, key};
    *tail(store, words) = 0;
}

static int load_ycsb(struct txn_client *client, struct ordo_error *error)
{
    struct txn_store *store = client->store;
    int code = txn_store_table(store, 0, store->options->record_bytes, store->options->rows, error);
    for (uint64_t key = 0; key < store->options->rows && !code; key++) {
        fill_record(client, key, client->record);
        code = txn_load(client, 0, key, client->record, error);
    }
    return code;
}

static bool drawn_before(const uint64_t *keys, const uint64_t *key)
{
    for (; keys < key; keys++)
        if (*keys == *key)
            return true;
    return false;
}

/* Draws the requests of a transaction. All keys of a transaction are different. */
static void draw_requests(struct txn_client *client, enum txn_request other)
{
    struct txn_ycsb_input *input = &client->input.ycsb;
    const struct txn_options *options = client->store->options;
    client->read_only = true;
    for (uint32_t r = 0; r < options->requests; r++) {
        input->requests[r].kind = txn_random_percent(&client->random, options->read_percent) ? TXN_READ : other;
        do
            input->keys[r] = txn_client_key(client);
        while (drawn_before(input->keys, &input->keys[r]));
        client->read_only &= input->requests[r].kind == TXN_READ;
    }
}

static void draw_ycsb(struct txn_client *client)
{
    draw_requests(client, TXN_UPDATE);
}

static void draw_scans(struct txn_client *client)
{
    struct txn_ycsb_input *input = &client->input.ycsb;
    draw_requests(client, TXN_INSERT);
    for (uint32_t r = 0; r < client->store->options->requests; r++) {
        if (input->requests[r].kind == TXN_INSERT) {
            input->keys[r] = client->store->options->rows + txn_client_fresh(client);
        } else {
            input->requests[r].kind = TXN_SCAN;
            input->requests[r].length = (uint32_t)txn_random_range(&client->random, 1, MOST_SCANNED);
        }
    }
}

/* True if a small record has a value that fill_small() writes for this key. */
static bool is_whole(const struct txn_store *store, uint64_t key, const void *record)
{
    uint64_t whole[2];
    fill_small(store, key, whole, updates_of(store, record));
    return memcmp(whole, record, store->options->record_bytes) == 0;
}

/* Counts a record that no committed transaction may read: torn, or of another key. */
static void look_at_record(struct txn_client *client, uint64_t key, const void *record)
{
    const struct head *head = record;
    if (is_small(client->store)) {
        client->pending.broken += !is_whole(client->store, key, record);
        return;
    }
    if (head->key != key || head->updates != *tail(client->store, (void *)record))
        client->pending.broken++;
}

/* Changes one field, and increments the number of updates at both ends. */
static void change_field(const struct txn_store *store, struct head *head)
{
    size_t field = (store->options->record_bytes - sizeof(struct head) - sizeof(uint64_t)) / FIELDS;
    head->updates++;
    memset((char *)(head + 1) + field * (head->updates % FIELDS), (int)head->updates, field);
    *tail(store, head) = head->updates;
}

static int update_record(struct txn_client *client, uint64_t key)
{
    struct txn_store *store = client->store;
    void *record;
    int code = txn_update(client, 0, key, &record);
    if (code)
        return code;
    look_at_record(client, key, record);
    if (is_small(store))
        fill_small(store, key, record, updates_of(store, record) + 1);
    else
        change_field(store, record);
    client->pending.updates++;
    return ORDO_OK;
}

static int insert(struct txn_client *client, uint64_t key)
{
    void *record;
    int code = txn_insert(client, 0, key, &record);
    if (!code)
        fill_record(client, key, record);
    client->pending.inserts += !code;
    return code;
}

struct scanned {
    struct txn_client *client;
    uint64_t next;
};

/* Checks one scanned record. The keys below `rows` are never removed, so a scan that skips such a key is broken. */
static int scan_one(void *context, uint64_t key, const void *record)
{
    struct scanned *scanned = context;
    const struct txn_store *store = scanned->client->store;
    if (key < scanned->next || (key > scanned->next && scanned->next < store->options->rows))
        scanned->client->pending.broken++;
    scanned->next = key + 1;
    look_at_record(scanned->client, key, record);
    return 0;
}

static int scan(struct txn_client *client, uint64_t key, uint32_t length)
{
    struct scanned scanned = {client, key};
    uint64_t last = key + length - 1, rows = client->store->options->rows;
    int code = ordo_txn_scan(client->worker, client->store->tables[0], key, last, scan_one, &scanned);
    if (!code && scanned.next <= (last < rows ? last : rows - 1))
        client->pending.broken++;
    return code;
}

static int request(struct txn_client *client, uint32_t r)
{
    const struct txn_ycsb_input *input = &client->input.ycsb;
    const void *seen;
    int code;
    switch (input->requests[r].kind) {
    case TXN_READ:
        seen = client->record;
        code = client->store->options->view ? txn_view(client, 0, input->keys[r], &seen)
                                            : txn_read(client, 0, input->keys[r], client->record);
        if (!code)
            look_at_record(client, input->keys[r], seen);
        return code;
    case TXN_UPDATE:
        return update_record(client, input->keys[r]);
    case TXN_SCAN:
        return scan(client, input->keys[r], input->requests[r].length);
    default:
        return insert(client, input->keys[r]);
    }
}

/* Gives prefetch hints: the records that the transaction will use, and which of them it will update. */
static void look_ahead(struct txn_client *client)
{
    const struct txn_ycsb_input *input = &client->input.ycsb;
    const struct txn_options *options = client->store->options;
    uint64_t updates = 0;
    if (client->store->workload->scans || options->ahead == TXN_AHEAD_NOTHING)
        return;
    for (uint32_t r = 0; r < options->requests && options->ahead == TXN_AHEAD_UPDATES; r++)
        updates |= (uint64_t)(input->requests[r].kind == TXN_UPDATE) << r;
    ordo_txn_prefetch(client->worker, client->store->tables[0], input->keys, options->requests, updates);
}

static int execute_ycsb(struct txn_client *client)
{
    uint32_t requests = client->store->options->requests;
    int code = ORDO_OK;
    look_ahead(client);
    for (uint32_t r = 0; r < requests && !code; r++)
        code = request(client, r);
    return code;
}

static int count_one(void *context, uint64_t key, const void *record)
{
    (void)key;
    (void)record;
    ++*(uint64_t *)context;
    return 0;
}

/* Checks that a scan finds as many new rows as were inserted. */
static int check_inserts(struct txn_client *client, struct ordo_error *error)
{
    const struct txn_store *store = client->store;
    uint64_t found = 0;
    int code = ordo_txn_begin(client->worker, ORDO_TXN_SERIALIZABLE);
    if (!code)
        code = ordo_txn_scan(client->worker, store->tables[0], store->options->rows, UINT64_MAX, count_one, &found);
    if (!code)
        code = ordo_txn_commit(client->worker);
    if (!code && found == store->tally.inserts)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "a scan finds %ju new rows, %ju were inserted (%s)",
                          (uintmax_t)found, (uintmax_t)store->tally.inserts, ordo_txn_outcome_name(code));
}

static int check_ycsb(struct txn_client *client, struct ordo_error *error)
{
    struct txn_store *store = client->store;
    uint64_t updates = 0;
    for (uint64_t key = 0; key < store->options->rows; key++) {
        int code = txn_inspect(client, 0, key, client->record, NULL, error);
        if (code)
            return code;
        look_at_record(client, key, client->record);
        updates += updates_of(store, client->record);
    }
    if (client->pending.broken)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%ju records are torn", (uintmax_t)client->pending.broken);
    if (is_small(store) ? (uint32_t)updates != (uint32_t)store->tally.updates : updates != store->tally.updates)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "the records were updated %ju times, the transactions did %ju",
                              (uintmax_t)updates, (uintmax_t)store->tally.updates);
    return store->workload->scans ? check_inserts(client, error) : ORDO_OK;
}

#define YCSB(stem, title, percent)                                                                                     \
    const struct txn_workload txn_ycsb_##stem = {.name = title,                                                        \
                                                 .read_percent = percent,                                              \
                                                 .dense = true,                                                        \
                                                 .load = load_ycsb,                                                    \
                                                 .draw = draw_ycsb,                                                    \
                                                 .execute = execute_ycsb,                                              \
                                                 .check = check_ycsb}

YCSB(a, "ycsb-a", 50);
YCSB(b, "ycsb-b", 95);
YCSB(c, "ycsb-c", 100);
YCSB(f, "ycsb-f", 50);

const struct txn_workload txn_ycsb_e = {
    .name = "ycsb-e",
    .read_percent = 95,
    .scans = true,
    .load = load_ycsb,
    .draw = draw_scans,
    .execute = execute_ycsb,
    .check = check_ycsb,
};
