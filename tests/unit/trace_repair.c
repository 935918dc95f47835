/* The repair of traces with wrong estimates: [R1] to [R5] of correct/repair.c hold in the output. */
#include "trace_files.h"

#include "base/random.h"

enum { EVENTS_MOST = 4096, RANKS = 4 };

/** A trace under construction, as CSV. The clocks show global time, except for small errors. */
struct trace {
    char *text;
    size_t size;
    FILE *stream;
};

/** The output of the correction. */
static struct {
    struct ordo_event events[EVENTS_MOST];
    struct ordo_event_stamp stamps[EVENTS_MOST];
    int count;
    struct ordo_correct_report report;
    struct ordo_error error;
} out;

static void begin(struct trace *trace)
{
    trace->text = NULL;
    trace->stream = open_memstream(&trace->text, &trace->size);
    cr_assert(trace->stream);
    fputs("rank,time_ns,kind,name,peer,tag,communicator,root\n", trace->stream);
}

static void message(struct trace *trace, const char *kind, int rank, int64_t time_ns, int peer, int tag)
{
    fprintf(trace->stream, "%d,%lld,%s,,%d,%d,,\n", rank, (long long)time_ns, kind, peer, tag);
}

static void region(struct trace *trace, const char *kind, int rank, int64_t time_ns, const char *name, int root)
{
    fprintf(trace->stream, "%d,%lld,%s,%s,,,0,%d\n", rank, (long long)time_ns, kind, name, root);
}

/* Returns sessions in which all clocks show global time: the estimates equal the readings, and the bounds are
 * `round_ns` wide. */
static char *sessions_of(int64_t until_ns, int64_t round_ns)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    fputs("session,rank,send_ns,master_ns,receive_ns\n", stream);
    for (int session = 0; session < 3; session++)
        for (int rank = 1; rank < RANKS; rank++) {
            int64_t at_ns = until_ns / 2 * session + 1;
            fprintf(stream, "%d,%d,%lld,%lld,%lld\n", session, rank, (long long)(at_ns - round_ns / 2),
                    (long long)at_ns, (long long)(at_ns + round_ns / 2));
        }
    cr_assert_eq(fclose(stream), 0);
    return text;
}

static int repair(struct trace *trace, int64_t until_ns, int64_t round_ns, double stretch)
{
    int code;
    cr_assert_eq(fclose(trace->stream), 0);
    char *sessions = sessions_of(until_ns, round_ns);
    struct file file = file_of(trace->text), sync = file_of(sessions);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    options.sync = sync.path;
    options.causal = true;
    options.stretch = stretch;
    options.declared.granule_ns = 1;
    char *text = file_correct(&options, &out.report, &code, &out.error);
    out.count = code ? 0 : file_read(text, out.events, out.stamps, EVENTS_MOST);
    free(text);
    free(sessions);
    free(trace->text);
    file_close(&file);
    file_close(&sync);
    return code;
}

static int64_t shift(int at)
{
    return out.stamps[at].global_ns - out.events[at].time_ns;
}

/* Expects [R1] and [R3], and that each written global time is within its written bounds. */
static void expect_gentle(double stretch)
{
    for (int i = 0; i < out.count; i++) {
        cr_assert_geq(shift(i), 0, "event %d is earlier by %lld ns", i, (long long)-shift(i));
        cr_assert(out.stamps[i].earliest_ns <= out.stamps[i].global_ns &&
                      out.stamps[i].global_ns <= out.stamps[i].latest_ns,
                  "event %d", i);
        for (int k = 0; k < i; k++) {
            if (out.events[i].rank != out.events[k].rank)
                continue;
            double apart = fabs((double)(out.events[i].time_ns - out.events[k].time_ns));
            cr_assert_leq(fabs((double)(shift(i) - shift(k))), stretch * apart + 1.001, "events %d and %d: %lld, %lld",
                          i, k, (long long)shift(i), (long long)shift(k));
        }
    }
}

/* Puts the rows into a random order, which does not change the pairs because each message has its own tag. */
static void shuffle(struct trace *trace, uint64_t *random)
{
    static char copy[EVENTS_MOST * 40];
    char *rows[EVENTS_MOST], *save;
    int count = 0;
    (void)fflush(trace->stream);
    strcpy(copy, trace->text);
    cr_assert_eq(fclose(trace->stream), 0);
    free(trace->text);
    begin(trace);
    (void)strtok_r(copy, "\n", &save);
    while ((rows[count] = strtok_r(NULL, "\n", &save)) != NULL)
        count++;
    for (; count > 0; count--) {
        int at = (int)(ordo_random_next(random) % (uint64_t)count);
        fprintf(trace->stream, "%s\n", rows[at]);
        rows[at] = rows[count - 1];
    }
}

