/* The consequences of a verdict on the clock, and the findings in a kernel log. evidence.c tests the machines of
 * tests/machines. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/counter/trust.h"

static struct ordo_evidence server(const char *available)
{
    struct ordo_evidence evidence = {.arch = ORDO_ARCH_X86_64, .invariant = 1, .log = ORDO_LOG_WHOLE};
    (void)snprintf(evidence.available, sizeof evidence.available, "%s", available);
    return evidence;
}

static struct ordo_trust_verdict judged(const struct ordo_evidence *evidence)
{
    struct ordo_trust_verdict verdict;
    ordo_evidence_judge(evidence, &verdict);
    return verdict;
}

static int class_of(const struct ordo_evidence *evidence)
{
    return judged(evidence).trust;
}

/* Returns the class of trust after one line of the log. */
static int class_after(struct ordo_evidence evidence, const char *line)
{
    ordo_evidence_take_line(&evidence, line);
    return class_of(&evidence);
}

Test(trust, a_counter_in_the_kernels_list_is_vouched_for)
{
    struct ordo_evidence listed[] = {server("tsc kvm-clock hpet"), server("kvm-clock tsc"), server("tsc")};
    struct ordo_evidence others[] = {server("kvm-clock hpet acpi_pm"), server("tsc-early hpet"),
                                     server("hyperv_clocksource_tsc_page"), server("art-tsc hpet"), server("")};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        cr_assert_eq(class_of(&listed[i]), ORDO_TRUST_VOUCHED, "%s", listed[i].available);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_eq(class_of(&others[i]), ORDO_TRUST_MEASURED, "%s", others[i].available);
}

Test(trust, a_complete_list_vouches_only_for_the_used_source)
{
    struct ordo_evidence evidence = server("tsc hpet acpi_pm");
    evidence.lists_all = 1;
    strcpy(evidence.current, "hpet");
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_MEASURED);
    strcpy(evidence.current, "tsc");
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_VOUCHED);
}

Test(trust, an_unknown_architecture_is_incapable)
{
    struct ordo_evidence evidence = {.arch = ORDO_ARCH_OTHER};
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_INCAPABLE);
}

Test(trust, no_device_except_the_log_is_read)
{
    struct stat file = {.st_mode = S_IFREG}, fifo = {.st_mode = S_IFIFO}, terminal = {.st_mode = S_IFCHR},
                log = {.st_mode = S_IFCHR, .st_rdev = ORDO_EVIDENCE_KMSG};
    cr_assert(ordo_evidence_may_read(&file, "") && ordo_evidence_may_read(&file, "/machine"));
    cr_assert(ordo_evidence_may_read(&log, "") && !ordo_evidence_may_read(&log, "/machine"));
    cr_assert(!ordo_evidence_may_read(&terminal, "") && !ordo_evidence_may_read(&fifo, ""));
}

Test(trust, a_processor_without_constant_rate_is_incapable)
{
    struct ordo_evidence evidence = server("tsc");
    evidence.invariant = 0;
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_INCAPABLE);
}

Test(trust, a_measured_fault_outweighs_the_list_and_the_processor)
{
    const char *faults[] = {
        "[    0.512345] TSC synchronization [CPU#0 -> CPU#1]: Measured 55060 cycles TSC warp between CPUs, turning off "
        "TSC clock.",
        "[    0.512345] Measured 3677674845 cycles TSC warp between CPUs, turning off TSC clock.",
        "[    0.512346] tsc: Marking TSC unstable due to check_tsc_sync_source failed",
        "[  314.000000] clocksource: timekeeping watchdog on CPU3: Marking clocksource 'tsc' as unstable because the "
        "skew is too large:",
        "[  314.000000] clocksource: timekeeping watchdog on CPU3: Marking clocksource 'tsc-early' as unstable because "
        "the skew is too large:",
        "[  314.000001] tsc: Marking TSC unstable due to clocksource watchdog",
        "4,812,314000001,-;tsc: Marking TSC unstable due to clocksource watchdog",
        "[    9.1] Clocksource tsc unstable (delta = 62500000 ns)",
        "[    9.1] clocksource:         CPUs 1-3 behind CPU 0 for clocksource tsc.",
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct ordo_evidence bad = server("tsc");
        cr_assert_eq(class_after(bad, faults[i]), ORDO_TRUST_FAULTED, "%s", faults[i]);
        bad.invariant = 0;
        cr_assert_eq(class_after(bad, faults[i]), ORDO_TRUST_FAULTED, "%s", faults[i]);
    }
}

