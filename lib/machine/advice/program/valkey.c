/* valkey and Redis: the monotonic clock (src/monotonic.c). If built with USE_PROCESSOR_CLOCK, they read RDTSC on x86-64
 * and CNTVCT_EL0 on AArch64. Newer valkey defines this macro by default, and on x86-64 uses RDTSC only if the kernel's
 * source is tsc. Redis and older valkey check only the flag constant_tsc. None of them checks anything on
 * AArch64. */
#include "machine/advice/advice.h"

static void advise_valkey(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    int arch = situation->evidence.arch;
    if (arch != ORDO_ARCH_X86_64 && arch != ORDO_ARCH_AARCH64)
        ordo_setting_put(setting, "none", "it always reads CLOCK_MONOTONIC on this architecture");
    else if (situation->evidence.trapped)
        ordo_setting_put(setting, "CFLAGS=-DNO_PROCESSOR_CLOCK",
                         "each reading of the counter traps into the kernel here: CLOCK_MONOTONIC is no slower");
    else if (!ordo_situation_prefers_counter(situation))
        ordo_setting_put(setting, "CFLAGS=-DNO_PROCESSOR_CLOCK",
                         "Redis with -DUSE_PROCESSOR_CLOCK asks for constant_tsc alone%s",
                         ordo_situation_counter(situation) == ORDO_COUNTER_NO ? ", and would use this counter"
                                                                              : ", whether or not it was measured");
    else
        ordo_setting_put(setting, "CFLAGS=-DUSE_PROCESSOR_CLOCK", "%s",
                         arch == ORDO_ARCH_AARCH64 || ordo_situation_kernel_counts(situation)
                             ? "newer valkey has it by default; Redis and older valkey are built with it"
                             : "newer valkey uses it as soon as the kernel's own source is tsc, Redis at once");
}

const struct ordo_advised ordo_advised_valkey = {"valkey", "valkey and Redis, when they are built", advise_valkey};
