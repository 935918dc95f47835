#include "net/page/page.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/time.h"

enum { TRIES = 200, PAUSE_NS = 20000 }; /* a writer needs less than a microsecond, unless it is descheduled */

uint64_t ordo_net_page_number(const unsigned char *at, int bytes)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    case 4:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static int open_page(const char *path, int *fd, struct ordo_error *error)
{
    *fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (*fd >= 0)
        return ORDO_OK;
    if (errno == ELOOP)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.150s: is a symbolic link: name the page itself", path);
    if (errno == ENOENT || errno == ENOTDIR)
        return ordo_error_set(error, ORDO_E_MISSING, errno, "%.150s: there is no page", path);
    return ordo_error_set(error, ORDO_E_MISSING, errno, "%.150s: %s%s", path, strerror(errno), ordo_file_remedy(errno));
}

/* A page is believed because of the program that writes it, so only root and this user may be able to write it. */
static int check_page(int fd, const char *path, const struct ordo_net_page_form *form, struct ordo_error *error)
{
    struct stat status;
    if (fstat(fd, &status))
        return ordo_error_errno(error, "%.150s", path);
    if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode))
        return ordo_error_set(error, ORDO_E_MALFORMED, 0,
                              "%.120s: is neither a file nor a device: name the page that %s writes", path,
                              form->writer);
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return ordo_error_set(error, ORDO_E_OWNER, 0,
                              "%.120s: belongs to user %u, neither to root nor to this user: chown it", path,
                              (unsigned)status.st_uid);
    if (S_ISREG(status.st_mode) && (status.st_mode & 022))
        return ordo_error_set(error, ORDO_E_WRITABLE, 0,
                              "%.120s: has mode %04o, so that others than its owner may forge it: chmod go-w it", path,
                              (unsigned)status.st_mode & 07777);
    if (S_ISREG(status.st_mode) && status.st_size < (off_t)form->least)
        return ordo_error_set(error, ORDO_E_TRUNCATED, 0,
                              "%.120s: has %lld bytes, but a page of %s has at least %zu: name another", path,
                              (long long)status.st_size, form->writer, form->least);
    return ORDO_OK;
}

static int read_whole(int fd, void *bytes, size_t count, size_t at, const char *path, struct ordo_error *error)
{
    ssize_t got = pread(fd, bytes, count, (off_t)at);
    if (got < 0)
        return ordo_error_errno(error, "%.150s", path);
    return (size_t)got == count ? ORDO_OK : ordo_error_set(error, ORDO_E_TRUNCATED, 0, "%.150s: was cut short", path);
}

/* Tries once to read the whole page. Sets `*whole`. */
static int try_page(int fd, const char *path, const struct ordo_net_page_form *form, unsigned char *bytes, int *whole,
                    struct ordo_error *error)
{
    unsigned char before[8], after[8];
    size_t width = (size_t)form->counter_bytes;
    int code = read_whole(fd, before, width, form->counter_at, path, error);
    if (!code)
        code = read_whole(fd, bytes, form->least, 0, path, error);
    if (!code)
        code = read_whole(fd, after, width, form->counter_at, path, error);
    uint64_t counter = code ? 1 : ordo_net_page_number(before, form->counter_bytes);
    if (!code && counter < form->counter_first)
        return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%.120s: was never written: see that %s runs", path,
                              form->writer);
    *whole =
        counter % 2 == 0 && memcmp(before, after, width) == 0 && memcmp(before, bytes + form->counter_at, width) == 0;
    return code;
}

int ordo_net_page_read(const char *path, const struct ordo_net_page_form *form, unsigned char *bytes,
                       struct ordo_error *error)
{
    int fd, whole = 0, code = open_page(path, &fd, error);
    if (code)
        return code;
    code = check_page(fd, path, form, error);
    for (int i = 0; !code && !whole && i < TRIES; i++) {
        if (i > 0)
            ordo_sleep_ns(PAUSE_NS);
        code = try_page(fd, path, form, bytes, &whole, error);
    }
    (void)close(fd);
    if (code || whole)
        return code;
    return ordo_error_set(error, ORDO_E_MEASURE, 0, "%.120s: is half-written: its writer died meanwhile: restart %s",
                          path, form->writer);
}
