/* Boundaries for a part of a machine, and corrected clocks, from records of imaginary machines. */
#include <criterion/criterion.h>
#include <ordo/ordo.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "calibrate/bound/conclude.h"
#include "calibrate/record/publish.h"
#include "calibrate/record/scopes.h"
#include "clock_rate.h"
#include "machine/counter/counter.h"
#include "machine/topology/topology.h"

enum { GRANULE = 26, MARGIN = 5, ADDED = GRANULE + MARGIN };

static char directory[] = "/tmp/ordo-scope-XXXXXX", path[64];
static struct ordo_calibration *machine;
static struct ordo_error error;
static struct ordo *nothing; /* the content of a refused handle: all zero */

/* ---- the CPUs that this thread may run on ---- */

static const char *allowed; /* the list of CPUs that is reported to this thread; NULL: the true one */

int __real_sched_getaffinity(pid_t thread, size_t bytes, void *set);

int __wrap_sched_getaffinity(pid_t thread, size_t bytes, void *set)
{
    struct ordo_record_set told;
    if (!allowed)
        return __real_sched_getaffinity(thread, bytes, set);
    cr_assert_eq(ordo_scope_parse(allowed, &told), 0);
    memset(set, 0, bytes);
    memcpy(set, told.words, bytes < sizeof told.words ? bytes : sizeof told.words);
    return 0;
}

/* ---- the machine ---- */

static int64_t latency(const struct ordo_topology *topology, unsigned from, unsigned to)
{
    static const int64_t base[ORDO_DISTANCES] = {50, 80, 100, 500, 900, 1500};
    return base[ordo_topology_distance(topology, from, to)] + from * 7 % 13 + to * 5 % 11;
}

static void begin(const char *description, int64_t skew_of_odd)
{
    struct ordo_topology *topology;
    struct ordo_record_moment now;
    unsigned *cpus;
    int n;
    cr_assert_not_null(mkdtemp(directory));
    (void)snprintf(path, sizeof path, "%s/boundary", directory);
    nothing = calloc(1, sizeof *nothing);
    cr_assert_eq(ordo_topology_open(&topology, description, &error), ORDO_OK);
    cr_assert_eq(ordo_topology_select(topology, NULL, &cpus, &n, &error), ORDO_OK);
    machine = ordo_calibration_new(n);
    cr_assert_eq(ordo_moment_take(&now), 0);
    for (int i = 0; i < n; i++) {
        struct ordo_topology_place place = ordo_topology_locate(topology, cpus[i]);
        machine->cpus[i] = cpus[i];
        machine->places[i] = (struct ordo_place){(uint32_t)place.l3, (uint32_t)place.package, (uint32_t)place.numa, 0};
        for (int j = 0; j < n; j++)
            machine->delta_ticks[i * n + j] =
                i == j ? ORDO_DELTA_NONE : latency(topology, cpus[i], cpus[j]) + (j % 2 - i % 2) * skew_of_odd;
    }
    free(cpus);
    ordo_topology_close(topology);
    machine->tick_hz = 2.6e9;
    machine->granule_ticks = GRANULE;
    machine->margin_ticks = MARGIN;
    machine->as_of_ns = (uint64_t)now.uptime_ns;
    machine->as_of_ticks = now.before_ticks;
    machine->as_of_raw_ns = (uint64_t)now.raw_ns;
    machine->suspended_ns = (uint64_t)now.suspended_low_ns;
    machine->void_after_ns = machine->as_of_ns + UINT64_C(3600000000000);
}

/* Makes 2 packages of 8 L3 caches of 8 cores: CPUs 0-63 and 64-127. */
static void two_packages(void)
{
    begin("pack:2 numa:1 l3:8 core:8 pu:1", 0);
    machine->tick_hz = clock_rate_hz();
}

static void many(void)
{
    begin("pack:4 numa:1 l3:16 core:8 pu:1", 0);
    machine->tick_hz = clock_rate_hz();
}

static void skewed(void)
{
    begin("pack:2 numa:1 l3:2 core:4 pu:1", 100000000);
    machine->tick_hz = clock_rate_hz();
}

static void drop(void)
{
    (void)unlink(path);
    (void)rmdir(directory);
    ordo_calibration_free(machine);
    free(nothing);
}

