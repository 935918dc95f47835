#include "trace/plot/skew.h"

#include <stdlib.h>

#include "base/spread.h"
#include "trace/plot/svg.h"

enum { LEFT = 60, TOP = 20, HEAD = 50, CURVE = 130, FOOT = 50, PANEL = HEAD + CURVE + FOOT, GAP = 70, BARS_MOST = 256 };

static const char ENTER[] = "#0072b2", LEAVE[] = "#e69f00";

/* What is drawn of the collectives of one name, each ascending: how far apart the ranks enter and leave, and by how much
 * certainly. */
enum { ENTERED, LEFT_IT, SURELY_ENTERED, SURELY_LEFT, KINDS };

struct skews {
    double *ns[KINDS];
    size_t count;
    uint64_t *last; /* how often each rank entered last */
};

static double at_least_0(int64_t from_ns, int64_t to_ns)
{
    return to_ns > from_ns ? (double)(to_ns - from_ns) : 0;
}

static void add(struct skews *skews, const struct ordo_gathering *of)
{
    size_t at = skews->count++;
    skews->ns[ENTERED][at] = (double)(of->last_begin_ns - of->first_begin_ns);
    skews->ns[LEFT_IT][at] = (double)(of->last_end_ns - of->first_end_ns);
    skews->ns[SURELY_ENTERED][at] = at_least_0(of->begin_latest_ns, of->begin_earliest_ns);
    skews->ns[SURELY_LEFT][at] = at_least_0(of->end_latest_ns, of->end_earliest_ns);
    skews->last[of->last_rank]++;
}

static void collect(const struct ordo_analysis *analysis, uint32_t name, struct skews *skews)
{
    skews->count = 0;
    for (int i = 0; i < analysis->rank_count; i++)
        skews->last[i] = 0;
    for (size_t i = 0; i < analysis->gathering_count; i++) {
        const struct ordo_gathering *of = &analysis->gatherings[i];
        if (of->name == name && of->ranks >= 2 && of->last_rank >= 0 && of->last_end_ns >= of->first_end_ns)
            add(skews, of);
    }
    for (int kind = 0; kind < KINDS && skews->count > 0; kind++)
        ordo_stats_sort(skews->ns[kind], skews->count);
}

/* The half of a panel that shows distributions: the decades from 10^low to 10^high ns. */
struct scale {
    double low, high, y;
    int width;
};

static double x_of(const struct scale *scale, double ns)
{
    double decade = fmax(log10(fmax(ns, 1)), scale->low);
    return LEFT + (decade - scale->low) / (scale->high - scale->low) * scale->width;
}

/* The share of collectives with at most so much skew, as steps over the logarithm of it. */
static void draw_curve(FILE *stream, const double *values, size_t count, const struct scale *scale, const char *colour,
                       const char *dashes)
{
    fprintf(stream, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s points=\"", colour, dashes);
    for (size_t i = 0; i < count; i += count / 500 + 1) {
        double x = x_of(scale, values[i]), y = scale->y + CURVE;
        fprintf(stream, "%.1f,%.1f ", x, y - (double)i / (double)count * CURVE);
        fprintf(stream, "%.1f,%.1f ", x, y - (double)(i + 1) / (double)count * CURVE);
    }
    fprintf(stream, "%.1f,%.1f\"/>\n", x_of(scale, values[count - 1]), scale->y);
}

/* By the clocks as they are everything is certain, and there is nothing to tell apart. */
static void draw_curves(FILE *stream, const struct skews *skews, const struct scale *scale)
{
    for (int kind = 0; kind < 2; kind++) {
        bool unsure = false;
        for (size_t i = 0; i < skews->count; i++)
            unsure |= skews->ns[kind][i] != skews->ns[SURELY_ENTERED + kind][i];
        if (unsure)
            draw_curve(stream, skews->ns[SURELY_ENTERED + kind], skews->count, scale, kind ? LEAVE : ENTER,
                       " stroke-dasharray=\"3 3\"");
        draw_curve(stream, skews->ns[kind], skews->count, scale, kind ? LEAVE : ENTER, "");
    }
}

static void draw_grid(FILE *stream, const struct scale *scale, size_t count)
{
    int every = 1;
    char room[32];
    while (scale->width / (scale->high - scale->low) * every < 60)
        every++;
    for (int i = 0; i <= (int)(scale->high - scale->low); i++) {
        double ns = pow(10, scale->low + i), x = x_of(scale, ns);
        ordo_svg_box(stream, x - 0.5, scale->y, 1, CURVE, "#ddd");
        if (i % every == 0)
            ordo_svg_text(stream, x, scale->y + CURVE + 14, "middle", ordo_svg_time(ns, room));
    }
    for (int percent = 0; percent <= 100; percent += 50) {
        double y = scale->y + CURVE * (1 - percent / 100.0);
        ordo_svg_box(stream, LEFT, y - 0.5, scale->width, 1, "#ddd");
        ordo_svg_print(stream, LEFT - 6, y + 4, "end", "%d %%", percent);
    }
    ordo_svg_print(stream, LEFT + scale->width / 2.0, scale->y + CURVE + 30, "middle",
                   "from the first to the last rank, at most (share of %zu)", count);
}

