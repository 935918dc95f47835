/* Traces of Perfetto: the wire format, clocks between snapshots, and damaged packets. */
#include "trace_files.h"

#include "trace/perfetto/timelines.h"

/* Adds a snapshot of the clock 3 and the trace's clock. */
static void add_snapshot(struct ordo_timelines *timelines, unsigned char own, unsigned char main)
{
    const char bytes[] = {0x0a, 4, 8, 3, 0x10, (char)own, 0x0a, 4, 8, 6, 0x10, (char)main};
    cr_assert_eq(ordo_timelines_learn(timelines, (struct ordo_text){bytes, sizeof bytes}), 0);
}

static int64_t time_of(struct ordo_timelines *timelines, uint32_t clock, uint64_t time, enum ordo_time_known wanted)
{
    struct ordo_packet packet = {.timestamp = time, .has_timestamp = true, .sequence = 1};
    int64_t time_ns = -1;
    enum ordo_time_known known = ordo_timelines_time(timelines, &packet, clock, &time_ns);
    cr_expect_eq(known, wanted, "clock %u at %lu: %d", clock, (unsigned long)time, (int)known);
    return time_ns;
}

Test(trace_perfetto, a_time_is_between_those_that_the_snapshots_around_it_give)
{
    struct ordo_timelines timelines = {0};
    add_snapshot(&timelines, 60, 100);
    add_snapshot(&timelines, 10, 20); /* in any order */
    ordo_timelines_settle(&timelines);
    for (uint64_t time = 10; time <= 60; time++) {
        int64_t from_first = 20 + (int64_t)time - 10, from_second = 100 - (60 - (int64_t)time);
        int64_t found = time_of(&timelines, 3, time, ORDO_TIME_KNOWN);
        cr_expect(found >= from_first && found <= from_second, "%ld", (long)found);
        cr_expect(time == 10 || found >= time_of(&timelines, 3, time - 1, ORDO_TIME_KNOWN));
    }
    cr_expect_eq(time_of(&timelines, 3, 10, ORDO_TIME_KNOWN), 20);
    cr_expect_eq(time_of(&timelines, 3, 35, ORDO_TIME_KNOWN), 60);
    cr_expect_eq(time_of(&timelines, 3, 5, ORDO_TIME_KNOWN), 15, "before the first it counts from the first");
    cr_expect_eq(time_of(&timelines, 3, 70, ORDO_TIME_KNOWN), 110, "behind the last it counts from the last");
    cr_expect_eq(time_of(&timelines, 6, 70, ORDO_TIME_KNOWN), 70, "the trace's clock stays");
    cr_expect_eq(time_of(&timelines, 0, 70, ORDO_TIME_KNOWN), 70);
    (void)time_of(&timelines, 1, 70, ORDO_TIME_UNKNOWN);
    (void)time_of(&timelines, 64, 70, ORDO_TIME_UNKNOWN);
    (void)time_of(&timelines, 6, UINT64_MAX, ORDO_TIME_FAR);
    ordo_timelines_free(&timelines);
}

Test(trace_perfetto, a_clock_that_is_set_between_two_snapshots_makes_its_events_odd)
{
    struct ordo_timelines timelines = {0};
    const char late[] = {0x0a, 4, 8, 3, 0x10, 60, 0x0a, 7, 8, 6, 0x10, (char)0x80, (char)0x89, (char)0x7a, 0};
    add_snapshot(&timelines, 10, 20);
    cr_assert_eq(ordo_timelines_learn(&timelines, (struct ordo_text){late, sizeof late}), 0);
    ordo_timelines_settle(&timelines);
    (void)time_of(&timelines, 3, 30, ORDO_TIME_APART);
    (void)time_of(&timelines, 3, 70, ORDO_TIME_KNOWN);
    ordo_timelines_free(&timelines);
}

