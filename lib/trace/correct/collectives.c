/* [K10] In a collective in which every rank waits for all, no rank leaves before all have entered. Let one rank enter
 *       when its clock shows b, and another leave when its clock shows e. The reading b was taken before the reading e,
 *       like the departure and the arrival of a message ([M1] of correct/messages.c). If all wait for a root, only the
 *       root's b counts; if the root waits for all, only the root's e. In a prefix reduction a rank waits for lower
 *       places. A call is read before it begins and after it ends, so both readings are on the safe side.
 * [K11] The readings of some pairs may be left out, because each is a bound of its own. Of a large collective only the
 *       pairs with its lowest ranks are used. In a barrier of all ranks they lose little: every rank leaves soon after
 *       the last one enters, so the bound that a rank gets through a third rank is hardly tighter than its own.
 * [K12] A collective with a number may appear several times on a rank, if it is several kernels. Its earliest begin and
 *       its latest end are a begin before all ends and an end after all begins, so they bound as [K10] says, unless the
 *       first or the last kernel was dropped. A part with fewer kernels than another part of the same operation and
 *       communicator has anywhere in the trace is therefore left out.
 * [K13] Calls with one number in one communicator but with different operations or roots are not one collective. All of
 *       them are left out.
 * [K14] After a collective in which all wait for all, the ranks leave within the time of a message of each other, because
 *       each of them leaves soon after the last one entered. The difference of the clocks at the ends is therefore a
 *       likely offset even if no bound is tight, as on a rank that is never the last one. It is moved into the bounds,
 *       so it never makes a wrong claim.
 * [K16] The times of a kernel are by the clock of its device. If this clock is corrected, its offset is known within
 *       bounds, so the earliest possible begin and the latest possible end are used in [K10]. Without a bound on one
 *       side the kernel gives no pair on this side. [K7] and [K14] use the likely times, as they make no claim. If the
 *       clock is not corrected, the profiler is assumed to have placed its times on the host's clock. A device's offset
 *       follows from the calls of its host ([D1] of device/devices.c) and not from collectives: there is no circle.
 * [K17] A call that is in the trace twice, as a whole or with one side, is one call.
 */
#include "trace/correct/collectives.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/correct/holes.h"
#include "trace/event/nccl.h"

enum {
    NAME_MOST = 128,
    ALL_PAIRS_MOST = 16,
    HUBS = 8,
    MANY = 1024,
    REFERENCES = 15,
    LOOK_AT = 64,
    LIKELY_MOST = 4096,
    NAME_TOLD = 24
};

/* The calls of one thread of a rank in a group. */
struct ordo_collective_track {
    size_t open; /* index + 1 of the call that has begun and not ended; 0: none */
};

void ordo_collectives_free(struct ordo_collectives *all)
{
    ordo_names_free(&all->tracks);
    ordo_names_free(&all->groups);
    ordo_names_free(&all->names);
    free(all->all);
    free(all->of_track);
    free(all->waits);
    free(all->of_rank);
    free(all->begins);
    *all = (struct ordo_collectives){0};
}

/* Enlarges an array to at least `count` items; new items are 0. Returns NULL if out of memory. */
static void *enlarge(void *items, uint32_t *room, uint32_t count, size_t size)
{
    if (count <= *room)
        return items;
    uint32_t to = 2 * count + 62;
    char *made = realloc(items, to * size);
    if (!made)
        return NULL;
    memset(made + *room * size, 0, (to - *room) * size);
    *room = to;
    return made;
}

/* A group is a communicator; its lowest bit says whether the calls have no numbers and are counted. */
static bool is_counted(const struct ordo_part *part)
{
    return part->group & 1;
}

static int find_group(struct ordo_collectives *all, const struct ordo_event *event, uint32_t *group)
{
    uint64_t key[2] = {event->communicator, event->number == ORDO_EVENT_UNCOUNTED};
    uint32_t index = ordo_names_number(&all->groups, (struct ordo_text){(const char *)key, sizeof key});
    if (index == UINT32_MAX)
        return -1;
    *group = index << 1 | (uint32_t)key[1];
    return 0;
}

