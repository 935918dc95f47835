/* The evidence for the counters of the machines in tests/machines, compared with the table of expected answers
 * there. */
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

Test(evidence, the_hypervisors_name_loses_trailing_blanks)
{
    struct ordo_evidence e;
    memset(&e, 0, sizeof e);
    /* "bhyve bhyve " in EBX, ECX and EDX */
    ordo_evidence_ask_hypervisor(&e, "40000000 00000000 40000001 76796862 68622065 20657679\n");
    cr_assert_str_eq(e.hypervisor_name, "bhyve bhyve");
}

Test(evidence, every_recorded_machine_gets_the_expected_verdict)
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

Test(evidence, only_lines_of_the_kernel_count_as_faults)
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

/* A cut reason ends in "...", and the word before it must be complete. */
Test(evidence, a_long_line_is_cut_between_words)
{
    struct ordo_evidence e = {.arch = ORDO_ARCH_X86_64, .invariant = 1};
    struct ordo_trust_verdict verdict;
    ordo_evidence_take_line(&e, "[ 3.0] clocksource: timekeeping watchdog on CPU227: Marking clocksource 'tsc' as "
                                "unstable because the skew is too large:");
    ordo_evidence_take_line(&e,
                            "[ 3.0] clocksource:  Clocksource 'tsc' skewed 1234567890123456 ns (1234567890 ms) over "
                            "watchdog 'refined-jiffies' interval of 1234567890123 ns (1234567890 ms)");
    ordo_evidence_judge(&e, &verdict);
    size_t length = strlen(verdict.reason);
    cr_assert_str_eq(verdict.reason + length - 3, "...", "%s", verdict.reason);
    cr_assert(strstr(verdict.reason, "skewed 1234567890123456 ns"), "%s", verdict.reason);
    cr_assert_null(strstr(verdict.reason, "123..."), "%s", verdict.reason);
}

/* Judges a machine whose kernel log is `log`, and which has no list of clock sources. */
static void judge_log(const char *log, struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    char text[512];
    (void)snprintf(text, sizeof text, "%s", log);
    *e = (struct ordo_evidence){.arch = ORDO_ARCH_X86_64, .invariant = 1, .available = "hpet"};
    (void)ordo_evidence_take_lines(e, text);
    ordo_evidence_judge(e, verdict);
}

Test(evidence, a_log_without_the_begin_of_the_boot_is_incomplete)
{
    struct ordo_evidence e;
    struct ordo_trust_verdict verdict;
    judge_log("[    0.000000] Starting gVisor...\n[    0.312004] Digging up root...\n", &e, &verdict);
    cr_assert_eq(e.log, ORDO_LOG_PARTIAL);
    cr_assert(strstr(verdict.reason, "does not begin with a boot of Linux"), "%s", verdict.reason);
    judge_log("[    0.000000] microcode: updated early\n[    0.000000] Linux version 6.1\n", &e, &verdict);
    cr_assert_eq(e.log, ORDO_LOG_WHOLE);
    judge_log("Linux version 6.1\nReady\n", &e, &verdict);
    cr_assert_eq(e.log, ORDO_LOG_WHOLE, "dmesg --notime");
    judge_log("{\"MESSAGE\": \"Linux version 6.1\"}\n", &e, &verdict);
    cr_assert_eq(e.log, ORDO_LOG_UNREADABLE);
}

Test(evidence, an_unknown_log_format_is_reported)
{
    struct ordo_evidence e;
    struct ordo_trust_verdict verdict;
    judge_machine("log-json", &e, &verdict);
    cr_assert_eq(e.log, ORDO_LOG_FORMLESS);
    cr_assert(strstr(verdict.reason, "no form of a log that is known"), "%s", verdict.reason);
}

