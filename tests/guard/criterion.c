/* Linked to every program of Criterion's tests. Criterion counts a test as passed if its process ends with status 0 in the middle:
 * exit(0), _exit(0), exec of another program, a coroutine that returns without a context to continue. Its runner sees the
 * difference: such a test took no time, because the end of a test reports the time; and a test that ended in its teardown has no
 * POST_FINI.
 *
 * Criterion is silent about a test that was skipped. Here it is named, with its reason, for tests/skips.sh. */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* A test that hangs does not outlive its runner, which is killed when its time is over. */
__attribute__((constructor)) static void end_with_parent(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* LeakSanitizer's, if it is linked: later allocations of this thread may leak. */
void __lsan_disable(void) __attribute__((weak));

static pid_t runner;       /* until it has come to its own end */
static int early, running; /* tests */

static void check(void)
{
    if (getpid() == runner)
        fprintf(stderr, "guard: the runner of the tests ended before its end\n");
    else if (!early)
        return;
    (void)fflush(NULL);
    _exit(EXIT_FAILURE);
}

ReportHook(PRE_ALL)(struct criterion_test_set *tests)
{
    (void)tests;
    runner = getpid();
    if (__lsan_disable) /* the runner's leaks are Criterion's own; each test is a process that is begun anew, and still held to it */
        __lsan_disable();
    if (atexit(check))
        _exit(EXIT_FAILURE);
}

ReportHook(PRE_INIT)(struct criterion_test *test)
{
    (void)test;
    running++;
}

ReportHook(POST_TEST)(struct criterion_test_stats *stats)
{
    if (stats->test_status == CR_STATUS_SKIPPED)
        printf("[SKIP] %s::%s: %s\n", stats->test->category, stats->test->name,
               stats->message ? stats->message : "no reason");
    if (stats->test_status != CR_STATUS_PASSED || stats->elapsed_time > 0)
        return;
    fprintf(stderr, "guard: %s::%s ended before its end, with status 0\n", stats->test->category, stats->test->name);
    early++;
}

ReportHook(POST_FINI)(struct criterion_test_stats *stats)
{
    (void)stats;
    running--;
}

ReportHook(TEST_CRASH)(struct criterion_test_stats *stats)
{
    (void)stats;
    running--;
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
    runner = 0;
    if (running == 0 || stats->tests_crashed > 0)
        return;
    fprintf(stderr, "guard: %d tests ended in their teardown\n", running);
    early += running;
}
