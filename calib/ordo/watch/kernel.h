/* The record of the kernel's clock. */
#ifndef ORDO_WATCH_KERNEL_H
#define ORDO_WATCH_KERNEL_H

#include "ordo/watch/state.h"

/** Every ten seconds, makes a record of the kernel's clock if there is no valid one. */
void watch_look_at_kernel_clock(struct watch *watch);

#endif
