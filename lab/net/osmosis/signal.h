/* The signalling channel: messages between the bytes of a data channel, with an open set of messages.
 *
 * RZ 3604, sections 4 and 5. A message begins with a symbol that is no byte of data, and so does its end:
 *
 *     K.28.5 number bytes ... K.29.7   timer synchronisation (TS): a beacon
 *     K.28.1 number bytes ... K.29.7   command synchronisation (CS): an advert, a measurement of the delay
 *     K.28.6 number bytes ... K.29.7   a message of a user
 *
 * `number` says which command, or which message of a user. The report leaves the format open; this one is chosen here.
 *
 *  G1 Data pass a receiver unchanged, whichever messages are between them: a message has other symbols at its ends, and
 *     the bytes between them are no data.
 *  G2 A receiver ignores the messages of users for which it has not been asked, and every kind of message that it does
 *     not know. New messages therefore need no change of the other processes.
 *  G3 A message whose end is missing, or with a symbol that is no code word, is dropped as a whole. The next symbol that
 *     begins a message, or ends one, ends the dropped message. */
#ifndef ORDO_LAB_NET_OSMOSIS_SIGNAL_H
#define ORDO_LAB_NET_OSMOSIS_SIGNAL_H

#include <stddef.h>

#include "lab/net/osmosis/symbol.h"

enum ordo_net_signal_kind { ORDO_NET_SIGNAL_TS, ORDO_NET_SIGNAL_CS, ORDO_NET_SIGNAL_USER, ORDO_NET_SIGNAL_OTHER };

enum { ORDO_NET_SIGNAL_BYTES = 64, ORDO_NET_SIGNAL_SYMBOLS = ORDO_NET_SIGNAL_BYTES + 3 };

struct ordo_net_signal {
    enum ordo_net_signal_kind kind;
    uint8_t number;
    int bytes;
    uint8_t byte[ORDO_NET_SIGNAL_BYTES];
};

/** Writes the symbols of a message of a known kind. Returns their number. */
int ordo_net_signal_write(const struct ordo_net_signal *signal,
                          struct ordo_net_symbol symbols[ORDO_NET_SIGNAL_SYMBOLS]);

struct ordo_net_signal_receiver {
    bool wanted[256]; /* by number: messages of users that this receiver wants */
    bool inside, dropped;
    int read; /* symbols of this message so far, without its beginning */
    struct ordo_net_signal signal;
    uint64_t ignored, broken; /* number of unwanted messages, and of damaged ones */
};

enum ordo_net_signal_result { ORDO_NET_SIGNAL_NOTHING, ORDO_NET_SIGNAL_DATA, ORDO_NET_SIGNAL_MESSAGE };

/** Takes the next symbol; NULL stands for ten bits that are no code word. Returns ORDO_NET_SIGNAL_DATA if the symbol is
 * a byte of data, and ORDO_NET_SIGNAL_MESSAGE if it completes a message that the receiver knows, `receiver->signal`. */
enum ordo_net_signal_result ordo_net_signal_take(struct ordo_net_signal_receiver *receiver,
                                                 const struct ordo_net_symbol *symbol);

#endif
