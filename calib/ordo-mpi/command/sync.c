/* ordo-mpi sync: synchronises, and prints the accuracy. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/quantile.h"
#include "base/time.h"
#include "cluster/report/words.h"
#include "ordo-mpi/session.h"
#include "json/builder.h"

struct options {
    struct mpi_session_options session;
    double resync_s; /* 0: synchronise once */
    bool json, list;
};

#define VALUE(member) CLI_VALUE(struct options, member)

static const struct cli_row rows[] = {
    {.name = "resync",
     .argument = "S",
     .most = MPI_MOST_SECONDS,
     VALUE(resync_s),
     .help =
         "Synchronise a second time after S seconds: the bounds are then narrower, and the observed wander is printed"},
    {.name = "json", VALUE(json), .help = "Print the models as JSON (schema ordo-sync/1)"},
    {.name = "list", VALUE(list), .help = "List algorithms and offset estimators"},
    {0},
};

static const struct cli_part parts[] = {{.rows = rows}, MPI_SESSION_PARTS(struct options, session), {0}};

/* The result of one rank, sent to rank 0. */
struct synchronised {
    struct ordo_model model;
    struct ordo_global_time now, later; /* global time at once, and LATER_S seconds later */
    struct ordo_global_wander wander;
};

enum { LATER_S = 10 };

static int64_t half_width_ns(struct ordo_global_time time)
{
    int64_t before = time.estimate_ns - time.earliest_ns, after = time.latest_ns - time.estimate_ns;
    return before > after ? before : after;
}

/* Prints the largest and the median bound of all ranks. Rank 0, whose own clock is exact, is left out, unless it is the
 * only rank. */
static void print_bounds(const struct synchronised *all, int count, bool later, FILE *stream)
{
    int64_t *bounds = calloc((size_t)count, sizeof *bounds);
    int first = count > 1, worst = first;
    char median[24], most[24];
    if (!bounds)
        return;
    for (int i = first; i < count; i++) {
        bounds[i] = half_width_ns(later ? all[i].later : all[i].now);
        worst = bounds[i] > bounds[worst] ? i : worst;
    }
    (void)ordo_format_ns((double)bounds[worst], most);
    (void)ordo_format_ns((double)ordo_stats_median_int(bounds + first, (size_t)(count - first)), median);
    fprintf(stream, "  %-12s every rank within %s (rank %d), median %s\n", later ? "10 s later:" : "at once:", most,
            worst, median);
    free(bounds);
}

/* Prints the wander of the rank with the largest estimated wander. */
static void print_wander(const struct synchronised *all, int count)
{
    int worst = 0;
    for (int i = 0; i < count; i++)
        worst = all[i].wander.estimate_ppb > all[worst].wander.estimate_ppb ? i : worst;
    const struct ordo_global_wander *wander = &all[worst].wander;
    if (wander->within_ns)
        printf("observed: within %.1f s the drift of rank %d changed by %.0f ppb, certainly by %.0f to %.0f\n",
               (double)wander->within_ns / 1e9, worst, wander->estimate_ppb, wander->least_ppb, wander->most_ppb);
}

static void print_sync(const struct mpi_session *session, const struct synchronised *all)
{
    char algorithm[96];
    const struct ordo_sync_options *sync = &session->options->levels.algorithms[0];
    printf("%s, clock %s, %d rank%s%s\n", mpi_session_algorithm(sync, algorithm), session->options->source->name,
           session->size, ordo_plural(session->size),
           session->verified  ? ", verified"
           : session->assumed ? ", NOT verified"
                              : "");
    printf("synchronised in %.3f s", session->sync_seconds);
    if (session->verify_seconds > 0)
        printf(", after %.1f s of verification on %d node%s", session->verify_seconds, session->nodes,
               ordo_plural(session->nodes));
    printf("\n%s of global time against rank 0's clock, with %g ppb of wander, from an hour on %g:\n",
           session->assumed ? "bounds, if ranks share a clock to within 1 us (which one look did not refute),"
                            : "proved bounds",
           sync->max_wander_ppb, fmax(sync->max_wander_ppb, sync->late_wander_ppb));
    print_bounds(all, session->size, false, stdout);
    print_bounds(all, session->size, true, stdout);
    print_wander(all, session->size);
}

static struct ordo_json wander_of(const struct ordo_global_wander *wander)
{
    if (!wander->within_ns)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_real(&object, "within_s", (double)wander->within_ns / 1e9);
    ordo_json_put_real(&object, "estimate_ppb", wander->estimate_ppb);
    ordo_json_put_reals(&object, "interval_ppb", wander->least_ppb, wander->most_ppb);
    return object;
}

