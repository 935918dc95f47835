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
 *  - It covers only the CPUs on which the calling thread may run. Call ordo_start before threads are restricted, or
 *    from the thread with the most CPUs.
 *  - It does not exclude drift. Two sweeps 50 ms apart prove a drift below a few ppm, whereas the calibration of a
 *    measured clock proves less than 1 ppm over 10 s. Clocks that drift apart by 1 ppm are 1 us apart after a second.
 *    Therefore a program must call ordo_start_look each second if its handle's class (ordo_trust) is not vouched, and
 *    should do so in any case.
 *  - tick_hz has an error of a few ppm: use it for display.
 *  - It belongs to this process. A fork copies it: the child's handle stays valid, or stays marked as disrupted if it
 *    was marked at the fork. The child must call ordo_start_look for itself.
 *
 * The boundary itself is proved as the boundary of a record is: it is the largest delta of any pair and direction, plus
 * the granule. It holds for the clocks as they were in the last round of measurements. Between the last short block of
 * that round and the return of the call, while the threads end, about 0.2 ms pass on idle CPUs, and more if the calling
 * thread gets no CPU. If a clock steps in this interval, only ordo_start_look can detect the step, as any later step.
 * With more than two CPUs, the interval begins earlier for some CPUs. If the number of CPUs is odd, it begins one round
 * (1 to 2.7 ms) earlier for the CPU that sits out the last round. If CPUs are busy and a pair is measured again, it
 * begins earlier for the other CPUs of the round. Therefore a last round with a repetition is measured again, up to
 * three times.
 *
 * This header is not part of ordo.h, because it needs threads: link with -pthread if the C library is older than glibc
 * 2.34. The proofs are in start/: pair.h, sweep.h and measure.h. */
#ifndef ORDO_START_H
#define ORDO_START_H

#include <ordo/ordo.h>
#include <ordo/start/look.h>

/** Opens the published record, or calibrates in this process if the record cannot be used.
 *
 * Every refusal of ordo_open leads to a measurement, because the measurement does not depend on the record. If the
 * record is missing, expired, damaged, of another boot or clock, of another user, or does not cover all CPUs, the
 * refusal is no evidence against the clocks. If the record was withdrawn (ORDO_E_DISRUPTED, ORDO_E_RATE, a suspend),
 * the refusal is such evidence, and the measurement is stricter: the sweeps are a second apart rather than 50 ms, no
 * offset may move by more than its latencies between the sweeps, and the evidence must contain no fault. A clock that
 * stepped once and has been steady since is accepted, with a boundary that includes the step.
 *
 * In two cases a faulty counter is not refused. First, a record that was forced in spite of a fault is opened, as by
 * ordo_open; ordo_trust and ordo_flags show this. Second, a process that may not read the kernel's log (in a container,
 * or without CAP_SYSLOG) does not see a fault that only the log states. If the kernel does not list the counter, the
 * class of such a handle is measured.
 *
 * Returns 0, or one of the codes below. If it returns 0 with a private handle, `error->text` says why the record was
 * not used, and `error->code` is 0.
 *
 * - ORDO_E_REFUTED: the kernel saw a fault of the counter, the processor does not promise its rate, or the clocks step,
 *   drift, are more than 2^61 ticks apart, or wrap round;
 * - ORDO_E_MEASURE: a CPU did not answer within 2 s and 20 ms for each CPU, or was too busy; the text names it;
 * - ORDO_E_CPUS: the set of CPUs changed during each of three measurements;
 * - ORDO_E_SYSTEM: memory, a thread or an affinity was refused; see errno and the text.
 *
 * `error` may be NULL. Thread-safe for different handles. Starts a thread on each CPU, with all signals blocked, and
 * ends these threads before it returns; leaves the caller's affinity and signal mask unchanged. It is not a
 * cancellation point. Needs 64 KiB of stack. Does not return while one of its threads is stopped, for example by a
 * debugger (start/crew.h). */
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

/** Checks whether the handle is still valid: the kernel's verdict on the counter, the counter's rate, and one round of
 * pairs of the CPUs on which the calling thread may run. Takes some milliseconds; on busy CPUs up to about 400 ms.
 *
 * The handle is one of ordo_start or ordo_open. Call the function each second, for example from a separate thread. That
 * thread must be allowed to run on all CPUs of the handle, because only the CPUs on which it may run are checked.
 *
 * Each call is one "look": every CPU is measured with one other CPU; if the number of CPUs is odd, one CPU sits out. A
 * look detects an offset of a measured pair that exceeds the boundary B by more than a latency.
 *
 * - A step of one clock by more than 2B plus a latency is certainly detected by the next look, or by the second look if
 *   the number of CPUs is odd. The step has to exceed 2B because the offset may have been -B before it.
 * - A smaller step that makes the offset of some pair exceed B by more than a latency is detected when that pair is
 *   measured. If there are n CPUs, every pair is measured once in n looks of a private handle. The rounds of a
 *   published record are chosen at random.
 *
 * Returns 0 if there is no evidence against the handle, or
 *
 * - ORDO_E_DISRUPTED: an offset is proved to be outside of [-B, B], the kernel has seen a fault, the rate has changed,
 *   or the machine was suspended. A private handle is marked, so that ordo_status returns DISRUPTED for all its copies
 *   in the process. A published record is not marked, because only its owner may mark it, with `ordo check --mark` or
 *   `ordo watch`;
 * - ORDO_E_SUPERSEDED: there is no evidence against the handle, but there is a newer record;
 * - ORDO_E_CPUS: the calling thread may run on a CPU that the handle does not cover, or a CPU went offline meanwhile;
 * - ORDO_E_MEASURE: a CPU did not answer in 250 ms; nothing is proved, call again;
 * - ORDO_E_INVALID: the handle is not open, is corrected, or is for a part of its record's CPUs (ordo_open_cpus,
 *   ordo_open_scope), because an offset beyond the boundary of that part need not be a fault;
 * - ORDO_E_MALFORMED: the record of the handle was overwritten;
 * - ORDO_E_SYSTEM: see errno and the text.
 *
 * On success `error`, which may be NULL, is empty. Thread-safe, even on one handle, but not concurrently with
 * ordo_close. Needs 64 KiB of stack. */
ORDO_INLINE int ordo_start_look(struct ordo *o, struct ordo_error *error)
{
    int cancel, code;
    (void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    code = ordo_start_look_all(o, error);
    if (!code)
        (void)ordo_start_refuse(error, ORDO_OK, 0, "%s", ""); /* discards the error of an earlier attempt */
    (void)pthread_setcancelstate(cancel, NULL);
    return code;
}

#endif
