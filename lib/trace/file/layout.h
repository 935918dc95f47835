/* The layout of a trace: one file a rank, written by libordo-trace while the program runs, and read afterwards.
 *
 *     head     struct ordo_trace_head, 256 bytes
 *     chunk*   struct ordo_trace_chunk, 64 bytes, and its payload of `bytes` bytes, a multiple of 8
 *
 * A chunk is sealed: its head is written last, with the checksum of its payload. If a rank was killed, its file is
 * readable up to the first chunk that is not whole; `ordo_trace_chunk_whole` finds it. A file that was closed ends with
 * a chunk ORDO_TRACE_CLOSED. Numbers are in the byte order of the machine, because no tool compares clocks of machines
 * of different byte orders.
 *
 * Times are raw ticks of the rank's clock. Sessions and corrections use the clock in ns:
 *
 *     local_ns = ticks * ns_mult >> ns_shift        (in 128 bits; ordo_trace_local_ns)
 *
 * `ns_mult` and `ns_shift` are in the head and come from the nominal rate. Ranks that share a clock (`clock_of`) have
 * equal `ns_mult` and equal `ns_shift`.
 *
 * The payload of each kind of chunk:
 *
 *     STRINGS    struct ordo_trace_string with its letters, padded with 0 to a multiple of 8 bytes. A name is in the
 *                file before the chunk of the first event that has it. Name 0 means no name.
 *     EVENTS     struct ordo_trace_event. The events of one thread are in the order of their times, in the whole file.
 *     EXCHANGES  struct ordo_trace_exchange, of one session or several; in the file of the rank that asks.
 *     GROUP      struct ordo_trace_group with its world ranks (int32), padded with 0: a communicator, before the first
 *                event that has it. Communicator 0 is MPI_COMM_WORLD and needs no group.
 *     CLOSED     nothing: the last chunk; its `lost` counts the losses of the whole file.
 *
 * Readers accept layout 1 as well. In layout 1 a group begins with struct ordo_trace_group_1, and disjoint
 * communicators may have the same number; their lowest ranks distinguish them. The head of layout 1 lacks the
 * verification behind a shared clock.
 */
#ifndef ORDO_TRACE_FILE_LAYOUT_H
#define ORDO_TRACE_FILE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <ordo/record.h>

#define ORDO_TRACE_MAGIC "ORDOTRC\n"
#define ORDO_TRACE_LAYOUT 2u
#define ORDO_TRACE_CHUNK_MAGIC UINT32_C(0x4b43544f) /* "OTCK" */
#define ORDO_TRACE_SUFFIX ".otrace"                 /* of a file's name: <prefix>.<rank>.otrace */

enum {
    ORDO_TRACE_CHUNK_MOST = 1 << 20, /* bytes of a payload, at most */
    ORDO_TRACE_NAME_MOST = 255,      /* bytes of a name, at most */
    ORDO_TRACE_RANKS_MOST = 1 << 20
};

/** What the recorder does with a full buffer. */
enum ordo_trace_policy { ORDO_TRACE_FLUSH = 0, ORDO_TRACE_RING = 1, ORDO_TRACE_STOP = 2 };

struct ordo_trace_head {
    unsigned char magic[8];
    uint32_t layout;
    uint32_t head_bytes; /* size of this struct */
    int32_t rank, size;  /* in MPI_COMM_WORLD */
    uint32_t node;       /* ranks with the same number were proved to run under one kernel and to share its clock */
    int32_t clock_of;    /* the rank whose clock this rank shares; `rank` itself if it has a clock of its own. A rank
                            that shares a clock may have exchanges of its own too */
    unsigned char boot_id[16];
    uint64_t run;              /* a random number, the same in all files of one run */
    uint64_t nominal_hz;       /* nominal rate of the clock */
    uint64_t ns_mult;          /* local_ns = ticks * ns_mult >> ns_shift */
    uint32_t ns_shift;         /* at most 63 */
    uint32_t policy;           /* enum ordo_trace_policy */
    uint64_t granule_ticks;    /* the step of the clock's readings */
    int64_t began_realtime_ns; /* CLOCK_REALTIME when the file was made: for people */
    char clock[32];            /* the name of the clock source, ended by a 0 */
    char host[64];             /* the name of the host, ended by a 0 */
    /* The verification behind a shared clock (`node` is `clock_of`, and not `rank`); 0 for other ranks. The
     * verification began at shared_at_ns of this rank's clock and lasted shared_for_ns. At some instant of it, any two
     * clocks of the node differed by at most shared_residual_ns; over some part of it, any two clocks drifted by at
     * most shared_drift_ppb on average. */
    int64_t shared_at_ns, shared_for_ns, shared_residual_ns, shared_drift_ppb;
    unsigned char zero[24];
    uint64_t checksum; /* ordo_record_fold of all preceding members */
};