/* Writes the record. Unless `at` is 0, damages it `at` bytes before its end. */
static void put(size_t at)
{
    unsigned char *bytes;
    size_t count;
    cr_assert_eq(ordo_boundary_conclude(machine, &error), ORDO_OK);
    machine->generation = 1;
    cr_assert_eq(ordo_record_build(machine, (void **)&bytes, &count, &error), ORDO_OK);
    if (at)
        bytes[count - at] ^= 1;
    cr_assert_eq(ordo_file_replace(path, bytes, count, 0644, &error), ORDO_OK);
    free(bytes);
}

/* Returns the expected boundary: the largest delta between CPUs for which `inside` is true, plus ADDED. */
static uint64_t expected(bool (*inside)(unsigned cpu))
{
    int64_t largest = 0;
    for (int i = 0; i < machine->count; i++)
        for (int j = 0; j < machine->count; j++)
            if (i != j && inside(machine->cpus[i]) && inside(machine->cpus[j]))
                largest = ordo_max(largest, machine->delta_ticks[i * machine->count + j]);
    return (uint64_t)largest + ADDED;
}

static bool everywhere(unsigned cpu)
{
    return cpu < UINT32_MAX;
}

static bool in_third_l3(unsigned cpu)
{
    return cpu >= 16 && cpu < 24;
}

static bool in_second_package(unsigned cpu)
{
    return cpu >= 64;
}

static bool on_3_or_100(unsigned cpu)
{
    return cpu == 3 || cpu == 100;
}

/* Expects a refusal whose line contains `word`, and a handle that orders nothing. */
static void refused(struct ordo *o, int code, int expected_code, const char *word)
{
    cr_assert_eq(code, expected_code, "%d: %s", code, error.text);
    cr_assert_eq(error.code, expected_code);
    cr_assert(strstr(error.text, word) && !strchr(error.text, '\n'), "%s", error.text);
    cr_assert_eq(memcmp(o, nothing, sizeof *o), 0);
}

/* ---- scopes ---- */

Test(scope, the_boundary_of_a_cache_covers_only_its_own_pairs, .init = two_packages, .fini = drop)
{
    struct ordo o, whole;
    put(0);
    for (const char *const *where = (const char *const[]){"16-23", "17", "18,23", NULL}; *where; where++) {
        allowed = *where;
        cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_OK, "%s", error.text);
        cr_assert_eq(ordo_boundary(&o), expected(in_third_l3));
        cr_assert_eq(ordo_status(&o), ORDO_STATUS_VALID);
        ordo_close(&o);
    }
    cr_assert_eq(ordo_open_error(&whole, path, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&whole), expected(everywhere));
    cr_assert_gt(ordo_boundary(&whole), 5 * expected(in_third_l3));
    ordo_close(&whole);
}

Test(scope, a_thread_on_two_caches_cannot_use_cache_scope, .init = two_packages, .fini = drop)
{
    struct ordo o;
    put(0);
    allowed = "64,120";
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_E_CPUS, "cpu 64 and cpu 120, which share no l3");
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_PACKAGE, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), expected(in_second_package));
    ordo_close(&o);
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_NUMA, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), expected(in_second_package));
    ordo_close(&o);
    allowed = "3,100";
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_PACKAGE, &error), ORDO_E_CPUS, "share no package");
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_NUMA, &error), ORDO_E_CPUS, "share no numa");
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_ALLOWED, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), expected(on_3_or_100));
    ordo_close(&o);
    refused(&o, ordo_open_scope(&o, path, 0, &error), ORDO_E_INVALID, "scope");
    refused(&o, ordo_open_scope(&o, path, 5, &error), ORDO_E_INVALID, "scope");
    allowed = "3,128";
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_ALLOWED, &error), ORDO_E_CPUS, "cpu 128");
}

Test(scope, a_scope_that_the_machine_lacks_is_refused, .init = two_packages, .fini = drop)
{
    struct ordo o;
    for (int i = 0; i < machine->count; i++)
        machine->places[i].l3 = ORDO_PLACE_NONE;
    put(0);
    allowed = "3";
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_E_UNMEASURED, "cpu 3 is in no l3");
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_PACKAGE, NULL), ORDO_OK);
    ordo_close(&o);
}

