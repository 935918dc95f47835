/* Writes a trace in Chrome's form. An event of the same form is passed on: names, categories, args and other members
 * stay; its time is global, and its bounds are added to its args. If several files become one, no two ranks share a
 * process or an id:
 * - a pid that another rank has becomes a new number, and metadata "ordo_rank" states the rank of each process;
 * - the ids of arrows and of asynchronous events, and of frames of stacks, get the rank in front: "0.17";
 * - the name of a process says its rank: "rank 0: python"; a process without a name gets a label that says it. */
#ifndef ORDO_TRACE_CHROME_WRITE_H
#define ORDO_TRACE_CHROME_WRITE_H

#include <stdio.h>

#include "trace/event/event.h"
#include "trace/input/tracks.h"

enum { ORDO_CHROME_ROOM = 1 << 16 };

/** A process of the output that is one of several ranks. */
struct ordo_chrome_process {
    int32_t rank;
    bool is_named;
    struct ordo_text pid; /* as it is in the output, owned */
    struct ordo_text own; /* as it is in the file, owned */
};

struct ordo_chrome_out {
    FILE *stream;
    int64_t base_ns; /* every ts counts from it */
    bool merges;     /* the events come from several files, each of one rank */
    bool some;       /* an event was written */
    bool failed;     /* out of memory */
    bool has_frames; /* a frame of a stack was written */
    struct ordo_tracks pids;
    struct ordo_chrome_process *processes; /* a track's `note` is the index of its process, plus 1 */
    uint32_t process_count, process_room;
    size_t used;
    char room[ORDO_CHROME_ROOM];
};

/** Writes the beginning, with the members `others` that the first file has before its events. */
void ordo_chrome_out_begin(struct ordo_chrome_out *out, struct ordo_text others);

/** Writes an event that was read in this form, or metadata. */
void ordo_chrome_out_again(struct ordo_chrome_out *out, const struct ordo_event *event,
                           const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end);

/** Writes an event that was read in another form, and its end of an arrow if it is a message. */
void ordo_chrome_out_new(struct ordo_chrome_out *out, const struct ordo_event *event,
                         const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end);

/** Ends the events. */
void ordo_chrome_out_behind(struct ordo_chrome_out *out);

/** Writes the frames of stacks that are among the members of a rank's file, if several files become one; behind the
 * events. */
void ordo_chrome_out_frames(struct ordo_chrome_out *out, int32_t rank, struct ordo_text others);

/** Writes the end, and the members that the first file has behind its events. Returns 0; -1 if out of memory: the
 * output is not complete. */
int ordo_chrome_out_end(struct ordo_chrome_out *out, struct ordo_text others);

/** Frees all but `out` itself. */
void ordo_chrome_out_free(struct ordo_chrome_out *out);

#endif
