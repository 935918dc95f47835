/* Chrome's form as other programs write it: whatever viewers read is read, oddities are counted with their first place, and
 * facts about all events hold wherever they stand. */
#include "trace/input/json.h"
#include "trace_files.h"

enum { EVENTS_MOST = 64 };

/* A text that was read. */
struct seen {
    int code, count;
    struct ordo_event events[EVENTS_MOST];
    char names[EVENTS_MOST][32];
    struct ordo_odds odds;
    struct ordo_error error;
};

static struct seen seen_of_bytes(const void *bytes, size_t size, bool partial, bool strict)
{
    struct seen seen = {0};
    struct file file = file_of_bytes(bytes, size);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    seen.code = ordo_reader_open(&reader, file.path, NULL, &columns, &seen.error);
    if (!seen.code) {
        struct ordo_event event;
        cr_assert_str_eq(reader.form->name, "chrome");
        reader.partial = partial;
        reader.odds.is_strict = strict;
        while ((seen.code = ordo_reader_next(&reader, &event, &seen.error)) == 1 && seen.count < EVENTS_MOST) {
            size_t length = event.name.length < 31 ? event.name.length : 31;
            if (length > 0)
                memcpy(seen.names[seen.count], event.name.at, length);
            seen.events[seen.count++] = event;
        }
        seen.odds = reader.odds;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    return seen;
}

static struct seen seen_of(const char *text)
{
    return seen_of_bytes(text, strlen(text), false, false);
}

static void expect_count(const struct seen *seen, int count, const char *text)
{
    cr_assert_eq(seen->code, 0, "%s: %s", text, seen->error.text);
    cr_assert_eq(seen->count, count, "%s: %d events", text, seen->count);
}

static void expect_odd(const struct seen *seen, enum ordo_odd odd, uint64_t count, uint64_t row)
{
    cr_assert(seen->odds.of[odd].count == count && seen->odds.of[odd].row == row, "%s: %d at %d", ordo_odd_key(odd),
              (int)seen->odds.of[odd].count, (int)seen->odds.of[odd].row);
}

static uint64_t odds_of(const struct seen *seen)
{
    uint64_t count = 0;
    for (int i = 0; i < ORDO_ODDS; i++)
        count += seen->odds.of[i].count;
    return count;
}

#define A "{\"ph\":\"i\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1}"
#define B "{\"ph\":\"i\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":2}"

Test(trace_chrome, every_frame_that_viewers_read_is_read)
{
    const struct {
        const char *text;
        int odd; /* ORDO_ODDS: nothing is odd */
        uint64_t row;
    } frames[] = {{"[" A "," B "]", ORDO_ODDS, 0},
                  {"{\"traceEvents\":[" A "," B "]}", ORDO_ODDS, 0},
                  {"\xef\xbb\xbf [ " A " , " B " ] \n", ORDO_ODDS, 0},
                  {"{\"a\":{\"traceEvents\":[1]},\"traceEvents\":[" A "," B "],\"b\":[]}", ORDO_ODDS, 0},
                  {A "\n" B "\n", ORDO_ODDS, 0},
                  {A ",\n" B ",\n", ORDO_ODDS, 0},
                  {A ",\n" B "\n]\n", ORDO_ODDS, 0},
                  {"[," A "," B "]", ORDO_ODD_COMMA, 1},
                  {"[" A "," B ",]", ORDO_ODD_COMMA, 3},
                  {"[" A ",," B "]", ORDO_ODD_COMMA, 2},
                  {"[\n" A "\n" B "\n]", ORDO_ODD_NO_COMMA, 2},
                  {"[" A "," B, ORDO_ODD_NO_BRACKET, 2},
                  {"[" A "," B ",\n", ORDO_ODD_NO_BRACKET, 2},
                  {"{\"traceEvents\":[" A "," B "]", ORDO_ODD_NO_BRACKET, 2},
                  {"{\"traceEvents\":[" A "," B, ORDO_ODD_NO_BRACKET, 2},
                  {"[" A "][" B "]", ORDO_ODD_DOCUMENT, 2},
                  {"{\"traceEvents\":[" A "]}\n{\"traceEvents\":[" B "]}", ORDO_ODD_DOCUMENT, 2},
                  {A "\n{\"traceEvents\":[" B "]}", ORDO_ODD_DOCUMENT, 2},
                  {"[" A ",5," B "]", ORDO_ODD_NO_OBJECT, 2},
                  {"[null," A "," B "]", ORDO_ODD_NO_OBJECT, 1}};
    struct seen last = seen_of("[" A ",{}]"); /* as JAX ends an array */
    expect_count(&last, 2, "an empty object");
    expect_odd(&last, ORDO_ODD_NO_PHASE, 1, 2);
    cr_assert_eq(last.events[1].kind, ORDO_EVENT_META);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        struct seen seen = seen_of(frames[i].text);
        expect_count(&seen, 2, frames[i].text);
        cr_assert(strcmp(seen.names[0], "a") == 0 && strcmp(seen.names[1], "b") == 0, "%s", frames[i].text);
        cr_assert_eq(odds_of(&seen), frames[i].odd < ORDO_ODDS, "%s: %d odds", frames[i].text, (int)odds_of(&seen));
        if (frames[i].odd < ORDO_ODDS)
            expect_odd(&seen, frames[i].odd, 1, frames[i].row);
        struct seen strict = seen_of_bytes(frames[i].text, strlen(frames[i].text), false, true);
        cr_assert_eq(strict.code, frames[i].odd < ORDO_ODDS ? ORDO_E_MALFORMED : 0, "%s: strict: %s", frames[i].text,
                     strict.error.text);
        cr_assert(strict.code == 0 || strstr(strict.error.text, "--strict"), "%s", strict.error.text);
    }
}

