/* The offset of a clock from the global clock as a function of the clock's reading: an estimate, and certain bounds.
 *
 * offset = clock - global; global = t - offset(t). The function is in pieces, each relative to its own beginning, so
 * that a double holds only distances, which are exact within 2^53 ns (104 days) of a piece's beginning. */
#ifndef ORDO_TRACE_CURVE_CURVE_H
#define ORDO_TRACE_CURVE_CURVE_H

#include <math.h>

#include "base/error.h"
#include "trace/event/event.h"

/** A piece, from from_ns on. With s = t - from_ns in ns, offset - base_ns is certainly between the two parabolas. The
 * estimate is the cubic, or the nearer parabola if the cubic is not between them. */
struct ordo_piece {
    int64_t from_ns, base_ns;
    double estimate[4];
    double low[3], high[3];
};

/** The first piece extends back without limit, and the last one forward. */
struct ordo_curve {
    int64_t granule_ns; /* of the clock's readings */
    struct ordo_piece *pieces;
    int count;
    int at; /* index of the piece that was used last, which the next event probably needs too */
};

/* Returns the piece that contains a time. Tries the piece of the last call, and then searches, because the events of a
 * file may come in any order. */
static inline const struct ordo_piece *ordo_curve_piece(struct ordo_curve *curve, int64_t time_ns)
{
    const struct ordo_piece *pieces = curve->pieces;
    int low = curve->at, high = low + 1;
    if ((low == 0 || time_ns >= pieces[low].from_ns) && (high == curve->count || time_ns < pieces[high].from_ns))
        return &pieces[low];
    low = 0;
    high = curve->count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (time_ns >= pieces[middle].from_ns)
            low = middle;
        else
            high = middle;
    }
    curve->at = low;
    return &pieces[low];
}

/* Limits a distance to 10^18 ns, which stands for infinity. */
static inline int64_t ordo_curve_cut(double distance_ns)
{
    const double most = 1e18; /* 31 years: small enough to be added to any difference of times */
    return (int64_t)(distance_ns < -most ? -most : distance_ns > most ? most : distance_ns);
}

/* Rounds a distance down; ordo_curve_up rounds it up. */
static inline int64_t ordo_curve_down(double distance_ns)
{
    int64_t cut = ordo_curve_cut(distance_ns);
    return cut - ((double)cut > distance_ns);
}

static inline int64_t ordo_curve_up(double distance_ns)
{
    int64_t cut = ordo_curve_cut(distance_ns);
    return cut + ((double)cut < distance_ns);
}

/* Returns the latest possible global time at which the exact value of the clock is time_ns. */
static inline int64_t ordo_curve_latest(struct ordo_curve *curve, int64_t time_ns)
{
    const struct ordo_piece *piece = ordo_curve_piece(curve, time_ns);
    double s = (double)(time_ns - piece->from_ns);
    double low = piece->low[0] + s * (piece->low[1] + s * piece->low[2]);
    return time_ns - piece->base_ns - ordo_curve_down(low);
}

/** Places the reading time_ns of the clock in global time. The bounds are rounded outwards.
 *
 * [C1] The exact value c of the clock is from time_ns up to time_ns + granule_ns. Global time is between c - high(c)
 *      and c - low(c). Neither of these two functions of c runs backwards ([B6] of sync/band.c). The earliest global
 *      time is therefore c - high(c) at c = time_ns, and the latest is c - low(c) at c = time_ns + granule_ns. It is
 *      not enough to add granule_ns to the latest time at c = time_ns, because the offset changes during the
 *      granule. */
static inline struct ordo_event_stamp ordo_curve_at(struct ordo_curve *curve, int64_t time_ns)
{
    int64_t latest_ns = ordo_curve_latest(curve, time_ns + curve->granule_ns);
    const struct ordo_piece *piece = ordo_curve_piece(curve, time_ns);
    double s = (double)(time_ns - piece->from_ns);
    double estimate = piece->estimate[0] + s * (piece->estimate[1] + s * (piece->estimate[2] + s * piece->estimate[3]));
    double low = piece->low[0] + s * (piece->low[1] + s * piece->low[2]);
    double high = piece->high[0] + s * (piece->high[1] + s * piece->high[2]);
    estimate = fmin(fmax(estimate, low), high);
    int64_t base = time_ns - piece->base_ns;
    return (struct ordo_event_stamp){base - ordo_curve_cut(estimate + (estimate < 0 ? -0.5 : 0.5)),
                                     base - ordo_curve_up(high), latest_ns};
}

/** Makes room for `count` pieces. ORDO_E_SYSTEM: out of memory. */
int ordo_curve_create(struct ordo_curve *curve, int count, struct ordo_error *error);
void ordo_curve_free(struct ordo_curve *curve);

/** Makes the curve of the global clock itself. */
int ordo_curve_identity(struct ordo_curve *curve, struct ordo_error *error);

#endif
