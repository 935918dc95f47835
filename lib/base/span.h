/* Formats a duration for people. */
#ifndef ORDO_BASE_SPAN_H
#define ORDO_BASE_SPAN_H

/** Writes a duration in ns, us, ms or s, whichever suits its size: "-120 ns", "13 ms", "12345 s". Returns `text`. */
const char *ordo_format_ns(double ns, char text[24]);

#endif
