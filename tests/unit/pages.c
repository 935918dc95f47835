/* The pages of ClockBound, fbclock and VMClock (lib/net/page/), and the sources that read them. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../net/pages.h"
#include "net/page/clockbound.h"
#include "net/page/fbclock.h"
#include "net/page/vmclock.h"
#include "net/source/source.h"

static const int64_t second_ns = 1000000000, then_ns = INT64_C(1790000000123456789);

static char folder[] = "/tmp/ordo-pages-XXXXXX", path[64];
static struct ordo_error error;

static void make_folder(void)
{
    cr_assert(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/page", folder);
}

static void remove_folder(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
}

TestSuite(pages, .init = make_folder, .fini = remove_folder);

static void write_page(const struct page *page)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    cr_assert_eq(write(file, page->bytes, (size_t)page->count), page->count);
    (void)close(file);
}

static int read_source(const char *name, struct ordo_source_claim *claim)
{
    const struct ordo_source_options options = {.path = path};
    const struct ordo_source *source = ordo_source_find(name);
    cr_assert(source, "%s", name);
    error.text[0] = '\0';
    int code = source->read(&options, claim, &error);
    cr_assert_eq(strchr(error.text, '\n'), NULL);
    cr_assert(!code || strlen(error.text) > 10, "%s: code %d without a text", name, code);
    return code;
}

static int64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * second_ns + now.tv_nsec;
}

Test(pages, clockbound_grows_its_bound_by_the_drift)
{
    struct page page;
    struct ordo_net_clockbound read;
    int64_t bound_ns;
    page_clockbound2(&page, 1000 * second_ns, 2000 * second_ns, 50000, 15000, 1);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 2, "p", &read, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_net_clockbound_bound(&read, 1000 * second_ns, "p", &bound_ns, &error), 0);
    cr_assert_eq(bound_ns, 50000);
    cr_assert_eq(ordo_net_clockbound_bound(&read, 1100 * second_ns, "p", &bound_ns, &error), 0);
    cr_assert_eq(bound_ns, 50000 + 100 * 15000);
    cr_assert_eq(ordo_net_clockbound_bound(&read, 2001 * second_ns, "p", &bound_ns, &error), ORDO_E_EXPIRED);
    cr_assert_eq(ordo_net_clockbound_bound(&read, 900 * second_ns, "p", &bound_ns, &error), ORDO_E_EXPIRED);
}

Test(pages, clockbound_of_layout_3_tells_the_time_of_the_counter)
{
    struct page page;
    struct ordo_net_clockbound read;
    struct ordo_interval utc_ns;
    page_clockbound3(&page, 1000000, then_ns, then_ns + second_ns * 1000, 0.5e-9, 3000, 1000, 2);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 3, "p", &read, &error), 0, "%s", error.text);
    cr_assert(ordo_net_clockbound_counts(&read));
    cr_assert(ordo_net_clockbound_at(&read, 1000000 + 20 * UINT64_C(1000000000), &utc_ns)); /* 10 s later */
    cr_assert_geq(utc_ns.high - (then_ns + 10 * second_ns), 3000 + 10000);
    cr_assert_leq(utc_ns.high - (then_ns + 10 * second_ns), 3000 + 10000 + 10 + 2);
    cr_assert_leq(utc_ns.low - (then_ns + 10 * second_ns), -3000 - 10000);
    cr_assert(!ordo_net_clockbound_at(&read, 999999, &utc_ns));
    page_clockbound3(&page, 1000000, 1000 * second_ns, 2000 * second_ns, 0.5e-9, 3000, 1000, 1);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 3, "p", &read, &error), 0);
    cr_assert(!ordo_net_clockbound_counts(&read), "times since the boot belong to no counter");
}

