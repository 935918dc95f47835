/* Linked to every program of Criterion's tests, to report tests that end too early. Criterion counts a test as passed
 * even if its process exits with status 0 in the middle of the test: by exit(0), by _exit(0), by exec of another
 * program, or by a coroutine that returns without a context to continue. The runner can recognise such a test: its
 * reported time is 0, because a test reports its time at its end; a test that ended in its teardown has no POST_FINI
 * event.
 *
 * Criterion says nothing about a skipped test. The hook POST_TEST prints its name and reason for tests/skips.sh. */
#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Ends every test with its runner: CTest kills the runner at its timeout, and a test that hangs must not survive it. */
__attribute__((constructor)) static void end_with_parent(void)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* A function of LeakSanitizer, NULL if that is not linked: later allocations of this thread are not reported as
 * leaks. */
void __lsan_disable(void) __attribute__((weak));

static pid_t runner;       /* the process of the runner; 0 after its regular end */
static int early, running; /* number of tests that ended early; number of running tests */

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
    if (__lsan_disable) /* the runner leaks; leaks of the tests are still reported */
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
