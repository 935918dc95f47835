/* PostgreSQL 19: timing_clock_source (src/common/instr_time.c); RDTSC on x86-64 only. "auto" takes the counter if the
 * kernel's source is tsc, or on Intel with TSC_ADJUST; "tsc" requires only RDTSCP and an invariant TSC. */
#include "machine/advice/advice.h"

static const char older[] = "before version 19, EXPLAIN (ANALYZE, TIMING OFF) avoids its cost";

static const char *why_system(const struct ordo_situation *situation)
{
    if (!situation->evidence.invariant)
        return "'auto' does the same, since the TSC is not invariant";
    if (ordo_situation_counter(situation) == ORDO_COUNTER_YES)
        return "the counter is fit for it, but CPUID offers no RDTSCP, which 'tsc' needs";
    return ordo_situation_counter(situation) == ORDO_COUNTER_NO ? "'auto' may take the counter by its CPUID bits alone"
                                                                : "'auto' may take a counter that is not yet measured";
}

static void advise_postgresql(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    if (situation->evidence.arch != ORDO_ARCH_X86_64)
        ordo_setting_put(setting, "timing_clock_source = 'auto'",
                         "it reads the kernel's clock here: 'tsc' exists on x86-64 alone");
    else if (ordo_situation_prefers_counter(situation) && ordo_situation_kernel_counts(situation))
        ordo_setting_put(setting, "timing_clock_source = 'auto'",
                         "it takes the counter, since the kernel's source is tsc; older versions read the same by the "
                         "vDSO");
    else if (ordo_situation_prefers_counter(situation) && situation->evidence.rdtscp)
        ordo_setting_put(setting, "timing_clock_source = 'tsc'",
                         "'auto' need not take it, since the kernel uses %s; %s", situation->evidence.current,
                         situation->vdso == 0 ? older : "before version 19 there is no such setting");
    else
        ordo_setting_put(setting, "timing_clock_source = 'system'", "%s; %s", why_system(situation),
                         situation->vdso == 0 ? older : "EXPLAIN ANALYZE then costs what the kernel's clock costs");
}

const struct ordo_advised ordo_advised_postgresql = {"postgresql", "PostgreSQL 19 and later, postgresql.conf",
                                                     advise_postgresql};
