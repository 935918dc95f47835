#include "record/publish.h"

#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>

#include <ordo/ordo.h>

#include "base/file.h"

/* Section head, payload, padding; returns what follows. */
static unsigned char *put_section(unsigned char *at, uint32_t type, const void *payload, size_t bytes)
{
    struct ordo_section section = {type, (uint32_t)bytes};
    memcpy(at, &section, sizeof section);
    memcpy(at + sizeof section, payload, bytes);
    return at + sizeof section + (bytes + 7) / 8 * 8;
}

static uint64_t flags_of(const struct ordo_calibration *calibration)
{
    return (calibration->hypervisor ? ORDO_FLAG_HYPERVISOR : 0) | (calibration->coarse ? ORDO_FLAG_COARSE : 0) |
           (calibration->forced ? ORDO_FLAG_FORCED : 0);
}

static int fill_head(struct ordo_record *head, const struct ordo_calibration *calibration, size_t total,
                     struct ordo_error *error)
{
    memcpy(head->magic, ORDO_RECORD_MAGIC, sizeof head->magic);
    head->status = ORDO_RECORD_VALID;
    head->layout = ORDO_RECORD_LAYOUT;
    head->clock = ORDO_CLOCK_ID;
    head->total_bytes = total;
    head->generation = calibration->generation;
    head->boundary_ticks = calibration->boundary_ticks;
    head->tick_hz = (uint64_t)(calibration->tick_hz + 0.5);
    head->flags = flags_of(calibration);
    head->as_of_ns = calibration->as_of_ns;
    head->void_after_ns = calibration->void_after_ns;
    head->as_of_ticks = calibration->as_of_ticks;
    head->granule_ticks = calibration->granule_ticks;
    head->margin_ticks = calibration->margin_ticks;
    head->runs = calibration->runs;
    head->drift_min_ppb = calibration->drift_min_ppb;
    head->drift_max_ppb = calibration->drift_max_ppb;
    head->repeats = (uint32_t)calibration->repeats;
    head->method = calibration->parallel ? ORDO_METHOD_TOURNAMENT : ORDO_METHOD_SERIAL;
    (void)snprintf(head->tool_version, sizeof head->tool_version, "%s", ORDO_VERSION);
    if (ordo_record_boot_id(head->boot_id) != 0)
        return ordo_error_errno(error, "/proc/sys/kernel/random/boot_id");
    return ORDO_OK;
}

int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count, struct ordo_error *error)
{
    size_t cpu_bytes = calibration->cpus[calibration->count - 1] / 8 + 1;
    size_t machine_bytes = strlen(calibration->machine);
    size_t total = sizeof(struct ordo_record) + 2 * sizeof(struct ordo_section) + (cpu_bytes + 7) / 8 * 8 +
                   (machine_bytes + 7) / 8 * 8;
    unsigned char *record = calloc(1, total), *cpus = calloc(1, cpu_bytes);
    struct ordo_record head = {0};
    int code = record && cpus ? fill_head(&head, calibration, total, error) : ordo_error_errno(error, "record");
    if (!code) {
        for (int i = 0; i < calibration->count; i++)
            cpus[calibration->cpus[i] / 8] |= (unsigned char)(1u << calibration->cpus[i] % 8);
        memcpy(record, &head, sizeof head);
        unsigned char *next = put_section(record + sizeof head, ORDO_SECTION_CPUS, cpus, cpu_bytes);
        (void)put_section(next, ORDO_SECTION_MACHINE, calibration->machine, machine_bytes);
        head.checksum = ordo_record_checksum(record + 24, total - 24);
        memcpy(record, &head, sizeof head);
        *bytes = record;
        *count = total;
    } else {
        free(record);
    }
    free(cpus);
    return code;
}

int ordo_record_default_path(char *path, size_t size, struct ordo_error *error)
{
    const char *named = getenv("ORDO_RECORD"), *runtime = getenv("XDG_RUNTIME_DIR");
    int length = -1;
    if (named && *named)
        length = snprintf(path, size, "%s", named);
    else if (geteuid() == 0)
        length = snprintf(path, size, "%s", ORDO_RECORD_PATH);
    else if (runtime && *runtime)
        length = snprintf(path, size, "%s" ORDO_RECORD_USER_PATH, runtime);
    if (length > 0 && (size_t)length < size)
        return ORDO_OK;
    return ordo_error_set(
        error, ORDO_E_INVALID, 0,
        "$XDG_RUNTIME_DIR is not set and only root may publish in /run: name a file with --output or $ORDO_RECORD");
}

