/* The functions of document/libri.c, and the runs and curves that they share. */
#ifndef ORDO_LAB_FIGURES_LIBRI_LIBRI_H
#define ORDO_LAB_FIGURES_LIBRI_LIBRI_H

#include "lab/figures/figure.h"
#include "lab/net/score/score.h"
#include "lab/net/testbed/testbed.h"

int ordo_libri_accuracy(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_monitoring(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_events(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_hierarchies(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_messages(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_jitter(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_testbed(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_interrupts(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_offsets(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_rates(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_drift(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_scale(struct ordo_figure_run *run, struct ordo_error *error);
int ordo_libri_settings(struct ordo_figure_run *run, struct ordo_error *error);

/** Runs NTP, or PTP, on two boards of the test bed for `seconds`. */
int ordo_libri_ntp(const struct ordo_figure_run *run, const struct ordo_net_ntp *ntp, double seconds,
                   struct ordo_net_score *score, struct ordo_error *error);
int ordo_libri_ptp(const struct ordo_figure_run *run, const struct ordo_net_ptp *ptp, double seconds,
                   struct ordo_net_score *score, struct ordo_error *error);

/** Draws the histogram of the signed offsets, and the normal distribution of their mean and deviation. A unit of the
 * axis has `unit_ns`. */
void ordo_libri_draw_histogram(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score,
                               double unit_ns);

/** Draws the share of offsets whose absolute value is smaller. */
void ordo_libri_draw_distribution(struct ordo_figure_panel *panel, const char *name, const struct ordo_net_score *score,
                                  double unit_ns);

#endif
