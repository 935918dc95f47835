/* Order of Oplog: threads append to shared objects of every order, and read the whole domain. All times of this file are
 * virtual: if the end of one operation is below the beginning of another one, the first was before the second.
 *
 * Every applied operation gets a place in one list. A reader sees the operations at the first `seen` places. Violated if
 *
 *  - an operation is not applied exactly once;
 *  - a reader misses an operation that was before the reader, or sees one that began after it;
 *  - a reader sees an operation, and misses one that was before this operation;
 *  - the list has two operations of a TIMED or ORDERED object against their order. */
#include <ordo/cc/oplog.h>
#include <stdlib.h>

#include "oracle.h"

enum { READS = 32 /* one step of this many is a read */ };

struct step {
    uint64_t begin_ps, end_ps;
    uint64_t seen;    /* of a read */
    int64_t object;   /* of an append; -1: a read */
    unsigned applied; /* how often the operation was applied */
};

/* Bounds over the operations at all places below a place, or at this place and behind it. */
struct bounds {
    uint64_t last_begin_ps, first_end_ps;
};

static struct ordo_oplog oplog;
static struct ordo_oplog_object *objects;
static struct ordo_oplog_thread *some_thread;
static struct step *steps; /* [threads * each] of the round */
static uint64_t *list;     /* numbers of steps */
static uint64_t list_count;
static struct bounds *bounds;  /* [threads * each + 1] */
static uint64_t *first_end_ps; /* [items]: of the operations of an object */

static void apply_operation(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    (void)object;
    list[list_count++] = entry->argument;
}

static const struct ordo_oplog_kind kinds[] = {{ORDO_OPLOG_TIMED, apply_operation, NULL},
                                               {ORDO_OPLOG_TIMED, apply_operation, NULL},
                                               {ORDO_OPLOG_COMMUTE, apply_operation, NULL},
                                               {ORDO_OPLOG_ORDERED, apply_operation, NULL}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static uint64_t step_count(void)
{
    return (uint64_t)oracle_plan.threads * oracle_plan.each;
}

static void set_bounds(void)
{
    bounds[0].last_begin_ps = 0;
    for (uint64_t i = 0; i < list_count; i++) {
        uint64_t begin_ps = steps[list[i]].begin_ps, most = bounds[i].last_begin_ps;
        bounds[i + 1].last_begin_ps = begin_ps > most ? begin_ps : most;
    }
    bounds[list_count].first_end_ps = UINT64_MAX;
    for (uint64_t i = list_count; i-- > 0;) {
        uint64_t end_ps = steps[list[i]].end_ps, least = bounds[i + 1].first_end_ps;
        bounds[i].first_end_ps = end_ps < least ? end_ps : least;
    }
}

static void judge_read(const struct step *read)
{
    const struct bounds *at = &bounds[read->seen];
    if (at->first_end_ps < read->begin_ps)
        oracle_blame("a reader has missed an operation that was before it");
    if (at->last_begin_ps > read->end_ps)
        oracle_blame("a reader has seen an operation that began after it");
    if (at->first_end_ps < at->last_begin_ps)
        oracle_blame("a reader has missed an operation that was before one that it has seen");
}

/* The operations of each object, from the last one to the first: none ended before an applied one began. */
static void judge_order(void)
{
    for (uint64_t i = 0; i < oracle_plan.items; i++)
        first_end_ps[i] = UINT64_MAX;
    for (uint64_t i = list_count; i-- > 0;) {
        struct step *step = &steps[list[i]];
        uint64_t *least = &first_end_ps[step->object];
        if (step->applied++)
            oracle_blame("an operation was applied twice");
        if (kinds[step->object % KINDS].order != ORDO_OPLOG_COMMUTE && *least < step->begin_ps)
            oracle_blame("an operation was applied before one that had returned when it began");
        *least = step->end_ps < *least ? step->end_ps : *least;
    }
}

static void judge_round(void)
{
    ordo_oplog_synchronise(some_thread);
    set_bounds();
    judge_order();
    for (uint64_t i = 0; i < step_count(); i++) {
        if (steps[i].object < 0)
            judge_read(&steps[i]);
        else if (!steps[i].applied)
            oracle_blame("an operation was lost");
        steps[i].applied = 0;
    }
    oracle_result.operations += step_count();
    list_count = 0;
}

static void do_step(struct ordo_oplog_thread *t, uint64_t number, uint64_t *random)
{
    struct step *step = &steps[number];
    uint64_t object = oracle_draw(random) % oracle_plan.items;
    bool reads = oracle_draw(random) % READS == 0;
    step->object = reads ? -1 : (int64_t)object;
    step->begin_ps = oracle_now_ps();
    if (reads) {
        ordo_oplog_read_lock(t);
        step->seen = list_count;
        ordo_oplog_read_unlock(t);
    } else if (ordo_oplog_append(t, &objects[object], 0, number)) {
        oracle_blame("an operation was refused");
    }
    step->end_ps = oracle_now_ps();
}

static void work_on_objects(int thread)
{
    struct ordo_oplog_thread *t;
    uint64_t random = oracle_plan.seed + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(thread + 1);
    if (ordo_oplog_thread_init(&oplog, &t))
        abort();
    some_thread = t;
    do {
        for (uint64_t i = 0; i < oracle_plan.each; i++)
            do_step(t, (uint64_t)thread * oracle_plan.each + i, &random);
        oracle_rest(judge_round);
    } while (!oracle_is_over());
    (void)ordo_oplog_thread_finish(t);
}

int oracle_oplog(void)
{
    struct ordo_oplog_options options = {
        .boundary_ticks = oracle_plan.boundary, .unsafe_boundary = 1, .log_entries = 64};
    steps = calloc(step_count(), sizeof *steps);
    list = calloc(step_count(), sizeof *list);
    bounds = calloc(step_count() + 1, sizeof *bounds);
    first_end_ps = calloc(oracle_plan.items, sizeof *first_end_ps);
    objects = calloc(oracle_plan.items, sizeof *objects);
    if (!steps || !list || !bounds || !first_end_ps || !objects || ordo_oplog_create(&oplog, &options))
        return -1;
    for (uint64_t i = 0; i < oracle_plan.items; i++)
        if (ordo_oplog_object_init(&objects[i], &kinds[i % KINDS], NULL))
            return -1;
    oracle_run_threads(work_on_objects);
    return 0;
}
