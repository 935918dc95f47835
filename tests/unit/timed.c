/* The published time: the reader of <ordo/now.h>, the writer of its pages, and the agreement of references (lib/net/timed). */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <ordo/now.h>

#include "base/random.h"
#include "net/source/source.h"
#include "net/timed/agree.h"
#include "net/timed/page.h"

static char folder[64], path[96];
static struct ordo_timed_clock kernel;
static struct ordo_error why;

static int64_t real_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void set_up(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/ordo-timed-XXXXXX");
    cr_assert(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/time", folder);
    cr_assert_eq(ordo_timed_clock_open(&kernel, ORDO_TIMED_KERNEL, NULL, 500, 100, &why), 0);
}

static void tear_down(void)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(page, .init = set_up, .fini = tear_down);

/* A slot whose interval is CLOCK_REALTIME, give or take a millisecond. */
static struct ordo_now_slot slot_now(int64_t void_ns)
{
    struct ordo_timed_era era;
    cr_assert(ordo_timed_era_read(&kernel, &era));
    uint64_t ticks = ordo_timed_clock_ticks(&kernel);
    int64_t now_ns = real_ns();
    return (struct ordo_now_slot){.anchor_ticks = ticks,
                                  .earliest_ns = now_ns - 1000000,
                                  .latest_ns = now_ns + 1000000,
                                  .void_ticks = ticks + (uint64_t)void_ns,
                                  .wall_ns = era.wall_ns,
                                  .rate = 2147484,
                                  .sources = 1};
}

/* Publishes a page with one slot. */
static void publish_page(struct ordo_timed_page *page, uint64_t capacity, int64_t void_ns)
{
    struct ordo_now_slot slot = slot_now(void_ns);
    cr_assert_eq(ordo_timed_page_open(page, path, capacity, &why), 0, "%s", why.text);
    cr_assert_eq(ordo_timed_page_add(page, &kernel, "", &slot, true, &why), 0, "%s", why.text);
}

Test(page, a_reading_contains_the_time_and_widens)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    publish_page(&page, 16, 1000000000);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    struct ordo_now_interval first = ordo_now(&h);
    for (int i = 0; i < 10000; i++) {
        int64_t before_ns = real_ns();
        struct ordo_now_interval now = ordo_now(&h);
        cr_assert_eq(now.status, ORDO_NOW_VALID);
        cr_assert(now.earliest_ns <= real_ns() && before_ns <= now.latest_ns);
    }
    struct ordo_now_interval last = ordo_now(&h);
    cr_assert(last.latest_ns - last.earliest_ns > first.latest_ns - first.earliest_ns);
    cr_assert(ordo_now_before(&h, last.latest_ns + 1000000000) && !ordo_now_before(&h, last.earliest_ns));
    cr_assert(ordo_now_after(&h, last.earliest_ns - 1000000000) && !ordo_now_after(&h, last.latest_ns + 1000000000));
    ordo_now_close(&h);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_CLOSED);
    cr_assert(!ordo_now_before(&h, INT64_MAX) && !ordo_now_after(&h, INT64_MIN));
    ordo_timed_page_close(&page);
}

Test(page, a_new_slot_is_seen_at_once_and_a_full_file_is_superseded)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    publish_page(&page, 16, 1000000000);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    for (int i = 1; i < 16; i++) {
        struct ordo_now_slot slot = slot_now(1000000000);
        slot.earliest_ns += i;
        cr_assert_eq(ordo_timed_page_add(&page, &kernel, "", &slot, false, &why), 0);
        cr_assert_eq(ordo_now(&h).status, ORDO_NOW_VALID);
        cr_assert_eq(h.head->count, (uint64_t)i + 1);
    }
    struct ordo_now_slot slot = slot_now(1000000000);
    uint64_t generation = h.generation;
    cr_assert_eq(ordo_timed_page_add(&page, &kernel, "", &slot, false, &why), 0);
    struct ordo_now_interval now = ordo_now(&h);
    cr_assert_eq(now.status, ORDO_NOW_SUPERSEDED);
    cr_assert(now.earliest_ns <= real_ns());
    cr_assert_eq(ordo_now_refresh(&h, path, &why), 0);
    cr_assert_eq(h.generation, generation + 1);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_VALID);
    ordo_now_close(&h);
    ordo_timed_page_close(&page);
}

