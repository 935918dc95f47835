/* Many threads use one private handle: some run ordo_start_look(), some read its status and its times, and others start
 * handles of their own. Meanwhile an interval timer interrupts the process.
 *
 * The clocks of this machine agree, so no check may prove anything against them; after one copy of the handle has been
 * marked, all copies show the mark. A CPU that does not answer on a crowded machine is no violation. Exit 77: the
 * machine's counter may not be used. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include <ordo/start.h>

enum { LOOKERS = 3, READERS = 2, STARTERS = 2, LOOKS = 20, STARTS = 3 };

static struct ordo handle;
static _Atomic int violations, running, interrupted;

static void expect(int holds, const char *what, const struct ordo_error *error)
{
    if (holds)
        return;
    atomic_fetch_add(&violations, 1);
    fprintf(stderr, "violated: %s: %s\n", what, error ? error->text : "");
}

static void interrupt(int unused)
{
    (void)unused;
    atomic_fetch_add(&interrupted, 1);
}

static void *look_often(void *unused)
{
    struct ordo copy = handle;
    struct ordo_error error;
    for (int i = 0; i < LOOKS; i++) {
        int code = ordo_start_look(&copy, &error);
        expect(code == ORDO_OK || code == ORDO_E_MEASURE, "a look proves something against good clocks", &error);
    }
    atomic_fetch_sub(&running, 1);
    return unused;
}

static void *read_often(void *unused)
{
    struct ordo copy = handle;
    while (atomic_load(&running) > 0) {
        ordo_time first = ordo_get_time(&copy), second;
        expect(ordo_status(&copy) == ORDO_STATUS_VALID, "the handle is marked", NULL);
        second = ordo_new_time(&copy, first);
        expect(ordo_cmp_time(&copy, second, first) == 1, "two events are out of order", NULL);
    }
    return unused;
}

static void *start_often(void *unused)
{
    struct ordo own;
    struct ordo_error error;
    for (int i = 0; i < STARTS; i++) {
        int code = ordo_start(&own, &error);
        expect(code == ORDO_OK || code == ORDO_E_MEASURE, "a start", &error);
        if (!code)
            ordo_close(&own);
    }
    atomic_fetch_sub(&running, 1);
    return unused;
}

static int start(void)
{
    struct ordo_error error;
    int code = ORDO_E_MEASURE;
    for (int i = 0; i < 50 && code == ORDO_E_MEASURE; i++)
        code = ordo_start(&handle, &error);
    if (code)
        fprintf(stderr, "%s\n", error.text);
    return code;
}

int main(void)
{
    struct sigaction action = {.sa_handler = interrupt};
    struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    pthread_t threads[LOOKERS + READERS + STARTERS];
    struct ordo copy;
    int count = 0, code;
    setenv("ORDO_RECORD", "/nonexistent/ordo", 1);
    if ((code = start()) != ORDO_OK)
        return code == ORDO_E_REFUTED ? 77 : 1;
    copy = handle;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    atomic_store(&running, LOOKERS + STARTERS);
    for (int i = 0; i < LOOKERS; i++)
        pthread_create(&threads[count++], NULL, look_often, NULL);
    for (int i = 0; i < STARTERS; i++)
        pthread_create(&threads[count++], NULL, start_often, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[count++], NULL, read_often, NULL);
    while (count > 0)
        pthread_join(threads[--count], NULL);
    setitimer(ITIMER_REAL, &never, NULL);
    expect(atomic_load(&interrupted) > 0, "the process was never interrupted", NULL);
    (void)ordo_start_disrupt(&handle, NULL, "%s", "by the test");
    expect(ordo_status(&copy) == ORDO_STATUS_DISRUPTED, "a copy does not see the mark", NULL);
    expect(ordo_start_look(&copy, NULL) == ORDO_E_DISRUPTED, "a look passes over the mark", NULL);
    ordo_close(&handle);
    return atomic_load(&violations) > 0;
}
