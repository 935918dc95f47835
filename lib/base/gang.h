/* A gang: a group of threads, its members. Each member prepares itself, for example by pinning itself; then all members
 * begin their work together. */
#ifndef ORDO_BASE_GANG_H
#define ORDO_BASE_GANG_H

#include "base/error.h"

/** A function: one step of member `index`. Returns 0, or fills `error` and returns its negative code. */
typedef int ordo_gang_step(void *context, int index, struct ordo_error *error);

/** Runs `enter` and then `work` in `size` new threads, and waits for them to end.
 *
 * Every member starts `work` after all members have returned from `enter`. If any `enter` fails, no member starts
 * `work`. Earlier writes of the caller are visible to the members, and the members' writes are visible after the
 * return. Returns 0, or the code and the error of the failed member with the lowest index. */
int ordo_gang_run(int size, ordo_gang_step *enter, ordo_gang_step *work, void *context, struct ordo_error *error);

#endif
