#include "trace/page/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/input/json.h"

static bool is_row(const struct ordo_page_row *row, int32_t rank, uint32_t thread)
{
    return row->rank == rank && row->thread == thread;
}

/* Returns the slot of a row. */
static size_t slot_of_row(const struct ordo_page_rows *rows, int32_t rank, uint32_t thread)
{
    uint64_t hash = ((uint64_t)(uint32_t)rank << 32 | thread) * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(hash ^ hash >> 32) & (rows->size - 1);
    while (rows->slots[at] && !is_row(&rows->all[rows->slots[at] - 1], rank, thread))
        at = (at + 1) & (rows->size - 1);
    return at;
}

static int grow_rows(struct ordo_page_rows *rows)
{
    uint32_t room = rows->room ? 2 * rows->room : 16;
    struct ordo_page_row *all = realloc(rows->all, room * sizeof *all);
    if (!all)
        return -1;
    rows->all = all;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return -1;
    free(rows->slots);
    rows->slots = slots;
    rows->size = 2 * (size_t)room;
    rows->room = room;
    for (uint32_t i = 0; i < rows->count; i++)
        slots[slot_of_row(rows, all[i].rank, all[i].thread)] = i + 1;
    return 0;
}

uint32_t ordo_page_rows_number(struct ordo_page_rows *rows, int32_t rank, uint32_t thread)
{
    if (rows->last < rows->count && is_row(&rows->all[rows->last], rank, thread))
        return rows->last;
    if (rows->count == rows->room && grow_rows(rows))
        return UINT32_MAX;
    size_t at = slot_of_row(rows, rank, thread);
    if (!rows->slots[at]) {
        rows->all[rows->count] = (struct ordo_page_row){rank, thread, NULL, false};
        rows->slots[at] = ++rows->count;
    }
    rows->last = rows->slots[at] - 1;
    return rows->last;
}

static bool is(struct ordo_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

/* Returns the value of a member of an object; with length 0 if the object has no such member. */
static struct ordo_text member_of(struct ordo_text object, const char *key)
{
    struct ordo_text inside = ordo_json_inside(object);
    struct ordo_member member;
    while (inside.at && ordo_json_member(&inside, &member) == 1)
        if (is(member.key, key))
            return member.value;
    return (struct ordo_text){"", 0};
}

/* Sets the title of a row to a copy of a text; NULL if the text is empty. */
static int set_title(struct ordo_page_row *row, struct ordo_text title)
{
    free(row->title);
    row->title = title.length > 0 ? strndup(title.at, title.length) : NULL;
    return title.length > 0 && !row->title ? -1 : 0;
}

/* Returns the number of letters of a number that are shown. */
static int shown(struct ordo_text number)
{
    return number.length < 32 ? (int)number.length : 32;
}

int ordo_page_rows_describe(struct ordo_page_rows *rows, uint32_t row, struct ordo_text raw)
{
    char room[256], both[80];
    struct ordo_text pid = member_of(raw, "pid"), tid = member_of(raw, "tid");
    if (rows->all[row].title || tid.length == 0)
        return 0;
    if (tid.at[0] == '"' || pid.length == 0)
        return set_title(&rows->all[row], ordo_json_plain(tid, room, sizeof room));
    int length = snprintf(both, sizeof both, "%.*s/%.*s", shown(pid), pid.at, shown(tid), tid.at);
    return set_title(&rows->all[row], (struct ordo_text){both, (size_t)length});
}

int ordo_page_rows_device(struct ordo_page_rows *rows, uint32_t row, const struct ordo_device_event *device)
{
    char title[64];
    if (rows->all[row].is_device)
        return 0;
    rows->all[row].is_device = true;
    int length = device->stream >= 0 ? snprintf(title, sizeof title, "device %lld, stream %lld",
                                                (long long)device->device, (long long)device->stream)
                                     : snprintf(title, sizeof title, "device %lld", (long long)device->device);
    return set_title(&rows->all[row], (struct ordo_text){title, (size_t)length});
}

static int name_rank(struct ordo_page_rows *rows, const struct ordo_event *event)
{
    if (rows->rank_count == rows->rank_room) {
        uint32_t room = rows->rank_room ? 2 * rows->rank_room : 16;
        struct ordo_page_rank *ranks = realloc(rows->ranks, room * sizeof *ranks);
        if (!ranks)
            return -1;
        rows->ranks = ranks;
        rows->rank_room = room;
    }
    char *name = strndup(event->raw.at, event->raw.length);
    if (!name)
        return -1;
    rows->ranks[rows->rank_count++] = (struct ordo_page_rank){event->rank, name};
    return 0;
}

int ordo_page_rows_name(struct ordo_page_rows *rows, const struct ordo_event *event)
{
    char room[256];
    bool is_plain = is(event->name, ORDO_EVENT_THREAD_NAME);
    if (event->kind == ORDO_EVENT_META && is(event->name, ORDO_EVENT_RANK_NAME) && event->raw.length > 0)
        return name_rank(rows, event);
    if (event->kind != ORDO_EVENT_META || event->rank < 0 || (!is_plain && !is(event->name, "thread_name")))
        return 0;
    struct ordo_text title =
        is_plain ? event->raw : ordo_json_plain(member_of(member_of(event->raw, "args"), "name"), room, sizeof room);
    uint32_t row = ordo_page_rows_number(rows, event->rank, event->thread);
    if (row == UINT32_MAX)
        return -1;
    return rows->all[row].is_device ? 0 : set_title(&rows->all[row], title);
}

void ordo_page_rows_free(struct ordo_page_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++)
        free(rows->all[i].title);
    for (uint32_t i = 0; i < rows->rank_count; i++)
        free(rows->ranks[i].name);
    free(rows->all);
    free(rows->slots);
    free(rows->ranks);
    *rows = (struct ordo_page_rows){0};
}
