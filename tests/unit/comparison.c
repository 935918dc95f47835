#include <criterion/criterion.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "base/output.h"
#include "base/random.h"
#include "base/time.h"
#include "machine/comparison/across.h"
#include "machine/comparison/comparison.h"
#include "machine/comparison/cost.h"

/* --- a clock whose truth is known */

enum { SAMPLES = 4000 };

static struct ordo_bracket brackets[SAMPLES];
static size_t chosen[SAMPLES];

struct truth {
    double ppm;                /* rate of the clock against the counter */
    double jump_ns, jump_at_s; /* size and time of a jump */
    double bend_ppm, bend_at_s;
    double wide_share; /* share of brackets that an interruption of up to 5 ms lengthens */
    int step_ns;       /* the clock advances in steps of this size */
};

/* Returns a series of readings of the clock, each bracketed by two reads of a 2 GHz counter. */
static struct ordo_series made(struct truth truth, uint64_t seed)
{
    const double hz = 2e9;
    for (int i = 0; i < SAMPLES; i++) {
        double at_s = i * 1e-3 + 1e-4 * ordo_random_unit(&seed);
        double width_s = ordo_random_unit(&seed) < truth.wide_share ? 5e-3 * ordo_random_unit(&seed) : 0;
        width_s += 50e-9 + 50e-9 * ordo_random_unit(&seed);
        double read_s = at_s + width_s * ordo_random_unit(&seed);
        double lead_ns = read_s * truth.ppm * 1e3 + (read_s >= truth.jump_at_s ? truth.jump_ns : 0);
        lead_ns += read_s > truth.bend_at_s ? (read_s - truth.bend_at_s) * truth.bend_ppm * 1e3 : 0;
        double shown_ns = 1e12 + read_s * 1e9 + lead_ns;
        brackets[i].before_ticks = (uint64_t)(1e6 + at_s * hz);
        brackets[i].units = (uint64_t)(floor(shown_ns / truth.step_ns) * truth.step_ns);
        brackets[i].after_ticks = (uint64_t)(1e6 + (at_s + width_s) * hz) + 1;
    }
    return (struct ordo_series){.brackets = brackets,
                                .count = SAMPLES,
                                .tick_hz = hz,
                                .unit_hz = 1e9,
                                .step_ns = truth.step_ns,
                                .origin_ticks = 1000000};
}

Test(comparison, the_rate_interval_contains_the_rate_despite_pauses)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct truth truth = {
            .ppm = ((int)seed - 15) * 7.3, .step_ns = seed % 3 ? 1 : 1000, .wide_share = 0.01 * (double)seed};
        struct ordo_series series = made(truth, seed);
        struct ordo_series_events jumps, slews;
        size_t count = ordo_series_narrow(&series, chosen);
        double span_s;
        struct ordo_range rate = ordo_series_rate_ppm(&series, chosen, count, &span_s);
        cr_assert(rate.low <= truth.ppm && truth.ppm <= rate.high, "seed %llu: %g not in [%g, %g]",
                  (unsigned long long)seed, truth.ppm, rate.low, rate.high);
        cr_assert(span_s > 3 && rate.high - rate.low < 1, "[%g, %g] over %g s", rate.low, rate.high, span_s);
        ordo_series_jumps(&series, chosen, count, &jumps);
        ordo_series_slews(&series, chosen, count, &slews);
        cr_assert(jumps.seen == 0 && slews.seen == 0, "seed %llu: %zu jumps, %zu slews", (unsigned long long)seed,
                  jumps.seen, slews.seen);
    }
}

