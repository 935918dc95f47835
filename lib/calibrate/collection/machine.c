#include "calibrate/collection/machine.h"

#include <stdlib.h>
#include <string.h>

#include <ordo/start/evidence.h>

#include "calibrate/collection/words.h"

enum { TEXT = 8192 };

struct name {
    const char *told, *word;
};

/* Returns the word for a name; "other" if the name is not in the table, which ends with NULL. */
static const char *word_for(const struct name *names, const char *told)
{
    while (names->told && strcmp(names->told, told) != 0)
        names++;
    return names->told ? names->word : "other";
}

/* Copies the value of the first line "key : value"; "" if there is no such line. */
static void find_value(const char *text, const char *key, char *value, size_t size)
{
    size_t length = strlen(key);
    value[0] = '\0';
    for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        const char *at = line + length;
        if (strncmp(line, key, length) != 0)
            continue;
        at += strspn(at, " \t");
        if (*at != ':')
            continue;
        at++;
        at += strspn(at, " \t");
        (void)snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
        return;
    }
}

/* Returns the value of the line with this key, a decimal or 0x number; ORDO_COLLECTION_NONE if there is no number below
 * 65536. */
static int64_t find_number(const char *text, const char *key)
{
    char value[32], *end;
    find_value(text, key, value, sizeof value);
    unsigned long number = strtoul(value, &end, 0);
    return end == value || number > 65535 ? ORDO_COLLECTION_NONE : (int64_t)number;
}

/* Reads an x86 processor; the table contains the vendors of CPUID leaf 0. */
static void read_x86(struct ordo_collection_machine *machine, const char *text)
{
    static const struct name vendors[] = {{"GenuineIntel", "intel"},
                                          {"AuthenticAMD", "amd"},
                                          {"HygonGenuine", "hygon"},
                                          {"  Shanghai  ", "zhaoxin"},
                                          {"Shanghai", "zhaoxin"},
                                          {"CentaurHauls", "centaur"},
                                          {NULL, NULL}};
    char vendor[32];
    find_value(text, "vendor_id", vendor, sizeof vendor);
    machine->vendor = word_for(vendors, vendor);
    machine->family = find_number(text, "cpu family");
    machine->model = find_number(text, "model");
    machine->stepping = find_number(text, "stepping");
}

/* Reads an Arm processor; the table contains the implementers of MIDR_EL1 (Linux's asm/cputype.h). */
static void read_arm(struct ordo_collection_machine *machine, const char *text)
{
    static const struct name vendors[] = {
        {"0x41", "arm"},    {"0x42", "broadcom"},  {"0x43", "cavium"},   {"0x46", "fujitsu"}, {"0x48", "hisilicon"},
        {"0x4e", "nvidia"}, {"0x50", "apm"},       {"0x51", "qualcomm"}, {"0x53", "samsung"}, {"0x56", "marvell"},
        {"0x61", "apple"},  {"0x6d", "microsoft"}, {"0xc0", "ampere"},   {NULL, NULL}};
    char vendor[32];
    int64_t variant = find_number(text, "CPU variant"), revision = find_number(text, "CPU revision");
    find_value(text, "CPU implementer", vendor, sizeof vendor);
    machine->vendor = word_for(vendors, vendor);
    machine->family = find_number(text, "CPU architecture");
    machine->model = find_number(text, "CPU part");
    if (variant < 16 && revision < 16)
        machine->stepping = variant * 16 + revision;
}

/* Reads a RISC-V processor; the table contains the JEDEC numbers of mvendorid. */
static void read_riscv(struct ordo_collection_machine *machine, const char *text)
{
    static const struct name vendors[] = {{"0x489", "sifive"}, {"0x5b7", "thead"}, {"0x710", "spacemit"}, {NULL, NULL}};
    char vendor[32];
    find_value(text, "mvendorid", vendor, sizeof vendor);
    machine->vendor = word_for(vendors, vendor);
}

static void read_processor(struct ordo_collection_machine *machine, int arch, const char *root)
{
    char *text = malloc(TEXT);
    machine->vendor = "other";
    machine->family = machine->model = machine->stepping = ORDO_COLLECTION_NONE;
    if (text && ordo_evidence_read(root, "/proc/cpuinfo", text, TEXT) > 0) {
        if (arch == ORDO_ARCH_X86_64)
            read_x86(machine, text);
        else if (arch == ORDO_ARCH_AARCH64)
            read_arm(machine, text);
        else if (arch == ORDO_ARCH_RISCV64)
            read_riscv(machine, text);
    }
    free(text);
}

