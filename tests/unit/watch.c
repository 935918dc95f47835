/* The proofs and the suspicions of a watcher, on clocks whose offsets are known. */
#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/random.h"
#include "calibrate/watch/hop.h"
#include "calibrate/watch/look.h"
#include "calibrate/watch/observe.h"
#include "calibrate/watch/pace.h"
#include "calibrate/watch/track.h"
#include "calibrate/watch/walk.h"

enum { CPUS = 5, HOP = 3000 };
#define GHZ 1e9 /* one tick is 1 ns */

/* Makes a walk over CPUs 0 to 4 and back to CPU 0, beginning at `at`. Clock i is ahead by `ahead[i]`. */
static int walk(uint64_t at, const int64_t *ahead, struct ordo_stop *stops)
{
    for (int i = 0; i <= CPUS; i++) {
        unsigned cpu = (unsigned)i % CPUS;
        uint64_t now = at + (uint64_t)i * HOP;
        stops[i] =
            (struct ordo_stop){cpu, now + (uint64_t)ahead[cpu], now + (uint64_t)ahead[cpu] + 20, (int64_t)now + 10};
    }
    return CPUS + 1;
}

Test(watch, clocks_that_agree_are_not_refuted)
{
    struct ordo_stop stops[CPUS + 1];
    struct ordo_excess excess;
    int count = walk(1000000000, (int64_t[CPUS]){0, 100, -100, 50, 0}, stops);
    cr_assert(!ordo_walk_judge(stops, count, 0, &excess));
}

Test(watch, a_clock_beyond_the_boundary_is_named)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    struct ordo_excess excess;
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int64_t ahead[CPUS] = {0};
            ahead[cpu] = sign * 100000;
            (void)walk(2000000000, ahead, stops);
            cr_assert(ordo_walk_judge(stops, count, 50000, &excess), "cpu %u by %d", cpu, sign);
            cr_assert(excess.ticks > 50000 && excess.ticks <= 100000);
            cr_assert_eq(sign > 0 ? excess.ahead : excess.behind, cpu);
            cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, excess.ahead, excess.behind, excess.ticks),
                         cpu, "by the other clock: cpu %u by %d", cpu, sign);
            cr_assert_eq(ordo_walk_culprit(stops, count, NULL, 0, GHZ, excess.ahead, excess.behind, excess.ticks), cpu,
                         "by its neighbours: cpu %u by %d", cpu, sign);
            cr_assert(!ordo_walk_judge(stops, count, 100001, &excess));
        }
}

Test(watch, a_delayed_walk_does_not_name_the_other_clock)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    struct ordo_excess excess;
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    before[2].left_ticks += 100000; /* interrupted after it had read CLOCK_MONOTONIC_RAW */
    cr_assert_eq(ordo_walk_delay(before, count), 100020);
    (void)walk(2000000000, (int64_t[CPUS]){0, -100000}, stops);
    cr_assert(ordo_walk_judge(stops, count, 50000, &excess));
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 2, 1, 100000), 1);
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 0, 1, 100000), 1);
}

Test(watch, a_small_movement_is_not_outweighed_by_a_delayed_stop)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    (void)walk(2000000000, (int64_t[CPUS]){0, 600}, stops);
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 1, 0, 600), 1);
    before[0].left_ticks += 4000;
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 1, 0, 600), 1);
}

Test(watch, a_wrong_frequency_of_five_clocks_does_not_name_the_other_clock)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    for (int sign = -1; sign <= 1; sign += 2) {
        (void)walk(2000000000, (int64_t[CPUS]){0, sign * 5000}, stops);
        for (int wrong = -1; wrong <= 1; wrong++) /* by 20 us */
            cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ * (1 + wrong * 2e-5), sign > 0 ? 1 : 2,
                                           sign > 0 ? 2 : 1, 5000),
                         1, "jump %d, frequency %d", sign, wrong);
    }
}

Test(watch, a_third_clock_does_not_name_the_other_clock)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    (void)walk(2000000000, (int64_t[CPUS]){5000, 5000}, stops); /* it jumped, too */
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 1, 2, 5000), 1);
    (void)walk(2000000000, (int64_t[CPUS]){0, 5000}, stops);
    before[0].left_ticks += 100000; /* its stop was long */
    stops[3].arrived_ticks += 20000;
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 1, 2, 5000), 1);
}

