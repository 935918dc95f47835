/* A look at the clocks of an open handle: checks the kernel's verdict, the rate, and one round of the pairs.
 *
 * In a round every CPU is measured with one other CPU; if the number n of CPUs is odd, one CPU sits out. The
 * measurement of one pair is a visit. After n - 1 looks (n, if n is odd) every pair has been visited.
 *
 * A visit proves an offset > B only if the smallest delta of the opposite direction is below -B, that is, if the offset
 * exceeds B by more than a latency. If a clock steps by S, the offset of its pair was at least -B before the step and
 * is at least S - B after it. Therefore a step S of more than 2 B plus a latency is detected in the next round in which
 * the clock has a partner, unless the partner's clock has stepped alike. This is the next look, or the second look if n
 * is odd. Whether a smaller step is detected depends on the offset before the step. */
#ifndef ORDO_START_LOOK_H
#define ORDO_START_LOOK_H

#include <ordo/start/measure.h>

enum {
    ORDO_START_LOOK_NS = 250000000, /* limit for the exchanges; with the crew's grace periods at most about 400 ms */
    ORDO_START_WRONG_PPB = 20000,   /* tolerance of the rate beyond its own error, as for `ordo watch` */
    ORDO_START_LONG_NS = 1000000000 /* shortest time over which such an error is detectable */
};

/* Marks a private record as disrupted, and fills `error`. */
__attribute__((format(printf, 3, 4))) static inline int
ordo_start_disrupt(const struct ordo *o, struct ordo_error *error, const char *format, ...)
{
    struct ordo_start_private *own = ordo_start_private_of(o);
    va_list arguments;
    if (own) /* Relaxed, as in ordo_status */
        __atomic_store_n(&own->head.status, ORDO_RECORD_DISRUPTED, __ATOMIC_RELAXED);
    if (error) {
        error->code = ORDO_E_DISRUPTED;
        error->sys_errno = 0;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        ordo_error_tidy(error->text);
    }
    return ORDO_E_DISRUPTED;
}

/* Disrupts the handle if its class of trust has become worse. A published record may stem from a process that sees more
 * of the machine than this process, which may be in a container. Therefore only a fault counts against a published
 * record, and no class counts against a forced record. */
static inline int ordo_start_look_evidence(const struct ordo *o, struct ordo_error *error)
{
    struct ordo_evidence evidence;
    struct ordo_trust_verdict verdict;
    int was = ordo_trust(o);
    if (ORDO_CLOCK_ID == ORDO_CLOCK_MONOTONIC || ORDO_CLOCK_ID == ORDO_CLOCK_CUSTOM ||
        (was != ORDO_TRUST_VOUCHED && was != ORDO_TRUST_MEASURED) || (o->flags & ORDO_FLAG_FORCED))
        return ORDO_OK;
    ordo_evidence_gather(&evidence, NULL);
    ordo_evidence_judge(&evidence, &verdict);
    if (verdict.trust == ORDO_TRUST_FAULTED ||
        (ordo_start_private_of(o) && was == ORDO_TRUST_VOUCHED && verdict.trust != ORDO_TRUST_VOUCHED))
        return ordo_start_disrupt(o, error, "%s: %s: %.200s", ORDO_CLOCK_NAME, ordo_trust_word(verdict.trust),
                                  verdict.reason);
    return ORDO_OK;
}

/* Returns the ticks by which a clock with a rate error of `error_ppb` may deviate from a private record's rate in
 * `elapsed_ns`. */
static inline uint64_t ordo_start_slack(const struct ordo_record *head, uint64_t elapsed_ns, uint64_t error_ppb)
{
    return (uint64_t)((double)elapsed_ns * 1e-9 * (double)error_ppb * 1e-9 * (double)head->tick_hz);
}

