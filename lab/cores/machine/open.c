#include "lab/cores/machine/machine.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/cores/machine/files.h"
#include "lab/cores/machine/matrix.h"
#include "lab/cores/machine/places.h"
#include "lab/cores/machine/shape.h"

enum { MATRIX_BYTES = 64 << 20 }; /* more than the text of the largest matrix */

#define MACHINE_REMEDY "correct the file, after a machine that `ordo-lab cores --list` names"

/* A file on its way to a machine. */
struct draft {
    struct cores_machine machine; /* the result of cores_machine_open */
    char *texts[3];               /* the texts that the machine points to */
    const char *file;             /* the path, for messages */
    struct ordo_json_value *value;
};

static const char *const source_keys[] = {"transfer", "numbering", "memory", "caches", "protocol", "overlap",
                                          "code",     "atomics",   "clock",  "call",   "smt",      NULL};

const char *cores_machine_name(size_t index)
{
    for (size_t i = 0; cores_machine_files[i].name; i++)
        if (i == index)
            return cores_machine_files[i].name;
    return NULL;
}

static int refuse_draft(const struct draft *draft, struct ordo_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses the file of a draft, for the formatted reason. */
static int refuse_draft(const struct draft *draft, struct ordo_error *error, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %s: " MACHINE_REMEDY, draft->file, reason);
}

static const struct cores_file *find_file(const struct cores_file *files, const char *name, size_t length)
{
    while (files->name && (strncmp(files->name, name, length) != 0 || files->name[length] != '\0'))
        files++;
    return files->name ? files : NULL;
}

/* True if a name on the command line is the path of a file. */
static bool is_path(const char *name)
{
    size_t length = strlen(name);
    return strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0);
}

static int load_draft(struct draft *draft, const char *name, struct ordo_error *error)
{
    struct ordo_json_fault fault;
    const struct cores_file *file = find_file(cores_machine_files, name, strlen(name));
    int failed = ORDO_OK;
    draft->file = name;
    if (is_path(name))
        failed = ordo_json_load(name, MACHINE_REMEDY, &draft->value, error);
    else if (!file)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: no machine has this name: `ordo-lab cores --list` names the machines; a path to a "
                              "file has a '/' or ends in .json",
                              name);
    else if (ordo_json_read(file->text, file->bytes, &draft->value, &fault))
        return refuse_draft(draft, error, "%s: %s", fault.path, fault.found);
    if (!failed && ordo_json_check(draft->value, &cores_machine_shape, &fault))
        return refuse_draft(draft, error, "%s: %s", fault.path, fault.found);
    return failed;
}

static uint32_t ps_of(double ns)
{
    return (uint32_t)llround(1000 * ns);
}

static uint32_t ps_at(const struct ordo_json_value *array, size_t index)
{
    return ps_of(ordo_json_number_of(ordo_json_item(array, index), 0));
}

static const struct ordo_json_value *part_of(const struct draft *draft, const char *key)
{
    return ordo_json_part(draft->value, key);
}

/* Reads a matrix in the folder of the draft's file into malloc'ed memory. Returns NULL if it cannot be read. */
static char *text_beside(const struct draft *draft, const char *name, size_t *bytes)
{
    const char *slash = strrchr(draft->file, '/');
    int folder = slash ? (int)(slash + 1 - draft->file) : 0;
    char path[4096], part[4096], *text = NULL;
    (void)snprintf(path, sizeof path, "%.*s%s", folder, draft->file, name);
    FILE *from = fopen(path, "re"), *to = from ? open_memstream(&text, bytes) : NULL;
    for (size_t got = 1, all = 0; to && got > 0 && all <= MATRIX_BYTES;
         all += got) { /* the parser finds that it is cut */
        got = fread(part, 1, sizeof part, from);
        (void)fwrite(part, 1, got, to);
    }
    bool failed = !to || ferror(from);
    failed |= to && fclose(to) != 0;
    if (from)
        (void)fclose(from);
    if (failed) {
        free(text);
        return NULL;
    }
    return text;
}

