/* HUYGENS on a real network: orders probes along a mesh of hosts, collects their stamps, and computes the offset of
 * each host's clock.
 *
 * Y. Geng et al., NSDI 2018: coded probes, an estimator for each edge, the network effect. The bounds are not in the
 * paper; they use all probes (net/window/window.h). No clock is set. */
#ifndef ORDO_NET_LIVE_SURVEY_H
#define ORDO_NET_LIVE_SURVEY_H

#include "net/live/asker.h"
#include "net/offset/estimator.h"

struct ordo_net_survey_options {
    const struct ordo_net_offset_estimator *estimator;
    int peers; /* number of hosts that each host probes */
    int64_t window_ns, every_ns, spacing_ns, tolerance_ns;
    int64_t patience_ns; /* timeout for a slow host, once in a window; more than 3.5 s, the time to find a silent one */
    double rate_ppm;     /* bound on the difference of a clock's rate from the true one */
    int64_t stamp_ns;    /* bound on the error of a stamp, by the clock itself */
    int liars; /* number of hosts other than the reference that may lie without making a proved interval of another host
                * wrong */
    uint64_t seed;
    char *const *name; /* names of the hosts in messages, which must outlive the survey; NULL: their addresses */
    bool (*stopped)(void);
};

/** A host's clock, as a difference from that of host 0 in the middle of the window. */
struct ordo_net_survey_host {
    bool answers, joined; /* used edges join it to host 0 */
    bool slow;            /* it answers, but could not send all its pairs in time */
    bool proved;          /* its offset is proved, */
    bool refuted;         /* or with `joined` why not. True: it contradicts the others (net/graph/liars.h [L4]); false:
                           * [L3] */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    int64_t estimate_ns;
    struct ordo_interval offset_ns;                  /* with `proved` */
    double drift_ppb, drift_low_ppb, drift_high_ppb; /* means over the window; the two ends are proved */
    bool told;                                       /* its counts are known */
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** Why an edge was not used in a window. */
enum ordo_net_unused {
    ORDO_NET_USED,
    ORDO_NET_WITHOUT_KEY,    /* a has no key of the number with which b is probed */
    ORDO_NET_WITHOUT_PLACE,  /* a already probes as many edges as it can */
    ORDO_NET_WITHOUT_ANSWER, /* a or b does not answer */
    ORDO_NET_WITHOUT_PROBE,  /* no probe came there and back */
    ORDO_NET_WITHOUT_TIME,   /* a was too slow to take the order, or to send its pairs */
    ORDO_NET_CLOCK_SET       /* their stamps are far from the readings of the clocks before the window */
};

struct ordo_net_survey_edge {
    int a, b;
    bool used;                      /* in this window, */
    enum ordo_net_unused why;       /* or why not */
    bool coded;                     /* its estimate is of pure pairs; otherwise too few were pure, and all pairs are
                                     * used */
    uint64_t pairs;                 /* number of pairs sent in this window, */
    uint64_t came;                  /* of those whose four probes all came, */
    uint64_t pure_there, pure_back; /* and of those that kept their distance, in each direction */
};

struct ordo_net_survey_result {
    int hosts, edges;
    const struct ordo_net_survey_host *host;
    const struct ordo_net_survey_edge *edge;
    bool sound; /* the intervals of the edges contradict each other nowhere, or only at allowed liars; otherwise nothing
                * is proved */
    int contraries; /* number of edges that contradict each other: a loop whose intervals add up to an empty one; 0:
                     * none */
    const int *contrary; /* their numbers */
};

struct ordo_net_survey;

/** Takes over the port. The time of a window grows with ordo_net_liars_sets(). `keys`: by host the number of its key, 0
 * for the first; NULL: that for all. NULL if out of memory or random numbers. */
struct ordo_net_survey *ordo_net_survey_new(const struct ordo_net_port *port, const struct ordo_net_address *hosts,
                                            const uint16_t *keys, int count,
                                            const struct ordo_net_survey_options *options);
void ordo_net_survey_free(struct ordo_net_survey *survey);

/** Lets the hosts probe for one window, and fills in the result, which belongs to the survey and stays until the next
 * window. Hosts that do not answer are tried again in each window.
 * ORDO_E_MEASURE: the reference, which is host 0, does not answer, or no edge joins it to another host
 * ORDO_E_CANCELLED: the survey was stopped
 * ORDO_E_SYSTEM: out of memory */
int ordo_net_survey_window(struct ordo_net_survey *survey, struct ordo_net_survey_result *result,
                           struct ordo_error *error);

/** Orders the hosts to probe no more. Takes at most 5 s: a host that does not answer probes until its lease ends.
 * `stopped` replaces that of the options, which may have ended the survey; NULL: nothing stops it. No window may
 * follow. */
void ordo_net_survey_end(struct ordo_net_survey *survey, bool (*stopped)(void));

#endif
