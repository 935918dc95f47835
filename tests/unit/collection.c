/* Anonymous reports of machines: their size, content and anonymity, and the refusal of invalid ones. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calibrate/collection/compare.h"
#include "calibrate/collection/read.h"
#include "calibrate/collection/words.h"
#include "calibrate/session/gate.h"
#include "synthetic_machine.h"

#define SMALL "pack:2 numa:1 l3:1 core:2 pu:2" /* 8 CPUs */

static struct ordo_error error;

/* ---- memory ---- */

static int countdown; /* number of the allocation that fails; 0: none */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return countdown > 0 && --countdown == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return countdown > 0 && --countdown == 0 ? NULL : __real_calloc(count, size);
}

/* Allocates for the JSON library. */
static void *allocate(size_t size)
{
    return __wrap_malloc(size);
}

/* Returns the text of a machine's report, malloc'ed; `prepare` may spoil the machine first. */
static char *text_of(const char *description, size_t *bytes, void (*prepare)(struct ordo_calibration *made))
{
    struct synthetic machine;
    struct ordo_collection_report *report;
    char *text = NULL;
    cr_assert_eq(synthetic_make(&machine, description, 3), 0);
    if (prepare) {
        prepare(machine.calibration);
        cr_assert_eq(ordo_boundary_conclude(machine.calibration, &error), 0, "%s", error.text);
    }
    cr_assert_eq(synthetic_report(&machine, &report, &error), 0, "%s", error.text);
    cr_assert_eq(ordo_collection_fit(report, &text, bytes, &error), 0, "%s", error.text);
    ordo_collection_free(report);
    synthetic_drop(&machine);
    return text;
}

static struct ordo_collection_report *report_of(const char *text, size_t bytes)
{
    struct ordo_collection_report *report;
    cr_assert_eq(ordo_collection_parse(text, bytes, "report", &report, &error), ORDO_OK, "%s", error.text);
    return report;
}

static int make_and_read(const struct synthetic *machine)
{
    struct ordo_collection_report *report = NULL, *again = NULL;
    char *text = NULL;
    size_t bytes = 0;
    int code = synthetic_report(machine, &report, &error);
    ordo_json_allocate_by(allocate, free);
    if (!code)
        code = ordo_collection_fit(report, &text, &bytes, &error);
    ordo_json_allocate_by(__real_malloc,
                          free); /* without memory, the parser of the JSON library would lose characters */
    if (!code)
        code = ordo_collection_parse(text, bytes, "report", &again, &error);
    ordo_collection_free(again);
    ordo_collection_free(report);
    free(text);
    return code;
}

Test(collection, a_failed_allocation_is_reported_or_harmless)
{
    static const char *const machines[] = {SMALL, "pack:2 numa:1 l3:2 core:40 pu:1"};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct synthetic machine;
        int tried = 0, refused = 0,
            step = i == 0 ? 1 : 7919; /* a large report makes hundreds of thousands of allocations */
        bool all = false;
        cr_assert_eq(synthetic_make(&machine, machines[i], 2), 0);
        for (int at = 1; !all; at += at < 40 ? 1 : step, tried++) {
            countdown = at;
            int code = make_and_read(&machine);
            all = countdown > 0;
            countdown = 0;
            refused += code != ORDO_OK;
            cr_assert(code == ORDO_OK || (!all && code == ORDO_E_SYSTEM), "%s: allocation %d: %d, %s", machines[i], at,
                      code, error.text);
        }
        cr_expect(refused > 20 && refused > tried / 2, "%d of %d", refused, tried); /* reading tries each text twice */
        synthetic_drop(&machine);
    }
}

/* ---- size ---- */

static void fits(const char *description, int cpus, enum ordo_collection_detail least)
{
    size_t bytes, again_bytes;
    char *text = text_of(description, &bytes, NULL), *again;
    cr_expect_lt(bytes, 100000, "%s: %zu bytes", description, bytes);
    struct ordo_collection_report *report = report_of(text, bytes);
    cr_expect_eq(report->count, cpus);
    cr_expect_leq(report->detail, least, "%s: only %s", description, ordo_collection_details[report->detail]);
    again = ordo_collection_render(report, &again_bytes);
    cr_expect_str_eq(again, text, "%s: the report differs after reading and writing it", description);
    free(again);
    free(text);
    ordo_collection_free(report);
}

