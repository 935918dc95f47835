/* Spans of services in the notations of OTLP, Jaeger and Zipkin: which of them are messages. */
#include "trace_files.h"

#include "base/random.h"
#include "trace/spans/causes.h"

/* What a file has. */
struct found {
    int code;
    int spans, points, sends, recvs, names;
    int64_t last_send_ns, last_recv_ns;
    uint64_t odd[ORDO_ODDS];
    struct ordo_error error;
};

static struct found find_in(const char *text, bool partial)
{
    struct file file = file_of(text);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    struct found found = {0};
    found.code = ordo_reader_open(&reader, file.path, NULL, &columns, &found.error);
    if (!found.code) {
        cr_expect_str_eq(reader.form->name, "spans");
        reader.partial = partial;
        while ((found.code = ordo_reader_next(&reader, &event, &found.error)) == 1) {
            found.spans += event.kind == ORDO_EVENT_SPAN;
            found.points += event.kind == ORDO_EVENT_POINT;
            found.sends += event.kind == ORDO_EVENT_SEND;
            found.recvs += event.kind == ORDO_EVENT_RECV;
            found.names += event.kind == ORDO_EVENT_META;
            if (event.kind == ORDO_EVENT_SEND)
                found.last_send_ns = event.time_ns;
            if (event.kind == ORDO_EVENT_RECV)
                found.last_recv_ns = event.time_ns;
        }
        for (int i = 0; i < ORDO_ODDS; i++)
            found.odd[i] = reader.odds.of[i].count;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    cr_expect_eq(found.sends, found.recvs);
    return found;
}

/* One span of OTLP in a resource of its own. */
#define SPAN(service, id, parent, kind, begin, end, more)                                                              \
    "{\"scopeSpans\":[{\"spans\":[{\"traceId\":\"1\",\"spanId\":\"" id "\",\"parentSpanId\":\"" parent                 \
    "\",\"kind\":" kind ",\"startTimeUnixNano\":\"" begin "\",\"endTimeUnixNano\":\"" end "\"" more                    \
    "}]}],\"resource\":{\"attributes\":[{\"key\":\"service.name\",\"value\":{\"stringValue\":\"" service "\"}}]}}"
#define PAIR(first, second) "{\"resourceSpans\":[" first "," second "]}\n"

Test(trace_spans, a_client_around_its_server_is_a_request_and_an_answer)
{
    struct found found =
        find_in(PAIR(SPAN("b", "2", "1", "2", "900", "950", ""), SPAN("a", "1", "", "3", "100", "200", "")), false);
    cr_expect_eq(found.code, 0);
    cr_expect_eq(found.spans, 2);
    cr_expect_eq(found.names, 2);
    cr_expect_eq(found.sends, 2);
    cr_expect_eq(found.last_send_ns, 950);
    cr_expect_eq(found.last_recv_ns, 900); /* in the order of local times */
}

Test(trace_spans, a_server_that_is_longer_than_its_client_gives_no_answer)
{
    struct found found =
        find_in(PAIR(SPAN("a", "1", "", "3", "100", "200", ""), SPAN("b", "2", "1", "2", "900", "1001", "")), false);
    cr_expect_eq(found.sends, 1);
    cr_expect_eq(found.last_send_ns, 100);
    cr_expect_eq(found.last_recv_ns, 900);
}

Test(trace_spans, a_client_that_failed_gives_no_answer)
{
    cr_expect_eq(find_in(PAIR(SPAN("a", "1", "", "3", "100", "200", ",\"status\":{\"code\":2}"),
                              SPAN("b", "2", "1", "2", "900", "950", "")),
                         false)
                     .sends,
                 1);
}

Test(trace_spans, a_queue_is_one_message)
{
    cr_expect_eq(
        find_in(PAIR(SPAN("a", "1", "", "4", "100", "200", ""), SPAN("b", "2", "1", "5", "900", "950", "")), false)
            .sends,
        1);
}

Test(trace_spans, a_parent_without_a_kind_is_a_client)
{
    cr_expect_eq(
        find_in(PAIR(SPAN("a", "1", "", "0", "100", "200", ""), SPAN("b", "2", "1", "2", "900", "950", "")), false)
            .sends,
        2);
    cr_expect_eq(
        find_in(PAIR(SPAN("a", "1", "", "1", "100", "200", ""), SPAN("b", "2", "1", "2", "900", "950", "")), false)
            .sends,
        1, "an internal parent need not wait");
}

Test(trace_spans, a_link_arrives_before_the_linking_span_ends)
{
    struct found found =
        find_in(PAIR(SPAN("a", "1", "", "4", "100", "200", ""),
                     SPAN("b", "2", "", "5", "900", "950", ",\"links\":[{\"traceId\":\"1\",\"spanId\":\"1\"}]")),
                false);
    cr_expect_eq(found.sends, 1);
    cr_expect_eq(found.last_send_ns, 100);
    cr_expect_eq(found.last_recv_ns, 950);
}

Test(trace_spans, spans_of_one_service_are_no_messages)
{
    cr_expect_eq(
        find_in(PAIR(SPAN("a", "1", "", "3", "100", "200", ""), SPAN("a", "2", "1", "2", "120", "150", "")), false)
            .sends,
        0);
}

Test(trace_spans, a_parent_that_is_not_in_the_file_is_counted)
{
    struct found found =
        find_in(PAIR(SPAN("a", "1", "77", "3", "100", "200", ""), SPAN("b", "2", "1", "2", "900", "950", "")), false);
    cr_expect_eq(found.sends, 2);
    cr_expect_eq(found.odd[ORDO_ODD_NO_PARENT], 1);
}

Test(trace_spans, several_documents_are_one_trace)
{
    struct found found = find_in(
        "{\"resourceSpans\":[" SPAN("a", "1", "", "3", "100", "200",
                                    "") "]}\n"
                                        "{\"resourceSpans\":[" SPAN("b", "2", "1", "2", "900", "950", "") "]}\n",
        false);
    cr_expect_eq(found.spans, 2);
    cr_expect_eq(found.sends, 2);
}

Test(trace_spans, a_span_without_a_begin_is_left_out_and_counted)
{
    struct found found =
        find_in(PAIR(SPAN("a", "1", "", "3", "x", "200", ""), SPAN("b", "2", "1", "2", "900", "", "")), false);
    cr_expect_eq(found.spans, 1);
    cr_expect_eq(found.odd[ORDO_ODD_NO_BEGIN], 1);
    cr_expect_eq(found.odd[ORDO_ODD_NO_END], 1);
    cr_expect_eq(found.odd[ORDO_ODD_NO_PARENT], 1);
}

#define JAEGER                                                                                                         \
    "{\"data\":[{\"traceID\":\"a\",\"spans\":["                                                                        \
    "{\"traceID\":\"a\",\"spanID\":\"1\",\"operationName\":\"c\",\"startTime\":100,\"duration\":50,"                   \
    "\"tags\":[{\"key\":\"span.kind\",\"value\":\"client\"}],\"processID\":\"p1\",\"logs\":[{\"timestamp\":120}]},"    \
    "{\"traceID\":\"a\",\"spanID\":\"2\",\"references\":[{\"refType\":\"CHILD_OF\",\"traceID\":\"a\",\"spanID\":"      \
    "\"1\"}],\"startTime\":900,\"duration\":30,\"processID\":\"p2\"},"                                                 \
    "{\"traceID\":\"a\",\"spanID\":\"3\",\"references\":[{\"refType\":\"FOLLOWS_FROM\",\"traceID\":\"a\","             \
    "\"spanID\":\"1\"}],\"startTime\":900,\"duration\":30,\"processID\":\"p2\"}],"                                     \
    "\"processes\":{\"p1\":{\"serviceName\":\"a\"},\"p2\":{\"serviceName\":\"b\"}}}]}"

Test(trace_spans, jaegers_references_wait_only_as_child_of)
{
    struct found found = find_in(JAEGER, false);
    cr_expect_eq(found.code, 0, "%s", found.error.text);
    cr_expect_eq(found.spans, 3);
    cr_expect_eq(found.points, 1);
    cr_expect_eq(found.sends, 3, "two of CHILD_OF and one of FOLLOWS_FROM");
    cr_expect_eq(found.last_send_ns, 930000);
}

Test(trace_spans, zipkins_server_has_the_id_of_its_client)
{
    struct found found = find_in(
        "[[{\"traceId\":\"a\",\"id\":\"1\",\"kind\":\"CLIENT\",\"timestamp\":100,\"duration\":50,\"localEndpoint\":{"
        "\"serviceName\":\"a\"}},{\"traceId\":\"a\",\"id\":\"1\",\"kind\":\"SERVER\",\"shared\":true,\"timestamp\":900,"
        "\"duration\":30,\"localEndpoint\":{\"serviceName\":\"b\"},\"annotations\":[{\"timestamp\":910,\"value\":\"x\"}"
        "]"
        "},{\"traceId\":\"a\",\"id\":\"2\",\"parentId\":\"1\",\"timestamp\":902,\"duration\":3,\"localEndpoint\":{"
        "\"serviceName\":\"b\"}}]]",
        false);
    cr_expect_eq(found.code, 0, "%s", found.error.text);
    cr_expect_eq(found.spans, 3);
    cr_expect_eq(found.points, 1);
    cr_expect_eq(found.sends, 2, "the child of the server is no message of the client");
}

Test(trace_spans, a_cut_file_is_refused_and_its_whole_part_is_read_if_wanted)
{
    const char sound[] = JAEGER;
    char cut[sizeof sound];
    for (size_t length = 40; length + 2 < sizeof sound; length += 7) {
        memcpy(cut, sound, length);
        cut[length] = '\0';
        struct found found = find_in(cut, false);
        cr_expect_lt(found.code, 0, "%zu letters", length);
        cr_expect_null(strchr(found.error.text, '\n'));
        found = find_in(cut, true);
        cr_expect_eq(found.code, 0, "%zu letters: %s", length, found.error.text);
        cr_expect_eq(found.odd[ORDO_ODD_CUT], 1);
    }
}

Test(trace_spans, an_array_in_arrays_does_not_fill_the_stack)
{
    static char text[1 << 20];
    int head = snprintf(text, sizeof text, "[{\"traceId\":\"1\",\"id\":\"1\",\"timestamp\":5,\"duration\":2},");
    memset(text + head, '[', sizeof text - 1 - (size_t)head);
    cr_expect_eq(find_in(text, false).code, ORDO_E_MALFORMED);
}

Test(trace_spans, the_written_file_differs_only_in_its_times)
{
    struct file file = file_of(JAEGER);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = {.traces = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()},
                                           .method = ordo_method_find("interval"),
                                           .declared = ordo_declared_defaults(),
                                           .causal = true,
                                           .stretch = 1e-4};
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_eq(ordo_correct(&options, stream, &report, &error), 0, "%s", error.text);
    cr_assert_eq(fclose(stream), 0);
    const char *sound = JAEGER, *at = strstr(text, "\"startTime\":900");
    cr_expect_null(at, "the server is on the clock of its client");
    for (const char *key = "\"startTime\":"; (at = strstr(text, key)); memcpy((char *)at, "#", 1)) {
        long begin = strtol(at + strlen(key), NULL, 10);
        cr_expect(begin >= 100 && begin <= 150, "%ld", begin);
    }
    cr_expect_eq(strncmp(text, sound, 60), 0);
    cr_expect_str_eq(text + size - 20, sound + strlen(sound) - 20);
    ordo_correct_report_free(&report);
    free(text);
    file_close(&file);
}

