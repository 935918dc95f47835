/* Damaged, truncated, spliced and forged boundary records: a reader must not crash, and must refuse every damaged
 * record. It may accept a forged record, whose checksum is right, if this record keeps every promise. Built by clang
 * with -fsanitize=fuzzer, this file is a libFuzzer target; otherwise it is a program:
 *
 *     record_fuzz [--seed N] [--count N] CORPUS    files of CORPUS, then mutants of valid records; exit 0 or 1
 *     record_fuzz --write-corpus CORPUS            makes the files of CORPUS
 *
 * The name of a file of the corpus begins with the expected answer: "checksum-flipped-bit" must be refused as
 * ORDO_E_CHECKSUM. */
#include <ordo/ordo.h>

/* Checks that an accepted record, even a forged one, keeps every promise to its readers. */
static int keeps_promises(const struct ordo_record_view *view, const unsigned char *bytes, size_t count)
{
    const struct ordo_record *head = &view->head;
    const unsigned char *machine = (const unsigned char *)view->machine;
    if (head->boundary_ticks == 0 || head->boundary_ticks >> 62 || head->tick_hz == 0 ||
        head->tick_hz > UINT64_C(18000000000) || head->status != ORDO_RECORD_VALID ||
        head->layout != ORDO_RECORD_LAYOUT || head->total_bytes != count ||
        head->granule_ticks > head->boundary_ticks || head->drift_min_ppb > 0 || head->drift_max_ppb < 0 ||
        (head->flags & ORDO_FLAG_CORRECTED))
        return 0;
    if (!view->cpus || view->cpus_bytes == 0 || view->cpus < bytes + sizeof *head ||
        view->cpus_bytes > (size_t)(bytes + count - view->cpus))
        return 0;
    return !machine || (machine >= bytes + sizeof *head && view->machine_bytes <= (size_t)(bytes + count - machine));
}

/* Reads everything that a reader may read. True if no covered CPU lies beyond the end of the CPU set. */
static int touch(const struct ordo_record_view *view)
{
    unsigned long covered = 0, cpu, cpus = (unsigned long)view->cpus_bytes * 8;
    volatile unsigned char sum = 0;
    for (cpu = 0; cpu < cpus + 64; cpu++)
        covered += ordo_record_covers(view, cpu) && cpu >= cpus;
    covered += ordo_record_covers(view, ~0ul) != 0;
    for (size_t i = 0; i < view->machine_bytes; i++)
        sum = (unsigned char)(sum + view->machine[i]);
    for (uint32_t type = ORDO_PART_MATRIX; type <= ORDO_PART_CORRECTIONS; type++) {
        const void *part;
        size_t bytes;
        int code = ordo_record_part(view, type, &part, &bytes);
        if (code && code != ORDO_E_UNMEASURED && code != ORDO_E_CHECKSUM)
            return 0;
    }
    return covered == 0;
}

/* Returns the end of the checksum, as a reader of these bytes would see it. */
static size_t sealed_end(const unsigned char *bytes, size_t count)
{
    uint32_t sealed;
    memcpy(&sealed, bytes + offsetof(struct ordo_record, sealed_bytes), sizeof sealed);
    return sealed >= ORDO_RECORD_SEALED && sealed <= count ? sealed : count;
}

/* Prints a report and aborts, which libFuzzer counts as a failure. */
static void broken(const char *what, int code)
{
    fprintf(stderr, "%s: %d (%s)\n", what, code, ordo_strerror(code));
    abort();
}

/* Parses a copy of exactly `count` bytes, so that AddressSanitizer finds a read beyond them. */
static int parse(const unsigned char *bytes, size_t count, int corrected)
{
    struct ordo_record_view view;
    unsigned char *copy = (unsigned char *)malloc(count ? count : 1);
    int code;
    if (!copy)
        broken("no memory", 0);
    memcpy(copy, bytes, count);
    if (corrected && count >= sizeof view.head) {
        uint64_t checksum =
            ordo_record_checksum(copy + ORDO_RECORD_SEALED, sealed_end(copy, count) - ORDO_RECORD_SEALED);
        memcpy(copy + offsetof(struct ordo_record, checksum), &checksum, sizeof checksum);
    }
    code = ordo_record_parse(copy, count, &view);
    if (code > 0 || code < ORDO_E_BOUNDARY)
        broken("not an answer of ordo_record_parse", code);
    if (code == ORDO_OK && !(keeps_promises(&view, copy, count) && touch(&view)))
        broken("an accepted record breaks its promises", code);
    free(copy);
    return code;
}

