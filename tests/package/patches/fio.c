/* The code of fio.patch: the verdict, the rate, and the time before and after the record is withdrawn. */
#include "common.h"

#include "record_clock.h"

static int64_t elapsed_ns(uint64_t start)
{
    struct timespec now;
    if (record_clock_withdrawn()) {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
        record_clock_continue(&now);
        return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
    }
    MUST(record_clock_ticks() > start); /* record_clock_begin has waited for all CPUs */
    return (int64_t)((record_clock_ticks() - start) * 1000000 / record_clock_per_msec());
}

int main(int argc, char **argv)
{
    int warranted = argc == 3 && strcmp(argv[2], "warranted") == 0, verdict = record_clock_open();
    struct timespec begin;
    uint64_t start;
    struct span before, after;
    MUST(verdict == (warranted ? RECORD_CLOCK_WARRANTED : RECORD_CLOCK_REFUTED));
    if (warranted) {
        start = record_clock_ticks();
        (void)clock_gettime(CLOCK_MONOTONIC, &begin);
        record_clock_begin(start, &begin);
        pass_ms(20);
        before = AROUND(elapsed_ns(start));
        withdraw_record(argv[1]);
        MUST(record_clock_withdrawn());
        after = AROUND(elapsed_ns(start));
        MUST(before.other_ns >= 19000000 && as_the_kernel(before, after));
        ordo_close(&record_clock);
        MUST(record_clock_open() == RECORD_CLOCK_REFUTED); /* and fio must not test the counter itself */
    }
    (void)setenv("ORDO_RECORD", "/nonexistent/record", 1);
    MUST(record_clock_open() == RECORD_CLOCK_ABSENT && record_clock_per_msec() == 0);
    return 0;
}