/* Makes random spans of two ranks, some of which are within an earlier one. */
static void make_spans(struct ordo_spans *spans, uint64_t *random)
{
    int count = 1 + (int)(ordo_random_next(random) % 60);
    for (int i = 0; i < count; i++) {
        struct ordo_span *span = ordo_spans_add(spans);
        cr_assert_not_null(span);
        span->id = (uint64_t)i + 1;
        span->rank = (int32_t)(ordo_random_next(random) % 2);
        span->begin_ns = (int64_t)(ordo_random_next(random) % 100);
        span->end_ns = span->begin_ns + (int64_t)(ordo_random_next(random) % 20);
        if (i == 0 || ordo_random_next(random) % 3 == 0)
            continue;
        uint32_t parent = (uint32_t)(ordo_random_next(random) % (uint64_t)i);
        const struct ordo_span *around = &spans->all[parent];
        if (ordo_random_next(random) % 2) {
            span->rank = around->rank;
            span->begin_ns = around->begin_ns;
            span->end_ns = around->begin_ns + (around->end_ns - around->begin_ns) / 2;
        }
        struct ordo_span_reference *reference = ordo_spans_add_reference(spans);
        cr_assert_not_null(reference);
        *reference = (struct ordo_span_reference){0, parent + 1, (uint32_t)i, ORDO_REFERENCE_PARENT};
    }
}

