/* The parts of a page: text that stays text, blocks that hold their records, rows, and samples of clocks. */
#include "trace_files.h"

#include "base/random.h"
#include "trace/page/blocks.h"
#include "trace/page/drawn.h"
#include "trace/page/page.h"
#include "trace/page/rows.h"
#include "trace/page/samples.h"
#include "trace/page/text.h"

static char *text_of(void (*write)(FILE *, struct ordo_text), const char *bytes, size_t count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    write(stream, (struct ordo_text){bytes, count});
    cr_assert_eq(fclose(stream), 0);
    return text;
}

static void expect(void (*write)(FILE *, struct ordo_text), const char *bytes, const char *wanted)
{
    char *text = text_of(write, bytes, strlen(bytes));
    cr_expect_str_eq(text, wanted);
    free(text);
}

Test(page, shows_names_literally)
{
    expect(ordo_page_escape, "<b a='1'>&\"", "&#60;b a=&#39;1&#39;&#62;&#38;&#34;");
    expect(ordo_page_escape, "\xc3\xa9 \xff\x1b", "\xc3\xa9 ??");
    expect(ordo_page_quote, "</a>\\\"\n", "\"\\u003c/a\\u003e\\u005c\\u0022?\"");
    expect(ordo_page_quote, "", "\"\"");
}

Test(page, shows_a_question_mark_for_a_letter_that_changes_the_text_around_it)
{
    static const char *const unseen[] = {"\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xe2\x80\xaa",
                                         "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\xef\xbb\xbf"};
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        expect(ordo_page_escape, unseen[i], "?");
        expect(ordo_page_quote, unseen[i], "\"?\"");
    }
    expect(ordo_page_escape, "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xef\xbb\xbe",
           "\xe2\x80\x8d\xe2\x80\xaf\xe2\x81\xa5\xef\xbb\xbe");
}

Test(page, samples_are_in_the_order_of_time)
{
    struct ordo_samples samples = {0};
    for (int i = 0; i < 100; i++) {
        struct ordo_event_stamp stamp = {37 * i % 101, 0, 200};
        cr_assert_eq(ordo_samples_take(&samples, 37 * i % 101, &stamp), 0);
    }
    ordo_samples_sort(&samples);
    cr_assert_eq(samples.count, 100u);
    for (uint32_t i = 1; i < samples.count; i++)
        cr_assert_gt(samples.all[i].time_ns, samples.all[i - 1].time_ns);
    ordo_samples_free(&samples);
}

Test(page, has_no_markup_in_any_bytes)
{
    static const char letters[] = "<>&\"'\\/!-]xyz\x01\x7f\xc3\xa9\xe2\x80\xa8";
    uint64_t seed = 7;
    for (int k = 0; k < 20000; k++) {
        char bytes[24];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = letters[ordo_random_next(&seed) % (sizeof letters - 1)];
        char *escaped = text_of(ordo_page_escape, bytes, sizeof bytes);
        char *quoted = text_of(ordo_page_quote, bytes, sizeof bytes);
        cr_assert_null(strpbrk(escaped, "<>\"'"), "%s", escaped);
        cr_assert_null(strpbrk(quoted, "<>&'"), "%s", quoted);
        cr_assert_null(memchr(quoted + 1, '"', strlen(quoted) - 2), "%s", quoted);
        free(escaped);
        free(quoted);
    }
}

Test(page, cuts_long_names)
{
    static char bytes[5000];
    memset(bytes, '<', sizeof bytes);
    char *text = text_of(ordo_page_escape, bytes, sizeof bytes);
    cr_expect_eq(strlen(text), 5 * (size_t)ORDO_PAGE_NAME_MOST);
    free(text);
}