Test(pages, fbclock_is_widened_by_its_holdover_and_shifted_from_tai)
{
    struct page page;
    struct ordo_net_fbclock read;
    struct ordo_interval utc_ns;
    page_fbclock(&page, CLOCK_MONOTONIC_RAW, 500 * second_ns, then_ns, 700, 2 * second_ns);
    cr_assert_eq(ordo_net_fbclock_parse(page.bytes, "p", &read, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_net_fbclock_at(&read, 500 * second_ns + 1000, "p", &utc_ns, &error), 0);
    cr_assert_eq(utc_ns.low, then_ns + 1000 - 37 * second_ns - 700 - 100);
    cr_assert_eq(utc_ns.high, then_ns + 1000 - 37 * second_ns + 700 + 100);
    cr_assert_eq(ordo_net_fbclock_at(&read, 501 * second_ns + 1, "p", &utc_ns, &error), ORDO_E_EXPIRED);
    page_put2(&page, 34, 38);
    page_put8(&page, 24, then_ns / second_ns - 10);
    cr_assert_eq(ordo_net_fbclock_parse(page.bytes, "p", &read, &error), 0);
    cr_assert_eq(ordo_net_fbclock_at(&read, 500 * second_ns, "p", &utc_ns, &error), ORDO_E_MEASURE);
}

/* A period of 1 ns is 2^64 / 1e9 * 2^29 units of 2^-93 s. */
static const uint64_t nanosecond = UINT64_C(0x89705f4136b4a597);

Test(pages, vmclock_extrapolates_forward_and_backward)
{
    struct page page;
    struct ordo_net_vmclock read;
    struct ordo_interval utc_ns;
    page_vmclock(&page, 1, 1000000, then_ns, nanosecond, nanosecond / 1000000, 5000);
    cr_assert_eq(ordo_net_vmclock_parse(page.bytes, "p", &read, &error), 0, "%s", error.text);
    for (int64_t ahead_ns = -900000; ahead_ns <= 5 * second_ns; ahead_ns += 300000017) {
        uint64_t ticks = 1000000 + (uint64_t)ahead_ns;
        int64_t truth_ns = then_ns - 37 * second_ns + ahead_ns, wide_ns = 5000 + llabs(ahead_ns) / 1000000;
        cr_assert_eq(ordo_net_vmclock_at(&read, ticks, 1, "p", &utc_ns, &error), 0, "%s", error.text);
        cr_assert_leq(llabs(utc_ns.low - (truth_ns - wide_ns)), 4);
        cr_assert_leq(llabs(utc_ns.high - (truth_ns + wide_ns)), 4);
    }
}

Test(pages, vmclock_without_bounds_or_with_another_counter_claims_nothing)
{
    static const struct {
        int at;
        unsigned char value;
        int code;
    } wrong[] = {{10, 255, ORDO_E_MEASURE}, {10, 0, ORDO_E_CLOCK},   {11, 2, ORDO_E_MEASURE},   {24, 1, ORDO_E_MEASURE},
                 {34, 4, ORDO_E_MEASURE},   {34, 1, ORDO_E_MEASURE}, {24, 0x50, ORDO_E_MEASURE}};
    struct ordo_net_vmclock read;
    struct ordo_interval utc_ns;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct page page;
        page_vmclock(&page, 1, 1000000, then_ns, nanosecond, 0, 5000);
        page.bytes[wrong[i].at] = wrong[i].value;
        cr_assert_eq(ordo_net_vmclock_parse(page.bytes, "p", &read, &error), 0);
        cr_assert_eq(ordo_net_vmclock_at(&read, 1000000, 1, "p", &utc_ns, &error), wrong[i].code, "case %zu", i);
    }
    struct page page;
    page_vmclock(&page, 0, 1000000, then_ns, nanosecond, 0, 5000);
    cr_assert_eq(ordo_net_vmclock_parse(page.bytes, "p", &read, &error), 0);
    cr_assert_eq(ordo_net_vmclock_at(&read, UINT64_MAX, 1, "p", &utc_ns, &error), ORDO_E_EXPIRED);
}