Test(evidence, every_log_format_is_read)
{
    static const char *const before[] = {"Sep 05 21:59:31 host kernel: ",
                                         "Sep 05 21:59:31.123456 host kernel: ",
                                         "Fri 2025-09-05 21:59:31 UTC host kernel: ",
                                         "2025-09-05T21:59:31+0000 host kernel: ",
                                         "2025-09-05T21:59:31.123456+00:00 host kernel: [   67.771161] ",
                                         "1757109571.123456 host kernel: ",
                                         "[    0.812345] host kernel: ",
                                         "[Sep 5 21:59] ",
                                         "[  +0.000003] ",
                                         "[    0.812345 <    0.000003>] ",
                                         "2025-09-05T21:59:31,123456+00:00 ",
                                         "kern  :warn  : [    0.812345] ",
                                         "kern  :warn  : 2025-09-05T21:59:31,123456+00:00 ",
                                         "\033[32m[    0.812345] \033[0m\033[33m",
                                         "<4>[    0.812345][    C0] ",
                                         "4,210,80000,-;"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct ordo_evidence e;
        struct ordo_trust_verdict verdict;
        char log[512];
        (void)snprintf(log, sizeof log,
                       "%sLinux version 6.1\n%sMeasured 5 cycles TSC warp between CPUs, turning off.\r\n", before[i],
                       before[i]);
        judge_log(log, &e, &verdict);
        cr_expect_eq(e.log, ORDO_LOG_WHOLE, "%s", before[i]);
        cr_expect_eq(e.fault, ORDO_FAULT_MEASURED, "%s", before[i]);
        cr_expect_str_eq(e.line, "Measured 5 cycles TSC warp between CPUs, turning off.");
    }
}

Test(evidence, another_log_line_may_explain_an_unexplained_mark)
{
    const char *override = "[ 9.0] clocksource: Override clocksource tsc is unstable and not HRT compatible - cannot "
                           "switch while in HRT/NOHZ mode";
    cr_assert_eq(fault_of(override), ORDO_FAULT_MARKED);
    cr_assert_eq(fault_of("[ 9.0] kvm: SMP vm created on host with unstable TSC; guest TSC will not be reliable"),
                 ORDO_FAULT_MARKED);
    cr_assert_eq(fault_after(override, "[ 0.0] tsc: Marking TSC unstable due to running on Hyper-V"),
                 ORDO_FAULT_PREFERENCE);
    cr_assert_eq(fault_after("[ 0.0] Marking TSC unstable due to: cpufreq changes.", override), ORDO_FAULT_STATED);
    cr_assert_eq(fault_of("[ 9.0] clocksource: Override clocksource hpet is unstable and not HRT compatible"),
                 ORDO_FAULT_NONE);
    cr_assert_eq(fault_of("[ 9.0] clocksource: Override clocksource tsc is not currently HRT compatible - deferring"),
                 ORDO_FAULT_NONE);
}

Test(evidence, the_last_boot_parameters_are_kept)
{
    struct ordo_evidence e;
    struct ordo_trust_verdict verdict;
    judge_machine("parameters-many", &e, &verdict);
    cr_assert(ordo_evidence_has_word(e.parameters, "tsc=reliable"), "%s", e.parameters);
    cr_assert(ordo_evidence_has_word(e.parameters, "clocksource=acpi_pm"), "%s", e.parameters);
    cr_assert_null(strstr(e.parameters, "hpet"), "the kernel takes the last: %s", e.parameters);
}

Test(evidence, a_cpuid_line_has_six_32_bit_numbers)
{
    uint32_t out[6];
    cr_assert_eq(ordo_evidence_cpuid_line("80000007 00000000 0 0 0 100\n", out), 1);
    cr_assert_eq(out[5], 0x100);
    cr_assert_eq(ordo_evidence_cpuid_line("   0x80000007 0x00: eax=0x00000000 ebx=0x1 ecx=0x2 edx=0x00000100\r\n", out),
                 1);
    cr_assert_eq(out[4], 2);
    cr_assert_eq(ordo_evidence_cpuid_line("CPU 0:\n", out), 0);
    cr_assert_eq(ordo_evidence_cpuid_line("", out), 0);
    static const char *const wrong[] = {"80000007 0 0 0 0",
                                        "80000007 0 0 0 0 100 7",
                                        "80000007 0 0 0 0 100000000",
                                        "80000007 0 0 0 0 10g",
                                        "80000007 0 0 0 0 -1",
                                        "80000007 0: 0 0 0 100",
                                        "80000007 0x00: eax=0x0 ebx=0x0 edx=0x100 ecx=0x0",
                                        "0x80000007: eax=0x0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(ordo_evidence_cpuid_line(wrong[i], out), -1, "%s", wrong[i]);
}

Test(evidence, faults_of_other_clocks_do_not_count)
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

Test(evidence, every_message_of_the_watchdog_is_understood)
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
