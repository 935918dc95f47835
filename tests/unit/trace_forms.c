/* The forms of traces: an event that was written in any form is read unchanged; a writer passes on the members of an
 * event that the reader does not know; a file that is no trace is refused, and the error names the row. */
#include "trace_files.h"

#include "base/random.h"
#include "trace/event/collective.h"
#include "trace/form/form.h"

enum { EVENTS = 400 };

static const char *const writable[] = {"csv", "jsonl", "chrome"};

static struct ordo_event events[EVENTS];
static struct ordo_event_stamp stamps[EVENTS], ends[EVENTS];

static struct ordo_text text_of(const char *word)
{
    return (struct ordo_text){word, strlen(word)};
}

static int64_t below(uint64_t *random, uint64_t most)
{
    return (int64_t)(ordo_random_next(random) % most);
}

/* Draws events of the kinds that every form supports, with and without the optional columns. */
static void draw(uint64_t *random)
{
    static const char *const names[] = {"work",
                                        "a,b",
                                        "say \"so\"",
                                        "back\\slash",
                                        "r\xc3\xa9sum\xc3\xa9",
                                        "MPI_Barrier",
                                        "MPI_Bcast",
                                        "\xe2\x82\xac<&>",
                                        "x"};
    for (int i = 0; i < EVENTS; i++) {
        struct ordo_event *event = &events[i];
        *event = (struct ordo_event){.time_ns = below(random, 1ull << 50) - (1ll << 49),
                                     .flow = ORDO_EVENT_NO_FLOW,
                                     .name = text_of(names[ordo_random_next(random) % 9]),
                                     .rank = (int32_t)below(random, 1 << 20),
                                     .peer = -1,
                                     .tag = (int32_t)below(random, 3) - 1,
                                     .root = (int32_t)below(random, 3) - 1,
                                     .communicator = (uint64_t)below(random, 3) << 40,
                                     .thread = (uint32_t)below(random, 5),
                                     .number = i % 2 ? ORDO_EVENT_UNCOUNTED : (uint32_t)below(random, 100),
                                     .kind = (uint8_t)below(random, ORDO_EVENT_RECV + 1)};
        event->has_bytes = i % 3 == 0;
        event->bytes = event->has_bytes ? (uint64_t)below(random, INT64_MAX) : 0;
        if (event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV)
            event->peer = (int32_t)below(random, 1 << 20);
        int64_t global_ns = below(random, 1ull << 50);
        stamps[i] =
            (struct ordo_event_stamp){global_ns, global_ns - below(random, 5000), global_ns + below(random, 5000)};
    }
}

/* Writes the events in this form, and returns the text. `same`: the events come from a reader of the same form. */
static char *written(const char *form, bool same, struct ordo_text head)
{
    char *text = NULL;
    size_t size = 0;
    struct ordo_error error = {0};
    struct ordo_writer writer = {.form = ordo_form_find(form),
                                 .stream = open_memstream(&text, &size),
                                 .columns = ordo_columns_defaults(),
                                 .same = same,
                                 .head = head};
    cr_assert(writer.stream);
    cr_assert_eq(writer.form->begin(&writer, &error), ORDO_OK, "%s", error.text);
    for (int i = 0; i < EVENTS; i++)
        writer.form->put(&writer, &events[i], &stamps[i], &ends[i]);
    writer.form->end(&writer);
    cr_assert_eq(fclose(writer.stream), 0);
    return text;
}

static void expect_same(const struct ordo_event *is, const struct ordo_event *was, const struct ordo_event_stamp *stamp,
                        const char *form, int i)
{
    bool chrome =
        strcmp(form, "chrome") == 0; /* this form contains only the corrected time, and gives every event a name */
    cr_assert_eq(is->time_ns, chrome ? stamp->global_ns : was->time_ns, "%s, event %d", form, i);
    cr_assert(is->kind == was->kind && is->rank == was->rank && is->peer == was->peer && is->tag == was->tag,
              "%s, event %d", form, i);
    cr_assert(is->root == was->root && is->communicator == was->communicator && is->thread == was->thread &&
                  is->number == was->number,
              "%s, event %d", form, i);
    cr_assert(is->has_bytes == was->has_bytes && is->bytes == was->bytes, "%s, event %d", form, i);
    cr_assert(is->name.length == was->name.length && memcmp(is->name.at, was->name.at, is->name.length) == 0,
              "%s, event %d: '%.*s'", form, i, (int)is->name.length, is->name.at);
}