/* The sources state claims that contain the truth, and about an instant within the call. */
Test(pages, sources_state_the_intervals_of_the_pages)
{
    struct page page;
    struct ordo_source_claim claim;
    int64_t coarse_ns = read_ns(CLOCK_MONOTONIC_COARSE), raw_ns, real_ns;
    page_clockbound2(&page, coarse_ns, coarse_ns + 1000 * second_ns, 40000, 15000, 1);
    write_page(&page);
    cr_assert_eq(read_source("clockbound", &claim), 0, "%s", error.text);
    cr_assert_eq(claim.clock, ORDO_SOURCE_REALTIME);
    cr_assert_leq(claim.earliest_ns, (int64_t)claim.reading - 40000);
    cr_assert_geq(claim.latest_ns, (int64_t)claim.reading + 40000);
    cr_assert_lt(claim.latest_ns - claim.earliest_ns, 2 * (40000 + 15000 * 60));
    cr_assert_eq(claim.state, ORDO_SOURCE_SYNCHRONISED);
    cr_assert(claim.knows_marker && claim.marker == 7);

    raw_ns = read_ns(CLOCK_MONOTONIC_RAW);
    real_ns = read_ns(CLOCK_REALTIME);
    page_fbclock(&page, CLOCK_MONOTONIC_RAW, raw_ns, real_ns + 37 * second_ns, 100000, 0);
    write_page(&page);
    cr_assert_eq(read_source("fbclock", &claim), 0, "%s", error.text);
    cr_assert_eq(claim.clock, ORDO_SOURCE_RAW);
    cr_assert_lt(llabs(claim.earliest_ns + 100000 - real_ns), second_ns);
    cr_assert_geq(claim.latest_ns - claim.earliest_ns, 200000);
}

Test(pages, a_page_of_a_dead_or_disrupted_daemon_is_no_claim)
{
    struct page page;
    struct ordo_source_claim claim;
    int64_t coarse_ns = read_ns(CLOCK_MONOTONIC_COARSE);
    page_clockbound2(&page, coarse_ns > 10 ? 1 : 0, coarse_ns - 1, 40000, 15000, 1);
    write_page(&page);
    cr_assert_eq(read_source("clockbound", &claim), ORDO_E_EXPIRED);
    page_clockbound2(&page, coarse_ns, coarse_ns + second_ns, 40000, 15000, 3);
    write_page(&page);
    cr_assert_eq(read_source("clockbound", &claim), 0);
    cr_assert_eq(claim.state, ORDO_SOURCE_DISRUPTED);
    page_fbclock(&page, CLOCK_MONOTONIC_RAW, read_ns(CLOCK_MONOTONIC_RAW) - 3 * second_ns, then_ns, 100, 0);
    write_page(&page);
    cr_assert_eq(read_source("fbclock", &claim), ORDO_E_EXPIRED);
    page_put4(&page, 16, UINT32_MAX);
    write_page(&page);
    cr_assert_eq(read_source("fbclock", &claim), ORDO_E_MEASURE);
}

/* Writes the honest page of a source. */
static void honest_page(const char *source, struct page *page)
{
    int64_t coarse_ns = read_ns(CLOCK_MONOTONIC_COARSE);
    if (strcmp(source, "clockbound") == 0)
        page_clockbound2(page, coarse_ns, coarse_ns + 1000 * second_ns, 40000, 15000, 1);
    else if (strcmp(source, "fbclock") == 0)
        page_fbclock(page, CLOCK_MONOTONIC_RAW, read_ns(CLOCK_MONOTONIC_RAW), then_ns, 100, 0);
    else
        page_vmclock(page, 1, 1, then_ns, nanosecond / 4, 0, 5000);
    write_page(page);
}

static const char *const sources[] = {"clockbound", "fbclock", "vmclock"};
enum { SOURCES = 3 };

Test(pages, hostile_files_get_one_line)
{
    struct ordo_source_claim claim;
    struct page page;
    for (int i = 0; i < SOURCES; i++) {
        (void)unlink(path);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_MISSING);
        cr_assert_eq(mkfifo(path, 0600), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_MALFORMED, "%s: a pipe: %s", sources[i], error.text);
        (void)unlink(path);
        cr_assert_eq(mkdir(path, 0700), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_MALFORMED, "%s: a folder", sources[i]);
        cr_assert_eq(rmdir(path), 0);
        cr_assert_eq(symlink("/dev/zero", path), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_MALFORMED, "%s: a link", sources[i]);
        (void)unlink(path);
        honest_page(sources[i], &page);
        cr_assert_eq(chmod(path, 0666), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_WRITABLE);
        cr_assert_eq(chmod(path, 0644), 0);
        cr_assert_eq(truncate(path, 40), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_TRUNCATED);
        cr_assert_eq(truncate(path, 0), 0);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_TRUNCATED);
        cr_assert_eq(truncate(path, 4096), 0);
        int code = read_source(sources[i], &claim);
        cr_assert(code == ORDO_E_MALFORMED, "%s: zeros: %d", sources[i], code);
    }
}

