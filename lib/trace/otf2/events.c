#include "trace/otf2/events.h"

#include <stdlib.h>
#include <string.h>

/* Returns the room for `words` values and the attributes of an event; NULL if out of memory. */
static uint64_t *make_room(struct ordo_otf2_entry *entry, size_t words, uint32_t attributes)
{
    size_t count = words + 2 * (size_t)attributes;
    if (count > ORDO_OTF2_INLINE)
        entry->more = malloc(count * sizeof *entry->more);
    if (count > UINT16_MAX || (count > ORDO_OTF2_INLINE && !entry->more))
        return NULL;
    entry->words = (uint16_t)words;
    entry->attributes = (uint16_t)attributes;
    return entry->more ? entry->more : entry->values;
}

/* Links the end of a collective to its begin, and the completion of a receive to its posting. */
static void link_back(struct ordo_otf2_stream *stream, const struct ordo_otf2_entry *entry)
{
    struct ordo_otf2_queue *queue = &stream->queue;
    uint64_t own = queue->next - 1, request = entry->words > 0 ? entry->values[entry->words - 1] : 0;
    uint64_t *place;
    switch (entry->kind) {
    case ORDO_OTF2_MpiCollectiveBegin:
        queue->begun = own;
        break;
    case ORDO_OTF2_MpiCollectiveEnd:
        if (ordo_otf2_holds(queue, queue->begun))
            ordo_otf2_at(queue, queue->begun)->link = own;
        queue->begun = 0;
        break;
    case ORDO_OTF2_MpiIrecvRequest:
        place = ordo_map_add(&stream->posted, request, 0);
        stream->no_memory |= !place;
        if (place)
            *place = own;
        break;
    case ORDO_OTF2_MpiIrecv:
    case ORDO_OTF2_MpiRequestCancelled:
        place = ordo_map_find(&stream->posted, request, 0);
        if (place && ordo_otf2_holds(queue, *place))
            ordo_otf2_at(queue, *place)->link = own;
        ordo_map_remove(&stream->posted, request, 0);
        break;
    default:
        break;
    }
}

/* Puts an event into the queue of its location. `second` follows the `words` values of `values`. */
static OTF2_CallbackCode take(void *user, OTF2_TimeStamp time, const OTF2_AttributeList *list, enum ordo_otf2_kind kind,
                              const uint64_t *values, size_t words)
{
    struct ordo_otf2_stream *stream = user;
    struct ordo_otf2_entry *entry = ordo_otf2_push(&stream->queue);
    uint32_t attributes = OTF2_AttributeList_GetNumberOfElements(list);
    uint64_t *to = entry ? make_room(entry, words, attributes) : NULL;
    stream->no_memory |= !to;
    if (!to)
        return OTF2_CALLBACK_INTERRUPT;
    entry->time = time;
    entry->kind = (uint16_t)kind;
    if (words > 0)
        memcpy(to, values, words * sizeof *values);
    for (uint32_t i = 0; i < attributes; i++) {
        OTF2_AttributeRef attribute = 0;
        OTF2_Type type = OTF2_TYPE_NONE;
        OTF2_AttributeValue value = {.uint64 = 0};
        (void)OTF2_AttributeList_GetAttributeByIndex(list, i, &attribute, &type, &value);
        to[words + 2 * i] = (uint64_t)attribute << 8 | type;
        to[words + 2 * i + 1] = value.uint64;
    }
    link_back(stream, entry);
    return OTF2_CALLBACK_SUCCESS;
}

