/* ordo show: prints a boundary record, and whether the record is usable on this machine at present. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/record.h>

#include "calibrate/record/publish.h"
#include "calibrate/report/scopes.h"
#include "common/age.h"
#include "common/place.h"
#include "common/report.h"
#include "machine/topology/topology.h"
#include "json/builder.h"

struct options {
    const char *path;
    bool json, boundary_ns;
};

enum { JSON = 1, BOUNDARY_NS };

static const struct argp_option argp_options[] = {
    {"json", JSON, NULL, 0, "Print the record as JSON (schema ordo-record/1)", 0},
    {"boundary-ns", BOUNDARY_NS, NULL, 0,
     "Print only the boundary in nanoseconds, rounded up; nothing if the record is refused", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(BOUNDARY_NS, "--boundary-ns", struct options, boundary_ns),
    {0},
};

static error_t parse_show(int key, char *argument, struct argp_state *state)
{
    struct options *options = state->input;
    switch (key) {
    case ARGP_KEY_END:
        if (options->json && options->boundary_ns)
            cli_wrong(state, "--json and --boundary-ns: give one of them, not both");
        return 0;
    case ARGP_KEY_ARG:
        if (options->path)
            cli_wrong(state, "'%s': a second FILE, but only one record can be shown: leave it out", argument);
        options->path = argument;
        return 0;
    default:
        return cli_store(stores, key, argument, state);
    }
}

static const char *status_word(uint64_t status)
{
    return status == ORDO_RECORD_VALID        ? "valid"
           : status == ORDO_RECORD_SUPERSEDED ? "superseded"
           : status == ORDO_RECORD_DISRUPTED  ? "disrupted"
                                              : "damaged";
}

static const char *clock_word(uint32_t clock)
{
    static const char *const names[] = {"unknown", "tsc", "cntvct", "time", "monotonic"};
    return names[clock < sizeof names / sizeof *names ? clock : 0];
}

static int list_record_cpus(const struct ordo_record_view *view, unsigned **cpus)
{
    int count = 0;
    *cpus = calloc(view->cpus_bytes * 8 + 1, sizeof **cpus);
    for (unsigned long cpu = 0; *cpus && cpu < view->cpus_bytes * 8; cpu++)
        if (ordo_record_covers(view, cpu))
            (*cpus)[count++] = (unsigned)cpu;
    return count;
}

/* The parts of a record after its head: the matrix, the topology of the CPUs, and the corrections. */
struct parts {
    struct ordo_scopes scopes; /* count == 0: the record has no matrix */
    unsigned *cpus;
    int count;
    int64_t *corrections; /* one per CPU */
    uint64_t corrected_boundary_ticks;
};

static void find_scopes(const struct ordo_record_view *view, struct parts *parts)
{
    const void *matrix, *places;
    size_t matrix_bytes, places_bytes, n = ordo_scope_covered(view);
    if (ordo_record_part(view, ORDO_PART_MATRIX, &matrix, &matrix_bytes) || matrix_bytes / 8 != (uint64_t)n * n ||
        ordo_record_part(view, ORDO_PART_PLACES, &places, &places_bytes) ||
        places_bytes / sizeof(struct ordo_place) != n)
        return;
    parts->scopes = (struct ordo_scopes){(int)n, parts->cpus, places, matrix,
                                         (int64_t)(view->head.granule_ticks + view->head.margin_ticks)};
}

static void find_corrections(const struct ordo_record_view *view, struct parts *parts)
{
    const struct ordo_corrections *found;
    if (ordo_corrected_find(view, &found) || parts->cpus[parts->count - 1] >= ORDO_CORRECTED_CPUS)
        return;
    parts->corrected_boundary_ticks = found->boundary_ticks;
    for (int i = 0; i < parts->count; i++)
        parts->corrections[i] = found->ticks[parts->cpus[i]];
}

/* Reads the parts. A missing or damaged part stays empty. Returns -1 if out of memory. */
static int find_parts(const struct ordo_record_view *view, struct parts *parts)
{
    *parts = (struct parts){.count = 0};
    parts->count = list_record_cpus(view, &parts->cpus);
    parts->corrections = calloc((size_t)parts->count + 1, sizeof *parts->corrections);
    if (!parts->cpus || !parts->corrections)
        return -1;
    if (parts->count > 0) {
        find_scopes(view, parts);
        find_corrections(view, parts);
    }
    return 0;
}

