/* The record that a command takes if the command line names none. */
#ifndef ORDO_COMMON_PLACE_H
#define ORDO_COMMON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/** Tells on stderr that the record of the whole machine is passed over, if the one at `taken` is the user's own and
 * both exist. */
void cli_tell_passed_over(const char *program, const char *taken);

/** Calls ordo_record_find, and cli_tell_passed_over unless `quiet`. */
const char *cli_find_record(const char *program, const char *path, bool quiet, char *buffer, size_t size);

#endif
