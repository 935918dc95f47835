/* The controlled logical clock, as the least solution of a system of constraints.
 *
 * A repair moves each event to a later time, by its shift. The shifts are the smallest for which
 *
 * [R1] no shift is negative;
 * [R2] a receive is not before its send, and a rank does not leave a collective before the ranks that it waits for have
 *      entered;
 * [R3] between two events of a rank the shift rises or falls by at most `stretch` times the time between them: the
 *      length of a local interval changes by at most this part (and by 1 ns of rounding).
 *
 * correct/shifts.c finds these shifts, or shows that there are none. Rank 0 is shifted like the others.
 *
 * [R4] These shifts exist if the error of each rank's estimate changes by at most `stretch` per unit of time. One
 *      solution shifts every event by the largest error of all events less the error of the event itself. The error of
 *      an estimate changes by at most the uncertainty of the rank's rate. If the caller's stretch is too small, the
 *      stretch of each rank is therefore raised to this uncertainty. A trace whose estimates are wrong, but whose
 *      messages are correct, then has a repair (up to the granule of its clocks).
 *
 * R. Rabenseifner, The controlled logical clock (Euro-Par 1997) lets a clock catch up after a jump and slow down again;
 * D. Becker, R. Rabenseifner, F. Wolf, J. Linford, Scalable timestamp synchronization for event traces of
 * message-passing applications (Parallel Computing 35, 2009) spread the jump over the time before it, as [R3] does
 * here.
 *
 * [R5] The shift of a rank is a function of global time alone. By [R3] events at one time have one shift. The order of
 *      the events in the file does not matter: a file of several threads may hold all events of one thread together,
 *      and may hold a span after the events within it. The marks of a rank are therefore sorted by time before they are
 *      chained, and the marks around an event are found by its time.
 *
 * [R6] A span is moved at its begin and at its end. By [R5] both get the shift of their time, and by [R3] with a stretch
 *      below 1, time plus shift never falls with time, rounded or not. Spans therefore keep lengths of at least 0, and
 *      the nesting and the order of all begins and ends of a rank.
 *
 * Only marks (the ends of messages and collectives) are kept, in unnamed files. Between two marks the shift is the
 * least that [R3] allows. */
#include "trace/correct/repair.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/spool.h"
#include "trace/correct/shifts.h"

enum { NIL = ORDO_MARK_NONE, FIRST_ROOM = 1 << 12 };
static const uint64_t VISITS_MOST = UINT64_C(1) << 30; /* takes a few seconds */
static const double STRETCH_MOST = 0.5;                /* the largest stretch that a caller may declare */

struct rank {
    uint32_t first, last; /* first and last mark of the chain */
    bool unordered;       /* the marks did not come in the order of their times */
    size_t from, to;      /* the rank's marks are order[from] to order[to - 1], by time */
    size_t at;            /* index into `order`, from the last call of find_mark */
};

struct ordo_repair {
    struct ordo_mark *marks;
    size_t room, count;
    int fd;
    uint32_t *order; /* array for the indices of all marks, in a mapped file */
    int order_fd;
    struct rank *ranks;
    int rank_count;
    double *stretch; /* of each rank */
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
    repair->order_fd = -1;
    repair->room = FIRST_ROOM;
    repair->count = 1; /* the index 0 means no mark */
    if (repair->fd >= 0 && posix_fallocate(repair->fd, 0, (off_t)(repair->room * sizeof *repair->marks)) == 0)
        repair->marks =
            mmap(NULL, repair->room * sizeof *repair->marks, PROT_READ | PROT_WRITE, MAP_SHARED, repair->fd, 0);
    return repair->marks == MAP_FAILED ? out_of_room(error) : ORDO_OK;
}

static int grow_marks(struct ordo_repair *repair)
{
    size_t room = 2 * repair->room, bytes = sizeof *repair->marks;
    if (room > UINT32_MAX || posix_fallocate(repair->fd, 0, (off_t)(room * bytes)) != 0)
        return -1;
    struct ordo_mark *marks = mremap(repair->marks, repair->room * bytes, room * bytes, MREMAP_MAYMOVE);
    if (marks == MAP_FAILED)
        return -1;
    repair->marks = marks;
    repair->room = room;
    return 0;
}

static uint32_t add_mark(struct ordo_repair *repair, enum ordo_mark_sort sort, int32_t rank, int64_t time_ns)
{
    if (repair->count == repair->room && grow_marks(repair))
        return NIL;
    repair->marks[repair->count] = (struct ordo_mark){.time_ns = time_ns, .sort = sort, .rank = (uint32_t)rank};
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
        ranks[i] = (struct rank){.first = NIL, .last = NIL};
    repair->ranks = ranks;
    repair->rank_count = rank + 1;
    return 0;
}