enum ordo_trace_chunk_kind {
    ORDO_TRACE_STRINGS = 1,
    ORDO_TRACE_EVENTS = 2,
    ORDO_TRACE_EXCHANGES = 3,
    ORDO_TRACE_GROUP = 4,
    ORDO_TRACE_CLOSED = 5
};

struct ordo_trace_chunk {
    uint32_t magic;
    uint32_t kind;     /* enum ordo_trace_chunk_kind */
    uint32_t bytes;    /* size of the payload */
    uint32_t count;    /* number of records in the payload */
    uint64_t number;   /* 0, 1, 2 ... in the file */
    uint64_t lost;     /* events that the policy dropped and that no earlier chunk counts */
    uint64_t checksum; /* ordo_record_fold of the payload */
    uint64_t zero[2];
    uint64_t head_checksum; /* ordo_record_fold of the preceding 56 bytes */
};

enum ordo_trace_kind {
    ORDO_TRACE_EVENT = 0, /* a point in time */
    ORDO_TRACE_BEGIN = 1, /* a region or call is entered */
    ORDO_TRACE_END = 2,   /* a region or call is left */
    ORDO_TRACE_SEND = 3,  /* a message left, not before this time: the entry of the call that sends it */
    ORDO_TRACE_RECV = 4   /* a message arrived, not after this time: the exit of the call that completes it */
};

/** Which ranks wait for which in a collective call. BEGIN and END events state it, so that causality can be checked. */
enum ordo_trace_collective {
    ORDO_TRACE_NO_COLLECTIVE = 0,
    ORDO_TRACE_ALL_TO_ALL = 1, /* no rank leaves before all have entered: barrier, allreduce, allgather, alltoall ... */
    ORDO_TRACE_ONE_TO_ALL = 2, /* no rank leaves before the root has entered: bcast, scatter */
    ORDO_TRACE_ALL_TO_ONE = 3, /* the root does not leave before all have entered: reduce, gather */
    ORDO_TRACE_PREFIX = 4      /* no rank leaves before the lower ranks of the group have entered: scan, exscan */
};

#define ORDO_TRACE_UNCOUNTED UINT32_MAX

struct ordo_trace_event {
    uint64_t ticks;
    uint64_t bytes; /* sent, received, or passed to the collective; 0 for none */
    uint32_t name;
    uint32_t thread;       /* 0, 1, 2 ... in the rank */
    int32_t peer;          /* the other rank of a message, in MPI_COMM_WORLD; -1 for none */
    int32_t tag;           /* -1 for none */
    uint32_t communicator; /* index in this file; 0 is MPI_COMM_WORLD, any other index has a group */
    int32_t root;          /* of a collective, in MPI_COMM_WORLD; -1 for none */
    uint16_t kind;         /* enum ordo_trace_kind */
    uint16_t collective;   /* enum ordo_trace_collective */
    /* A number from 0, or ORDO_TRACE_UNCOUNTED: use the order in the file.
     * - of a message: among the messages with its sender, receiver, communicator and tag, in the order of the sends and
     *   of the posted receives
     * - of a collective: among the collectives of its communicator */
    uint32_t number;
};

struct ordo_trace_string {
    uint32_t id;     /* 1, 2, 3 ... in the file, ascending */
    uint32_t length; /* bytes of the name that follows, 1 to ORDO_TRACE_NAME_MOST; UTF-8 without control characters */
};

struct ordo_trace_exchange {
    uint32_t session;        /* 0, 1, 2 ... in the run */
    int32_t master;          /* the rank that answered: 0 */
    uint64_t sent_ticks;     /* this rank's clock when it asked */
    int64_t master_ns;       /* local_ns of the master when it answered */
    uint64_t received_ticks; /* this rank's clock when it had the answer */
};

/** The pair (number, lowest) is the same on all ranks of a communicator, and unique in the run, because the lowest rank
 * gives each number once. */
