#include "trace/page/samples.h"

#include <stdlib.h>

#include "trace/page/apart.h"

static int grow_samples(struct ordo_samples *samples)
{
    uint32_t room = samples->room ? 2 * samples->room : 4;
    struct ordo_sample *all = realloc(samples->all, room * sizeof *all);
    if (!all)
        return -1;
    samples->all = all;
    samples->room = room;
    return 0;
}

static void thin(struct ordo_samples *samples)
{
    for (uint32_t i = 0; i < samples->count / 2; i++)
        samples->all[i] = samples->all[2 * i];
    samples->count /= 2;
    samples->every *= 2;
}

int ordo_samples_take(struct ordo_samples *samples, int64_t time_ns, const struct ordo_event_stamp *stamp)
{
    int64_t width_ns = ordo_page_apart(stamp->earliest_ns, stamp->latest_ns);
    samples->widest_ns = width_ns > samples->widest_ns ? width_ns : samples->widest_ns;
    samples->every = samples->every ? samples->every : 1;
    if (samples->count == ORDO_SAMPLES_MOST)
        thin(samples);
    if (samples->taken++ % samples->every != 0)
        return 0;
    if (samples->count == samples->room && grow_samples(samples))
        return -1;
    samples->all[samples->count++] = (struct ordo_sample){time_ns, *stamp};
    return 0;
}

static int by_sample_time(const void *a, const void *b)
{
    const struct ordo_sample *x = a, *y = b;
    return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

void ordo_samples_sort(struct ordo_samples *samples)
{
    if (samples->count > 0)
        qsort(samples->all, samples->count, sizeof *samples->all, by_sample_time);
}

void ordo_samples_free(struct ordo_samples *samples)
{
    free(samples->all);
    *samples = (struct ordo_samples){0};
}
