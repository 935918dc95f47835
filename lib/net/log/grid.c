#include "net/log/grid.h"

#include "base/quantile.h"

static void begin_anew(struct ordo_log_grid *grid, int64_t at_ns)
{
    ordo_octaves_break(&grid->octaves);
    grid->next_ns = at_ns;
}

/* Makes the samples up to the time of this reading. */
static void sample_up_to(struct ordo_log_grid *grid, int64_t at_ns, double lead_ns)
{
    int64_t span_ns = at_ns - grid->last_ns;
    if (!grid->has_last || span_ns <= 0 || span_ns / ORDO_LOG_GAP > grid->apart_ns)
        begin_anew(grid, at_ns);
    for (; grid->next_ns <= at_ns; grid->next_ns += grid->apart_ns) {
        double share = span_ns > 0 ? (double)(at_ns - grid->next_ns) / (double)span_ns : 0;
        ordo_octaves_add(&grid->octaves, share > 0 ? lead_ns + share * (grid->last_lead_ns - lead_ns) : lead_ns);
    }
    grid->last_ns = at_ns;
    grid->last_lead_ns = lead_ns;
    grid->has_last = true;
}

/* Returns the median of the intervals between the readings that are kept; 0 if no interval is positive. */
static int64_t learn_interval(const struct ordo_log_grid *grid)
{
    static const int64_t most_ns = INT64_C(1) << 60; /* no sum of a time and of an interval overflows */
    int64_t intervals[ORDO_LOG_LEARNED];
    size_t count = 0;
    for (int i = 1; i < grid->kept; i++)
        if (grid->at_ns[i] > grid->at_ns[i - 1])
            intervals[count++] = grid->at_ns[i] - grid->at_ns[i - 1];
    int64_t usual_ns = count ? ordo_stats_median_int(intervals, count) : 0;
    return usual_ns < most_ns ? usual_ns : 0;
}

static void replay(struct ordo_log_grid *grid)
{
    int64_t apart_ns = learn_interval(grid);
    int kept = grid->kept;
    grid->kept = 0;
    grid->apart_ns = apart_ns;
    for (int i = 0; apart_ns > 0 && i < kept; i++)
        sample_up_to(grid, grid->at_ns[i], grid->lead_ns[i]);
}

void ordo_log_grid_add(struct ordo_log_grid *grid, int64_t at_ns, double lead_ns)
{
    if (grid->apart_ns > 0) {
        sample_up_to(grid, at_ns, lead_ns);
        return;
    }
    grid->at_ns[grid->kept] = at_ns;
    grid->lead_ns[grid->kept++] = lead_ns;
    if (grid->kept == ORDO_LOG_LEARNED + 1)
        replay(grid);
}

void ordo_log_grid_break(struct ordo_log_grid *grid)
{
    ordo_log_grid_end(grid);
    grid->has_last = false;
    grid->kept = 0;
}

void ordo_log_grid_end(struct ordo_log_grid *grid)
{
    enum { FEWEST = 8 }; /* readings that tell an interval */
    if (grid->apart_ns == 0 && grid->kept >= FEWEST)
        replay(grid);
}
