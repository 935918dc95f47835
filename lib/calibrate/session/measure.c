#include "calibrate/session/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "calibrate/bound/boundary.h"
#include "calibrate/measure/sweep.h"
#include "calibrate/session/gate.h"
#include "calibrate/session/moment.h"
#include "calibrate/session/refuted.h"

/* Two constants for the progress: the duration of the last visit to a pair, as a share of an ordinary visit's; and the
 * number of pairs up to which the last visits are too short to be shown. */
#define LAST_LOOK_SHARE 0.01
enum { FEW_PAIRS = 1000 };

/* One measurement: its options, its machine, and the parts of its result. */
struct session {
    const struct ordo_calibrate_options *options;
    const struct ordo_topology *topology;
    struct ordo_calibration *result;
    int pairs, pairs_before; /* number of pairs of one sweep; of all finished sweeps */
    int attempt, sweep;
    bool implausible; /* the measurement failed because its result is implausible */
};

/* Reports that the measurement could not be made, which is no verdict on the clocks. */
static int could_not(int code, struct ordo_error *error)
{
    if (code == ORDO_E_CANCELLED)
        return code;
    return error->code = ORDO_E_MEASURE;
}

/* Reports the progress: `pairs_done` of the current sweep, or the equivalent of the last visits. */
static int tell_progress(const struct session *session, double pairs_done)
{
    const struct ordo_calibrate_options *options = session->options;
    double last_look = session->pairs > FEW_PAIRS ? LAST_LOOK_SHARE : 0,
           total = session->pairs * (options->sweeps + last_look);
    struct ordo_calibrate_progress progress = {.share = fmin(1, (session->pairs_before + pairs_done) / total),
                                               .sweep = session->sweep,
                                               .sweeps = options->sweeps,
                                               .attempt = session->attempt,
                                               .attempts = ORDO_SESSION_ATTEMPTS};
    return options->progress ? options->progress(options->progress_context, &progress) : 0;
}

static int on_pairs_done(void *context, int pairs_done)
{
    return tell_progress(context, pairs_done);
}

static int on_last_look(void *context, int pairs_done)
{
    return tell_progress(context, LAST_LOOK_SHARE * pairs_done);
}

static bool is_gated(const struct session *session)
{
    return session->result->trust == ORDO_TRUST_MEASURED && session->result->repeats >= ORDO_GATE_SWEEPS;
}

/* Pauses before a sweep. A pause that is longer than usual is divided into pieces, so that a caller can cancel it. */
static int pause_before_sweep(struct session *session, struct ordo_error *error)
{
    uint64_t left_ns = ordo_record_clock_is_kernels(session->result->clock) ? ORDO_SESSION_KERNEL_GAP_NS
                       : is_gated(session) ? ordo_gate_pause_ns(session->options->sweeps, ORDO_SESSION_GAP_NS)
                                           : ORDO_SESSION_GAP_NS;
    while (left_ns > ORDO_SESSION_GAP_NS) {
        ordo_sleep_ns(ORDO_SESSION_GAP_NS);
        left_ns -= ORDO_SESSION_GAP_NS;
        if (on_pairs_done(session, 0))
            return ordo_error_set(error, ORDO_E_CANCELLED, 0, "calibration: cancelled between two sweeps");
    }
    ordo_sleep_ns(left_ns);
    return ORDO_OK;
}

/* Notes the rate since the moment `*before`, and sets `*before` to the current moment. */
static int note_rate(struct session *session, struct ordo_session_moment *before, struct ordo_error *error)
{
    struct ordo_session_moment now = *before;
    int code = ordo_session_moment_take(&now, error);
    if (!code)
        ordo_session_note_rate(session->result, before, &now);
    *before = now;
    return code;
}

/* Makes all sweeps, with a pause before each sweep but the first. The runs are divided among the sweeps; the first
 * sweep gets the remainder. */
static int sweep_repeatedly(struct session *session, const struct ordo_session_moment *first, struct ordo_error *error)
{
    struct ordo_session_moment before = *first;
    struct ordo_calibration *result = session->result;
    const struct ordo_calibrate_options *options = session->options;
    struct ordo_sweep sweep = {.topology = session->topology,
                               .cpus = result->cpus,
                               .count = result->count,
                               .runs = {.settle = options->settle},
                               .clock = result->clock,
                               .parallel = options->parallel != 0,
                               .progress = on_pairs_done,
                               .progress_context = session};
    uint64_t sweeps = (uint64_t)options->sweeps, fewest = 0;
    size_t stride = (size_t)result->count * (size_t)result->count;
    int code = ORDO_OK;
    for (uint64_t k = 0; k < sweeps && !code; k++) {
        uint64_t fewest_here = UINT64_MAX;
        if (k > 0)
            code = pause_before_sweep(session, error);
        if (k > 0 && !code && is_gated(session))
            code = note_rate(session, &before, error);
        if (code)
            break;
        session->sweep = (int)k + 1;
        sweep.runs.runs = options->runs / sweeps + (k == 0 ? options->runs % sweeps : 0);
        code = ordo_sweep_all(&sweep, result->visits + k * stride, &fewest_here, error);
        session->pairs_before += session->pairs;
        fewest += fewest_here;
    }
    result->fewest_runs = session->pairs > 0 ? fewest : 0;
    return code;
}

