/* A handle without root, without a boot unit and without a file.
 *
 *     struct ordo o;
 *     struct ordo_error error;
 *     if (ordo_start(&o, &error) == 0) { ... ordo_cmp_time(&o, a, b) ... ordo_close(&o); }
 *
 * ordo_start opens the published record if there is a usable one. Otherwise it calibrates in this process, in about
 * 60 ms on a few CPUs, and the handle is *private* (ORDO_FLAG_PRIVATE): nothing is written, and no other process sees
 * it.
 *
 * A private handle is weaker than a published record in four respects:
 *
 *  - It covers the CPUs that the calling thread could run on. Call ordo_start before threads are restricted, or from
 *    the thread with the most CPUs.
 *  - It does not exclude drift. Two sweeps 50 ms apart prove a drift below a few ppm, whereas the calibration of a
 *    measured clock proves less than 1 ppm over 10 s. Clocks that drift apart by 1 ppm are 1 us apart after a second.
 *    Therefore a program must call ordo_start_look each second if its handle is not vouched for (ordo_trust), and
 *    should if it is.
 *  - tick_hz has an error of a few ppm: use it for display.
 *  - It belongs to this process. A fork copies it: the child's handle holds, with the mark that it had at the fork, and
 *    the child must call ordo_start_look for itself.
 *
 * The boundary itself is proved as the boundary of a record is: the largest delta of any pair and direction, plus the
 * granule. The boundary holds for the clocks as they were in the last round. From the last short block of that round to
 * the return, while the threads end, about 0.2 ms pass on idle CPUs, and more if the calling thread gets no CPU. A step
 * in that time is left to ordo_start_look, as a later one is. With more than two CPUs, that time begins earlier for
 * some of them: with an odd number, by one round (1 to 2.7 ms) for the CPU that sits out the last round; and if CPUs
 * are busy, by the repetition of a pair for the other CPUs of its round. A last round with a repetition is therefore
 * measured again, up to three times.
 *
 * This header is not part of ordo.h, because it needs threads: link with -pthread if the C library is older than glibc
 * 2.34. The proofs are in start/: pair.h, sweep.h and measure.h. */
#ifndef ORDO_START_H
#define ORDO_START_H

#include <ordo/ordo.h>
#include <ordo/start/look.h>

/** Opens the published record, or calibrates in this process if the record cannot be used.
 *
 * Every refusal of ordo_open leads to a measurement, because the measurement relies on nothing that the record says. A
 * record that is missing, expired, damaged, of another boot or clock, not this user's, or without one of these CPUs
 * says nothing against the clocks. A record that was withdrawn does (ORDO_E_DISRUPTED, ORDO_E_RATE, a suspend): in this
 * case the sweeps are a second apart rather than 50 ms, the offsets must not have moved by more than their latencies
 * meanwhile, and the evidence must hold no fault. A clock that stepped once and has been steady since passes, with a
 * boundary that includes the step.
 *
 * Two faults of the counter are not refused. First, a record that was forced in spite of a fault is opened, as by
 * ordo_open; ordo_trust and ordo_flags say so. Second, a process that may not read the kernel's log (in a container, or
 * without CAP_SYSLOG) does not see a fault that only the log states: its handle is then of the class measured, if the
 * kernel does not list the counter.
 *
 * Returns 0, and then for a private handle `error` says in `text` why there was no record (its code is 0); or
 *
 * - ORDO_E_REFUTED: the kernel saw a fault of the counter, the processor does not promise its rate, or the clocks step,
 *   drift, are more than 2^61 ticks apart, or wrap round;
 * - ORDO_E_MEASURE: a CPU did not answer within 2 s and 20 ms for each CPU, or was too busy; the text names it;
 * - ORDO_E_CPUS: the set of CPUs changed during each of three measurements;
 * - ORDO_E_SYSTEM: memory, a thread or an affinity was refused; see errno and the text.
 *
 * `error` may be NULL. Thread-safe for different handles. Starts a thread on each CPU, with all signals blocked, and
 * ends these threads; leaves the caller's affinity and signals as they were. No point of cancellation. Needs 64 KiB of
 * stack. Does not return while one of its threads is stopped, by a debugger, say (start/crew.h). */
ORDO_INLINE int ordo_start(struct ordo *o, struct ordo_error *error)
{
    struct ordo_error refusal;
    int cancel, code, was = ordo_open_error(o, NULL, &refusal);
    if (was == ORDO_OK)
        return ORDO_OK;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    code = ordo_start_privately(o,
                                was == ORDO_E_DISRUPTED || was == ORDO_E_RATE ? (uint64_t)ORDO_START_APART_DOUBTED_NS
                                                                              : (uint64_t)ORDO_START_APART_NS,
                                error);
    (void)pthread_setcancelstate(cancel, NULL);
    if (!code)
        (void)ordo_start_refuse(error, ORDO_OK, 0, "calibrated privately: %.200s", refusal.text);
    return code;
}

/** Checks within milliseconds whether the handle still holds: the kernel's verdict on the counter, its rate, and one
 * round of the pairs of the CPUs that the calling thread may run on. On busy CPUs it takes up to about 400 ms.
 *
 * For a handle of ordo_start or ordo_open. A program calls it each second, from a thread of its own, say; that thread
 * must be able to run on all CPUs of the handle, because the others are not checked.
 *
 * Each call is one "look", which proves an offset of a pair that exceeds the boundary B by more than a latency. Before
 * a step, the offset may have been -B, on the other side. The next look is therefore certain to see the step of one
 * clock only if the step is more than 2B plus a latency; with an odd number of CPUs the second look at the latest,
 * because one CPU sits out each round. A smaller step that takes some pair beyond B by more than a latency is seen when
 * that pair meets: every pair meets once in as many looks as there are CPUs. (The rounds of a published record are
 * chosen at random, not in turn.)
 *
 * Returns 0: nothing speaks against the handle; or
 *
 * - ORDO_E_DISRUPTED: an offset is proved to be outside of [-B, B], the kernel has seen a fault, the rate has changed,
 *   or the machine was suspended. A private handle is marked, so that ordo_status says so for all its copies in the
 *   process. A published record is not marked: only its owner may, with `ordo check --mark` or `ordo watch`;
 * - ORDO_E_SUPERSEDED: nothing speaks against the handle, but there is a newer record;
 * - ORDO_E_CPUS: the calling thread may run on a CPU that the handle does not cover, or one went offline meanwhile;
 * - ORDO_E_MEASURE: a CPU did not answer in 250 ms; nothing is proved, call again;
 * - ORDO_E_INVALID: the handle is not open, or corrected, or of a part of its record's CPUs (ordo_open_cpus,
 *   ordo_open_scope): an offset beyond the boundary of that part may be no fault;
 * - ORDO_E_MALFORMED: the record of the handle was overwritten;
 * - ORDO_E_SYSTEM: see errno and the text.
 *
 * On success `error`, which may be NULL, is empty. Thread-safe, on one handle too, but not against ordo_close. Needs
 * 64 KiB of stack. */
ORDO_INLINE int ordo_start_look(struct ordo *o, struct ordo_error *error)
{
    int cancel, code;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    code = ordo_start_look_all(o, error);
    if (!code)
        (void)ordo_start_refuse(error, ORDO_OK, 0, "%s", ""); /* discards the error of a pair that answered later */
    (void)pthread_setcancelstate(cancel, NULL);
    return code;
}

#endif
