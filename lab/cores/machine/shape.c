#include "lab/cores/machine/shape.h"

#include "lab/cores/machine/matrix.h"

#define TEXT " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~"
#define WHOLE(from, to)                                                                                                \
    {                                                                                                                  \
        ORDO_JSON_WHOLE, .least = (from), .most = (to)                                                                 \
    }
#define NS                                                                                                             \
    {                                                                                                                  \
        ORDO_JSON_REAL, .least = 0, .most = 1000000                                                                    \
    }
#define SOURCE                                                                                                         \
    {                                                                                                                  \
        ORDO_JSON_CODES, .least = 10, .most = 1000, .form = TEXT                                                       \
    }

static const char *const schemas[] = {"ordo-machine/1", NULL};
static const char *const digit_words[] = {"thread", "core", "cluster", "node", NULL};
static const char *const protocol_words[] = {"MESI", "MESIF", "MOESI", NULL};
static const char *const order_words[] = {"TSO", "WEAK", NULL};

static const struct ordo_json_shape any_ns = NS;
static const struct ordo_json_shape row = {ORDO_JSON_ARRAY, .most = CORES_CPUS_MOST, .items = &any_ns};
static const struct ordo_json_shape cpu = WHOLE(0, CORES_CPUS_MOST - 1);
static const struct ordo_json_shape cpu_range = {ORDO_JSON_ARRAY, .least = 2, .most = 2, .items = &cpu};
static const struct ordo_json_field thread_fields[] = {{"count", WHOLE(2, 8)}, {"ns", NS}, {NULL, {0}}};
static const struct ordo_json_field matrix_fields[] = {
    {"file", {ORDO_JSON_CODES, .or_null = true, .least = 5, .most = 80, .form = TEXT}},
    {"rows_ns", {ORDO_JSON_ARRAY, .or_null = true, .least = 1, .most = CORES_CPUS_MOST, .items = &row}},
    {"levels_ns", {ORDO_JSON_ARRAY, .or_null = true, .least = 3, .most = 3, .items = &any_ns}},
    {"pick", {ORDO_JSON_ARRAY, .or_null = true, .least = 1, .most = 64, .items = &cpu_range}},
    {"threads", {ORDO_JSON_OBJECT, .or_null = true, .fields = thread_fields}},
    {NULL, {0}},
};

static const struct ordo_json_field digit_fields[] = {
    {"each", {ORDO_JSON_WORD, .words = digit_words}}, {"count", WHOLE(1, CORES_CPUS_MOST)}, {NULL, {0}}};
static const struct ordo_json_shape digit = {ORDO_JSON_OBJECT, .fields = digit_fields};
static const struct ordo_json_shape digits = {ORDO_JSON_ARRAY, .least = 1, .most = 8, .items = &digit};

static const struct ordo_json_field package_fields[] = {
    {"count", WHOLE(1, 64)},
    {"board", WHOLE(1, 8)},
    {"near_ns", {ORDO_JSON_ARRAY, .most = 7, .items = &any_ns}},
    {NULL, {0}},
};

static const struct ordo_json_field memory_fields[] = {
    {"local_ns", NS},
    {"board", WHOLE(1, 8)},
    {"near_ns", {ORDO_JSON_ARRAY, .most = 7, .items = &any_ns}},
    {NULL, {0}},
};

static const struct ordo_json_field far_fields[] = {{"transfer_ns", NS}, {"memory_ns", NS}, {NULL, {0}}};

static const struct ordo_json_field level_fields[] = {
    {"bytes", WHOLE(0, (int64_t)1 << 40)},
    {"ways", WHOLE(0, 64)},
    {"hit_ps", WHOLE(0, 1000000)},
    {NULL, {0}},
};

static const struct ordo_json_field tlb_fields[] = {
    {"first", WHOLE(8, 1 << 20)},     {"second", WHOLE(8, 1 << 20)},   {"page_bytes", WHOLE(4096, 1 << 30)},
    {"second_ps", WHOLE(0, 1000000)}, {"walk_ps", WHOLE(0, 10000000)}, {NULL, {0}},
};

static const struct ordo_json_field source_fields[] = {
    {"transfer", SOURCE}, {"numbering", SOURCE}, {"memory", SOURCE},  {"caches", SOURCE}, {"protocol", SOURCE},
    {"overlap", SOURCE},  {"code", SOURCE},      {"atomics", SOURCE}, {"clock", SOURCE},  {"call", SOURCE},
    {"wake", SOURCE},     {"pause", SOURCE},     {"smt", SOURCE},     {NULL, {0}},
};

static const struct ordo_json_shape range_item = WHOLE(1, 1000);
#define RANGE                                                                                                          \
    {                                                                                                                  \
        ORDO_JSON_ARRAY, .least = 3, .most = 3, .items = &range_item                                                   \
    }
#define LEVEL                                                                                                          \
    {                                                                                                                  \
        ORDO_JSON_OBJECT, .fields = level_fields                                                                       \
    }
#define PS WHOLE(1, 100000000)

static const struct ordo_json_field machine_fields[] = {
    {"schema", {ORDO_JSON_WORD, .words = schemas}},
    {"title", {ORDO_JSON_CODES, .least = 3, .most = 200, .form = TEXT}},
    {"matrix", {ORDO_JSON_OBJECT, .fields = matrix_fields}},
    {"cpus", {ORDO_JSON_ARRAY, .least = 1, .most = 4, .items = &digits}},
    {"packages", {ORDO_JSON_OBJECT, .fields = package_fields}},
    {"memory", {ORDO_JSON_OBJECT, .fields = memory_fields}},
    {"far", {ORDO_JSON_OBJECT, .fields = far_fields}},
    {"line_bytes", WHOLE(64, 256)},
    {"protocol", {ORDO_JSON_WORD, .words = protocol_words}},
    {"order", {ORDO_JSON_WORD, .words = order_words}},
    {"l1", LEVEL},
    {"l2", LEVEL},
    {"l3", LEVEL},
    {"tlb", {ORDO_JSON_OBJECT, .or_null = true, .fields = tlb_fields}},
    {"transfer_percent", RANGE},
    {"overlap", RANGE},
    {"store_entries", WHOLE(1, 256)},
    {"cycle_ps", PS},
    {"instruction_ps", PS},
    {"mispredict_ps", PS},
    {"call_ps", PS},
    {"wake_ps", PS},
    {"wake_call_ps", PS},
    {"switch_ps", PS},
    {"pause_ps", PS},
    {"update_ps", PS},
    {"fence_ps", PS},
    {"clock_ps", PS},
    {"clock_load_ps", PS},
    {"smt_percent", WHOLE(1, 100)},
    {"clock_hz", WHOLE(1000, 100000000000)},
    {"sources", {ORDO_JSON_OBJECT, .fields = source_fields}},
    {NULL, {0}},
};

const struct ordo_json_shape cores_machine_shape = {ORDO_JSON_OBJECT, .fields = machine_fields};
