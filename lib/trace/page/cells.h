/* Cells of tables. */
#ifndef ORDO_TRACE_PAGE_CELLS_H
#define ORDO_TRACE_PAGE_CELLS_H

#include "trace/page/text.h"

/** Begins a row with a cell of text. */
static inline void ordo_page_row_of(FILE *stream, struct ordo_text text)
{
    fputs("<tr><td>", stream);
    ordo_page_escape(stream, text);
    fputs("</td>", stream);
}

static inline void ordo_page_text_cell(FILE *stream, const char *text)
{
    fprintf(stream, "<td>%s</td>", text);
}

static inline void ordo_page_count_cell(FILE *stream, uint64_t count)
{
    fprintf(stream, "<td data-v=\"%llu\">%llu</td>", (unsigned long long)count, (unsigned long long)count);
}

static inline void ordo_page_real_cell(FILE *stream, double value)
{
    fprintf(stream, "<td data-v=\"%.9g\">%.3g</td>", value, value);
}

/** Writes a duration. Durations of 31 years and more stand for infinity. */
static inline void ordo_page_time_cell(FILE *stream, double ns)
{
    fprintf(stream, "<td data-v=\"%.0f\">", ns);
    if (ns > -1e18 && ns < 1e18)
        ordo_page_time(stream, ns);
    else
        fputs("unbounded", stream);
    fputs("</td>", stream);
}

/** Writes a row that says how many rows are left out. */
static inline void ordo_page_rest(FILE *stream, uint64_t left_out, int columns)
{
    if (left_out > 0)
        fprintf(stream, "<tr class=\"rest\"><td colspan=\"%d\">and %llu more</td></tr>\n", columns,
                (unsigned long long)left_out);
}

#endif
