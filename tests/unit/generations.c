/* A reader that has a thousand generations of the record open at the same time. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/ordo.h>

#include "calibrate/record/publish.h"
#include "clock_rate.h"
#include "machine/counter/counter.h"
#include "machine/topology/topology.h"

enum { GENERATIONS = 1000 };

static struct ordo_calibration *calibration(void)
{
    struct ordo_topology *topology;
    struct ordo_record_moment now;
    unsigned *cpus;
    int count;
    cr_assert_eq(ordo_topology_open(&topology, NULL, NULL), 0);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, NULL), 0);
    struct ordo_calibration *made = ordo_calibration_new(count);
    cr_assert_not_null(made);
    memcpy(made->cpus, cpus, (size_t)count * sizeof *cpus);
    made->tick_hz = clock_rate_hz();
    cr_assert_eq(ordo_moment_take(&now), 0);
    made->boundary_ticks = 1000;
    made->as_of_ns = (uint64_t)now.uptime_ns;
    made->as_of_ticks = now.before_ticks;
    made->as_of_raw_ns = (uint64_t)now.raw_ns;
    made->suspended_ns = (uint64_t)now.suspended_low_ns;
    made->void_after_ns = made->as_of_ns + UINT64_C(3600000000000);
    free(cpus);
    ordo_topology_close(topology);
    return made;
}

static int count_lines(const char *path)
{
    FILE *file = fopen(path, "r");
    int lines = 0;
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        (void)fclose(file);
    return lines;
}

static int count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    while (folder && readdir(folder))
        count++;
    if (folder)
        (void)closedir(folder);
    return count;
}

Test(generations, handles_of_a_thousand_superseded_records_leak_nothing)
{
    static struct ordo handles[GENERATIONS];
    char folder[] = "/dev/shm/ordo-generations-XXXXXX", path[64], lock[72];
    struct ordo_error error = {0};
    struct ordo_calibration *made = calibration();
    if (!mkdtemp(folder))
        cr_skip_test("no /dev/shm");
    (void)snprintf(path, sizeof path, "%s/boundary", folder);
    (void)snprintf(lock, sizeof lock, "%s.lock", path);
    int maps = count_lines("/proc/self/maps"), descriptors = count_descriptors();
    for (int i = 0; i < GENERATIONS; i++) {
        cr_assert_eq(ordo_record_publish(path, made, NULL, &error), 0, "%s", error.text);
        cr_assert_eq(ordo_open_error(&handles[i], path, &error), 0, "generation %d: %s", i + 1, error.text);
        cr_assert_eq(ordo_status(&handles[i]), ORDO_STATUS_VALID);
    }
    cr_assert_eq(count_descriptors(), descriptors, "handles keep descriptors");
    for (int i = 0; i < GENERATIONS; i++) {
        cr_assert_eq(ordo_status(&handles[i]), i + 1 < GENERATIONS ? ORDO_STATUS_SUPERSEDED : ORDO_STATUS_VALID);
        ordo_close(&handles[i]);
    }
    cr_assert_leq(count_lines("/proc/self/maps"), maps + 8, "mappings are left behind");
    cr_assert_eq(count_descriptors(), descriptors);
    ordo_calibration_free(made);
    (void)unlink(path);
    (void)unlink(lock);
    (void)rmdir(folder);
}
