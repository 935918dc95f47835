/* Archives of OTF2 (Open Trace Format 2), read and written through its library. Only library.h includes the library's
 * headers; a build without the library has absent.c instead of the files that use it. */
#ifndef ORDO_TRACE_OTF2_ARCHIVE_H
#define ORDO_TRACE_OTF2_ARCHIVE_H

#include "base/map.h"
#include "base/sorter.h"
#include "trace/event/event.h"
#include "trace/otf2/process.h"

/** True if Ordo was built with the library. Without it no other function may be called. */
extern const bool ordo_otf2_is_there;

/** The kinds of records that ordo_otf2_work and ordo_otf2_write send. */
enum ordo_otf2_sent {
    ORDO_OTF2_END = ORDO_PROCESS_END,
    ORDO_OTF2_FAILED, /* text: a line without the file's name */
    ORDO_OTF2_START,  /* struct ordo_otf2_start: first of all */
    ORDO_OTF2_NAME,   /* text: the names get the numbers 0, 1, 2 ... */
    ORDO_OTF2_FIX,    /* struct ordo_otf2_fix */
    ORDO_OTF2_ODD,    /* struct ordo_otf2_odd: before the first event that has it */
    ORDO_OTF2_CUT,    /* nothing: the events of a location cannot be read further */
    ORDO_OTF2_ALIVE,  /* nothing; from ordo_otf2_write, so that a long work is not taken for a hang */
    ORDO_OTF2_EVENT   /* struct ordo_otf2_event, and its struct ordo_otf2_raw */
};

struct ordo_otf2_start {
    int64_t step_ns; /* of the clock, as in struct ordo_reader */
    bool corrected;
};

/** Oddities: a region or a rank without its definition, records of unknown kinds, snapshots. */
enum ordo_otf2_oddity { ORDO_OTF2_UNDEFINED, ORDO_OTF2_UNKNOWN, ORDO_OTF2_SNAPSHOT };

struct ordo_otf2_odd {
    uint64_t oddity, count;
};

/** A clock offset record, relative to the clock of rank 0. */
struct ordo_otf2_fix {
    int64_t session, local_ns, low_ns, high_ns;
    int32_t rank;
};

enum { ORDO_OTF2_NO_NAME = UINT32_MAX };

struct ordo_otf2_event {
    struct ordo_event event; /* without texts */
    struct ordo_event_stamp stamp;
    uint32_t name; /* ORDO_OTF2_NO_NAME: none */
};

/** An event of an archive, whose numbers are those of its definitions. `values` has `words` values, and two more for
 * each of the `attributes`: number and type, and value. */
struct ordo_otf2_raw {
    uint64_t location;
    uint16_t kind, words, attributes;
    uint64_t values[];
};

/** What to read of an archive. */
struct ordo_otf2_task {
    const char *path; /* of the anchor file */
    bool learns;      /* send the clock offset records, and no events */
    bool is_partial;  /* if the events of a location are damaged, send those before the damage */
};

/** Reads an archive and sends it; an ordo_process_work whose context is a struct ordo_otf2_task. */
void ordo_otf2_work(struct ordo_process_out *out, const void *task);

/** An event to be written: its stamp, and either `raw` or `event`. */
struct ordo_otf2_record {
    int64_t earliest_ns, latest_ns; /* relative to the time by which the records are sorted */
    uint64_t communicator, bytes;
    uint32_t name, number;
    int32_t rank, peer, tag, root;
    uint32_t thread;
    uint8_t kind, collective, is_span, is_raw; /* is_raw: a struct ordo_otf2_raw follows */
    uint8_t has_bytes;
};

struct ordo_names;

/** An archive to be written. */
struct ordo_otf2_output {
    const char *folder;             /* exists and is empty */
    const char *source;             /* copy the definitions of this archive; NULL: make them of the records */
    struct ordo_sorter *sorter;     /* of struct ordo_otf2_record, started; grouped by location */
    const struct ordo_names *names; /* of the records; if they are made */
    const struct ordo_map *members; /* pairs of a communicator and a rank in it; if they are made */
    int32_t last_rank;              /* if they are made */
    int64_t first_ns, last_ns;      /* of all records */
};

/** Returns the location of a thread of a rank in an archive that is made of records: the first thread has the rank's
 * number. */
static inline uint64_t ordo_otf2_location(int32_t rank, uint32_t thread)
{
    return (uint64_t)thread << 32 | (uint32_t)rank;
}

/** Writes an archive traces.otf2, whose times are global, and sends ORDO_OTF2_END; an ordo_process_work whose context is
 * a struct ordo_otf2_output. */
void ordo_otf2_write(struct ordo_process_out *out, const void *output);

#endif
