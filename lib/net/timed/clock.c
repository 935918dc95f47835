#include "net/timed/clock.h"

#include <string.h>

/* For the measurement and the rounding of tick_hz. A larger error is part of [P2]: ordo_record_check_rate finds it only
 * after it has made 20 ms. */
static const double hz_error_ppm = 2;

static void use_rate(struct ordo_timed_clock *clock, uint64_t hz)
{
    clock->tick_hz = hz;
    clock->tick_ns_32 = (UINT64_C(1000000000) << 32) / hz;
}

static int open_counter(struct ordo_timed_clock *clock, const char *path, struct ordo_error *error)
{
    struct ordo_record_view view;
    int code = ordo_open_error(&clock->handle, path, error);
    if (code)
        return code;
    if (ordo_record_parse(clock->handle.record, (size_t)clock->handle.record_bytes, &view)) {
        ordo_close(&clock->handle);
        return ordo_error_set(error, ORDO_E_SUPERSEDED, 0, "the boundary record changed just now: start again");
    }
    clock->id = ORDO_CLOCK_ID;
    use_rate(clock, ordo_tick_hz(&clock->handle));
    clock->rate_ppm += hz_error_ppm;
    clock->boundary = clock->handle.generation;
    clock->boundary_ns = (int64_t)ordo_ticks_to_ns(&clock->handle, ordo_boundary(&clock->handle)) + 1;
    memcpy(clock->cpus, view.cpus, view.cpus_bytes < sizeof clock->cpus ? view.cpus_bytes : sizeof clock->cpus);
    return ORDO_OK;
}

static void use_kernel(struct ordo_timed_clock *clock, int64_t stamp_ns)
{
    clock->id = ORDO_CLOCK_MONOTONIC_RAW;
    use_rate(clock, 1000000000);
    clock->boundary_ns = stamp_ns;
    memset(clock->cpus, 0xff, sizeof clock->cpus);
}

int ordo_timed_clock_open(struct ordo_timed_clock *clock, enum ordo_timed_kind kind, const char *path, double rate_ppm,
                          int64_t stamp_ns, struct ordo_error *error)
{
    char offsets[256];
    int code = kind == ORDO_TIMED_KERNEL ? ORDO_OK : -1;
    *clock = (struct ordo_timed_clock){.rate_ppm = rate_ppm};
    if (ordo_record_read_text("/proc/self/timens_offsets", offsets, sizeof offsets) >= 0)
        clock->shift_ns = ordo_record_namespace_ns(offsets, "monotonic");
    if (kind != ORDO_TIMED_KERNEL)
        code = open_counter(clock, path, error);
    if (code && kind == ORDO_TIMED_COUNTER)
        return code;
    if (!clock->handle.record)
        use_kernel(clock, stamp_ns);
    return ORDO_OK;
}

void ordo_timed_clock_close(struct ordo_timed_clock *clock)
{
    ordo_close(&clock->handle);
}

uint64_t ordo_timed_clock_ticks(const struct ordo_timed_clock *clock)
{
    if (clock->id == ORDO_CLOCK_ID)
        return ordo_clock_read();
    return (uint64_t)(ordo_now_kernel_ns(4) - clock->shift_ns); /* CLOCK_MONOTONIC_RAW */
}

int64_t ordo_timed_clock_ns(const void *context)
{
    const struct ordo_timed_clock *clock = context;
    return ordo_timed_clock_ns_of(clock, ordo_timed_clock_ticks(clock));
}

bool ordo_timed_wall_read(const struct ordo_timed_clock *clock, int64_t *wall_ns)
{
    for (int i = 0; i < 64; i++) {
        int64_t tick_ns = ordo_now_tick_ns(), real_ns = ordo_now_kernel_ns(5); /* CLOCK_REALTIME_COARSE */
        *wall_ns = real_ns - tick_ns + clock->shift_ns;
        if (ordo_now_tick_ns() == tick_ns) /* else a tick came between the two */
            return true;
    }
    return false;
}

bool ordo_timed_era_read(const struct ordo_timed_clock *clock, struct ordo_timed_era *era)
{
    const int64_t narrow_ns = 100000;
    struct ordo_record_moment now;
    if (!ordo_timed_wall_read(clock, &era->wall_ns))
        return false;
    for (int i = 0; i < 16; i++) {
        if (ordo_record_now(&now) || now.raw_ns < 0)
            return false;
        era->suspended_ns = (struct ordo_interval){now.suspended_low_ns, now.suspended_high_ns};
        if (now.suspended_high_ns - now.suspended_low_ns < narrow_ns)
            return true;
    }
    return false;
}
