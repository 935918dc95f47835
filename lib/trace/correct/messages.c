/* [M1] A message leaves when the sender's clock shows s, and has arrived when the receiver's clock shows r; the message
 *      leaves before it arrives.
 *      - If the sender's clock is known, the global time of its reading s is within [earliest, latest]. Then
 *        r - offset >= earliest, so the receiver's offset at r is at most r - earliest.
 *      - If the receiver's clock is known, the global time of its reading r is at most `latest`. Then
 *        s - offset <= latest, so the sender's offset at s is at least s - latest.
 * [M2] A rank with messages from known ranks and messages to known ranks therefore has fixes, as if by sessions, and
 *      becomes known itself. Its messages with all known ranks give bounds, so the ranks form a graph and not a tree.
 *      The first known rank is rank 0. If rank 0 has no events, nothing says what its clock showed; the lowest rank that
 *      has events then takes its place, and its clock is global time. Ranks with sessions are known from the beginning.
 * [M3] For clocks that drift by less than the declared skew, only messages on the lower convex hull of (s, r - s) can
 *      ever give the tightest bound between two ranks. The other messages are dropped.
 * [M4] The granule of a rank's own readings counts in its high bounds only ([B7] of sync/band.c). The granule of the
 *      other rank's readings is in `latest` already, because `latest` comes from the other rank's curve. */
#include "trace/correct/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/correct/collectives.h"
#include "trace/correct/rooted.h"

enum { POINTS_MOST = 4096, POINTS_LEAST = 64, POINTS_OF_ALL = 1 << 21, WINDOWS = 32 };

/* A message, or a pair of a collective's readings ([K10] of correct/collectives.c), which bounds like a message. */
struct point {
    int64_t sent_ns, received_ns; /* on the sender's clock, on the receiver's clock */
    uint8_t kind;                 /* enum ordo_evidence_kind */
};

/* The messages from one rank to another. */
struct link {
    int32_t from, to;
    uint64_t taken[ORDO_EVIDENCE_KINDS]; /* number of messages and pairs, also of those that were dropped [M3] */
    struct point *points;
    int count, room;
    int64_t window_ns; /* each window of this length has a hull of its own */
};

struct graph {
    struct link *links;
    int count, room;
    int *slots; /* hash table of `size` slots, a power of two; a slot holds a link's index + 1 */
    size_t size;
    int *begins, *of_rank; /* the links of rank r are of_rank[begins[r]] up to of_rank[begins[r + 1] - 1] */
    struct ordo_clocks *clocks;
    struct ordo_collectives collectives;
    struct ordo_evidence *evidence;
    struct ordo_devices *devices;
};

