/* A lock serialises publishers. Marking takes no lock, so that no process can prevent a refuted record from being
 * marked. The scheme is correct because:
 *
 *  S1  Records are replaced by rename only, and all but two words of a record never change. Therefore a file with the
 *      generation and the checksum of the checked record *is* that record, even if another file has taken its name
 *      before it is marked.
 *
 *  S2  No operation takes back DISRUPTED. A publisher changes VALID to SUPERSEDED and, if its rename then fails,
 *      SUPERSEDED to VALID, each by one compare-and-swap. If another process marks the record between the two, the mark
 *      stays.
 *
 *  S3  A superseded record is marked as well, because its handles still use the refuted boundary.
 *
 *  S4  A publisher whose measurement refutes the published record marks that record DISRUPTED before it does anything
 *      else. After it has taken the lock, it judges the published record again, because another publisher may have
 *      replaced the record meanwhile. Marking needs neither the lock, nor disk space, nor a usable new record. The mark
 *      is a statement about the old record only, and stays even if no new record is published.
 *
 *  S5  A checker opens the record for marking before it reads it (ordo_record_reach). If a publisher replaces the
 *      record before the checker marks it, the checker marks the old file through this descriptor, because the file no
 *      longer has a name.
 *
 *  S6  `seen` is one word, and a process whose check of the clock succeeded stores the whole word atomically. The later
 *      of two stores may contain the earlier moment. The word is then still true, but readers tolerate more drift than
 *      necessary. */
#include "calibrate/record/publish.h"

#include <libgen.h>
#include <sys/file.h>

#include <ordo/ordo.h>

#include "base/file.h"
#include "base/time.h"
#include "calibrate/record/refute.h"

#define LOCK ".lock"

static uint64_t flags_of(const struct ordo_calibration *calibration)
{
    return (calibration->hypervisor ? ORDO_FLAG_HYPERVISOR : 0) | (calibration->coarse ? ORDO_FLAG_COARSE : 0) |
           (calibration->forced ? ORDO_FLAG_FORCED : 0) | (calibration->unmeasured_pairs ? ORDO_FLAG_PARTIAL : 0) |
           (calibration->trust == ORDO_TRUST_MEASURED                         ? ORDO_FLAG_MEASURED
            : calibration->trust == ORDO_TRUST_FAULTED                        ? ORDO_FLAG_FAULTED
            : calibration->trust == ORDO_TRUST_INCAPABLE                      ? ORDO_FLAG_INCAPABLE
            : calibration->trust == ORDO_TRUST_VOUCHED && calibration->forced ? ORDO_FLAG_VOUCHED
                                                                              : 0);
}

static int fill_head(struct ordo_record *head, const struct ordo_calibration *calibration, struct ordo_error *error)
{
    memcpy(head->magic, ORDO_RECORD_MAGIC, sizeof head->magic);
    head->status = ORDO_RECORD_VALID;
    head->layout = ORDO_RECORD_LAYOUT;
    head->generation = calibration->generation;
    head->boundary_ticks = calibration->boundary_ticks;
    head->tick_hz = (uint64_t)(calibration->tick_hz + 0.5);
    head->flags = flags_of(calibration);
    head->as_of_ns = calibration->as_of_ns;
    head->void_after_ns = calibration->void_after_ns;
    head->as_of_ticks = calibration->as_of_ticks;
    head->as_of_raw_ns = calibration->as_of_raw_ns;
    head->suspended_ns = calibration->suspended_ns;
    head->granule_ticks = calibration->granule_ticks;
    head->margin_ticks = calibration->margin_ticks;
    head->runs = calibration->runs;
    head->drift_min_ppb = calibration->drift_min_ppb;
    head->drift_max_ppb = calibration->drift_max_ppb;
    head->repeats = (uint32_t)calibration->repeats;
    head->method = calibration->parallel ? ORDO_METHOD_TOURNAMENT : ORDO_METHOD_SERIAL;
    head->clock = calibration->clock;
    (void)snprintf(head->tool_version, sizeof head->tool_version, "%s", ORDO_VERSION);
    if (ordo_record_boot_id(head->boot_id) != 0)
        return ordo_error_errno(error, "/proc/sys/kernel/random/boot_id");
    return ORDO_OK;
}