static void drop_parts(struct parts *parts)
{
    free(parts->cpus);
    free(parts->corrections);
}

/* Returns the clock that the record is judged by. */
static uint32_t clock_beside(const struct ordo_record *head)
{
    return ordo_record_clock_is_kernels(head->clock) ? ORDO_CLOCK_MONOTONIC : ORDO_CLOCK_ID;
}

/* The record of the kernel's clock. The output for the counter's record mentions it. */
struct beside {
    char path[PATH_MAX];
    int code; /* ORDO_E_MISSING: no record */
    struct ordo_error error;
    struct ordo_record head;
};

static void look_beside(const char *path, struct beside *beside)
{
    struct ordo_record_view view;
    const void *bytes;
    size_t count;
    *beside = (struct beside){.code = ORDO_E_MISSING};
    if (!ordo_record_clock_is_kernels(ORDO_CLOCK_MONOTONIC) ||
        ordo_record_path_of(ORDO_CLOCK_MONOTONIC, path, beside->path, sizeof beside->path, NULL))
        return;
    beside->code = ordo_record_map(beside->path, &bytes, &count, &beside->error);
    if (beside->code)
        return;
    beside->code = ordo_record_parse(bytes, count, &view);
    if (beside->code)
        (void)ordo_record_refuse(&beside->error, beside->code, 0, beside->path);
    else
        beside->code = ordo_record_applies_by(&view, ORDO_CLOCK_MONOTONIC, &beside->error);
    beside->head = view.head;
    (void)munmap((void *)(uintptr_t)bytes, count);
}

static void print_beside(const struct beside *beside)
{
    if (beside->code == ORDO_E_MISSING)
        printf("kernel's clock none: run 'ordo calibrate' for it, if programs use <ordo/any.h>\n");
    else if (beside->code)
        printf("kernel's clock %s\n", beside->error.text);
    else
        printf("kernel's clock ORDO_BOUNDARY %" PRIu64 " ns, generation %" PRIu64 ", holds here and now\n",
               beside->head.boundary_ticks, beside->head.generation);
}

static struct ordo_json beside_object(const struct beside *beside)
{
    if (beside->code == ORDO_E_MISSING)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "path", beside->path);
    ordo_json_put_bool(&object, "usable", beside->code == ORDO_OK);
    ordo_json_put_text(&object, "reason", beside->code ? beside->error.text : "");
    ordo_json_put_int(&object, "boundary_ns", (int64_t)beside->head.boundary_ticks);
    ordo_json_put_int(&object, "generation", (int64_t)beside->head.generation);
    return object;
}

static void uuid_text(const unsigned char id[16], char text[40])
{
    char *at = text;
    for (int i = 0; i < 16; i++)
        at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
}

static void print_show(const char *path, const struct ordo_record_view *view, int code, const char *reason)
{
    const struct ordo_record *head = &view->head;
    unsigned *cpus;
    char cpu_text[400], machine[400], boot_id[40], age[48];
    int count = list_record_cpus(view, &cpus);
    ordo_topology_format_cpus(cpus, cpus ? count : 0, cpu_text, sizeof cpu_text);
    free(cpus);
    uuid_text(head->boot_id, boot_id);
    printf("%s: %s\n", cli_show(path), code ? reason : "holds here and now");
    printf("ORDO_BOUNDARY  %" PRIu64 " ticks (%" PRIu64 " ns), of it granule %" PRIu64 " and margin %" PRIu64 "\n",
           head->boundary_ticks, ordo_record_ticks_to_ns(head->boundary_ticks, head->tick_hz), head->granule_ticks,
           head->margin_ticks);
    printf("clock          %s, %" PRIu64 " Hz\n", clock_word(head->clock), head->tick_hz);
    printf("cpus           %s\n", cpu_text);
    (void)snprintf(machine, sizeof machine, "%.*s", (int)view->machine_bytes, view->machine ? view->machine : "");
    printf("machine        %s\n", cli_show(machine));
    printf("flags          %s%s%s%s%s\n", head->flags & ORDO_FLAG_HYPERVISOR ? "hypervisor " : "",
           head->flags & ORDO_FLAG_COARSE ? "coarse " : "", head->flags & ORDO_FLAG_PARTIAL ? "partial " : "",
           head->flags & ORDO_FLAG_FORCED ? "forced " : "", head->flags & ~(uint64_t)ORDO_FLAGS_TRUST ? "" : "none");
    printf("trust          %s\n", ordo_trust_word(ordo_trust_of_flags(head->flags)));
    printf("drift          between %" PRId64 " and %" PRId64 " ppb between any two CPUs\n", head->drift_min_ppb,
           head->drift_max_ppb);
    printf("method         %" PRIu64 " runs per direction in %" PRIu32 " sweeps, %s\n", head->runs, head->repeats,
           head->method == ORDO_METHOD_TOURNAMENT ? "disjoint pairs together" : "one pair at a time");
    printf("status         %s, generation %" PRIu64 ", by ordo %.16s\n", status_word(head->status), head->generation,
           head->tool_version);
    printf("boot           %s\n", boot_id);
    printf("as of          %.2f s after boot%s\nvoid after     %.2f s after boot\n", (double)head->as_of_ns / 1e9,
           cli_age_text(cli_age_ns(head), age), (double)head->void_after_ns / 1e9);
}

