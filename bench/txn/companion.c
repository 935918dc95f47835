#include "companion.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RECORDS 64 /* records that the reader reads, in the first table */

struct txn_companion {
    double reader_s, memory_s;
    double origin_s;
    struct txn_sample *samples;
    size_t sample_count, sample_room;
    /* valid from start to stop */
    struct txn_store *store;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool stop;
    struct ordo_worker *worker;
    bool reading;
    char *seen, *again; /* [RECORDS * record_bytes] */
    int code;
    struct ordo_error error;
};

static double now_raw_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct txn_companion *txn_companion_create(double reader_s, double memory_s)
{
    struct txn_companion *companion = calloc(1, sizeof *companion);
    pthread_condattr_t monotonic;
    if (!companion)
        return NULL;
    companion->reader_s = reader_s;
    companion->memory_s = memory_s;
    companion->origin_s = now_raw_s();
    pthread_mutex_init(&companion->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&companion->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return companion;
}

void txn_companion_destroy(struct txn_companion *companion)
{
    if (!companion)
        return;
    pthread_mutex_destroy(&companion->lock);
    pthread_cond_destroy(&companion->changed);
    free(companion->samples);
    free(companion);
}

const struct txn_sample *txn_companion_samples(const struct txn_companion *companion, size_t *count)
{
    *count = companion->sample_count;
    return companion->samples;
}

static void sample(struct txn_companion *companion)
{
    if (companion->sample_count == companion->sample_room) {
        size_t room = companion->sample_room ? 2 * companion->sample_room : 64;
        struct txn_sample *samples = realloc(companion->samples, room * sizeof *samples);
        if (!samples)
            return;
        companion->samples = samples;
        companion->sample_room = room;
    }
    companion->samples[companion->sample_count++] = (struct txn_sample){
        .at_s = now_raw_s() - companion->origin_s, .reading = companion->reading, .memory = txn_memory_now()};
}

static void fail(struct txn_companion *companion, int code, const char *what)
{
    if (!companion->code)
        companion->code = ordo_error_set(&companion->error, code < 0 ? code : ORDO_E_MEASURE, 0,
                                         "the long reader's snapshot: %s (%s)", what, ordo_txn_outcome_name(code));
}

/* Reads RECORDS records, spread over the table, into `copies`. */
static void copy_records(struct txn_companion *companion, char *copies)
{
    const struct txn_store *store = companion->store;
    for (uint64_t i = 0; i < RECORDS; i++) {
        uint64_t key = i * store->options->rows / RECORDS;
        int code = ordo_txn_read(companion->worker, store->tables[0], key, copies + i * store->record_bytes[0]);
        if (code)
            fail(companion, code, "a record cannot be read");
    }
}

static void toggle_reader(struct txn_companion *companion)
{
    size_t bytes = RECORDS * companion->store->record_bytes[0];
    if (!companion->reading) {
        int code = ordo_txn_begin(companion->worker, ORDO_TXN_READ_ONLY);
        if (code)
            fail(companion, code, "cannot begin");
        copy_records(companion, companion->seen);
    } else {
        copy_records(companion, companion->again);
        if (memcmp(companion->seen, companion->again, bytes) != 0)
            fail(companion, ORDO_E_MEASURE, "what it shows has changed");
        int code = ordo_txn_commit(companion->worker);
        if (code)
            fail(companion, code, "cannot commit");
    }
    companion->reading = !companion->reading;
}

/* Sleeps until `at_s`; returns false if the trial is over. The caller holds the lock. */
static bool sleep_until(struct txn_companion *companion, double at_s)
{
    struct timespec at = {(time_t)at_s, (long)((at_s - (double)(time_t)at_s) * 1e9)};
    int code = 0;
    while (!companion->stop && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&companion->changed, &companion->lock, &at);
    return !companion->stop;
}

static void *accompany(void *context)
{
    struct txn_companion *companion = context;
    const double never = now_raw_s() + 1e9;
    int code = companion->reader_s > 0 ? ordo_worker_join(companion->store->db, &companion->worker) : ORDO_OK;
    if (code)
        fail(companion, code, "cannot join");
    double turn_s = companion->worker ? now_raw_s() : never, sample_s = companion->memory_s > 0 ? now_raw_s() : never;
    pthread_mutex_lock(&companion->lock);
    while (sleep_until(companion, turn_s < sample_s ? turn_s : sample_s)) {
        if (sample_s <= turn_s) {
            sample(companion);
            sample_s += companion->memory_s;
        } else {
            toggle_reader(companion);
            turn_s += companion->reader_s;
        }
    }
    pthread_mutex_unlock(&companion->lock);
    if (companion->reading)
        toggle_reader(companion);
    if (companion->worker)
        ordo_worker_leave(companion->worker);
    companion->worker = NULL;
    return NULL;
}

int txn_companion_start(struct txn_companion *companion, struct txn_store *store, struct ordo_error *error)
{
    companion->store = store;
    companion->stop = false;
    companion->code = ORDO_OK;
    if (companion->reader_s > 0) {
        companion->seen = calloc(RECORDS, store->record_bytes[0]);
        companion->again = calloc(RECORDS, store->record_bytes[0]);
        if (!companion->seen || !companion->again)
            return ordo_error_errno(error, "the long reader's records");
    }
    int failed = pthread_create(&companion->thread, NULL, accompany, companion);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, failed, "the long reader's thread cannot be started")
                  : ORDO_OK;
}

int txn_companion_stop(struct txn_companion *companion, struct ordo_error *error)
{
    pthread_mutex_lock(&companion->lock);
    companion->stop = true;
    pthread_cond_signal(&companion->changed);
    pthread_mutex_unlock(&companion->lock);
    pthread_join(companion->thread, NULL);
    free(companion->seen);
    free(companion->again);
    companion->seen = companion->again = NULL;
    if (companion->code && error)
        *error = companion->error;
    return companion->code;
}
