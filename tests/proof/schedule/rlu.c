/* rlu [PREEMPTIONS]: runs the unmodified rlu.h on a simulated machine (machine.h), at every schedule of two threads
 * with at most PREEMPTIONS preemptions (default 1). Exit 0: the promises held; 1: one was violated.
 *
 * Each thread joins and makes two sections; each section reads or writes a pair of numbers: one is an object, the other
 * is the target of a link. For each thread and section the CPU's clock is right, or ahead by exactly the boundary.
 *
 * Checked as in tests/model/rlu: pairs are equal and stay so, a commit that has returned is seen, no update is lost and
 * nothing stays locked. */
#include "machine.h"

#include <ordo/cc/rlu.h>

enum { SECTIONS = 2 };

static struct ordo_rlu rlu;
static struct number {
    uint64_t value;
} * number;
static struct ordo_rlu_link place;
static uint64_t committed, returned;
static unsigned script; /* a bit for each thread and section: 1 if the section writes */

/* Converts a number to an even address, the target of a link. */
static void *as_pointer(uint64_t value)
{
    return (void *)(uintptr_t)(2 * value);
}

static void section_writes(struct ordo_rlu_thread *t)
{
    struct number *first;
    void **second = NULL;
    ordo_rlu_reader_lock(t);
    first = ordo_rlu_try_lock(t, number, sizeof *first);
    if (first)
        second = ordo_rlu_try_lock_link(t, &place);
    if (!second) {
        (void)ordo_rlu_abort(t);
        return;
    }
    first->value++;
    *second = as_pointer(first->value);
    ordo_rlu_reader_unlock(t);
    committed++;
    returned++;
}

static void section_reads(struct ordo_rlu_thread *t)
{
    uint64_t before = returned;
    const struct number *first;
    const void *second;
    ordo_rlu_reader_lock(t);
    first = ordo_rlu_dereference(t, number);
    model_step();
    uint64_t a = first->value;
    second = ordo_rlu_follow(t, &place);
    model_step();
    expect(as_pointer(a) == second, "a pair is torn");
    expect(a == first->value && second == ordo_rlu_follow(t, &place), "a value that was read has changed");
    expect(a >= before, "a commit that has returned is not seen");
    ordo_rlu_reader_unlock(t);
}

static void run_thread(void)
{
    int me = machine.running;
    struct ordo_rlu_thread *t = NULL;
    for (int i = 0; i < SECTIONS && !violated; i++) {
        machine.skew[me] = choose() ? machine.boundary : 0;
        if (i == 0 && ordo_rlu_thread_init(&rlu, &t)) {
            expect(0, "no memory");
            break;
        }
        if (script >> (me * SECTIONS + i) & 1)
            section_writes(t);
        else
            section_reads(t);
    }
    if (t)
        ordo_rlu_thread_finish(t);
}

static void run(int preemptions)
{
    struct ordo_rlu_options options = {.boundary_ticks = machine.boundary};
    struct ordo_rlu_thread *t;
    machine_start(preemptions);
    committed = returned = 0;
    if (ordo_rlu_create(&rlu, &options) || ordo_rlu_thread_init(&rlu, &t)) {
        expect(0, "no memory");
        return;
    }
    *(number = ordo_rlu_alloc(t, sizeof *number)) = (struct number){0};
    ordo_rlu_link_init(&place, as_pointer(0));
    ordo_rlu_thread_finish(t);
    schedule(choose());
    expect(!ordo_rlu_header_of(number)->copy && !ordo_rlu_link_is_locked(&place), "locked at the end");
    expect(number->value == committed && ordo_rlu_link_at_rest(&place) == as_pointer(committed), "a commit is lost");
    ordo_rlu_discard(&rlu, number);
    ordo_rlu_destroy(&rlu);
}

/* Leaves out scripts that differ from another one only in the names of the threads. */
static int is_new(unsigned what)
{
    unsigned mine = what & 3, other = what >> 2;
    return mine <= other && what != 0;
}

int main(int argc, char **argv)
{
    static const uint64_t boundaries[] = {8, 40};
    int preemptions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 1;
    unsigned long runs = 0;
    for (int b = 0; b < 2; b++)
        for (script = 0; script < 16; script++) {
            if (!is_new(script))
                continue;
            machine.boundary = boundaries[b];
            choices.known = 0;
            do {
                run(preemptions);
                runs++;
                if (violated) {
                    printf("schedule %lu: %s (boundary %llu, script %x)\n", runs, violated,
                           (unsigned long long)machine.boundary, script);
                    return 1;
                }
            } while (advance());
        }
    printf("%lu schedules, all with at most %d preemptions\n", runs, preemptions);
    return 0;
}
