/* A progress bar on stderr, where that is a terminal. */
#ifndef ORDO_COMMON_PROGRESS_H
#define ORDO_COMMON_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;
    double drawn; /* share at the last drawing */
};

void progress_begin(struct progress *progress, bool quiet);

/** Draws the bar at `share` (0 to 1) with a few words beside it. */
void progress_show(struct progress *progress, double share, const char *words);

/** Takes the bar away, until it is drawn again. */
void progress_clear(struct progress *progress);

/** Takes the bar away. */
void progress_end(struct progress *progress);

#endif