/* Draws random messages with other events between them. Receives are up to `off_ns` too early. */
static void draw(struct trace *trace, uint64_t *random, int64_t off_ns, bool any_order)
{
    int64_t now_ns[RANKS] = {1000, 1000, 1000, 1000};
    begin(trace);
    for (int i = 0; i < 150; i++) {
        int from = (int)(ordo_random_next(random) % RANKS),
            to = (from + 1 + (int)(ordo_random_next(random) % 3)) % RANKS;
        int64_t sent_ns = now_ns[from] += 1 + (int64_t)(ordo_random_next(random) % 20000);
        int64_t came_ns = sent_ns + 3000 - (int64_t)(ordo_random_next(random) % (uint64_t)(off_ns + 3000));
        came_ns = came_ns > now_ns[to] ? came_ns : now_ns[to] + 1;
        now_ns[to] = came_ns;
        message(trace, "send", from, sent_ns, to, i);
        message(trace, "recv", to, came_ns, from, i);
        fprintf(trace->stream, "%d,%lld,event,work,,,,\n", to, (long long)(came_ns + 500));
    }
    if (any_order)
        shuffle(trace, random);
}

Test(trace_repair, the_repair_orders_every_message)
{
    uint64_t random = 31;
    int repaired = 0;
    for (int trial = 0; trial < 120; trial++) {
        struct trace trace;
        draw(&trace, &random, 600, trial % 2);
        int code = repair(&trace, 4000000, 20000, 0.4);
        cr_assert(code == ORDO_OK || strstr(out.error.text, "no repair near"), "%s", out.error.text);
        if (code)
            continue;
        expect_gentle(out.report.stretch);
        cr_assert_eq(out.report.causality.after, 0, "trial %d", trial);
        cr_assert_eq(out.report.causality.messages, 150);
        int64_t most = 0;
        uint64_t moved = 0;
        for (int i = 0; i < out.count; i++) {
            most = shift(i) > most ? shift(i) : most;
            moved += shift(i) > 0;
        }
        cr_assert(out.report.moved_most_ns == most && out.report.moved_events == moved, "trial %d", trial);
        repaired += out.report.causality.before > 0 && moved > 0;
        ordo_correct_report_free(&out.report);
    }
    cr_assert_gt(repaired, 60, "%d", repaired);
}

Test(trace_repair, a_trace_without_violations_is_not_changed)
{
    struct trace trace;
    begin(&trace);
    for (int i = 0; i < 20; i++) {
        message(&trace, "send", i % 3, 1000 * i, i % 3 + 1, 1);
        message(&trace, "recv", i % 3 + 1, 1000 * i + 10, i % 3, 1);
    }
    cr_assert_eq(repair(&trace, 40000, 20, 1e-4), ORDO_OK, "%s", out.error.text);
    cr_assert(out.report.repaired && out.report.moved_events == 0 && out.report.moved_most_ns == 0);
    for (int i = 0; i < out.count; i++)
        cr_assert_eq(shift(i), 0);
    ordo_correct_report_free(&out.report);
}

/* One receive is 500 ns too early: it is moved by exactly 500 ns. Its neighbours are moved by less: by a hundredth of
 * their distance less. */
Test(trace_repair, shifts_are_minimal_and_decay_on_both_sides)
{
    struct trace trace;
    begin(&trace);
    message(&trace, "send", 1, 100500, 0, 1);
    for (int64_t at_ns = 0; at_ns < 200000; at_ns += 10000) {
        if (at_ns == 100000)
            message(&trace, "recv", 0, 100000, 1, 1);
        fprintf(trace.stream, "0,%lld,event,,,,,\n", (long long)at_ns + 1);
    }
    cr_assert_eq(repair(&trace, 300000, 2000, 0.01), ORDO_OK, "%s", out.error.text);
    for (int i = 0; i < out.count; i++) {
        if (out.events[i].rank == 1)
            cr_assert_eq(shift(i), 0);
        double far = fabs((double)(out.events[i].time_ns - 100000)), expected = fmax(0, 500 - 0.01 * far);
        if (out.events[i].rank == 0)
            cr_assert(fabs((double)shift(i) - expected) <= 1, "at %lld: %lld", (long long)out.events[i].time_ns,
                      (long long)shift(i));
    }
    cr_assert_eq(out.report.moved_most_ns, 500);
    ordo_correct_report_free(&out.report);
}

/* Makes a collective that rank `late` enters late, and expects that the repair makes exactly the ranks in `moves` leave
 * later. */
