/* The functions of document/ordo.c, and their access to the results of ordo-bench.
 *
 * The measurements use a boundary of 1000 ticks, which is larger than any that was measured on machines of one package.
 * The document's gains, 1.2 to 39.7 times, are those of 32 to 240 hardware threads. Two CPUs cannot show them, so the
 * figures about many threads run on a simulated machine, or are those of the model of `ordo-bench txn`. */
#ifndef ORDO_LAB_FIGURES_ORDO_ORDO_H
#define ORDO_LAB_FIGURES_ORDO_ORDO_H

#include "lab/figures/figure.h"
#include "json/reader.h"

int ordo_paper_reads(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_calibrate(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_interface(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_code(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_machines(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_stamps(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_updates(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_boundary(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_oplog(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_ycsb(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_tpcc(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_paper_tl2(struct ordo_figure_run *run, struct ordo_error *error);

/** The least published gain over a logical clock. */
#define ORDO_PAPER_LEAST_GAIN 1.2

/** Compares the least and the largest gain of a figure with the published range, 1.2 to 39.7 times. */
void ordo_paper_gains(struct ordo_figure_run *run, double least, double most);

/** Measures how many timestamps per second two threads take from one counter. */
int ordo_paper_counter(double *per_s, struct ordo_error *error);

/** Runs a program of the project, as ordo_figure_program. ORDO_E_MISSING: it is not beside this program. */
int ordo_paper_program(const char *const *arguments, struct ordo_json_value **document, struct ordo_error *error);

/** Returns the operations per second of a result; NAN if there is none. `stamp` may be NULL. */
double ordo_paper_speed(const struct ordo_json_value *document, const char *algorithm, const char *stamp,
                        const char *workload, int threads);

/** Returns the median of the paired ratios of two results, written as "rlu/ordo"; NAN if there is none. */
double ordo_paper_ratio(const struct ordo_json_value *document, const char *of, const char *over, const char *workload,
                        int threads);

/** Draws the operations per second of an algorithm and stamp over the number of threads. */
void ordo_paper_draw(struct ordo_figure_panel *panel, const char *name, const struct ordo_json_value *document,
                     const char *algorithm, const char *stamp, const char *workload);

#endif
