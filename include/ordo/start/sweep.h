/* Measures every pair of a crew's CPUs, or one round of disjoint pairs, and computes the bounds that these measurements
 * prove. The measurement of one pair is a visit (pair.h); a match is a pair in a round.
 *
 * n CPUs have n (n - 1) / 2 pairs. The circle method visits them in n - 1 rounds (n, if n is odd) of n / 2 disjoint
 * pairs. The pairs of a round are measured at the same time, so a round takes as long as one pair. If pairs of a round
 * disturb each other, their deltas become larger, never smaller.
 *
 * A disturbed visit is repeated, because its deltas are valid but so large that they would make the boundary
 * useless. */
#ifndef ORDO_START_SWEEP_H
#define ORDO_START_SWEEP_H

#include <ordo/start/crew.h>

#include <poll.h>

enum {
    ORDO_START_RUNS = 1500,     /* number of runs in each direction of a visit */
    ORDO_START_RUNS_BUSY = 250, /* number of runs from the third try on: a shorter visit is less often disturbed */
    ORDO_START_TRIES = 4,       /* number of tries of a pair; the last visit counts even if its ceilings are high */
    ORDO_START_FINALS = 4,      /* maximum number of last rounds, the first one included */
    ORDO_START_ATTEMPT_NS = 20000000,   /* time limit of one attempt of a round */
    ORDO_START_ATTEMPT_CPU_NS = 100000, /* addition to that limit for each CPU */
    ORDO_START_PAUSE_NS = 2000000,      /* pause between two attempts */
    ORDO_START_MEET_NS = 1000000,       /* time to wait for the other side before a visit */
    ORDO_START_MOST_LATENCY_NS = 10000  /* one way: upper bound for any two CPUs */
};

/* The seat of a member in a round: side a or side b of a pair, or no side. */
struct ordo_start_seat {
    struct ordo_pair *pair; /* NULL: the member sits out */
    const struct ordo_start_seat *other;
    uint64_t runs;
    int is_b;
    int is_here; /* the member is running on its CPU */
    int code;
};

struct ordo_start_match {
    unsigned a, b;
    int is_over;
    int tries;
};

/** The findings of all visits so far. */
struct ordo_start_findings {
    int64_t largest;              /* largest ceiling of any pair and direction */
    int64_t drift_min, drift_max; /* proved bounds of any pair's drift between the first and the last sweep, in ppb */
    uint64_t runs;                /* smallest number of runs of a direction of any pair, over all sweeps */
};

/** The memory of a measurement: one mapping, which ordo_start_field_free releases. */
struct ordo_start_field {
    struct ordo_start_crew crew;
    struct ordo_start_member *members;
    struct ordo_start_seat *seats;
    struct ordo_start_match *matches;
    struct ordo_pair *pairs;
    struct ordo_visit *first; /* [a * count + b] the pair's visit in the first sweep; NULL: not kept */
    void *map;
    size_t map_bytes;
    unsigned count, match_count;
    uint64_t granule_ticks, tick_hz; /* the approximate rate, to judge disturbances */
    ordo_start_part *alone; /* the part of member 0 in a turn of its own; NULL: all members take part in the turn */
    void *alone_context;
    struct ordo_start_findings found;
};

static inline size_t ordo_start_round_up(size_t bytes)
{
    return (bytes + 127) / 128 * 128;
}

/* Returns the address of the next `count` items of `size` bytes in the mapping. */
static inline void *ordo_start_carve(struct ordo_start_field *field, size_t *at, size_t count, size_t size)
{
    void *place = field->map ? (void *)((unsigned char *)field->map + *at) : NULL;
    *at += ordo_start_round_up(count * size);
    return place;
}

