/* fio: the option clocksource (gettime.c, arch/arch-*.h). At each start fio tests the counter by unordered readings. */
#include "machine/advice/advice.h"

static void advise_fio(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    if (situation->evidence.arch == ORDO_ARCH_RISCV64 || situation->evidence.arch == ORDO_ARCH_OTHER)
        ordo_setting_put(setting, "clocksource=clock_gettime",
                         "the kernel's clock is the counter; fio's cpu clock counts cycles of a core here (rdcycle)");
    else if (ordo_situation_prefers_counter(situation))
        ordo_setting_put(setting, "clocksource=cpu",
                         "the counter is fit for it; fio's own test (fio --cpuclock-test) reads it without order, and "
                         "may fail on AMD all the same");
    else if (situation->evidence.trapped)
        ordo_setting_put(setting, "clocksource=clock_gettime",
                         "each reading of the counter traps into the kernel here");
    else
        ordo_setting_put(setting, "clocksource=clock_gettime", "%s",
                         ordo_situation_counter(situation) == ORDO_COUNTER_NO
                             ? "fio's test at its start is too short to see every fault of a counter"
                             : "until 'ordo calibrate' has measured the counter; then clocksource=cpu");
}

const struct ordo_advised ordo_advised_fio = {"fio", "fio, job file", advise_fio};
