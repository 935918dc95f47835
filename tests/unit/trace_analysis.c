/* Reports about known traces: the time in each call, the waits, and the late ranks. */
#include "trace_files.h"

#include "base/random.h"
#include "trace/report/analysis.h"
#include "trace/report/shares.h"

static struct ordo_analysis analysis;

/* Analyses a trace without correcting its clocks. */
static int analyse(const char *text, struct ordo_error *error)
{
    struct file file = file_of(text);
    struct ordo_traces traces;
    const char *paths[] = {file.path};
    const struct ordo_traces_options options = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()};
    cr_assert_eq(ordo_traces_open(&traces, &options, error), ORDO_OK, "%s", error->text);
    cr_assert_eq(ordo_traces_start(&traces, NULL, error), ORDO_OK, "%s", error->text);
    int code = ordo_analysis_make(&analysis, &traces, error);
    ordo_traces_close(&traces);
    file_close(&file);
    return code;
}

static void make(const char *text)
{
    struct ordo_error error = {0};
    cr_assert_eq(analyse(text, &error), ORDO_OK, "%s", error.text);
}

static const struct ordo_call *call(const char *name)
{
    for (uint32_t i = 0; i < analysis.names.count; i++)
        if (strcmp(analysis.names.all[i].at, name) == 0 && i < analysis.call_room)
            return &analysis.calls[i];
    cr_assert_fail("no call %s", name);
    return NULL;
}

Test(trace_analysis, regions_of_each_thread_nest_separately)
{
    make("rank,time_ns,kind,name,thread\n"
         "4,100,begin,outer,0\n4,110,begin,inner,0\n4,115,begin,other,1\n4,120,end,inner,0\n"
         "4,160,begin,inner,0\n4,190,end,inner,0\n4,200,end,outer,0\n4,515,end,other,1\n"
         "2,100,begin,inner,0\n2,110,end,,0\n2,500,end,inner,0\n");
    cr_assert(call("outer")->count == 1 && call("outer")->total_ns == 100);
    cr_assert(call("inner")->count == 3 && call("inner")->total_ns == 50 && call("inner")->longest_ns == 30);
    cr_assert(call("inner")->busiest_ns == 40 && call("other")->total_ns == 400);
    cr_assert_eq(ordo_call_imbalance(call("inner"), 2), 40 * 2 / 50. - 1);
    cr_assert(analysis.first_ns == 100 && analysis.last_ns == 515 && analysis.events == 11);
    cr_assert(analysis.ranks.count == 2 && analysis.ranks.all[analysis.order[0]] == 2 &&
              analysis.rank_events[analysis.order[1]] == 8);
    ordo_analysis_free(&analysis);
}

/* Open regions inside the closed one are lost. */
Test(trace_analysis, an_end_closes_the_innermost_region_of_its_name)
{
    make("rank,time_ns,kind,name\n0,1,begin,a\n0,2,begin,b\n0,3,begin,a\n0,4,begin,c\n0,9,end,a\n0,20,end,c\n0,30,end,"
         "b\n"
         "0,40,end,a\n0,50,end,a\n");
    cr_assert(call("a")->count == 2 && call("a")->total_ns == 6 + 39 && call("b")->total_ns == 28);
    cr_assert_eq(call("c")->count, 0);
    ordo_analysis_free(&analysis);
}

Test(trace_analysis, a_receiver_waits_until_the_message_is_sent)
{
    make("rank,time_ns,kind,name,peer\n"
         "1,100,begin,MPI_Recv,\n0,600,send,,1\n1,700,recv,,0\n1,750,end,MPI_Recv,\n" /* the message is 500 ns late */
         "0,800,send,,1\n1,900,begin,MPI_Recv,\n1,950,recv,,0\n1,960,end,MPI_Recv,\n" /* the message is not late */
         "1,1000,begin,MPI_Recv,\n1,1100,recv,,0\n0,1300,send,,1\n1,1400,end,MPI_Recv,\n"); /* received before sent */
    cr_assert(call("MPI_Recv")->waits == 1 && call("MPI_Recv")->wait_ns == 500 &&
              call("MPI_Recv")->wait_longest_ns == 500);
    cr_assert(analysis.causality.messages == 3 && analysis.causality.after == 1);
    ordo_analysis_free(&analysis);
}

