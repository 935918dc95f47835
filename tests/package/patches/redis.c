/* The code of redis.patch: times of threads that move between CPUs do not decrease, also when the record is withdrawn,
 * and go on at the kernel's rate. */
#include "common.h"

#include "monotonic_record.h"

static uint64_t posix_us(void)
{
    return (uint64_t)kernel_ns() / 1000 + 1000000; /* a kernel's clock that differs from the counter */
}

/* A kernel's clock that takes longer to read than a note may last, as one that a hypervisor emulates. */
static int slow_readings;
static uint64_t slow_us(void)
{
    int64_t end = kernel_ns() + 25000;
    slow_readings++;
    while (kernel_ns() < end)
        ;
    return posix_us();
}

static int enough;

static void *read_times(void *unused)
{
    uint64_t last = 0, now;
    while (!__atomic_load_n(&enough, __ATOMIC_RELAXED)) {
        now = monoRecordUs(posix_us);
        MUST(now >= last);
        last = now;
    }
    return unused;
}

int main(int argc, char **argv)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    struct span before, after;
    int64_t k;
    MUST(monoRecordOpen() == (argc == 3 && strcmp(argv[2], "warranted") == 0));
    if (ordo_tick_hz(&mono_record)) {
        for (k = 0; k < 100; k++)
            (void)monoRecordUs(slow_us);
        MUST(slow_readings < 20 && mono_ahead != 0); /* not at each reading */
        for (k = 0; k < THREADS; k++)
            MUST(pthread_create(&thread[k], NULL, read_times, NULL) == 0);
        pass_ms(30);
        before = AROUND(monoRecordUs(posix_us) * 1000);
        pass_ms(1100); /* the threads have noted again by how much the clock is ahead */
        after = AROUND(monoRecordUs(posix_us) * 1000);
        MUST(as_the_kernel(before, after));
        before = after;
        withdraw_record(argv[1]);
        pass_ms(30);
        after = AROUND(monoRecordUs(posix_us) * 1000);
        MUST(as_the_kernel(before, after));
        __atomic_store_n(&enough, 1, __ATOMIC_RELAXED);
        for (k = 0; k < THREADS; k++)
            MUST(pthread_join(thread[k], NULL) == 0);
        ordo_close(&mono_record);
        MUST(monoRecordOpen() == 0);
    }
    (void)setenv("ORDO_RECORD", "/nonexistent/record", 1);
    MUST(monoRecordOpen() == 0);
    return 0;
}
