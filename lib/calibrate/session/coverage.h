/* Checks that a new record covers the CPUs of the record that it replaces. */
#ifndef ORDO_CALIBRATE_SESSION_COVERAGE_H
#define ORDO_CALIBRATE_SESSION_COVERAGE_H

#include <stdint.h>

#include "machine/topology/topology.h"

/** Refuses the ascending CPUs `cpus` with ORDO_E_CPUS if they lack an online CPU that the record at `path` covers,
 * because programs that may run on this CPU could no longer open a record. A record that is missing, malformed or of
 * another boot imposes no condition. */
int ordo_coverage_check(const struct ordo_topology *topology, const char *path, const unsigned *cpus, int count,
                        struct ordo_error *error);

/** Returns the flags of the record at `path` if it is readable and of this boot, even if it was withdrawn. Otherwise,
 * or if `path` is NULL, returns ORDO_FLAG_MEASURED, which states nothing about the kernel's list. */
uint64_t ordo_coverage_flags(const char *path);

#endif