/* Wherever the buffer ends, and wherever the file does. */
Test(trace_chrome, a_file_that_is_cut_anywhere_gives_its_whole_events_or_is_refused)
{
    const char *text = "{\"distributedInfo\":{\"rank\":3},\"traceEvents\":[" A ",\n" B "],\"z\":\"]}\"}";
    size_t size = strlen(text), first = (size_t)(strstr(text, "s\":[") - text) + 4;
    size_t one = (size_t)(strstr(text, A) - text) + strlen(A), two = one + 2 + strlen(B);
    for (size_t cut = first; cut < size; cut++) {
        struct seen whole = seen_of_bytes(text, cut, false, false), part = seen_of_bytes(text, cut, true, false);
        bool in_event = cut > first && cut != one && cut != one + 1 && cut != one + 2 && cut < two;
        cr_assert(part.code == 0, "%zu: %s", cut, part.error.text);
        cr_assert_eq(part.count, (cut >= one) + (cut >= two), "%zu: %d events", cut, part.count);
        cr_assert_eq(whole.code != 0, in_event, "%zu: %d, %s", cut, whole.code, whole.error.text);
    }
}

Test(trace_chrome, facts_hold_for_all_events_wherever_they_stand)
{
    const char *facts = "\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":3},\"baseTimeNanoseconds\":1000000000000";
    char texts[2][400];
    (void)sprintf(texts[0], "{%s,\"traceEvents\":[" A "," B "]}", facts);
    (void)sprintf(texts[1], "{\"traceEvents\":[" A "," B "],\"s\":[[1],\"]}\"],%s}", facts);
    for (int i = 0; i < 2; i++) {
        struct seen seen = seen_of(texts[i]);
        expect_count(&seen, 2, texts[i]);
        for (int k = 0; k < 2; k++)
            cr_assert(seen.events[k].rank == 3 && seen.events[k].time_ns == 1000000001000 + 1000 * k, "%s", texts[i]);
    }
    struct seen two = seen_of("{\"distributedInfo\":{\"rank\":1},\"traceEvents\":[" A "]}"
                              "{\"distributedInfo\":{\"rank\":2},\"traceEvents\":[" B "]}");
    cr_assert_eq(two.code, ORDO_E_MALFORMED);
    cr_assert(strstr(two.error.text, "distributedInfo behind it"), "%s", two.error.text);
}

/* The tail is read backwards within 256 KiB, so facts behind many events are found as those behind few. */
Test(trace_chrome, facts_behind_many_events_are_found)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("{\"traceEvents\":[", stream);
    for (int i = 0; i < 30000; i++)
        fprintf(stream,
                "%s{\"ph\":\"i\",\"name\":\"],\\\"rank\\\":9}\",\"pid\":7,\"ts\":%d,\"args\":{\"a\":[1],\"b\":2}}",
                i ? ",\n" : "", i);
    fputs("],\"distributedInfo\":{\"rank\":5},\"list\":[1,2],\"baseTimeNanoseconds\":\"1000\"}", stream);
    cr_assert_eq(fclose(stream), 0);
    struct seen seen = seen_of_bytes(text, size, false, false);
    cr_assert_eq(seen.code, 1, "%s", seen.error.text); /* stopped after the first events */
    cr_assert(seen.events[0].rank == 5 && seen.events[1].time_ns == 2000, "%d", seen.events[0].rank);
    free(text);
}

