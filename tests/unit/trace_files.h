/* Lets tests read and correct traces in memory as if they were files. */
#ifndef TESTS_UNIT_TRACE_FILES_H
#define TESTS_UNIT_TRACE_FILES_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/correct/correct.h"

enum { FILES_MOST = 8 };

struct file {
    char path[32];
    int fd;
};

static inline struct file file_of_bytes(const void *bytes, size_t size)
{
    struct file file = {.fd = memfd_create("trace", MFD_CLOEXEC)};
    cr_assert(file.fd >= 0 && write(file.fd, bytes, size) == (ssize_t)size);
    (void)snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

static inline struct file file_of(const char *text)
{
    return file_of_bytes(text, strlen(text));
}

static inline void file_close(const struct file *file)
{
    (void)close(file->fd);
}

/** Returns options of a correction: the method takes the middle of the bounds, and the output has the form of the
 * input. */
static inline struct ordo_correct_options file_options(const char *const *paths, int count)
{
    return (struct ordo_correct_options){.traces = {.paths = paths, .count = count, .columns = ordo_columns_defaults()},
                                         .method = ordo_method_find("interval"),
                                         .declared = ordo_declared_defaults(),
                                         .stretch = 1e-4};
}

/** Corrects a trace, and returns the output, which the caller frees. `code` gets the result of ordo_correct. */
static inline char *file_correct(const struct ordo_correct_options *options, struct ordo_correct_report *report,
                                 int *code, struct ordo_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    *code = ordo_correct(options, stream, report, error);
    cr_assert_eq(fclose(stream), 0);
    return text;
}

/** Opens a file for reading events. Its first bytes determine the form. */
static inline struct ordo_reader file_reader(const struct file *file)
{
    struct ordo_reader reader;
    struct ordo_error error = {0};
    struct ordo_columns columns = ordo_columns_defaults();
    cr_assert_eq(ordo_reader_open(&reader, file->path, NULL, &columns, &error), ORDO_OK, "%s", error.text);
    return reader;
}

/** Reads a whole corrected trace: its events, without names, and their stamps. Returns the number of events. */
static inline int file_read(const char *text, struct ordo_event *events, struct ordo_event_stamp *stamps, int most)
{
    struct file file = file_of(text);
    struct ordo_reader reader = file_reader(&file);
    struct ordo_error error = {0};
    int count = 0, more;
    for (; (more = ordo_reader_next(&reader, &events[count], &error)) == 1 && count < most - 1; count++)
        if (stamps)
            stamps[count] = reader.stamp;
    cr_assert_eq(more, 0, "%s", error.text);
    ordo_reader_close(&reader);
    file_close(&file);
    return count;
}

/** Opens a text and reads all of it. Returns the first error code, or 0. */
static inline int file_refusal(const char *text, const struct ordo_form *form, struct ordo_error *error)
{
    struct file file = file_of(text);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    int code = ordo_reader_open(&reader, file.path, form, &columns, error);
    if (!code) {
        while ((code = ordo_reader_next(&reader, &event, error)) == 1)
            ;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    return code;
}

#endif