Test(watch, delayed_stops_do_not_make_a_jump_common)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    int count = walk(1000000000, (int64_t[CPUS]){0}, before);
    (void)walk(2000000000, (int64_t[CPUS]){0, 5000}, stops);
    stops[0].left_ticks += 100000; /* may have moved by 0 to 100,000 ticks */
    stops[3].left_ticks += 100000;
    cr_assert_eq(ordo_walk_culprit(stops, count, before, count, GHZ, 1, 2, 5000), 1);
}

Test(watch, only_a_certain_movement_of_two_clocks_counts)
{
    struct ordo_stop before[CPUS + 1], stops[CPUS + 1];
    int count = walk(1000000000, (int64_t[CPUS]){0, 5000}, before);
    (void)walk(2000000000, (int64_t[CPUS]){0, 5000, -1045}, stops);
    cr_assert(ordo_walk_moved_apart(stops, count, before, count, GHZ, 1000));
    cr_assert(ordo_walk_moved_apart(stops, count, before, count, GHZ * 1.00002, 1000),
              "the frequency is wrong by 20 ppm");
    cr_assert(!ordo_walk_moved_apart(stops, count, before, count, GHZ, 1001));
    cr_assert(!ordo_walk_moved_apart(stops, count, NULL, 0, GHZ, 0));
    before[2].arrived_ticks -= 1;
    cr_assert(!ordo_walk_moved_apart(stops, count, before, count, GHZ, 1000), "a delayed stop proves less");
    (void)walk(2000000000, (int64_t[CPUS]){700, 5700, 700, 700, 700}, stops);
    cr_assert(!ordo_walk_moved_apart(stops, count, before, count, GHZ, 0), "all moved alike");
}

Test(watch, the_interval_of_a_walk_contains_the_true_offset)
{
    struct ordo_stop stops[CPUS + 1];
    const int64_t ahead[CPUS] = {0, 70000, -5000, 12, -90000};
    int count = walk(1000000000, ahead, stops);
    for (int i = 0; i < CPUS; i++) {
        struct ordo_interval offset = ordo_walk_interval(stops, count, i);
        int64_t truth = ahead[(i + 1) % CPUS] - ahead[i];
        cr_assert(offset.low <= truth && truth <= offset.high, "hop %d", i);
    }
}

/* Returns a visit of two clocks that are `offset` apart, at `at` ticks. Each direction takes 100 ticks plus up to
 * `noise`. */
static struct ordo_visit visit(uint64_t at, double offset, int64_t noise, uint64_t *random)
{
    int64_t more_ab = noise ? (int64_t)(ordo_random_next(random) % (uint64_t)noise) : 0;
    int64_t more_ba = noise ? (int64_t)(ordo_random_next(random) % (uint64_t)noise) : 0;
    return ordo_visit_plain(llround(offset) + 100 + more_ab, -llround(offset) + 100 + more_ba, at, at + 500);
}

Test(watch, a_drift_is_reported_before_it_uses_up_the_boundary)
{
    const double boundary = 4000, rates_ppb[] = {50000, -50000, 1000, -100, 20};
    for (size_t r = 0; r < sizeof rates_ppb / sizeof *rates_ppb; r++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            static struct ordo_track track;
            uint64_t random = seed;
            struct ordo_trend trend = {0};
            double per_visit = boundary / 200, offset = 0; /* the drift uses up the boundary in 200 visits */
            uint64_t gap = (uint64_t)(per_visit / fabs(rates_ppb[r] * 1e-9)), at = 1000000;
            bool warned = false;
            ordo_track_clear(&track);
            for (int i = 0; i < 200 && !warned; i++, at += gap) {
                offset += rates_ppb[r] * 1e-9 * (double)gap;
                struct ordo_visit one = visit(at, offset, 40, &random);
                ordo_track_add(&track, &one);
                warned = ordo_track_trend(&track, (uint64_t)boundary, 1, GHZ, &trend);
            }
            cr_assert(warned && fabs(offset) < boundary, "%g ppb, seed %lu: offset %g", rates_ppb[r], seed, offset);
            cr_assert(fabs(trend.drift_ppb / rates_ppb[r] - 1) < 0.3, "%g ppb: %g", rates_ppb[r], trend.drift_ppb);
            double left = (boundary - fabs(offset)) / fabs(rates_ppb[r] * 1e-9) / GHZ;
            cr_assert(fabs(trend.left_s / left - 1) < 0.4, "left %g s: %g", left, trend.left_s);
        }
}

