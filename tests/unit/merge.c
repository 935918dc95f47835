/* Merging ordered streams: the delivered events with their times and flags, and the refused inputs. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <unistd.h>

#include <ordo/merge/file.h>

enum { BOUNDARY = 100, ROOM = 64 };

static struct ordo_merge_event event(uint64_t ticks, uint64_t data)
{
    return (struct ordo_merge_event){{ticks}, data};
}

static char arena[1 << 20]; /* the memory of a test; each test is a process */
static size_t used;

static struct ordo_merge *make(const struct ordo_merge_options *options)
{
    struct ordo_merge *m;
    size_t bytes = ordo_merge_bytes(options);
    cr_assert(bytes > 0 && bytes <= sizeof arena - used);
    cr_assert_eq(ordo_merge_create(&m, arena + used, bytes, options), ORDO_OK);
    used += bytes;
    return m;
}

/* Opens a merger of `producers` rings of `ring` events, without a clock. */
static struct ordo_merge *make_plain(uint32_t producers, uint32_t ring)
{
    return make(&(struct ordo_merge_options){.boundary_ticks = BOUNDARY, .producers = producers, .ring_events = ring});
}

static struct ordo_merge_producer *producer(struct ordo_merge *m, uint32_t k)
{
    struct ordo_merge_producer *p = ordo_merge_producer_of(m, k);
    cr_assert_not_null(p);
    return p;
}

static struct ordo_merge_out out[ROOM];

static uint32_t pull(struct ordo_merge *m, int expected)
{
    uint32_t count;
    cr_assert_eq(ordo_merge_pull(m, out, ROOM, &count), expected);
    return count;
}

static void append(struct ordo_merge *m, uint32_t k, uint64_t ticks)
{
    cr_assert_eq(ordo_merge_append(producer(m, k), (ordo_time){ticks}, ticks), ORDO_OK);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

Test(merge, the_tree_sorts_any_number_of_keys)
{
    for (uint32_t count = 1; count <= 130; count++) {
        uint64_t keys[130], sorted[130], seed = count;
        uint32_t losers[130], last = 0;
        struct ordo_merge_tree tree = {keys, losers, count};
        for (uint32_t i = 0; i < count; i++)
            keys[i] = sorted[i] = 1 + ((seed = seed * 6364136223846793005 + 1442695040888963407) >> 59);
        qsort(sorted, count, sizeof *sorted, compare_keys);
        ordo_merge_tree_build(&tree);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t winner = ordo_merge_tree_winner(&tree);
            cr_assert_eq(keys[winner], sorted[i]);
            cr_assert(i == 0 || sorted[i] != sorted[i - 1] || winner > last,
                      "equal keys leave in the order of their leaves");
            last = winner;
            keys[winner] = UINT64_MAX;
            ordo_merge_tree_replay(&tree, winner);
        }
    }
    cr_expect_eq(ordo_merge_tree_winner(&(struct ordo_merge_tree){0}), ORDO_MERGE_TREE_NONE);
}

Test(merge, a_merger_without_producers_ends_at_once)
{
    struct ordo_merge *m = make_plain(0, 0);
    cr_expect_eq(pull(m, ORDO_OK), 0);
    cr_expect(ordo_merge_over(m));
}

Test(merge, the_order_of_one_producers_events_is_certain)
{
    struct ordo_merge *m = make_plain(1, 8);
    append(m, 0, 5);
    append(m, 0, 5);
    append(m, 0, 6);
    cr_expect_eq(pull(m, ORDO_OK), 3, "a producer's own events do not hold it back");
    for (int i = 0; i < 3; i++)
        cr_expect_eq(out[i].flags, ORDO_MERGE_CERTAIN);
    cr_expect_eq(pull(m, ORDO_LATER), 0);
    ordo_merge_close(producer(m, 0));
    cr_expect_eq(pull(m, ORDO_OK), 0);
    cr_expect(ordo_merge_over(m));
}

Test(merge, events_of_a_closed_producer_are_delivered)
{
    struct ordo_merge *m = make_plain(2, 8);
    append(m, 0, 5);
    ordo_merge_close(producer(m, 0));
    ordo_merge_close(producer(m, 1));
    cr_expect_eq(ordo_merge_append(producer(m, 0), (ordo_time){9}, 0), ORDO_E_INVALID);
    cr_expect_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(pull(m, ORDO_OK), 0);
}