Test(trace_chrome, an_odd_event_is_counted_and_the_rest_is_read)
{
    const struct {
        const char *event;
        enum ordo_odd odd;
        int kind;
        int64_t time_ns;
    } odd[] = {
        {"{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":5}", ORDO_ODD_NO_DURATION, ORDO_EVENT_BEGIN, 5000},
        {"{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":null}", ORDO_ODD_NO_DURATION,
         ORDO_EVENT_BEGIN, 5000},
        {"{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":-1}", ORDO_ODD_NEGATIVE, ORDO_EVENT_SPAN,
         5000},
        {"{\"ph\":\"i\",\"name\":\"x\",\"pid\":1,\"tid\":1}", ORDO_ODD_NO_TIME, ORDO_EVENT_META, 0},
        {"{\"ph\":\"B\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":\"soon\"}", ORDO_ODD_NO_TIME, ORDO_EVENT_META, 0},
        {"{\"ph\":\"i\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1e18}", ORDO_ODD_FAR_TIME, ORDO_EVENT_META, 0},
        {"{\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1}", ORDO_ODD_NO_PHASE, ORDO_EVENT_OTHER, 1000},
        {"{\"ph\":\"E\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1}", ORDO_ODD_EARLY_END, ORDO_EVENT_END, 1000},
        {"{\"ph\":\"e\",\"id\":1,\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1}", ORDO_ODD_EARLY_END, ORDO_EVENT_OTHER,
         1000},
        {"{\"ph\":\"B\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1}", ORDO_ODD_OPEN_BEGIN, ORDO_EVENT_BEGIN, 1000},
        {"{\"ph\":\"b\",\"id\":1,\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1}", ORDO_ODD_OPEN_BEGIN, ORDO_EVENT_BEGIN,
         1000},
        {"{\"ph\":\"i\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1,\"args\":{\"a\":-Infinity}}", ORDO_ODD_NO_NUMBER,
         ORDO_EVENT_POINT, 1000},
        {"{\"ph\":\"i\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1,\"args\":{\"a\":[NaN]}}", ORDO_ODD_NO_NUMBER,
         ORDO_EVENT_POINT, 1000},
        {"{\"ph\":\"i\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":1,\"v\":inf}", ORDO_ODD_NO_NUMBER, ORDO_EVENT_POINT,
         1000},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char text[500];
        (void)sprintf(text, "[" A ",%s," B "]", odd[i].event);
        struct seen seen = seen_of(text), strict = seen_of_bytes(text, strlen(text), false, true);
        expect_count(&seen, 3, text);
        expect_odd(&seen, odd[i].odd, 1, 2);
        cr_assert_eq(odds_of(&seen), 1, "%s", text);
        cr_assert(seen.events[1].kind == odd[i].kind && seen.events[1].duration_ns == 0, "%s: %d", text,
                  seen.events[1].kind);
        cr_assert(odd[i].kind == ORDO_EVENT_META || seen.events[1].time_ns == odd[i].time_ns, "%s", text);
        cr_assert_eq(seen.events[2].time_ns, 2000, "%s", text);
        cr_assert(strict.code == ORDO_E_MALFORMED && strstr(strict.error.text, "row 2: has "), "%s: %s", text,
                  strict.error.text);
    }
    struct seen plain =
        seen_of("[{\"ph\":\"i\",\"ts\":1,\"args\":{\"a\":null,\"b\":true,\"c\":[false,\"NaN\",-1e-3]}}]");
    expect_count(&plain, 1, "words of JSON");
    cr_assert_eq(odds_of(&plain), 0);
}