static inline size_t ordo_start_lay_out(struct ordo_start_field *field, int keep_first)
{
    size_t n = field->count, at = 0;
    field->pairs = (struct ordo_pair *)ordo_start_carve(field, &at, n / 2 + 1, sizeof *field->pairs);
    field->members = (struct ordo_start_member *)ordo_start_carve(field, &at, n, sizeof *field->members);
    field->seats = (struct ordo_start_seat *)ordo_start_carve(field, &at, n, sizeof *field->seats);
    field->matches = (struct ordo_start_match *)ordo_start_carve(field, &at, n / 2 + 1, sizeof *field->matches);
    field->first = (struct ordo_visit *)ordo_start_carve(field, &at, keep_first ? n * n : 0, sizeof *field->first);
    return at;
}

/* Waits until the other side is running as well, without yielding this CPU. A visit needs both CPUs at once, and on a
 * busy CPU a thread that yields is descheduled for a whole time slice. */
static inline void ordo_start_meet(struct ordo_start_seat *seat)
{
    uint64_t until_ns = ordo_pair_now_ns() + ORDO_START_MEET_NS;
    /* Relaxed: no other data depend on the flag, only timing. */
    __atomic_store_n(&seat->is_here, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&seat->other->is_here, __ATOMIC_RELAXED) && ordo_pair_now_ns() < until_ns)
        ordo_clock_pause();
}

static inline int ordo_start_play(void *context, unsigned member, struct ordo_error *error)
{
    struct ordo_start_field *field = (struct ordo_start_field *)context;
    struct ordo_start_seat *seat = &field->seats[member];
    struct ordo_pair_runs runs = {0, 0};
    if (field->alone)
        return member == 0 ? field->alone(field->alone_context, member, error) : ORDO_OK;
    if (!seat->pair)
        return ORDO_OK;
    runs.runs = seat->runs;
    ordo_start_meet(seat);
    seat->code = seat->is_b ? ordo_pair_side_b(seat->pair, runs, ordo_clock_read)
                            : ordo_pair_side_a(seat->pair, runs, ordo_clock_read);
    return ORDO_OK;
}

static inline void ordo_start_stop_play(void *context)
{
    struct ordo_start_field *field = (struct ordo_start_field *)context;
    unsigned i;
    for (i = 0; i < field->match_count; i++)
        ordo_pair_give_up(&field->pairs[i]);
}

static inline void ordo_start_field_free(struct ordo_start_field *field)
{
    ordo_start_crew_dismiss(&field->crew);
    (void)munmap(field->map, field->map_bytes);
}

/* Allocates the memory and starts the threads on the `count` CPUs of `set`. `set` must outlive the field. */
static inline int ordo_start_field_open(struct ordo_start_field *field, const struct ordo_record_set *set,
                                        unsigned count, int keep_first, uint64_t until_ns, struct ordo_error *error)
{
    int code;
    memset(field, 0, sizeof *field);
    field->count = count;
    field->map_bytes = ordo_start_lay_out(field, keep_first);
    field->map = ordo_start_map(field->map_bytes);
    if (!field->map)
        return ordo_record_refuse(error, ORDO_E_SYSTEM, errno, "memory of the measurement");
    ordo_start_keep_from_children(field->map, field->map_bytes);
    (void)ordo_start_lay_out(field, keep_first);
    field->found.largest = INT64_MIN;
    field->found.drift_min = INT64_MAX;
    field->found.drift_max = INT64_MIN;
    field->found.runs = UINT64_MAX;
    field->crew.part = ordo_start_play;
    field->crew.give_up = ordo_start_stop_play;
    field->crew.context = field;
    code = ordo_start_crew_begin(&field->crew, set, field->members, count, until_ns, error);
    if (code)
        (void)munmap(field->map, field->map_bytes);
    return code;
}

static inline unsigned ordo_start_rounds(unsigned count)
{
    return count < 2 ? 0 : count - 1 + count % 2;
}

/* Returns the player on a seat, by the circle method for an even number of players: the last player keeps its seat, and
 * the other players move on by one seat each round. */
