#include "calibrate/session/refuted.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ordo/clock.h>

#include "calibrate/record/publish.h"
#include "calibrate/record/refute.h"

/* True if the visits refute the record in the file; then fills `head` with the record's head. */
static bool is_refuted(int fd, const struct ordo_calibration *measured, struct ordo_record *head)
{
    struct ordo_record_view view;
    struct ordo_refutation refuted;
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || info.st_size <= 0 || info.st_size > (off_t)ORDO_RECORD_MAX_FILE)
        return false;
    size_t size = (size_t)info.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    int code = ordo_record_parse(bytes, size, &view);
    bool found = (code == ORDO_OK || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED) &&
                 ordo_visits_refute(measured, &view, &refuted);
    if (found)
        *head = view.head;
    (void)munmap(bytes, size);
    return found;
}

/* Opens the record by its name. If it cannot be opened for marking, opens it for reading, so that the caller can report
 * that the mark failed. */
static int open_record(const char *path)
{
    int fd = ordo_record_reach(path);
    return fd >= 0 ? fd : open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

void ordo_session_mark_refuted(const struct ordo_calibrate_options *options, const struct ordo_calibration *measured,
                               struct ordo_error *error)
{
    char path[PATH_MAX];
    struct ordo_record head;
    /* The descriptor is of the counter's record; the kernel's clock has a separate record. */
    bool held = options->replaces_fd > 0 && measured->clock == ORDO_CLOCK_ID;
    if (!options->replaces || ordo_record_path_of(measured->clock, options->replaces, path, sizeof path, NULL))
        return;
    int fd = held ? options->replaces_fd : open_record(path);
    if (is_refuted(fd, measured, &head)) {
        bool marked = ordo_record_disrupt_at(fd, path, &head, NULL) == ORDO_OK;
        ordo_refutation_append(error, marked);
    }
    if (fd >= 0 && !held)
        (void)close(fd);
}
