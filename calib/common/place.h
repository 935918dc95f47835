/* The record that a command takes when none was named. */
#ifndef ORDO_COMMON_PLACE_H
#define ORDO_COMMON_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/** Says on stderr if the record at `taken` is the user's own and the whole machine has one, too, which is passed over. */
void cli_tell_passed_over(const char *program, const char *taken);

/** ordo_record_find, and cli_tell_passed_over unless `quiet`. */
const char *cli_find_record(const char *program, const char *path, bool quiet, char *buffer, size_t size);

#endif
