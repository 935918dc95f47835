#include "record.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/age.h"

static void take_head(struct advice_record *record, const struct ordo_record *head)
{
    record->there = true;
    record->trust = ordo_trust_of_flags(head->flags);
    record->forced = (head->flags & ORDO_FLAG_FORCED) != 0;
    record->boundary_ns = ordo_record_ticks_to_ns(head->boundary_ticks, head->tick_hz);
    record->age_ns = cli_age_ns(head);
}

static int take_bytes(struct advice_record *record, const void *bytes, size_t count, struct ordo_error *error)
{
    struct ordo_record_view view;
    int code = ordo_record_parse(bytes, count, &view);
    if (code)
        return ordo_record_refuse(error, code, 0, record->path);
    take_head(record, &view.head);
    return ordo_record_applies(&view, error);
}

void advice_record_read(struct advice_record *record)
{
    char buffer[sizeof record->path];
    struct ordo_error error = {0};
    const void *bytes;
    size_t count;
    memset(record, 0, sizeof *record);
    record->age_ns = -1;
    (void)snprintf(record->path, sizeof record->path, "%s", ordo_record_find(NULL, buffer, sizeof buffer));
    int code = ordo_record_map(record->path, &bytes, &count, &error);
    if (!code) {
        code = take_bytes(record, bytes, count, &error);
        (void)munmap((void *)(uintptr_t)bytes, count);
    }
    record->usable = code == ORDO_OK;
    (void)snprintf(record->reason, sizeof record->reason, "%s", error.text);
}
