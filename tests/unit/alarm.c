/* Limits on the offsets of pairs of hosts: findings, alarms, and how they are reported, with made-up results
 * (calib/ordo-net). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/duration.h"
#include "common/result.h"
#include "ordo-net/follower.h"
#include "ordo-net/pairs.h"

enum { HOSTS = 3, US = 1000, MS = 1000 * US };

static char *names[HOSTS] = {"a.example", "b.example", "c.example"};

/* A window in which everything is known; the offsets of the hosts from the first one are exact. */
static struct window {
    struct ordo_net_survey_host host[HOSTS];
    struct ordo_net_survey_options options;
    int64_t most_ns[HOSTS * HOSTS];
    struct alarm alarm;
    struct measured measured;
} window;

/* Sets the clocks of hosts 1 and 2, and how wide all intervals are. */
static void set_clocks(int64_t second_ns, int64_t third_ns, int64_t half_ns)
{
    const int64_t at_ns[HOSTS] = {0, second_ns, third_ns};
    for (int i = 0; i < HOSTS; i++) {
        window.host[i] = (struct ordo_net_survey_host){
            .answers = true, .joined = true, .proved = true, .estimate_ns = at_ns[i], .told = true};
        window.host[i].offset_ns = (struct ordo_interval){at_ns[i] - half_ns, at_ns[i] + half_ns};
        for (int k = 0; k < HOSTS; k++)
            window.most_ns[i * HOSTS + k] = at_ns[k] - at_ns[i] + half_ns;
    }
}

static void begin_window(int64_t max_offset_ns, int64_t max_bound_ns, int clear_after)
{
    alarm_free(&window.alarm);
    window = (struct window){.options = {.window_ns = 1000 * MS, .rate_ppm = 500, .pairs = true}};
    window.options.estimator = ordo_net_offset_estimator_find("min-rtt");
    window.alarm.limit_ns[ALARM_OFFSET] = max_offset_ns;
    window.alarm.limit_ns[ALARM_BOUND] = max_bound_ns;
    window.alarm.clear_after = clear_after;
    cr_assert(alarm_make(&window.alarm, HOSTS));
    window.measured = (struct measured){.name = names, .options = &window.options, .alarm = &window.alarm};
    window.measured.result =
        (struct ordo_net_survey_result){.hosts = HOSTS, .host = window.host, .sound = true, .most_ns = window.most_ns};
    set_clocks(0, 0, 10);
}

/* Nothing is known of a host that does not answer. */
static void silence(int host)
{
    window.host[host].answers = window.host[host].joined = window.host[host].proved = false;
    for (int i = 0; i < HOSTS; i++)
        window.most_ns[i * HOSTS + host] = window.most_ns[host * HOSTS + i] = INT64_MAX;
}

static int changes;

static void count_change(void *context, enum alarm_kind kind, int a, int b, bool rises)
{
    (void)context;
    cr_assert(kind == ALARM_OFFSET && a < b);
    changes += rises ? 1 : 100;
}

/* Judges the window. Returns the number of alarms that rose, plus 100 for each that cleared. */
static int judge(void)
{
    changes = 0;
    alarm_judge(&window.alarm, &window.measured.result, count_change, NULL);
    return changes;
}

static enum alarm_finding find(enum alarm_kind kind, int64_t limit_ns, int64_t low_ns, int64_t high_ns)
{
    struct alarm alarms = {.limit_ns = {limit_ns, limit_ns}};
    struct ordo_net_survey_pair pair = {.proved = true, .offset_ns = {low_ns, high_ns}};
    return alarm_find(&alarms, kind, &pair);
}

Test(alarm, a_pair_exceeds_a_limit_only_if_its_whole_interval_does)
{
    cr_expect_eq(find(ALARM_OFFSET, 100, 101, 200), ALARM_EXCEEDS);
    cr_expect_eq(find(ALARM_OFFSET, 100, 100, 200), ALARM_UNDECIDED);
    cr_expect_eq(find(ALARM_OFFSET, 100, -100, 100), ALARM_WITHIN);
    cr_expect_eq(find(ALARM_OFFSET, 100, -101, 100), ALARM_UNDECIDED);
    cr_expect_eq(find(ALARM_OFFSET, 100, -300, -101), ALARM_EXCEEDS);
    cr_expect_eq(find(ALARM_OFFSET, 100, -300, -100), ALARM_UNDECIDED);
    cr_expect_eq(find(ALARM_OFFSET, 100, -300, 300), ALARM_UNDECIDED);
    cr_expect_eq(find(ALARM_BOUND, 100, 500, 700), ALARM_WITHIN);
    cr_expect_eq(find(ALARM_BOUND, 100, 500, 701), ALARM_EXCEEDS);
    cr_expect_eq(find(ALARM_BOUND, 100, INT64_MIN + 1, INT64_MAX - 1), ALARM_EXCEEDS);
    cr_expect_eq(find(ALARM_OFFSET, 100, INT64_MIN + 1, INT64_MAX - 1), ALARM_UNDECIDED);
    cr_expect_eq(find(ALARM_OFFSET, INT64_C(1) << 61, INT64_MIN + 1, INT64_MIN + 2), ALARM_EXCEEDS);
}

