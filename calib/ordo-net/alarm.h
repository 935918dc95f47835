/* Limits on the offsets of pairs of hosts, and alarms.
 *
 * The finding about a pair in a window is certain: a pair exceeds a limit if its whole interval is beyond the limit, and
 * is within it if its whole interval is. Otherwise the pair is undecided.
 *
 * An alarm rises in the first window that proves that the limit is exceeded, because a proof needs no confirmation. It
 * clears after `clear_after` successive windows that prove the pair to be within the limit. A window that leaves
 * the pair undecided, for example because a host is silent, neither raises nor clears an alarm, and the count begins anew. An
 * offset that stays on one side of a limit by less than the width of its interval therefore changes nothing. An offset
 * that swings around the limit changes the alarm at most once in `clear_after` windows. */
#ifndef ORDO_NET_ALARM_H
#define ORDO_NET_ALARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/live/survey.h"

enum alarm_kind {
    ALARM_OFFSET, /* limit on the absolute offset */
    ALARM_BOUND,  /* limit on half of the width of the interval */
    ALARM_KINDS
};

enum alarm_finding { ALARM_WITHIN, ALARM_UNDECIDED, ALARM_EXCEEDS, ALARM_FINDINGS };

enum { ALARM_CLEAR_MOST = 10000 };

struct alarm_count {
    size_t of[ALARM_FINDINGS]; /* number of pairs with each finding in the last window */
    size_t raised;             /* number of alarms that last */
    uint64_t rises;            /* number of alarms that rose since the start */
};

struct alarm {
    int64_t limit_ns[ALARM_KINDS]; /* 0: no limit */
    int clear_after, hosts;
    uint16_t *calm[ALARM_KINDS];   /* by pair: 0: no alarm; else 1 + number of successive windows within the limit */
    unsigned *raised[ALARM_KINDS]; /* by host: number of alarms of its pairs */
    struct alarm_count count[ALARM_KINDS];
};

/** Hears that the alarm of a pair rises or clears. */
typedef void alarm_tell(void *context, enum alarm_kind kind, int a, int b, bool rises);

/** Allocates the members for `hosts` hosts; limits and clear_after must be set. False if out of memory. */
bool alarm_make(struct alarm *alarm, int hosts);
void alarm_free(struct alarm *alarm);

/** Returns the word of a kind, "offset" or "bound", and its option, "--max-offset" or "--max-bound". */
const char *alarm_word(enum alarm_kind kind);
const char *alarm_option(enum alarm_kind kind);

/** Returns the word of a finding: "within", "undecided" or "exceeds". */
const char *alarm_finding_word(enum alarm_finding finding);

/** True if there is any limit. */
bool alarm_limits(const struct alarm *alarm);

enum alarm_finding alarm_find(const struct alarm *alarm, enum alarm_kind kind, const struct ordo_net_survey_pair *pair);

/** Returns the worst finding of all kinds that have a limit. Without a limit: ALARM_UNDECIDED if nothing is proved of the
 * pair, else ALARM_WITHIN. */
enum alarm_finding alarm_worst(const struct alarm *alarm, const struct ordo_net_survey_pair *pair);

/** True if an alarm of this kind lasts for the pair a < b. */
bool alarm_lasts(const struct alarm *alarm, enum alarm_kind kind, int a, int b);

/** Returns the number of pairs. */
size_t alarm_pairs(const struct alarm *alarm);

/** Judges a window, and counts. If the window failed, `result` has no hosts. `tell` may be NULL. */
void alarm_judge(struct alarm *alarm, const struct ordo_net_survey_result *result, alarm_tell *tell, void *context);

/** Returns the verdict about the last window:
 *
 * EXIT_FAILS: an alarm lasts
 * EXIT_UNKNOWN: no alarm lasts, but a pair is undecided
 * EXIT_OK: all pairs are within the limits, or there is no limit */
int alarm_verdict(const struct alarm *alarm);

#endif