Test(collection, a_report_of_512_cpus_fits_into_100000_bytes)
{
    fits("pack:8 numa:1 l3:8 core:8 pu:1", 512, ORDO_DETAIL_L3);
    fits("pack:8 numa:2 l3:4 core:4 pu:2", 512, ORDO_DETAIL_L3);
    fits("pack:8 l3:1 core:32 pu:2", 512, ORDO_DETAIL_L3);
}

Test(collection, a_report_of_256_cpus_keeps_at_least_a_rounded_matrix)
{
    fits("pack:1 core:1 pu:1", 1, ORDO_DETAIL_PAIRS);
    fits("pack:2 numa:1 l3:8 core:8 pu:1", 128, ORDO_DETAIL_PAIRS);
    fits("pack:2 numa:1 l3:1 core:96 pu:1", 192, ORDO_DETAIL_ROUNDED);
    fits("pack:2 numa:1 l3:8 core:8 pu:2", 256, ORDO_DETAIL_ROUNDED);
}

Test(collection, a_report_of_1024_cpus_describes_each_cpu)
{
    if (!ORDO_TESTS_BRIEF)
        fits("pack:16 numa:2 l3:4 core:4 pu:2", 1024, ORDO_DETAIL_CPUS);
}

/* ---- content ---- */

static void check_cpu(const struct ordo_collection_report *report, const int64_t *delta, int cpu)
{
    int64_t writer = INT64_MIN, reader = INT64_MIN, n = report->count;
    for (int other = 0; other < n; other++)
        if (other != cpu) {
            writer = delta[cpu * n + other] > writer ? delta[cpu * n + other] : writer;
            reader = delta[other * n + cpu] > reader ? delta[other * n + cpu] : reader;
        }
    cr_expect_eq(report->column[ORDO_COLUMN_WRITER][cpu], writer);
    cr_expect_eq(report->column[ORDO_COLUMN_READER][cpu], reader);
    if (cpu > 0) {
        cr_expect_eq(report->column[ORDO_COLUMN_FROM_FIRST][cpu], delta[cpu]);
        cr_expect_eq(report->column[ORDO_COLUMN_TO_FIRST][cpu], delta[cpu * n]);
    }
}

Test(collection, each_cpu_has_its_extreme_deltas_and_its_offset)
{
    struct synthetic machine;
    struct ordo_collection_report *report;
    int64_t largest = INT64_MIN;
    cr_assert_eq(synthetic_make(&machine, "pack:4 l3:2 core:4 pu:2", 9), 0);
    cr_assert_eq(synthetic_report(&machine, &report, &error), 0);
    const int64_t *delta = machine.calibration->delta_ticks;
    for (int cpu = 0; cpu < report->count; cpu++)
        check_cpu(report, delta, cpu);
    for (int i = 0; i < report->count * report->count; i++)
        if (delta[i] != ORDO_DELTA_NONE && delta[i] > largest)
            largest = delta[i];
    cr_expect_eq(report->worst[0].delta_ticks, largest);
    cr_expect_eq(report->worst_count, ORDO_COLLECTION_WORST);
    cr_expect_eq(report->boundary_ticks, largest + report->granule_ticks);
    cr_expect_eq(report->tick_hz, 2600000000, "four digits");
    cr_expect_eq(report->threads, 2);
    cr_expect_eq(report->groups[ORDO_DISTANCE_CORE], 32);
    cr_expect_eq(report->groups[ORDO_DISTANCE_L3], 8);
    cr_expect_eq(report->groups[ORDO_DISTANCE_PACKAGE], 4);
    ordo_collection_free(report);
    synthetic_drop(&machine);
}

static void shift_second_package(struct ordo_calibration *made)
{
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            if (a != b)
                made->delta_ticks[a * 8 + b] = (a / 4 == b / 4 ? 100 : 500) + (b / 4 - a / 4) * 2000;
}

Test(collection, the_offset_between_packages_is_estimated_and_bounded)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, shift_second_package);
    struct ordo_collection_report *report = report_of(text, bytes);
    for (int cpu = 0; cpu < 8; cpu++)
        cr_expect_eq(report->column[ORDO_COLUMN_OFFSET][cpu], cpu < 4 ? -1000 : 1000, "CPU %d", cpu);
    cr_expect_eq(report->classes[ORDO_DISTANCE_MACHINE].offset.min, 1500);
    cr_expect_eq(report->classes[ORDO_DISTANCE_MACHINE].trip.median, 1000);
    cr_expect_eq(report->classes[ORDO_DISTANCE_CORE].pairs, 4);
    cr_expect_eq(report->classes[ORDO_DISTANCE_MACHINE].pairs, 16);
    ordo_collection_free(report);
    free(text);
}