/* True if an event has a mark. */
static bool is_marked(const struct ordo_event *event)
{
    return event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_RECV ||
           (event->collective &&
            (event->kind == ORDO_EVENT_BEGIN || event->kind == ORDO_EVENT_END || event->kind == ORDO_EVENT_SPAN));
}

static uint32_t mark_event(struct ordo_repair *repair, const struct ordo_event *event, int64_t global_ns)
{
    bool causes = event->kind == ORDO_EVENT_SEND || event->kind == ORDO_EVENT_BEGIN;
    uint32_t mark = add_rank(repair, event->rank)
                        ? NIL
                        : add_mark(repair, causes ? ORDO_MARK_CAUSE : ORDO_MARK_EFFECT, event->rank, global_ns);
    if (mark == NIL)
        return NIL;
    struct rank *rank = &repair->ranks[event->rank];
    repair->marks[mark].before = rank->last;
    if (rank->last == NIL)
        rank->first = mark;
    else
        repair->marks[rank->last].after = mark;
    rank->unordered |= rank->last != NIL && global_ns < repair->marks[rank->last].time_ns;
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

/* Returns the point between of a collective, whose index *shared holds; makes the point if *shared is NIL. The point
 * gets the time of an event of the collective, so that its shift is a small number. */
static uint32_t between_of(struct ordo_repair *repair, uint64_t *shared, uint64_t event)
{
    if (*shared == NIL)
        *shared = add_mark(repair, ORDO_MARK_BETWEEN, 0, repair->marks[event].time_ns);
    return (uint32_t)*shared;
}

/* Adds an end to the front of the list of its point between. The end that was added first is the last one of the list;
 * `after` of the point holds its index until chain_all. */
static void add_end(struct ordo_mark *marks, uint32_t between, uint64_t end)
{
    marks[end].effect = marks[between].effect;
    marks[between].effect = (uint32_t)end;
    if (marks[between].after == NIL)
        marks[between].after = (uint32_t)end;
}

/* Appends the point between `next` to the list of the point between `between`, unless the list already ends with a
 * point. */
static void add_between(struct ordo_mark *marks, uint32_t between, uint32_t next)
{
    uint32_t at = marks[between].after != NIL ? marks[between].after : between;
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

/* In a prefix reduction every rank has a point between of its own, with three constraints:
 * - the point is not before the rank's begin;
 * - the point is not before the point of the next lower rank;
 * - the rank's end is not before the point of the next lower rank.
 * Together they keep every rank's end from being before the begin of any lower rank. */
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

static int take_marked(struct ordo_repair *repair, const struct ordo_numbering *numbering, struct ordo_match *match,
                       const struct ordo_event *event, const struct ordo_event_stamp *stamp, struct ordo_error *error)
{
    uint32_t mark = mark_event(repair, event, stamp->global_ns);
    return mark == NIL ? out_of_room(error) : ordo_numbering_match(numbering, match, event, stamp, mark, error);
}

/* Takes a span of a collective as its begin and its end. */
static int take_halves(struct ordo_repair *repair, const struct ordo_numbering *numbering, struct ordo_match *match,
                       const struct ordo_trace_of_file *file, struct ordo_error *error)
{
    struct ordo_event begins = ordo_match_half(&file->event, true), ends = ordo_match_half(&file->event, false);
    int code = take_marked(repair, numbering, match, &begins, &file->stamp, error);
    return code ? code : take_marked(repair, numbering, match, &ends, &file->end, error);
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
        code = file->event.kind == ORDO_EVENT_SPAN
                   ? take_halves(repair, traces->numbering, match, file, error)
                   : take_marked(repair, traces->numbering, match, &file->event, &file->stamp, error);
    }
    ordo_match_free(match);
    return code ? code : more;
}

/* Maps an unnamed file for the array `order`. */
static int map_order(struct ordo_repair *repair, struct ordo_error *error)
{
    size_t bytes = repair->count * sizeof *repair->order;
    uint32_t *order = MAP_FAILED;
    repair->order_fd = ordo_spool_open();
    if (repair->order_fd >= 0 && posix_fallocate(repair->order_fd, 0, (off_t)bytes) == 0)
        order = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, repair->order_fd, 0);
    repair->order = order == MAP_FAILED ? NULL : order;
    return repair->order ? ORDO_OK : out_of_room(error);
}

