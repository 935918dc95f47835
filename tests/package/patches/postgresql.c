/* The code of postgresql.patch: durations are not negative and follow the kernel's clock, before and after the record
 * is withdrawn; a child that was forked notices the withdrawal too. */
#include "common.h"

#include <sys/wait.h>

#include "instr_record.c"

int main(int argc, char **argv)
{
    int warranted = argc == 3 && strcmp(argv[2], "warranted") == 0, status;
    instr_time sum = {0}, other = {1500};
    struct span begin;
    pid_t child;
    pg_instr_clock_use(true);
    MUST((strstr(pg_instr_clock_name(), "record") != NULL) == warranted);
    begin = AROUND(pg_instr_clock());
    pass_ms(20);
    MUST(as_the_kernel(begin, AROUND(pg_instr_clock())));
    if (warranted)
        withdraw_record(argv[1]);
    child = fork();
    pass_ms(20);
    MUST(as_the_kernel(begin, AROUND(pg_instr_clock())));
    if (child == 0)
        _exit(0);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    MUST(strcmp(pg_instr_clock_name(), "clock_gettime") == 0);
    pg_instr_clock_use(false);
    MUST(strcmp(pg_instr_clock_name(), "clock_gettime") == 0 &&
         llabs((long long)(pg_instr_clock() - kernel_ns())) < 1000000000);
    INSTR_TIME_ACCUM_DIFF(sum, other, ((instr_time){500}));
    INSTR_TIME_ADD(sum, sum);
    INSTR_TIME_SUBTRACT(sum, ((instr_time){1000}));
    MUST(INSTR_TIME_GET_MICROSEC(sum) == 1 && INSTR_TIME_GET_MILLISEC(sum) == 1e-3 &&
         INSTR_TIME_GET_DOUBLE(sum) == 1e-6);
    return 0;
}