/* Measures each pair once more, briefly, as the last measurement of all. Otherwise a clock could step after the last
 * sweep, during the last reading of the rates, which takes milliseconds. The published boundary would then be smaller
 * than the step. The additional visits are merged into the last visit of each pair, so such a step is either covered by
 * the boundary or refused. Only a step during these visits themselves can remain undetected. */
static int look_again(struct session *session, struct ordo_error *error)
{
    struct ordo_calibration *result = session->result;
    size_t stride = (size_t)result->count * (size_t)result->count;
    struct ordo_visit *visits = calloc(stride, sizeof *visits),
                      *last = result->visits + stride * (size_t)(result->repeats - 1);
    struct ordo_sweep sweep = {.topology = session->topology,
                               .cpus = result->cpus,
                               .count = result->count,
                               .runs = {.runs = ORDO_SESSION_LAST_RUNS},
                               .clock = result->clock,
                               .parallel = session->options->parallel != 0,
                               .progress = session->pairs > FEW_PAIRS ? on_last_look : NULL,
                               .progress_context = session};
    uint64_t fewest = UINT64_MAX;
    int code = visits ? ordo_sweep_all(&sweep, visits, &fewest, error) : ordo_error_errno(error, "calibration");
    for (int a = 0; a < result->count && !code; a++)
        for (int b = a + 1; b < result->count; b++)
            ordo_visit_merge(&last[a * result->count + b], &visits[a * result->count + b]);
    free(visits);
    return code;
}

/* Refuses a boundary that probably shows a disturbance, and a clock of the class `measured` that fails its gates. If
 * the option `force` is set, only adds a warning and marks the result as forced. */
static int check_doubt(struct session *session, struct ordo_error *error)
{
    struct ordo_calibration *result = session->result;
    int code = ordo_boundary_doubt(result, result->visits, result->repeats, error);
    if (!code && result->trust == ORDO_TRUST_MEASURED)
        code = ordo_gate_check(result, error);
    session->implausible = code == ORDO_E_MEASURE && !session->options->force;
    if (!code || !session->options->force)
        return code;
    ordo_calibration_warn(result, "%s", error->text);
    result->forced = true;
    return ORDO_OK;
}

static void take_granule(struct ordo_calibration *result, const struct ordo_granule *first,
                         const struct ordo_granule *last)
{
    result->granule_ticks = (uint64_t)(first->ticks > last->ticks ? first->ticks : last->ticks);
    result->step_ticks = (uint64_t)(first->step_ticks > last->step_ticks ? first->step_ticks : last->step_ticks);
    result->coarse = first->coarse || last->coarse;
}

static void take_age(struct ordo_calibration *result, int valid_days, const struct ordo_record_moment *clocks)
{
    result->as_of_ns = (uint64_t)clocks->uptime_ns;
    result->as_of_ticks = clocks->before_ticks;
    result->as_of_raw_ns = (uint64_t)clocks->raw_ns;
    result->suspended_ns = (uint64_t)clocks->suspended_low_ns;
    result->void_after_ns = result->as_of_ns + (uint64_t)valid_days * 86400u * 1000000000u;
}

/* Makes all measurements, without judging them. */
static int observe(struct session *session, struct ordo_session_moment *first, struct ordo_session_moment *last,
                   struct ordo_error *error)
{
    first->topology = session->topology;
    bool kernels = ordo_record_clock_is_kernels(session->result->clock); /* its rate is known: monotonic_raw suffices */
    first->clock = session->result->clock;
    first->cpu = session->result->cpus[0];
    first->source_count = ordo_rate_sources(ordo_clock_sources, first->sources, kernels ? 1 : ORDO_RATES);
    *last = *first;
    int code = ordo_session_moment_take(first, error);
    if (!code)
        code = sweep_repeatedly(session, first, error);
    if (!code)
        code = ordo_session_moment_take(last, error);
    if (!code)
        code = ordo_session_rates(session->result, first, last, kernels ? 0 : session->result->nominal_hz, error);
    if (!code)
        code = look_again(session, error);
    return code ? could_not(code, error) : ORDO_OK;
}

static int conclude_session(struct session *session, const struct ordo_session_moment *first,
                            const struct ordo_session_moment *last, struct ordo_error *error)
{
    struct ordo_calibration *result = session->result;
    take_granule(result, &first->granule, &last->granule);
    take_age(result, session->options->valid_days, &first->clocks);
    result->margin_ticks += (uint64_t)ceil((double)session->options->margin_ns * result->tick_hz / 1e9);
    result->seconds = (double)(last->clocks.before_ticks - first->clocks.before_ticks) / result->tick_hz;
    int code = ordo_boundary_compute(result, result->visits, result->repeats, error);
    return code ? code : check_doubt(session, error);
}

int ordo_session_measure(const struct ordo_calibrate_options *options, const struct ordo_topology *topology,
                         int attempt, struct ordo_calibration *result, bool *implausible, struct ordo_error *error)
{
    struct session session = {.options = options,
                              .topology = topology,
                              .result = result,
                              .pairs = result->count * (result->count - 1) / 2,
                              .attempt = attempt};
    struct ordo_session_moment first = {0}, last;
    *implausible = false;
    result->visits =
        calloc((size_t)result->repeats * (size_t)result->count * (size_t)result->count, sizeof *result->visits);
    if (!result->visits)
        return ordo_error_errno(error, "calibration");
    int code = observe(&session, &first, &last, error);
    if (!code && (code = conclude_session(&session, &first, &last, error)) != ORDO_OK)
        ordo_session_mark_refuted(options, result, error);
    *implausible = session.implausible;
    return code;
}