Test(trace_forms, every_form_preserves_every_event)
{
    uint64_t random = 61;
    for (int f = 0; f < 3; f++) {
        draw(&random);
        char *text = written(writable[f], false, (struct ordo_text){NULL, 0});
        struct file file = file_of(text);
        struct ordo_reader reader = file_reader(&file);
        struct ordo_event event;
        struct ordo_error error = {0};
        cr_assert_str_eq(reader.form->name, writable[f]);
        for (int again = 0; again < 2; again++) {
            for (int i = 0; i < EVENTS; i++) {
                cr_assert_eq(ordo_reader_next(&reader, &event, &error), 1, "%s: %s", writable[f], error.text);
                expect_same(&event, &events[i], &stamps[i], writable[f], i);
                cr_assert(reader.corrected && reader.stamp.earliest_ns == stamps[i].earliest_ns &&
                              reader.stamp.latest_ns == stamps[i].latest_ns &&
                              reader.stamp.global_ns == stamps[i].global_ns,
                          "%s, event %d", writable[f], i);
                cr_assert_eq(event.collective, event.kind == ORDO_EVENT_BEGIN || event.kind == ORDO_EVENT_END
                                                   ? ordo_event_collective_of(event.name)
                                                   : ORDO_COLLECTIVE_NONE);
            }
            cr_assert_eq(ordo_reader_next(&reader, &event, &error), 0);
            cr_assert_eq(ordo_reader_rewind(&reader, &error), ORDO_OK, "%s", error.text);
        }
        ordo_reader_close(&reader);
        file_close(&file);
        free(text);
    }
}

