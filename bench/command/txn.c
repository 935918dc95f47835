/* ordo-bench txn: transactions of each engine with each of its stamps, compared with engines without stamps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/command.h"
#include "txn/details.h"
#include "txn/model.h"
#include "txn/recording.h"
#include "txn/settings.h"
#include "txn/stamps.h"
#include "txn/trial.h"

#define MOST_SUBJECTS 32

struct run {
    struct txn_settings settings;
    struct bench_machine machine;
    struct bench_boundary boundary;
    struct bench_report report;
    struct bench_set stamps; /* costs of the stamps; the tables and the model need them later */
    struct txn_companion *companion;
    struct timespec begin_time;
    uint64_t begin_ticks;
    double tick_hz; /* measured from the start of the run until now */
};

static void measure_tick_hz(struct run *run)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double s = (double)(now.tv_sec - run->begin_time.tv_sec) + (double)(now.tv_nsec - run->begin_time.tv_nsec) * 1e-9;
    run->tick_hz = (double)(ordo_clock_relaxed() - run->begin_ticks) / s;
}

/* Reports the ratios of each stamp to the counter, and of every engine to tictoc, which allocates no timestamps. */
static void report_ratios(struct run *run, const struct bench_set *set)
{
    for (int i = 0; i < set->cell_count; i++) {
        const struct bench_cell *cell = &set->cells[i];
        char name[BENCH_NAME], logical[BENCH_NAME];
        bench_name(cell->variant, name, sizeof name);
        (void)snprintf(logical, sizeof logical, "%s/logical", cell->variant->algorithm);
        if (strcmp(name, logical) != 0)
            bench_report_ratio(&run->report, set, name, cell->threads, logical, cell->threads);
        if (cell->variant->stamp && strcmp(cell->variant->stamp, "any") == 0) {
            char ordo[BENCH_NAME];
            (void)snprintf(ordo, sizeof ordo, "%s/ordo", cell->variant->algorithm);
            bench_report_ratio(&run->report, set, name, cell->threads, ordo, cell->threads);
        }
        if (strcmp(name, "tictoc") != 0)
            bench_report_ratio(&run->report, set, name, cell->threads, "tictoc", cell->threads);
    }
}

static bool wanted(const struct run *run, const struct ordo_db_engine *engine, const struct txn_workload *workload)
{
    const struct txn_settings *settings = &run->settings;
    if (settings->engines.count && !txn_names_have(&settings->engines, engine->name))
        return false;
    if (engine->stamp && !txn_names_have(&settings->stamps, engine->stamp))
        return false;
    if (settings->long_reader_s > 0 && !(engine->levels & ORDO_TXN_SNAPSHOT))
        return false;
    return txn_engine_can(engine, workload, &settings->store);
}

/* Chooses the subjects of a workload, and returns their number. */
static int choose_subjects(struct run *run, const struct txn_workload *workload, const struct txn_options *options,
                           struct txn_subject *subjects)
{
    int count = 0;
    for (const struct ordo_db_engine *const *engine = ordo_db_engines; *engine && count < MOST_SUBJECTS; engine++)
        if (wanted(run, *engine, workload))
            subjects[count++] = (struct txn_subject){
                .store = {.engine = *engine, .workload = workload, .options = options},
                .companion = run->companion,
                .stamps = &run->stamps,
                .tick_hz = &run->tick_hz,
            };
    return count;
}

static int measure_subjects(struct run *run, struct txn_subject *subjects, int count, struct ordo_error *error)
{
    struct bench_variant variants[MOST_SUBJECTS];
    struct bench_set set;
    int code = ORDO_OK;
    for (int i = 0; i < count && !code; i++) {
        code = txn_subject_open(&subjects[i], &run->settings.bench, error);
        variants[i] = txn_subject_variant(&subjects[i]);
    }
    if (code)
        return code;
    code = bench_measure(&set, variants, count, &run->machine, &run->settings.bench, error);
    if (!code) {
        measure_tick_hz(run);
        bench_report_set(&run->report, &set, txn_details_json);
        if (!run->report.json)
            txn_details_print(run->report.stream, &set);
        report_ratios(run, &set);
        if (run->settings.model)
            txn_model_report(&run->report, &set, &run->stamps);
    }
    bench_free(&set);
    return code;
}

/* Measures while the history of the only subject is written to a file, if --history is given. */
static int measure_recorded(struct run *run, struct txn_subject *subjects, int count, struct ordo_error *error)
{
    struct txn_settings *settings = &run->settings;
    const struct ordo_db_engine *engine = subjects->store.engine;
    struct ordo_error at_close;
    if (!settings->history)
        return measure_subjects(run, subjects, count, error);
    if (count != 1)
        return ordo_error_set(
            error, ORDO_E_INVALID, 0,
            "--history: records one engine with one stamp, and %d were chosen: give one --engine and one --stamp",
            count);
    int code = txn_recording_open(&subjects->store.recording, settings->history,
                                  settings->store.snapshot ? ORDO_TXN_SNAPSHOT : ORDO_TXN_SERIALIZABLE,
                                  engine->strict || settings->store.external_consistency, error);
    if (!code)
        code = measure_subjects(run, subjects, count, error);
    int closed = txn_recording_close(subjects->store.recording, &at_close);
    if (!code && closed)
        *error = at_close;
    return code ? code : closed;
}

