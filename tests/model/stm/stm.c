/* stm [RUNS [SEED]]: runs transactional memory on a simulated machine, one random schedule after another. Exit 0: the
 * promises held; 1: one was violated.
 *
 * The header is unmodified, but has a step before each of its atomic accesses and clock reads (machine.h). In some
 * schedules clocks advance in coarse steps.
 *
 * There are two pairs of words, and a box with a third pair; the box is replaced now and then. A commit adds 1 to both
 * words of a pair. Checked in each transaction, even if it will abort:
 *  - The two words of a pair are equal, and a second read finds the same words.
 *  - The transaction sees every commit that had returned before the transaction began.
 *  - The sets of commits that any two transactions see are nested.
 *  - A transaction that changes the second pair has read the first pair. A transaction that sees the change sees at
 *    least this value of the first pair.
 *  - No transaction sees the poison in a box that was freed or taken away, and none writes into the box.
 *  - An irrevocable transaction never runs again; a snapshot does only if it asks to be irrevocable.
 * Every schedule ends; then no word is locked, and no commit is lost. */
#include "machine.h"

#include <ordo/cc/stm.h>

enum {
    TRANSACTIONS = 8,
    PAIRS = 3, /* the last pair is in the box */
    SEEN = THREADS * TRANSACTIONS,
    BOXES = 4096, /* boxes made in a schedule, at most; attempts included */
    POISON = 0x5a5a5a
};

struct box {
    uint64_t word[2];
};

static struct ordo_stm stm;
static uint64_t words[PAIRS - 1][8]; /* a pair is the words 0 and 4, which are on different stripes */
static uint64_t box;                 /* address of the present box */
static struct box boxes[BOXES];
static char box_free[BOXES];
static int box_count;
static uint64_t committed[PAIRS], returned[PAIRS];
static uint64_t seen[SEEN][PAIRS];
static int seen_count;
static struct {
    uint64_t read, written;
} decided[SEEN]; /* of each commit: the value read of the first pair, and the value written to the second */
static int decided_count;

/* Allocates boxes. A box is never reused: a released box stays poisoned. All other memory comes from malloc. */
static void *allocate(void *context, size_t bytes)
{
    (void)context;
    if (bytes != sizeof(struct box))
        return malloc(bytes);
    if (box_count == BOXES)
        return NULL;
    box_free[box_count] = 0;
    return &boxes[box_count++];
}

static void release(void *context, void *memory)
{
    size_t at = (size_t)((struct box *)memory - boxes);
    (void)context;
    if ((char *)memory < (char *)boxes || (char *)memory >= (char *)(boxes + BOXES)) {
        free(memory);
        return;
    }
    expect(!box_free[at], "a box is freed twice");
    box_free[at] = 1;
    boxes[at].word[0] = POISON;
    boxes[at].word[1] = POISON + 1;
}

/* The arguments and results of a body. */
struct task {
    int pair, irrevocable, alone, snapshot, runs;
    struct box *taken;
    uint64_t value[PAIRS];
};

/* Finds the addresses of a pair's words. */
static int find_pair(struct ordo_stm_thread *t, int pair, uint64_t *at[2])
{
    uint64_t word;
    int code;
    if (pair < PAIRS - 1) {
        at[0] = &words[pair][0];
        at[1] = &words[pair][4];
        return 0;
    }
    code = ordo_stm_read(t, &box, &word);
    if (code)
        return code;
    at[0] = &((struct box *)(uintptr_t)word)->word[0];
    at[1] = &((struct box *)(uintptr_t)word)->word[1];
    return 0;
}

/* Reads a word, by the view if there is one. */
static int read_word(struct ordo_stm_thread *t, struct ordo_stm_view *view, const uint64_t *word, uint64_t *value)
{
    return view ? ordo_stm_read_by(t, view, ordo_stm_keeps(t), word, value) : ordo_stm_read(t, word, value);
}

/* Reads both words of a pair, in either order, as a search does or one by one. */
static int read_pair(struct ordo_stm_thread *t, int pair, uint64_t *at[2], uint64_t *value)
{
    uint64_t both[2];
    int first = (int)model_random(2), searches = (int)model_random(2), code = find_pair(t, pair, at);
    struct ordo_stm_view view;
    ordo_stm_view_begin(t, &view);
    for (int i = 0; i < 2 && !code; i++)
        code = read_word(t, searches ? &view : NULL, at[(first + i) % 2], &both[i]);
    if (searches)
        ordo_stm_view_end(t, &view, ordo_stm_keeps(t));
    if (code)
        return code;
    expect(both[0] == both[1], "a pair is torn");
    expect(both[0] < POISON, "freed memory is read");
    *value = both[0];
    return 0;
}

