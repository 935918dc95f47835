/* model-devices SEEDS [FIRST]: random traces of hosts and their devices, from which events were dropped. The offset of every
 * device must be within the bounds that lib/trace/device proves, and every moved event within its earliest and latest time.
 *
 * The host's clock is true time. A device's clock is off by a line and, within the declared wander, by a parabola. Exit 1
 * with a line "seed N: ..." for a bound that excludes the truth. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "trace/device/devices.h"

enum { DEVICES = 3, STREAMS = 3, THREADS = 3, KERNELS = 400, NOTHING = -1 };

struct kernel {
    double begin_ns, end_ns; /* by the host's clock */
    double launched_ns;      /* when its call had returned */
    int process, device, stream;
    int64_t reading_ns, length_ns; /* by the device's clock */
    bool is_dropped;
};

struct model {
    uint64_t random;
    int processes, devices, streams, kernel_count;
    double span_ns, slow_ns; /* slow_ns: least time from a launch to its kernel */
    int64_t host_granule_ns, granule_ns;
    bool has_notes, has_losses;
    bool shares; /* launches are between two other calls with their correlation */
    double offset[DEVICES], rate[DEVICES], bend[DEVICES]; /* offset + rate t + bend t^2, t counts from the middle */
    struct kernel kernels[KERNELS];
    double thread_ns[THREADS], free_ns[DEVICES][STREAMS];
    double record_ns[THREADS][DEVICES][STREAMS]; /* the last record of an event; 0: none */
    uint64_t record[THREADS][DEVICES][STREAMS];
    uint64_t correlation[THREADS]; /* of each process */
    bool is_mixed;                 /* both processes count from 1 */
    struct ordo_devices found;
};

struct sums {
    uint64_t kernels, corrected, agreeing, closed, contradictory;
    double width_ns;
};

static double between(struct model *model, double least, double most)
{
    return least + (most - least) * ordo_random_unit(&model->random);
}

static int below(struct model *model, int count)
{
    return (int)(ordo_random_next(&model->random) % (uint64_t)count);
}

/* Returns a delay that is often 0, so that bounds are tight. */
static double delay(struct model *model, double most_ns)
{
    return below(model, 3) ? between(model, 0, most_ns) : 0;
}

static double offset_at(const struct model *model, int device, double host_ns)
{
    double at = host_ns - model->span_ns / 2;
    return model->offset[device] + model->rate[device] * at + model->bend[device] * at * at;
}

static int64_t read_at(double ns, int64_t granule_ns)
{
    return (int64_t)floor(ns / (double)granule_ns) * granule_ns;
}

static void take(struct model *model, int role, int process, int64_t begin_ns, int64_t length_ns,
                 struct ordo_device_event device)
{
    device.role = (uint8_t)role;
    device.process = (uint32_t)process;
    struct ordo_event event = {.kind = ORDO_EVENT_SPAN,
                               .time_ns = begin_ns,
                               .duration_ns = length_ns,
                               .thread = (uint32_t)(10 * device.device + device.stream),
                               .device = device};
    if (model->has_losses && role != ORDO_DEVICE_WORK && below(model, 10) == 0)
        return;
    if (ordo_devices_take(&model->found, 0, &event))
        abort();
}

