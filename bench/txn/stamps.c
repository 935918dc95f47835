#include "stamps.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock/bare.h"

#define ROW 16
#define MOST_VARIANTS 16
#define SECONDS 0.02 /* duration of a trial */
#define SPINS 10000  /* spins before a waiting thread yields its CPU */

#define BARE(kind)                                                                                                     \
    static uint64_t bare_##kind(struct bench_worker *worker)                                                           \
    {                                                                                                                  \
        uint64_t ops = 0;                                                                                              \
        do {                                                                                                           \
            for (int i = 0; i < ROW * ROW; i++) {                                                                      \
                uint64_t ticks = bench_bare_##kind();                                                                  \
                __asm__ volatile("" : : "r"(ticks)); /* makes the compiler keep the read */                            \
            }                                                                                                          \
            ops += ROW * ROW;                                                                                          \
        } while (bench_running(worker));                                                                               \
        return ops;                                                                                                    \
    }

BARE(ordered)
BARE(full)

/* Increments the counter in all threads as fast as possible. The CPU that holds the line keeps it for several
 * increments. */
static uint64_t contended(struct bench_worker *worker)
{
    uint64_t *counter = &((struct txn_stamp_bench *)worker->context)->counter, ops = 0;
    do {
        for (int i = 0; i < ROW; i++)
            (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
        ops += ROW;
    } while (bench_running(worker));
    return ops;
}

static int reset(void *context, int threads, struct ordo_error *error)
{
    (void)threads;
    (void)error;
    ((struct txn_stamp_bench *)context)->counter = 0;
    return ORDO_OK;
}

/* Increments the counter in each thread in turn. Every increment moves the line, as if many threads queued for it. */
static uint64_t handed_over(struct bench_worker *worker)
{
    uint64_t *counter = &((struct txn_stamp_bench *)worker->context)->counter, ops = 0;
    uint64_t turn = (uint64_t)worker->index, threads = (uint64_t)worker->threads;
    for (int spins = 0; bench_running(worker) || ops == 0;) {
        if (__atomic_load_n(counter, __ATOMIC_RELAXED) % threads == turn) {
            (void)__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
            ops++;
            spins = 0;
        } else if (++spins > SPINS) {
            sched_yield();
        } else {
            ordo_clock_pause();
        }
    }
    return ops;
}

static const struct {
    struct bench_variant variant;
    bool always;
} known[] = {
    {{.algorithm = "bare-ordered", .work = bare_ordered}, true},
    {{.algorithm = "bare-full", .work = bare_full}, true},
    {{.algorithm = "stamp", .stamp = "ordo", .prepare = txn_stamp_ordo_prepare, .work = txn_stamp_ordo_work}, false},
    {{.algorithm = "stamp", .stamp = "any", .prepare = txn_stamp_any_prepare, .work = txn_stamp_any_work}, false},
    {{.algorithm = "stamp",
      .stamp = "corrected",
      .prepare = txn_stamp_corrected_prepare,
      .work = txn_stamp_corrected_work},
     false},
    {{.algorithm = "stamp", .stamp = "logical", .prepare = txn_stamp_logical_prepare, .work = txn_stamp_logical_work},
     false},
    {{.algorithm = "stamp", .stamp = "batch", .prepare = txn_stamp_batch_prepare, .work = txn_stamp_batch_work}, false},
    {{.algorithm = "stamp", .stamp = "tsc", .prepare = txn_stamp_tsc_prepare, .work = txn_stamp_tsc_work}, false},
    {{.algorithm = "counter-contended", .work = contended}, true},
    {{.algorithm = "counter-handed-over", .prepare = reset, .work = handed_over}, true},
};

static int measure_stamps(struct bench_set *set, struct bench_variant *variants, const struct txn_names *stamps,
                          struct txn_stamp_bench *bench, const struct bench_machine *machine,
                          const struct bench_options *options, struct ordo_error *error)
{
    int count = 0;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (!known[k].always && !txn_names_have(stamps, known[k].variant.stamp))
            continue;
        variants[count] = known[k].variant;
        variants[count].workload = "timestamps";
        variants[count++].context = bench;
    }
    struct bench_options brief = *options;
    brief.seconds = SECONDS < options->seconds ? SECONDS : options->seconds;
    return bench_measure(set, variants, count, machine, &brief, error);
}

int txn_stamps_measure(struct bench_set *set, const struct txn_names *stamps, const struct txn_options *store,
                       const struct bench_machine *machine, const struct bench_options *options,
                       struct bench_report *report, struct ordo_error *error)
{
    static struct bench_variant variants[MOST_VARIANTS];
    struct txn_stamp_bench *bench = aligned_alloc(BENCH_LINE, sizeof *bench);
    if (!bench)
        return ordo_error_errno(error, "%zu bytes", sizeof *bench);
    bench->boundary_ticks = store->boundary_ticks;
    bench->corrected = store->corrected;
    bench->any = store->any;
    int code = measure_stamps(set, variants, stamps, bench, machine, options, error);
    free(bench);
    if (code)
        return code;
    bench_report_set(report, set, NULL);
    for (int s = 0; s < stamps->count; s++)
        for (int i = 0; i < options->thread_counts; i++) {
            char name[BENCH_NAME];
            (void)snprintf(name, sizeof name, "stamp/%s", stamps->names[s]);
            bench_report_ratio(report, set, name, options->threads[i], "bare-ordered", options->threads[i]);
            bench_report_ratio(report, set, name, options->threads[i], "bare-full", options->threads[i]);
        }
    return ORDO_OK;
}

double txn_stamp_ns(const struct bench_set *set, const char *stamp, int threads)
{
    char name[BENCH_NAME];
    (void)snprintf(name, sizeof name, "%s%s", stamp ? "stamp/" : "bare-ordered", stamp ? stamp : "");
    const struct bench_cell *cell = bench_find(set, name, threads);
    return cell ? bench_ns_per_op(set, cell) : 0;
}
