/* A window of a survey, stage by stage. Each stage is a file, entered once in a window. It reads the members that the
 * stages above it wrote, and writes those in its row. The survey holds all members, and calls one stage after another.
 *
 *   order.c    says hello to the hosts, and orders the probes   asked, track: ordered, done, first
 *   collect.c  collects the pairs of the window as points       base_at_ns, track: first, all, pure, after;
 *                                                               edge: pairs, came; host: told, refused, accepted
 *   edge.c     makes a line and hulls of the points of an edge  window; edge: used, why, coded, pure_there, pure_back
 *   look.c     reads all edges at three instants                begin, middle, and the end in `window`;
 *                                                               sound, refuted, contrary
 *   host.c     describes the clock of each host                 host: all other members
 *
 * reason.c says why a window has no result. */
#ifndef ORDO_NET_LIVE_SURVEY_STAGES_H
#define ORDO_NET_LIVE_SURVEY_STAGES_H

#include "net/live/points.h"
#include "net/live/survey.h"
#include "net/window/window.h"

/* The state of an edge during a measurement. */
struct ordo_net_track {
    uint64_t first; /* the number of the pair to collect next */
    bool ordered, collected;
    bool after;              /* its remaining pairs were sent after the window */
    enum ordo_net_done done; /* the host's answer to the order */
    struct ordo_net_points all, pure;
};

struct ordo_net_survey {
    struct ordo_net_port port;
    struct ordo_net_survey_options options;
    struct ordo_net_mesh mesh;
    struct ordo_net_window window;
    struct ordo_net_asked *asked;
    struct ordo_net_track *track;
    struct ordo_net_survey_host *host;
    struct ordo_net_survey_edge *edge;
    double *middle_ps;            /* potentials and bounds in the middle of the window, */
    struct ordo_interval *middle; /* and at its beginning and its end */
    struct ordo_interval *begin;
    double *begin_ps;
    int *contrary, contraries; /* of the first reading that found a contradiction */
    bool *refuted, sound;      /* by host, and of all hosts: in any reading */
    int64_t base_at_ns;        /* CLOCK_MONOTONIC here: the middle of the window */
    uint32_t lease_s;
    bool marking; /* collections find only the position of the next pairs */
    bool began, full, *counted;
};

/** ORDO_E_SYSTEM: out of random numbers. */
int ordo_net_survey_order(struct ordo_net_survey *survey, struct ordo_error *error);

/** Returns after the window, or when the survey is stopped. Sets `full` for good if out of memory. */
void ordo_net_survey_collect(struct ordo_net_survey *survey);

/** False if out of memory. */
bool ordo_net_survey_take_edges(struct ordo_net_survey *survey);

/** False if out of memory. */
bool ordo_net_survey_look(struct ordo_net_survey *survey);

void ordo_net_survey_describe(struct ordo_net_survey *survey);

/** Checks that a window can be judged.
 * ORDO_E_CANCELLED: the survey is stopped
 * ORDO_E_MEASURE: the reference does not answer; it may have died since it granted the session */
int ordo_net_survey_check(const struct ordo_net_survey *survey, struct ordo_error *error);

/** Returns ORDO_E_MEASURE, with the reason why no edge joins the reference. */
int ordo_net_survey_alone(const struct ordo_net_survey *survey, struct ordo_error *error);

static inline bool ordo_net_survey_stopped(const struct ordo_net_survey *survey)
{
    return survey->options.stopped && survey->options.stopped();
}

static inline bool ordo_net_survey_answers(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].session != 0 && !survey->asked[host].silent;
}

/** Returns the reading of the host's clock in the middle of the window. */
static inline int64_t ordo_net_survey_base_ns(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].now_ns + (survey->base_at_ns - survey->asked[host].now_at_ns);
}

#endif