Test(page, an_interval_that_was_not_renewed_is_void)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    publish_page(&page, 16, 300000000);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    cr_assert_eq(ordo_commit_wait(&h, ordo_now(&h).latest_ns), 0);
    cr_assert_eq(ordo_commit_wait(&h, ordo_now(&h).latest_ns + 1000000000), ORDO_E_EXPIRED);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_VOID);
    cr_assert_eq(ordo_now(&h).earliest_ns, INT64_MIN);
    cr_assert_eq(ordo_now_refresh(&h, path, &why), ORDO_E_EXPIRED);
    ordo_now_close(&h);
    ordo_timed_page_close(&page);
}

Test(page, a_commit_waits_until_its_time_is_past)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    publish_page(&page, 16, 10000000000);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    for (int i = 0; i < 20; i++) {
        int64_t t_ns = ordo_now(&h).latest_ns;
        cr_assert_eq(ordo_commit_wait(&h, t_ns), 0);
        cr_assert(real_ns() > t_ns);
    }
    cr_assert_eq(ordo_commit_wait(&h, INT64_MIN), 0);
    cr_assert_eq(ordo_commit_wait(&h, INT64_MAX), ORDO_E_INVALID);
    cr_assert_eq(ordo_commit_wait(&h, real_ns() + 20000000000), ORDO_E_INVALID);
    ordo_timed_page_withdraw(&page);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_DISRUPTED);
    cr_assert_eq(ordo_commit_wait(&h, real_ns() + 1000000000), ORDO_E_DISRUPTED);
    ordo_now_close(&h);
    cr_assert_eq(ordo_commit_wait(&h, 0), ORDO_E_INVALID);
    ordo_timed_page_close(&page);
}

Test(page, a_step_or_a_suspend_makes_the_time_unknown)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    publish_page(&page, 16, 1000000000);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    struct ordo_now_slot slot = slot_now(1000000000);
    slot.wall_ns += 1;
    cr_assert_eq(ordo_timed_page_add(&page, &kernel, "", &slot, false, &why), 0);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_MOVED);
    cr_assert_eq(ordo_commit_wait(&h, real_ns() + 1000000), ORDO_E_RATE);
    slot = slot_now(1000000000);
    cr_assert_eq(ordo_timed_page_add(&page, &kernel, "", &slot, false, &why), 0);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_VALID);
    ordo_now_close(&h);
    ordo_timed_page_close(&page);
}

Test(page, a_changed_marker_of_vmclock_makes_the_time_unknown)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    char vmclock[96];
    unsigned char bytes[4096] = {0x56, 0x43, 0x4c, 0x4b};
    (void)snprintf(vmclock, sizeof vmclock, "%.60s/vmclock", folder);
    int fd = open(vmclock, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    bytes[16] = 7;
    cr_assert_eq(write(fd, bytes, sizeof bytes), (ssize_t)sizeof bytes);
    struct ordo_now_slot slot = slot_now(1000000000);
    slot.marker = 7;
    cr_assert_eq(ordo_timed_page_open(&page, path, 16, &why), 0);
    cr_assert_eq(ordo_timed_page_add(&page, &kernel, vmclock, &slot, true, &why), 0);
    cr_assert_eq(ordo_now_open(&h, path, &why), 0, "%s", why.text);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_VALID);
    bytes[16] = 8;
    cr_assert_eq(pwrite(fd, bytes, sizeof bytes, 0), (ssize_t)sizeof bytes);
    cr_assert_eq(ordo_now(&h).status, ORDO_NOW_MARKED);
    bytes[0] = 0;
    cr_assert_eq(pwrite(fd, bytes, sizeof bytes, 0), (ssize_t)sizeof bytes);
    ordo_now_close(&h);
    cr_assert_eq(ordo_now_open(&h, path, &why), ORDO_E_CLOCK);
    cr_assert_eq(truncate(vmclock, 8), 0);
    cr_assert_neq(ordo_now_open(&h, path, &why), 0);
    (void)close(fd);
    ordo_timed_page_close(&page);
}

/* Opens a copy of the page in which the byte at `at` is changed, or whose length is `count`. */
static int open_damaged(size_t at, size_t count)
{
    char copy[128];
    static unsigned char bytes[1 << 20];
    struct ordo_now_handle h;
    FILE *file = fopen(path, "re");
    size_t got = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    (void)snprintf(copy, sizeof copy, "%s.copy", path);
    (void)unlink(copy);
    if (at < got)
        bytes[at] ^= 0x10;
    file = fopen(copy, "we");
    cr_assert_eq(fwrite(bytes, 1, count < got ? count : got, file), count < got ? count : got);
    (void)fclose(file);
    cr_assert_eq(chmod(copy, 0644), 0);
    int code = ordo_now_open(&h, copy, &why);
    cr_assert(code == 0 || (!h.head && strstr(why.text, ": ")), "%s", why.text);
    ordo_now_close(&h);
    return code;
}

