/* The messages of two devices, as the bits of the wire. */
#include <stdio.h>

#include "lab/figures/dtp/dtp.h"
#include "lab/figures/simulate.h"

enum { DRAWN_MESSAGES = 24 };

struct wire {
    struct ordo_figure_curve *kind[3];
    int messages;
    bool read; /* every message was read back */
    bool wrapped;
};

static void hear_wire(void *context, const struct ordo_net_dtp_heard *message)
{
    struct wire *wire = context;
    enum ordo_net_dtp_kind kind;
    uint64_t value;
    bool known = ordo_net_dtp_decode(message->bits, &kind, &value) && kind <= ORDO_NET_DTP_BEACON;
    wire->read = wire->read && known;
    /* The receiver's counter is above 2^53, and the message carries only the excess. */
    wire->wrapped = wire->wrapped || (known && message->global >> ORDO_NET_DTP_HALF_BITS == 1 && value < 1 << 20);
    if (known && wire->messages++ < DRAWN_MESSAGES)
        ordo_figure_range(wire->kind[kind], (double)message->came_fs * 1e-6, message->from,
                          (double)message->sent_fs * 1e-6, (double)message->came_fs * 1e-6);
}

/* Returns the number of bits of the largest message. */
static int bits_of_largest(void)
{
    uint64_t largest = ordo_net_dtp_encode(ORDO_NET_DTP_MSB, UINT64_MAX);
    int bits = 0;
    while (bits < 64 && largest >> bits)
        bits++;
    return bits;
}

int figure_dtp_wire(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_figure_ethernet(run, ORDO_NET_LINE, 2, 1);
    struct ordo_net_dtp dtp = ordo_net_dtp_defaults();
    struct ordo_net_score score;
    struct ordo_net_counters counters;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "messages on the wire", "time (ns)", "sender", ORDO_FIGURE_LINEAR);
    struct wire wire = {.read = true};
    static const char *const kinds[] = {"INIT", "INIT-ACK", "BEACON"};
    for (int i = 0; i < 3; i++)
        wire.kind[i] = ordo_figure_curve(panel, kinds[i], ORDO_FIGURE_RANGES);
    dtp.first = ORDO_NET_DTP_WRAP;
    dtp.heard = hear_wire;
    dtp.context = &wire;
    dtp.ticks = 5000000;
    int code = ordo_net_dtp_run(&options, &dtp, &score, &counters, error);
    if (code)
        return code;
    /* Facts of the format: no tolerance. */
    ordo_figure_value(run, "bits of a message", "bits", 56, bits_of_largest(), ORDO_FIGURE_EQUAL, 1);
    ordo_figure_value(run, "bits of a counter in two halves", "bits", 106, 2 * ORDO_NET_DTP_HALF_BITS,
                      ORDO_FIGURE_EQUAL, 1);
    ordo_figure_claim(run, wire.read, "every message is read from its bits");
    ordo_figure_claim(run, wire.wrapped && counters.violations == 0, "counters whose lower half wraps keep the bound");
    return ORDO_OK;
}
