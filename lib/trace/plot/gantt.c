#include "trace/plot/gantt.h"

#include <stdlib.h>
#include <string.h>

#include "trace/causal/match.h"
#include "trace/plot/svg.h"
#include "trace/report/names.h"
#include "trace/report/regions.h"

enum { LEFT = 70, TOP = 30, ROW = 24, BAR = 18, INSET = 2, DEPTHS = 5, ARROWS_MOST = 20000, LEGEND = 22 };

/* How far a row is covered already: a bar that is thinner than a hair is drawn only where there is none. */
struct row {
    double covered[DEPTHS];
};

struct chart {
    const struct ordo_gantt_options *options;
    struct ordo_gantt_result *result;
    FILE *stream;
    struct ordo_names names;
    struct ordo_regions regions;
    struct row *rows;
    double per_ns; /* pixels */
};

static int row_of(const struct chart *chart, int32_t rank)
{
    for (int i = 0; i < chart->options->rank_count; i++)
        if (chart->options->ranks[i] == rank)
            return i;
    return -1;
}

static double x_of(const struct chart *chart, int64_t global_ns)
{
    const struct ordo_gantt_options *options = chart->options;
    int64_t cut = global_ns < options->begin_ns ? options->begin_ns
                  : global_ns > options->end_ns ? options->end_ns
                                                : global_ns;
    return LEFT + (double)(cut - options->begin_ns) * chart->per_ns;
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

/* The shaded edge: the begin or the end is certainly in it. */
static void draw_edge(const struct chart *chart, const struct ordo_stamp *stamp, double y, double height)
{
    double from = x_of(chart, stamp->earliest_ns), to = x_of(chart, stamp->latest_ns);
    if (to - from >= 0.3)
        fprintf(chart->stream,
                "<rect class=\"edge\" x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"#000\" "
                "fill-opacity=\"0.25\"/>\n",
                from, y, to - from, height);
}

static void draw_bar(struct chart *chart, const struct ordo_region *region)
{
    int row = row_of(chart, region->rank), depth = region->depth < DEPTHS ? region->depth : DEPTHS - 1;
    struct ordo_text name = chart->names.all[region->name];
    char room[32];
    if (row < 0 || region->end.global_ns < chart->options->begin_ns ||
        region->begin.global_ns > chart->options->end_ns || !is_chosen(chart, name))
        return;
    double from = x_of(chart, region->begin.global_ns), to = x_of(chart, region->end.global_ns);
    if (to < chart->rows[row].covered[depth] + 0.25 && to - from < 0.25)
        return;
    double width = to - from < 0.25 ? 0.25 : to - from, y = TOP + row * ROW + depth * INSET,
           height = BAR - 2 * depth * INSET;
    chart->rows[row].covered[depth] = from + width;
    fprintf(chart->stream, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"%s\"><title>", from, y,
            width, height, ordo_svg_colour(region->name));
    ordo_svg_escape(chart->stream, name);
    fputs(": ", chart->stream);
    ordo_svg_escape(chart->stream, ordo_svg_time((double)(region->end.global_ns - region->begin.global_ns), room));
    fputs("</title></rect>\n", chart->stream);
    draw_edge(chart, &region->begin, y, height);
    draw_edge(chart, &region->end, y, height);
    chart->result->bars++;
}

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
    chart->result->arrows++;
    fprintf(chart->stream,
            "<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"0.7\" "
            "marker-end=\"url(#to)\"/>\n",
            x_of(chart, begin), TOP + from * ROW + BAR / 2, x_of(chart, end), TOP + to * ROW + BAR / 2,
            end < begin ? "#d00" : "#333");
    return 0;
}

