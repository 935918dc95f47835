/* The recorder without MPI: rings, files and settings. The files are read by the reader of their form. */
#include "trace_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "trace/record/buffer.h"
#include "trace/record/names.h"
#include "trace/record/settings.h"
#include "trace/record/ticks.h"

static int wakes;
static struct ordo_trace_file file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    return ordo_trace_find_room(thread, &lock, &file);
}

void ordo_trace_wake(void)
{
    wakes++;
}

static char folder[32], prefix[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/ordo-trace-XXXXXX");
    cr_assert(mkdtemp(folder));
    (void)snprintf(prefix, sizeof prefix, "%s/run", folder);
}

static void remove_folder(void)
{
    char path[96];
    (void)snprintf(path, sizeof path, "%s.0" ORDO_TRACE_SUFFIX, prefix);
    (void)unlink(path);
    (void)rmdir(folder);
}

static int create(struct ordo_error *error)
{
    struct ordo_trace_head head = {.rank = 0, .size = 1, .run = 5};
    ordo_trace_rate(&head, 1000000000);
    return ordo_trace_file_create(&file, prefix, &head, error);
}

static void record(struct ordo_trace_thread *thread, uint64_t from, uint64_t count)
{
    for (uint64_t i = from; i < from + count; i++)
        ordo_trace_push_region(thread, 0, i % 2 ? ORDO_TRACE_END : ORDO_TRACE_BEGIN, i);
}

/* Reads the times of the events in the file, and the facts in its head. Returns the number of events. */
static int read_times(int64_t *times_ns, int most, struct ordo_facts *facts)
{
    struct ordo_error error = {0};
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    struct ordo_event event;
    int count = 0, more;
    cr_assert_eq(ordo_reader_open(&reader, file.path, NULL, &columns, &error), ORDO_OK, "%s", error.text);
    cr_assert_str_eq(reader.form->name, "binary");
    for (; (more = ordo_reader_next(&reader, &event, &error)) == 1; count++) {
        cr_assert_lt(count, most);
        times_ns[count] = event.time_ns;
    }
    cr_assert_eq(more, 0, "%s", error.text);
    *facts = reader.form->tell(&reader);
    facts->clock = facts->host = NULL;
    ordo_reader_close(&reader);
    return count;
}

/* Records `count` events under this policy in a ring of 64 events, which the thread drains itself, and closes the file.
 * Returns the number of events read. */
static int run(enum ordo_trace_policy policy, uint64_t count, int64_t *times_ns, int most, struct ordo_facts *facts)
{
    struct ordo_trace_thread *all = NULL;
    struct ordo_error error = {0};
    cr_assert_eq(create(&error), ORDO_OK, "%s", error.text);
    struct ordo_trace_thread *thread = ordo_trace_thread_open(&all, 64, policy);
    cr_assert(thread);
    record(thread, 0, count);
    ordo_trace_drain(thread, &file);
    ordo_trace_drain(thread, &file); /* the ring is empty */
    file.lost += atomic_load(&thread->lost);
    cr_assert_eq(ordo_trace_file_close(&file), ORDO_OK);
    ordo_trace_threads_free(&all);
    cr_assert_null(all);
    return read_times(times_ns, most, facts);
}