Test(merge, equal_times_are_ordered_by_producer)
{
    struct ordo_merge *m = make_plain(3, 0);
    struct ordo_merge_event events[3] = {event(7, 2), event(7, 0), event(7, 1)};
    ordo_merge_attach_array(m, 2, &events[0], 1);
    ordo_merge_attach_array(m, 0, &events[1], 1);
    ordo_merge_attach_array(m, 1, &events[2], 1);
    cr_assert_eq(pull(m, ORDO_OK), 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_expect_eq(out[i].producer, i);
        cr_expect_eq(out[i].data, i);
        cr_expect_eq(out[i].flags, i == 0 ? ORDO_MERGE_CERTAIN : 0);
    }
    cr_expect_eq(ordo_merge_count(m).uncertain, 2);
}

Test(merge, order_is_certain_beyond_the_boundary_plus_twice_the_slack)
{
    for (uint64_t slack = 0; slack <= 10; slack += 10) {
        struct ordo_merge_event a[] = {event(1000, 0)}, b[] = {event(1100 + 2 * slack, 0), event(9000, 0)},
                                c[] = {event(1201 + 4 * slack, 0)};
        struct ordo_merge *m =
            make(&(struct ordo_merge_options){.boundary_ticks = BOUNDARY, .slack_ticks = slack, .producers = 3});
        ordo_merge_attach_array(m, 0, a, 1);
        ordo_merge_attach_array(m, 1, b, 2);
        ordo_merge_attach_array(m, 2, c, 1);
        cr_assert_eq(pull(m, ORDO_OK), 4);
        cr_expect_eq(out[1].flags, 0, "a difference of the boundary is uncertain");
        cr_expect_eq(out[2].flags, ORDO_MERGE_CERTAIN, "one tick more is certain");
        cr_expect_eq(out[3].flags, ORDO_MERGE_CERTAIN);
    }
}

Test(merge, an_event_waits_for_the_other_producers)
{
    struct ordo_merge *m = make_plain(2, 8);
    append(m, 0, 50);
    cr_expect_eq(pull(m, ORDO_LATER), 0);
    ordo_merge_progress(producer(m, 1), (ordo_time){49});
    cr_expect_eq(pull(m, ORDO_LATER), 0, "an event at 49 may still come");
    ordo_merge_progress(producer(m, 1), (ordo_time){50});
    cr_expect_eq(pull(m, ORDO_OK), 1, "no event below 50 can come");
    append(m, 1, 50);
    cr_expect_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(out[0].flags, 0);
}

Test(merge, a_decreasing_time_is_raised_to_the_previous_time)
{
    struct ordo_merge *m = make_plain(1, 8);
    append(m, 0, 50);
    append(m, 0, 40);
    cr_assert_eq(pull(m, ORDO_OK), 2);
    cr_expect_eq(out[1].time.ticks, 50);
}

Test(merge, a_full_ring_refuses_until_it_is_read)
{
    struct ordo_merge *m = make_plain(1, 4);
    struct ordo_merge_producer *p = producer(m, 0);
    for (uint64_t lap = 0; lap < 10; lap++) {
        for (uint64_t i = 0; i < 4; i++)
            append(m, 0, 10 * lap + i);
        cr_expect_eq(ordo_merge_append(p, (ordo_time){10 * lap + 9}, 0), ORDO_LATER);
        cr_assert_eq(pull(m, ORDO_OK), 4);
        cr_expect_eq(out[3].time.ticks, 10 * lap + 3);
    }
}

Test(merge, times_beyond_the_range_are_refused)
{
    struct ordo_merge *m = make_plain(1, 4);
    cr_expect_eq(ordo_merge_append(producer(m, 0), (ordo_time){ORDO_MERGE_TIMES}, 0), ORDO_E_INVALID);
    append(m, 0, ORDO_MERGE_TIMES - 1);
    cr_assert_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(out[0].time.ticks, ORDO_MERGE_TIMES - 1);
}

static const struct ordo clock_1000 = ORDO_INIT(1000, 0);

Test(merge, a_handle_with_corrected_times_is_refused)
{
    static const int64_t table[ORDO_CORRECTED_CPUS] = {0};
    static const struct ordo_corrected corrected = ORDO_CORRECTED_INIT(1000, 0, table);
    static char memory[4096];
    struct ordo_merge_options options = {.clock = &corrected.handle, .producers = 1, .ring_events = 4};
    struct ordo_merge *m;
    struct ordo_merge_file f;
    cr_expect_eq(ordo_merge_bytes(&options), 0);
    cr_expect_eq(ordo_merge_create(&m, memory, sizeof memory, &options), ORDO_E_INVALID);
    cr_expect_eq(ordo_merge_file_begin(&f, -1, "nowhere", &corrected.handle), ORDO_E_INVALID);
}

