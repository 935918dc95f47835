/* The processor's statement about its counter, by CPUID or by the architecture, and the statement of a hypervisor that
 * answers CPUID for the processor. The contract is in evidence.h. */
#ifndef ORDO_START_PROCESSOR_H
#define ORDO_START_PROCESSOR_H

#include <ordo/start/witness.h>

#define ORDO_EVIDENCE_CPUID 16384 /* the largest useful size of the file "cpuid": two CPUs, as `cpuid -r` prints them */

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

/* Parses blanks, `label`, and a hexadecimal number of at most 32 bits. Returns the text behind the number, or NULL if
 * there is no such number. */
static inline const char *ordo_evidence_hex(const char *text, const char *label, uint32_t *value)
{
    char *end;
    unsigned long long number;
    text += strspn(text, " \t");
    if (strncmp(text, label, strlen(label)) != 0)
        return NULL;
    text += strlen(label);
    if (!strchr("0123456789abcdefABCDEF", *text) || !*text)
        return NULL;
    errno = 0;
    number = strtoull(text, &end, 16);
    *value = (uint32_t)number;
    return errno || number > 0xffffffffu ? NULL : end;
}

/** Parses one line of a file "cpuid". The line is "LEAF SUBLEAF EAX EBX ECX EDX" in hexadecimal, or has the format of
 * `cpuid -r`, "0x80000007 0x00: eax=0x00000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000100". Returns
 *
 * - 1: `out` contains the six numbers;
 * - 0: the line is empty, or is "CPU 0:";
 * - -1: the line has another format. */
static inline int ordo_evidence_cpuid_line(const char *line, uint32_t out[6])
{
    static const char *const labels[] = {"", "", "eax=", "ebx=", "ecx=", "edx="};
    int i, labelled = 0;
    line += strspn(line, " \t");
    if (line[strspn(line, " \t\r")] == '\n' || !line[strspn(line, " \t\r")] || strncmp(line, "CPU", 3) == 0)
        return 0;
    for (i = 0; i < 6; i++) {
        line = ordo_evidence_hex(line, labelled ? labels[i] : "", &out[i]);
        if (!line)
            return -1;
        if (i == 1 && *line == ':')
            labelled = *line++ == ':';
        if (*line && !strchr(" \t\r\n", *line))
            return -1;
    }
    line += strspn(line, " \t\r");
    return *line == '\n' || !*line ? 1 : -1;
}

/* Returns the beginning of the next line; NULL if this is the last line. */
static inline const char *ordo_evidence_next_line(const char *line)
{
    line = strchr(line, '\n');
    return line ? line + 1 : NULL;
}

/* Finds the first line with this leaf; `out` becomes zeros if there is no such line. */
static inline void ordo_evidence_cpuid_text(const char *text, unsigned leaf, unsigned subleaf, uint32_t out[4])
{
    const char *line;
    uint32_t found[6];
    out[0] = out[1] = out[2] = out[3] = 0;
    for (line = text; line && *line; line = ordo_evidence_next_line(line))
        if (ordo_evidence_cpuid_line(line, found) == 1 && found[0] == leaf && found[1] == subleaf) {
            memcpy(out, found + 2, 4 * sizeof *out);
            return;
        }
}

/** Reads one leaf of CPUID: EAX, EBX, ECX, EDX. `text` is the file "cpuid" of a directory, or NULL for the live
 * machine. A leaf above the highest supported leaf reads as zeros. */
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

/* Reads one leaf of a hypervisor. The processor's highest supported leaf does not limit these leaves. */
static inline void ordo_evidence_cpuid_of_hypervisor(const char *text, unsigned leaf, uint32_t out[4])
{
    if (text)
        ordo_evidence_cpuid_text(text, leaf, 0, out);
    else
        ordo_evidence_cpuid_live(leaf, 0, out);
}

/* Asks the hypervisor for its name. If KVM or Xen offers Hyper-V's interface at 40000000h, its own name is 100h above
 * that leaf. */
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

/* Asks an x86 processor (Intel SDM vol. 2A and 3B, "Invariant TSC"; AMD APM vol. 3, appendix E). */
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
    /* Rate of the TSC = crystal rate (ECX) * EBX / EAX. The leaf is empty on many processors, and wrong in some
     * guests. */
    ordo_evidence_cpuid(text, 0x15, 0, r);
    if (r[0] && r[1] && r[2])
        e->nominal_hz = (double)r[2] * (double)r[1] / (double)r[0];
    if (e->hypervisor)
        ordo_evidence_ask_hypervisor(e, text);
}

/* Checks whether this is a guest of Xen, which a file states. CPUID shows no hypervisor to paravirtualized guests, and
 * Arm has no CPUID. */
static inline void ordo_evidence_ask_type(struct ordo_evidence *e, const char *root)
{
    char type[sizeof e->hypervisor_name];
    ordo_evidence_read_line(root, "/sys/hypervisor/type", type, sizeof type);
    if (type[0] && !e->hypervisor_name[0])
        memcpy(e->hypervisor_name, type, sizeof type);
    e->hypervisor |= type[0] != '\0';
}

/* Asks a processor whose architecture includes one system counter of constant rate (Arm ARM "The Generic Timer"; RISC-V
 * Unprivileged ISA, "Zicntr"). No instruction tells a guest from a host; the firmware's tables usually do. */
static inline void ordo_evidence_ask_other(struct ordo_evidence *e, const char *root)
{
    e->invariant = e->arch != ORDO_ARCH_OTHER;
#if defined __aarch64__
    if (!*root) {
        uint64_t hz;
        __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
        e->nominal_hz = (double)hz;
    }
#endif
    (void)root;
    e->hypervisor = strstr(e->vendor, "QEMU") != NULL;
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
    char text[ORDO_EVIDENCE_CPUID], arch[32];
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
    ordo_evidence_ask_type(e, root);
}

#endif