Test(comparison, a_jump_is_found_with_its_time_and_size)
{
    static const double jumps_ns[] = {20000, -20000, 3e9, -7e6};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct truth truth = {.ppm = 12,
                              .step_ns = 1,
                              .jump_ns = jumps_ns[seed % 4],
                              .jump_at_s = 0.5 + 0.15 * (double)seed,
                              .wide_share = 0.1};
        struct ordo_series series = made(truth, seed);
        struct ordo_series_events jumps;
        size_t first, length, count = ordo_series_narrow(&series, chosen);
        double span_s;
        ordo_series_jumps(&series, chosen, count, &jumps);
        cr_assert_eq(jumps.seen, 1, "seed %llu: %zu", (unsigned long long)seed, jumps.seen);
        struct ordo_series_event found = jumps.events[0];
        cr_assert(found.change.low <= truth.jump_ns && truth.jump_ns <= found.change.high);
        cr_assert(found.from_s <= truth.jump_at_s && truth.jump_at_s <= found.to_s && found.to_s - found.from_s < 0.1);
        ordo_series_longest(&series, chosen, count, &first, &length);
        cr_assert(length >= count / 2 && length < count);
        struct ordo_range rate = ordo_series_rate_ppm(&series, chosen + first, length, &span_s);
        cr_assert(rate.low <= truth.ppm && truth.ppm <= rate.high && rate.high - rate.low < 1);
    }
}

Test(comparison, a_change_of_the_rate_is_a_slew)
{
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct truth truth = {
            .ppm = -5, .step_ns = 1, .bend_ppm = seed % 2 ? 40 : -300, .bend_at_s = 1 + 0.2 * (double)seed};
        struct ordo_series series = made(truth, seed);
        struct ordo_series_events jumps, slews;
        size_t count = ordo_series_narrow(&series, chosen);
        ordo_series_jumps(&series, chosen, count, &jumps);
        ordo_series_slews(&series, chosen, count, &slews);
        cr_assert_eq(jumps.seen, 0);
        cr_assert(slews.seen >= 1 && slews.seen <= 2, "seed %llu: %zu", (unsigned long long)seed, slews.seen);
        struct ordo_series_event found = slews.events[0];
        cr_assert(found.from_s <= truth.bend_at_s && truth.bend_at_s <= slews.events[slews.seen - 1].to_s);
        /* The change is found as one slew, or as two slews that add up to it. */
        double low = found.change.low + (slews.seen > 1 ? slews.events[1].change.low : 0);
        double high = found.change.high + (slews.seen > 1 ? slews.events[1].change.high : 0);
        cr_assert(low <= truth.bend_ppm && truth.bend_ppm <= high, "%g not in [%g, %g]", truth.bend_ppm, low, high);
    }
}

Test(comparison, offset_and_stability_match_the_true_clock)
{
    struct ordo_series series = made((struct truth){.ppm = 10, .step_ns = 1}, 1);
    struct ordo_series_spread spread;
    struct ordo_series_stability stability;
    size_t count = ordo_series_narrow(&series, chosen);
    cr_assert_eq(ordo_series_spread(&series, chosen, count, &spread), 0);
    /* With 10 ppm, the lead grows evenly to 40 us in 4 s. */
    cr_assert_float_eq(spread.lead.mean, 20000, 300);
    cr_assert_float_eq(spread.lead.deviation, 40000 / sqrt(12), 300);
    cr_assert_float_eq(spread.percentile75, 30000, 300);
    cr_assert_float_eq(spread.percentile99, 39600, 300);
    cr_assert_eq(spread.quantiles_ns[99], spread.percentile99);
    cr_assert_eq(ordo_series_stability(&series, chosen, count, 1000000, &stability), 0);
    cr_assert(stability.noise_ns > 5 && stability.noise_ns < 50, "%g", stability.noise_ns);
    cr_assert(stability.count >= 10 && stability.spans[0].span_s == 1e-3);
    /* Only the width of the brackets remains: it is phase noise, whose deviation falls with the span. */
    cr_assert_lt(stability.spans[8].allan, stability.spans[0].allan / 50);
    cr_assert_lt(stability.spans[0].time_deviation_ns, 50);
}

/* --- the clock that jumped */

