/* The CPUs that a new record may leave out although the record before it covered them. */
#ifndef ORDO_CALIBRATE_SESSION_COVERAGE_H
#define ORDO_CALIBRATE_SESSION_COVERAGE_H

#include <stdint.h>

#include "machine/topology/topology.h"

/** Refuses `cpus`, ascending, with ORDO_E_CPUS if one is missing that is online and that the record at `path`, of this
 * boot, covers: programs that may run on it could no longer open a record. A record that is missing, of another boot
 * or malformed forbids nothing. */
int ordo_coverage_check(const struct ordo_topology *topology, const char *path, const unsigned *cpus, int count,
                        struct ordo_error *error);

/** Returns the flags of the record at `path`, which may be NULL, if the record is readable and of this boot, withdrawn
 * or not; else ORDO_FLAG_MEASURED, which says nothing about the kernel's list. */
uint64_t ordo_coverage_flags(const char *path);

#endif