/* True if the mean rate since the start equals the measured rate, within the tolerance. */
static inline int ordo_start_rate_stands(const struct ordo_start_private *own, const struct ordo_record *head,
                                         const struct ordo_record_moment *now)
{
    int64_t elapsed_ns = ordo_record_elapsed_ns(head, now), gain_ns = ordo_record_gain_ns(head, now);
    uint64_t off_ns = gain_ns < 0 ? (uint64_t)-gain_ns : (uint64_t)gain_ns, allowed;
    if (now->raw_ns < 0 || elapsed_ns < ORDO_START_LONG_NS)
        return 1;
    allowed = now->after_ticks - now->before_ticks + head->boundary_ticks +
              ordo_start_slack(head, (uint64_t)elapsed_ns, own->rate_error_ppb + ORDO_START_WRONG_PPB);
    return off_ns <= 1000000u + ordo_record_ticks_to_ns(allowed, head->tick_hz);
}

/* Notes in a private record the time and the gain of a successful check, so that the next look has to allow only for
 * the rate's error since this look. */
static inline void ordo_start_note_seen(struct ordo_start_private *own, const struct ordo_record *head,
                                        const struct ordo_record_moment *now)
{
    int64_t seconds = ordo_record_elapsed_ns(head, now) / 1000000000;
    int64_t gain = ordo_record_gain_ns(head, now) / ORDO_RECORD_SEEN_NS;
    if (seconds <= 0 || seconds > UINT32_MAX || gain > INT32_MAX || gain < INT32_MIN)
        return;
    __atomic_store_n(&own->head.seen, (uint64_t)seconds << 32 | (uint32_t)(int32_t)gain, __ATOMIC_RELAXED);
}

/* Makes the rate check of every reader of a record. For a private record allows more than the 1 ppm of that check,
 * because its rate was measured in 50 ms. */
static inline int ordo_start_look_rate(const struct ordo *o, const struct ordo_record_view *view,
                                       struct ordo_error *error)
{
    struct ordo_start_private *own = ordo_start_private_of(o);
    struct ordo_record head = view->head;
    struct ordo_start_moment now;
    int64_t since_ns;
    if (ordo_start_moment_take(&now) != 0)
        return ordo_start_refuse_clocks(error);
    if (ordo_record_was_suspended(&head, &now.all))
        return ordo_start_disrupt(o, error, "%s: the machine was suspended since it was measured", ORDO_CLOCK_NAME);
    since_ns = ordo_record_elapsed_ns(&head, &now.all) - (int64_t)(head.seen >> 32) * 1000000000;
    if (own && since_ns > 0)
        head.boundary_ticks += ordo_start_slack(&head, (uint64_t)since_ns, own->rate_error_ppb);
    if (!ordo_record_check_rate(&head, &now.all) || (own && !ordo_start_rate_stands(own, &view->head, &now.all)))
        return ordo_start_disrupt(o, error, "%s: it gained %.3f ms in %.1f s, by the rate that was measured",
                                  ORDO_CLOCK_NAME, (double)ordo_record_gain_ns(&view->head, &now.all) / 1e6,
                                  (double)ordo_record_elapsed_ns(&view->head, &now.all) / 1e9);
    if (own)
        ordo_start_note_seen(own, &view->head, &now.all);
    return ORDO_OK;
}

/* Disrupts the handle if the visit of a match proves that the offset is outside of [-B, B]. */
static inline int ordo_start_look_match(const struct ordo *o, const struct ordo_start_field *field, unsigned i,
                                        struct ordo_error *error)
{
    const struct ordo_start_match *match = &field->matches[i];
    const struct ordo_visit *visit = &field->pairs[i].visit;
    uint64_t boundary = ~o->not_boundary;
    int64_t most = boundary > INT64_MAX ? INT64_MAX : (int64_t)boundary;
    if (visit->delta_ab >= -most && visit->delta_ba >= -most)
        return ORDO_OK;
    return ordo_start_disrupt(
        o, error, "clock of cpu %lu minus clock of cpu %lu: in [%lld, %lld] ticks, and the boundary is %lld",
        field->members[match->b].cpu, field->members[match->a].cpu, (long long)(0 - (uint64_t)visit->delta_ba),
        (long long)visit->delta_ab, (long long)most);
}

/* Judges the open matches of an attempt; `*open` becomes the number of matches that are still open. A pair that did not
 * answer proves nothing. */