Test(trust, a_preference_of_the_kernel_is_no_fault)
{
    const char *lines[] = {
        "[    0.000000] tsc: Marking TSC unstable due to boot parameter",
        "[    0.000000] tsc: Marking TSC unstable due to running on Hyper-V",
        "[    1.000000] clocksource: timekeeping watchdog on CPU0: Marking clocksource 'hpet' as unstable because the "
        "skew is too large:",
        "[    1.000000] clocksource:                       'tsc' cs_nsec: 501 cs_now: 7 cs_last: 5 mask: "
        "ffffffffffffffff",
        "[    1.000000] clocksource: Switched to clocksource kvm-clock",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_assert_eq(class_after(server("kvm-clock"), lines[i]), ORDO_TRUST_MEASURED, "%s", lines[i]);
}

Test(trust, an_unstable_mark_without_a_known_reason_is_a_fault)
{
    cr_assert_eq(class_after(server("hpet"), "[    2.0] tsc: Marking TSC unstable due to TSC halts in idle"),
                 ORDO_TRUST_FAULTED);
    struct ordo_evidence old = server("hpet");
    old.invariant = 0;
    cr_assert_eq(class_after(old, "[    2.0] tsc: Marking TSC unstable due to TSC halts in idle"), ORDO_TRUST_INCAPABLE,
                 "the processor's word comes before the log's");
}

Test(trust, log_lines_of_programs_do_not_count)
{
    const char *forged[] = {
        "12,99,5,-;tsc: Marking TSC unstable due to clocksource watchdog",
        "[    5.0] logger[731]: tsc: Marking TSC unstable due to clocksource watchdog",
    };
    for (size_t i = 0; i < sizeof forged / sizeof *forged; i++)
        cr_assert_eq(class_after(server("tsc"), forged[i]), ORDO_TRUST_VOUCHED, "%s", forged[i]);
}

Test(trust, the_reason_of_a_fault_quotes_the_kernel)
{
    struct ordo_evidence evidence = server("hpet");
    ordo_evidence_take_line(&evidence,
                            "[    1.0] clocksource: timekeeping watchdog on CPU3: Marking clocksource 'tsc' as "
                            "unstable because the skew is too large:");
    ordo_evidence_take_line(&evidence,
                            "[    1.0] clocksource: Clocksource 'tsc' skewed 501 ns (0 ms) over watchdog 'hpet'");
    ordo_evidence_take_line(&evidence, "[    1.0] tsc: Marking TSC unstable due to clocksource watchdog");
    struct ordo_trust_verdict verdict = judged(&evidence);
    cr_assert(strstr(verdict.reason, "timekeeping watchdog on CPU3"), "%s", verdict.reason);
    cr_assert(strstr(verdict.reason, "skewed 501 ns"), "%s", verdict.reason);
    struct ordo_error error;
    cr_assert_eq(ordo_trust_check(&verdict, &error), ORDO_E_REFUTED);
    cr_assert(strstr(error.text, "faulted"), "%s", error.text);
}

Test(trust, only_vouched_and_measured_clocks_may_be_used)
{
    struct ordo_error error;
    for (int trust = ORDO_TRUST_NONE; trust <= ORDO_TRUST_INCAPABLE; trust++) {
        struct ordo_trust_verdict verdict = {.trust = trust};
        bool may = trust == ORDO_TRUST_VOUCHED || trust == ORDO_TRUST_MEASURED;
        cr_assert_eq(ordo_trust_check(&verdict, &error), may ? ORDO_OK : ORDO_E_REFUTED, "%s", ordo_trust_word(trust));
    }
}

Test(trust, a_delisted_clock_is_faulted)
{
    struct ordo_evidence evidence = server("hpet acpi_pm");
    struct ordo_trust_verdict verdict = judged(&evidence), again = verdict;
    cr_assert_eq(verdict.trust, ORDO_TRUST_MEASURED);
    ordo_trust_recheck(&evidence, ORDO_FLAG_MEASURED, &verdict);
    cr_assert_eq(verdict.trust, ORDO_TRUST_MEASURED, "the counter was not listed before");
    ordo_trust_recheck(&evidence, ORDO_FLAG_HYPERVISOR, &again);
    cr_assert_eq(again.trust, ORDO_TRUST_FAULTED);
    struct ordo_evidence hidden = server("");
    again = judged(&hidden);
    ordo_trust_recheck(&hidden, 0, &again);
    cr_assert_eq(again.trust, ORDO_TRUST_MEASURED, "an unreadable list proves nothing");
}

Test(trust, a_forced_record_is_refused_once_trust_is_worse)
{
    const uint64_t flags[] = {ORDO_FLAG_FORCED | ORDO_FLAG_VOUCHED, ORDO_FLAG_FORCED | ORDO_FLAG_MEASURED,
                              ORDO_FLAG_FORCED | ORDO_FLAG_FAULTED, ORDO_FLAG_FORCED | ORDO_FLAG_INCAPABLE};
    for (int record = 0; record < 4; record++)
        for (int trust = ORDO_TRUST_VOUCHED; trust <= ORDO_TRUST_INCAPABLE; trust++) {
            struct ordo_trust_verdict verdict = {.trust = trust};
            cr_assert_eq(ordo_trust_excused(flags[record], &verdict), trust <= ORDO_TRUST_VOUCHED + record);
            cr_assert(!ordo_trust_excused(flags[record] & ~(uint64_t)ORDO_FLAG_FORCED, &verdict));
        }
    cr_assert_eq(ordo_trust_of_flags(ORDO_FLAG_FORCED), ORDO_TRUST_NONE,
                 "the record is of an older writer, without classes");
    cr_assert_eq(ordo_trust_of_flags(ORDO_FLAG_HYPERVISOR), ORDO_TRUST_VOUCHED);
}

Test(trust, new_lines_of_a_growing_log_are_read)
{
    char path[] = "/tmp/ordo-log-XXXXXX";
    int writer = mkstemp(path), reader = open(path, O_RDONLY);
    static const char first[] = "[    0.000000] Linux version\n[    0.1] clocksource: Switched to clocksource tsc\n",
                      then[] = "[  99.0] tsc: Marking TSC unstable due to clocksource watchdog\n";
    struct ordo_evidence evidence = server("tsc");
    evidence.log = ORDO_LOG_UNREADABLE;
    cr_assert_eq(write(writer, first, sizeof first - 1), (ssize_t)(sizeof first - 1));
    ordo_evidence_follow_log(&evidence, reader);
    cr_assert_eq(evidence.log, ORDO_LOG_WHOLE);
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_VOUCHED);
    cr_assert_eq(write(writer, then, sizeof then - 1), (ssize_t)(sizeof then - 1));
    ordo_evidence_follow_log(&evidence, reader);
    cr_assert_eq(class_of(&evidence), ORDO_TRUST_FAULTED);
    (void)unlink(path);
    (void)close(writer);
    (void)close(reader);
}
