/* A progress bar on stderr, if stderr is a terminal. */
#ifndef ORDO_COMMON_PROGRESS_H
#define ORDO_COMMON_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;
    double drawn; /* share at which the bar was last drawn */
};

void progress_begin(struct progress *progress, bool quiet);

/** Draws the bar at `share` (0 to 1), followed by a few words. */
void progress_show(struct progress *progress, double share, const char *words);

/** Removes the bar; progress_show() draws it again. */
void progress_clear(struct progress *progress);

/** Removes the bar for good. */
void progress_end(struct progress *progress);

#endif