static size_t place_of_edge(const struct graph *graph, int32_t from, int32_t to)
{
    size_t at = (size_t)(((uint64_t)(uint32_t)from << 32 | (uint32_t)to) * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    for (at &= graph->size - 1; graph->slots[at]; at = (at + 1) & (graph->size - 1))
        if (graph->links[graph->slots[at] - 1].from == from && graph->links[graph->slots[at] - 1].to == to)
            break;
    return at;
}

static int graph_grow(struct graph *graph)
{
    int room = graph->room ? 2 * graph->room : 64;
    struct link *links = realloc(graph->links, (size_t)room * sizeof *links);
    if (!links)
        return -1;
    graph->links = links;
    int *slots = calloc((size_t)room * 2, sizeof *slots);
    if (!slots)
        return -1;
    free(graph->slots);
    graph->slots = slots;
    graph->size = (size_t)room * 2;
    graph->room = room;
    for (int i = 0; i < graph->count; i++)
        graph->slots[place_of_edge(graph, links[i].from, links[i].to)] = i + 1;
    return 0;
}

static struct link *link_of(struct graph *graph, int32_t from, int32_t to)
{
    if (graph->count == graph->room && graph_grow(graph))
        return NULL;
    size_t at = place_of_edge(graph, from, to);
    if (graph->slots[at])
        return &graph->links[graph->slots[at] - 1];
    graph->links[graph->count] = (struct link){.from = from, .to = to, .window_ns = 1000000000};
    graph->slots[at] = ++graph->count;
    return &graph->links[graph->count - 1];
}

static void graph_free(struct graph *graph)
{
    for (int i = 0; i < graph->count; i++)
        free(graph->links[i].points);
    free(graph->links);
    free(graph->slots);
    free(graph->begins);
    free(graph->of_rank);
    ordo_collectives_free(&graph->collectives);
}

/* True if b is on or above the line from a to c. */
static bool is_above(const struct point *a, const struct point *b, const struct point *c)
{
    double ab = (double)(b->sent_ns - a->sent_ns), ac = (double)(c->sent_ns - a->sent_ns);
    double up = (double)((b->received_ns - b->sent_ns) - (a->received_ns - a->sent_ns));
    double line = (double)((c->received_ns - c->sent_ns) - (a->received_ns - a->sent_ns));
    return ac <= 0 ? up >= line : up * ac >= line * ab;
}

static int64_t window_of(const struct link *link, const struct point *point)
{
    return point->sent_ns / link->window_ns;
}

/* [M3] Adds a point to the hull (Andrew's monotone chain). A point that comes out of order is never removed, which
 *      costs only memory. */
static void hull_add(struct link *link, struct point point)
{
    struct point *points = link->points;
    int count = link->count;
    while (count >= 2 && point.sent_ns >= points[count - 1].sent_ns &&
           points[count - 1].sent_ns >= points[count - 2].sent_ns &&
           window_of(link, &points[count - 2]) == window_of(link, &point) &&
           is_above(&points[count - 2], &points[count - 1], &point))
        count--;
    points[count++] = point;
    link->count = count;
}

static void widen(struct link *link)
{
    int count = link->count;
    link->window_ns *= 2;
    link->count = 0;
    for (int i = 0; i < count; i++) /* in place: the index written is at most the index read */
        hull_add(link, link->points[i]);
}

/* Returns how many points a link may have: fewer if there are many links, so that all of them fit into memory. */
static int points_most(const struct graph *graph)
{
    int share = POINTS_OF_ALL / (graph->count + 1);
    return share < POINTS_LEAST ? POINTS_LEAST : share > POINTS_MOST ? POINTS_MOST : share;
}

static int add_link_point(struct graph *graph, int32_t from, int32_t to, struct point point)
{
    struct link *link = from == to ? NULL : link_of(graph, from, to);
    if (from == to)
        return 0;
    if (link && link->count == link->room) {
        int room = link->room ? 2 * link->room : 4;
        struct point *points = realloc(link->points, (size_t)room * sizeof *points);
        if (!points)
            return -1;
        link->points = points;
        link->room = room;
    }
    if (!link)
        return -1;
    link->taken[point.kind]++;
    graph->evidence->messages += point.kind == ORDO_EVIDENCE_MESSAGES;
    hull_add(link, point);
    while (link->count > points_most(graph) && link->window_ns < INT64_MAX / 4)
        widen(link);
    return 0;
}

static int add_message(void *context, const struct ordo_event *event, const struct ordo_end *send,
                       const struct ordo_end *recv)
{
    bool sent = event->kind == ORDO_EVENT_SEND;
    int32_t from = sent ? event->rank : event->peer, to = sent ? event->peer : event->rank;
    return add_link_point(context, from, to, (struct point){send->time_ns, recv->time_ns, ORDO_EVIDENCE_MESSAGES});
}

static int add_pair(void *context, int32_t from, int32_t to, int64_t begin_ns, int64_t end_ns)
{
    return add_link_point(context, from, to, (struct point){begin_ns, end_ns, ORDO_EVIDENCE_COLLECTIVES});
}

/* Notes the time of an event of file number `at` for the granule of its rank. Adds a message to its link once both ends are known. */
static int take_event(struct graph *graph, struct ordo_match *match, const struct ordo_trace_of_file *file, int at,
                      struct ordo_error *error)
{
    struct ordo_event own = file->event, *event = &own;
    int code = event->kind == ORDO_EVENT_META ? ORDO_OK : ordo_clocks_grow(graph->clocks, event->rank, error);
    if (!code)
        ordo_trace_note(graph->clocks, file);
    if (!code && ordo_devices_take(graph->devices, at, event))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "devices: out of memory");
    if (!code && ordo_collectives_take(&graph->collectives, event))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "collectives: out of memory");
    if (code || (event->kind != ORDO_EVENT_SEND && event->kind != ORDO_EVENT_RECV))
        return code;
    return ordo_match_take(match, event, &file->stamp, 0, error);
}

