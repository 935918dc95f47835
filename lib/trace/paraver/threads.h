/* The threads of a trace that is made for Paraver: they are numbered from 1 within each rank, and each has a CPU. And
 * their states, which follow from the calls of MPI. */
#ifndef ORDO_TRACE_PARAVER_THREADS_H
#define ORDO_TRACE_PARAVER_THREADS_H

#include "base/map.h"
#include "trace/paraver/body.h"

struct ordo_paraver_thread {
    struct ordo_paraver_place place;
    int64_t since_ns, last_ns; /* begin of the present state; time of the last event */
    uint64_t depth;            /* of calls of MPI */
    int64_t state;
    int64_t *open; /* the types of the regions that are open */
    size_t open_count, open_room;
};

struct ordo_paraver_threads {
    struct ordo_paraver_thread *all;
    uint32_t count, room;
    struct ordo_map index_of, count_of; /* a rank and a thread: index + 1; a rank: number of its threads */
    int32_t last_rank;
};

/** Returns a thread, which is new at its first event; valid until the next call. NULL if out of memory. */
struct ordo_paraver_thread *ordo_paraver_thread(struct ordo_paraver_threads *threads, int32_t rank, uint32_t thread,
                                                int64_t time_ns);
void ordo_paraver_threads_free(struct ordo_paraver_threads *threads);

/** Returns the number of threads of a rank, at least 1. */
uint32_t ordo_paraver_threads_of(const struct ordo_paraver_threads *threads, int32_t rank);

/** A region of this type begins. Returns 0, or -1 if out of memory. */
int ordo_paraver_thread_enter(struct ordo_paraver_thread *thread, int64_t type);

/** The region that was entered last ends. Returns its type; 0 if there is none. */
int64_t ordo_paraver_thread_leave(struct ordo_paraver_thread *thread);

/** A call of MPI begins or ends: adds the state that it ends. */
void ordo_paraver_thread_call(struct ordo_paraver_thread *thread, struct ordo_paraver_body *body, struct ordo_text name,
                              bool begins, int64_t time_ns);

/** The trace ends: adds the last state of the thread. */
void ordo_paraver_thread_end(struct ordo_paraver_thread *thread, struct ordo_paraver_body *body);

/** Writes the list of all states for the file of names. */
void ordo_paraver_write_states(FILE *stream);

#endif
