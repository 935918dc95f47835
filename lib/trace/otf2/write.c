#include "trace/otf2/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/otf2/marks.h"

enum { ALIVE = 1 << 18 };

static OTF2_ErrorCode keep_problem(void *user, const char *file, uint64_t line, const char *function,
                                   OTF2_ErrorCode code, const char *format, va_list arguments)
{
    struct ordo_otf2_writing *writing = user;
    (void)file, (void)line, (void)function;
    if (!writing->problem[0])
        (void)vsnprintf(writing->problem, sizeof writing->problem, format, arguments);
    return code;
}

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

OTF2_ErrorCode ordo_otf2_add_location(struct ordo_otf2_writing *writing, OTF2_LocationRef location)
{
    uint64_t *count = ordo_map_add(&writing->events, location, 0);
    if (count && *count == 0)
        *count = 1;
    return count ? OTF2_SUCCESS : OTF2_ERROR_MEM_ALLOC_FAILED;
}

uint64_t ordo_otf2_count(const struct ordo_otf2_writing *writing, OTF2_LocationRef location)
{
    const uint64_t *count = ordo_map_find(&writing->events, location, 0);
    return count ? *count - 1 : 0;
}

OTF2_ErrorCode ordo_otf2_add_bounds(struct ordo_otf2_writing *writing, const struct ordo_otf2_record *record)
{
    OTF2_ErrorCode code = OTF2_AttributeList_AddInt64(writing->list, writing->earliest, record->earliest_ns);
    return code == OTF2_SUCCESS ? OTF2_AttributeList_AddInt64(writing->list, writing->latest, record->latest_ns) : code;
}

/* Writes the files of a location that has no events. */
static OTF2_ErrorCode write_empty(const struct ordo_otf2_writing *writing, OTF2_LocationRef location)
{
    OTF2_EvtWriter *events = OTF2_Archive_GetEvtWriter(writing->archive, location);
    return events ? OTF2_Archive_CloseEvtWriter(writing->archive, events) : OTF2_ERROR_PROCESSED_WITH_FAULTS;
}

static OTF2_ErrorCode close_location(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events,
                                     OTF2_LocationRef location)
{
    uint64_t count = 0;
    OTF2_ErrorCode code = OTF2_EvtWriter_GetNumberOfEvents(events, &count);
    uint64_t *place = ordo_map_add(&writing->events, location, 0);
    if (place)
        *place = count + 1;
    OTF2_ErrorCode closed = OTF2_Archive_CloseEvtWriter(writing->archive, events);
    return !place ? OTF2_ERROR_MEM_ALLOC_FAILED : code == OTF2_SUCCESS ? closed : code;
}

/* Writes all records. They come location by location, so that one location at a time takes memory. */
static OTF2_ErrorCode write_records(struct ordo_otf2_writing *writing, const struct ordo_otf2_way *way)
{
    struct ordo_sorted sorted;
    OTF2_EvtWriter *events = NULL;
    OTF2_LocationRef location = 0;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    uint64_t done = 0;
    int more = 0;
    while (code == OTF2_SUCCESS && (more = ordo_sorter_next(writing->output->sorter, &sorted)) == 1) {
        if (events && location != sorted.key.group) {
            code = close_location(writing, events, location);
            events = NULL;
        }
        location = sorted.key.group;
        if (code == OTF2_SUCCESS && !events && location != OTF2_UNDEFINED_LOCATION) {
            events = OTF2_Archive_GetEvtWriter(writing->archive, location);
            code = events ? way->enter(writing) : OTF2_ERROR_PROCESSED_WITH_FAULTS;
        }
        if (++done % ALIVE == 0)
            ordo_process_tell(writing->out, ORDO_OTF2_ALIVE);
        if (code == OTF2_SUCCESS)
            code = way->put(writing, events, (uint64_t)sorted.key.time + writing->shift_ns, sorted.bytes);
    }
    if (events && code == OTF2_SUCCESS)
        code = close_location(writing, events, location);
    return more < 0 ? OTF2_ERROR_EIO : code;
}

/* Writes the event files, those of locations without events too, because some readers want a file for each. */
static OTF2_ErrorCode write_event_files(struct ordo_otf2_writing *writing, const struct ordo_otf2_way *way)
{
    OTF2_ErrorCode code = OTF2_Archive_OpenEvtFiles(writing->archive);
    if (code == OTF2_SUCCESS)
        code = write_records(writing, way);
    for (size_t i = 0; code == OTF2_SUCCESS && i < writing->events.size; i++)
        if (writing->events.slots[i].used && writing->events.slots[i].value == 1)
            code = write_empty(writing, writing->events.slots[i].a);
    return code == OTF2_SUCCESS ? OTF2_Archive_CloseEvtFiles(writing->archive) : code;
}

/* Writes the local definitions of each location, which are empty: there are no mappings, and no clock offsets. */
static OTF2_ErrorCode write_local(const struct ordo_otf2_writing *writing)
{
    OTF2_ErrorCode code = OTF2_Archive_OpenDefFiles(writing->archive);
    for (size_t i = 0; code == OTF2_SUCCESS && i < writing->events.size; i++) {
        if (!writing->events.slots[i].used)
            continue;
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writing->archive, writing->events.slots[i].a);
        code = local ? OTF2_Archive_CloseDefWriter(writing->archive, local) : OTF2_ERROR_PROCESSED_WITH_FAULTS;
    }
    return code == OTF2_SUCCESS ? OTF2_Archive_CloseDefFiles(writing->archive) : code;
}