/* Adds the pairs of the collectives to the links. */
static int add_collectives(struct graph *graph, double limit, struct ordo_error *error)
{
    int code = ordo_collectives_settle(&graph->collectives, graph->clocks, limit, graph->evidence, error);
    if (!code && ordo_collectives_pair(&graph->collectives, add_pair, graph, graph->evidence))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "collectives: out of memory");
    return code;
}

static int collect_messages(struct ordo_traces *traces, struct graph *graph, struct ordo_error *error)
{
    const struct ordo_trace_of_file *file;
    struct ordo_match *match = ordo_match_create(add_message, NULL, graph);
    int code =
        match ? ordo_traces_start(traces, NULL, error) : ordo_error_set(error, ORDO_E_SYSTEM, 0, "out of memory");
    int more = 0;
    while (!code && (more = ordo_traces_next(traces, &file, error)) == 1)
        code = take_event(graph, match, file, (int)(file - traces->files), error);
    ordo_match_free(match);
    return code ? code : more;
}

/* Lists the links of each rank, so that correcting one rank does not visit the links of all ranks. */
static int list_links(struct graph *graph, int ranks, struct ordo_error *error)
{
    int *begins = graph->begins = calloc((size_t)ranks + 2, sizeof *begins);
    graph->of_rank = calloc((size_t)graph->count * 2 + 1, sizeof *graph->of_rank);
    if (!begins || !graph->of_rank)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", ranks);
    for (int i = 0; i < graph->count; i++) {
        begins[graph->links[i].from + 2]++;
        begins[graph->links[i].to + 2]++;
    }
    for (int i = 2; i <= ranks; i++)
        begins[i] += begins[i - 1];
    for (int i = 0; i < graph->count; i++) {
        graph->of_rank[begins[graph->links[i].from + 1]++] = i;
        graph->of_rank[begins[graph->links[i].to + 1]++] = i;
    }
    return ORDO_OK;
}

/* A bound of one rank's offset. */
struct bound {
    int64_t at_ns, offset_ns;
    uint8_t kind; /* enum ordo_evidence_kind */
};

struct bounds {
    struct bound *high, *low;
    int highs, lows;
};

static int by_link_time(const void *a, const void *b)
{
    const struct bound *x = a, *y = b;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

/* [M1] Adds the bound that one message gives. Ignores a bound from a global time more than 73 years away from 0. */
static void bound_by(const struct point *p, struct ordo_clocks *clocks, int32_t other, bool comes,
                     struct bounds *bounds)
{
    const int64_t most = INT64_MAX / 4;
    struct ordo_event_stamp stamp;
    if (!ordo_clocks_stamp(clocks, other, comes ? p->sent_ns : p->received_ns, &stamp))
        return;
    int64_t known_ns = comes ? stamp.earliest_ns : stamp.latest_ns;
    if (known_ns < -most || known_ns > most)
        return;
    if (comes)
        bounds->high[bounds->highs++] = (struct bound){p->received_ns, p->received_ns - known_ns, p->kind};
    else
        bounds->low[bounds->lows++] = (struct bound){p->sent_ns, p->sent_ns - known_ns, p->kind};
}

/* [M1] Collects the bounds of a rank from all its links with known ranks [M2]. */
static void bound_rank(const struct graph *graph, struct ordo_clocks *clocks, int32_t rank, struct bounds *bounds,
                       struct ordo_evidence_rank *told)
{
    for (int i = graph->begins[rank]; i < graph->begins[rank + 1]; i++) {
        const struct link *link = &graph->links[graph->of_rank[i]];
        bool comes = link->to == rank;
        int32_t other = comes ? link->from : link->to;
        if (!ordo_clocks_curve(clocks, other))
            continue;
        for (int k = 0; k < link->count; k++)
            bound_by(&link->points[k], clocks, other, comes, bounds);
        for (int kind = 0; kind < ORDO_EVIDENCE_KINDS; kind++)
            told->bounds[kind][comes ? ORDO_EVIDENCE_ABOVE : ORDO_EVIDENCE_BELOW] += link->taken[kind];
    }
    qsort(bounds->high, (size_t)bounds->highs, sizeof *bounds->high, by_link_time);
    qsort(bounds->low, (size_t)bounds->lows, sizeof *bounds->low, by_link_time);
}

static const struct bound *nearest(const struct bound *bounds, int count, int64_t at_ns)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (bounds[middle].at_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0 && at_ns - bounds[low - 1].at_ns < llabs(bounds[low].at_ns - at_ns))
        low--;
    return &bounds[low];
}