/* The record at `path`, mapped so that its status word can be set; NULL where there is none that this process may
 * write. Whatever else lies there is simply replaced. */
static struct ordo_record *map_old(const char *path, size_t *count)
{
    struct ordo_record_view view;
    struct stat info;
    void *map = MAP_FAILED;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= (off_t)sizeof(struct ordo_record) &&
        info.st_size <= (off_t)ORDO_RECORD_MAX_BYTES)
        map = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (map == MAP_FAILED)
        return NULL;
    *count = (size_t)info.st_size;
    int code = ordo_record_parse(map, *count, &view);
    if (code == ORDO_OK || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED)
        return map;
    (void)munmap(map, *count);
    return NULL;
}

/* From one status to another, unless it is a third. Relaxed: the word carries no other data with it (ordo_status). */
static bool change_status(struct ordo_record *record, uint64_t from, uint64_t to)
{
    return __atomic_compare_exchange_n(&record->status, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Marks the old record and renames the new one over it, with signals held back: between the two, nobody can open
 * either. The old one is marked first, so that at no moment two records of one place both count as valid. */
static int exchange(struct ordo_record *old, struct ordo_staged_file *staged, struct ordo_error *error)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    bool marked = old && change_status(old, ORDO_RECORD_VALID, ORDO_RECORD_SUPERSEDED);
    int code = ordo_file_finish(staged, true, error);
    if (code && marked)
        (void)change_status(old, ORDO_RECORD_SUPERSEDED, ORDO_RECORD_VALID);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

static int replace(const char *path, struct ordo_calibration *calibration, struct ordo_error *error)
{
    void *bytes;
    size_t count, old_count = 0;
    struct ordo_staged_file staged;
    struct ordo_record *old = map_old(path, &old_count);
    calibration->generation = old ? old->generation + 1 : 1;
    int code = ordo_record_build(calibration, &bytes, &count, error);
    if (!code) {
        code = ordo_file_stage(&staged, path, bytes, count, 0644, error);
        if (!code)
            code = exchange(old, &staged, error);
        free(bytes);
    }
    if (old)
        (void)munmap(old, old_count);
    return code;
}

/* The file that `path` leads to, where it exists: readers follow links, so a link is not to be replaced by a file. */
static void resolve(const char *path, char target[PATH_MAX])
{
    if (!realpath(path, target))
        (void)snprintf(target, PATH_MAX, "%s", path);
}

/* Whoever publishes or marks in a directory has it to himself, until the descriptor is closed; -1 on failure. */
static int lock_directory(const char *path, struct ordo_error *error)
{
    char copy[PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s", path);
    int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory >= 0 && flock(directory, LOCK_EX) == 0)
        return directory;
    (void)ordo_error_errno(error, "%s: cannot lock its directory", path);
    if (directory >= 0)
        (void)close(directory);
    return -1;
}

int ordo_record_publish(const char *path, struct ordo_calibration *calibration, struct ordo_error *error)
{
    char target[PATH_MAX];
    int code = ordo_file_prepare(path, true, error);
    if (code)
        return code;
    resolve(path, target);
    int directory = lock_directory(target, error);
    if (directory < 0)
        return ORDO_E_SYSTEM;
    code = replace(target, calibration, error);
    (void)close(directory);
    return code;
}

int ordo_record_disrupt(const char *path, uint64_t generation, struct ordo_error *error)
{
    char target[PATH_MAX];
    size_t count = 0;
    resolve(path, target);
    int directory = lock_directory(target, error), code = ORDO_OK;
    if (directory < 0)
        return ORDO_E_SYSTEM;
    struct ordo_record *record = map_old(target, &count);
    if (!record)
        code = ordo_error_set(error, ORDO_E_SYSTEM, EACCES, "%s: not a record that this user may mark", path);
    else if (record->generation == generation)
        (void)change_status(record, ORDO_RECORD_VALID, ORDO_RECORD_DISRUPTED);
    else
        code = ordo_error_set(error, ORDO_E_SUPERSEDED, 0, "%s: has been replaced meanwhile: check again", path);
    if (record)
        (void)munmap(record, count);
    (void)close(directory);
    return code;
}