#ifdef ORDO_FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)
{
    (void)parse(bytes, count, 0);
    (void)parse(bytes, count, 1); /* with a corrected checksum, which a fuzzer does not guess */
    return 0;
}

#else

#include <dirent.h>

enum {
    LARGEST = 1024, /* bytes of a mutant */
    FILES = 400     /* mutants that are also written to a file and opened by ordo_open */
};

struct bytes {
    size_t count;
    unsigned char at[LARGEST];
};

/* ---- valid records ---- */

static void add_section(struct bytes *record, uint32_t type, const void *payload, uint32_t count)
{
    struct ordo_section section = {type, count};
    memcpy(record->at + record->count, &section, sizeof section);
    memcpy(record->at + record->count + sizeof section, payload, count);
    record->count += sizeof section + (count + 7) / 8 * 8;
}

static void seal(struct bytes *record)
{
    uint64_t count = record->count, checksum;
    memcpy(record->at + offsetof(struct ordo_record, total_bytes), &count, sizeof count);
    checksum = ordo_record_checksum(record->at + ORDO_RECORD_SEALED,
                                    sealed_end(record->at, record->count) - ORDO_RECORD_SEALED);
    memcpy(record->at + offsetof(struct ordo_record, checksum), &checksum, sizeof checksum);
}

/* Makes a record of CPUs 0 .. cpus - 1 of an imaginary machine. */
static struct bytes make_record(unsigned cpus, const char *machine, int unknown_section)
{
    struct ordo_record head = {
        .magic = {'O', 'R', 'D', 'O', 'B', 'N', 'D', '\n'},
        .status = ORDO_RECORD_VALID,
        .layout = ORDO_RECORD_LAYOUT,
        .generation = 7,
        .boundary_ticks = 364,
        .tick_hz = 2596000000,
        .flags = ORDO_FLAG_HYPERVISOR,
        .boot_id = {0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe, 1, 2, 3, 4, 5, 6, 7, 8},
        .as_of_ns = 12000000000,
        .void_after_ns = 86412000000000,
        .as_of_ticks = 31152000000,
        .as_of_raw_ns = 11999000000,
        .suspended_ns = 1000000000,
        .granule_ticks = 26,
        .runs = 100000,
        .drift_min_ppb = -52,
        .drift_max_ppb = 52,
        .repeats = 3,
        .method = ORDO_METHOD_SERIAL,
        .clock = ORDO_CLOCK_TSC,
        .tool_version = "0.1.0",
    };
    struct bytes record = {sizeof head, {0}};
    unsigned char set[64] = {0};
    memcpy(record.at, &head, sizeof head);
    for (unsigned cpu = 0; cpu < cpus; cpu++)
        set[cpu / 8] = (unsigned char)(set[cpu / 8] | 1u << cpu % 8);
    add_section(&record, ORDO_SECTION_CPUS, set, (cpus + 7) / 8);
    if (machine)
        add_section(&record, ORDO_SECTION_MACHINE, machine, (uint32_t)strlen(machine));
    if (unknown_section)
        add_section(&record, 0x5eed, "from the future", 15);
    seal(&record);
    return record;
}

/* Makes a record with a matrix behind the sections, as large machines have. */
static struct bytes make_parted(void)
{
    static const int64_t matrix[4] = {ORDO_DELTA_UNMEASURED, 338, 301, ORDO_DELTA_UNMEASURED};
    struct bytes record = make_record(2, NULL, 0);
    struct ordo_part part = {.type = ORDO_PART_MATRIX,
                             .offset = 320,
                             .bytes = sizeof matrix,
                             .checksum = ordo_record_fold(matrix, sizeof matrix)};
    add_section(&record, ORDO_SECTION_PARTS, &part, sizeof part);
    uint32_t sealed = (uint32_t)record.count;
    memcpy(record.at + offsetof(struct ordo_record, sealed_bytes), &sealed, sizeof sealed);
    memcpy(record.at + part.offset, matrix, sizeof matrix);
    record.count = part.offset + part.bytes;
    seal(&record);
    return record;
}

enum { RECORDS = 6 };
static struct bytes records[RECORDS];

static void make_records(void)
{
    records[0] = make_record(1, NULL, 0);
    records[1] = make_record(2, NULL, 0);
    records[2] = make_record(300, NULL, 0);
    records[3] = make_record(2, "an imaginary processor, 2 CPUs, 1 package", 0);
    records[4] = make_record(16, "another one", 1);
    records[5] = make_parted();
}

