/* Runs a trial of an engine: fills the structure, executes operations, and audits the structure. */
#include <inttypes.h>

#include "stm/engine.h"

const char *const stm_structure_words[STM_STRUCTURES + 1] = {"list", "hash",         "tree",    "skip",
                                                             "bank", "reservations", "packets", NULL};

const char *const stm_long_words[] = {"transaction", "snapshot", NULL};
const char *const stm_search_words[] = {"transaction", "elastic", NULL};

static int stm_out_of_memory(const struct stm_bench *bench, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s %s of %" PRIu64 " elements: out of memory",
                          bench->engine->algorithm, stm_structure_words[bench->engine->structure], bench->elements);
}

static int prepare_stm(void *context, int threads, struct ordo_error *error)
{
    struct stm_bench *bench = context;
    (void)threads;
    stm_bench_close(bench);
    bench->trial++;
    atomic_store(&bench->size, bench->engine->structure == STM_PACKETS ? 0 : (int64_t)bench->elements);
    atomic_store(&bench->refused, 0);
    return bench->engine->create(bench) ? stm_out_of_memory(bench, error) : ORDO_OK;
}

static int enter_stm(struct bench_worker *worker, struct ordo_error *error)
{
    struct stm_bench *bench = worker->context;
    worker->own = bench->engine->enter(bench);
    return worker->own ? ORDO_OK : stm_out_of_memory(bench, error);
}

static void leave_stm(struct bench_worker *worker)
{
    struct stm_bench *bench = worker->context;
    bench->engine->leave(worker->own, worker->counters);
}

static int check_stm(struct stm_bench *bench, struct ordo_error *error)
{
    int64_t count = 0, expected = atomic_load(&bench->size);
    uint64_t refused = atomic_load(&bench->refused);
    int code = bench->engine->audit(bench, &count, error);
    if (code)
        return code;
    if (refused > 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%" PRIu64 " operations failed: no memory, or they saw what cannot be", refused);
    if (count != expected)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%" PRId64 " elements found, %" PRId64 " expected", count,
                              expected);
    return ORDO_OK;
}

static int audit_stm(void *context, struct ordo_error *error)
{
    struct stm_bench *bench = context;
    int code = check_stm(bench, error);
    stm_bench_close(bench);
    return code;
}

void stm_bench_close(struct stm_bench *bench)
{
    if (bench->set)
        bench->engine->destroy(bench);
    bench->set = NULL;
}

struct bench_variant stm_variant(struct stm_bench *bench, const char *stamp, const char *workload)
{
    return (struct bench_variant){.algorithm = bench->engine->algorithm,
                                  .stamp = stamp,
                                  .workload = workload,
                                  .context = bench,
                                  .prepare = prepare_stm,
                                  .enter = enter_stm,
                                  .work = bench->engine->work,
                                  .leave = leave_stm,
                                  .audit = audit_stm};
}
