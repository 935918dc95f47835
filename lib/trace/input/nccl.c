/* [K4] A process group is a name and a list of ranks, which are the same on all of its ranks. Two groups may have one
 *      name (subgroups made by one call), so both the name and the list make the communicator. A long list is cut by
 *      the profiler in the same way on all ranks.
 * [K5] A number "Seq" counts the collectives of a group on all of its ranks. The kernels of one number are one
 *      collective, whatever other events were dropped.
 * [K6] In an all-to-all with sizes for each peer, a rank does not wait for a peer from which it receives nothing. It is
 *      no collective here unless the lists of sizes are empty, which means equal sizes. */
#include "trace/input/nccl.h"

#include <string.h>
#include <strings.h>

#include "trace/event/nccl.h"
#include "trace/input/json.h"
#include "trace/input/number.h"

static bool is(struct ordo_text text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.at, word, text.length) == 0;
}

/* The values of the members of "args"; `at` is NULL for a missing one. */
struct members {
    struct ordo_text group, ranks, number, collective, in, out;
};

static struct members read_group_members(struct ordo_text args)
{
    static const char *const keys[] = {"Process Group Name", "Process Group Ranks", "Seq",
                                       "Collective name",    "In split size",       "Out split size"};
    struct members members = {0};
    struct ordo_text *const values[] = {&members.group,      &members.ranks, &members.number,
                                        &members.collective, &members.in,    &members.out};
    struct ordo_text inside = ordo_json_inside(args);
    struct ordo_member member;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (is(member.key, keys[i]))
                *values[i] = member.value;
    return members;
}

/* Continues a hash of type FNV-1a by the letters and digits of a text. Quotes and spaces do not count. */
static uint64_t hash_text(uint64_t from, struct ordo_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.at[i] != '"' && !ordo_json_space(text.at[i]))
            from = (from ^ (unsigned char)text.at[i]) * UINT64_C(0x100000001b3);
    return from;
}

/* [K4] the two highest bits are 01, which no communicator of MPI has. */
static uint64_t communicator_of(const struct members *members)
{
    uint64_t value = hash_text(UINT64_C(0xcbf29ce484222325), members->group);
    value = hash_text((value ^ '[') * UINT64_C(0x100000001b3), members->ranks);
    return (value >> 2) | ORDO_NCCL_COMMUNICATOR << 1;
}

static bool is_even(struct ordo_text sizes)
{
    char room[16];
    struct ordo_text plain = sizes.at ? ordo_json_plain(sizes, room, sizeof room) : sizes;
    return plain.length == 0 || is(plain, "[]");
}

/* Returns which ranks wait for which in a collective of PyTorch's name, such as "_allgather_base". */
static enum ordo_event_collective waits_in(struct ordo_text name, const struct members *members)
{
    static const char *const all[] = {"allreduce",
                                      "all_reduce",
                                      "allreduce_coalesced",
                                      "allgather",
                                      "_allgather_base",
                                      "all_gather",
                                      "reduce_scatter",
                                      "_reduce_scatter_base",
                                      "barrier",
                                      "all_gather_into_tensor",
                                      "reduce_scatter_tensor"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is(name, all[i]))
            return ORDO_COLLECTIVE_ALL_TO_ALL;
    bool exchanges = is(name, "all_to_all") || is(name, "all_to_allv") || is(name, "alltoall");
    return exchanges && is_even(members->in) && is_even(members->out) ? ORDO_COLLECTIVE_ALL_TO_ALL /* [K6] */
                                                                      : ORDO_COLLECTIVE_NONE;
}

void ordo_nccl_args(struct ordo_event *event, struct ordo_text args)
{
    if (!ordo_nccl_kernel(event->name).at)
        return;
    struct members members = read_group_members(args);
    char room[64];
    int64_t number;
    if (members.number.at && ordo_text_within(members.number, 0, UINT32_MAX - 1, &number))
        event->number = (uint32_t)number; /* [K5] */
    if (members.group.at || members.ranks.at)
        event->communicator = communicator_of(&members);
    if (members.collective.at && ordo_nccl_collective_of(event->name) == ORDO_COLLECTIVE_NONE)
        event->collective = (uint8_t)waits_in(ordo_json_plain(members.collective, room, sizeof room), &members);
}
