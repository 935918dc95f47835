/* litmus RECORD SECONDS [CPU TICKS]: sends messages between the first two CPUs of this process, with corrected times.
 *
 * Each message carries the corrected time of its sending. After receiving it, the receiver reads a corrected time. The
 * second time happens after the first, so it must never be certainly earlier. Each read is ordered on one side only,
 * which is enough: the message contains its time, and the time of the receipt is read after the load that found the
 * message. With CPU and TICKS, the correction of this CPU is changed by TICKS, and the program ends at the first
 * message in the wrong order. Prints the number of messages, and how many were in the wrong order. Exit 0; 2: the
 * record is refused; 70: another error. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <ordo/ordo.h>

static struct ordo_corrected clocks;
static int64_t table[ORDO_CORRECTED_CPUS];
static unsigned cpus[2];
static int changed;
static time_t end_s;

/* The current message: its number, which is even if the first CPU sends it, and the time of its sending. */
static struct {
    _Alignas(128) uint64_t number;
    ordo_corrected_time sent;
    int over;
} line;
static unsigned long messages, wrong;

static void answer(uint64_t number)
{
    line.sent = ordo_get_time_corrected_after(&clocks);
    /* Release pairs with play: the time of the message is visible. */
    __atomic_store_n(&line.number, number + 1, __ATOMIC_RELEASE);
}

/* Receives and sends messages in turns: reads each message of the other CPU, and answers it by the next one. */
static void *play(void *argument)
{
    uint64_t side = (uint64_t)(uintptr_t)argument, number = side;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpus[side], &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set))
        exit(70);
    for (int spins = 0;; spins++) {
        /* Acquire pairs with answer: a reader that sees the number sees the time. */
        if (__atomic_load_n(&line.number, __ATOMIC_ACQUIRE) == number) {
            ordo_corrected_time now = ordo_get_time_corrected_after(&clocks);
            if (line.over)
                break;
            if (number > 0) {
                messages++;
                wrong += ordo_cmp_time_corrected(&clocks, now, line.sent) == -1;
                line.over = (changed && wrong) || time(NULL) >= end_s;
            }
            answer(number);
            if (line.over)
                break;
            number += 2;
            spins = 0;
        } else if (spins % 64 == 63) {
            (void)sched_yield();
        }
    }
    return NULL;
}

static int first_two(void)
{
    cpu_set_t set;
    int count = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return -1;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE && count < 2; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[count++] = cpu;
    return count - 2;
}

int main(int argc, char **argv)
{
    struct ordo_error error;
    pthread_t other;
    if ((argc != 3 && argc != 5) || first_two())
        return 70;
    if (ordo_open_corrected(&clocks, argv[1], &error)) {
        printf("%s\n", error.text);
        return 2;
    }
    memcpy(table, clocks.handle.corrections, sizeof table);
    changed = argc == 5;
    if (changed)
        table[strtoul(argv[3], NULL, 10) % ORDO_CORRECTED_CPUS] += strtoll(argv[4], NULL, 10);
    clocks.handle.corrections = table;
    end_s = time(NULL) + atol(argv[2]);
    if (pthread_create(&other, NULL, play, (void *)1))
        return 70;
    (void)play((void *)0);
    pthread_join(other, NULL);
    printf("%lu messages, %lu in the wrong order, boundary %llu\n", messages, wrong,
           (unsigned long long)ordo_boundary(&clocks.handle));
    ordo_close_corrected(&clocks);
    return 0;
}
