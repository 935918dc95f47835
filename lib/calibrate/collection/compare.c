#include "calibrate/collection/compare.h"

#include <math.h>
#include <string.h>

#include "json/builder.h"

enum { FEW = 10 }; /* if the numbers of runs differ by this factor, the minima are not comparable */

static void add_row(struct ordo_compared_reports *comparison, const char *name, const char *text, double a, double b)
{
    struct ordo_compared *row = &comparison->rows[comparison->count++];
    *row = (struct ordo_compared){.text = text, .a = a, .b = b};
    (void)snprintf(row->name, sizeof row->name, "%s", name);
}

static double delta_ns(const struct ordo_collection_report *report, int distance)
{
    const struct ordo_collection_class *class = &report->classes[distance];
    return class->pairs ? ordo_collection_ns(report, class->delta.median) : NAN;
}

static double trip_ns(const struct ordo_collection_report *report, int distance)
{
    const struct ordo_collection_class *class = &report->classes[distance];
    return class->pairs ? ordo_collection_ns(report, class->trip.median) : NAN;
}

static void add_distance(struct ordo_compared_reports *comparison, const char *quantity, const char *text, int distance,
                         double a, double b)
{
    char name[sizeof comparison->rows[0].name];
    if (isnan(a) && isnan(b))
        return;
    (void)snprintf(name, sizeof name, "%s_%s_ns", quantity, ordo_distance_word((enum ordo_distance)distance));
    add_row(comparison, name, text, a, b);
    comparison->rows[comparison->count - 1].what = ordo_distance_name((enum ordo_distance)distance);
}

static double offset_ns(const struct ordo_collection_report *report)
{
    int64_t most = -1;
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        if (report->classes[distance].pairs && report->classes[distance].offset.max > most)
            most = report->classes[distance].offset.max;
    return most < 0 ? NAN : ordo_collection_ns(report, most);
}

static double corrected_ns(const struct ordo_collection_report *report)
{
    return report->corrected_boundary_ticks ? ordo_collection_ns(report, report->corrected_boundary_ticks) : NAN;
}

static double cost_ns(double ns)
{
    return ns < 0 ? NAN : ns;
}

static void add_rows(struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                     const struct ordo_collection_report *b)
{
    add_row(comparison, "boundary_ns", "boundary", ordo_collection_ns(a, a->boundary_ticks),
            ordo_collection_ns(b, b->boundary_ticks));
    add_row(comparison, "corrected_boundary_ns", "corrected boundary", corrected_ns(a), corrected_ns(b));
    add_row(comparison, "granule_ns", "granule", ordo_collection_ns(a, a->granule_ticks),
            ordo_collection_ns(b, b->granule_ticks));
    add_row(comparison, "proved_offset_ns", "largest proved offset", offset_ns(a), offset_ns(b));
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        add_distance(comparison, "delta", "median delta", distance, delta_ns(a, distance), delta_ns(b, distance));
    for (int distance = 0; distance < ORDO_DISTANCES; distance++)
        add_distance(comparison, "round_trip", "median round trip", distance, trip_ns(a, distance),
                     trip_ns(b, distance));
    add_row(comparison, "drift_width_ppb", "width of the drift", (double)(a->drift_max_ppb - a->drift_min_ppb),
            (double)(b->drift_max_ppb - b->drift_min_ppb));
    add_row(comparison, "counter_read_ns", "reading the counter", cost_ns(a->machine.counter_ns),
            cost_ns(b->machine.counter_ns));
    add_row(comparison, "kernel_clock_read_ns", "reading the kernel's clock", cost_ns(a->machine.kernel_clock_ns),
            cost_ns(b->machine.kernel_clock_ns));
}

static void note_remark(struct ordo_compared_reports *comparison, bool holds, const char *text)
{
    if (holds)
        comparison->notes[comparison->note_count++] = text;
}

static bool is_virtual(const struct ordo_collection_report *report)
{
    return strcmp(report->machine.hypervisor, "none") != 0;
}

