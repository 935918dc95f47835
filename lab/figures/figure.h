/* A figure or a table of a published document, repeated.
 *
 * A document is a file in document/, which lists its figures in the order of the document. A figure is a function that
 * runs what stands behind the figure, and reports three kinds of results:
 *
 * - values: a published number beside ours;
 * - claims: a statement of the document that holds here or does not;
 * - panels with curves, for the picture, with the axes of the original.
 *
 * The verdict of a figure follows from its values and claims alone (ordo_figure_judge). A function that reports results
 * need not check for a lack of memory: the run remembers it, and ends with ORDO_E_SYSTEM. */
#ifndef ORDO_LAB_FIGURES_FIGURE_H
#define ORDO_LAB_FIGURES_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct ordo_figure_run;
struct ordo_figure_panel;
struct ordo_figure_curve;

/** The source of the numbers of a figure. */
enum ordo_figure_place {
    ORDO_FIGURE_NETWORK,    /* a simulated network (lab/net) */
    ORDO_FIGURE_CLUSTER,    /* a simulated cluster of MPI ranks (lib/cluster/transport/sim.h, or SimGrid) */
    ORDO_FIGURE_MACHINE,    /* this machine */
    ORDO_FIGURE_RANKS,      /* ranks of MPI on this machine */
    ORDO_FIGURE_ARITHMETIC, /* a formula or a published table, evaluated */
};

struct ordo_figure {
    const char *name;  /* "fig3", "table1" */
    const char *title; /* the contents of the figure, in our words */
    enum ordo_figure_place place;
    /* Runs the figure, in at most 5 minutes. NULL: it cannot be had. */
    int (*run)(struct ordo_figure_run *run, struct ordo_error *error);
    const char *because; /* why there are no numbers, if `run` is NULL */
};

struct ordo_document {
    const char *name;                  /* "hca3" */
    const char *title;                 /* authors, title, place of publication */
    const struct ordo_figure *figures; /* ends with a name of NULL */
    const char *note;                  /* a sentence that a reader of its verdicts must know; or NULL */
};

/** All documents, ending with NULL. */
extern const struct ordo_document *const ordo_documents[];

/** Which of our values are better than the published value. */
enum ordo_figure_sense {
    ORDO_FIGURE_EQUAL, /* none: the value is a fact, as a number of messages */
    ORDO_FIGURE_LESS,  /* smaller values, as an error */
    ORDO_FIGURE_MORE,  /* greater values, as a throughput */
    ORDO_FIGURE_LIMIT, /* none: the published number is an upper limit, and every smaller value keeps it */
};

/** A published number beside ours. */
struct ordo_figure_value {
    char what[100];
    char unit[16];
    double published, ours;
    double factor; /* ours is reproduced from published / factor to published * factor; at least 1 */
    enum ordo_figure_sense sense;
};

/** A statement of the document, in our words. */
struct ordo_figure_claim {
    char what[160];
    bool holds;
};

enum ordo_figure_verdict { ORDO_FIGURE_BETTER, ORDO_FIGURE_REPRODUCED, ORDO_FIGURE_DIFFERS, ORDO_FIGURE_ABSENT };

/** Returns the seed of all random numbers of a run. */
uint64_t ordo_figure_seed(const struct ordo_figure_run *run);

/** Reports a published number beside ours. `published` and `ours` are in `unit`. */
void ordo_figure_value(struct ordo_figure_run *run, const char *what, const char *unit, double published, double ours,
                       enum ordo_figure_sense sense, double factor);

/** Reports whether a statement holds here. */
void ordo_figure_claim(struct ordo_figure_run *run, bool holds, const char *what);

/** States why the number or claim `what` differs, if it does. A figure has at most one. The strings are not copied. */
void ordo_figure_explain(struct ordo_figure_run *run, const char *what, const char *because);

/** How a curve is drawn. */
enum ordo_figure_style {
    ORDO_FIGURE_LINE,
    ORDO_FIGURE_POINTS,
    ORDO_FIGURE_BARS,
    ORDO_FIGURE_RANGES,
    ORDO_FIGURE_STEPS
};

/** How an axis is drawn; the sum of these. */
enum ordo_figure_axes { ORDO_FIGURE_LINEAR = 0, ORDO_FIGURE_LOG_X = 1, ORDO_FIGURE_LOG_Y = 2 };

/** Begins a panel. `x` and `y` are the labels of the axes, with their units. */
struct ordo_figure_panel *ordo_figure_panel(struct ordo_figure_run *run, const char *title, const char *x,
                                            const char *y, enum ordo_figure_axes axes);

/** Begins a curve of a panel. */
struct ordo_figure_curve *ordo_figure_curve(struct ordo_figure_panel *panel, const char *name,
                                            enum ordo_figure_style style);

/** Adds a point to a curve. */
void ordo_figure_point(struct ordo_figure_curve *curve, double x, double y);

/** Adds a point with a range: of an error bar, or for ORDO_FIGURE_RANGES of a bar from `low` to `high` at the height y. */
void ordo_figure_range(struct ordo_figure_curve *curve, double x, double y, double low, double high);

#endif