Test(comparison, the_counter_is_blamed_for_a_jump_against_all_others)
{
    struct ordo_clock_source coarse = {.name = "coarse", .unit_hz = 1, .granule_units = 10000000};
    struct ordo_clock_source fine = {.name = "fine", .unit_hz = 1}, hardware = {.name = "tsc"};
    struct ordo_clock_compared clocks[] = {
        {.source = &hardware}, {.source = &fine}, {.source = &fine}, {.source = &coarse}};
    struct ordo_comparison comparison = {.clocks = clocks, .clock_count = 4};
    struct ordo_series_events both = {2, {{1, 1.1, {-9, -7}}, {2, 2.1, {40, 50}}}};
    clocks[1].jumps = both;
    clocks[2].jumps = (struct ordo_series_events){2, {{1.05, 1.2, {-8, -6}}, {3, 3.1, {40, 50}}}};
    clocks[1].rate_ppm = (struct ordo_range){-1, 3};
    ordo_clock_blame_counter(&comparison, &clocks[0], &clocks[1]);
    cr_assert(clocks[0].jumps.seen == 1 && clocks[0].jumps.events[0].change.low == 7);
    cr_assert(clocks[1].jumps.seen == 1 && clocks[1].jumps.events[0].from_s == 2, "this jump was its own");
    cr_assert(clocks[2].jumps.seen == 1 && clocks[2].jumps.events[0].from_s == 3, "this jump was at another time");
    cr_assert(clocks[0].rate_ppm.low == -3 && clocks[0].rate_ppm.high == 1);
}

/* --- fitness for a purpose */

static struct ordo_clock_compared judged(struct ordo_comparison *comparison, struct ordo_clock_source *source,
                                         struct ordo_across *across)
{
    static const unsigned cpus[] = {4, 7};
    struct ordo_clock_compared clock = {.source = source, .across = across};
    comparison->cpus = (unsigned *)cpus;
    comparison->cpu_count = 2;
    if (comparison->trust.trust == ORDO_TRUST_NONE)
        comparison->trust.trust = ORDO_TRUST_VOUCHED;
    ordo_fitness_judge(comparison, &clock);
    return clock;
}

Test(comparison, a_clock_is_refused_for_proved_faults_only)
{
    struct ordo_comparison comparison = {0};
    struct ordo_clock_source tsc = {.name = "tsc"};
    struct ordo_across fine = {7, 100, {-80, 90}, {-1, 1}, 0}, back = fine, fast = fine;
    struct ordo_clock_compared clock = judged(&comparison, &tsc, &fine);
    cr_assert(clock.fitness[ORDO_PURPOSE_ORDER].fit == ORDO_FIT_YES &&
              clock.fitness[ORDO_PURPOSE_NODE].fit == ORDO_FIT_YES);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_NO);
    back.backward_ns = 400;
    clock = judged(&comparison, &tsc, &back);
    cr_assert(clock.fitness[ORDO_PURPOSE_ORDER].fit == ORDO_FIT_NO &&
              strstr(clock.fitness[ORDO_PURPOSE_ORDER].reason, "400 ns"));
    fast.drift_ppm = (struct ordo_range){-51, -49};
    clock = judged(&comparison, &tsc, &fast);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_DURATION].fit, ORDO_FIT_NO);
    cr_assert(strstr(clock.fitness[ORDO_PURPOSE_DURATION].reason, "cpu 7") &&
              strstr(clock.fitness[ORDO_PURPOSE_DURATION].reason, "cpu 4"));
    comparison.trust.trust = ORDO_TRUST_FAULTED;
    clock = judged(&comparison, &tsc, &fine);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_ORDER].fit, ORDO_FIT_NO);
}

