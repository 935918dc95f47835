/* A machine's statements about its counter before any measurement, and the class of trust that follows.
 *
 * There are three witnesses: the processor (CPUID: does the counter keep its rate?), the kernel (its list of clock
 * sources, its command line, its log) and the hypervisor. Their statements are ranked:
 *
 *  E1  If the kernel's log contains a measured fault of the counter, a warp between CPUs or a skew against the
 *      watchdog, the class is faulted. No later measurement outweighs this evidence.
 *  E2  If the processor does not promise a constant rate, the class is incapable, because a measurement then says
 *      nothing about the next minute.
 *  E3  The kernel may mark the counter as unstable for a reason that it did not measure. A reason that names a boot
 *      parameter or a hypervisor is a decision about which clock to prefer. Any other reason counts as a fault. A mark
 *      without any reason, in the log or in a boot parameter, also counts as a fault.
 *  E4  If the counter is in the kernel's list of clock sources, the kernel would use it, and the class is vouched. (A
 *      kernel with nohz=off and highres=off also lists unstable sources; in this case the counter must be the current
 *      source.)
 *  E5  In all other cases the kernel neither lists the counter nor saw a fault, and the class is measured. The trust
 *      then rests on the calibration alone, which has to pass stricter gates.
 *
 * Only lines of the kernel itself count: /dev/kmsg states the facility of each record, and programs cannot write
 * records with the kernel's facility. A log that cannot be read, has an unknown format, or has lost its beginning
 * counts as a log without a fault, so that E5 may apply.
 *
 * Header only, C11 and C++11; needs only the C library. ordo_evidence_gather reads the live machine, or a directory
 * with the files of another machine (tests/machines/README.md). ordo_evidence_judge is a pure function.
 */
#ifndef ORDO_START_EVIDENCE_H
#define ORDO_START_EVIDENCE_H

#include <ordo/start/kernel.h>
#include <ordo/start/processor.h>

/** The reason for a class. Each comment contains the reason's name in machine-readable output, and the resulting
 * class. */
enum ordo_evidence_why {
    ORDO_WHY_LISTED,       /* "listed": vouched */
    ORDO_WHY_PARAMETER,    /* "boot-parameter": measured */
    ORDO_WHY_HYPERVISOR,   /* "hypervisor": measured; the kernel prefers the hypervisor's clock */
    ORDO_WHY_UNREADABLE,   /* "unreadable": measured; the list or the log cannot be read */
    ORDO_WHY_SILENT,       /* "silent": measured; the kernel states no reason */
    ORDO_WHY_FAULT,        /* "fault": faulted */
    ORDO_WHY_NOT_INVARIANT /* "not-invariant": incapable */
};

/** The class of trust, and the reason for it. */
struct ordo_trust_verdict {
    int trust;        /* enum ordo_trust_class */
    int why;          /* enum ordo_evidence_why */
    char reason[240]; /* one line */
};

static inline const char *ordo_evidence_why_word(int why)
{
    static const char *const words[] = {"listed", "boot-parameter", "hypervisor",   "unreadable",
                                        "silent", "fault",          "not-invariant"};
    return why >= 0 && why <= ORDO_WHY_NOT_INVARIANT ? words[why] : "unknown";
}

/** Asks all witnesses of the live machine, if `root` is NULL or "", or reads their answers from the directory `root`. A
 * statement that cannot be read stays empty. Takes a few milliseconds, mostly for the log. Needs 32 KiB of stack.
 * Thread-safe. */
static inline void ordo_evidence_gather(struct ordo_evidence *e, const char *root)
{
    int fd;
    root = root ? root : "";
    memset(e, 0, sizeof *e);
    ordo_evidence_ask_processor(e, root);
    ordo_evidence_read_sources(e, root);
    ordo_evidence_read_parameters(e, root);
    ordo_evidence_read_log(e, root);
    fd = ordo_evidence_open(root, "/dev/vmclock0");
    e->vmclock = fd >= 0;
    if (fd >= 0)
        (void)close(fd);
}

/** True if the kernel lists the counter as a clock source that it would use (E4). */
static inline int ordo_evidence_listed(const struct ordo_evidence *e)
{
    const char *source = ordo_evidence_source(e->arch);
    return ordo_evidence_has_word(e->available, source) && (!e->lists_all || strcmp(e->current, source) == 0);
}

/* True if a boot parameter prevents the kernel from using the counter. */
static inline int ordo_evidence_refused_at_boot(const struct ordo_evidence *e)
{
    return ordo_evidence_has_word(e->parameters, "tsc=unstable") || ordo_evidence_has_word(e->parameters, "notsc");
}

/* True if the kernel marked the counter for a reason that it did not measure, and the reason is not a preference
 * (E3). */
