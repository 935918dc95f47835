/* The sequences of a trace of Perfetto. A sequence is what one writer wrote, in order. Its packets refer to names that
 * earlier ones introduced, and leave out fields that have a default. If packets were lost, these references are not
 * valid until the writer says that it begins anew. */
#ifndef ORDO_TRACE_PERFETTO_SEQUENCES_H
#define ORDO_TRACE_PERFETTO_SEQUENCES_H

#include "base/map.h"
#include "trace/event/names.h"
#include "trace/perfetto/descriptors.h"
#include "trace/perfetto/packets.h"

enum ordo_interned { ORDO_INTERNED_CATEGORY = 1, ORDO_INTERNED_EVENT, ORDO_INTERNED_ANNOTATION };

struct ordo_sequence {
    uint64_t track;      /* of events that state none */
    uint32_t clock;      /* of packets that state none; 0: the trace's */
    uint32_t generation; /* number of times that its state was cleared */
    bool is_valid;       /* all of it since the state was cleared has been read */
    bool has_track;
    bool is_begun;
    struct ordo_descriptor thread; /* as an old writer describes it */
};

struct ordo_sequences {
    struct ordo_map numbers; /* of a sequence: 1 + its index */
    struct ordo_sequence *all;
    size_t count, room;
    struct ordo_map interned; /* sequence and kind, and number: generation and 1 + the name */
    struct ordo_names names;
};

/** Takes a packet into its sequence. Returns NULL if out of memory, or if there are millions. *is_lost: packets before
 * this one were lost. Valid until the next call. */
struct ordo_sequence *ordo_sequences_take(struct ordo_sequences *sequences, const struct ordo_packet *packet,
                                          bool *is_lost);

/** Returns an interned name; with length 0 if it is not known. */
struct ordo_text ordo_sequences_name(const struct ordo_sequences *sequences, uint32_t sequence, int kind,
                                     uint64_t number);

void ordo_sequences_free(struct ordo_sequences *sequences);

#endif
