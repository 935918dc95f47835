/* make_record FILE HZ KEY=VALUE...: writes a record that no calibration of this machine makes, for the CPUs of this
 * process's affinity. Exit 0, or 1 if it cannot be made. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "calibrate/record/publish.h"
#include "machine/counter/counter.h"
#include "machine/counter/trust.h"
#include "machine/topology/topology.h"

static uint64_t status = ORDO_RECORD_VALID;

static struct ordo_calibration *begin(double tick_hz)
{
    struct ordo_topology *topology;
    struct ordo_record_moment now;
    struct ordo_trust_verdict verdict;
    struct ordo_error error;
    unsigned *cpus;
    int count;
    if (ordo_topology_open(&topology, NULL, &error) || ordo_topology_select(topology, NULL, &cpus, &count, &error) ||
        ordo_moment_take(&now))
        return NULL;
    struct ordo_calibration *made = ordo_calibration_new(count);
    if (made) {
        memcpy(made->cpus, cpus, (size_t)count * sizeof *cpus);
        (void)ordo_trust_ask(&verdict, NULL);
        made->trust = verdict.trust;
        made->tick_hz = tick_hz;
        made->generation = 1;
        made->boundary_ticks = 1000;
        made->as_of_ns = (uint64_t)now.uptime_ns;
        made->as_of_ticks = now.before_ticks;
        made->as_of_raw_ns = (uint64_t)now.raw_ns;
        made->suspended_ns = (uint64_t)now.suspended_low_ns;
        made->void_after_ns = made->as_of_ns + UINT64_C(3600000000000);
    }
    free(cpus);
    ordo_topology_close(topology);
    return made;
}

static int be_kernels(struct ordo_calibration *made)
{
    struct ordo_record_moment now;
    made->clock = ORDO_CLOCK_MONOTONIC;
    made->trust = ORDO_TRUST_VOUCHED;
    made->tick_hz = 1e9;
    if (ordo_moment_take_by(ORDO_CLOCK_MONOTONIC, &now))
        return -1;
    made->as_of_ticks = now.before_ticks;
    made->as_of_raw_ns = (uint64_t)now.raw_ns;
    made->as_of_ns = (uint64_t)now.uptime_ns;
    return 0;
}

static int set(struct ordo_calibration *made, const char *word)
{
    const char *value = strchr(word, '=');
    size_t length = value ? (size_t)(value - word) : 0;
    long long number = value ? strtoll(value + 1, NULL, 10) : 0;
    if (strncmp(word, "boundary=", length + 1) == 0)
        made->boundary_ticks = (uint64_t)number;
    else if (strncmp(word, "granule=", length + 1) == 0)
        made->granule_ticks = (uint64_t)number;
    else if (strncmp(word, "coarse=", length + 1) == 0)
        made->coarse = number;
    else if (strncmp(word, "forced=", length + 1) == 0)
        made->forced = number;
    else if (strncmp(word, "trust=", length + 1) == 0)
        made->trust = (int)number;
    else if (strncmp(word, "hypervisor=", length + 1) == 0)
        made->hypervisor = number;
    else if (strncmp(word, "drift_min=", length + 1) == 0)
        made->drift_min_ppb = number;
    else if (strncmp(word, "drift_max=", length + 1) == 0)
        made->drift_max_ppb = number;
    else if (strncmp(word, "valid_s=", length + 1) == 0)
        made->void_after_ns = made->as_of_ns + (uint64_t)number * 1000000000;
    else if (strncmp(word, "ahead_ms=", length + 1) == 0) /* by how much the clock gains on its recorded rate */
        made->as_of_ticks -= (uint64_t)((double)number * made->tick_hz / 1e3);
    else if (strcmp(word, "clock=monotonic") == 0)
        return be_kernels(made);
    else if (strcmp(word, "status=superseded") == 0)
        status = ORDO_RECORD_SUPERSEDED;
    else if (strcmp(word, "status=disrupted") == 0)
        status = ORDO_RECORD_DISRUPTED;
    else
        return -1;
    return 0;
}

int main(int argc, char **argv)
{
    struct ordo_error error = {0};
    void *bytes;
    size_t count;
    struct ordo_calibration *made = argc > 2 ? begin(strtod(argv[2], NULL)) : NULL;
    for (int i = 3; made && i < argc; i++)
        if (set(made, argv[i])) {
            fprintf(stderr, "make_record: %s\n", argv[i]);
            return 1;
        }
    if (!made || ordo_record_build(made, &bytes, &count, &error))
        return 1;
    memcpy((char *)bytes + offsetof(struct ordo_record, status), &status,
           sizeof status); /* the checksum does not cover the status */
    int failed = ordo_file_replace(argv[1], bytes, count, 0644, &error);
    free(bytes);
    ordo_calibration_free(made);
    return failed != 0;
}