/* Copies "6.1" of "Linux version 6.1.0-18-amd64 (...)", because the rest may identify the owner of the kernel. */
static void read_kernel(struct ordo_collection_machine *machine, const char *root)
{
    char line[256];
    unsigned major, minor;
    machine->kernel[0] = '\0';
    ordo_evidence_read_line(root, "/proc/version", line, sizeof line);
    if (sscanf(line, "Linux version %3u.%3u", &major, &minor) == 2)
        (void)snprintf(machine->kernel, sizeof machine->kernel, "%u.%u", major, minor);
}

static bool has_clock(const struct ordo_collection_machine *machine, const char *word)
{
    for (int i = 0; i < machine->clock_count; i++)
        if (strcmp(machine->clocks[i], word) == 0)
            return true;
    return false;
}

/* Reads the kernel's current clock and the list of its clocks. The list contains each word once, because several clocks
 * may be "other". */
static void read_clock_names(struct ordo_collection_machine *machine, const struct ordo_evidence *evidence)
{
    char list[sizeof evidence->available], *rest = NULL;
    machine->clock = evidence->current[0] ? ordo_collection_word(ordo_collection_clocks, evidence->current) : NULL;
    machine->clock_count = 0;
    memcpy(list, evidence->available, sizeof list);
    for (char *name = strtok_r(list, " \n", &rest); name && machine->clock_count < ORDO_COLLECTION_CLOCKS;
         name = strtok_r(NULL, " \n", &rest)) {
        const char *word = ordo_collection_word(ordo_collection_clocks, name);
        if (!has_clock(machine, word))
            machine->clocks[machine->clock_count++] = word;
    }
    if (machine->clock && machine->clock_count && !has_clock(machine, machine->clock))
        machine->clock = NULL; /* not in the list: the kernel changed its clock between the two reads */
}

static const char *hypervisor_of(const struct ordo_evidence *evidence)
{
    static const struct name names[] = {{"KVMKVMKVM", "kvm"},
                                        {"TCGTCGTCGTCG", "qemu"},
                                        {"XenVMMXenVMM", "xen"},
                                        {"xen", "xen"},
                                        {"Microsoft Hv", "hyperv"},
                                        {"VMwareVMware", "vmware"},
                                        {"bhyve bhyve", "bhyve"},
                                        {"VBoxVBoxVBox", "virtualbox"},
                                        {"prl hyperv", "parallels"},
                                        {" lrpepyh  vr", "parallels"},
                                        {"ACRNACRNACRN", "acrn"},
                                        {"Jailhouse", "jailhouse"},
                                        {NULL, NULL}};
    if (!evidence->hypervisor)
        return "none";
    return word_for(names, evidence->hypervisor_name);
}

/* Counts the CPUs of ranges such as "0-3,8". */
static int64_t count_online(const char *root)
{
    char line[1024], *at = line;
    int64_t count = 0;
    ordo_evidence_read_line(root, "/sys/devices/system/cpu/online", line, sizeof line);
    while (*at >= '0' && *at <= '9') {
        unsigned long first = strtoul(at, &at, 10), last = first;
        if (*at == '-')
            last = strtoul(at + 1, &at, 10);
        if (last < first || last > 65535)
            return ORDO_COLLECTION_NONE;
        count += (int64_t)(last - first) + 1;
        at += *at == ',';
    }
    return count && *at == '\0' ? count : ORDO_COLLECTION_NONE;
}

void ordo_collection_machine_read(struct ordo_collection_machine *machine, const char *root)
{
    static const char *const words[] = {[ORDO_ARCH_OTHER] = "other",
                                        [ORDO_ARCH_X86_64] = "x86_64",
                                        [ORDO_ARCH_AARCH64] = "aarch64",
                                        [ORDO_ARCH_RISCV64] = "riscv64"};
    struct ordo_evidence evidence;
    root = root ? root : "";
    *machine = (struct ordo_collection_machine){.counter_ns = -1, .kernel_clock_ns = -1};
    ordo_evidence_gather(&evidence, root);
    machine->architecture = words[evidence.arch];
    machine->hypervisor = hypervisor_of(&evidence);
    machine->nominal_hz =
        evidence.nominal_hz >= 1e3 && evidence.nominal_hz < 1e11 ? (int64_t)evidence.nominal_hz : ORDO_COLLECTION_NONE;
    machine->online = count_online(root);
    read_processor(machine, evidence.arch, root);
    read_kernel(machine, root);
    read_clock_names(machine, &evidence);
}
