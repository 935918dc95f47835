/* The parts of `ordo-lab cores`: its words, and the program that it starts. */
#ifndef ORDO_LAB_CORES_COMMAND_H
#define ORDO_LAB_CORES_COMMAND_H

/** Runs a word of `ordo-lab cores`; argv[0] is "ordo-lab cores WORD". Returns the exit code. */
typedef int cores_word_run(int argc, char **argv);

/** Replaces this process by the program ordo-bench-cores, from the folder of this program or from the folder of installed
 * helpers. argv[0] names this program in messages; the other arguments are passed on. The program gets no variables of
 * the environment, because the places of its variables would depend on them. Returns only if the program cannot be
 * started: prints a line with the remedy, and returns EXIT_UNKNOWN. */
int cores_program_start(char **argv);

#endif