/* A record under construction: the head, then sections, then parts. */
struct image {
    unsigned char *bytes;
    size_t count;
};

static size_t rounded_up_to(size_t bytes, size_t to)
{
    return (bytes + to - 1) / to * to;
}

static void add_section(struct image *image, uint32_t type, const void *payload, size_t bytes)
{
    struct ordo_section section = {type, (uint32_t)bytes};
    memcpy(image->bytes + image->count, &section, sizeof section);
    memcpy(image->bytes + image->count + sizeof section, payload, bytes);
    image->count += sizeof section + rounded_up_to(bytes, 8);
}

/* Writes the bitmap of the CPUs at its offset in the image. */
static void add_cpus(struct image *image, const struct ordo_calibration *calibration)
{
    struct ordo_section section = {ORDO_SECTION_CPUS, calibration->cpus[calibration->count - 1] / 8 + 1};
    unsigned char *bitmap = image->bytes + image->count + sizeof section;
    memcpy(image->bytes + image->count, &section, sizeof section);
    for (int i = 0; i < calibration->count; i++)
        bitmap[calibration->cpus[i] / 8] |= (unsigned char)(1u << calibration->cpus[i] % 8);
    image->count += sizeof section + rounded_up_to(section.bytes, 8);
}

enum { PARTS = 3 };

/* Lists the parts of the record and their lengths. Returns the number of parts. If the matrix or a CPU's number is too
 * large for a record, the part is omitted, and functions that need it refuse the record. */
static size_t list_parts(const struct ordo_calibration *calibration, struct ordo_part parts[PARTS])
{
    size_t n = (size_t)calibration->count, count = 0;
    if (!calibration->concluded)
        return 0;
    if (n * n * sizeof(int64_t) <= ORDO_RECORD_MAX_FILE / 2)
        parts[count++] = (struct ordo_part){.type = ORDO_PART_MATRIX, .bytes = n * n * sizeof(int64_t)};
    parts[count++] = (struct ordo_part){.type = ORDO_PART_PLACES, .bytes = n * sizeof(struct ordo_place)};
    if (calibration->corrected_boundary_ticks && calibration->cpus[n - 1] < ORDO_CORRECTED_CPUS)
        parts[count++] = (struct ordo_part){.type = ORDO_PART_CORRECTIONS, .bytes = sizeof(struct ordo_corrections)};
    return count;
}

static void fill_corrections(struct ordo_corrections *corrections, const struct ordo_calibration *calibration)
{
    corrections->boundary_ticks = calibration->corrected_boundary_ticks;
    for (int i = 0; i < calibration->count; i++)
        corrections->ticks[calibration->cpus[i]] = calibration->correction_ticks[i];
}

/* Adds a part. The image is zero behind its current end. */
static void add_part(struct image *image, struct ordo_part *part, const struct ordo_calibration *calibration)
{
    void *at = image->bytes + rounded_up_to(image->count, ORDO_PART_ALIGNMENT);
    part->offset = rounded_up_to(image->count, ORDO_PART_ALIGNMENT);
    if (part->type == ORDO_PART_MATRIX)
        memcpy(at, calibration->delta_ticks, part->bytes);
    else if (part->type == ORDO_PART_PLACES)
        memcpy(at, calibration->places, part->bytes);
    else
        fill_corrections(at, calibration);
    part->checksum = ordo_record_fold(at, part->bytes);
    image->count = part->offset + part->bytes;
}

