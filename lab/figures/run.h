/* The results of a run of a figure. */
#ifndef ORDO_LAB_FIGURES_RUN_H
#define ORDO_LAB_FIGURES_RUN_H

#include <stdio.h>

#include "lab/figures/figure.h"

struct ordo_figure_point {
    double x, y, low, high; /* low and high are NaN without a range */
};

struct ordo_figure_curve {
    struct ordo_figure_run *run;
    char name[80];
    enum ordo_figure_style style;
    struct ordo_figure_point *points;
    size_t count, room;
};

enum { ORDO_FIGURE_CURVES = 32, ORDO_FIGURE_PANELS = 12, ORDO_FIGURE_VALUES = 200, ORDO_FIGURE_CLAIMS = 40 };

struct ordo_figure_panel {
    struct ordo_figure_run *run;
    char title[120], x[80], y[80];
    enum ordo_figure_axes axes;
    int curves;
    struct ordo_figure_curve curve[ORDO_FIGURE_CURVES];
};

struct ordo_figure_run {
    uint64_t seed;
    double seconds; /* how long the run took */
    bool failed;    /* out of memory, or more results than there is room for */
    int values, claims, panels;
    const char *differs, *because; /* the number or claim whose difference is explained, and its reason; or NULL */
    struct ordo_figure_value value[ORDO_FIGURE_VALUES];
    struct ordo_figure_claim claim[ORDO_FIGURE_CLAIMS];
    struct ordo_figure_panel *panel[ORDO_FIGURE_PANELS];
};

/** Runs a figure. The caller owns `*run`, also after a failure, and ends it with ordo_figure_drop. Returns
 *
 * - ORDO_OK: `*run` has the results;
 * - ORDO_E_MISSING: the figure cannot be had on this machine, because a program or a part of it is missing;
 * - another code: the result of the figure's function. */
int ordo_figure_repeat(const struct ordo_figure *figure, uint64_t seed, struct ordo_figure_run **run,
                       struct ordo_error *error);

void ordo_figure_drop(struct ordo_figure_run *run);

/** Returns the verdict of a value, of a claim, and of a run. A run
 *
 * - differs if one of its values or claims does;
 * - is better if all of its values are;
 * - is reproduced otherwise. */
enum ordo_figure_verdict ordo_figure_judge_value(const struct ordo_figure_value *value);
enum ordo_figure_verdict ordo_figure_judge(const struct ordo_figure_run *run);

/** Returns why a run differs; NULL if a number or claim differs that is not explained. */
const char *ordo_figure_reason(const struct ordo_figure_run *run);

/** Returns the word of a verdict, such as "reproduced". */
const char *ordo_figure_verdict_name(enum ordo_figure_verdict verdict);

/** Draws the panels as SVG, side by side. ORDO_E_MISSING: gnuplot is not installed. */
int ordo_figure_draw(const struct ordo_figure_run *run, const char *title, FILE *output, struct ordo_error *error);

#endif
