/* The names by which Ordo recognises an archive that it has corrected. */
#ifndef ORDO_TRACE_OTF2_MARKS_H
#define ORDO_TRACE_OTF2_MARKS_H

/* A property of the archive. Its value is a number of ns: global time is the time in the archive minus this number. */
#define ORDO_OTF2_GLOBAL "ORDO::GLOBAL_TIME"

/* Attributes of each event: the bounds of its time, in ns relative to its time. */
#define ORDO_OTF2_EARLIEST "ordo: earliest"
#define ORDO_OTF2_LATEST "ordo: latest"

#endif
