/* The controlled logical clock, as the least solution of what is asked for.
 *
 * Every event may be made later, by a shift. The shifts are the least ones for which
 *
 * [R1] no shift is negative;
 * [R2] a receive is not before its send, and a collective is not left before those have entered that it waits for;
 * [R3] between two events of a rank the shift changes by at most `stretch` of their distance, in either direction: local
 *      intervals keep their length, but for that part (and for 1 ns of rounding).
 *
 * All three say that one shift is at least another one plus a constant. Such a system has a least solution, or none; it is
 * found by raising the shifts that are too low until there are none (Bellman and Ford). It has one whenever the estimates'
 * errors change by less than `stretch`: to make every event as late as its error and the largest error ask for is a
 * solution. Rank 0 is shifted like the others.
 *
 * R. Rabenseifner, The controlled logical clock (Euro-Par 1997) lets a clock catch up after a jump and slow down again;
 * D. Becker, R. Rabenseifner, F. Wolf, J. Linford, Scalable timestamp synchronization for event traces of message-passing
 * applications (Parallel Computing 35, 2009) spread the jump over the time before it, as [R3] does here.
 *
 * Only the ends of messages and collectives are kept, in a file without a name: between two of them the shift is the
 * largest that [R3] allows it to fall to. */
#include "trace/correct/repair.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/spool.h"

enum { NIL = 0, FIRST_ROOM = 1 << 12 };

/* An end of a message or collective; or a point between the begins and the ends of a collective, which has no rank. */
struct mark {
    int64_t time_ns; /* global, as estimated; of a point between: that of one of its events */
    double shift_ns;
    uint32_t before, after; /* on the same rank */
    uint32_t effect; /* of a send: its receive; of a begin: the point between; of that: its first end; of an end: the
                               next end of the same point, or of a prefix reduction last the next point */
    uint8_t sort, waits; /* in the queue */
};

enum sort { CAUSE, EFFECT, BETWEEN };

struct rank {
    uint32_t first, last; /* marks; while it is applied: `last` is the one that was passed last */
};

struct ordo_repair {
    struct mark *marks;
    size_t room, count;
    int fd;
    struct rank *ranks;
    int rank_count;
    double stretch;
    struct ordo_clocks *clocks;
    struct ordo_correct_report *report;
};

static int out_of_room(struct ordo_error *error)
{
    return ordo_error_errno(error, "marks of messages, in $TMPDIR or /tmp");
}

static int open_spool(struct ordo_repair *repair, struct ordo_error *error)
{
    repair->fd = ordo_spool_open();
    repair->marks = MAP_FAILED;
    repair->room = FIRST_ROOM;
    repair->count = 1; /* 0 is none */
    if (repair->fd >= 0 && posix_fallocate(repair->fd, 0, (off_t)(repair->room * sizeof *repair->marks)) == 0)
        repair->marks =
            mmap(NULL, repair->room * sizeof *repair->marks, PROT_READ | PROT_WRITE, MAP_SHARED, repair->fd, 0);
    return repair->marks == MAP_FAILED ? out_of_room(error) : ORDO_OK;
}

static int grow(struct ordo_repair *repair)
{
    size_t room = 2 * repair->room, bytes = sizeof *repair->marks;
    if (room > UINT32_MAX || posix_fallocate(repair->fd, 0, (off_t)(room * bytes)) != 0)
        return -1;
    struct mark *marks = mremap(repair->marks, repair->room * bytes, room * bytes, MREMAP_MAYMOVE);
    if (marks == MAP_FAILED)
        return -1;
    repair->marks = marks;
    repair->room = room;
    return 0;
}

static uint32_t add_mark(struct ordo_repair *repair, enum sort sort, int64_t time_ns)
{
    if (repair->count == repair->room && grow(repair))
        return NIL;
    repair->marks[repair->count] =
        (struct mark){.time_ns = time_ns, .shift_ns = sort == BETWEEN ? -INFINITY : 0, .sort = (uint8_t)sort};
    return (uint32_t)repair->count++;
}