void ordo_collection_compare(const struct ordo_collection_report *a, const struct ordo_collection_report *b,
                             struct ordo_compared_reports *comparison)
{
    *comparison = (struct ordo_compared_reports){.count = 0};
    add_rows(comparison, a, b);
    note_remark(comparison, a->count != b->count,
                "they cover different numbers of CPUs: more pairs have a larger maximum");
    note_remark(comparison, a->runs / FEW > b->runs || b->runs / FEW > a->runs,
                "one was measured with ten times more runs: its deltas are smaller for that");
    note_remark(comparison, a->parallel != b->parallel,
                "one was measured with pairs in parallel: its deltas can be larger");
    note_remark(comparison, is_virtual(a) != is_virtual(b),
                "one is a virtual machine: its CPUs may move between cores");
    note_remark(comparison, a->unmeasured || b->unmeasured,
                "pairs were not measured: a boundary is that of the others");
    note_remark(comparison, a->margin_ticks || b->margin_ticks, "a boundary has a margin that a user asked for");
    note_remark(comparison, a->forced || b->forced, "a calibration was forced");
    note_remark(comparison, strcmp(a->trust, b->trust) != 0, "the classes of trust differ");
}

double ordo_collection_factor(const struct ordo_compared *row)
{
    return row->a > 0 && row->b >= 0 ? row->b / row->a : NAN;
}

static void write_number(double value, FILE *stream)
{
    if (isnan(value))
        (void)fprintf(stream, " %12s", "-");
    else
        (void)fprintf(stream, " %12.*f", fabs(value) < 100 ? 1 : 0, value);
}

static void write_head(const struct ordo_collection_report *a, const struct ordo_collection_report *b, FILE *stream)
{
    (void)fprintf(stream, "%-42s %12s %12s %8s\n", "", "A", "B", "B / A");
    (void)fprintf(stream, "%-42s %12s %12s\n", "architecture", a->machine.architecture, b->machine.architecture);
    (void)fprintf(stream, "%-42s %12s %12s\n", "vendor", a->machine.vendor, b->machine.vendor);
    (void)fprintf(stream, "%-42s %12s %12s\n", "hypervisor", a->machine.hypervisor, b->machine.hypervisor);
    (void)fprintf(stream, "%-42s %12s %12s\n", "trust", a->trust, b->trust);
    (void)fprintf(stream, "%-42s %12d %12d\n", "CPUs", a->count, b->count);
}

void ordo_collection_write_table(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                                 const struct ordo_collection_report *b, FILE *stream)
{
    write_head(a, b, stream);
    for (int i = 0; i < comparison->count; i++) {
        const struct ordo_compared *row = &comparison->rows[i];
        const char *unit = strstr(row->name, "_ppb") ? "ppb" : "ns";
        double factor = ordo_collection_factor(row);
        char label[64];
        (void)snprintf(label, sizeof label, "%s%s%s, %s", row->text, row->what ? ", " : "", row->what ? row->what : "",
                       unit);
        (void)fprintf(stream, "%-42s", label);
        write_number(row->a, stream);
        write_number(row->b, stream);
        if (!isnan(factor))
            (void)fprintf(stream, " %8.2f", factor);
        (void)fputc('\n', stream);
    }
    for (int i = 0; i < comparison->note_count; i++)
        (void)fprintf(stream, "note: %s\n", comparison->notes[i]);
}

static struct ordo_json side_of(const struct ordo_collection_report *report)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "architecture", report->machine.architecture);
    ordo_json_put_text(&object, "vendor", report->machine.vendor);
    ordo_json_put_text(&object, "hypervisor", report->machine.hypervisor);
    ordo_json_put_text(&object, "trust", report->trust);
    ordo_json_put_int(&object, "cpus", report->count);
    return object;
}

int ordo_collection_write_json(const struct ordo_compared_reports *comparison, const struct ordo_collection_report *a,
                               const struct ordo_collection_report *b, FILE *stream)
{
    struct ordo_json document = ordo_json_document("ordo-report-comparison/1"), rows = ordo_json_object(),
                     notes = ordo_json_array();
    ordo_json_put(&document, "a", side_of(a));
    ordo_json_put(&document, "b", side_of(b));
    for (int i = 0; i < comparison->count; i++) {
        const struct ordo_compared *row = &comparison->rows[i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put(&object, "a", ordo_json_real(row->a));
        ordo_json_put(&object, "b", ordo_json_real(row->b));
        ordo_json_put(&object, "factor", ordo_json_real(ordo_collection_factor(row)));
        ordo_json_put(&rows, row->name, object);
    }
    ordo_json_put(&document, "quantities", rows);
    for (int i = 0; i < comparison->note_count; i++)
        ordo_json_add(&notes, ordo_json_text(comparison->notes[i]));
    ordo_json_put(&document, "notes", notes);
    return ordo_json_write(&document, stream);
}