static void lose_a_pair(struct ordo_calibration *made)
{
    made->delta_ticks[1 * 8 + 6] = ORDO_DELTA_NONE;
}

Test(collection, an_unmeasured_pair_is_counted)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, lose_a_pair);
    struct ordo_collection_report *report = report_of(text, bytes);
    cr_expect_eq(report->unmeasured, 1);
    cr_expect_eq(report->corrected_boundary_ticks, 0);
    cr_expect_eq(report->delta_ticks[1 * 8 + 6], ORDO_COLLECTION_NONE);
    ordo_collection_free(report);
    free(text);
}

Test(collection, a_delta_is_rounded_up_by_less_than_its_unit)
{
    struct synthetic machine;
    struct ordo_collection_report *report, *read;
    size_t bytes;
    char *text;
    cr_assert_eq(synthetic_make(&machine, "pack:2 numa:1 l3:4 core:12 pu:2", 4), 0);
    machine.calibration->delta_ticks[3 * 192 + 5] = ORDO_DELTA_NONE;
    cr_assert_eq(synthetic_report(&machine, &report, &error), 0);
    cr_assert_eq(ordo_collection_fit(report, &text, &bytes, &error), 0);
    read = report_of(text, bytes);
    cr_assert_eq(read->detail, ORDO_DETAIL_ROUNDED);
    for (int a = 0; a < 192; a++)
        for (int b = 0; b < 192; b++) {
            int64_t delta = report->delta_ticks[a * 192 + b], rounded = ordo_collection_rounded(read, a, b);
            int64_t unit = ordo_collection_unit(read, ordo_collection_distance(read, a, b));
            if (a == b || (a == 3 && b == 5) || (a == 5 && b == 3))
                cr_expect_eq(rounded, ORDO_COLLECTION_NONE);
            else
                cr_expect(rounded >= delta && rounded - delta < unit, "%d %d: %" PRId64 " of %" PRId64, a, b, rounded,
                          delta);
        }
    cr_expect_eq(read->unmeasured, 1);
    ordo_collection_free(read);
    ordo_collection_free(report);
    free(text);
    synthetic_drop(&machine);
}

/* ---- anonymous ---- */

static void name_everything(struct ordo_calibration *made)
{
    (void)snprintf(made->machine, sizeof made->machine, "SECRET-HOST.example.org of alice, serial 4711");
    (void)snprintf(made->hypervisor_name, sizeof made->hypervisor_name, "SECRET");
    ordo_calibration_warn(made, "SECRET: warned");
    made->as_of_ns = 987654321987654321;
}

Test(collection, a_report_contains_no_private_text_of_the_record)
{
    static const char *const never[] = {"SECRET", "alice", "4711", "98765432", "example", "as_of", "boot"};
    size_t bytes;
    char *text = text_of(SMALL, &bytes, name_everything);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        cr_expect_null(strstr(text, never[i]), "%s is in %s", never[i], text);
    cr_expect_not_null(strstr(text, "\"month\":\"2026-11\""), "%s", text);
    free(text);
}

static void put(const char *root, const char *path, const char *text)
{
    char whole[256];
    (void)snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = whole + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        (void)mkdir(whole, 0755);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    cr_assert_not_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
}

#define CLOCKS "/sys/devices/system/clocksource/clocksource0/"

