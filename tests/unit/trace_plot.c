/* The pictures, read as SVG: bars, arrows and edges are at the positions of their times, and the file is well-formed
 * XML for any names. */
#include "trace_files.h"

#include "trace/plot/gantt.h"
#include "trace/plot/legend.h"
#include "trace/plot/skew.h"
#include "trace/plot/svg.h"

static struct {
    struct ordo_analysis analysis;
    struct ordo_gantt_result result;
    char *text;
    size_t size;
} made;

static void open_traces(struct ordo_traces *traces, const struct file *file)
{
    struct ordo_error error = {0};
    const char *paths[] = {file->path};
    const struct ordo_traces_options options = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()};
    cr_assert_eq(ordo_traces_open(traces, &options, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_traces_start(traces, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_analysis_make(&made.analysis, traces, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_traces_start(traces, NULL, &error), ORDO_OK, "%s", error.text);
}

static void unmake(void)
{
    ordo_analysis_free(&made.analysis);
    free(made.text);
}

/* Expects well-formed XML: elements are closed in order, attributes are quoted, and all characters are valid. */
static void expect_tree(const char *text)
{
    const char *open[32];
    int depth = 0;
    for (const char *at = strstr(text, "?>") + 2; (at = strchr(at, '<')) != NULL;) {
        const char *end = at + 1, *name = at + 1 + (at[1] == '/');
        for (bool quoted = false; *end && (quoted || *end != '>'); end++)
            quoted ^= *end == '"';
        cr_assert_eq(*end, '>', "%.60s", at);
        if (at[1] == '/') {
            cr_assert(depth > 0, "%.60s", at);
            size_t length = strcspn(open[--depth], " >");
            cr_assert(strncmp(open[depth], name, length) == 0 && name[length] == '>', "%.20s and %.20s", open[depth],
                      name);
        } else if (end[-1] != '/') {
            cr_assert_lt(depth, 32);
            open[depth++] = name;
        }
        at = end;
    }
    cr_assert_eq(depth, 0);
    for (const char *at = text; (at = strchr(at, '&')) != NULL; at++)
        cr_assert(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&amp;", 5) == 0 ||
                      strncmp(at, "&quot;", 6) == 0,
                  "%.20s", at);
}

static int count(const char *words)
{
    int found = 0;
    for (const char *at = made.text; (at = strstr(at, words)) != NULL; at++)
        found++;
    return found;
}

/* Draws the times 0 to 1000 of ranks 0 to 3, with 1000 pixels between the margins. */
static void draw(const char *trace, const char *names)
{
    struct file file = file_of(trace);
    struct ordo_traces traces;
    struct ordo_error error = {0};
    open_traces(&traces, &file);
    const struct ordo_gantt_options options = {.begin_ns = 0,
                                               .end_ns = 1000,
                                               .ranks = (int[]){0, 1, 2, 3},
                                               .rank_count = 4,
                                               .names = names,
                                               .width = 1000 + 70 + 50,
                                               .messages = true};
    FILE *stream = open_memstream(&made.text, &made.size);
    cr_assert_eq(ordo_gantt_draw(&traces, &made.analysis, &options, stream, &made.result, &error), ORDO_OK, "%s",
                 error.text);
    cr_assert_eq(fclose(stream), 0);
    ordo_traces_close(&traces);
    file_close(&file);
    expect_tree(made.text);
}

Test(trace_plot, a_bar_shows_its_region_in_the_row_of_its_rank)
{
    draw("rank,time_ns,kind,name\n0,100,begin,a\n0,400,end,a\n2,500,begin,b\n2,600,end,b\n2,900,begin,b\n2,1800,end,b\n"
         "3,-500,begin,c\n3,-300,end,c\n9,100,begin,a\n9,200,end,a\n",
         NULL);
    cr_assert_eq(made.result.bars, 3);
    cr_assert_eq(
        count("<rect x=\"170.00\" y=\"44.0\" width=\"300.00\" height=\"18.0\" fill=\"#e69f00\"><title>a: 300 ns"), 1);
    cr_assert_eq(
        count("<rect x=\"570.00\" y=\"92.0\" width=\"100.00\" height=\"18.0\" fill=\"#56b4e9\"><title>b: 100 ns"), 1);
    cr_assert_eq(count("<rect x=\"970.00\" y=\"92.0\" width=\"100.00\""), 1); /* the bar is cut at the right margin */
    cr_assert_eq(count(">rank 3</text>"), 1);
    cr_assert(count("class=\"edge\"") == 0 && made.result.arrows == 0);
    unmake();
}

Test(trace_plot, a_nested_region_is_drawn_as_a_smaller_bar_on_top)
{
    draw("rank,time_ns,kind,name\n0,0,begin,outer\n0,100,begin,inner\n0,200,end,inner\n0,400,end,outer\n", NULL);
    const char *outer = strstr(made.text, "<title>outer"), *inner = strstr(made.text, "<title>inner");
    cr_assert(outer && inner && outer < inner); /* the later element covers the earlier one */
    cr_assert_eq(count("x=\"170.00\" y=\"45.8\" width=\"100.00\" height=\"14.4\""), 1);
    unmake();
}

/* The bounds of a begin or an end, from the earliest to the latest time, are hatched. */
Test(trace_plot, hatched_areas_show_the_bounds_of_both_ends)
{
    draw("rank,time_ns,kind,name,global_ns,earliest_ns,latest_ns\n0,1,begin,a,100,90,120\n0,2,end,a,400,350,410\n",
         NULL);
    cr_assert_eq(count("<rect class=\"edge\" x=\"160.00\" y=\"44.0\" width=\"30.00\""), 1);
    cr_assert_eq(count("<rect class=\"edge\" x=\"420.00\" y=\"44.0\" width=\"60.00\""), 1);
    unmake();
}

/* A file may state any numbers as bounds; their distances do not fit into 64 bits. */
Test(trace_plot, bounds_near_the_largest_numbers_are_drawn_as_far_as_the_chart_goes)
{
    draw("[{\"ph\":\"X\",\"name\":\"a\",\"pid\":0,\"tid\":0,\"ts\":0.1,\"dur\":0.3,\"args\":{\"earliest_ns\":"
         "-9223372036854775807,\"latest_ns\":9223372036854775807}}]",
         NULL);
    cr_assert_eq(made.result.bars, 1);
    cr_assert_eq(count("<title>a: 300 ns"), 1);
    cr_assert_eq(count("<rect class=\"edge\" x=\"70.00\" y=\"44.0\" width=\"1000.00\""), 2);
    unmake();
    draw("#Paraver (01/02/03 at 04:05):1000_ns:1(1):1:1(1:1)\n# ordo-trace: global time in ns is the time here plus 0\n"
         "2:1:1:1:1:100:68000004:9223372036854775807:68000005:9223372036854775807:60000019:5\n"
         "2:1:1:1:1:400:68000004:9223372036854775807:68000005:9223372036854775807:60000019:0\n",
         NULL);
    cr_assert_eq(made.result.bars, 1);
    unmake();
}

Test(trace_plot, distances_of_times_that_do_not_fit_are_the_largest_numbers)
{
    cr_assert_eq(ordo_event_apart(-5, INT64_MAX - 5), INT64_MAX);
    cr_assert_eq(ordo_event_apart(-6, INT64_MAX - 5), INT64_MAX);
    cr_assert_eq(ordo_event_apart(INT64_MAX, -5), -INT64_MAX);
    cr_assert_eq(ordo_event_after(INT64_MAX - 5, 6), INT64_MAX);
    cr_assert_eq(ordo_event_after(INT64_MIN + 5, -6), -INT64_MAX);
    cr_assert_eq(ordo_event_after(-5, 3), -2);
}

Test(trace_plot, an_arrow_back_in_time_is_red)
{
    draw(
        "rank,time_ns,kind,peer\n0,100,send,1\n1,200,recv,0\n1,500,send,2\n2,450,recv,1\n0,2000,send,1\n1,3000,recv,0\n"
        "8,100,send,1\n1,200,recv,8\n",
        NULL);
    cr_assert_eq(made.result.arrows, 2);
    cr_assert_eq(count("<line x1=\"170.00\" y1=\"53.0\" x2=\"270.00\" y2=\"77.0\" stroke=\"#333\""), 1);
    cr_assert_eq(count("<line x1=\"570.00\" y1=\"77.0\" x2=\"520.00\" y2=\"101.0\" stroke=\"#d00\""), 1);
    cr_assert_eq(count("red: received before it was sent"), 1);
    unmake();
}

Test(trace_plot, only_the_named_calls_are_drawn)
{
    const char *trace =
        "rank,time_ns,kind,name\n3,0,begin,ab\n3,90,end,ab\n0,0,begin,<b>&\n0,90,end,<b>&\n0,100,begin,a\n0,300,end,a\n"
        "1,0,begin,\"q\"\"\xff\xef\xbf\xbf\x01\"\n1,90,end,\"q\"\"\xff\xef\xbf\xbf\x01\"\n2,5,begin,\n2,50,end,\n";
    draw(trace, NULL);
    cr_assert_eq(made.result.bars, 5);
    cr_assert(count("&lt;b&gt;&amp;") == 2 && count("q&quot;??") == 2 && count("(no name)") == 1, "%s", made.text);
    unmake();
    draw(trace, "a,<b>&");
    cr_assert_eq(made.result.bars, 2);
    cr_assert_eq(count("(no name)"), 0);
    unmake();
}

/* 100,000 very short regions make at most one bar for each pixel. Arrows beyond the limit are only counted. */
Test(trace_plot, a_crowded_chart_stays_small)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("rank,time_ns,kind,name,peer\n", stream);
    for (int i = 0; i < 100000; i++)
        fprintf(stream, "0,%d,begin,a,\n0,%d,end,a,\n", i / 100, i / 100);
    for (int i = 0; i < 20010; i++)
        fprintf(stream, "0,%d,send,,1\n1,%d,recv,,0\n", i / 21, i / 21);
    cr_assert_eq(fclose(stream), 0);
    draw(text, NULL);
    cr_assert(made.result.bars > 500 && made.result.bars <= 4000, "%llu", (unsigned long long)made.result.bars);
    cr_assert(made.result.arrows == 20000 && made.result.left_out == 10);
    free(text);
    unmake();
}

/* The names with most time get the first colours. Names that do not fit are only counted. */
Test(trace_plot, the_legend_begins_with_the_most_time_consuming_names)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("rank,time_ns,kind,name\n", stream);
    for (int i = 0; i < 90; i++)
        fprintf(stream, "0,%d,begin,a name of twenty-five %02d\n0,%d,end,a name of twenty-five %02d\n", 10 * i, i,
                10 * i + 1 + i / 10, i);
    cr_assert_eq(fclose(stream), 0);
    draw(text, NULL);
    const char *first = strstr(made.text, "twenty-five 80</text>"),
               *second = strstr(made.text, "twenty-five 70</text>");
    cr_assert(first && second && first < second);
    cr_assert(count("</text>") > 10 && strstr(made.text, " more</text>") &&
              !strstr(made.text, "twenty-five 00</text>"));
    free(text);
    unmake();
}