Test(trace_record, a_flushed_ring_loses_nothing, .init = make_folder, .fini = remove_folder)
{
    int64_t times_ns[1000];
    struct ordo_facts facts;
    cr_assert_eq(run(ORDO_TRACE_FLUSH, 1000, times_ns, 1000, &facts), 1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(times_ns[i], i);
    cr_assert(facts.lost == 0 && facts.closed);
    cr_assert_eq(wakes, 1000 / 32);
}

Test(trace_record, the_stop_policy_keeps_the_first_events, .init = make_folder, .fini = remove_folder)
{
    int64_t times_ns[64];
    struct ordo_facts facts;
    cr_assert_eq(run(ORDO_TRACE_STOP, 1000, times_ns, 64, &facts), 64);
    for (int i = 0; i < 64; i++)
        cr_assert_eq(times_ns[i], i);
    cr_assert(facts.lost == 936 && facts.closed, "%llu", (unsigned long long)facts.lost);
}

Test(trace_record, the_ring_policy_keeps_the_last_events, .init = make_folder, .fini = remove_folder)
{
    int64_t times_ns[64];
    struct ordo_facts facts;
    cr_assert_eq(run(ORDO_TRACE_RING, 1000, times_ns, 64, &facts), 64);
    for (int i = 0; i < 64; i++)
        cr_assert_eq(times_ns[i], 1000 - 64 + i);
    cr_assert(facts.lost == 936 && facts.closed, "%llu", (unsigned long long)facts.lost);
    cr_assert_eq(run(ORDO_TRACE_RING, 64, times_ns, 64, &facts), 64);
    cr_assert_eq(facts.lost, 0);
}

Test(trace_record, a_thread_reuses_the_ring_of_an_ended_thread)
{
    struct ordo_trace_thread *all = NULL;
    struct ordo_trace_thread *first = ordo_trace_thread_open(&all, 64, ORDO_TRACE_RING);
    struct ordo_trace_thread *second = ordo_trace_thread_open(&all, 64, ORDO_TRACE_RING);
    cr_assert(first != second && first->number == 0 && second->number == 1);
    first->idle = true;
    cr_assert_eq(ordo_trace_thread_open(&all, 64, ORDO_TRACE_RING), first);
    cr_assert(!first->idle && ordo_trace_thread_open(&all, 64, ORDO_TRACE_RING)->number == 2);
    ordo_trace_threads_free(&all);
}

/* If a file can no longer be written, all further events are lost and counted. */
Test(trace_record, events_that_cannot_be_written_are_counted, .init = make_folder, .fini = remove_folder)
{
    struct ordo_trace_thread *all = NULL;
    struct ordo_error error = {0};
    cr_assert_eq(create(&error), ORDO_OK, "%s", error.text);
    struct ordo_trace_thread *thread = ordo_trace_thread_open(&all, 64, ORDO_TRACE_FLUSH);
    int fd = file.fd;
    file.fd = open(file.path, O_RDONLY | O_CLOEXEC);
    record(thread, 0, 70);
    ordo_trace_drain(thread, &file);
    cr_assert(file.failed == EBADF && file.lost == 70, "%d, %llu", file.failed, (unsigned long long)file.lost);
    cr_assert_eq(ordo_trace_file_close(&file), ORDO_E_SYSTEM);
    (void)close(fd);
    ordo_trace_threads_free(&all);
}

/* A trace of this user is replaced. Any other file of the same name is not. */
Test(trace_record, only_an_earlier_trace_is_replaced, .init = make_folder, .fini = remove_folder)
{
    struct ordo_error error = {0};
    struct stat status;
    cr_assert_eq(create(&error), ORDO_OK, "%s", error.text);
    cr_assert(fstat(file.fd, &status) == 0 && (status.st_mode & 0777) == 0600);
    cr_assert_eq(ordo_trace_file_close(&file), ORDO_OK);
    cr_assert_eq(create(&error), ORDO_OK, "%s", error.text);
    ordo_trace_file_abandon(&file);
    cr_assert(access(file.path, F_OK) != 0 && file.fd < 0);
    ordo_trace_file_abandon(&file);
    int fd = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_eq(write(fd, "my thesis", 9), 9);
    (void)close(fd);
    cr_assert_eq(create(&error), ORDO_E_INVALID);
    cr_assert(strstr(error.text, "there, and no trace of yours: choose another ORDO_TRACE_LOGFILE_NAME"), "%s",
              error.text);
    cr_assert_eq(unlink(file.path), 0);
    cr_assert_eq(symlink("/dev/null", file.path), 0);
    cr_assert_eq(create(&error), ORDO_E_SYSTEM);
    strcpy(prefix, "/nonexistent/run");
    cr_assert_eq(create(&error), ORDO_E_SYSTEM);
    (void)snprintf(prefix, sizeof prefix, "%s/run", folder);
}

/* Expects the name of the next event. */
static void expect_name(struct ordo_reader *reader, const char *name)
{
    struct ordo_event event;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_reader_next(reader, &event, &error), 1, "%s", error.text);
    cr_assert(event.name.length == strlen(name) && memcmp(event.name.at, name, event.name.length) == 0, "'%.*s'",
              (int)event.name.length, event.name.at);
}

