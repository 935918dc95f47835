/* The processor's statement about its counter, by CPUID or by the architecture, and that of a hypervisor which answers in
 * its place. evidence.h has the contract. */
#ifndef ORDO_START_PROCESSOR_H
#define ORDO_START_PROCESSOR_H

#include <ordo/start/witness.h>

#if defined __x86_64__
static inline void ordo_evidence_cpuid_live(unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    __asm__ volatile("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(subleaf));
}
#else
static inline void ordo_evidence_cpuid_live(unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    (void)leaf, (void)subleaf;
    out[0] = out[1] = out[2] = out[3] = 0;
}
#endif

/* One leaf from lines "LEAF SUBLEAF EAX EBX ECX EDX", all hexadecimal; zeros if there is no such line. */
static inline void ordo_evidence_cpuid_text(const char *text, unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    const char *line;
    out[0] = out[1] = out[2] = out[3] = 0;
    for (line = text; line && *line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        unsigned long at, sub;
        char *cursor;
        int i;
        at = strtoul(line, &cursor, 16);
        if (cursor == line)
            continue;
        sub = strtoul(cursor, &cursor, 16);
        if (at != leaf || sub != subleaf)
            continue;
        for (i = 0; i < 4; i++)
            out[i] = (uint32_t)strtoul(cursor, &cursor, 16);
        return;
    }
}

/** Reads one leaf of CPUID: EAX, EBX, ECX, EDX. `text` is the file "cpuid" of a directory, or NULL for the live machine.
 * Zeros for a leaf above the highest one. */
static inline void ordo_evidence_cpuid(const char *text, unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    uint32_t highest[4];
    if (text) {
        ordo_evidence_cpuid_text(text, leaf, subleaf, out);
        return;
    }
    ordo_evidence_cpuid_live(leaf & 0xf0000000u, 0, highest);
    if (highest[0] < leaf)
        out[0] = out[1] = out[2] = out[3] = 0;
    else
        ordo_evidence_cpuid_live(leaf, subleaf, out);
}

/* One leaf of a hypervisor, which no highest leaf of the processor bounds. */
static inline void ordo_evidence_cpuid_of_hypervisor(const char *text, unsigned leaf, uint32_t out[4])
{
    if (text)
        ordo_evidence_cpuid_text(text, leaf, 0, out);
    else
        ordo_evidence_cpuid_live(leaf, 0, out);
}

/* KVM and Xen can offer Hyper-V's interface at 40000000h, and then name themselves 100h behind it. */
static inline void ordo_evidence_ask_hypervisor(struct ordo_evidence *e, const char *text)
{
    uint32_t r[4];
    unsigned base = 0x40000100u;
    ordo_evidence_cpuid_of_hypervisor(text, base, r);
    if (memcmp(r + 1, "KVMKVMKVM\0\0\0", 12) != 0 && memcmp(r + 1, "XenVMMXenVMM", 12) != 0) {
        base = 0x40000000u;
        ordo_evidence_cpuid_of_hypervisor(text, base, r);
    }
    memcpy(e->hypervisor_name, r + 1, 12);
    ordo_evidence_copy_line(e->hypervisor_name, sizeof e->hypervisor_name, e->hypervisor_name, 12);
    if (strcmp(e->hypervisor_name, "KVMKVMKVM") == 0) {
        ordo_evidence_cpuid_of_hypervisor(text, base + 1, r);
        e->kvm_stable = (int)(r[0] >> 24 & 1); /* KVM_FEATURE_CLOCKSOURCE_STABLE_BIT */
    }
}

/* Intel SDM vol. 2A and 3B, "Invariant TSC"; AMD APM vol. 3, appendix E. */
static inline void ordo_evidence_ask_x86(struct ordo_evidence *e, const char *text)
{
    uint32_t r[4];
    ordo_evidence_cpuid(text, 0x80000007u, 0, r);
    e->invariant = (int)(r[3] >> 8 & 1);
    ordo_evidence_cpuid(text, 0x80000001u, 0, r);
    e->rdtscp = (int)(r[3] >> 27 & 1);
    ordo_evidence_cpuid(text, 7, 0, r);
    e->tsc_adjust = (int)(r[1] >> 1 & 1);
    ordo_evidence_cpuid(text, 1, 0, r);
    e->hypervisor = (int)(r[2] >> 31 & 1);
    /* TSC = crystal (ECX) * EBX / EAX. Empty on many processors, and wrong in some guests. */
    ordo_evidence_cpuid(text, 0x15, 0, r);
    if (r[0] && r[1] && r[2])
        e->nominal_hz = (double)r[2] * (double)r[1] / (double)r[0];
    if (e->hypervisor)
        ordo_evidence_ask_hypervisor(e, text);
}

/* Where one system counter of constant rate is part of the architecture (Arm ARM "The Generic Timer"; RISC-V Unprivileged
 * ISA, "Zicntr"). No instruction tells a guest from a host; the firmware's tables usually do. */
static inline void ordo_evidence_ask_other(struct ordo_evidence *e, const char *root)
{
    char type[64];
    e->invariant = e->arch != ORDO_ARCH_OTHER;
#if defined __aarch64__
    if (!*root) {
        uint64_t hz;
        __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
        e->nominal_hz = (double)hz;
    }
#endif
    ordo_evidence_read_line(root, "/sys/hypervisor/type", type, sizeof type);
    e->hypervisor = type[0] != '\0' || strstr(e->vendor, "QEMU") != NULL;
}

static inline int ordo_evidence_own_arch(void)
{
#if defined __x86_64__
    return ORDO_ARCH_X86_64;
#elif defined __aarch64__
    return ORDO_ARCH_AARCH64;
#elif defined __riscv && __riscv_xlen == 64
    return ORDO_ARCH_RISCV64;
#else
    return ORDO_ARCH_OTHER;
#endif
}

static inline void ordo_evidence_ask_processor(struct ordo_evidence *e, const char *root)
{
    char text[8192], arch[32];
    e->arch = ordo_evidence_own_arch();
    if (*root) {
        ordo_evidence_read_line(root, "/arch", arch, sizeof arch);
        e->arch = strcmp(arch, "x86_64") == 0    ? ORDO_ARCH_X86_64
                  : strcmp(arch, "aarch64") == 0 ? ORDO_ARCH_AARCH64
                  : strcmp(arch, "riscv64") == 0 ? ORDO_ARCH_RISCV64
                                                 : ORDO_ARCH_OTHER;
        (void)ordo_evidence_read(root, "/cpuid", text, sizeof text);
    }
    ordo_evidence_read_line(root, "/sys/class/dmi/id/sys_vendor", e->vendor, sizeof e->vendor);
    if (e->arch == ORDO_ARCH_X86_64)
        ordo_evidence_ask_x86(e, *root ? text : NULL);
    else
        ordo_evidence_ask_other(e, root);
}

#endif
