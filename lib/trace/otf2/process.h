/* Work in a process of its own, which sends records through a pipe. A library that crashes, hangs or takes too much
 * memory on a damaged file ends this process, and the caller gets an error. */
#ifndef ORDO_TRACE_OTF2_PROCESS_H
#define ORDO_TRACE_OTF2_PROCESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/** The sending side. */
struct ordo_process_out {
    int fd;
    size_t filled;
    char buffer[1 << 17];
};

/** The head of a record; `bytes` bytes follow, padded to a multiple of 8. */
struct ordo_process_head {
    uint32_t kind, bytes;
};

enum { ORDO_PROCESS_END = 0, ORDO_PROCESS_RECORD_MOST = 1 << 20 };

/** The receiving side. */
struct ordo_process {
    pid_t pid; /* 0: not started, or ended */
    int fd;
    char *buffer;
    size_t at, filled;
};

/** What the process does. It must end with a record of the kind ORDO_PROCESS_END, or of a kind that means a failure. */
typedef void ordo_process_work(struct ordo_process_out *out, const void *context);

/** Starts the work. */
int ordo_process_start(struct ordo_process *process, ordo_process_work *work, const void *context,
                       struct ordo_error *error);

/** Ends the process, if it runs, and frees the memory. */
void ordo_process_stop(struct ordo_process *process);

/** Receives a record; *bytes is valid until the next call. Returns 1, or a negative code if the process ended before
 * ORDO_PROCESS_END, or if it sent nothing for a minute: the error says "<object>: ... <remedy>". */
int ordo_process_receive(struct ordo_process *process, const char *object, struct ordo_process_head *head,
                         const char **bytes, struct ordo_error *error);

/** Sends a record of two parts, at the latest when the work ends. Ends the process if there is no receiver. */
void ordo_process_send(struct ordo_process_out *out, uint32_t kind, const void *first, size_t first_bytes,
                       const void *second, size_t second_bytes);

/** Limits the memory of the process to `bytes`, or to that of the machine if this is less. The sanitizers need more. */
void ordo_process_limit(uint64_t bytes);

/** Sends a record without bytes, at once. */
void ordo_process_tell(struct ordo_process_out *out, uint32_t kind);

#endif