Test(alarm, an_alarm_rises_at_once_and_clears_after_successive_windows)
{
    begin_window(MS, 0, 3);
    cr_expect_eq(judge(), 0);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_OK);
    set_clocks(0, 2 * MS, 10);
    cr_expect_eq(judge(), 2); /* hosts 0 and 2, 1 and 2 */
    cr_expect_eq(judge(), 0);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_FAILS);
    set_clocks(0, 0, 10);
    cr_expect(judge() == 0 && judge() == 0);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_FAILS);
    cr_expect_eq(judge(), 200);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_OK);
    cr_expect_eq(window.alarm.count[ALARM_OFFSET].rises, 2);
}

/* The clock of host 2 swings around the limit: with a wide interval, and with a narrow one. */
Test(alarm, an_offset_that_swings_around_the_limit_does_not_flap)
{
    begin_window(MS, 0, 4);
    for (int i = 0; i < 100; i++) {
        set_clocks(0, MS + (i % 2 ? 5 : -5) * US, 10 * US);
        cr_expect_eq(judge(), 0, "wide, window %d", i);
        cr_expect_eq(alarm_verdict(&window.alarm), EXIT_UNKNOWN);
    }
    for (int i = 0; i < 100; i++) {
        set_clocks(0, MS + (i % 2 ? 5 : -5) * US, 10);
        cr_expect_eq(judge(), i == 1 ? 2 : 0, "narrow, window %d", i);
    }
}

Test(alarm, a_silent_host_neither_raises_nor_clears_an_alarm)
{
    begin_window(MS, 0, 2);
    set_clocks(0, 2 * MS, 10);
    cr_expect_eq(judge(), 2);
    silence(2);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(judge(), 0);
    cr_expect_eq(window.alarm.count[ALARM_OFFSET].of[ALARM_UNDECIDED], 2);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_FAILS);
    set_clocks(0, 0, 10);
    cr_expect_eq(judge(), 0);
    silence(2);
    cr_expect_eq(judge(), 0); /* the count begins anew */
    set_clocks(0, 0, 10);
    cr_expect_eq(judge(), 0);
    cr_expect_eq(judge(), 200);
}

Test(alarm, a_failed_window_tells_nothing)
{
    begin_window(MS, 0, 1);
    set_clocks(0, 2 * MS, 10);
    cr_expect_eq(judge(), 2);
    window.measured.result = (struct ordo_net_survey_result){.sound = true};
    cr_expect_eq(judge(), 0);
    cr_expect_eq(window.alarm.count[ALARM_OFFSET].of[ALARM_UNDECIDED], 3);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_FAILS);
    begin_window(MS, 0, 1);
    window.measured.result = (struct ordo_net_survey_result){.sound = true};
    cr_expect_eq(judge(), 0);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_UNKNOWN);
}

/* --- reports */

static void print_table(void)
{
    pairs_print(&window.measured);
}

static void print_line_of_json(void)
{
    cr_assert(measured_print_json(&window.measured, true) == 0);
}

static void print_svg(void)
{
    struct ordo_error error = {.text = ""};
    cr_assert(pairs_write_svg(&window.measured, "/dev/stdout", &error) == ORDO_OK, "%s", error.text);
}

static void print_metrics(void)
{
    pairs_put_metrics(&window.measured, stdout);
}

static void print_events(void)
{
    static struct follower follower;
    follower = (struct follower){.measured = &window.measured};
    cr_assert(follower_begin(&follower, NULL, true, "test"));
    follower_take(&follower, NULL);
    set_clocks(0, 0, 10);
    silence(1);
    follower_take(&follower, NULL);
    follower_take(&follower, "the reference is silent");
    set_clocks(0, 0, 10);
    follower_take(&follower, NULL);
    follower_end(&follower);
}