static int draw_event(struct chart *chart, const struct ordo_trace_of_file *file)
{
    const struct ordo_event *event = &file->event;
    struct ordo_region region = {.rank = event->rank, .thread = event->thread, .begin = file->stamp, .end = file->end};
    if (event->kind != ORDO_EVENT_BEGIN && event->kind != ORDO_EVENT_END && event->kind != ORDO_EVENT_SPAN)
        return 0;
    region.name = ordo_names_number(&chart->names, event->name);
    if (region.name == UINT32_MAX)
        return -1;
    if (event->kind == ORDO_EVENT_BEGIN)
        return ordo_regions_begin(&chart->regions, event, region.name, &file->stamp);
    if (event->kind == ORDO_EVENT_SPAN ||
        ordo_regions_end(&chart->regions, event, region.name, &file->stamp, &region) == 1)
        draw_bar(chart, &region);
    return 0;
}

static int draw_events(struct chart *chart, struct ordo_traces *traces, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct ordo_match *match = ordo_match_create(draw_arrow, NULL, chart);
    int more = 0, code = match ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1) {
        bool message = file->event.kind == ORDO_EVENT_SEND || file->event.kind == ORDO_EVENT_RECV;
        if (draw_event(chart, file))
            code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "regions: out of memory");
        else if (message && chart->options->messages)
            code = ordo_match_take(match, &file->event, &file->stamp, 0, error);
    }
    ordo_match_free(match);
    return code ? code : more;
}

static void draw_axis(const struct chart *chart, int bottom)
{
    const struct ordo_gantt_options *options = chart->options;
    double from = (double)(options->begin_ns - options->zero_ns), range = (double)(options->end_ns - options->begin_ns);
    double step = ordo_svg_step(range, options->width / 110);
    char room[32];
    for (double at = ceil(from / step) * step; at <= from + range; at += step) {
        double x = LEFT + (at - from) * chart->per_ns;
        fprintf(chart->stream, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", x, TOP - 6, x,
                bottom);
        ordo_svg_text(chart->stream, x, TOP - 10, "middle", ordo_svg_time(at, room));
    }
    for (int i = 0; i < options->rank_count; i++) {
        int length = snprintf(room, sizeof room, "rank %d", options->ranks[i]);
        ordo_svg_text(chart->stream, LEFT - 8, TOP + i * ROW + BAR - 5, "end",
                      (struct ordo_text){room, (size_t)length});
    }
}

static void draw_legend(const struct chart *chart, int bottom)
{
    double x = LEFT;
    for (uint32_t i = 0; i < chart->names.count && x < chart->options->width - 120; i++) {
        struct ordo_text name = chart->names.all[i];
        name.length = name.length > 30 ? 30 : name.length;
        if (!is_chosen(chart, chart->names.all[i]) || name.length == 0)
            continue;
        fprintf(chart->stream, "<rect x=\"%.1f\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n", x, bottom + 8,
                ordo_svg_colour(i));
        ordo_svg_text(chart->stream, x + 14, bottom + 17, "start", name);
        x += 30 + 6.5 * (double)name.length;
    }
}

int ordo_gantt_draw(struct ordo_traces *traces, const struct ordo_gantt_options *options, FILE *stream,
                    struct ordo_gantt_result *result, struct ordo_error *error)
{
    int bottom = TOP + options->rank_count * ROW;
    struct chart chart = {.options = options,
                          .result = result,
                          .stream = stream,
                          .rows = calloc((size_t)options->rank_count + 1, sizeof *chart.rows),
                          .per_ns = (options->width - LEFT - 20) / (double)(options->end_ns - options->begin_ns)};
    *result = (struct ordo_gantt_result){0};
    if (!chart.rows)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", options->rank_count);
    ordo_svg_begin(stream, options->width, bottom + LEGEND + 10);
    fputs("<defs><marker id=\"to\" viewBox=\"0 0 6 6\" refX=\"6\" refY=\"3\" markerWidth=\"6\" markerHeight=\"6\" "
          "orient=\"auto\">"
          "<path d=\"M0 0L6 3L0 6z\"/></marker></defs>\n",
          stream);
    draw_axis(&chart, bottom);
    int code = draw_events(&chart, traces, error);
    draw_legend(&chart, bottom);
    ordo_svg_end(stream);
    ordo_names_free(&chart.names);
    ordo_regions_free(&chart.regions);
    free(chart.rows);
    return code;
}