Test(merge, a_producer_that_has_declared_itself_idle_delays_no_other)
{
    struct ordo_merge *m = make(&(struct ordo_merge_options){.clock = &clock_1000, .producers = 2, .ring_events = 4});
    struct ordo_merge_producer *p = producer(m, 0);
    ordo_merge_idle(producer(m, 1));
    cr_assert_eq(ordo_merge_stamp(p, &clock_1000, 7), ORDO_OK);
    cr_expect_eq(ordo_merge_append(p, (ordo_time){1}, 0), ORDO_E_INVALID, "a producer that stamps may not append");
    uint32_t count;
    int code;
    while ((code = ordo_merge_pull(m, out, ROOM, &count)) == ORDO_LATER)
        ;
    cr_expect_eq(code, ORDO_OK);
    cr_expect_eq(count, 1);
    cr_expect_eq(out[0].data, 7);
    cr_expect_gt(ordo_get_time(&clock_1000).ticks, out[0].time.ticks + 1000);
}

Test(merge, an_announced_producer_holds_back_later_events)
{
    struct ordo_merge *m = make(&(struct ordo_merge_options){.clock = &clock_1000, .producers = 2, .ring_events = 4});
    ordo_merge_idle(producer(m, 0));
    producer(m, 1)->state = ORDO_MERGE_ANNOUNCED; /* the producer is stopped between its promise and its event */
    cr_assert_eq(ordo_merge_stamp(producer(m, 0), &clock_1000, 7), ORDO_OK);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(pull(m, ORDO_LATER), 0);
    ordo_merge_idle(producer(m, 1));
    cr_expect_eq(pull(m, ORDO_OK), 1);
}

/* Appends an old event of producer 0 and pulls. Producer 1 has no event, and promises the delay `flush`; 0: promises
 * nothing. Returns the number of delivered events. */
static uint32_t pull_past(int policy, uint64_t limit, uint64_t flush, int expected, struct ordo_merge **m)
{
    *m = make(&(struct ordo_merge_options){
        .clock = &clock_1000, .producers = 2, .ring_events = 4, .policy = policy, .limit_ticks = limit});
    if (flush)
        cr_assert_eq(ordo_merge_promise(*m, 1, flush), ORDO_OK);
    append(*m, 0, 50);
    return pull(*m, expected);
}

Test(merge, the_policy_decides_about_a_stalled_producer)
{
    struct ordo_merge *m;
    cr_expect_eq(pull_past(ORDO_MERGE_WAIT, 0, 0, ORDO_LATER, &m), 0);
    cr_expect_eq(pull_past(ORDO_MERGE_WAIT, 0, 1000, ORDO_OK, &m), 1);
    cr_expect_eq(pull_past(ORDO_MERGE_WAIT, 0, ORDO_MERGE_TIMES, ORDO_LATER, &m), 0,
                 "the wait is shorter than the delay");
    cr_expect_eq(pull_past(ORDO_MERGE_LIMIT, ORDO_MERGE_TIMES, 0, ORDO_LATER, &m), 0,
                 "the wait is shorter than the limit");
    cr_expect_eq(pull_past(ORDO_MERGE_LIMIT, 1000, 0, ORDO_OK, &m), 1);
    append(m, 1, 40);
    cr_assert_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(out[0].flags, ORDO_MERGE_LATE);
    cr_expect_eq(out[0].time.ticks, 40);
    cr_expect_eq(ordo_merge_count(m).late, 1);
    append(m, 1, 60);
    cr_assert_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(out[0].flags, ORDO_MERGE_CERTAIN, "an event after the producer's own late event is certain");
    cr_expect_eq(pull_past(ORDO_MERGE_DROP, 1000, 0, ORDO_OK, &m), 1);
    append(m, 1, 40);
    append(m, 1, 60);
    cr_assert_eq(pull(m, ORDO_OK), 1);
    cr_expect_eq(out[0].time.ticks, 60);
    cr_expect_eq(ordo_merge_count(m).dropped, 1);
    cr_expect_eq(ordo_merge_count(m).events, 2);
}

Test(merge, a_withdrawn_record_stops_the_merger)
{
    static struct ordo_record record = {.status = ORDO_RECORD_VALID};
    struct ordo o = ORDO_INIT(1000, 0);
    o.record = &record;
    struct ordo_merge *m = make(&(struct ordo_merge_options){.clock = &o, .producers = 1, .ring_events = 4});
    append(m, 0, 5);
    record.status = ORDO_RECORD_DISRUPTED;
    cr_expect_eq(pull(m, ORDO_E_DISRUPTED), 0);
}