Test(watch, noise_and_changed_latencies_are_no_drift)
{
    for (uint64_t seed = 1; seed <= 200; seed++) {
        static struct ordo_track track;
        uint64_t random = seed;
        struct ordo_trend trend;
        uint64_t at = 1000000;
        int64_t more = 0;
        ordo_track_clear(&track);
        for (int i = 0; i < 1000; i++) {
            if (ordo_random_next(&random) % 50 ==
                0) /* a virtual CPU moves: one direction becomes slower, or fast again */
                more = more ? 0 : 220;
            if (ordo_random_next(&random) % 7 == 0) /* visits come in clusters */
                at += 100000000;
            struct ordo_visit one = visit(at += 2000000, 0, 20, &random);
            one.delta_ab += more;
            ordo_track_add(&track, &one);
            cr_assert(!ordo_track_trend(&track, 350, 26, GHZ, &trend),
                      "seed %lu, visit %d: %g ppb, %g s left, proved %d", seed, i, trend.drift_ppb, trend.left_s,
                      trend.proved);
        }
    }
}

Test(watch, only_a_sudden_offset_is_suspected)
{
    static struct ordo_track track;
    uint64_t random = 7;
    ordo_track_clear(&track);
    int suspected = 0;
    for (int i = 0; i < 1000; i++) {
        struct ordo_visit one = visit(1000000 + (uint64_t)i * 1000000, 0, 40, &random);
        ordo_track_add(&track, &one);
        suspected += ordo_track_suspect(&track, 400);
    }
    cr_assert_eq(suspected, 0);
    struct ordo_visit moved = visit(2000000000, 150, 40, &random);
    ordo_track_add(&track, &moved);
    cr_assert(ordo_track_suspect(&track, 400));
}

Test(watch, the_running_interval_follows_a_clock_that_moved)
{
    static struct ordo_track track;
    uint64_t random = 3;
    ordo_track_clear(&track);
    cr_assert(!ordo_track_seen(&track));
    for (int i = 0; i < 100; i++) {
        double offset = i < 50 ? 0 : 1000;
        struct ordo_visit one = visit(1000000 + (uint64_t)i * 1000000, offset, 40, &random);
        ordo_track_add(&track, &one);
        struct ordo_interval interval = ordo_track_interval(&track);
        cr_assert(interval.low <= offset && offset <= interval.high && interval.high - interval.low <= 280);
    }
}

Test(watch, rounds_take_no_more_than_their_share_of_time)
{
    const int64_t costs_ns[] = {20000, 100000, 1000000, 5000000};
    for (size_t c = 0; c < sizeof costs_ns / sizeof *costs_ns; c++) {
        struct ordo_pace pace = ordo_pace_begin(0.001);
        int64_t used_ns = 0, passed_ns = 0, longest_ns = 0;
        while (passed_ns < 300000000000) {
            int64_t wait_ns = ordo_pace_after(&pace, costs_ns[c]);
            used_ns += costs_ns[c];
            passed_ns += wait_ns + costs_ns[c];
            longest_ns = wait_ns > longest_ns ? wait_ns : longest_ns;
            for (int i = 0; i < 3; i++)
                if (ordo_pace_spend(&pace, 100000))
                    used_ns += 100000;
        }
        cr_assert_leq((double)used_ns / (double)passed_ns, 0.002, "%g", (double)used_ns / (double)passed_ns);
        cr_assert_geq(longest_ns, ORDO_PACE_LEAST_NS);
    }
    struct ordo_pace fresh = ordo_pace_begin(0.001);
    cr_assert_leq(ordo_pace_after(&fresh, 2000000), ORDO_PACE_MOST_NS);
}