Test(trace_chrome, times_are_read_in_every_notation_and_unit)
{
    struct seen seen = seen_of("[{\"ph\":\"X\",\"ts\":\"1672924880617123.5\",\"dur\":\"1e3\"},"
                               "{\"ph\":\"i\",\"ts\":1672924880617124},{\"ph\":\"i\",\"ts\":1.672924880617125E+15}]");
    expect_count(&seen, 3, "microseconds");
    cr_assert(seen.events[0].time_ns == 1672924880617123500 && seen.events[0].duration_ns == 1000000);
    cr_assert(seen.events[1].time_ns == 1672924880617124000 && seen.events[2].time_ns == 1672924880617125000);
    seen = seen_of("[{\"ph\":\"i\",\"ts\":0},{\"ph\":\"X\",\"ts\":1672924880617123457,\"dur\":1500}]");
    expect_count(&seen, 2, "nanoseconds");
    expect_odd(&seen, ORDO_ODD_NANOSECONDS, 1, 2);
    cr_assert(seen.events[1].time_ns == 1672924880617123457 && seen.events[1].duration_ns == 1500);
    seen = seen_of("{\"baseTimeNanoseconds\":1672924000000000000,\"traceEvents\":[{\"ph\":\"i\",\"ts\":880617123.5},"
                   "{\"ph\":\"i\",\"ts\":1672924880617124}]}");
    expect_count(&seen, 2, "a base");
    cr_assert(seen.events[0].time_ns == 1672924880617123500 && seen.events[1].time_ns == 1672924880617124000);
    seen = seen_of("[{\"ph\":\"i\",\"ts\":1},{\"ph\":\"i\",\"ts\":1672924880617123457}]"); /* the first one was in us */
    expect_count(&seen, 2, "one of both");
    expect_odd(&seen, ORDO_ODD_FAR_TIME, 1, 2);
}

Test(trace_chrome, every_process_has_a_rank_of_its_own_but_a_profile_has_one_rank)
{
    const char *events = "[{\"ph\":\"i\",\"ts\":1,\"pid\":7},{\"ph\":\"i\",\"ts\":1,\"pid\":\"Spans\"},"
                         "{\"ph\":\"i\",\"ts\":1,\"pid\":3933029},{\"ph\":\"i\",\"ts\":1,\"pid\":\"7\"},"
                         "{\"ph\":\"i\",\"ts\":1,\"pid\":\"Spans\"},{\"ph\":\"i\",\"ts\":1}]";
    const int ranks[] = {7, 1048575, 1048574, 7, 1048575, 0};
    char text[600];
    struct seen seen = seen_of(events);
    expect_count(&seen, 6, events);
    for (int i = 0; i < 6; i++)
        cr_assert_eq(seen.events[i].rank, ranks[i], "%d: %d", i, seen.events[i].rank);
    static const char *const marks[] = {"deviceProperties", "schemaVersion", "baseTimeNanoseconds"};
    for (int mark = 0; mark < 3; mark++) {
        (void)sprintf(text, "{\"%s\":0,\"traceEvents\":%s}", marks[mark], events);
        seen = seen_of(text);
        expect_count(&seen, 6, text);
        for (int i = 0; i < 6; i++)
            cr_assert_eq(seen.events[i].rank, 0);
    }
}

Test(trace_chrome, asynchronous_events_have_lanes_and_a_lane_is_used_again)
{
    struct seen seen = seen_of("[{\"ph\":\"b\",\"cat\":\"c\",\"id\":1,\"name\":\"p\",\"ts\":1},"
                               "{\"ph\":\"b\",\"cat\":\"c\",\"id\":2,\"name\":\"q\",\"ts\":2},"
                               "{\"ph\":\"e\",\"cat\":\"c\",\"id\":1,\"ts\":3},"
                               "{\"ph\":\"S\",\"cat\":\"d\",\"id\":2,\"name\":\"r\",\"ts\":4},"
                               "{\"ph\":\"F\",\"cat\":\"d\",\"id\":2,\"ts\":5},"
                               "{\"ph\":\"e\",\"cat\":\"c\",\"id\":2,\"ts\":6},"
                               "{\"ph\":\"b\",\"id2\":{\"local\":3},\"pid\":0,\"ts\":7},"
                               "{\"ph\":\"b\",\"id2\":{\"local\":3},\"pid\":\"0\",\"ts\":8},"
                               "{\"ph\":\"e\",\"id2\":{\"local\":3},\"pid\":0,\"ts\":9},"
                               "{\"ph\":\"e\",\"id2\":{\"local\":3},\"pid\":\"0\",\"ts\":9}]");
    expect_count(&seen, 10, "asynchronous");
    cr_assert_eq(odds_of(&seen), 0);
    const uint32_t lanes[] = {0, 1, 0, 0, 0, 1, 1, 0, 1, 0};
    for (int i = 0; i < 10; i++)
        cr_assert(seen.events[i].thread == (UINT32_C(3) << 30) + lanes[i] &&
                      seen.events[i].kind == (strchr("eF", "bbeSFebbee"[i]) ? ORDO_EVENT_END : ORDO_EVENT_BEGIN),
                  "%d: %u", i, seen.events[i].thread - (UINT32_C(3) << 30));
}

