/* The report of `ordo-net measure` about a window, with made-up results (calib/ordo-net). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/gauges.h"
#include "common/result.h"
#include "ordo-net/measured.h"

enum { HOSTS = 3 };

static char *names[HOSTS] = {"a.example", "b.example", "c.example"};

/* Returns a host without faults. The reference is exact. */
static struct ordo_net_survey_host host_at(int64_t offset_ns)
{
    int64_t half_ns = offset_ns ? 10 : 0;
    return (struct ordo_net_survey_host){.answers = true,
                                         .joined = true,
                                         .proved = true,
                                         .clock = ORDO_NET_MONOTONIC,
                                         .estimate_ns = offset_ns,
                                         .offset_ns = {offset_ns - half_ns, offset_ns + half_ns},
                                         .told = true};
}

static struct measured measured_of(const struct ordo_net_survey_host *hosts)
{
    static struct ordo_net_survey_options options = {.window_ns = 1000000000, .rate_ppm = 500, .stamp_ns = 100};
    static struct alarm no_limits = {.hosts = HOSTS};
    options.estimator = ordo_net_offset_estimator_find("min-rtt");
    return (struct measured){.name = names,
                             .options = &options,
                             .alarm = &no_limits,
                             .result = {.hosts = HOSTS, .host = hosts, .sound = true}};
}

static void print_line_of_json(const struct measured *measured)
{
    cr_assert(measured_print_json(measured, true) == 0);
}

static void print_metrics(const struct measured *measured)
{
    char path[] = "/tmp/ordo-measured-XXXXXX", line[512];
    struct ordo_error error;
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && close(fd) == 0);
    cr_assert(measured_write_metrics(measured, path, &error) == ORDO_OK, "%s", error.text);
    FILE *file = fopen(path, "r");
    cr_assert(file);
    while (fgets(line, sizeof line, file))
        fputs(line, stdout);
    (void)fclose(file);
    (void)unlink(path);
}

/* Returns the printed report. */
static const char *text_of(void (*print)(const struct measured *), const struct measured *measured)
{
    static char text[1 << 16];
    FILE *file = tmpfile();
    cr_assert(file && dup2(fileno(file), STDOUT_FILENO) >= 0);
    print(measured);
    cr_assert(fflush(stdout) == 0);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    (void)fclose(file);
    return text;
}

static void says(void (*print)(const struct measured *), const struct measured *measured, const char *expected)
{
    const char *text = text_of(print, measured);
    cr_assert(strstr(text, expected), "'%s' is not in:\n%s", expected, text);
}

Test(measured, a_window_succeeds_if_the_bounds_of_all_hosts_are_proved)
{
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    cr_assert(measured_verdict(&measured) == EXIT_OK);
    says(measured_print_line, &measured,
         " 3 of 3 hosts proved if none lies, 0 of 0 edges, widest 20 ns: b.example at 500 ns");
    measured.result.sound = false;
    cr_assert(measured_verdict(&measured) == EXIT_FAILS);
}

/* Other hosts had measured this host before it died, and reported it. */
Test(measured, a_host_that_died_in_the_window_is_reported)
{
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    hosts[1].answers = hosts[1].told = false;
    cr_assert(measured_verdict(&measured) == EXIT_UNKNOWN);
    says(measured_print_table, &measured,
         "\nb.example                  500                  490                  510         0          0         0"
         "  does not answer\n");
    says(measured_print_line, &measured,
         " 3 of 3 hosts proved if none lies, 0 of 0 edges, 1 host did not answer, widest");
    says(print_line_of_json, &measured, "\"proved_offset_ns\": [490, 510]");
    says(print_metrics, &measured, "\nordo_net_hosts_proved 3\n");
    says(print_metrics, &measured, "\nordo_net_hosts_answering 2\n");
}

Test(measured, the_report_states_why_a_host_is_unknown)
{
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    hosts[1].joined = hosts[1].answers = hosts[2].joined = hosts[1].proved = hosts[2].proved = false;
    cr_assert(measured_verdict(&measured) == EXIT_UNKNOWN);
    says(measured_print_table, &measured, "\nb.example does not answer\n");
    says(measured_print_table, &measured, "\nc.example no edge joins it to the reference  monotonic, process\n");
    says(measured_print_line, &measured,
         " 1 of 3 hosts proved if none lies, 0 of 0 edges, 1 host did not answer; no offset is proved; refused 0");
}

Test(measured, contradicting_measurements_are_reported)
{
    static const struct ordo_net_survey_edge edges[] = {{.a = 0, .b = 1}, {.a = 0, .b = 2}, {.a = 1, .b = 2}};
    static const int contrary[] = {2, 0};
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    measured.result.edge = edges;
    measured.result.edges = 3;
    measured.result.contrary = contrary;
    measured.result.contraries = 2;
    const char *named =
        "he intervals of the edges b.example to c.example, a.example to b.example contradict each other: one "
        "of these hosts lies, its clock was set, or its rate is not within 500 ppm";
    for (int sound = 0; sound < 2; sound++) { /* if `sound`, the allowed number of liars explains the contradiction */
        measured.result.sound = sound;
        cr_assert(measured_verdict(&measured) == EXIT_FAILS);
        says(measured_print_table, &measured, named);
        says(measured_print_line, &measured, named);
        says(print_line_of_json, &measured,
             "\"contradiction\": [{\"a\": \"b.example\", \"b\": \"c.example\"}, {\"a\": \"a.example\", \"b\": "
             "\"b.example\"}]");
        says(print_metrics, &measured, "\nordo_net_edges_contradicting 2\n");
    }
    says(measured_print_line, &measured, ", widest 20 ns");
}

