/* A progress bar on stderr, if stderr is a terminal. */
#ifndef ORDO_COMMON_PROGRESS_H
#define ORDO_COMMON_PROGRESS_H

#include <stdbool.h>

struct progress {
    bool shown;
    double drawn; /* the share when the bar was last drawn */
};

void progress_begin(struct progress *progress, bool quiet);

/** Draws the bar at `share` (0 to 1), followed by a few words. */
void progress_show(struct progress *progress, double share, const char *words);

/** Takes the bar away, until it is drawn again. */
void progress_clear(struct progress *progress);

/** Takes the bar away. */
void progress_end(struct progress *progress);

#endif