Test(trace_plot, times_have_a_unit_that_fits)
{
    char room[32];
    const struct {
        double ns;
        const char *text;
    } times[] = {{0, "0 ns"},    {999, "999 ns"},  {1000, "1 us"},    {1500000, "1.5 ms"},
                 {-2e9, "-2 s"}, {9e12, "9000 s"}, {999999.9, "1 ms"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        struct ordo_text text = ordo_svg_time(times[i].ns, room);
        cr_assert(text.length == strlen(times[i].text) && memcmp(text.at, times[i].text, text.length) == 0, "%s", room);
    }
}

/* Ticks are in the range, and their distance is 1, 2 or 5 times a power of ten. Their labels neither overlap nor
 * repeat. */
Test(trace_plot, labels_of_an_axis_neither_touch_nor_repeat)
{
    for (double range = 3; range < 1e13; range *= 3.7)
        for (double from = -5e6; from <= 5e6; from += 2.5e6)
            for (double pixels = 200; pixels < 3000; pixels *= 2) {
                struct ordo_svg_axis axis = ordo_svg_axis_make(from, range, pixels);
                char room[2][64];
                double digit = axis.step_ns / pow(10, floor(log10(axis.step_ns) + 1e-9));
                cr_assert(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6, "%g",
                          axis.step_ns);
                cr_assert(axis.first_ns >= from && axis.first_ns < from + axis.step_ns);
                struct ordo_text one = ordo_svg_axis_label(&axis, axis.first_ns, room[0]);
                struct ordo_text two = ordo_svg_axis_label(&axis, axis.first_ns + axis.step_ns, room[1]);
                cr_assert(one.length != two.length || memcmp(one.at, two.at, one.length) != 0, "%s", room[0]);
                if (axis.first_ns + axis.step_ns <= from + range)
                    cr_assert_geq(axis.step_ns / range * pixels, (double)two.length * ORDO_SVG_LETTER - 7, "%s",
                                  room[1]);
            }
}

Test(trace_plot, long_texts_are_cut_to_whole_letters)
{
    FILE *stream = open_memstream(&made.text, &made.size);
    struct ordo_text name = {"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 18};
    ordo_svg_escape(stream, name, 6);
    ordo_svg_escape(stream, name, 5);
    ordo_svg_escape(stream, (struct ordo_text){"\xe2\x82", 2}, 5);
    cr_assert_eq(fclose(stream), 0);
    cr_assert_str_eq(made.text, "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
                                "\xe2\x82\xac\xe2\x82\xac...??");
    cr_assert(ordo_svg_letters(name, 99) == 6 && ordo_svg_letters(name, 4) == 4);
    cr_assert_str_eq(ordo_svg_colour(3), ordo_svg_colour(13));
    free(made.text);
}

/* The ranks enter barrier i within 100 i ns, rank 5 last. All ranks leave together, except rank 1, which leaves 50 ns
 * later. */
Test(trace_plot, the_skew_of_a_collective_is_drawn)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("rank,time_ns,kind,name,global_ns,earliest_ns,latest_ns\n", stream);
    for (int i = 1; i <= 9; i++)
        for (int rank = 0; rank < 6; rank++)
            for (int ends = 0; ends < 2; ends++) {
                int at = 10000 * i + (ends ? 5000 + (rank == 1 ? 50 : 0) : rank * 20 * i);
                fprintf(stream, "%d,%d,%s,MPI_Barrier,%d,%d,%d\n", rank, at, ends ? "end" : "begin", at, at - 10,
                        at + 10);
            }
    fputs("0,200000,begin,MPI_Allreduce,200000,200000,200000\n0,200100,end,MPI_Allreduce,200100,200100,200100\n",
          stream);
    cr_assert_eq(fclose(stream), 0);
    struct file file = file_of(text);
    struct ordo_traces traces;
    open_traces(&traces, &file);
    free(text);
    stream = open_memstream(&made.text, &made.size);
    cr_assert_eq(ordo_skew_draw(&made.analysis, 900, stream), 1); /* a collective of one rank gets no panel */
    cr_assert_eq(fclose(stream), 0);
    expect_tree(made.text);
    cr_assert_eq(count("enter: median 500 ns; certainly (dashed) 480 ns"), 1, "%s", made.text);
    cr_assert_eq(count("leave: median 50 ns; certainly (dashed) 30 ns"), 1, "%s", made.text);
    cr_assert(count("<title>rank 5: last 9 times</title>") == 1 && count(": last 0 times</title>") == 5);
    cr_assert_eq(count("stroke-dasharray"), 2);
    ordo_traces_close(&traces);
    file_close(&file);
    unmake();
}
