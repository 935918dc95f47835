/* Oddities of a trace, which the reader counts and survives. Each kind has a count and the row of its first case, so
 * that one line can name it. */
#ifndef ORDO_TRACE_INPUT_ODD_H
#define ORDO_TRACE_INPUT_ODD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum ordo_odd {
    ORDO_ODD_NO_DURATION,
    ORDO_ODD_NEGATIVE,
    ORDO_ODD_NO_TIME,
    ORDO_ODD_FAR_TIME,
    ORDO_ODD_NANOSECONDS,
    ORDO_ODD_EARLY_END,
    ORDO_ODD_OPEN_BEGIN,
    ORDO_ODD_NO_PHASE,
    ORDO_ODD_NO_BEGIN,
    ORDO_ODD_NO_END,
    ORDO_ODD_NO_PARENT,
    ORDO_ODD_PACKET,
    ORDO_ODD_GAP,
    ORDO_ODD_NO_STATE,
    ORDO_ODD_NO_CLOCK,
    ORDO_ODD_CLOCK_STEP,
    ORDO_ODD_KERNEL,
    ORDO_ODD_NO_OBJECT,
    ORDO_ODD_NO_NUMBER,
    ORDO_ODD_COMMA,
    ORDO_ODD_NO_COMMA,
    ORDO_ODD_NO_BRACKET,
    ORDO_ODD_DOCUMENT,
    ORDO_ODD_LARGE_MEMBER,
    ORDO_ODD_NO_EVENT,
    ORDO_ODD_LOST,
    ORDO_ODD_CUT,
    ORDO_ODD_RECORD,
    ORDO_ODD_UNDEFINED,
    ORDO_ODD_UNKNOWN,
    ORDO_ODD_SNAPSHOT,
    ORDO_ODDS
};

struct ordo_odds {
    struct {
        uint64_t count, row; /* `row`: of the first one */
    } of[ORDO_ODDS];
    bool is_strict; /* the caller refuses them */
};

static inline void ordo_odds_note(struct ordo_odds *odds, enum ordo_odd odd, uint64_t row, uint64_t count)
{
    if (odds->of[odd].count == 0)
        odds->of[odd].row = row;
    odds->of[odd].count += count;
}

/** Counts oddities of a kind, the first at a row of the file.
 * 0: counted
 * ORDO_E_MALFORMED: the caller refuses oddities; `error` names this one */
int ordo_odds_take(struct ordo_odds *odds, const char *path, enum ordo_odd odd, uint64_t row, uint64_t count,
                   struct ordo_error *error);

/** Returns the description of a kind and of its treatment: "spans without a dur, which end with ...". */
const char *ordo_odd_text(int odd);

/** Returns the key of a kind in JSON: "no_duration". */
const char *ordo_odd_key(int odd);

#endif
