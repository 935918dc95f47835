/* The calls of the host for its devices and the work of the devices, and the calls that waited for the work. */
#ifndef ORDO_TRACE_DEVICE_WORK_H
#define ORDO_TRACE_DEVICE_WORK_H

#include "trace/event/names.h"

enum { ORDO_WORK_NONE = -1 };

/** A call of the host. Times are by the host's clock. */
struct ordo_work_call {
    uint64_t correlation,
        record;               /* `record`: correlation of the call that recorded the event for which this one waits */
    int64_t begin_ns, end_ns; /* end_ns: INT64_MAX if not known */
    int64_t device, stream;   /* for which it waits; ORDO_WORK_NONE: not stated */
    uint64_t row;
    int32_t file, rank;
    uint32_t thread, process; /* process: UINT32_MAX if several calls have this correlation, and one waits */
    uint8_t waits;            /* enum ordo_device_wait */
    bool launches, has_work;
};

/** Work of a device. Times are by the device's clock. */
struct ordo_work {
    uint64_t correlation;
    int64_t begin_ns, end_ns, stream;
    int64_t call;   /* index of the call that launched it; ORDO_WORK_NONE: not in the trace */
    int32_t device; /* index of the device */
    int32_t file;
    bool reads;
    bool is_stated;            /* some call that waited for it states so, and not only its correlation */
    int64_t stated_ns, any_ns; /* the earliest return of a call that waited for it; INT64_MAX: none */
};

/** A call that waits for all work of a stream or a device that was launched before cut_ns. */
struct ordo_work_wait {
    int32_t file;
    uint32_t process;
    int64_t device, stream; /* stream: ORDO_WORK_NONE for all */
    int64_t cut_ns, end_ns; /* end_ns: after ordo_works_settle, the least of this one and later ones of its kind */
};

struct ordo_work_waits {
    struct ordo_work_wait *all;
    size_t count, room;
};

struct ordo_works {
    struct ordo_work_call *calls;
    struct ordo_work *works;
    size_t call_count, call_room, work_count, work_room;
    uint32_t *slots; /* hash table of `size` slots by file and correlation; a slot holds a call's index + 1, or 0 */
    size_t size;
    struct ordo_work_call *notes;
    size_t note_count, note_room;
    struct ordo_names processes;
    struct ordo_work_process *of_process;
    size_t process_room;
    struct ordo_work_waits stated, assumed;
    uint64_t waits_used, waits_assumed, waits_unused, launches_alone;
    bool *is_mixed;                             /* of each file: calls of several processes have one correlation */
    size_t mixed_room, mixed;                   /* `mixed`: number of such files */
    uint64_t first_alone_row, first_unused_row; /* 0: none */
};

/** Take a call, a note or the work of a device. Return 0, or -1 if out of memory. */
int ordo_works_call(struct ordo_works *works, int file, const struct ordo_event *event);
int ordo_works_note(struct ordo_works *works, int file, const struct ordo_event *event);
int ordo_works_take(struct ordo_works *works, int file, int32_t device, const struct ordo_event *event);

/** Joins work to the call that launched it, and finds the calls that waited for it, after the last event. `number_of`
 * has the number of each device. A recorded end of a call is less than late_ns before the exact one. Returns 0, or -1 if
 * out of memory. */
int ordo_works_settle(struct ordo_works *works, const int64_t *number_of, int64_t late_ns);

/** Returns the call with a correlation; NULL if there is none. */
const struct ordo_work_call *ordo_works_find(const struct ordo_works *works, int file, uint64_t correlation);

/** True if calls of several processes of a file have one correlation, so that no work is joined to its call. */
bool ordo_works_mixed(const struct ordo_works *works, int file);

/** Frees what only ordo_works_settle needs. */
void ordo_works_shrink(struct ordo_works *works);
void ordo_works_free(struct ordo_works *works);

#endif
