/* An archive that is written with the definitions of another one: each event is passed on, and only its time changes.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/otf2/copied.h"
#include "trace/otf2/kinds.h"
#include "trace/otf2/markers.h"
#include "trace/otf2/write.h"

static OTF2_CallbackCode callback_of(OTF2_ErrorCode code)
{
    return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

#define COPY(name, parameters, ...)                                                                                    \
    static OTF2_CallbackCode copy_##name parameters                                                                    \
    {                                                                                                                  \
        const struct ordo_otf2_writing *writing = user;                                                                \
        return callback_of(OTF2_GlobalDefWriter_Write##name(writing->global, __VA_ARGS__));                            \
    }
/* clang-format off */
#define D2(name, A, B) COPY(name, (void *user, A a, B b), a, b)
#define D3(name, A, B, C) COPY(name, (void *user, A a, B b, C c), a, b, c)
#define D4(name, A, B, C, D) COPY(name, (void *user, A a, B b, C c, D d), a, b, c, d)
#define D5(name, A, B, C, D, E) COPY(name, (void *user, A a, B b, C c, D d, E e), a, b, c, d, e)
#define D6(name, A, B, C, D, E, F) COPY(name, (void *user, A a, B b, C c, D d, E e, F f), a, b, c, d, e, f)
#define D7(name, A, B, C, D, E, F, G) \
    COPY(name, (void *user, A a, B b, C c, D d, E e, F f, G g), a, b, c, d, e, f, g)
#define D9(name, A, B, C, D, E, F, G, H, I) \
    COPY(name, (void *user, A a, B b, C c, D d, E e, F f, G g, H h, I i), a, b, c, d, e, f, g, h, i)
#define D10(name, A, B, C, D, E, F, G, H, I, J) \
    COPY(name, (void *user, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j), a, b, c, d, e, f, g, h, i, j)
/* clang-format on */
ORDO_OTF2_COPIED(D2, D3, D4, D5, D6, D7, D9, D10)

static OTF2_CallbackCode copy_Location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                       uint64_t events, OTF2_LocationGroupRef group)
{
    const struct ordo_otf2_writing *writing = user;
    (void)events;
    return callback_of(
        OTF2_GlobalDefWriter_WriteLocation(writing->global, self, name, type, ordo_otf2_count(writing, self), group));
}

static OTF2_CallbackCode see_String(void *user, OTF2_StringRef self, const char *text)
{
    struct ordo_otf2_writing *writing = user;
    (void)text;
    writing->string = self >= writing->string ? self + 1 : writing->string;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_Attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                       OTF2_StringRef description, OTF2_Type type)
{
    struct ordo_otf2_writing *writing = user;
    (void)name, (void)description, (void)type;
    writing->earliest = self >= writing->earliest ? self + 1 : writing->earliest;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode see_Location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                      uint64_t events, OTF2_LocationGroupRef group)
{
    (void)name, (void)type, (void)events, (void)group;
    return callback_of(ordo_otf2_add_location(user, self));
}

/* Reads the definitions of the source. */
static OTF2_ErrorCode read_source(struct ordo_otf2_writing *writing, OTF2_GlobalDefReaderCallbacks *callbacks)
{
    uint64_t count = 0;
    OTF2_Reader *reader = OTF2_Reader_Open(writing->output->source);
    if (!reader)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    if (code == OTF2_SUCCESS)
        code = definitions ? OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, writing)
                           : OTF2_ERROR_PROCESSED_WITH_FAULTS;
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
    OTF2_ErrorCode closed = OTF2_Reader_Close(reader);
    return code == OTF2_SUCCESS ? closed : code;
}

static void copy_size(const struct ordo_otf2_writing *writing, uint64_t *events, uint64_t *definitions)
{
    OTF2_Reader *reader = OTF2_Reader_Open(writing->output->source);
    uint64_t sizes[2];
    if (reader && OTF2_Reader_GetChunkSize(reader, &sizes[0], &sizes[1]) == OTF2_SUCCESS) {
        *events = sizes[0];
        *definitions = sizes[1];
    }
    if (reader)
        (void)OTF2_Reader_Close(reader);
}

/* Copies a property, unless the archive has it already. A name that the library does not accept is left out. */
static void copy_property(const struct ordo_otf2_writing *writing, OTF2_Reader *reader, const char *name)
{
    char *value = NULL;
    if (OTF2_Reader_GetProperty(reader, name, &value) == OTF2_SUCCESS && value)
        (void)OTF2_Archive_SetProperty(writing->archive, name, value, false);
    free(value);
}

static void copy_properties(const struct ordo_otf2_writing *writing, OTF2_Reader *reader)
{
    uint32_t count = 0;
    char **names = NULL, *text = NULL;
    if (OTF2_Reader_GetPropertyNames(reader, &count, &names) == OTF2_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            copy_property(writing, reader, names[i]);
    free(names); /* of one piece with the texts */
    if (OTF2_Reader_GetMachineName(reader, &text) == OTF2_SUCCESS && text)
        (void)OTF2_Archive_SetMachineName(writing->archive, text);
    free(text);
    text = NULL;
    if (OTF2_Reader_GetDescription(reader, &text) == OTF2_SUCCESS && text)
        (void)OTF2_Archive_SetDescription(writing->archive, text);
    free(text);
}

/* Copies the properties of the source, and the definitions of its markers. */
static OTF2_ErrorCode copy_beside(struct ordo_otf2_writing *writing)
{
    OTF2_Reader *reader = OTF2_Reader_Open(writing->output->source);
    if (!reader)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    OTF2_ErrorCode code = OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    if (code == OTF2_SUCCESS) {
        copy_properties(writing, reader);
        if (ordo_otf2_markers_define(writing, reader) == OTF2_ERROR_MEM_ALLOC_FAILED)
            code = OTF2_ERROR_MEM_ALLOC_FAILED; /* the reading has judged damage */
    }
    (void)OTF2_Reader_Close(reader);
    writing->problem[0] = '\0'; /* the library has complained of absent texts and files */
    return code;
}

static OTF2_ErrorCode copy_begin(struct ordo_otf2_writing *writing)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, see_String);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, see_Attribute);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, see_Location);
    OTF2_ErrorCode code = read_source(writing, callbacks);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    writing->latest = writing->earliest + 1;
    return code == OTF2_SUCCESS ? copy_beside(writing) : code;
}

