/* The rows of a timeline: one for each thread of a rank, numbered in the order in which they are found. */
#ifndef ORDO_TRACE_PAGE_ROWS_H
#define ORDO_TRACE_PAGE_ROWS_H

#include "trace/event/event.h"

struct ordo_page_row {
    int32_t rank;
    uint32_t thread;
    char *title;    /* name of the thread; NULL: none */
    bool is_device; /* a stream of a device */
};

struct ordo_page_rank {
    int32_t rank;
    char *name;
};

struct ordo_page_rows {
    struct ordo_page_row *all;
    uint32_t count, room;
    uint32_t *slots; /* hash table; a slot holds the number of a row + 1, or 0 */
    size_t size;
    uint32_t last;                /* the row that the last call returned */
    struct ordo_page_rank *ranks; /* the ranks that have names */
    uint32_t rank_count, rank_room;
};

/** Returns the number of a thread's row; gives a new thread the next number. Returns UINT32_MAX if out of memory. */
uint32_t ordo_page_rows_number(struct ordo_page_rows *rows, int32_t rank, uint32_t thread);

/** Sets the title of a row without a title from an event in Chrome's form: its tid if this is a text, else "pid/tid".
 * Returns 0, or -1 if out of memory. */
int ordo_page_rows_describe(struct ordo_page_rows *rows, uint32_t row, struct ordo_text raw);

/** Makes a row that of a stream of a device: "device 0, stream 7". Returns 0, or -1 if out of memory. */
int ordo_page_rows_device(struct ordo_page_rows *rows, uint32_t row, const struct ordo_device_event *device);

/** Takes the name of a rank or a thread from metadata. Ignores any other event. Returns 0, or -1 if out of memory. */
int ordo_page_rows_name(struct ordo_page_rows *rows, const struct ordo_event *event);
void ordo_page_rows_free(struct ordo_page_rows *rows);

#endif