#define HEAD OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user, OTF2_AttributeList *list
#define TAKE(name, parameters, count, ...)                                                                             \
    static OTF2_CallbackCode take_##name parameters                                                                    \
    {                                                                                                                  \
        const uint64_t values[] = {__VA_ARGS__};                                                                       \
        (void)location, (void)position;                                                                                \
        return take(user, time, list, ORDO_OTF2_##name, values, count);                                                \
    }
#define V(x) (uint64_t)(x)
#define K0(name) TAKE(name, (HEAD), 0, 0)
#define K1(name, A) TAKE(name, (HEAD, A a), 1, V(a))
#define K2(name, A, B) TAKE(name, (HEAD, A a, B b), 2, V(a), V(b))
#define K3(name, A, B, C) TAKE(name, (HEAD, A a, B b, C c), 3, V(a), V(b), V(c))
#define K4(name, A, B, C, D) TAKE(name, (HEAD, A a, B b, C c, D d), 4, V(a), V(b), V(c), V(d))
#define K5(name, A, B, C, D, E) TAKE(name, (HEAD, A a, B b, C c, D d, E e), 5, V(a), V(b), V(c), V(d), V(e))
#define K6(name, A, B, C, D, E, F)                                                                                     \
    TAKE(name, (HEAD, A a, B b, C c, D d, E e, F f), 6, V(a), V(b), V(c), V(d), V(e), V(f))
ORDO_OTF2_KINDS(K0, K1, K2, K3, K4, K5, K6)
#undef K0
#undef K1
#undef K2
#undef K3
#undef K4
#undef K5
#undef K6

/* The values of a metric: its number, and for each of its values the type and the value. */
static OTF2_CallbackCode take_Metric(HEAD, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types,
                                     const OTF2_MetricValue *numbers)
{
    uint64_t values[1 + 2 * UINT8_MAX] = {metric};
    (void)location, (void)position;
    for (uint8_t i = 0; i < count; i++) {
        values[1 + 2 * i] = types[i];
        values[2 + 2 * i] = numbers[i].unsigned_int;
    }
    return take(user, time, list, ORDO_OTF2_Metric, values, 1 + 2 * (size_t)count);
}

static OTF2_CallbackCode take_ProgramBegin(HEAD, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments)
{
    enum { MOST = 1024 };
    uint64_t values[1 + MOST] = {name};
    size_t kept = count < MOST ? count : MOST;
    (void)location, (void)position;
    for (size_t i = 0; i < kept; i++)
        values[1 + i] = arguments[i];
    return take(user, time, list, ORDO_OTF2_ProgramBegin, values, 1 + kept);
}

static OTF2_CallbackCode take_unknown(HEAD)
{
    struct ordo_otf2_stream *stream = user;
    (void)location, (void)time, (void)position, (void)list;
    stream->unknown++;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_ErrorCode register_all(OTF2_Reader *reader, struct ordo_otf2_stream *stream)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
#define SET(name, ...) OTF2_EvtReaderCallbacks_Set##name##Callback(callbacks, take_##name);
    ORDO_OTF2_KINDS(SET, SET, SET, SET, SET, SET, SET)
    SET(Metric, )
    SET(ProgramBegin, )
    OTF2_EvtReaderCallbacks_SetUnknownCallback(callbacks, take_unknown);
    OTF2_ErrorCode code = OTF2_Reader_RegisterEvtCallbacks(reader, stream->reader, callbacks, stream);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return code;
}

OTF2_ErrorCode ordo_otf2_stream_open(struct ordo_otf2_stream *stream, OTF2_Reader *reader,
                                     const struct ordo_otf2_location *location)
{
    *stream =
        (struct ordo_otf2_stream){.location = location, .reader = OTF2_Reader_GetEvtReader(reader, location->ref)};
    if (!stream->reader)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    OTF2_ErrorCode code = OTF2_EvtReader_ApplyClockOffsets(stream->reader, false);
    if (code == OTF2_SUCCESS)
        code = OTF2_EvtReader_ApplyMappingTables(stream->reader, true);
    return code == OTF2_SUCCESS ? register_all(reader, stream) : code;
}

OTF2_ErrorCode ordo_otf2_stream_read(struct ordo_otf2_stream *stream, OTF2_Reader *reader)
{
    enum { BATCH = 128 };
    uint64_t got = 0;
    OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(reader, stream->reader, BATCH, &got);
    stream->ended = got < BATCH;
    return stream->no_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}
