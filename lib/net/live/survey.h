/* HUYGENS on a real network: orders probes along a mesh of hosts, gathers what they saw, and says for each host where its clock is.
 *
 * Y. Geng et al., NSDI 2018: coded probes, an estimator for each edge, the network effect; and bounds that are not in the
 * paper, from all probes (net/window/window.h). Nothing is set anywhere. */
#ifndef ORDO_NET_LIVE_SURVEY_H
#define ORDO_NET_LIVE_SURVEY_H

#include "net/live/asker.h"
#include "net/offset/estimator.h"

struct ordo_net_survey_options {
    const struct ordo_net_offset_estimator *estimator;
    int peers; /* that each host probes */
    int64_t window_ns, every_ns, spacing_ns, tolerance_ns;
    int64_t
        patience_ns; /* how long a slow host is waited for, once in a window; more than 3.5 s, which it takes to know a silent one */
    double rate_ppm;  /* a clock's rate differs from the true one by at most this */
    int64_t stamp_ns; /* a stamp is as much as this too early or too late by the clock itself, at most */
    int liars; /* hosts other than the reference that may lie without making a proved interval of another one wrong */
    uint64_t seed;
    char *const *name; /* of the hosts in messages, as long as the survey; NULL: their addresses */
    bool (*stopped)(void);
};

/** A host's clock, as a difference from that of host 0 in the middle of the window. */
struct ordo_net_survey_host {
    bool answers, joined; /* edges that were used join it to host 0 */
    bool slow;            /* it answers, but did not tell all that it was asked for in time */
    bool proved;          /* its offset, */
    bool refuted;         /* or with `joined` why not: it contradicts the others (net/graph/liars.h [L4]); no: [L3] */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    int64_t estimate_ns;
    struct ordo_interval offset_ns;                  /* with `proved` */
    double drift_ppb, drift_low_ppb, drift_high_ppb; /* mean of the window; the two ends are proved */
    bool told;                                       /* its counts are known */
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** Why an edge was not used in a window. */
enum ordo_net_unused {
    ORDO_NET_USED,
    ORDO_NET_WITHOUT_KEY,    /* a has no key of the number with which b is to be probed */
    ORDO_NET_WITHOUT_PLACE,  /* a probes along as many edges as it can */
    ORDO_NET_WITHOUT_ANSWER, /* a or b does not answer */
    ORDO_NET_WITHOUT_PROBE,  /* none came there and back */
    ORDO_NET_WITHOUT_TIME,   /* a was too slow to take the order, or to tell what it saw */
    ORDO_NET_CLOCK_SET       /* their stamps are far from what the clocks told before the window */
};

struct ordo_net_survey_edge {
    int a, b;
    bool used;                      /* in this window, */
    enum ordo_net_unused why;       /* or why not */
    bool coded;                     /* its estimate is of pure pairs; otherwise too few were left, and all count */
    uint64_t pairs;                 /* that were sent in this window, */
    uint64_t came;                  /* whose probes all four came, */
    uint64_t pure_there, pure_back; /* and that kept their distance, in each direction */
};

struct ordo_net_survey_result {
    int hosts, edges;
    const struct ordo_net_survey_host *host;
    const struct ordo_net_survey_edge *edge;
    bool
        sound; /* the intervals of the edges contradict each other nowhere, or at liars that are allowed for; no: nothing is proved */
    int contraries; /* edges that contradict each other: a loop, whose intervals add up to an empty one; 0: there is none */
    const int *contrary; /* their numbers */
};

struct ordo_net_survey;

/** Takes over the port. The time of a window grows with ordo_net_liars_sets(). `keys`: by host the number of the key that it has, 0 for the first; NULL: that for all. NULL where memory or
 * chance ran out. */
struct ordo_net_survey *ordo_net_survey_new(const struct ordo_net_port *port, const struct ordo_net_address *hosts,
                                            const uint16_t *keys, int count,
                                            const struct ordo_net_survey_options *options);
void ordo_net_survey_free(struct ordo_net_survey *survey);

/** Lets the hosts probe for one window, and fills in the result, which is the survey's and stays until the next. Hosts that do not
 * answer are tried anew in each window. ORDO_E_MEASURE: the reference, which is host 0, does not answer, or is
 * joined to no other; ORDO_E_CANCELLED: it was stopped; ORDO_E_SYSTEM: memory ran out. */
int ordo_net_survey_window(struct ordo_net_survey *survey, struct ordo_net_survey_result *result,
                           struct ordo_error *error);

/** Tells the hosts to probe no more. It takes 5 s at most: who does not answer goes on until its lease ends. `stopped` takes the place
 * of that of the options, which may have ended the survey; NULL: nothing stops it. No window may follow. */
void ordo_net_survey_end(struct ordo_net_survey *survey, bool (*stopped)(void));

#endif
