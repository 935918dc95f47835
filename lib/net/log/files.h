/* Several files of logs, such as those that logrotate made of one, in the order in which they were written. */
#ifndef ORDO_NET_LOG_FILES_H
#define ORDO_NET_LOG_FILES_H

#include "net/log/reader.h"
#include "net/log/stamp.h"

struct ordo_log_file {
    const char *path;
    struct ordo_log_time first; /* the first time in the file */
    struct ordo_log_time last;  /* after judging: the time of the last line, also of other programs */
    int64_t latest_ns;          /* when the file was last written, and a day */
    char *stem;                 /* the path without the ends that rotation and compression add */
    int64_t turn;               /* among the files of one stem: greater is younger */
    uint64_t head;              /* a hash of the begin of the content */
    const char *copy_of;        /* another file with the same content, or with more of it; NULL: none */
    bool is_regular;
    struct ordo_log_reader reader; /* stays open if the file is not regular */
    uint64_t lines, readings;      /* for the report */
};

struct ordo_log_files {
    struct ordo_log_file *file;
    int count;
};

/** Opens every file, and sorts them. `paths` must stay as they are. On success the caller ends the files with
 * ordo_log_files_free.
 *
 * 0: all can be read
 * ORDO_E_SYSTEM, ORDO_E_INVALID: one cannot, and is named */
int ordo_log_files_open(struct ordo_log_files *files, const char *const *paths, int count, struct ordo_error *error);
void ordo_log_files_free(struct ordo_log_files *files);

/** Makes the file's reader ready to read from the begin. */
int ordo_log_file_begin(struct ordo_log_file *file, struct ordo_error *error);

#endif
