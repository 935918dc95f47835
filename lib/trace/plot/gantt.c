#include "trace/plot/gantt.h"

#include <stdlib.h>
#include <string.h>

#include "trace/causal/match.h"
#include "trace/plot/layers.h"
#include "trace/plot/legend.h"
#include "trace/plot/svg.h"
#include "trace/report/regions.h"

enum { RIGHT = 50, TOP = 44, DEPTHS = 5, MESSAGES = 6, ARROWS_MOST = 20000, KEY = 36 };

_Static_assert((int)MESSAGES > (int)DEPTHS && (int)MESSAGES < (int)ORDO_LAYERS,
               "rows, regions in regions, messages above them");

/* For each depth, the x up to which a row is covered by bars. A bar that is thinner than a hairline is drawn only if it
 * ends beyond this x. */
struct row {
    double covered[DEPTHS];
};

struct chart {
    const struct ordo_gantt_options *options;
    struct ordo_gantt_result *result;
    struct ordo_names *names;
    struct ordo_legend legend;
    struct ordo_regions regions;
    struct ordo_layers layers;
    struct row *rows;
    int64_t last_ns;        /* of the trace */
    double left, per_ns;    /* pixels: x of the chart's left border, width of 1 ns */
    double row, bar, inset; /* heights: of a row, of a bar, and the inset at top and bottom of a bar within another */
};

