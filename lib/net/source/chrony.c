/* chronyd's statement about CLOCK_REALTIME, by `chronyc -c tracking`. The manual (chronyc(1), "tracking") bounds the error
 * by |system time| + root dispersion + root delay / 2, if the reference of the lowest stratum is right. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/output.h"
#include "base/time.h"
#include "machine/comparison/discipline.h"
#include "net/source/source.h"

static const double most_s = 1e6;

static enum ordo_source_leap leap_of_chrony(const char *leap)
{
    return strcmp(leap, "Normal") == 0          ? ORDO_SOURCE_LEAP_NONE
           : strcmp(leap, "Insert second") == 0 ? ORDO_SOURCE_LEAP_ADD
           : strcmp(leap, "Delete second") == 0 ? ORDO_SOURCE_LEAP_DELETE
                                                : ORDO_SOURCE_LEAP_UNKNOWN;
}

/* Asks chronyd at its socket `path` or, without a path, where chronyc finds it. */
static int ask_chrony(const struct ordo_source_options *options, struct ordo_chrony *chrony, struct ordo_error *error)
{
    const char *const anywhere[] = {"chronyc", "-c", "-n", "tracking", NULL};
    const char *const there[] = {"chronyc", "-h", options->path, "-c", "-n", "tracking", NULL};
    char text[4096];
    int64_t patience_ns = options->patience_ns ? options->patience_ns : 1000000000;
    if (ordo_output_of(options->path ? there : anywhere, patience_ns, text, sizeof text) <= 0)
        return ordo_error_set(error, ORDO_E_MISSING, 0,
                              "chrony: chronyc gave no answer: chronyd does not run here, or chronyc is not installed");
    if (!ordo_chrony_parse(text, chrony))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "chrony: the answer of 'chronyc -c tracking' has not 14 fields: use chrony 2 or newer");
    return ORDO_OK;
}

static int read_chrony(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                       struct ordo_error *error)
{
    struct ordo_chrony chrony;
    int code = ask_chrony(options, &chrony, error);
    if (code)
        return code;
    int64_t now_ns = ordo_time_ns(CLOCK_REALTIME);
    double bound_s = fabs(chrony.system_offset_s) + chrony.root_dispersion_s + chrony.root_delay_s / 2;
    if (!(bound_s >= 0 && bound_s < most_s))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "chrony: its error of %g s is out of range", bound_s);
    int64_t bound_ns = (int64_t)ceil(bound_s * 1e9);
    *claim = (struct ordo_source_claim){.clock = ORDO_SOURCE_REALTIME,
                                        .reading = (uint64_t)now_ns,
                                        .earliest_ns = now_ns - bound_ns,
                                        .latest_ns = now_ns + bound_ns,
                                        .void_after_raw_ns = INT64_MAX,
                                        .age_ns = now_ns - (int64_t)(chrony.reference_s * 1e9),
                                        .widen_ppb = chrony.skew_ppm * 1000,
                                        .leap = leap_of_chrony(chrony.leap)};
    claim->age_ns = claim->age_ns < 0 || chrony.reference_s <= 0 ? -1 : claim->age_ns;
    claim->state =
        claim->leap == ORDO_SOURCE_LEAP_UNKNOWN || chrony.stratum == 0 ? ORDO_SOURCE_UNKNOWN : ORDO_SOURCE_SYNCHRONISED;
    (void)snprintf(claim->evidence, sizeof claim->evidence,
                   "system time %.9f s, root delay %.9f s, root dispersion %.9f s, skew %.3f ppm, stratum %d, leap %s",
                   chrony.system_offset_s, chrony.root_delay_s, chrony.root_dispersion_s, chrony.skew_ppm,
                   chrony.stratum, chrony.leap);
    return ORDO_OK;
}

const struct ordo_source ordo_source_chrony = {
    .name = "chrony",
    .title = "chronyd, by 'chronyc -c tracking'",
    .waits = true,
    .read = read_chrony,
};
