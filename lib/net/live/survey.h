/* HUYGENS on a real network: orders hosts to probe each other along a mesh, collects the stamps of the probes, and
 * computes the offset of each host's clock. Sets no clock.
 *
 * From Y. Geng et al., NSDI 2018: coded probes, an estimator for each edge, and the network effect. The bounds are not
 * in the paper; they use all probes (net/window/window.h). */
#ifndef ORDO_NET_LIVE_SURVEY_H
#define ORDO_NET_LIVE_SURVEY_H

#include "net/live/asker.h"
#include "net/offset/estimator.h"

struct ordo_net_survey_options {
    const struct ordo_net_offset_estimator *estimator;
    int peers; /* number of hosts that each host probes */
    int64_t window_ns, every_ns, spacing_ns, tolerance_ns;
    int64_t patience_ns; /* timeout for slow hosts; more than 3.5 s, because a silent host is found out within 3.5 s */
    double rate_ppm;     /* bound on |rate - 1| of a clock */
    int64_t stamp_ns;    /* bound on the error of a stamp, against the clock that it was taken from */
    int liars;  /* number K of hosts that may lie; proofs assume that the reference is honest and at most K hosts lie */
    bool pairs; /* compute bounds for every pair of hosts; there must be at most 1024 hosts */
    uint64_t seed;
    bool claims; /* ask the hosts in the middle of each window for the claims about UTC that their programs make */
    char *const *name; /* names of the hosts, for messages; must outlive the survey; NULL: messages have addresses */
    bool (*stopped)(void);
};

/** The clock of a host minus that of host 0, in the middle of the window. */
struct ordo_net_survey_host {
    bool answers, joined; /* joined: used edges connect it to host 0 */
    bool slow;            /* it answers, but did not send all its pairs in time */
    bool proved;          /* its offset has a proved interval */
    bool refuted; /* if joined and not proved: true if it contradicts other hosts (net/graph/liars.h [L4]), false
                   * if its bounds are infinite [L3] */
    enum ordo_net_clock clock;
    enum ordo_net_stamps stamps;
    int64_t estimate_ns;
    struct ordo_interval offset_ns;                  /* valid if `proved` */
    double drift_ppb, drift_low_ppb, drift_high_ppb; /* mean drift over the window: estimate, proved bounds */
    bool told;                                       /* true if `refused` and `accepted` are known */
    uint64_t refused[ORDO_NET_REFUSALS], accepted;
};

/** The reason why an edge, by which host a probes host b, was not used in a window. */
enum ordo_net_unused {
    ORDO_NET_USED,
    ORDO_NET_WITHOUT_KEY,    /* a does not have the key that b is to be probed with */
    ORDO_NET_WITHOUT_PLACE,  /* a already probes as many edges as it can */
    ORDO_NET_WITHOUT_ANSWER, /* a or b does not answer */
    ORDO_NET_WITHOUT_PROBE,  /* in one direction or both, no probe arrived */
    ORDO_NET_WITHOUT_TIME,   /* a did not take the order or send its pairs in time */
    ORDO_NET_CLOCK_SET       /* the stamps are far from the readings of the clocks before the window */
};

struct ordo_net_survey_edge {
    int a, b;
    bool used;                      /* true if it was used in this window */
    enum ordo_net_unused why;       /* if not used: the reason */
    bool coded;                     /* true: the estimate uses pure pairs only (points.h); false: too few were pure, and
                                     * it uses all pairs */
    uint64_t pairs;                 /* number of pairs sent in this window */
    uint64_t came;                  /* number of pairs of which all four messages arrived */
    uint64_t pure_there, pure_back; /* number of pure pairs, from a to b and from b to a */
};

/** How a host has answered the question about claims. */
enum ordo_net_telling {
    ORDO_NET_NOT_TOLD, /* it was not asked, or its agent was too slow */
    ORDO_NET_TOLD,
    ORDO_NET_IGNORANT /* its agent answers all other questions, but not this one: it is older than this program */
};

/** The claims of a host. */
struct ordo_net_survey_claims {
    enum ordo_net_telling telling;
    uint64_t session; /* the session in which it was asked */
    int count;
    struct ordo_net_claim claim[ORDO_NET_MOST_HOST_CLAIMS];
};

struct ordo_net_survey_result {
    int hosts, edges;
    int64_t at_ns; /* reading of the clock of host 0 in the middle of the window, at which the offsets are stated */
    const struct ordo_net_survey_claims *claims; /* by host; NULL: not asked for */
    const struct ordo_net_survey_host *host;
    const struct ordo_net_survey_edge *edge;
    bool sound;     /* true if at most K liars can explain all contradictions between edges; false: nothing is proved */
    int contraries; /* number of edges of a loop whose intervals contradict each other; 0: there is no such loop */
    const int *contrary; /* the numbers of these edges */
    const int64_t
        *most_ns; /* options.pairs: most_ns[a * hosts + b] is an upper bound of the clock of b minus that of a;
                             * INT64_MAX: unknown. Otherwise NULL */
    bool through_reference; /* true: the bounds of pairs are only those that follow from the offsets from the reference,
                             * because the shortest paths between all pairs would take too long */
};

/** The clock of host b minus that of host a, in the middle of the window. */
struct ordo_net_survey_pair {
    bool likely, proved; /* true if the following member is valid */
    int64_t estimate_ns;
    struct ordo_interval offset_ns;
};

struct ordo_net_survey;

/** Makes a survey, which takes over the port. `keys` has the number of the key of each host; 0 and NULL mean the first
 * key of the port. The time to compute a window grows with ordo_net_liars_sets(). NULL if out of memory or random
 * numbers. */
struct ordo_net_survey *ordo_net_survey_new(const struct ordo_net_port *port, const struct ordo_net_address *hosts,
                                            const uint16_t *keys, int count,
                                            const struct ordo_net_survey_options *options);
void ordo_net_survey_free(struct ordo_net_survey *survey);

/** Lets the hosts probe for one window, and fills in the result. The arrays of the result belong to the survey, and are
 * valid until the next window. Hosts that do not answer are tried again in each window.
 * ORDO_E_MEASURE: the reference, which is host 0, does not answer, or no edge joins it to another host
 * ORDO_E_CANCELLED: the survey was stopped
 * ORDO_E_SYSTEM: out of memory */
int ordo_net_survey_window(struct ordo_net_survey *survey, struct ordo_net_survey_result *result,
                           struct ordo_error *error);

/** Returns the offset of a pair. Nothing is known of it if options.pairs was not set, or if the window failed. */
struct ordo_net_survey_pair ordo_net_survey_pair(const struct ordo_net_survey_result *result, int a, int b);

/** Orders the hosts to stop probing, which takes at most 5 s. A host that does not answer probes until its lease ends.
 * `stopped` replaces options.stopped, which may have ended the survey; NULL: only the 5 s end this call. Measure no
 * window after this call. */
void ordo_net_survey_end(struct ordo_net_survey *survey, bool (*stopped)(void));

#endif
