/* Figures 4 and 5, and equations 1 to 4: the clocks that are recovered from a channel. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/jitter.h"
#include "lab/figures/osmosis/osmosis.h"
#include "lab/net/osmosis/pll.h"

enum { CELLS = 4000, ENABLED = 3, UP = 5, DOWN = 4, DRAWN_CELLS = 6 };
enum { EDGES = 400000, SPAN = 442, HOPS = 8, WARM_UP = 20000 };

static const double mc_fs = 8e6, synthesized_fs = 6.4e6;

/* Returns the ascending edges of the master clock, or NULL. */
static int64_t *master_clock(size_t edges, struct ordo_error *error)
{
    int64_t *edge_fs = calloc(edges, sizeof *edge_fs);
    if (!edge_fs)
        (void)ordo_error_errno(error, "the edges of a clock");
    for (size_t i = 0; edge_fs && i < edges; i++)
        edge_fs[i] = llround((double)(i + 1) * mc_fs);
    return edge_fs;
}

/* Draws a square wave between two levels: high in the first half of each period. */
static void draw_wave(struct ordo_figure_panel *panel, const char *name, const int64_t *edge_fs, size_t edges,
                      double level)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    for (size_t i = 0; i + 1 < edges; i++) {
        double begin_ns = (double)edge_fs[i] * 1e-6, end_ns = (double)edge_fs[i + 1] * 1e-6;
        double middle_ns = (begin_ns + end_ns) / 2;
        ordo_figure_point(curve, begin_ns, level);
        ordo_figure_point(curve, begin_ns, level + 1);
        ordo_figure_point(curve, middle_ns, level + 1);
        ordo_figure_point(curve, middle_ns, level);
    }
}

/* Draws the pulse of the TS, and the cells in which the phases match within a tenth of a nanosecond. */
static void draw_cells(struct ordo_figure_panel *panel, const int64_t *master, const int64_t *own)
{
    struct ordo_figure_curve *ts = ordo_figure_curve(panel, "initial TS", ORDO_FIGURE_LINE);
    struct ordo_figure_curve *cell = ordo_figure_curve(panel, "unit cell", ORDO_FIGURE_POINTS);
    double ts_ns = (double)master[ENABLED * DOWN] * 1e-6;
    ordo_figure_point(ts, ts_ns, 2);
    ordo_figure_point(ts, ts_ns, 3);
    ordo_figure_point(ts, ts_ns + 4, 3);
    ordo_figure_point(ts, ts_ns + 4, 2);
    for (int i = 0; i < DRAWN_CELLS; i++)
        if (llabs(own[i * UP] - master[i * DOWN]) < 100000)
            ordo_figure_point(cell, (double)own[i * UP] * 1e-6, 0.5);
}

/* Returns the largest |phase| at the beginning of the cells, in ps. */
static double worst_phase_ps(const int64_t *master, const int64_t *own, int from, int to)
{
    double worst_ps = 0;
    for (int i = from; i < to; i++)
        worst_ps = fmax(worst_ps, fabs((double)(own[i * UP] - master[i * DOWN])) * 1e-3);
    return worst_ps;
}