/* True if the bytes equal one of the valid records. The word `seen` may differ, because the checksum does not cover it;
 * so may the parts, whose own checksums are checked only when they are read. */
static int is_a_record(const struct bytes *bytes)
{
    struct bytes unseen = *bytes;
    memset(unseen.at + offsetof(struct ordo_record, seen), 0, sizeof(uint64_t));
    for (int i = 0; i < RECORDS; i++)
        if (bytes->count == records[i].count &&
            memcmp(unseen.at, records[i].at, sealed_end(records[i].at, records[i].count)) == 0)
            return 1;
    return 0;
}

/* ---- mutants ---- */

static uint64_t random_state;

/* SplitMix64. */
static uint64_t random_below(uint64_t limit)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % limit;
}

static void flip_bits(struct bytes *mutant)
{
    for (uint64_t flips = 1 + random_below(16); flips > 0; flips--) {
        uint64_t bit = random_below(mutant->count * 8);
        mutant->at[bit / 8] = (unsigned char)(mutant->at[bit / 8] ^ 1u << bit % 8);
    }
}

static void truncate_at_random(struct bytes *mutant)
{
    mutant->count = random_below(mutant->count);
}

static void extend(struct bytes *mutant)
{
    for (uint64_t more = 1 + random_below(64); more > 0 && mutant->count < LARGEST; more--)
        mutant->at[mutant->count++] = (unsigned char)(random_below(2) ? random_below(256) : 0);
}

/* Inserts a random piece of a random record at a random place. */
static void insert_piece(struct bytes *mutant)
{
    const struct bytes *other = &records[random_below(RECORDS)];
    size_t from = random_below(other->count), to = random_below(mutant->count + 1);
    size_t count = 1 + random_below(other->count - from);
    if (count > LARGEST - to)
        count = LARGEST - to;
    memcpy(mutant->at + to, other->at + from, count);
    if (mutant->count < to + count)
        mutant->count = to + count;
}

/* Overwrites one aligned word, as a stray write of a faulty program would. */
static void overwrite_word(struct bytes *mutant)
{
    static const uint64_t words[] = {0, 1, UINT64_MAX, UINT64_C(1) << 62, UINT64_C(1) << 63, UINT32_MAX, 0x80000001};
    uint64_t word = words[random_below(sizeof words / sizeof *words)];
    if (mutant->count >= 8)
        memcpy(mutant->at + random_below(mutant->count / 8) * 8, &word, sizeof word);
}

static struct bytes make_mutant(const struct bytes *original)
{
    static void (*const mutate[])(struct bytes *) = {flip_bits, truncate_at_random, extend, insert_piece,
                                                     overwrite_word};
    struct bytes mutant = *original;
    mutate[random_below(5)](&mutant);
    while (random_below(4) == 0 && mutant.count > 0)
        mutate[random_below(5)](&mutant);
    return mutant;
}

/* Mostly corrects the size in the head, as a forger would. parse() corrects the checksum. */
static void correct_size(struct bytes *mutant)
{
    uint64_t count = mutant->count;
    if (count >= sizeof(struct ordo_record) && random_below(8) != 0)
        memcpy(mutant->at + offsetof(struct ordo_record, total_bytes), &count, sizeof count);
}

/* ---- runs ---- */

static long failures;

static void report(const char *what, uint64_t seed, long number, int code)
{
    failures++;
    printf("%s: --seed %llu, mutant %ld: %d (%s)\n", what, (unsigned long long)seed, number, code, ordo_strerror(code));
}

static void write_file(const char *path, const struct bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes->at, 1, bytes->count, file) != bytes->count || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

static void run_mutants(uint64_t seed, long count)
{
    random_state = seed;
    for (long i = 0; i < count;) {
        struct bytes mutant = make_mutant(&records[random_below(RECORDS)]);
        if (is_a_record(&mutant))
            continue;
        int code = parse(mutant.at, mutant.count, 0);
        if (code == ORDO_OK)
            report("accepted", seed, i, code);
        i++;
    }
}

/* Forged records may be accepted; parse() then checks their promises. Some must be accepted, because otherwise nothing
 * was tested. */
static void run_forged(uint64_t seed, long count)
{
    long accepted = 0;
    random_state = ~seed;
    for (long i = 0; i < count; i++) {
        struct bytes mutant = make_mutant(&records[random_below(RECORDS)]);
        correct_size(&mutant);
        accepted += parse(mutant.at, mutant.count, 1) == ORDO_OK;
    }
    printf("%ld of %ld forged records were well-formed\n", accepted, count);
    if (count >= 1000 && (accepted == 0 || accepted == count))
        report("forged", seed, count, ORDO_OK);
}

