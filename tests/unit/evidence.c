/* The evidence for the counter of machines that are not here: tests/machines, judged by its table of expected answers. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include <ordo/start/evidence.h>

struct expected {
    char machine[64], trust[16], why[24], source[64];
};

static int read_expected(FILE *table, struct expected *expected)
{
    char line[1024];
    return fgets(line, sizeof line, table) != NULL &&
           sscanf(line, "%63[^\t]\t%15[^\t]\t%23[^\t]\t%63[^\t]", expected->machine, expected->trust, expected->why,
                  expected->source) == 4;
}

static void judge_machine(const char *machine, struct ordo_evidence *evidence, struct ordo_trust_verdict *verdict)
{
    char root[1024];
    (void)snprintf(root, sizeof root, "%s/%s", ORDO_TESTS_MACHINES, machine);
    ordo_evidence_gather(evidence, root);
    ordo_evidence_judge(evidence, verdict);
}

Test(evidence, every_machine_gets_its_class_and_its_reason)
{
    FILE *table = fopen(ORDO_TESTS_MACHINES "/expected.tsv", "r");
    struct expected expected;
    int count = 0;
    cr_assert(table && read_expected(table, &expected), "the table of expected answers cannot be read");
    while (read_expected(table, &expected)) {
        struct ordo_evidence e;
        struct ordo_trust_verdict verdict;
        judge_machine(expected.machine, &e, &verdict);
        cr_expect_str_eq(ordo_trust_word(verdict.trust), expected.trust, "%s: %s (%s), expected %s", expected.machine,
                         ordo_trust_word(verdict.trust), verdict.reason, expected.trust);
        cr_expect_str_eq(ordo_evidence_why_word(verdict.why), expected.why, "%s: %s, expected %s", expected.machine,
                         ordo_evidence_why_word(verdict.why), expected.why);
        cr_expect_str_eq(e.current[0] ? e.current : "unknown", expected.source, "%s", expected.machine);
        count++;
    }
    cr_assert_geq(count, 24);
    (void)fclose(table);
}

Test(evidence, the_reason_of_a_fault_is_the_line_of_the_kernel)
{
    struct ordo_evidence e;
    struct ordo_trust_verdict verdict;
    judge_machine("laptop-cpu0-1600ms", &e, &verdict);
    cr_assert(strstr(verdict.reason, "Measured 3677674845 cycles TSC warp between CPUs"), "%s", verdict.reason);
    judge_machine("framework-hpet-watchdog", &e, &verdict);
    cr_assert(strstr(verdict.reason, "skewed 1711110 ns"), "%s", verdict.reason);
}

/* Returns the gravest statement of two lines. */
static int fault_after(const char *first, const char *second)
{
    struct ordo_evidence e = {.arch = ORDO_ARCH_X86_64, .invariant = 1};
    ordo_evidence_take_line(&e, first);
    ordo_evidence_take_line(&e, second);
    return e.fault;
}

Test(evidence, a_fault_outweighs_a_boot_parameter)
{
    const char *parameter = "[    0.000000] tsc: Marking TSC unstable due to boot parameter";
    const char *warp = "[    0.298804] Measured 55060 cycles TSC warp between CPUs, turning off TSC clock.";
    cr_assert_eq(fault_after(parameter, warp), ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_after(warp, parameter), ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_after(parameter, "[    1.0] clocksource: Switched to clocksource kvm-clock"),
                 ORDO_FAULT_PREFERENCE);
}

static int fault_of(const char *line)
{
    return fault_after(line, line);
}

Test(evidence, only_the_kernel_accuses_the_counter)
{
    cr_assert_eq(fault_of("4,7,1,-;tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("4,7,1,-,caller=T1;tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("12,7,1,-;tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("12,7,1,-;0,8,1,-;tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("<4>[   1.5] tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("<12>[   1.5] tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("kern  :warn  : [   1.5] tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("user  :warn  : [   1.5] tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("Jan 04 10:15:43 host kernel: tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("Jan 04 10:15:43 host a: kernel: tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[   1.5][  T77] tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_MEASURED);
    cr_assert_eq(fault_of("[   1.5] systemd[1]: tsc: Marking TSC unstable due to clocksource watchdog"),
                 ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[   1.5] app: tsc: Marking TSC unstable due to clocksource watchdog"), ORDO_FAULT_NONE);
}

Test(evidence, other_clocks_may_be_unstable)
{
    cr_assert_eq(
        fault_of("[ 3.0] clocksource: timekeeping watchdog on CPU3: Marking clocksource 'hpet' as unstable because the "
                 "skew is too large:"),
        ORDO_FAULT_NONE);
    cr_assert_eq(
        fault_of(
            "[ 3.0] clocksource:    Clocksource 'hpet' skewed 5 ns (0 ms) over watchdog 'tsc' interval of 9 ns (0 ms)"),
        ORDO_FAULT_NONE);
    cr_assert_eq(
        fault_of("[ 3.0] sched_clock: Marking unstable (8996101633485, 42749061)<-(8996259532949, -115136521)"),
        ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[ 3.0] TSC synchronization [CPU#0 -> CPU#1]: passed"), ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[ 3.0] clocksource: Marking clocksource hpet unstable due to frequency skew"),
                 ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[ 3.0] clocksource: Watchdog remote CPU 3 read timed out"), ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[ 3.0] app: CPUs 5 behind CPU 11 for clocksource tsc."), ORDO_FAULT_NONE);
}

Test(evidence, the_watchdog_is_understood_in_all_its_words)
{
    const char *lines[] = {
        "[ 3.0] Clocksource tsc unstable (delta = -131624372 ns)",
        "[ 3.0] clocksource: timekeeping watchdog: Marking clocksource 'tsc' as unstable because the skew is too "
        "large:",
        "[ 3.0] clocksource: timekeeping watchdog on CPU0: Marking clocksource 'tsc-early' as unstable because the "
        "skew is "
        "too large:",
        "[ 3.0] clocksource:       Clocksource 'tsc' skewed 1711110 ns (1 ms) over watchdog 'hpet' interval of 503 ns "
        "(0 ms)",
        "[ 3.0] clocksource:         CPUs 5 behind CPU 11 for clocksource tsc.",
        "[ 3.0] clocksource:         CPUs 5-7 ahead of CPU 11 for clocksource tsc.",
        "[ 3.0] clocksource: Marking clocksource tsc unstable due to frequency skew",
        "[ 3.0] clocksource: Marking clocksource tsc unstable due to inter CPU skew",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_assert_eq(fault_of(lines[i]), ORDO_FAULT_MEASURED, "%s", lines[i]);
}