Test(merge, wrong_options_are_refused)
{
    const struct ordo refused = {0};
    static char memory[100000];
    struct ordo_merge *m;
    struct ordo_merge_options good = {.boundary_ticks = 1, .producers = 2, .ring_events = 8}, bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].clock = &refused;
    bad[1].boundary_ticks = 0;
    bad[2].ring_events = 7;
    bad[3].producers = ORDO_MERGE_PRODUCERS + 1;
    bad[4].policy = 3;
    bad[5].slack_ticks = ORDO_MERGE_TIMES;
    bad[6].ring_events = 2 * ORDO_MERGE_RING;
    for (int i = 0; i < 7; i++) {
        cr_expect_eq(ordo_merge_bytes(&bad[i]), 0, "%d", i);
        cr_expect_eq(ordo_merge_create(&m, memory, sizeof memory, &bad[i]), ORDO_E_INVALID, "%d", i);
        cr_expect_null(m);
    }
    cr_expect_eq(ordo_merge_create(&m, memory, ordo_merge_bytes(&good) - 1, &good), ORDO_E_INVALID);
    cr_expect_eq(ordo_merge_create(&m, memory + 1, ordo_merge_bytes(&good), &good), ORDO_OK,
                 "events are read at any address");
    cr_expect_eq((uintptr_t)producer(m, 0) % ORDO_MERGE_ALIGN, 0);
    cr_expect_leq((char *)(m->tree.losers + 2), memory + 1 + ordo_merge_bytes(&good));
    cr_expect_null(ordo_merge_producer_of(m, 2));
    cr_expect_eq(ordo_merge_promise(m, 2, 1), ORDO_E_INVALID);
    cr_expect_eq(ordo_merge_attach_array(m, 2, NULL, 0), ORDO_E_INVALID);
}

Test(merge, an_unordered_array_stops_the_merger)
{
    struct ordo_merge *m = make_plain(1, 0);
    struct ordo_merge_event events[] = {event(5, 0), event(4, 0)};
    ordo_merge_attach_array(m, 0, events, 2);
    cr_expect_eq(pull(m, ORDO_E_MALFORMED), 0);
    cr_expect(strstr(ordo_strerror(ORDO_E_MALFORMED), "not in order"),
              "the message is also about files without records");
    cr_expect_eq(pull(m, ORDO_E_MALFORMED), 0);
    cr_expect_not(ordo_merge_over(m));
}

/* ---- files ---- */

static char path[] = "/tmp/ordo-unit-merge-XXXXXX";

/* Returns a file of `count` events, at first, first + step, ..., open at its beginning. */
static int make_file(uint64_t first, uint64_t step, uint64_t count)
{
    static const struct ordo o = ORDO_INIT(BOUNDARY, 1000000000);
    struct ordo_merge_file f;
    char name[] = "/tmp/ordo-unit-merge-XXXXXX";
    int fd = mkstemp(name);
    cr_assert_geq(fd, 0);
    cr_assert_eq(unlink(name), 0);
    cr_assert_eq(ordo_merge_file_begin(&f, fd, path, &o), ORDO_OK);
    for (uint64_t i = 0; i < count; i++) {
        struct ordo_merge_event e = event(first + i * step, i);
        cr_assert_eq(ordo_merge_file_write(&f, &e, 1), ORDO_OK);
    }
    cr_assert_eq(ordo_merge_file_end(&f), ORDO_OK);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

Test(merge, files_are_merged_into_one_stream)
{
    enum { EACH = 1000 };
    struct ordo_merge_file files[3];
    struct ordo_merge_options options = {.ring_events = 64};
    uint64_t last = 0, events = 0;
    uint32_t count;
    for (int k = 0; k < 3; k++)
        cr_assert_eq(ordo_merge_file_read(&files[k], make_file(10 + (uint64_t)k, 7 + (uint64_t)k, EACH), path),
                     ORDO_OK);
    cr_assert_eq(ordo_merge_file_join(files, 3, &options), ORDO_OK);
    cr_expect_eq(options.boundary_ticks, BOUNDARY);
    struct ordo_merge *m = make(&options);
    for (uint32_t k = 0; k < 3; k++)
        cr_assert_eq(ordo_merge_attach_source(m, k, ordo_merge_file_fill, &files[k]), ORDO_OK);
    while (ordo_merge_pull(m, out, ROOM, &count) == ORDO_OK && count > 0)
        for (uint32_t i = 0; i < count; i++, events++) {
            cr_assert_geq(out[i].time.ticks, last);
            last = out[i].time.ticks;
        }
    cr_expect_eq(events, 3 * EACH);
    cr_expect(ordo_merge_over(m));
}

/* Returns the code for a file whose byte at `offset` was changed or, with `cut`, that was cut at `offset`. */
static int damaged(off_t offset, int cut)
{
    struct ordo_merge_file f;
    struct ordo_merge_event events[512];
    uint64_t count = 1, progress = 0;
    unsigned char byte;
    int fd = make_file(10, 7, 300);
    if (cut)
        cr_assert_eq(ftruncate(fd, offset), 0);
    else {
        cr_assert_eq(pread(fd, &byte, 1, offset), 1);
        byte ^= 4;
        cr_assert_eq(pwrite(fd, &byte, 1, offset), 1);
    }
    int code = ordo_merge_file_read(&f, fd, "some file");
    while (code == ORDO_OK && count > 0)
        code = ordo_merge_file_fill(&f, events, 512, &count, &progress);
    cr_expect(code == ORDO_OK || strncmp(f.error.text, "some file: ", 11) == 0, "'%s'", f.error.text);
    cr_expect_eq(f.error.code, code);
    close(fd);
    return code;
}

Test(merge, damaged_files_are_refused)
{
    cr_expect_eq(damaged(0, 0), ORDO_E_MALFORMED);
    cr_expect_eq(damaged(20, 0), ORDO_E_CHECKSUM);
    cr_expect_eq(damaged(64, 0), ORDO_E_CHECKSUM);
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 8, 0), ORDO_E_CHECKSUM, "data of the first event");
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 7, 0), ORDO_E_MALFORMED, "time of the first event");
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 4792, 0), ORDO_E_CHECKSUM, "data of the last event");
    cr_expect_eq(damaged(0, 1), ORDO_E_TRUNCATED);
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD, 1), ORDO_E_TRUNCATED);
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 4799, 1), ORDO_E_TRUNCATED);
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 4800, 1), ORDO_OK);
    cr_expect_eq(damaged(ORDO_MERGE_FILE_HEAD + 4816, 1), ORDO_E_TRUNCATED, "longer");
}

