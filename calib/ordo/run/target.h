/* The program that `ordo run` starts: whether a preload can reach it. */
#ifndef ORDO_RUN_TARGET_H
#define ORDO_RUN_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/** Reads the head of the program at `path`; of a script, that of its interpreter. Returns false if the program does not
 * load the preload or does not read the clock through it, and writes the reason. A program that cannot be read counts as
 * reached, and so does the loader (ld-linux-x86-64.so.2): it loads the preload for the program that it is given. */
bool target_is_reached(const char *path, char *why, size_t size);

#endif