/* Makes the fixes of one window: pairs each high bound with the nearest low bound, and each low bound with the nearest
 * high bound. */
static int fix_window(struct ordo_fixes *fixes, int64_t session, const struct bound *high, int highs,
                      const struct bound *low, int lows, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; !code && i < highs + lows; i++) {
        const struct bound *one = i < highs ? &high[i] : nearest(high, highs, low[i - highs].at_ns);
        const struct bound *other = i < highs ? nearest(low, lows, high[i].at_ns) : &low[i - highs];
        struct ordo_fix fix = {session, other->at_ns, one->at_ns, other->offset_ns, one->offset_ns};
        code = ordo_fixes_add(fixes, &fix, error);
    }
    return code;
}

/* Counts the kinds of the tightest bounds of one window. */
static void tell_tightest(struct ordo_evidence_rank *told, const struct bound *high, int highs, const struct bound *low,
                          int lows)
{
    const struct bound *least = high, *most = low;
    for (int i = 1; i < highs; i++)
        least = high[i].offset_ns < least->offset_ns ? &high[i] : least;
    for (int i = 1; i < lows; i++)
        most = low[i].offset_ns > most->offset_ns ? &low[i] : most;
    told->tightest[least->kind][ORDO_EVIDENCE_ABOVE]++;
    told->tightest[most->kind][ORDO_EVIDENCE_BELOW]++;
}

static int64_t latest_of(const struct bounds *b)
{
    int64_t high = b->high[b->highs - 1].at_ns, low = b->low[b->lows - 1].at_ns;
    return high > low ? high : low;
}

/* Cuts the time into windows that each contain a high and a low bound, and makes the fixes of each window. Leaves out
 * the bounds after the last such window. */
static int fix_rank(struct ordo_fixes *fixes, const struct bounds *b, struct ordo_evidence_rank *told,
                    struct ordo_error *error)
{
    int64_t first = b->high[0].at_ns < b->low[0].at_ns ? b->high[0].at_ns : b->low[0].at_ns;
    int64_t window = (latest_of(b) - first) / WINDOWS + 1, until = first;
    int code = ORDO_OK, highs = 0, lows = 0, from_high = 0, from_low = 0;
    for (int session = 0; !code && (from_high < b->highs || from_low < b->lows); session++) {
        for (until += window;; until += window) {
            while (highs < b->highs && b->high[highs].at_ns < until)
                highs++;
            while (lows < b->lows && b->low[lows].at_ns < until)
                lows++;
            if ((highs > from_high && lows > from_low) || (highs == b->highs && lows == b->lows))
                break;
        }
        if (highs == from_high || lows == from_low)
            break;
        code = fix_window(fixes, session, b->high + from_high, highs - from_high, b->low + from_low, lows - from_low,
                          error);
        tell_tightest(told, b->high + from_high, highs - from_high, b->low + from_low, lows - from_low);
        from_high = highs;
        from_low = lows;
    }
    return code;
}

/* An entry of the heap of ranks that can be corrected next. `least` is the smaller of two numbers: the rank's messages
 * from known ranks, and its messages to known ranks. The rank with the largest `least` is corrected first. An entry is
 * outdated if these numbers have changed since, or if the rank is corrected already. */
struct turn {
    int64_t least;
    int32_t rank;
};

struct turns {
    int64_t (*counts)[2]; /* of each rank: number of messages from known ranks, and to known ranks */
    struct turn *heap;
    size_t count, room;
};

static bool comes_first(const struct turn *a, const struct turn *b)
{
    return a->least != b->least ? a->least > b->least : a->rank < b->rank;
}

static int64_t least_of(const int64_t counts[2])
{
    return counts[0] < counts[1] ? counts[0] : counts[1];
}

static int add_turn(struct turns *turns, int32_t rank)
{
    struct turn turn = {least_of(turns->counts[rank]), rank};
    if (turn.least == 0)
        return 0;
    if (turns->count == turns->room) {
        size_t room = turns->room ? 2 * turns->room : 64;
        struct turn *heap = realloc(turns->heap, room * sizeof *heap);
        if (!heap)
            return -1;
        turns->heap = heap;
        turns->room = room;
    }
    size_t at = turns->count++;
    for (; at > 0 && comes_first(&turn, &turns->heap[(at - 1) / 2]); at = (at - 1) / 2)
        turns->heap[at] = turns->heap[(at - 1) / 2];
    turns->heap[at] = turn;
    return 0;
}