/* The clock 64 of sequence 1: it shows 5 us when the trace's clock shows 77 ns, and its packets state differences. */
Test(trace_perfetto, a_clock_of_differences_goes_on_from_its_last_packet)
{
    struct ordo_timelines timelines = {0};
    const char bytes[] = {0x0a, 9, 8, 64, 0x10, 5, 0x18, 1, 0x20, (char)0xe8, 7, 0x0a, 4, 8, 6, 0x10, 77};
    struct ordo_text snapshot = {bytes, sizeof bytes};
    cr_assert_eq(ordo_timelines_learn(&timelines, snapshot), 0);
    ordo_timelines_settle(&timelines);
    cr_assert_eq(ordo_timelines_learn_own(&timelines, snapshot, 1), 0);
    cr_expect_eq(time_of(&timelines, 64, 2, ORDO_TIME_KNOWN), 2077);
    cr_expect_eq(time_of(&timelines, 64, 1, ORDO_TIME_KNOWN), 3077);
    struct ordo_packet other = {.timestamp = 1, .has_timestamp = true, .sequence = 2};
    int64_t time_ns;
    cr_expect_eq(ordo_timelines_time(&timelines, &other, 64, &time_ns), ORDO_TIME_UNKNOWN, "it is of sequence 1 only");
    ordo_timelines_free(&timelines);
}