/* Adds everything behind the head. Adds the parts first, because a section contains their offsets and checksums. */
static void add_all(struct image *image, const struct ordo_calibration *calibration, struct ordo_part *parts,
                    size_t count)
{
    add_cpus(image, calibration);
    add_section(image, ORDO_SECTION_MACHINE, calibration->machine, strlen(calibration->machine));
    if (count == 0)
        return;
    struct image behind = {image->bytes, image->count + sizeof(struct ordo_section) + count * sizeof *parts};
    for (size_t i = 0; i < count; i++)
        add_part(&behind, &parts[i], calibration);
    add_section(image, ORDO_SECTION_PARTS, parts, count * sizeof *parts);
}

int ordo_record_build(const struct ordo_calibration *calibration, void **bytes, size_t *count, struct ordo_error *error)
{
    struct ordo_part parts[PARTS] = {{0}};
    size_t part_count = list_parts(calibration, parts), room = 0;
    for (size_t i = 0; i < part_count; i++)
        room += parts[i].bytes + sizeof(struct ordo_part) + ORDO_PART_ALIGNMENT;
    room += sizeof(struct ordo_record) + 3 * (sizeof(struct ordo_section) + 8) +
            calibration->cpus[calibration->count - 1] / 8 + strlen(calibration->machine) + 8;
    struct image image = {calloc(1, room), sizeof(struct ordo_record)};
    struct ordo_record head = {0};
    int code = image.bytes ? fill_head(&head, calibration, error) : ordo_error_errno(error, "record");
    if (code) {
        free(image.bytes);
        return code;
    }
    add_all(&image, calibration, parts, part_count);
    head.sealed_bytes = part_count ? (uint32_t)image.count : 0;
    head.total_bytes = part_count ? parts[part_count - 1].offset + parts[part_count - 1].bytes : image.count;
    memcpy(image.bytes, &head, sizeof head);
    head.checksum = ordo_record_checksum(image.bytes + ORDO_RECORD_SEALED, image.count - ORDO_RECORD_SEALED);
    memcpy(image.bytes, &head, sizeof head);
    *bytes = image.bytes;
    *count = head.total_bytes;
    return ORDO_OK;
}

int ordo_record_default_path(char *path, size_t size, struct ordo_error *error)
{
    const char *named = ordo_record_own_environment() ? getenv("ORDO_RECORD") : NULL;
    int length = -1;
    if (named && *named)
        length = snprintf(path, size, "%s", named);
    else if (geteuid() == 0)
        length = snprintf(path, size, "%s", ORDO_RECORD_PATH);
    else if (ordo_record_own_place(path, size))
        length = (int)strlen(path);
    if (length > 0 && (size_t)length < size)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0,
                          "$XDG_RUNTIME_DIR is not a directory of this user, and only root may publish in /run: name a "
                          "file with --output or $ORDO_RECORD");
}

int ordo_record_path_of(uint32_t clock, const char *path, char *own, size_t size, struct ordo_error *error)
{
    const char *suffix = ordo_record_clock_is_kernels(clock) ? ORDO_RECORD_MONOTONIC : "";
    int length = snprintf(own, size, "%s%s", path, suffix);
    if (length < 0 || (size_t)length >= size)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: the path is too long", path);
    return ORDO_OK;
}

/* A record that is mapped so that its words can be set. */
struct old {
    struct ordo_record *record; /* NULL: there is no record that this process may read */
    bool writable;              /* false: the record can be judged, but its words cannot be set */
    size_t count;
    struct ordo_record_view view; /* if the record has another layout, only magic and status may be read */
};

static void unmap_old(struct old *old)
{
    if (old->record)
        (void)munmap(old->record, old->count);
    old->record = NULL;
}

