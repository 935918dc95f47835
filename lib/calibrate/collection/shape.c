#include "calibrate/collection/shape.h"

#include "calibrate/collection/report.h"
#include "calibrate/collection/words.h"

#define MOST ORDO_COLLECTION_MOST
#define CPUS ORDO_COLLECTION_MOST_CPUS
#define PAIRS ((int64_t)CPUS * (CPUS - 1) / 2)
#define ANY_CPU 65535

/* clang-format off */
#define WHOLE(from, to) {ORDO_JSON_WHOLE, .least = (from), .most = (to)}
#define WHOLE_OR_NULL(from, to) {ORDO_JSON_WHOLE, .or_null = true, .least = (from), .most = (to)}
#define REAL_OR_NULL(from, to) {ORDO_JSON_REAL, .or_null = true, .least = (from), .most = (to)}
#define TRUTH {ORDO_JSON_TRUTH, .or_null = false}
#define WORD(list) {ORDO_JSON_WORD, .words = (list)}
#define WORD_OR_NULL(list) {ORDO_JSON_WORD, .or_null = true, .words = (list)}
#define FORM(pattern, name) {ORDO_JSON_FORM, .form = (pattern), .form_name = (name)}
#define FORM_OR_NULL(pattern, name) {ORDO_JSON_FORM, .or_null = true, .form = (pattern), .form_name = (name)}
#define ARRAY(of, from, to) {ORDO_JSON_ARRAY, .least = (from), .most = (to), .items = &(of)}
#define ARRAY_OR_NULL(of, from, to) {ORDO_JSON_ARRAY, .or_null = true, .least = (from), .most = (to), .items = &(of)}
#define OBJECT(of) {ORDO_JSON_OBJECT, .fields = (of)}
#define OBJECT_OR_NULL(of) {ORDO_JSON_OBJECT, .or_null = true, .fields = (of)}
/* clang-format on */

static const char *const schemas[] = {ORDO_COLLECTION_SCHEMA, NULL};
static const char *const distances[] = {"core", "l2", "l3", "package", "numa", "machine", NULL};
static const char *const kinds[] = {"l3", "numa", "package", NULL};

static const struct ordo_json_shape kernel_clock = WORD(ordo_collection_clocks);

static const struct ordo_json_field machine[] = {
    {"architecture", WORD(ordo_collection_architectures)},
    {"vendor", WORD(ordo_collection_vendors)},
    {"family", WHOLE_OR_NULL(0, 65535)},
    {"model", WHOLE_OR_NULL(0, 65535)},
    {"stepping", WHOLE_OR_NULL(0, 65535)},
    {"nominal_hz", WHOLE_OR_NULL(1, INT64_C(100000000000))},
    {"online_cpus", WHOLE_OR_NULL(1, 65536)},
    {"hypervisor", WORD(ordo_collection_hypervisors)},
    {"kernel", FORM_OR_NULL("9.9", "MAJOR.MINOR")},
    {"kernel_clock", WORD_OR_NULL(ordo_collection_clocks)},
    {"kernel_clocks", ARRAY(kernel_clock, 0, ORDO_COLLECTION_CLOCKS)},
    {"counter_read_ns", REAL_OR_NULL(0, 1000000)},
    {"kernel_clock_read_ns", REAL_OR_NULL(0, 1000000)},
    {NULL, {0}},
};

static const struct ordo_json_field topology[] = {
    {"cpus", WHOLE(1, CPUS)},
    {"cores", WHOLE(0, CPUS)},
    {"l2_groups", WHOLE(0, CPUS)},
    {"l3_caches", WHOLE(0, CPUS)},
    {"packages", WHOLE(0, CPUS)},
    {"numa_nodes", WHOLE(0, CPUS)},
    {"threads_per_core", WHOLE(0, CPUS)},
    {NULL, {0}},
};

static const struct ordo_json_shape cpu = WHOLE(0, ANY_CPU);
static const struct ordo_json_shape range = ARRAY(cpu, 2, 2);
static const struct ordo_json_shape group = ARRAY(range, 1, CPUS);

static const struct ordo_json_field groups[] = {
    {"core", ARRAY_OR_NULL(group, 0, CPUS)}, {"l2", ARRAY_OR_NULL(group, 0, CPUS)},
    {"l3", ARRAY_OR_NULL(group, 0, CPUS)},   {"package", ARRAY_OR_NULL(group, 0, CPUS)},
    {"numa", ARRAY_OR_NULL(group, 0, CPUS)}, {NULL, {0}},
};