static double value_of(uint64_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* A range of 8 bits of precision is at most 1/128 wider. */
Test(page, never_shows_a_range_narrower_than_it_is)
{
    uint64_t seed = 3;
    for (int k = 0; k < 1000000; k++) {
        int64_t ns = (int64_t)(ordo_random_next(&seed) >> 2 >> k % 62);
        double shown = value_of(ordo_block_range(ns));
        cr_assert(shown >= (double)ns && shown <= (double)ns * (1 + 1.0 / 128), "%lld: %.17g", (long long)ns, shown);
    }
    cr_expect_eq(ordo_block_range(0), 0);
    cr_expect_eq(ordo_block_range(-5), 0);
    cr_expect_geq(value_of(ordo_block_range(INT64_MAX)), 9.2e18);
}

static int six_of(char letter)
{
    const char *letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(letters, letter);
    cr_assert(at && *at, "'%c'", letter);
    return (int)(at - letters);
}

/* Decodes base64 up to a space or an element. Returns the number of bytes. */
static size_t decode(const char **at, unsigned char *bytes)
{
    size_t count = 0;
    uint32_t word = 0;
    for (int letters = 0; **at != ' ' && **at != '<'; (*at)++) {
        if (**at == '=')
            continue;
        word = word << 6 | (uint32_t)six_of(**at);
        if (++letters % 4 != 1)
            bytes[count++] = (unsigned char)(word >> (6 - 2 * ((letters - 1) % 4)));
    }
    *at += **at == ' ';
    return count;
}

/* Records of 3 columns, of 8, 4 and 1 bytes: all of them are found again, in 3 blocks. */
Test(page, blocks_hold_each_record)
{
    enum { COUNT = 2 * ORDO_BLOCK_RECORDS + 5 };
    static unsigned char bytes[8 * ORDO_BLOCK_RECORDS + 8];
    struct ordo_blocks blocks;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    cr_assert_eq(ordo_blocks_begin(&blocks, stream, "some", "841"), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        ordo_blocks_put(&blocks, (const uint64_t[]){i * UINT64_C(0x123456789abcdef), i * 7, i});
    cr_expect_eq(blocks.total, COUNT);
    ordo_blocks_end(&blocks);
    cr_assert_eq(fclose(stream), 0);
    uint64_t seen = 0;
    for (const char *at = text; (at = strstr(at, "class=\"some\" data-count=\"")) != NULL;) {
        uint64_t count = strtoull(at + 25, NULL, 10);
        at = strchr(at, '>') + 1;
        for (size_t width = 8; width > 0; width = width == 8 ? 4 : width == 4 ? 1 : 0) {
            cr_assert_eq(decode(&at, bytes), count * width);
            for (uint64_t i = 0; i < count; i++) {
                uint64_t value = 0, of = seen + i,
                         full[] = {[8] = of * UINT64_C(0x123456789abcdef), [4] = of * 7, [1] = of};
                memcpy(&value, bytes + i * width, width);
                cr_assert_eq(value, full[width] & (width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * width) - 1));
            }
        }
        seen += count;
    }
    cr_expect_eq(seen, COUNT);
    free(text);
}

Test(page, each_thread_has_one_row)
{
    struct ordo_page_rows rows = {0};
    for (int round = 0; round < 2; round++)
        for (int32_t rank = 0; rank < 300; rank++)
            for (uint32_t thread = 0; thread < 5; thread++)
                cr_assert_eq(ordo_page_rows_number(&rows, rank * 1000, thread * 77777), (uint32_t)rank * 5 + thread);
    cr_expect_eq(rows.count, 1500);
    ordo_page_rows_free(&rows);
}

Test(page, names_the_row_of_a_thread)
{
    struct ordo_page_rows rows = {0};
    const char *raw = "{\"ph\":\"M\",\"name\":\"thread_name\",\"args\":{\"x\":1,\"name\":\"stream \\\"7\\\"\"}}";
    struct ordo_event event = {.kind = ORDO_EVENT_META, .rank = 1, .thread = 4, .name = {"thread_name", 11}};
    event.raw = (struct ordo_text){raw, strlen(raw)};
    cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
    cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
    cr_assert_eq(rows.count, 1);
    cr_expect_str_eq(rows.all[0].title, "stream \"7\"");
    for (size_t length = 0; length < strlen(raw); length++) { /* a part of the text is no error */
        event.raw.length = length;
        event.thread++;
        cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
    }
    event.rank = -1;
    uint32_t count = rows.count;
    cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
    cr_expect_eq(rows.count, count);
    ordo_page_rows_free(&rows);
}

Test(page, has_the_names_of_ranks_and_threads_of_every_form)
{
    struct ordo_page_rows rows = {0};
    for (int32_t rank = 0; rank < 40; rank++) {
        struct ordo_event event = {.kind = ORDO_EVENT_META, .rank = rank, .thread = 3, .raw = {"shop@host-1", 6}};
        event.name = (struct ordo_text){ORDO_EVENT_RANK_NAME, sizeof ORDO_EVENT_RANK_NAME - 1};
        cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
        event.raw.length = 4;
        event.name = (struct ordo_text){ORDO_EVENT_THREAD_NAME, sizeof ORDO_EVENT_THREAD_NAME - 1};
        cr_assert_eq(ordo_page_rows_name(&rows, &event), 0);
    }
    cr_assert(rows.rank_count == 40 && rows.count == 40);
    cr_expect_eq(rows.ranks[39].rank, 39);
    cr_expect_str_eq(rows.ranks[39].name, "shop@h");
    cr_expect_str_eq(rows.all[39].title, "shop");
    ordo_page_rows_free(&rows);
}

Test(page, describes_a_thread_by_its_process)
{
    static const struct {
        const char *raw, *title;
    } cases[] = {{"{\"pid\":20,\"tid\":7}", "20/7"},
                 {"{\"tid\":\"Main\\u0054hread\",\"pid\":3}", "MainThread"},
                 {"{\"tid\":7}", "7"},
                 {"{\"pid\":7}", NULL},
                 {"[1]", NULL},
                 {"", NULL}};
    struct ordo_page_rows rows = {0};
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t row = ordo_page_rows_number(&rows, 0, i);
        cr_assert_eq(ordo_page_rows_describe(&rows, row, (struct ordo_text){cases[i].raw, strlen(cases[i].raw)}), 0);
        cr_assert_eq(ordo_page_rows_describe(&rows, row, (struct ordo_text){"{\"tid\":1}", 9}), 0);
        cr_expect_str_eq(rows.all[row].title, cases[i].title ? cases[i].title : "1");
    }
    ordo_page_rows_free(&rows);
}

