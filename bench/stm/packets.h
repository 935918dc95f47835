/* Reassembly of packets and detection of attacks, an application modelled on STAMP's "intruder" (C. Cao Minh et al.,
 * IISWC 2008). Fragments of flows arrive mixed up. A thread takes each fragment from the common stream in one
 * transaction, and adds it to its flow, found in a tree, in another. The thread that adds the last fragment removes the
 * flow from the tree in a transaction that quiesces; the flow's memory is then private to the thread. The thread joins
 * the fragments and searches them for the signature, which may lie across two fragments.
 *
 * The content of a fragment follows from its number: a flow whose number is a multiple of ten is an attack. */
#ifndef BENCH_STM_PACKETS_H
#define BENCH_STM_PACKETS_H

#include <ordo/cc/stm/tree.h>

enum {
    PACKETS_PIECES = 8,    /* fragments of a flow */
    PACKETS_WINDOW = 4096, /* fragments that are mixed with each other; a power of two */
    PACKETS_BYTES = 16,    /* bytes of a fragment */
    PACKETS_ATTACK = 10
};

struct flow {
    uint64_t arrived;               /* number of fragments that have arrived */
    uint64_t piece[PACKETS_PIECES]; /* pointers to fragments; 0: not arrived */
};

struct fragment {
    char text[PACKETS_BYTES];
};

struct stream {
    uint64_t next; /* number of the next fragment */
    char line_end[128 - sizeof(uint64_t)];
    struct ordo_stm_tree flows;
    uint64_t found;     /* number of attacks found */
    uint64_t completed; /* number of complete flows */
};

/* A fragment's position, after it was taken from the stream and before it is added to its flow. */
struct packet {
    uint64_t flow, piece;
    struct flow *whole; /* the flow, if this fragment completed it; else NULL */
};

static inline struct packet packet_number(uint64_t i)
{
    uint64_t within = (i * 1597 + 711) & (PACKETS_WINDOW - 1), at = (i & ~(uint64_t)(PACKETS_WINDOW - 1)) + within;
    struct packet packet = {at / PACKETS_PIECES, at % PACKETS_PIECES, NULL};
    return packet;
}

/* Writes the text of a fragment. In an attack, the signature "attack" begins 3 bytes before the end of the last
 * fragment but one. */
static inline void packet_text(const struct packet *packet, char text[PACKETS_BYTES])
{
    for (int i = 0; i < PACKETS_BYTES; i++)
        text[i] = (char)('g' + (packet->flow * 31 + packet->piece * 7 + (uint64_t)i) % 16);
    if (packet->flow % PACKETS_ATTACK)
        return;
    if (packet->piece == PACKETS_PIECES - 2)
        text[PACKETS_BYTES - 3] = 'a', text[PACKETS_BYTES - 2] = 't', text[PACKETS_BYTES - 1] = 't';
    if (packet->piece == PACKETS_PIECES - 1)
        text[0] = 'a', text[1] = 'c', text[2] = 'k';
}

static inline int stream_take_in(struct ordo_stm_thread *t, struct stream *stream, uint64_t *number)
{
    int code = ordo_stm_read(t, &stream->next, number);
    return code ? code : ordo_stm_write(t, &stream->next, *number + 1);
}

/* Finds the flow of a packet; makes the flow if it is missing. */
static inline int stream_flow_in(struct ordo_stm_thread *t, struct stream *stream, uint64_t number,
                                 struct ordo_stm_tree_node **node)
{
    struct flow *fresh;
    int code = ordo_stm_tree_find_in(t, &stream->flows, number, node);
    if (code || *node)
        return code;
    fresh = (struct flow *)ordo_stm_alloc(t, sizeof *fresh);
    if (!fresh)
        return ORDO_E_SYSTEM;
    memset(fresh, 0, sizeof *fresh);
    code = ordo_stm_tree_put_in(t, &stream->flows, number, (uintptr_t)fresh);
    return code < 0 ? code : ordo_stm_tree_find_in(t, &stream->flows, number, node);
}

/* Adds a fragment to its flow. Returns 1 if the flow is then complete, 0 if not, or a negative code. */
static inline int stream_put_in(struct ordo_stm_thread *t, struct stream *stream, struct packet *packet)
{
    struct ordo_stm_tree_node *node = NULL;
    struct fragment *fragment;
    struct flow *flow;
    uint64_t value, arrived;
    int code = stream_flow_in(t, stream, packet->flow, &node);
    if (code || (code = ordo_stm_read(t, &node->value, &value)) != 0)
        return code;
    flow = (struct flow *)(uintptr_t)value;
    fragment = (struct fragment *)ordo_stm_alloc(t, sizeof *fragment);
    if (!fragment)
        return ORDO_E_SYSTEM;
    packet_text(packet, fragment->text);
    if ((code = ordo_stm_read(t, &flow->arrived, &arrived)) ||
        (code = ordo_stm_write(t, &flow->piece[packet->piece], (uintptr_t)fragment)) ||
        (code = ordo_stm_write(t, &flow->arrived, arrived + 1)))
        return code;
    if (arrived + 1 < PACKETS_PIECES)
        return 0;
    packet->whole = flow;
    return 1;
}

static inline int stream_count_in(struct ordo_stm_thread *t, struct stream *stream, uint64_t attacks)
{
    uint64_t found, completed;
    int code = ordo_stm_read(t, &stream->found, &found);
    if (code || (code = ordo_stm_read(t, &stream->completed, &completed)) ||
        (attacks && (code = ordo_stm_write(t, &stream->found, found + attacks)) != 0))
        return code;
    return ordo_stm_write(t, &stream->completed, completed + 1);
}

/* Returns the number of signatures in a complete flow, and frees the flow. Only the calling thread can reach it. */
static inline uint64_t stream_detect(struct ordo_stm *stm, struct flow *flow)
{
    static const char signature[] = "attack";
    char text[PACKETS_PIECES * PACKETS_BYTES];
    uint64_t found = 0;
    for (int i = 0; i < PACKETS_PIECES; i++) {
        memcpy(text + i * PACKETS_BYTES, ((struct fragment *)(uintptr_t)flow->piece[i])->text, PACKETS_BYTES);
        ordo_stm_discard(stm, (void *)(uintptr_t)flow->piece[i]);
    }
    ordo_stm_discard(stm, flow);
    for (size_t at = 0; at + sizeof signature - 1 <= sizeof text; at++)
        found += memcmp(text + at, signature, sizeof signature - 1) == 0;
    return found;
}

/* Returns the number of fragments in the tree. No other thread may use the tree. */
static inline uint64_t stream_waiting(const struct ordo_stm_tree_node *node)
{
    if (!node)
        return 0;
    return ((const struct flow *)(uintptr_t)node->value)->arrived + stream_waiting(ordo_stm_tree_at(node->child[0])) +
           stream_waiting(ordo_stm_tree_at(node->child[1]));
}

static inline void stream_free(struct ordo_stm *stm, struct ordo_stm_tree_node *node)
{
    if (!node)
        return;
    stream_free(stm, ordo_stm_tree_at(node->child[0]));
    stream_free(stm, ordo_stm_tree_at(node->child[1]));
    for (int i = 0; i < PACKETS_PIECES; i++)
        ordo_stm_discard(stm, (void *)(uintptr_t)((struct flow *)(uintptr_t)node->value)->piece[i]);
    ordo_stm_discard(stm, (void *)(uintptr_t)node->value);
}

#endif
