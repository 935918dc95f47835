/* The simulated machine, as the tests drive it. */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <ordo/ordo.h>

/** A handle with this boundary and a rate of 1 GHz. */
struct ordo model_handle(uint64_t boundary);

/** The time that `cpu` shows at a true time; the program runs there from then on. */
ordo_time model_read(const struct ordo *o, int cpu, uint64_t true_time);

/** What `cpu` shows at the true time of the last read. Takes no time. */
ordo_time model_shows(int cpu);

/** The next number of a seeded sequence. */
uint64_t model_random(uint64_t *state);

#endif