Test(trace_analysis, a_barrier_waits_for_the_last_rank)
{
    make("rank,time_ns,kind,name\n0,100,begin,MPI_Barrier\n3,130,begin,MPI_Barrier\n7,400,begin,MPI_Barrier\n"
         "7,410,end,MPI_Barrier\n0,430,end,MPI_Barrier\n3,500,end,MPI_Barrier\n"
         "0,600,begin,MPI_Barrier\n7,620,begin,MPI_Barrier\n3,610,begin,MPI_Barrier\n"
         "0,630,end,MPI_Barrier\n7,630,end,MPI_Barrier\n3,630,end,MPI_Barrier\n");
    cr_assert(call("MPI_Barrier")->waits == 4 && call("MPI_Barrier")->wait_ns == 300 + 270 + 20 + 10 &&
              call("MPI_Barrier")->wait_longest_ns == 300);
    cr_assert_eq(analysis.gathering_count, 2);
    const struct ordo_gathering *first = &analysis.gatherings[0];
    cr_assert(first->ranks == 3 && analysis.ranks.all[first->last] == 7 && first->first_begin_ns == 100 &&
              first->last_begin_ns == 400 && first->first_end_ns == 410 && first->last_end_ns == 500);
    cr_assert(first->begin_latest_ns == 100 && first->begin_earliest_ns == 400 && first->end_latest_ns == 410 &&
              first->end_earliest_ns == 500);
    ordo_analysis_free(&analysis);
}

/* In a corrected trace, only the part of a distance that exceeds the bounds is certain. */
Test(trace_analysis, only_the_distance_beyond_the_bounds_is_certain)
{
    make("rank,time_ns,kind,name,global_ns,earliest_ns,latest_ns\n"
         "0,1,begin,MPI_Barrier,100,50,150\n1,1,begin,MPI_Barrier,400,330,470\n0,2,end,MPI_Barrier,500,450,550\n"
         "1,2,end,MPI_Barrier,520,400,640\n");
    const struct ordo_gathering *of = &analysis.gatherings[0];
    cr_assert(of->begin_earliest_ns - of->begin_latest_ns == 180 && of->end_earliest_ns < of->end_latest_ns);
    cr_assert_eq(call("MPI_Barrier")->wait_ns, 300);
    ordo_analysis_free(&analysis);
}

/* In a rooted call the ranks do not wait for the last one. The times of the call are still recorded. */
Test(trace_analysis, no_rank_waits_for_the_last_in_a_rooted_call)
{
    make("rank,time_ns,kind,name,root\n0,100,begin,MPI_Reduce,0\n1,900,begin,MPI_Reduce,0\n1,950,end,MPI_Reduce,0\n"
         "0,990,end,MPI_Reduce,0\n");
    cr_assert(call("MPI_Reduce")->waits == 0 && analysis.gathering_count == 1 && analysis.gatherings[0].ranks == 2);
    ordo_analysis_free(&analysis);
}

/* Random regions of many ranks and threads, compared with a sum that the test computes itself. */
Test(trace_analysis, the_time_of_each_call_is_recovered)
{
    enum { CALLS = 40, RANKS = 30, REGIONS = 4000 };
    static double total[CALLS], of_rank[CALLS][RANKS];
    uint64_t random = 71;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    fputs("rank,time_ns,kind,name,thread\n", stream);
    for (int i = 0; i < REGIONS; i++) {
        int name = (int)(ordo_random_next(&random) % CALLS), rank = (int)(ordo_random_next(&random) % RANKS);
        int thread = (int)(ordo_random_next(&random) % 9);
        int64_t from_ns = (int64_t)(ordo_random_next(&random) % 1000000),
                ns = (int64_t)(ordo_random_next(&random) % 5000);
        fprintf(stream, "%d,%lld,begin,call%d,%d\n%d,%lld,end,call%d,%d\n", rank * 1000, (long long)from_ns, name,
                thread, rank * 1000, (long long)(from_ns + ns), name, thread);
        total[name] += (double)ns;
        of_rank[name][rank] += (double)ns;
    }
    cr_assert_eq(fclose(stream), 0);
    make(text);
    for (int name = 0; name < CALLS; name++) {
        char word[16];
        double busiest = 0;
        (void)snprintf(word, sizeof word, "call%d", name);
        for (int rank = 0; rank < RANKS; rank++)
            busiest = fmax(busiest, of_rank[name][rank]);
        cr_assert(call(word)->total_ns == total[name] && call(word)->busiest_ns == busiest, "%s", word);
    }
    for (int i = 0; i + 1 < analysis.ranks.count; i++)
        cr_assert_lt(analysis.ranks.all[analysis.order[i]], analysis.ranks.all[analysis.order[i + 1]]);
    cr_assert_eq(ordo_ranks_find(&analysis.ranks, 1), -1);
    cr_assert_geq(ordo_ranks_find(&analysis.ranks, 29000), 0);
    ordo_analysis_free(&analysis);
    free(text);
}

