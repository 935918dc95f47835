/* Finds another program, and runs it in a child process. */
#ifndef ORDO_COMMON_CHILD_H
#define ORDO_COMMON_CHILD_H

#include <stdbool.h>
#include <stddef.h>

/** Finds a program in the folders of $PATH, and writes its path. Returns false if it is not found or cannot be executed; errno
 * then says why. */
bool cli_search_program(const char *name, char *path, size_t size);

/** Starts a program and waits for its end. Forwards INT, TERM, HUP, QUIT, USR1 and USR2 if another process sends them to this
 * one; a terminal sends its signals to both anyway. Returns the exit status of the program, or 128 plus the signal's number; -1
 * with errno if it could not be started. */
int cli_run_child(char **words);

#endif
