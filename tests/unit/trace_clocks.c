/* The clocks of a trace: files of sessions, granules, shared clocks, and the reported offsets. */
#include "trace_files.h"

#include "trace_truth.h"

static const char head[] = "session,rank,send_ns,master_ns,receive_ns\n";

static int read_text(const char *text, struct ordo_clocks *clocks, struct ordo_error *error)
{
    struct file file = file_of(text);
    *clocks = (struct ordo_clocks){.granule_ns = ORDO_GRANULE_OF_DIGITS};
    int code = ordo_clocks_read(clocks, file.path, error);
    file_close(&file);
    return code;
}

Test(trace_clocks, columns_of_sessions_may_have_any_order)
{
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    int code = read_text("master_ns,note,rank,receive_ns,session,send_ns\r\n"
                         "1000,x,2,5300,0,5100\r\n\r\n2e3,,2,6.3e3,0,6100\n",
                         &clocks, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    cr_assert(clocks.count == 3 && clocks.of[1].fixes.count == 0 && clocks.of[2].fixes.count == 2);
    const struct ordo_fix *fix = clocks.of[2].fixes.all;
    cr_assert(fix[0].sent_ns == 5100 && fix[0].received_ns == 5300 && fix[0].low_ns == 4100 && fix[0].high_ns == 4300);
    cr_assert(fix[1].sent_ns == 6100 && fix[1].received_ns == 6300 && fix[1].low_ns == 4100 && fix[1].high_ns == 4300);
    ordo_clocks_free(&clocks);
}

static void expect_refused(const char *rows, int code, const char *words)
{
    char text[400];
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    (void)snprintf(text, sizeof text, "%s%s", head, rows);
    cr_assert_eq(read_text(text, &clocks, &error), code, "%s", rows);
    cr_assert(strstr(error.text, words), "%s", error.text);
    ordo_clocks_free(&clocks);
}

Test(trace_clocks, a_refusal_names_the_malformed_row_of_sessions)
{
    expect_refused("0,1,5,6,7\n0,1,5,6\n", ORDO_E_MALFORMED, "row 3: is no exchange of five whole numbers");
    expect_refused("0,1,5,6.5,7\n", ORDO_E_MALFORMED, "row 2: is no exchange");
    expect_refused("0,1,5,6,9223372036854775807\n", ORDO_E_MALFORMED, "row 2: is no exchange");
    expect_refused("0,-1,5,6,7\n", ORDO_E_MALFORMED, "row 2: its rank is no rank");
    expect_refused("0,1048576,5,6,7\n", ORDO_E_MALFORMED, "row 2: its rank is no rank");
    expect_refused("0,0,5,6,7\n", ORDO_E_MALFORMED, "row 2: rank 0 is the master");
    expect_refused("0,1,8,6,7\n", ORDO_E_MALFORMED, "row 2: was received before it was sent");
    expect_refused("", ORDO_E_MISSING, "row 2: is missing: 0 sessions");
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    cr_assert_eq(read_text("session,rank,send_ns,receive_ns\n0,1,2,3\n", &clocks, &error), ORDO_E_MALFORMED);
    cr_assert(strstr(error.text, "the first row names the columns"), "%s", error.text);
    ordo_clocks_free(&clocks);
    cr_assert_eq(read_text("", &clocks, &error), ORDO_E_MISSING);
    cr_assert(strstr(error.text, "row 1: is empty"), "%s", error.text);
    ordo_clocks_free(&clocks);
    clocks = (struct ordo_clocks){0};
    cr_assert_eq(ordo_clocks_read(&clocks, "/nonexistent/sync.csv", &error), ORDO_E_SYSTEM);
    cr_assert(strstr(error.text, "/nonexistent/sync.csv"), "%s", error.text);
}

Test(trace_clocks, sessions_may_name_any_rank)
{
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_event_stamp stamp;
    char text[200];
    (void)snprintf(text, sizeof text, "%s0,1048575,1000,1000,1000\n0,40,1000,1000,1000\n", head);
    cr_assert_eq(read_text(text, &clocks, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_clocks_make(&clocks, ordo_method_find("linear"), &declared, &error), ORDO_OK, "%s", error.text);
    cr_assert(ordo_clocks_stamp(&clocks, 1048575, 1000, &stamp) && ordo_clocks_stamp(&clocks, 40, 1000, &stamp));
    cr_assert(!ordo_clocks_stamp(&clocks, 41, 1000, &stamp) && !ordo_clocks_stamp(&clocks, -1, 1000, &stamp) &&
              !ordo_clocks_stamp(&clocks, 1048576, 1000, &stamp));
    cr_assert(ordo_clocks_curve(&clocks, 40) && !ordo_clocks_curve(&clocks, 39));
    cr_assert(ordo_clocks_rate_range(&clocks, 40) > 1e-4 && ordo_clocks_rate_range(&clocks, 0) == 0 &&
              ordo_clocks_rate_range(&clocks, 39) == 0);
    ordo_clocks_free(&clocks);
}

/* [U1] to [U3] of clocks/unit.h: the granule of a rank is the declared one, or the step of the file, or the step of the
 * rank's own times. */
Test(trace_clocks, the_digits_of_times_determine_an_undeclared_granule)
{
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    char text[400];
    (void)snprintf(text, sizeof text, "%s0,1,1000,500,3000\n1,1,100001000,100000500,100002000\n0,2,1001,500,3007\n",
                   head);
    cr_assert_eq(read_text(text, &clocks, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_clocks_make(&clocks, ordo_method_find("interval"), &declared, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(clocks.of[1].correction.band.declared.granule_ns,
                 1000); /* the unit of the clock's times; the master's times are finer */
    cr_assert_eq(clocks.of[2].correction.band.declared.granule_ns, 100); /* the unit of the master's only time, 500 */
    ordo_clocks_free(&clocks);
}

static void note_granule(int64_t declared_ns, int64_t step_ns, const int64_t *times_ns, int count, int64_t expected_ns)
{
    struct ordo_clocks clocks = {.granule_ns = declared_ns};
    cr_assert_eq(ordo_clocks_grow(&clocks, 1, NULL), ORDO_OK);
    for (int i = 0; i < count; i++)
        ordo_clocks_note(&clocks, 1, times_ns[i], step_ns);
    ordo_clocks_note(&clocks, 2, 7, 0); /* there is no rank 2 */
    ordo_clocks_note(&clocks, -1, 7, 0);
    cr_assert_eq(ordo_clocks_granule(&clocks, 1), expected_ns, "%lld", (long long)ordo_clocks_granule(&clocks, 1));
    ordo_clocks_free(&clocks);
}

Test(trace_clocks, the_times_of_events_show_the_granule)
{
    const int64_t times_ns[] = {2000, 6000, 9000};
    note_granule(ORDO_GRANULE_OF_DIGITS, 0, times_ns, 2, 2000);
    note_granule(ORDO_GRANULE_OF_DIGITS, 0, times_ns, 3, 1000);
    note_granule(ORDO_GRANULE_OF_DIGITS, 0, times_ns, 1, 1000);
    note_granule(ORDO_GRANULE_OF_DIGITS, 42, times_ns, 3, 42);
    note_granule(7, 42, times_ns, 3, 7);
}

/* Rank 2 shares the clock of rank 1: a verification of 1 s proved that their readings differ by at most 300 ns. */
Test(trace_clocks, the_bounds_of_a_shared_clock_follow_from_its_proof)
{
    struct ordo_clocks clocks;
    struct ordo_error error = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    struct ordo_event_stamp own, shared;
    char text[400];
    (void)snprintf(text, sizeof text, "%s0,1,1000000000,1000,1000000010\n1,1,9000000000,8000001000,9000000010\n", head);
    cr_assert_eq(read_text(text, &clocks, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_clocks_grow(&clocks, 2, &error), ORDO_OK);
    clocks.of[2].has_shared = true;
    clocks.of[2].shared = 1;
    declared.granule_ns = 1;
    cr_assert_eq(ordo_clocks_make(&clocks, ordo_method_find("interval"), &declared, &error), ORDO_OK, "%s", error.text);
    cr_assert(ordo_clocks_stamp(&clocks, 1, 5000000000, &own) && ordo_clocks_stamp(&clocks, 2, 5000000000, &shared));
    cr_assert_eq(memcmp(&own, &shared, sizeof own), 0); /* the clock is declared to be the same one */
    clocks.of[2].apart =
        (struct ordo_apart){.at_ns = 3000000000, .for_ns = 1000000000, .residual_ns = 300, .drift = 1e-7};
    int64_t before_ns = 0;
    for (int64_t at_ns = 5000000000; at_ns < 9000000000; at_ns += 1000000000) {
        int64_t apart_ns = ordo_clocks_apart_ns(&clocks, 2, at_ns);
        double age_ns = (double)(at_ns - 3000000000);
        cr_assert(apart_ns > before_ns && (double)apart_ns >= 300 + 1e-7 * age_ns &&
                      (double)apart_ns <= 310 + 4e-7 * age_ns,
                  "%lld", (long long)apart_ns);
        cr_assert(ordo_clocks_stamp(&clocks, 1, at_ns, &own) && ordo_clocks_stamp(&clocks, 2, at_ns, &shared));
        cr_assert(shared.earliest_ns == own.earliest_ns - apart_ns && shared.latest_ns >= own.latest_ns + apart_ns);
        before_ns = apart_ns;
    }
    clocks.of[2].apart.residual_ns = INFINITY;
    cr_assert_geq(ordo_clocks_apart_ns(&clocks, 2, 1), ORDO_CLOCKS_APART);
    cr_assert_eq(ordo_clocks_apart_ns(&clocks, 1, 1), 0);
    ordo_clocks_free(&clocks);
}

/* Makes the clocks of two ranks on machines with these numbers. Rank 1 had two sessions of one exchange: its clock less
 * the master's was at least low_ns and at most high_ns. */
static void two_ranks(struct ordo_clocks *clocks, uint64_t of_master, uint64_t of_rank, int64_t low_ns, int64_t high_ns)
{
    struct ordo_error error = {0};
    struct ordo_declared declared = ordo_declared_defaults();
    *clocks = (struct ordo_clocks){0};
    declared.granule_ns = 1;
    cr_assert_eq(ordo_clocks_grow(clocks, 1, &error), ORDO_OK);
    for (int64_t session = 0; session < 2; session++) {
        int64_t sent_ns = 1000000000 * (1 + 10 * session);
        struct ordo_fix fix = {session, sent_ns, sent_ns + high_ns - low_ns, low_ns, high_ns};
        cr_assert_eq(ordo_fixes_add(&clocks->of[1].fixes, &fix, &error), ORDO_OK);
    }
    clocks->of[0].machine = of_master;
    clocks->of[1].machine = of_rank;
    if (clocks->of[1].machine == 3) { /* the recorder has verified that the two clocks differ by at most 300 ns */
        clocks->of[1].has_shared = true;
        clocks->of[1].apart = (struct ordo_apart){.at_ns = 1000000000, .for_ns = 1000000, .residual_ns = 300};
    }
    cr_assert_eq(ordo_clocks_make(clocks, ordo_method_find("interval"), &declared, &error), ORDO_OK, "%s", error.text);
}

/* Answers took 100 ns, and questions 8 us: the middle of the bounds is off by 4 us, more than a message of 1 us takes. */
Test(trace_clocks, times_of_one_machine_are_left_unless_a_session_contradicts)
{
    const int64_t at_ns = 6000000000;
    struct ordo_clocks clocks;
    struct ordo_event_stamp stamp;
    two_ranks(&clocks, 7, 7, -8000, 100);
    cr_assert(ordo_clocks_stamp(&clocks, 1, at_ns, &stamp) && clocks.of[1].is_same);
    cr_assert(stamp.global_ns == at_ns && stamp.earliest_ns <= at_ns - 100 && stamp.latest_ns >= at_ns + 8000);
    ordo_clocks_free(&clocks);
    const uint64_t others[][2] = {{7, 8}, {0, 7}, {7, 0}, {0, 0}}; /* another machine, or none that is stated */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        two_ranks(&clocks, others[i][0], others[i][1], -8000, 100);
        cr_assert(ordo_clocks_stamp(&clocks, 1, at_ns, &stamp) && !clocks.of[1].is_same);
        cr_assert(stamp.global_ns > at_ns + 3900 && stamp.global_ns < at_ns + 4000, "%lld", (long long)stamp.global_ns);
        ordo_clocks_free(&clocks);
    }
    for (int sign = -1; sign <= 1; sign += 2) { /* a shifted clock: each session contradicts one clock */
        int64_t shift_ns = sign * INT64_C(12345000000000);
        two_ranks(&clocks, 7, 7, shift_ns - 4000, shift_ns + 4000);
        cr_assert(ordo_clocks_stamp(&clocks, 1, at_ns, &stamp) && !clocks.of[1].is_same);
        cr_assert(llabs(stamp.global_ns - (at_ns - shift_ns)) < 100, "%lld", (long long)stamp.global_ns);
        ordo_clocks_free(&clocks);
    }
}

Test(trace_clocks, sessions_narrow_the_bounds_of_a_verified_clock)
{
    const int64_t begin_ns = 1000000000, late_ns = 11000000000;
    struct ordo_clocks clocks;
    struct ordo_event_stamp stamp;
    two_ranks(&clocks, 7, 3, -1000, 1000);
    cr_assert(ordo_clocks_stamp(&clocks, 1, begin_ns, &stamp) && clocks.of[1].has_shared);
    int64_t apart_ns = ordo_clocks_apart_ns(&clocks, 1, begin_ns);
    cr_assert(apart_ns < 1000 && stamp.global_ns == begin_ns && stamp.earliest_ns == begin_ns - apart_ns);
    /* If the proof is lost, the sessions still bound the clock. */
    clocks.of[1].apart.residual_ns = INFINITY;
    cr_assert(ordo_clocks_stamp(&clocks, 1, late_ns, &stamp) && stamp.global_ns == late_ns);
    cr_assert(stamp.earliest_ns > late_ns - 1100 && stamp.latest_ns < late_ns + 1100);
    ordo_clocks_free(&clocks);
    two_ranks(&clocks, 7, 3, 200, 1000); /* both agree on 200 to 300 ns only: the estimate moves to the nearest point */
    cr_assert(ordo_clocks_stamp(&clocks, 1, begin_ns, &stamp) && clocks.of[1].has_shared);
    cr_assert(stamp.global_ns < begin_ns - 195 && stamp.global_ns >= begin_ns - 202, "%lld",
              (long long)stamp.global_ns);
    cr_assert(stamp.latest_ns - stamp.earliest_ns < 200 && stamp.latest_ns >= stamp.global_ns);
    ordo_clocks_free(&clocks);
    two_ranks(&clocks, 7, 3, 50000, 52000); /* the verification is refuted, and the sessions hold */
    cr_assert(ordo_clocks_stamp(&clocks, 1, begin_ns, &stamp) && !clocks.of[1].has_shared);
    cr_assert(llabs(stamp.global_ns - (begin_ns - 51000)) < 100, "%lld", (long long)stamp.global_ns);
    ordo_clocks_free(&clocks);
}

/* A verification measures two known clocks for some time. Its proof bounds their distance before and after. */
Test(trace_clocks, the_proof_bounds_the_distance_of_shared_clocks)
{
    static struct truth truth;
    uint64_t random = 51;
    for (int trial = 0; trial < 300; trial++) {
        struct ordo_declared declared = ordo_declared_defaults();
        struct ordo_clocks clocks = {0};
        declared.max_wander_ppb = pow(10, truth_between(&random, 0, 3.5));
        truth_draw(&truth, &random, &declared, 500, 1);
        clocks.declared = declared;
        cr_assert_eq(ordo_clocks_grow(&clocks, 1, NULL), ORDO_OK);
        long double begin = (long double)truth_between(&random, 150e9, 200e9);
        long double end = begin + (long double)truth_between(&random, 1e6, 100e9);
        long double from = truth_clock(&truth, begin), to = truth_clock(&truth, end);
        long double held = from + (to - from) * (long double)ordo_random_unit(&random);
        double drift = (double)fabsl((truth_offset(&truth, to) - truth_offset(&truth, from)) / (to - from));
        clocks.of[1].has_shared = true;
        clocks.of[1].apart = (struct ordo_apart){.at_ns = (int64_t)floorl(from),
                                                 .for_ns = (int64_t)ceill(to - from) + 1,
                                                 .residual_ns = 100,
                                                 .drift = drift};
        for (int k = 0; k < 50; k++) {
            int64_t at_ns = (int64_t)truth_between(&random, 1e9, 480e9);
            double moved = (double)fabsl(truth_offset(&truth, (long double)at_ns) - truth_offset(&truth, held));
            cr_assert_geq((double)ordo_clocks_apart_ns(&clocks, 1, at_ns), moved + 100 - 0.01, "trial %d", trial);
        }
        ordo_clocks_free(&clocks);
    }
}

/* Corrects a trace of two ranks. The sessions of one rank are in a separate file. */
static int correct(const char *trace, const char *sync, bool causal, struct ordo_correct_report *report, char **text,
                   struct ordo_error *error)
{
    int code;
    struct file file = file_of(trace), sessions = file_of(sync);
    const char *paths[] = {file.path};
    struct ordo_correct_options options = file_options(paths, 1);
    options.sync = sessions.path;
    options.causal = causal;
    *text = file_correct(&options, report, &code, error);
    file_close(&file);
    file_close(&sessions);
    return code;
}

Test(trace_clocks, the_report_has_offsets_of_every_session)
{
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    char *text, *offsets = NULL;
    size_t size;
    int code = correct("rank,time_ns,kind\n0,3,event\n0,1000,event\n1,501,event\n1,9001,event\n1,2003,event\n",
                       "session,rank,send_ns,master_ns,receive_ns\n0,1,2001,1001,2001\n1,1,8003,7003,8003\n", false,
                       &report, &text, &error);
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    cr_assert(report.source == ORDO_SOURCE_FILE && report.events == 5 && report.rank_count == 2);
    cr_assert(report.ranks[1].rank == 1 && report.ranks[1].events == 3 && report.ranks[1].first_ns == 501 &&
              report.ranks[1].last_ns == 9001);
    FILE *stream = open_memstream(&offsets, &size);
    ordo_correct_write_offsets(&report, stream);
    cr_assert_eq(fclose(stream), 0);
    const int64_t local_ns[] = {3, 1000, 501, 2001, 8003, 9001};
    char *row = strchr(offsets, '\n');
    for (int i = 0; i < 6; i++, row = strchr(row + 1, '\n')) {
        long long local, offset;
        int rank;
        double deviation;
        cr_assert_eq(sscanf(row + 1, "%d,%lld,%lld,%lf", &rank, &local, &offset, &deviation), 4, "%s", offsets);
        cr_assert(rank == i / 2 - (i > 3) + (i > 5) || rank == (i >= 2), "%s", offsets);
        cr_assert(local == local_ns[i] && llabs(offset - (rank ? -1000 : 0)) <= 1 && deviation < 100, "%s", row + 1);
    }
    cr_assert_eq(row[1], '\0', "%s", offsets);
    free(offsets);
    free(text);
    ordo_correct_report_free(&report);
}

Test(trace_clocks, a_trace_without_clocks_or_events_is_refused)
{
    struct ordo_correct_report report;
    struct ordo_error error = {0};
    char *text;
    const char *sync = "session,rank,send_ns,master_ns,receive_ns\n0,1,2001,1001,2001\n";
    cr_assert_eq(correct("rank,time_ns\n2,3\n", sync, false, &report, &text, &error), ORDO_E_MEASURE);
    cr_assert(strstr(error.text, "row 2: nothing is known of the clock of rank 2"), "%s", error.text);
    free(text);
    cr_assert_eq(correct("rank,time_ns\n", sync, true, &report, &text, &error), ORDO_E_MALFORMED);
    cr_assert(strstr(error.text, "row 2: is missing: the trace has no event"), "%s", error.text);
    free(text);
    cr_assert_eq(
        correct("rank,time_ns,global_ns,earliest_ns,latest_ns\n1,3,4,5,6\n", sync, false, &report, &text, &error),
        ORDO_E_MALFORMED);
    cr_assert(strstr(error.text, "is in global time already"), "%s", error.text);
    free(text);
}