Test(trace_analysis, a_trace_without_events_is_refused)
{
    struct ordo_error error = {0};
    cr_assert_eq(analyse("rank,time_ns\n", &error), ORDO_E_MALFORMED);
    cr_assert(strstr(error.text, "the trace has no event"), "%s", error.text);
}

/* Begins without ends: at most 4096 regions are open; beyond that, the outermost ones are dropped. */
Test(trace_analysis, open_regions_occupy_bounded_memory)
{
    struct ordo_regions regions = {0};
    struct ordo_event event = {.rank = 3, .thread = 1};
    struct ordo_event_stamp stamp = {0};
    struct ordo_region region;
    cr_assert_null(ordo_regions_inner(&regions, &event));
    cr_assert_eq(ordo_regions_end(&regions, &event, 5, &stamp, &region), 0);
    for (int i = 0; i < 4097; i++)
        cr_assert_eq(ordo_regions_begin(&regions, &event, 5, &stamp), 0);
    cr_assert_eq(ordo_regions_inner(&regions, &event)->depth, 0);
    cr_assert_eq(ordo_regions_end(&regions, &event, 5, &stamp, &region), 1);
    cr_assert_eq(ordo_regions_end(&regions, &event, 5, &stamp, &region), 0);
    ordo_regions_free(&regions);
}

/* The regions that were taken, as "name:depth:begin-end ". */
static char taken[400];

static int note_region(void *context, const struct ordo_region *region)
{
    (void)context;
    size_t length = strlen(taken);
    (void)snprintf(taken + length, sizeof taken - length, "%c:%d:%d-%d ", (int)region->name, region->depth,
                   (int)region->begin.global_ns, (int)region->end.global_ns);
    return 0;
}

/* Takes events "<phase><name><begin>[-<end>]": B, E, X, and O for a span without an end. */
static const char *regions_of(const char *const *events, int count)
{
    struct ordo_regions regions = {0};
    taken[0] = '\0';
    for (int i = 0; i < count; i++) {
        int begin = 0, end = 0;
        char phase = events[i][0], name = events[i][1];
        (void)sscanf(events[i] + 2, "%d-%d", &begin, &end);
        struct ordo_event event = {.kind = phase == 'E'   ? ORDO_EVENT_END
                                           : phase == 'X' ? ORDO_EVENT_SPAN
                                                          : ORDO_EVENT_BEGIN,
                                   .is_open = phase == 'O',
                                   .name = {&name, name != '.'}};
        struct ordo_event_stamp from = {begin, begin, begin}, to = {end, end, end};
        cr_assert_eq(ordo_regions_take(&regions, &event, (uint32_t)name, &from, &to, note_region, NULL), 0);
    }
    struct ordo_event_stamp last = {99, 99, 99};
    cr_assert_eq(ordo_regions_finish(&regions, &last, note_region, NULL), 0);
    ordo_regions_free(&regions);
    return taken;
}

Test(trace_analysis, a_span_without_an_end_lasts_until_its_parent_ends_or_the_trace)
{
    const char *in_span[] = {"Xp10-40", "Oa20", "Xq50-60", "Ob70"};
    cr_assert_str_eq(regions_of(in_span, 4), "p:0:10-40 a:1:20-40 q:0:50-60 b:0:70-99 ");
    const char *in_begin[] = {"Bp10", "Oa20", "Ob25", "E.40", "Oc50", "Bq60", "Eq70"};
    cr_assert_str_eq(regions_of(in_begin, 7), "b:2:25-40 a:1:20-40 p:0:10-40 q:1:60-70 c:0:50-99 ");
}

Test(trace_analysis, an_end_finds_its_begin_later_in_the_file)
{
    const char *late[] = {"Ea20", "Ba10", "Bb30", "Eb40"};
    cr_assert_str_eq(regions_of(late, 4), "a:0:10-20 b:0:30-40 ");
    const char *none[] = {"Ea20", "Ba20", "Eb25", "Ba30", "Ea40"}; /* not at one time, and not before it */
    cr_assert_str_eq(regions_of(none, 5), "a:1:30-40 ");
    const char *first[] = {"Ea50", "Ea20", "Ba10", "Ba30"};
    cr_assert_str_eq(regions_of(first, 4), "a:0:10-20 a:0:30-50 ");
}

Test(trace_analysis, spans_within_spans_have_a_depth)
{
    const char *nested[] = {"Xa10-90", "Xb10-50", "Xc20-30", "Xd30-50", "Xe50-60", "Xf95-98"};
    cr_assert_str_eq(regions_of(nested, 6), "a:0:10-90 b:1:10-50 c:2:20-30 d:2:30-50 e:1:50-60 f:0:95-98 ");
}