static struct turn take_turn(struct turns *turns)
{
    struct turn first = turns->heap[0], moved = turns->heap[--turns->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < turns->count; at = child) {
        child += child + 1 < turns->count && comes_first(&turns->heap[child + 1], &turns->heap[child]);
        if (!comes_first(&turns->heap[child], &moved))
            break;
        turns->heap[at] = turns->heap[child];
    }
    turns->heap[at] = moved;
    return first;
}

/* Adds the messages of a newly corrected rank to the counts of its neighbours, and puts the neighbours into the
 * heap. */
static int tell_neighbours(struct turns *turns, const struct graph *graph, int32_t rank)
{
    int failed = 0;
    for (int i = graph->begins[rank]; !failed && i < graph->begins[rank + 1]; i++) {
        const struct link *link = &graph->links[graph->of_rank[i]];
        bool comes = link->to == rank;
        int32_t other = comes ? link->from : link->to;
        turns->counts[other][comes] += link->count;
        failed = ordo_clocks_curve(graph->clocks, other) ? 0 : add_turn(turns, other);
    }
    return failed;
}

/* Makes the correction of a rank from its fixes, with likely offsets by its collectives ([K14] of correct/collectives.c,
 * [K15] of correct/rooted.c). */
static int make_correction(const struct graph *graph, const struct ordo_method *method, int32_t rank,
                           const struct ordo_declared *declared, struct ordo_error *error)
{
    struct ordo_clock *clock = &graph->clocks->of[rank];
    struct ordo_likely *likely;
    int count = ordo_collectives_likely(&graph->collectives, graph->clocks, rank, &likely);
    if (count == 0) {
        free(likely);
        count = ordo_rooted_likely(&graph->collectives, graph->clocks, rank, declared, &likely);
    }
    if (count < 0)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, "rank %d: out of memory", rank);
    clock->fixes.likely = likely;
    clock->fixes.likely_count = count;
    int code = ordo_correction_make(&clock->correction, method, &clock->fixes, declared, error);
    clock->fixes.likely = NULL;
    clock->fixes.likely_count = 0;
    free(likely);
    return code;
}

static int correct_rank(const struct graph *graph, const struct ordo_correct_options *options, int32_t rank,
                        const int64_t counts[2], struct ordo_error *error)
{
    struct bounds bounds = {.high = malloc((size_t)counts[0] * sizeof *bounds.high),
                            .low = malloc((size_t)counts[1] * sizeof *bounds.low)};
    struct ordo_clock *clock = &graph->clocks->of[rank];
    struct ordo_declared declared = options->declared;
    int code = ORDO_OK;
    declared.granule_ns = ordo_clocks_granule(graph->clocks, rank);
    declared.master_ns = 0; /* [M4] */
    if (!bounds.high || !bounds.low) {
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "rank %d: out of memory", rank);
    } else {
        bound_rank(graph, graph->clocks, rank, &bounds, &graph->evidence->ranks[rank]);
        if (bounds.highs > 0 && bounds.lows > 0)
            code = fix_rank(&clock->fixes, &bounds, &graph->evidence->ranks[rank], error);
    }
    if (!code)
        code = make_correction(graph, options->method, rank, &declared, error);
    clock->made = !code;
    free(bounds.high);
    free(bounds.low);
    return code;
}

static int correct_turns(const struct graph *graph, const struct ordo_correct_options *options, struct turns *turns,
                         struct ordo_error *error)
{
    int code = ORDO_OK, failed = 0;
    for (int32_t rank = 0; !failed && rank < graph->clocks->count; rank++)
        if (ordo_clocks_curve(graph->clocks, rank))
            failed = tell_neighbours(turns, graph, rank);
    while (!code && !failed && turns->count > 0) {
        struct turn turn = take_turn(turns);
        if (ordo_clocks_curve(graph->clocks, turn.rank) || turn.least != least_of(turns->counts[turn.rank]))
            continue;
        code = correct_rank(graph, options, turn.rank, turns->counts[turn.rank], error);
        failed = code ? 0 : tell_neighbours(turns, graph, turn.rank);
    }
    return failed ? ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", graph->clocks->count) : code;
}

