/* The code of memcached.patch: ids of many threads are unique; those of one item, under its lock, and those around a
 * fence rise; and all of this goes on when the record is withdrawn. */
#include "common.h"

#include "cas_clock.h"

enum { THREADS = 4, IDS = 40000 };
static pthread_mutex_t item_lock = PTHREAD_MUTEX_INITIALIZER, count_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t item_id, counted, step = 1, ids[THREADS * IDS];
static const char *record;
static int warranted;

static uint64_t take_id(uint64_t id)
{
    if (id)
        return id;
    (void)pthread_mutex_lock(&count_lock); /* as count_cas_id of the patch */
    id = counted = cas_clock_end(counted, &step) + step;
    (void)pthread_mutex_unlock(&count_lock);
    return id;
}

static void *take_ids(void *number)
{
    uint64_t *mine = ids + (intptr_t)number * IDS;
    for (int i = 0; i < IDS; i++) {
        if (number == 0 && i == IDS / 2 && warranted)
            withdraw_record(record);
        if (i % 16) {
            mine[i] = take_id(cas_clock_next(0));
            continue;
        }
        (void)pthread_mutex_lock(&item_lock);
        mine[i] = i % 256 ? take_id(cas_clock_next(item_id)) : take_id(cas_clock_fence());
        MUST(mine[i] > item_id);
        item_id = mine[i];
        (void)pthread_mutex_unlock(&item_lock);
    }
    return NULL;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A thread that reads the clock, and is preempted before it has stored its slot; it was idle before, as all others. */
static void idle_threads(void)
{
    uint64_t late, ended, last_step = 1;
    (void)cas_clock_next(0);
    pass_ms(2300); /* more than the two seconds of cas_clock_end */
    late = cas_clock_slot(ordo_get_time_after(&cas_clock).ticks) * CAS_TAGS + CAS_TAGS - 1;
    ended = cas_clock_end(0, &last_step);
    MUST(ended > late && ended % CAS_TAGS == 0 && last_step == CAS_TAGS);
    cas_clock_on = 1;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    record = argv[1];
    warranted = argc == 3 && strcmp(argv[2], "warranted") == 0;
    cas_clock_open();
    MUST(cas_clock_on == warranted);
    if (warranted)
        idle_threads();
    counted = 12345; /* the id of an earlier run of the server */
    if (warranted) {
        counted = cas_clock_next(0) + (UINT64_C(1) << 40);
        cas_clock_raise(counted);
        MUST(cas_clock_next(0) > counted && cas_clock_next(UINT64_MAX) == 0);
    }
    uint64_t before = counted;
    for (intptr_t k = 0; k < THREADS; k++)
        MUST(pthread_create(&thread[k], NULL, take_ids, (void *)k) == 0);
    for (int k = 0; k < THREADS; k++)
        MUST(pthread_join(thread[k], NULL) == 0);
    MUST(!cas_clock_on && cas_clock_next(0) == 0 && cas_clock_fence() == 0);
    qsort(ids, THREADS * IDS, sizeof *ids, compare_ids);
    MUST(ids[0] > before);
    for (int i = 1; i < THREADS * IDS; i++)
        MUST(ids[i] > ids[i - 1]);
    return 0;
}