static int read_file(const struct draft *draft, const char *name, struct cores_matrix *matrix, struct ordo_error *error)
{
    size_t bytes = 0, length = strlen(name) - strlen(".csv");
    char *text = is_path(draft->file) && !strchr(name, '/') ? text_beside(draft, name, &bytes) : NULL;
    const struct cores_file *file = find_file(cores_matrix_files, name, length);
    int failed;
    if (text)
        failed = cores_matrix_read(matrix, name, text, bytes, error);
    else if (file && strcmp(name + length, ".csv") == 0)
        failed = cores_matrix_read(matrix, name, file->text, file->bytes, error);
    else
        failed =
            refuse_draft(draft, error, "$.matrix.file: %s is neither in the folder of the file nor built in", name);
    free(text);
    return failed;
}

static int read_rows(const struct draft *draft, const struct ordo_json_value *rows, struct cores_matrix *matrix,
                     struct ordo_error *error)
{
    int cpus = (int)ordo_json_count(rows), failed = cores_matrix_make(matrix, cpus, error);
    for (int i = 0; i < cpus && !failed; i++) {
        const struct ordo_json_value *row = ordo_json_item(rows, (size_t)i);
        if (ordo_json_count(row) != (size_t)i)
            failed =
                refuse_draft(draft, error, "$.matrix.rows_ns[%d]: %zu items, and not %d", i, ordo_json_count(row), i);
        for (int j = 0; j < i && !failed; j++)
            *cores_matrix_at(matrix, i, j) = *cores_matrix_at(matrix, j, i) = ps_at(row, (size_t)j);
    }
    return failed;
}

/* Takes the CPUs in the ranges of "pick". */
static int pick_cpus(const struct draft *draft, const struct ordo_json_value *ranges, struct cores_matrix *matrix,
                     struct ordo_error *error)
{
    int *pick = calloc((size_t)matrix->cpus + 1, sizeof *pick), count = 0, failed = ORDO_OK;
    if (!pick)
        return ordo_error_errno(error, "%s", draft->file);
    for (size_t i = 0; i < ordo_json_count(ranges) && !failed; i++) {
        int64_t first = ordo_json_whole_at(ordo_json_item(ranges, i), 0, 0);
        int64_t last = ordo_json_whole_at(ordo_json_item(ranges, i), 1, 0);
        if (first > last || last >= matrix->cpus || count + last - first + 1 > matrix->cpus)
            failed = refuse_draft(draft, error, "$.matrix.pick[%zu]: no range of the %d CPUs of the matrix", i,
                                  matrix->cpus);
        for (int64_t cpu = first; cpu <= last && !failed; cpu++)
            pick[count++] = (int)cpu;
    }
    if (!failed)
        failed = cores_matrix_pick(matrix, pick, count, error);
    free(pick);
    return failed;
}

/* Makes an empty matrix of all CPUs, which fill_levels fills when the places of the CPUs are known. */
static int make_levels(const struct draft *draft, struct cores_matrix *matrix, struct ordo_error *error)
{
    int64_t cpus = cores_places_count(part_of(draft, "cpus"));
    if (cpus > CORES_CPUS_MOST)
        return refuse_draft(draft, error, "$.cpus: %lld CPUs, and not 1 to %d", (long long)cpus, CORES_CPUS_MOST);
    return cores_matrix_make(matrix, (int)cpus, error);
}

