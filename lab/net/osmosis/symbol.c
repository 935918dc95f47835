#include "lab/net/osmosis/symbol.h"

/* The codes for a running disparity of fewer 1 than 0. The codes for more 1 than 0 are their complements, if they have
 * not as many 1 as 0. */
static const uint8_t six[32] = {0x27, 0x1d, 0x2d, 0x31, 0x35, 0x29, 0x19, 0x38, 0x39, 0x25, 0x15,
                                0x34, 0x0d, 0x2c, 0x1c, 0x17, 0x1b, 0x23, 0x13, 0x32, 0x0b, 0x2a,
                                0x1a, 0x3a, 0x33, 0x26, 0x16, 0x36, 0x0e, 0x2e, 0x1e, 0x2b};
static const uint8_t four[8] = {0xb, 0x9, 0x5, 0xc, 0xd, 0xa, 0x6, 0xe};
static const uint8_t four_control[8] = {0xb, 0x6, 0xa, 0xc, 0xd, 0x5, 0x9, 0x7};

enum { SIX_K28 = 0x0f, FOUR_ALTERNATIVE = 0x7 };

static int ones(unsigned bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static int upper_bits(struct ordo_net_symbol symbol)
{
    return symbol.value >> 5;
}

static int lower_bits(struct ordo_net_symbol symbol)
{
    return symbol.value & 31;
}

bool ordo_net_symbol_exists(struct ordo_net_symbol symbol)
{
    int x = lower_bits(symbol);
    return !symbol.control || x == 28 || (upper_bits(symbol) == 7 && (x == 23 || x == 27 || x == 29 || x == 30));
}

/* Applies the running disparity to a code of `width` bits. Codes with as many 1 as 0 exist once, but for two that would
 * make long runs. */
static unsigned balance(unsigned code, int width, bool *more, bool always)
{
    unsigned mask = (1U << width) - 1, sent = code;
    bool even = 2 * ones(code) == width;
    if (*more && (!even || always))
        sent = ~code & mask;
    if (!even)
        *more = !*more;
    return sent;
}

static unsigned encode_six(struct ordo_net_symbol symbol, bool *more)
{
    int x = lower_bits(symbol);
    unsigned code = symbol.control && x == 28 ? SIX_K28 : six[x];
    return balance(code, 6, more, x == 7);
}

/* D.x.7 has another code after some x, so that there are no five equal bits across the two parts. */
static bool has_alternative(int x, bool more)
{
    return more ? x == 11 || x == 13 || x == 14 : x == 17 || x == 18 || x == 20;
}

static unsigned encode_four(struct ordo_net_symbol symbol, bool *more)
{
    int x = lower_bits(symbol), y = upper_bits(symbol);
    if (symbol.control)
        return balance(four_control[y], 4, more, true);
    return balance(y == 7 && has_alternative(x, *more) ? FOUR_ALTERNATIVE : four[y], 4, more, y == 3);
}

uint16_t ordo_net_symbol_encode(struct ordo_net_symbol symbol, bool *more)
{
    unsigned first = encode_six(symbol, more);
    return (uint16_t)(first << 4 | encode_four(symbol, more));
}

bool ordo_net_symbol_decode(uint16_t bits, bool *more, struct ordo_net_symbol *symbol)
{
    for (int i = 0; i < 512; i++) {
        struct ordo_net_symbol candidate = {i >= 256, (uint8_t)i};
        bool after = *more;
        if (ordo_net_symbol_exists(candidate) && ordo_net_symbol_encode(candidate, &after) == bits) {
            *more = after;
            *symbol = candidate;
            return true;
        }
    }
    if (ones(bits) != 5)
        *more =
            ones(bits) > 5; /* after a damaged symbol the receiver's disparity may be wrong, until one that has it */
    return false;
}
