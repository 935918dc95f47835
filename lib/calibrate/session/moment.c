#include "calibrate/session/moment.h"

#include <math.h>
#include <string.h>

#include "base/gang.h"

/* If sources disagree by more than this, there is only a warning, because only the display in nanoseconds depends on
 * the rate. */
#define RATE_TOLERANCE 100e-6

/* The largest rate by which a time server may slew a clock. */
#define SLEW_TOLERANCE 500e-6

static int pin_moment(void *context, int index, struct ordo_error *error)
{
    struct ordo_session_moment *moment = context;
    (void)index;
    return ordo_topology_pin(moment->topology, moment->cpu, error);
}

static int read_moment(void *context, int index, struct ordo_error *error)
{
    struct ordo_session_moment *moment = context;
    (void)index;
    int code = ordo_granule_measure_by(moment->clock, &moment->granule, error);
    if (code)
        return code;
    for (int i = 0; i < moment->source_count; i++)
        moment->brackets[i] = ordo_bracket_take_by(moment->clock, moment->sources[i]);
    if (ordo_moment_take_by(moment->clock, &moment->clocks) != 0)
        return ordo_error_errno(error, "/proc/uptime");
    return ordo_topology_check_pinned(moment->topology, moment->cpu, error);
}

int ordo_session_moment_take(struct ordo_session_moment *moment, struct ordo_error *error)
{
    return ordo_gang_run(1, pin_moment, read_moment, moment, error);
}

static void add_rate(struct ordo_calibration *result, const char *source, double low_hz, double high_hz)
{
    if (result->rate_count == ORDO_RATES)
        return;
    struct ordo_rate *rate = &result->rates[result->rate_count++];
    (void)snprintf(rate->source, sizeof rate->source, "%s", source);
    rate->low_hz = low_hz;
    rate->high_hz = high_hz;
    double apart = low_hz > result->tick_hz    ? low_hz - result->tick_hz
                   : high_hz < result->tick_hz ? high_hz - result->tick_hz
                                               : 0;
    if (strcmp(source, "processor") != 0 && fabs(apart) <= SLEW_TOLERANCE * result->tick_hz)
        result->agreeing_rates++;
    if (fabs(apart) > RATE_TOLERANCE * result->tick_hz)
        ordo_calibration_warn(
            result,
            "tick rate: %s disagrees with monotonic_raw by %.0f ppm (nanoseconds are by monotonic_raw; ordering needs "
            "neither)",
            source, apart / result->tick_hz * 1e6);
}

int ordo_session_rates(struct ordo_calibration *result, const struct ordo_session_moment *first,
                       const struct ordo_session_moment *last, double nominal_hz, struct ordo_error *error)
{
    for (int i = 0; i < last->source_count; i++) {
        const struct ordo_clock_source *source = last->sources[i];
        double low_hz, high_hz;
        if (!last->brackets[i].units)
            continue;
        ordo_bracket_rate(&first->brackets[i], &last->brackets[i], source->unit_hz, &low_hz, &high_hz);
        if (strcmp(source->name, "monotonic_raw") == 0)
            result->tick_hz = (low_hz + high_hz) / 2;
        if (result->tick_hz > 0)
            add_rate(result, source->name, low_hz, high_hz);
    }
    if (!(result->tick_hz >= 1 && last->clocks.raw_ns >= 0))
        return ordo_error_set(
            error, ORDO_E_MEASURE, 0,
            "monotonic_raw: this process cannot read it (a sandbox?), so the clock's rate is not known");
    if (result->clock == ORDO_CLOCK_MONOTONIC)
        result->tick_hz = 1e9; /* by definition; monotonic_raw is not steered like the kernel's clock */
    if (nominal_hz > 0)
        add_rate(result, "processor", nominal_hz, nominal_hz);
    return ORDO_OK;
}

void ordo_session_note_rate(struct ordo_calibration *result, const struct ordo_session_moment *first,
                            const struct ordo_session_moment *last)
{
    double low_hz, high_hz;
    if (last->source_count == 0 || last->brackets[0].units <= first->brackets[0].units)
        return;
    ordo_bracket_rate(&first->brackets[0], &last->brackets[0], last->sources[0]->unit_hz, &low_hz, &high_hz);
    bool is_first = result->steady_high_hz == 0;
    result->steady_low_hz = is_first ? low_hz : fmax(result->steady_low_hz, low_hz);
    result->steady_high_hz = is_first ? high_hz : fmin(result->steady_high_hz, high_hz);
}
