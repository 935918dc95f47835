/* The choices that a provider of guests leaves to its customers: the type of machine, the image, the clock source. */
#include <string.h>

#include "machine/advice/advice.h"

struct provider {
    const char *vendor; /* name of the provider in the guest's firmware */
    const char *name;
};

static const struct provider providers[] = {
    {"Amazon EC2", "Amazon EC2"}, {"Google", "Google Compute Engine"}, {"Microsoft Corporation", "Azure or Hyper-V"}};

static const struct provider *find_provider(const struct ordo_evidence *evidence)
{
    for (size_t i = 0; evidence->hypervisor && i < sizeof providers / sizeof *providers; i++)
        if (strcmp(evidence->vendor, providers[i].vendor) == 0)
            return &providers[i];
    return NULL;
}

static bool on_hyperv(const struct ordo_evidence *evidence)
{
    return strncmp(evidence->hypervisor_name, "Microsoft Hv", 12) == 0;
}

static void advise_cloud(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    const struct provider *provider = find_provider(evidence);
    if (!provider)
        ordo_setting_put(setting, "none", "the firmware names no provider that is known here");
    else if (on_hyperv(evidence) && situation->verdict.trust == ORDO_TRUST_INCAPABLE)
        ordo_setting_put(setting, "a size with invariant TSC",
                         "this host hides the invariant TSC; newer sizes offer it, and Linux then uses tsc");
    else if (on_hyperv(evidence) && situation->verdict.why == ORDO_WHY_HYPERVISOR)
        ordo_setting_put(setting, "a newer kernel",
                         "the host offers an invariant TSC, and this kernel marks the counter on every Hyper-V");
    else if (situation->verdict.trust == ORDO_TRUST_VOUCHED && situation->chosen == ORDO_CHOSEN_HYPERVISOR)
        ordo_setting_put(setting, "clocksource=tsc",
                         "%s: the image still prefers %s, and the host promises an invariant TSC", provider->name,
                         evidence->current);
    else
        ordo_setting_put(setting, "none", "%s: nothing beyond the settings above", provider->name);
}

const struct ordo_advised ordo_advised_cloud = {"cloud", "the provider of the guest", advise_cloud};