static inline unsigned ordo_start_seated(unsigned seat, unsigned round, unsigned places)
{
    return seat == places - 1 ? seat : (seat + round) % (places - 1);
}

static inline void ordo_start_draw(struct ordo_start_field *field, unsigned round)
{
    unsigned places = field->count + field->count % 2, seat;
    field->match_count = 0;
    for (seat = 0; seat < places / 2; seat++) {
        unsigned x = ordo_start_seated(seat, round, places);
        unsigned y = ordo_start_seated(places - 1 - seat, round, places);
        struct ordo_start_match *match = &field->matches[field->match_count];
        if (x >= field->count || y >= field->count)
            continue;
        match->a = x < y ? x : y;
        match->b = x < y ? y : x;
        match->is_over = match->tries = 0;
        field->match_count++;
    }
}

static inline void ordo_start_seat_pair(struct ordo_start_field *field, const struct ordo_start_match *match,
                                        struct ordo_pair *pair)
{
    struct ordo_start_seat *a = &field->seats[match->a], *b = &field->seats[match->b];
    a->pair = b->pair = pair;
    a->other = b;
    b->other = a;
    b->is_b = 1;
    a->runs = b->runs = match->tries < 2 ? ORDO_START_RUNS : ORDO_START_RUNS_BUSY;
}

/* Clears the memory of the matches that are not over, and assigns seats to their members. */
static inline void ordo_start_seat_all(struct ordo_start_field *field)
{
    unsigned i;
    memset(field->seats, 0, field->count * sizeof *field->seats);
    for (i = 0; i < field->match_count; i++) {
        const struct ordo_start_match *match = &field->matches[i];
        if (match->is_over)
            continue;
        memset(&field->pairs[i], 0, sizeof field->pairs[i]);
        ordo_start_seat_pair(field, match, &field->pairs[i]);
    }
}

/* Makes one turn for the open matches of the round. */
static inline int ordo_start_attempt(struct ordo_start_field *field, uint64_t until_ns, struct ordo_error *error)
{
    uint64_t limit_ns = ordo_pair_now_ns() + ORDO_START_ATTEMPT_NS + (uint64_t)field->count * ORDO_START_ATTEMPT_CPU_NS;
    ordo_start_seat_all(field);
    return ordo_start_crew_turn(&field->crew, limit_ns, until_ns, error);
}

/* Makes one turn of member 0 alone, for a part that must stay on one CPU. `context` must outlive the field, because
 * after a failure a member that got no CPU may still use `context`. */
static inline int ordo_start_alone(struct ordo_start_field *field, ordo_start_part *part, void *context,
                                   uint64_t until_ns, struct ordo_error *error)
{
    int code;
    field->alone = part;
    field->alone_context = context;
    code = ordo_start_crew_turn(&field->crew, until_ns, until_ns, error);
    if (!code) /* after a failure no turn can be made */
        field->alone = NULL;
    return code;
}

/* Returns the visit of match i; NULL if it was given up. */
static inline const struct ordo_visit *ordo_start_visit(const struct ordo_start_field *field, unsigned i)
{
    const struct ordo_start_match *match = &field->matches[i];
    return field->seats[match->a].code || field->seats[match->b].code ? NULL : &field->pairs[i].visit;
}

static inline int ordo_start_refuse_match(const struct ordo_start_field *field, const struct ordo_start_match *match,
                                          int code, const char *what, struct ordo_error *error)
{
    return ordo_start_refuse(error, code, 0, "cpu %lu and cpu %lu: %s", field->members[match->a].cpu,
                             field->members[match->b].cpu, what);
}

static inline int64_t ordo_start_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t ordo_start_ceiling_ab(const struct ordo_visit *visit)
{
    return ordo_start_larger(visit->delta_ab, visit->ceiling_ab);
}

static inline int64_t ordo_start_ceiling_ba(const struct ordo_visit *visit)
{
    return ordo_start_larger(visit->delta_ba, visit->ceiling_ba);
}

