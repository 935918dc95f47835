/* [D1] Let a device's clock show t, and the host's clock show t - o(t) at this instant; o is the offset. If work begins
 *      when the device's clock shows b, and its call began when the host's showed c, then b - o(b) >= c by [V1] of
 *      device/work.c, so o(b) <= b - c. If work ends at e, and a call that waited for it returned at r, then
 *      e - o(e) <= r by [V3], so o(e) >= e - r.
 * [D2] A reading is less than a granule below the clock's exact value. An end is a begin plus a duration, which may both
 *      be rounded down, so a recorded end is less than two granules below the exact one. With the granules g of the device
 *      and h of the host, o(b) < b + g - c and o(e) > e - r - 2 h. The granules are those that the user declares, or else
 *      those that the digits show, which are never too fine ([U1] of clocks/unit.h). [U1] holds for the readings of one
 *      clock, so each file has its own h. Fewer than READINGS readings may show a coarse step by chance ([U2]); the step
 *      is then assumed to be at most GUESS_MOST.
 * [D3] Let T be the time from the device's first to its last event. Within it the offset differs from a line through its
 *      middle, whose rate is the average rate, by at most the change that the declared wander allows in T / 2. The rate is
 *      at most that of two clocks of the declared skew. All bounds are loosened by this difference, and so are the
 *      resulting bounds of the offset.
 * [D4] If no recorded time contradicts causality by more than the granules, the times stay as they are: a shift that
 *      nothing proves could make them worse. Otherwise the likely line meets the bounds without wander if some line
 *      does. It is used only if it leaves fewer contradictions than there were. */
#include "trace/device/devices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS = 10, GUESS_MOST = 1000 }; /* GUESS_MOST: the unit of Chrome's form */

/* Times and offsets that are farther from 0 are ignored, because their sums could overflow. */
#define TIME_MOST (INT64_MAX / 4)

const char *ordo_device_verdict_word(enum ordo_device_verdict verdict)
{
    static const char *const words[] = {"unknown", "agrees", "corrected", "contradictory", "left"};
    return words[verdict];
}

void ordo_devices_free(struct ordo_devices *devices)
{
    ordo_works_free(&devices->works);
    ordo_names_free(&devices->keys);
    ordo_names_free(&devices->tracks);
    free(devices->all);
    free(devices->of_track);
    free(devices->hosts);
    *devices = (struct ordo_devices){0};
}

/* Returns the index of the device of an event of work, and makes it if it is new; -1 if out of memory. */
static int64_t find_device(struct ordo_devices *devices, int file, const struct ordo_event *event)
{
    uint64_t key[3] = {(uint64_t)file, (uint64_t)event->rank, (uint64_t)event->device.device};
    uint32_t name = ordo_names_number(&devices->keys, (struct ordo_text){(const char *)key, sizeof key});
    if (name == UINT32_MAX || name > INT32_MAX)
        return -1;
    if (name < devices->count)
        return name;
    if (devices->count == devices->room) {
        size_t room = devices->room ? 2 * devices->room : 8;
        struct ordo_device *all = realloc(devices->all, room * sizeof *all);
        if (!all)
            return -1;
        devices->all = all;
        devices->room = room;
    }
    devices->all[devices->count++] = (struct ordo_device){
        .number = event->device.device, .file = file, .rank = event->rank, .first_ns = INT64_MAX, .last_ns = INT64_MIN};
    return name;
}

static struct ordo_text track_key(uint64_t key[2], int file, const struct ordo_event *event)
{
    key[0] = (uint64_t)file;
    key[1] = (uint64_t)(uint32_t)event->rank << 32 | event->thread;
    return (struct ordo_text){(const char *)key, 2 * sizeof *key};
}

/* Notes that a row of the file has work of a device. */
static int note_track(struct ordo_devices *devices, int file, int32_t device, const struct ordo_event *event)
{
    uint64_t key[2];
    uint32_t count = devices->tracks.count;
    uint32_t name = ordo_names_number(&devices->tracks, track_key(key, file, event));
    if (name == UINT32_MAX)
        return -1;
    if (name >= devices->track_room) {
        size_t room = 2 * (size_t)name + 16;
        int32_t *of = realloc(devices->of_track, room * sizeof *of);
        if (!of)
            return -1;
        devices->of_track = of;
        devices->track_room = room;
    }
    if (name == count)
        devices->of_track[name] = device;
    return 0;
}