static int maybe_irrevocable(struct ordo_stm_thread *t, struct task *task)
{
    expect(!task->alone, "an irrevocable transaction runs again");
    if (task->irrevocable && model_random(2)) {
        int code = ordo_stm_irrevocable(t);
        if (code)
            return code;
        task->alone = 1;
    }
    return 0;
}

static int update_body(struct ordo_stm_thread *t, void *argument)
{
    struct task *task = argument;
    uint64_t *at[2], value, again;
    struct ordo_stm_view view;
    int code = maybe_irrevocable(t, task);
    if (code || (task->pair == 1 && (code = read_pair(t, 0, at, &task->value[0]))) ||
        (code = read_pair(t, task->pair, at, &value)) || (!task->alone && (code = maybe_irrevocable(t, task))) ||
        (code = ordo_stm_write(t, at[0], value + 1)))
        return code;
    ordo_stm_view_begin(t, &view);
    code = read_word(t, model_random(2) ? &view : NULL, at[0], &again);
    if (code)
        return code;
    expect(again == value + 1, "a transaction does not see its own write");
    task->value[1] = value + 1;
    return ordo_stm_write(t, at[1], value + 1);
}

/* Replaces the present box by a new box, whose words are 1 larger. */
static int replace_body(struct ordo_stm_thread *t, void *argument)
{
    struct task *task = argument;
    struct box *fresh;
    uint64_t *at[2], value;
    int code = read_pair(t, PAIRS - 1, at, &value);
    if (code)
        return code;
    fresh = ordo_stm_alloc(t, sizeof *fresh);
    if (!fresh)
        return ORDO_E_SYSTEM;
    fresh->word[0] = fresh->word[1] = value + 1;
    task->taken = (struct box *)(void *)at[0];
    code = ordo_stm_write(t, &box, (uintptr_t)fresh);
    return code || task->pair ? code : ordo_stm_free(t, task->taken);
}

/* Accesses a taken box as plain memory, because no transaction writes into it any more. If a transaction still sees the
 * box, it finds a torn pair. */
static void use_private(struct box *taken)
{
    uint64_t mark = model_random(1000000);
    taken->word[0] = mark;
    taken->word[1] = mark + 1;
    for (int i = 0; i < 30; i++)
        model_step();
    expect(taken->word[0] == mark && taken->word[1] == mark + 1, "private memory is written");
    release(NULL, taken);
}

static void change(struct ordo_stm_thread *t, int kind)
{
    struct task task = {.pair = (int)model_random(PAIRS), .irrevocable = model_random(4) == 0};
    int result;
    if (kind == 0) {
        task.pair = (int)model_random(2); /* the box is taken away, or freed */
        result = ordo_stm_run(t, task.pair ? ORDO_STM_QUIESCE : 0, replace_body, &task);
        if (result == 0 && task.pair)
            use_private(task.taken);
        task.pair = PAIRS - 1;
    } else {
        result = ordo_stm_run(t, 0, update_body, &task);
        if (task.pair == 1) {
            decided[decided_count].read = task.value[0];
            decided[decided_count++].written = task.value[1];
        }
    }
    expect(result == 0, "a transaction fails");
    committed[task.pair] += result == 0;
    returned[task.pair] += result == 0;
}

static int read_body(struct ordo_stm_thread *t, void *argument)
{
    struct task *task = argument;
    uint64_t *at[2], again;
    int start = (int)model_random(PAIRS), code;
    expect(!task->snapshot || task->runs++ == 0 || task->irrevocable, "a snapshot runs again");
    expect(!task->alone, "an irrevocable transaction runs again");
    for (int k = 0; k < PAIRS; k++) {
        if (!task->alone && (code = maybe_irrevocable(t, task)))
            return code;
        code = read_pair(t, (start + k) % PAIRS, at, &task->value[(start + k) % PAIRS]);
        if (code)
            return code;
        code = ordo_stm_read(t, at[0], &again);
        if (code)
            return code;
        expect(again == task->value[(start + k) % PAIRS], "a value that was read has changed");
    }
    return 0;
}

static void read_all(struct ordo_stm_thread *t)
{
    struct task task = {0};
    uint64_t before[PAIRS], kind = model_random(8);
    memcpy(before, returned, sizeof before);
    task.snapshot = kind >= 4;
    task.irrevocable = model_random(8) == 0;
    expect(ordo_stm_run(t,
                        task.snapshot ? ORDO_STM_SNAPSHOT
                        : kind        ? ORDO_STM_READ_ONLY
                                      : 0,
                        read_body, &task) == 0,
           "a transaction fails");
    for (int p = 0; p < PAIRS; p++)
        expect(task.value[p] >= before[p], "a commit that has returned is not seen");
    memcpy(seen[seen_count++], task.value, sizeof task.value);
}

