/* The signals that end the watcher, or request a calibration. */
#ifndef ORDO_WATCH_SIGNALS_H
#define ORDO_WATCH_SIGNALS_H

#include "ordo/watch/state.h"

/** Blocks these signals, for watch_heed_signals to take. New threads inherit the mask. */
void watch_block_signals(void);

/** Takes pending signals to end or to calibrate. Waits up to `ns` for the first signal. */
void watch_heed_signals(struct watch *watch, int64_t ns);

#endif
