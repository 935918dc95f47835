/* Files in the recorder's format, written by the test: communicators, and the bounds of a shared clock. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/correct/correct.h"
#include "trace/file/layout.h"
#include "trace/report/analysis.h"

enum { RANKS_MOST = 4, ROOM = 1 << 14, BARRIER = 1, SCAN, ALLTOALLV };

static const int64_t second_ns = 1000000000;

/** A file under construction. One tick of its clock is 1 ns. */
struct made {
    struct ordo_trace_head head;
    unsigned char bytes[ROOM];
    size_t size;
    uint64_t chunks;
    char path[32];
    int fd;
};

static void add_chunk(struct made *made, uint32_t kind, uint32_t count, const void *payload, size_t bytes)
{
    struct ordo_trace_chunk chunk = {
        .kind = kind, .bytes = (uint32_t)((bytes + 7) & ~(size_t)7), .count = count, .number = made->chunks++};
    unsigned char *to = made->bytes + made->size + sizeof chunk;
    cr_assert_leq(made->size + sizeof chunk + chunk.bytes, ROOM);
    if (bytes > 0)
        memcpy(to, payload, bytes);
    ordo_trace_chunk_seal(&chunk, to);
    memcpy(made->bytes + made->size, &chunk, sizeof chunk);
    made->size += sizeof chunk + chunk.bytes;
}

static void add_name(struct made *made, uint32_t id, const char *letters)
{
    unsigned char record[64] = {0};
    struct ordo_trace_string string = {id, (uint32_t)strlen(letters)};
    memcpy(record, &string, sizeof string);
    memcpy(record + sizeof string, letters, string.length);
    add_chunk(made, ORDO_TRACE_STRINGS, 1, record, ordo_trace_padded(string.length));
}

/** Begins the file of a rank that is declared to share the clock of rank 0. */
static void begin(struct made *made, uint32_t layout, int rank)
{
    *made = (struct made){.head = {.rank = rank, .size = RANKS_MOST, .node = (uint32_t)rank, .run = 5}, .fd = -1};
    made->size = sizeof made->head;
    ordo_trace_rate(&made->head, 1000000000);
    ordo_trace_head_seal(&made->head);
    made->head.layout = layout;
    add_name(made, BARRIER, "MPI_Barrier");
    add_name(made, SCAN, "MPI_Scan");
    add_name(made, ALLTOALLV, "MPI_Alltoallv");
}

/** Adds a communicator of two ranks, in the layout of the file. */
static void add_group(struct made *made, uint32_t communicator, uint32_t number, int32_t first, int32_t second)
{
    unsigned char record[64] = {0};
    int32_t ranks[2] = {first, second};
    struct ordo_trace_group group = {.communicator = communicator,
                                     .size = 2,
                                     .number = number,
                                     .lowest = first < second ? first : second,
                                     .place = made->head.rank == second};
    struct ordo_trace_group_1 old = {number, 2};
    bool one = made->head.layout == 1;
    size_t head = one ? sizeof old : sizeof group;
    memcpy(record, one ? (const void *)&old : &group, head);
    memcpy(record + head, ranks, sizeof ranks);
    add_chunk(made, ORDO_TRACE_GROUP, 1, record, head + sizeof ranks);
}

static void add_call(struct made *made, uint32_t name, uint32_t communicator, uint16_t collective, int64_t begin_ns,
                     int64_t end_ns)
{
    struct ordo_trace_event event = {.ticks = (uint64_t)begin_ns,
                                     .bytes = 8,
                                     .name = name,
                                     .peer = -1,
                                     .tag = -1,
                                     .communicator = communicator,
                                     .root = -1,
                                     .kind = ORDO_TRACE_BEGIN,
                                     .collective = collective,
                                     .number = ORDO_TRACE_UNCOUNTED};
    add_chunk(made, ORDO_TRACE_EVENTS, 1, &event, sizeof event);
    event.kind = ORDO_TRACE_END;
    event.ticks = (uint64_t)end_ns;
    add_chunk(made, ORDO_TRACE_EVENTS, 1, &event, sizeof event);
}

static void write_bytes(struct made *made, const void *bytes, size_t size)
{
    made->fd = memfd_create("trace", MFD_CLOEXEC);
    cr_assert(made->fd >= 0 && write(made->fd, bytes, size) == (ssize_t)size);
    (void)snprintf(made->path, sizeof made->path, "/proc/self/fd/%d", made->fd);
}

