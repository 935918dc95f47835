/* Text of a trace as part of a page. A name is never markup or script, whatever its bytes are. */
#ifndef ORDO_TRACE_PAGE_TEXT_H
#define ORDO_TRACE_PAGE_TEXT_H

#include <stdio.h>

#include "trace/event/event.h"

enum { ORDO_PAGE_NAME_MOST = 2000 }; /* bytes of a name that a page shows */

/** Writes a text as content of an element or of a quoted attribute. A question mark replaces a byte that is not a
 * letter of UTF-8, and a letter that is not seen but changes the direction or the lines of a text. Cuts off a text beyond ORDO_PAGE_NAME_MOST. */
void ordo_page_escape(FILE *stream, struct ordo_text text);

/** Writes a text as a string of JSON, with its quotes. The string contains neither '<' nor '&', so it cannot end the
 * element that holds the JSON. */
void ordo_page_quote(FILE *stream, struct ordo_text text);

/** Writes a duration with its unit: "1.5 ms". */
void ordo_page_time(FILE *stream, double ns);

#endif