/* Opens mutants by way of a file. The code must be the code for the same bytes in memory, unless the file is refused
 * before its bytes are parsed. No record is from this boot, so none can be opened. */
static void run_files(uint64_t seed, long count)
{
    char path[] = "/tmp/ordo-record-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0) {
        perror(path);
        exit(1);
    }
    random_state = seed ^ 0xf11e;
    for (long i = 0; i < count; i++) {
        struct bytes mutant = make_mutant(&records[random_below(RECORDS)]);
        struct ordo o;
        if (i % 2) {
            correct_size(&mutant);
            if (mutant.count >= ORDO_RECORD_SEALED)
                seal(&mutant);
        }
        write_file(path, &mutant);
        int expected = parse(mutant.at, mutant.count, 0), code = ordo_open(&o, path);
        if (code == ORDO_OK || code != (expected == ORDO_OK ? ORDO_E_BOOT : expected) ||
            ordo_boundary(&o) != UINT64_MAX)
            report("through a file", seed, i, code);
    }
    (void)unlink(path);
}

/* ---- the corpus ---- */

static const struct {
    const char *name;
    int code;
} codes[] = {
    {"ok", ORDO_OK},
    {"truncated", ORDO_E_TRUNCATED},
    {"malformed", ORDO_E_MALFORMED},
    {"checksum", ORDO_E_CHECKSUM},
    {"layout", ORDO_E_LAYOUT},
    {"section", ORDO_E_SECTION},
    {"superseded", ORDO_E_SUPERSEDED},
    {"disrupted", ORDO_E_DISRUPTED},
    {"boundary", ORDO_E_BOUNDARY},
};

/* Returns the code that the name of a file states, or 1. */
static int code_of_name(const char *name)
{
    size_t length = strcspn(name, "-");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strlen(codes[i].name) == length && memcmp(codes[i].name, name, length) == 0)
            return codes[i].code;
    return 1;
}

static void run_corpus(const char *folder)
{
    DIR *stream = opendir(folder);
    struct dirent *entry;
    long files = 0;
    if (!stream) {
        perror(folder);
        exit(1);
    }
    while ((entry = readdir(stream))) {
        static unsigned char bytes[ORDO_RECORD_MAX_BYTES];
        char path[4096];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        FILE *file = fopen(path, "rb");
        if (!file) {
            perror(path);
            exit(1);
        }
        size_t count = fread(bytes, 1, sizeof bytes, file);
        (void)fclose(file);
        int code = parse(bytes, count, 0), expected = code_of_name(entry->d_name);
        (void)parse(bytes, count, 1);
        files++;
        if (code != expected) {
            failures++;
            printf("%s: %d (%s)\n", path, code, ordo_strerror(code));
        }
    }
    (void)closedir(stream);
    printf("%ld files of %s\n", files, folder);
    if (files == 0)
        failures++;
}

static void put(const char *folder, const char *name, const struct bytes *bytes)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, bytes);
}

/* Writes a copy of the second record with `word` at `offset` and a correct checksum. */
static void put_word(const char *folder, const char *name, size_t offset, uint64_t word)
{
    struct bytes bytes = records[1];
    memcpy(bytes.at + offset, &word, sizeof word);
    seal(&bytes);
    put(folder, name, &bytes);
}

#define FIELD(name) offsetof(struct ordo_record, name)