static struct ordo_collective_track *find_track(struct ordo_collectives *all, uint32_t group, int32_t rank,
                                                uint32_t thread)
{
    uint32_t key[3] = {group, (uint32_t)rank, thread};
    uint32_t index = ordo_names_number(&all->tracks, (struct ordo_text){(const char *)key, sizeof key});
    struct ordo_collective_track *of =
        index == UINT32_MAX ? NULL : enlarge(all->of_track, &all->track_room, index + 1, sizeof *of);
    if (!of)
        return NULL;
    all->of_track = of;
    return &of[index];
}

/* An operation is a name together with the way in which ranks wait. */
static int find_name(struct ordo_collectives *all, const struct ordo_event *event, uint32_t *name)
{
    char key[NAME_MOST];
    struct ordo_text word = ordo_nccl_operation(event->name);
    size_t length = word.length < NAME_MOST - 1 ? word.length : NAME_MOST - 1;
    if (length > 0)
        memcpy(key, word.at, length);
    key[length] = (char)('0' + event->collective);
    *name = ordo_names_number(&all->names, (struct ordo_text){key, length + 1});
    uint8_t *waits = *name == UINT32_MAX ? NULL : enlarge(all->waits, &all->name_room, *name + 1, 1);
    if (!waits)
        return -1;
    all->waits = waits;
    waits[*name] = event->collective;
    return 0;
}

static struct ordo_part *new_part(struct ordo_collectives *all)
{
    if (all->count == all->room) {
        size_t room = all->room ? 2 * all->room : 1024;
        struct ordo_part *parts = room < UINT32_MAX ? realloc(all->all, room * sizeof *parts) : NULL;
        if (!parts)
            return NULL;
        all->all = parts;
        all->room = room;
    }
    return &all->all[all->count++];
}

static bool takes(const struct ordo_event *event)
{
    bool region = event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END || event->kind == ORDO_EVENT_SPAN;
    return region && event->collective && event->communicator != ORDO_EVENT_NO_COMMUNICATOR;
}

/* Returns the open call that this end belongs to; NULL if there is none, because its begin was dropped. */
static struct ordo_part *open_part(const struct ordo_collectives *all, const struct ordo_collective_track *track,
                                   const struct ordo_part *made)
{
    struct ordo_part *open = track->open ? &all->all[track->open - 1] : NULL;
    bool same = open && open->name == made->name && (is_counted(made) || open->number == made->number);
    return same ? open : NULL;
}

int ordo_collectives_take(struct ordo_collectives *all, const struct ordo_event *event)
{
    struct ordo_part made = {.begin_ns = INT64_MIN,
                             .end_ns = INT64_MAX,
                             .number = event->number,
                             .rank = event->rank,
                             .root = event->root,
                             .kernels = 1,
                             .device = event->device.index,
                             .first = (uint32_t)all->count};
    if (!takes(event))
        return 0;
    if (find_group(all, event, &made.group) || find_name(all, event, &made.name))
        return -1;
    struct ordo_collective_track *track = find_track(all, made.group, event->rank, event->thread);
    if (!track)
        return -1;
    if (event->collective == ORDO_COLLECTIVE_PREFIX)
        made.root = event->place;
    if (event->kind != ORDO_EVENT_END)
        made.begin_ns = event->time_ns;
    if (event->kind != ORDO_EVENT_BEGIN)
        made.end_ns = event->time_ns + event->duration_ns;
    struct ordo_part *part = event->kind == ORDO_EVENT_END ? open_part(all, track, &made) : NULL;
    if (part)
        part->end_ns = made.end_ns;
    else if (!(part = new_part(all)))
        return -1;
    else
        *part = made;
    if (event->kind != ORDO_EVENT_SPAN)
        track->open = event->kind == ORDO_EVENT_BEGIN ? all->count : 0;
    return 0;
}

