/* Threads, mutexes, condition variables and read-write locks of the program, on simulated CPUs. The locks follow the
 * GNU C library: the same atomic operations on their first word, and a simulated kernel for sleep. */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "lab/cores/run/schedule.h"
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

/* An atomic operation of the C library's code on a lock. */
static int exchange(int *word, int value)
{
    cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
    cores.cpu->pc = (uintptr_t)__builtin_return_address(0);
    cores_update((uintptr_t)word, sizeof *word, true);
    int old = *word;
    *word = value;
    return old;
}

/* Sleeps if the word still has this value. */
static void sleep_while(const int *word, int value)
{
    cores_spend(cores.machine->call_ps);
    if (*word == value)
        (void)cores_wait(word, UINT64_MAX);
}

static void wake(const void *address, int most)
{
    cores_spend(cores.machine->call_ps);
    (void)cores_wake(address, most);
}

static bool try_lock(int *word)
{
    cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
    cores.cpu->pc = (uintptr_t)__builtin_return_address(0);
    cores_update((uintptr_t)word, sizeof *word, true);
    if (*word != UNLOCKED)
        return false;
    *word = LOCKED;
    return true;
}

int hooked_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    int *word = lock_word(mutex);
    if (try_lock(word))
        return 0;
    while (exchange(word, CONTENDED) != UNLOCKED)
        sleep_while(word, CONTENDED);
    return 0;
}

int hooked_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return try_lock(lock_word(mutex)) ? 0 : EBUSY;
}

int hooked_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (exchange(lock_word(mutex), UNLOCKED) == CONTENDED)
        wake(mutex, 1);
    return 0;
}

/* The first word of a condition counts its signals. */
static int wait_for_signal(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t until_ps)
{
    int *signals = lock_word(condition), seen = *signals;
    hooked_pthread_mutex_unlock(mutex);
    cores_spend(cores.machine->call_ps);
    bool signalled = *signals != seen || cores_wait(condition, until_ps);
    hooked_pthread_mutex_lock(mutex);
    return signalled ? 0 : ETIMEDOUT;
}

int hooked_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait_for_signal(condition, mutex, UINT64_MAX);
}

int hooked_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    return wait_for_signal(condition, mutex, cores_time_ps(until));
}

static int signal_some(pthread_cond_t *condition, int most)
{
    ++*lock_word(condition);
    wake(condition, most);
    return 0;
}

int hooked_pthread_cond_signal(pthread_cond_t *condition)
{
    return signal_some(condition, 1);
}

int hooked_pthread_cond_broadcast(pthread_cond_t *condition)
{
    return signal_some(condition, INT32_MAX);
}

/* The first word of a read-write lock is the number of its readers, or -1 if a writer has it. */
static int lock_shared(pthread_rwlock_t *lock, int held)
{
    int *word = lock_word(lock);
    for (;;) {
        cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
        cores_update((uintptr_t)word, sizeof *word, true);
        if (held < 0 ? *word == 0 : *word >= 0)
            break;
        cores_spend(cores.machine->call_ps);
        if (held < 0 ? *word != 0 : *word < 0)
            (void)cores_wait(word, UINT64_MAX);
    }
    *word += held;
    return 0;
}

int hooked_pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return lock_shared(lock, 1);
}

int hooked_pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return lock_shared(lock, -1);
}

int hooked_pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    int *word = lock_word(lock);
    cores_spend(CALL_INSTRUCTIONS * cores.instruction_ps);
    cores_update((uintptr_t)word, sizeof *word, true);
    *word += *word < 0 ? 1 : -1;
    if (*word == 0 && cores_wake(word, INT32_MAX) > 0)
        cores_spend(cores.machine->call_ps);
    return 0;
}
