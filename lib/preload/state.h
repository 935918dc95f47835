/* The state of the preload in a process. */
#ifndef ORDO_PRELOAD_STATE_H
#define ORDO_PRELOAD_STATE_H

#include "preload/pace.h"
#include "preload/record.h"
#include "preload/settings.h"
#include "preload/slot.h"

/* The state of the thread that makes a line. The memory becomes zero in the child of a fork: the lock of a thread that
 * the child does not have is free again, and an unfinished change by that thread disappears. */
struct preload_maker {
    int busy; /* 1: a thread makes a line */
    struct preload_pace pace[PRELOAD_TRACKS];
    uint64_t narrowest; /* ticks of the narrowest sight */
    uint64_t tried;     /* when a record was last opened again */
    unsigned tries;     /* since a record was last good */
};

struct preload_state {
    struct preload_ring ring;
    uint64_t asked;  /* when the kernel last answered for an ended line, by the counter */
    uint64_t wanted; /* bit: enum preload_which; clocks that a reader asked for */
    uint64_t length; /* ticks of a line */
    enum preload_order order;
    struct preload_maker *maker; /* NULL: no lines are made */
    struct preload_warrant warrant;
    struct preload_settings settings;
    int over; /* 1: the kernel's clocks have passed all answers since the service ended */
};

enum {
    PRELOAD_LENGTH_NS = 500000, /* a line's length: a change of the kernel's rate is unknown for at most this long */
    PRELOAD_JUMP_NS =
        1000000 /* a larger disagreement of kernel and counter, beyond an eighth of the time, is a fault */
};

extern struct preload_state preload_state;

/** Prepares lines under the warrant of a record that has been opened. Returns false if none can be made here. */
bool preload_begin(struct preload_state *state);

#endif