/* A member other than the events may be larger than memory should hold, and an event may have many members. */
Test(trace_chrome, large_members_are_left_out_and_many_members_are_read)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    fputs("{\"large\":\"", stream);
    for (int i = 0; i < 4000000; i++)
        fputs("xxxxx\\\"]}", stream);
    fputs("\",\"traceEvents\":[{", stream);
    for (int i = 0; i < 100; i++)
        fprintf(stream, "\"m%d\":{\"a\":[%d]},", i, i);
    fputs("\"ph\":\"X\",\"name\":\"late\",\"ts\":4,\"dur\":2}," B "]}", stream);
    cr_assert_eq(fclose(stream), 0);
    struct seen seen = seen_of_bytes(text, size, false, false);
    expect_count(&seen, 2, "large");
    expect_odd(&seen, ORDO_ODD_LARGE_MEMBER, 1, 1);
    cr_assert(strcmp(seen.names[0], "late") == 0 && seen.events[0].duration_ns == 2000);
    free(text);
}

/* Nesting is read to a depth of 1024 brackets; args count whether or not their members are wanted. */
Test(trace_chrome, nesting_is_read_to_a_depth_and_its_brackets_must_match)
{
    enum { MOST = 1023 };
    char text[3 * MOST];
    for (int depth = MOST - 1; depth <= MOST + 1; depth++)
        for (int wrong = -1; wrong < depth; wrong += 170) {
            struct ordo_json_members members, args;
            int length = sprintf(text, "{\"args\":{\"a\":");
            memset(text + length, '[', (size_t)depth);
            memset(text + length + depth, ']', (size_t)depth);
            if (wrong >= 0)
                text[length + depth + wrong] = '}';
            length += 2 * depth;
            memcpy(text + length, "}}", 3);
            struct ordo_text object = {text, (size_t)length + 2};
            ptrdiff_t expected = depth > MOST || wrong >= 0 ? -1 : length + 2;
            cr_assert_eq(ordo_json_members(object, &members, NULL), expected, "%d, %d", depth, wrong);
            cr_assert_eq(ordo_json_members(object, &members, &args), expected, "%d, %d, args", depth, wrong);
        }
}

