/* Calibrations of large imaginary machines with realistic noise: latencies that depend on the distance, packages with
 * different clock offsets, offsets of a few ticks between cores, and a few pairs whose measurement was disturbed. */
#ifndef ORDO_TESTS_SYNTHETIC_MACHINE_H
#define ORDO_TESTS_SYNTHETIC_MACHINE_H

#include <stdlib.h>
#include <string.h>

#include "calibrate/bound/conclude.h"
#include "calibrate/collection/machine.h"
#include "calibrate/collection/make.h"
#include "calibrate/collection/write.h"
#include "calibrate/record/publish.h"
#include "machine/topology/topology.h"

struct synthetic {
    struct ordo_topology *topology;
    struct ordo_calibration *calibration;
    uint64_t state; /* random noise */
};

static inline int64_t synthetic_draw(struct synthetic *machine, int64_t below)
{
    machine->state ^= machine->state << 13;
    machine->state ^= machine->state >> 7;
    machine->state ^= machine->state << 17;
    return (int64_t)(machine->state >> 11) % below;
}

static inline int64_t synthetic_noise(struct synthetic *machine, int64_t width)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += synthetic_draw(machine, width);
    return synthetic_draw(machine, 200) ? sum / 4 : sum * 2; /* a disturbed measurement */
}

static inline void synthetic_measure(struct synthetic *machine)
{
    static const int64_t base[ORDO_DISTANCES] = {60, 90, 130, 280, 280, 620},
                         width[ORDO_DISTANCES] = {12, 16, 40, 120, 120, 300};
    struct ordo_calibration *made = machine->calibration;
    size_t n = (size_t)made->count;
    int64_t *clock = calloc(n, sizeof *clock), packages[256];
    for (int i = 0; i < 256; i++)
        packages[i] = synthetic_draw(machine, 400) - 200;
    for (size_t i = 0; i < n; i++)
        clock[i] = packages[made->places[i].package % 256] + synthetic_draw(machine, 12);
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            enum ordo_distance distance = ordo_topology_distance(machine->topology, made->cpus[a], made->cpus[b]);
            made->share[a * n + b] = (unsigned char)distance;
            made->delta_ticks[a * n + b] =
                a == b ? ORDO_DELTA_NONE
                       : base[distance] + clock[b] - clock[a] + synthetic_noise(machine, width[distance]);
        }
    free(clock);
}

/** Makes the machine of a description in hwloc's syntax. Returns 0 or a code. */
static inline int synthetic_make(struct synthetic *machine, const char *description, uint64_t seed)
{
    struct ordo_error error;
    unsigned *cpus;
    int count, code = ordo_topology_open(&machine->topology, description, &error);
    if (!code)
        code = ordo_topology_select(machine->topology, NULL, &cpus, &count, &error);
    if (code)
        return code;
    machine->state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    machine->calibration = ordo_calibration_new(count);
    struct ordo_calibration *made = machine->calibration;
    memcpy(made->cpus, cpus, (size_t)count * sizeof *cpus);
    free(cpus);
    for (int i = 0; i < count; i++) {
        struct ordo_topology_place place = ordo_topology_locate(machine->topology, made->cpus[i]);
        made->places[i] = (struct ordo_place){(uint32_t)place.l3, (uint32_t)place.package, (uint32_t)place.numa, 0};
    }
    made->tick_hz = 2599998765;
    made->granule_ticks = 26;
    made->drift_min_ppb = -17;
    made->drift_max_ppb = 23;
    made->runs = 100000;
    made->repeats = 3;
    synthetic_measure(machine);
    return ordo_boundary_conclude(made, &error);
}

static inline void synthetic_drop(struct synthetic *machine)
{
    ordo_calibration_free(machine->calibration);
    ordo_topology_close(machine->topology);
}

#if defined __aarch64__
#define SYNTHETIC_ARCHITECTURE "aarch64"
#define SYNTHETIC_VENDOR "ampere"
#elif defined __riscv
#define SYNTHETIC_ARCHITECTURE "riscv64"
#define SYNTHETIC_VENDOR "thead"
#else
#define SYNTHETIC_ARCHITECTURE "x86_64"
#define SYNTHETIC_VENDOR "intel"
#endif

/** Returns the description of a large machine. Its architecture is that of the record's counter. */
static inline struct ordo_collection_machine synthetic_words(void)
{
    return (struct ordo_collection_machine){.architecture = SYNTHETIC_ARCHITECTURE,
                                            .vendor = SYNTHETIC_VENDOR,
                                            .hypervisor = "none",
                                            .family = 6,
                                            .model = 143,
                                            .stepping = 8,
                                            .nominal_hz = 2600000000,
                                            .online = 8192,
                                            .kernel = "6.1",
                                            .clock = "tsc",
                                            .clocks = {"tsc", "hpet", "acpi_pm"},
                                            .clock_count = 3,
                                            .counter_ns = 12.34,
                                            .kernel_clock_ns = 23.45};
}

/** Makes the report of the machine's record, with the matrix. Returns 0 or a code. */
static inline int synthetic_report(const struct synthetic *machine, struct ordo_collection_report **report,
                                   struct ordo_error *error)
{
    struct ordo_record_view view;
    void *bytes;
    size_t count;
    const struct ordo_collection_machine words = synthetic_words();
    int code = ordo_record_build(machine->calibration, &bytes, &count, error);
    if (code)
        return code;
    code = ordo_record_parse(bytes, count, &view);
    struct ordo_collection_source source = {&view, machine->topology, &words, 1795824000};
    if (!code)
        code = ordo_collection_make(&source, report, error);
    free(bytes);
    return code;
}

#endif