/* A record may name CPUs whose numbers are too high for a CPU set of the reader. */
Test(scope, a_cpu_beyond_the_size_of_a_set_is_ignored, .init = two_packages, .fini = drop)
{
    static struct {
        struct ordo_record_set set;
        unsigned long behind[1024];
    } box;
    struct ordo_record_set alone = {{0}};
    struct ordo_record_view view;
    const void *bytes = NULL;
    size_t count = 0;
    machine->cpus[machine->count - 1] = ORDO_RECORD_MOST_CPUS + 64 * 10 + 1;
    put(0);
    ordo_record_set_add(&alone, 64);
    cr_assert_eq(ordo_record_map(path, &bytes, &count, &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert_eq(ordo_scope_set(&view, ORDO_SCOPE_PACKAGE, &alone, &box.set, &error), ORDO_OK, "%s", error.text);
    cr_assert(ordo_record_set_has(&box.set, 126) && !ordo_record_set_has(&box.set, 127));
    cr_assert(ordo_record_all_zero(box.behind, sizeof box.behind), "written behind the set");
    (void)munmap((void *)(uintptr_t)bytes, count);
}

Test(scope, a_list_of_cpus_has_the_boundary_of_its_pairs, .init = two_packages, .fini = drop)
{
    struct ordo o;
    static const char *const wrong[] = {"", "x", "0-", "3-1", "1,,2", "1,", "-1", "0 1", "1234567"};
    put(0);
    allowed = "200"; /* ordo_open_cpus does not depend on the affinity */
    cr_assert_eq(ordo_open_cpus(&o, path, "100,3", &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), expected(on_3_or_100));
    ordo_close(&o);
    cr_assert_eq(ordo_open_cpus(&o, path, "16-19,20-23", &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), expected(in_third_l3));
    ordo_close(&o);
    cr_assert_eq(ordo_open_cpus(&o, path, "7", &error), ORDO_OK, "%s", error.text);
    cr_assert_eq(ordo_boundary(&o), ADDED);
    ordo_close(&o);
    refused(&o, ordo_open_cpus(&o, path, "0-128", &error), ORDO_E_CPUS, "cpu 128");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refused(&o, ordo_open_cpus(&o, path, wrong[i], &error), ORDO_E_INVALID, "not a list of CPUs");
    refused(&o, ordo_open_cpus(&o, path, NULL, &error), ORDO_E_INVALID, "not a list of CPUs");
}

Test(scope, an_unmeasured_pair_is_in_no_scope, .init = two_packages, .fini = drop)
{
    struct ordo o;
    machine->delta_ticks[17 * machine->count + 20] = ORDO_DELTA_NONE;
    put(0);
    allowed = "16";
    refused(&o, ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_E_UNMEASURED, "cpu 17 and cpu 20");
    refused(&o, ordo_open_cpus(&o, path, "17,20", &error), ORDO_E_UNMEASURED, "cpu 17 and cpu 20");
    refused(&o, ordo_open_error(&o, path, &error), ORDO_E_UNMEASURED, "all CPUs");
    struct ordo_corrected c;
    refused(&c.handle, ordo_open_corrected(&c, path, &error), ORDO_E_UNMEASURED, "all CPUs");
    cr_assert_eq(ordo_open_cpus(&o, path, "17,21", &error), ORDO_OK, "%s", error.text);
    cr_assert(ordo_flags(&o) & ORDO_FLAG_PARTIAL);
    ordo_close(&o);
}

/* In the file, the matrix is the first part and the corrections are the last: [MATRIX ... CORRECTIONS]. */
Test(scope, a_part_of_a_record_is_read_only_when_needed, .init = many, .fini = drop)
{
    struct ordo o;
    size_t matrix = 512 * 512 * sizeof(int64_t), behind = sizeof(struct ordo_corrections) + 512 * 16;
    cr_assert_eq(machine->count, 512);
    allowed = "0-511";
    for (int part = 0; part < 3; part++) {
        put(part == 0 ? behind + matrix / 2 : part == 1 ? sizeof(struct ordo_corrections) + 64 : 8);
        cr_assert_eq(ordo_open_error(&o, path, &error), ORDO_OK, "%s", error.text);
        ordo_close(&o);
        cr_assert_eq(ordo_open_cpus(&o, path, "0-511", &error), part == 0 ? ORDO_E_CHECKSUM : ORDO_OK, "%d", part);
        ordo_close(&o);
        struct ordo_corrected c;
        int code = ordo_open_corrected(&c, path, &error);
        cr_assert_eq(code == ORDO_E_CHECKSUM, part == 2, "%d: %d", part, code);
        ordo_close_corrected(&c);
    }
    allowed = "9";
    put(sizeof(struct ordo_corrections) + 64);
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_E_CHECKSUM);
    put(0);
    cr_assert_eq(ordo_open_scope(&o, path, ORDO_SCOPE_L3, &error), ORDO_OK, "%s", error.text);
    ordo_close(&o);
}

Test(scope, the_checksum_of_a_part_covers_every_word)
{
    uint64_t words[37] = {0}, whole = ordo_record_fold(words, sizeof words);
    for (int i = 0; i < 37; i++)
        for (int bit = 0; bit < 64; bit++) {
            words[i] ^= UINT64_C(1) << bit;
            cr_assert_neq(ordo_record_fold(words, sizeof words), whole);
            words[i] ^= UINT64_C(1) << bit;
        }
    for (size_t bytes = 0; bytes < sizeof words; bytes += 8)
        cr_assert_neq(ordo_record_fold(words, bytes), whole);
    words[5] ^= UINT64_C(1) << 63, words[9] ^= UINT64_C(1) << 63; /* two errors in the same lane of the checksum */
    cr_assert_neq(ordo_record_fold(words, sizeof words), whole);
}

/* Changes one word in a record's list of parts, corrects all checksums, and parses the record. Returns the code. */
static int parse_with(size_t word, uint64_t value)
{
    unsigned char *bytes;
    struct ordo_record_view view;
    size_t count;
    cr_assert_eq(ordo_boundary_conclude(machine, &error), ORDO_OK);
    cr_assert_eq(ordo_record_build(machine, (void **)&bytes, &count, &error), ORDO_OK);
    struct ordo_record *head = (struct ordo_record *)(void *)bytes;
    cr_assert_eq(ordo_record_parse(bytes, count, &view), ORDO_OK);
    cr_assert_eq(view.parts_bytes, 3 * sizeof(struct ordo_part));
    memcpy(bytes + (view.parts - bytes) + 8 * word, &value, sizeof value);
    head->checksum = ordo_record_checksum(bytes + ORDO_RECORD_SEALED, head->sealed_bytes - ORDO_RECORD_SEALED);
    int code = ordo_record_parse(bytes, count, &view);
    free(bytes);
    return code;
}

Test(scope, the_parts_of_a_record_must_follow_its_sections, .init = two_packages, .fini = drop)
{
    enum { TYPE, OFFSET, BYTES };
    cr_assert_eq(parse_with(TYPE, 77), ORDO_OK);
    cr_assert_eq(parse_with(TYPE, 77 | ORDO_SECTION_CRITICAL), ORDO_E_SECTION);
    cr_assert_eq(parse_with(TYPE, UINT64_C(1) << 32 | 1), ORDO_E_MALFORMED);
    cr_assert_eq(parse_with(OFFSET, 0), ORDO_E_MALFORMED);
    cr_assert_eq(parse_with(OFFSET, 8), ORDO_E_MALFORMED);
    cr_assert_eq(parse_with(OFFSET, UINT64_C(1) << 63), ORDO_E_MALFORMED);
    cr_assert_eq(parse_with(BYTES, UINT64_MAX - 7), ORDO_E_MALFORMED);
    cr_assert_eq(parse_with(BYTES, 4), ORDO_E_MALFORMED);
}

/* ---- corrected clocks ---- */

Test(corrected, corrections_remove_an_offset_from_the_boundary, .init = skewed, .fini = drop)
{
    struct ordo plain;
    struct ordo_corrected c;
    put(0);
    allowed = "0-7";
    cr_assert_eq(ordo_open_error(&plain, path, &error), ORDO_OK, "%s", error.text);
    int code = ordo_open_corrected(&c, path, &error);
    if (code == ORDO_E_CLOCK)
        cr_skip_test("no clock of this machine names its CPU");
    cr_assert_eq(code, ORDO_OK, "%s", error.text);
    cr_assert_geq(ordo_boundary(&plain), 100000000);
    cr_assert_lt(ordo_boundary(&c.handle), 2000);
    cr_assert_eq(ordo_boundary(&c.handle), machine->corrected_boundary_ticks);
    cr_assert(ordo_flags(&c.handle) & ORDO_FLAG_CORRECTED);
    cr_assert_eq(ordo_status(&c.handle), ORDO_STATUS_VALID);
    for (int i = 0; i < machine->count; i++)
        cr_assert_eq(c.handle.corrections[machine->cpus[i]], machine->correction_ticks[i]);
    cr_assert_eq((uintptr_t)c.handle.corrections % 64, 0, "eight CPUs to a cache line");
    ordo_corrected_time a = ordo_get_time_corrected(&c), b = ordo_get_time_corrected_full(&c);
    cr_assert_neq(ordo_cmp_time_corrected(&c, a, b), 1);
    ordo_close(&plain);
    ordo_close_corrected(&c);
    cr_assert_eq(memcmp(&c.handle, nothing, sizeof c.handle), 0);
    cr_assert_eq(ordo_cmp_time_corrected(&c, (ordo_corrected_time){1}, (ordo_corrected_time){UINT64_MAX}), 0);
    (void)ordo_get_time_corrected(&c);
}

Test(corrected, a_read_adds_the_correction_of_its_cpu)
{
    static int64_t table[ORDO_CORRECTED_CPUS];
    struct ordo_corrected c = ORDO_CORRECTED_INIT(100, 1000000000, table);
#if defined ORDO_CLOCK_KNOWS_CPU
    int looked = 0;
    for (int cpu = 0; cpu < (int)ORDO_CORRECTED_CPUS; cpu++)
        table[cpu] = (int64_t)(cpu + 1) << 48;
    for (int i = 0; i < 100; i++) {
        unsigned before, after;
        (void)ordo_clock_read_cpu(&before);
        uint64_t one = ordo_get_time_corrected(&c).ticks, other = ordo_get_time_corrected_full(&c).ticks;
        (void)ordo_clock_read_cpu(&after);
        if (before != after ||
            before != (unsigned)sched_getcpu()) /* for example in a guest whose host has not set the CPU's number */
            continue;
        looked++;
        cr_assert_eq(one >> 48, before + 1); /* bits of the correction, which no counter reaches within years */
        cr_assert_eq(other >> 48, before + 1);
    }
    if (looked == 0)
        cr_skip_test("the clock of this machine does not name its CPU");
#endif
    cr_assert_eq(ordo_status(&c.handle), ORDO_STATUS_CONSTANT);
    cr_assert_eq(ordo_cmp_time_corrected(&c, (ordo_corrected_time){300}, (ordo_corrected_time){199}), 1);
    cr_assert_eq(ordo_cmp_time_corrected(&c, (ordo_corrected_time){300}, (ordo_corrected_time){200}), 0);
    cr_assert_eq(ordo_cmp_time_corrected(&c, (ordo_corrected_time){199}, (ordo_corrected_time){300}), -1);
}

/* ---- the published scopes ---- */

struct seen {
    int l3, packages, nodes, unmeasured;
};

static int see(void *context, const struct ordo_scope_found *scope)
{
    struct seen *seen = context;
    seen->l3 += strcmp(scope->kind, "l3") == 0;
    seen->packages += strcmp(scope->kind, "package") == 0;
    seen->nodes += strcmp(scope->kind, "numa") == 0;
    seen->unmeasured += scope->boundary_ticks == 0;
    if (strcmp(scope->kind, "l3") == 0 && scope->cpus[0] == 16) {
        cr_assert_eq(scope->count, 8);
        cr_assert_eq((uint64_t)scope->boundary_ticks, expected(in_third_l3));
    }
    return 0;
}

Test(scope, all_scopes_are_listed, .init = two_packages, .fini = drop)
{
    struct seen seen = {0};
    struct ordo_scopes scopes = ordo_scopes_of(machine);
    cr_assert_eq(ordo_scopes_visit(&scopes, see, &seen), 0);
    cr_assert(seen.l3 == 16 && seen.packages == 2 && seen.nodes == 2 && seen.unmeasured == 0);
    machine->delta_ticks[3] = ORDO_DELTA_NONE; /* the pair is in one L3, one package and one NUMA node */
    cr_assert_eq(ordo_scopes_visit(&scopes, see, &seen), 0);
    cr_assert_eq(seen.unmeasured, 3);
}
