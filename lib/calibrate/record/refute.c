#include "calibrate/record/refute.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Keeps the pair if its offset is further outside of [-B, B] than all earlier pairs. `offset` is clock b minus clock
 * a. */
static void consider(struct ordo_refutation *refuted, const struct ordo_record *head, unsigned a, unsigned b,
                     struct ordo_interval offset)
{
    int64_t boundary = head->boundary_ticks < INT64_MAX ? (int64_t)head->boundary_ticks : INT64_MAX;
    bool b_ahead = offset.low > boundary;
    int64_t ticks = b_ahead ? offset.low : offset.high < -boundary ? -offset.high : 0;
    if (ticks <= refuted->ticks)
        return;
    *refuted =
        (struct ordo_refutation){.proved = true, .ahead = b_ahead ? b : a, .behind = b_ahead ? a : b, .ticks = ticks};
    (void)snprintf(refuted->reason, sizeof refuted->reason,
                   "the clock of cpu %u is ahead of that of cpu %u by at least %" PRId64
                   " ticks, more than its boundary of %" PRIu64,
                   refuted->ahead, refuted->behind, ticks, head->boundary_ticks);
}

/* True if the calibration and the record are about the same clock in the same boot. */
static bool is_comparable(const struct ordo_calibration *calibration, const struct ordo_record *head)
{
    unsigned char boot_id[16];
    return head->clock == calibration->clock && ordo_record_boot_id(boot_id) == 0 &&
           memcmp(boot_id, head->boot_id, sizeof boot_id) == 0;
}

/* True if every message of the calibration was sent after the measurement of the record began. The record makes no
 * claim about earlier offsets, and an interval does not show which of its messages narrowed it. */
static bool is_later(const struct ordo_calibration *calibration, const struct ordo_record *head)
{
    return calibration->as_of_ns >= head->as_of_ns;
}

typedef struct ordo_interval offset_of(const struct ordo_calibration *calibration, int a, int b);

/* Returns the offset of a concluded calibration: the intersection of all repeats. */
static struct ordo_interval concluded_offset(const struct ordo_calibration *calibration, int a, int b)
{
    return calibration->offset_ticks[a * calibration->count + b];
}

/* Returns the largest lower bound and the smallest upper bound that any message proved. If a clock steps, the lower
 * bound may exceed the upper bound; each bound was true at the time of its message. */
static struct ordo_interval seen_offset(const struct ordo_calibration *calibration, int a, int b)
{
    struct ordo_interval seen = {INT64_MIN, INT64_MAX};
    size_t count = (size_t)calibration->count;
    for (size_t k = 0; k < (size_t)calibration->repeats; k++)
        seen = ordo_interval_intersect(
            seen, ordo_offset_of_visit(&calibration->visits[(k * count + (size_t)a) * count + (size_t)b]));
    return seen;
}

static void look_at_pairs(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                          offset_of *offset, struct ordo_refutation *refuted)
{
    const unsigned *cpus = calibration->cpus;
    for (int a = 0; a < calibration->count; a++)
        for (int b = a + 1; b < calibration->count && ordo_record_covers(record, cpus[a]); b++)
            if (ordo_record_covers(record, cpus[b]))
                consider(refuted, &record->head, cpus[a], cpus[b], offset(calibration, a, b));
}

static void look_at_rate(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                         struct ordo_refutation *refuted)
{
    struct ordo_error error;
    if (refuted->proved || ordo_record_holds_by(record, calibration->clock, &error) != ORDO_E_RATE)
        return;
    refuted->proved = true;
    (void)snprintf(refuted->reason, sizeof refuted->reason, "%.150s", error.text);
}

static bool refutes(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                    offset_of *offset, struct ordo_refutation *refuted)
{
    *refuted = (struct ordo_refutation){.proved = false};
    if (!is_comparable(calibration, &record->head))
        return false;
    if (is_later(calibration, &record->head))
        look_at_pairs(calibration, record, offset, refuted);
    look_at_rate(calibration, record, refuted);
    return refuted->proved;
}

void ordo_refutation_append(struct ordo_error *error, bool marked)
{
    enum { MOST_REASON = 155 }; /* leaves space for the appended text, and for further text of a caller */
    if (!error)
        return;
    size_t length = strnlen(error->text, MOST_REASON);
    (void)snprintf(error->text + length, sizeof error->text - length, "; the present record is proved wrong, %s",
                   marked ? "and marked" : "and cannot be marked");
}

bool ordo_calibration_refutes(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                              struct ordo_refutation *refuted)
{
    return refutes(calibration, record, concluded_offset, refuted);
}

bool ordo_visits_refute(const struct ordo_calibration *calibration, const struct ordo_record_view *record,
                        struct ordo_refutation *refuted)
{
    return refutes(calibration, record, seen_offset, refuted);
}