/* Corrects a trace by a session in which rank 1 is 1000 ns ahead. Returns the output. */
static char *corrected(const char *trace, const char *to)
{
    int code;
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    struct file file = file_of(trace),
                sync = file_of("session,rank,send_ns,master_ns,receive_ns\n0,1,3000,2000,3000\n0,2,3000,2000,3000\n");
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    options.sync = sync.path;
    options.declared.granule_ns = 1;
    options.to = to ? ordo_form_find(to) : NULL;
    char *text = file_correct(&options, &report, &code, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    ordo_correct_report_free(&report);
    file_close(&file);
    file_close(&sync);
    return text;
}

static void expect_text(char *text, const char *words)
{
    cr_assert(strstr(text, words), "%s is not in\n%s", words, text);
}

Test(trace_forms, csv_preserves_unknown_columns)
{
    char *text = corrected("colour,time_ns,rank,kind\nred,2500,1,begin\n\"a, \"\"b\"\"\",2600,1,end\n", NULL);
    expect_text(text, "colour,time_ns,rank,kind,global_ns,earliest_ns,latest_ns\nred,2500,1,begin,1500,");
    expect_text(text, "\n\"a, \"\"b\"\"\",2600,1,end,1600,");
    free(text);
}

Test(trace_forms, jsonl_preserves_unknown_keys)
{
    char *text = corrected("{\"rank\":1,\"time_ns\":2500,\"deep\":{\"a\":[1,{}]}}\n\n"
                           "{\"name\":\"a\\u20ac\\n\", \"rank\":1,\"time_ns\":2.6e3,\"tag\":null }\r\n",
                           NULL);
    expect_text(text, "{\"rank\":1,\"time_ns\":2500,\"deep\":{\"a\":[1,{}]},\"global_ns\":1500,\"earliest_ns\":");
    expect_text(text, "{\"name\":\"a\\u20ac\\n\", \"rank\":1,\"time_ns\":2.6e3,\"tag\":null ,\"global_ns\":1600,");
    free(text);
    text = corrected("{\"name\":\"a\\u20ac\\n\", \"rank\":1,\"time_ns\":2600}\n", "csv");
    expect_text(text, "1,2600,event,a\xe2\x82\xac ,,,,0,0,,,1600,");
    free(text);
}

/* A span is written again as a span, a begin and an end as a begin and an end. An event without a time does not
 * change. */
Test(trace_forms, chrome_preserves_unknown_events)
{
    const char *trace =
        "{\"other\": 5, \"traceEvents\": [\n"
        "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"p\"}},\n"
        "{\"ph\":\"X\",\"pid\":1,\"tid\":9,\"ts\":2.5,\"dur\":1.25,\"name\":\"span\",\"args\":{\"x\":[1]}},\n"
        "{\"ph\":\"C\",\"pid\":1,\"tid\":9,\"ts\":2.6,\"name\":\"count\",\"args\":{}},\n"
        "{\"ph\":\"i\",\"pid\":1,\"tid\":9,\"ts\":2.7,\"s\":\"t\",\"name\":\"point\"}]}";
    char *text = corrected(trace, NULL);
    expect_text(text, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"p\"}}");
    expect_text(text, "{\"pid\":1,\"ph\":\"X\",\"tid\":9,\"name\":\"span\",\"ts\":1.500,\"dur\":1.250,\"args\":{\"x\":["
                      "1],\"earliest_ns\":");
    expect_text(text, "{\"pid\":1,\"ph\":\"C\",\"tid\":9,\"name\":\"count\",\"ts\":1.600,");
    expect_text(text, "\"ts\":1.700,\"args\":{\"earliest_ns\":");
    free(text);
    text = corrected(trace, "csv");
    expect_text(text, "1,2500,begin,span,,,,9,0,,,1500,");
    expect_text(text, "1,3750,end,span,,,,9,0,,,2750,");
    cr_assert(!strstr(text, "count"), "%s", text);
    free(text);
    text = corrected("[{\"ph\":\"B\",\"pid\":1,\"tid\":0,\"ts\":2.5,\"name\":\"open\"},",
                     "jsonl"); /* from a program that was killed while it wrote */
    expect_text(text, "{\"rank\":1,\"time_ns\":2500,\"kind\":\"begin\",\"name\":\"open\",\"global_ns\":1500,");
    free(text);
}

/* The two ends of a message become the ends of one arrow, although the input form has no arrows. */
Test(trace_forms, both_ends_of_a_message_get_the_same_arrow)
{
    char *text = corrected(
        "rank,time_ns,kind,peer,tag\n1,2500,send,2,7\n1,2600,send,2,7\n2,2700,recv,1,7\n2,2800,recv,1,7\n", "chrome");
    for (int i = 0; i < 2; i++) {
        char id[40], *from, *to;
        (void)snprintf(id, sizeof id, "\"id\":\"1.2.7.0.%d\"", i);
        from = strstr(text, id);
        cr_assert(from && (to = strstr(from + 1, id)) && !strstr(to + 1, id), "%s", text);
    }
    expect_text(text, "\"send_to\":2,\"tag\":7,");
    expect_text(text, "\"recv_from\":1,\"tag\":7,");
    free(text);
}

/* Two files, each of one rank: threads and arrows with equal names in the two files stay distinct. */
Test(trace_forms, names_in_merged_files_stay_distinct)
{
    int code;
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    const char *first = "{\"distributedInfo\":{\"rank\":0},\"traceEvents\":[\n"
                        "{\"ph\":\"s\",\"pid\":5,\"tid\":3,\"ts\":1.5,\"id\":8,\"name\":\"flow\"},\n"
                        "{\"ph\":\"i\",\"pid\":6,\"tid\":3,\"ts\":1.9,\"name\":\"late\"}]}";
    const char *second = "{\"distributedInfo\":{\"rank\":1},\"traceEvents\":[\n"
                         "{\"ph\":\"i\",\"pid\":5,\"tid\":3,\"ts\":2.6,\"name\":\"early\"},\n"
                         "{\"ph\":\"f\",\"pid\":5,\"tid\":3,\"ts\":2.7,\"id\":\"8\",\"name\":\"flow\"}]}";
    struct file files[3] = {file_of(first), file_of(second),
                            file_of("session,rank,send_ns,master_ns,receive_ns\n0,1,3000,2000,3000\n")};
    const char *paths[] = {files[0].path, files[1].path};
    struct ordo_correct_options options = file_options(paths, 2);
    options.sync = files[2].path;
    char *text = file_correct(&options, &report, &code, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    char *flow = strstr(text, "\"0.8\""), *early = strstr(text, "\"early\""), *end = strstr(text, "\"1.8\""),
         *late = strstr(text, "\"late\"");
    cr_assert(flow && early && end && late && flow < early && early < end && end < late, "%s", text);
    /* Pid 5 of the first file keeps its number, and so does pid 6; the second file's pid 5 gets another one. */
    cr_assert(strstr(text, "{\"pid\":6,\"ph\":\"i\",\"tid\":3,\"name\":\"late\""), "%s", text);
    cr_assert(strstr(text, "{\"pid\":1073741824,\"ph\":\"i\",\"tid\":3,\"name\":\"early\""), "%s", text);
    cr_assert(strstr(text, "\"name\":\"ordo_rank\",\"pid\":1073741824,\"tid\":0,\"args\":{\"rank\":1}}"), "%s", text);
    cr_assert(strstr(text, "\"pid\":1073741824,\"tid\":0,\"args\":{\"labels\":\"rank 1: pid 5\"}}"), "%s", text);
    ordo_correct_report_free(&report);
    free(text);
    const char *twice[] = {files[0].path, files[0].path};
    options = file_options(twice, 2);
    options.sync = files[2].path;
    free(file_correct(&options, &report, &code, &error));
    cr_assert_eq(code, ORDO_E_INVALID);
    cr_assert(strstr(error.text, "is of rank 0, and so is"), "%s", error.text);
    for (int i = 0; i < 3; i++)
        file_close(&files[i]);
}

static void expect_refused(const char *form, const char *text, const char *words)
{
    struct ordo_error error = {0};
    cr_assert_eq(file_refusal(text, form ? ordo_form_find(form) : NULL, &error), ORDO_E_MALFORMED, "%s", text);
    cr_assert(strstr(error.text, words), "%s", error.text);
}

Test(trace_forms, a_refusal_names_the_malformed_row_of_csv)
{
    expect_refused("csv", "", "row 1: is empty");
    expect_refused("csv", "rank,time\n", "has no column time_ns: name the one that it is with --column time_ns=NAME");
    expect_refused("csv", "rank,time_ns,rank\n", "has the column rank twice");
    expect_refused("csv", "rank,time_ns\n1\n", "row 2: has 1 fields, and row 1 has 2 names");
    expect_refused("csv", "rank,time_ns\n1,2,3\n", "row 2: has 3 fields");
    expect_refused("csv", "rank,time_ns\n1,\"2\n", "row 2: field 2 has quotes that do not end");
    expect_refused("csv", "rank,time_ns\n-1,2\n", "row 2: rank is '-1', and not a rank");
    expect_refused("csv", "rank,time_ns\n1,2.5\n", "row 2: time_ns is '2.5', and not whole nanoseconds");
    expect_refused("csv", "rank,time_ns\n1,9e18\n", "and not nanoseconds within 73 years of 0");
    expect_refused("csv", "rank,time_ns,kind\n\n1,2,go\n",
                   "row 3: kind is 'go', and not event, begin, end, send or recv");
    expect_refused("csv", "rank,time_ns,kind\n1,2,send\n", "row 2: a send has no peer");
    expect_refused("csv", "rank,time_ns,tag\n1,2,x\n", "row 2: tag is 'x', and not a number");
    expect_refused("csv", "rank,time_ns,peer\n1,2,1048576\n", "row 2: peer is '1048576', and not a rank");
    expect_refused(NULL, "hello\n", "row 1: is no trace of a form that is known: name it with --from");
}

Test(trace_forms, a_refusal_names_the_malformed_row_of_json)
{
    expect_refused("jsonl", "[1]\n", "row 1: is no object of JSON");
    expect_refused("jsonl", "{\"rank\":1,\"time_ns\":2}\n{\"rank\":1,}\n", "row 2: is no object of JSON");
    expect_refused("jsonl", "{\"rank\":1}\n", "row 1: has no time_ns: add it, or name the key");
    expect_refused("jsonl", "{\"rank\":1,\"time_ns\":2,\"kind\":7}\n", "row 1: kind is '7'");
    expect_refused("chrome", "5", "row 1: is no JSON of events");
    expect_refused("chrome", "[5]", "row 1: is no object of JSON");
    expect_refused("chrome", "[{\"ph\":\"i\",\"pid\":1,\"ts\":1},{\"ph\"", "row 2: the file ends within it");
    expect_refused("chrome", "[{\"ph\":\"i\",]", "row 1: is not JSON");
    expect_refused("chrome", "[{\"ph\":\"i\",\"name\":\"a\nb\" c\"}]", "row 1: is not JSON");
    expect_refused("chrome", "{\"a\" 5}", "is not JSON (':' is missing before byte");
    expect_refused("chrome", "{\"a\": 5}", "is JSON without traceEvents, and no event");
    expect_refused("chrome", "{\"a\": 5", "row 1: the file ends within it");
    expect_refused("chrome", "{\"rank\": 5}\n{\"rank\": 6}\n", "is JSON without traceEvents, and no event");
}

Test(trace_forms, columns_may_have_other_names)
{
    struct file file = file_of("r;x,when,rank\n1,5,7\n");
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    struct ordo_error error = {0};
    columns.names[ORDO_COLUMN_TIME] = "when";
    columns.names[ORDO_COLUMN_RANK] = "r;x";
    cr_assert_eq(ordo_reader_open(&reader, file.path, NULL, &columns, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_reader_next(&reader, &event, &error), 1, "%s", error.text);
    cr_assert(event.rank == 1 && event.time_ns == 5);
    ordo_reader_close(&reader);
    file_close(&file);
    cr_assert_eq(ordo_column_find("latest_ns", 9), ORDO_COLUMN_LATEST);
    cr_assert_eq(ordo_column_find("latest", 6), -1);
    cr_assert_null(ordo_form_find("cvs"));
}

static int reads; /* calls of read(2) */

ssize_t __real_read(int fd, void *to, size_t bytes);
ssize_t __wrap_read(int fd, void *to, size_t bytes);

ssize_t __wrap_read(int fd, void *to, size_t bytes)
{
    reads++;
    return __real_read(fd, to, bytes);
}

/* A line that is longer than the buffer, rows that cross the end of the buffer, and a line that is too long for a
 * trace. */
Test(trace_forms, rows_of_up_to_a_million_letters_are_read)
{
    static char text[ORDO_INPUT_LINE_MOST + 100];
    struct ordo_error error = {0};
    size_t lengths[] = {ORDO_INPUT_BUFFER - 20, 3 * ORDO_INPUT_BUFFER, ORDO_INPUT_LINE_MOST + 10};
    for (int i = 0; i < 3; i++) {
        size_t head = (size_t)sprintf(text, "rank,time_ns,other\n1,2,");
        memset(text + head, 'x', lengths[i]);
        strcpy(text + head + lengths[i], "\n3,4,y");
        reads = 0;
        int code = file_refusal(text, NULL, &error);
        cr_assert_eq(code, i < 2 ? 0 : ORDO_E_MALFORMED, "%zu: %s", lengths[i], error.text);
        cr_assert_leq(reads, 12, "%d", reads);
    }
    cr_assert(strstr(error.text, "row 2 has more than 1048576 letters: it is no trace"), "%s", error.text);
}

/* Beginnings that look like those of two forms. */
Test(trace_forms, a_file_is_of_the_form_of_its_keys_and_not_of_its_texts)
{
#define SPAN "\"traceId\":\"1\",\"id\":\"2\",\"timestamp\":5,\"localEndpoint\":{\"serviceName\":\"ph\"}"
#define EVENT "\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2"
    static const struct {
        const char *text, *form;
    } files[] = {{"[{" SPAN ",\"tags\":{\"ph\":\"X\",\"traceEvents\":\"1\"}}]", "spans"},
                 {"[[{" SPAN "}]]", "spans"},
                 {"[{" EVENT "," SPAN "}]", "chrome"},
                 {"{\"otherData\":{\"resourceSpans\":[]},\"traceEvents\":[{" EVENT "}]}", "chrome"},
                 {"{\"data\":[{\"traceID\":\"1\"}],\"traceEvents\":[{" EVENT "}]}", "chrome"},
                 {"{\"data\":[{\"traceID\":\"1\",\"spans\":[],\"processes\":{\"traceEvents\":{}}}]}", "spans"},
                 {"{\"traceID\":\"1\",\"spans\":[],\"processes\":{}}", "spans"},
                 {"{\"batches\":[{\"resource\":{}}]}", "spans"},
                 {"{\"resourceSpans\" : [{\"resource\":{\"attributes\":[{\"key\":\"traceEvents\"", "spans"},
                 {"{\"rank\":0,\"time_ns\":5,\"data\":[],\"name\":\"resourceSpans\"}\n", "jsonl"},
                 {"{\"rank\":0,\"time_ns\":5,\"name\":\"\\\"resourceSpans\\\":\"}\n", "jsonl"},
                 {"rank,time_ns,name\n0,2, a-1 [000] .... 1.000001: x: y\n", "csv"},
                 {"rank,time_ns,name\n0,1,[00:00:01.000000000] (+0.1) h ev: { cpu_id = 0 }\n", "csv"},
                 {"\n# tracer: nop\n a-1       [000] ....     1.000001: sched_waking: comm=x\n", "ftrace"},
                 {"a 1 [000] 1.000001: sched:sched_waking: comm=x\n", "perf"}};
    struct ordo_columns columns = ordo_columns_defaults();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct file file = file_of(files[i].text);
        struct ordo_error error = {0};
        struct ordo_reader reader;
        cr_assert_eq(ordo_reader_open(&reader, file.path, NULL, &columns, &error), 0, "%s: %s", files[i].text,
                     error.text);
        cr_expect_str_eq(reader.form->name, files[i].form, "%s: %s", files[i].text, reader.form->name);
        ordo_reader_close(&reader);
        file_close(&file);
    }
}
