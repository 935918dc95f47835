#include "net/log/track.h"

#include <math.h>

static void widen_range(struct ordo_log_offsets *offsets, double low_ns, double high_ns)
{
    bool is_first = offsets->readings + offsets->summaries == 0;
    offsets->low_ns = is_first ? low_ns : fmin(offsets->low_ns, low_ns);
    offsets->high_ns = is_first ? high_ns : fmax(offsets->high_ns, high_ns);
}

void ordo_log_offsets_add(struct ordo_log_offsets *offsets, double offset_ns, double limit_ns)
{
    widen_range(offsets, offset_ns, offset_ns);
    double before = offset_ns - offsets->mean_ns;
    offsets->readings++;
    offsets->mean_ns += before / (double)offsets->readings;
    offsets->squares += before * (offset_ns - offsets->mean_ns);
    offsets->over += fabs(offset_ns) > limit_ns;
    ordo_sketch_add(&offsets->magnitude, fabs(offset_ns));
}

void ordo_log_offsets_add_summary(struct ordo_log_offsets *offsets, double rms_ns, double max_ns, double limit_ns)
{
    widen_range(offsets, -fabs(max_ns), fabs(max_ns));
    offsets->summaries++;
    offsets->summary_squares += rms_ns * rms_ns;
    offsets->over += fabs(max_ns) > limit_ns;
    ordo_sketch_add(&offsets->magnitude, fabs(max_ns));
}

double ordo_log_deviation_ns(const struct ordo_log_offsets *offsets)
{
    return offsets->readings > 1 ? sqrt(offsets->squares / (double)(offsets->readings - 1)) : NAN;
}

double ordo_log_rms_ns(const struct ordo_log_offsets *offsets)
{
    uint64_t count = offsets->readings + offsets->summaries;
    double squares = offsets->squares + (double)offsets->readings * offsets->mean_ns * offsets->mean_ns;
    return count ? sqrt((squares + offsets->summary_squares) / (double)count) : NAN;
}

double ordo_log_jitter_ns(const struct ordo_log_offsets *offsets)
{
    return offsets->changes ? sqrt(offsets->change_squares / (double)offsets->changes) : NAN;
}

double ordo_log_worst_ns(const struct ordo_log_offsets *offsets)
{
    if (offsets->readings + offsets->summaries == 0)
        return NAN;
    return fmax(fabs(offsets->low_ns), fabs(offsets->high_ns));
}

bool ordo_log_elapsed(const struct ordo_log_time *from, const struct ordo_log_time *to, int64_t *ns)
{
    if (from->has_up && to->has_up)
        *ns = to->up_ns - from->up_ns;
    else if (from->has_wall && to->has_wall)
        *ns = to->wall_ns - from->wall_ns;
    else
        return false;
    return true;
}
