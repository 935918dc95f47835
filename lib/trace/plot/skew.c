#include "trace/plot/skew.h"

#include <stdlib.h>

#include "base/spread.h"
#include "trace/plot/svg.h"

enum { LEFT = 60, PANEL = 190, CURVE = 130, GAP = 50, RANKS_MOST = 256 };

/* The collectives of one name. */
struct skews {
    double *enter_ns, *leave_ns; /* ascending */
    size_t count;
    uint64_t *last; /* how often each rank entered last */
};

static void collect(const struct ordo_analysis *analysis, uint32_t name, struct skews *skews)
{
    skews->count = 0;
    for (int i = 0; i < analysis->rank_count; i++)
        skews->last[i] = 0;
    for (size_t i = 0; i < analysis->gathering_count; i++) {
        const struct ordo_gathering *of = &analysis->gatherings[i];
        if (of->name != name || of->ranks < 2 || of->last_rank < 0 || of->last_end_ns < of->first_end_ns)
            continue;
        skews->enter_ns[skews->count] = (double)(of->last_begin_ns - of->first_begin_ns);
        skews->leave_ns[skews->count++] = (double)(of->last_end_ns - of->first_end_ns);
        skews->last[of->last_rank]++;
    }
    if (skews->count > 0) {
        ordo_stats_sort(skews->enter_ns, skews->count);
        ordo_stats_sort(skews->leave_ns, skews->count);
    }
}

/* The share of collectives with at most so much skew, as steps over the logarithm of it. */
static void draw_curve(FILE *stream, const double *values, size_t count, double low, double high, double y, int width,
                       const char *colour)
{
    fputs("<polyline fill=\"none\" stroke-width=\"1.5\" points=\"", stream);
    for (size_t i = 0; i < count; i += count / 500 + 1) {
        double x = LEFT + (log10(fmax(values[i], 1)) - low) / (high - low) * width;
        fprintf(stream, "%.1f,%.1f ", x, y + CURVE - (double)i / (double)count * CURVE);
        fprintf(stream, "%.1f,%.1f ", x, y + CURVE - (double)(i + 1) / (double)count * CURVE);
    }
    fprintf(stream, "\" stroke=\"%s\"/>\n", colour);
}

static void draw_decades(FILE *stream, double low, double high, double y, int width)
{
    char room[32];
    for (double decade = low; decade <= high; decade++) {
        double x = LEFT + (decade - low) / (high - low) * width;
        fprintf(stream, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x, y, x,
                y + CURVE);
        ordo_svg_text(stream, x, y + CURVE + 14, "middle", ordo_svg_time(pow(10, decade), room));
    }
}

static void draw_late(FILE *stream, const struct ordo_analysis *analysis, const struct skews *skews, double left,
                      double y, double width)
{
    int ranks = analysis->rank_count < RANKS_MOST ? analysis->rank_count : RANKS_MOST;
    char room[48];
    uint64_t most = 1;
    for (int i = 0; i < ranks; i++)
        most = skews->last[i] > most ? skews->last[i] : most;
    double bar = width / ranks;
    for (int i = 0; i < ranks; i++) {
        double height = (double)skews->last[i] / (double)most * CURVE;
        fprintf(stream,
                "<rect class=\"late\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#d55e00\"><title>rank %d: last %llu times</title></rect>\n",
                left + i * bar, y + CURVE - height, bar * 0.8, height, i, (unsigned long long)skews->last[i]);
        if (i % (ranks / 8 + 1) == 0)
            ordo_svg_text(stream, left + (i + 0.4) * bar, y + CURVE + 14, "middle",
                          (struct ordo_text){room, (size_t)snprintf(room, sizeof room, "%d", i)});
    }
    ordo_svg_text(stream, left, y - 6, "start",
                  (struct ordo_text){
                      room, (size_t)snprintf(room, sizeof room, "the last to enter, by rank (of %zu)", skews->count)});
}

static void draw_panel(const struct ordo_analysis *analysis, uint32_t name, const struct skews *skews, int panel,
                       int width, FILE *stream)
{
    double y = 40 + panel * PANEL, most = fmax(skews->enter_ns[skews->count - 1], skews->leave_ns[skews->count - 1]);
    double least = fmin(skews->enter_ns[0], skews->leave_ns[0]);
    double low = floor(log10(fmax(least, 1))), high = fmax(ceil(log10(fmax(most, 1))), low + 1);
    int half = (width - LEFT - GAP) / 2;
    char room[80], time[2][32];
    ordo_svg_text(stream, LEFT, y - 20, "start", analysis->names.all[name]);
    draw_decades(stream, low, high, y, half);
    draw_curve(stream, skews->enter_ns, skews->count, low, high, y, half, "#0072b2");
    draw_curve(stream, skews->leave_ns, skews->count, low, high, y, half, "#e69f00");
    struct ordo_text enter = ordo_svg_time(ordo_stats_percentile(skews->enter_ns, skews->count, 50), time[0]);
    struct ordo_text leave = ordo_svg_time(ordo_stats_percentile(skews->leave_ns, skews->count, 50), time[1]);
    int length = snprintf(room, sizeof room, "first to last: enter (blue, median %.*s), leave (orange, %.*s)",
                          (int)enter.length, enter.at, (int)leave.length, leave.at);
    ordo_svg_text(stream, LEFT, y - 6, "start", (struct ordo_text){room, (size_t)length});
    draw_late(stream, analysis, skews, LEFT + half + GAP, y, half - 20);
}

static int count_panels(const struct ordo_analysis *analysis, struct skews *skews)
{
    int panels = 0;
    for (uint32_t name = 0; name < analysis->names.count; name++) {
        collect(analysis, name, skews);
        panels += skews->count > 0;
    }
    return panels;
}

int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream)
{
    struct skews skews = {calloc(analysis->gathering_count + 1, sizeof *skews.enter_ns),
                          calloc(analysis->gathering_count + 1, sizeof *skews.leave_ns), 0,
                          calloc((size_t)analysis->rank_count + 1, sizeof *skews.last)};
    int panel = -1;
    if (skews.enter_ns && skews.leave_ns && skews.last) {
        ordo_svg_begin(stream, width, 40 + count_panels(analysis, &skews) * PANEL);
        panel = 0;
        for (uint32_t name = 0; name < analysis->names.count; name++) {
            collect(analysis, name, &skews);
            if (skews.count > 0)
                draw_panel(analysis, name, &skews, panel++, width, stream);
        }
        ordo_svg_end(stream);
    }
    free(skews.enter_ns);
    free(skews.leave_ns);
    free(skews.last);
    return panel;
}
