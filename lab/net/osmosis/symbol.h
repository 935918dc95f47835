/* The symbols of a channel: 8B/10B, a code of ten bits for each byte, with twelve symbols that are no byte.
 *
 * A. X. Widmer, P. A. Franaszek, A DC-balanced, partitioned-block, 8B/10B transmission code, IBM Journal of Research and
 * Development 27(5), 1983. The code words have at most one more 1 than 0 in the mean, and never more than five equal
 * bits in a row, so that the receiver can recover the clock. The symbols that are no byte (out-of-space symbols: K.28.0
 * to K.28.7, K.23.7, K.27.7, K.29.7, K.30.7) carry the signalling channel. */
#ifndef ORDO_LAB_NET_OSMOSIS_SYMBOL_H
#define ORDO_LAB_NET_OSMOSIS_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct ordo_net_symbol {
    bool control;  /* one of the twelve symbols that are no byte */
    uint8_t value; /* the byte: the lower five bits are x, and the upper three are y, of D.x.y or K.x.y */
};

#define ORDO_NET_SYMBOL(x, y) (uint8_t)((y) << 5 | (x))

/** True if the symbol is a byte, or one of the twelve. */
bool ordo_net_symbol_exists(struct ordo_net_symbol symbol);

/** Returns the ten bits of a symbol; the highest bit is sent first. `*more` is true if more 1 than 0 have been sent so
 * far (the running disparity), and is updated. */
uint16_t ordo_net_symbol_encode(struct ordo_net_symbol symbol, bool *more);

/** Reads ten bits. Returns false if they are no code word, or not one that `*more` allows; `*more` is then taken from
 * the bits. */
bool ordo_net_symbol_decode(uint16_t bits, bool *more, struct ordo_net_symbol *symbol);

#endif