static const char *text_of(void (*print)(void))
{
    static char text[1 << 16];
    FILE *file = tmpfile();
    cr_assert(file && dup2(fileno(file), STDOUT_FILENO) >= 0);
    print();
    cr_assert(fflush(stdout) == 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    return text;
}

static void says(void (*print)(void), const char *expected)
{
    const char *text = text_of(print);
    cr_assert(strstr(text, expected), "'%s' is not in:\n%s", expected, text);
}

Test(alarm, each_pair_that_exceeds_a_limit_has_a_line)
{
    begin_window(MS, 0, 5);
    set_clocks(0, -49000000 * (int64_t)US, 10);
    (void)judge();
    says(print_table, "    3 c.example  -49.0s!  -49.0s!\n");
    says(print_table,
         "\nEXCEEDS\na.example and c.example: certainly 48.99999999 s apart, more than --max-offset 1 ms: a.example is "
         "ahead by 48.99999999 s to 49.00000001 s\nb.example and c.example: certainly 48.99999999 s apart");
    says(print_table, "\n2 of 3 pairs exceed --max-offset 1 ms, 0 cannot be told, 1 are within; all of these have "
                      "c.example\n");
    says(print_line_of_json, "\"max_offset\": {\"within\": 1, \"undecided\": 0, \"exceeds\": 2, \"alarms\": 2}");
    says(print_line_of_json, "\"listed\": [{\"a\": \"a.example\", \"b\": \"c.example\", \"offset_ns\": -49000000000, "
                             "\"proved_offset_ns\": [-49000000010, -48999999990], \"max_offset\": {\"finding\": "
                             "\"exceeds\", \"alarm\": true}, \"max_bound\": null}");
    says(print_metrics, "\nordo_net_pairs{limit=\"offset\",finding=\"exceeds\"} 2\n");
    says(print_metrics, "\nordo_net_host_alarms{host=\"c.example\",limit=\"offset\"} 2\n");
    says(print_svg,
         "fill=\"#c62828\" stroke=\"white\"><title>c.example minus a.example: -49.00000001 s to -48.99999999 s");
}

Test(alarm, undecided_pairs_are_listed_apart)
{
    begin_window(MS, 0, 5);
    silence(2);
    (void)judge();
    says(print_table,
         "\ncannot be told\na.example and c.example: cannot be told, for --max-offset 1 ms: c.example does "
         "not answer\n");
    says(print_table, "\n0 of 3 pairs exceed --max-offset 1 ms, 2 cannot be told, 1 are within\n");
    window.host[2].answers = true;
    says(print_table, ": no edge joins c.example to the reference\n");
    window.host[2].joined = true;
    says(print_table, ": liars could cut c.example off\n");
    window.host[2].refuted = true;
    says(print_table, ": c.example contradicts the others\n");
    window.measured.result.sound = false;
    says(print_table, ": the intervals of edges contradict each other\n");
    window.measured.result.sound = true;
    set_clocks(0, 0, 2 * MS);
    says(print_table, "c.example: cannot be told, for --max-offset 1 ms: c.example is ahead by -2 ms to 2 ms\n");
    says(print_svg, "fill=\"#bdbdbd\"");
}

Test(alarm, a_wide_interval_exceeds_the_limit_on_bounds)
{
    begin_window(0, 9, 5);
    set_clocks(5, 5, 10);
    alarm_judge(&window.alarm, &window.measured.result, NULL, NULL);
    cr_expect_eq(alarm_verdict(&window.alarm), EXIT_FAILS);
    says(print_table, "a.example and b.example: known to +- 10 ns, worse than --max-bound 9 ns: b.example is ahead by "
                      "-5 ns to 15 ns\n");
    says(print_metrics, "ordo_net_limit_seconds{limit=\"bound\"} 9e-09\n");
}

Test(alarm, changes_are_reported_as_events)
{
    begin_window(MS, 0, 1);
    set_clocks(0, 2 * MS, 10);
    const char *text = text_of(print_events), *at = text;
    static const char *const expected[] = {
        "Z exceeds: a.example and c.example: certainly 1.99999 ms apart",
        "Z silent: b.example does not answer\n",
        "Z cleared: a.example and c.example: at most 10 ns apart, within --max-offset 1 ms",
        "Z failed: the reference is silent\n",
        "Z measured: windows have results again\n",
        "Z answers: b.example answers again\n",
        "Z cleared: b.example and c.example: at most 10 ns apart",
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        cr_assert(at = strstr(at, expected[i]), "'%s' is not in its place in:\n%s", expected[i], text);
}

Test(alarm, names_are_escaped_in_the_drawing)
{
    char name[] = "a<b>&\x1b\xff";
    begin_window(0, 0, 1);
    names[1] = name;
    says(print_svg, ">a&lt;b&gt;&amp;?? 2</text>");
    names[1] = "b.example";
    cr_assert_not(strpbrk(text_of(print_svg), "\x1b\xff"));
}

/* --- times with a unit */

Test(alarm, times_are_printed_exactly_or_in_three_digits)
{
    static const struct {
        int64_t ns;
        const char *exact, *brief;
    } cases[] = {{0, "0 ns", "+0ns"},
                 {-999, "-999 ns", "-999ns"},
                 {1000, "1 us", "+1.00us"},
                 {12500, "12.5 us", "+12.5us"},
                 {999499, "999.499 us", "+999us"},
                 {999500, "999.5 us", "+1.00ms"},
                 {-49000004249, "-49.000004249 s", "-49.0s"},
                 {12345000000001, "12345.000000001 s", "+12345s"},
                 {86400 * INT64_C(1000000000) * 365, "31536000 s", "+365d"},
                 {INT64_MIN, "-9223372036.854775808 s", "-106752d"}};
    char text[DURATION_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_str_eq(duration_exact(cases[i].ns, text), cases[i].exact);
        cr_expect_str_eq(duration_brief(cases[i].ns, text), cases[i].brief);
    }
}