/* Fills `order` with the marks of each rank, in the order of the rank's chain. */
static void list_marks(struct ordo_repair *repair)
{
    size_t listed = 0;
    for (int i = 0; i < repair->rank_count; i++) {
        struct rank *rank = &repair->ranks[i];
        rank->from = rank->at = listed;
        for (uint32_t mark = rank->first; mark != NIL; mark = repair->marks[mark].after)
            repair->order[listed++] = mark;
        rank->to = listed;
    }
}

/* Compares marks by time; marks with the same time stay in the order of the file. */
static int by_mark_time(const void *a, const void *b, void *marks)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int64_t x_ns = ((const struct ordo_mark *)marks)[x].time_ns, y_ns = ((const struct ordo_mark *)marks)[y].time_ns;
    return x_ns != y_ns ? (x_ns < y_ns ? -1 : 1) : x < y ? -1 : x > y;
}

/* [R5] Chains the marks of a rank anew, in the order of their times. */
static void chain_by_time(struct ordo_repair *repair, struct rank *rank)
{
    uint32_t *order = repair->order;
    qsort_r(order + rank->from, rank->to - rank->from, sizeof *order, by_mark_time, repair->marks);
    for (size_t i = rank->from; i < rank->to; i++) {
        repair->marks[order[i]].before = i > rank->from ? order[i - 1] : NIL;
        repair->marks[order[i]].after = i + 1 < rank->to ? order[i + 1] : NIL;
    }
    rank->first = order[rank->from];
    rank->last = order[rank->to - 1];
}

static void chain_all(struct ordo_repair *repair)
{
    for (size_t i = 1; i < repair->count; i++)
        if (repair->marks[i].sort == ORDO_MARK_BETWEEN)
            repair->marks[i].after = NIL; /* a point between has no neighbours */
    list_marks(repair);
    for (int i = 0; i < repair->rank_count; i++)
        if (repair->ranks[i].unordered)
            chain_by_time(repair, &repair->ranks[i]);
}

/* [R4] Raises the stretch of each rank to the uncertainty of its rate. Returns true if a rank has more stretch than
 *      before. */
static bool allow_more(struct ordo_repair *repair)
{
    bool more = false;
    for (int rank = 0; rank < repair->rank_count; rank++) {
        double uncertain = ordo_clocks_rate_range(repair->clocks, rank);
        uncertain = fmin(uncertain, STRETCH_MOST);
        if (uncertain <= repair->stretch[rank])
            continue;
        repair->stretch[rank] = uncertain;
        repair->report->stretch = fmax(repair->report->stretch, uncertain);
        more = true;
    }
    return more;
}

/* Rounds a stretch up to three digits, so that the number in the message is large enough for a repair, and differs from
 * the allowed stretch. */
static double rounded_up(double stretch)
{
    double unit = pow(10, floor(log10(stretch)) - 2);
    return isfinite(stretch) ? ceil(stretch / unit) * unit : stretch;
}

static int refuse_loop(const struct ordo_repair *repair, const struct ordo_shifts *found, struct ordo_error *error)
{
    const struct ordo_mark *at = &repair->marks[found->at], *other = &repair->marks[found->other];
    if (found->happens_before)
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "messages contradict each other near %" PRId64
                              " ns of global time, on ranks %d and %d: an event happens before itself, and no repair "
                              "exists: look for ends of messages that do not belong together",
                              at->time_ns, (int)at->rank, (int)other->rank);
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "no repair near %" PRId64
                          " ns of global time, on ranks %d and %d: from these estimates local "
                          "intervals would change by %.3g of their length, and %g is allowed: %s",
                          at->time_ns, (int)at->rank, (int)other->rank, rounded_up(found->stretch), found->allowed,
                          found->stretch < STRETCH_MOST ? "allow more with --stretch, or record sessions"
                                                        : "record sessions, or leave --causal out");
}

static int solve_repair(struct ordo_repair *repair, struct ordo_error *error)
{
    struct ordo_marks marks = {repair->marks, repair->count, repair->stretch};
    struct ordo_shifts found;
    enum ordo_shifts_found what = ordo_shifts_find(&marks, repair->order, VISITS_MOST, &found);
    if ((what == ORDO_SHIFTS_LOOP && !found.happens_before) || what == ORDO_SHIFTS_GAVE_UP)
        if (allow_more(repair))
            what = ordo_shifts_find(&marks, repair->order, VISITS_MOST, &found);
    switch (what) {
    case ORDO_SHIFTS_LEAST:
        return ORDO_OK;
    case ORDO_SHIFTS_LOOP:
        return refuse_loop(repair, &found, error);
    case ORDO_SHIFTS_GAVE_UP:
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "gave up the repair after %" PRIu64
                              " visits of %zu ends of messages, of which the last changed %" PRIu64
                              ": there may be one, and nothing is wrong with the trace: allow more with --stretch, or "
                              "leave --causal out",
                              found.sweeps, repair->count - 1, found.changed);
    default:
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "messages to be repaired: out of memory");
    }
}

