/* The functions with which an embedding program reads a result. */
#include <limits.h>

#include "calibrate/record/calibration.h"
#include "calibrate/record/publish.h"
#include "machine/topology/topology.h"

int ordo_calibration_publish(struct ordo_calibration *result, const char *path, struct ordo_error *error)
{
    char place[PATH_MAX], own[PATH_MAX];
    if (!result)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "ordo_calibration_publish: there is no result");
    int code = path ? ORDO_OK : ordo_record_default_path(place, sizeof place, error);
    if (!code)
        code = ordo_record_path_of(result->clock, path ? path : place, own, sizeof own, error);
    return code ? code : ordo_record_publish(own, result, NULL, error);
}

uint64_t ordo_calibration_boundary_ticks(const struct ordo_calibration *result)
{
    return result->boundary_ticks;
}

double ordo_calibration_boundary_ns(const struct ordo_calibration *result)
{
    return ordo_calibration_ns(result, (int64_t)result->boundary_ticks);
}

double ordo_calibration_tick_hz(const struct ordo_calibration *result)
{
    return result->tick_hz;
}

uint64_t ordo_calibration_granule_ticks(const struct ordo_calibration *result)
{
    return result->granule_ticks;
}

uint64_t ordo_calibration_margin_ticks(const struct ordo_calibration *result)
{
    return result->margin_ticks;
}

int ordo_calibration_trust(const struct ordo_calibration *result)
{
    return result->trust;
}

const char *ordo_calibration_trust_reason(const struct ordo_calibration *result)
{
    return result->trust_reason;
}

int ordo_calibration_forced(const struct ordo_calibration *result)
{
    return result->forced;
}

uint64_t ordo_calibration_generation(const struct ordo_calibration *result)
{
    return result->generation;
}

int ordo_calibration_cpus(const struct ordo_calibration *result)
{
    return result->count;
}

long ordo_calibration_cpu(const struct ordo_calibration *result, int index)
{
    return index >= 0 && index < result->count ? (long)result->cpus[index] : -1;
}

int ordo_calibration_pairs(const struct ordo_calibration *result)
{
    return result->count * (result->count - 1) / 2;
}

int ordo_calibration_pair(const struct ordo_calibration *result, int index, struct ordo_calibrated_pair *pair)
{
    int n = result->count, a = 0, left = index;
    if (index < 0 || index >= ordo_calibration_pairs(result))
        return ORDO_E_INVALID;
    for (; left >= n - 1 - a; a++)
        left -= n - 1 - a;
    int b = a + 1 + left, there = a * n + b, back = b * n + a;
    *pair = (struct ordo_calibrated_pair){
        .a = result->cpus[a],
        .b = result->cpus[b],
        .share = ordo_distance_word((enum ordo_distance)result->share[there]),
        .delta_ab_ticks = result->delta_ticks[there],
        .delta_ba_ticks = result->delta_ticks[back],
        .offset_low_ticks = result->offset_ticks[there].low,
        .offset_high_ticks = result->offset_ticks[there].high,
    };
    return ORDO_OK;
}

const char *ordo_calibration_warning(const struct ordo_calibration *result, int index)
{
    return index >= 0 && index < result->warning_count ? result->warnings[index] : NULL;
}
