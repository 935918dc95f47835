/* The two consequences of a finding: the record is withdrawn, and a calibration is requested. */
#ifndef ORDO_WATCH_WANT_H
#define ORDO_WATCH_WANT_H

#include "ordo/watch/state.h"

/** Requests a calibration, as soon as possible. A measured result that is not yet written is dropped, because it does
 * not answer the request. */
void watch_want(struct watch *watch, bool force, double growth_ppb, const char *reason);

/** Withdraws the record, which was proved wrong: marks it DISRUPTED, now or as soon as possible. A measured result that
 * is not yet written is dropped, because it may be wrong, too. */
void watch_disrupt(struct watch *watch);

/** Withdraws the loaded record: marks it DISRUPTED, now or as soon as possible. A measured result is kept. */
void watch_withdraw(struct watch *watch);

/** Drops the measured result that is not yet written, if there is one. */
void watch_drop_pending(struct watch *watch);

#endif
