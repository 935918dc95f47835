#include "trace/plot/skew.h"

#include <stdlib.h>

#include "base/spread.h"
#include "trace/plot/svg.h"

enum { LEFT = 60, TOP = 20, HEAD = 50, CURVE = 130, FOOT = 50, PANEL = HEAD + CURVE + FOOT, GAP = 70, BARS_MOST = 256 };

static const char ENTER[] = "#0072b2", LEAVE[] = "#e69f00";

/* The kinds of skews of a collective, each with an array in ascending order:
 * - ENTERED: the time from the first to the last rank that enters;
 * - LEFT_IT: the time from the first to the last rank that leaves;
 * - SURELY_ENTERED and SURELY_LEFT: the part of these times that is certain. */
enum { ENTERED, LEFT_IT, SURELY_ENTERED, SURELY_LEFT, KINDS };

struct skews {
    double *ns[KINDS];
    size_t count;
    const struct ordo_analysis *analysis;
    size_t *ends, *members;   /* the gatherings of name i are members[ends[i - 1]] to members[ends[i] - 1] */
    int *places;              /* by the index of a rank: its place in the ascending order of ranks */
    int each, bars;           /* how many ranks share a bar, and the number of bars */
    uint64_t last[BARS_MOST]; /* how often the ranks of each bar entered last */
};

static double at_least_0(int64_t from_ns, int64_t to_ns)
{
    return to_ns > from_ns ? (double)(to_ns - from_ns) : 0;
}

static void add_skew(struct skews *skews, const struct ordo_gathering *of)
{
    size_t at = skews->count++;
    skews->ns[ENTERED][at] = (double)(of->last_begin_ns - of->first_begin_ns);
    skews->ns[LEFT_IT][at] = (double)(of->last_end_ns - of->first_end_ns);
    skews->ns[SURELY_ENTERED][at] = at_least_0(of->begin_latest_ns, of->begin_earliest_ns);
    skews->ns[SURELY_LEFT][at] = at_least_0(of->end_latest_ns, of->end_earliest_ns);
    skews->last[skews->places[of->last] / skews->each]++;
}

static void collect_skews(struct skews *skews, uint32_t name)
{
    const struct ordo_gathering *all = skews->analysis->gatherings;
    skews->count = 0;
    for (int i = 0; i < skews->bars; i++)
        skews->last[i] = 0;
    for (size_t i = name > 0 ? skews->ends[name - 1] : 0; i < skews->ends[name]; i++) {
        const struct ordo_gathering *of = &all[skews->members[i]];
        if (of->ranks >= 2 && of->last >= 0 && of->last_end_ns >= of->first_end_ns)
            add_skew(skews, of);
    }
    for (int kind = 0; kind < KINDS && skews->count > 0; kind++)
        ordo_stats_sort(skews->ns[kind], skews->count);
}

/* Puts the gatherings of each name together, in one pass for all names (a counting sort). */
static void group(struct skews *skews)
{
    const struct ordo_analysis *analysis = skews->analysis;
    uint32_t names = analysis->names.count;
    for (size_t i = 0; i < analysis->gathering_count; i++)
        skews->ends[analysis->gatherings[i].name]++;
    for (uint32_t name = 1; name < names; name++)
        skews->ends[name] += skews->ends[name - 1];
    for (size_t i = analysis->gathering_count; i-- > 0;)
        skews->members[--skews->ends[analysis->gatherings[i].name]] = i;
    for (uint32_t name = 0; name + 1 < names; name++) /* ends[name] is now the first index of the name */
        skews->ends[name] = skews->ends[name + 1];
    if (names > 0)
        skews->ends[names - 1] = analysis->gathering_count;
}

/* The half of a panel that shows distributions: the decades from 10^low to 10^high ns. */
struct scale {
    double low, high, y;
    int width;
};

static double x_of_skew(const struct scale *scale, double ns)
{
    double decade = fmax(log10(fmax(ns, 1)), scale->low);
    return LEFT + (decade - scale->low) / (scale->high - scale->low) * scale->width;
}

/* Draws the share of collectives with at most a given skew, as steps over the logarithm of the skew. */
static void draw_curve(FILE *stream, const double *values, size_t count, const struct scale *scale, const char *colour,
                       const char *dashes)
{
    fprintf(stream, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s points=\"", colour, dashes);
    for (size_t i = 0; i < count; i += count / 500 + 1) {
        double x = x_of_skew(scale, values[i]), y = scale->y + CURVE;
        fprintf(stream, "%.1f,%.1f ", x, y - (double)i / (double)count * CURVE);
        fprintf(stream, "%.1f,%.1f ", x, y - (double)(i + 1) / (double)count * CURVE);
    }
    fprintf(stream, "%.1f,%.1f\"/>\n", x_of_skew(scale, values[count - 1]), scale->y);
}