Test(page, a_damaged_page_is_refused_with_its_reason)
{
    struct ordo_timed_page page;
    publish_page(&page, 16, 10000000000);
    cr_assert_eq(open_damaged(SIZE_MAX, SIZE_MAX), 0, "%s", why.text);
    cr_assert_eq(open_damaged(0, SIZE_MAX), ORDO_E_MALFORMED);
    cr_assert_eq(open_damaged(8, SIZE_MAX), ORDO_E_CHECKSUM);
    cr_assert_eq(open_damaged(16, SIZE_MAX), ORDO_E_DISRUPTED);
    cr_assert_eq(open_damaged(24, SIZE_MAX), ORDO_E_LAYOUT);
    cr_assert_eq(open_damaged(28, SIZE_MAX), ORDO_E_MALFORMED);
    cr_assert_eq(open_damaged(32, SIZE_MAX), ORDO_E_DISRUPTED); /* a count that no slot has */
    cr_assert_eq(open_damaged(40, SIZE_MAX), ORDO_E_TRUNCATED);
    cr_assert_eq(open_damaged(56, SIZE_MAX), ORDO_E_TRUNCATED);
    for (size_t at = 64; at < 210; at++)
        cr_assert_eq(open_damaged(at, SIZE_MAX), ORDO_E_CHECKSUM, "byte %zu", at);
    cr_assert_eq(open_damaged(8192, SIZE_MAX), ORDO_E_CHECKSUM);
    for (size_t at = 16384; at < 16384 + 64; at++)
        cr_assert_eq(open_damaged(at, SIZE_MAX), ORDO_E_DISRUPTED, "byte %zu", at);
    for (size_t count = 0; count < 16384 + 16 * 64; count += 100)
        cr_assert_eq(open_damaged(SIZE_MAX, count), ORDO_E_TRUNCATED, "%zu bytes", count);
    ordo_timed_page_close(&page);
}

Test(page, only_root_this_user_or_a_link_of_root_vouches_for_a_page)
{
    struct ordo_timed_page page;
    struct ordo_now_handle h;
    char own[128], link[128];
    if (geteuid() != 0)
        cr_skip_test("only root can give files away");
    publish_page(&page, 16, 10000000000);
    cr_assert_eq(chmod(path, 0664), 0);
    cr_assert_eq(ordo_now_open(&h, path, &why), ORDO_E_WRITABLE);
    cr_assert_eq(chmod(path, 0644), 0);
    cr_assert_eq(chown(path, 12345, 12345), 0);
    cr_assert_eq(ordo_now_open(&h, path, &why), ORDO_E_OWNER);
    /* A link in a directory that only root can change, to a directory of the daemon's user. */
    (void)snprintf(own, sizeof own, "%s/own", folder);
    (void)snprintf(link, sizeof link, "%s/link", folder);
    cr_assert_eq(mkdir(own, 0755), 0);
    cr_assert_eq(chown(own, 12345, 12345), 0);
    (void)snprintf(own, sizeof own, "%s/own/time", folder);
    cr_assert_eq(rename(path, own), 0);
    cr_assert_eq(symlink("own/time", link), 0);
    cr_assert_eq(chmod(folder, 0755), 0);
    cr_assert_eq(ordo_now_open(&h, own, &why), ORDO_E_OWNER);
    cr_assert_eq(ordo_now_open(&h, link, &why), 0, "%s", why.text);
    ordo_now_close(&h);
    cr_assert_eq(chown(own, 23456, 12345), 0); /* another user put its file there */
    cr_assert_eq(ordo_now_open(&h, link, &why), ORDO_E_OWNER);
    cr_assert_eq(chown(own, 12345, 12345), 0);
    cr_assert_eq(chmod(folder, 0777), 0); /* anyone could have made the link */
    cr_assert_eq(ordo_now_open(&h, link, &why), ORDO_E_OWNER);
    cr_assert_eq(chmod(folder, 0755), 0);
    (void)snprintf(own, sizeof own, "%s/own", folder);
    cr_assert_eq(chmod(own, 0775), 0); /* a group could have put the file there */
    cr_assert_eq(ordo_now_open(&h, link, &why), ORDO_E_OWNER);
    ordo_timed_page_close(&page);
}

