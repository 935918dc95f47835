/* Machines with published transfer times of cache lines, for the model. */
#ifndef BENCH_MODEL_MACHINES_H
#define BENCH_MODEL_MACHINES_H

#include <stddef.h>

struct model_machine {
    const char *name;
    int cpus;
    double median_ns, most_ns; /* transfer time of a cache line between two CPUs, median and largest over all pairs */
    const char *source;        /* the published file of measurements */
};

/** Returns the machine at `index`; NULL if `index` is too large. */
const struct model_machine *model_machine_at(size_t index);

/** Returns the machine with this name, or NULL. */
const struct model_machine *model_machine_find(const char *name);

#endif