static int take_work(struct ordo_devices *devices, int file, struct ordo_event *event)
{
    int64_t index = find_device(devices, file, event);
    if (index < 0 || note_track(devices, file, (int32_t)index, event))
        return -1;
    struct ordo_device *device = &devices->all[index];
    int64_t end_ns = event->time_ns + event->duration_ns;
    device->works++;
    device->first_ns = event->time_ns < device->first_ns ? event->time_ns : device->first_ns;
    device->last_ns = end_ns > device->last_ns ? end_ns : device->last_ns;
    ordo_unit_take(&device->unit, event->time_ns);
    event->device.index = (uint32_t)index + 1;
    return ordo_works_take(&devices->works, file, (int32_t)index, event);
}

/* Notes a reading of the host's clock of a file. */
static int note_host(struct ordo_devices *devices, int file, int64_t time_ns)
{
    size_t room = (size_t)file + 1;
    if (room > devices->host_room) {
        struct ordo_unit *hosts = realloc(devices->hosts, room * sizeof *hosts);
        if (!hosts)
            return -1;
        memset(hosts + devices->host_room, 0, (room - devices->host_room) * sizeof *hosts);
        devices->hosts = hosts;
        devices->host_room = room;
    }
    ordo_unit_take(&devices->hosts[file], time_ns);
    return 0;
}

int ordo_devices_take(struct ordo_devices *devices, int file, struct ordo_event *event)
{
    int64_t begin_ns = event->time_ns, end_ns = begin_ns + event->duration_ns;
    if (begin_ns < -TIME_MOST || end_ns > TIME_MOST)
        return 0;
    switch (event->device.role) {
    case ORDO_DEVICE_WORK:
        return take_work(devices, file, event);
    case ORDO_DEVICE_CALL:
        return note_host(devices, file, event->time_ns) ? -1 : ordo_works_call(&devices->works, file, event);
    case ORDO_DEVICE_NOTE:
        return ordo_works_note(&devices->works, file, event);
    default:
        return 0;
    }
}

/* [D2] Returns the granule of a clock, declared or inferred. */
static int64_t granule_of(const struct ordo_unit *unit, const struct ordo_declared *declared)
{
    int64_t step = ordo_unit_step(unit);
    if (declared->granule_ns != ORDO_GRANULE_OF_DIGITS)
        return declared->granule_ns > 1 ? declared->granule_ns : 1; /* times are whole ns */
    return unit->count >= READINGS || step < GUESS_MOST ? step : GUESS_MOST;
}

/* [D2] Sets the granules of all devices and of their hosts. Returns the coarsest granule of a host. */
static int64_t set_granules(struct ordo_devices *devices, const struct ordo_declared *declared)
{
    const struct ordo_unit none = {0};
    int64_t coarsest = 1;
    for (size_t i = 0; i < devices->count; i++) {
        struct ordo_device *device = &devices->all[i];
        bool has_calls = (size_t)device->file < devices->host_room;
        device->granule_ns = granule_of(&device->unit, declared);
        device->host_granule_ns = granule_of(has_calls ? &devices->hosts[device->file] : &none, declared);
        coarsest = device->host_granule_ns > coarsest ? device->host_granule_ns : coarsest;
    }
    return coarsest;
}

/* The bounds of the offset of one device. */
struct device_bounds {
    struct ordo_device_line_bounds above, stated, any;
};

static void free_device_bounds(struct device_bounds *bounds, size_t count)
{
    for (size_t i = 0; bounds && i < count; i++) {
        ordo_device_line_bounds_free(&bounds[i].above);
        ordo_device_line_bounds_free(&bounds[i].stated);
        ordo_device_line_bounds_free(&bounds[i].any);
    }
    free(bounds);
}

/* Adds a bound, unless the offset is more than 73 years. */
static int add_bound(struct ordo_device_line_bounds *bounds, int64_t at_ns, int64_t host_ns)
{
    int64_t offset_ns = at_ns - host_ns;
    return offset_ns > TIME_MOST || offset_ns < -TIME_MOST ? 0 : ordo_device_line_add(bounds, at_ns, offset_ns);
}

