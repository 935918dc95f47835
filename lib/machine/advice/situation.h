/* The parts of a situation that are concluded from the evidence, or measured. */
#ifndef ORDO_MACHINE_ADVICE_SITUATION_H
#define ORDO_MACHINE_ADVICE_SITUATION_H

#include "machine/advice/advice.h"

/** Returns the reason why the kernel uses its clock source, from the evidence and the verdict. Applies the rules of
 * tests/machines/README.md in their order. */
enum ordo_chosen ordo_situation_chosen(const struct ordo_situation *situation);

/** Returns 1 if the C library can read the kernel's clock without entering the kernel, 0 if not, -1 if unknown. */
int ordo_situation_vdso(const struct ordo_situation *situation);

/** Measures the costs of readings on the live machine, and whether they enter the kernel. */
void ordo_situation_measure_costs(struct ordo_situation *situation);

/** Reads the costs that the folder `root` states. Costs that it does not state stay 0. */
void ordo_situation_read_costs(struct ordo_situation *situation, const char *root);

#endif
