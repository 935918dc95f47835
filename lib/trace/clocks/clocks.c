#include "trace/clocks/clocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "trace/file/layout.h"
#include "trace/input/input.h"
#include "trace/input/number.h"

/* Enlarges the mapping to `to` clocks. A page takes memory only once it is used. Huge pages are refused, because the
 * first use of one would take memory for all clocks in it. */
static struct ordo_clock *enlarge(struct ordo_clock *of, int from, int to)
{
    size_t before = (size_t)from * sizeof *of, after = (size_t)to * sizeof *of;
    void *made = of ? mremap(of, before, after, MREMAP_MAYMOVE)
                    : mmap(NULL, after, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
        return NULL;
    (void)madvise(made, after, MADV_NOHUGEPAGE);
    return made;
}

static bool make_clocks(struct ordo_clocks *clocks, int room)
{
    bool *named = realloc(clocks->named, (size_t)room * sizeof *named);
    clocks->named = named ? named : clocks->named;
    struct ordo_clock *of = named ? enlarge(clocks->of, clocks->room, room) : NULL;
    if (!of)
        return false;
    memset(named + clocks->room, 0, (size_t)(room - clocks->room) * sizeof *named);
    clocks->of = of;
    clocks->room = room;
    return true;
}

int ordo_clocks_grow(struct ordo_clocks *clocks, int32_t rank, struct ordo_error *error)
{
    if (rank >= clocks->room) {
        int room = rank < 32 ? 64 : 2 * rank;
        if (!make_clocks(clocks, room))
            return ordo_error_set(error, ORDO_E_SYSTEM, 0, "%d ranks: out of memory", room);
    }
    clocks->named[rank] = true;
    clocks->of[rank].fixes.rank = rank;
    clocks->count = rank < clocks->count ? clocks->count : rank + 1;
    return ORDO_OK;
}

void ordo_clocks_free(struct ordo_clocks *clocks)
{
    for (int i = ordo_clocks_next(clocks, -1); i < clocks->count; i = ordo_clocks_next(clocks, i)) {
        free(clocks->of[i].fixes.all);
        if (clocks->of[i].made)
            ordo_correction_free(&clocks->of[i].correction);
    }
    if (clocks->of)
        (void)munmap(clocks->of, (size_t)clocks->room * sizeof *clocks->of);
    free(clocks->named);
    *clocks = (struct ordo_clocks){0};
}

enum { SESSION, RANK, SEND, MASTER, RECEIVE, FIELDS, FIELDS_MOST = 64 };
static const char *const names[FIELDS] = {"session", "rank", "send_ns", "master_ns", "receive_ns"};

static struct ordo_text take_field(struct ordo_text *line)
{
    const char *comma = memchr(line->at, ',', line->length);
    struct ordo_text field = {line->at, comma ? (size_t)(comma - line->at) : line->length};
    size_t used = field.length + (comma != NULL);
    line->at += used;
    line->length -= used;
    return field;
}

static int refuse_row(const struct ordo_input *input, struct ordo_error *error, const char *what)
{
    return ordo_error_set(error, ORDO_E_MALFORMED, 0, "%s: row %" PRIu64 ": %s", input->path, input->row, what);
}

/* Finds the column of each field. */
static int read_names(struct ordo_input *input, int places[FIELDS], struct ordo_error *error)
{
    struct ordo_text line;
    int code = ordo_input_line(input, &line, error);
    if (code < 0)
        return code;
    if (code == 0)
        return ordo_error_set(error, ORDO_E_MISSING, 0, "%s: row 1: is empty, and has 0 sessions", input->path);
    for (int i = 0; i < FIELDS; i++)
        places[i] = -1;
    for (int at = 0; line.length > 0 && at < FIELDS_MOST; at++) {
        struct ordo_text field = take_field(&line);
        for (int i = 0; i < FIELDS; i++)
            if (strlen(names[i]) == field.length && memcmp(names[i], field.at, field.length) == 0)
                places[i] = at;
    }
    for (int i = 0; i < FIELDS; i++)
        if (places[i] < 0)
            return refuse_row(input, error,
                              "the first row names the columns: session,rank,send_ns,master_ns,receive_ns");
    return ORDO_OK;
}

static int read_row(struct ordo_clocks *clocks, const struct ordo_input *input, struct ordo_text line,
                    const int places[FIELDS], struct ordo_error *error)
{
    int64_t values[FIELDS];
    struct ordo_text fields[FIELDS_MOST];
    const int64_t most = INT64_MAX / 4;
    int count = 0;
    while (line.length > 0 && count < FIELDS_MOST)
        fields[count++] = take_field(&line);
    for (int i = 0; i < FIELDS; i++)
        if (places[i] >= count || ordo_text_time(fields[places[i]], most, &values[i]) != ORDO_TEXT_FITS)
            return refuse_row(input, error, "is no exchange of five whole numbers: correct or remove the row");
    if (values[RANK] < 0 || values[RANK] >= ORDO_TRACE_RANKS_MOST)
        return refuse_row(input, error, "its rank is no rank: correct or remove the row");
    if (values[RANK] == 0)
        return refuse_row(input, error, "rank 0 is the master, and has no exchanges: remove the row");
    if (values[RECEIVE] < values[SEND])
        return refuse_row(input, error, "was received before it was sent, on one clock: correct or remove the row");
    int code = ordo_clocks_grow(clocks, (int32_t)values[RANK], error);
    struct ordo_fix fix = ordo_fix_of_exchange(values[SESSION], values[SEND], values[MASTER], values[RECEIVE]);
    return code ? code : ordo_fixes_add(&clocks->of[values[RANK]].fixes, &fix, error);
}

static int read_sessions(struct ordo_clocks *clocks, struct ordo_input *input, struct ordo_error *error)
{
    int places[FIELDS], code = read_names(input, places, error), more = 0;
    struct ordo_text line;
    uint64_t rows = 0;
    while (!code && (more = ordo_input_line(input, &line, error)) == 1)
        if (line.length > 0) {
            code = read_row(clocks, input, line, places, error);
            rows++;
        }
    if (!code && more == 0 && rows == 0)
        code = ordo_error_set(
            error, ORDO_E_MISSING, 0,
            "%s: row 2: is missing: 0 sessions; leave --sync out to correct by the messages of the trace", input->path);
    return code ? code : more;
}

int ordo_clocks_read(struct ordo_clocks *clocks, const char *path, struct ordo_error *error)
{
    struct ordo_input input;
    int code = ordo_input_open(&input, path, error);
    if (code)
        return code;
    code = read_sessions(clocks, &input, error);
    ordo_input_close(&input);
    return code;
}

static int64_t coarser(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* Returns `declared` with the granules of a rank and of the master: the declared granule, or else a granule inferred
 * from the fixes, which hold readings of both clocks. The coarser of the two inferred granules is used for both clocks,
 * so that the middle of the bounds remains the estimate. */
static struct ordo_declared declared_for(const struct ordo_clocks *clocks, int rank,
                                         const struct ordo_declared *declared)
{
    const struct ordo_fixes *fixes = &clocks->of[rank].fixes;
    struct ordo_declared own = *declared;
    struct ordo_unit clock = {0}, master = {0};
    for (int i = 0; i < fixes->count; i++) {
        ordo_unit_take(&clock, fixes->all[i].sent_ns);
        ordo_unit_take(&clock, fixes->all[i].received_ns);
        ordo_unit_take(&master, fixes->all[i].sent_ns - fixes->all[i].low_ns);
    }
    int64_t a_ns = coarser(ordo_unit_step(&clock), clocks->of[rank].step_ns);
    if (own.granule_ns == ORDO_GRANULE_OF_DIGITS)
        own.granule_ns = coarser(a_ns, coarser(ordo_unit_step(&master), clocks->of[0].step_ns));
    own.master_ns = ordo_declared_granule(&own);
    return own;
}

/* The clock is the master's: the offset is 0. */
static int fit_same(const struct ordo_method_input *input, struct ordo_curve *curve, struct ordo_error *error)
{
    (void)input;
    (void)error;
    for (int i = 0; i < curve->count; i++)
        curve->pieces[i].estimate[0] = -(double)curve->pieces[i].base_ns;
    return ORDO_OK;
}

/* True if the bounds of all sessions contain the offset 0. */
static bool may_be_same(const struct ordo_band *band)
{
    for (int i = 0; i < band->count; i++) {
        const struct ordo_knot *knot = &band->knots[i];
        if ((double)knot->base_ns + knot->low_ns > 0 || (double)knot->base_ns + knot->high_ns < 0)
            return false;
    }
    return true;
}

/* [S1] Ranks under one kernel that read the same clock source read one clock, unless the kernel shifts it for some of
 *      them (time namespaces) or the clocks of the CPUs disagree. If no session contradicts one clock, the estimate is
 *      the master's clock: its error is the distance of the two clocks. The error of any other estimate is an error of
 *      measurement, which may put the end of a message before its begin although the recorded times are in order.
 *      [S1] chooses the estimate only; the bounds are those of the sessions. */
static int make_correction(const struct ordo_clocks *clocks, struct ordo_clock *clock, const struct ordo_method *method,
                           const struct ordo_declared *declared, struct ordo_error *error)
{
    static const struct ordo_method same = {.name = "same", .title = "the clock of rank 0", .fit = fit_same};
    if (clock->machine != 0 && clock->machine == clocks->of[0].machine) {
        int code = ordo_correction_make(&clock->correction, &same, &clock->fixes, declared, error);
        clock->is_same = !code && may_be_same(&clock->correction.band);
        if (code || clock->is_same)
            return code;
        ordo_correction_free(&clock->correction);
    }
    return ordo_correction_make(&clock->correction, method, &clock->fixes, declared, error);
}

/* [S2] A rank that shares the master's clock may have sessions of its own. Both prove bounds, so the offset is in both.
 *      If the two contradict each other at a session, the clock has changed by more than is declared since it was
 *      verified; the sessions then hold, and the verification is forgotten. */
static void check_sharing(struct ordo_clocks *clocks, int32_t rank)
{
    struct ordo_clock *clock = &clocks->of[rank];
    for (int i = 0; clock->made && clock->has_shared && clock->shared == 0 && i < clock->correction.band.count; i++) {
        const struct ordo_knot *knot = &clock->correction.band.knots[i];
        double apart_ns = (double)ordo_clocks_apart_ns(clocks, rank, knot->at_ns);
        double low_ns = (double)knot->base_ns + knot->low_ns, high_ns = (double)knot->base_ns + knot->high_ns;
        if (low_ns > apart_ns || high_ns < -apart_ns)
            clock->has_shared = false;
    }
}

int ordo_clocks_make(struct ordo_clocks *clocks, const struct ordo_method *method, const struct ordo_declared *declared,
                     struct ordo_error *error)
{
    int code = ordo_clocks_grow(clocks, 0, error);
    clocks->granule_ns = declared->granule_ns;
    clocks->declared = *declared;
    if (!code && !clocks->of[0].made) {
        code = ordo_curve_identity(&clocks->of[0].correction.curve, error);
        clocks->of[0].made = !code;
    }
    for (int i = ordo_clocks_next(clocks, 0); !code && i < clocks->count; i = ordo_clocks_next(clocks, i)) {
        struct ordo_clock *clock = &clocks->of[i];
        if (clock->made || clock->fixes.count == 0)
            continue;
        struct ordo_declared own = declared_for(clocks, i, declared);
        code = make_correction(clocks, clock, method, &own, error);
        clock->made = !code;
        check_sharing(clocks, i);
    }
    return code;
}

/* Returns the corrected clock that a rank reads, its own or a shared one; NULL if unknown. */
static struct ordo_clock *find_clock(const struct ordo_clocks *clocks, int32_t rank)
{
    if (rank < 0 || rank >= clocks->count || !clocks->named[rank])
        return NULL;
    struct ordo_clock *own = &clocks->of[rank];
    struct ordo_clock *clock = own->has_shared && own->shared < clocks->count ? &clocks->of[own->shared] : own;
    return clock->made ? clock : NULL;
}

struct ordo_curve *ordo_clocks_curve(struct ordo_clocks *clocks, int32_t rank)
{
    struct ordo_clock *clock = find_clock(clocks, rank);
    return clock ? &clock->correction.curve : NULL;
}

double ordo_clocks_rate_range(const struct ordo_clocks *clocks, int32_t rank)
{
    const struct ordo_clock *clock = find_clock(clocks, rank);
    return clock ? ordo_band_rate_range(&clock->correction.band) : 0;
}

int64_t ordo_clocks_granule(const struct ordo_clocks *clocks, int32_t rank)
{
    const struct ordo_clock *clock = &clocks->of[rank];
    if (clocks->granule_ns != ORDO_GRANULE_OF_DIGITS)
        return clocks->granule_ns;
    return coarser(ordo_unit_step(&clock->unit), clock->step_ns);
}

/* [A1] The residual held at some instant of the verification. Let age_ns be the larger of two distances: from time_ns
 *      to the begin of the verification, and to its end. The instant is at most age_ns away from time_ns, so the offset
 *      differs by at most ordo_declared_change from its value at that instant.
 * [A2] Let d be the residual plus this change. The shared clock shows a time within d of time_ns. Global time is
 *      therefore wrong by at most d times ordo_declared_pace. */
int64_t ordo_clocks_apart_ns(const struct ordo_clocks *clocks, int32_t rank, int64_t time_ns)
{
    const struct ordo_clock *clock = &clocks->of[rank];
    const struct ordo_apart *apart = &clock->apart;
    if (!clock->has_shared || (apart->residual_ns == 0 && apart->for_ns == 0))
        return 0;
    double since_ns = (double)(time_ns - apart->at_ns), for_ns = (double)apart->for_ns;
    double age_ns = fmax(since_ns, for_ns - since_ns); /* [A1] */
    double distance_ns = apart->residual_ns + ordo_declared_change(&clocks->declared, apart->drift, for_ns, age_ns);
    return ordo_curve_up(distance_ns * ordo_declared_pace(&clocks->declared)); /* [A2] */
}

/* [S2] Narrows the bounds of a shared clock by the rank's own sessions, and moves the estimate into them. All three
 * bounds of a stamp grow with time_ns, so the results do. */
static void narrow(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, struct ordo_event_stamp *stamp)
{
    struct ordo_curve *curve = &clocks->of[rank].correction.curve;
    curve->granule_ns = ordo_clocks_granule(clocks, rank);
    struct ordo_event_stamp own = ordo_curve_at(curve, time_ns);
    if (own.earliest_ns > stamp->latest_ns || own.latest_ns < stamp->earliest_ns) {
        *stamp = own;
        return;
    }
    stamp->earliest_ns = own.earliest_ns > stamp->earliest_ns ? own.earliest_ns : stamp->earliest_ns;
    stamp->latest_ns = own.latest_ns < stamp->latest_ns ? own.latest_ns : stamp->latest_ns;
    stamp->global_ns = stamp->global_ns < stamp->earliest_ns ? stamp->earliest_ns : stamp->global_ns;
    stamp->global_ns = stamp->global_ns > stamp->latest_ns ? stamp->latest_ns : stamp->global_ns;
}

bool ordo_clocks_stamp(struct ordo_clocks *clocks, int32_t rank, int64_t time_ns, struct ordo_event_stamp *stamp)
{
    struct ordo_curve *curve = ordo_clocks_curve(clocks, rank);
    if (!curve)
        return false;
    curve->granule_ns = ordo_clocks_granule(clocks, rank);
    *stamp = ordo_curve_at(curve, time_ns);
    stamp->earliest_ns -= ordo_clocks_apart_ns(clocks, rank, time_ns);
    stamp->latest_ns += ordo_clocks_apart_ns(clocks, rank, time_ns + curve->granule_ns); /* [C1] of curve/curve.h */
    if (clocks->of[rank].has_shared && clocks->of[rank].made)
        narrow(clocks, rank, time_ns, stamp);
    return true;
}