Test(collection, every_word_of_a_report_is_in_a_known_list)
{
    char root[] = "/tmp/ordo-collection-XXXXXX", command[64];
    struct ordo_collection_machine machine;
    cr_assert_not_null(mkdtemp(root));
    put(root, "/arch", "x86_64\n");
    put(root, "/cpuid", "1 0 0 0 80000000 0\n40000000 0 0 54534948 454d414e 20202020\n");
    put(root, "/proc/version", "Linux version 6.1.0-alice-laptop (bob@builder.example) #1\n");
    put(root, "/proc/cpuinfo",
        "vendor_id\t: HOSTNAME.here\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: of alice\n"
        "stepping\t: 8\n");
    put(root, CLOCKS "available_clocksource", "tsc alice-clock hpet bob-clock \n");
    put(root, CLOCKS "current_clocksource", "alice-clock\n");
    put(root, "/sys/devices/system/cpu/online", "0-3,8\n");
    ordo_collection_machine_read(&machine, root);
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    cr_expect_eq(system(command), 0);
    cr_expect_str_eq(machine.architecture, "x86_64");
    cr_expect_str_eq(machine.vendor, "other");
    cr_expect_str_eq(machine.hypervisor, "other");
    cr_expect_str_eq(machine.kernel, "6.1");
    cr_expect_str_eq(machine.clock, "other");
    cr_expect(machine.clock_count == 3 && strcmp(machine.clocks[1], "other") == 0);
    cr_expect(machine.family == 6 && machine.model == 143 && machine.stepping == 8 && machine.online == 5);
}

static bool is_word(const char *const *words, const char *text)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

Test(collection, every_recorded_machine_has_a_description)
{
    static const char *const known[][2] = {
        {"firecracker", "kvm"}, {"hyperv-gen2-tsc", "hyperv"}, {"eight-socket-xeon", "none"}};
    DIR *folder = opendir(ORDO_TESTS_MACHINES);
    struct ordo_collection_machine machine;
    char root[512];
    int machines = 0;
    cr_assert_not_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        (void)snprintf(root, sizeof root, "%s/%s/arch", ORDO_TESTS_MACHINES, entry->d_name);
        if (entry->d_name[0] == '.' || access(root, R_OK) != 0)
            continue;
        root[strlen(root) - 5] = '\0';
        ordo_collection_machine_read(&machine, root);
        machines++;
        cr_expect(is_word(ordo_collection_architectures, machine.architecture), "%s", root);
        cr_expect(is_word(ordo_collection_vendors, machine.vendor), "%s: %s", root, machine.vendor);
        cr_expect(is_word(ordo_collection_hypervisors, machine.hypervisor), "%s: %s", root, machine.hypervisor);
        cr_expect(!machine.clock || is_word(ordo_collection_clocks, machine.clock), "%s: %s", root, machine.clock);
        cr_expect_eq(machine.kernel[strspn(machine.kernel, "0123456789.")], '\0', "%s: %s", root, machine.kernel);
        for (int i = 0; i < machine.clock_count; i++)
            cr_expect(is_word(ordo_collection_clocks, machine.clocks[i]), "%s: %s", root, machine.clocks[i]);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strcmp(entry->d_name, known[i][0]) == 0)
                cr_expect_str_eq(machine.hypervisor, known[i][1], "%s", root);
    }
    (void)closedir(folder);
    cr_expect_geq(machines, 24);
}

/* ---- strangers ---- */

/* Replaces the first `from` in the text by `to`, and expects a refusal that names `path`; NULL: any refusal. */
static void refused(const char *text, const char *from, const char *to, const char *path)
{
    const char *at = strstr(text, from);
    struct ordo_collection_report *report;
    char *changed = NULL;
    cr_assert_not_null(at, "there is no %s in %s", from, text);
    cr_assert_geq(asprintf(&changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), 0);
    int code = ordo_collection_parse(changed, strlen(changed), "FILE", &report, &error);
    cr_expect_eq(code, ORDO_E_MALFORMED, "%s for %s: %d", to, from, code);
    cr_expect_null(report);
    cr_expect_eq(strncmp(error.text, "FILE: ", 6), 0, "%s", error.text);
    cr_expect_not_null(strstr(error.text, path), "%s for %s: %s", to, from, error.text);
    cr_expect(strstr(error.text, "; make it anew") || strstr(error.text, "; remove it") ||
                  strstr(error.text, "; give the file of a report"),
              "%s", error.text);
    free(changed);
}

static void settle(struct ordo_calibration *made)
{
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            if (a != b)
                made->delta_ticks[a * 8 + b] = 100 + a * 10 + b;
}