/* Whatever the number of events, the samples are evenly spread, from the first event to nearly the last one. */
Test(page, samples_are_spread_over_the_trace)
{
    for (int64_t events = 1; events < 100000; events += events / 3 + 1) {
        struct ordo_samples samples = {0};
        for (int64_t i = 0; i < events; i++)
            cr_assert_eq(ordo_samples_take(&samples, i, &(struct ordo_event_stamp){i, i - 5, i + (i == events / 2)}),
                         0);
        cr_assert(samples.count <= ORDO_SAMPLES_MOST &&
                  (samples.count >= ORDO_SAMPLES_MOST / 2 || samples.count == events));
        for (uint32_t i = 0; i < samples.count; i++)
            cr_assert_eq(samples.all[i].time_ns, (int64_t)(i * samples.every));
        cr_expect_eq(samples.widest_ns, 6);
        cr_expect(samples.all[samples.count - 1].time_ns >= events - (int64_t)samples.every);
        ordo_samples_free(&samples);
    }
}

/* Writes the page of a trace with at most `most` bars. Returns the code. */
static int write_page(const char *text, uint64_t most, struct ordo_page_result *result)
{
    struct file file = file_of(text);
    struct ordo_error error = {0};
    struct ordo_traces traces;
    struct ordo_analysis analysis;
    const char *paths[] = {file.path};
    const struct ordo_traces_options options = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()};
    cr_assert_eq(ordo_traces_open(&traces, &options, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_traces_start(&traces, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_analysis_make(&analysis, &traces, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_traces_start(&traces, NULL, &error), ORDO_OK, "%s", error.text);
    FILE *stream = fopen("/dev/null", "w");
    const struct ordo_page_options page = {
        .title = "x", .begin_ns = analysis.first_ns, .end_ns = analysis.last_ns, .most = most};
    int code = ordo_page_write(&traces, &analysis, &page, stream, result, &error);
    (void)fclose(stream);
    ordo_analysis_free(&analysis);
    ordo_traces_close(&traces);
    file_close(&file);
    return code;
}

Test(page, draws_an_overview_of_more_bars_than_allowed)
{
    static const char trace[] =
        "rank,time_ns,kind,name,peer,tag\n0,1,begin,a,,\n0,2,begin,b,,\n0,3,send,,1,1\n0,4,end,b,,\n"
        "0,5,end,a,,\n1,6,recv,,0,1\n1,7,event,p,,\n1,8,end,c,,\n1,9,begin,d,,\n";
    struct ordo_page_result result;
    cr_expect_eq(write_page(trace, 3, &result), ORDO_OK);
    cr_expect(result.bars == 2 && result.points == 1 && result.arrows == 1 && result.rows == 2);
    cr_expect(result.merged_bars == 0 && result.bars_ns == 0);
    cr_expect_eq(write_page(trace, 2, &result), ORDO_E_INVALID); /* three lanes, and half a bar */
}

Test(page, an_overview_covers_all_bars_in_one_row)
{
    static char trace[400000];
    struct ordo_page_result result;
    size_t at = (size_t)sprintf(trace, "rank,time_ns,kind,name\n");
    for (int i = 0; i < 4000; i++)
        at += (size_t)sprintf(trace + at, "0,%d,begin,a\n0,%d,end,a\n", 10 * i, 10 * i + 3);
    cr_expect_eq(write_page(trace, 4000, &result), ORDO_OK);
    cr_expect(result.bars_ns == 0 && result.merged_bars == 0);
    cr_expect_eq(write_page(trace, 3999, &result), ORDO_OK);
    cr_expect(result.bars == 4000 && result.bars_ns == 64 && result.merged_bars == 4000, "%d %d", (int)result.bars_ns,
              (int)result.merged_bars);
}

/* A record of the block that is written last is a begin, an end, a name and a row. */
static void take_random(struct ordo_drawn *drawn, uint64_t seed)
{
    uint64_t random = seed;
    for (int i = 0; i < 3000; i++) {
        int64_t begin = (int64_t)(ordo_random_next(&random) % 1000000) - 1000;
        int64_t length = (int64_t)(ordo_random_next(&random) % (i % 7 ? 50 : 100000)) - (i % 11 == 0 ? 1000000 : 0);
        uint64_t words[ORDO_DRAWN_WORDS] = {ordo_block_real((double)begin), ordo_block_real((double)(begin + length)),
                                            7, (uint64_t)i % 3};
        cr_assert_eq(ordo_drawn_take(drawn, (uint64_t)i % 3, 0, begin, length, words), 0);
    }
    ordo_drawn_finish(drawn);
}

Test(page, an_overview_draws_as_many_bars_as_were_counted_and_merges_no_more_than_it_must)
{
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct ordo_drawn counted = {.is_counting = true};
        take_random(&counted, seed);
        cr_assert_eq(counted.overview.total, 3000);
        for (uint64_t most = 1200; most < 3000; most += 97) {
            struct ordo_drawn drawn = {.shift = ordo_overview_choose(&counted.overview, most),
                                       .merged_name = 9,
                                       .name_column = 2,
                                       .bytes_column = -1};
            FILE *stream = fopen("/dev/null", "w");
            cr_assert(drawn.shift >= 0);
            cr_assert_eq(ordo_blocks_begin(&drawn.blocks, stream, "bars", "8844"), 0);
            take_random(&drawn, seed);
            cr_assert_eq(drawn.written, counted.overview.bars[drawn.shift]);
            cr_assert(drawn.written <= most && (drawn.shift == 0 || counted.overview.bars[drawn.shift - 1] > most));
            ordo_drawn_free(&drawn);
            (void)fclose(stream);
        }
        ordo_drawn_free(&counted);
    }
}
