#include "machine/counter/trust.h"

#include <string.h>

void ordo_trust_gather(struct ordo_evidence *evidence)
{
    ordo_evidence_gather(evidence, NULL);
}

void ordo_trust_judge(const struct ordo_evidence *evidence, struct ordo_trust_verdict *verdict)
{
    if (ORDO_CLOCK_ID != ORDO_CLOCK_MONOTONIC) {
        ordo_evidence_judge(evidence, verdict);
        return;
    }
    *verdict = (struct ordo_trust_verdict){.trust = ORDO_TRUST_VOUCHED, .why = ORDO_WHY_LISTED};
    (void)snprintf(verdict->reason, sizeof verdict->reason, "it is the kernel's own clock (from %.60s)",
                   evidence->current);
}

bool ordo_trust_allows(int trust)
{
    return trust == ORDO_TRUST_VOUCHED || trust == ORDO_TRUST_MEASURED;
}

int ordo_trust_check(const struct ordo_trust_verdict *verdict, struct ordo_error *error)
{
    char reason[196];
    if (ordo_trust_allows(verdict->trust))
        return ORDO_OK;
    ordo_evidence_fit(reason, sizeof reason, verdict->reason);
    return ordo_error_set(error, ORDO_E_REFUTED, 0, "%s: %s: %s; --force overrides", ORDO_CLOCK_NAME,
                          ordo_trust_word(verdict->trust), reason);
}

int ordo_trust_ask(struct ordo_trust_verdict *verdict, struct ordo_error *error)
{
    struct ordo_evidence evidence;
    ordo_trust_gather(&evidence);
    ordo_trust_judge(&evidence, verdict);
    return ordo_trust_check(verdict, error);
}

void ordo_trust_recheck(const struct ordo_evidence *evidence, uint64_t record_flags, struct ordo_trust_verdict *verdict)
{
    if (verdict->trust != ORDO_TRUST_MEASURED || ordo_trust_of_flags(record_flags) != ORDO_TRUST_VOUCHED ||
        !evidence->available[0])
        return;
    verdict->trust = ORDO_TRUST_FAULTED;
    verdict->why = ORDO_WHY_FAULT;
    char available[81];
    ordo_evidence_fit(available, sizeof available, evidence->available);
    (void)snprintf(verdict->reason, sizeof verdict->reason,
                   "the kernel listed it when it was calibrated and has taken it off its list since (available: %s)",
                   available);
}

bool ordo_trust_excused(uint64_t record_flags, const struct ordo_trust_verdict *verdict)
{
    return (record_flags & ORDO_FLAG_FORCED) && ordo_trust_of_flags(record_flags) >= verdict->trust;
}

void ordo_trust_follow_begin(struct ordo_trust_follower *follower)
{
    *follower = (struct ordo_trust_follower){.log = ordo_evidence_open_log(NULL)};
    ordo_trust_gather(&follower->evidence);
    if (follower->log >= 0)
        ordo_evidence_follow_log(&follower->evidence, follower->log);
    follower->listed = ordo_evidence_listed(&follower->evidence);
}

void ordo_trust_follow(struct ordo_trust_follower *follower, struct ordo_trust_verdict *verdict)
{
    struct ordo_evidence known = follower->evidence, *evidence = &follower->evidence;
    ordo_evidence_read_sources(evidence, NULL);
    if (!evidence->available[0] || !evidence->current[0]) { /* unreadable, perhaps because of too many open files */
        memcpy(evidence->available, known.available, sizeof known.available);
        memcpy(evidence->current, known.current, sizeof known.current);
    }
    if (follower->log >= 0)
        ordo_evidence_follow_log(&follower->evidence, follower->log);
    ordo_trust_judge(&follower->evidence, verdict);
    ordo_trust_recheck(&follower->evidence, follower->listed ? 0 : ORDO_FLAG_MEASURED, verdict);
}

void ordo_trust_follow_end(struct ordo_trust_follower *follower)
{
    if (follower->log >= 0)
        (void)close(follower->log);
    follower->log = -1;
}
