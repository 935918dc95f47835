/* A line of a log, taken apart: the time, the host and the program in front, and the program's own text.
 *
 * Only the program's name has to be found. Any form of a time, or none, may precede it, so that a language in which
 * months have other names costs no line. */
#ifndef ORDO_NET_LOG_LINE_H
#define ORDO_NET_LOG_LINE_H

#include "net/log/stamp.h"

/** The program that wrote a line. */
enum ordo_log_program {
    ORDO_LOG_UNNAMED, /* the line names none */
    ORDO_LOG_PTP4L,
    ORDO_LOG_PHC2SYS,
    ORDO_LOG_TS2PHC,
    ORDO_LOG_CHRONYD,
    ORDO_LOG_PROGRAMS
};

/** Returns the name of a program; "" for ORDO_LOG_UNNAMED. */
const char *ordo_log_program_name(enum ordo_log_program program);

struct ordo_log_line {
    struct ordo_log_time time;
    enum ordo_log_program program;
    struct ordo_log_text host; /* empty: the line names none */
    struct ordo_log_text tag;  /* linuxptp's message_tag, without brackets and level; empty: none */
    struct ordo_log_text text; /* behind all of these */
    int64_t pid;               /* -1: the line has none */
    bool is_cut;               /* the file ends within the line, so its last word may be incomplete */
};

/** The habits of a file, for the next line: the column of the program's name, and the latest time that a line may have. */
struct ordo_log_habit {
    size_t column;
    int64_t latest_ns;
};

/** Takes a line apart. `raw` has no line end, and must stay as it is while `line` is used. */
void ordo_log_line_read(struct ordo_log_line *line, struct ordo_log_text raw, struct ordo_log_habit *habit);

#endif