static int row_of(const struct chart *chart, int32_t rank)
{
    int low = 0, high = chart->options->rank_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (chart->options->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < chart->options->rank_count && chart->options->ranks[low] == rank ? low : -1;
}

static double top_of(const struct chart *chart, int row)
{
    return TOP + row * chart->row;
}

/* Returns the x of a time, limited to `beyond` pixels outside the chart, because viewers cannot handle huge
 * coordinates. */
static double x_of_time(const struct chart *chart, int64_t global_ns, double beyond)
{
    double right = chart->options->width - RIGHT;
    double x = chart->left + (double)ordo_event_apart(chart->options->begin_ns, global_ns) * chart->per_ns;
    return fmin(fmax(x, chart->left - beyond), right + beyond);
}

static bool is_chosen(const struct chart *chart, struct ordo_text name)
{
    const char *at = chart->options->names;
    while (at && *at) {
        size_t length = strcspn(at, ",");
        if (length == name.length && memcmp(at, name.at, length) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return chart->options->names == NULL;
}

/* Draws a hatched edge: the range that certainly contains the begin or the end. */
static void draw_edge(const struct chart *chart, FILE *stream, const struct ordo_event_stamp *stamp, double y,
                      double height, uint32_t colour)
{
    double from = x_of_time(chart, stamp->earliest_ns, 0), to = x_of_time(chart, stamp->latest_ns, 0);
    if (to - from >= 0.3)
        fprintf(stream,
                "<rect class=\"edge\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"url(#edge%u)\"/>\n",
                from, y, to - from, height, colour);
}

static void draw_edges(const struct chart *chart, FILE *stream, const struct ordo_region *region, double y,
                       double height, uint32_t colour)
{
    draw_edge(chart, stream, &region->begin, y, height, colour);
    draw_edge(chart, stream, &region->end, y, height, colour);
}

static int64_t width_of_stamp(const struct ordo_event_stamp *stamp)
{
    return ordo_event_apart(stamp->earliest_ns, stamp->latest_ns);
}

/* Draws a bar and its edges. The edges are drawn over the bar. A bar that is shorter than an edge is drawn over the
 * edges, because they would hide it. */
static void draw_region(const struct chart *chart, FILE *stream, const struct ordo_region *region, double y,
                        double height, uint32_t colour)
{
    double from = x_of_time(chart, region->begin.global_ns, 0), to = x_of_time(chart, region->end.global_ns, 0);
    int64_t ns = ordo_event_apart(region->begin.global_ns, region->end.global_ns);
    bool is_short = ns < width_of_stamp(&region->begin) || ns < width_of_stamp(&region->end);
    char room[32];
    struct ordo_text time = ordo_svg_time((double)ns, room);
    if (is_short)
        draw_edges(chart, stream, region, y, height, colour);
    fprintf(stream, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"><title>", from, y,
            fmax(to - from, 0.25), height, ordo_svg_colour(colour));
    ordo_svg_escape(stream, chart->names->all[region->name], ORDO_SVG_TITLE_MOST);
    fprintf(stream, ": %.*s</title></rect>\n", (int)time.length, time.at);
    if (!is_short)
        draw_edges(chart, stream, region, y, height, colour);
}

static int draw_bar(void *context, const struct ordo_region *region)
{
    struct chart *chart = context;
    int row = row_of(chart, region->rank), depth = region->depth < DEPTHS ? region->depth : DEPTHS - 1;
    if (row < 0 || region->end.global_ns < chart->options->begin_ns ||
        region->begin.global_ns > chart->options->end_ns || !is_chosen(chart, chart->names->all[region->name]))
        return 0;
    double from = x_of_time(chart, region->begin.global_ns, 0), to = x_of_time(chart, region->end.global_ns, 0);
    if (to < chart->rows[row].covered[depth] + 0.25 && to - from < 0.25)
        return 0;
    FILE *stream = ordo_layers_open(&chart->layers, 1 + depth);
    if (!stream)
        return -1;
    chart->rows[row].covered[depth] = fmax(to, from + 0.25);
    draw_region(chart, stream, region, top_of(chart, row) + depth * chart->inset, chart->bar - 2 * depth * chart->inset,
                ordo_legend_use(&chart->legend, region->name));
    chart->result->bars++;
    return 0;
}

/* Draws an arrow. An arrow with an end outside the chart is clipped at the chart's border. */
static int draw_arrow(void *context, const struct ordo_event *event, const struct ordo_end *send,
                      const struct ordo_end *recv)
{
    struct chart *chart = context;
    bool sent = event->kind == ORDO_EVENT_SEND;
    int from = row_of(chart, sent ? event->rank : event->peer), to = row_of(chart, sent ? event->peer : event->rank);
    int64_t begin = send->stamp.global_ns, end = recv->stamp.global_ns;
    if (from < 0 || to < 0 || (begin < chart->options->begin_ns && end < chart->options->begin_ns) ||
        (begin > chart->options->end_ns && end > chart->options->end_ns))
        return 0;
    if (chart->result->arrows == ARROWS_MOST) {
        chart->result->left_out++;
        return 0;
    }
    FILE *stream = ordo_layers_open(&chart->layers, MESSAGES);
    if (!stream)
        return -1;
    if (chart->result->arrows++ == 0)
        fputs("<g clip-path=\"url(#chart)\">\n", stream);
    fprintf(stream,
            "<line x1=\"%.2f\" y1=\"%.1f\" x2=\"%.2f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"0.7\" "
            "marker-end=\"url(#%s)\"/>\n",
            x_of_time(chart, begin, 1e6), top_of(chart, from) + chart->bar / 2, x_of_time(chart, end, 1e6),
            top_of(chart, to) + chart->bar / 2, end < begin ? "#d00" : "#333", end < begin ? "early" : "to");
    return 0;
}

static int draw_event(struct chart *chart, const struct ordo_trace_of_file *file)
{
    const struct ordo_event *event = &file->event;
    if (event->kind != ORDO_EVENT_BEGIN && event->kind != ORDO_EVENT_END && event->kind != ORDO_EVENT_SPAN)
        return 0;
    uint32_t name = ordo_names_number(chart->names, event->name);
    return name == UINT32_MAX
               ? -1
               : ordo_regions_take(&chart->regions, event, name, &file->stamp, &file->end, draw_bar, chart);
}

static int draw_events(struct chart *chart, struct ordo_traces *traces, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct ordo_match *match = ordo_match_create(draw_arrow, NULL, chart);
    int more = 0, code = match ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1) {
        bool message = file->event.kind == ORDO_EVENT_SEND || file->event.kind == ORDO_EVENT_RECV;
        if (draw_event(chart, file))
            code = ordo_error_errno(error, "regions of the picture");
        else if (message && chart->options->messages)
            code = ordo_match_take(match, &file->event, &file->stamp, 0, error);
    }
    ordo_match_free(match);
    struct ordo_event_stamp last = {chart->last_ns, chart->last_ns, chart->last_ns};
    if (!code && !more && ordo_regions_finish(&chart->regions, &last, draw_bar, chart))
        code = ordo_error_errno(error, "regions of the picture");
    if (chart->result->arrows > 0)
        fputs("</g>\n", chart->layers.of[MESSAGES]);
    return code ? code : more;
}

/* Defines a pattern for the edges of each colour, two arrowheads, and the clip path of arrows. */
static void define(const struct chart *chart, FILE *stream, double bottom)
{
    fputs("<defs>\n", stream);
    for (uint32_t i = 0; i < ORDO_SVG_COLOURS; i++)
        fprintf(stream,
                "<pattern id=\"edge%u\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">"
                "<rect width=\"4\" height=\"4\" fill=\"%s\" fill-opacity=\"0.4\"/>"
                "<path d=\"M-1 1L1 -1M0 4L4 0M3 5L5 3\" stroke=\"#000\" stroke-opacity=\"0.55\" stroke-width=\"0.8\"/>"
                "</pattern>\n",
                i, ordo_svg_colour(i));
    for (int i = 0; i < 2; i++)
        fprintf(stream,
                "<marker id=\"%s\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"7\" markerHeight=\"7\" "
                "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L6 3L0 6z\" fill=\"%s\"/></marker>\n",
                i ? "early" : "to", i ? "#d00" : "#333");
    fprintf(stream,
            "<clipPath id=\"chart\"><rect x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n</defs>\n",
            chart->left, chart->options->width - RIGHT - chart->left, bottom);
}

static void draw_axis(const struct chart *chart, FILE *stream, double bottom)
{
    const struct ordo_gantt_options *options = chart->options;
    double from = (double)ordo_event_apart(options->zero_ns, options->begin_ns);
    double range = (double)ordo_event_apart(options->begin_ns, options->end_ns);
    struct ordo_svg_axis axis = ordo_svg_axis_make(from, range, range * chart->per_ns);
    char room[64];
    ordo_svg_print(stream, chart->left, 14, "start", "time since the first event");
    for (double at = axis.first_ns; at <= from + range; at += axis.step_ns) {
        double x = chart->left + (at - from) * chart->per_ns;
        ordo_svg_box(stream, x - 0.5, TOP - 6, 1, bottom - TOP + 6, "#ddd");
        ordo_svg_text(stream, x, TOP - 12, "middle", ordo_svg_axis_label(&axis, at, room));
    }
}

/* Draws a lane for each rank. Leaves out names of ranks if there is no room for all names. */
static void draw_rows(const struct chart *chart, FILE *stream)
{
    int every = 1;
    while (every * chart->row < 12)
        every *= 2;
    for (int i = 0; i < chart->options->rank_count; i++) {
        ordo_svg_box(stream, chart->left, top_of(chart, i), chart->options->width - RIGHT - chart->left, chart->bar,
                     "#f4f4f4");
        if (i % every == 0)
            ordo_svg_print(stream, chart->left - 8, top_of(chart, i) + chart->bar / 2 + 4, "end", "rank %d",
                           chart->options->ranks[i]);
    }
}

/* Explains edges and arrows, if the chart has any. */
static void draw_key(const struct chart *chart, FILE *stream, double y)
{
    double x = chart->left;
    ordo_svg_box(stream, x, y, 24, 10, "url(#edge0)");
    ordo_svg_print(stream, x + 30, y + 9, "start", "an edge is certainly in this");
    if (chart->result->arrows > 0)
        ordo_svg_print(stream, x, y + 25, "start", "red: received before it was sent");
}

/* Chooses the sizes. Rows are lower if there are many, so that the picture can still be viewed. */
static int lay_out_chart(struct chart *chart, struct ordo_analysis *analysis, struct ordo_error *error)
{
    const struct ordo_gantt_options *options = chart->options;
    int last = options->rank_count > 0 ? options->ranks[options->rank_count - 1] : 0;
    char room[32];
    chart->left = fmax(70, 20 + ORDO_SVG_LETTER * snprintf(room, sizeof room, "rank %d", last));
    chart->per_ns =
        (options->width - chart->left - RIGHT) / (double)ordo_event_apart(options->begin_ns, options->end_ns);
    chart->row = fmax(3, fmin(24, 1440.0 / (options->rank_count + 1)));
    chart->bar = 0.75 * chart->row;
    chart->inset = chart->bar / 10;
    chart->names = &analysis->names;
    chart->rows = calloc((size_t)options->rank_count + 1, sizeof *chart->rows);
    if (!chart->rows)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", options->rank_count);
    return ordo_legend_make(&chart->legend, analysis, error);
}

static int draw_chart(struct chart *chart, struct ordo_traces *traces, FILE *stream, struct ordo_error *error)
{
    const struct ordo_gantt_options *options = chart->options;
    double bottom = top_of(chart, options->rank_count) + 4;
    int below = ordo_legend_height(&chart->legend, chart->left, options->width);
    chart->layers.of[0] = stream;
    ordo_svg_begin(stream, options->width, (int)bottom + 8 + below + KEY);
    define(chart, stream, bottom);
    draw_rows(chart, stream);
    draw_axis(chart, stream, bottom);
    int code = draw_events(chart, traces, error);
    int closed = ordo_layers_close(&chart->layers, code ? NULL : error);
    ordo_legend_draw(&chart->legend, stream, chart->left, bottom + 8, options->width);
    draw_key(chart, stream, bottom + 8 + below);
    ordo_svg_end(stream);
    return code ? code : closed;
}

int ordo_gantt_draw(struct ordo_traces *traces, struct ordo_analysis *analysis,
                    const struct ordo_gantt_options *options, FILE *stream, struct ordo_gantt_result *result,
                    struct ordo_error *error)
{
    struct chart chart = {.options = options, .result = result, .last_ns = analysis->last_ns};
    *result = (struct ordo_gantt_result){0};
    int code = lay_out_chart(&chart, analysis, error);
    if (!code)
        code = draw_chart(&chart, traces, stream, error);
    ordo_legend_free(&chart.legend);
    ordo_regions_free(&chart.regions);
    free(chart.rows);
    return code;
}
