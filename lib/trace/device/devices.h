/* The clocks of the devices of a trace, relative to the clocks of their hosts. A profiler places the events of a device
 * on the host's clock; if causality proves its placement wrong, the events are moved. */
#ifndef ORDO_TRACE_DEVICE_DEVICES_H
#define ORDO_TRACE_DEVICE_DEVICES_H

#include "base/error.h"
#include "trace/clocks/unit.h"
#include "trace/device/line.h"
#include "trace/device/work.h"
#include "trace/sync/band.h"

enum ordo_device_verdict {
    ORDO_DEVICE_UNKNOWN,     /* neither a launch nor a call that waited is in the trace */
    ORDO_DEVICE_AGREES,      /* causality holds as the times are: an offset of 0 is possible, and kept */
    ORDO_DEVICE_CORRECTED,   /* an offset of 0 is impossible; the events are moved by the likely offset */
    ORDO_DEVICE_CONTRADICTS, /* no line meets all bounds or leaves fewer violations; the events are left as they are */
    ORDO_DEVICE_LEFT         /* an offset of 0 is impossible; the caller wants the events left as they are */
};

/** Numbers of kernels that contradict causality by more than the steps of the clocks. */
struct ordo_device_violations {
    uint64_t early; /* begin before the call that launched them */
    uint64_t late;  /* end after the return of a call that waited for them */
};

struct ordo_device {
    int64_t number;
    int32_t file, rank;
    enum ordo_device_verdict verdict;
    uint64_t works, launched, waited; /* kernels; with their launch in the trace; with a call that waited for them */
    struct ordo_device_violations before, after;
    int64_t first_ns, last_ns; /* by the device's clock */
    struct ordo_unit unit;
    int64_t granule_ns, host_granule_ns; /* after ordo_devices_settle */
    bool is_assumed; /* some call is assumed to have waited, because it does not state its device or stream */
    bool has_line;
    struct ordo_device_line line;
};

struct ordo_devices {
    struct ordo_device *all;
    size_t count, room;
    struct ordo_names keys, tracks; /* keys of devices; rows of the file on which devices have work */
    int32_t *of_track;              /* of each track: index of its device */
    size_t track_room;
    struct ordo_unit *hosts; /* readings of the host's clock of each file */
    size_t host_room;
    struct ordo_works works;
    size_t corrected; /* number of devices that are corrected */
};

/** The times of one reading of a device's clock by its host's clock. */
struct ordo_device_place {
    int64_t time_ns;
    int64_t earliest_ns, latest_ns; /* INT64_MIN, INT64_MAX: there is no bound */
};

/** Takes an event of a file. Sets event->device.index if it is the work of a device. Returns 0, or -1 if out of
 * memory. */
int ordo_devices_take(struct ordo_devices *devices, int file, struct ordo_event *event);

/** Finds the clock of every device, after the last event. If `leaves`, no device is corrected.
 * ORDO_E_SYSTEM: out of memory. */
int ordo_devices_settle(struct ordo_devices *devices, const struct ordo_declared *declared, bool leaves,
                        struct ordo_error *error);

/** Returns the device on whose clock an event is, if this clock is corrected; otherwise NULL. */
const struct ordo_device *ordo_devices_of(const struct ordo_devices *devices, int file, const struct ordo_event *event);

/** Returns the call that launched the work of an event; NULL if it is not certain or not in the trace. */
const struct ordo_work_call *ordo_devices_launch(const struct ordo_devices *devices, int file,
                                                 const struct ordo_event *event);

/** Places a reading of a device's clock. */
struct ordo_device_place ordo_device_place(const struct ordo_device *device, int64_t time_ns);

/** Returns the word for a verdict. */
const char *ordo_device_verdict_word(enum ordo_device_verdict verdict);
void ordo_devices_free(struct ordo_devices *devices);

#endif