/* A program may use any bytes as a name. The file contains each name once, before the first event with this name, as
 * UTF-8 of at most 255 bytes. */
Test(trace_record, a_name_is_written_before_its_events, .init = make_folder, .fini = remove_folder)
{
    enum { MANY = 700 };
    static const char *const calls[] = {"MPI_Send", "MPI_Recv"};
    struct ordo_trace_names names = {0};
    struct ordo_trace_thread *all = NULL;
    struct ordo_error error = {0};
    char word[400], euros[400] = "";
    for (int i = 0; i < 100; i++)
        strcat(euros, "\xe2\x82\xac");
    cr_assert_eq(create(&error), ORDO_OK, "%s", error.text);
    struct ordo_trace_thread *thread = ordo_trace_thread_open(&all, 1024, ORDO_TRACE_FLUSH);
    cr_assert_eq(ordo_trace_names_add(&names, &file, calls, 2), 1);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < MANY; i++) {
            (void)snprintf(word, sizeof word, "region %u", i);
            cr_assert_eq(ordo_trace_name(&names, &file, word), 3 + i);
        }
    cr_assert_eq(ordo_trace_name(&names, &file, "MPI_Recv"), 2);
    const uint32_t others[] = {ordo_trace_name(&names, &file,
                                               "a\xff"
                                               "b\n"),
                               ordo_trace_name(&names, &file, euros), ordo_trace_name(&names, &file, "")};
    cr_assert(others[0] == 3 + MANY && others[1] == 4 + MANY && others[2] == 5 + MANY);
    const uint32_t numbers[] = {1, 2, 3, 2 + MANY, others[0], others[1], others[2]};
    for (uint64_t i = 0; i < 7; i++)
        ordo_trace_push_region(thread, numbers[i], ORDO_TRACE_EVENT, i);
    ordo_trace_drain(thread, &file);
    cr_assert_eq(ordo_trace_file_close(&file), ORDO_OK);
    struct ordo_columns columns = ordo_columns_defaults();
    struct ordo_reader reader;
    cr_assert_eq(ordo_reader_open(&reader, file.path, NULL, &columns, &error), ORDO_OK, "%s", error.text);
    euros[255] = '\0'; /* 85 complete letters of 3 bytes */
    const char *expected[] = {"MPI_Send", "MPI_Recv", "region 0", "region 699", "a?b?", euros, "?"};
    for (int i = 0; i < 7; i++)
        expect_name(&reader, expected[i]);
    ordo_reader_close(&reader);
    ordo_trace_names_free(&names);
    ordo_trace_threads_free(&all);
}

/* Tests [T3] of trace/record/ticks.h. */
Test(trace_record, the_times_of_a_thread_never_descend)
{
    uint64_t last_ticks = 0, before = 0;
    const uint64_t readings[] = {5, 9, 7, 7, 10, 3}, expected[] = {5, 9, 9, 9, 10, 10};
    for (int i = 0; i < 6; i++)
        cr_assert_eq(ordo_trace_in_order(&last_ticks, readings[i]), expected[i]);
    last_ticks = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t entry = ordo_trace_in_order(&last_ticks, ordo_trace_entry_ticks(NULL));
        uint64_t exit = ordo_trace_in_order(&last_ticks, ordo_trace_exit_ticks(NULL));
        cr_assert(before <= entry && entry <= exit && entry > 0);
        before = exit;
    }
}

/* Reads the settings with the environment variable `variable` set to `value`. */
static int read_settings(const char *variable, const char *value, struct ordo_trace_settings *settings,
                         struct ordo_error *error)
{
    cr_assert_eq(setenv(variable, value, 1), 0);
    int code = ordo_trace_settings_read(settings, error);
    (void)unsetenv(variable);
    return code;
}