static OTF2_ErrorCode copy_define(struct ordo_otf2_writing *writing)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (!callbacks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
#define SET(name, ...) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(callbacks, copy_##name);
    ORDO_OTF2_COPIED(SET, SET, SET, SET, SET, SET, SET, SET)
    SET(Location, )
    OTF2_ErrorCode code = read_source(writing, callbacks);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    return code;
}

static OTF2_ErrorCode put_metric(const struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                                 const struct ordo_otf2_raw *raw)
{
    OTF2_Type types[UINT8_MAX];
    OTF2_MetricValue numbers[UINT8_MAX];
    uint8_t count = (uint8_t)(raw->words / 2);
    for (uint8_t i = 0; i < count; i++) {
        types[i] = (OTF2_Type)raw->values[1 + 2 * i];
        numbers[i].unsigned_int = raw->values[2 + 2 * i];
    }
    return OTF2_EvtWriter_Metric(events, writing->list, time, (OTF2_MetricRef)raw->values[0], count, types, numbers);
}

static OTF2_ErrorCode put_program(const struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                                  const struct ordo_otf2_raw *raw)
{
    uint32_t count = raw->words - 1U;
    OTF2_StringRef *arguments = malloc(((size_t)count + 1) * sizeof *arguments);
    if (!arguments)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = (OTF2_StringRef)raw->values[1 + i];
    OTF2_ErrorCode code =
        OTF2_EvtWriter_ProgramBegin(events, writing->list, time, (OTF2_StringRef)raw->values[0], count, arguments);
    free(arguments);
    return code;
}

/* Adds the attributes that the event had. */
static OTF2_ErrorCode add_attributes(const struct ordo_otf2_writing *writing, const struct ordo_otf2_raw *raw)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;
    for (int i = 0; code == OTF2_SUCCESS && i < raw->attributes; i++) {
        const uint64_t *from = &raw->values[raw->words + 2 * i];
        OTF2_AttributeValue value = {.uint64 = from[1]};
        code = OTF2_AttributeList_AddAttribute(writing->list, (OTF2_AttributeRef)(from[0] >> 8), (OTF2_Type)from[0],
                                               value);
    }
    return code;
}

#define CASE(name, ...)                                                                                                \
    case ORDO_OTF2_##name:                                                                                             \
        return OTF2_EvtWriter_##name(events, list, time __VA_ARGS__);
/* clang-format off */
#define K0(name) CASE(name, )
#define K1(name, A) CASE(name, , (A)v[0])
#define K2(name, A, B) CASE(name, , (A)v[0], (B)v[1])
#define K3(name, A, B, C) CASE(name, , (A)v[0], (B)v[1], (C)v[2])
#define K4(name, A, B, C, D) CASE(name, , (A)v[0], (B)v[1], (C)v[2], (D)v[3])
#define K5(name, A, B, C, D, E) CASE(name, , (A)v[0], (B)v[1], (C)v[2], (D)v[3], (E)v[4])
#define K6(name, A, B, C, D, E, F) CASE(name, , (A)v[0], (B)v[1], (C)v[2], (D)v[3], (E)v[4], (F)v[5])
/* clang-format on */
/* The records of OpenMP before version 1.2 of the format are deprecated, and passed on as they are. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static OTF2_ErrorCode put_plain(OTF2_EvtWriter *events, OTF2_AttributeList *list, uint64_t time, uint16_t kind,
                                const uint64_t *v)
{
    switch (kind) {
        ORDO_OTF2_KINDS(K0, K1, K2, K3, K4, K5, K6)
    default:
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
}
#pragma GCC diagnostic pop

static OTF2_ErrorCode copy_enter(struct ordo_otf2_writing *writing)
{
    (void)writing;
    return OTF2_SUCCESS;
}

static OTF2_ErrorCode copy_put(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                               const struct ordo_otf2_record *record)
{
    const struct ordo_otf2_raw *raw = (const struct ordo_otf2_raw *)(record + 1);
    if (raw->kind == ORDO_OTF2_Marker)
        return ordo_otf2_marker_put(writing, time, raw);
    OTF2_ErrorCode code = add_attributes(writing, raw);
    if (code == OTF2_SUCCESS)
        code = ordo_otf2_add_bounds(writing, record);
    if (code != OTF2_SUCCESS)
        return code;
    if (raw->kind == ORDO_OTF2_Metric)
        return put_metric(writing, events, time, raw);
    if (raw->kind == ORDO_OTF2_ProgramBegin)
        return put_program(writing, events, time, raw);
    if (raw->kind == ORDO_OTF2_BufferFlush) /* its value is the length of the flush */
        return OTF2_EvtWriter_BufferFlush(events, writing->list, time, time + raw->values[0]);
    return put_plain(events, writing->list, time, raw->kind, raw->values);
}

const struct ordo_otf2_way ordo_otf2_copies = {copy_size, copy_begin, copy_enter, copy_put, copy_define};
