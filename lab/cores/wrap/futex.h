/* The sleep of threads that wait for a lock: futex(2) as Linux does it. */
#ifndef ORDO_LAB_CORES_WRAP_FUTEX_H
#define ORDO_LAB_CORES_WRAP_FUTEX_H

#include <stdbool.h>
#include <stdint.h>

/** FUTEX_WAIT: sleeps if the word still has this value, at most until `until_ps` (UINT64_MAX: for ever). False if the time
 * was over. A return does not mean that the word has changed. */
bool cores_futex_wait(const int *word, int value, uint64_t until_ps);

/** FUTEX_WAKE: wakes at most `most` threads that sleep on the word. */
void cores_futex_wake(const int *word, int most);

/** True if a thread may sleep on the word. Costs nothing: a lock that marks its word for its waiters knows it. */
bool cores_futex_wanted(const int *word);

#endif
