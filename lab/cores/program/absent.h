/* The baselines that cannot be simulated. */
#ifndef ORDO_LAB_CORES_PROGRAM_ABSENT_H
#define ORDO_LAB_CORES_PROGRAM_ABSENT_H

/** Returns the first baseline on a command line that cannot be simulated; NULL if there is none. */
const char *absent_baseline(int argc, char **argv);

#endif
