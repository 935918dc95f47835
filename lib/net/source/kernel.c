/* The kernel's own statement about CLOCK_REALTIME (adjtimex(2)): the largest error, which grows by 500 ppm until a daemon
 * sets it anew, and stops at 16 s. A daemon that died leaves a growing bound behind, and a clock that the kernel still
 * calls synchronised. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/timex.h>

#include "net/source/source.h"

static enum ordo_source_leap leap_of(int state)
{
    switch (state) {
    case TIME_OK:
        return ORDO_SOURCE_LEAP_NONE;
    case TIME_INS:
        return ORDO_SOURCE_LEAP_ADD;
    case TIME_DEL:
        return ORDO_SOURCE_LEAP_DELETE;
    default:
        return ORDO_SOURCE_LEAP_UNKNOWN;
    }
}

/* The part of the last correction that is still to be slewed away is a known error, in addition to `maxerror`. */
static int read_kernel(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                       struct ordo_error *error)
{
    struct timex answer = {.modes = 0};
    int state = adjtimex(&answer);
    (void)options;
    if (state < 0)
        return ordo_error_errno(error, "adjtimex");
    bool nano = answer.status & STA_NANO;
    int64_t offset_ns = (int64_t)answer.offset * (nano ? 1 : 1000);
    int64_t now_ns = (int64_t)answer.time.tv_sec * 1000000000 + (int64_t)answer.time.tv_usec * (nano ? 1 : 1000);
    int64_t bound_ns = (int64_t)answer.maxerror * 1000 + llabs(offset_ns);
    *claim = (struct ordo_source_claim){.clock = ORDO_SOURCE_REALTIME,
                                        .reading = (uint64_t)now_ns,
                                        .earliest_ns = now_ns - bound_ns,
                                        .latest_ns = now_ns + bound_ns + (nano ? 0 : 1000),
                                        .void_after_raw_ns = INT64_MAX,
                                        .age_ns = -1,
                                        .widen_ppb = 500000,
                                        .leap = leap_of(state),
                                        .knows_tai = answer.tai != 0,
                                        .tai_s = answer.tai};
    claim->state = state == TIME_ERROR || (answer.status & STA_UNSYNC) ? ORDO_SOURCE_UNKNOWN : ORDO_SOURCE_SYNCHRONISED;
    (void)snprintf(claim->evidence, sizeof claim->evidence, "maxerror %ld us, offset %lld ns, status 0x%x",
                   (long)answer.maxerror, (long long)offset_ns, (unsigned)answer.status);
    return ORDO_OK;
}

const struct ordo_source ordo_source_kernel = {
    .name = "kernel",
    .title = "the kernel's largest error of CLOCK_REALTIME (adjtimex)",
    .read = read_kernel,
};
