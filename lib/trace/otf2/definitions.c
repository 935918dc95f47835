#include "trace/otf2/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "trace/file/layout.h"
#include "trace/otf2/marks.h"

/* Makes room for one more element of an array. Returns false, and notes it, if out of memory. */
static bool has_room(struct ordo_otf2_definitions *all, void *array, size_t count, size_t *room, size_t size)
{
    void **place = array;
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *larger = realloc(*place, wanted * size);
    if (!larger) {
        all->no_memory = true;
        return false;
    }
    *place = larger;
    *room = wanted;
    return true;
}

/* Enters a definition into a map. */
static void enter(struct ordo_otf2_definitions *all, struct ordo_map *map, uint64_t ref, uint64_t value)
{
    uint64_t *place = ordo_map_add(map, ref, 0);
    if (place)
        *place = value;
    all->no_memory |= !place;
}

static uint64_t look(const struct ordo_map *map, uint64_t ref)
{
    const uint64_t *place = ordo_map_find(map, ref, 0);
    return place ? *place : 0;
}

static OTF2_CallbackCode take_clock(void *user, uint64_t hz, uint64_t offset, uint64_t length, uint64_t realtime)
{
    struct ordo_otf2_definitions *all = user;
    const uint64_t most_s = INT64_MAX / 8 / 1000000000;
    (void)length;
    (void)realtime;
    all->hz = hz > 0 ? hz : 1;
    all->origin = offset / all->hz > most_s ? offset : 0;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_string(void *user, OTF2_StringRef self, const char *text)
{
    struct ordo_otf2_definitions *all = user;
    if (!has_room(all, &all->strings, all->string_count, &all->string_room, sizeof *all->strings))
        return OTF2_CALLBACK_INTERRUPT;
    all->strings[all->string_count] = strdup(text);
    all->no_memory |= !all->strings[all->string_count];
    enter(all, &all->string_of, self, ++all->string_count);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name,
                                        OTF2_StringRef description, OTF2_Type type)
{
    struct ordo_otf2_definitions *all = user;
    const char *text = ordo_otf2_string(all, name);
    (void)description;
    if (text && type == OTF2_TYPE_INT64 && strcmp(text, ORDO_OTF2_EARLIEST) == 0)
        all->earliest = (uint64_t)self + 1;
    if (text && type == OTF2_TYPE_INT64 && strcmp(text, ORDO_OTF2_LATEST) == 0)
        all->latest = (uint64_t)self + 1;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                                     OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm,
                                     OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin, uint32_t end)
{
    struct ordo_otf2_definitions *all = user;
    (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file, (void)begin, (void)end;
    enter(all, &all->region_of, self, (uint64_t)name + 1);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_process(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name,
                                      OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef parent,
                                      OTF2_LocationGroupRef creator)
{
    struct ordo_otf2_definitions *all = user;
    (void)name, (void)type, (void)parent;
    uint64_t created = creator == OTF2_UNDEFINED_LOCATION_GROUP ? 0 : (uint64_t)creator + 1;
    enter(all, &all->process_of, self, created);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                                       uint64_t events, OTF2_LocationGroupRef group)
{
    struct ordo_otf2_definitions *all = user;
    (void)name, (void)type, (void)events;
    if (look(&all->location_of, self) > 0)
        return OTF2_CALLBACK_SUCCESS;
    if (!has_room(all, &all->locations, all->location_count, &all->location_room, sizeof *all->locations))
        return OTF2_CALLBACK_INTERRUPT;
    all->locations[all->location_count++] = (struct ordo_otf2_location){self, group, -1, 0};
    enter(all, &all->location_of, self, all->location_count);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type,
                                    OTF2_Paradigm paradigm, OTF2_GroupFlag flags, uint32_t count,
                                    const uint64_t *members)
{
    struct ordo_otf2_definitions *all = user;
    (void)name;
    if (paradigm != OTF2_PARADIGM_MPI || type < OTF2_GROUP_TYPE_COMM_LOCATIONS)
        return OTF2_CALLBACK_SUCCESS;
    if (!has_room(all, &all->groups, all->group_count, &all->group_room, sizeof *all->groups))
        return OTF2_CALLBACK_INTERRUPT;
    struct ordo_otf2_group group = {type, flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS, count,
                                    calloc((size_t)count + 1, sizeof *members)};
    all->no_memory |= !group.members;
    if (!group.members)
        return OTF2_CALLBACK_INTERRUPT;
    if (count > 0)
        memcpy(group.members, members, count * sizeof *members);
    all->groups[all->group_count++] = group;
    enter(all, &all->group_of, self, all->group_count);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode add_communicator(struct ordo_otf2_definitions *all, OTF2_CommRef self,
                                          const struct ordo_otf2_communicator *communicator)
{
    if (!has_room(all, &all->communicators, all->communicator_count, &all->communicator_room,
                  sizeof *all->communicators))
        return OTF2_CALLBACK_INTERRUPT;
    all->communicators[all->communicator_count++] = *communicator;
    enter(all, &all->communicator_of, self, all->communicator_count);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_communicator(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                           OTF2_CommRef parent, OTF2_CommFlag flags)
{
    (void)name, (void)parent, (void)flags;
    return add_communicator(user, self, &(struct ordo_otf2_communicator){(uint64_t)self + 1, {group, group}, false});
}

static OTF2_CallbackCode take_two_groups(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a,
                                         OTF2_GroupRef b, OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)name, (void)common, (void)flags;
    return add_communicator(user, self, &(struct ordo_otf2_communicator){(uint64_t)self + 1, {a, b}, true});
}

static const struct ordo_otf2_group *group_of(const struct ordo_otf2_definitions *all, OTF2_GroupRef ref)
{
    uint64_t at = look(&all->group_of, ref);
    return at > 0 ? &all->groups[at - 1] : NULL;
}

/* True if a group has all ranks, in their order. */
static bool is_world(const struct ordo_otf2_definitions *all, const struct ordo_otf2_group *group)
{
    bool same = group && group->type == OTF2_GROUP_TYPE_COMM_GROUP && all->ranks && group->count == all->ranks->count;
    for (uint32_t i = 0; same && i < group->count; i++)
        same = group->members[i] == i;
    return same;
}

/* Gives the first communicator of all ranks the number of MPI_COMM_WORLD. */
static void find_world(struct ordo_otf2_definitions *all)
{
    for (size_t i = 0; i < all->group_count; i++)
        if (!all->ranks && all->groups[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            all->ranks = &all->groups[i];
    for (size_t i = 0; i < all->communicator_count; i++) {
        struct ordo_otf2_communicator *communicator = &all->communicators[i];
        if (communicator->two_groups || !is_world(all, group_of(all, communicator->groups[0])))
            continue;
        communicator->id = 0;
        return;
    }
}

/* The state of finding ranks and threads. */
struct finding {
    struct ordo_map rank_of, threads_of; /* a group of locations: its rank + 1; a rank: number of its threads */
    int32_t next;
};

/* Gives a location its thread: the next number of its rank. */
static void set_thread(struct ordo_otf2_definitions *all, struct finding *finding, struct ordo_otf2_location *location)
{
    uint64_t *threads = ordo_map_add(&finding->threads_of, (uint64_t)location->rank, 0);
    location->thread = threads ? (uint32_t)(*threads)++ : 0;
    all->no_memory |= !threads;
}

/* The ranks are listed: the location of each is its first thread, and its group of locations is the rank. */
static void set_listed(struct ordo_otf2_definitions *all, struct finding *finding)
{
    finding->next = (int32_t)(all->ranks->count < ORDO_TRACE_RANKS_MOST ? all->ranks->count : ORDO_TRACE_RANKS_MOST);
    for (int32_t rank = 0; rank < finding->next; rank++) {
        uint64_t at = look(&all->location_of, all->ranks->members[rank]);
        if (at == 0 || all->locations[at - 1].rank >= 0)
            continue;
        struct ordo_otf2_location *location = &all->locations[at - 1];
        location->rank = rank;
        set_thread(all, finding, location);
        enter(all, &finding->rank_of, location->group, (uint64_t)rank + 1);
    }
}

/* Returns the rank of a group of locations. A device has the rank of the process that uses it; another group that is
 * no listed rank gets the next rank. */
static int32_t rank_of(struct ordo_otf2_definitions *all, struct finding *finding, OTF2_LocationGroupRef group)
{
    uint64_t rank = look(&finding->rank_of, group), creator = look(&all->process_of, group);
    if (rank == 0 && creator > 0)
        rank = look(&finding->rank_of, creator - 1);
    if (rank == 0 && finding->next < ORDO_TRACE_RANKS_MOST)
        rank = (uint64_t)++finding->next;
    enter(all, &finding->rank_of, group, rank);
    return (int32_t)rank - 1;
}

static void find_ranks(struct ordo_otf2_definitions *all)
{
    struct finding finding = {0};
    find_world(all);
    if (all->ranks)
        set_listed(all, &finding);
    for (size_t i = 0; i < all->location_count; i++) {
        struct ordo_otf2_location *location = &all->locations[i];
        if (location->rank >= 0)
            continue;
        location->rank = rank_of(all, &finding, location->group);
        set_thread(all, &finding, location);
    }
    ordo_map_free(&finding.rank_of);
    ordo_map_free(&finding.threads_of);
}

OTF2_ErrorCode ordo_otf2_define(struct ordo_otf2_definitions *all, OTF2_Reader *reader)
{
    uint64_t count = 0;
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    *all = (struct ordo_otf2_definitions){.hz = 1000000000};
    if (!definitions || !callbacks)
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, take_clock);
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, take_string);
    OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, take_attribute);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, take_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, take_process);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, take_location);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, take_group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, take_communicator);
    OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, take_two_groups);
    OTF2_ErrorCode code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, all);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (code == OTF2_SUCCESS)
        code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
    if (all->no_memory)
        code = OTF2_ERROR_MEM_ALLOC_FAILED;
    if (code == OTF2_SUCCESS)
        find_ranks(all);
    return all->no_memory ? OTF2_ERROR_MEM_ALLOC_FAILED : code;
}

