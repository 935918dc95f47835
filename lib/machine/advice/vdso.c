/* Finds whether the C library reads the kernel's clock without a system call, through the vDSO. */
#include <string.h>

#include "machine/advice/situation.h"

/* More than the cost of a reading through the vDSO, and less than the cost of a system call. */
#define ENTRY_NS 100

static int by_cost(double monotonic_ns)
{
    return monotonic_ns > 0 ? monotonic_ns <= ENTRY_NS : -1;
}

/* True if the kernel works around an erratum of Arm's counter; it then removes the counter from the vDSO
 * (arm_arch_timer.c). */
static bool mended(const struct ordo_evidence *evidence)
{
    return evidence->trapped || evidence->fault == ORDO_FAULT_STATED;
}

/* Returns 1 if the vDSO can read the kernel's clock source, 0 if not, -1 if unknown. The sources are those of Linux
 * arch/x86/include/asm/vdso/clocksource.h and the drivers. */
static int by_source(const struct ordo_situation *situation)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    const char *current = evidence->current;
    if (!current[0])
        return -1;
    if (ordo_situation_kernel_counts(situation))
        return evidence->arch != ORDO_ARCH_AARCH64 || !mended(evidence);
    if (strcmp(current, "kvm-clock") == 0)
        return evidence->kvm_stable ? -1 : 0;
    if (strcmp(current, "xen") == 0)
        return -1; /* readable since Linux 4.16, if the hypervisor says that its clock is stable */
    return strcmp(current, "hyperv_clocksource_tsc_page") == 0;
}

int ordo_situation_vdso(const struct ordo_situation *situation)
{
    int known = by_source(situation), cheap = by_cost(situation->monotonic_ns);
    if (known < 0 && cheap < 0)
        return situation->evidence.kvm_stable && strcmp(situation->evidence.current, "kvm-clock") == 0 ? 1 : -1;
    return known < 0 ? cheap : known;
}