static int64_t time_of_part(const struct ordo_part *part)
{
    return part->begin_ns != INT64_MIN ? part->begin_ns : part->end_ns;
}

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By group, rank, time, and place in the file. */
static int by_part_rank(const void *a, const void *b)
{
    const struct ordo_part *x = a, *y = b;
    int order = compare(x->group, y->group);
    order = order ? order : compare(x->rank, y->rank);
    order = order ? order : compare(time_of_part(x), time_of_part(y));
    return order ? order : compare(x->first, y->first);
}

/* By group, number and rank. */
static int by_number(const void *a, const void *b)
{
    const struct ordo_part *x = a, *y = b;
    int order = compare(x->group, y->group);
    order = order ? order : compare(x->number, y->number);
    return order ? order : compare(x->rank, y->rank);
}

/* Returns the index after the last part from `at` on that has the same group and the same rank or number. */
static size_t run_of(const struct ordo_collectives *all, size_t at, bool rank, bool number)
{
    const struct ordo_part *parts = all->all;
    size_t end = at;
    while (end < all->count && parts[end].group == parts[at].group && (!rank || parts[end].rank == parts[at].rank) &&
           (!number || parts[end].number == parts[at].number))
        end++;
    return end;
}

/* Notes the first hole, or the first call that is left out, in words. */
static void tell(const struct ordo_collectives *all, const struct ordo_part *part, const char *what,
                 struct ordo_evidence *evidence)
{
    struct ordo_text name = all->names.all[part->name];
    if (evidence->told[0])
        return;
    (void)snprintf(evidence->told, sizeof evidence->told, "rank %" PRId32 ", %.*s at %" PRId64 " ns: %s", part->rank,
                   (int)(name.length - 1 < NAME_TOLD ? name.length - 1 : NAME_TOLD), name.at, time_of_part(part), what);
}

/* True if a call of the run begins before an earlier one has ended, as calls of one communicator cannot. */
static bool overlaps(const struct ordo_part *parts, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (parts[i - 1].end_ns != INT64_MAX && time_of_part(&parts[i]) < parts[i - 1].end_ns)
            return true;
    return false;
}

static void leave_out(const struct ordo_collectives *all, struct ordo_part *parts, size_t count, const char *why,
                      struct ordo_evidence *evidence)
{
    for (size_t i = 0; i < count; i++)
        parts[i].number = UINT32_MAX;
    evidence->skipped += count;
    tell(all, parts, why, evidence);
}

/* What ordo_holes_number needs to know of two clocks. */
struct clocks_of_pair {
    const struct ordo_clocks *clocks;
    double limit;
};

/* [K8] Numbers the calls of one rank like those of `one`. */
static void number_like(struct ordo_collectives *all, const struct ordo_part *one, size_t count_one,
                        struct ordo_part *other, size_t count, const struct clocks_of_pair *of,
                        struct ordo_evidence *evidence)
{
    double granules =
        (double)ordo_clocks_granule(of->clocks, one->rank) + (double)ordo_clocks_granule(of->clocks, other->rank);
    double slack_ns = (1 + 2 * of->limit) * granules + 1;
    size_t odd, used = ordo_holes_number(one, count_one, other, count, all->waits, of->limit, slack_ns, &odd);
    evidence->holes += count_one - count;
    evidence->skipped += count - used;
    const struct ordo_part *at = &other[odd < count ? odd : count - 1];
    if (count_one > count && used > 0)
        tell(all, at, used < count ? "calls near it are missing, and some are left out" : "calls near it are missing",
             evidence);
    else if (count_one > count)
        tell(all, at, "its rank has fewer calls, and it is not certain which are missing", evidence);
    else if (used < count)
        tell(all, at, "contradicts other ranks: events were dropped, or the clock was set", evidence);
}

/* [K7] Numbers the calls of a counted group, in the order of their times. */
static void number_group(struct ordo_collectives *all, size_t from, size_t end, const struct clocks_of_pair *of,
                         struct ordo_evidence *evidence)
{
    struct ordo_part *parts = all->all;
    size_t most = from, most_count = 0;
    for (size_t at = from, next; at < end; at = next) {
        next = run_of(all, at, true, false);
        for (size_t i = at; i < next; i++)
            parts[i].number = (uint32_t)(i - at);
        if (overlaps(parts + at, next - at)) {
            leave_out(all, parts + at, next - at, "calls of its rank overlap, and have no numbers", evidence);
        } else if (next - at > most_count) {
            most_count = next - at;
            most = at;
        }
    }
    for (size_t at = from, next; at < end; at = next) {
        next = run_of(all, at, true, false);
        if (at != most && parts[at].number != UINT32_MAX)
            number_like(all, parts + most, most_count, parts + at, next - at, of, evidence);
    }
}

