/* Figure 3: the measurement of the offset of two clocks, by `ordo calibrate` on the CPUs of this machine. */
#include <math.h>

#include "lab/figures/ordo/ordo.h"

/* Draws the deltas of all pairs and directions, and returns the largest; 0 if there are none. */
static double draw_deltas(struct ordo_figure_run *run, const struct ordo_json_value *document, double *least)
{
    const struct ordo_json_value *rows = ordo_json_get(document, "delta_ticks");
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "offsets of this machine", "CPU that writes its clock",
                                                        "smallest difference, ticks", ORDO_FIGURE_LINEAR);
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, "another CPU", ORDO_FIGURE_POINTS);
    double most = 0;
    *least = INFINITY;
    for (size_t a = 0; a < ordo_json_count(rows); a++)
        for (size_t b = 0; b < ordo_json_count(rows); b++) {
            double delta = ordo_json_number_of(ordo_json_item(ordo_json_item(rows, a), b), NAN);
            if (!isfinite(delta))
                continue;
            ordo_figure_point(curve, (double)a, delta);
            most = fmax(most, delta);
            *least = fmin(*least, delta);
        }
    return most;
}

int ordo_paper_calibrate(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const arguments[] = {"ordo", "calibrate", "--dry-run", "--json", "--runs", "100000", NULL};
    struct ordo_json_value *document;
    double least;
    int code = ordo_paper_program(arguments, &document, error);
    if (code)
        return code;
    double most = draw_deltas(run, document, &least), boundary = ordo_json_number(document, "boundary_ticks", 0);
    ordo_json_free(document);
    ordo_figure_claim(run, least > 0,
                      "the smallest of 100,000 differences is positive: no message came before it was sent");
    ordo_figure_claim(run, most > 0 && boundary >= most,
                      "the boundary is at least every difference of every direction");
    /* The header ordo_clock.h of TimeStone and MV-RLU states the boundaries of their machines: 650 cycles with 120 CPUs,
     * and 1214 with 224. A machine with fewer CPUs keeps the larger as a limit. */
    ordo_figure_value(run, "boundary, of a published machine with 224 CPUs", "ticks", 1214, boundary, ORDO_FIGURE_LIMIT,
                      1);
    return ORDO_OK;
}