/* True if all four numbers of a visit are below 2^61, and both clocks are below 2^63. A larger difference of two clocks
 * may have wrapped around, and a sum of such differences may wrap. ordo_cmp_time compares without wrapping. Therefore a
 * clock that is about to wrap around, or has recently wrapped, has no boundary. */
static inline int ordo_start_in_range(const struct ordo_visit *visit)
{
    const int64_t most = INT64_C(1) << 61;
    uint64_t b_then = visit->at_ab + (uint64_t)visit->delta_ab, b_later = visit->at_ba - (uint64_t)visit->delta_ba;
    return visit->delta_ab >= -most && visit->delta_ab <= most && visit->delta_ba >= -most && visit->delta_ba <= most &&
           visit->ceiling_ab >= -most && visit->ceiling_ab <= most && visit->ceiling_ba >= -most &&
           visit->ceiling_ba <= most && (visit->at_ab | visit->at_ba | b_then | b_later) >> 63 == 0;
}

/* True if other load disturbed the visit. The offset cancels in the sum of both directions, so a large offset does not
 * count as a disturbance. */
static inline int ordo_start_disturbed(const struct ordo_start_field *field, const struct ordo_start_match *match,
                                       const struct ordo_visit *visit)
{
    int64_t least = visit->delta_ab + visit->delta_ba;
    int64_t most = ordo_start_ceiling_ab(visit) + ordo_start_ceiling_ba(visit);
    if (most > 0 && ordo_record_ticks_to_ns((uint64_t)most / 2, field->tick_hz) > ORDO_START_MOST_LATENCY_NS)
        return 1;
    return most - least > least / 2 + 2 * (int64_t)field->granule_ticks && match->tries < ORDO_START_TRIES;
}

/* Returns a bound on the drift, `ticks` / `span`, in ppb. */
static inline int64_t ordo_start_ppb(int64_t ticks, int64_t span)
{
    const double most = 1e9;
    double ppb = span > 0 ? (double)ticks * most / (double)span : most;
    return (int64_t)(ppb > most ? most : ppb < -most ? -most : ppb);
}

/* Bounds the drift of a pair by its first and its last visit; lib/base/visit.h has the argument. */
static inline int ordo_start_take_drift(struct ordo_start_field *field, const struct ordo_start_match *match,
                                        const struct ordo_visit *first, const struct ordo_visit *last,
                                        struct ordo_error *error)
{
    struct ordo_start_findings *found = &field->found;
    int64_t room = 2 * (int64_t)field->granule_ticks;
    int64_t most = last->delta_ab + first->delta_ba + room, least = -(last->delta_ba + first->delta_ab + room);
    int64_t ppb;
    if (most < 0 || least > 0)
        return ordo_start_refuse_match(field, match, ORDO_E_REFUTED,
                                       "their offset has moved between two visits: the clocks step or drift", error);
    ppb = ordo_start_ppb(most, (int64_t)(last->at_ab - first->at_ba));
    if (ppb > found->drift_max)
        found->drift_max = ppb;
    ppb = -ordo_start_ppb(-least, (int64_t)(last->at_ba - first->at_ab));
    if (ppb < found->drift_min)
        found->drift_min = ppb;
    return ORDO_OK;
}

/* Adds an accepted visit to the findings. */
static inline int ordo_start_take_visit(struct ordo_start_field *field, unsigned i, int is_first,
                                        struct ordo_error *error)
{
    const struct ordo_start_match *match = &field->matches[i];
    const struct ordo_pair *pair = &field->pairs[i];
    const struct ordo_visit *visit = &pair->visit;
    struct ordo_visit *first = &field->first[match->a * field->count + match->b];
    struct ordo_start_findings *found = &field->found;
    int64_t largest = ordo_start_larger(ordo_start_ceiling_ab(visit), ordo_start_ceiling_ba(visit));
    uint64_t runs = pair->runs_ab < pair->runs_ba ? pair->runs_ab : pair->runs_ba;
    if (visit->delta_ab + visit->delta_ba < -(int64_t)field->granule_ticks)
        return ordo_start_refuse_match(field, match, ORDO_E_REFUTED,
                                       "a message arrived before it was sent: the clocks step", error);
    if (largest > found->largest)
        found->largest = largest;
    if (runs < found->runs)
        found->runs = runs;
    if (!is_first)
        return ordo_start_take_drift(field, match, first, visit, error);
    *first = *visit;
    return ORDO_OK;
}