static OTF2_ErrorCode define_bound(struct ordo_otf2_writing *writing, OTF2_AttributeRef ref, const char *name,
                                   const char *about)
{
    OTF2_StringRef title = writing->string++, description = writing->string++;
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteString(writing->global, title, name);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteString(writing->global, description, about);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteAttribute(writing->global, ref, title, description, OTF2_TYPE_INT64);
    return code;
}

/* Writes the global definitions. The clock of the archive is global time, which counts ns. */
static OTF2_ErrorCode write_global(struct ordo_otf2_writing *writing, const struct ordo_otf2_way *way)
{
    const struct ordo_otf2_output *output = writing->output;
    uint64_t first = (uint64_t)output->first_ns + writing->shift_ns;
    uint64_t length = (uint64_t)output->last_ns - (uint64_t)output->first_ns + 1;
    writing->global = OTF2_Archive_GetGlobalDefWriter(writing->archive);
    if (!writing->global)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    OTF2_ErrorCode code =
        OTF2_GlobalDefWriter_WriteClockProperties(writing->global, 1000000000, first, length, OTF2_UNDEFINED_TIMESTAMP);
    if (code == OTF2_SUCCESS)
        code = way->define(writing);
    if (code == OTF2_SUCCESS)
        code = define_bound(writing, writing->earliest, ORDO_OTF2_EARLIEST,
                            "earliest global time of the event, in ns relative to its time");
    if (code == OTF2_SUCCESS)
        code = define_bound(writing, writing->latest, ORDO_OTF2_LATEST,
                            "latest global time of the event, in ns relative to its time");
    return code == OTF2_SUCCESS ? OTF2_Archive_CloseGlobalDefWriter(writing->archive, writing->global) : code;
}

static OTF2_ErrorCode set_properties(const struct ordo_otf2_writing *writing)
{
    char shift[32];
    (void)snprintf(shift, sizeof shift, "%llu", (unsigned long long)writing->shift_ns);
    OTF2_ErrorCode code = OTF2_Archive_SetCreator(writing->archive, "ordo-trace");
    return code == OTF2_SUCCESS ? OTF2_Archive_SetProperty(writing->archive, ORDO_OTF2_GLOBAL, shift, true) : code;
}

static OTF2_ErrorCode write_files(struct ordo_otf2_writing *writing, const struct ordo_otf2_way *way)
{
    static const OTF2_FlushCallbacks flushes = {.otf2_pre_flush = flush_always};
    OTF2_ErrorCode code = OTF2_Archive_SetFlushCallbacks(writing->archive, &flushes, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(writing->archive);
    if (code == OTF2_SUCCESS)
        code = set_properties(writing);
    if (code == OTF2_SUCCESS)
        code = way->begin(writing);
    if (code == OTF2_SUCCESS)
        code = write_event_files(writing, way);
    if (code == OTF2_SUCCESS && writing->markers)
        code = OTF2_Archive_CloseMarkerWriter(writing->archive, writing->markers);
    if (code == OTF2_SUCCESS)
        code = write_local(writing);
    return code == OTF2_SUCCESS ? write_global(writing, way) : code;
}

static OTF2_ErrorCode write_archive(struct ordo_otf2_writing *writing, const struct ordo_otf2_way *way)
{
    uint64_t events = OTF2_CHUNK_SIZE_EVENTS_DEFAULT, definitions = OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT;
    way->size(writing, &events, &definitions);
    writing->archive = OTF2_Archive_Open(writing->output->folder, "traces", OTF2_FILEMODE_WRITE, events, definitions,
                                         OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    writing->list = OTF2_AttributeList_New();
    OTF2_ErrorCode code = OTF2_ERROR_PROCESSED_WITH_FAULTS;
    if (writing->archive && writing->list)
        code = write_files(writing, way);
    if (writing->archive) {
        OTF2_ErrorCode closed = OTF2_Archive_Close(writing->archive);
        code = code == OTF2_SUCCESS ? closed : code;
    }
    if (writing->list)
        (void)OTF2_AttributeList_Delete(writing->list);
    return code;
}

/* Frees nothing of its own, because the process ends. */
void ordo_otf2_write(struct ordo_process_out *out, const void *context)
{
    const struct ordo_otf2_output *output = context;
    const struct ordo_otf2_way *way = output->source ? &ordo_otf2_copies : &ordo_otf2_makes;
    struct ordo_otf2_writing writing = {.output = output, .out = out};
    char text[300];
    if (output->first_ns < 0)
        writing.shift_ns = -(uint64_t)output->first_ns; /* times in an archive are not negative */
    (void)OTF2_Error_RegisterCallback(keep_problem, &writing);
    OTF2_ErrorCode code = write_archive(&writing, way);
    if (code == OTF2_SUCCESS) {
        ordo_process_tell(out, ORDO_OTF2_END);
        return;
    }
    int length = snprintf(text, sizeof text, "cannot be written: the OTF2 library says '%s%s%s': %s",
                          OTF2_Error_GetDescription(code), writing.problem[0] ? ": " : "", writing.problem,
                          code == OTF2_ERROR_INVALID_SIZE_GIVEN ? "a name is too long for it: write another form"
                                                                : "make room on its disk");
    ordo_process_send(out, ORDO_OTF2_FAILED, text, (size_t)length, NULL, 0);
}