static int add_rank(struct ordo_repair *repair, int32_t rank)
{
    if (rank < repair->rank_count)
        return 0;
    struct rank *ranks = realloc(repair->ranks, (size_t)(rank + 1) * sizeof *ranks);
    if (!ranks)
        return -1;
    for (int i = repair->rank_count; i <= rank; i++)
        ranks[i] = (struct rank){NIL, NIL};
    repair->ranks = ranks;
    repair->rank_count = rank + 1;
    return 0;
}

/* Which events have marks: the same ones in both passes. */
static bool is_marked(const struct ordo_event *event)
{
    return event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV ||
           (event->collective && (event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END));
}

static uint32_t mark_event(struct ordo_repair *repair, const struct ordo_event *event, int64_t global_ns)
{
    bool causes = event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_BEGIN;
    uint32_t mark = add_rank(repair, event->rank) ? NIL : add_mark(repair, causes ? CAUSE : EFFECT, global_ns);
    if (mark == NIL)
        return NIL;
    struct rank *rank = &repair->ranks[event->rank];
    repair->marks[mark].before = rank->last;
    if (rank->last == NIL)
        rank->first = mark;
    else
        repair->marks[rank->last].after = mark;
    rank->last = mark;
    return mark;
}

static int note_message(void *context, const struct ordo_event *event, const struct ordo_end *send,
                        const struct ordo_end *recv)
{
    struct ordo_repair *repair = context;
    (void)event;
    repair->marks[send->id].effect = (uint32_t)recv->id;
    return 0;
}

/* The point between of this word, made where there is none. Its time is that of an event of the collective, so that its shift
 * is a small number. */
static uint32_t between_of(struct ordo_repair *repair, uint64_t *shared, uint64_t event)
{
    if (*shared == NIL)
        *shared = add_mark(repair, BETWEEN, repair->marks[event].time_ns);
    return (uint32_t)*shared;
}

/* An end comes first in the list of its point between. */
static void add_end(struct mark *marks, uint32_t between, uint64_t end)
{
    marks[end].effect = marks[between].effect;
    marks[between].effect = (uint32_t)end;
}

/* Another point between comes last, and once: the list ends with it. */
static void add_between(struct mark *marks, uint32_t between, uint32_t next)
{
    uint32_t at = between;
    while (marks[at].effect != NIL && marks[marks[at].effect].sort != BETWEEN)
        at = marks[at].effect;
    if (marks[at].effect == NIL)
        marks[at].effect = next;
}

static int note_collective(void *context, const struct ordo_event *event, uint64_t id, uint64_t *shared)
{
    struct ordo_repair *repair = context;
    if (event->collective == ORDO_COLLECTIVE_PREFIX) /* see note_prefix */
        return 0;
    uint32_t between = between_of(repair, shared, id);
    if (between == NIL)
        return -1;
    if (event->kind == ORDO_EVENT_BEGIN)
        repair->marks[id].effect = between;
    else
        add_end(repair->marks, between, id);
    return 0;
}

/* Of a prefix reduction every rank has a point between of its own, which is not before its begin, nor before that of the
 * next lower rank; and no end is before the latter. So a chain of them says of each rank what all lower ones do. */
static int note_prefix(void *context, const struct ordo_event *event, uint64_t id, uint64_t *lower, uint64_t *own)
{
    struct ordo_repair *repair = context;
    bool begins = event->kind == ORDO_EVENT_BEGIN;
    uint32_t before = lower ? between_of(repair, lower, id) : NIL, after = begins ? between_of(repair, own, id) : NIL;
    if ((lower && before == NIL) || (begins && after == NIL))
        return -1;
    if (begins)
        repair->marks[id].effect = after;
    if (begins && lower)
        add_between(repair->marks, before, after);
    if (!begins && lower)
        add_end(repair->marks, before, id);
    return 0;
}

