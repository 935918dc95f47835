#include "net/referee/view.h"

#include <math.h>

static const int64_t most_ns = INT64_C(1) << 61; /* sums of two such numbers do not overflow */

static int64_t clip_ns(int64_t ns)
{
    return ordo_min(ordo_max(ns, -most_ns), most_ns);
}

/* Returns by how much a clock may have left another one between two readings, rounded up. */
static int64_t drift_ns(const struct ordo_net_bench *bench, int64_t from_ns, int64_t to_ns)
{
    double apart_ns = fabs((double)to_ns - (double)from_ns);
    uint64_t exact_ns = from_ns < to_ns ? (uint64_t)to_ns - (uint64_t)from_ns : (uint64_t)from_ns - (uint64_t)to_ns;
    double drift = bench->rate * (apart_ns < 1e15 ? (double)exact_ns : apart_ns);
    return drift < 1e18 ? (int64_t)ceil(drift) + 1 : most_ns;
}

struct ordo_interval ordo_net_view_of(const struct ordo_net_bench *bench, const struct ordo_net_case *one)
{
    const struct ordo_net_proof *proof = &bench->proof[one->host];
    if (!proof->proved)
        return (struct ordo_interval){INT64_MIN, INT64_MAX};
    int64_t low_ns = clip_ns(proof->offset_ns.low), high_ns = clip_ns(proof->offset_ns.high);
    int64_t at_ns = clip_ns(bench->at_ns), reading_ns = clip_ns(one->reading_ns);
    int64_t wide_ns = bench->stamp_ns + ordo_max(drift_ns(bench, reading_ns, clip_ns(at_ns + low_ns)),
                                                 drift_ns(bench, reading_ns, clip_ns(at_ns + high_ns)));
    return (struct ordo_interval){clip_ns(clip_ns(one->utc_ns.low) + low_ns) - wide_ns,
                                  clip_ns(clip_ns(one->utc_ns.high) + high_ns) + wide_ns};
}

int64_t ordo_net_view_gap(const struct ordo_net_bench *bench, const struct ordo_net_case *a,
                          const struct ordo_net_case *b)
{
    int64_t wide_ns = drift_ns(bench, clip_ns(a->reading_ns), clip_ns(b->reading_ns)) + bench->stamp_ns;
    int64_t above_ns = clip_ns(a->utc_ns.low) - clip_ns(b->utc_ns.high);
    int64_t below_ns = clip_ns(b->utc_ns.low) - clip_ns(a->utc_ns.high);
    return ordo_max(above_ns, below_ns) - wide_ns;
}
