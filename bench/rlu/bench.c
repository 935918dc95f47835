/* Runs a trial of an engine: fills the structure, executes operations, measures the memory, and audits the structure. */
#include <inttypes.h>
#include <jemalloc/jemalloc.h>

#include "rlu/multiget.h"

const char *const rlu_structure_words[RLU_STRUCTURES] = {"list", "hash", "tree"};

/* Returns the bytes that the program has allocated; 0 if the allocator is not jemalloc. */
static size_t allocated_bytes(void)
{
    uint64_t epoch = 1;
    size_t allocated = 0, size = sizeof allocated;
    (void)mallctl("epoch", NULL, NULL, &epoch, sizeof epoch); /* refreshes the statistics */
    (void)mallctl("stats.allocated", &allocated, &size, NULL, 0);
    return allocated;
}

static int rlu_out_of_memory(const struct rlu_bench *bench, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s %s of %" PRIu64 " elements: out of memory",
                          bench->engine->algorithm, rlu_structure_words[bench->engine->structure], bench->elements);
}

/* Adds `elements` different keys, in random order. */
static int fill_structure(struct rlu_bench *bench, void *user)
{
    uint64_t state = rlu_seed(bench, BENCH_LINE), count = 0;
    if (bench->multiget_keys)
        return rlu_multiget_fill(bench, user);
    while (count < bench->elements) {
        int added = bench->engine->add(user, rlu_key(ordo_random_next(&state), bench->range));
        if (added < 0)
            return -1;
        count += (uint64_t)added;
    }
    return 0;
}

static int prepare_rlu(void *context, int threads, struct ordo_error *error)
{
    struct rlu_bench *bench = context;
    uint64_t counters[BENCH_COUNTERS] = {0};
    (void)threads;
    rlu_bench_close(bench);
    bench->trial++;
    bench->bytes_before = allocated_bytes();
    atomic_store(&bench->size, (int64_t)bench->elements);
    atomic_store(&bench->refused, 0);
    atomic_store(&bench->torn, 0);
    atomic_store(&bench->weighed, false);
    if (bench->engine->create(bench) != 0)
        return rlu_out_of_memory(bench, error);
    void *user = bench->engine->enter(bench);
    if (!user)
        return rlu_out_of_memory(bench, error);
    int code = fill_structure(bench, user);
    bench->engine->leave(user, counters);
    return code ? rlu_out_of_memory(bench, error) : ORDO_OK;
}

static int enter_rlu(struct bench_worker *worker, struct ordo_error *error)
{
    struct rlu_bench *bench = worker->context;
    worker->own = bench->engine->enter(bench);
    return worker->own ? ORDO_OK : rlu_out_of_memory(bench, error);
}

static void leave_rlu(struct bench_worker *worker)
{
    struct rlu_bench *bench = worker->context;
    if (!atomic_exchange(&bench->weighed, true)) {
        size_t bytes = allocated_bytes();
        worker->counters[RLU_MEMORY_BYTES] = bytes > bench->bytes_before ? bytes - bench->bytes_before : 0;
    }
    bench->engine->leave(worker->own, worker->counters);
}

static int check_rlu(struct rlu_bench *bench, struct ordo_error *error)
{
    uint64_t count = 0;
    int64_t expected = atomic_load(&bench->size);
    uint64_t refused = atomic_load(&bench->refused);
    int code = bench->multiget_keys ? rlu_multiget_check(bench, error) : ORDO_OK;
    if (!code)
        code = bench->engine->audit(bench, &count, error);
    if (code)
        return code;
    if (refused > 0)
        return ordo_error_set(
            error, ORDO_E_SYSTEM, 0,
            "%" PRIu64 " operations failed: out of memory, or, under mvrlu, a thread without a CPU kept a log full",
            refused);
    if (expected < 0 || count != (uint64_t)expected)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%" PRIu64 " elements found, %" PRId64 " expected", count,
                              expected);
    return ORDO_OK;
}

static int audit_rlu(void *context, struct ordo_error *error)
{
    struct rlu_bench *bench = context;
    int code = check_rlu(bench, error);
    rlu_bench_close(bench);
    return code;
}

void rlu_bench_close(struct rlu_bench *bench)
{
    if (bench->set)
        bench->engine->destroy(bench);
    bench->set = NULL;
}

struct bench_variant rlu_variant(struct rlu_bench *bench, const char *stamp, const char *workload)
{
    return (struct bench_variant){.algorithm = bench->engine->algorithm,
                                  .stamp = stamp,
                                  .workload = workload,
                                  .context = bench,
                                  .prepare = prepare_rlu,
                                  .enter = enter_rlu,
                                  .work = bench->multiget_keys ? bench->engine->multiget->work : bench->engine->work,
                                  .leave = leave_rlu,
                                  .audit = audit_rlu};
}
