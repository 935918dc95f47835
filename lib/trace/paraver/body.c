#include "trace/paraver/body.h"

#include <errno.h>
#include <string.h>

#include "trace/input/number.h"

enum { RUN_BYTES = 1 << 26, LETTERS_MOST = 400 };

int ordo_paraver_body_begin(struct ordo_paraver_body *body)
{
    *body = (struct ordo_paraver_body){ordo_sorter_create(RUN_BYTES), INT64_MAX, INT64_MIN, 0};
    return body->sorter ? 0 : -1;
}

void ordo_paraver_body_add(struct ordo_paraver_body *body, const struct ordo_paraver_line *line)
{
    int count = line->record.kind == ORDO_PARAVER_STATE ? 2 : line->record.kind == ORDO_PARAVER_MESSAGE ? 4 : 1;
    struct ordo_sorter_key key = {0, line->times_ns[0]};
    if (!body->sys_errno && ordo_sorter_add(body->sorter, key, line, sizeof *line))
        body->sys_errno = errno;
    for (int i = 0; i < count; i++) {
        body->first_ns = line->times_ns[i] < body->first_ns ? line->times_ns[i] : body->first_ns;
        body->last_ns = line->times_ns[i] > body->last_ns ? line->times_ns[i] : body->last_ns;
    }
}

static char *put_number(char *to, int64_t number)
{
    *to++ = ':';
    return ordo_text_put_int(to, number);
}

static char *put_place(char *to, const struct ordo_paraver_place *place)
{
    to = put_number(to, place->cpu);
    to = put_number(to, place->application);
    to = put_number(to, place->task);
    return put_number(to, place->thread);
}

static char *put_time(char *to, int64_t time_ns, int64_t origin_ns)
{
    return put_number(to, (int64_t)((uint64_t)time_ns - (uint64_t)origin_ns));
}

/* Puts all of a record but the end of its line. */
static char *put_line(char *to, const struct ordo_paraver_line *line, int64_t origin_ns)
{
    const struct ordo_paraver_record *record = &line->record;
    *to++ = (char)('0' + record->kind);
    to = put_place(to, &record->place);
    to = put_time(to, line->times_ns[0], origin_ns);
    switch (record->kind) {
    case ORDO_PARAVER_STATE:
        to = put_time(to, line->times_ns[1], origin_ns);
        return put_number(to, record->value);
    case ORDO_PARAVER_EVENT:
        to = put_number(put_number(to, ORDO_PARAVER_EARLIEST), line->earliest_ns);
        to = put_number(put_number(to, ORDO_PARAVER_LATEST), line->latest_ns);
        return put_number(put_number(to, record->type), record->value);
    default:
        to = put_time(to, line->times_ns[1], origin_ns);
        to = put_place(to, &record->other);
        to = put_time(to, line->times_ns[2], origin_ns);
        to = put_time(to, line->times_ns[3], origin_ns);
        return put_number(put_number(to, record->value), record->type);
    }
}

/* True if an event is of the same place and time as the one before it, so that one record has both. */
static bool continues(const struct ordo_paraver_line *line, const struct ordo_paraver_line *before)
{
    return line->record.kind == ORDO_PARAVER_EVENT && before->record.kind == ORDO_PARAVER_EVENT &&
           line->times_ns[0] == before->times_ns[0] && line->earliest_ns == before->earliest_ns &&
           line->latest_ns == before->latest_ns &&
           memcmp(&line->record.place, &before->record.place, sizeof line->record.place) == 0;
}

int ordo_paraver_body_write(const struct ordo_paraver_body *body, int64_t origin_ns, FILE *stream)
{
    struct ordo_paraver_line before = {0}, line;
    struct ordo_sorted sorted;
    int more = ordo_sorter_start(body->sorter) ? -1 : 1;
    while (more == 1 && (more = ordo_sorter_next(body->sorter, &sorted)) == 1) {
        char room[LETTERS_MOST], *to = room;
        memcpy(&line, sorted.bytes, sizeof line);
        if (continues(&line, &before)) {
            to = put_number(put_number(to, line.record.type), line.record.value);
        } else {
            if (before.record.kind)
                *to++ = '\n';
            to = put_line(to, &line, origin_ns);
        }
        fwrite_unlocked(room, 1, (size_t)(to - room), stream);
        before = line;
    }
    if (before.record.kind)
        putc('\n', stream);
    return more;
}
