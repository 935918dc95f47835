/* The packets of a trace of Perfetto (perfetto.dev), one after the other. A packet may hold compressed packets. Memory
 * grows with the largest packet only. */
#ifndef ORDO_TRACE_PERFETTO_PACKETS_H
#define ORDO_TRACE_PERFETTO_PACKETS_H

#include "trace/input/input.h"
#include "trace/input/odd.h"
#include "trace/perfetto/wire.h"

enum { ORDO_PACKET_MOST = 1 << 26 }; /* bytes of a packet, and of the unpacked packets of one packet */

/** A packet (TracePacket in Perfetto's schema). Messages have length 0 if they are absent. */
struct ordo_packet {
    uint64_t timestamp;
    uint32_t clock, sequence; /* 0: not stated */
    bool has_timestamp;
    bool is_cleared;     /* names and defaults of earlier packets of the sequence are not valid any more */
    bool needs_state;    /* it can only be read if all of its sequence since `is_cleared` was read */
    bool is_behind_loss; /* packets before it were lost, or it is the first one of its sequence */
    bool has_kernel_events;
    struct ordo_text event, interned, defaults, track, snapshot, thread;
    struct ordo_text zlib, zstd; /* compressed packets */
};

struct ordo_packets {
    struct ordo_input *input;
    struct ordo_odds *odds;
    char *unpacked; /* the packets of a compressed packet */
    size_t room;
    struct ordo_wire inside; /* the rest of them */
};

/** True if the beginning of a file is a packet with fields that Perfetto's packets have. */
bool ordo_packets_look(struct ordo_text beginning);

/** Reads the next packet. It is valid until the next call. Counts damaged packets, and leaves them out. Returns 1; 0 at
 * the end; or a negative code: ORDO_E_TRUNCATED if the file ends within a packet. */
int ordo_packets_next(struct ordo_packets *packets, struct ordo_packet *packet, struct ordo_error *error);

/** Forgets the compressed packets, before the file is read again. */
void ordo_packets_reset(struct ordo_packets *packets);

#endif