/* Draws the curves of a panel. By uncorrected clocks the whole skew is certain, so there is no second curve. */
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
        double ns = pow(10, scale->low + i), x = x_of_skew(scale, ns);
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

/* Draws how often each rank was the last to enter. If there are very many ranks, several share a bar. */
static void draw_late(FILE *stream, const struct skews *skews, double left, double y, double width)
{
    const struct ordo_analysis *analysis = skews->analysis;
    int highest = analysis->ranks.all[analysis->order[analysis->ranks.count - 1]], every = 1;
    double bar = width / skews->bars;
    uint64_t most = 1;
    for (int i = 0; i < skews->bars; i++)
        most = skews->last[i] > most ? skews->last[i] : most;
    while (bar * every < ORDO_SVG_LETTER * (highest > 998 ? 8 : 4))
        every++;
    for (int i = 0; i < skews->bars; i++) {
        double height = (double)skews->last[i] / (double)most * CURVE;
        int rank = analysis->ranks.all[analysis->order[i * skews->each]];
        fprintf(stream,
                "<rect class=\"late\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"#d55e00\"><title>rank %d: last %llu times</title></rect>\n",
                left + i * bar, y + CURVE - height, bar * 0.8, height, rank, (unsigned long long)skews->last[i]);
        if (i % every == 0)
            ordo_svg_print(stream, left + (i + 0.4) * bar, y + CURVE + 14, "middle", "%d", rank);
    }
    ordo_svg_box(stream, left, y + CURVE - 0.5, width, 1, "#ddd");
    ordo_svg_print(stream, left - 6, y + 8, "end", "%llu", (unsigned long long)most);
    ordo_svg_print(stream, left - 6, y + CURVE + 4, "end", "0");
    ordo_svg_print(stream, left, y - 7, "start", "the last to enter, times of %zu", skews->count);
    ordo_svg_print(stream, left + width / 2, y + CURVE + 30, "middle", skews->each > 1 ? "rank, %d in a bar" : "rank",
                   skews->each);
}

static void draw_panel(const struct skews *skews, uint32_t name, int panel, int width, FILE *stream)
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
    ordo_svg_escape(stream, skews->analysis->names.all[name], ORDO_SVG_NAME_MOST);
    fputs("</text>\n", stream);
    draw_grid(stream, &scale, skews->count);
    draw_curves(stream, skews, &scale);
    draw_key(stream, skews, &scale);
    draw_late(stream, skews, LEFT + scale.width + GAP, scale.y, scale.width);
}

static int count_panels(struct skews *skews)
{
    int panels = 0;
    for (uint32_t name = 0; name < skews->analysis->names.count; name++) {
        collect_skews(skews, name);
        panels += skews->count > 0;
    }
    return panels;
}

static int draw_all(struct skews *skews, int width, FILE *stream)
{
    int panel = 0;
    ordo_svg_begin(stream, width, TOP + count_panels(skews) * PANEL);
    for (uint32_t name = 0; name < skews->analysis->names.count; name++) {
        collect_skews(skews, name);
        if (skews->count > 0)
            draw_panel(skews, name, panel++, width, stream);
    }
    ordo_svg_end(stream);
    return panel;
}

static bool make_room_for_rows(struct skews *skews)
{
    const struct ordo_analysis *analysis = skews->analysis;
    bool made = true;
    for (int kind = 0; kind < KINDS; kind++) {
        skews->ns[kind] = calloc(analysis->gathering_count + 1, sizeof *skews->ns[kind]);
        made &= skews->ns[kind] != NULL;
    }
    skews->ends = calloc((size_t)analysis->names.count + 1, sizeof *skews->ends);
    skews->members = calloc(analysis->gathering_count + 1, sizeof *skews->members);
    skews->places = calloc((size_t)analysis->ranks.count + 1, sizeof *skews->places);
    return made && skews->ends && skews->members && skews->places;
}

int ordo_skew_draw(const struct ordo_analysis *analysis, int width, FILE *stream)
{
    int ranks = analysis->ranks.count, panels = -1;
    struct skews skews = {.analysis = analysis, .each = (ranks - 1) / BARS_MOST + 1};
    skews.bars = (ranks - 1) / skews.each + 1;
    if (make_room_for_rows(&skews)) {
        for (int i = 0; i < ranks; i++)
            skews.places[analysis->order[i]] = i;
        group(&skews);
        panels = draw_all(&skews, width, stream);
    }
    for (int kind = 0; kind < KINDS; kind++)
        free(skews.ns[kind]);
    free(skews.ends);
    free(skews.members);
    free(skews.places);
    return panels;
}