static int solve_all(struct ordo_repair *repair, double stretch, struct ordo_error *error)
{
    int code = map_order(repair, error);
    if (code)
        return code;
    chain_all(repair);
    repair->report->stretch = stretch;
    repair->stretch = malloc(((size_t)repair->rank_count + 1) * sizeof *repair->stretch);
    for (int i = 0; repair->stretch && i < repair->rank_count; i++)
        repair->stretch[i] = stretch;
    if (!repair->stretch)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "messages to be repaired: out of memory");
    code = solve_repair(repair, error);
    list_marks(repair); /* the solver has overwritten `order` */
    return code;
}

int ordo_repair_make(struct ordo_repair **made, struct ordo_traces *traces, const struct ordo_correct_options *options,
                     struct ordo_correct_report *report, struct ordo_error *error)
{
    struct ordo_repair *repair = *made = calloc(1, sizeof *repair);
    if (!repair)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    repair->clocks = &report->clocks;
    repair->report = report;
    int code = open_spool(repair, error);
    if (!code)
        code = mark_all(repair, traces, error);
    if (!code)
        code = solve_all(repair, options->stretch, error);
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
    if (repair->order)
        (void)munmap(repair->order, repair->count * sizeof *repair->order);
    if (repair->order_fd >= 0)
        (void)close(repair->order_fd);
    free(repair->ranks);
    free(repair->stretch);
    free(repair);
}

/* Rounds a shift to ns. Two shifts that differ by a whole number of ns are rounded in the same direction. */
static int64_t rounded_shift(double shift_ns)
{
    return (int64_t)floor(shift_ns + 0.5);
}

static double carried(const struct ordo_repair *repair, const struct ordo_mark *mark, int64_t global_ns)
{
    return mark->shift_ns - ordo_mark_fall(repair->stretch[mark->rank], mark->time_ns, global_ns);
}

static const struct ordo_mark *mark_at(const struct ordo_repair *repair, size_t at)
{
    return &repair->marks[repair->order[at]];
}

/* Returns the index into `order` of a rank's first mark that is not before a time. Tries the result of the last call
 * and the index after it, because most files are in the order of time, and then searches. */
static size_t find_mark(const struct ordo_repair *repair, struct rank *rank, int64_t global_ns)
{
    size_t low = rank->from, high = rank->to;
    for (size_t at = rank->at; at <= rank->at + 1; at++)
        if ((at == low || (at <= high && mark_at(repair, at - 1)->time_ns < global_ns)) &&
            (at == high || (at < high && mark_at(repair, at)->time_ns >= global_ns)))
            return rank->at = at;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (mark_at(repair, middle)->time_ns < global_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return rank->at = low;
}

/* Returns the shift of a rank at a time: the shift of a mark at this time [R5], or else the least shift that [R3]
 * allows between the two neighbouring marks. */
static int64_t shift_at(const struct ordo_repair *repair, struct rank *rank, int64_t global_ns)
{
    size_t next = find_mark(repair, rank, global_ns);
    double shift_ns = 0;
    if (next < rank->to && mark_at(repair, next)->time_ns == global_ns)
        return rounded_shift(mark_at(repair, next)->shift_ns);
    if (next > rank->from)
        shift_ns = fmax(shift_ns, carried(repair, mark_at(repair, next - 1), global_ns));
    if (next < rank->to)
        shift_ns = fmax(shift_ns, carried(repair, mark_at(repair, next), global_ns));
    return rounded_shift(shift_ns);
}

static void move(struct ordo_event_stamp *stamp, int64_t by_ns)
{
    stamp->global_ns += by_ns;
    if (stamp->latest_ns < stamp->global_ns)
        stamp->latest_ns = stamp->global_ns;
}

void ordo_repair_apply(struct ordo_repair *repair, const struct ordo_event *event, struct ordo_event_stamp *stamp,
                       struct ordo_event_stamp *end)
{
    if (event->rank >= repair->rank_count)
        return;
    struct rank *rank = &repair->ranks[event->rank];
    int64_t by_ns = shift_at(repair, rank, stamp->global_ns);
    if (event->kind == ORDO_EVENT_SPAN)
        move(end, shift_at(repair, rank, end->global_ns));
    move(stamp, by_ns);
    repair->report->moved_events += by_ns > 0;
    if (by_ns > repair->report->moved_most_ns)
        repair->report->moved_most_ns = by_ns;
}