static int mark_all(struct ordo_repair *repair, struct ordo_traces *traces, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct ordo_match *match = ordo_match_create(note_message, note_collective, repair);
    if (match)
        ordo_match_set_follow(match, note_prefix);
    int more = 0, code = match ? ordo_traces_start(traces, repair->clocks, error)
                               : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1) {
        if (!is_marked(&file->event))
            continue;
        uint32_t mark = mark_event(repair, &file->event, file->stamp.global_ns);
        code = mark == NIL ? out_of_room(error) : ordo_match_take(match, &file->event, &file->stamp, mark, error);
    }
    ordo_match_free(match);
    return code ? code : more;
}

/* Marks whose shifts were raised, and whose neighbours and effects are to be seen to. */
struct queue {
    uint32_t *marks;
    size_t room, from, count;
};

static int push(struct queue *queue, struct mark *marks, uint32_t mark)
{
    if (marks[mark].waits)
        return 0;
    if (queue->count == queue->room) {
        size_t room = queue->room ? 2 * queue->room : 1024;
        uint32_t *larger = malloc(room * sizeof *larger);
        if (!larger)
            return -1;
        for (size_t i = 0; i < queue->count; i++)
            larger[i] = queue->marks[(queue->from + i) & (queue->room - 1)];
        free(queue->marks);
        *queue = (struct queue){larger, room, 0, queue->count};
    }
    queue->marks[(queue->from + queue->count++) & (queue->room - 1)] = mark;
    marks[mark].waits = 1;
    return 0;
}

static uint32_t pop(struct queue *queue, struct mark *marks)
{
    uint32_t mark = queue->marks[queue->from];
    queue->from = (queue->from + 1) & (queue->room - 1);
    queue->count--;
    marks[mark].waits = 0;
    return mark;
}

static int raise_to(struct ordo_repair *repair, struct queue *queue, uint32_t mark, double shift_ns)
{
    if (mark == NIL || shift_ns <= repair->marks[mark].shift_ns)
        return 0;
    repair->marks[mark].shift_ns = shift_ns;
    return push(queue, repair->marks, mark);
}

/* How much later one time is; of times that are centuries apart, something. */
static double later(int64_t a_ns, int64_t b_ns)
{
    return (double)(int64_t)((uint64_t)a_ns - (uint64_t)b_ns);
}

static double distance(const struct mark *a, const struct mark *b)
{
    return fabs(later(a->time_ns, b->time_ns));
}

/* [R2] from a mark on. */
static int raise_effects(struct ordo_repair *repair, struct queue *queue, uint32_t at)
{
    const struct mark *marks = repair->marks, *mark = &marks[at];
    int failed = 0;
    if (mark->sort == EFFECT || mark->effect == NIL)
        return 0;
    if (mark->sort == CAUSE) {
        const struct mark *effect = &marks[mark->effect];
        return raise_to(repair, queue, mark->effect, mark->shift_ns + later(mark->time_ns, effect->time_ns));
    }
    for (uint32_t end = mark->effect; !failed && end != NIL; end = marks[end].sort == BETWEEN ? NIL : marks[end].effect)
        failed = raise_to(repair, queue, end, mark->shift_ns + later(mark->time_ns, marks[end].time_ns));
    return failed;
}

/* [R3] */
static int raise_neighbours(struct ordo_repair *repair, struct queue *queue, uint32_t at)
{
    const struct mark *marks = repair->marks, *mark = &marks[at];
    int failed = 0;
    const double rounding = 1e-6; /* of ns: for it nobody is raised again */
    if (mark->before != NIL)
        failed = raise_to(repair, queue, mark->before,
                          mark->shift_ns - repair->stretch * distance(mark, &marks[mark->before]) - rounding);
    if (!failed && mark->after != NIL)
        failed = raise_to(repair, queue, mark->after,
                          mark->shift_ns - repair->stretch * distance(mark, &marks[mark->after]) - rounding);
    return failed;
}

