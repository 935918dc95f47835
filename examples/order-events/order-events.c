/* Two threads each see an event, and the main thread says which came first, or that it cannot be known.
 *
 * In the first round no thread waits: events that are closer than the boundary have no order. In the second, thread 2
 * hears of thread 1's event and waits until every core's clock has passed it: its own is then certainly later. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/ordo.h>

static struct ordo o;
static _Atomic uint64_t heard; /* the time of thread 1's event in the second round; 0: not yet */
static pthread_barrier_t together;
static ordo_time first[2], second[2];

static void *thread_1(void *unused)
{
    pthread_barrier_wait(&together);
    first[0] = ordo_get_time(&o);
    pthread_barrier_wait(&together);
    second[0] = ordo_get_time(&o);
    atomic_store(&heard, second[0].ticks);
    return unused;
}

static void *thread_2(void *unused)
{
    ordo_time theirs = {0};
    pthread_barrier_wait(&together);
    first[1] = ordo_get_time(&o);
    pthread_barrier_wait(&together);
    while ((theirs.ticks = atomic_load(&heard)) == 0)
        ;
    second[1] = ordo_new_time(&o, theirs);
    return unused;
}

static const char *order(ordo_time a, ordo_time b)
{
    switch (ordo_cmp_time(&o, a, b)) {
    case 1:
        return "later";
    case -1:
        return "earlier";
    default:
        return "cannot be known";
    }
}

int main(void)
{
    struct ordo_error error;
    pthread_t threads[2];
    if (ordo_open_error(&o, NULL, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    pthread_barrier_init(&together, NULL, 2);
    pthread_create(&threads[0], NULL, thread_1, NULL);
    pthread_create(&threads[1], NULL, thread_2, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("at the same time, event 2 against event 1: %s\n", order(first[1], first[0]));
    printf("after waiting, event 2 against event 1: %s\n", order(second[1], second[0]));
    printf("and event 1 against event 2: %s\n", order(second[0], second[1]));
    ordo_close(&o);
}