Test(page, two_writers_do_not_publish_one_page)
{
    struct ordo_timed_page page, other;
    publish_page(&page, 16, 1000000000);
    cr_assert_eq(ordo_timed_page_open(&other, path, 16, &why), ORDO_E_SYSTEM);
    cr_assert(strstr(why.text, "another ordo-timed publishes it"), "%s", why.text);
    ordo_timed_page_close(&page);
    cr_assert_eq(ordo_timed_page_open(&other, path, 16, &why), 0);
    cr_assert_eq(other.generation, 1);
    ordo_timed_page_close(&other);
}

Test(page, a_source_states_the_page_as_a_claim)
{
    struct ordo_timed_page page;
    struct ordo_source_claim claim;
    const struct ordo_source_options options = {.path = path};
    const struct ordo_source *source = ordo_source_find("timed");
    cr_assert(source && !ordo_source_find("hourglass"));
    cr_assert_eq(source->read(&options, &claim, &why), ORDO_E_MISSING);
    publish_page(&page, 16, 1000000000);
    cr_assert_eq(source->read(&options, &claim, &why), 0, "%s", why.text);
    cr_assert_eq(claim.state, ORDO_SOURCE_SYNCHRONISED);
    cr_assert(claim.earliest_ns <= (int64_t)claim.reading && (int64_t)claim.reading <= claim.latest_ns);
    ordo_timed_page_withdraw(&page);
    cr_assert_eq(source->read(&options, &claim, &why), 0);
    cr_assert_eq(claim.state, ORDO_SOURCE_DISRUPTED);
    ordo_timed_page_close(&page);
}

Test(now, ticks_become_nanoseconds_exactly)
{
    const uint64_t hz[] = {1000000, 24000000, 1000000000, 2445402000, 4000000000};
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof hz / sizeof *hz; i++) {
        uint64_t tick_ns_32 = (UINT64_C(1000000000) << 32) / hz[i];
        for (int k = 0; k < 100000; k++) {
            uint64_t ticks = ordo_random_next(&random) % (hz[i] * 3600);
            __extension__ typedef unsigned __int128 wide;
            cr_assert_eq(ordo_now_ticks_to_ns(ticks, tick_ns_32), (uint64_t)((wide)ticks * tick_ns_32 >> 32));
        }
    }
}

/* Every choice of at most K liars, whose intervals are anything: the hull contains the truth, and only liars are accused. */
Test(agree, the_hull_contains_the_truth_for_all_statements_of_liars)
{
    enum { MOST = 9 };
    uint64_t random = 77;
    int agreed = 0, accusations = 0;
    for (int round = 0; round < 300000; round++) {
        struct ordo_interval stated[MOST], hull;
        bool accused[MOST];
        int count = 1 + (int)(ordo_random_next(&random) % MOST), liars = (int)(ordo_random_next(&random) % 4);
        int lying = liars < count ? liars : count;
        for (int i = 0; i < count; i++) {
            int64_t a = (int64_t)(ordo_random_next(&random) % 20), b = (int64_t)(ordo_random_next(&random) % 20);
            stated[i] = i < lying ? (struct ordo_interval){a - 10, a - 10 + b} : (struct ordo_interval){-a, b};
        }
        enum ordo_timed_agreement found = ordo_timed_agree(stated, count, liars, &hull, accused);
        cr_assert_eq(found == ORDO_TIMED_TOO_FEW, count <= liars);
        cr_assert_neq(found, ORDO_TIMED_CONTRADICTION);
        if (found != ORDO_TIMED_AGREED)
            continue;
        agreed++;
        cr_assert(hull.low <= 0 && 0 <= hull.high);
        for (int i = 0; i < count; i++) {
            accusations += accused[i];
            cr_assert(!accused[i] || i < lying);
        }
    }
    cr_assert(agreed > 100000 && accusations > 1000);
}

Test(agree, more_liars_than_promised_are_a_contradiction)
{
    const struct ordo_interval stated[] = {{0, 1}, {2, 3}, {4, 5}};
    struct ordo_interval hull;
    bool accused[3];
    cr_assert_eq(ordo_timed_agree(stated, 2, 0, &hull, accused), ORDO_TIMED_CONTRADICTION);
    cr_assert_eq(ordo_timed_agree(stated, 3, 1, &hull, accused), ORDO_TIMED_CONTRADICTION);
    cr_assert_eq(ordo_timed_agree(stated, 3, 2, &hull, accused), ORDO_TIMED_AGREED);
    cr_assert(hull.low == 0 && hull.high == 5);
    cr_assert_eq(ordo_timed_agree(stated, 0, 0, &hull, accused), ORDO_TIMED_TOO_FEW);
}
