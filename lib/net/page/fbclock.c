#include "net/page/fbclock.h"

#include <math.h>
#include <time.h>

const struct ordo_net_page_form ordo_net_fbclock_form = {.writer = "fbclock-daemon",
                                                         .least = ORDO_NET_FBCLOCK_BYTES,
                                                         .counter_at = 0,
                                                         .counter_bytes = 8,
                                                         .counter_first = 1};

static const int64_t most_ns = INT64_C(1) << 62, farthest_ns = 1000000000, smear_for_s = 62500, tai_minus_utc_s = 37;

static bool is_moment(int64_t ns)
{
    return ns > 0 && ns < most_ns;
}

static bool is_sane(const struct ordo_net_fbclock *page)
{
    bool clock = page->system_clock == CLOCK_REALTIME || page->system_clock == CLOCK_MONOTONIC_RAW;
    return clock && is_moment(page->ingress_ns) && is_moment(page->card_ns) && is_moment(page->system_ns) &&
           page->rate_ppb > -1000000000 && page->rate_ppb < 1000000000 && page->tai_before_s >= 0 &&
           page->tai_after_s >= 0 && page->smear_s >= 0 && page->smear_s < most_ns / 1000000000;
}

int ordo_net_fbclock_parse(const unsigned char *bytes, const char *path, struct ordo_net_fbclock *page,
                           struct ordo_error *error)
{
    uint64_t growth = ordo_net_page_number(bytes + 20, 4), bound = ordo_net_page_number(bytes + 16, 4);
    *page = (struct ordo_net_fbclock){.ingress_ns = (int64_t)ordo_net_page_number(bytes + 8, 8),
                                      .error_ns = (int64_t)bound,
                                      .growth_ns = (double)growth / 65536,
                                      .smear_s = (int64_t)ordo_net_page_number(bytes + 24, 8),
                                      .tai_before_s = (int16_t)ordo_net_page_number(bytes + 32, 2),
                                      .tai_after_s = (int16_t)ordo_net_page_number(bytes + 34, 2),
                                      .system_clock = (int)ordo_net_page_number(bytes + 36, 4),
                                      .card_ns = (int64_t)ordo_net_page_number(bytes + 40, 8),
                                      .system_ns = (int64_t)ordo_net_page_number(bytes + 48, 8),
                                      .rate_ppb = (int64_t)ordo_net_page_number(bytes + 56, 8)};
    if (bound == UINT32_MAX || growth == UINT32_MAX || bound == 0 || page->ingress_ns == 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%.120s: says that the daemon knows no bound: see that ptp4l is synchronised", path);
    if (!is_sane(page))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.120s: is no page of fbclock: a field is out of range",
                              path);
    return ORDO_OK;
}

/* Finds TAI - UTC. If the page has none, fbclock's own reader takes 37 s. */
static int find_tai(const struct ordo_net_fbclock *page, int64_t card_ns, const char *path, int64_t *tai_s,
                    struct ordo_error *error)
{
    int64_t card_s = card_ns / 1000000000;
    bool told = page->tai_before_s || page->tai_after_s;
    *tai_s = !told ? tai_minus_utc_s : card_s < page->smear_s ? page->tai_before_s : page->tai_after_s;
    bool smears = told && page->tai_before_s != page->tai_after_s && card_s >= page->smear_s &&
                  card_s <= page->smear_s + smear_for_s;
    if (smears)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%.120s: a leap second is being smeared, so that its time is not UTC", path);
    return ORDO_OK;
}

int ordo_net_fbclock_at(const struct ordo_net_fbclock *page, int64_t system_ns, const char *path,
                        struct ordo_interval *utc_ns, struct ordo_error *error)
{
    int64_t passed_ns = system_ns - page->system_ns, tai_s;
    if (passed_ns > farthest_ns || passed_ns < -farthest_ns)
        return ordo_error_set(error, ORDO_E_EXPIRED, 0, "%.110s: is void, written %.1f s ago: see that %s runs", path,
                              (double)passed_ns * 1e-9, ordo_net_fbclock_form.writer);
    int64_t card_ns = page->card_ns + passed_ns + passed_ns * page->rate_ppb / 1000000000;
    int code = find_tai(page, card_ns, path, &tai_s, error);
    if (code)
        return code;
    double held_s = fmax((double)(page->card_ns - page->ingress_ns) * 1e-9, 0);
    int64_t bound_ns = page->error_ns + (int64_t)ceil(fmin(page->growth_ns * held_s, 1e15));
    *utc_ns = (struct ordo_interval){card_ns - tai_s * 1000000000 - bound_ns, card_ns - tai_s * 1000000000 + bound_ns};
    return ORDO_OK;
}
