/* Threads, mutexes, condition variables and read-write locks of the program, on simulated CPUs. The mutex is that of the
 * GNU C library 2.36, with the same atomic operations on its word; the others have simpler words. futex.h has the kernel's part. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "lab/cores/run/buffer.h"
#include "lab/cores/run/place.h"
#include "lab/cores/run/schedule.h"
#include "lab/cores/wrap/futex.h"
#include "lab/cores/wrap/time.h"

enum { UNLOCKED, LOCKED, CONTENDED, CALL_INSTRUCTIONS = 10 };

int hooked_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int hooked_pthread_join(pthread_t thread, void **result);
int hooked_pthread_mutex_lock(pthread_mutex_t *mutex);
int hooked_pthread_mutex_trylock(pthread_mutex_t *mutex);
int hooked_pthread_mutex_unlock(pthread_mutex_t *mutex);
int hooked_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int hooked_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);
int hooked_pthread_cond_signal(pthread_cond_t *condition);
int hooked_pthread_cond_broadcast(pthread_cond_t *condition);
int hooked_pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int hooked_pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int hooked_pthread_rwlock_unlock(pthread_rwlock_t *lock);

int hooked_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
    (void)attributes;
    cores_spend(cores.machine->wake_ps);
    cores_buffer_drain(cores.cpu); /* the new thread sees everything that its creator did */
    struct cores_thread *made = cores_thread_make(body, argument);
    *thread = (pthread_t)made;
    return made ? 0 : EAGAIN;
}

int hooked_pthread_join(pthread_t thread, void **result)
{
    void *returned = cores_thread_join((struct cores_thread *)thread);
    if (result)
        *result = returned;
    return 0;
}

/* The first word of every kind of lock is an int that is 0 at first. */
static int *lock_word(void *lock)
{
    return lock;
}

#define HERE ((uintptr_t)__builtin_return_address(0))

/* The C library's code is called from `pc`. */
static void enter(uintptr_t pc)
{
    cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
    cores.cpu->pc = pc;
}

/* Takes the line of a word for an atomic operation, which the caller does. */
static void take_lock_word(uintptr_t pc, const int *word)
{
    cores.cpu->pc = pc;
    cores_place_use((uintptr_t)word, sizeof *word, true);
    cores_update((uintptr_t)word, sizeof *word, true);
}

static int exchange(uintptr_t pc, int *word, int value)
{
    take_lock_word(pc, word);
    int old = *word;
    *word = value;
    return old;
}

static bool try_lock(uintptr_t pc, int *word)
{
    take_lock_word(pc, word);
    if (*word != UNLOCKED)
        return false;
    *word = LOCKED;
    return true;
}

/* Waits until the word is free, and locks it for a thread that others may wait for. A thread that finds the mark of
 * another waiter sleeps without an exchange. The branch to here was mispredicted: it waits for the word. */
static void lock_contended(uintptr_t pc, int *word)
{
    cores_drain(false);
    cores_spend(cores.machine->mispredict_ps);
    cores_load((uintptr_t)word, sizeof *word);
    if (*word == CONTENDED)
        (void)cores_futex_wait(word, CONTENDED, UINT64_MAX);
    while (exchange(pc, word, CONTENDED) != UNLOCKED)
        (void)cores_futex_wait(word, CONTENDED, UINT64_MAX);
}

/* The library also reads the kind of the mutex and writes its owner, on the same line between the atomic operations. They
 * are not simulated, because they cost no transfer of their own: two real CPUs need 37 to 51 ns for an operation with
 * them, 49 to 50 ns without the read, and 40 to 44 ns without the writes. */
static int lock_mutex(uintptr_t pc, pthread_mutex_t *mutex)
{
    int *word = lock_word(mutex);
    enter(pc);
    if (!try_lock(pc, word))
        lock_contended(pc, word);
    return 0;
}

static int unlock_mutex(uintptr_t pc, pthread_mutex_t *mutex)
{
    int *word = lock_word(mutex);
    enter(pc);
    if (exchange(pc, word, UNLOCKED) == CONTENDED)
        cores_futex_wake(word, 1);
    return 0;
}

int hooked_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return lock_mutex(HERE, mutex);
}

int hooked_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    enter(HERE);
    if (!try_lock(HERE, lock_word(mutex)))
        return EBUSY;
    return 0;
}

int hooked_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return unlock_mutex(HERE, mutex);
}

/* The first word of a condition counts its signals. */
static int wait_for_signal(uintptr_t pc, pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ps)
{
    const int *signals = lock_word(condition);
    int seen = *signals;
    unlock_mutex(pc, mutex);
    bool signalled = cores_futex_wait(signals, seen, until_ps);
    lock_mutex(pc, mutex);
    return signalled ? 0 : ETIMEDOUT;
}

int hooked_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait_for_signal(HERE, condition, mutex, UINT64_MAX);
}

int hooked_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    return wait_for_signal(HERE, condition, mutex, cores_time_ps(until));
}

static int signal_some(uintptr_t pc, pthread_cond_t *condition, int most)
{
    int *signals = lock_word(condition);
    enter(pc);
    take_lock_word(pc, signals);
    ++*signals;
    cores_futex_wake(signals, most);
    return 0;
}

int hooked_pthread_cond_signal(pthread_cond_t *condition)
{
    return signal_some(HERE, condition, 1);
}

int hooked_pthread_cond_broadcast(pthread_cond_t *condition)
{
    return signal_some(HERE, condition, INT32_MAX);
}

/* The first word of a read-write lock is the number of its readers, or -1 if a writer has it. */
static int lock_shared(uintptr_t pc, pthread_rwlock_t *lock, int held)
{
    int *word = lock_word(lock), seen;
    enter(pc);
    for (;;) {
        take_lock_word(pc, word);
        seen = *word;
        if (held < 0 ? seen == 0 : seen >= 0)
            break;
        (void)cores_futex_wait(word, seen, UINT64_MAX);
    }
    *word += held;
    return 0;
}

int hooked_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return lock_shared(HERE, lock, 1);
}

int hooked_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return lock_shared(HERE, lock, -1);
}

int hooked_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    int *word = lock_word(lock);
    enter(HERE);
    take_lock_word(HERE, word);
    *word += *word < 0 ? 1 : -1;
    if (*word == 0 && cores_futex_wanted(word))
        cores_futex_wake(word, INT32_MAX);
    return 0;
}