/* [K17] True if two parts of one rank are one call that is in the trace twice, perhaps with one side only. They share a
 *       begin or an end, and do not contradict each other in the other one. Two calls of a rank in one communicator follow
 *       each other, so they cannot share a time unless the clock shows no duration. */
static bool is_repeated(const struct ordo_part *a, const struct ordo_part *b)
{
    bool begins = a->begin_ns != INT64_MIN && b->begin_ns != INT64_MIN;
    bool ends = a->end_ns != INT64_MAX && b->end_ns != INT64_MAX;
    int64_t begin_ns = a->begin_ns > b->begin_ns ? a->begin_ns : b->begin_ns;
    int64_t end_ns = a->end_ns < b->end_ns ? a->end_ns : b->end_ns;
    return a->group == b->group && a->rank == b->rank && a->name == b->name && a->root == b->root &&
           a->number == b->number && (begins || ends) && (!begins || a->begin_ns == b->begin_ns) &&
           (!ends || a->end_ns == b->end_ns) && (begin_ns == INT64_MIN || end_ns == INT64_MAX || end_ns > begin_ns);
}

/* [K17] Makes one part of the parts of a call that is in the trace twice. */
static void drop_repeated(struct ordo_collectives *all, struct ordo_evidence *evidence)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct ordo_part *part = &all->all[i];
        struct ordo_part *last = kept > 0 ? &all->all[kept - 1] : NULL;
        if (!last || !is_repeated(last, part)) {
            all->all[kept++] = *part;
            continue;
        }
        if (last->begin_ns == INT64_MIN) {
            last->begin_ns = part->begin_ns;
            last->early_ns = part->early_ns;
        }
        if (last->end_ns == INT64_MAX) {
            last->end_ns = part->end_ns;
            last->late_ns = part->late_ns;
        }
        evidence->skipped++;
        tell(all, last, "is in the trace twice", evidence);
    }
    all->count = kept;
}

/* True if counting the calls in the order of the file gives other numbers than counting them by time: `first` of a part
 * is its place in the file, and calls of one rank on several threads have several tracks. */
static bool is_unordered(const struct ordo_collectives *all)
{
    uint32_t runs = 0;
    for (size_t at = 0, end; at < all->count; at = end) {
        end = run_of(all, at, true, false);
        runs++;
        for (size_t i = at; is_counted(&all->all[at]) && i < end; i++)
            if ((i > at && all->all[i].first < all->all[i - 1].first) || all->all[i].begin_ns == INT64_MIN ||
                all->all[i].end_ns == INT64_MAX)
                return true;
    }
    return runs < (uint32_t)all->tracks.count;
}

/* Adds the begin and the end of each call to the numbering: of those that are counted, or of those that have a number.
 * Returns 0; -1 if out of memory. */
static int list_numbers(const struct ordo_collectives *all, bool counted, struct ordo_numbering *numbering)
{
    int failed = 0;
    for (size_t i = 0; i < all->count && !failed; i++) {
        const struct ordo_part *part = &all->all[i];
        uint64_t key[2];
        if (is_counted(part) != counted)
            continue;
        memcpy(key, all->groups.all[part->group >> 1].at, sizeof key);
        if (part->begin_ns != INT64_MIN)
            failed = ordo_numbering_add(numbering,
                                        &(struct ordo_numbered){key[0], part->begin_ns, part->rank, part->number, 0});
        if (part->end_ns != INT64_MAX && !failed)
            failed = ordo_numbering_add(numbering,
                                        &(struct ordo_numbered){key[0], part->end_ns, part->rank, part->number, 1});
    }
    ordo_numbering_sort(numbering);
    return failed;
}

