#include "calibrate/session/refuted.h"

#include <limits.h>
#include <unistd.h>

#include "calibrate/record/publish.h"
#include "calibrate/record/refute.h"

/* True if the visits are against the record in the file, with its head. */
static bool is_refuted(const char *path, const struct ordo_calibration *measured, struct ordo_record *head)
{
    struct ordo_record_view view;
    struct ordo_refutation refuted;
    const void *bytes;
    size_t size;
    if (ordo_record_map(path, &bytes, &size, NULL))
        return false;
    int code = ordo_record_parse(bytes, size, &view);
    bool found = (code == ORDO_OK || code == ORDO_E_SUPERSEDED || code == ORDO_E_DISRUPTED) &&
                 ordo_visits_refute(measured, &view, &refuted);
    *head = view.head;
    (void)munmap((void *)(uintptr_t)bytes, size);
    return found;
}

void ordo_session_mark_refuted(const char *replaces, const struct ordo_calibration *measured, struct ordo_error *error)
{
    char path[PATH_MAX];
    struct ordo_record head;
    if (!replaces || ordo_record_path_of(measured->clock, replaces, path, sizeof path, NULL))
        return;
    int fd = ordo_record_reach(path);
    if (is_refuted(path, measured, &head)) {
        bool marked = ordo_record_disrupt_at(fd, path, &head, NULL) == ORDO_OK;
        ordo_refutation_append(error, marked);
    }
    if (fd >= 0)
        (void)close(fd);
}