int64_t ordo_otf2_ns(const struct ordo_otf2_definitions *all, uint64_t ticks)
{
    const int64_t most = INT64_MAX / 4;
    if (all->hz == 1000000000 && all->origin == 0)
        return ticks < (uint64_t)most ? (int64_t)ticks : most;
    bool before = ticks < all->origin;
    uint64_t distance = before ? all->origin - ticks : ticks - all->origin;
    unsigned __int128 scaled = (unsigned __int128)distance * 1000000000;
    unsigned __int128 ns = (before ? scaled + all->hz - 1 : scaled) / all->hz; /* rounds down in either case */
    int64_t small = ns < (unsigned __int128)most ? (int64_t)ns : most;
    return before ? -small : small;
}

const char *ordo_otf2_string(const struct ordo_otf2_definitions *all, OTF2_StringRef ref)
{
    uint64_t at = look(&all->string_of, ref);
    return at > 0 ? all->strings[at - 1] : NULL;
}

const struct ordo_otf2_communicator *ordo_otf2_communicator(const struct ordo_otf2_definitions *all, OTF2_CommRef ref)
{
    uint64_t at = look(&all->communicator_of, ref);
    return at > 0 ? &all->communicators[at - 1] : NULL;
}

/* Returns the number of a rank in a group; -1 if it is not in it. */
static int32_t place_in(const struct ordo_otf2_group *group, int32_t rank)
{
    if (group && (uint32_t)rank < group->count && group->members[rank] == (uint32_t)rank)
        return rank;
    for (uint32_t i = 0; group && i < group->count; i++)
        if (group->members[i] == (uint32_t)rank)
            return (int32_t)i;
    return -1;
}

int32_t ordo_otf2_place_of(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator,
                           int32_t rank)
{
    return place_in(group_of(all, communicator->groups[0]), rank);
}

int32_t ordo_otf2_rank_of(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator,
                          int32_t own, uint32_t member)
{
    const struct ordo_otf2_group *group = group_of(all, communicator->groups[0]);
    if (communicator->two_groups && place_in(group, own) >= 0)
        group = group_of(all, communicator->groups[1]);
    if (!group || group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        return -1;
    if (group->type == OTF2_GROUP_TYPE_COMM_SELF)
        return own;
    uint64_t rank = group->global ? member : member < group->count ? group->members[member] : UINT64_MAX;
    return rank < ORDO_TRACE_RANKS_MOST ? (int32_t)rank : -1;
}

bool ordo_otf2_is_self(const struct ordo_otf2_definitions *all, const struct ordo_otf2_communicator *communicator)
{
    const struct ordo_otf2_group *group = group_of(all, communicator->groups[0]);
    return group && group->type == OTF2_GROUP_TYPE_COMM_SELF;
}