/* Lists the calls that have a number, if some are several kernels or if more than `skipped` calls are left out. */
static int list_merged(const struct ordo_collectives *all, uint64_t skipped, struct ordo_evidence *evidence)
{
    bool lists = evidence->skipped > skipped;
    for (size_t i = 0; i < all->count; i++)
        lists |= all->all[i].kernels > 1;
    evidence->numbering.has_numbers = lists;
    return lists && list_numbers(all, false, &evidence->numbering) ? -1 : 0;
}

static void number_groups(struct ordo_collectives *all, const struct clocks_of_pair *of, struct ordo_evidence *evidence)
{
    size_t kept = 0;
    for (size_t at = 0, end; at < all->count; at = end) {
        end = run_of(all, at, false, false);
        if (is_counted(&all->all[at]))
            number_group(all, at, end, of, evidence);
    }
    for (size_t i = 0; i < all->count; i++)
        if (all->all[i].number != UINT32_MAX)
            all->all[kept++] = all->all[i];
    all->count = kept;
}

/* [K12] Merges the parts of one rank in one collective. */
static void merge_parts(struct ordo_collectives *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct ordo_part *part = &all->all[i];
        struct ordo_part *last = kept > 0 ? &all->all[kept - 1] : NULL;
        bool same = last && last->group == part->group && last->number == part->number && last->rank == part->rank &&
                    last->name == part->name && last->root == part->root;
        if (!same) {
            all->all[kept++] = *part;
            continue;
        }
        /* A part without a begin or an end has the value that keeps it out. */
        last->begin_ns = part->begin_ns < last->begin_ns ? part->begin_ns : last->begin_ns;
        last->end_ns = part->end_ns > last->end_ns ? part->end_ns : last->end_ns;
        last->early_ns = part->early_ns > last->early_ns ? part->early_ns : last->early_ns;
        last->late_ns = part->late_ns > last->late_ns ? part->late_ns : last->late_ns;
        last->kernels++;
    }
    all->count = kept;
}

/* [K12] Leaves out the parts of a group that lack a kernel. `most` has a place for each name. Returns the number of
 * parts that are kept, from `kept` on. */
static size_t keep_whole(struct ordo_collectives *all, size_t from, size_t end, size_t kept, uint32_t *most,
                         struct ordo_evidence *evidence)
{
    struct ordo_part *parts = all->all;
    for (size_t i = from; i < end; i++)
        most[parts[i].name] = 0;
    for (size_t i = from; i < end; i++)
        if (parts[i].kernels > most[parts[i].name])
            most[parts[i].name] = parts[i].kernels;
    for (size_t i = from; i < end; i++) {
        if (parts[i].kernels == most[parts[i].name]) {
            parts[kept++] = parts[i];
            continue;
        }
        evidence->skipped++;
        tell(all, &parts[i], "has fewer kernels than others of its kind", evidence);
    }
    return kept;
}

static int keep_all_whole(struct ordo_collectives *all, struct ordo_evidence *evidence)
{
    uint32_t *most = calloc((size_t)all->names.count + 1, sizeof *most);
    size_t kept = 0;
    for (size_t at = 0, end; most && at < all->count; at = end) {
        end = run_of(all, at, false, false);
        kept = keep_whole(all, at, end, kept, most, evidence);
    }
    all->count = most ? kept : all->count;
    free(most);
    return most ? 0 : -1;
}

/* [K13] Returns the first part that cannot belong to the collective; NULL if all of them can. */
static const struct ordo_part *odd_part(const struct ordo_collectives *all, size_t from, size_t end)
{
    const struct ordo_part *parts = all->all;
    bool rooted = all->waits[parts[from].name] != ORDO_COLLECTIVE_PREFIX; /* otherwise `root` is a place */
    for (size_t i = from + 1; i < end; i++)
        if (parts[i].name != parts[from].name || (rooted && parts[i].root != parts[from].root) ||
            parts[i].rank == parts[i - 1].rank)
            return &parts[i];
    return NULL;
}

