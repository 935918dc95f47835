/* quill: LoggerImpl's ClockSourceType. The default is Tsc: stamps come from RDTSC or CNTVCT_EL0, and the backend
 * converts them. */
#include "machine/advice/advice.h"

static void advise_quill(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    int arch = situation->evidence.arch;
    bool reads_counter = arch == ORDO_ARCH_X86_64 || arch == ORDO_ARCH_AARCH64;
    if (reads_counter && ordo_situation_prefers_counter(situation))
        ordo_setting_put(
            setting, "ClockSourceType::Tsc", "its default; lines of different threads are ordered within %s",
            situation->recorded ? "the boundary that 'ordo show' prints" : "a boundary that 'ordo calibrate' measures");
    else
        ordo_setting_put(setting, "ClockSourceType::System", "%s",
                         !reads_counter                ? "the kernel's clock is the counter, by the vDSO"
                         : situation->evidence.trapped ? "each reading of the counter traps into the kernel here"
                         : ordo_situation_counter(situation) == ORDO_COUNTER_NO
                             ? "its default, Tsc, does not check whether the counter is good, and it is not"
                             : "its default, Tsc, does not check the counter: set it after 'ordo calibrate' has "
                               "measured the counter");
}

const struct ordo_advised ordo_advised_quill = {"quill", "quill, the clock source of a logger", advise_quill};