int figure_osmosis_synthesizer(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_pll pll = {.up = UP,
                                     .down = DOWN,
                                     .period_fs = synthesized_fs,
                                     .off = 5e-5,
                                     .noise_fs = 5000,
                                     .proportional = 0.1,
                                     .integral = 0.005,
                                     .enabled = ENABLED,
                                     .first_fs = mc_fs + 2.3e6,
                                     .seed = ordo_figure_seed(run)};
    int64_t *master = master_clock(CELLS * DOWN, error), *own = calloc(CELLS * UP, sizeof *own);
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "the synthesizer after power-up", "time (ns)", "waveforms", ORDO_FIGURE_LINEAR);
    if (!master || !own) {
        free(master);
        free(own);
        return ordo_error_errno(error, "the edges of a clock");
    }
    size_t edges = ordo_net_pll_follow(&pll, master, CELLS * DOWN, own);
    draw_wave(panel, "MC, 125 MHz", master, DRAWN_CELLS * DOWN, 6);
    draw_wave(panel, "156.25 MHz", own, DRAWN_CELLS * UP, 4);
    draw_cells(panel, master, own);
    double span_s = (double)(own[edges - 1] - own[ENABLED * UP]) * 1e-15;
    double mhz = (double)(edges - 1 - ENABLED * UP) / span_s * 1e-6;
    /* 5/4 of 125 MHz: exact but for the ends of the span, a part of 10^6. */
    ordo_figure_value(run, "synthesized frequency from 125 MHz", "MHz", 156.25, mhz, ORDO_FIGURE_EQUAL, 1.000001);
    ordo_figure_claim(run, worst_phase_ps(master, own, 0, ENABLED) > 1000, "before the TS the phases do not match");
    ordo_figure_claim(run, worst_phase_ps(master, own, ENABLED, ENABLED + 1) < 1,
                      "the TS synchronises all phases at once: the first unit cell begins with it");
    ordo_figure_claim(run, worst_phase_ps(master, own, ENABLED, CELLS) < 200,
                      "from then on the phases match in every unit cell of 32 ns");
    free(master);
    free(own);
    return ORDO_OK;
}

/* Draws the times of the edge that is `SPAN` periods after a trigger, as an oscilloscope collects them. */
static void draw_edges(struct ordo_figure_run *run, const int64_t *own, size_t edges)
{
    enum { BINS = 81 };
    int bin[BINS] = {0};
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "the 442nd period after the trigger", "time (ns)",
                                                        "collected edges", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "rising edge of the MC", ORDO_FIGURE_STEPS);
    for (size_t i = 0; i + SPAN < edges; i++) {
        double off_ns = (double)(own[i + SPAN] - own[i]) * 1e-6 - SPAN * mc_fs * 1e-6;
        int at = BINS / 2 + (int)lround(off_ns / 0.05);
        if (at >= 0 && at < BINS)
            bin[at]++;
    }
    for (int i = 0; i < BINS; i++)
        ordo_figure_point(curve, SPAN * mc_fs * 1e-6 + (i - BINS / 2) * 0.05, bin[i]);
}

/* The noise of a period is chosen so that the absolute jitter is the measured one, 300 ps; the jitter from cycle to
 * cycle follows twice: from equation 5, and from the periods themselves. The report rounds 20.18 ps to 20 ps. */
int figure_osmosis_jitter(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct ordo_net_pll pll = {.up = 1,
                                     .down = 1,
                                     .period_fs = mc_fs,
                                     .noise_fs = 300e3 / sqrt(SPAN),
                                     .proportional = 2e-5,
                                     .seed = ordo_figure_seed(run)};
    int64_t *master = master_clock(EDGES, error), *own = calloc(EDGES, sizeof *own);
    if (!master || !own) {
        free(master);
        free(own);
        return ordo_error_errno(error, "the edges of a clock");
    }
    size_t edges = ordo_net_pll_follow(&pll, master, EDGES, own);
    struct ordo_jitter jitter = ordo_jitter_of(own, edges, SPAN);
    struct ordo_whiteness white = ordo_jitter_whiteness(own, edges);
    draw_edges(run, own, edges);
    free(master);
    free(own);
    /* Within 10%: the deviation of a phase that wanders, from few independent spans of 442 periods. The others are within
     * 2%: 20.18 ps were rounded to 20 ps. The number of periods is a fact. */
    double converted_ps = ordo_jitter_cycle_to_cycle(300, 8000, 3536000);
    ordo_figure_value(run, "absolute jitter over 442 periods (fitted)", "ps", 300, jitter.absolute_fs * 1e-3,
                      ORDO_FIGURE_EQUAL, 1.1);
    ordo_figure_value(run, "equation 5: jitter from cycle to cycle", "ps", 20, converted_ps, ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "jitter from cycle to cycle, of the periods", "ps", 20, jitter.cycle_to_cycle_fs * 1e-3,
                      ORDO_FIGURE_EQUAL, 1.02);
    ordo_figure_value(run, "periods after the trigger in 3536 ns", "", 442, 3536e6 / mc_fs, ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, white.is_white, "the periods are white noise, as equation 4 needs");
    return ORDO_OK;
}