static const struct ordo_json_field spread[] = {
    {"min", WHOLE(-MOST, MOST)},
    {"median", WHOLE(-MOST, MOST)},
    {"p99", WHOLE(-MOST, MOST)},
    {"max", WHOLE(-MOST, MOST)},
    {NULL, {0}},
};

static const struct ordo_json_field class_fields[] = {
    {"distance", WORD(distances)},           {"pairs", WHOLE(1, PAIRS)},
    {"delta_ticks", OBJECT(spread)},         {"round_trip_ticks", OBJECT(spread)},
    {"proved_offset_ticks", OBJECT(spread)}, {NULL, {0}},
};
static const struct ordo_json_shape class = OBJECT(class_fields);

static const struct ordo_json_shape ticks = WHOLE(-MOST, MOST);
static const struct ordo_json_shape ticks_or_null = WHOLE_OR_NULL(-MOST, MOST);
static const struct ordo_json_shape row = ARRAY(ticks_or_null, 1, CPUS);
static const struct ordo_json_shape codes = {ORDO_JSON_CODES, .least = 1, .most = CPUS,
                                             .form = " #$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"};
static const struct ordo_json_shape pair = ARRAY(ticks, 3, 3);
static const struct ordo_json_shape correction = WHOLE(0, MOST);
static const struct ordo_json_shape cpu_or_null = WHOLE_OR_NULL(0, ANY_CPU);

static const struct ordo_json_field per_cpu[] = {
    {"correction_ticks", ARRAY_OR_NULL(correction, 1, CPUS)},
    {"offset_ticks", ARRAY_OR_NULL(ticks_or_null, 1, CPUS)},
    {"from_first_ticks", ARRAY_OR_NULL(ticks_or_null, 1, CPUS)},
    {"to_first_ticks", ARRAY_OR_NULL(ticks_or_null, 1, CPUS)},
    {"as_writer_ticks", ARRAY_OR_NULL(ticks_or_null, 1, CPUS)},
    {"as_writer_with", ARRAY_OR_NULL(cpu_or_null, 1, CPUS)},
    {"as_reader_ticks", ARRAY_OR_NULL(ticks_or_null, 1, CPUS)},
    {"as_reader_with", ARRAY_OR_NULL(cpu_or_null, 1, CPUS)},
    {NULL, {0}},
};

static const struct ordo_json_field blocks[] = {
    {"of", WORD(kinds)},
    {"median_ticks", ARRAY(row, 1, CPUS)},
    {"max_ticks", ARRAY(row, 1, CPUS)},
    {NULL, {0}},
};

static const struct ordo_json_field document[] = {
    {"schema", WORD(schemas)},
    {"tool_version", FORM("9.9.9", "MAJOR.MINOR.PATCH")},
    {"measured_version", FORM_OR_NULL("9.9.9", "MAJOR.MINOR.PATCH")},
    {"month", FORM("9-9", "YYYY-MM")},
    {"machine", OBJECT(machine)},
    {"clock", WORD(ordo_collection_counters)},
    {"trust", WORD(ordo_collection_trusts)},
    {"forced", TRUTH},
    {"coarse", TRUTH},
    {"tick_hz", WHOLE(1, INT64_C(18000000000))},
    {"boundary_ticks", WHOLE(1, MOST)},
    {"granule_ticks", WHOLE(1, MOST / 4)},
    {"margin_ticks", WHOLE(0, MOST / 4)},
    {"corrected_boundary_ticks", WHOLE_OR_NULL(1, MOST)},
    {"drift_ppb", ARRAY(ticks, 2, 2)},
    {"runs", WHOLE(2, 1000000000)},
    {"repeats", WHOLE(2, 1000)},
    {"parallel", TRUTH},
    {"detail", WORD(ordo_collection_details)},
    {"topology", OBJECT(topology)},
    {"cpus", ARRAY(range, 1, CPUS)},
    {"groups", OBJECT(groups)},
    {"unmeasured_pairs", WHOLE(0, PAIRS)},
    {"distance_classes", ARRAY(class, 0, ORDO_DISTANCES)},
    {"worst_pairs", ARRAY(pair, 0, ORDO_COLLECTION_WORST)},
    {"per_cpu", OBJECT_OR_NULL(per_cpu)},
    {"blocks", OBJECT_OR_NULL(blocks)},
    {"delta_ticks", ARRAY_OR_NULL(row, 1, CPUS)},
    {"delta_rounded", ARRAY_OR_NULL(codes, 1, CPUS)},
    {NULL, {0}},
};

const struct ordo_json_shape ordo_collection_shape = OBJECT(document);