static void write_corpus(const char *folder)
{
    static const char *const names[RECORDS] = {"ok-1-cpu",   "ok-2-cpus",          "ok-300-cpus",
                                               "ok-machine", "ok-unknown-section", "ok-parts"};
    uint64_t section_of_4_gib = UINT64_C(0xffffffff) << 32 | ORDO_SECTION_CPUS;
    struct bytes bytes;
    for (int i = 0; i < RECORDS; i++)
        put(folder, names[i], &records[i]);
    bytes = records[1];
    bytes.count = 0;
    put(folder, "truncated-empty", &bytes);
    bytes.count = sizeof(struct ordo_record) - 1;
    put(folder, "truncated-head", &bytes);
    bytes.count = records[1].count + 8;
    put(folder, "truncated-longer", &bytes);
    bytes.count = ORDO_RECORD_SEALED - 1;
    put(folder, "truncated-words", &bytes);
    bytes.at[FIELD(layout)] = 1;
    bytes.count = sizeof(struct ordo_record) - 32; /* a head of another layout may be shorter */
    put(folder, "layout-1-short", &bytes);
    bytes = records[1];
    bytes.at[60] ^= 4;
    put(folder, "checksum-flipped-bit", &bytes);
    bytes = records[1];
    add_section(&bytes, ORDO_SECTION_CRITICAL | 0x77, "new", 3);
    seal(&bytes);
    put(folder, "section-critical", &bytes);
    bytes = records[1];
    add_section(&bytes, ORDO_SECTION_CPUS, "\3", 1);
    seal(&bytes);
    put(folder, "malformed-two-cpu-sets", &bytes);
    bytes = records[1];
    bytes.count = sizeof(struct ordo_record);
    seal(&bytes);
    put(folder, "malformed-no-section", &bytes);
    bytes = records[1];
    bytes.count += 4;
    seal(&bytes);
    put(folder, "malformed-half-a-section", &bytes);
    bytes = records[1];
    memset(bytes.at + bytes.count - 7, 0xff, 7);
    seal(&bytes);
    put(folder, "ok-padding-not-0", &bytes);
    put_word(folder, "malformed-magic", FIELD(magic), 0);
    put_word(folder, "malformed-status", FIELD(status), 0);
    put_word(folder, "malformed-rate-0", FIELD(tick_hz), 0);
    put_word(folder, "malformed-rate-absurd", FIELD(tick_hz), UINT64_MAX);
    put_word(folder, "malformed-boundary-absurd", FIELD(boundary_ticks), UINT64_C(1) << 62);
    put_word(folder, "malformed-granule-above-boundary", FIELD(granule_ticks), 365);
    put_word(folder, "malformed-margin-above-boundary", FIELD(margin_ticks), 339);
    put_word(folder, "malformed-drift-without-0", FIELD(drift_min_ppb), 1);
    put_word(folder, "malformed-reserved", FIELD(reserved), 1);
    put_word(folder, "truncated-sealed-end", FIELD(sealed_bytes) - 4, UINT64_C(8) << 32);
    bytes = records[5];
    bytes.at[records[1].count + sizeof(struct ordo_section) + 3] = 0x80;
    seal(&bytes);
    put(folder, "section-part-critical", &bytes);
    bytes = records[5];
    bytes.at[records[1].count + sizeof(struct ordo_section) + offsetof(struct ordo_part, bytes) + 1] = 1;
    seal(&bytes);
    put(folder, "malformed-part-outside", &bytes);
    put_word(folder, "malformed-zero", FIELD(layout), UINT64_C(1) << 32 | ORDO_RECORD_LAYOUT);
    put_word(folder, "ok-seen", FIELD(seen), UINT64_C(3600) << 32 | 0xffffff00u);
    put_word(folder, "section-flag-corrected", FIELD(flags), ORDO_FLAG_CORRECTED);
    put_word(folder, "section-flag-unknown", FIELD(flags), 1u << 31);
    put_word(folder, "ok-void-before-as-of", FIELD(void_after_ns), 0);
    put_word(folder, "malformed-section-of-4-gib", sizeof(struct ordo_record), section_of_4_gib);
    put_word(folder, "malformed-empty-cpu-set", sizeof(struct ordo_record), ORDO_SECTION_CPUS);
    put_word(folder, "layout-1", FIELD(layout), 1);
    put_word(folder, "layout-3", FIELD(layout), 3);
    put_word(folder, "superseded", FIELD(status), ORDO_RECORD_SUPERSEDED);
    put_word(folder, "disrupted", FIELD(status), ORDO_RECORD_DISRUPTED);
    put_word(folder, "boundary-0", FIELD(boundary_ticks), 0);
    put_word(folder, "ok-boundary-largest", FIELD(boundary_ticks), (UINT64_C(1) << 62) - 1);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1;
    long count = 10000;
    const char *corpus = NULL;
    int writes = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = strtol(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--write-corpus") == 0)
            writes = 1;
        else
            corpus = argv[i];
    }
    if (!corpus || *corpus == '-') {
        fprintf(stderr, "usage: record_fuzz [--write-corpus] [--seed N] [--count N] CORPUS\n");
        return 64;
    }
    make_records();
    if (writes) {
        write_corpus(corpus);
        return 0;
    }
    run_corpus(corpus);
    for (int i = 0; i < RECORDS; i++)
        if (parse(records[i].at, records[i].count, 0) != ORDO_OK)
            report("a valid record is refused", seed, i, parse(records[i].at, records[i].count, 0));
    run_mutants(seed, count);
    run_forged(seed, count);
    run_files(seed, count < FILES ? count : FILES);
    printf("%ld mutants, %ld failures\n", count, failures);
    return failures != 0;
}

#endif