/* Number of CPUs of a simulated machine. Its cgroup allows every second CPU, so that the list of CPUs is very long. 0:
 * sched_getaffinity() asks the kernel. */
static unsigned played_cpus;

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    long got = played_cpus ? 0 : syscall(SYS_sched_getaffinity, pid, bytes, set);
    if (got < 0)
        return -1;
    memset((char *)set + got, 0, bytes - (size_t)got);
    for (unsigned cpu = 0; cpu < played_cpus; cpu += 2)
        CPU_SET_S(cpu, bytes, set);
    return 0;
}

Test(watch, every_cpu_of_a_large_machine_is_compared)
{
    enum { ALL = 1000 };
    char before[512], now[512];
    unsigned cpus[ALL];
    played_cpus = ALL;
    uint64_t checksum = ordo_hop_release(before, sizeof before);
    int count = ordo_hop_allowed(cpus, ALL);
    cr_assert_eq(count, ALL / 2);
    cr_assert(ordo_hop_allows_only(cpus, count));
    cr_assert_not(ordo_hop_allows_only(cpus, count - 1), "one CPU more is allowed");
    cpus[count - 1]++;
    cr_assert_not(ordo_hop_allows_only(cpus, count), "the last CPU is not allowed");
    played_cpus = ALL - 2;
    cr_assert_neq(ordo_hop_release(now, sizeof now), checksum, "the checksum shows that the last CPU left");
    cr_assert_str_eq(now, before, "the shown list is cut before the last CPU");
    played_cpus = 0;
}

Test(watch, the_rate_of_calibrations_is_limited)
{
    struct ordo_turns turns = {0};
    const int64_t begin_ns = 5000000000, day_ns = 86400000000000;
    int64_t now_ns = begin_ns;
    int taken = 0;
    for (; now_ns < begin_ns + day_ns; now_ns += 1000000000) { /* a calibration is wanted every second */
        if (ordo_turns_wait(&turns, now_ns) > 0)
            continue;
        ordo_turns_take(&turns, now_ns);
        taken++;
        cr_assert(taken > ORDO_TURNS_AT_ONCE || now_ns < begin_ns + 10000000000, "the first calibrations do not wait");
    }
    cr_assert_leq(taken, ORDO_TURNS_AT_ONCE + day_ns / ORDO_TURN_NS);
    cr_assert_geq(taken, day_ns / ORDO_TURN_NS);
    ordo_turns_take(&turns, now_ns);
    int64_t wait_ns = ordo_turns_wait(&turns, now_ns);
    cr_assert(wait_ns > 0 && wait_ns <= ORDO_TURN_NS);
    cr_assert_eq(ordo_turns_wait(&turns, now_ns + wait_ns), 0);
    now_ns += day_ns; /* after a day without calibrations all of them are available again */
    for (taken = 0; ordo_turns_wait(&turns, now_ns) == 0; taken++)
        ordo_turns_take(&turns, now_ns);
    cr_assert_eq(taken, ORDO_TURNS_AT_ONCE);
}

static struct ordo_sight sight(int64_t raw_ns, int64_t ticks, int64_t suspended_ns)
{
    struct ordo_sight made = {.clocks_read = true,
                              .online = "0-3",
                              .allowed = "0-3",
                              .clocksource = "tsc",
                              .verdict = {.trust = ORDO_TRUST_VOUCHED}};
    made.clocks.raw_ns = raw_ns;
    made.clocks.before_ticks = (uint64_t)ticks;
    made.clocks.after_ticks = (uint64_t)ticks + 100;
    made.clocks.suspended_low_ns = suspended_ns - 50;
    made.clocks.suspended_high_ns = suspended_ns + 50;
    return made;
}

/* Returns the event between the sights `before` and `now`, as a word; "": none. */
static const char *found(const struct ordo_sight *base, const struct ordo_sight *before, const struct ordo_sight *now,
                         enum ordo_follow *follow)
{
    static struct ordo_finding finding;
    const char *word = "";
    for (const struct ordo_observer *const *at = ordo_observers; *at; at++)
        if ((*at)->judge(base, before, now, GHZ, &finding)) {
            cr_assert_str_eq(word, "", "both %s and %s", word, finding.event);
            cr_assert(strlen(finding.text) > 10);
            word = finding.event;
            *follow = finding.follow;
        }
    return word;
}

