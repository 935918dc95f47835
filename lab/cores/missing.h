/* The message of a build without the simulated machines. */
#ifndef ORDO_LAB_CORES_MISSING_H
#define ORDO_LAB_CORES_MISSING_H

#define CORES_PROGRAM "ordo-bench-cores"
#define CORES_MISSING                                                                                                  \
    "this build has no simulated machines (" CORES_PROGRAM                                                             \
    "): install libcapstone-dev (Debian), and build with gcc, ordo-bench and no sanitizer"

#endif