static inline int ordo_evidence_stated(const struct ordo_evidence *e)
{
    return e->fault == ORDO_FAULT_STATED || (e->fault == ORDO_FAULT_MARKED && !ordo_evidence_refused_at_boot(e));
}

static inline int ordo_evidence_why_unlisted(const struct ordo_evidence *e)
{
    if (e->fault == ORDO_FAULT_PREFERENCE && !strstr(e->line, "boot parameter"))
        return ORDO_WHY_HYPERVISOR;
    if (e->fault == ORDO_FAULT_PREFERENCE || ordo_evidence_refused_at_boot(e))
        return ORDO_WHY_PARAMETER;
    if (!e->available[0] || e->log != ORDO_LOG_WHOLE)
        return ORDO_WHY_UNREADABLE;
    return e->hypervisor ? ORDO_WHY_HYPERVISOR : ORDO_WHY_SILENT;
}

/* Returns a sentence that says why the log gives no reason. */
static inline const char *ordo_evidence_log_sentence(const struct ordo_evidence *e)
{
    static const char *const sentences[] = {
        "its log, which would say why, is for root or CAP_SYSLOG",
        "its log has no form of a log that is known: show it as dmesg or journalctl -k prints it",
        "its log shows no fault, but does not begin with a boot of Linux", "it states no reason and saw no fault"};
    return e->lost ? "its log shows no fault, but has lost records" : sentences[e->log];
}

static inline void ordo_evidence_explain_unlisted(const struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    char list[56], words[100];
    const char *because;
    ordo_evidence_fit(list, sizeof list, e->available);
    ordo_evidence_fit(words, sizeof words, e->line[0] ? e->line : e->parameters);
    because = e->line[0] || verdict->why == ORDO_WHY_PARAMETER ? words : ordo_evidence_log_sentence(e);
    (void)snprintf(verdict->reason, sizeof verdict->reason, "%s%s%s%s%s%s",
                   e->available[0] ? "the kernel does not list it (available: "
                                   : "the kernel's list of clock sources cannot be read; ",
                   list, e->available[0] ? "); " : "",
                   because != words ? ""
                   : e->line[0]     ? "it says \""
                                    : "its boot parameters are \"",
                   because, because == words ? "\"" : "");
}

static inline void ordo_evidence_explain_fault(const struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    char line[111], skew[102] = "";
    ordo_evidence_fit(line, sizeof line, e->line);
    if (strcmp(e->skew, e->line) != 0)
        ordo_evidence_fit(skew, sizeof skew, e->skew);
    (void)snprintf(verdict->reason, sizeof verdict->reason, "the kernel saw a fault: %s%s%s", line, skew[0] ? " " : "",
                   skew);
}

/** Judges the evidence, by the rules E1 to E5 at the head of this file. A pure function. */
static inline void ordo_evidence_judge(const struct ordo_evidence *e, struct ordo_trust_verdict *verdict)
{
    memset(verdict, 0, sizeof *verdict);
    if (e->fault == ORDO_FAULT_MEASURED || (ordo_evidence_stated(e) && e->invariant && !e->trapped)) { /* E1, E3 */
        verdict->trust = ORDO_TRUST_FAULTED;
        verdict->why = ORDO_WHY_FAULT;
        ordo_evidence_explain_fault(e, verdict);
    } else if (!e->invariant) { /* E2 */
        verdict->trust = ORDO_TRUST_INCAPABLE;
        verdict->why = ORDO_WHY_NOT_INVARIANT;
        (void)snprintf(verdict->reason, sizeof verdict->reason, "%s",
                       e->arch == ORDO_ARCH_OTHER
                           ? "no counter of this architecture is known"
                           : "the processor does not promise a constant rate (CPUID: no invariant TSC)");
    } else if (ordo_evidence_listed(e)) { /* E4 */
        verdict->trust = ORDO_TRUST_VOUCHED;
        verdict->why = ORDO_WHY_LISTED;
        (void)snprintf(verdict->reason, sizeof verdict->reason,
                       "the processor promises a constant rate, and the kernel lists it (it uses %.60s)", e->current);
    } else { /* E5 */
        verdict->trust = ORDO_TRUST_MEASURED;
        verdict->why = ordo_evidence_why_unlisted(e);
        ordo_evidence_explain_unlisted(e, verdict);
    }
}

/** Gathers the evidence and judges it. Returns the class of trust in this machine's counter: enum ordo_trust_class. */
static inline int ordo_evidence_class(struct ordo_trust_verdict *verdict)
{
    struct ordo_evidence evidence;
    ordo_evidence_gather(&evidence, NULL);
    ordo_evidence_judge(&evidence, verdict);
    return verdict->trust;
}

#endif
