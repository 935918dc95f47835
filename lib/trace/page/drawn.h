/* The bars and arrows of a timeline on their way into the page: they are counted, or written, or first merged if there
 * are too many (trace/page/overview.h). */
#ifndef ORDO_TRACE_PAGE_DRAWN_H
#define ORDO_TRACE_PAGE_DRAWN_H

#include "trace/event/event.h"
#include "trace/page/blocks.h"
#include "trace/page/overview.h"

/** Words of a record, as in the blocks of timeline.c. The first two are the begin and the end, as doubles. */
enum { ORDO_DRAWN_WORDS = 9 };

struct ordo_drawn {
    struct ordo_blocks blocks;
    struct ordo_overview overview;
    int shift;            /* -1: nothing is merged */
    bool is_counting;     /* nothing is written */
    uint32_t merged_name; /* of bars that stand for several */
    int name_column;      /* -1: there is no name */
    int bytes_column;     /* a double that is added up; -1: there is none */
    struct ordo_held {
        uint64_t words[ORDO_DRAWN_WORDS], count;
        double begin, end;
    } * held; /* by the number of a lane: the merged bar that is growing */
    uint32_t held_room;
    uint64_t written, merged; /* records of the page; bars and arrows that became parts of merged ones */
};

/** Takes a record of the lane (a, b) that begins at begin_ns and is length_ns long; with a negative length it is never
 * merged. Returns 0, or -1 if out of memory. */
int ordo_drawn_take(struct ordo_drawn *drawn, uint64_t a, uint64_t b, int64_t begin_ns, int64_t length_ns,
                    const uint64_t *words);

/** Writes the merged records that are left. */
void ordo_drawn_finish(struct ordo_drawn *drawn);
void ordo_drawn_free(struct ordo_drawn *drawn);

#endif
