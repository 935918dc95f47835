/* Snapshots of two cells, each with a writer of its own, without a lock: a snapshot of time S shows the versions that
 * are certainly before S. A writer announces a version; then the writer, or the first reader that finds it, stamps it
 * with W. A reader that does not see the announcement, or that stamps the version, has read S before: so W >= S - B. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/ordo.h>

enum { VERSIONS = 1024, WRITES = 500000 };
/* It is stored with the version's number, so that a late stamp cannot reach the next version in the same slot. */
#define UNSTAMPED (UINT64_C(1) << 63)

static struct cell {
    _Atomic uint64_t newest, time[VERSIONS], value[VERSIONS];
} x, y;
static struct ordo o;
static atomic_bool done;

static ordo_time stamp(struct cell *cell, uint64_t number)
{
    uint64_t time = atomic_load(&cell->time[number % VERSIONS]);
    if (time == (UNSTAMPED | number)) {
        uint64_t mine = ordo_get_time_after_full(&o).ticks; /* after it is announced */
        time = atomic_compare_exchange_strong(&cell->time[number % VERSIONS], &time, mine) ? mine : time;
    }
    return (ordo_time){time};
}

static void put(struct cell *cell, uint64_t value)
{
    uint64_t number = atomic_load(&cell->newest) + 1;
    atomic_store(&cell->time[number % VERSIONS], UNSTAMPED | number);
    atomic_store(&cell->value[number % VERSIONS], value);
    atomic_store(&cell->newest, number);                                      /* announced */
    ordo_new_time(&o, ordo_time_add(stamp(cell, number), ordo_boundary(&o))); /* every later S is certainly after W */
}

/* Reads the newest version that is certainly before `when`. Returns 0 if that version may be overwritten. */
static int get(struct cell *cell, ordo_time when, uint64_t *value)
{
    uint64_t newest = atomic_load(&cell->newest), number = newest;
    while (ordo_cmp_time(&o, when, stamp(cell, number)) != 1)
        if (newest - --number >= VERSIONS - 1)
            return 0;
    *value = atomic_load(&cell->value[number % VERSIONS]);
    return atomic_load(&cell->newest) - number < VERSIONS - 1;
}

static void snapshot(uint64_t values[2])
{
    ordo_time when = ordo_get_time_before(&o); /* read S before any version */
    while (!get(&x, when, &values[0]) || !get(&y, when, &values[1]))
        when = ordo_get_time_before(&o);
}

static void *writer(void *cell) /* y copies x, so no snapshot shows y ahead of x */
{
    uint64_t values[2];
    for (uint64_t i = 1; cell == &x ? i <= WRITES : !atomic_load(&done); i++)
        put(cell, cell == &x ? i : (snapshot(values), values[0]));
    return atomic_store(&done, 1), cell;
}

int main(void)
{
    uint64_t values[2], taken = 0, wrong = 0;
    pthread_t writers[2];
    if (ordo_open(&o, NULL))
        return fprintf(stderr, "there is no record to open: see ordo show\n"), 1;
    pthread_create(&writers[0], NULL, writer, &x);
    pthread_create(&writers[1], NULL, writer, &y);
    for (; taken == 0 || !atomic_load(&done); taken++, wrong += values[1] > values[0])
        snapshot(values);
    pthread_join(writers[0], NULL);
    pthread_join(writers[1], NULL);
    snapshot(values); /* all writes have returned, so it shows the last one */
    printf("%ju snapshots, %ju wrong, x ends as %ju\n", (uintmax_t)taken, (uintmax_t)wrong, (uintmax_t)values[0]);
    return wrong || values[0] != WRITES;
}