Test(measured, the_report_states_the_allowed_number_of_liars)
{
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    struct ordo_net_survey_options options = *measured.options;
    says(measured_print_table, &measured, ", rates within 500 ppm, true if none lies\n");
    says(print_line_of_json, &measured, "\"liars\": 0");
    measured.options = &options;
    options.liars = 1;
    hosts[1].proved = hosts[2].proved = false;
    hosts[2].refuted = true;
    cr_assert(measured_verdict(&measured) == EXIT_UNKNOWN);
    says(measured_print_table, &measured, ", true if at most 1 lies\n");
    says(measured_print_table, &measured, " not proved: liars could cut it off");
    says(measured_print_table, &measured, " not proved: it contradicts the others");
    says(measured_print_line, &measured, " 1 of 3 hosts proved if at most 1 lies, ");
    says(print_line_of_json, &measured, "\"unproved\": \"too-few-ways\"");
    says(print_line_of_json, &measured, "\"unproved\": \"refuted\"");
    says(print_line_of_json, &measured, "\"liars\": 1");
    says(print_metrics, &measured, "\nordo_net_liars 1\n");
}

Test(measured, a_too_slow_host_is_reported)
{
    static const struct ordo_net_survey_edge edges[] = {{.a = 1, .b = 2, .why = ORDO_NET_WITHOUT_TIME}};
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    measured.result.edge = edges;
    measured.result.edges = 1;
    hosts[1].slow = true;
    cr_assert(measured_verdict(&measured) == EXIT_UNKNOWN);
    says(measured_print_table, &measured, "monotonic, process; too slow: not all of its probes were collected\n");
    says(measured_print_table, &measured, "  not used: the first host was too slow to report its probes\n");
    says(measured_print_line, &measured,
         " 3 of 3 hosts proved if none lies, 0 of 1 edges, too slow: b.example, widest");
    says(print_line_of_json, &measured, "\"slow\": true");
    says(print_line_of_json, &measured, "\"reason\": \"slow\"");
    says(print_metrics, &measured, "\nordo_net_hosts_slow 1\n");
}

/* Returns the value of this metric for the second host, as a reader parses it. */
static double metric(const struct measured *measured, const char *name)
{
    char head[80];
    (void)snprintf(head, sizeof head, "\n%s{host=\"b.example\"} ", name);
    const char *text = strstr(text_of(print_metrics, measured), head);
    cr_assert(text, "%s", name);
    return strtod(text + strlen(head), NULL);
}

/* Returns the exact sign of `seconds` * 1e9 - `ns`. The fused operation rounds only once. */
static int compare(double seconds, int64_t ns)
{
    long double apart = fmal(seconds, 1e9L, -(long double)ns);
    return (apart > 0) - (apart < 0);
}

Test(measured, bounds_are_rounded_outwards)
{
    const int64_t offsets_ns[] = {
        1, 3, 7, 500, 123456789, 12345000000001, INT64_C(9007199254740995), 1700000000000000123};
    struct ordo_net_survey_host hosts[HOSTS] = {host_at(0), host_at(500), host_at(900)};
    struct measured measured = measured_of(hosts);
    for (size_t i = 0; i < 2 * sizeof offsets_ns / sizeof *offsets_ns; i++) {
        int64_t at_ns = (i % 2 ? -1 : 1) * offsets_ns[i / 2];
        hosts[1].offset_ns = (struct ordo_interval){at_ns - 1, at_ns + 3};
        hosts[1].estimate_ns = at_ns;
        double low = metric(&measured, "ordo_net_offset_low_seconds"),
               high = metric(&measured, "ordo_net_offset_high_seconds"),
               likely = metric(&measured, "ordo_net_offset_seconds");
        cr_assert(compare(low, at_ns - 1) <= 0 && compare(high, at_ns + 3) >= 0, "%lld ns: %.17g to %.17g",
                  (long long)at_ns, low, high);
        cr_assert(low <= likely && likely <= high);
        cr_assert(compare(metric(&measured, "ordo_net_offset_width_seconds"), 4) >= 0);
        cr_assert(high - low < 4.1e-9 + 2e-15 * fabs(likely), "%lld ns: %.17g to %.17g", (long long)at_ns, low, high);
    }
    hosts[1].drift_low_ppb = -0.4;
    hosts[1].drift_high_ppb = 0.4;
    says(measured_print_table, &measured, "         0         -1         1  monotonic");
}

Test(measured, a_printed_number_reads_back_exactly)
{
    const double values[] = {0, 1, 168, 0.001, 1e-7, 1.0 / 3, 1.4560078730551947e-07, -INFINITY};
    const char *const texts[] = {"0",   "1", "168", "0.001", "1e-07", "0.3333333333333333", "1.4560078730551947e-07",
                                 "-Inf"};
    char line[64];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        FILE *file = tmpfile();
        cr_assert(file);
        cli_gauge_value(file, values[i]);
        rewind(file);
        cr_assert(fgets(line, sizeof line, file) && strtod(line, NULL) == values[i]);
        line[strcspn(line, "\n")] = 0;
        cr_assert_str_eq(line, texts[i]);
        (void)fclose(file);
    }
    cr_assert(cli_not_above(0) == 0 && cli_not_below(INFINITY) == INFINITY && cli_not_above(INFINITY) == INFINITY);
    cr_assert(cli_not_above(1.0 / 3) < 1.0 / 3 && cli_not_below(1.0 / 3) > 1.0 / 3);
}
