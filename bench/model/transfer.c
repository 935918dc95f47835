#include "model/transfer.h"

/* Two threads write one line alternately. An operation is one thread's write; it needs two transfers, there and
 * back. */
struct ball {
    _Alignas(BENCH_LINE) atomic_uint turns;
};

static uint64_t play_transfer(struct bench_worker *worker)
{
    struct ball *ball = worker->context;
    uint64_t ops = 0;
    do {
        /* Relaxed: only the transfer of the line is measured, and no other data depends on it. */
        unsigned turns;
        while ((turns = atomic_load_explicit(&ball->turns, memory_order_relaxed)) % 2 != (unsigned)worker->index)
            if (!bench_running(worker))
                return ops + (ops == 0);
        atomic_store_explicit(&ball->turns, turns + 1, memory_order_relaxed);
        ops++;
    } while (bench_running(worker));
    return ops;
}

int model_measure_transfer(double *ns, double *cpu_share, const struct bench_machine *machine,
                           const struct bench_options *options, struct ordo_error *error)
{
    struct ball ball = {0};
    struct bench_variant variant = {
        .algorithm = "transfer", .workload = "transfer", .context = &ball, .work = play_transfer};
    struct bench_options two = *options;
    struct bench_set set;
    two.threads[0] = 2;
    two.thread_counts = 1;
    int code = bench_measure(&set, &variant, 1, machine, &two, error);
    if (!code) {
        *ns = bench_ns_per_op(&set, &set.cells[0]) / 2;
        *cpu_share = bench_least_cpu_share(&set, machine->cpu_count);
    }
    bench_free(&set);
    return code;
}
