/* The class of trust in the clock of this build, for libraries and tools: judges the evidence of
 * <ordo/start/evidence.h>. The kernel's clocks cannot show how far the counters of two CPUs are apart, because they are
 * read from the same counters. Only a measurement shows it. */
#ifndef ORDO_MACHINE_COUNTER_TRUST_H
#define ORDO_MACHINE_COUNTER_TRUST_H

#include <stdbool.h>

#include <ordo/start/evidence.h>

#include "base/error.h"

/** Gathers the evidence of the live machine. */
void ordo_trust_gather(struct ordo_evidence *evidence);

/** Judges the evidence for the clock that this build reads. The kernel's own clock is vouched for by definition. */
void ordo_trust_judge(const struct ordo_evidence *evidence, struct ordo_trust_verdict *verdict);

/** True if a clock of this class (enum ordo_trust_class) may order events without --force. */
bool ordo_trust_allows(int trust);

/** Returns ORDO_OK for an allowed class, else ORDO_E_REFUTED with the class and the reason. */
int ordo_trust_check(const struct ordo_trust_verdict *verdict, struct ordo_error *error);

/** Gathers the evidence, judges it, and checks the verdict. */
int ordo_trust_ask(struct ordo_trust_verdict *verdict, struct ordo_error *error);

/** Makes the verdict FAULTED if two conditions hold: a record of class `vouched` was made on this boot, by its flags;
 * and the kernel no longer lists the clock. A running kernel takes a clock source off its list because of a fault, or
 * because root has unbound the source; the kernel's log may no longer say which of the two happened. */
void ordo_trust_recheck(const struct ordo_evidence *evidence, uint64_t record_flags,
                        struct ordo_trust_verdict *verdict);

/** True if a record with these flags was forced although its clock had the class of the verdict, or a worse class. The
 * verdict then tells nothing new. */
bool ordo_trust_excused(uint64_t record_flags, const struct ordo_trust_verdict *verdict);

/** Evidence that is kept up to date. Only one thread may use it. */
struct ordo_trust_follower {
    struct ordo_evidence evidence;
    int log;     /* the kernel's log, open; -1: this process may not read it */
    bool listed; /* the kernel listed the clock at the beginning */
};

void ordo_trust_follow_begin(struct ordo_trust_follower *follower);

/** Reads the kernel's lists and the end of its log again, and judges the evidence. Takes about 10 us. */
void ordo_trust_follow(struct ordo_trust_follower *follower, struct ordo_trust_verdict *verdict);

void ordo_trust_follow_end(struct ordo_trust_follower *follower);

#endif
