#include "net/log/band.h"

#include <math.h>

static void add_to_cell(struct ordo_log_cell *cell, double low, double high, uint64_t count)
{
    if (count == 0)
        return;
    cell->low = cell->count ? fmin(cell->low, low) : low;
    cell->high = cell->count ? fmax(cell->high, high) : high;
    cell->count += count;
}

static void double_spans(struct ordo_log_band *band)
{
    for (int i = 0; i < ORDO_LOG_CELLS; i++) {
        struct ordo_log_cell cell = band->cell[i];
        band->cell[i].count = 0;
        add_to_cell(&band->cell[i / 2], cell.low, cell.high, cell.count);
    }
    band->span_ns *= 2;
}

void ordo_log_band_add(struct ordo_log_band *band, int64_t at_ns, double low, double high)
{
    if (band->span_ns == 0) {
        band->begin_ns = at_ns;
        band->span_ns = 1000000; /* 1 ms */
    }
    int64_t elapsed_ns = at_ns > band->begin_ns ? at_ns - band->begin_ns : 0;
    while (elapsed_ns / band->span_ns >= ORDO_LOG_CELLS && band->span_ns < INT64_MAX / 4)
        double_spans(band);
    int64_t cell = elapsed_ns / band->span_ns;
    add_to_cell(&band->cell[cell < ORDO_LOG_CELLS ? cell : ORDO_LOG_CELLS - 1], low, high, 1);
}
