#include "lab/ordo-lab/figure.h"

#include <stdlib.h>

static const int64_t ns_fs = 1000000;

static void print_figure_head(const struct ordo_net_figure2 *figure)
{
    printf("%-8s", "process");
    for (int i = 0; i < ORDO_NET_FIGURE2_MOMENTS; i++)
        printf("  %-24s", figure->moments[i].title);
    printf("\n%-8s", "");
    for (int i = 0; i < ORDO_NET_FIGURE2_MOMENTS; i++) {
        char when[40];
        (void)snprintf(when, sizeof when, "%+lld ns", (long long)(figure->moments[i].after_cut_fs / ns_fs));
        printf("  %-24s", when);
    }
    printf("\n");
}

static void print_process(const struct ordo_net_figure2_process *process)
{
    char text[60];
    const char *tag = process->synchronised ? "" : ", tagged";
    if (process->follows < 0)
        (void)snprintf(text, sizeof text, "%s%s", process->synchronised ? "master" : "pseudo-master", tag);
    else
        (void)snprintf(text, sizeof text, "P%d, %d hop%s of P%d%s", process->follows, process->hops,
                       process->hops == 1 ? "" : "s", process->master, tag);
    printf("  %-24s", text);
}

void figure_print(const struct ordo_net_figure2 *figure)
{
    const struct ordo_net_link *cut = &figure->channel[ORDO_NET_FIGURE2_CUT],
                               *redundant = &figure->channel[ORDO_NET_FIGURE2_REDUNDANT];
    print_figure_head(figure);
    for (int node = 0; node < ORDO_NET_FIGURE2_PROCESSES; node++) {
        printf("P%-7d", node);
        for (int i = 0; i < ORDO_NET_FIGURE2_MOMENTS; i++)
            print_process(&figure->moments[i].process[node]);
        printf("\n");
    }
    printf(
        "The channel P%d to P%d is cut: all below it are tagged after %lld ns. P%d then follows P%d by the redundant "
        "channel, and all are synchronised again after %lld ns; a beacon comes every %lld ns.\n",
        cut->from, cut->to, (long long)(figure->tagged_fs / ns_fs), redundant->to, redundant->from,
        (long long)(figure->rerooted_fs / ns_fs), (long long)(figure->beacon_fs / ns_fs));
}

enum { PANEL = 340, TOP = 60, LEVEL = 66, RADIUS = 15, HEIGHT = 470 };

/* The places of the processes: across, in hundredths of a panel, and the level from the top. */
static const struct place {
    int across, level;
} places[ORDO_NET_FIGURE2_PROCESSES] = {{50, 0}, {22, 1}, {45, 1}, {75, 1}, {22, 2}, {36, 2}, {54, 2}, {75, 2},
                                        {36, 3}, {36, 4}, {75, 3}, {90, 4}, {65, 4}, {56, 5}, {74, 5}};

static int x_of_node(int panel, int node)
{
    return panel * PANEL + places[node].across * PANEL / 100;
}

static int y_of_node(int node)
{
    return TOP + RADIUS + places[node].level * LEVEL;
}

static void draw_channel(const struct ordo_net_figure2 *figure, int panel, int channel, FILE *stream)
{
    const struct ordo_net_figure2_moment *moment = &figure->moments[panel];
    int from = figure->channel[channel].from, to = figure->channel[channel].to;
    if (moment->process[from].follows == to) { /* an arrow goes from a master to its follower */
        from = figure->channel[channel].to;
        to = figure->channel[channel].from;
    }
    bool followed = moment->process[to].follows == from;
    bool cut = channel == ORDO_NET_FIGURE2_CUT && moment->after_cut_fs >= 0;
    const char *how = cut        ? "stroke='#b00020' stroke-dasharray='7 5'"
                      : followed ? "stroke='black' marker-end='url(#arrow)'"
                                 : "stroke='#666' stroke-dasharray='2 4'";
    fprintf(stream, "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke-width='1.5' %s/>\n", x_of_node(panel, from),
            y_of_node(from), x_of_node(panel, to), y_of_node(to), how);
}

static void draw_process(const struct ordo_net_figure2 *figure, int panel, int node, FILE *stream)
{
    const struct ordo_net_figure2_process *process = &figure->moments[panel].process[node];
    int x = x_of_node(panel, node), y = y_of_node(node);
    fprintf(stream, "<circle cx='%d' cy='%d' r='%d' fill='%s' stroke='black' stroke-width='%s'/>\n", x, y, RADIUS,
            process->synchronised ? "#cfe8cf" : "#f6c9a0", process->follows < 0 ? "3" : "1");
    fprintf(stream, "<text x='%d' y='%d' text-anchor='middle' font-size='12'>P%d</text>\n", x, y + 4, node);
    fprintf(stream, "<text x='%d' y='%d' font-size='10' fill='#444'>%d</text>\n", x + RADIUS + 2, y - 6, process->hops);
}

static void draw_panel(const struct ordo_net_figure2 *figure, int panel, FILE *stream)
{
    const struct ordo_net_figure2_moment *moment = &figure->moments[panel];
    fprintf(stream, "<text x='%d' y='24' text-anchor='middle' font-size='15'>%s</text>\n", panel * PANEL + PANEL / 2,
            moment->title);
    fprintf(stream, "<text x='%d' y='42' text-anchor='middle' font-size='11'>%lld ns %s</text>\n",
            panel * PANEL + PANEL / 2, (long long)(llabs(moment->after_cut_fs) / ns_fs),
            moment->after_cut_fs < 0 ? "before" : "after");
    for (int channel = 0; channel < ORDO_NET_FIGURE2_CHANNELS; channel++)
        draw_channel(figure, panel, channel, stream);
    for (int node = 0; node < ORDO_NET_FIGURE2_PROCESSES; node++)
        draw_process(figure, panel, node, stream);
}

/* Draws the figure. The line of an arrow ends in the middle of a circle, which is drawn over it, so the arrow's head is
 * set back by the radius. */
void figure_draw(const struct ordo_net_figure2 *figure, FILE *stream)
{
    fprintf(stream,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif'>\n"
            "<defs><marker id='arrow' markerUnits='userSpaceOnUse' markerWidth='10' markerHeight='8' refX='%d' "
            "refY='4' orient='auto'><path d='M0,0 L10,4 L0,8 z'/></marker></defs>\n"
            "<rect width='100%%' height='100%%' fill='white'/>\n",
            ORDO_NET_FIGURE2_MOMENTS * PANEL, HEIGHT, 10 + RADIUS);
    for (int panel = 0; panel < ORDO_NET_FIGURE2_MOMENTS; panel++)
        draw_panel(figure, panel, stream);
    fprintf(stream,
            "<text x='12' y='%d' font-size='12'>An arrow goes from a master to who follows it; dashed: the channel "
            "that was cut; dotted: "
            "a redundant one. Green: synchronised; orange: tagged. Bold: a master. Beside a process: its hops.</text>\n"
            "</svg>\n",
            HEIGHT - 12);
}
