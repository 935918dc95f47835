/* The clock that the program reads, according to its documents and sources, and the first version that reads it. */
#include "machine/advice/advice.h"

static void advise_NAME(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    if (ordo_situation_prefers_counter(situation))
        ordo_setting_put(setting, "clock = counter", "the counter is fit for it");
    else
        ordo_setting_put(setting, "keep", "it reads the kernel's clock");
}

const struct ordo_advised ordo_advised_NAME = {"NAME", "NAME, its file of settings", advise_NAME};