Test(trace_perfetto, a_length_beyond_its_message_is_no_field)
{
    static const struct {
        const char *bytes;
        size_t size;
        int last; /* what reading ends with */
    } all[] = {{"\x0a\x03"
                "ab",
                4, -1},
               {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                "ab",
                13, -1},
               {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, -1},
               {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 0},
               {"\x08\x80", 2, -1},
               {"\x00\x01", 2, -1},
               {"\x0b\x0c", 2, -1},
               {"\x09"
                "1234567",
                8, -1},
               {"\x09"
                "12345678",
                9, 0},
               {"\x0d"
                "123",
                4, -1},
               {"\x0a\x00", 2, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct ordo_wire wire = ordo_wire_of((struct ordo_text){all[i].bytes, all[i].size});
        struct ordo_wire_field field;
        int more = ordo_wire_next(&wire, &field);
        while (more == 1)
            more = ordo_wire_next(&wire, &field);
        cr_expect_eq(more, all[i].last, "case %zu: %d", i, more);
        cr_expect(wire.at <= wire.end, "case %zu", i);
    }
}

/* Reads a file. Returns a code; *events is the number of events, `odd` their oddities. */
static int read_all_of(const void *bytes, size_t size, int *events, struct ordo_odds *odds, struct ordo_error *error)
{
    bool is_strict = odds->is_strict;
    struct file file = file_of_bytes(bytes, size);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    *events = 0;
    int code = ordo_reader_open(&reader, file.path, ordo_form_find("perfetto"), &columns, error);
    if (!code) {
        reader.odds.is_strict = is_strict;
        while ((code = ordo_reader_next(&reader, &event, error)) == 1)
            ++*events;
        *odds = reader.odds;
        ordo_reader_close(&reader);
    }
    file_close(&file);
    return code;
}

/* An instant at 5 ns, named "x". */
#define INSTANT "\x0a\x09\x40\x05\x5a\x05\x48\x03\xba\x01\x00"

Test(trace_perfetto, a_damaged_packet_is_counted_and_the_others_are_read)
{
    static const char bytes[] = INSTANT "\x0a\x03\x5a\x09\x00" INSTANT "\x0a\x05\x92\x03\x02\x78\x9c" INSTANT;
    struct ordo_error error = {0};
    struct ordo_odds odds = {0};
    int events;
    cr_assert_eq(read_all_of(bytes, sizeof bytes - 1, &events, &odds, &error), 0, "%s", error.text);
    cr_expect_eq(events, 3);
    cr_expect_eq(odds.of[ORDO_ODD_PACKET].count, 2);
    cr_expect_eq(odds.of[ORDO_ODD_PACKET].row, 2);
    odds.is_strict = true;
    cr_expect_eq(read_all_of(bytes, sizeof bytes - 1, &events, &odds, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "row 2: has packets that are damaged") && strstr(error.text, "--strict"), "%s",
              error.text);
}

Test(trace_perfetto, a_packet_of_gigabytes_is_refused_in_one_line)
{
    static const char bytes[] = INSTANT "\x0a\xff\xff\xff\xff\x0f"
                                        "rest of the file";
    struct ordo_error error = {0};
    struct ordo_odds odds = {0};
    int events;
    cr_expect_eq(read_all_of(bytes, sizeof bytes - 1, &events, &odds, &error), ORDO_E_MALFORMED);
    cr_expect(strstr(error.text, "row 2: has more than") && !strchr(error.text, '\n'), "%s", error.text);
}

Test(trace_perfetto, an_event_behind_a_loss_waits_for_a_new_beginning)
{
    /* Sequence 2: begun anew; an event that needs it; a loss, with an event that needs the lost packet; begun anew; again. */
    static const char bytes[] = "\x0a\x0d\x40\x05\x50\x02\x68\x03\x5a\x05\x48\x03\xba\x01\x00"
                                "\x0a\x10\x40\x06\x50\x02\x68\x02\xd0\x02\x01\x5a\x05\x48\x03\xba\x01\x00"
                                "\x0a\x0d\x40\x07\x50\x02\x68\x02\x5a\x05\x48\x03\xba\x01\x00"
                                "\x0a\x0d\x40\x08\x50\x02\x68\x03\x5a\x05\x48\x03\xba\x01\x00";
    struct ordo_error error = {0};
    struct ordo_odds odds = {0};
    int events;
    cr_assert_eq(read_all_of(bytes, sizeof bytes - 1, &events, &odds, &error), 0, "%s", error.text);
    cr_expect_eq(events, 2);
    cr_expect_eq(odds.of[ORDO_ODD_GAP].count, 1);
    cr_expect_eq(odds.of[ORDO_ODD_NO_STATE].count, 2);
}

/* Introduces a name by the number 1 and uses it; begins anew and uses the number again, which names nothing now. */
Test(trace_perfetto, a_name_is_forgotten_when_its_sequence_begins_anew)
{
    static const char bytes[] =
        "\x0a\x14\x40\x05\x50\x02\x68\x03\x62\x06\x12\x04\x08\x01\x12\x00\x5a\x04\x48\x03\x50\x01"
        "\x0a\x15\x40\x05\x50\x02\x68\x03\x62\x07\x12\x05\x08\x01\x12\x01x\x5a\x04\x48\x03\x50\x01"
        "\x0a\x0c\x40\x06\x50\x02\x68\x03\x5a\x04\x48\x03\x50\x01";
    static const size_t lengths[] = {0, 1, 0};
    struct file file = file_of_bytes(bytes, sizeof bytes - 1);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_reader_open(&reader, file.path, NULL, &columns, &error), 0, "%s", error.text);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(ordo_reader_next(&reader, &event, &error), 1, "%s", error.text);
        cr_expect_eq(event.name.length, lengths[i], "event %d", i);
    }
    ordo_reader_close(&reader);
    file_close(&file);
}

Test(trace_perfetto, text_is_no_trace_of_perfetto)
{
    static const char *const texts[] = {"\n[{\"ph\":\"X\",\"ts\":1}]", "\n# a comment\nrank,time_ns\n1,5\n",
                                        "\n{\"rank\":1}\n", "\n\n\n\n", "\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect(!ordo_packets_look((struct ordo_text){texts[i], strlen(texts[i])}), "%s", texts[i]);
    cr_expect(ordo_packets_look((struct ordo_text){INSTANT, sizeof INSTANT - 1}));
    char large[2000] = "\x0a\xff\x7f\x8a\x02\xfb\x7f";
    cr_expect(ordo_packets_look((struct ordo_text){large, sizeof large}), "the beginning of a packet");
}
