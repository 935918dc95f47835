#include "ordo-trace/devices.h"

#include <inttypes.h>
#include <math.h>

#include "base/plural.h"

enum { DEVICES_MOST = 64 }; /* that are printed */

/* Returns the drift in ppb that corresponds to a slope of the offset by the device's clock. */
static double ppb_of(double slope)
{
    return slope * 1e9;
}

static double likely_drift(const struct ordo_device *device)
{
    const struct ordo_device_line *line = &device->line;
    double span_ns = (double)(line->limits.until_ns - line->limits.from_ns);
    return span_ns > 0 ? ppb_of((line->likely_until - line->likely_from) / span_ns) : 0;
}

static void print_interval(const struct ordo_device *device, FILE *stream)
{
    int64_t low_ns, high_ns;
    bool has_low = ordo_device_line_low(&device->line, device->first_ns, &low_ns);
    bool has_high = ordo_device_line_high(&device->line, device->first_ns, &high_ns);
    if (has_low && has_high)
        fprintf(stream, "; offset from %" PRId64 " to %" PRId64 " ns at first", low_ns, high_ns);
    else if (has_low)
        fprintf(stream, "; offset at least %" PRId64 " ns at first", low_ns);
    else if (has_high)
        fprintf(stream, "; offset at most %" PRId64 " ns at first", high_ns);
    fprintf(stream, ", drift from %.0f to %.0f ppb", ppb_of(device->line.rate_low), ppb_of(device->line.rate_high));
}

static void print_verdict(const struct ordo_device *device, FILE *stream)
{
    switch (device->verdict) {
    case ORDO_DEVICE_CORRECTED:
        fprintf(stream, "; moved by %" PRId64 " ns at first, drift %.0f ppb\n",
                -ordo_device_line_likely(&device->line, device->first_ns), likely_drift(device));
        break;
    case ORDO_DEVICE_AGREES:
        fprintf(stream, "; agrees with its host, left as it is\n");
        break;
    case ORDO_DEVICE_LEFT:
        fprintf(stream, "; left as it is, though no offset of 0 is possible\n");
        break;
    case ORDO_DEVICE_CONTRADICTS:
        fprintf(stream, "; %s, left as it is\n",
                device->has_line ? "moving it leaves no fewer contradictions" : "no straight line meets all bounds");
        break;
    default:
        fprintf(stream, "; no launch and no synchronisation of it is in the trace, left as it is\n");
    }
}

static void print_device(const struct ordo_device *device, FILE *stream)
{
    fprintf(stream,
            "device: rank %d, device %lld: %" PRIu64 " kernel%s, %" PRIu64
            " without launch; begun before the launch: %" PRIu64 " before, %" PRIu64
            " after; ended after a synchronisation returned: %" PRIu64 " before, %" PRIu64 " after",
            device->rank, (long long)device->number, device->works, ordo_plural((int64_t)device->works),
            device->works - device->launched, device->before.early, device->after.early, device->before.late,
            device->after.late);
    if (device->has_line && device->verdict != ORDO_DEVICE_UNKNOWN)
        print_interval(device, stream);
    print_verdict(device, stream);
}

void devices_print(const struct ordo_correct_report *report, FILE *stream)
{
    const struct ordo_devices *devices = &report->devices;
    const struct ordo_works *works = &devices->works;
    for (size_t i = 0; i < devices->count && i < DEVICES_MOST; i++)
        print_device(&devices->all[i], stream);
    if (devices->count > DEVICES_MOST)
        fprintf(stream, "device: %zu more are in the report in JSON\n", devices->count - DEVICES_MOST);
    if (devices->count > 0 && works->launches_alone > 0)
        fprintf(stream, "devices: %" PRIu64 " launch%s without a kernel; the first at row %" PRIu64 "\n",
                works->launches_alone, works->launches_alone == 1 ? "" : "es", works->first_alone_row);
    if (devices->count > 0 && works->waits_unused > 0)
        fprintf(stream,
                "devices: %" PRIu64 " synchronisation%s not used, because the device or the stream is not certain; the "
                "first at row %" PRIu64 "\n",
                works->waits_unused, ordo_plural((int64_t)works->waits_unused), works->first_unused_row);
    if (devices->count > 0 && works->mixed > 0)
        fprintf(
            stream,
            "devices: calls of several processes of a file have one correlation: no launch of such a file is used\n");
    if (devices->count > 0 && works->waits_assumed > 0)
        fprintf(stream,
                "devices: %" PRIu64 " synchronisation%s taken to be of the only device or stream of the process\n",
                works->waits_assumed, ordo_plural((int64_t)works->waits_assumed));
}

