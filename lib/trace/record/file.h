/* The file of a rank, as trace/file/layout.h describes it: a sequence of chunks, each complete before the next
 * begins. */
#ifndef ORDO_TRACE_RECORD_FILE_H
#define ORDO_TRACE_RECORD_FILE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/file/layout.h"

struct ordo_trace_file {
    int fd, failed; /* `failed`: errno of the write that failed, or 0 */
    uint64_t offset, chunks;
    uint64_t lost; /* events lost in the whole file */
    char path[600];
};

/** Makes <prefix>.<rank>.otrace, readable by its owner only. Removes an older trace of this user with this name; any
 * other file with this name, even a link, is an error. */
int ordo_trace_file_create(struct ordo_trace_file *file, const char *prefix, struct ordo_trace_head *head,
                           struct ordo_error *error);

/** Appends a chunk; `lost` events were lost before it. Returns 0, or ORDO_E_SYSTEM if the file has failed before or
 * fails now. */
int ordo_trace_file_append(struct ordo_trace_file *file, enum ordo_trace_chunk_kind kind, const void *payload,
                           size_t bytes, uint32_t count, uint64_t lost);

/** Removes the file. Call if nothing will be recorded after all. */
void ordo_trace_file_abandon(struct ordo_trace_file *file);

/** Appends the last chunk. Returns 0, or ORDO_E_SYSTEM. */
int ordo_trace_file_close(struct ordo_trace_file *file);

#endif
