#include "trace/input/odd.h"

#include <inttypes.h>

static const struct {
    const char *key, *text;
} odd_words[ORDO_ODDS] = {
    [ORDO_ODD_NO_DURATION] = {"no_duration", "spans without a dur, which end with their parent or with the trace"},
    [ORDO_ODD_NEGATIVE] = {"negative_duration", "spans with a negative dur, which are taken to be 0 long"},
    [ORDO_ODD_NO_TIME] = {"no_time", "events without a ts that is a number, which are only passed on"},
    [ORDO_ODD_FAR_TIME] = {"far_time", "events with a ts more than 73 years from 0, which are only passed on"},
    [ORDO_ODD_NANOSECONDS] = {"nanoseconds", "times of 19 digits, so that all times are taken to be nanoseconds"},
    [ORDO_ODD_EARLY_END] = {"early_end", "ends whose begin is missing or comes later in the file"},
    [ORDO_ODD_OPEN_BEGIN] = {"open_begin", "begins without an end"},
    [ORDO_ODD_NO_PHASE] = {"no_phase", "events without a ph, which are only passed on"},
    [ORDO_ODD_NO_BEGIN] = {"no_begin", "spans without the time of their begin, which are left out"},
    [ORDO_ODD_NO_END] = {"no_end", "spans without an end, which are taken to be 0 long"},
    [ORDO_ODD_NO_PARENT] = {"no_parent", "references to spans that are not in the file"},
    [ORDO_ODD_PACKET] = {"packet", "packets that are damaged or cannot be unpacked, which are left out"},
    [ORDO_ODD_GAP] = {"gap", "places where packets were lost when the trace was recorded"},
    [ORDO_ODD_NO_STATE] = {"no_state", "events that need a lost packet to be understood, which are left out"},
    [ORDO_ODD_NO_CLOCK] = {"no_clock", "events on a clock that no snapshot relates to the trace's, which are left out"},
    [ORDO_ODD_CLOCK_STEP] = {"clock_step", "events between two snapshots of their clock that differ by more than 1 ms"},
    [ORDO_ODD_KERNEL] = {"kernel", "bundles of kernel events (ftrace), which are left out"},
    [ORDO_ODD_NO_OBJECT] = {"no_object", "values among the events that are no objects, which are left out"},
    [ORDO_ODD_NO_NUMBER] = {"no_number",
                            "events with words that JSON does not have, such as NaN, which are written as texts"},
    [ORDO_ODD_COMMA] = {"comma", "commas without an event"},
    [ORDO_ODD_NO_COMMA] = {"no_comma", "events without a comma before them"},
    [ORDO_ODD_NO_BRACKET] = {"no_bracket", "arrays of events without a closing bracket"},
    [ORDO_ODD_DOCUMENT] = {"document", "further documents in the file, whose events are read too"},
    [ORDO_ODD_LARGE_MEMBER] = {"large_member", "members beside the events of more than 32 MiB, which are left out"},
    [ORDO_ODD_NO_EVENT] = {"no_event", "lines that are no events, which are left out"},
    [ORDO_ODD_LOST] = {"lost", "events that the tracer lost"},
    [ORDO_ODD_CUT] = {"cut", "a place where the file ends too early"},
    [ORDO_ODD_RECORD] = {"record", "damaged records, which are left out"},
    [ORDO_ODD_UNDEFINED] = {"undefined", "events whose region or rank is not defined, which are kept without it"},
    [ORDO_ODD_UNKNOWN] = {"unknown", "records of kinds that are not known here, which are left out"},
    [ORDO_ODD_SNAPSHOT] = {"snapshot", "snapshots and thumbnails of OTF2, which are left out"},
};

const char *ordo_odd_text(int odd)
{
    return odd_words[odd].text;
}

const char *ordo_odd_key(int odd)
{
    return odd_words[odd].key;
}

int ordo_odds_take(struct ordo_odds *odds, const char *path, enum ordo_odd odd, uint64_t row, uint64_t count,
                   struct ordo_error *error)
{
    ordo_odds_note(odds, odd, row, count);
    if (!odds->is_strict)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row %" PRIu64 ": has %s: leave out --strict to read it",
                          path, row, ordo_odd_text(odd));
}
