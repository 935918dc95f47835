/* An overview of a timeline that has too many bars: short bars of a lane are merged with their neighbours. A lane is a
 * pair of numbers, such as a row and a depth.
 *
 * [M1] The bars shorter than a width w that begin within one slot of w, one after the other in their lane, become one
 *      bar. Counting and merging see the same bars in the same order, so that as many bars are drawn as were counted,
 *      in whatever order they come.
 * [M2] w is the smallest power of two of ns by which the bars are few enough, so that no more is merged than must be. */
#ifndef ORDO_TRACE_PAGE_OVERVIEW_H
#define ORDO_TRACE_PAGE_OVERVIEW_H

#include "base/map.h"

enum { ORDO_OVERVIEW_WIDTHS = 62 };

struct ordo_overview {
    struct ordo_map lanes; /* a pair: the number of its lane + 1 */
    struct ordo_overview_lane {
        int64_t slots[ORDO_OVERVIEW_WIDTHS]; /* the slot of the last short bar, for each width of 2^i ns */
        uint8_t used[ORDO_OVERVIEW_WIDTHS];  /* 1: there is such a bar */
    } * all;
    uint32_t count, room;
    uint64_t bars[ORDO_OVERVIEW_WIDTHS]; /* number of bars that remain, for each width */
    uint64_t total;
};

enum ordo_overview_what { ORDO_OVERVIEW_KEEPS, ORDO_OVERVIEW_STARTS, ORDO_OVERVIEW_JOINS };

/** Returns the number of a lane; UINT32_MAX if out of memory. */
uint32_t ordo_overview_lane(struct ordo_overview *overview, uint64_t a, uint64_t b);

/** Counts a bar. A bar whose length is negative is never merged. */
void ordo_overview_count(struct ordo_overview *overview, uint32_t lane, int64_t begin_ns, int64_t length_ns);

/** Returns the smallest i so that merging by the width 2^i ns leaves at most `most` bars; -1 if there is none. */
int ordo_overview_choose(const struct ordo_overview *overview, uint64_t most);

/** Returns what becomes of a bar with the width 2^shift ns: it is drawn as it is, or starts a merged bar of its lane, or
 * joins the last one [M1]. The caller has counted nothing in this overview. */
enum ordo_overview_what ordo_overview_take(struct ordo_overview *overview, int shift, uint32_t lane, int64_t begin_ns,
                                           int64_t length_ns);
void ordo_overview_free(struct ordo_overview *overview);

#endif