static int read_matrix(const struct draft *draft, struct cores_matrix *matrix, struct ordo_error *error)
{
    const struct ordo_json_value *from = part_of(draft, "matrix"), *threads = ordo_json_part(from, "threads");
    const struct ordo_json_value *rows = ordo_json_part(from, "rows_ns"), *pick = ordo_json_part(from, "pick");
    const char *file = ordo_json_word(from, "file");
    bool levels = ordo_json_part(from, "levels_ns") != NULL;
    if ((file != NULL) + (rows != NULL) + levels != 1)
        return refuse_draft(draft, error, "$.matrix: not exactly one of \"file\", \"rows_ns\", \"levels_ns\"");
    int failed = file   ? read_file(draft, file, matrix, error)
                 : rows ? read_rows(draft, rows, matrix, error)
                        : make_levels(draft, matrix, error);
    if (!failed && pick)
        failed = pick_cpus(draft, pick, matrix, error);
    if (!failed && threads) {
        int count = (int)ordo_json_whole(threads, "count", 2);
        if (matrix->cpus * count > CORES_CPUS_MOST)
            return refuse_draft(draft, error, "$.matrix.threads: more than %d CPUs", CORES_CPUS_MOST);
        failed = cores_matrix_thread(matrix, count, ps_of(ordo_json_number(threads, "ns", 0)), error);
    }
    return failed;
}

static uint32_t far_ps(const struct draft *draft, const char *key)
{
    return ps_of(ordo_json_number(part_of(draft, "far"), key, 0));
}

static void fill_levels(const struct draft *draft)
{
    const struct cores_machine *machine = &draft->machine;
    const struct ordo_json_value *levels = ordo_json_part(part_of(draft, "matrix"), "levels_ns");
    for (int i = 0; i < machine->cpus && levels; i++)
        for (int j = 0; j < machine->cpus; j++)
            machine->transfer_ps[(size_t)i * (size_t)machine->cpus + (size_t)j] =
                i == j                                       ? 0
                : machine->core[i] == machine->core[j]       ? ps_at(levels, 0)
                : machine->cluster[i] == machine->cluster[j] ? ps_at(levels, 1)
                : machine->node[i] == machine->node[j]       ? ps_at(levels, 2)
                                                             : far_ps(draft, "transfer_ns");
}

static int read_boards(const struct draft *draft, const char *key, const char *far, struct cores_boards *boards,
                       struct ordo_error *error)
{
    const struct ordo_json_value *part = part_of(draft, key), *near = ordo_json_part(part, "near_ns");
    int board = (int)ordo_json_whole(part, "board", 1);
    *boards = (struct cores_boards){.board = board, .far_ps = far_ps(draft, far)};
    if ((board & (board - 1)) != 0 || ordo_json_count(near) != (size_t)(board - 1))
        return refuse_draft(draft, error, "$.%s: a board of %d with %zu times, and not 1, 2, 4, 8 with one fewer", key,
                            board, ordo_json_count(near));
    for (int i = 0; i + 1 < board; i++)
        boards->near_ps[i] = ps_at(near, (size_t)i);
    return ORDO_OK;
}

/* Repeats the machine, as one package, to the number of packages. */
static int repeat_packages(struct draft *draft, struct ordo_error *error)
{
    struct cores_boards boards;
    int count = (int)ordo_json_whole(part_of(draft, "packages"), "count", 1), cpus = draft->machine.cpus;
    int failed = read_boards(draft, "packages", "transfer_ns", &boards, error);
    if (failed || count == 1)
        return failed;
    if (cpus * count > CORES_CPUS_MOST)
        return refuse_draft(draft, error, "$.packages.count: %d CPUs, and not 1 to %d", cpus * count, CORES_CPUS_MOST);
    struct cores_choice *choices = calloc((size_t)(cpus * count), sizeof *choices);
    if (!choices)
        return ordo_error_errno(error, "%s", draft->file);
    for (int i = 0; i < cpus * count; i++)
        choices[i] = (struct cores_choice){i % cpus, i / cpus};
    failed = cores_places_choose(&draft->machine, choices, cpus * count, &boards, 0, error);
    free(choices);
    return failed;
}

