/* [V1] A call launches work after it has begun, so the work begins after the call's begin. Not after its end: a device may
 *      begin before the call returns.
 * [V2] Several calls of a process may have one correlation. Their earliest begin and their latest end are on the safe side
 *      in [V1] and [V3]. If a correlation is used by several processes, each process of the file counts for itself. The
 *      work does not state its process, and a call that was dropped could leave it to a call of another process. No work
 *      of such a file is joined to a call.
 * [V3] A call that waits for a stream returns after all work on the stream that its process launched before the call
 *      began; a call that waits for a device, after all work on the device; a call that waits for an event, after all
 *      work on the stream that was launched before the call that recorded the event began. "Launched before" means that
 *      the launching call had returned; its recorded end may be up to late_ns before its exact end.
 * [V4] A blocking copy to the host returns after its own work has ended.
 * [V5] If a call does not state its device or stream, and all work of its process is on one device or stream, it is
 *      assumed to wait for this one. The assumption is dropped if it contradicts other evidence.
 * [V6] The device's times of one clock grow with true time, so the bound by a call is as tight for the last work before
 *      it as for any other. */
#include "trace/device/work.h"

#include <stdlib.h>
#include <string.h>

/* The devices and streams of the work of one process. */
struct ordo_work_process {
    int64_t device, stream;
    bool is_known, many_devices, many_streams;
};

/* Makes room for one more item. Returns NULL if out of memory; the items are unchanged then. */
static void *grow_items(void *items, size_t *room, size_t count, size_t size)
{
    if (count < *room)
        return items;
    size_t to = count + count / 2 + 64;
    char *made = realloc(items, to * size);
    if (!made)
        return NULL;
    memset(made + *room * size, 0, (to - *room) * size);
    *room = to;
    return made;
}

static uint32_t number_of_key(struct ordo_names *names, int file, uint64_t value)
{
    uint64_t key[2] = {(uint64_t)file, value};
    return ordo_names_number(names, (struct ordo_text){(const char *)key, sizeof key});
}

/* Returns the slot of a correlation: empty, or with its call. */
static size_t slot_of_call(const struct ordo_works *works, int file, uint64_t correlation)
{
    uint64_t hash = (correlation ^ (uint64_t)file << 40) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t at = (size_t)(hash ^ hash >> 32) & (works->size - 1);; at = (at + 1) & (works->size - 1)) {
        const struct ordo_work_call *call = works->slots[at] ? &works->calls[works->slots[at] - 1] : NULL;
        if (!call || (call->correlation == correlation && call->file == file))
            return at;
    }
}

/* Makes the hash table at least twice as large as the number of calls. */
static int grow_call_slots(struct ordo_works *works)
{
    if (2 * (works->call_count + 1) <= works->size)
        return 0;
    size_t size = works->size ? 2 * works->size : 256, before = works->size;
    uint32_t *old = works->slots, *slots = calloc(size, sizeof *slots);
    if (!slots)
        return -1;
    works->slots = slots;
    works->size = size;
    for (size_t i = 0; i < before; i++)
        if (old[i])
            slots[slot_of_call(works, works->calls[old[i] - 1].file, works->calls[old[i] - 1].correlation)] = old[i];
    free(old);
    return 0;
}

static struct ordo_work_call call_of_event(int file, const struct ordo_event *event)
{
    const struct ordo_device_event *device = &event->device;
    return (struct ordo_work_call){.correlation = device->correlation,
                                   .record = device->record,
                                   .begin_ns = event->time_ns,
                                   .end_ns = event->duration_ns > 0 ? event->time_ns + event->duration_ns : INT64_MAX,
                                   .device = device->device,
                                   .stream = device->stream,
                                   .row = event->row,
                                   .file = file,
                                   .rank = event->rank,
                                   .thread = event->thread,
                                   .process = device->process,
                                   .waits = device->waits,
                                   .launches = device->launches};
}

static int add_call(struct ordo_works *works, const struct ordo_work_call *call)
{
    if (works->call_count >= UINT32_MAX - 1) /* slots hold indices of 32 bits */
        return -1;
    struct ordo_work_call *calls = grow_items(works->calls, &works->call_room, works->call_count, sizeof *calls);
    if (!calls)
        return -1;
    works->calls = calls;
    calls[works->call_count++] = *call;
    return 0;
}