/* [D1] Adds the bounds by one work. */
static int bound_by_work(struct ordo_devices *devices, struct device_bounds *bounds, const struct ordo_work *work)
{
    struct ordo_device *device = &devices->all[work->device];
    int64_t late_ns = 2 * device->host_granule_ns; /* [D2] */
    struct device_bounds *of = &bounds[work->device];
    int failed = 0;
    if (work->call >= 0) {
        device->launched++;
        failed |= add_bound(&of->above, work->begin_ns, devices->works.calls[work->call].begin_ns - device->granule_ns);
    }
    if (work->stated_ns != INT64_MAX)
        failed |= add_bound(&of->stated, work->end_ns, work->stated_ns + late_ns);
    if (work->any_ns != INT64_MAX) {
        failed |= add_bound(&of->any, work->end_ns, work->any_ns + late_ns);
        device->is_assumed |= work->any_ns < work->stated_ns;
    }
    return failed;
}

static struct device_bounds *collect_bounds(struct ordo_devices *devices)
{
    struct device_bounds *bounds = calloc(devices->count + 1, sizeof *bounds);
    int failed = bounds ? 0 : -1;
    for (size_t i = 0; !failed && i < devices->works.work_count; i++)
        failed = bound_by_work(devices, bounds, &devices->works.works[i]);
    for (size_t i = 0; !failed && i < devices->count; i++) {
        ordo_device_line_reduce(&bounds[i].above, true);
        ordo_device_line_reduce(&bounds[i].stated, false);
        ordo_device_line_reduce(&bounds[i].any, false);
    }
    if (failed)
        free_device_bounds(bounds, devices->count);
    return failed ? NULL : bounds;
}

/* [D3] */
static struct ordo_device_line_limits line_limits_of(const struct ordo_device *device,
                                                     const struct ordo_declared *declared)
{
    double span_ns = (double)(device->last_ns - device->first_ns);
    return (struct ordo_device_line_limits){
        .from_ns = device->first_ns,
        .until_ns = device->last_ns,
        .rate = ordo_band_limit(declared),
        .loose_ns = ordo_declared_change(declared, 0, span_ns, span_ns / 2),
    };
}

/* [D4] Fits the line of a device. Returns false if no line meets the bounds. */
static bool fit_with(struct ordo_device *device, const struct device_bounds *of,
                     const struct ordo_device_line_bounds *below, const struct ordo_device_line_limits *limits)
{
    struct ordo_device_line_limits exact = *limits;
    struct ordo_device_line tight;
    exact.loose_ns = 0;
    if (!ordo_device_line_fit(&device->line, &of->above, below, limits))
        return false;
    if (ordo_device_line_fit(&tight, &of->above, below, &exact)) {
        device->line.likely_from = tight.likely_from;
        device->line.likely_until = tight.likely_until;
    }
    return true;
}

static void fit_device(struct ordo_device *device, struct device_bounds *of,
                       const struct ordo_device_line_limits *limits)
{
    device->has_line = fit_with(device, of, &of->any, limits);
    if (!device->has_line && device->is_assumed) { /* [V5] of device/work.c */
        device->is_assumed = false;
        device->has_line = fit_with(device, of, &of->stated, limits);
    }
    bool some = of->above.count > 0 || (device->is_assumed ? of->any.count : of->stated.count) > 0;
    device->verdict = !some ? ORDO_DEVICE_UNKNOWN : device->has_line ? ORDO_DEVICE_CORRECTED : ORDO_DEVICE_CONTRADICTS;
}

/* [D2] Counts the violations by one work, if the offset is the given one at its begin and its end. */
static void count_work(const struct ordo_devices *devices, const struct ordo_work *work, int64_t begins_by_ns,
                       int64_t ends_by_ns, struct ordo_device_violations *violations)
{
    const struct ordo_device *device = &devices->all[work->device];
    int64_t returned_ns = device->is_assumed ? work->any_ns : work->stated_ns;
    int64_t begin_ns = work->begin_ns - begins_by_ns, end_ns = work->end_ns - ends_by_ns;
    if (work->call >= 0)
        violations->early += begin_ns + device->granule_ns <= devices->works.calls[work->call].begin_ns;
    if (returned_ns != INT64_MAX)
        violations->late += end_ns - 2 * device->host_granule_ns >= returned_ns;
}

/* Counts the violations of every device: as recorded, and with the likely line. */
static void count_violations(struct ordo_devices *devices)
{
    for (size_t i = 0; i < devices->works.work_count; i++) {
        const struct ordo_work *work = &devices->works.works[i];
        struct ordo_device *device = &devices->all[work->device];
        device->waited += (device->is_assumed ? work->any_ns : work->stated_ns) != INT64_MAX;
        count_work(devices, work, 0, 0, &device->before);
        if (device->has_line)
            count_work(devices, work, ordo_device_line_likely(&device->line, work->begin_ns),
                       ordo_device_line_likely(&device->line, work->end_ns), &device->after);
    }
}

