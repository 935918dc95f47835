/* The part of an event in the work of a device, such as a GPU: a call of the host, or work that the device timed. */
#ifndef ORDO_TRACE_EVENT_DEVICE_H
#define ORDO_TRACE_EVENT_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

enum ordo_device_role {
    ORDO_DEVICE_NONE,
    ORDO_DEVICE_CALL, /* a call of the host that launches work, or waits for it */
    ORDO_DEVICE_WORK, /* a kernel, a copy or a fill, with times by the device's clock */
    ORDO_DEVICE_NOTE  /* states the stream and the device of the call with the same correlation */
};

/** The work for which a call waits before it returns. */
enum ordo_device_wait {
    ORDO_WAIT_NONE,
    ORDO_WAIT_STREAM, /* all work that was launched on a stream */
    ORDO_WAIT_DEVICE, /* all work that was launched on a device */
    ORDO_WAIT_EVENT,  /* the work on a stream before an event was recorded */
    ORDO_WAIT_COPY    /* the copy to the host that the call itself launches */
};

struct ordo_device_event {
    uint64_t correlation;   /* joins a call, its work and its note; 0: none */
    uint64_t record;        /* of a note: correlation of the call that recorded the event; 0: none */
    int64_t device, stream; /* -1: not stated */
    uint32_t process;       /* of a call: number of its process, unique in the file */
    uint32_t index;         /* index + 1 of the device in struct ordo_devices; 0: none */
    uint8_t role, waits;
    bool launches; /* of a call: it launches work, by its name */
    bool reads;    /* of work: it copies to the host, by its name */
};

#endif
