/* The survey of `ordo-net measure` and `audit`: the options that both have, their checks, and the socket. */
#ifndef ORDO_NET_SURVEYING_H
#define ORDO_NET_SURVEYING_H

#include "common/options.h"
#include "net/live/survey.h"
#include "ordo-net/peers.h"

struct surveying {
    const char *peers, *key, *window, *patience; /* texts of the options; NULL: not given */
    int every_us;
    struct ordo_net_survey_options survey;
};

/** Returns the defaults, with this window. */
struct surveying surveying_defaults(const char *window);

/** Completes `survey` from the texts. A window lasts at most `most_s`, and its pairs are collected at most `later_ns` after
 * its end. A wrong or missing text ends the program with a usage error. */
void surveying_finish(struct surveying *surveying, const struct argp_state *state, int most_s, int64_t later_ns);

/** Reads the keys and the hosts, checks them, and opens the socket. ORDO_E_INVALID: a file or a host is wrong, or there are
 * too many sets of liars. */
int surveying_open(const struct surveying *surveying, struct ordo_net_port *port, struct peers *peers,
                   struct ordo_error *error);

/** Returns CLOCK_REALTIME, the time of a window in JSON and metrics, in s. */
double surveying_now_s(void);

/** Prints an error, and returns the exit code for it. */
int surveying_fail(const char *program, int code, const struct ordo_error *error);

#endif