static struct ordo_json model_of(const struct synchronised *one, int rank)
{
    const struct ordo_model *model = &one->model;
    struct ordo_rates drift = ordo_model_drift(model);
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "rank", rank);
    ordo_json_put_int(&object, "ref_ns", model->ref_ns);
    ordo_json_put_int(&object, "offset_ns", model->offset_ns);
    ordo_json_put_ints(&object, "offset_interval_ns", model->low_ns, model->high_ns);
    ordo_json_put_real(&object, "slope_ppb", model->slope * 1e9);
    ordo_json_put_reals(&object, "slope_interval_ppb", model->slope_low * 1e9, model->slope_high * 1e9);
    ordo_json_put_bool(&object, "offset_only", model->slope == 0);
    ordo_json_put_reals(&object, "drift_ppb", drift.least * 1e9, drift.most * 1e9);
    ordo_json_put_int(&object, "bound_ns", half_width_ns(one->now));
    ordo_json_put_int(&object, "bound_after_10_s_ns", half_width_ns(one->later));
    ordo_json_put(&object, "wander", wander_of(&one->wander));
    return object;
}

static int print_sync_json(const struct mpi_session *session, const struct synchronised *all)
{
    char algorithm[96];
    const struct ordo_sync_options *sync = &session->options->levels.algorithms[0];
    struct ordo_json document = ordo_json_document("ordo-sync/1"), models = ordo_json_array();
    for (int i = 0; i < session->size; i++)
        ordo_json_add(&models, model_of(&all[i], i));
    ordo_json_put_text(&document, "algorithm", mpi_session_algorithm(sync, algorithm));
    ordo_json_put_text(&document, "clock", session->options->source->name);
    ordo_json_put_bool(&document, "verified", session->verified);
    ordo_json_put_text(&document, "bounds", session->assumed ? "assumed" : "proved");
    ordo_json_put_real(&document, "max_wander_ppb", sync->max_wander_ppb);
    ordo_json_put_real(&document, "late_wander_ppb", fmax(sync->max_wander_ppb, sync->late_wander_ppb));
    ordo_json_put_real(&document, "sync_seconds", session->sync_seconds);
    ordo_json_put_real(&document, "verify_seconds", session->verify_seconds);
    ordo_json_put(&document, "models", models);
    return ordo_json_write(&document, stdout);
}

static int report_sync(struct mpi_session *session, const struct options *options, const char *program)
{
    int64_t now_ns = ordo_mpi_local_ns(session->clock);
    bool json = options->json;
    struct synchronised own = {.model = session->clock->model,
                               .now = ordo_mpi_at(session->clock, now_ns),
                               .later = ordo_mpi_at(session->clock, now_ns + LATER_S * INT64_C(1000000000)),
                               .wander = ordo_mpi_wander(session->clock)};
    struct synchronised *all = calloc((size_t)session->size, sizeof own);
    int failed = 0;
    struct ordo_mpi_watch *watch = mpi_cli_watch();
    struct ordo_error error = {.text = "out of memory"};
    mpi_cli_must(all ? ORDO_OK : ORDO_E_SYSTEM, &error);
    all[session->rank] = own;
    mpi_cli_must(ORDO_MPI_WAIT(watch, &error, MPI_Igather, session->rank ? &all[session->rank] : MPI_IN_PLACE,
                               sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, 0, watch->comm),
                 &error);
    if (session->rank == 0 && json)
        failed = print_sync_json(session, all);
    else if (session->rank == 0)
        print_sync(session, all);
    free(all);
    return failed ? cli_fail_output(program) : cli_close_stdout(program);
}

static int synchronise_again(struct mpi_session *session, const struct options *options, const char *program)
{
    struct progress progress;
    mpi_session_progress(session, &progress);
    mpi_cli_wait(ordo_raw_ns(), options->resync_s, options->resync_s, &progress);
    progress_end(&progress);
    return mpi_session_synchronise(session, &options->session.levels.algorithms[0], program);
}

static int work(struct mpi_session *session, const void *own, const char *program)
{
    const struct options *options = own;
    int code = options->resync_s > 0 ? synchronise_again(session, options, program) : EXIT_OK;
    return code ? code : report_sync(session, options, program);
}

static bool print_list(const void *options)
{
    if (!((const struct options *)options)->list)
        return false;
    for (const struct ordo_sync_algorithm *const *at = ordo_sync_algorithms; *at; at++)
        printf("%-10s %s\n", (*at)->name, (*at)->title);
    for (const struct ordo_offset_estimator *const *at = ordo_offset_estimators; *at; at++)
        printf("offset=%-10s %s\n", (*at)->name, (*at)->title);
    return true;
}

static int run_sync(int argc, char **argv)
{
    static const struct cli_table table = {
        "Synchronises the clocks of all ranks with that of rank 0.\vPropagation (prop) is used only if verification "
        "passed in this run. Exit status: 0 synchronised; 1 the clock is proved not to be common, or contradicts the "
        "declared limits; 2 inconclusive; 64 usage; 70 internal.",
        parts};
    static const struct mpi_session_command command = {.table = &table, .ends_early = print_list, .work = work};
    struct options options = {.session = mpi_session_defaults()};
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_sync = {
    .name = "sync",
    .title = "synchronise the clocks of all ranks",
    .schema = "ordo-sync/1",
    .run = run_sync,
};