/* Describes the evidence about a rank whose clock remains unknown. `counts`: its bounds from above and from below. */
static int refuse_rank(const struct graph *graph, int32_t rank, const int64_t counts[2], struct ordo_error *error)
{
    const char *told = graph->evidence->told;
    char alone[48];
    (void)snprintf(alone, sizeof alone, "nothing joins it to rank %d", (int)graph->evidence->reference);
    graph->evidence->is_short = true;
    const char *there = counts[0] > 0   ? "there are bounds from above only"
                        : counts[1] > 0 ? "there are bounds from below only"
                                        : alone;
    return ordo_error_set(
        error, ORDO_E_MEASURE, 0,
        "nothing is known of the clock of rank %d: %s%s%s%s: let it take part in a session or barriers, "
        "or exchange messages in both directions",
        rank, there, told[0] ? " (" : "", told, told[0] ? ")" : "");
}

/* Refuses the lowest rank with evidence whose clock remains unknown. A rank without evidence is refused at its first
 * event, because the file names it only there. */
static int check_ranks(const struct graph *graph, const struct turns *turns, struct ordo_error *error)
{
    for (int32_t rank = 0; rank < graph->clocks->count; rank++)
        if (!ordo_clocks_curve(graph->clocks, rank) && graph->begins[rank] < graph->begins[rank + 1])
            return refuse_rank(graph, rank, turns->counts[rank], error);
    return ORDO_OK;
}

/* [M2] Chooses the rank whose clock is global time. */
static void choose_reference(struct graph *graph)
{
    struct ordo_clocks *clocks = graph->clocks;
    int32_t rank = 0;
    for (int32_t i = 1; i < clocks->count; i++)
        if (ordo_clocks_curve(clocks, i)) /* by sessions with rank 0 */
            return;
    while (rank < clocks->count && (!clocks->named[rank] || clocks->of[rank].unit.count == 0))
        rank++;
    if (rank == 0 || rank == clocks->count)
        return;
    graph->evidence->reference = rank;
    clocks->of[rank].has_shared = true;
}

static int correct_all(struct graph *graph, const struct ordo_correct_options *options, struct ordo_error *error)
{
    struct ordo_clocks *clocks = graph->clocks;
    int code = ordo_clocks_make(clocks, options->method, &options->declared, error);
    for (int i = 0; !code && i < graph->count; i++) {
        code = ordo_clocks_grow(clocks, graph->links[i].from, error);
        if (!code)
            code = ordo_clocks_grow(clocks, graph->links[i].to, error);
    }
    if (!code)
        choose_reference(graph);
    graph->evidence->ranks = code ? NULL : calloc((size_t)clocks->count, sizeof *graph->evidence->ranks);
    graph->evidence->count = graph->evidence->ranks ? clocks->count : 0;
    if (!code && !graph->evidence->ranks)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", clocks->count);
    if (!code)
        code = list_links(graph, clocks->count, error);
    struct turns turns = {.counts = code ? NULL : calloc((size_t)clocks->count, sizeof *turns.counts)};
    if (!code && !turns.counts)
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", clocks->count);
    if (!code)
        code = correct_turns(graph, options, &turns, error);
    if (!code)
        code = check_ranks(graph, &turns, error);
    free(turns.counts);
    free(turns.heap);
    return code;
}

/* Refuses a trace without evidence about any clock. */
static int refuse_all(const struct graph *graph, const char *path, struct ordo_error *error)
{
    const char *told = graph->evidence->told;
    graph->evidence->is_short = true;
    if (told[0])
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s: 0 sessions, and no certain message or collective (%s): name a file of sessions with "
                              "--sync",
                              path, told);
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "%s: row 2: 0 sessions, and no message between ranks and no collective of several: name a "
                          "file of sessions with --sync",
                          path);
}

int ordo_messages_learn(struct ordo_traces *traces, const struct ordo_correct_options *options,
                        struct ordo_correct_report *report, struct ordo_error *error)
{
    struct graph graph = {.clocks = &report->clocks, .evidence = &report->evidence, .devices = &report->devices};
    int code = collect_messages(traces, &graph, error);
    if (!code)
        code = ordo_devices_settle(graph.devices, &options->declared, options->leaves_devices, error);
    if (!code)
        ordo_collectives_move(&graph.collectives, graph.devices);
    if (!code)
        code = add_collectives(&graph, ordo_band_limit(&options->declared), error);
    if (!code && graph.count == 0)
        code = refuse_all(&graph, options->traces.paths[0], error);
    if (!code)
        code = correct_all(&graph, options, error);
    graph_free(&graph);
    return code;
}