/* Prints the boundaries of parts of the machine, and the boundary of corrected clocks. */
static int print_parts(const struct ordo_record_view *view)
{
    struct parts parts;
    double tick_hz = (double)view->head.tick_hz;
    int failed = find_parts(view, &parts);
    if (!failed && parts.scopes.count > 1)
        failed = ordo_report_write_scopes(stdout, &parts.scopes, tick_hz);
    if (!failed && view->head.flags & ORDO_FLAG_PARTIAL)
        printf("NOT MEASURED: some pairs of CPUs (--json lists them): no boundary for all CPUs\n");
    if (!failed && parts.corrected_boundary_ticks && parts.count > 1)
        ordo_report_write_corrected(stdout, view->head.boundary_ticks, parts.corrected_boundary_ticks, tick_hz);
    drop_parts(&parts);
    return failed;
}

static int put_parts(struct ordo_json *document, const struct ordo_record_view *view)
{
    struct parts parts;
    double tick_hz = (double)view->head.tick_hz;
    int failed = find_parts(view, &parts);
    if (!failed) {
        ordo_report_put_scopes(document, &parts.scopes, tick_hz);
        ordo_report_put_corrections(document, parts.corrections, parts.count, parts.corrected_boundary_ticks, tick_hz);
    }
    drop_parts(&parts);
    return failed;
}

static struct ordo_json cpu_array(const struct ordo_record_view *view)
{
    struct ordo_json array = ordo_json_array();
    unsigned *cpus;
    int count = list_record_cpus(view, &cpus);
    for (int i = 0; cpus && i < count; i++)
        ordo_json_add(&array, ordo_json_int(cpus[i]));
    free(cpus);
    return array;
}

static void put_flags(struct ordo_json *document, uint64_t flags)
{
    ordo_json_put_bool(document, "hypervisor", (flags & ORDO_FLAG_HYPERVISOR) != 0);
    ordo_json_put_bool(document, "coarse", (flags & ORDO_FLAG_COARSE) != 0);
    ordo_json_put_bool(document, "corrected", (flags & ORDO_FLAG_CORRECTED) != 0);
    ordo_json_put_bool(document, "partial", (flags & ORDO_FLAG_PARTIAL) != 0);
    ordo_json_put_bool(document, "forced", (flags & ORDO_FLAG_FORCED) != 0);
    ordo_json_put_text(document, "trust", ordo_trust_word(ordo_trust_of_flags(flags)));
}