Test(collection, an_unknown_key_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    refused(text, "{", "{\"host\":\"alice\",",
            "$.host: a key that no such document has; remove it: a report is anonymous");
    refused(text, "\"vendor\":", "\"serial\":\"4711\",\"vendor\":", "$.machine.serial: ");
    refused(text, "\"month\":\"2026-11\"", "\"month\":\"2026-11-28\"", "$.month: ");
    refused(text, "\"month\":\"2026-11\"", "\"month\":\"2026-13\"", "$.month: not a month");
    refused(text, "\"intel\"", "\"alice\"", "$.machine.vendor: \"alice\"");
    refused(text, "\"6.1\"", "\"6.1.0-alice\"", "$.machine.kernel: ");
    refused(text, "\"tool_version\":\"", "\"tool_version\":\"alice-", "$.tool_version: ");
    refused(text, "\"intel\"", "\"\\u001b[31m\"", "$.machine.vendor: \"?[31m\"");
    free(text);
}

Test(collection, text_that_is_not_a_json_report_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    refused(text, "{", "", "line 1");
    refused(text, "{", "[", "line 1");
    refused(text, "{", "{\"schema\":1,", "line 1, column");
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":NaN", "line 1");
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":1e999", "line 1");
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":99999999999999999999", "line 1");
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":0", "$.tick_hz: 0, and not 1 to 18000000000");
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":2.6e9", "$.tick_hz: a real number, and not an integer");
    refused(text, "\"tick_hz\":2600000000,", "", "$: lacks the key \"tick_hz\"");
    refused(text, "\"ordo-report/1\"", "\"ordo-report/2\"", "$.schema: ");
    refused(text, "\"forced\":false", "\"forced\":0", "$.forced: an integer, and not true or false");
    refused(text, "\"worst_pairs\":[[", "\"worst_pairs\":[[1,", "$.worst_pairs[0]: 4 items, and not 3 to 3");
    refused(text, "\"drift_ppb\":[", "\"drift_ppb\":[9223372036854775807,", "$.drift_ppb: 3 items");
    free(text);
}

/* Expects the refusal of this text, which is not a changed report. */
static void refused_whole(const char *text, size_t bytes, const char *found)
{
    struct ordo_collection_report *report;
    cr_expect_eq(ordo_collection_parse(text, bytes, "FILE", &report, &error), ORDO_E_MALFORMED, "%s", found);
    cr_expect_not_null(strstr(error.text, found), "%s: %s", found, error.text);
}

#define WHOLE_TEXT(text, found) refused_whole(text, sizeof(text) - 1, found)

Test(collection, the_refusal_of_another_document_names_its_schema)
{
    WHOLE_TEXT("{\"schema\":\"ordo-advise/1\",\"why\":\"listed\"}",
               "$.schema: \"ordo-advise/1\", and not ordo-report/1; give the file of a report");
    WHOLE_TEXT("{\"why\":\"listed\"}", "$.schema: missing");
    WHOLE_TEXT("{\"schema\":7,\"why\":\"listed\"}", "$.schema: missing, or no text");
    WHOLE_TEXT("null", "$: null, and not an object; give the file of a report");
    WHOLE_TEXT("true", "$: true, and not an object");
    WHOLE_TEXT("[]", "$: an array, and not an object");
    WHOLE_TEXT("", "the file is empty");
    WHOLE_TEXT("\xef\xbb\xbf{}", "a byte order mark: save the file without one");
    WHOLE_TEXT("\xff\xfe{\0", "UTF-16");
    WHOLE_TEXT("{\"schema\":\"a\\u0000b\"}", "a text with \\u0000");
}

Test(collection, an_exact_rate_or_cost_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    refused(text, "\"tick_hz\":2600000000", "\"tick_hz\":2596139806", "$.tick_hz: an exact rate");
    refused(text, "\"nominal_hz\":2600000000", "\"nominal_hz\":2596139806", "$.machine.nominal_hz: an exact rate");
    refused(text, "\"counter_read_ns\":12.3", "\"counter_read_ns\":12.345678901",
            "$.machine.counter_read_ns: more than");
    refused(text, "\"counter_read_ns\":12.3", "\"counter_read_ns\":1234", "$.machine.counter_read_ns: more than");
    refused(text, "\"kernel_clock_read_ns\":23.5", "\"kernel_clock_read_ns\":23.51", "$.machine.kernel_clock_read_ns");
    cr_expect_eq(ordo_collection_round_hz(2596139806), 2596000000);
    cr_expect_eq(ordo_collection_round_hz(99996), 100000);
    cr_expect_eq(ordo_collection_round_ns(99.96), 100);
    cr_expect_eq(ordo_collection_round_ns(1234.5), 1230);
    cr_expect_eq(ordo_collection_round_ns(ordo_collection_round_ns(123.4)), ordo_collection_round_ns(123.4));
    free(text);
}

