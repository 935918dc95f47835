/* The stages of a window of a survey. Each stage is a file; survey.c calls the stages once in a window, in this order.
 * The right column lists the members that a stage writes. A stage reads members that stages above it have written.
 *
 *   order.c    says hello to the hosts, and orders the probes   asked, track: ordered, done, first
 *   tell.c     in the middle of the window, asks for claims     claims
 *   collect.c  collects the pairs of the window as points       base_at_ns, track: first, all, pure, after;
 *                                                               edge: pairs, came; host: told, refused, accepted
 *   edge.c     computes a line and hulls for each edge          window; edge: used, why, coded, pure_there, pure_back
 *   look.c     computes the offsets at three instants           begin, middle, and the end in `window`;
 *                                                               sound, refuted, contrary; most_ns: in ps
 *   host.c     describes the clock of each host                 host: all other members
 *   pair.c     describes each pair of hosts                     most_ns: in ns
 *
 * reason.c explains why a window has no result. */
#ifndef ORDO_NET_LIVE_SURVEY_STAGES_H
#define ORDO_NET_LIVE_SURVEY_STAGES_H

#include "net/live/points.h"
#include "net/live/survey.h"
#include "net/window/window.h"

/* The state of an edge in a survey. */
struct ordo_net_track {
    uint64_t first; /* number of the next pair to collect */
    bool ordered, collected;
    bool after;              /* true if its next pair was sent after the window */
    enum ordo_net_done done; /* the first host's answer to the order */
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
    struct ordo_net_survey_claims *claims; /* by host; NULL: not asked for */
    bool *told;                            /* by host: it has told all its claims in this window */
    double *middle_ps;                     /* by host: potential in the middle of the window */
    struct ordo_interval *middle;          /* by host: its bounds in the middle of the window */
    struct ordo_interval *begin;           /* by host: bounds at the begin of the window */
    double *begin_ps;                      /* by host: potential at the begin of the window */
    int *contrary, contraries;             /* edges of the first loop that contradicts itself, and their number */
    bool *refuted, sound; /* refuted: by host, at one of the three instants; sound: at all three instants */
    int64_t *most_ns;     /* by ordered pair: the bound in ps, then in ns; NULL: not wanted */
    bool through_reference;
    int64_t base_at_ns; /* CLOCK_MONOTONIC here in the middle of the window */
    uint32_t lease_s;
    bool marking; /* true: a collection only finds the number of the next pair of each edge */
    bool began, full, *counted;
};

/** Says hello to all hosts, and sends the orders. ORDO_E_SYSTEM: out of random numbers. */
int ordo_net_survey_order(struct ordo_net_survey *survey, struct ordo_error *error);

/** Collects the pairs of one window. Returns after the window, or when the survey is stopped. If out of memory, sets
 * `full`, which is never cleared. */
void ordo_net_survey_collect(struct ordo_net_survey *survey);

/** Waits for an instant of CLOCK_MONOTONIC, or until the survey is stopped. */
void ordo_net_survey_wait(const struct ordo_net_survey *survey, int64_t until_ns);

/** Asks all hosts for their claims. A host that does not know the question stays a part of the survey. */
void ordo_net_survey_tell(struct ordo_net_survey *survey);

/** Computes lines and hulls of all edges. False if out of memory. */
bool ordo_net_survey_take_edges(struct ordo_net_survey *survey);

/** Computes the offsets at three instants. False if out of memory. */
bool ordo_net_survey_look(struct ordo_net_survey *survey);

void ordo_net_survey_describe(struct ordo_net_survey *survey);

/** Computes the bounds of pairs, if they are wanted. Call it after ordo_net_survey_describe. */
void ordo_net_survey_describe_pairs(struct ordo_net_survey *survey);

/** Checks that a window can have a result.
 * ORDO_E_CANCELLED: the survey was stopped
 * ORDO_E_MEASURE: the reference does not answer, although it may have granted a session before */
int ordo_net_survey_check(const struct ordo_net_survey *survey, struct ordo_error *error);

/** Returns ORDO_E_MEASURE. The text says why the reference has no used edge. */
int ordo_net_survey_alone(const struct ordo_net_survey *survey, struct ordo_error *error);

static inline bool ordo_net_survey_stopped(const struct ordo_net_survey *survey)
{
    return survey->options.stopped && survey->options.stopped();
}

static inline bool ordo_net_survey_answers(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].session != 0 && !survey->asked[host].silent;
}

static inline int64_t ordo_net_survey_floor_ns(int64_t ps)
{
    return ps / 1000 - (ps % 1000 < 0);
}

/** Returns the approximate reading of the host's clock in the middle of the window. */
static inline int64_t ordo_net_survey_base_ns(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].now_ns + (survey->base_at_ns - survey->asked[host].now_at_ns);
}

#endif