static void run_thread(void)
{
    struct ordo_stm_thread *t;
    if (ordo_stm_thread_init(&stm, &t))
        expect(0, "no memory");
    for (int i = 0; i < TRANSACTIONS && !violated; i++) {
        uint64_t kind = model_random(8);
        if (model_random(8) == 0) {
            ordo_stm_thread_finish(t);
            (void)ordo_stm_thread_init(&stm, &t);
        }
        if (kind < 4)
            change(t, (int)kind);
        else
            read_all(t);
        ordo_stm_collect(t); /* more often than the thread does by itself */
    }
    ordo_stm_thread_finish(t);
}

static void check_end(void)
{
    const struct box *last = (const struct box *)(uintptr_t)box;
    for (size_t i = 0; i <= stm.mask; i++)
        expect(!(stm.stripes[i] & ORDO_STM_LOCKED), "locked at the end");
    expect(stm.begun == stm.ended, "a snapshot never ends");
    for (int i = 0; i < 2; i++) {
        for (int p = 0; p < PAIRS - 1; p++)
            expect(words[p][4 * i] == committed[p], "a commit is lost");
        expect(last->word[i] == committed[PAIRS - 1], "a commit is lost");
    }
    for (int a = 0; a < seen_count; a++)
        for (int d = 0; d < decided_count; d++)
            expect(seen[a][0] <= decided[d].read || seen[a][1] >= decided[d].written,
                   "a change is seen, and not the value that decided it");
    for (int a = 0; a < seen_count; a++)
        for (int b = 0; b < a; b++) {
            int less = 0, more = 0;
            for (int p = 0; p < PAIRS; p++) {
                less |= seen[a][p] < seen[b][p];
                more |= seen[a][p] > seen[b][p];
            }
            expect(!less || !more, "the sets that two transactions see are not nested");
        }
}

static void run_schedule(uint64_t seed)
{
    struct ordo_stm_options options = {
        .boundary_ticks = BOUNDARY, .stripes = 64, .memory = {.allocate = allocate, .release = release}};
    model_begin(seed);
    machine.granule = model_random(3) ? 1 : 40;
    seen_count = box_count = decided_count = 0;
    if (ordo_stm_create(&stm, &options)) {
        expect(0, "no memory");
        return;
    }
    memset(words, 0, sizeof words);
    memset(committed, 0, sizeof committed);
    memset(returned, 0, sizeof returned);
    box = (uintptr_t)allocate(NULL, sizeof(struct box));
    boxes[0] = (struct box){{0, 0}};
    model_run(run_thread);
    if (!violated)
        check_end();
    ordo_stm_destroy(&stm);
    for (int i = 0; i < box_count && !violated; i++)
        expect(box_free[i] || &boxes[i] == (struct box *)(uintptr_t)box, "a box is never freed");
}

/* C7 up, in one schedule: while a transaction holds a value that its thread wrote, another thread overwrites the value,
 * at a time that is equal by that thread's clock. Or the other thread writes another pair, which then has the same
 * version as the first thread's own write, but is not its own. */
static void check_equal_times(int pair)
{
    struct ordo_stm_options options = {.boundary_ticks = BOUNDARY, .stripes = 64};
    struct ordo_stm_thread *t[2];
    uint64_t value[2] = {0, 0};
    int code;
    machine.running = -1;
    machine.true_time = machine.granule = 1 << 16;
    if (ordo_stm_create(&stm, &options) || ordo_stm_thread_init(&stm, &t[0]) || ordo_stm_thread_init(&stm, &t[1]))
        return;
    memset(words, 0, sizeof words);
    for (int i = 0; i < 2; i++) {
        if (i == 1) {
            (void)ordo_stm_begin(t[0], 0);
            expect(ordo_stm_read(t[0], &words[pair][0], &value[0]) == 0, "a thread cannot read its own write");
        }
        (void)ordo_stm_begin(t[i], 0);
        expect(ordo_stm_write(t[i], &words[i * pair][0], 1 + (uint64_t)i) == 0 &&
                   ordo_stm_write(t[i], &words[i * pair][4], 1 + (uint64_t)i) == 0 && ordo_stm_commit(t[i]) == 0,
               "a transaction fails");
    }
    code = ordo_stm_read(t[0], &words[pair][4], &value[1]);
    expect(code == ORDO_STM_AGAIN || value[0] == value[1], "a pair is torn between equal times");
    (void)ordo_stm_abort(t[0]);
    ordo_stm_thread_finish(t[0]);
    ordo_stm_thread_finish(t[1]);
    ordo_stm_destroy(&stm);
}

