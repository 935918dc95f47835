/* A time for people. */
#ifndef ORDO_CLUSTER_REPORT_SPAN_H
#define ORDO_CLUSTER_REPORT_SPAN_H

/** Writes a time with a unit that suits it: "-120 ns", "1.3 ms", "12345 s". */
const char *ordo_format_ns(double ns, char text[24]);

#endif
