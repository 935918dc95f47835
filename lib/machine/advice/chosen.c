/* Finds the reason why the kernel uses its clock source. */
#include <stdio.h>
#include <string.h>

#include "machine/advice/situation.h"

/* True for the clocks that hypervisors offer to Linux. */
static bool of_hypervisor(const char *source)
{
    return strcmp(source, "kvm-clock") == 0 || strcmp(source, "xen") == 0 || strncmp(source, "hyperv_", 7) == 0;
}

static bool named_at_boot(const struct ordo_evidence *evidence)
{
    char parameter[96];
    (void)snprintf(parameter, sizeof parameter, "clocksource=%s", evidence->current);
    return ordo_evidence_has_word(evidence->parameters, parameter);
}

static bool refused_at_boot(const struct ordo_evidence *evidence)
{
    return !ordo_evidence_listed(evidence) &&
           (ordo_evidence_refused_at_boot(evidence) || strstr(evidence->line, "due to boot parameter"));
}

enum ordo_chosen ordo_situation_chosen(const struct ordo_situation *situation)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    if (!evidence->current[0])
        return ORDO_CHOSEN_UNKNOWN;
    if (named_at_boot(evidence))
        return ORDO_CHOSEN_PARAMETER;
    if (ordo_situation_kernel_counts(situation))
        return ORDO_CHOSEN_PREFERRED;
    if (situation->verdict.trust == ORDO_TRUST_FAULTED)
        return ORDO_CHOSEN_FAULT;
    if (refused_at_boot(evidence))
        return ORDO_CHOSEN_PARAMETER;
    if (situation->verdict.trust == ORDO_TRUST_INCAPABLE)
        return ORDO_CHOSEN_INCAPABLE;
    if (of_hypervisor(evidence->current))
        return ORDO_CHOSEN_HYPERVISOR;
    return ordo_evidence_listed(evidence) ? ORDO_CHOSEN_OPERATOR : ORDO_CHOSEN_UNKNOWN;
}
