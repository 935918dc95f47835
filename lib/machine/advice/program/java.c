/* HotSpot: System.nanoTime() is clock_gettime(). Flight Recorder takes its time stamps from the counter: by RDTSC if
 * CPUID states an invariant TSC (src/hotspot/cpu/x86/rdtsc_x86.cpp), and on AArch64 from CNTVCTSS_EL0. The experimental
 * flag UseFastUnorderedTimeStamps controls this. */
#include "machine/advice/advice.h"

#define OFF "-XX:+UnlockExperimentalVMOptions -XX:-UseFastUnorderedTimeStamps"

static void advise_java(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    enum ordo_counter_use use = ordo_situation_counter(situation);
    if (use == ORDO_COUNTER_YES)
        ordo_setting_put(setting, "keep",
                         "nanoTime() reads the kernel's clock; Flight Recorder's stamps may be the "
                         "counter's");
    else if (!situation->evidence.invariant)
        ordo_setting_put(setting, "keep",
                         "nanoTime() reads the kernel's clock, and so does Flight Recorder, since the "
                         "TSC is not invariant");
    else
        ordo_setting_put(setting, OFF,
                         "nanoTime() reads the kernel's clock; but Flight Recorder stamps by the counter %s",
                         use == ORDO_COUNTER_NO ? "because CPUID calls it invariant"
                                                : "without being told to, and the counter is not measured yet");
}

const struct ordo_advised ordo_advised_java = {"java", "Java, HotSpot", advise_java};