/* [K13] Keeps the collectives whose parts fit together, and notes where each collective begins. */
static void keep_fitting(struct ordo_collectives *all, struct ordo_evidence *evidence)
{
    size_t kept = 0;
    for (size_t at = 0, end; at < all->count; at = end) {
        end = run_of(all, at, false, true);
        const struct ordo_part *odd = odd_part(all, at, end);
        if (odd) {
            evidence->skipped += end - at;
            tell(all, odd, "is another call on another rank", evidence);
            continue;
        }
        uint32_t first = (uint32_t)kept;
        for (size_t i = at; i < end; i++) {
            all->all[kept] = all->all[i];
            all->all[kept++].first = first;
        }
    }
    all->count = kept;
}

/* Counts the numbered collectives of a group that a rank lacks between its first and its last one. `last` has a place
 * for each rank: the ordinal, from 1, of the rank's last collective in this group. */
static void find_holes(const struct ordo_collectives *all, size_t from, size_t end, uint32_t *last,
                       struct ordo_evidence *evidence)
{
    uint32_t ordinal = 0;
    for (size_t i = from; i < end; i++)
        last[all->all[i].rank] = 0;
    for (size_t i = from; i < end; i++) {
        const struct ordo_part *part = &all->all[i];
        ordinal += part->first == i;
        uint32_t before = last[part->rank];
        last[part->rank] = ordinal;
        if (before == 0 || before + 1 == ordinal)
            continue;
        evidence->holes += ordinal - before - 1;
        tell(all, part, "calls before it are missing", evidence);
    }
}

/* Finds the shortest call of a collective of several ranks. */
static void find_shortest(struct ordo_collectives *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct ordo_part *part = &all->all[i];
        bool alone = part->first == i && (i + 1 == all->count || all->all[i + 1].first != i);
        if (alone || part->begin_ns == INT64_MIN || part->end_ns == INT64_MAX)
            continue;
        int64_t took_ns = part->end_ns - part->begin_ns;
        if (took_ns > 0 && (all->shortest_ns == 0 || took_ns < all->shortest_ns))
            all->shortest_ns = took_ns;
    }
}

static int list_by_rank(struct ordo_collectives *all, int ranks)
{
    all->ranks = ranks;
    all->begins = calloc((size_t)ranks + 2, sizeof *all->begins);
    all->of_rank = malloc((all->count + 1) * sizeof *all->of_rank);
    if (!all->begins || !all->of_rank)
        return -1;
    for (size_t i = 0; i < all->count; i++)
        all->begins[all->all[i].rank + 2]++;
    for (int i = 2; i <= ranks; i++)
        all->begins[i] += all->begins[i - 1];
    for (size_t i = 0; i < all->count; i++)
        all->of_rank[all->begins[all->all[i].rank + 1]++] = (uint32_t)i;
    return 0;
}

void ordo_collectives_move(struct ordo_collectives *all, const struct ordo_devices *devices)
{
    for (size_t i = 0; i < all->count; i++) {
        struct ordo_part *part = &all->all[i];
        const struct ordo_device *device = part->device ? &devices->all[part->device - 1] : NULL;
        if (!device || device->verdict != ORDO_DEVICE_CORRECTED)
            continue;
        struct ordo_device_place begins = ordo_device_place(device, part->begin_ns);
        struct ordo_device_place ends = ordo_device_place(device, part->end_ns);
        part->begin_ns = begins.time_ns;
        part->end_ns = ends.time_ns;
        part->early_ns = begins.earliest_ns == INT64_MIN ? INT64_MAX : begins.time_ns - begins.earliest_ns;
        part->late_ns = ends.latest_ns == INT64_MAX ? INT64_MAX : ends.latest_ns - ends.time_ns;
    }
}