Test(pages, a_half_written_page_is_an_error)
{
    static const int counter_at[SOURCES] = {14, 0, 12};
    struct ordo_source_claim claim;
    struct page page;
    for (int i = 0; i < SOURCES; i++) {
        honest_page(sources[i], &page);
        page.bytes[counter_at[i]] = 3;
        write_page(&page);
        cr_assert_eq(read_source(sources[i], &claim), ORDO_E_MEASURE, "%s", sources[i]);
        cr_assert(strstr(error.text, "half-written"), "%s", error.text);
    }
}

/* Every byte of a page is damaged in turn: nothing crashes, and each refusal is one line. */
Test(pages, damaged_pages_neither_crash_nor_overflow)
{
    struct ordo_source_claim claim;
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < 3; k++) {
            struct page page;
            honest_page(sources[i], &page);
            for (int at = 0; at < page.count; at++) {
                struct page damaged = page;
                damaged.bytes[at] = (unsigned char)(k == 0 ? 0xff : k == 1 ? 0x80 : damaged.bytes[at] ^ 2);
                write_page(&damaged);
                (void)read_source(sources[i], &claim);
            }
        }
}

static volatile bool ended;

/* Writes ever new pages, whose two halves are both `value`. */
static void *write_always(void *context)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    (void)context;
    for (uint64_t n = 1; !ended; n++) {
        uint64_t words[2] = {n, n}, odd = 2 * n + 1, even = 2 * n + 2;
        cr_assert_eq(pwrite(file, &odd, 8, 0), 8);
        cr_assert_eq(pwrite(file, &words[0], 8, 8), 8);
        cr_assert_eq(pwrite(file, &words[1], 8, 3000), 8);
        cr_assert_eq(pwrite(file, &even, 8, 0), 8);
    }
    (void)close(file);
    return NULL;
}

Test(pages, a_page_that_changes_is_read_whole_or_not_at_all)
{
    static const struct ordo_net_page_form form = {
        .writer = "test", .least = 3008, .counter_at = 0, .counter_bytes = 8, .counter_first = 1};
    unsigned char bytes[ORDO_NET_PAGE_MOST];
    pthread_t writer;
    int whole = 0, file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    cr_assert_eq(ftruncate(file, 3008), 0);
    (void)close(file);
    ended = false;
    cr_assert_eq(pthread_create(&writer, NULL, write_always, NULL), 0);
    for (int i = 0; i < 20000; i++)
        if (ordo_net_page_read(path, &form, bytes, &error) == 0) {
            cr_assert_eq(memcmp(bytes + 8, bytes + 3000, 8), 0, "a page of two writes");
            whole++;
        }
    ended = true;
    (void)pthread_join(writer, NULL);
    cr_assert_gt(whole, 0);
}

Test(pages, clockbound_refuses_other_layouts_and_fields_out_of_range)
{
    struct page page;
    struct ordo_net_clockbound read;
    page_clockbound2(&page, second_ns, 2 * second_ns, 1, 1, 1);
    page.bytes[12] = 4;
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 2, "p", &read, &error), ORDO_E_LAYOUT);
    page_clockbound2(&page, second_ns, 2 * second_ns, -1, 1, 1);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 2, "p", &read, &error), ORDO_E_MALFORMED);
    page_clockbound2(&page, second_ns, 2 * second_ns, 1, 1, 9);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 2, "p", &read, &error), ORDO_E_MALFORMED);
    page_clockbound3(&page, 1, then_ns, then_ns, NAN, 1, 1, 1);
    cr_assert_eq(ordo_net_clockbound_parse(page.bytes, 3, "p", &read, &error), ORDO_E_MALFORMED);
}
