#include "net/timed/page.h"

#include <sys/file.h>

#include "base/file.h"

/* Maps the file at the path so that its words can be set. False: there is no page of this user. */
static bool map_file(struct ordo_timed_page *page)
{
    struct stat info;
    void *map = MAP_FAILED;
    int fd = open(page->path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        info.st_size >= (off_t)(ORDO_NOW_HEAD_BYTES + sizeof(struct ordo_now_slot)) &&
        info.st_size <= (off_t)(ORDO_NOW_HEAD_BYTES + ORDO_NOW_MOST_SLOTS * sizeof(struct ordo_now_slot)))
        map = mmap(NULL, (size_t)info.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (map == MAP_FAILED)
        return false;
    page->head = map;
    page->bytes = (size_t)info.st_size;
    page->slots = (struct ordo_now_slot *)(void *)((unsigned char *)map + ORDO_NOW_HEAD_BYTES);
    if (ordo_now_parse(page->head, page->bytes) == 0)
        return true;
    (void)munmap(map, page->bytes);
    page->head = NULL;
    return false;
}

static int take_lock(struct ordo_timed_page *page, struct ordo_error *error)
{
    char path[1100];
    int length = snprintf(path, sizeof path, "%s.lock", page->path);
    if (length < 0 || (size_t)length >= sizeof path)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: the path is too long", page->path);
    page->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (page->lock < 0)
        return ordo_error_errno(error, "%.150s", path);
    if (flock(page->lock, LOCK_EX | LOCK_NB) == 0)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_SYSTEM, errno, "%.150s: another ordo-timed publishes it: stop that one first",
                          page->path);
}

int ordo_timed_page_open(struct ordo_timed_page *page, const char *path, uint64_t capacity, struct ordo_error *error)
{
    *page = (struct ordo_timed_page){.path = path, .lock = -1, .capacity = capacity};
    int code = ordo_file_prepare(path, true, error);
    if (!code)
        code = take_lock(page, error);
    if (code) {
        ordo_timed_page_close(page);
        return code;
    }
    ordo_file_sweep(path);
    if (map_file(page))
        page->generation = page->head->generation;
    return ORDO_OK;
}

/* Unmaps the file. Marks it superseded if `marked`. */
static void leave_file(struct ordo_timed_page *page, bool marked)
{
    uint64_t valid = ORDO_RECORD_VALID;
    if (!page->head)
        return;
    /* Relaxed: the word carries no other data. */
    if (marked)
        (void)__atomic_compare_exchange_n(&page->head->status, &valid, ORDO_RECORD_SUPERSEDED, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED);
    (void)munmap(page->head, page->bytes);
    page->head = NULL;
}

static int fill_page_head(struct ordo_now_head *head, const struct ordo_timed_page *page,
                          const struct ordo_timed_clock *clock, const char *vmclock, struct ordo_error *error)
{
    struct ordo_record_moment now;
    memcpy(head->magic, ORDO_NOW_MAGIC, sizeof head->magic);
    head->status = ORDO_RECORD_VALID;
    head->layout = ORDO_NOW_LAYOUT;
    head->count = 1;
    head->capacity = page->capacity;
    head->total_bytes = ORDO_NOW_HEAD_BYTES + page->capacity * sizeof(struct ordo_now_slot);
    head->generation = page->generation + 1;
    head->tick_hz = clock->tick_hz;
    head->tick_ns_32 = clock->tick_ns_32;
    head->boundary = clock->boundary;
    head->boundary_ns = (uint64_t)clock->boundary_ns;
    head->clock = clock->id;
    head->flags = vmclock[0] ? ORDO_NOW_FLAG_VMCLOCK : 0;
    (void)snprintf(head->tool_version, sizeof head->tool_version, "%s", ORDO_VERSION);
    (void)snprintf(head->vmclock, sizeof head->vmclock, "%s", vmclock);
    memcpy(head->cpus, clock->cpus, sizeof head->cpus);
    if (ordo_record_boot_id(head->boot_id) || ordo_record_now(&now))
        return ordo_error_errno(error, "/proc/sys/kernel/random/boot_id");
    head->as_of_ns = (uint64_t)now.uptime_ns;
    head->checksum =
        ordo_record_fold((const unsigned char *)head + ORDO_RECORD_SEALED, ORDO_NOW_HEAD_BYTES - ORDO_RECORD_SEALED);
    return ORDO_OK;
}

/* Publishes a new file with one slot [W1, W2]. */
static int begin_file(struct ordo_timed_page *page, const struct ordo_timed_clock *clock, const char *vmclock,
                      const struct ordo_now_slot *slot, struct ordo_error *error)
{
    struct ordo_timed_page fresh = *page;
    size_t count = ORDO_NOW_HEAD_BYTES + page->capacity * sizeof *slot;
    unsigned char *bytes = calloc(1, count);
    if (!bytes)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    int code = fill_page_head((struct ordo_now_head *)(void *)bytes, page, clock, vmclock, error);
    memcpy(bytes + ORDO_NOW_HEAD_BYTES, slot, sizeof *slot);
    if (!code)
        code = ordo_file_replace(page->path, bytes, count, 0644, error);
    uint64_t checksum = ((struct ordo_now_head *)(void *)bytes)->checksum;
    free(bytes);
    if (code)
        return code;
    fresh.head = NULL;
    if (!map_file(&fresh) || fresh.head->checksum != checksum) {
        leave_file(&fresh, false);
        return ordo_error_set(error, ORDO_E_SYSTEM, 0,
                              "%.150s: the page cannot be opened again, or another replaced it", page->path);
    }
    fresh.generation++;
    leave_file(page, true); /* [W4] */
    *page = fresh;
    return ORDO_OK;
}

int ordo_timed_page_add(struct ordo_timed_page *page, const struct ordo_timed_clock *clock, const char *vmclock,
                        const struct ordo_now_slot *slot, bool anew, struct ordo_error *error)
{
    struct ordo_now_slot sealed = *slot;
    uint64_t number = ordo_timed_page_stands(page) && !anew ? page->head->count : 0;
    if (number == 0 || number >= page->head->capacity) {
        sealed.seal = ordo_now_seal(&sealed, 0);
        return begin_file(page, clock, vmclock, &sealed, error);
    }
    sealed.seal = ordo_now_seal(&sealed, number);
    page->slots[number] = sealed;
    /* Release: pairs with ordo_now: the slot's words [W1]. */
    __atomic_store_n(&page->head->count, number + 1, __ATOMIC_RELEASE);
    return ORDO_OK;
}

void ordo_timed_page_withdraw(struct ordo_timed_page *page)
{
    /* Relaxed: the word carries no other data. */
    if (page->head)
        __atomic_store_n(&page->head->status, ORDO_RECORD_DISRUPTED, __ATOMIC_RELAXED);
}

bool ordo_timed_page_stands(const struct ordo_timed_page *page)
{
    return page->head && __atomic_load_n(&page->head->status, __ATOMIC_RELAXED) == ORDO_RECORD_VALID;
}

void ordo_timed_page_close(struct ordo_timed_page *page)
{
    leave_file(page, false);
    if (page->lock >= 0)
        (void)close(page->lock);
    page->lock = -1;
}
