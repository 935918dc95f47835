/* Traces without sessions: messages bound the clocks. The test knows all clocks, and checks that every event is within
 * its bounds. */
#include "trace_files.h"

#include "trace_truth.h"

enum { RANKS = 6, EVENTS_MOST = 20000 };

static struct truth clocks[RANKS]; /* the master of each is the clock of rank 0, which shows global time */

static struct {
    struct ordo_event events[EVENTS_MOST];
    struct ordo_event_stamp stamps[EVENTS_MOST];
    long double true_ns[EVENTS_MOST];
    int count;
    char *text;
    size_t size;
    FILE *stream;
} trace;

/* Draws the clocks. The clock of rank 0 has a constant rate, so that all ranks have the same global time; the other
 * clocks wander. */
static void draw_clocks(uint64_t *random, const struct ordo_declared *declared, double seconds, int64_t granule_ns)
{
    for (int rank = 0; rank < RANKS; rank++) {
        struct truth_rate rate = truth_rate_draw(random, declared);
        int64_t base_ns = (int64_t)(ordo_random_next(random) >> 5) / 1000000 * 1000000;
        truth_begin(&clocks[rank], rank ? base_ns / granule_ns * granule_ns : 0, 0);
        for (double at_s = 0; at_s < seconds;) {
            double for_s = truth_between(random, 0.5, TRUTH_STEP_S);
            truth_run(&clocks[rank], (long double)(for_s * truth_second_ns),
                      rank ? truth_rate_next(&rate, random, for_s) : 0, 0);
            at_s += for_s;
        }
    }
}

static void begin(void)
{
    trace.count = 0;
    trace.stream = open_memstream(&trace.text, &trace.size);
    cr_assert(trace.stream);
    fputs("rank,time_ns,kind,name,peer,tag\n", trace.stream);
}

static void add(const char *kind, int rank, int peer, int tag, long double true_ns, int64_t granule_ns)
{
    fprintf(trace.stream, "%d,%lld,%s,,%d,%d\n", rank, (long long)truth_read_clock(&clocks[rank], true_ns, granule_ns),
            kind, peer, tag);
    trace.true_ns[trace.count++] = true_ns;
}

/* Sends a message there and, later, one back; each takes up to `delay_ns`. */
static void exchange(uint64_t *random, int a, int b, long double at_ns, double delay_ns, int64_t granule_ns)
{
    for (int back = 0; back < 2; back++, at_ns += 1e5L) {
        int from = back ? b : a, to = back ? a : b;
        add("send", from, to, 1, at_ns, granule_ns);
        at_ns += (long double)truth_between(random, 0, delay_ns);
        add("recv", to, from, 1, at_ns, granule_ns);
    }
}

static int correct(const struct ordo_declared *declared, const char *method, struct ordo_correct_report *report,
                   struct ordo_error *error)
{
    int code;
    cr_assert_eq(fclose(trace.stream), 0);
    struct file file = file_of(trace.text);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    options.declared = *declared;
    options.method = ordo_method_find(method);
    char *text = file_correct(&options, report, &code, error);
    if (!code)
        cr_assert_eq(file_read(text, trace.events, trace.stamps, EVENTS_MOST), trace.count);
    free(text);
    free(trace.text);
    file_close(&file);
    return code;
}

/* Expects that the bounds of every event contain all times at which it may have happened: from its reading up to the
 * next reading of its clock. */
static void expect_truth(int64_t granule_ns, const char *what, int trial)
{
    for (int i = 0; i < trace.count; i++) {
        double global = (double)trace.true_ns[i];
        const struct ordo_event_stamp *stamp = &trace.stamps[i];
        cr_assert((double)stamp->earliest_ns <= global + 0.02 && global <= (double)stamp->latest_ns + 0.02,
                  "%s %d, event %d of rank %d: %.0f is not in %lld to %lld", what, trial, i, trace.events[i].rank,
                  global, (long long)stamp->earliest_ns, (long long)stamp->latest_ns);
        cr_assert(stamp->earliest_ns <= stamp->global_ns && stamp->global_ns <= stamp->latest_ns);
        cr_assert(trace.events[i].rank > 0 || stamp->latest_ns - stamp->earliest_ns <= granule_ns, "%s", what);
    }
}

