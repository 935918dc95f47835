/* RLU whose clocks violate its boundary. Exit 0: holds, 1: violated.
 *
 *  - A clock steps back: a section waits for the clock, and a commit waits for the section. If the watched record is
 *    marked as disrupted, or if the clock has stepped further than any clock can be behind, the section ends with
 *    ORDO_E_DISRUPTED, and so does every later section that would wait. The commit, already announced, is completed;
 *    every later commit is undone, and nothing stays locked.
 *  - Clocks disagree by more than the boundary: a section sees half of a commit. After the boundary has been raised to
 *    the size of the disagreement, no section does. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include <ordo/cc/rlu/list.h>

enum { SMALL = 100000, LARGE = 1000000, TIMES = 10, TRIES = 300, WAITED_US = 30000, WAITED_MOST_US = 2000000 };
#define A_SECOND_OR_TWO ((UINT64_C(1) << 32) - (UINT64_C(1) << 28)) /* ticks: a clock can be behind by more */
#define HOURS (UINT64_C(1) << 44)

struct number {
    uint64_t value;
};

static struct ordo_rlu rlu;
static struct ordo_rlu_thread *a, *b;
static struct number *n, *m;
static struct ordo_record record;
static struct ordo handle;
static pthread_barrier_t gate;
static int failed, section_code;
static uint64_t first, second; /* values that a section saw */
static unsigned waited_us = WAITED_US;

static void expect(int holds, const char *what)
{
    if (!holds)
        fprintf(stderr, "violated: %s\n", what);
    failed |= !holds;
}

static void mark(uint64_t status)
{
    __atomic_store_n(&record.status, status, __ATOMIC_RELAXED); /* relaxed, like the read in ordo_status */
}

static struct number *make(void)
{
    struct number *number = ordo_rlu_alloc(a, sizeof *number);
    if (!number)
        exit(70);
    number->value = 1;
    return number;
}

static void start(void)
{
    struct ordo_rlu_options options = {.boundary_ticks = SMALL, .watch = &handle};
    skewed_clock_ticks = 0;
    mark(ORDO_RECORD_VALID);
    handle = (struct ordo){.not_boundary = ~(uint64_t)SMALL, .record = &record};
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &a) || ordo_rlu_thread_init(&rlu, &b))
        exit(70);
    n = make();
    m = make();
    pthread_barrier_init(&gate, NULL, 2);
}

static void finish(void)
{
    expect(!ordo_rlu_header_of(n)->copy && !ordo_rlu_header_of(m)->copy, "an object stays locked");
    pthread_barrier_destroy(&gate);
    ordo_rlu_discard(&rlu, n);
    ordo_rlu_discard(&rlu, m);
    ordo_rlu_thread_finish(a);
    ordo_rlu_thread_finish(b);
    ordo_rlu_destroy(&rlu);
}

static int add_both(void)
{
    struct number *copy_n, *copy_m;
    if (ordo_rlu_reader_lock(a))
        return 1;
    copy_n = ordo_rlu_try_lock(a, n, sizeof *n);
    copy_m = ordo_rlu_try_lock(a, m, sizeof *m);
    if (!copy_n || !copy_m)
        exit(70);
    copy_n->value++;
    copy_m->value++;
    return ordo_rlu_reader_unlock(a);
}

/* ---- a clock that steps back ---- */

static void *begin_section(void *unused)
{
    pthread_barrier_wait(&gate);
    section_code = ordo_rlu_reader_lock(b);
    return unused;
}

static void *mark_soon(void *unused)
{
    (void)usleep(2 * waited_us);
    mark(ORDO_RECORD_DISRUPTED);
    return unused;
}

static void expect_over(void)
{
    struct ordo_rlu_list list;
    skewed_clock_ticks = 0;
    ordo_rlu_list_init(&list);
    expect(ordo_rlu_reader_lock(b) == ORDO_E_DISRUPTED, "a section that would wait begins afterwards");
    expect(ordo_rlu_list_contains(b, &list, 1) == ORDO_E_DISRUPTED, "a list is read afterwards");
    expect(ordo_rlu_list_add(b, &list, 1) == ORDO_E_DISRUPTED, "a list is changed afterwards");
    expect(!(b->run & 1), "a section that was turned away is left open");
}

