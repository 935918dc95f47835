/* An archive whose definitions are made of the records: a process for each rank, a location for each thread, a region
 * for each name, a group for each communicator. */
#include <stdlib.h>
#include <string.h>

#include "trace/event/names.h"
#include "trace/otf2/collective.h"
#include "trace/otf2/write.h"

/* The numbers of the definitions. Strings: first these, then the names. Regions and parameters have the numbers of
 * names. Groups and communicators: MPI_COMM_WORLD is 0. */
enum { EMPTY, MACHINE, MACHINE_CLASS, WORLD, POINT, MPI, PROCESS, THREAD, MASTER, NAMES };

struct made {
    int32_t ranks;                 /* there are the ranks 0 to ranks - 1 */
    struct ordo_map_slot *members; /* pairs of communicator and rank, sorted */
    size_t member_count;
    struct ordo_map communicators; /* their numbers in the archive */
    uint32_t *open;                /* names of the regions that are open in the present location */
    size_t depth, room;
};

static int by_pair(const void *a, const void *b)
{
    const struct ordo_map_slot *x = a, *y = b;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* Sorts the members of all communicators, and numbers the communicators. */
static OTF2_ErrorCode sort_members(const struct ordo_otf2_writing *writing, struct made *made)
{
    const struct ordo_map *members = writing->output->members;
    uint64_t next = 0;
    made->members = calloc(members->count + 1, sizeof *made->members);
    if (!made->members)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (size_t i = 0; i < members->size; i++)
        if (members->slots[i].used)
            made->members[made->member_count++] = members->slots[i];
    qsort(made->members, made->member_count, sizeof *made->members, by_pair);
    for (size_t i = 0; i < made->member_count; i++) {
        uint64_t *number = ordo_map_add(&made->communicators, made->members[i].a, 0);
        if (!number)
            return OTF2_ERROR_MEM_ALLOC_FAILED;
        if (*number == 0)
            *number = ++next;
        int32_t rank = (int32_t)made->members[i].b;
        made->ranks = rank >= made->ranks ? rank + 1 : made->ranks;
    }
    return OTF2_SUCCESS;
}

/* The largest definition is a group of all ranks, or a name. */
static void make_size(const struct ordo_otf2_writing *writing, uint64_t *events, uint64_t *definitions)
{
    uint64_t ranks = (uint64_t)writing->output->last_rank + 1;
    *events = OTF2_CHUNK_SIZE_MIN;
    *definitions = OTF2_CHUNK_SIZE_MIN;
    while (*definitions < OTF2_CHUNK_SIZE_MAX && *definitions < 10 * ranks + OTF2_CHUNK_SIZE_MIN / 2)
        *definitions *= 2;
}

static OTF2_ErrorCode make_begin(struct ordo_otf2_writing *writing)
{
    struct made *made = writing->state = calloc(1, sizeof *made);
    if (!made)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    writing->string = NAMES + writing->output->names->count;
    writing->latest = 1;
    OTF2_ErrorCode code = sort_members(writing, made);
    for (int32_t rank = 0; code == OTF2_SUCCESS && rank < made->ranks; rank++)
        code = ordo_otf2_add_location(writing, ordo_otf2_location(rank, 0));
    return code;
}

static OTF2_ErrorCode make_enter(struct ordo_otf2_writing *writing)
{
    struct made *made = writing->state;
    made->depth = 0;
    return OTF2_SUCCESS;
}

static OTF2_CommRef communicator_of(const struct made *made, uint64_t communicator)
{
    const uint64_t *number = ordo_map_find(&made->communicators, communicator, 0);
    return communicator == 0 || !number ? 0 : (OTF2_CommRef)*number;
}

static bool is_collective(const struct ordo_otf2_record *record)
{
    return record->collective != ORDO_COLLECTIVE_NONE && record->communicator != ORDO_EVENT_NO_COMMUNICATOR;
}

static OTF2_ErrorCode put_begin(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                                const struct ordo_otf2_record *record)
{
    struct made *made = writing->state;
    if (made->depth == made->room) {
        size_t room = made->room ? 2 * made->room : 64;
        uint32_t *open = realloc(made->open, room * sizeof *open);
        if (!open)
            return OTF2_ERROR_MEM_ALLOC_FAILED;
        made->open = open;
        made->room = room;
    }
    made->open[made->depth++] = record->name;
    OTF2_ErrorCode code = OTF2_EvtWriter_Enter(events, writing->list, time, record->name);
    if (code == OTF2_SUCCESS && is_collective(record))
        code = OTF2_EvtWriter_MpiCollectiveBegin(events, NULL, time);
    return code;
}

/* Writes the end of a region. Spans that end at the same time come in the order of their begins, and an end may have no
 * name: then it is the end of the region that was entered last. */
static OTF2_ErrorCode put_end(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                              const struct ordo_otf2_record *record)
{
    struct made *made = writing->state;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    struct ordo_text name = writing->output->names->all[record->name];
    uint32_t region = record->name;
    if (made->depth > 0 && made->open[--made->depth] != region && (record->is_span || name.length == 0))
        region = made->open[made->depth];
    if (is_collective(record)) {
        uint32_t root = record->root >= 0 ? (uint32_t)record->root : OTF2_COLLECTIVE_ROOT_NONE;
        OTF2_CollectiveOp operation = ordo_otf2_operation(name, (enum ordo_event_collective)record->collective);
        uint64_t sent = record->has_bytes ? record->bytes : OTF2_UNDEFINED_UINT64,
                 received = record->has_bytes ? 0 : sent;
        code = OTF2_EvtWriter_MpiCollectiveEnd(events, NULL, time, operation,
                                               communicator_of(made, record->communicator), root, sent, received);
    }
    return code == OTF2_SUCCESS ? OTF2_EvtWriter_Leave(events, writing->list, time, region) : code;
}

static OTF2_ErrorCode make_put(struct ordo_otf2_writing *writing, OTF2_EvtWriter *events, uint64_t time,
                               const struct ordo_otf2_record *record)
{
    const struct made *made = writing->state;
    OTF2_CommRef communicator = communicator_of(made, record->communicator);
    uint32_t tag = record->tag >= 0 ? (uint32_t)record->tag : OTF2_UNDEFINED_UINT32;
    uint32_t peer = (uint32_t)record->peer;
    OTF2_AttributeList *list = writing->list;
    OTF2_ErrorCode code = ordo_otf2_add_bounds(writing, record);
    if (code != OTF2_SUCCESS)
        return code;
    switch (record->kind) {
    case ORDO_EVENT_BEGIN:
        return put_begin(writing, events, time, record);
    case ORDO_EVENT_END:
        return put_end(writing, events, time, record);
    case ORDO_EVENT_SEND:
        return OTF2_EvtWriter_MpiSend(events, list, time, peer, communicator, tag, record->bytes);
    case ORDO_EVENT_RECV:
        return OTF2_EvtWriter_MpiRecv(events, list, time, peer, communicator, tag, record->bytes);
    default:
        return OTF2_EvtWriter_ParameterString(events, list, time, 0, NAMES + record->name);
    }
}

static OTF2_ErrorCode define_strings(const struct ordo_otf2_writing *writing)
{
    static const char *const strings[] = {[EMPTY] = "",
                                          [MACHINE] = "machine",
                                          [MACHINE_CLASS] = "machine",
                                          [WORLD] = "MPI_COMM_WORLD",
                                          [POINT] = "event",
                                          [MPI] = "MPI",
                                          [PROCESS] = "MPI rank",
                                          [THREAD] = "thread",
                                          [MASTER] = "main thread"};
    const struct ordo_names *names = writing->output->names;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    for (uint32_t i = 0; code == OTF2_SUCCESS && i < NAMES; i++)
        code = OTF2_GlobalDefWriter_WriteString(writing->global, i, strings[i]);
    for (uint32_t i = 0; code == OTF2_SUCCESS && i < names->count; i++)
        code = OTF2_GlobalDefWriter_WriteString(writing->global, NAMES + i, names->all[i].at);
    return code;
}

static OTF2_ErrorCode define_regions(const struct ordo_otf2_writing *writing)
{
    const struct ordo_names *names = writing->output->names;
    OTF2_ErrorCode code =
        OTF2_GlobalDefWriter_WriteParadigm(writing->global, OTF2_PARADIGM_MPI, MPI, OTF2_PARADIGM_CLASS_PROCESS);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteParameter(writing->global, 0, POINT, OTF2_PARAMETER_TYPE_STRING);
    for (uint32_t i = 0; code == OTF2_SUCCESS && i < names->count; i++) {
        bool is_mpi = names->all[i].length > 4 && memcmp(names->all[i].at, "MPI_", 4) == 0;
        code = OTF2_GlobalDefWriter_WriteRegion(writing->global, i, NAMES + i, NAMES + i, EMPTY,
                                                is_mpi ? OTF2_REGION_ROLE_WRAPPER : OTF2_REGION_ROLE_FUNCTION,
                                                is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
                                                EMPTY, 0, 0);
    }
    return code;
}

/* Defines the ranks, and the locations in the order of ranks and threads. */
static OTF2_ErrorCode define_locations(const struct ordo_otf2_writing *writing)
{
    const struct made *made = writing->state;
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteSystemTreeNode(writing->global, 0, MACHINE, MACHINE_CLASS,
                                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (int32_t rank = 0; code == OTF2_SUCCESS && rank < made->ranks; rank++) {
        code =
            OTF2_GlobalDefWriter_WriteLocationGroup(writing->global, (OTF2_LocationGroupRef)rank, PROCESS,
                                                    OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
        uint64_t location = ordo_otf2_location(rank, 0);
        if (code == OTF2_SUCCESS)
            code = OTF2_GlobalDefWriter_WriteLocation(writing->global, location, MASTER, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                      ordo_otf2_count(writing, location), (OTF2_LocationGroupRef)rank);
    }
    for (size_t i = 0; code == OTF2_SUCCESS && i < writing->events.size; i++) {
        uint64_t location = writing->events.slots[i].a;
        if (writing->events.slots[i].used && location >> 32 > 0)
            code = OTF2_GlobalDefWriter_WriteLocation(writing->global, location, THREAD, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                      ordo_otf2_count(writing, location), (uint32_t)location);
    }
    return code;
}

/* Defines the list of all ranks (group 0), the group of all of them (group 1), and MPI_COMM_WORLD. */
static OTF2_ErrorCode define_world(const struct ordo_otf2_writing *writing)
{
    const struct made *made = writing->state;
    uint32_t count = (uint32_t)made->ranks;
    uint64_t *ranks = malloc(((size_t)count + 1) * sizeof *ranks);
    if (!ranks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (uint32_t i = 0; i < count; i++)
        ranks[i] = i; /* the location of thread 0, and the rank */
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteGroup(writing->global, 0, EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, ranks);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteGroup(writing->global, 1, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                               OTF2_GROUP_FLAG_NONE, count, ranks);
    free(ranks);
    if (code == OTF2_SUCCESS)
        code = OTF2_GlobalDefWriter_WriteComm(writing->global, 0, WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    return code;
}

/* Defines a communicator of the members `from` to `end` - 1. Its members are known as far as they have events. Events
 * name ranks of MPI_COMM_WORLD, because the order of the ranks in the communicator is not known. */
static OTF2_ErrorCode define_communicator(const struct ordo_otf2_writing *writing, size_t from, size_t end)
{
    const struct made *made = writing->state;
    OTF2_CommRef ref = communicator_of(made, made->members[from].a);
    uint64_t *ranks = malloc((end - from) * sizeof *ranks);
    if (!ranks)
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    for (size_t i = from; i < end; i++)
        ranks[i - from] = made->members[i].b;
    OTF2_ErrorCode code =
        OTF2_GlobalDefWriter_WriteGroup(writing->global, ref + 1, EMPTY, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_GLOBAL_MEMBERS, (uint32_t)(end - from), ranks);
    free(ranks);
    return code == OTF2_SUCCESS
               ? OTF2_GlobalDefWriter_WriteComm(writing->global, ref, EMPTY, ref + 1, 0, OTF2_COMM_FLAG_NONE)
               : code;
}

static OTF2_ErrorCode define_communicators(const struct ordo_otf2_writing *writing)
{
    const struct made *made = writing->state;
    OTF2_ErrorCode code = define_world(writing);
    for (size_t from = 0, end; code == OTF2_SUCCESS && from < made->member_count; from = end) {
        for (end = from; end < made->member_count && made->members[end].a == made->members[from].a; end++)
            ;
        if (made->members[from].a != 0)
            code = define_communicator(writing, from, end);
    }
    return code;
}

static OTF2_ErrorCode make_define(struct ordo_otf2_writing *writing)
{
    OTF2_ErrorCode code = define_strings(writing);
    if (code == OTF2_SUCCESS)
        code = define_regions(writing);
    if (code == OTF2_SUCCESS)
        code = define_locations(writing);
    return code == OTF2_SUCCESS ? define_communicators(writing) : code;
}

const struct ordo_otf2_way ordo_otf2_makes = {make_size, make_begin, make_enter, make_put, make_define};
