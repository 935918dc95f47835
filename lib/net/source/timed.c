/* ordo-timed on this host: the page of <ordo/now.h>.
 *
 * The claim is about CLOCK_REALTIME, read just before the page. The page's time is that of a moment within the call of
 * ordo_now, at most `took` later. So at the reading UTC was at least earliest - took; `took` is measured by
 * CLOCK_MONOTONIC_RAW, whose rate is wrong by less than a tenth. */
#include <stdio.h>
#include <time.h>

#include <ordo/now.h>

#include "base/time.h"
#include "net/source/source.h"

static enum ordo_source_state state_of_page(const struct ordo_now_interval *now)
{
    return now->status == ORDO_NOW_VALID || now->status == ORDO_NOW_SUPERSEDED ? ORDO_SOURCE_SYNCHRONISED
           : now->status == ORDO_NOW_VOID                                      ? ORDO_SOURCE_UNKNOWN
                                                                               : ORDO_SOURCE_DISRUPTED;
}

/* Fills the claim from an open handle. */
static void claim_of(const struct ordo_now_handle *h, struct ordo_source_claim *claim)
{
    int64_t before_ns = ordo_raw_ns(), real_ns = ordo_time_ns(CLOCK_REALTIME);
    struct ordo_now_interval now = ordo_now(h);
    uint64_t number = __atomic_load_n(&h->head->count, __ATOMIC_ACQUIRE) - 1; /* pairs with ordo_timed_page_add */
    const struct ordo_now_slot *slot = &h->slots[number < h->capacity ? number : 0];
    int64_t took_ns = (ordo_raw_ns() - before_ns) / 9 * 10 + 10;
    claim->reading = (uint64_t)real_ns;
    claim->state = state_of_page(&now);
    if (claim->state == ORDO_SOURCE_SYNCHRONISED) {
        claim->earliest_ns = now.earliest_ns - took_ns;
        claim->latest_ns = now.latest_ns;
    }
    claim->widen_ppb = (double)slot->rate / 4.294967296;
    claim->knows_marker = h->vmclock != NULL;
    claim->marker = slot->marker;
    (void)snprintf(
        claim->evidence, sizeof claim->evidence,
        "%s, file %llu, slot %llu: anchor_ticks %llu earliest_ns %lld latest_ns %lld rate %.3f ppm sources %u",
        ordo_now_word(now.status), (unsigned long long)h->generation, (unsigned long long)number,
        (unsigned long long)slot->anchor_ticks, (long long)slot->earliest_ns, (long long)slot->latest_ns,
        claim->widen_ppb / 1000, slot->sources);
}

static int read_timed(const struct ordo_source_options *options, struct ordo_source_claim *claim,
                      struct ordo_error *error)
{
    struct ordo_now_handle h;
    *claim = (struct ordo_source_claim){
        .clock = ORDO_SOURCE_REALTIME, .void_after_raw_ns = INT64_MAX, .age_ns = -1, .leap = ORDO_SOURCE_LEAP_UNKNOWN};
    int code = ordo_now_open(&h, options ? options->path : NULL, error);
    if (code == ORDO_E_EXPIRED || code == ORDO_E_RATE || code == ORDO_E_DISRUPTED) {
        claim->state = code == ORDO_E_EXPIRED ? ORDO_SOURCE_UNKNOWN : ORDO_SOURCE_DISRUPTED;
        (void)snprintf(claim->evidence, sizeof claim->evidence, "%s", error ? error->text : ordo_strerror(code));
        return ORDO_OK;
    }
    if (code)
        return code;
    claim_of(&h, claim);
    ordo_now_close(&h);
    return ORDO_OK;
}

const struct ordo_source ordo_source_timed = {
    .name = "timed",
    .title = "the page of ordo-timed on this host",
    .default_path = ORDO_NOW_PATH,
    .read = read_timed,
};
