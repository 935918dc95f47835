/* Finds the record for a command whose command line names none. */
#ifndef ORDO_COMMON_PLACE_H
#define ORDO_COMMON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/** Tells the user on stderr that the record at `taken` is the user's own, and that the record of the whole machine is
 * not used. Prints nothing unless both records exist. */
void cli_tell_passed_over(const char *program, const char *taken);

/** Calls ordo_record_find; then, unless `quiet`, cli_tell_passed_over. */
const char *cli_find_record(const char *program, const char *path, bool quiet, char *buffer, size_t size);

#endif