static int measure_workload(struct run *run, const char *name, struct ordo_error *error)
{
    const struct txn_workload *workload = txn_workload_find(name);
    struct txn_subject subjects[MOST_SUBJECTS];
    struct txn_options options = run->settings.store;
    if (!run->settings.read_percent_given)
        options.read_percent = workload->read_percent;
    int count = choose_subjects(run, workload, &options, subjects);
    if (count == 0)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "--workload %s: none of the chosen engines has the scans, the isolation, the consistency "
                              "or the stamp for it: choose others by --engine and --stamp",
                              name);
    struct txn_keys *keys = txn_keys_draw(&options);
    if (!keys)
        return ordo_error_errno(error, "the keys of %s", name);
    for (int i = 0; i < count; i++)
        subjects[i].store.keys = keys;
    int code = measure_recorded(run, subjects, count, error);
    for (int i = 0; i < count; i++)
        txn_subject_close(&subjects[i]);
    free(keys);
    return code;
}

static int measure_txn(struct run *run, struct ordo_error *error)
{
    const struct txn_settings *settings = &run->settings;
    int code = txn_stamps_measure(&run->stamps, &settings->stamps, &settings->store, &run->machine, &settings->bench,
                                  &run->report, error);
    for (int w = 0; w < settings->workloads.count && !code; w++)
        code = measure_workload(run, settings->workloads.names[w], error);
    if (!code && run->companion && settings->memory_every_s > 0)
        txn_memory_report(&run->report, run->companion);
    return code;
}

/* Fills in the options that were not given: the stamps ordo, logical and batch as far as available, the workload, and the
 * options that depend on the machine. */
static void complete(struct run *run)
{
    static const char *const stamps[] = {"ordo", "logical", "batch"};
    struct txn_settings *settings = &run->settings;
    int most = settings->bench.threads[settings->bench.thread_counts - 1];
    if (settings->stamps.count == 0)
        for (size_t s = 0; s < sizeof stamps / sizeof *stamps; s++)
            if (txn_names_have(txn_stamp_names(), stamps[s]))
                settings->stamps.names[settings->stamps.count++] = stamps[s];
    if (settings->workloads.count == 0)
        settings->workloads.names[settings->workloads.count++] = txn_ycsb_a.name;
    if (settings->store.warehouses == 0)
        settings->store.warehouses = (uint32_t)most;
    settings->store.clients = most;
    settings->store.readers_apart = settings->long_reader_s > 0;
    settings->store.boundary_ticks = ordo_boundary(&run->boundary.handle);
    settings->store.watch = run->boundary.source == BENCH_BOUNDARY_RECORD ? &run->boundary.handle : NULL;
    settings->store.corrected =
        ordo_status(&run->boundary.corrected.handle) == ORDO_STATUS_VALID ? &run->boundary.corrected.handle : NULL;
    settings->store.any = ordo_any_kind(&run->boundary.any) != ORDO_ANY_NONE ? &run->boundary.any.handle : NULL;
}

/* Opens every part of `run`. The caller may close all parts afterwards, even after an error. */
static int set_up_txn(struct run *run, struct ordo_error *error)
{
    struct txn_settings *settings = &run->settings;
    int code = bench_machine_open(&run->machine, &settings->bench, error);
    if (!code)
        code = bench_boundary_open(&run->boundary, &settings->bench, error);
    if (code)
        return code;
    complete(run);
    if (run->boundary.source == BENCH_BOUNDARY_NONE && txn_names_have(&settings->stamps, "ordo")) {
        struct ordo_error why = *error;
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "%s; or give --boundary, or leave the stamp ordo out by --stamp", why.text);
    }
    if (txn_names_have(&settings->stamps, "corrected"))
        code = bench_boundary_check_corrected(&run->boundary, error);
    if (!code && txn_names_have(&settings->stamps, "any"))
        code = bench_boundary_check_any(&run->boundary, error);
    if (code)
        return code;
    if (settings->long_reader_s > 0 || settings->memory_every_s > 0) {
        run->companion = txn_companion_create(settings->long_reader_s, settings->memory_every_s);
        if (!run->companion)
            return ordo_error_errno(error, "the long reader");
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &run->begin_time);
    run->begin_ticks = ordo_clock_relaxed();
    return ORDO_OK;
}

static int run_txn(int argc, char **argv)
{
    struct run run = {.settings = TXN_SETTINGS_DEFAULT};
    struct ordo_error error = {0};
    int result;
    cli_parse(&txn_settings_argp, argc, argv, &run.settings);
    int code = set_up_txn(&run, &error);
    if (!code) {
        bench_report_begin(&run.report, stdout, "txn", &run.machine, &run.settings.bench, &run.boundary);
        code = measure_txn(&run, &error);
        if (code)
            bench_report_abandon(&run.report);
    }
    result = code ? bench_refuse("txn", &error) : bench_report_end(&run.report);
    bench_free(&run.stamps);
    txn_companion_destroy(run.companion);
    bench_boundary_close(&run.boundary);
    bench_machine_close(&run.machine);
    return result;
}

const struct command command_txn = {
    .name = "txn",
    .another = "mvcc",
    .title = "transactions: multi-version and optimistic concurrency control with several stamps",
    .schema = "ordo-bench/1",
    .run = run_txn,
};