/* C10 retire, in one schedule: a thread finds an epoch, is preempted while others advance the epoch four times, and
 * then announces the epoch that it found. An object that this thread frees must stay as long as a transaction that
 * began earlier can see the object. */
static void check_late_announcement(void)
{
    struct ordo_stm_options options = {
        .boundary_ticks = BOUNDARY, .stripes = 64, .memory = {.allocate = allocate, .release = release}};
    struct ordo_stm_thread *t[2];
    struct task task = {0};
    uint64_t *at[2];
    machine.running = -1;
    machine.true_time = 1000;
    machine.granule = 1;
    box_count = 0;
    if (ordo_stm_create(&stm, &options) || ordo_stm_thread_init(&stm, &t[0]) || ordo_stm_thread_init(&stm, &t[1]))
        return;
    box = (uintptr_t)allocate(NULL, sizeof(struct box));
    boxes[0] = (struct box){{0, 0}};
    for (int i = 0; i < 4; i++)
        ordo_stm_epoch_advance(&stm);
    (void)ordo_stm_begin(t[0], 0);
    t[0]->announced = 1; /* the first epoch */
    (void)ordo_stm_begin(t[1], ORDO_STM_READ_ONLY);
    expect(find_pair(t[1], PAIRS - 1, at) == 0 && replace_body(t[0], &task) == 0 && ordo_stm_commit(t[0]) == 0,
           "a transaction fails");
    for (int i = 0; i < 4; i++)
        ordo_stm_collect(t[0]);
    expect(!box_free[0], "an object that a transaction can see is freed");
    (void)ordo_stm_commit(t[1]);
    for (int i = 0; i < 4; i++)
        ordo_stm_collect(t[0]);
    expect(box_free[0], "a box is never freed");
    ordo_stm_thread_finish(t[0]);
    ordo_stm_thread_finish(t[1]);
    ordo_stm_destroy(&stm);
}

#if defined ORDO_STAMP_GV5 || defined ORDO_STAMP_DCTL
/* Reads the word 0, which other commits wrote at `now` or later, and returns the code. */
static int read_at(struct ordo_stm_thread *t, uint64_t *value)
{
    t->begin = t->fresh = 0; /* so that the version is too new */
    (void)ordo_stm_begin(t, 0);
    return ordo_stm_read(t, &words[0][0], value);
}

/* Commits leave the counter alone. With dctl, a transaction that meets a version which the counter has not passed moves
 * the counter and aborts; if another transaction has moved the counter already, it goes on. With gv5 it goes on in both
 * cases. */
static void check_standing_counter(void)
{
    struct ordo_stm_options options = {.stripes = 64};
    struct ordo_stm_thread *t[2];
    uint64_t counter, value = 0;
    int code;
    machine.running = -1;
    if (ordo_stm_create(&stm, &options) || ordo_stm_thread_init(&stm, &t[0]) || ordo_stm_thread_init(&stm, &t[1]))
        return;
    memset(words, 0, sizeof words);
    counter = stm.stamp.counter;
    for (uint64_t i = 1; i <= 3; i++) {
        (void)ordo_stm_begin(t[1], 0);
        expect(ordo_stm_write(t[1], &words[0][0], i) == 0 && ordo_stm_commit(t[1]) == 0, "a transaction fails");
    }
    expect(stm.stamp.counter == counter, "a commit moves the counter");
    code = read_at(t[0], &value);
#if defined ORDO_STAMP_DCTL
    expect(code == ORDO_STM_AGAIN && ordo_stm_abort(t[0]) == ORDO_STM_AGAIN && t[0]->statistics.extensions == 0,
           "a transaction goes on where the counter must move");
    ordo_stm_drop(t[0]);
    code = read_at(t[0], &value);
#endif
    expect(code == 0 && value == 3 && t[0]->statistics.extensions == 1, "a transaction does not go on");
    expect(stm.stamp.counter == counter + 3, "the counter has not passed the version that was met, or is too far");
    expect(ordo_stm_commit(t[0]) == 0 && stm.stamp.counter == counter + 3, "a transaction fails, or moves the counter");
    ordo_stm_thread_finish(t[0]);
    ordo_stm_thread_finish(t[1]);
    ordo_stm_destroy(&stm);
}
#endif

int main(int argc, char **argv)
{
    check_equal_times(0);
    check_equal_times(1);
    check_late_announcement();
#if defined ORDO_STAMP_GV5 || defined ORDO_STAMP_DCTL
    check_standing_counter();
#endif
    return model_main(argc, argv, 4000, run_schedule);
}