Test(collection, a_machine_that_contradicts_itself_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    const char *other = strcmp(SYNTHETIC_ARCHITECTURE, "riscv64") == 0 ? "\"architecture\":\"aarch64\""
                                                                       : "\"architecture\":\"riscv64\"";
    refused(text, "\"architecture\":\"" SYNTHETIC_ARCHITECTURE "\"", other, "$.machine.vendor: not a vendor of");
    refused(text, "\"clock\":\"" ORDO_CLOCK_NAME "\"",
            strcmp(ORDO_CLOCK_NAME, "time") == 0 ? "\"clock\":\"tsc\"" : "\"clock\":\"time\"",
            "$.clock: not the counter of machine.architecture");
    refused(text, "\"online_cpus\":8192", "\"online_cpus\":7", "$.machine.online_cpus: fewer than topology.cpus");
    refused(text, "\"kernel_clock\":\"tsc\"", "\"kernel_clock\":\"xen\"",
            "$.machine.kernel_clock: none of kernel_clocks");
    refused(text, "\"kernel_clocks\":[\"tsc\",", "\"kernel_clocks\":[\"tsc\",\"tsc\",",
            "$.machine.kernel_clocks[1]: a clock");
    free(text);
}

Test(collection, an_impossible_calibration_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    refused(text, "\"runs\":100000", "\"runs\":0", "$.runs: 0, and not 2 to");
    refused(text, "\"runs\":100000", "\"runs\":9007199254740993", "$.runs: 9007199254740993, and not");
    refused(text, "\"runs\":100000", "\"runs\":2", "$.runs: fewer than repeats");
    refused(text, "\"repeats\":3", "\"repeats\":1", "$.repeats: 1, and not 2 to 1000");
    refused(text, "\"granule_ticks\":26", "\"granule_ticks\":0", "$.granule_ticks: 0, and not 1");
    refused(text, "\"trust\":\"vouched\"", "\"trust\":\"measured\"", "$.trust: a class that needs 5 repeats");
    for (const char *const *month = (const char *const[]){"9999-12", "1969-12", "2026-13", "2026-1", NULL}; *month;
         month++) {
        char to[32], from[] = "\"month\":\"2026-11\"";
        (void)snprintf(to, sizeof to, "\"month\":\"%s\"", *month);
        refused(text, from, to, "$.month: not a month, YYYY-MM");
    }
    refused(text, "\"month\":\"2026-11\"", "\"month\":\"2026-11-28\"", "and not of the form YYYY-MM");
    free(text);
}

static void carry(struct ordo_calibration *made)
{
    settle(made);
    made->repeats = ORDO_GATE_SWEEPS;
    made->drift_min_ppb = -500;
    made->drift_max_ppb = ORDO_GATE_DRIFT_PPB - 501;
}

Test(collection, a_report_that_claims_measured_trust_must_pass_the_gates)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, carry), *at = strstr(text, "\"vouched\"");
    cr_assert_not_null(at);
    char *measured = NULL;
    cr_assert_geq(asprintf(&measured, "%.*s\"measured\"%s", (int)(at - text), text, at + 9), 0);
    ordo_collection_free(report_of(measured, strlen(measured)));
    refused(measured, "\"drift_ppb\":[-500,499]", "\"drift_ppb\":[-500,500]", "$.trust: a class that needs");
    refused(measured, "\"repeats\":5", "\"repeats\":4", "$.trust: a class that needs");
    free(measured);
    free(text);
}