Test(merge, an_unfinished_file_is_refused)
{
    static const struct ordo o = ORDO_INIT(BOUNDARY, 0);
    struct ordo_merge_file f;
    struct ordo_merge_event events[] = {event(5, 0), event(4, 0)};
    char name[] = "/tmp/ordo-unit-merge-XXXXXX";
    int fd = mkstemp(name);
    cr_assert_eq(unlink(name), 0);
    cr_assert_eq(ordo_merge_file_begin(&f, fd, path, &o), ORDO_OK);
    cr_expect_eq(ordo_merge_file_write(&f, events, 2), ORDO_E_INVALID, "the events are not in order");
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    cr_expect_eq(ordo_merge_file_read(&f, fd, path), ORDO_E_MALFORMED);
    cr_expect_eq(ordo_merge_file_begin(&f, fd, path, &(struct ordo){0}), ORDO_E_INVALID);
}

Test(merge, files_of_different_clocks_or_boots_are_not_merged)
{
    struct ordo_merge_file files[2];
    struct ordo_merge_options options = {.ring_events = 64};
    for (int k = 0; k < 2; k++)
        cr_assert_eq(ordo_merge_file_read(&files[k], make_file(1, 1, 1), path), ORDO_OK);
    files[1].head.boot_id[3] = 1;
    cr_expect_eq(ordo_merge_file_join(files, 2, &options), ORDO_E_BOOT);
    files[1].head.clock = ORDO_CLOCK_CNTVCT;
    cr_expect_eq(ordo_merge_file_join(files, 2, &options), ORDO_E_CLOCK);
    cr_expect_eq(ordo_merge_file_join(files, 0, &options), ORDO_E_INVALID);
}

static int failing(void *code, struct ordo_merge_event *events, uint64_t room, uint64_t *count, uint64_t *progress)
{
    (void)events, (void)progress;
    *count = room + 1; /* more than the capacity */
    return *(int *)code;
}

Test(merge, a_failing_source_stops_the_merger)
{
    int codes[] = {ORDO_E_SYSTEM, ORDO_OK}, expected[] = {ORDO_E_SYSTEM, ORDO_E_MALFORMED};
    for (int i = 0; i < 2; i++) {
        struct ordo_merge *m = make_plain(1, 8);
        cr_assert_eq(ordo_merge_attach_source(m, 0, failing, &codes[i]), ORDO_OK);
        cr_expect_null(ordo_merge_producer_of(m, 0));
        cr_expect_eq(pull(m, expected[i]), 0);
        cr_expect_eq(ordo_merge_attach_source(m, 0, failing, &codes[i]), ORDO_E_INVALID, "the merger runs already");
    }
}
