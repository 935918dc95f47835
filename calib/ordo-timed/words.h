/* References on the command line. */
#ifndef ORDO_TIMED_WORDS_H
#define ORDO_TIMED_WORDS_H

#include "net/timed/publisher.h"

/** Adds "[NUMBER@]HOST[:PORT]=ERROR" to the references, and resolves the host. ORDO_E_INVALID: the text is wrong, the
 * host is given twice or unknown, or there are too many. */
int words_reference(struct ordo_timed_options *options, const char *text, struct ordo_error *error);

/** Adds "NAME[:PATH][=ERROR]", a source on this host. ORDO_E_INVALID: as words_reference. */
int words_source(struct ordo_timed_options *options, const char *text, struct ordo_error *error);

#endif