Test(watch, observers_report_exactly_the_event)
{
    enum ordo_follow follow = ORDO_FOLLOW_NOTHING;
    const int64_t s = 1000000000;
    struct ordo_sight before = sight(100 * s, 50 * s, 7), now = sight(101 * s, 51 * s + 400, 7);
    cr_assert_str_eq(found(&before, &before, &now, &follow), "");
    for (int sign = -1; sign <= 1; sign += 2) {
        now = sight(101 * s, 51 * s + sign * 3000000, 7);
        cr_assert_str_eq(found(&before, &before, &now, &follow), "jump");
        cr_assert_eq(follow, ORDO_FOLLOW_DISRUPT);
        now = sight(121 * s, 71 * s + sign * 21 * 30000, 7); /* 30 ppm over 21 s */
        cr_assert_str_eq(found(&before, &now, &now, &follow), "rate");
        cr_assert_eq(follow, ORDO_FOLLOW_RENEW);
        now = sight(121 * s, 71 * s + sign * 21 * 10000, 7);
        cr_assert_str_eq(found(&before, &now, &now, &follow), "");
    }
    now = sight(101 * s, 51 * s, 7 + 2000000);
    cr_assert_str_eq(found(&before, &before, &now, &follow), "suspend");
    cr_assert_eq(follow, ORDO_FOLLOW_DISRUPT);
    now = sight(101 * s, 51 * s, 7);
    strcpy(now.online, "0-4");
    cr_assert_str_eq(found(&before, &before, &now, &follow), "cpus");
    now = sight(101 * s, 51 * s, 7);
    strcpy(now.allowed, "0-2");
    cr_assert_str_eq(found(&before, &before, &now, &follow), "cpus");
    now = sight(101 * s, 51 * s, 7);
    now.allowed_checksum = 1; /* the difference is in the cut part of the list */
    cr_assert_str_eq(found(&before, &before, &now, &follow), "cpus");
    now = sight(101 * s, 51 * s, 7);
    now.online_checksum = 1;
    cr_assert_str_eq(found(&before, &before, &now, &follow), "cpus");
    now = sight(101 * s, 51 * s, 7);
    strcpy(now.clocksource, "hpet");
    cr_assert_str_eq(found(&before, &before, &now, &follow), "clocksource");
    cr_assert_eq(follow, ORDO_FOLLOW_RENEW);
    now.verdict.trust = ORDO_TRUST_FAULTED;
    cr_assert_str_eq(found(&before, &before, &now, &follow), "clocksource");
    cr_assert_eq(follow, ORDO_FOLLOW_DISRUPT);
    before.verdict.trust = ORDO_TRUST_FAULTED;
    strcpy(now.clocksource, "tsc");
    cr_assert_str_eq(found(&before, &before, &now, &follow), "", "it was faulted before");
    before.verdict.trust = ORDO_TRUST_VOUCHED;
    now = sight(101 * s, 51 * s, 7);
    before.vmclock = now.vmclock = true;
    now.vmclock_marker = 1;
    cr_assert_str_eq(found(&before, &before, &now, &follow), "vmclock");
    cr_assert_eq(follow, ORDO_FOLLOW_DISRUPT);
    before.vmclock = false; /* the VMClock has just appeared, so its past is unknown */
    cr_assert_str_eq(found(&before, &before, &now, &follow), "");
}

/* A file that cannot be read for a moment, for example because too many files are open, is no change. A change in this
 * time is found later. */