static int print_show_json(const char *path, const struct ordo_record_view *view, const struct beside *beside, int code,
                           const char *reason)
{
    const struct ordo_record *head = &view->head;
    int64_t age = cli_age_ns(head);
    char boot_id[40];
    uuid_text(head->boot_id, boot_id);
    struct ordo_json document = ordo_json_document("ordo-record/1");
    ordo_json_put_text(&document, "path", path);
    ordo_json_put_bool(&document, "usable", code == ORDO_OK);
    ordo_json_put_text(&document, "reason", code ? reason : "");
    ordo_json_put_int(&document, "boundary_ticks", (int64_t)head->boundary_ticks);
    ordo_json_put_int(&document, "tick_hz", (int64_t)head->tick_hz);
    ordo_json_put_text(&document, "clock", clock_word(head->clock));
    ordo_json_put(&document, "cpus", cpu_array(view));
    ordo_json_put_int(&document, "granule_ticks", (int64_t)head->granule_ticks);
    ordo_json_put_int(&document, "margin_ticks", (int64_t)head->margin_ticks);
    ordo_json_put_ints(&document, "drift_ppb", head->drift_min_ppb, head->drift_max_ppb);
    if (put_parts(&document, view))
        document.failed = true;
    put_flags(&document, head->flags);
    ordo_json_put_int(&document, "runs", (int64_t)head->runs);
    ordo_json_put_int(&document, "repeats", head->repeats);
    ordo_json_put_text(&document, "status", status_word(head->status));
    ordo_json_put_int(&document, "generation", (int64_t)head->generation);
    ordo_json_put_text(&document, "boot_id", boot_id);
    ordo_json_put_int(&document, "as_of_ns", (int64_t)head->as_of_ns);
    ordo_json_put_int(&document, "void_after_ns", (int64_t)head->void_after_ns);
    ordo_json_put(&document, "age_ns", age < 0 ? ordo_json_null() : ordo_json_int(age));
    ordo_json_put(&document, "monotonic", beside_object(beside));
    return ordo_json_write(&document, stdout);
}

static void print_boundary_ns(const struct ordo_record *head)
{
    uint64_t ns = ordo_record_ticks_to_ns(head->boundary_ticks, head->tick_hz);
    bool exact = (unsigned __int128)ns * head->tick_hz == (unsigned __int128)head->boundary_ticks * 1000000000u;
    printf("%" PRIu64 "\n", ns + !exact);
}

/* Reports the failure, and mentions the record of the kernel's clock, because a machine whose counter is refused has
 * only that record. */
static int fail_to_read(const char *program, const char *path, const struct ordo_error *error)
{
    struct beside beside;
    int exit_code = cli_fail(EXIT_UNKNOWN, program, error->text);
    look_beside(path, &beside);
    if (!beside.code)
        fprintf(stderr, "%s: the kernel's clock has a record that holds: ordo show %s\n", program,
                cli_show(beside.path));
    return exit_code;
}

/* True if enough of the record could be read to print it, even if programs refuse the record. */
static bool printable(int code)
{
    return code == ORDO_OK || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED || code == ORDO_E_BOUNDARY;
}

static int run_show(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_show,
        "[FILE]",
        "Prints the boundary record FILE, or the record that ordo_open would open, and whether the kernel's clock has "
        "a record next to it (FILE.monotonic).\vExit status: 0 the record holds here and now; 2 the record is refused "
        "(the reason is printed); 64 usage.",
        NULL,
        NULL,
        NULL};
    struct options options = {0};
    struct ordo_record_view view;
    struct beside beside;
    struct ordo_error error = {0};
    const void *bytes;
    size_t count;
    char buffer[4096];
    cli_parse(&argp, argc, argv, &options);
    const char *path = cli_find_record(argv[0], options.path, options.boundary_ns, buffer, sizeof buffer);
    if (ordo_record_map(path, &bytes, &count, &error))
        return fail_to_read(argv[0], path, &error);
    int code = ordo_record_parse(bytes, count, &view);
    if (code)
        (void)ordo_record_refuse(&error, code, 0, path);
    if (!printable(code))
        return cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    if (!code)
        code = ordo_record_applies_by(&view, clock_beside(&view.head), &error);
    look_beside(path, &beside);
    if (options.json && print_show_json(path, &view, &beside, code, error.text))
        return cli_fail_output(argv[0]);
    if (options.boundary_ns && code)
        (void)cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    else if (options.boundary_ns)
        print_boundary_ns(&view.head);
    else if (!options.json) {
        print_show(path, &view, code, error.text);
        if (!ordo_record_clock_is_kernels(view.head.clock))
            print_beside(&beside);
        if (print_parts(&view))
            return cli_fail(EXIT_INTERNAL, argv[0], "out of memory");
    }
    (void)munmap((void *)(uintptr_t)bytes, count);
    int exit_code = cli_close_stdout(argv[0]);
    return exit_code ? exit_code : code ? EXIT_UNKNOWN : EXIT_OK;
}

const struct command command_show = {
    .name = "show",
    .title = "print a boundary record and whether it holds here and now",
    .schema = "ordo-record/1",
    .run = run_show,
};