/* Returns 0 if this run shows nothing, because the thread lost its CPU for so long that the mark came before its second
 * commit. */
static int step_back(void)
{
    int announced;
    struct ordo_rlu_list list;
    pthread_t reader, marker;
    start();
    skewed_clock_ticks = A_SECOND_OR_TWO; /* the clock of this thread is ahead of that of b */
    expect(add_both() == ORDO_OK, "a commit fails that nobody minds");
    if (pthread_create(&reader, NULL, begin_section, NULL) || pthread_create(&marker, NULL, mark_soon, NULL))
        exit(70);
    pthread_barrier_wait(&gate);
    (void)usleep(waited_us); /* b waits for the clock; even if b loses its CPU, the mark ends its section */
    announced = add_both() == ORDO_OK;
    pthread_join(reader, NULL);
    pthread_join(marker, NULL);
    expect(section_code == ORDO_E_DISRUPTED, "a section waits for a clock that has stepped back");
    expect(n->value == 2 + (uint64_t)announced && m->value == n->value, "a commit is half done");
    expect(add_both() == ORDO_E_DISRUPTED, "a commit is announced though the clocks disagree");
    expect(n->value == 2 + (uint64_t)announced && m->value == n->value, "a commit that failed has happened");
    ordo_rlu_list_init(&list);
    expect(ordo_rlu_list_add(a, &list, 1) == ORDO_E_DISRUPTED && !ordo_rlu_link_at_rest(&list.head),
           "a list is changed");
    expect_over();
    finish();
    return announced;
}

static void step_far_back(void)
{
    start();
    skewed_clock_ticks = HOURS;
    expect(add_both() == ORDO_OK, "a commit fails that nobody minds");
    expect_over();
    skewed_clock_ticks = HOURS;
    expect(add_both() == ORDO_OK && n->value == 3, "who is turned away holds up commits");
    finish();
}

/* ---- a larger boundary ---- */

/* Runs a section on a clock that is ahead. The other thread commits between the two reads of the section. */
static void *read_both(void *unused)
{
    skewed_clock_ticks = LARGE;
    if (ordo_rlu_reader_lock(b))
        exit(70);
    first = ((struct number *)ordo_rlu_dereference(b, n))->value;
    pthread_barrier_wait(&gate);
    (void)usleep(WAITED_US);
    second = ((struct number *)ordo_rlu_dereference(b, m))->value;
    (void)ordo_rlu_reader_unlock(b);
    return unused;
}

static int is_torn(void)
{
    pthread_t reader;
    if (pthread_create(&reader, NULL, read_both, NULL))
        exit(70);
    pthread_barrier_wait(&gate);
    if (add_both())
        exit(70);
    pthread_join(reader, NULL);
    return first != second;
}

static void raise_boundary(void)
{
    int torn = 0;
    start();
#if !defined __SANITIZE_THREAD__ /* ThreadSanitizer would report this data race */
    for (int i = 0; i < TRIES && !torn;
         i++) /* the commit must fall into the skew, and fails to if its thread loses the CPU */
        torn = is_torn();
    expect(torn, "a boundary that is too small tears nothing: is anything tested?");
#endif
    expect(ordo_rlu_raise(&rlu, LARGE) == ORDO_OK, "the boundary cannot be raised");
    for (int i = 0; i < TIMES; i++)
        expect(!is_torn(), "with the boundary raised, a section saw the half of a commit");
    finish();
    (void)torn;
}

int main(void)
{
    while (!step_back() && waited_us < WAITED_MOST_US)
        waited_us *= 2;
    expect(waited_us < WAITED_MOST_US, "a commit that was announced is not completed");
    step_far_back();
    skewed_clock_agree = 1;
    raise_boundary();
    return failed;
}
