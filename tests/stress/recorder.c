/* The recorder's rings under races: threads start, record into rings and end; a writer drains the rings into a file,
 * and a thread drains its own ring if it is full.
 *
 * At the end the file contains every event of every thread once, whole and in the thread's order; under the policy
 * `stop` each missing event is counted as lost. ThreadSanitizer checks that the conditions of trace/record/buffer.h
 * order all accesses. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/record/buffer.h"

enum { THREADS = 4, GENERATIONS = 6, CAPACITY = 64, RINGS_MOST = THREADS };

#ifdef STRESS_MS /* a brief run */
static const uint64_t EVENTS = 3000;
#else
static const uint64_t EVENTS = 20000;
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t wake;
static struct ordo_trace_file file;
static struct ordo_trace_thread *rings;
static int ends, violations;

static void expect(int holds, const char *what)
{
    if (!holds && violations++ == 0)
        fprintf(stderr, "violated: %s\n", what);
}

bool ordo_trace_make_room(struct ordo_trace_thread *thread)
{
    return ordo_trace_find_room(thread, &lock, &file);
}

void ordo_trace_wake(void)
{
    (void)sem_post(&wake);
}

static void drain_all(void)
{
    for (struct ordo_trace_thread *ring = rings; ring; ring = ring->after)
        ordo_trace_drain(ring, &file);
}

/* Does the work of write_on() in trace/record/writer.c. */
static void *write_on(void *unused)
{
    for (int over = 0; !over;) {
        (void)sem_wait(&wake);
        pthread_mutex_lock(&lock);
        drain_all();
        over = ends;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

/* Records the events of one thread. Each event contains its number in `bytes` and in `ticks`. A thread that takes over
 * a ring continues the numbers of the ring. */
static void *record(void *policy)
{
    pthread_mutex_lock(&lock);
    struct ordo_trace_thread *ring = ordo_trace_thread_open(&rings, CAPACITY, *(enum ordo_trace_policy *)policy);
    pthread_mutex_unlock(&lock);
    if (!ring)
        return NULL;
    for (uint64_t i = 0; i < EVENTS; i++) {
        uint64_t number = ring->last_ticks++;
        struct ordo_trace_event *place = ordo_trace_place(ring);
        if (!place)
            continue;
        *place = (struct ordo_trace_event){.ticks = number, .bytes = number, .thread = ring->number};
        ordo_trace_publish(ring);
    }
    pthread_mutex_lock(&lock);
    ring->idle = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static uint64_t run(enum ordo_trace_policy policy)
{
    pthread_t writer, threads[THREADS];
    int failed = pthread_create(&writer, NULL, write_on, NULL);
    uint64_t made = 0;
    for (int generation = 0; generation < GENERATIONS; generation++) {
        int begun = 0;
        while (begun < THREADS && pthread_create(&threads[begun], NULL, record, &policy) == 0)
            begun++;
        for (int i = 0; i < begun; i++)
            pthread_join(threads[i], NULL);
        made += (uint64_t)begun * EVENTS;
    }
    pthread_mutex_lock(&lock);
    ends = 1;
    pthread_mutex_unlock(&lock);
    ordo_trace_wake();
    if (!failed)
        pthread_join(writer, NULL);
    expect(!failed, "there is a writer");
    drain_all();
    return made;
}

/* Reads and checks the file. Returns its number of events. */
static uint64_t read_back(enum ordo_trace_policy policy)
{
    static char payload[ORDO_TRACE_CHUNK_MOST];
    uint64_t next[RINGS_MOST] = {0}, count = 0;
    struct ordo_trace_chunk chunk;
    off_t at = sizeof(struct ordo_trace_head);
    while (pread(file.fd, &chunk, sizeof chunk, at) == sizeof chunk) {
        expect(ordo_trace_chunk_whole(&chunk), "a chunk is whole");
        if (!ordo_trace_chunk_whole(&chunk) ||
            pread(file.fd, payload, chunk.bytes, at + (off_t)sizeof chunk) != (ssize_t)chunk.bytes)
            break;
        expect(chunk.checksum == ordo_record_fold(payload, chunk.bytes), "a chunk has its checksum");
        for (uint32_t i = 0; i < chunk.count; i++) {
            struct ordo_trace_event event;
            memcpy(&event, payload + i * sizeof event, sizeof event);
            expect(event.ticks == event.bytes && event.thread < RINGS_MOST, "an event is whole");
            if (event.thread >= RINGS_MOST)
                return 0;
            expect(policy == ORDO_TRACE_STOP ? event.ticks >= next[event.thread] : event.ticks == next[event.thread],
                   "a thread's events are in order, each once");
            next[event.thread] = event.ticks + 1;
        }
        count += chunk.count;
        at += (off_t)(sizeof chunk + chunk.bytes);
    }
    return count;
}

/* Tests a policy under which a full ring is not overwritten. With `stop` a writer runs as well, so that losses are
 * counted while it runs. */
static void check(const char *prefix, enum ordo_trace_policy policy)
{
    struct ordo_trace_head head = {.rank = (int32_t)policy, .size = 3};
    struct ordo_error error;
    ends = 0;
    if (sem_init(&wake, 0, 0) || ordo_trace_file_create(&file, prefix, &head, &error)) {
        expect(0, "there is a file");
        return;
    }
    uint64_t made = run(policy), lost = 0, written = read_back(policy);
    for (const struct ordo_trace_thread *ring = rings; ring; ring = ring->after)
        lost += atomic_load(&ring->lost);
    lost += file.lost;
    expect(written + lost == made, "every event is written, or counted as lost");
    expect(policy == ORDO_TRACE_STOP || lost == 0, "a ring that is emptied loses nothing");
    printf("policy %d: %llu events written, %llu lost, %d violations\n", (int)policy, (unsigned long long)written,
           (unsigned long long)lost, violations);
    ordo_trace_threads_free(&rings);
    ordo_trace_file_abandon(&file);
    (void)sem_destroy(&wake);
}

int main(void)
{
    char directory[] = "/tmp/ordo-recorder-XXXXXX", prefix[64];
    if (!mkdtemp(directory))
        return 1;
    (void)snprintf(prefix, sizeof prefix, "%s/trace", directory);
    check(prefix, ORDO_TRACE_FLUSH);
    check(prefix, ORDO_TRACE_STOP);
    (void)rmdir(directory);
    return violations > 0;
}
