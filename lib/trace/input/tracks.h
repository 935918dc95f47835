/* Numbers the threads of a file. The file names each thread by a process and a thread, each of which is a number or a
 * text. The numbers are unique within a rank. A rank may have several processes (a program and its devices) whose
 * threads have the same names. */
#ifndef ORDO_TRACE_INPUT_TRACKS_H
#define ORDO_TRACE_INPUT_TRACKS_H

#include "trace/event/names.h"

/** The number of a thread. */
struct ordo_thread_track {
    uint32_t number; /* unique in its rank; the number in the file if that is below ORDO_TRACKS_NEW and free */
    bool is_renamed; /* its name is another thread's, or a number >= ORDO_TRACKS_NEW: write `number` instead */
    /* For the caller; 0 at first. */
    uint32_t open; /* number of begins without an end so far */
    uint32_t note; /* any number */
    uint64_t open_row;
};

enum { ORDO_TRACKS_NEAR = 256, ORDO_TRACKS_NEW = 1 << 30 };

/** A thread whose names of process and thread have at most 8 letters each. */
struct ordo_track_near {
    uint64_t process, thread;
    int32_t rank;
    uint32_t name;
    bool is_known; /* false: the place is empty */
};

struct ordo_tracks {
    struct ordo_track_near near[ORDO_TRACKS_NEAR]; /* by hash: threads of recent events */
    struct ordo_names names;                       /* names of threads, and the names that are reserved in each rank */
    struct ordo_thread_track *all;                 /* all[i] is the thread whose name has the number i; or all 0 */
    uint32_t room, next;                           /* `next`: ORDO_TRACKS_NEW + `next` is the next new number */
    char *key;
    size_t key_room;
};

/** Finds a thread, or gives it a number. Valid until the next call. Returns NULL if out of memory. */
struct ordo_thread_track *ordo_tracks_find(struct ordo_tracks *tracks, int32_t rank, struct ordo_text process,
                                           struct ordo_text thread);
void ordo_tracks_free(struct ordo_tracks *tracks);

#endif
