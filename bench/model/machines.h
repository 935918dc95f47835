/* Machines with published transfer times of cache lines, for the model. */
#ifndef BENCH_MODEL_MACHINES_H
#define BENCH_MODEL_MACHINES_H

#include <stddef.h>

struct model_machine {
    const char *name;
    int cpus;
    double median_ns, most_ns; /* of a cache line from one CPU to another, over all pairs */
    const char *source;        /* the publication: its file of measurements */
};

/** The machine of that index, NULL behind the last. */
const struct model_machine *model_machine_at(size_t index);

/** The machine of that name, or NULL. */
const struct model_machine *model_machine_find(const char *name);

#endif
