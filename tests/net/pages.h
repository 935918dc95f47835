/* Writes the pages that ClockBound, fbclock and a hypervisor would write, for tests. The layouts are those that
 * lib/net/page/ states, field by field; nothing here shares code with the readers. */
#ifndef TESTS_NET_PAGES_H
#define TESTS_NET_PAGES_H

#include <stdint.h>
#include <string.h>

enum { PAGE_ROOM = 256 };

struct page {
    unsigned char bytes[PAGE_ROOM];
    int count;
};

static inline void page_put(struct page *page, int at, const void *value, int bytes)
{
    memcpy(page->bytes + at, value, (size_t)bytes);
}

static inline void page_put8(struct page *page, int at, int64_t value)
{
    page_put(page, at, &value, 8);
}

static inline void page_put4(struct page *page, int at, uint32_t value)
{
    page_put(page, at, &value, 4);
}

static inline void page_put2(struct page *page, int at, uint16_t value)
{
    page_put(page, at, &value, 2);
}

static inline void page_put_timespec(struct page *page, int at, int64_t ns)
{
    page_put8(page, at, ns / 1000000000);
    page_put8(page, at + 8, ns % 1000000000);
}

static inline void page_clockbound_head(struct page *page, int layout)
{
    *page = (struct page){.count = layout == 3 ? 104 : 80};
    page_put4(page, 0, 0x414d5a4e);
    page_put4(page, 4, 0x43420200);
    page_put4(page, 8, (uint32_t)page->count);
    page->bytes[12] = (unsigned char)layout;
    page_put2(page, 14, 2);
}

/* status: 0 unknown, 1 synchronised, 2 free running, 3 disrupted. */
static inline void page_clockbound2(struct page *page, int64_t as_of_ns, int64_t void_after_ns, int64_t bound_ns,
                                    uint32_t drift_ppb, int status)
{
    page_clockbound_head(page, 2);
    page_put_timespec(page, 16, as_of_ns);
    page_put_timespec(page, 32, void_after_ns);
    page_put8(page, 48, bound_ns);
    page_put8(page, 56, 7);
    page_put4(page, 64, drift_ppb);
    page_put4(page, 68, (uint32_t)status);
    page->bytes[72] = 1;
}

static inline void page_clockbound3(struct page *page, uint64_t ticks, int64_t as_of_ns, int64_t void_after_ns,
                                    double period_s, int64_t bound_ns, uint32_t drift_ppb, int status)
{
    const double period_error_s = period_s * 1e-9;
    page_clockbound_head(page, 3);
    page_put8(page, 16, (int64_t)ticks);
    page_put_timespec(page, 24, as_of_ns);
    page_put_timespec(page, 40, void_after_ns);
    page_put(page, 56, &period_s, 8);
    page_put(page, 64, &period_error_s, 8);
    page_put8(page, 72, bound_ns);
    page_put8(page, 80, 7);
    page_put4(page, 88, drift_ppb);
    page_put4(page, 92, (uint32_t)status);
    page->bytes[96] = 1;
}

/* system_clock: CLOCK_REALTIME or CLOCK_MONOTONIC_RAW. The last message came `held_ns` ago. */
static inline void page_fbclock(struct page *page, int system_clock, int64_t system_ns, int64_t tai_ns,
                                uint32_t bound_ns, int64_t held_ns)
{
    *page = (struct page){.count = 64};
    page_put8(page, 0, 2);
    page_put8(page, 8, tai_ns - held_ns);
    page_put4(page, 16, bound_ns);
    page_put4(page, 20, 50 * 65536);
    page_put8(page, 24, 1483228836); /* the leap second at the end of 2016 */
    page_put2(page, 32, 36);
    page_put2(page, 34, 37);
    page_put4(page, 36, (uint32_t)system_clock);
    page_put8(page, 40, tai_ns);
    page_put8(page, 48, system_ns);
}

/* kind: 0 UTC, 1 TAI. The period is in units of 2^-93 s. */
static inline void page_vmclock(struct page *page, int kind, uint64_t ticks, int64_t time_ns, uint64_t period,
                                uint64_t period_error, int64_t error_ns)
{
    *page = (struct page){.count = 112};
    page_put4(page, 0, 0x4b4c4356);
    page_put4(page, 4, 4096);
    page_put2(page, 8, 1);
    page->bytes[10] = 1;
    page->bytes[11] = (unsigned char)kind;
    page_put4(page, 12, 2);
    page_put8(page, 16, 7);
    page_put8(page, 24, 1 << 0 | 1 << 4 | 1 << 6);
    page->bytes[34] = 2;
    page_put2(page, 36, 37);
    page->bytes[39] = 29;
    page_put8(page, 40, (int64_t)ticks);
    page_put8(page, 48, (int64_t)period);
    page_put8(page, 64, (int64_t)period_error);
    page_put8(page, 72, time_ns / 1000000000);
    page_put8(page, 80, (int64_t)(uint64_t)((double)(time_ns % 1000000000) * 18446744073.709551616));
    page_put8(page, 96, error_ns);
}

#endif
