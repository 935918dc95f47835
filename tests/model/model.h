/* The simulated machine that the tests control. */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include <ordo/ordo.h>

/** Returns a handle with this boundary and a rate of 1 GHz. */
struct ordo model_handle(uint64_t boundary);

/** Moves the program to `cpu`, and returns the time that this CPU shows at a true time. */
ordo_time model_read(const struct ordo *o, int cpu, uint64_t true_time);

/** Returns the time that `cpu` shows at the true time of the last read. True time does not advance. */
ordo_time model_shows(int cpu);

/** Returns the next number of a seeded sequence. */
uint64_t model_random(uint64_t *state);

#endif