static void draw_key(FILE *stream, const struct skews *skews, const struct scale *scale)
{
    char room[2][32];
    for (int kind = 0; kind < 2; kind++) {
        const double *ns = skews->ns[kind], *surely = skews->ns[SURELY_ENTERED + kind];
        struct ordo_text time = ordo_svg_time(ordo_stats_percentile(ns, skews->count, 50), room[0]);
        struct ordo_text sure = ordo_svg_time(ordo_stats_percentile(surely, skews->count, 50), room[1]);
        double y = scale->y - 30 + 14 * kind;
        ordo_svg_box(stream, LEFT, y, 10, 10, kind ? LEAVE : ENTER);
        ordo_svg_print(stream, LEFT + 14, y + 9, "start", "%s: median %.*s; certainly (dashed) %.*s",
                       kind ? "leave" : "enter", (int)time.length, time.at, (int)sure.length, sure.at);
    }
}

/* Of very many ranks several share a bar. */
static void draw_late(FILE *stream, const struct ordo_analysis *analysis, const struct skews *skews, double left,
                      double y, double width)
{
    int each = (analysis->rank_count - 1) / BARS_MOST + 1, bars = (analysis->rank_count - 1) / each + 1, every = 1;
    double bar = width / bars;
    uint64_t most = 1, last[BARS_MOST] = {0};
    for (int i = 0; i < analysis->rank_count; i++)
        last[i / each] += skews->last[i];
    for (int i = 0; i < bars; i++)
        most = last[i] > most ? last[i] : most;
    while (bar * every < ORDO_SVG_LETTER * (analysis->rank_count > 999 ? 8 : 4))
        every++;
    for (int i = 0; i < bars; i++) {
        double height = (double)last[i] / (double)most * CURVE;
        fprintf(stream,
                "<rect class=\"late\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#d55e00\"><title>rank %d: last %llu times</title></rect>\n",
                left + i * bar, y + CURVE - height, bar * 0.8, height, i * each, (unsigned long long)last[i]);
        if (i % every == 0)
            ordo_svg_print(stream, left + (i + 0.4) * bar, y + CURVE + 14, "middle", "%d", i * each);
    }
    ordo_svg_box(stream, left, y + CURVE - 0.5, width, 1, "#ddd");
    ordo_svg_print(stream, left - 6, y + 8, "end", "%llu", (unsigned long long)most);
    ordo_svg_print(stream, left - 6, y + CURVE + 4, "end", "0");
    ordo_svg_print(stream, left, y - 7, "start", "the last to enter, times of %zu", skews->count);
    ordo_svg_print(stream, left + width / 2, y + CURVE + 30, "middle", each > 1 ? "rank, %d in a bar" : "rank", each);
}

static void draw_panel(const struct ordo_analysis *analysis, uint32_t name, const struct skews *skews, int panel,
                       int width, FILE *stream)
{
    double least = INFINITY, most = 1;
    for (int kind = 0; kind < 2; kind++) {
        least = fmin(least, skews->ns[kind][0]);
        most = fmax(most, skews->ns[kind][skews->count - 1]);
    }
    struct scale scale = {
        .low = floor(log10(fmax(least, 1))), .y = TOP + HEAD + panel * PANEL, .width = (width - LEFT - GAP - 20) / 2};
    scale.high = fmax(ceil(log10(most)), scale.low + 1);
    fprintf(stream, "<text x=\"%d\" y=\"%.1f\" font-weight=\"bold\">", LEFT, scale.y - 38);
    ordo_svg_escape(stream, analysis->names.all[name], ORDO_SVG_NAME_MOST);
    fputs("</text>\n", stream);
    draw_grid(stream, &scale, skews->count);
    draw_curves(stream, skews, &scale);
    draw_key(stream, skews, &scale);
    draw_late(stream, analysis, skews, LEFT + scale.width + GAP, scale.y, scale.width);
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

static int draw_all(const struct ordo_analysis *analysis, struct skews *skews, int width, FILE *stream)
{
    int panel = 0;
    ordo_svg_begin(stream, width, TOP + count_panels(analysis, skews) * PANEL);
    for (uint32_t name = 0; name < analysis->names.count; name++) {
        collect(analysis, name, skews);
        if (skews->count > 0)
            draw_panel(analysis, name, skews, panel++, width, stream);
    }
    ordo_svg_end(stream);
    return panel;
}

int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream)
{
    struct skews skews = {.last = calloc((size_t)analysis->rank_count + 1, sizeof *skews.last)};
    bool failed = !skews.last;
    for (int kind = 0; kind < KINDS; kind++) {
        skews.ns[kind] = calloc(analysis->gathering_count + 1, sizeof *skews.ns[kind]);
        failed |= !skews.ns[kind];
    }
    int panels = failed ? -1 : draw_all(analysis, &skews, width, stream);
    for (int kind = 0; kind < KINDS; kind++)
        free(skews.ns[kind]);
    free(skews.last);
    return panels;
}