static int read_file(const char *text, struct ordo_trace_settings *settings, struct ordo_error *error)
{
    struct file config = file_of(text);
    int code = read_settings("ORDO_TRACE_CONFIG", config.path, settings, error);
    file_close(&config);
    return code;
}

Test(trace_record, variables_override_the_settings_of_a_file)
{
    struct ordo_trace_settings settings, again;
    struct ordo_error error = {0};
    cr_assert_eq(ordo_trace_settings_read(&settings, &error), ORDO_OK, "%s", error.text);
    cr_assert(settings.buffer_events == 65536 && settings.policy == ORDO_TRACE_FLUSH && settings.flush_period == 1 &&
              settings.sync_max_messages == 100 && settings.synced_host == ORDO_TRACE_HOST_ALONE &&
              *settings.prefix == '\0');
    cr_assert_eq(ordo_trace_settings_read(&again, &error), ORDO_OK);
    cr_assert_neq(settings.run, again.run); /* each run has a different number */
    const char *text = "# of the collector\n\nlogfile-name  my run \nBUFFER 128\n\tsynced_host yes\nPolicy STOP\n"
                       "SYNC-PERIODIC 2.5";
    cr_assert_eq(read_file(text, &settings, &error), ORDO_OK, "%s", error.text);
    cr_assert_str_eq(settings.prefix, "my run");
    cr_assert(settings.buffer_events == 128 && settings.synced_host == ORDO_TRACE_HOST_ON &&
              settings.policy == ORDO_TRACE_STOP && settings.sync_period == 2.5);
    cr_assert_eq(setenv("ORDO_TRACE_BUFFER", "256", 1), 0);
    cr_assert_eq(read_file(text, &settings, &error), ORDO_OK, "%s", error.text);
    cr_assert(settings.buffer_events == 256 && settings.policy == ORDO_TRACE_STOP);
    (void)unsetenv("ORDO_TRACE_BUFFER");
}

static void expect_wrong(const char *variable, const char *value, const char *words)
{
    struct ordo_trace_settings settings;
    struct ordo_error error = {0};
    cr_assert_eq(read_settings(variable, value, &settings, &error), ORDO_E_INVALID, "%s", value);
    cr_assert(strstr(error.text, words), "%s", error.text);
}

Test(trace_record, a_wrong_setting_is_refused_with_its_range)
{
    struct ordo_trace_settings settings;
    struct ordo_error error = {0};
    expect_wrong("ORDO_TRACE_BUFFER", "63", "ORDO_TRACE_BUFFER '63': not a whole number from 64 to");
    expect_wrong("ORDO_TRACE_BUFFER", "100.5", "not a whole number");
    expect_wrong("ORDO_TRACE_BUFFER", "1e3x", "not a whole number");
    expect_wrong("ORDO_TRACE_FLUSH_PERIOD", "nan", "not a number from 0.01 to 1e+06");
    expect_wrong("ORDO_TRACE_POLICY", "drop", "ORDO_TRACE_POLICY 'drop': not flush, ring or stop");
    expect_wrong("ORDO_TRACE_SYNCED_HOST", "maybe", "not on or off");
    expect_wrong("ORDO_TRACE_CLOCK", "a name of a clock that is too long for it", "not of 1 to 31 letters");
    expect_wrong("ORDO_TRACE_CLOCK", "", "not of 1 to 31 letters");
    expect_wrong("ORDO_TRACE_BUFFERS", "64", "ORDO_TRACE_BUFFERS: not a setting: see ordo_trace(3)");
    cr_assert_eq(read_file("BUFFER 64\n\nBUFER 64\n", &settings, &error), ORDO_E_INVALID);
    cr_assert(strstr(error.text, ":3: 'BUFER' is not a setting"), "%s", error.text);
    cr_assert_eq(read_settings("ORDO_TRACE_CONFIG", "/", &settings, &error), ORDO_E_INVALID);
    cr_assert(strstr(error.text, "not a regular file below"), "%s", error.text);
    cr_assert_eq(read_settings("ORDO_TRACE_CONFIG", "/nonexistent", &settings, &error), ORDO_E_SYSTEM);
}
