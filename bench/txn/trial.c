#include "trial.h"

#include <stdlib.h>

#include "recording.h"

int txn_subject_open(struct txn_subject *subject, const struct bench_options *options, struct ordo_error *error)
{
    subject->result_count = options->thread_counts;
    subject->results = calloc((size_t)options->thread_counts, sizeof *subject->results);
    if (!subject->results)
        return ordo_error_errno(error, "the results of %d cells", options->thread_counts);
    for (int i = 0; i < options->thread_counts; i++)
        subject->results[i].threads = options->threads[i];
    return txn_store_open(&subject->store, error);
}

void txn_subject_close(struct txn_subject *subject)
{
    txn_store_close(&subject->store);
    free(subject->results);
    subject->results = NULL;
}

static struct txn_result *find_result(const struct txn_subject *subject, int threads)
{
    int at = 0;
    while (subject->results[at].threads != threads)
        at++;
    return &subject->results[at];
}

const struct txn_result *txn_cell_result(const struct bench_cell *cell)
{
    return find_result(cell->variant->context, cell->threads);
}

static int prepare_trial(void *context, int threads, struct ordo_error *error)
{
    struct txn_subject *subject = context;
    subject->current = find_result(subject, threads);
    return subject->companion ? txn_companion_start(subject->companion, &subject->store, error) : ORDO_OK;
}

static int enter_trial(struct bench_worker *worker, struct ordo_error *error)
{
    struct txn_store *store = &((struct txn_subject *)worker->context)->store;
    struct txn_client *client = &store->clients[worker->index];
    int code = txn_client_join(client, error);
    if (!code && store->recording)
        code = txn_recording_join(store->recording, client->worker, error);
    worker->own = client;
    return code;
}

static bool running(const void *worker)
{
    return bench_running(worker);
}

static uint64_t work_trial(struct bench_worker *worker)
{
    return txn_client_work(worker->own, running, worker);
}

static void leave_trial(struct bench_worker *worker)
{
    struct txn_client *client = worker->own;
    if (client->store->recording)
        txn_recording_leave(client->store->recording, client->worker);
    txn_client_leave(client);
}

static void add_work(struct txn_result *result, const struct txn_work *work)
{
    result->work.transactions += work->transactions;
    result->work.rollbacks += work->rollbacks;
    txn_counts_add(&result->work.counts, &work->counts);
    txn_latency_merge(&result->work.latency, &work->latency);
}

static int audit_trial(void *context, struct ordo_error *error)
{
    struct txn_subject *subject = context;
    struct txn_store *store = &subject->store;
    struct txn_result *result = subject->current;
    int code = subject->companion ? txn_companion_stop(subject->companion, error) : ORDO_OK;
    for (int i = 0; i < result->threads; i++) {
        const struct txn_work *done = &store->clients[i].work;
        txn_tally_add(&store->tally, &done->tally);
        if (result->trials > 0)
            add_work(result, done);
        if (done->code && !code)
            code = ordo_error_set(error, done->code, 0, "a transaction failed: %s", ordo_strerror(done->code));
    }
    result->trials++;
    result->memory = txn_memory_now();
    return code ? code : txn_store_check(store, error);
}

struct bench_variant txn_subject_variant(struct txn_subject *subject)
{
    return (struct bench_variant){
        .algorithm = subject->store.engine->name,
        .stamp = subject->store.engine->stamp,
        .workload = subject->store.workload->name,
        .context = subject,
        .prepare = prepare_trial,
        .enter = enter_trial,
        .work = work_trial,
        .leave = leave_trial,
        .audit = audit_trial,
    };
}
