#include "trace/otf2/markers.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MOST = 1 << 17 }; /* bytes; an entry has at most UINT16_MAX values */

static OTF2_CallbackCode take_marker(void *user, OTF2_TimeStamp time, OTF2_TimeStamp length, OTF2_MarkerRef self,
                                     OTF2_MarkerScope scope, uint64_t of, const char *text)
{
    struct ordo_otf2_stream *stream = user;
    size_t bytes = strnlen(text, TEXT_MOST), words = ORDO_OTF2_MARKER_TEXT + bytes / sizeof(uint64_t) + 1;
    struct ordo_otf2_entry *entry = ordo_otf2_push(&stream->queue);
    uint64_t *values = entry ? calloc(words, sizeof *values) : NULL;
    stream->no_memory |= !values;
    if (!values)
        return OTF2_CALLBACK_INTERRUPT;
    entry->more = values;
    entry->time = time;
    entry->kind = ORDO_OTF2_Marker;
    entry->words = (uint16_t)words;
    values[ORDO_OTF2_MARKER_LENGTH] = length;
    values[ORDO_OTF2_MARKER_SELF] = self;
    values[ORDO_OTF2_MARKER_SCOPE] = scope;
    values[ORDO_OTF2_MARKER_OF] = of;
    values[ORDO_OTF2_MARKER_BYTES] = bytes;
    memcpy(values + ORDO_OTF2_MARKER_TEXT, text, bytes);
    return OTF2_CALLBACK_SUCCESS;
}

static int by_time(const void *a, const void *b)
{
    const struct ordo_otf2_entry *x = a, *y = b;
    return (x->time > y->time) - (x->time < y->time);
}

/* Sorts the entries of a queue from which no entry was taken. */
static int sort_entries(struct ordo_otf2_queue *queue)
{
    size_t count = (size_t)(queue->next - queue->first);
    struct ordo_otf2_entry *sorted = malloc((count + 1) * sizeof *sorted);
    if (!sorted)
        return -1;
    for (size_t i = 0; i < count; i++)
        sorted[i] = *ordo_otf2_at(queue, queue->first + i);
    qsort(sorted, count, sizeof *sorted, by_time);
    for (size_t i = 0; i < count; i++)
        *ordo_otf2_at(queue, queue->first + i) = sorted[i];
    free(sorted);
    return 0;
}

/* Reads the markers of an archive with these callbacks. */
static OTF2_ErrorCode read_markers(OTF2_Reader *reader, const OTF2_MarkerReaderCallbacks *callbacks, void *user)
{
    uint64_t count = 0;
    OTF2_MarkerReader *markers = OTF2_Reader_GetMarkerReader(reader);
    if (!markers)
        return OTF2_SUCCESS; /* there is no file of markers */
    OTF2_ErrorCode code = OTF2_Reader_RegisterMarkerCallbacks(reader, markers, callbacks, user);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllMarkers(reader, markers, &count);
    (void)OTF2_Reader_CloseMarkerReader(reader, markers);
    return code;
}

OTF2_ErrorCode ordo_otf2_markers_read(struct ordo_otf2_stream *stream, OTF2_Reader *reader)
{
    static const struct ordo_otf2_location nowhere = {.ref = OTF2_UNDEFINED_LOCATION};
    OTF2_MarkerReaderCallbacks *callbacks = OTF2_MarkerReaderCallbacks_New();
    *stream = (struct ordo_otf2_stream){.location = &nowhere, .ended = true};
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_MarkerReaderCallbacks_SetMarkerCallback(callbacks, take_marker);
    OTF2_ErrorCode code = read_markers(reader, callbacks, stream);
    OTF2_MarkerReaderCallbacks_Delete(callbacks);
    return stream->no_memory || sort_entries(&stream->queue) ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

int32_t ordo_otf2_marker_rank(const struct ordo_otf2_definitions *all, const uint64_t *values)
{
    uint64_t scope = values[ORDO_OTF2_MARKER_SCOPE], of = values[ORDO_OTF2_MARKER_OF];
    if (scope != OTF2_MARKER_SCOPE_LOCATION && scope != OTF2_MARKER_SCOPE_LOCATION_GROUP)
        return 0;
    for (size_t i = 0; i < all->location_count; i++) {
        const struct ordo_otf2_location *location = &all->locations[i];
        if ((scope == OTF2_MARKER_SCOPE_LOCATION ? location->ref : location->group) == of && location->rank >= 0)
            return location->rank;
    }
    return 0;
}

static OTF2_CallbackCode copy_definition(void *user, OTF2_MarkerRef self, const char *group, const char *category,
                                         OTF2_MarkerSeverity severity)
{
    struct ordo_otf2_writing *writing = user;
    if (!writing->markers)
        writing->markers = OTF2_Archive_GetMarkerWriter(writing->archive);
    OTF2_ErrorCode code = writing->markers
                              ? OTF2_MarkerWriter_WriteDefMarker(writing->markers, self, group, category, severity)
                              : OTF2_ERROR_PROCESSED_WITH_FAULTS;
    return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

OTF2_ErrorCode ordo_otf2_markers_define(struct ordo_otf2_writing *writing, OTF2_Reader *source)
{
    OTF2_MarkerReaderCallbacks *callbacks = OTF2_MarkerReaderCallbacks_New();
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_MarkerReaderCallbacks_SetDefMarkerCallback(callbacks, copy_definition);
    OTF2_ErrorCode code = read_markers(source, callbacks, writing);
    OTF2_MarkerReaderCallbacks_Delete(callbacks);
    return code;
}

OTF2_ErrorCode ordo_otf2_marker_put(const struct ordo_otf2_writing *writing, uint64_t time,
                                    const struct ordo_otf2_raw *raw)
{
    const uint64_t *values = raw->values;
    if (!writing->markers)
        return OTF2_SUCCESS; /* a marker without any definition of markers */
    return OTF2_MarkerWriter_WriteMarker(writing->markers, time, values[ORDO_OTF2_MARKER_LENGTH],
                                         (OTF2_MarkerRef)values[ORDO_OTF2_MARKER_SELF],
                                         (OTF2_MarkerScope)values[ORDO_OTF2_MARKER_SCOPE], values[ORDO_OTF2_MARKER_OF],
                                         (const char *)(values + ORDO_OTF2_MARKER_TEXT));
}
