#include "ordo/watch/event.h"

#include <stdarg.h>
#include <stdio.h>

struct event event_of(const char *word, const char *format, ...)
{
    struct event event = {.event = word};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(event.text, sizeof event.text, format, arguments);
    va_end(arguments);
    ordo_error_tidy(event.text);
    return event;
}

int event_put(struct event_log *log, const struct event *event, struct ordo_error *error)
{
    struct ordo_json line = event_begin(ordo_json_document("ordo-watch/1"), event->event, event->text);
    if (event->about_cpus) {
        ordo_json_put_int(&line, "cpu", event->cpu);
        ordo_json_put_ints(&line, "pair", event->a, event->b);
    }
    if (event->has_offset)
        ordo_json_put_ints(&line, "offset_interval_ticks", event->offset_ticks.low, event->offset_ticks.high);
    if (event->has_drift) {
        ordo_json_put_bool(&line, "proved", event->proved);
        ordo_json_put_real(&line, "drift_ppb", event->drift_ppb);
        ordo_json_put_reals(&line, "drift_interval_ppb", event->low_ppb, event->high_ppb);
        ordo_json_put_real(&line, "left_s", event->left_s);
    }
    if (event->boundary_ticks)
        ordo_json_put_int(&line, "boundary_ticks", (int64_t)event->boundary_ticks);
    if (event->generation)
        ordo_json_put_int(&line, "generation", (int64_t)event->generation);
    return event_log_put(log, &line, error);
}