static void expect_refusal(const void *bytes, size_t size, bool partial, const char *words)
{
    struct file file = file_of_bytes(bytes, size);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_error error = {0};
    struct ordo_event event;
    int code = ordo_reader_open(&reader, file.path, NULL, &columns, &error);
    if (!code) {
        reader.partial = partial;
        while ((code = ordo_reader_next(&reader, &event, &error)) == 1)
            continue;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    cr_assert(code == ORDO_E_MALFORMED && strstr(error.text, words), "%d: %s, not %s", code, error.text, words);
}

Test(trace_chrome, text_in_letters_of_two_or_four_bytes_is_refused_by_its_name)
{
    static const struct {
        const char *bytes;
        size_t size;
    } wide[] = {{"\xff\xfe[\0 \0]\0", 8}, {"\xfe\xff\0[\0 \0]", 8},      {"[\0 \0 \0]\0", 8},
                {"\0{\0 \0 \0}", 8},      {"[\0\0\0 \0\0\0]\0\0\0", 12}, {"\0\0\0[\0\0\0]", 8}};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        expect_refusal(wide[i].bytes, wide[i].size, true, "is text in UTF-16 or UTF-32");
}

/* Zero bytes are not the end of a file, unless only its whole part is wanted. */
Test(trace_chrome, events_behind_a_byte_0_are_not_lost_silently)
{
    static const char text[] = "[" A ",\0\0" B "]";
    expect_refusal(text, sizeof text - 1, false, "row 2: is a byte 0");
    struct seen seen = seen_of_bytes(text, sizeof text - 1, true, false);
    expect_count(&seen, 1, "a byte 0");
    expect_odd(&seen, ORDO_ODD_CUT, 1, 1);
}

Test(trace_chrome, a_document_without_events_is_no_trace_that_is_cut)
{
    static const char *const documents[] = {"{\"traceEvents\":null}", "{\"traceEvents\":{}}"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        for (int partial = 0; partial < 2; partial++)
            expect_refusal(documents[i], strlen(documents[i]), partial, "is JSON without traceEvents");
}

Test(trace_chrome, equal_ids_of_two_scopes_are_two_lanes)
{
    struct seen seen =
        seen_of("[{\"ph\":\"b\",\"id\":1,\"scope\":\"s\",\"ts\":1},{\"ph\":\"b\",\"id\":1,\"scope\":\"t\",\"ts\":2},"
                "{\"ph\":\"e\",\"id\":1,\"scope\":\"s\",\"ts\":3},{\"ph\":\"e\",\"id\":1,\"scope\":\"t\",\"ts\":4}]");
    expect_count(&seen, 4, "scopes");
    cr_assert(odds_of(&seen) == 0 && seen.events[0].thread != seen.events[1].thread &&
              seen.events[0].thread == seen.events[2].thread && seen.events[1].thread == seen.events[3].thread);
}

/* Zeros of a bomb are spaces to no end: they are refused after a million. */
Test(trace_chrome, spaces_without_end_are_refused)
{
    char *text = malloc(3 << 20);
    cr_assert(text);
    memset(text, ' ', 3 << 20);
    memcpy(text, "[" A ",", strlen("[" A ","));
    struct seen seen = seen_of_bytes(text, 3 << 20, false, false);
    cr_assert(seen.code == ORDO_E_MALFORMED && strstr(seen.error.text, "a million letters of space"), "%s",
              seen.error.text);
    free(text);
}

/* A B with args, E events without, and the fields that the last event must have. */
Test(trace_chrome, an_end_has_what_its_begin_states)
{
#define BARRIER "{\"ph\":\"B\",\"name\":\"MPI_Barrier\",\"tid\":1,\"ts\":1,\"args\":{\"communicator\":7,\"number\":3}},"
#define INNER "{\"ph\":\"B\",\"name\":\"x\",\"tid\":1,\"ts\":2}"
    const struct {
        const char *text, *name;
        int count;
        uint64_t communicator;
        uint32_t number;
    } ends[] = {{"[" BARRIER "{\"ph\":\"E\",\"tid\":1,\"ts\":2}]", "MPI_Barrier", 2, 7, 3},
                {"[" BARRIER "{\"ph\":\"E\",\"tid\":1,\"ts\":2,\"name\":\"MPI_Barrier\"}]", "MPI_Barrier", 2, 7, 3},
                {"[" BARRIER "{\"ph\":\"E\",\"tid\":1,\"ts\":2,\"args\":{\"number\":4}}]", "MPI_Barrier", 2, 7, 4},
                {"[" BARRIER INNER ",{\"ph\":\"E\",\"tid\":1,\"ts\":3},{\"ph\":\"E\",\"tid\":1,\"ts\":4}]",
                 "MPI_Barrier", 4, 7, 3},
                {"[" BARRIER INNER ",{\"ph\":\"E\",\"tid\":1,\"ts\":3}]", "", 3, 0, ORDO_EVENT_UNCOUNTED},
                {"[" BARRIER "{\"ph\":\"E\",\"tid\":2,\"ts\":2}]", "", 2, 0, ORDO_EVENT_UNCOUNTED},
                {"[" BARRIER "{\"ph\":\"E\",\"tid\":1,\"ts\":2,\"name\":\"y\"}]", "y", 2, 0, ORDO_EVENT_UNCOUNTED}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct seen seen = seen_of(ends[i].text);
        expect_count(&seen, ends[i].count, ends[i].text);
        const struct ordo_event *last = &seen.events[seen.count - 1];
        bool waits = strcmp(ends[i].name, "MPI_Barrier") == 0;
        cr_assert_str_eq(seen.names[seen.count - 1], ends[i].name, "%s", ends[i].text);
        cr_assert_eq(last->communicator, ends[i].communicator, "%s", ends[i].text);
        cr_assert_eq(last->number, ends[i].number, "%s", ends[i].text);
        cr_assert_eq(last->collective == ORDO_COLLECTIVE_ALL_TO_ALL, waits, "%s", ends[i].text);
    }
}
