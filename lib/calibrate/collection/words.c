#include "calibrate/collection/words.h"

#include <stddef.h>
#include <string.h>

const char *const ordo_collection_architectures[] = {"x86_64", "aarch64", "riscv64", "other", NULL};

const char *const ordo_collection_vendors[] = {"intel",    "amd",      "hygon",     "zhaoxin",   "centaur", "arm",
                                               "broadcom", "cavium",   "fujitsu",   "hisilicon", "nvidia",  "apm",
                                               "qualcomm", "samsung",  "marvell",   "apple",     "ampere",  "sifive",
                                               "thead",    "spacemit", "microsoft", "other",     NULL};

const char *const ordo_collection_hypervisors[] = {"none",      "kvm",   "qemu",       "xen",       "hyperv",
                                                   "vmware",    "bhyve", "virtualbox", "parallels", "acrn",
                                                   "jailhouse", "other", NULL};

const char *const ordo_collection_clocks[] = {"tsc",
                                              "tsc-early",
                                              "kvm-clock",
                                              "hyperv_clocksource_tsc_page",
                                              "hyperv_clocksource_msr",
                                              "xen",
                                              "hpet",
                                              "acpi_pm",
                                              "pit",
                                              "jiffies",
                                              "refined-jiffies",
                                              "arch_sys_counter",
                                              "riscv_clocksource",
                                              "other",
                                              NULL};

const char *const ordo_collection_counters[] = {"tsc", "cntvct", "time", "monotonic", "unknown", NULL};

const char *const ordo_collection_trusts[] = {"vouched", "measured", "faulted", "incapable", NULL};

const char *const ordo_collection_details[] = {"pairs", "rounded", "l3",     "numa",    "package",
                                               "cpus",  "offsets", "groups", "summary", NULL};

const char *const ordo_collection_columns[] = {"correction_ticks", "offset_ticks",    "from_first_ticks",
                                               "to_first_ticks",   "as_writer_ticks", "as_writer_with",
                                               "as_reader_ticks",  "as_reader_with",  NULL};

const char *const ordo_collection_counts[] = {"cores", "l2_groups", "l3_caches", "packages", "numa_nodes", NULL};

const char *ordo_collection_word(const char *const *words, const char *text)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words ? *words : "other";
}
