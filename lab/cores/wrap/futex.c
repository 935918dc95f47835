/* The kernel hashes the address of a word to a bucket, which has a line of memory: the number of its waiters, its lock and
 * its queue. A waiter announces itself in the bucket, locks it, and loads the word again; it returns at once if the word
 * has another value. A waker loads the number of waiters first, and returns if it is 0. On two CPUs almost all waits
 * of a contended mutex end at the second look, so the lines of the bucket and of the word are most of their cost.
 *
 * No wake-up is lost. The waiter announces itself and then loads the word; the owner changes the word and then loads the
 * number of waiters. If the owner does not see the waiter, the waiter sees the changed word. If it does see the waiter,
 * and the queue is empty, the waiter has not yet loaded the word, and will see the change. Between the load of the word
 * and the sleep no other CPU acts: the kernel holds the lock of the bucket there. */
#include "lab/cores/wrap/futex.h"

#include "lab/cores/run/buffer.h"
#include "lab/cores/run/schedule.h"

enum { BUCKETS = 256, BUCKET_BYTES = 256 };

static union bucket {
    _Alignas(BUCKET_BYTES) int waiters;
    char line[BUCKET_BYTES];
} buckets[BUCKETS];

static union bucket *bucket_of(const int *word)
{
    return &buckets[((uintptr_t)word >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

/* Changes the bucket under its lock: the lock, the number and the queue are in one line. */
static void bucket_change(union bucket *bucket, int waiters)
{
    cores_update((uintptr_t)&bucket->waiters, sizeof bucket->waiters, true);
    bucket->waiters += waiters;
}

/* Loads a word, and waits for its value: the kernel decides by it. */
static int word_load(const int *word)
{
    int value;
    cores_load((uintptr_t)word, sizeof *word);
    cores_buffer_load((uintptr_t)word, sizeof *word, &value);
    cores_drain(false);
    return value;
}

/* Half of a system call: its entry or its return. */
static void call_half(void)
{
    cores_spend(cores.machine->call_ps / 2);
}

/* The waker takes a thread that it wakes out of the queue, and out of the number. */
bool cores_futex_wait(const int *word, int value, uint64_t until_ps)
{
    union bucket *bucket = bucket_of(word);
    bool in_time = true, sleeps;
    call_half();
    bucket_change(bucket, 1);
    sleeps = word_load(word) == value;
    if (sleeps)
        in_time = cores_wait(word, until_ps);
    if (!sleeps || !in_time)
        bucket_change(bucket, -1);
    cores_drain(false);
    call_half();
    return in_time;
}

void cores_futex_wake(const int *word, int most)
{
    union bucket *bucket = bucket_of(word);
    call_half();
    if (word_load(&bucket->waiters) > 0) {
        bucket_change(bucket, 0);
        cores_drain(false);
        for (int woken = 0; woken < most && cores_wake(word, 1); woken++) {
            bucket->waiters--;
            cores_spend(cores.machine->wake_call_ps);
        }
    }
    call_half();
}

bool cores_futex_wanted(const int *word)
{
    return bucket_of(word)->waiters > 0;
}
