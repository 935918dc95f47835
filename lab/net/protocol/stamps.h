/* The options of protocols whose stamps may be taken in software. */
#ifndef ORDO_LAB_NET_PROTOCOL_STAMPS_H
#define ORDO_LAB_NET_PROTOCOL_STAMPS_H

#include "lab/net/protocol/value.h"
#include "lab/net/servo/stamps.h"

#define ORDO_NET_STAMPS_OPTIONS "stamps=hardware|software, jitter-ns=0..1000000000, waking-ns=0..1000000000"

/** Takes one of these options. Returns false if there is no such option or no such value. */
static inline bool ordo_net_stamps_take(struct ordo_net_stamps *stamps, const char *option, const char *value)
{
    if (strcmp(option, "stamps") == 0) {
        stamps->software = strcmp(value, "software") == 0;
        return stamps->software || strcmp(value, "hardware") == 0;
    }
    if (strcmp(option, "jitter-ns") == 0)
        return ordo_net_value_number(value, 0, 1000000000, &stamps->jitter_ns);
    return strcmp(option, "waking-ns") == 0 && ordo_net_value_number(value, 0, 1000000000, &stamps->waking_ns);
}

#endif
