/* oplog [RUNS [SEED]]: runs Oplog on a simulated machine, one random schedule after another. Exit 0: the promises held;
 * 1: one was violated.
 *
 * The header is unmodified, but has a step before each of its atomic accesses and clock reads (machine.h).
 *
 * Threads append operations to objects of every kind, one by one or several together; they join, leave, and read. The
 * true times of each operation's begin and end are known. Checked:
 *  - A read finds applied every operation that had ended before the read began.
 *  - If a read finds an operation applied, it finds every operation applied that had ended before that operation
 *    began.
 *  - A read finds all or none of the operations that were appended together.
 *  - Nothing changes during a read.
 *  - If an object's operations do not commute, an operation that began after the end of another one is applied after
 *    it.
 *  - In the end, every operation was either applied once or dropped once. */
#include "machine.h"

#include <ordo/cc/oplog.h>

enum { TURNS = 7, OBJECTS = 4, OPERATIONS = 512, BATCH = 3 };

struct operation {
    uint64_t begin, end; /* true times; `end` is 0 until the operation has ended */
    int object, batch;   /* `batch`: number of the batch to which the operation belongs */
    int applied, dropped;
};

static struct ordo_oplog oplog;
static struct ordo_oplog_object objects[OBJECTS];
static struct operation operations[OPERATIONS];
static int operation_count, applied_count, order[OPERATIONS]; /* `order`: the operations as they were applied */

/* ---- the objects ---- */

static void apply(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    struct operation *o = &operations[entry->argument % OPERATIONS];
    model_step(); /* so that the check notices two threads that apply at the same time */
    expect(object == entry->object && entry->argument < OPERATIONS && !o->applied++, "an operation is applied twice");
    if (applied_count < OPERATIONS)
        order[applied_count++] = (int)entry->argument;
}

static void drop(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    expect(object == entry->object && !operations[entry->argument % OPERATIONS].dropped++,
           "an operation is dropped twice");
}

static const struct ordo_oplog_kind kinds[] = {
    {ORDO_OPLOG_COMMUTE, apply, NULL}, {ORDO_OPLOG_TIMED, apply, drop}, {ORDO_OPLOG_ORDERED, apply, NULL}};

static int begin_operation(int object, int batch)
{
    int number = operation_count++;
    model_learn(); /* the thread knows of all operations that have ended */
    operations[number] = (struct operation){.begin = machine.true_time, .object = object, .batch = batch};
    return number;
}

/* ---- the actions of the threads ---- */

static void append_one(struct ordo_oplog_thread *t, struct ordo_oplog_object *object, int index)
{
    int number = begin_operation(index, -1);
    expect(ordo_oplog_append(t, object, 0, (uint64_t)number) == ORDO_OK, "an append fails");
    if (oplog.options.settle_later && model_random(2))
        model_step();
    expect(ordo_oplog_settle(t) == ORDO_OK, "a settlement fails");
    operations[number].end = machine.true_time;
}

static void append_many(struct ordo_oplog_thread *t)
{
    struct ordo_oplog_operation many[BATCH];
    int count = 1 + (int)model_random(BATCH), numbers[BATCH];
    for (int i = 0; i < count; i++) {
        int index = (int)model_random(2);
        numbers[i] = begin_operation(index, i ? numbers[0] : operation_count);
        many[i] = (struct ordo_oplog_operation){&objects[index], 0, (uint64_t)numbers[i]};
    }
    expect(ordo_oplog_append_all(t, many, (size_t)count) == ORDO_OK, "an append fails");
    expect(ordo_oplog_settle(t) == ORDO_OK, "a settlement fails");
    for (int i = 0; i < count; i++)
        operations[numbers[i]].end = machine.true_time;
}