Test(collection, a_report_that_contradicts_itself_is_refused)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle);
    cr_assert_not_null(strstr(text, "\"boundary_ticks\":202,"), "%s", text); /* 176 + 26 */
    refused(text, "\"boundary_ticks\":202,", "\"boundary_ticks\":201,", "above boundary_ticks");
    refused(text, "\"boundary_ticks\":202,", "\"boundary_ticks\":20,", "$.boundary_ticks: less than granule");
    refused(text, "\"margin_ticks\":0", "\"margin_ticks\":1", "above boundary_ticks");
    refused(text, "\"drift_ppb\":[-17,", "\"drift_ppb\":[17,", "$.drift_ppb: an interval without 0");
    refused(text, "\"trust\":\"vouched\"", "\"trust\":\"faulted\"", "$.trust: ");
    refused(text, "\"topology\":{\"cpus\":8", "\"topology\":{\"cpus\":9", "$.cpus: fewer");
    refused(text, "\"topology\":{\"cpus\":8", "\"topology\":{\"cpus\":7", "$.cpus: more");
    refused(text, "\"cpus\":[[0,7]]", "\"cpus\":[[0,3],[2,5]]", "$.cpus: ranges");
    refused(text, "\"cpus\":[[0,7]]", "\"cpus\":[[1,8]]", "$.groups.core[0]: a CPU that is not in cpus");
    refused(text, "\"package\":[[[0,3]]", "\"package\":[[[0,4]]", "$.groups.package[1]: a CPU that is in another");
    refused(text, "\"packages\":2", "\"packages\":3", "$.groups.package: another number");
    refused(text, "\"threads_per_core\":2", "\"threads_per_core\":1", "$.topology.threads_per_core");
    refused(text, "\"unmeasured_pairs\":0", "\"unmeasured_pairs\":1", "$.distance_classes: with unmeasured_pairs");
    refused(text, "\"pairs\":4,", "\"pairs\":5,", "$.distance_classes: ");
    refused(text, "\"worst_pairs\":[[7,6,176]", "\"worst_pairs\":[[7,6,175]", "$.worst_pairs[0][2]: not the largest");
    refused(text, "\"worst_pairs\":[[7,6,176],[7,5,175]", "\"worst_pairs\":[[7,5,175],[7,6,176]",
            "not the largest first");
    refused(text, "\"worst_pairs\":[[7,6,176],[7,5,175]", "\"worst_pairs\":[[7,6,176],[7,6,175]", "listed before");
    refused(text, "\"worst_pairs\":[[7,6,176],", "\"worst_pairs\":[[7,6,176],[7,7,176],", "a CPU with itself");
    refused(text, "\"detail\":\"pairs\"", "\"detail\":\"l3\"", "not what detail says");
    refused(text, "\"delta_ticks\":[[null,", "\"delta_ticks\":[[1,", "$.delta_ticks[0][0]: a CPU with itself");
    refused(text, "\"delta_ticks\":[[null,101", "\"delta_ticks\":[[null,102", "not what delta_ticks says");
    refused(text, "\"delta_ticks\":[[null,101", "\"delta_ticks\":[[null,9999", "$.delta_ticks[0][1]: a delta that");
    refused(text, "\"delta_ticks\":[[null,101", "\"delta_ticks\":[[null,-999", "less than a message can take");
    refused(text, "\"delta_ticks\":[[null,101,", "\"delta_ticks\":[[null,", "$.delta_ticks: rows and columns");
    refused(text, "\"offset_ticks\":[", "\"offset_ticks\":[0,", "$.per_cpu.offset_ticks: not a number for each CPU");
    refused(text, "\"as_writer_with\":[7", "\"as_writer_with\":[0", "$.per_cpu.as_writer_with[0]: not another CPU");
    refused(text, "\"corrected_boundary_ticks\":", "\"corrected_boundary_ticks\":1", "$.corrected_boundary_ticks");
    free(text);
}

Test(collection, a_report_without_a_matrix_is_checked_for_contradictions)
{
    size_t bytes;
    char *text = text_of("pack:8 numa:1 l3:8 core:8 pu:1", &bytes, NULL);
    refused(text, "\"median_ticks\":[[", "\"median_ticks\":[[9999", "$.blocks.median_ticks[0][0]: above max_ticks");
    refused(text, "\"max_ticks\":[[", "\"max_ticks\":[[99999", "$.blocks.max_ticks[0][0]: a delta that");
    refused(text, "\"from_first_ticks\":[null,", "\"from_first_ticks\":[null,9999", "$.per_cpu.from_first_ticks[1]");
    refused(text, "\"as_writer_ticks\":[", "\"as_writer_ticks\":[99999", "$.per_cpu.as_writer_ticks[0]: a delta that");
    refused(text, "\"offset_ticks\":[", "\"offset_ticks\":[99999", "$.per_cpu.offset_ticks[0]");
    free(text);
}