static int fill_nodes(struct draft *draft, struct ordo_error *error)
{
    struct cores_machine *machine = &draft->machine;
    struct cores_boards boards;
    uint32_t local = ps_of(ordo_json_number(part_of(draft, "memory"), "local_ns", 0));
    int nodes = machine->nodes, failed = read_boards(draft, "memory", "memory_ns", &boards, error);
    if (failed)
        return failed;
    machine->memory_ps = calloc((size_t)nodes * (size_t)nodes, sizeof *machine->memory_ps);
    if (!machine->memory_ps)
        return ordo_error_errno(error, "%s", draft->file);
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < nodes; j++)
            machine->memory_ps[i * nodes + j] = i == j ? local : cores_boards_apart(&boards, i, j);
    return ORDO_OK;
}

static struct cores_level level_of(const struct ordo_json_value *level)
{
    return (struct cores_level){
        .bytes = (uint64_t)ordo_json_whole(level, "bytes", 0),
        .ways = (int)ordo_json_whole(level, "ways", 0),
        .hit_ps = (uint32_t)ordo_json_whole(level, "hit_ps", 0),
    };
}

static struct cores_range range_of(const struct ordo_json_value *range)
{
    return (struct cores_range){
        .low = (uint32_t)ordo_json_whole_at(range, 0, 0),
        .likely = (uint32_t)ordo_json_whole_at(range, 1, 0),
        .high = (uint32_t)ordo_json_whole_at(range, 2, 0),
    };
}

static uint32_t constant_of(const struct draft *draft, const char *key)
{
    return (uint32_t)ordo_json_whole(draft->value, key, 0);
}

/* The file says null if the TLB is not described. */
static struct cores_pages tlb_of(const struct ordo_json_value *tlb)
{
    return (struct cores_pages){
        .first = (int)ordo_json_whole(tlb, "first", 0),
        .second = (int)ordo_json_whole(tlb, "second", 0),
        .page_bytes = (int)ordo_json_whole(tlb, "page_bytes", 0),
        .second_ps = (uint32_t)ordo_json_whole(tlb, "second_ps", 0),
        .walk_ps = (uint32_t)ordo_json_whole(tlb, "walk_ps", 0),
    };
}

static void fill_constants(struct draft *draft)
{
    struct cores_machine *machine = &draft->machine;
    const char *protocol = ordo_json_word(draft->value, "protocol");
    machine->line_bytes = (int)constant_of(draft, "line_bytes");
    machine->protocol = strcmp(protocol, "MOESI") == 0   ? CORES_MOESI
                        : strcmp(protocol, "MESIF") == 0 ? CORES_MESIF
                                                         : CORES_MESI;
    machine->order = strcmp(ordo_json_word(draft->value, "order"), "TSO") == 0 ? CORES_TSO : CORES_WEAK;
    machine->l1 = level_of(part_of(draft, "l1"));
    machine->l2 = level_of(part_of(draft, "l2"));
    machine->l3 = level_of(part_of(draft, "l3"));
    machine->tlb = tlb_of(part_of(draft, "tlb"));
    machine->transfer_percent = range_of(part_of(draft, "transfer_percent"));
    machine->overlap = range_of(part_of(draft, "overlap"));
    machine->store_entries = (int)constant_of(draft, "store_entries");
    machine->cycle_ps = constant_of(draft, "cycle_ps");
    machine->instruction_ps = constant_of(draft, "instruction_ps");
    machine->mispredict_ps = constant_of(draft, "mispredict_ps");
    machine->call_ps = constant_of(draft, "call_ps");
    machine->wake_ps = constant_of(draft, "wake_ps");
    machine->wake_call_ps = constant_of(draft, "wake_call_ps");
    machine->switch_ps = constant_of(draft, "switch_ps");
    machine->pause_ps = constant_of(draft, "pause_ps");
    machine->update_ps = constant_of(draft, "update_ps");
    machine->fence_ps = constant_of(draft, "fence_ps");
    machine->clock_ps = constant_of(draft, "clock_ps");
    machine->clock_load_ps = constant_of(draft, "clock_load_ps");
    machine->smt_percent = constant_of(draft, "smt_percent");
    machine->clock_hz = (uint64_t)ordo_json_whole(draft->value, "clock_hz", 1);
}

