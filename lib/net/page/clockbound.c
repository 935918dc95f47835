#include "net/page/clockbound.h"

#include <math.h>
#include <string.h>

const struct ordo_net_page_form ordo_net_clockbound_form = {.writer = "clockbound",
                                                            .least = ORDO_NET_CLOCKBOUND_BYTES,
                                                            .counter_at = 14,
                                                            .counter_bytes = 2,
                                                            .counter_first = 1};
const struct ordo_net_page_form ordo_net_clockbound3_form = {.writer = "clockbound",
                                                             .least = ORDO_NET_CLOCKBOUND3_BYTES,
                                                             .counter_at = 14,
                                                             .counter_bytes = 2,
                                                             .counter_first = 1};

static const int64_t most_s = 4000000000, most_bound_ns = INT64_C(1000000000000000), since_1970_s = 1000000000,
                     blur_ns = 20000000; /* CLOCK_MONOTONIC_COARSE may lag by two ticks of 10 ms */

/* Reads a timespec, and makes nanoseconds of it. False if it is out of range. */
static bool read_moment(const unsigned char *at, int64_t *ns)
{
    int64_t seconds = (int64_t)ordo_net_page_number(at, 8), rest_ns = (int64_t)ordo_net_page_number(at + 8, 8);
    bool sane = seconds >= 0 && seconds <= most_s && rest_ns >= 0 && rest_ns < 1000000000;
    *ns = sane ? seconds * 1000000000 + rest_ns : 0;
    return sane;
}

static double real_number(const unsigned char *at)
{
    double value;
    memcpy(&value, at, sizeof value);
    return value;
}

static bool read_processor_counter(const unsigned char *bytes, struct ordo_net_clockbound *page)
{
    page->as_of_ticks = ordo_net_page_number(bytes + 16, 8);
    page->period_s = real_number(bytes + 56);
    page->period_error_s = real_number(bytes + 64);
    return isfinite(page->period_s) && page->period_s >= 0 && page->period_s < 1 && isfinite(page->period_error_s) &&
           page->period_error_s >= 0 && page->period_error_s < 1;
}

static int check_page_head(const unsigned char *bytes, int layout, const char *path, struct ordo_error *error)
{
    size_t count = (size_t)ordo_net_page_number(bytes + 8, 4);
    if (ordo_net_page_number(bytes, 4) != 0x414d5a4e || ordo_net_page_number(bytes + 4, 4) != 0x43420200)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.120s: is no page of clockbound: name another", path);
    if (bytes[12] > layout || (bytes[13] ? bytes[13] : bytes[12]) < layout)
        return ordo_error_set(error, ORDO_E_LAYOUT, 0, "%.110s: has layout %u to %u, and not %d: name another page",
                              path, bytes[12], bytes[13] ? bytes[13] : bytes[12], layout);
    size_t least = layout == 3 ? ORDO_NET_CLOCKBOUND3_BYTES : ORDO_NET_CLOCKBOUND_BYTES;
    if (count < least || count > 1048576)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.110s: says that it has %zu bytes, and not %zu", path,
                              count, least);
    return ORDO_OK;
}

int ordo_net_clockbound_parse(const unsigned char *bytes, int layout, const char *path,
                              struct ordo_net_clockbound *page, struct ordo_error *error)
{
    *page = (struct ordo_net_clockbound){.layout = layout};
    int code = check_page_head(bytes, layout, path, error);
    if (code)
        return code;
    const unsigned char *times = bytes + (layout == 3 ? 24 : 16), *rest = bytes + (layout == 3 ? 72 : 48);
    bool sane = read_moment(times, &page->as_of_ns) && read_moment(times + 16, &page->void_after_ns) &&
                (layout != 3 || read_processor_counter(bytes, page));
    uint64_t status = ordo_net_page_number(rest + 20, 4);
    page->bound_ns = (int64_t)ordo_net_page_number(rest, 8);
    page->marker = ordo_net_page_number(rest + 8, 8);
    page->drift_ppb = (int64_t)ordo_net_page_number(rest + 16, 4);
    page->status = (enum ordo_net_clockbound_status)status;
    page->notices = rest[24] != 0;
    if (sane && page->bound_ns >= 0 && page->bound_ns <= most_bound_ns && status <= ORDO_NET_CLOCKBOUND_DISRUPTED &&
        page->drift_ppb <= 1000000000)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                          "%.120s: has a field out of range: restart clockbound, so that it writes the page anew",
                          path);
}

bool ordo_net_clockbound_counts(const struct ordo_net_clockbound *page)
{
    return page->layout == 3 && page->period_s > 0 && page->as_of_ns / 1000000000 >= since_1970_s;
}

int ordo_net_clockbound_bound(const struct ordo_net_clockbound *page, int64_t now_ns, const char *path,
                              int64_t *bound_ns, struct ordo_error *error)
{
    int64_t age_ns = now_ns - page->as_of_ns;
    if (page->status == ORDO_NET_CLOCKBOUND_DISRUPTED)
        return ordo_error_set(error, ORDO_E_DISRUPTED, 0, "%.120s: says that the clock was disrupted", path);
    if (page->status == ORDO_NET_CLOCKBOUND_UNKNOWN)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: says that the clock is not synchronised", path);
    if (now_ns > page->void_after_ns)
        return ordo_error_set(error, ORDO_E_EXPIRED, 0, "%.110s: is void since %.0f s: see that clockbound runs", path,
                              (double)(now_ns - page->void_after_ns) * 1e-9);
    if (age_ns < -blur_ns)
        return ordo_error_set(error, ORDO_E_EXPIRED, 0,
                              "%.110s: is from %.1f s in the future, so from another boot: restart clockbound", path,
                              (double)-age_ns * 1e-9);
    double growth_ns = ceil((double)(age_ns > 0 ? age_ns : 0) * (double)page->drift_ppb * 1e-9);
    *bound_ns = page->bound_ns + (int64_t)growth_ns;
    return ORDO_OK;
}

bool ordo_net_clockbound_at(const struct ordo_net_clockbound *page, uint64_t ticks, struct ordo_interval *utc_ns)
{
    if (ticks < page->as_of_ticks)
        return false;
    double passed = (double)(ticks - page->as_of_ticks), passed_ns = passed * page->period_s * 1e9;
    double error_ns = passed * page->period_error_s * 1e9 + passed_ns * (double)page->drift_ppb * 1e-9;
    if (!(passed_ns < 1e15) || !(error_ns < 1e15))
        return false;
    utc_ns->low = page->as_of_ns + (int64_t)floor(passed_ns - error_ns) - page->bound_ns;
    utc_ns->high = page->as_of_ns + (int64_t)ceil(passed_ns + error_ns) + page->bound_ns;
    return true;
}