static void expect_collective(const char *name, int root, int late, const bool moves[RANKS])
{
    struct trace trace;
    begin(&trace);
    for (int rank = 0; rank < RANKS; rank++) {
        region(&trace, "begin", rank, rank == late ? 100900 : 100000 + rank, name, root);
        region(&trace, "end", rank, rank == late ? 101000 : 100500 + rank, name, root);
    }
    cr_assert_eq(repair(&trace, 300000, 2000, 0.5), ORDO_OK, "%s", out.error.text);
    for (int i = 0; i < out.count; i++) {
        bool ends = out.events[i].kind == ORDO_EVENT_END, moved = ends && moves[out.events[i].rank];
        cr_assert_eq(shift(i) > 0, moved || (shift(i) > 0 && moves[out.events[i].rank]), "%s, event %d: %lld", name, i,
                     (long long)shift(i));
        cr_assert(!moved || out.stamps[i].global_ns == 100900, "%s, event %d: %lld", name, i,
                  (long long)out.stamps[i].global_ns);
    }
    cr_assert(out.report.causality.collectives == 1 && out.report.causality.collectives_before == 1 &&
                  out.report.causality.collectives_after == 0,
              "%s", name);
    ordo_correct_report_free(&out.report);
}

Test(trace_repair, the_repair_orders_every_collective)
{
    expect_collective("MPI_Barrier", -1, 2, (bool[]){true, true, false, true});
    expect_collective("MPI_Bcast", 1, 1, (bool[]){true, false, true, true});
    expect_collective("MPI_Reduce", 0, 3, (bool[]){true, false, false, false});
    expect_collective("MPI_Scan", -1, 1, (bool[]){false, false, true, true});
}

Test(trace_repair, an_event_that_must_precede_itself_is_refused)
{
    struct trace trace;
    begin(&trace);
    message(&trace, "recv", 0, 1000, 1, 2);
    message(&trace, "send", 0, 5000, 1, 1);
    message(&trace, "recv", 1, 6000, 0, 1);
    message(&trace, "send", 1, 7000, 0, 2);
    cr_assert_eq(repair(&trace, 20000, 200, 0.5), ORDO_E_MEASURE);
    cr_assert(strstr(out.error.text, "messages contradict each other") && strstr(out.error.text, "ranks") &&
                  strstr(out.error.text, "an event happens before itself"),
              "%s", out.error.text);
}

Test(trace_repair, a_refusal_of_a_too_small_stretch_names_the_needed_one)
{
    for (int enough = 0; enough < 2; enough++) { /* two messages are received 1 us too early, with 18 us between them */
        struct trace trace;
        begin(&trace);
        message(&trace, "send", 0, 1000000, 1, 1);
        message(&trace, "recv", 1, 999000, 0, 1);
        message(&trace, "send", 1, 1009000, 0, 2);
        message(&trace, "recv", 0, 1008000, 1, 2);
        int code = repair(&trace, 2000000, 20, enough ? 0.112 : 0.05);
        cr_assert_eq(code, enough ? ORDO_OK : ORDO_E_MEASURE, "%s", out.error.text);
        cr_assert(enough || strstr(out.error.text, "would change by 0.112 of their length, and 0.05 is allowed: allow"),
                  "%s", out.error.text);
        if (enough)
            ordo_correct_report_free(&out.report);
    }
}

/* Tests [R4]: if the sessions leave the rate uncertain, the stretch may exceed the requested one. */
Test(trace_repair, an_uncertain_rate_allows_more_stretch)
{
    struct trace trace;
    begin(&trace);
    message(&trace, "send", 0, 1000000, 1, 1);
    message(&trace, "recv", 1, 999000, 0, 1);
    message(&trace, "send", 1, 3999000, 0, 2);
    message(&trace, "recv", 0, 3998500, 1, 2);
    message(&trace, "send", 0, 6000000, 1, 3);
    message(&trace, "recv", 1, 6000100, 0, 3);
    cr_assert_eq(repair(&trace, 8000000, 4000, 1e-9), ORDO_OK, "%s", out.error.text);
    cr_assert_gt(out.report.stretch, 1e-9);
    cr_assert_eq(out.report.causality.after, 0);
    expect_gentle(out.report.stretch);
    ordo_correct_report_free(&out.report);
}

/* For the repair a span is two events: each end has its own shift. */
Test(trace_repair, both_ends_of_a_span_are_moved_separately)
{
    const char *text =
        "{\"traceEvents\":[\n"
        "{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"ts\":100,\"dur\":0.001,\"name\":\"r\",\"args\":{\"recv_from\":1}},\n"
        "{\"ph\":\"X\",\"pid\":0,\"tid\":0,\"ts\":90,\"dur\":10,\"name\":\"w\"},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":100.4,\"dur\":0.001,\"name\":\"s\",\"args\":{\"send_to\":0}}]}";
    char *sessions = sessions_of(200000, 2000);
    struct file file = file_of(text), sync = file_of(sessions);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    int code;
    options.sync = sync.path;
    options.causal = true;
    options.stretch = 0.01;
    char *made = file_correct(&options, &report, &code, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    cr_assert(strstr(made, "\"name\":\"w\",\"ts\":90.300,\"dur\":10.100,"), "%s", made);
    ordo_correct_report_free(&report);
    free(made);
    free(sessions);
    file_close(&file);
    file_close(&sync);
}