Test(watch, an_unreadable_file_is_not_reported_as_a_change)
{
    enum ordo_follow follow = ORDO_FOLLOW_NOTHING;
    const int64_t s = 1000000000;
    struct ordo_sight before = sight(100 * s, 50 * s, 7), unread = sight(101 * s, 51 * s, 7), now;
    before.vmclock = true;
    unread.online[0] = unread.allowed[0] = unread.clocksource[0] = '\0';
    unread.clocks_read = false;
    cr_assert_str_eq(found(&before, &before, &unread, &follow), "");
    cr_assert_str_eq(found(&unread, &unread, &before, &follow), "");
    ordo_sight_keep(&unread, &before);
    cr_assert(strcmp(unread.online, "0-3") == 0 && unread.clocks.raw_ns == 100 * s);
    cr_assert_str_eq(found(&before, &before, &unread, &follow), "");
    now = sight(102 * s, 52 * s, 7);
    strcpy(now.online, "0-2");
    cr_assert_str_eq(found(&unread, &unread, &now, &follow), "cpus");
    now = sight(102 * s, 52 * s, 7);
    strcpy(now.clocksource, "hpet");
    cr_assert_str_eq(found(&unread, &unread, &now, &follow), "clocksource");
    now = sight(102 * s, 52 * s, 7);
    now.vmclock = true;
    now.vmclock_marker = 1;
    cr_assert_str_eq(found(&unread, &unread, &now, &follow), "vmclock");
    now = sight(102 * s, 52 * s + 3000000, 7);
    cr_assert_str_eq(found(&unread, &unread, &now, &follow), "jump");
}

/* Writes the page of a VMClock with this `magic`, `sequence` and `marker`. */
static void write_page(const char *path, const char *magic, unsigned sequence, unsigned long long marker)
{
    unsigned char page[4096] = {0};
    memcpy(page, magic, 4);
    page[8] = 1;
    page[12] = (unsigned char)sequence;
    for (int i = 0; i < 8; i++)
        page[16 + i] = (unsigned char)(marker >> 8 * i);
    FILE *file = fopen(path, "w");
    cr_assert(file && fwrite(page, sizeof page, 1, file) == 1 && fclose(file) == 0);
}

Test(watch, only_a_vmclock_page_is_read)
{
    char path[] = "/tmp/ordo-vmclock-XXXXXX";
    struct ordo_sight seen = {.vmclock_path = path};
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    (void)close(fd);
    ordo_sight_take(&seen);
    cr_assert(!seen.vmclock, "an empty file is refused");
    write_page(path, "VCLK", 4, 0x1122334455667788);
    ordo_sight_take(&seen);
    cr_assert(seen.vmclock);
    cr_assert_eq(seen.vmclock_marker, 0x1122334455667788);
    write_page(path, "VCLK", 5, 9);
    ordo_sight_take(&seen);
    cr_assert(!seen.vmclock, "a page under change is refused");
    write_page(path, "KLCV", 4, 9);
    ordo_sight_take(&seen);
    cr_assert(!seen.vmclock, "a page with another magic is refused");
    (void)unlink(path);
    ordo_sight_take(&seen);
    cr_assert(!seen.vmclock, "no file");
}

Test(watch, a_check_of_this_machine_is_consistent)
{
    unsigned cpus[4096];
    struct ordo_stop stops[4];
    struct ordo_visit one;
    struct ordo_error error;
    int count = ordo_hop_allowed(cpus, 4096), answered = 0;
    cr_assert_gt(count, 0);
    cr_assert_eq(ordo_walk_take(cpus, 1, stops), 2);
    cr_assert_geq(stops[1].arrived_ticks, stops[0].left_ticks);
    cr_assert(!ordo_hop_to(65535) && !ordo_hop_to(4000000000u));
    struct ordo_looker *looker = ordo_looker_open(&error);
    cr_assert(looker);
    for (int i = 0; i < 200 && count > 1; i++)
        if (ordo_looker_look(looker, cpus[0], cpus[1], &one, &error) == ORDO_OK) {
            struct ordo_interval offset = ordo_offset_of_visit(&one);
            cr_assert_leq(offset.low, offset.high);
            answered++;
        }
    cr_assert_eq(ordo_looker_look(looker, cpus[0], 65535, &one, &error), ORDO_E_MEASURE);
    cr_assert_eq(ordo_looker_look(looker, 65535, cpus[0], &one, &error), ORDO_E_MEASURE);
    ordo_looker_close(looker);
    cr_assert(count == 1 || answered > 0, "no look of the watcher was answered");
}
