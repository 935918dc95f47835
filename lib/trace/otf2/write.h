/* The parts of writing an archive: whose definitions are copied, or are made of records. */
#ifndef ORDO_TRACE_OTF2_WRITE_H
#define ORDO_TRACE_OTF2_WRITE_H

#include "base/map.h"
#include "trace/otf2/archive.h"
#include "trace/otf2/library.h"

struct ordo_otf2_writing {
    const struct ordo_otf2_output *output;
    struct ordo_process_out *out;
    OTF2_Archive *archive;
    OTF2_GlobalDefWriter *global;
    OTF2_MarkerWriter *markers; /* NULL: there are no markers */
    OTF2_AttributeList *list;   /* of the next event; the library empties it when the event is written */
    OTF2_AttributeRef earliest, latest;
    OTF2_StringRef string;  /* the first free number */
    uint64_t shift_ns;      /* time in the archive minus global time */
    struct ordo_map events; /* a location: the number of its events, plus 1 */
    char problem[120];      /* the first message of the library */
    void *state;
};

/** A way of writing, in a process that frees nothing. The functions are called in this order, `put` for each record. */
struct ordo_otf2_way {
    /** Sets the sizes of chunks, which a reader keeps in memory for each location. A definition must fit into one. */
    void (*size)(const struct ordo_otf2_writing *writing, uint64_t *events, uint64_t *definitions);

    /** Sets the free numbers, and enters all locations into `events`. */
    OTF2_ErrorCode (*begin)(struct ordo_otf2_writing *writing);
    OTF2_ErrorCode (*enter)(struct ordo_otf2_writing *writing); /* before the first record of a location */
    /* `events` is NULL for a marker, whose location is OTF2_UNDEFINED_LOCATION. */
    OTF2_ErrorCode (*put)(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                          const struct ordo_otf2_record *record);
    OTF2_ErrorCode (*define)(struct ordo_otf2_writing *writing); /* all definitions but the clock and the attributes */
};

extern const struct ordo_otf2_way ordo_otf2_copies, ordo_otf2_makes;

/** Adds a location without events, if it is new. */
OTF2_ErrorCode ordo_otf2_add_location(struct ordo_otf2_writing *writing, OTF2_LocationRef location);

/** Returns the number of a location's events. */
uint64_t ordo_otf2_count(const struct ordo_otf2_writing *writing, OTF2_LocationRef location);

/** Adds the bounds of a record to the attributes of the next event. */
OTF2_ErrorCode ordo_otf2_add_bounds(struct ordo_otf2_writing *writing, const struct ordo_otf2_record *record);

#endif