/* [D4] */
static void judge_device(struct ordo_device *device, bool leaves)
{
    uint64_t before = device->before.early + device->before.late, after = device->after.early + device->after.late;
    if (device->verdict == ORDO_DEVICE_CORRECTED && before == 0)
        device->verdict = ORDO_DEVICE_AGREES;
    else if (device->verdict == ORDO_DEVICE_CORRECTED && after >= before)
        device->verdict = ORDO_DEVICE_CONTRADICTS;
    else if (device->verdict == ORDO_DEVICE_CORRECTED && leaves)
        device->verdict = ORDO_DEVICE_LEFT;
    if (device->verdict != ORDO_DEVICE_CORRECTED)
        device->after = device->before;
}

static int settle_clocks(struct ordo_devices *devices, const struct ordo_declared *declared, bool leaves)
{
    struct device_bounds *bounds = collect_bounds(devices);
    if (!bounds)
        return -1;
    for (size_t i = 0; i < devices->count; i++) {
        struct ordo_device_line_limits limits = line_limits_of(&devices->all[i], declared);
        fit_device(&devices->all[i], &bounds[i], &limits);
    }
    count_violations(devices);
    for (size_t i = 0; i < devices->count; i++) {
        judge_device(&devices->all[i], leaves);
        devices->corrected += devices->all[i].verdict == ORDO_DEVICE_CORRECTED;
    }
    free_device_bounds(bounds, devices->count);
    return 0;
}

int ordo_devices_settle(struct ordo_devices *devices, const struct ordo_declared *declared, bool leaves,
                        struct ordo_error *error)
{
    int64_t *number_of = malloc((devices->count + 1) * sizeof *number_of);
    for (size_t i = 0; number_of && i < devices->count; i++)
        number_of[i] = devices->all[i].number;
    bool failed = !number_of || ordo_works_settle(&devices->works, number_of, 2 * set_granules(devices, declared)) ||
                  settle_clocks(devices, declared, leaves);
    free(number_of);
    ordo_works_shrink(&devices->works);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "%zu devices: out of memory", devices->count) : ORDO_OK;
}

const struct ordo_device *ordo_devices_of(const struct ordo_devices *devices, int file, const struct ordo_event *event)
{
    uint64_t key[3] = {(uint64_t)file, (uint64_t)event->rank, (uint64_t)event->device.device};
    uint32_t index = UINT32_MAX;
    if (devices->corrected == 0 || event->kind == ORDO_EVENT_META || event->device.role == ORDO_DEVICE_CALL ||
        event->device.role == ORDO_DEVICE_NOTE)
        return NULL;
    if (event->device.role == ORDO_DEVICE_WORK) {
        index = ordo_names_find(&devices->keys, (struct ordo_text){(const char *)key, sizeof key});
    } else {
        uint32_t track = ordo_names_find(&devices->tracks, track_key(key, file, event));
        index = track == UINT32_MAX ? UINT32_MAX : (uint32_t)devices->of_track[track];
    }
    const struct ordo_device *device = index == UINT32_MAX ? NULL : &devices->all[index];
    return device && device->verdict == ORDO_DEVICE_CORRECTED ? device : NULL;
}

const struct ordo_work_call *ordo_devices_launch(const struct ordo_devices *devices, int file,
                                                 const struct ordo_event *event)
{
    bool certain = event->device.role == ORDO_DEVICE_WORK && !ordo_works_mixed(&devices->works, file);
    return certain ? ordo_works_find(&devices->works, file, event->device.correlation) : NULL;
}

struct ordo_device_place ordo_device_place(const struct ordo_device *device, int64_t time_ns)
{
    int64_t low_ns, high_ns, until_ns = time_ns + 2 * device->granule_ns - 1; /* [D2] */
    struct ordo_device_place place = {time_ns - ordo_device_line_likely(&device->line, time_ns), INT64_MIN, INT64_MAX};
    place.time_ns = place.time_ns > TIME_MOST ? TIME_MOST : place.time_ns < -TIME_MOST ? -TIME_MOST : place.time_ns;
    if (ordo_device_line_high(&device->line, time_ns, &high_ns))
        place.earliest_ns = time_ns - high_ns;
    if (ordo_device_line_low(&device->line, time_ns, &low_ns))
        place.latest_ns = until_ns - low_ns;
    return place;
}
