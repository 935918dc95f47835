/* The messages of chronyd to the system's log, of versions 1.24 to 4.6. Formats: chrony's reference.c, sources.c,
 * sched.c, main.c, and its FAQ. */
#include <math.h>

#include "net/log/item.h"

/* Reads the number of seconds behind `words`, as nanoseconds; NAN: there is none. */
static double seconds_behind(struct ordo_log_text text, const char *words)
{
    const char *at = ordo_log_find(text, words);
    double seconds;
    if (!at)
        return NAN;
    struct ordo_log_text rest = {at + strlen(words), text.end};
    return ordo_log_number(ordo_log_word(&rest), &seconds) ? seconds * 1e9 : NAN;
}

/* The messages that are judged, by how they begin. */
static const struct message {
    const char *begin;
    enum ordo_log_event event;
    const char *value; /* the words before a number of seconds; NULL: the message has no number */
    bool is_common;    /* other programs may say this too */
} messages[] = {
    {"Selected source ", ORDO_LOG_MASTER, NULL, false},
    {"Can't synchronise", ORDO_LOG_UNSYNCED, NULL, false},
    {"No suitable source for synchronisation", ORDO_LOG_UNSYNCED, NULL, false},
    {"System clock wrong by ", ORDO_LOG_WRONG, "wrong by ", false},
    {"System clock was stepped by ", ORDO_LOG_STEPPED, "stepped by ", false},
    {"System clock was stepped", ORDO_LOG_STEPPED, NULL, false},
    {"Detected falseticker ", ORDO_LOG_FALSE, NULL, false},
    {"Forward time jump detected", ORDO_LOG_TIME_JUMP, NULL, false},
    {"Backward time jump detected", ORDO_LOG_TIME_JUMP, NULL, false},
    {"chronyd version ", ORDO_LOG_STARTED, NULL, false},
    {"Could not ", ORDO_LOG_FAULT, NULL, true},
    {"Fatal error", ORDO_LOG_FAULT, NULL, true},
    {"Main process exited", ORDO_LOG_FAULT, NULL, true},
    {"Failed with result", ORDO_LOG_FAULT, NULL, true},
};

void ordo_log_chronyd(const struct ordo_log_line *line, struct ordo_log_item *item)
{
    item->series = ORDO_LOG_TRACKING;
    item->kind = line->program ? ORDO_LOG_OTHER : ORDO_LOG_FOREIGN;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct ordo_log_text rest = line->text;
        if (!ordo_log_skip(&rest, messages[i].begin) || (!line->program && messages[i].is_common))
            continue;
        item->kind = ORDO_LOG_STATE;
        item->event = messages[i].event;
        bool is_source = item->event == ORDO_LOG_MASTER || item->event == ORDO_LOG_FALSE;
        item->detail = is_source ? ordo_log_word(&rest) : line->text;
        item->value_ns = messages[i].value ? seconds_behind(line->text, messages[i].value) : NAN;
        if (!isnan(item->value_ns))
            item->value_ns = -item->value_ns; /* the correction, so a clock that is slow has a positive number */
        return;
    }
}