Test(collection, a_rounded_matrix_that_contradicts_the_rest_is_refused)
{
    size_t bytes;
    char *text = text_of("pack:2 numa:1 l3:1 core:96 pu:1", &bytes, NULL);
    const char *row = strstr(text, "\"delta_rounded\":[\"");
    char from[40], to[40];
    cr_assert_not_null(row);
    (void)snprintf(from, sizeof from, "%.21s", row);
    for (const char *const *damage = (const char *const[]){"Z", "#", "\"", "  ", "a", NULL}; *damage; damage++) {
        (void)snprintf(to, sizeof to, "%.20s%s", row, *damage);
        refused(text, from, to, (*damage)[0] == '"' ? "line 1" : "$.delta_rounded");
    }
    refused(text, "\"detail\":\"rounded\"", "\"detail\":\"pairs\"", "not what detail says");
    char *codes = text + (row - text) +
                  strlen("\"delta_rounded\":[\""); /* each row has 192 letters, and 3 more separate the rows */
    codes[3 * 195 + 7] = ' ';
    refused(text, "{", "{", "$.delta_rounded[3][7]: a CPU with itself, or one direction");
    codes[7 * 195 + 3] = ' ';
    refused(text, "{", "{", "$.delta_rounded: another number of missing pairs");
    free(text);
}

Test(collection, too_long_or_too_deep_text_is_refused)
{
    enum { DEEP = 90000 };
    struct ordo_collection_report *report;
    char *text = malloc(DEEP);
    memset(text, '[', DEEP);
    cr_expect_eq(ordo_collection_parse(text, DEEP, "FILE", &report, &error), ORDO_E_MALFORMED);
    cr_expect_not_null(strstr(error.text, "depth"), "%s", error.text);
    cr_expect_eq(ordo_collection_parse(text, 100000, "FILE", &report, &error), ORDO_E_MALFORMED);
    cr_expect_not_null(strstr(error.text, "100000 bytes"), "%s", error.text);
    free(text);
}

/* ---- two ---- */

static const struct ordo_compared *row_of(const struct ordo_compared_reports *comparison, const char *name)
{
    for (int i = 0; i < comparison->count; i++)
        if (strcmp(comparison->rows[i].name, name) == 0)
            return &comparison->rows[i];
    cr_assert_fail("no %s", name);
    return NULL;
}

static bool notes(const struct ordo_compared_reports *comparison, const char *text)
{
    for (int i = 0; i < comparison->note_count; i++)
        if (strstr(comparison->notes[i], text))
            return true;
    return false;
}

static void settle_slowly(struct ordo_calibration *made)
{
    settle(made);
    made->tick_hz = 1.3e9;
    made->runs = 100;
}

Test(collection, two_reports_are_compared_in_nanoseconds)
{
    size_t bytes;
    char *text = text_of(SMALL, &bytes, settle), *slow = text_of(SMALL, &bytes, settle_slowly);
    struct ordo_collection_report *a = report_of(text, strlen(text)), *b = report_of(slow, strlen(slow));
    struct ordo_compared_reports comparison;
    ordo_collection_compare(a, b, &comparison);
    cr_expect_float_eq(row_of(&comparison, "boundary_ns")->a, 202 / 2.6, 1e-9);
    cr_expect_float_eq(ordo_collection_factor(row_of(&comparison, "boundary_ns")), 2, 1e-9);
    cr_expect_float_eq(ordo_collection_factor(row_of(&comparison, "delta_core_ns")), 2, 1e-9);
    cr_expect_float_eq(ordo_collection_factor(row_of(&comparison, "drift_width_ppb")), 1, 1e-9);
    cr_expect(notes(&comparison, "ten times more runs") && !notes(&comparison, "different numbers"));
    b->machine.counter_ns = -1;
    b->classes[ORDO_DISTANCE_CORE].delta.median = -5;
    ordo_collection_compare(a, b, &comparison);
    cr_expect(isnan(ordo_collection_factor(row_of(&comparison, "counter_read_ns"))));
    cr_expect_lt(row_of(&comparison, "delta_core_ns")->b, 0, "this is a delta of skewed clocks, not a missing one");
    cr_expect(isnan(ordo_collection_factor(row_of(&comparison, "delta_core_ns"))));
    ordo_collection_free(a);
    ordo_collection_free(b);
    free(text);
    free(slow);
}