/* Maps the file, if it is a record. Returns 0, or an errno if the file cannot be mapped. */
static int map_old(int fd, bool writable, struct old *old)
{
    struct stat info;
    *old = (struct old){.record = NULL, .writable = writable};
    if (fstat(fd, &info) != 0)
        return errno;
    if (!S_ISREG(info.st_mode) || info.st_size < (off_t)ORDO_RECORD_SEALED ||
        info.st_size > (off_t)ORDO_RECORD_MAX_FILE)
        return 0;
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (map == MAP_FAILED)
        return errno;
    old->record = map;
    old->count = (size_t)info.st_size;
    int code = ordo_record_parse(map, old->count, &old->view);
    if (code != ORDO_OK && code != ORDO_E_SUPERSEDED && code != ORDO_E_DISRUPTED && code != ORDO_E_LAYOUT)
        unmap_old(old);
    return 0;
}

static bool has_our_layout(const struct old *old)
{
    return old->record && old->view.head.layout == ORDO_RECORD_LAYOUT;
}

static int take_old_by(const struct ordo_file_place *place, bool writable, struct old *old)
{
    int fd = ordo_place_open(place, "", (writable ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_NOCTTY, 0);
    *old = (struct old){.record = NULL};
    if (fd < 0)
        return errno;
    int sys_errno = map_old(fd, writable, old);
    (void)close(fd);
    return sys_errno;
}

/* Maps the record at the place. If this process may not write it, maps it for reading, because its generation and the
 * verdict on it are still needed. A file that is no record is not mapped, and will be replaced. */
static void take_old(const struct ordo_file_place *place, struct ordo_calibration *calibration, struct old *old)
{
    int sys_errno = take_old_by(place, true, old);
    if (sys_errno && sys_errno != ENOENT)
        (void)take_old_by(place, false, old);
    if (sys_errno && sys_errno != ENOENT && !(old->record && old->view.head.status == ORDO_RECORD_DISRUPTED))
        ordo_calibration_warn(
            calibration, "%.120s: the old record cannot be marked (%.40s): programs that have it open are not told",
            place->path, strerror(sys_errno));
}

/* Changes the status from `from` to `to`, unless it has a third value. Relaxed, because the word publishes no other
 * data (ordo_status). [S2] */
static bool change_status(const struct old *old, uint64_t from, uint64_t to)
{
    return old->record && old->writable &&
           __atomic_compare_exchange_n(&old->record->status, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Marks the old record superseded and renames the new record over it. Signals are blocked since the new record was
 * staged, because between the mark and the rename no process can open either record. The old record is marked first, so
 * that two records of one path are never valid at the same time. */
static int exchange_records(const struct old *old, struct ordo_staged_file *staged, struct ordo_error *error)
{
    bool marked = change_status(old, ORDO_RECORD_VALID, ORDO_RECORD_SUPERSEDED);
    int code = ordo_file_finish(staged, true, error);
    if (code && marked)
        (void)change_status(old, ORDO_RECORD_SUPERSEDED, ORDO_RECORD_VALID);
    return code;
}

/* Checks that this process could open the record now. The record need not cover this thread's CPUs, because it may be
 * for other CPUs. It need not have a boundary for all of its CPUs either. */
static int try_record(const void *bytes, size_t count, struct ordo_error *error)
{
    struct ordo_record_view view;
    struct ordo_error reason = {0};
    int code = ordo_record_parse(bytes, count, &view);
    if (code)
        (void)ordo_record_refuse(&reason, code, 0, "record");
    else
        code = ordo_record_applies_by(&view, view.head.clock, &reason);
    if (!code || code == ORDO_E_CPUS || code == ORDO_E_UNMEASURED)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_MEASURE, reason.sys_errno,
                          "the result cannot be used, so nothing is published: %s", reason.text);
}

/* The places (base/place.h) of a publication. Each is found by one walk along its path, and all operations use the
 * result of this walk. */
struct publication {
    struct ordo_calibration *calibration;
    struct ordo_file_place record, beside; /* `beside` is the place of the companion */
    const struct ordo_record_companion *companion;
};

static int stage_companion(const struct publication *to, struct ordo_staged_file *staged, struct ordo_error *error)
{
    char *text = NULL;
    size_t bytes = 0;
    int code = to->companion->render(to->calibration, to->companion->path, &text, &bytes, error);
    if (!code)
        code = ordo_file_stage_at(staged, &to->beside, text, bytes, 0644, error);
    free(text);
    return code;
}

static int finish_companion(struct ordo_staged_file *staged, bool published, const struct ordo_calibration *calibration,
                            struct ordo_error *error)
{
    struct ordo_error reason;
    int code = ordo_file_finish(staged, published, &reason);
    return code
               ? ordo_error_set(error, code, reason.sys_errno, "%.150s, but the record was published (generation %llu)",
                                reason.text, (unsigned long long)calibration->generation)
               : ORDO_OK;
}

/* Stages both files before it renames one of them. Therefore an operation that lacks space or rights fails before
 * anything has changed. */
static int replace_both(const struct publication *to, const struct old *old, const void *bytes, size_t count,
                        struct ordo_error *error)
{
    struct ordo_staged_file record, beside;
    int code = to->companion ? stage_companion(to, &beside, error) : ORDO_OK;
    if (code)
        return code;
    code = ordo_file_stage_at(&record, &to->record, bytes, count, 0644, error);
    if (!code)
        code = exchange_records(old, &record, error);
    if (to->companion) {
        int late = finish_companion(&beside, !code, to->calibration, error);
        code = code ? code : late;
    }
    return code;
}

/* Checks whether the measurement refutes the published record. A DISRUPTED record needs no further verdict. [S4] */
static void judge_old(const struct publication *to, const struct old *old)
{
    struct ordo_refutation refuted;
    if (!has_our_layout(old) || old->view.head.status == ORDO_RECORD_DISRUPTED ||
        !ordo_calibration_refutes(to->calibration, &old->view, &refuted))
        return;
    if (old->writable) /* Relaxed: as in ordo_record_disrupt_at. */
        __atomic_store_n(&old->record->status, ORDO_RECORD_DISRUPTED, __ATOMIC_RELAXED);
    refuted.marked = old->writable;
    refuted.generation = old->view.head.generation;
    to->calibration->refuted = refuted;
    ordo_calibration_warn(to->calibration, "%.60s: generation %llu is proved wrong, and %s DISRUPTED: %.110s",
                          to->record.path, (unsigned long long)refuted.generation,
                          refuted.marked ? "marked" : "cannot be marked", refuted.reason);
}

static void judge_present(const struct publication *to)
{
    struct old old;
    take_old(&to->record, to->calibration, &old);
    judge_old(to, &old);
    unmap_old(&old);
}

static int replace(const struct publication *to, struct ordo_error *error)
{
    struct old old;
    void *bytes;
    size_t count;
    take_old(&to->record, to->calibration, &old);
    to->calibration->generation = has_our_layout(&old) ? old.view.head.generation + 1 : 1;
    judge_old(to, &old);
    int code = ordo_record_build(to->calibration, &bytes, &count, error);
    if (!code) {
        code = try_record(bytes, count, error);
        if (!code)
            code = replace_both(to, &old, bytes, count, error);
        free(bytes);
    }
    unmap_old(&old);
    return code;
}

/* Opens the lock file. It must belong to this user, because other users that could open it could hold the lock, and
 * must not be a directory. Returns a descriptor, or -1 on failure. */
static int open_lock(const struct ordo_file_place *place, struct ordo_error *error)
{
    struct stat info;
    int fd = ordo_place_open(place, LOCK, O_RDWR | O_CREAT | O_NONBLOCK, 0600);
    if (fd < 0 || fstat(fd, &info) != 0) {
        (void)ordo_error_errno(error, "%s" LOCK, place->path);
    } else if (!S_ISREG(info.st_mode) || info.st_uid != geteuid() || (info.st_mode & 077)) {
        (void)ordo_error_set(error, ORDO_E_SYSTEM, EPERM,
                             "%.90s" LOCK ": is no file that only this user can open (owner %lu, mode %o): remove it",
                             place->path, (unsigned long)info.st_uid, (unsigned)info.st_mode & 07777);
    } else {
        return fd;
    }
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

/* True if the lock's name still refers to the locked file, which another process may have removed meanwhile. */
static bool is_at(int fd, const struct ordo_file_place *place)
{
    struct stat here, there;
    return fstat(fd, &here) == 0 && ordo_place_stat(place, LOCK, &there) == 0 && here.st_ino == there.st_ino &&
           here.st_dev == there.st_dev;
}

/* Locks the record for this process until the returned descriptor is closed. Returns -1 on failure. */
static int lock_record(const struct ordo_file_place *place, struct ordo_error *error)
{
    enum { TRIES = 250, PAUSE_NS = 20000000, SECONDS = 5 };
    for (int i = 0; i < TRIES; i++) {
        int fd = open_lock(place, error);
        if (fd < 0)
            return -1;
        bool locked = flock(fd, LOCK_EX | LOCK_NB) == 0;
        if (locked && is_at(fd, place))
            return fd;
        bool busy = locked || errno == EWOULDBLOCK || errno == EINTR;
        if (!busy)
            (void)ordo_error_errno(error, "%s" LOCK, place->path);
        (void)close(fd);
        if (!busy)
            return -1;
        ordo_sleep_ns(PAUSE_NS);
    }
    (void)ordo_error_set(error, ORDO_E_SYSTEM, EWOULDBLOCK,
                         "%.90s" LOCK
                         ": another process of this user has held it for %d s (lslocks names it), nothing is published",
                         place->path, SECONDS);
    return -1;
}

/* Adds a warning if other users may rename files in the directory, because they could replace the record. In a
 * directory with the sticky bit only the owner of a file may rename it. */
static void warn_of_directory(const struct ordo_file_place *place, struct ordo_calibration *calibration)
{
    char copy[PATH_MAX];
    struct stat info;
    (void)snprintf(copy, sizeof copy, "%s", place->path);
    const char *directory = dirname(copy);
    bool known = fstat(place->folder, &info) == 0;
    if (known && info.st_uid != 0 && info.st_uid != geteuid())
        ordo_calibration_warn(calibration, "%.120s: its owner (%lu) may replace the record: chown it", directory,
                              (unsigned long)info.st_uid);
    if (known && (info.st_mode & 022) && !(info.st_mode & S_ISVTX))
        ordo_calibration_warn(calibration,
                              "%.120s: others may write this directory, and so replace the record: chmod go-w it",
                              directory);
}

static int publish_locked(const struct publication *to, struct ordo_error *error)
{
    int lock = lock_record(&to->record, error);
    if (lock < 0)
        return ORDO_E_SYSTEM;
    ordo_file_sweep_at(&to->record);
    if (to->companion)
        ordo_file_sweep_at(&to->beside);
    warn_of_directory(&to->record, to->calibration);
    int code = replace(to, error);
    (void)close(lock);
    return code;
}

void ordo_record_judge(const char *path, struct ordo_calibration *calibration)
{
    struct publication to = {.calibration = calibration};
    if (ordo_place_find(path, 0, &to.record, NULL))
        return;
    judge_present(&to);
    ordo_place_leave(&to.record);
}

int ordo_record_publish(const char *path, struct ordo_calibration *calibration,
                        const struct ordo_record_companion *companion, struct ordo_error *error)
{
    struct publication to = {.calibration = calibration, .companion = companion, .beside = {.folder = -1}};
    calibration->refuted = (struct ordo_refutation){.proved = false};
    int code = ordo_place_find(path, ORDO_PLACE_MAKE_FOLDER, &to.record, error);
    if (code)
        return code;
    judge_present(&to);
    code = ordo_file_prepare_at(path, &to.record, error);
    if (!code && companion)
        code = ordo_place_find(companion->path, 0, &to.beside, error);
    if (!code)
        code = publish_locked(&to, error);
    ordo_place_leave(&to.record);
    ordo_place_leave(&to.beside);
    if (code && calibration->refuted.proved)
        ordo_refutation_append(error, calibration->refuted.marked);
    return code;
}

int ordo_record_reach(const char *path)
{
    return open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Maps the record only if it is the checked record. [S1] */
static int map_checked(int fd, const char *path, const struct ordo_record *checked, struct old *old,
                       struct ordo_error *error)
{
    int sys_errno = map_old(fd, true, old);
    if (sys_errno)
        return ordo_error_set(error, ORDO_E_SYSTEM, sys_errno, "%.150s: cannot be marked: %.60s", path,
                              strerror(sys_errno));
    if (has_our_layout(old) && old->view.head.generation == checked->generation &&
        old->view.head.checksum == checked->checksum)
        return ORDO_OK;
    unmap_old(old);
    return ordo_error_set(error, ORDO_E_SUPERSEDED, 0, "%.150s: has been replaced meanwhile: check again", path);
}

/* Maps the checked record by its name. ORDO_E_SUPERSEDED: there is no file of this name, or the file is another record,
 * so there is nothing to mark. */
static int map_named(const char *path, const struct ordo_record *checked, struct old *old, struct ordo_error *error)
{
    int fd = ordo_record_reach(path);
    if (fd < 0 && errno == ENOENT)
        return ordo_error_set(error, ORDO_E_SUPERSEDED, 0, "%.150s: has been removed meanwhile", path);
    if (fd < 0)
        return ordo_error_set(error, ORDO_E_SYSTEM, errno, "%.150s: not a record that this user may mark: %.60s", path,
                              strerror(errno));
    int code = map_checked(fd, path, checked, old, error);
    (void)close(fd);
    return code;
}

int ordo_record_disrupt_at(int fd, const char *path, const struct ordo_record *checked, struct ordo_error *error)
{
    struct old old;
    int code = fd < 0 ? ORDO_E_SUPERSEDED : map_checked(fd, path, checked, &old, error);
    if (code == ORDO_E_SUPERSEDED)
        code = map_named(path, checked, &old, error);
    else if (code && map_named(path, checked, &old, NULL) == ORDO_OK)
        code = ORDO_OK; /* the descriptor may still refer to the record, even if the name does not */
    if (code)
        return code;
    /* Relaxed, because the word publishes no other data. [S2] [S3] [S5] */
    __atomic_store_n(&old.record->status, ORDO_RECORD_DISRUPTED, __ATOMIC_RELAXED);
    unmap_old(&old);
    return ORDO_OK;
}

int ordo_record_disrupt(const char *path, const struct ordo_record *checked, struct ordo_error *error)
{
    return ordo_record_disrupt_at(-1, path, checked, error);
}

int ordo_record_refresh(const char *path, const struct ordo_record *checked, const struct ordo_record_moment *now,
                        struct ordo_error *error)
{
    struct old old;
    int64_t seconds = ordo_record_elapsed_ns(checked, now) / 1000000000;
    int64_t gain = ordo_record_gain_ns(checked, now) / ORDO_RECORD_SEEN_NS;
    if (seconds < 0 || seconds > UINT32_MAX || gain < INT32_MIN || gain > INT32_MAX)
        return ORDO_OK; /* the word cannot express this moment: the earlier moment stays */
    int code = map_named(path, checked, &old, error);
    if (code)
        return code;
    /* Relaxed, because the word is the whole message. [S6] */
    __atomic_store_n(&old.record->seen, (uint64_t)seconds << 32 | (uint32_t)(int32_t)gain, __ATOMIC_RELAXED);
    unmap_old(&old);
    return ORDO_OK;
}