int ordo_collectives_settle(struct ordo_collectives *all, const struct ordo_clocks *clocks, double limit,
                            struct ordo_evidence *evidence, struct ordo_error *error)
{
    struct clocks_of_pair of = {clocks, limit};
    uint32_t *last = calloc((size_t)clocks->count + 1, sizeof *last);
    bool failed = !last;
    if (all->count > 0) {
        qsort(all->all, all->count, sizeof *all->all, by_part_rank);
        bool unordered = is_unordered(all);
        drop_repeated(all, evidence);
        number_groups(all, &of, evidence);
        evidence->numbering.is_used = unordered || evidence->holes > 0 || evidence->skipped > 0;
        failed = failed || (evidence->numbering.is_used && list_numbers(all, true, &evidence->numbering));
    }
    if (all->count > 0)
        qsort(all->all, all->count, sizeof *all->all, by_number);
    merge_parts(all);
    uint64_t skipped = evidence->skipped;
    failed = failed || keep_all_whole(all, evidence);
    keep_fitting(all, evidence);
    failed = failed || list_merged(all, skipped, evidence);
    find_shortest(all);
    for (size_t at = 0, end; last && at < all->count; at = end) {
        end = run_of(all, at, false, false);
        if (!is_counted(&all->all[at]))
            find_holes(all, at, end, last, evidence);
    }
    failed = failed || list_by_rank(all, clocks->count);
    free(last);
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "%zu collectives: out of memory", all->count) : ORDO_OK;
}

static bool is_root(const struct ordo_part *part)
{
    return part->rank == part->root;
}

/* [K10] True if `other` cannot leave before `one` has entered. */
static bool waits_for(uint8_t waits, const struct ordo_part *one, const struct ordo_part *other)
{
    switch (waits) {
    case ORDO_COLLECTIVE_ALL_TO_ALL:
        return true;
    case ORDO_COLLECTIVE_ONE_TO_ALL:
        return one->rank == one->root;
    case ORDO_COLLECTIVE_ALL_TO_ONE:
        return other->rank == other->root;
    default:
        return one->root >= 0 && one->root < other->root;
    }
}

bool ordo_collectives_wait(const struct ordo_collectives *all, const struct ordo_part *one,
                           const struct ordo_part *other)
{
    return one->begin_ns != INT64_MIN && other->end_ns != INT64_MAX && waits_for(all->waits[one->name], one, other);
}

/* Passes on the pair of one part's begin and another part's end. Returns 1 if it bounds anything. */
static int pair_parts(uint8_t waits, const struct ordo_part *one, const struct ordo_part *other,
                      ordo_collectives_before *before, void *context)
{
    bool open = one->early_ns == INT64_MAX || other->late_ns == INT64_MAX;
    if (open || one->begin_ns == INT64_MIN || other->end_ns == INT64_MAX || !waits_for(waits, one, other))
        return 0;
    int64_t begin_ns = one->begin_ns - one->early_ns, end_ns = other->end_ns + other->late_ns; /* [K16] */
    return before(context, one->rank, other->rank, begin_ns, end_ns) ? -1 : 1;
}

/* The parts of a collective, and how to pass on their pairs. */
struct pairing {
    const struct ordo_part *parts;
    size_t count;
    uint8_t waits;
    ordo_collectives_before *before;
    void *context;
};

/* Passes on both pairs of two parts. Returns their number; -1 if `before` failed. */
static int pair_both(const struct pairing *of, size_t i, size_t k)
{
    int there = pair_parts(of->waits, &of->parts[i], &of->parts[k], of->before, of->context);
    int back = there < 0 ? -1 : pair_parts(of->waits, &of->parts[k], &of->parts[i], of->before, of->context);
    return back < 0 ? -1 : there + back;
}

/* [K11] Returns the number of parts that are paired with all other parts. */
static size_t hubs_of(const struct pairing *of)
{
    return of->count <= ALL_PAIRS_MOST ? of->count : of->count <= MANY ? HUBS : 1;
}

/* [K11] Pairs the lowest ranks and the root with all ranks; in a prefix reduction also each rank with the next one.
 *       Returns the number of pairs that were passed on; -1 if `before` failed. */
