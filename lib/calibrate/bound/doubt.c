/* Checks whether a boundary comes from a disturbed measurement. */
#include <inttypes.h>
#include <stdbool.h>

#include "calibrate/bound/boundary.h"
#include "machine/topology/topology.h"

/* A delta is a latency plus a skew. If nothing disturbs the exchanges, the minima of a direction differ between sweeps
 * by less than a latency. If minima differ by nine latencies (for example, if they are one latency and ten latencies:
 * gate.h, G4), a sweep was disturbed or a clock stepped. */
enum { DISTURBED_LATENCIES = 9 };

/* CPUs of one package exchange a cache line in much less than 1 us, so a bound of 10 us comes from interruptions. */
enum { MOST_NS_IN_A_PACKAGE = 10000 };

#define REMEDY "measure again on an idle machine and with more --runs, or accept it with --force"

struct span {
    int64_t least, most;
};

static struct span span_with(struct span span, int64_t value)
{
    return (struct span){ordo_min(span.least, value), ordo_max(span.most, value)};
}

static int refuse_direction(const struct ordo_calibration *calibration, int from, int to, struct span delta,
                            int64_t latency, struct ordo_error *error)
{
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "cpu %u to cpu %u: at best %" PRId64 " ticks at one time and %" PRId64
                          " at another, where a message takes %" PRId64 ": " REMEDY,
                          calibration->cpus[from], calibration->cpus[to], delta.least, delta.most, latency);
}

static int check_pair(const struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps, int a,
                      int b, struct ordo_error *error)
{
    size_t n = (size_t)calibration->count, at = (size_t)a * n + (size_t)b;
    struct span ab = {INT64_MAX, INT64_MIN}, ba = ab, round_trip = ab;
    for (int k = 0; k < sweeps; k++) {
        const struct ordo_visit *visit = &visits[(size_t)k * n * n + at];
        ab = span_with(span_with(ab, visit->delta_ab), ordo_max(visit->delta_ab, visit->ceiling_ab));
        ba = span_with(span_with(ba, visit->delta_ba), ordo_max(visit->delta_ba, visit->ceiling_ba));
        round_trip = span_with(round_trip, visit->delta_ab + visit->delta_ba);
    }
    int64_t latency = ordo_max(round_trip.least / 2, (int64_t)calibration->granule_ticks);
    if (ab.most - ab.least > DISTURBED_LATENCIES * latency)
        return refuse_direction(calibration, a, b, ab, latency, error);
    if (ba.most - ba.least > DISTURBED_LATENCIES * latency)
        return refuse_direction(calibration, b, a, ba, latency, error);
    return ORDO_OK;
}

static bool in_one_package(const struct ordo_calibration *calibration)
{
    for (int i = 0; i < calibration->count * calibration->count; i++)
        if (calibration->share[i] > ORDO_DISTANCE_PACKAGE)
            return false;
    return calibration->count > 1;
}

int ordo_boundary_doubt(const struct ordo_calibration *calibration, const struct ordo_visit *visits, int sweeps,
                        struct ordo_error *error)
{
    for (int a = 0; a < calibration->count; a++)
        for (int b = a + 1; b < calibration->count; b++) {
            int code = check_pair(calibration, visits, sweeps, a, b, error);
            if (code)
                return code;
        }
    uint64_t measured = calibration->boundary_ticks - calibration->margin_ticks;
    double measured_ns = ordo_calibration_ns(calibration, (int64_t)measured);
    if (!in_one_package(calibration) || measured_ns <= MOST_NS_IN_A_PACKAGE)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "boundary: %" PRIu64
                          " ticks (%.1f us), but all CPUs are in one package, where no message takes "
                          "%d us: " REMEDY,
                          measured, measured_ns / 1e3, MOST_NS_IN_A_PACKAGE / 1000);
}
