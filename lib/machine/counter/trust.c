/* What is known about the counter without measuring it. The measurement (drift between CPUs) comes on top: the kernel's
 * clocks cannot show it, they are read from the same counter. */
#include <stdio.h>
#include <string.h>

#include <ordo/record.h>

#include "machine/counter/counter.h"

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"

#if defined __x86_64__
#include <cpuid.h>

static const char kernel_name[] = "tsc";

static void ask_processor(struct ordo_trust *trust)
{
    unsigned a, b, c, d;
    /* CPUID 80000007h EDX bit 8: invariant TSC (Intel SDM vol. 3B, "Invariant TSC"; AMD APM vol. 3). */
    trust->invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
    /* CPUID 1 ECX bit 31: set by hypervisors; they name themselves at 40000000h. */
    trust->hypervisor = __get_cpuid(1, &a, &b, &c, &d) && (c >> 31 & 1);
    if (trust->hypervisor) {
        __cpuid(0x40000000, a, b, c, d);
        memcpy(trust->hypervisor_name, (unsigned[]){b, c, d}, 12);
    }
    /* CPUID 15h: TSC = crystal (ECX) * EBX / EAX. Empty on many processors, and wrong in some guests. */
    if (__get_cpuid(0x15, &a, &b, &c, &d) && a && b && c)
        trust->nominal_hz = (double)c * b / a;
}

#else

#if defined __aarch64__
static const char kernel_name[] = "arch_sys_counter";
#elif defined __riscv
static const char kernel_name[] = "riscv_clocksource";
#else
static const char kernel_name[] = "";
#endif

static void ask_processor(struct ordo_trust *trust)
{
    char text[64];
    trust->invariant = true; /* by the architecture: one system counter of constant rate */
#if defined __aarch64__
    uint64_t hz;
    __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
    trust->nominal_hz = (double)hz;
#endif
    /* There is no instruction that tells. A guest's firmware tables usually do. */
    if (ordo_record_read_text("/sys/hypervisor/type", text, sizeof text) > 0 ||
        (ordo_record_read_text("/sys/class/dmi/id/sys_vendor", text, sizeof text) > 0 && strstr(text, "QEMU")))
        trust->hypervisor = true;
}

#endif

bool ordo_trust_list_rejects(const char *available)
{
    size_t length = strlen(kernel_name);
    if (length == 0 || available[0] == '\0')
        return false;
    for (const char *at = available; (at = strstr(at, kernel_name)); at += length)
        if ((at == available || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' ' || at[length] == '\n'))
            return false;
    return true;
}

static void read_line(const char *path, char *line, size_t size)
{
    if (ordo_record_read_text(path, line, size) < 0)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == ' ')
        line[length - 1] = '\0';
}

void ordo_trust_read(struct ordo_trust *trust)
{
    memset(trust, 0, sizeof *trust);
    ask_processor(trust);
    read_line(CLOCKSOURCE "available_clocksource", trust->kernel_available, sizeof trust->kernel_available);
    read_line(CLOCKSOURCE "current_clocksource", trust->kernel_current, sizeof trust->kernel_current);
    trust->kernel_rejects = ordo_trust_list_rejects(trust->kernel_available);
}

int ordo_trust_check(const struct ordo_trust *trust, struct ordo_error *error)
{
    if (!trust->invariant)
        return ordo_error_set(
            error, ORDO_E_REFUTED, 0,
            "%s: the processor does not promise a constant rate (CPUID: no invariant TSC); --force overrides",
            ORDO_CLOCK_NAME);
    if (trust->kernel_rejects)
        return ordo_error_set(error, ORDO_E_REFUTED, 0,
                              "%s: the kernel has rejected it as a clock (available: %s); see dmesg; --force overrides",
                              ORDO_CLOCK_NAME, trust->kernel_available);
    return ORDO_OK;
}
