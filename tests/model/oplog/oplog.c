/* oplog [RUNS [SEED]]: Oplog on a simulated machine, one random schedule after the other. Exit 0 holds, 1 violated.
 *
 * As tests/model/rlu: the header itself is compiled with a step before each of its atomic accesses and clock reads; at
 * a step any other thread may go on, and true time passes. A CPU's clock is ahead of true time by something between 0
 * and exactly the boundary, and a thread may move to another CPU at any step. Memory is sequentially consistent.
 *
 * Threads append operations to objects of every kind, one by one or several at once, come and go, and read. The true
 * times at which each operation began and ended are known. A read must find applied what had ended before it began, and
 * what had ended before anything began that it finds applied; of operations that were appended together all or none; and
 * nothing may change under it. The operations of an object that is not of the commuting kind must be applied in an order
 * in which none follows one that began after its end. At the end everything was applied, or dropped, once. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/select.h>
#include <ucontext.h>

static void model_step(void);

#define __atomic_load_n(p, o) (model_step(), __atomic_load_n(p, o))
#define __atomic_store_n(p, v, o) (model_step(), __atomic_store_n(p, v, o))
#define __atomic_exchange_n(p, v, o) (model_step(), __atomic_exchange_n(p, v, o))
#define __atomic_add_fetch(p, v, o) (model_step(), __atomic_add_fetch(p, v, o))
#define __atomic_fetch_add(p, v, o) (model_step(), __atomic_fetch_add(p, v, o))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) (model_step(), __atomic_compare_exchange_n(p, e, d, w, s, f))
#define sched_yield() (model_step(), 0)
#define select(n, r, w, e, t) ((void)(t), model_step(), 0)
#include <ordo/cc/oplog.h>

enum { THREADS = 4, TURNS = 7, OBJECTS = 4, BOUNDARY = 60, STACK_BYTES = 65536, OPERATIONS = 512, BATCH = 3 };

struct operation {
    uint64_t begin, end; /* true times; end 0: not yet */
    int object, batch;   /* operations of a batch have its number */
    int applied, dropped;
};

static struct {
    uint64_t random, true_time;
    uint64_t skew[THREADS];
    int running, left;
    uint64_t patience; /* steps until the schedule is taken for stuck */
    ucontext_t scheduler, context[THREADS];
    int done[THREADS];
} machine;

static char stacks[THREADS][STACK_BYTES];
static struct ordo_oplog oplog;
static struct ordo_oplog_object objects[OBJECTS];
static struct operation operations[OPERATIONS];
static int operation_count, applied_count, order[OPERATIONS]; /* order: as they were applied */
static const char *violated;

static uint64_t model_random(uint64_t limit)
{
    uint64_t x = machine.random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    machine.random = x;
    return (x >> 16) % limit;
}

static void expect(int holds, const char *what)
{
    if (!holds && !violated)
        violated = what;
}

static uint64_t draw_skew(void)
{
    uint64_t kind = model_random(4);
    return kind == 0 ? 0 : kind == 1 ? BOUNDARY : model_random(BOUNDARY + 1);
}

/* The others may go on. Not before the threads run, nor after. */
static void model_step(void)
{
    int me = machine.running;
    machine.true_time++;
    if (me < 0)
        return;
    if (model_random(16) == 0)
        machine.skew[me] = draw_skew();
    if (model_random(3) == 0)
        (void)swapcontext(&machine.context[me], &machine.scheduler);
}

uint64_t model_time(void)
{
    return machine.true_time + (machine.running < 0 ? 0 : machine.skew[machine.running]);
}

uint64_t model_clock(void)
{
    model_step();
    return model_time();
}

/* ---- the objects ---- */

static void apply(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    struct operation *o = &operations[entry->argument % OPERATIONS];
    model_step(); /* so that two who apply at once are noticed */
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
    operations[number] = (struct operation){.begin = machine.true_time, .object = object, .batch = batch};
    return number;
}

/* ---- what threads do ---- */

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

/* An object of the thread's own, removed while something is pending on it. */
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
               "what was pending on a forgotten object is lost");
    memset(&object, 0, sizeof object); /* nobody may look at it any more */
}

static void check_seen(uint64_t began)
{
    uint64_t latest = began; /* what ended before this must be seen */
    for (int i = 0; i < operation_count; i++)
        if (operations[i].applied && operations[i].begin > latest)
            latest = operations[i].begin;
    for (int i = 0; i < operation_count; i++) {
        const struct operation *o = &operations[i];
        expect(o->applied || o->dropped || !o->end || o->end >= began, "what had returned is not seen");
        expect(o->applied || o->dropped || !o->end || o->end >= latest,
               "what had returned before something began that is seen, is not seen");
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
    machine.done[machine.running] = 1;
    machine.left--;
    (void)setcontext(&machine.scheduler);
}

static void start(ucontext_t *context, char *stack)
{
    (void)getcontext(context);
    context->uc_stack.ss_sp = stack;
    context->uc_stack.ss_size = STACK_BYTES;
    makecontext(context, run_thread, 0);
}

static void schedule(void)
{
    int asleep = -1; /* one loses its CPU for a while now and then */
    machine.left = THREADS;
    for (int i = 0; i < THREADS; i++) {
        machine.done[i] = 0;
        machine.skew[i] = draw_skew();
        start(&machine.context[i], stacks[i]);
    }
    for (machine.patience = 300000; machine.left && machine.patience && !violated; machine.patience--) {
        int i = (int)model_random(THREADS);
        if (model_random(100) == 0)
            asleep = (int)model_random(2 * THREADS);
        if (machine.done[i] || (i == asleep && machine.left > 1))
            continue;
        machine.running = i;
        (void)swapcontext(&machine.scheduler, &machine.context[i]);
    }
    machine.running = -1;
    expect(machine.patience > 0, "the schedule does not end");
}

/* Backwards: no operation ends before one begins that was applied earlier. */
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
    machine.random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    machine.true_time = 1000;
    machine.running = -1;
    operation_count = applied_count = 0;
    options.log_entries = (size_t)4 << model_random(3);
    options.settle_later = (int)model_random(2);
    expect(ordo_oplog_create(&oplog, &options) == ORDO_OK, "no domain");
    for (int i = 0; i < OBJECTS; i++)
        expect(ordo_oplog_object_init(&objects[i], &kinds[i < 2 ? i : 2], NULL) == ORDO_OK, "an object is refused");
    schedule();
    if (!violated) {
        ordo_oplog_destroy(&oplog);
        check_end();
    }
}

int main(int argc, char **argv)
{
    unsigned long runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    unsigned long seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1, run;
    for (run = 0; run < runs && !violated; run++)
        run_schedule(seed + run);
    if (violated)
        printf("seed %lu: %s\n", seed + run - 1, violated);
    else
        printf("%lu schedules\n", runs);
    return violated != NULL;
}