static bool level_is_odd(const struct cores_machine *machine, const struct cores_level *level)
{
    uint64_t set = (uint64_t)level->ways * (uint64_t)machine->line_bytes;
    return level->bytes > 0 && (set == 0 || level->bytes < set || level->hit_ps == 0);
}

static bool range_is_odd(struct cores_range range)
{
    return range.low > range.likely || range.likely > range.high;
}

static int check_constants(const struct draft *draft, struct ordo_error *error)
{
    const struct cores_machine *machine = &draft->machine;
    if ((machine->line_bytes & (machine->line_bytes - 1)) != 0)
        return refuse_draft(draft, error, "$.line_bytes: %d, and not a power of 2", machine->line_bytes);
    if (machine->l1.bytes == 0 || level_is_odd(machine, &machine->l1))
        return refuse_draft(draft, error, "$.l1: no time, or fewer bytes than its ways have");
    if (level_is_odd(machine, &machine->l2) || level_is_odd(machine, &machine->l3))
        return refuse_draft(draft, error, "$.l2 or $.l3: no time, or fewer bytes than its ways have");
    if (machine->tlb.page_bytes & (machine->tlb.page_bytes - 1))
        return refuse_draft(draft, error, "$.tlb.page_bytes: %d, and not a power of 2", machine->tlb.page_bytes);
    if (range_is_odd(machine->transfer_percent) || range_is_odd(machine->overlap))
        return refuse_draft(draft, error, "$.transfer_percent or $.overlap: not low, likely, high");
    return ORDO_OK;
}

/* Refuses a time of 0 between two CPUs or two nodes. */
static int check_times(const struct draft *draft, struct ordo_error *error)
{
    const struct cores_machine *machine = &draft->machine;
    for (int i = 0; i < machine->cpus; i++)
        for (int j = 0; j < machine->cpus; j++)
            if (i != j && machine->transfer_ps[(size_t)i * (size_t)machine->cpus + (size_t)j] == 0)
                return refuse_draft(draft, error, "$.matrix, $.packages or $.far: no time from CPU %d to CPU %d", i, j);
    for (int i = 0; i < machine->nodes * machine->nodes; i++)
        if (machine->memory_ps[i] == 0)
            return refuse_draft(draft, error, "$.memory or $.far: no time from node %d to node %d", i / machine->nodes,
                                i % machine->nodes);
    return ORDO_OK;
}

static int copy_texts(struct draft *draft, const char *name, struct ordo_error *error)
{
    const struct ordo_json_value *sources = part_of(draft, "sources");
    size_t bytes = 0;
    FILE *lines = open_memstream(&draft->texts[2], &bytes);
    for (size_t i = 0; lines && source_keys[i]; i++)
        (void)fprintf(lines, "%s: %s\n", source_keys[i], ordo_json_word(sources, source_keys[i]));
    draft->texts[0] = strdup(name);
    draft->texts[1] = strdup(ordo_json_word(draft->value, "title"));
    if (!lines || fclose(lines) != 0 || !draft->texts[0] || !draft->texts[1])
        return ordo_error_errno(error, "%s", draft->file);
    draft->machine.name = draft->texts[0];
    draft->machine.title = draft->texts[1];
    draft->machine.source = draft->texts[2];
    return ORDO_OK;
}

