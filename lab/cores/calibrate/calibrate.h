/* ordo-lab cores calibrate: measures the constants of a simulated machine on two CPUs of this one. */
#ifndef ORDO_LAB_CORES_CALIBRATE_CALIBRATE_H
#define ORDO_LAB_CORES_CALIBRATE_CALIBRATE_H

/** Runs the command. Returns the exit code. */
int cores_command_calibrate(int argc, char **argv);

#endif
