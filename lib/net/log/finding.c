#include "net/log/finding.h"

#include <math.h>

const char *ordo_log_wrong_name(enum ordo_log_wrong wrong)
{
    static const char *const names[ORDO_LOG_WRONGS] = {
        "lock-lost", "clock-jump", "clock-set", "offset-jump",  "fault",       "new-master", "falseticker",
        "restart",   "silence",    "time-back", "offset-limit", "delay-limit", "bound-limit"};
    return names[wrong];
}

int ordo_log_finding_begin(struct ordo_log_findings *findings, const struct ordo_log_finding *finding)
{
    findings->counts[finding->wrong]++;
    if (findings->listed == ORDO_LOG_FINDINGS)
        return -1;
    findings->list[findings->listed] = *finding;
    return findings->listed++;
}

void ordo_log_finding_extend(struct ordo_log_findings *findings, int place, const struct ordo_log_time *time,
                             double worst_ns)
{
    if (place < 0)
        return;
    struct ordo_log_finding *finding = &findings->list[place];
    finding->count++;
    finding->end = *time;
    if (isnan(finding->worst_ns) || fabs(worst_ns) > fabs(finding->worst_ns))
        finding->worst_ns = worst_ns;
}
