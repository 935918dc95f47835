/* The costs of readings: measured on this machine, or stated in the folder of another machine. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/clock.h>

#include "base/quantile.h"
#include "base/spread.h"
#include "machine/advice/situation.h"
#include "machine/comparison/cost.h"

enum { BATCHES = 41, READINGS = 200 };

extern const struct ordo_clock_source ordo_clock_source_monotonic;

static void read_monotonic(void)
{
    (void)ordo_clock_library_ns(CLOCK_MONOTONIC);
}

static void read_counter(void)
{
    (void)ordo_clock_read();
}

/* Times a batch of readings. Returns the mean cost of one reading, in nanoseconds. */
static double time_batch_ns(void (*reading)(void))
{
    uint64_t begin_ns = ordo_clock_system_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < READINGS; i++)
        reading();
    return (double)(ordo_clock_system_ns(CLOCK_MONOTONIC) - begin_ns) / READINGS;
}

static double median_ns(void (*reading)(void))
{
    double batches[BATCHES];
    for (int i = 0; i < BATCHES; i++)
        batches[i] = time_batch_ns(reading);
    ordo_stats_sort(batches, BATCHES);
    return ordo_stats_percentile(batches, BATCHES, 50);
}

void ordo_situation_measure_costs(struct ordo_situation *situation)
{
    const struct ordo_clock_source *source = &ordo_clock_source_monotonic;
    enum ordo_entry entry = ORDO_ENTRY_UNKNOWN;
    situation->monotonic_ns = median_ns(read_monotonic);
    situation->counter_ns = median_ns(read_counter);
    ordo_clock_entries(&source, 1, &entry);
    situation->vdso = entry == ORDO_ENTRY_UNKNOWN ? ordo_situation_vdso(situation) : entry == ORDO_ENTRY_USER;
}

/* Returns the number after "NAME " at the beginning of a line; 0 if no line begins so. */
static double stated_ns(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL)
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            double ns = strtod(line + length, NULL);
            return ns > 0 && ns < 1e9 ? ns : 0;
        }
    return 0;
}

void ordo_situation_read_costs(struct ordo_situation *situation, const char *root)
{
    char text[1024];
    if (ordo_evidence_read(root, "/costs", text, sizeof text) < 0)
        return;
    situation->monotonic_ns = stated_ns(text, "monotonic");
    situation->counter_ns = stated_ns(text, "counter");
}