/* [V2] Notes that a file has calls of several processes with one correlation. */
static int note_mixed(struct ordo_works *works, int file)
{
    size_t room = (size_t)file + 1;
    if (room > works->mixed_room) {
        bool *mixed = realloc(works->is_mixed, room * sizeof *mixed);
        if (!mixed)
            return -1;
        memset(mixed + works->mixed_room, 0, (room - works->mixed_room) * sizeof *mixed);
        works->is_mixed = mixed;
        works->mixed_room = room;
    }
    works->mixed += !works->is_mixed[file];
    works->is_mixed[file] = true;
    return 0;
}

/* [V2] */
static void merge_call(struct ordo_work_call *call, const struct ordo_work_call *other)
{
    call->begin_ns = other->begin_ns < call->begin_ns ? other->begin_ns : call->begin_ns;
    call->end_ns = other->end_ns > call->end_ns ? other->end_ns : call->end_ns;
    bool plain = call->process == other->process && !call->waits && !other->waits;
    call->process = plain ? call->process : UINT32_MAX;
    call->launches |= other->launches;
}

int ordo_works_call(struct ordo_works *works, int file, const struct ordo_event *event)
{
    struct ordo_work_call call = call_of_event(file, event);
    if (call.correlation == 0)
        return call.waits ? add_call(works, &call) : 0;
    if (grow_call_slots(works))
        return -1;
    size_t slot = slot_of_call(works, file, call.correlation);
    if (works->slots[slot]) {
        struct ordo_work_call *first = &works->calls[works->slots[slot] - 1];
        if (first->process != call.process && first->process != UINT32_MAX && note_mixed(works, file))
            return -1;
        merge_call(first, &call);
        call.launches = false;
        return call.waits ? add_call(works, &call) : 0;
    }
    if (add_call(works, &call))
        return -1;
    works->slots[slot] = (uint32_t)works->call_count;
    return 0;
}

int ordo_works_note(struct ordo_works *works, int file, const struct ordo_event *event)
{
    struct ordo_work_call *notes = grow_items(works->notes, &works->note_room, works->note_count, sizeof *notes);
    if (!notes)
        return -1;
    works->notes = notes;
    if (event->device.correlation != 0)
        notes[works->note_count++] = call_of_event(file, event);
    return 0;
}

int ordo_works_take(struct ordo_works *works, int file, int32_t device, const struct ordo_event *event)
{
    struct ordo_work *all = grow_items(works->works, &works->work_room, works->work_count, sizeof *all);
    if (!all)
        return -1;
    works->works = all;
    all[works->work_count++] = (struct ordo_work){.correlation = event->device.correlation,
                                                  .begin_ns = event->time_ns,
                                                  .end_ns = event->time_ns + event->duration_ns,
                                                  .stream = event->device.stream,
                                                  .call = ORDO_WORK_NONE,
                                                  .device = device,
                                                  .file = file,
                                                  .reads = event->device.reads,
                                                  .stated_ns = INT64_MAX,
                                                  .any_ns = INT64_MAX};
    return 0;
}

const struct ordo_work_call *ordo_works_find(const struct ordo_works *works, int file, uint64_t correlation)
{
    size_t slot = correlation && works->size > 0 ? slot_of_call(works, file, correlation) : 0;
    return correlation && works->size > 0 && works->slots[slot] ? &works->calls[works->slots[slot] - 1] : NULL;
}

bool ordo_works_mixed(const struct ordo_works *works, int file)
{
    return (size_t)file < works->mixed_room && works->is_mixed[file];
}

static struct ordo_work_process *process_of(struct ordo_works *works, int file, uint32_t process)
{
    uint32_t name = number_of_key(&works->processes, file, process);
    struct ordo_work_process *of =
        name == UINT32_MAX ? NULL : grow_items(works->of_process, &works->process_room, name, sizeof *of);
    if (!of)
        return NULL;
    works->of_process = of;
    return &of[name];
}