/* Judges the open matches of an attempt; `*open` becomes the number of matches that are still open, and `*one` the
 * index of one such match. */
static inline int ordo_start_judge_round(struct ordo_start_field *field, int is_first, unsigned *open, unsigned *one,
                                         struct ordo_error *error)
{
    unsigned i;
    int code = ORDO_OK;
    *open = 0;
    for (i = 0; i < field->match_count && !code; i++) {
        struct ordo_start_match *match = &field->matches[i];
        const struct ordo_visit *visit;
        if (match->is_over)
            continue;
        match->tries++;
        visit = ordo_start_visit(field, i);
        if (visit && !ordo_start_in_range(visit))
            return ordo_start_refuse_match(field, match, ORDO_E_REFUTED,
                                           "their clocks are more than 2^61 ticks apart, or wrap round", error);
        if (visit && !ordo_start_disturbed(field, match, visit)) {
            match->is_over = 1;
            code = ordo_start_take_visit(field, i, is_first, error);
        } else {
            (*open)++;
            *one = i;
        }
    }
    return code;
}

/* Sleeps, because the scheduler prefers a thread that has slept over threads that have run. */
static inline void ordo_start_pause(void)
{
    (void)poll(NULL, 0, ORDO_START_PAUSE_NS / 1000000);
}

/* Measures the pairs of one round. `*tries` becomes the number of attempts. */
static inline int ordo_start_round(struct ordo_start_field *field, unsigned round, int is_first, uint64_t until_ns,
                                   unsigned *tries, struct ordo_error *error)
{
    unsigned open = 1, one = 0;
    int code = ORDO_OK;
    ordo_start_draw(field, round);
    for (*tries = 0; open > 0 && !code; (*tries)++) {
        if (ordo_pair_now_ns() > until_ns)
            return ordo_start_refuse_match(field, &field->matches[one], ORDO_E_MEASURE,
                                           "no undisturbed exchange (busy CPUs?); try again, or restrict the affinity",
                                           error);
        code = ordo_start_attempt(field, until_ns, error);
        if (!code)
            code = ordo_start_judge_round(field, is_first, &open, &one, error);
        if (open > 0)
            ordo_start_pause();
    }
    return code;
}

/** Measures all pairs once. The last round of the last sweep is the last observation of the clocks. If a pair of this
 * round was repeated, the other pairs, which were measured earlier, are measured again as well, up to ORDO_START_FINALS
 * last rounds in all. Returns 0, or
 *
 * - ORDO_E_MEASURE: a CPU did not answer by `until_ns`, or all its visits were disturbed;
 * - ORDO_E_CPUS: a CPU went offline, or is no longer allowed;
 * - ORDO_E_REFUTED: the clocks step or drift, or are too far apart. */
static inline int ordo_start_sweep(struct ordo_start_field *field, int is_first, uint64_t until_ns,
                                   struct ordo_error *error)
{
    unsigned round, rounds = ordo_start_rounds(field->count), tries = 0, finals = 1;
    int code = ORDO_OK;
    for (round = 0; round < rounds && !code; round++)
        code = ordo_start_round(field, round, is_first, until_ns, &tries, error);
    for (; !code && !is_first && tries > 1 && field->match_count > 1 && finals < ORDO_START_FINALS; finals++)
        code = ordo_start_round(field, rounds - 1, 0, until_ns, &tries, error);
    return code;
}

#endif
