#include "net/page/vmclock.h"

#include <endian.h>

const struct ordo_net_page_form ordo_net_vmclock_form = {
    .writer = "the hypervisor", .least = ORDO_NET_VMCLOCK_BYTES, .counter_at = 12, .counter_bytes = 4};

enum {
    TAI_VALID = 1 << 0,
    PERIOD_ERROR_VALID = 1 << 4,
    TIME_ERROR_VALID = 1 << 6,
    KIND_UTC = 0,
    KIND_TAI = 1,
    SYNCHRONIZED = 2,
    FREE_RUNNING = 3
};

static uint64_t eight(const unsigned char *at)
{
    return le64toh(ordo_net_page_number(at, 8));
}

int ordo_net_vmclock_parse(const unsigned char *bytes, const char *path, struct ordo_net_vmclock *page,
                           struct ordo_error *error)
{
    unsigned version = le16toh((uint16_t)ordo_net_page_number(bytes + 8, 2));
    if (le32toh((uint32_t)ordo_net_page_number(bytes, 4)) != 0x4b4c4356)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.120s: is no page of VMClock: name another", path);
    if (version != 1)
        return ordo_error_set(error, ORDO_E_LAYOUT, 0, "%.120s: has version %u, and not 1: use a newer ordo", path,
                              version);
    *page = (struct ordo_net_vmclock){.counter = bytes[10],
                                      .kind = bytes[11],
                                      .marker = eight(bytes + 16),
                                      .flags = eight(bytes + 24),
                                      .status = bytes[34],
                                      .tai_s = (int16_t)le16toh((uint16_t)ordo_net_page_number(bytes + 36, 2)),
                                      .leap = bytes[38],
                                      .shift = bytes[39],
                                      .ticks = eight(bytes + 40),
                                      .period = eight(bytes + 48),
                                      .period_error = eight(bytes + 64),
                                      .seconds = (int64_t)eight(bytes + 72),
                                      .fraction = eight(bytes + 80),
                                      .error_ns = (int64_t)eight(bytes + 96)};
    size_t count = le32toh((uint32_t)ordo_net_page_number(bytes + 4, 4));
    if (count >= ORDO_NET_VMCLOCK_BYTES && page->shift < 64 && page->seconds >= 0 && page->seconds < 4000000000 &&
        page->error_ns >= 0 && page->error_ns < INT64_C(1000000000000000))
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.120s: is no page of VMClock: a field is out of range", path);
}

static int check_claim(const struct ordo_net_vmclock *page, int counter, const char *path, struct ordo_error *error)
{
    const uint64_t needed = PERIOD_ERROR_VALID | TIME_ERROR_VALID;
    if (page->counter == 255)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: the hypervisor tells no time, only disruptions", path);
    if (page->counter != counter)
        return ordo_error_set(error, ORDO_E_CLOCK, 0, "%.120s: is about counter %d, which this program does not read",
                              path, page->counter);
    if (page->status != SYNCHRONIZED && page->status != FREE_RUNNING)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: says that its clock is not to be relied upon (%d)",
                              path, page->status);
    if ((page->flags & needed) != needed)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: tells a time, but not how wrong it may be", path);
    if (page->kind != KIND_UTC && !(page->kind == KIND_TAI && (page->flags & TAI_VALID)))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: tells a time from which UTC does not follow (%d)",
                              path, page->kind);
    return ORDO_OK;
}

/* Computes ticks * period in ns, rounded down. The product is below 2^128; its unit is 2^-(64 + shift) s. False if it is
 * 10^6 s or more. */
static bool span_ns(uint64_t ticks, uint64_t period, int shift, int64_t *ns)
{
    unsigned __int128 product = ((unsigned __int128)ticks * period) >> shift;
    uint64_t seconds = (uint64_t)(product >> 64), fraction = (uint64_t)product;
    *ns = (int64_t)(seconds % 1000000) * 1000000000 + (int64_t)(((unsigned __int128)fraction * 1000000000) >> 64);
    return seconds < 1000000;
}

int ordo_net_vmclock_at(const struct ordo_net_vmclock *page, uint64_t ticks, int counter, const char *path,
                        struct ordo_interval *utc_ns, struct ordo_error *error)
{
    int64_t passed_ns = 0, error_ns = 0;
    int code = check_claim(page, counter, path, error);
    if (code)
        return code;
    bool before = ticks < page->ticks;
    uint64_t apart = before ? page->ticks - ticks : ticks - page->ticks;
    if (!span_ns(apart, page->period, page->shift, &passed_ns) ||
        !span_ns(apart, page->period_error, page->shift, &error_ns))
        return ordo_error_set(error, ORDO_E_EXPIRED, 0,
                              "%.110s: is more than 10^6 s from the present counter: the guest was moved, or the "
                              "hypervisor no longer writes it",
                              path);
    int64_t base_ns = page->seconds * 1000000000 + (int64_t)(((unsigned __int128)page->fraction * 1000000000) >> 64);
    int64_t time_ns = base_ns + (before ? -passed_ns : passed_ns);
    time_ns -= page->kind == KIND_TAI ? page->tai_s * 1000000000 : 0;
    error_ns += page->error_ns + 2; /* 2: the times above are rounded down */
    *utc_ns = (struct ordo_interval){time_ns - error_ns, time_ns + error_ns};
    return ORDO_OK;
}
