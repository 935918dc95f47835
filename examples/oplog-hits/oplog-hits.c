/* Counters that many threads change and one thread rarely reads: each hit goes to the thread's own log, and a reader
 * applies all logs first. A hit and its bytes happen together, so a reader never sees one without the other. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <ordo/cc/oplog.h>

enum { HITS = 200000, BYTES = 512, SERVERS = 2 };

static struct ordo_oplog oplog; /* one for all objects that are read together */
static uint64_t hit_count, byte_count;
static struct ordo_oplog_object hits, bytes; /* the handles; the counts are on other lines */
static atomic_int serving = SERVERS, failures;

static void add(struct ordo_oplog_object *object, const struct ordo_oplog_entry *entry)
{
    *(uint64_t *)object->state += entry->argument;
}

/* Additions give the same sum in any order: an append needs no time, and never waits for the clock. */
static const struct ordo_oplog_kind counter = {ORDO_OPLOG_COMMUTE, add, NULL};

static void *server(void *unused)
{
    struct ordo_oplog_thread *t;
    const struct ordo_oplog_operation request[] = {{&hits, 0, 1}, {&bytes, 0, BYTES}};
    if (ordo_oplog_thread_init(&oplog, &t) == ORDO_OK) {
        for (int i = 0; i < HITS; i++)
            if (ordo_oplog_append_all(t, request, 2))
                atomic_fetch_add(&failures, 1);
        ordo_oplog_thread_finish(t);
    } else {
        atomic_fetch_add(&failures, 1);
    }
    atomic_fetch_sub(&serving, 1);
    return unused;
}

int main(void)
{
    struct ordo o;
    struct ordo_error error;
    struct ordo_oplog_thread *t;
    pthread_t servers[SERVERS];
    uint64_t reports = 0, wrong = 0;
    if (ordo_open_error(&o, NULL, &error))
        return fprintf(stderr, "%s\n", error.text), 1;
    struct ordo_oplog_options options = {.boundary_ticks = ordo_boundary(&o), .watch = &o};
    if (ordo_oplog_create(&oplog, &options) || ordo_oplog_thread_init(&oplog, &t) ||
        ordo_oplog_object_init(&hits, &counter, &hit_count) || ordo_oplog_object_init(&bytes, &counter, &byte_count))
        return 1;
    for (int i = 0; i < SERVERS; i++)
        if (pthread_create(&servers[i], NULL, server, NULL))
            return 1;
    for (int last = 0; !last; reports++) {
        last = !atomic_load(&serving);
        ordo_oplog_read_lock(t); /* applies every operation that has returned */
        wrong += byte_count != hit_count * BYTES;
        ordo_oplog_read_unlock(t);
    }
    for (int i = 0; i < SERVERS; i++)
        pthread_join(servers[i], NULL);
    printf("%llu hits, %llu reports, %llu wrong\n", (unsigned long long)hit_count, (unsigned long long)reports,
           (unsigned long long)wrong);
    wrong += hit_count != (uint64_t)SERVERS * HITS;
    ordo_oplog_thread_finish(t);
    ordo_oplog_destroy(&oplog);
    return wrong || atomic_load(&failures);
}