/* Builds the machine of the document. */
static int build_machine(struct draft *draft, const char *name, struct ordo_error *error)
{
    struct cores_matrix matrix = {0};
    const struct ordo_json_value *cpus = part_of(draft, "cpus");
    int failed = read_matrix(draft, &matrix, error);
    draft->machine.cpus = matrix.cpus;
    draft->machine.transfer_ps = matrix.ps;
    if (failed)
        return failed;
    failed = cores_places_read(&draft->machine, cpus);
    if (failed == ORDO_E_INVALID)
        return refuse_draft(draft, error, "$.cpus: %lld CPUs, and the matrix has %d",
                            (long long)cores_places_count(cpus), matrix.cpus);
    if (failed)
        return ordo_error_errno(error, "%s", draft->file);
    fill_levels(draft);
    fill_constants(draft);
    failed = check_constants(draft, error);
    if (!failed)
        failed = repeat_packages(draft, error);
    if (!failed)
        failed = fill_nodes(draft, error);
    if (!failed)
        failed = check_times(draft, error);
    return failed ? failed : copy_texts(draft, name, error);
}

/* Returns the node with the most CPUs, and their number. */
static int largest_node(const struct cores_machine *machine, int *size)
{
    int largest = 0;
    *size = 0;
    for (int node = 0; node < machine->nodes; node++) {
        int cpus = 0;
        for (int i = 0; i < machine->cpus; i++)
            cpus += machine->node[i] == node;
        if (cpus > *size) {
            *size = cpus;
            largest = node;
        }
    }
    return largest;
}

/* Chooses the CPUs of the machine in their order, then those of its largest node, again and again. */
static void choose_cpus(const struct cores_machine *machine, struct cores_choice *choices, int count)
{
    int size, node = largest_node(machine, &size), chosen = 0;
    for (; chosen < count && chosen < machine->cpus; chosen++)
        choices[chosen] = (struct cores_choice){chosen, 0};
    for (int copy = 1; chosen < count; copy++)
        for (int i = 0; i < machine->cpus && chosen < count; i++)
            if (machine->node[i] == node)
                choices[chosen++] = (struct cores_choice){i, copy};
}

static int resize_machine(struct draft *draft, int cpus, struct ordo_error *error)
{
    const struct cores_boards boards = {.board = 1, .far_ps = far_ps(draft, "transfer_ns")};
    uint32_t memory = far_ps(draft, "memory_ns");
    if (cpus < 1 || cpus > CORES_CPUS_MOST)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: %d CPUs: give 1 to %d", draft->file, cpus,
                              CORES_CPUS_MOST);
    if (cpus > draft->machine.cpus && (boards.far_ps == 0 || memory == 0))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: %d CPUs: no machine of this kind has several packages: give 1 to %d", draft->file,
                              cpus, draft->machine.cpus);
    struct cores_choice *choices = calloc((size_t)cpus, sizeof *choices);
    if (!choices)
        return ordo_error_errno(error, "%s", draft->file);
    choose_cpus(&draft->machine, choices, cpus);
    int failed = cores_places_choose(&draft->machine, choices, cpus, &boards, memory, error);
    free(choices);
    return failed;
}

static void free_draft(struct draft *draft)
{
    free(draft->machine.core);
    free(draft->machine.cluster);
    free(draft->machine.node);
    free(draft->machine.transfer_ps);
    free(draft->machine.memory_ps);
    for (size_t i = 0; i < sizeof draft->texts / sizeof *draft->texts; i++)
        free(draft->texts[i]);
    ordo_json_free(draft->value);
    free(draft);
}

int cores_machine_open(struct cores_machine **machine, const char *name, int cpus, struct ordo_error *error)
{
    struct draft *draft = calloc(1, sizeof *draft);
    *machine = NULL;
    if (!draft)
        return ordo_error_errno(error, "%s", name);
    int failed = load_draft(draft, name, error);
    if (!failed)
        failed = build_machine(draft, name, error);
    if (!failed && cpus != 0 && cpus != draft->machine.cpus)
        failed = resize_machine(draft, cpus, error);
    if (failed)
        free_draft(draft);
    else
        *machine = &draft->machine; /* its first member, so that closing finds the draft again */
    return failed;
}

void cores_machine_close(struct cores_machine *machine)
{
    if (machine)
        free_draft((struct draft *)machine);
}
