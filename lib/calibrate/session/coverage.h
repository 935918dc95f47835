/* Which CPUs a new record may leave out that the one before it covered. */
#ifndef ORDO_CALIBRATE_SESSION_COVERAGE_H
#define ORDO_CALIBRATE_SESSION_COVERAGE_H

#include <stdint.h>

#include "machine/topology/topology.h"

/** Refuses (ORDO_E_CPUS) CPUs, ascending, among which one is missing that is online and that the record at `path`, of
 * this boot, covers: programs that may run there would be refused from then on. A record that is missing, of another
 * boot or malformed forbids nothing. */
int ordo_coverage_check(const struct ordo_topology *topology, const char *path, const unsigned *cpus, int count,
                        struct ordo_error *error);

/** Returns the flags of the record at `path`, which may be NULL, if it is readable and of this boot, withdrawn or not; else
 * ORDO_FLAG_MEASURED, which says nothing of the kernel's list. */
uint64_t ordo_coverage_flags(const char *path);

#endif
