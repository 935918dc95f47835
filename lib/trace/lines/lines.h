/* Traces that are lines of text, one event on each: what perf, ftrace and babeltrace2 print. A form's parser says what
 * a line means, an act; this part keeps the open regions of each thread and the running task of each CPU, and makes
 * events of the acts. One act may become several events. Memory grows with the open regions. */
#ifndef ORDO_TRACE_LINES_LINES_H
#define ORDO_TRACE_LINES_LINES_H

#include "base/map.h"
#include "trace/chrome/lanes.h"
#include "trace/input/input.h"
#include "trace/input/odd.h"

enum ordo_act_kind {
    ORDO_ACT_POINT,
    ORDO_ACT_BEGIN,
    ORDO_ACT_END,
    ORDO_ACT_SPAN,
    ORDO_ACT_SWITCH, /* a CPU leaves one task and continues another */
    ORDO_ACT_DONE    /* it has become all of its events */
};

/** The meaning of a line. */
struct ordo_act {
    int64_t time_ns, duration_ns;
    struct ordo_text name;    /* of an end: empty for the innermost region */
    struct ordo_text command; /* of the thread; empty if it is not known */
    struct ordo_text point;   /* of an end that may be an event of its own, if no such region is open: its name */
    int64_t previous, next;   /* of a switch: the tasks, 0 for the idle one; `name` is that of the next */
    int32_t rank;
    uint32_t thread, cpu;
    uint8_t kind;
    bool is_call; /* a system call: a thread is in one at a time */
};

/** What a parser found in a line. */
enum ordo_lines_found {
    ORDO_LINE_EVENT,
    ORDO_LINE_OTHER, /* a line that means no event, such as a heading */
    ORDO_LINE_ODD,
    ORDO_LINE_LOST /* `duration_ns` of the act is the number of lost events */
};

/** Threads of a rank that no system numbers: one for each CPU. */
enum {
    ORDO_LINES_CPUS = 10000000,   /* the tasks that run on CPU 3 are bars of thread 10000003 */
    ORDO_LINES_IDLE = 20000000,   /* the idle task of CPU 3, or an unknown one, is thread 20000003 */
    ORDO_LINES_LANES = 30000000,  /* asynchronous events */
    ORDO_LINES_MARKS = 50000000,  /* marks of thread 17, if they would cross its system calls, are on thread 50000017 */
    ORDO_LINES_OTHERS = 40000000, /* threads whose number another thread has */
    ORDO_LINES_CPU_MOST = 999999
};

struct ordo_lines_region {
    char *name; /* its memory is kept for the next region */
    size_t length, room;
    uint64_t outer; /* the region around it, or the next unused one, plus 1; 0: none */
    uint64_t row;
    int64_t task; /* of a switch */
    int32_t rank;
    uint32_t thread;
    bool is_open, is_task;
};

struct ordo_lines {
    struct ordo_map open;    /* a rank and a thread: the innermost region, plus 1 */
    struct ordo_map named;   /* a rank and a thread: 1 if its name was returned */
    struct ordo_map tasks;   /* a rank and a CPU: the task that runs on it, plus 1 */
    struct ordo_lanes lanes; /* asynchronous regions */
    struct ordo_lines_region *regions;
    uint64_t count, room, free, closed; /* `closed`: regions that were closed after the last line */
    struct ordo_act act;
    int64_t last_ns;
    bool is_ended, has_events;
    bool has_marks_apart; /* marks of programs are on threads of their own */
    char title[128];      /* the name of a thread */
    char name[256];       /* of an act, if it is made from parts of its line */
};

/** A form's parser, and its input. `parse` returns an enum ordo_lines_found, or a negative code after it has set the
 * error. */
struct ordo_lines_source {
    struct ordo_input *input;
    struct ordo_odds *odds;
    int32_t rank; /* of the file; -1: not known */
    void *state;
    int (*parse)(void *state, struct ordo_lines *lines, struct ordo_text line, struct ordo_act *act,
                 struct ordo_error *error);
};

/** Reads the next event. Returns 1, 0 at the end, or a negative code. Its name is valid until the next call. Before the
 * first event of a thread there is metadata with its name (ORDO_EVENT_THREAD_NAME): "CPU 3". */
int ordo_lines_next(struct ordo_lines *lines, const struct ordo_lines_source *source, struct ordo_event *event,
                    struct ordo_error *error);

void ordo_lines_free(struct ordo_lines *lines);

/** Places an act on the thread of a task on a CPU. Returns false if the numbers are none of a task and of a CPU. */
bool ordo_lines_place(struct ordo_act *act, int64_t task, int64_t cpu);

/** Returns the task that runs on a CPU by the last switch; -1: not known. */
int64_t ordo_lines_running(const struct ordo_lines *lines, int32_t rank, uint32_t cpu);

/** Notes the task that runs on a CPU. Returns false if out of memory. */
bool ordo_lines_run(struct ordo_lines *lines, int32_t rank, uint32_t cpu, int64_t task);

/** True if the innermost region of the act's thread has a name that begins with these letters. */
bool ordo_lines_is_in(const struct ordo_lines *lines, const struct ordo_act *act, const char *letters);

/** Places a mark of a program. A mark is written by a system call: if the calls are traced too, a region between two marks
 * crosses the calls in which its marks are, so that marks get threads of their own from the first such mark on. */
void ordo_lines_place_mark(struct ordo_lines *lines, struct ordo_act *act);

/** Makes a name of two parts, shortened if necessary. Valid until the next line. */
struct ordo_text ordo_lines_name(struct ordo_lines *lines, struct ordo_text first, struct ordo_text second);

#endif