static struct ordo_json violations_json(const struct ordo_device_violations *violations)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_int(&object, "begun_before_launch", (int64_t)violations->early);
    ordo_json_put_int(&object, "ended_after_synchronisation", (int64_t)violations->late);
    return object;
}

/* Puts the interval of the offset at the first event; without a bound, null. */
static void put_interval(struct ordo_json *object, const struct ordo_device *device)
{
    int64_t low_ns, high_ns;
    bool some = device->has_line && device->verdict != ORDO_DEVICE_UNKNOWN;
    if (some && ordo_device_line_low(&device->line, device->first_ns, &low_ns))
        ordo_json_put_int(object, "offset_low_ns", low_ns);
    else
        ordo_json_put_real(object, "offset_low_ns", NAN);
    if (some && ordo_device_line_high(&device->line, device->first_ns, &high_ns))
        ordo_json_put_int(object, "offset_high_ns", high_ns);
    else
        ordo_json_put_real(object, "offset_high_ns", NAN);
    ordo_json_put_real(object, "drift_low_ppb", some ? ppb_of(device->line.rate_low) : NAN);
    ordo_json_put_real(object, "drift_high_ppb", some ? ppb_of(device->line.rate_high) : NAN);
}

static struct ordo_json device_json(const struct ordo_device *device)
{
    struct ordo_json object = ordo_json_object();
    bool moved = device->verdict == ORDO_DEVICE_CORRECTED;
    ordo_json_put_int(&object, "rank", device->rank);
    ordo_json_put_int(&object, "device", device->number);
    ordo_json_put_text(&object, "verdict", ordo_device_verdict_word(device->verdict));
    ordo_json_put_int(&object, "kernels", (int64_t)device->works);
    ordo_json_put_int(&object, "kernels_without_launch", (int64_t)(device->works - device->launched));
    ordo_json_put_int(&object, "kernels_synchronised", (int64_t)device->waited);
    ordo_json_put_bool(&object, "assumes_only_stream", device->is_assumed);
    ordo_json_put(&object, "violations_before", violations_json(&device->before));
    ordo_json_put(&object, "violations_after", violations_json(&device->after));
    put_interval(&object, device);
    ordo_json_put_int(&object, "offset_ns", moved ? ordo_device_line_likely(&device->line, device->first_ns) : 0);
    ordo_json_put_real(&object, "drift_ppb", moved ? likely_drift(device) : 0);
    return object;
}

struct ordo_json devices_json(const struct ordo_correct_report *report)
{
    const struct ordo_devices *devices = &report->devices;
    struct ordo_json object = ordo_json_object(), all = ordo_json_array();
    for (size_t i = 0; i < devices->count; i++)
        ordo_json_add(&all, device_json(&devices->all[i]));
    ordo_json_put(&object, "all", all);
    ordo_json_put_int(&object, "launches_without_kernel", (int64_t)devices->works.launches_alone);
    ordo_json_put_int(&object, "synchronisations", (int64_t)devices->works.waits_used);
    ordo_json_put_int(&object, "synchronisations_assumed", (int64_t)devices->works.waits_assumed);
    ordo_json_put_int(&object, "synchronisations_unused", (int64_t)devices->works.waits_unused);
    return object;
}