static int solve(struct ordo_repair *repair, struct ordo_error *error)
{
    struct queue queue = {0};
    uint64_t most = 64 * (uint64_t)repair->count + 1000000, steps = 0;
    int failed = 0;
    for (size_t i = 1; !failed && i < repair->count; i++)
        failed = raise_effects(repair, &queue, (uint32_t)i);
    uint32_t at = NIL;
    while (!failed && queue.count > 0 && steps++ < most) {
        at = pop(&queue, repair->marks);
        failed = raise_effects(repair, &queue, at) || raise_neighbours(repair, &queue, at);
    }
    free(queue.marks);
    if (failed)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "messages to be repaired: out of memory");
    if (steps > most)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "messages contradict each other near %" PRId64
                              " ns of global time: no repair changes local intervals "
                              "by less than %g of their length: allow more with --stretch, or use --method interval",
                              repair->marks[at].time_ns, repair->stretch);
    return ORDO_OK;
}

int ordo_repair_make(struct ordo_repair **made, struct ordo_traces *traces, const struct ordo_correct_options *options,
                     struct ordo_correct_report *report, struct ordo_error *error)
{
    struct ordo_repair *repair = *made = calloc(1, sizeof *repair);
    if (!repair)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    repair->stretch = options->stretch;
    repair->clocks = &report->clocks;
    repair->report = report;
    int code = open_spool(repair, error);
    if (!code)
        code = mark_all(repair, traces, error);
    if (!code)
        code = solve(repair, error);
    for (int i = 0; i < repair->rank_count; i++)
        repair->ranks[i].last = NIL;
    report->repaired = !code;
    return code;
}

void ordo_repair_free(struct ordo_repair *repair)
{
    if (!repair)
        return;
    if (repair->marks && repair->marks != MAP_FAILED)
        (void)munmap(repair->marks, repair->room * sizeof *repair->marks);
    if (repair->fd >= 0)
        (void)close(repair->fd);
    free(repair->ranks);
    free(repair);
}

/* [R3] between the mark that was passed last and the next one. */
static int64_t shift_at(const struct ordo_repair *repair, const struct rank *rank, int64_t global_ns)
{
    const struct mark *marks = repair->marks;
    uint32_t last = rank->last, next = last == NIL ? rank->first : marks[last].after;
    while (next != NIL && marks[next].time_ns < global_ns) {
        last = next;
        next = marks[next].after;
    }
    double shift = 0;
    if (last != NIL)
        shift = fmax(shift, marks[last].shift_ns - repair->stretch * fabs(later(global_ns, marks[last].time_ns)));
    if (next != NIL)
        shift = fmax(shift, marks[next].shift_ns - repair->stretch * fabs(later(marks[next].time_ns, global_ns)));
    return llrint(shift);
}

static void move(struct ordo_stamp *stamp, int64_t by_ns)
{
    stamp->global_ns += by_ns;
    if (stamp->latest_ns < stamp->global_ns)
        stamp->latest_ns = stamp->global_ns;
}

void ordo_repair_apply(struct ordo_repair *repair, const struct ordo_event *event, struct ordo_stamp *stamp,
                       struct ordo_stamp *end)
{
    if (event->rank >= repair->rank_count)
        return;
    struct rank *rank = &repair->ranks[event->rank];
    int64_t by_ns;
    if (is_marked(event)) {
        rank->last = rank->last == NIL ? rank->first : repair->marks[rank->last].after;
        by_ns = llrint(repair->marks[rank->last].shift_ns);
    } else {
        by_ns = shift_at(repair, rank, stamp->global_ns);
    }
    if (event->kind == ORDO_EVENT_SPAN)
        move(end, shift_at(repair, rank, end->global_ns));
    move(stamp, by_ns);
    repair->report->moved_events += by_ns > 0;
    if (by_ns > repair->report->moved_most_ns)
        repair->report->moved_most_ns = by_ns;
}