static int64_t pair_collective(const struct pairing *of)
{
    size_t hubs = hubs_of(of), root = 0, near = of->waits == ORDO_COLLECTIVE_PREFIX ? 2 : 1;
    int64_t pairs = 0;
    int found = 0;
    while (root < of->count && !is_root(&of->parts[root]))
        root++;
    for (size_t i = 0; i < of->count && found >= 0; i++) {
        size_t end = i < hubs || i == root ? of->count : i + near < of->count ? i + near : of->count;
        for (size_t k = i + 1; k < end && found >= 0; k++, pairs += found)
            found = pair_both(of, i, k);
        if (found >= 0 && root < of->count && root >= end) {
            found = pair_both(of, i, root);
            pairs += found;
        }
    }
    return found < 0 ? -1 : pairs;
}

int ordo_collectives_pair(const struct ordo_collectives *all, ordo_collectives_before *before, void *context,
                          struct ordo_evidence *evidence)
{
    for (size_t at = 0, end; at < all->count; at = end) {
        const struct ordo_part *first = &all->all[at];
        uint8_t waits = all->waits[first->name];
        for (end = at; end < all->count && all->all[end].first == at;)
            end++;
        int64_t pairs = pair_collective(&(struct pairing){first, end - at, waits, before, context});
        if (pairs < 0)
            return -1;
        evidence->collectives += pairs > 0;
        evidence->rootless += pairs == 0 && end - at > 1 && waits != ORDO_COLLECTIVE_ALL_TO_ALL && first->root < 0;
    }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    return compare(*(const int64_t *)a, *(const int64_t *)b);
}

/* Estimates when a collective let its ranks go, in global time, by the ranks other than `rank` whose clocks are known.
 * Returns false if there are none. */
static bool end_of(const struct ordo_collectives *all, struct ordo_clocks *clocks, uint32_t first, int32_t rank,
                   int64_t *global_ns)
{
    int64_t ends[REFERENCES];
    size_t count = 0;
    struct ordo_event_stamp stamp;
    size_t end = all->count - first < LOOK_AT ? all->count : first + LOOK_AT;
    for (size_t i = first; i < end && all->all[i].first == first && count < REFERENCES; i++) {
        const struct ordo_part *part = &all->all[i];
        if (part->rank != rank && part->end_ns != INT64_MAX &&
            ordo_clocks_stamp(clocks, part->rank, part->end_ns, &stamp))
            ends[count++] = stamp.global_ns;
    }
    if (count == 0)
        return false;
    qsort(ends, count, sizeof *ends, by_value);
    *global_ns = ends[count / 2];
    return true;
}

/* Sets a likely offset of a part's rank. Returns false if the part gives none. */
static bool likely_of(const struct ordo_collectives *all, struct ordo_clocks *clocks, const struct ordo_part *part,
                      struct ordo_likely *likely)
{
    int64_t global_ns;
    if (all->waits[part->name] != ORDO_COLLECTIVE_ALL_TO_ALL || part->end_ns == INT64_MAX ||
        !end_of(all, clocks, part->first, part->rank, &global_ns))
        return false;
    *likely = (struct ordo_likely){part->end_ns, part->end_ns - global_ns};
    return true;
}

static int by_time(const void *a, const void *b)
{
    return compare(((const struct ordo_likely *)a)->at_ns, ((const struct ordo_likely *)b)->at_ns);
}

/* Estimates the offset at the ends of a rank's collectives. Returns the number of estimates. */
static int likely_ends(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                       struct ordo_likely *likely)
{
    size_t from = all->begins[rank], end = all->begins[rank + 1], step = (end - from) / LIKELY_MOST + 1;
    int count = 0;
    for (size_t i = from; i < end; i += step)
        count += likely_of(all, clocks, &all->all[all->of_rank[i]], &likely[count]);
    return count;
}

/* [K14] */
int ordo_collectives_likely(const struct ordo_collectives *all, struct ordo_clocks *clocks, int32_t rank,
                            struct ordo_likely **likely)
{
    size_t calls = rank < all->ranks ? all->begins[rank + 1] - all->begins[rank] : 0;
    *likely = malloc((calls + 1) * sizeof **likely);
    if (!*likely)
        return -1;
    int count = calls > 0 ? likely_ends(all, clocks, rank, *likely) : 0;
    qsort(*likely, (size_t)count, sizeof **likely, by_time);
    return count;
}