struct ordo_trace_group {
    uint32_t communicator; /* index in this file; the indices ascend */
    /* Number of ranks in the list that follows: this rank's group, in its order. 0 if a chunk cannot hold the list. */
    uint32_t size;
    uint32_t number; /* given by the rank `lowest` */
    int32_t lowest;  /* lowest rank, in MPI_COMM_WORLD; of an intercommunicator: lowest rank of both groups */
    int32_t place;   /* number of this rank in its group */
    uint32_t zero;
};

/** The head of a group in layout 1. */
struct ordo_trace_group_1 {
    uint32_t communicator;
    uint32_t size;
};

_Static_assert(sizeof(struct ordo_trace_head) == 256, "the head of a trace has 256 bytes");
_Static_assert(sizeof(struct ordo_trace_chunk) == 64, "the head of a chunk has 64 bytes");
_Static_assert(sizeof(struct ordo_trace_event) == 48, "an event has 48 bytes");
_Static_assert(sizeof(struct ordo_trace_exchange) == 32, "an exchange has 32 bytes");
_Static_assert(sizeof(struct ordo_trace_string) == 8 && sizeof(struct ordo_trace_group) == 24 &&
                   sizeof(struct ordo_trace_group_1) == 8,
               "heads of records");

/** Returns the padded size of a record: a head of 8 bytes, followed by `letters` bytes. */
static inline size_t ordo_trace_padded(size_t letters)
{
    return 8 + ((letters + 7) & ~(size_t)7);
}

/** Returns the pair (number, lowest) as one number below 2^52, which a double holds exactly; 0 for MPI_COMM_WORLD. */
static inline uint64_t ordo_trace_communicator_id(uint32_t number, int32_t lowest)
{
    return (uint64_t)number * ORDO_TRACE_RANKS_MOST + (uint64_t)(uint32_t)lowest;
}

/** Returns the bytes of a group with `size` ranks, padded. */
static inline size_t ordo_trace_group_bytes(uint32_t size)
{
    return sizeof(struct ordo_trace_group) + ((sizeof(int32_t) * size + 7) & ~(size_t)7);
}

/** Converts ticks to local_ns. */
static inline int64_t ordo_trace_local_ns(const struct ordo_trace_head *head, uint64_t ticks)
{
    return (int64_t)((unsigned __int128)ticks * head->ns_mult >> head->ns_shift);
}

/** Sets ns_mult and ns_shift from a positive rate in Hz, with a relative error of at most 2^-31. */
static inline void ordo_trace_rate(struct ordo_trace_head *head, uint64_t nominal_hz)
{
    head->nominal_hz = nominal_hz;
    head->ns_shift = 32;
    head->ns_mult = (uint64_t)((((unsigned __int128)1000000000 << 32) + nominal_hz / 2) / nominal_hz);
}

/** Fills in magic, layout, size and checksum. Call after all other fields are set. */
static inline void ordo_trace_head_seal(struct ordo_trace_head *head)
{
    memcpy(head->magic, ORDO_TRACE_MAGIC, sizeof head->magic);
    head->layout = ORDO_TRACE_LAYOUT;
    head->head_bytes = sizeof *head;
    head->checksum = ordo_record_fold(head, offsetof(struct ordo_trace_head, checksum));
}

/** Fills in magic and checksums. Call after kind, bytes, count, number, lost and the payload are set. */
static inline void ordo_trace_chunk_seal(struct ordo_trace_chunk *chunk, const void *payload)
{
    chunk->magic = ORDO_TRACE_CHUNK_MAGIC;
    chunk->zero[0] = chunk->zero[1] = 0;
    chunk->checksum = ordo_record_fold(payload, chunk->bytes);
    chunk->head_checksum = ordo_record_fold(chunk, offsetof(struct ordo_trace_chunk, head_checksum));
}

/** True if the head of a chunk is valid. The payload is whole if its checksum is right as well. */
static inline bool ordo_trace_chunk_whole(const struct ordo_trace_chunk *chunk)
{
    return chunk->magic == ORDO_TRACE_CHUNK_MAGIC && chunk->bytes <= ORDO_TRACE_CHUNK_MOST && chunk->bytes % 8 == 0 &&
           chunk->head_checksum == ordo_record_fold(chunk, offsetof(struct ordo_trace_chunk, head_checksum));
}

#endif
