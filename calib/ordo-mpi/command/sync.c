/* ordo-mpi sync: synchronises, and says how well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/quantile.h"
#include "calibrate/report/json.h"
#include "cluster/report/words.h"
#include "ordo-mpi/session.h"

struct options {
    struct mpi_session_options session;
    double resync_s; /* 0: synchronise once */
    bool json, list;
};

enum { RESYNC = 1, JSON, LIST };

static const struct argp_option argp_options[] = {
    {"resync", RESYNC, "S", 0,
     "Synchronise twice, S seconds apart: bounds are narrower then, and the wander between is told", 0},
    {"json", JSON, NULL, 0, "Print the models as JSON (schema ordo-sync/1)", 0},
    {"list", LIST, NULL, 0, "List algorithms and offset estimators", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case RESYNC:
        options->resync_s = cli_real(state, "--resync", argument, 0, MPI_MOST_SECONDS);
        return 0;
    case JSON:
        options->json = true;
        return 0;
    case LIST:
        options->list = true;
        return 0;
    default:
        return mpi_session_parse(key, state);
    }
}

/* What a rank tells rank 0. */
struct synchronised {
    struct ordo_model model;
    struct ordo_global_time now, later; /* at once, and LATER_S after */
    struct ordo_global_wander wander;
};

enum { LATER_S = 10 };

static int64_t half_width_ns(struct ordo_global_time time)
{
    int64_t before = time.estimate_ns - time.earliest_ns, after = time.latest_ns - time.estimate_ns;
    return before > after ? before : after;
}

/* Of the ranks but rank 0, whose own clock is exact, unless there is no other. */
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

/* Of the rank where it seems to be largest. */
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

static void print_text(const struct mpi_session *session, const struct synchronised *all)
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

static json_t *number_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *wander_of(const struct ordo_global_wander *wander)
{
    if (!wander->within_ns)
        return json_null();
    return json_pack("{s:f, s:f, s:[f, f]}", "within_s", (double)wander->within_ns / 1e9, "estimate_ppb",
                     wander->estimate_ppb, "interval_ppb", wander->least_ppb, wander->most_ppb);
}

static json_t *model_of(const struct synchronised *one, int rank)
{
    const struct ordo_model *model = &one->model;
    struct ordo_rates drift = ordo_model_drift(model);
    json_t *object = json_object();
    json_object_set_new(object, "rank", json_integer(rank));
    json_object_set_new(object, "ref_ns", json_integer(model->ref_ns));
    json_object_set_new(object, "offset_ns", json_integer(model->offset_ns));
    json_object_set_new(object, "offset_interval_ns",
                        json_pack("[I, I]", (json_int_t)model->low_ns, (json_int_t)model->high_ns));
    json_object_set_new(object, "slope_ppb", json_real(model->slope * 1e9));
    json_object_set_new(
        object, "slope_interval_ppb",
        json_pack("[o, o]", number_or_null(model->slope_low * 1e9), number_or_null(model->slope_high * 1e9)));
    json_object_set_new(object, "offset_only", json_boolean(model->slope == 0));
    json_object_set_new(object, "drift_ppb", json_pack("[f, f]", drift.least * 1e9, drift.most * 1e9));
    json_object_set_new(object, "bound_ns", json_integer(half_width_ns(one->now)));
    json_object_set_new(object, "bound_after_10_s_ns", json_integer(half_width_ns(one->later)));
    json_object_set_new(object, "wander", wander_of(&one->wander));
    return object;
}

static int print_json(const struct mpi_session *session, const struct synchronised *all)
{
    char algorithm[96];
    const struct ordo_sync_options *sync = &session->options->levels.algorithms[0];
    json_t *document = ordo_json_document("ordo-sync/1"), *models = json_array();
    for (int i = 0; i < session->size; i++)
        json_array_append_new(models, model_of(&all[i], i));
    int failed =
        json_object_set_new(document, "algorithm", json_string(mpi_session_algorithm(sync, algorithm))) |
        json_object_set_new(document, "clock", json_string(session->options->source->name)) |
        json_object_set_new(document, "verified", json_boolean(session->verified)) |
        json_object_set_new(document, "bounds", json_string(session->assumed ? "assumed" : "proved")) |
        json_object_set_new(document, "max_wander_ppb", json_real(sync->max_wander_ppb)) |
        json_object_set_new(document, "late_wander_ppb", json_real(fmax(sync->max_wander_ppb, sync->late_wander_ppb))) |
        json_object_set_new(document, "sync_seconds", json_real(session->sync_seconds)) |
        json_object_set_new(document, "verify_seconds", json_real(session->verify_seconds)) |
        json_object_set_new(document, "models", models);
    if (failed) {
        json_decref(document);
        return -1;
    }
    return ordo_json_write(document, stdout);
}

static int report(struct mpi_session *session, const struct options *options, const char *program)
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
        failed = print_json(session, all);
    else if (session->rank == 0)
        print_text(session, all);
    free(all);
    return failed ? cli_fail(EXIT_INTERNAL, program, "out of memory, or stdout cannot be written")
                  : cli_close_stdout(program);
}

static int synchronise_again(struct mpi_session *session, const struct options *options, const char *program)
{
    struct progress progress;
    mpi_session_progress(session, &progress);
    mpi_cli_wait(mpi_cli_now_ns(), options->resync_s, options->resync_s, &progress);
    progress_end(&progress);
    return mpi_session_synchronise(session, &options->session.levels.algorithms[0], program);
}

static int work(struct mpi_session *session, const void *own, const char *program)
{
    const struct options *options = own;
    int code = options->resync_s > 0 ? synchronise_again(session, options, program) : EXIT_OK;
    return code ? code : report(session, options, program);
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

static int run(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse,
        NULL,
        "Synchronises the clocks of all ranks with that of rank 0.\v"
        "Propagation (prop) takes place only where verification passed in this run. Exit "
        "status: 0 synchronised; 1 the clock is proved not to be common, or contradicts what "
        "was declared; 2 it could not be told; 64 usage; 70 internal.",
        mpi_session_children,
        NULL,
        NULL};
    static const struct mpi_session_command command = {.argp = &argp, .ends_early = print_list, .work = work};
    struct options options = {.session = mpi_session_defaults()};
    return mpi_session_run(&command, argc, argv, &options);
}

const struct command command_mpi_sync = {"sync", "synchronise the clocks of all ranks", "ordo-sync/1", run};