Test(trace_spans, spans_of_a_thread_are_apart_or_within_each_other)
{
    uint64_t random = 5;
    int at_parent = 0;
    for (int trial = 0; trial < 3000; trial++) {
        struct ordo_spans spans = {0};
        make_spans(&spans, &random);
        cr_assert_eq(ordo_span_causes(&spans), 0);
        cr_assert_eq(ordo_span_lanes(&spans), 0);
        for (size_t i = 0; i < spans.count; i++) {
            const struct ordo_span *a = &spans.all[i];
            at_parent +=
                a->parent && spans.all[a->parent - 1].rank == a->rank && spans.all[a->parent - 1].thread == a->thread;
            for (size_t k = 0; k < i; k++) {
                const struct ordo_span *b = &spans.all[k];
                bool is_apart = a->end_ns <= b->begin_ns || b->end_ns <= a->begin_ns;
                bool is_within = (a->begin_ns >= b->begin_ns && a->end_ns <= b->end_ns) ||
                                 (b->begin_ns >= a->begin_ns && b->end_ns <= a->end_ns);
                cr_assert(a->rank != b->rank || a->thread != b->thread || is_apart || is_within,
                          "trial %d: %ld-%ld and %ld-%ld", trial, (long)a->begin_ns, (long)a->end_ns, (long)b->begin_ns,
                          (long)b->end_ns);
            }
        }
        ordo_spans_free(&spans);
    }
    cr_expect_gt(at_parent, 3000, "%d spans are on the threads of their parents", at_parent);
}

Test(trace_spans, spans_one_after_the_other_share_a_thread)
{
    struct ordo_spans spans = {0};
    for (int i = 0; i < 1000; i++) {
        struct ordo_span *span = ordo_spans_add(&spans);
        cr_assert_not_null(span);
        *span = (struct ordo_span){.id = (uint64_t)i + 1, .begin_ns = 10 * i, .end_ns = 10 * i + 15};
    }
    cr_assert_eq(ordo_span_causes(&spans), 0);
    cr_assert_eq(ordo_span_lanes(&spans), 0);
    for (size_t i = 0; i < spans.count; i++)
        cr_assert_lt(spans.all[i].thread, 2, "two overlap at a time");
    ordo_spans_free(&spans);
}