/* Returns the standard deviation of a clock's phase from the master clock, in ps. */
static double deviation_ps(const int64_t *master, const int64_t *own)
{
    double squares = 0;
    for (int i = WARM_UP; i < EDGES; i++)
        squares += pow((double)(own[i] - master[i]) * 1e-3, 2) / (EDGES - WARM_UP);
    return sqrt(squares);
}

/* Follows a chain of recovered clocks. `found_ps`: by hop; `short_ps`: absolute jitter over ten periods. */
static int follow_chain(const struct ordo_figure_run *run, double found_ps[HOPS + 1], double short_ps[HOPS + 1],
                        struct ordo_error *error)
{
    int64_t *master = master_clock(EDGES, error);
    int64_t *clock[2] = {master_clock(EDGES, error), calloc(EDGES, sizeof(int64_t))};
    bool made = master && clock[0] && clock[1];
    for (int hop = 1; made && hop <= HOPS; hop++) {
        int64_t *own = clock[hop % 2];
        const struct ordo_net_pll pll = {.up = 1,
                                         .down = 1,
                                         .period_fs = mc_fs,
                                         .noise_fs = 14270,
                                         .proportional = 1.0 / 200,
                                         .seed = ordo_figure_seed(run) + (uint64_t)hop};
        (void)ordo_net_pll_follow(&pll, clock[1 - hop % 2], EDGES, own);
        found_ps[hop] = deviation_ps(master, own);
        short_ps[hop] = ordo_jitter_of(&own[WARM_UP], EDGES - WARM_UP, 10).absolute_fs * 1e-3;
    }
    free(master);
    free(clock[0]);
    free(clock[1]);
    return made ? ORDO_OK : ordo_error_errno(error, "the edges of a clock");
}

/* A loop of the time of 200 periods. Over 10 periods each clock has the jitter of its own oscillator, by equation 4,
 * whatever its place in the chain. The phase from the master accumulates from hop to hop. */
int figure_osmosis_accumulation(struct ordo_figure_run *run, struct ordo_error *error)
{
    double found_ps[HOPS + 1] = {0}, short_ps[HOPS + 1] = {0}, law_ps = 14.27 * sqrt(10);
    bool grows = true, bounded = true, law = true;
    int code = follow_chain(run, found_ps, short_ps, error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "a chain of recovered clocks", "hops from the master",
                                                        "standard deviation (ps)", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *phase = ordo_figure_curve(panel, "phase from the master", ORDO_FIGURE_POINTS);
    struct ordo_figure_curve *independent = ordo_figure_curve(panel, "root of the hops", ORDO_FIGURE_LINE);
    struct ordo_figure_curve *nearby = ordo_figure_curve(panel, "absolute jitter over 10 periods", ORDO_FIGURE_POINTS);
    for (int hop = 1; hop <= HOPS; hop++) {
        ordo_figure_point(phase, hop, found_ps[hop]);
        ordo_figure_point(independent, hop, found_ps[1] * sqrt(hop));
        ordo_figure_point(nearby, hop, short_ps[hop]);
        grows = grows && found_ps[hop] > found_ps[hop - 1];
        bounded = bounded && found_ps[hop] <= 1.05 * found_ps[1] * sqrt(hop);
        law = law && fabs(short_ps[hop] / law_ps - 1) < 0.1;
    }
    ordo_figure_claim(run, grows, "jitter accumulates: the phase from the master is wider after each hop");
    ordo_figure_claim(run, bounded, "independent hops add up by their squares at most: at most the root of the hops");
    ordo_figure_claim(run, law, "within the time of the loop, equation 4 holds for each clock as for one oscillator");
    return ORDO_OK;
}
