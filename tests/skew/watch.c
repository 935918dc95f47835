/* watch RECORD SECONDS: opens the record, prints "open", and waits until its status changes. Exit 0: it has changed
 * (prints the new status, and the seconds since the record was opened); 1: it has not changed within SECONDS; 2: the
 * record is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <ordo/ordo.h>

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"CLOSED", "VALID", "SUPERSEDED", "DISRUPTED", "CONSTANT"};
    struct ordo o;
    struct ordo_error error;
    if (argc != 3)
        return 64;
    if (ordo_open_error(&o, argv[1], &error)) {
        printf("%s\n", error.text);
        return 2;
    }
    double begin = now_s(), limit = begin + atof(argv[2]);
    (void)puts("open");
    (void)fflush(stdout);
    while (ordo_status(&o) == ORDO_STATUS_VALID && now_s() < limit)
        (void)usleep(1000);
    int status = ordo_status(&o);
    printf("%s %.3f\n", names[status], now_s() - begin);
    ordo_close(&o);
    return status == ORDO_STATUS_VALID;
}