/* Joins work to its call, and notes the device and the stream for the process. */
static int join_work(struct ordo_works *works, struct ordo_work *work, const int64_t *number_of)
{
    bool certain = !ordo_works_mixed(works, work->file);
    const struct ordo_work_call *call = certain ? ordo_works_find(works, work->file, work->correlation) : NULL;
    if (!call)
        return 0;
    work->call = call - works->calls;
    works->calls[work->call].has_work = true;
    if (call->process == UINT32_MAX)
        return 0;
    struct ordo_work_process *process = process_of(works, work->file, call->process);
    if (!process)
        return -1;
    int64_t number = number_of[work->device];
    bool other = process->is_known && process->device != number;
    process->many_devices |= other;
    process->many_streams |= other || (process->is_known && process->stream != work->stream);
    process->device = number;
    process->stream = work->stream;
    process->is_known = true;
    return 0;
}

/* Copies the facts of notes to their calls. */
static void apply_notes(struct ordo_works *works)
{
    for (size_t i = 0; i < works->note_count; i++) {
        const struct ordo_work_call *note = &works->notes[i];
        const struct ordo_work_call *found = ordo_works_find(works, note->file, note->correlation);
        if (!found || !found->waits || found->process == UINT32_MAX)
            continue;
        struct ordo_work_call *call = &works->calls[found - works->calls];
        call->device = note->device >= 0 ? note->device : call->device;
        call->stream = note->stream >= 0 ? note->stream : call->stream;
        call->record = note->record;
    }
}

static int add_work_wait(struct ordo_work_waits *waits, const struct ordo_work_wait *wait)
{
    struct ordo_work_wait *all = grow_items(waits->all, &waits->room, waits->count, sizeof *all);
    if (!all)
        return -1;
    waits->all = all;
    all[waits->count++] = *wait;
    return 0;
}

/* [V3] Sets the instant before which the work was launched for which a call waits. Returns false if it is not known. */
static bool cut_of_wait(struct ordo_works *works, const struct ordo_work_call *call, int64_t *cut_ns)
{
    *cut_ns = call->begin_ns;
    if (call->waits != ORDO_WAIT_EVENT)
        return true;
    const struct ordo_work_call *record = ordo_works_find(works, call->file, call->record);
    if (!record || record->process != call->process || call->stream < 0)
        return false;
    *cut_ns = record->begin_ns;
    return true;
}

/* [V5] Completes the device and the stream of a call. Returns 1 if they were stated, 0 if they are assumed, -1 if they
 *      are not known. */
static int complete_wait(const struct ordo_work_call *call, const struct ordo_work_process *process,
                         struct ordo_work_wait *wait)
{
    bool lacks_stream = call->waits != ORDO_WAIT_DEVICE && call->stream < 0, lacks_device = call->device < 0;
    if (!process->is_known || (lacks_stream && process->many_streams) || (lacks_device && process->many_devices))
        return -1;
    wait->device = lacks_device ? process->device : call->device;
    wait->stream = call->waits == ORDO_WAIT_DEVICE ? ORDO_WORK_NONE : lacks_stream ? process->stream : call->stream;
    return !lacks_stream && !lacks_device;
}

static int take_wait(struct ordo_works *works, const struct ordo_work_call *call)
{
    struct ordo_work_wait wait = {.file = call->file, .process = call->process, .end_ns = call->end_ns};
    if (call->waits == ORDO_WAIT_NONE || call->waits == ORDO_WAIT_COPY)
        return 0;
    struct ordo_work_process *process = process_of(works, call->file, call->process);
    if (!process)
        return -1;
    bool known = call->process != UINT32_MAX && call->end_ns != INT64_MAX && cut_of_wait(works, call, &wait.cut_ns);
    int stated = known ? complete_wait(call, process, &wait) : -1;
    if (stated < 0) {
        works->first_unused_row = works->waits_unused++ ? works->first_unused_row : call->row;
        return 0;
    }
    works->waits_used++;
    works->waits_assumed += !stated;
    return add_work_wait(stated ? &works->stated : &works->assumed, &wait);
}

static int compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_kinds(const struct ordo_work_wait *x, const struct ordo_work_wait *y)
{
    int order = compare_numbers(x->file, y->file);
    order = order ? order : compare_numbers(x->process, y->process);
    order = order ? order : compare_numbers(x->device, y->device);
    return order ? order : compare_numbers(x->stream, y->stream);
}

