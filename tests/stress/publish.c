/* Readers open, watch and close the record while a publisher replaces it and marks it as disrupted.
 *
 * At every moment: an opened record is whole (its boundary belongs to its generation); a handle's boundary never
 * changes, and its status never returns to VALID. An open fails only with ORDO_E_DISRUPTED, or with ORDO_E_SUPERSEDED
 * if the publisher loses its CPU for long between the mark and the rename. */
#include <pthread.h>
#include <stdatomic.h>

#include <ordo/ordo.h>

#include "calibrate/record/publish.h"
#include "machine/counter/counter.h"
#include "machine/topology/topology.h"

enum { READERS = 4, PUBLICATIONS = 300 };

static char path[64];
static _Atomic int over, violations;
static _Atomic long opened;

static void expect(int holds, const char *what)
{
    if (!holds && atomic_fetch_add(&violations, 1) == 0)
        fprintf(stderr, "violated: %s\n", what);
}

static void watch(const struct ordo *o)
{
    uint64_t boundary = ordo_boundary(o);
    int seen = ORDO_STATUS_VALID;
    expect(boundary == 1000 + o->generation, "boundary and generation belong together");
    for (int i = 0; i < 50; i++) {
        int status = ordo_status(o);
        expect(status != ORDO_STATUS_VALID || seen == ORDO_STATUS_VALID, "a withdrawn record does not come back");
        expect(ordo_boundary(o) == boundary, "a handle keeps its boundary");
        seen = status;
    }
}

static void *read_records(void *unused)
{
    while (!atomic_load(&over)) {
        struct ordo o;
        int code = ordo_open(&o, path);
        expect(code == ORDO_OK || code == ORDO_E_DISRUPTED || code == ORDO_E_SUPERSEDED, ordo_strerror(code));
        if (code == ORDO_OK) {
            watch(&o);
            atomic_fetch_add(&opened, 1);
            ordo_close(&o);
        }
    }
    return unused;
}

/* Measures the rate of the clock. A reader computes the age of the record by this clock and by the system's clock, and
 * compares the two, so the rate must be precise. */
static void measure_rate(struct ordo_calibration *calibration)
{
    const struct ordo_clock_source *raw = ordo_clock_source_find("monotonic_raw");
    struct ordo_bracket first = ordo_bracket_take(raw), last;
    double low_hz, high_hz;
    (void)usleep(50000);
    last = ordo_bracket_take(raw);
    ordo_bracket_rate(&first, &last, raw->unit_hz, &low_hz, &high_hz);
    calibration->tick_hz = (low_hz + high_hz) / 2;
}

static struct ordo_calibration *make_calibration(void)
{
    struct ordo_topology *topology;
    struct ordo_error error;
    unsigned *cpus;
    int count;
    if (ordo_topology_open(&topology, NULL, &error) || ordo_topology_select(topology, NULL, &cpus, &count, &error))
        return NULL;
    struct ordo_calibration *calibration = ordo_calibration_new(count);
    if (calibration) {
        measure_rate(calibration);
        memcpy(calibration->cpus, cpus, (size_t)count * sizeof *cpus);
    }
    free(cpus);
    ordo_topology_close(topology);
    return calibration;
}

static int disrupt(void)
{
    const void *bytes;
    size_t count;
    struct ordo_error error;
    if (ordo_record_map(path, &bytes, &count, &error))
        return -1;
    int code = ordo_record_disrupt(path, (const struct ordo_record *)bytes, &error);
    (void)munmap((void *)(uintptr_t)bytes, count);
    return code;
}

static int publish(struct ordo_calibration *calibration, int generation)
{
    struct ordo_error error;
    struct ordo_record_moment now;
    calibration->boundary_ticks = 1000 + (uint64_t)generation;
    if (ordo_moment_take(&now) != 0)
        return -1;
    calibration->as_of_ns = (uint64_t)now.uptime_ns;
    calibration->as_of_ticks = now.before_ticks;
    calibration->as_of_raw_ns = (uint64_t)now.raw_ns;
    calibration->suspended_ns = (uint64_t)now.suspended_low_ns;
    calibration->void_after_ns = calibration->as_of_ns + UINT64_C(3600000000000);
    if (ordo_record_publish(path, calibration, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return -1;
    }
    return generation % 7 == 0 ? disrupt() : 0;
}

int main(void)
{
    char directory[] = "/tmp/ordo-publish-XXXXXX";
    pthread_t readers[READERS];
    struct ordo_calibration *calibration = make_calibration();
    if (!calibration || !mkdtemp(directory))
        return 1;
    (void)snprintf(path, sizeof path, "%s/boundary", directory);
    int failed = publish(calibration, 1);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, read_records, NULL);
    for (int generation = 2; generation <= PUBLICATIONS && !failed; generation++)
        failed = publish(calibration, generation);
    atomic_store(&over, 1);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    (void)unlink(path);
    (void)unlink(strcat(path, ".lock"));
    (void)rmdir(directory);
    ordo_calibration_free(calibration);
    printf("%ld records opened while %d were published, %d violations\n", atomic_load(&opened), PUBLICATIONS,
           atomic_load(&violations));
    return failed || atomic_load(&violations) || !atomic_load(&opened);
}