static void end(struct made *made)
{
    uint32_t layout = made->head.layout;
    add_chunk(made, ORDO_TRACE_CLOSED, 0, NULL, 0);
    ordo_trace_head_seal(&made->head);
    made->head.layout = layout;
    made->head.checksum = ordo_record_fold(&made->head, offsetof(struct ordo_trace_head, checksum));
    memcpy(made->bytes, &made->head, sizeof made->head);
    write_bytes(made, made->bytes, made->size);
}

static struct ordo_correct_options options_of(const char *const *paths, int count)
{
    return (struct ordo_correct_options){.traces = {.paths = paths, .count = count, .columns = ordo_columns_defaults()},
                                         .method = ordo_method_find("interval"),
                                         .declared = ordo_declared_defaults(),
                                         .to = ordo_form_find("csv"),
                                         .stretch = 1e-4};
}

/** Corrects files, and returns the output, which the caller frees. */
static char *correct(const struct made *made, int count, const char *form, struct ordo_correct_report *report)
{
    const char *paths[RANKS_MOST];
    struct ordo_error error = {0};
    char *text = NULL;
    size_t size = 0;
    for (int i = 0; i < count; i++)
        paths[i] = made[i].path;
    struct ordo_correct_options options = options_of(paths, count);
    options.to = ordo_form_find(form);
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    cr_assert_eq(ordo_correct(&options, stream, report, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(fclose(stream), 0);
    return text;
}

/** Corrects a file into nothing; returns the code. */
static int refusal(const struct made *made, struct ordo_error *error)
{
    const char *paths[] = {made->path};
    struct ordo_correct_options options = options_of(paths, 1);
    struct ordo_correct_report report;
    FILE *stream = fopen("/dev/null", "w");
    cr_assert(stream);
    int code = ordo_correct(&options, stream, &report, error);
    if (code == ORDO_OK)
        ordo_correct_report_free(&report);
    cr_assert_eq(fclose(stream), 0);
    return code;
}

/** Reads a text as `ordo-trace stats` does. */
static struct ordo_causality analyse(const char *text)
{
    struct made made;
    struct ordo_traces traces;
    struct ordo_analysis analysis;
    struct ordo_error error = {0};
    write_bytes(&made, text, strlen(text));
    const char *paths[] = {made.path};
    const struct ordo_traces_options options = {.paths = paths, .count = 1, .columns = ordo_columns_defaults()};
    cr_assert_eq(ordo_traces_open(&traces, &options, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_traces_start(&traces, NULL, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_analysis_make(&analysis, &traces, &error), ORDO_OK, "%s", error.text);
    struct ordo_causality causality = analysis.causality;
    ordo_analysis_free(&analysis);
    ordo_traces_close(&traces);
    (void)close(made.fd);
    return causality;
}

static void close_all(struct made *made, int count)
{
    for (int i = 0; i < count; i++)
        (void)close(made[i].fd);
}

/* Makes the files of four ranks. One split gives the halves {0, 2} and {1, 3}; the second half makes its calls a second
 * later. Then all ranks make one call. Rank 0 leaves the alltoallv before another rank enters it, because no rank has
 * to wait in an alltoallv. */
static void make_halves(struct made *made, uint32_t layout)
{
    for (int rank = 0; rank < RANKS_MOST; rank++) {
        int64_t from_ns = second_ns + rank % 2 * second_ns;
        begin(&made[rank], layout, rank);
        add_group(&made[rank], layout == 1 ? 2 : 1, 2, rank % 2, rank % 2 + 2);
        for (int i = 0; i < 3; i++)
            add_call(&made[rank], BARRIER, layout == 1 ? 2 : 1, ORDO_TRACE_ALL_TO_ALL, from_ns + 1000 * i + rank,
                     from_ns + 1000 * i + 500);
        add_call(&made[rank], SCAN, layout == 1 ? 2 : 1, ORDO_TRACE_PREFIX, from_ns + 5000, from_ns + 5500);
        add_call(&made[rank], BARRIER, 0, ORDO_TRACE_ALL_TO_ALL, 4 * second_ns + rank, 4 * second_ns + 500);
        add_call(&made[rank], ALLTOALLV, 0, ORDO_TRACE_NO_COLLECTIVE, 5 * second_ns + 1000 * rank,
                 5 * second_ns + 1000 * rank + 500);
        end(&made[rank]);
    }
}

static void expect_halves(const struct ordo_causality *found, uint64_t collectives)
{
    cr_assert_eq(found->collectives, collectives, "%llu", (unsigned long long)found->collectives);
    cr_assert_eq(found->collectives_before, 0);
    cr_assert_eq(found->collectives_after, 0);
}

Test(recorded, halves_of_a_split_are_two_communicators)
{
    static struct made made[RANKS_MOST];
    for (uint32_t layout = 1; layout <= ORDO_TRACE_LAYOUT; layout++) {
        struct ordo_correct_report report;
        make_halves(made, layout);
        free(correct(made, RANKS_MOST, "csv", &report));
        expect_halves(&report.causality, 2 * 4 + 1);
        ordo_correct_report_free(&report);
        close_all(made, RANKS_MOST);
    }
}

/* These forms do not contain the position of a rank in its half, so scans do not count as collectives. */
Test(recorded, every_form_keeps_communicators_apart)
{
    static struct made made[RANKS_MOST];
    make_halves(made, ORDO_TRACE_LAYOUT);
    const char *forms[] = {"csv", "jsonl", "chrome"};
    for (int i = 0; i < 3; i++) {
        struct ordo_correct_report report;
        char *text = correct(made, RANKS_MOST, forms[i], &report);
        struct ordo_causality causality = analyse(text);
        expect_halves(&causality, 2 * 3 + 1);
        ordo_correct_report_free(&report);
        free(text);
    }
    close_all(made, RANKS_MOST);
}

/* The communicators {0, 1} and {1, 2} may get the same number, because rank 0 numbers the first one, and rank 1 the
 * second one. */
Test(recorded, two_communicators_may_have_the_same_number)
{
    static struct made made[3];
    struct ordo_correct_report report;
    for (int rank = 0; rank < 3; rank++) {
        begin(&made[rank], ORDO_TRACE_LAYOUT, rank);
        if (rank < 2) {
            add_group(&made[rank], 1, 2, 0, 1);
            add_call(&made[rank], BARRIER, 1, ORDO_TRACE_ALL_TO_ALL, second_ns, second_ns + 10);
        }
        if (rank > 0) {
            add_group(&made[rank], 1 + (rank == 1), 2, 1, 2);
            add_call(&made[rank], BARRIER, 1 + (rank == 1), ORDO_TRACE_ALL_TO_ALL, 2 * second_ns, 2 * second_ns + 10);
        }
        end(&made[rank]);
    }
    free(correct(made, 3, "csv", &report));
    expect_halves(&report.causality, 2);
    ordo_correct_report_free(&report);
    close_all(made, 3);
}

static void expect_refused(struct made *made, int code, const char *words)
{
    struct ordo_error error = {0};
    end(made);
    cr_assert_eq(refusal(made, &error), code, "%s", error.text);
    cr_assert(strstr(error.text, made->path) && strstr(error.text, words), "%s", error.text);
    (void)close(made->fd);
}

Test(recorded, an_impossible_communicator_is_refused)
{
    static struct made made;
    begin(&made, ORDO_TRACE_LAYOUT, 0);
    add_call(&made, BARRIER, 1, ORDO_TRACE_ALL_TO_ALL, 1, 2);
    expect_refused(&made, ORDO_E_MALFORMED, "an event before it makes no sense");
    begin(&made, ORDO_TRACE_LAYOUT, 0);
    add_group(&made, 1, 0, 0, 1);
    expect_refused(&made, ORDO_E_MALFORMED, "the communicator before it makes no sense");
    begin(&made, ORDO_TRACE_LAYOUT, 0);
    add_group(&made, 1, 2, RANKS_MOST, RANKS_MOST + 1);
    expect_refused(&made, ORDO_E_MALFORMED, "the communicator before it makes no sense");
    begin(&made, ORDO_TRACE_LAYOUT + 1, 0);
    expect_refused(&made, ORDO_E_LAYOUT, "its layout is of another version");
}

Test(recorded, an_impossible_proof_is_refused)
{
    static struct made made;
    begin(&made, ORDO_TRACE_LAYOUT, 1);
    made.head.node = 0;
    made.head.shared_residual_ns = -1;
    expect_refused(&made, ORDO_E_MALFORMED, "its head makes no sense");
}

/* A verification proves that rank 1 shares the clock of rank 0. The file has a call every 20 s, and one before the
 * verification. */
enum { CALLS = 31 };

static const int64_t at_ns = 1000000000000, residual_ns = 300, drift_ppb = 250, lasted_ns = 500000000;

static int64_t call_ns(int i)
{
    return at_ns + (int64_t)(i - 1) * 20 * second_ns;
}

static void make_shared(struct made *made, uint32_t layout, bool proved)
{
    begin(made, layout, 1);
    if (proved) {
        made->head.node = 0;
        if (layout > 1) {
            made->head.shared_at_ns = at_ns;
            made->head.shared_for_ns = lasted_ns;
            made->head.shared_residual_ns = residual_ns;
            made->head.shared_drift_ppb = drift_ppb;
        }
    }
    for (int i = 0; i < CALLS; i++)
        add_call(made, BARRIER, 0, ORDO_TRACE_ALL_TO_ALL, call_ns(i), call_ns(i) + 1);
    end(made);
}

/** For the begin of each call, the distances of the two bounds from the reading of the clock. */
struct reach {
    int64_t down_ns[CALLS], up_ns[CALLS];
};

static struct reach reach_of(const struct made *made, struct ordo_correct_report *report)
{
    struct reach reach = {0};
    char *text = correct(made, 1, "csv", report), *save, *line = strtok_r(text, "\n", &save);
    for (int row = 0; (line = strtok_r(NULL, "\n", &save)) != NULL; row++) {
        long long time, earliest, latest;
        cr_assert_eq(sscanf(line, "1,%lld,", &time), 1, "%s", line);
        cr_assert_eq(sscanf(strrchr(line, ',') + 1, "%lld", &latest), 1, "%s", line);
        *strrchr(line, ',') = '\0';
        cr_assert_eq(sscanf(strrchr(line, ',') + 1, "%lld", &earliest), 1, "%s", line);
        cr_assert_lt(row, 2 * CALLS);
        if (row % 2 == 0) {
            reach.down_ns[row / 2] = time - earliest;
            reach.up_ns[row / 2] = latest - time;
        }
    }
    free(text);
    return reach;
}

/* The worst case: the clocks differ by the residual at the begin or the end of the verification, whichever is farther
 * away, and both clocks wander from then on. */
Test(recorded, the_bounds_of_a_shared_clock_grow_with_age)
{
    static struct made made;
    struct ordo_correct_report report;
    make_shared(&made, ORDO_TRACE_LAYOUT, true);
    struct reach reach = reach_of(&made, &report);
    double wander = 2 * ordo_declared_defaults().max_wander_ppb * 1e-9;
    for (int i = 0; i < CALLS; i++) {
        double age_ns = fmax((double)(call_ns(i) - at_ns), (double)(at_ns + lasted_ns - call_ns(i)));
        double least = (double)residual_ns + age_ns * ((double)drift_ppb * 1e-9 + wander);
        double most = 1.003 * (least + wander / 60e9 / 2 * age_ns * age_ns) + 2;
        cr_assert((double)reach.down_ns[i] >= least && (double)reach.down_ns[i] <= most, "call %d: %lld", i,
                  (long long)reach.down_ns[i]);
        cr_assert((double)reach.up_ns[i] >= least && (double)reach.up_ns[i] <= most, "call %d: %lld", i,
                  (long long)reach.up_ns[i]);
    }
    ordo_correct_report_free(&report);
    close_all(&made, 1);
}

/* The reported standard deviation is that of a uniform distribution between the bounds. */
Test(recorded, the_deviation_of_a_shared_clock_follows_from_its_proof)
{
    static struct made made;
    struct ordo_correct_report report;
    char *text = NULL;
    size_t size;
    make_shared(&made, ORDO_TRACE_LAYOUT, true);
    (void)reach_of(&made, &report);
    FILE *stream = open_memstream(&text, &size);
    cr_assert(stream);
    ordo_correct_write_offsets(&report, stream);
    cr_assert_eq(fclose(stream), 0);
    const char *row = strstr(text, "\n1,");
    double deviation = 0;
    cr_assert(row && sscanf(strrchr(row, ',') + 1, "%lf", &deviation) == 1, "%s", text);
    cr_assert_geq(deviation, 2 * (double)residual_ns / sqrt(12), "%s", text);
    free(text);
    ordo_correct_report_free(&report);
    close_all(&made, 1);
}

Test(recorded, a_clock_that_is_declared_shared_is_exact)
{
    static struct made made;
    struct ordo_correct_report report;
    make_shared(&made, ORDO_TRACE_LAYOUT, false);
    struct reach reach = reach_of(&made, &report);
    for (int i = 0; i < CALLS; i++)
        cr_assert(reach.down_ns[i] == 0 && reach.up_ns[i] <= 1); /* the granule */
    ordo_correct_report_free(&report);
    close_all(&made, 1);
}

Test(recorded, a_shared_clock_without_its_proof_is_unbounded)
{
    static struct made made;
    struct ordo_correct_report report;
    make_shared(&made, 1, true);
    struct reach reach = reach_of(&made, &report);
    for (int i = 0; i < CALLS; i++)
        cr_assert(reach.down_ns[i] >= 1000000 * second_ns && reach.up_ns[i] >= 1000000 * second_ns);
    ordo_correct_report_free(&report);
    close_all(&made, 1);
}
