/* ordo-lab cores lines: the cache lines that cost a program of ordo-bench most on a simulated machine. */
#ifndef ORDO_LAB_CORES_LINES_H
#define ORDO_LAB_CORES_LINES_H

/** Runs the command; argv[0] is its name in messages. Returns the exit code. */
int cores_command_lines(int argc, char **argv);

#endif