static void take_call(struct model *model, int process, double begin_ns, double end_ns, uint64_t correlation, int waits)
{
    int64_t begin = read_at(begin_ns, model->host_granule_ns);
    take(model, ORDO_DEVICE_CALL, process, begin, read_at(end_ns - begin_ns, model->host_granule_ns),
         (struct ordo_device_event){.correlation = correlation, .device = -1, .stream = -1, .waits = (uint8_t)waits});
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* Makes a call that launches nothing and has a correlation of a launch. Returns when the next call begins. */
static double share(struct model *model, int process, double at_ns, uint64_t correlation)
{
    double end = at_ns + between(model, 200, 3000);
    take_call(model, process, at_ns, end, correlation, ORDO_WAIT_NONE);
    return end + between(model, 0, 20000);
}

/* Launches a kernel or a copy. Returns when its call returns. */
static double launch(struct model *model, int process, int device, int stream, double at_ns, int kind)
{
    struct kernel *kernel = &model->kernels[model->kernel_count++];
    uint64_t correlation = ++model->correlation[process];
    bool shares = model->shares && kind > 1, waits = kind == 0,
         reads = kind == 0; /* a blocking copy to the host; kind 1: to the device */
    if (shares)
        at_ns = share(model, process, at_ns, correlation);
    double begin = later(at_ns + model->slow_ns + delay(model, 5000), model->free_ns[device][stream]);
    double end = begin + between(model, 500, 40000);
    double returned = waits ? end + delay(model, 3000) : at_ns + between(model, 500, 9000);
    *kernel = (struct kernel){begin, end, returned, process, device, stream, 0, 0, false};
    kernel->reading_ns = read_at(begin + offset_at(model, device, begin), model->granule_ns);
    kernel->length_ns =
        read_at(end + offset_at(model, device, end) - begin - offset_at(model, device, begin), model->granule_ns);
    kernel->is_dropped = model->has_losses && below(model, 8) == 0;
    model->free_ns[device][stream] = end;
    take_call(model, process, at_ns, returned, correlation, kind < 2 ? ORDO_WAIT_COPY : ORDO_WAIT_NONE);
    if (!kernel->is_dropped)
        take(
            model, ORDO_DEVICE_WORK, process, kernel->reading_ns, kernel->length_ns,
            (struct ordo_device_event){.correlation = correlation, .device = device, .stream = stream, .reads = reads});
    return shares ? share(model, process, returned, correlation) : returned;
}

/* Returns the end of the last kernel that a call waits for: those launched before cut_ns on a stream, or on all of them. */
static double end_of_waited(const struct model *model, int process, int device, int stream, double cut_ns)
{
    double end = 0;
    for (int i = 0; i < model->kernel_count; i++) {
        const struct kernel *kernel = &model->kernels[i];
        if (kernel->process == process && kernel->device == device && (stream == NOTHING || kernel->stream == stream) &&
            kernel->launched_ns <= cut_ns)
            end = later(end, kernel->end_ns);
    }
    return end;
}

/* Waits for a stream, a device or an event. Returns when the call returns. */
static double wait_for(struct model *model, int process, int device, int stream, double at_ns)
{
    int waits = ORDO_WAIT_STREAM + below(model, 3);
    double cut = at_ns;
    uint64_t correlation = ++model->correlation[process], record = 0;
    if (waits == ORDO_WAIT_EVENT) {
        cut = model->record_ns[process][device][stream];
        record = model->record[process][device][stream];
    }
    int of = waits == ORDO_WAIT_DEVICE ? NOTHING : stream;
    double end = later(at_ns + 100, end_of_waited(model, process, device, of, cut)) + delay(model, 3000);
    take_call(model, process, at_ns, end, correlation, waits);
    if (model->has_notes)
        take(model, ORDO_DEVICE_NOTE, process, read_at(at_ns, 1), 10,
             (struct ordo_device_event){.correlation = correlation, .record = record, .device = device, .stream = of});
    return end;
}

static double record_event(struct model *model, int process, int device, int stream, double at_ns)
{
    uint64_t correlation = ++model->correlation[process];
    double end = at_ns + between(model, 200, 3000);
    take_call(model, process, at_ns, end, correlation, ORDO_WAIT_NONE);
    model->record_ns[process][device][stream] = at_ns;
    model->record[process][device][stream] = correlation;
    return end;
}

static int earliest_thread(const struct model *model)
{
    int first = 0;
    for (int i = 1; i < THREADS; i++)
        first = model->thread_ns[i] < model->thread_ns[first] ? i : first;
    return first;
}

static void run_threads(struct model *model)
{
    double step = model->span_ns / KERNELS * THREADS;
    while (model->kernel_count < KERNELS) {
        int thread = earliest_thread(model), process = thread % model->processes;
        int device = below(model, model->devices), stream = below(model, model->streams), kind = below(model, 12);
        double at = model->thread_ns[thread], end;
        if (kind < 8)
            end = launch(model, process, device, stream, at, kind);
        else if (kind < 10)
            end = record_event(model, process, device, stream, at);
        else
            end = wait_for(model, process, device, stream, at);
        model->thread_ns[thread] = end + (below(model, 2) ? between(model, 0, 20000) : between(model, 0, step));
    }
}

/* Takes a call of another host, whose clock is finer. */
static void take_other_file(struct model *model)
{
    struct ordo_event event = {
        .kind = ORDO_EVENT_SPAN, .time_ns = 1, .duration_ns = 1, .device = {.role = ORDO_DEVICE_CALL}};
    if (ordo_devices_take(&model->found, 1, &event))
        abort();
}

static void draw(struct model *model, uint64_t seed)
{
    static const int64_t granules[] = {1, 1, 32, 1000, 4096, 100000};
    *model = (struct model){.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
    struct ordo_declared declared = ordo_declared_defaults();
    model->processes = 1 + below(model, 2);
    model->devices = 1 + below(model, DEVICES);
    model->streams = 1 + below(model, STREAMS);
    model->span_ns = pow(10, between(model, 7, 11));
    model->host_granule_ns = granules[below(model, 6)];
    model->granule_ns = granules[below(model, 6)];
    model->slow_ns = below(model, 3) ? 0 : 200000;
    model->has_notes = below(model, 3) > 0;
    model->has_losses = below(model, 3) == 0;
    model->shares = !model->has_losses && below(model, 2);
    model->is_mixed = model->processes > 1 && below(model, 2);
    model->correlation[1] = model->is_mixed ? 0 : 1000000;
    if (below(model, 2))
        take_other_file(model);
    for (int i = 0; i < THREADS; i++)
        model->thread_ns[i] = 1000000 + between(model, 0, 10000);
    for (int i = 0; i < model->devices; i++) {
        model->offset[i] = below(model, 3) ? between(model, -1, 1) * pow(10, between(model, 3, 8)) : 0;
        model->rate[i] = model->offset[i] != 0 && below(model, 2) ? between(model, -1, 1) * 4e-4 : 0;
        /* Both clocks may wander by the declared limit in a minute. */
        double wander = declared.max_wander_ppb * 1e-9 * between(model, -1, 1);
        model->bend[i] = model->offset[i] != 0 ? wander / fmax(model->span_ns * 1.5, 60e9) : 0;
    }
}

/* Returns the number of kernels for which a bound excludes the truth. */
static uint64_t check(const struct model *model, struct sums *sums)
{
    uint64_t wrong = 0;
    for (int i = 0; i < KERNELS; i++) {
        const struct kernel *kernel = &model->kernels[i];
        if (kernel->is_dropped)
            continue;
        size_t at = 0;
        while (model->found.all[at].number != kernel->device)
            at++;
        const struct ordo_device *device = &model->found.all[at];
        struct ordo_device_place begins = ordo_device_place(device, kernel->reading_ns);
        struct ordo_device_place ends = ordo_device_place(device, kernel->reading_ns + kernel->length_ns);
        int64_t low, high;
        double offset = offset_at(model, kernel->device, kernel->begin_ns);
        bool has_low = ordo_device_line_low(&device->line, kernel->reading_ns, &low),
             has_high = ordo_device_line_high(&device->line, kernel->reading_ns, &high);
        bool is_wrong = (begins.earliest_ns != INT64_MIN && (double)begins.earliest_ns > kernel->begin_ns) ||
                        (begins.latest_ns != INT64_MAX && (double)begins.latest_ns + 1 < kernel->begin_ns) ||
                        (ends.earliest_ns != INT64_MIN && (double)ends.earliest_ns > kernel->end_ns) ||
                        (ends.latest_ns != INT64_MAX && (double)ends.latest_ns + 1 < kernel->end_ns) ||
                        (has_low && (double)low > offset) || (has_high && (double)high < offset);
        wrong += device->has_line && is_wrong;
        sums->kernels++;
        if (has_low && has_high) {
            sums->closed++;
            sums->width_ns += (double)(high - low);
        }
    }
    return wrong;
}

static uint64_t check_verdicts(const struct model *model, struct sums *sums)
{
    uint64_t worse = 0;
    for (size_t i = 0; i < model->found.count; i++) {
        const struct ordo_device *device = &model->found.all[i];
        sums->corrected += device->verdict == ORDO_DEVICE_CORRECTED;
        sums->agreeing += device->verdict == ORDO_DEVICE_AGREES;
        sums->contradictory += device->verdict == ORDO_DEVICE_CONTRADICTS;
        worse += device->verdict == ORDO_DEVICE_CORRECTED &&
                 device->after.early + device->after.late >= device->before.early + device->before.late;
        worse += !device->has_line;
    }
    return worse;
}

static bool run(uint64_t seed, struct sums *sums)
{
    static struct model model;
    struct ordo_declared declared = ordo_declared_defaults();
    draw(&model, seed);
    run_threads(&model);
    if (ordo_devices_settle(&model.found, &declared, false, NULL))
        abort();
    uint64_t wrong = check(&model, sums), worse = check_verdicts(&model, sums);
    if (wrong + worse > 0)
        printf("seed %" PRIu64 ": bounds of %" PRIu64 " kernels exclude the truth, %" PRIu64
               " devices without a line or made worse\n",
               seed, wrong, worse);
    ordo_devices_free(&model.found);
    return wrong + worse == 0;
}

int main(int argc, char **argv)
{
    uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct sums sums = {0};
    for (uint64_t seed = first; seed < first + seeds; seed++)
        if (!run(seed, &sums))
            return 1;
    double width_ns = sums.closed > 0 ? sums.width_ns / (double)sums.closed : 0;
    printf("%" PRIu64 " traces, %" PRIu64 " kernels, %" PRIu64
           " bounded from both sides, on average %.0f ns wide; %" PRIu64 " devices corrected, %" PRIu64 " left\n",
           seeds, sums.kernels, sums.closed, width_ns, sums.corrected, sums.agreeing);
    if (sums.closed < sums.kernels / 2 ||
        sums.corrected < seeds / 2) { /* a program that claims nothing is always right */
        printf("seed %" PRIu64 ": too few bounds\n", first);
        return 1;
    }
    return 0;
}
