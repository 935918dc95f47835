/* Runs a trial of an engine: makes the structure, executes operations, applies the remaining operations of the logs, and
 * audits the structure. */
#include "oplog/engine.h"

const char *const oplog_structure_words[] = {"map", "counter", "set", NULL};
const char *const oplog_order_words[] = {"commute", "timed", "ordered", NULL};

enum oplog_order oplog_bench_order(const struct oplog_bench *bench)
{
    if (bench->order != OPLOG_DEFAULT)
        return bench->order;
    return bench->engine->structure == OPLOG_SET ? OPLOG_TIMED : OPLOG_COMMUTE;
}

static int oplog_out_of_memory(const struct oplog_bench *bench, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%s %s: out of memory", bench->engine->algorithm,
                          oplog_structure_words[bench->engine->structure]);
}

static int prepare_oplog(void *context, int threads, struct ordo_error *error)
{
    struct oplog_bench *bench = context;
    oplog_bench_close(bench);
    bench->trial++;
    atomic_store(&bench->updates, 0);
    bench->state = oplog_state_make(bench->engine->structure, &bench->sizes, threads, bench->trial);
    if (!bench->state || bench->engine->create(bench) != 0)
        return oplog_out_of_memory(bench, error);
    return ORDO_OK;
}

static int enter_oplog(struct bench_worker *worker, struct ordo_error *error)
{
    struct oplog_bench *bench = worker->context;
    worker->own = bench->engine->enter(bench);
    return worker->own ? ORDO_OK : oplog_out_of_memory(bench, error);
}

static void leave_oplog(struct bench_worker *worker)
{
    struct oplog_bench *bench = worker->context;
    bench->engine->leave(worker->own, worker->counters);
}

static void apply_rest(struct oplog_bench *bench)
{
    if (bench->keeper)
        bench->engine->destroy(bench);
    bench->keeper = NULL;
}

static int audit_oplog(void *context, struct ordo_error *error)
{
    struct oplog_bench *bench = context;
    apply_rest(bench);
    int code = oplog_state_audit(bench->state, bench->engine->structure, atomic_load(&bench->updates), error);
    oplog_bench_close(bench);
    return code;
}

void oplog_bench_close(struct oplog_bench *bench)
{
    apply_rest(bench);
    oplog_state_free(bench->state);
    bench->state = NULL;
}

struct bench_variant oplog_variant(struct oplog_bench *bench, const char *workload)
{
    return (struct bench_variant){.algorithm = bench->engine->algorithm,
                                  .stamp = bench->engine->stamp,
                                  .workload = workload,
                                  .context = bench,
                                  .prepare = prepare_oplog,
                                  .enter = enter_oplog,
                                  .work = bench->engine->work,
                                  .leave = leave_oplog,
                                  .audit = audit_oplog};
}
