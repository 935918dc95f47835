/* Durations and references on the command line. */
#ifndef ORDO_TIMED_WORDS_H
#define ORDO_TIMED_WORDS_H

#include "net/timed/publisher.h"

/** Reads a duration such as 250ms, 30us, 1.5s or 2min into ns, rounded up. A number without a unit is refused, except 0.
 * Returns -1 if the text is none, or not from `least_ns` to `most_ns`. */
int64_t words_duration(const char *text, int64_t least_ns, int64_t most_ns);

/** Adds "[NUMBER@]HOST[:PORT]=ERROR" to the references, and resolves the host. ORDO_E_INVALID: the text is wrong, the
 * host is given twice or unknown, or there are too many. */
int words_reference(struct ordo_timed_options *options, const char *text, struct ordo_error *error);

/** Adds "NAME[:PATH][=ERROR]", a source on this host. ORDO_E_INVALID: as words_reference. */
int words_source(struct ordo_timed_options *options, const char *text, struct ordo_error *error);

#endif