/* The ranks form a ring, so most of them are joined to rank 0 only by way of others. */
Test(trace_messages, messages_alone_bound_the_time_of_every_event)
{
    uint64_t random = 41;
    const char *methods[] = {"interval", "spline", "linear"};
    for (int trial = 0; trial < 90; trial++) {
        struct ordo_declared declared = ordo_declared_defaults();
        struct ordo_correct_report report;
        struct ordo_error error = {0};
        int64_t granule_ns = (int64_t[]){1, 40, 1000}[ordo_random_next(&random) % 3];
        double delay_ns = pow(10, truth_between(&random, 3, 5.5)), seconds = pow(10, truth_between(&random, 0, 2.3));
        declared.max_wander_ppb = pow(10, truth_between(&random, 0, 3.5));
        declared.granule_ns = trial % 2 ? granule_ns : ORDO_GRANULE_OF_DIGITS;
        draw_clocks(&random, &declared, seconds + 1, granule_ns);
        begin();
        for (int i = 0; i < 400; i++) {
            int a = (int)(ordo_random_next(&random) % RANKS), b = (a + 1) % RANKS;
            long double at = (long double)((seconds * i / 400 + 0.1) * truth_second_ns);
            exchange(&random, i < RANKS ? i : a, i < RANKS ? (i + 1) % RANKS : b, at, delay_ns, granule_ns);
        }
        int code = correct(&declared, methods[trial % 3], &report, &error);
        cr_assert_eq(code, ORDO_OK, "trial %d: %s", trial, error.text);
        cr_assert_eq(report.source, ORDO_SOURCE_MESSAGES);
        cr_assert_eq(report.causality.certain, 0);
        expect_truth(granule_ns, "trial", trial);
        ordo_correct_report_free(&report);
    }
}

/* From fast messages in both directions, the offset is known to about half of the round trip. */
Test(trace_messages, fast_messages_recover_the_offset)
{
    uint64_t random = 42;
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    declared.granule_ns = 1;
    draw_clocks(&random, &declared, 21, 1);
    begin();
    for (int i = 0; i < 2000; i++)
        exchange(&random, 0, 1, (long double)(0.1 + 0.01 * i) * 1e9L, 2000, 1);
    cr_assert_eq(correct(&declared, "interval", &report, &error), ORDO_OK, "%s", error.text);
    for (int i = 0; i < trace.count; i++)
        cr_assert_leq(fabs((double)trace.true_ns[i] - (double)trace.stamps[i].global_ns), 1500, "event %d", i);
    ordo_correct_report_free(&report);
}

/* Makes many messages, of which every fiftieth takes `fast_ns`. Returns the width of the widest bounds in the middle
 * half of the trace. */
static int64_t widest_of_many(double fast_ns, double apart_s)
{
    enum { MANY = 4900 };
    uint64_t random = 43;
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    int64_t widest = 0;
    declared.granule_ns = 1;
    declared.max_wander_ppb = 1;
    declared.max_skew_ppb = 10;
    draw_clocks(&random, &declared, apart_s * MANY + 10, 1);
    begin();
    for (int i = 0; i < MANY; i++)
        exchange(&random, 0, 1, (long double)(1 + apart_s * i) * 1e9L, i % 50 == 0 ? fast_ns : 1e6, 1);
    cr_assert_eq(correct(&declared, "interval", &report, &error), ORDO_OK, "%s", error.text);
    expect_truth(1, "many", (int)fast_ns);
    for (int i = trace.count / 4; i < trace.count * 3 / 4; i++) {
        int64_t width_ns = trace.stamps[i].latest_ns - trace.stamps[i].earliest_ns;
        widest = width_ns > widest ? width_ns : widest;
    }
    ordo_correct_report_free(&report);
    return widest;
}

/* There are more messages than the program keeps. The forgotten messages must not be the tightest ones [M3]. */
Test(trace_messages, the_fastest_of_many_messages_are_kept)
{
    const double apart_s[] = {1.1, 0.01}; /* seconds between messages: few messages in a second, and many */
    const int64_t most_ns[] = {2000, 300};
    for (int i = 0; i < 2; i++) {
        int64_t fast_ns = widest_of_many(100, apart_s[i]), slow_ns = widest_of_many(1e6, apart_s[i]);
        cr_assert(fast_ns < most_ns[i] && slow_ns > 3 * fast_ns, "%lld and %lld", (long long)fast_ns,
                  (long long)slow_ns);
    }
}

Test(trace_messages, one_way_messages_are_refused_with_a_remedy)
{
    uint64_t random = 44;
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    draw_clocks(&random, &declared, 10, 1);
    begin();
    exchange(&random, 0, 1, 1e9L, 1000, 1);
    add("send", 2, 1, 1, 2e9L, 1);
    add("recv", 1, 2, 1, 2e9L + 500, 1);
    cr_assert_eq(correct(&declared, "interval", &report, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "nothing is known of the clock of rank 2"), "%s", error.text);
    begin();
    add("send", 0, 0, 1, 2e9L, 1);
    add("recv", 0, 0, 1, 2e9L, 1);
    cr_assert_eq(correct(&declared, "interval", &report, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "no message between ranks"), "%s", error.text);
}

Test(trace_messages, impossible_messages_are_refused)
{
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    begin();
    fputs("0,1000,send,,1,1\n1,2000,recv,,0,1\n1,3000,send,,0,1\n0,1500,recv,,1,1\n", trace.stream);
    fputs("0,9000000000,send,,1,1\n1,5000,recv,,0,1\n1,6000,send,,0,1\n0,9000001500,recv,,1,1\n", trace.stream);
    cr_assert_eq(correct(&declared, "interval", &report, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "rank 1: its clock stepped"), "%s", error.text);
}