static inline int ordo_start_look_round(const struct ordo *o, struct ordo_start_field *field, unsigned *open,
                                        struct ordo_error *error)
{
    unsigned i;
    int code = ORDO_OK;
    *open = 0;
    for (i = 0; i < field->match_count && !code; i++) {
        struct ordo_start_match *match = &field->matches[i];
        if (match->is_over)
            continue;
        match->tries++;
        match->is_over = ordo_start_visit(field, i) != NULL;
        if (match->is_over)
            code = ordo_start_look_match(o, field, i, error);
        else if ((*open)++ == 0)
            (void)ordo_start_refuse_match(field, match, ORDO_E_MEASURE,
                                          "no answer (busy CPUs?); nothing is proved, look again", error);
    }
    return code;
}

/* Measures one round of the pairs of `set`. */
static inline int ordo_start_look_pairs(const struct ordo *o, const struct ordo_record_set *set,
                                        struct ordo_error *error)
{
    struct ordo_start_private *own = ordo_start_private_of(o);
    struct ordo_start_field field;
    uint64_t until_ns = ordo_pair_now_ns() + ORDO_START_LOOK_NS, turn;
    unsigned count = ordo_start_count(set), open;
    int code;
    if (count < 2)
        return ORDO_OK;
    code = ordo_start_field_open(&field, set, count, 0, until_ns, error);
    if (code)
        return code;
    /* Only a private record can count the looks; for other records the round is chosen at random. */
    turn = own ? __atomic_fetch_add(&own->looks, 1, __ATOMIC_RELAXED)
               : (ordo_clock_relaxed() >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    ordo_start_draw(&field, (unsigned)(turn % ordo_start_rounds(count)));
    for (open = 1; open > 0 && !code;) {
        code = ordo_start_attempt(&field, until_ns, error);
        if (!code)
            code = ordo_start_look_round(o, &field, &open, error);
        if (!code && open > 0 && ordo_pair_now_ns() > until_ns)
            code = ORDO_E_MEASURE;
        else if (open > 0)
            ordo_start_pause();
    }
    ordo_start_field_free(&field);
    return code;
}

/* Finds the CPUs on which the calling thread may run, and checks that the handle covers them. Returns ORDO_E_CPUS if it
 * does not. */
static inline int ordo_start_look_set(const struct ordo *o, struct ordo_record_view *view, struct ordo_record_set *set,
                                      struct ordo_error *error)
{
    int code = ordo_record_allowed(set, error);
    if (code || !o->record)
        return code;
    if (ordo_start_view(o, view) != ORDO_OK)
        return ordo_record_refuse(error, ORDO_E_MALFORMED, 0, "the record of the handle");
    return ordo_record_check_set(view, set, error);
}

/* Makes the whole check in the calling thread. The thread must not be cancelled during the check. */
static inline int ordo_start_look_all(const struct ordo *o, struct ordo_error *error)
{
    struct ordo_record_view view;
    struct ordo_record_set set;
    int status = ordo_status(o), code;
    if (status == ORDO_STATUS_CLOSED || o->corrections)
        return ordo_record_refuse(error, ORDO_E_INVALID, 0, "the handle");
    if (status == ORDO_STATUS_DISRUPTED)
        return ordo_record_refuse(error, ORDO_E_DISRUPTED, 0, "the handle");
    code = ordo_start_look_set(o, &view, &set, error);
    if (!code && o->record && ~o->not_boundary != view.head.boundary_ticks)
        return ordo_start_refuse(error, ORDO_E_INVALID, 0,
                                 "the handle is of ordo_open_cpus or ordo_open_scope, and its boundary is that of some "
                                 "of its record's CPUs: look with a handle of ordo_start or ordo_open");
    if (!code)
        code = ordo_start_look_evidence(o, error);
    if (!code && o->record)
        code = ordo_start_look_rate(o, &view, error);
    if (!code)
        code = ordo_start_look_pairs(o, &set, error);
    if (!code && status == ORDO_STATUS_SUPERSEDED)
        code = ordo_record_refuse(error, ORDO_E_SUPERSEDED, 0, "the handle");
    return code;
}

#endif
