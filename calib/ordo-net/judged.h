/* The results of `ordo-net judge` in three forms: text, JSON, and a picture. */
#ifndef ORDO_NET_JUDGED_H
#define ORDO_NET_JUDGED_H

#include "net/log/judge.h"

struct judged {
    const struct ordo_log_judge *judge;
    const struct ordo_log_files *files;
    bool all; /* print all findings that are listed */
};

enum { JUDGED_LABEL = 3 * ORDO_LOG_NAME + 40, JUDGED_TIME = 48 };

/** Writes the name of a series for people, such as "host ptp4l" or "phc2sys CLOCK_REALTIME". Leaves out parts in which
 * the series do not differ. Returns `label`. */
const char *judged_label(const struct judged *judged, const struct ordo_log_track *track, char label[JUDGED_LABEL]);

/** Writes a time, of the wall clock or since the start of the machine; "" if there is none. Returns `text`. */
const char *judged_time(const struct ordo_log_time *time, char text[JUDGED_TIME]);

/** Returns the word for a verdict, such as "holds", and for a limit, such as "offset". */
const char *judged_verdict(enum ordo_log_verdict verdict);
const char *judged_limit(enum ordo_log_limit limit);

/** Returns the reason for which lines are left out, for people. */
const char *judged_odd(enum ordo_log_odd odd);

/** Returns the value of a limit, NAN if it is not given. */
double judged_limit_value(const struct judged *judged, enum ordo_log_limit limit);

/** Returns the worst series of a limit, and its value; NULL if no series has a value. */
const struct ordo_log_track *judged_worst(const struct judged *judged, enum ordo_log_limit limit, double *value);

void judged_print_text(const struct judged *judged);

/** Prints JSON. 0: printed; -1: out of memory, or stdout failed. */
int judged_print_json(const struct judged *judged);

/** Draws the course of each series and the distribution of its offsets, with gnuplot. */
int judged_save_picture(const struct judged *judged, const char *path, struct ordo_error *error);

#endif
