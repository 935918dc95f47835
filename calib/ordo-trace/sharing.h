/* Whether all ranks of a trace read one clock. */
#ifndef ORDO_TRACE_SHARING_H
#define ORDO_TRACE_SHARING_H

#include "trace/correct/types.h"

/** The evidence that all ranks read the clock of rank 0, the weakest of all ranks. NONE: some rank has a clock of its
 * own, or there is one rank. CONSISTENT: the ranks run under one kernel and read one clock source, and no session
 * contradicts one clock. DECLARED: by the user of the recorder. VERIFIED: by the recorder. */
enum sharing { SHARING_NONE, SHARING_CONSISTENT, SHARING_DECLARED, SHARING_VERIFIED };

enum sharing sharing_of(const struct ordo_correct_report *report);

/** Returns the word for JSON; NULL for NONE. */
const char *sharing_word(enum sharing sharing);

/** Prints one line about the clock and the times that were left as they are; nothing for NONE. */
void sharing_print(const struct ordo_correct_report *report, FILE *stream);

#endif
