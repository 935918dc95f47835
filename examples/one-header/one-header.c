/* All of Ordo in one header: orders two events without a record and without root, and checks the clocks each second.
 *
 * Copy ordo-amalgamated.h beside this file, and `cc one-header.c -pthread` builds it. An argument N: start N times, and print
 * the median of how long that took. */
#include <ordo-amalgamated.h>

#include <stdatomic.h>

static struct ordo o;
static _Atomic int done;

/* No other process watches a private handle. */
static void *look_each_second(void *looks)
{
    struct ordo_error error;
    for (int tenths = 0; !done; tenths++) {
        int code = tenths % 10 ? ORDO_OK : ordo_start_look(&o, &error);
        *(int *)looks += tenths % 10 == 0;
        if (code)
            fprintf(stderr, "%s\n", error.text);
        if (code == ORDO_E_DISRUPTED) /* ordo_status says so to all others */
            break;
        (void)poll(NULL, 0, 100);
    }
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

static int time_starts(int count)
{
    double ms[1000];
    for (int i = 0; i < count; i++) {
        struct timespec before, after;
        struct ordo_error error;
        (void)timespec_get(&before, TIME_UTC);
        if (ordo_start(&o, &error)) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
        (void)timespec_get(&after, TIME_UTC);
        ms[i] = (double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) / 1e6;
        ordo_close(&o);
    }
    qsort(ms, (size_t)count, sizeof *ms, by_size);
    return printf("%d starts, median %.1f ms\n", count, ms[count / 2]) < 0;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, looks = 0;
    pthread_t watch;
    struct ordo_error error;
    if (count > 0)
        return time_starts(count < 1000 ? count : 1000) || fflush(stdout) != 0;
    if (ordo_start(&o, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    if (ordo_flags(&o) & ORDO_FLAG_PRIVATE)
        fprintf(stderr, "%s\n", error.text);
    if (pthread_create(&watch, NULL, look_each_second, &looks))
        return 1;
    ordo_time first = ordo_get_time(&o), second = ordo_new_time(&o, first);
    printf("%s, %s, boundary %llu ns\n", ordo_flags(&o) & ORDO_FLAG_PRIVATE ? "private" : "published",
           ordo_trust_word(ordo_trust(&o)), (unsigned long long)ordo_ticks_to_ns(&o, ordo_boundary(&o)));
    printf("the second event is %s\n",
           ordo_cmp_time(&o, second, first) == 1 ? "certainly later" : "not known to be later");
    (void)poll(NULL, 0, 1500);
    done = 1;
    pthread_join(watch, NULL);
    printf("%d looks, %s\n", looks, ordo_status(&o) == ORDO_STATUS_DISRUPTED ? "disrupted" : "nothing against it");
    ordo_close(&o);
    return fflush(stdout) != 0;
}
