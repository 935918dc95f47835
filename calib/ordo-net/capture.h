/* Lines of tools that record the edges of a signal, each with the time of an edge. */
#ifndef ORDO_NET_CAPTURE_H
#define ORDO_NET_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A time in fs. 64 bits hold only 2.5 hours of it. */
typedef __int128 capture_fs;

struct capture_edge {
    capture_fs at_fs;
    char source[48];   /* the clock, device or channel; may be empty */
    bool has_offset;   /* at_fs is exact to a microsecond only, and the edge is `offset_fs` before a multiple of the */
    int64_t offset_fs; /* signal's period */
};

struct capture_form {
    const char *name, *title;
    /** Reads a line. `clear`: prefer the trailing edge of a pulse. False: the line has no edge in this form. */
    bool (*read)(const char *line, bool clear, struct capture_edge *edge);
};

/** The forms; the last element has no name. */
extern const struct capture_form capture_forms[];

/** Reads a decimal number with at most `decimals` digits after the point, and multiplies it by 10^decimals. Returns the
 * end of the number, or NULL if there is no number here, if it has more decimals, or if it is too large. */
const char *capture_number(const char *text, int decimals, capture_fs *value);

/** Prints the forms, one a line. */
void capture_list(void);

#endif