static int by_kind_and_cut(const void *a, const void *b)
{
    const struct ordo_work_wait *x = a, *y = b;
    int order = compare_kinds(x, y);
    return order ? order : compare_numbers(x->cut_ns, y->cut_ns);
}

/* Sorts the waits, and sets each end to the least end of all that are not before it. */
static void sort_waits(struct ordo_work_waits *waits)
{
    if (waits->count == 0)
        return;
    qsort(waits->all, waits->count, sizeof *waits->all, by_kind_and_cut);
    for (size_t i = waits->count - 1; i-- > 0;) {
        struct ordo_work_wait *at = &waits->all[i];
        if (compare_kinds(at, at + 1) == 0 && at[1].end_ns < at->end_ns)
            at->end_ns = at[1].end_ns;
    }
}

/* Returns the earliest return of a call that waits for the work described by `wanted`; INT64_MAX if there is none. */
static int64_t earliest_wait(const struct ordo_work_waits *waits, const struct ordo_work_wait *wanted)
{
    size_t low = 0, high = waits->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (by_kind_and_cut(&waits->all[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < waits->count && compare_kinds(&waits->all[low], wanted) == 0 ? waits->all[low].end_ns : INT64_MAX;
}

static int64_t earlier_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* [V3] [V4] Sets the earliest returns of calls that waited for work. */
static void find_waits(const struct ordo_works *works, struct ordo_work *work, int64_t number, int64_t late_ns)
{
    const struct ordo_work_call *call = work->call < 0 ? NULL : &works->calls[work->call];
    if (!call || call->process == UINT32_MAX || call->end_ns == INT64_MAX)
        return;
    struct ordo_work_wait wanted = {.file = work->file,
                                    .process = call->process,
                                    .device = number,
                                    .stream = work->stream,
                                    .cut_ns = call->end_ns + late_ns};
    if (call->waits == ORDO_WAIT_COPY && work->reads)
        work->stated_ns = call->end_ns;
    for (int of_all = 0; of_all < 2; of_all++) {
        work->stated_ns = earlier_of(work->stated_ns, earliest_wait(&works->stated, &wanted));
        work->any_ns = earlier_of(work->any_ns, earliest_wait(&works->assumed, &wanted));
        wanted.stream = ORDO_WORK_NONE;
    }
    work->any_ns = earlier_of(work->any_ns, work->stated_ns);
}

static void count_alone(struct ordo_works *works)
{
    for (size_t i = 0; i < works->call_count; i++) {
        const struct ordo_work_call *call = &works->calls[i];
        if (call->launches && !call->has_work && !ordo_works_mixed(works, call->file))
            works->first_alone_row = works->launches_alone++ ? works->first_alone_row : call->row;
    }
}

int ordo_works_settle(struct ordo_works *works, const int64_t *number_of, int64_t late_ns)
{
    int failed = 0;
    for (size_t i = 0; !failed && i < works->work_count; i++)
        failed = join_work(works, &works->works[i], number_of);
    apply_notes(works);
    for (size_t i = 0; !failed && i < works->call_count; i++)
        failed = take_wait(works, &works->calls[i]);
    sort_waits(&works->stated);
    sort_waits(&works->assumed);
    for (size_t i = 0; i < works->work_count; i++)
        find_waits(works, &works->works[i], number_of[works->works[i].device], late_ns);
    count_alone(works);
    return failed;
}

void ordo_works_shrink(struct ordo_works *works)
{
    free(works->works);
    free(works->notes);
    free(works->of_process);
    free(works->stated.all);
    free(works->assumed.all);
    ordo_names_free(&works->processes);
    works->works = NULL;
    works->notes = NULL;
    works->of_process = NULL;
    works->stated = works->assumed = (struct ordo_work_waits){0};
    works->work_count = works->work_room = works->note_count = works->note_room = works->process_room = 0;
}

void ordo_works_free(struct ordo_works *works)
{
    ordo_works_shrink(works);
    free(works->calls);
    free(works->slots);
    free(works->is_mixed);
    *works = (struct ordo_works){0};
}
