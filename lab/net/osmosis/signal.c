#include "lab/net/osmosis/signal.h"

static const uint8_t begins[] = {ORDO_NET_SYMBOL(28, 5), ORDO_NET_SYMBOL(28, 1), ORDO_NET_SYMBOL(28, 6)};
static const uint8_t ends = ORDO_NET_SYMBOL(29, 7);

int ordo_net_signal_write(const struct ordo_net_signal *signal, struct ordo_net_symbol symbols[ORDO_NET_SIGNAL_SYMBOLS])
{
    int count = 0;
    symbols[count++] = (struct ordo_net_symbol){true, begins[signal->kind]};
    symbols[count++] = (struct ordo_net_symbol){false, signal->number};
    for (int i = 0; i < signal->bytes; i++)
        symbols[count++] = (struct ordo_net_symbol){false, signal->byte[i]};
    symbols[count++] = (struct ordo_net_symbol){true, ends};
    return count;
}

static enum ordo_net_signal_kind kind_of_signal(uint8_t begin)
{
    for (int i = 0; i < ORDO_NET_SIGNAL_OTHER; i++)
        if (begins[i] == begin)
            return (enum ordo_net_signal_kind)i;
    return ORDO_NET_SIGNAL_OTHER;
}

static void begin_message(struct ordo_net_signal_receiver *receiver, uint8_t begin)
{
    receiver->broken += receiver->inside; /* G3: its end is missing */
    receiver->inside = true;
    receiver->dropped = false;
    receiver->read = 0;
    receiver->signal = (struct ordo_net_signal){.kind = kind_of_signal(begin)};
}

static enum ordo_net_signal_result end_message(struct ordo_net_signal_receiver *receiver)
{
    const struct ordo_net_signal *signal = &receiver->signal;
    bool whole = receiver->inside && !receiver->dropped && receiver->read > 0;
    bool wanted =
        signal->kind == ORDO_NET_SIGNAL_USER ? receiver->wanted[signal->number] : signal->kind != ORDO_NET_SIGNAL_OTHER;
    receiver->inside = false;
    receiver->broken += !whole;
    receiver->ignored += whole && !wanted; /* G2 */
    return whole && wanted ? ORDO_NET_SIGNAL_MESSAGE : ORDO_NET_SIGNAL_NOTHING;
}

static void take_byte(struct ordo_net_signal_receiver *receiver, uint8_t byte)
{
    struct ordo_net_signal *signal = &receiver->signal;
    if (receiver->read++ == 0)
        signal->number = byte;
    else if (signal->bytes < ORDO_NET_SIGNAL_BYTES)
        signal->byte[signal->bytes++] = byte;
    else
        receiver->dropped = true;
}

enum ordo_net_signal_result ordo_net_signal_take(struct ordo_net_signal_receiver *receiver,
                                                 const struct ordo_net_symbol *symbol)
{
    if (!symbol) {
        receiver->dropped = true;
        return ORDO_NET_SIGNAL_NOTHING;
    }
    if (symbol->control && symbol->value == ends)
        return end_message(receiver);
    if (symbol->control)
        begin_message(receiver, symbol->value);
    else if (receiver->inside)
        take_byte(receiver, symbol->value);
    return symbol->control || receiver->inside ? ORDO_NET_SIGNAL_NOTHING : ORDO_NET_SIGNAL_DATA;
}