/* Removes an object of the thread's own while an operation is pending on it. */
static void append_and_forget(struct ordo_oplog_thread *t)
{
    struct ordo_oplog_object object;
    int mine[2];
    expect(ordo_oplog_object_init(&object, &kinds[1], NULL) == ORDO_OK, "an object is refused");
    for (int i = 0; i < 2; i++) {
        mine[i] = operation_count;
        append_one(t, &object, OBJECTS);
    }
    ordo_oplog_forget(t, &object);
    for (int i = 0; i < 2; i++)
        expect(operations[mine[i]].applied + operations[mine[i]].dropped == 1,
               "an operation pending on a forgotten object is lost");
    memset(&object, 0, sizeof object); /* no thread may access the object any more */
}

static void check_seen(uint64_t began)
{
    uint64_t latest = began; /* the read must see operations that ended before this */
    for (int i = 0; i < operation_count; i++)
        if (operations[i].applied && operations[i].begin > latest)
            latest = operations[i].begin;
    for (int i = 0; i < operation_count; i++) {
        const struct operation *o = &operations[i];
        expect(o->applied || o->dropped || !o->end || o->end >= began, "an operation that had returned is not seen");
        expect(o->applied || o->dropped || !o->end || o->end >= latest,
               "an operation is not seen that had returned before a seen one began");
        expect(o->batch < 0 || o->applied == operations[o->batch].applied, "the half of a batch is seen");
    }
}

static void read_all(struct ordo_oplog_thread *t)
{
    uint64_t began = machine.true_time;
    ordo_oplog_read_lock(t);
    int count = applied_count;
    check_seen(began);
    expect(ordo_oplog_append(t, &objects[0], 0, 0) == ORDO_E_INVALID, "a reader may append");
    for (int i = 0; i < 3; i++)
        model_step();
    expect(count == applied_count, "a state changes while it is read");
    ordo_oplog_read_unlock(t);
}

static void run_thread(void)
{
    struct ordo_oplog_thread *t;
    if (ordo_oplog_thread_init(&oplog, &t))
        expect(0, "no memory");
    for (int i = 0; i < TURNS && !violated; i++) {
        uint64_t what = model_random(16);
        int index = (int)model_random(OBJECTS);
        if (model_random(8) == 0) {
            expect(ordo_oplog_thread_finish(t) == ORDO_OK, "a settlement fails");
            (void)ordo_oplog_thread_init(&oplog, &t);
        }
        if (what < 8)
            append_one(t, &objects[index], index);
        else if (what < 11)
            append_many(t);
        else if (what < 12)
            append_and_forget(t);
        else
            read_all(t);
    }
    (void)ordo_oplog_thread_finish(t);
}

/* Checks the order from its end: no operation ended before the begin of an operation that was applied earlier. */
static void check_order(int object)
{
    uint64_t earliest_end = UINT64_MAX;
    for (int i = applied_count - 1; i >= 0; i--) {
        const struct operation *o = &operations[order[i]];
        if (o->object != object)
            continue;
        expect(earliest_end >= o->begin, "operations are applied in another order than they happened in");
        if (o->end < earliest_end)
            earliest_end = o->end;
    }
}

static void check_end(void)
{
    for (int i = 0; i < operation_count; i++)
        expect(operations[i].applied + operations[i].dropped == 1, "an operation is lost");
    for (int i = 1; i < OBJECTS; i++)
        check_order(i);
}

static void run_schedule(uint64_t seed)
{
    struct ordo_oplog_options options = {.boundary_ticks = BOUNDARY};
    model_begin(seed);
    operation_count = applied_count = 0;
    options.log_entries = (size_t)4 << model_random(3);
    options.settle_later = (int)model_random(2);
    expect(ordo_oplog_create(&oplog, &options) == ORDO_OK, "no domain");
    for (int i = 0; i < OBJECTS; i++)
        expect(ordo_oplog_object_init(&objects[i], &kinds[i < 2 ? i : 2], NULL) == ORDO_OK, "an object is refused");
    model_run(run_thread);
    if (!violated) {
        ordo_oplog_destroy(&oplog);
        check_end();
    }
}

int main(int argc, char **argv)
{
    return model_main(argc, argv, 10000, run_schedule);
}