Test(comparison, a_synchronised_time_of_day_is_comparable_across_machines)
{
    struct ordo_comparison comparison = {0};
    struct ordo_clock_source realtime = {.name = "realtime", .unit_hz = 1000000000, .settable = true, .steered = true};
    struct ordo_clock_source tai = realtime, monotonic = {.name = "monotonic", .unit_hz = 1000000000, .steered = true};
    struct ordo_across fine = {7, 100, {-80, 90}, {-1, 1}, 0};
    tai.name = "tai";
    comparison.discipline.kernel = (struct ordo_kernel_discipline){.known = true};
    cr_assert_eq(judged(&comparison, &realtime, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_NO);
    comparison.discipline.kernel.synchronised = true;
    cr_assert_eq(judged(&comparison, &realtime, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_YES);
    cr_assert_eq(judged(&comparison, &realtime, &fine).fitness[ORDO_PURPOSE_ORDER].fit, ORDO_FIT_NO);
    cr_assert_eq(judged(&comparison, &tai, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_NO,
                 "no leap seconds are set");
    comparison.discipline.kernel.tai_offset_s = 37;
    cr_assert_eq(judged(&comparison, &tai, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_YES);
    cr_assert_eq(judged(&comparison, &monotonic, &fine).fitness[ORDO_PURPOSE_NODE].fit, ORDO_FIT_YES);
    comparison.discipline.time_namespace.shifted = true;
    cr_assert_eq(judged(&comparison, &monotonic, &fine).fitness[ORDO_PURPOSE_NODE].fit, ORDO_FIT_LIMITED);
}

Test(comparison, the_kernels_maximum_error_bounds_the_time_of_day)
{
    struct ordo_comparison comparison = {0};
    struct ordo_clock_source realtime = {.name = "realtime", .unit_hz = 1000000000, .settable = true, .steered = true};
    struct ordo_clock_source coarse = realtime, phc = {.name = "phc", .unit_hz = 1000000000, .settable = true};
    struct ordo_across fine = {7, 100, {-80, 90}, {-1, 1}, 0};
    struct ordo_kernel_discipline *kernel = &comparison.discipline.kernel;
    struct ordo_clock_compared clock;
    coarse.granule_units = ORDO_CLOCK_LONGEST_TICK_NS;
    *kernel = (struct ordo_kernel_discipline){.known = true, .synchronised = true, .maxerror_ns = 128000000};
    clock = judged(&comparison, &realtime, &fine);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_YES);
    cr_assert(strstr(clock.fitness[ORDO_PURPOSE_MACHINES].reason, "differ by at most 256 ms"));
    clock = judged(&comparison, &coarse, &fine);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_LIMITED);
    cr_assert(strstr(clock.fitness[ORDO_PURPOSE_MACHINES].reason, "differ by at most 276 ms"),
              "each clock is late by a tick");
    kernel->maxerror_ns = 15000000000;
    clock = judged(&comparison, &realtime, &fine);
    cr_assert_eq(clock.fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_LIMITED);
    cr_assert(strstr(clock.fitness[ORDO_PURPOSE_MACHINES].reason, "differ by at most 30000 ms"));
    comparison.discipline.ptp = (struct ordo_ptp){.found = true, .master_offset_ns = -2e9};
    cr_assert_eq(judged(&comparison, &phc, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_LIMITED);
    comparison.discipline.ptp.master_offset_ns = -12;
    cr_assert_eq(judged(&comparison, &phc, &fine).fitness[ORDO_PURPOSE_MACHINES].fit, ORDO_FIT_YES);
}

Test(comparison, the_hull_contains_the_interval_of_every_cpu)
{
    struct ordo_clock_source tsc = {.name = "tsc"};
    struct ordo_across across[] = {
        {7, 10, {-80, 90}, {-1, 1}, 3}, {8, 20, {-300, 20}, {-2, 0.5}, 0}, {9, 30, {-10, 200}, {-0.5, 3}, 7}};
    struct ordo_clock_compared clock = {.source = &tsc, .across = across};
    for (int turn = 0; turn < 3; turn++) {
        struct ordo_across hull = ordo_across_hull(&clock, 4);
        cr_assert(hull.offset_ns.low == -300 && hull.offset_ns.high == 200 && hull.backward_ns == 7 &&
                  hull.messages == 60);
        cr_assert(hull.drift_ppm.low == -2 && hull.drift_ppm.high == 3);
        struct ordo_across first = across[0];
        across[0] = across[1];
        across[1] = across[2];
        across[2] = first;
    }
    for (int at = 0; at < 3; at++) {
        struct ordo_range before = across[at].drift_ppm;
        across[at].drift_ppm = (struct ordo_range){-9, -8};
        struct ordo_across hull = ordo_across_hull(&clock, 4);
        cr_assert(hull.cpu == across[at].cpu && hull.drift_ppm.low == -9 && hull.drift_ppm.high == -8,
                  "the proof is lost");
        across[at].drift_ppm = before;
    }
    struct ordo_across alone = ordo_across_hull(&clock, 1);
    cr_assert(alone.messages == 0 && alone.offset_ns.high == 0);
}

/* --- reports of other programs */

Test(comparison, an_incomplete_line_of_chronyc_is_refused)
{
    struct ordo_chrony chrony;
    cr_assert(ordo_chrony_parse("A9FEA97B,169.254.169.123,4,1700000000.123456789,-0.000001234,0.000002,0.000003456,"
                                "-12.345,0.001,0.017,0.000234,0.000567,16.1,Normal\n",
                                &chrony));
    cr_assert(chrony.found && chrony.stratum == 4 && strcmp(chrony.reference, "169.254.169.123") == 0);
    cr_assert(chrony.system_offset_s == -0.000001234 && chrony.frequency_ppm == -12.345 && chrony.skew_ppm == 0.017);
    cr_assert(chrony.root_dispersion_s == 0.000567 && strcmp(chrony.leap, "Normal") == 0);
    cr_assert(ordo_chrony_parse("0,a\033[2Jb,4,1,1,1,1,1,1,1,1,1,1,x", &chrony));
    cr_assert_str_eq(chrony.reference, "a[2Jb", "no control character remains");
    static const char *const others[] = {"",
                                         "506 Cannot talk to daemon\n",
                                         "0,a,4,1,1,1,1,1,1,1,1,1,1",
                                         "0,a,four,1,1,1,1,1,1,1,1,1,1,x",
                                         "0,a,4,1,1,1,1,nan,1,1,1,1,1,x",
                                         "0,a,4,1,1,1,1,,1,1,1,1,1,x",
                                         "0,a,4,1,1,1\n,1,1,1,1,1,1,1,x"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert(!ordo_chrony_parse(others[i], &chrony) && !chrony.found, "%s", others[i]);
}

Test(comparison, the_output_of_pmc_is_read)
{
    struct ordo_ptp ptp;
    cr_assert(
        ordo_ptp_parse("sending: GET TIME_STATUS_NP\n\t00aabb.fffe.ccddee-0 seq 0 RESPONSE MANAGEMENT "
                       "TIME_STATUS_NP\n\t\tmaster_offset              -17\n\t\tingress_time  1700000000000000000\n"
                       "\t\tgmPresent                  true\n\t\tgmIdentity  00aabb.fffe.112233\n"
                       "\t00aabb.fffe.ccddee-0 seq 1 RESPONSE MANAGEMENT CURRENT_DATA_SET\n\t\tstepsRemoved     1\n"
                       "\t\toffsetFromMaster -17.0\n\t\tmeanPathDelay    912.5\n",
                       &ptp));
    cr_assert(ptp.found && ptp.master_offset_ns == -17 && ptp.mean_path_delay_ns == 912.5 && ptp.steps_removed == 1);
    cr_assert(ptp.grandmaster_present && strcmp(ptp.grandmaster, "00aabb.fffe.112233") == 0);
    cr_assert(!ordo_ptp_parse("sending: GET TIME_STATUS_NP\n", &ptp) && !ptp.found);
    cr_assert(!ordo_ptp_parse("\t\tmaster_offset              inf\n", &ptp));
}

Test(comparison, the_offsets_of_a_time_namespace_are_read)
{
    struct ordo_time_namespace space = {0};
    cr_assert(ordo_time_namespace_parse("monotonic           0         0\nboottime            0         0\n", &space));
    cr_assert(space.known && !space.shifted);
    space = (struct ordo_time_namespace){0};
    cr_assert(ordo_time_namespace_parse("monotonic  -2 500000000\nboottime 172800 0\n", &space));
    cr_assert(space.shifted && space.monotonic_ns == -1500000000 && space.boottime_ns == INT64_C(172800000000000));
    space = (struct ordo_time_namespace){0};
    cr_assert(!ordo_time_namespace_parse("monotonic 99999999999999 0\nboottime 0 0\n", &space));
    cr_assert(!ordo_time_namespace_parse("", &space) && !space.known);
}

/* True if the process exists and is not a zombie. */
static bool runs(int process)
{
    char path[32], text[256] = "";
    (void)snprintf(path, sizeof path, "/proc/%d/stat", process);
    return ordo_record_read_text(path, text, sizeof text) > 0 && !strstr(text, ") Z ");
}

Test(comparison, a_program_that_hangs_or_floods_is_killed)
{
    char text[64];
    static const char *const echo[] = {"echo", "four words of text", NULL}, *const none[] = {"no-such-program", NULL};
    static const char *const hangs[] = {"sleep", "300", NULL}, *const floods[] = {"yes", NULL},
                             *const fails[] = {"false", NULL};
    static const char *const deaf[] = {"sh", "-c", "sleep 300 & echo $!; exec >&-; wait", NULL};
    static const char *const environment[] = {"env", NULL};
    enum { SECOND = 1000000000 };
    cr_assert_eq(ordo_output_of(echo, 60ll * SECOND, text, sizeof text), 19);
    cr_assert_str_eq(text, "four words of text\n");
    cr_assert_eq(ordo_output_of(echo, 60ll * SECOND, text, 5), 4);
    cr_assert_str_eq(text, "four");
    cr_assert_eq(ordo_output_of(environment, 60ll * SECOND, text, sizeof text), 9, "%s", text);
    cr_assert_eq(ordo_output_of(none, SECOND, text, sizeof text), -1);
    cr_assert_eq(ordo_output_of(fails, 60ll * SECOND, text, sizeof text), -1);
    int64_t begin_ns = ordo_raw_ns();
    cr_assert_eq(ordo_output_of(hangs, SECOND / 5, text, sizeof text), -1);
    cr_assert_eq(ordo_output_of(floods, SECOND / 5, text, sizeof text), -1);
    cr_assert_eq(ordo_output_of(deaf, 2ll * SECOND, text, sizeof text), -1);
    int child = atoi(text); /* the process id that the program printed before it was killed */
    for (int i = 0; i < 1000 && runs(child); i++)
        ordo_sleep_ns(10000000);
    cr_assert(child > 0 && !runs(child), "a child of the ended program still runs");
    cr_assert_lt(ordo_raw_ns() - begin_ns, 250ll * SECOND, "it waited for a program that does not end");
}

/* --- measurements of clock sources */

static uint64_t by_system_call(void)
{
    struct timespec now;
    return (uint64_t)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now) + (uint64_t)now.tv_nsec + 1;
}

static uint64_t by_nothing(void)
{
    return 1;
}

Test(comparison, a_clock_that_needs_system_calls_is_recognised)
{
    static const struct ordo_clock_source slow = {.name = "slow", .read = by_system_call};
    static const struct ordo_clock_source quick = {.name = "quick", .read = by_nothing};
    const struct ordo_clock_source *sources[] = {&slow, &quick, &slow};
    enum ordo_entry entries[3];
    ordo_clock_entries(sources, 3, entries);
    if (entries[0] == ORDO_ENTRY_UNKNOWN)
        cr_skip_test("filters of system calls are not allowed here");
    cr_assert(entries[0] == ORDO_ENTRY_SYSTEM && entries[1] == ORDO_ENTRY_USER && entries[2] == ORDO_ENTRY_SYSTEM);
}

static int64_t ahead_ns;
static unsigned ahead_cpu;

static uint64_t ahead_somewhere(void)
{
    unsigned cpu = (unsigned)sched_getcpu();
    return ordo_clock_system_ns(CLOCK_MONOTONIC_RAW) + (uint64_t)(cpu == ahead_cpu ? ahead_ns : 0);
}

Test(comparison, messages_bound_the_offset_of_two_cpus)
{
    static const struct ordo_clock_source source = {.name = "made", .unit_hz = 1000000000, .read = ahead_somewhere};
    const struct ordo_clock_source *sources[] = {&source};
    struct ordo_topology *topology;
    struct ordo_across_look look;
    struct ordo_error error;
    unsigned *cpus;
    int count;
    cr_assert_eq(ordo_topology_open(&topology, NULL, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &count, &error), 0, "%s", error.text);
    for (int i = 0; count > 1 && i < 4; i++) {
        static const int64_t aheads[] = {0, 5000, -300000, INT64_C(7000000000)};
        ahead_cpu = cpus[1];
        ahead_ns = aheads[i];
        cr_assert_eq(ordo_across_look(topology, cpus[0], cpus[1], sources, 1, 100, 50000000, &look, &error), 0, "%s",
                     error.text);
        struct ordo_interval offset = ordo_offset_of_visit(&look.visit);
        cr_assert(look.messages >= 2 && look.messages <= 200 && look.messages % 2 == 0);
        cr_assert(offset.low - 1 <= ahead_ns && ahead_ns <= offset.high + 1, "%lld not in [%lld, %lld]",
                  (long long)ahead_ns, (long long)offset.low, (long long)offset.high);
    }
    free(cpus);
    ordo_topology_close(topology);
}
