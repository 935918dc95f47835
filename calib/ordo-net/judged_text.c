/* The judgement of logs for people: a table of the series, the findings, and the verdicts. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/plural.h"
#include "base/span.h"
#include "common/result.h"
#include "judged.h"

enum { SHOWN = 40, BARS = 40, FEW = 3 /* series whose histograms are printed */, LEAST_TERMS = 3 };

static const char *show_ns(double ns, char text[24])
{
    if (isnan(ns))
        (void)snprintf(text, 24, "-");
    else if (fabs(ns) < 10 && ns != floor(ns))
        (void)snprintf(text, 24, "%.2g ns", ns);
    else
        (void)ordo_format_ns(ns, text);
    return text;
}

static void print_columns(const double *values_ns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[24];
        printf(" %10s", show_ns(values_ns[i], text));
    }
}

static void print_files(const struct judged *judged)
{
    const struct ordo_log_judge *judge = judged->judge;
    printf("%" PRIu64 " line%s in %d file%s: %" PRIu64 " reading%s, %" PRIu64 " line%s of other programs\n",
           judge->lines, ordo_plural((int64_t)judge->lines), judged->files->count, ordo_plural(judged->files->count),
           ordo_log_judge_readings(judge), ordo_plural((int64_t)ordo_log_judge_readings(judge)),
           judge->kinds[ORDO_LOG_FOREIGN], ordo_plural((int64_t)judge->kinds[ORDO_LOG_FOREIGN]));
    for (int i = 0; i < judged->files->count; i++) {
        const struct ordo_log_file *file = &judged->files->file[i];
        if (file->copy_of)
            printf("%s: left out: its content is in %s too\n", cli_show(file->path), cli_show(file->copy_of));
        else if (file->readings == 0)
            printf("%s: no reading\n", cli_show(file->path));
    }
}

static void print_odd(const struct judged *judged)
{
    static const char *const what[ORDO_LOG_ODDS] = {
        "too long, left out",
        "with binary data, left out",
        "malformed, left out",
        "without an end, at the end of a file",
        "compressed data that are damaged or incomplete: the rest is not read",
        "that cannot be read: the rest is not read"};
    for (int i = 0; i < ORDO_LOG_ODDS; i++) {
        const struct ordo_log_oddity *odd = &judged->judge->odd[i];
        if (odd->count > 0)
            printf("%" PRIu64 " line%s %s; the first is %s:%" PRIu64 "%s%s\n", odd->count,
                   ordo_plural((int64_t)odd->count), what[i], cli_show(judged->files->file[odd->file].path), odd->line,
                   *odd->text ? ": " : "", odd->text);
    }
    if (judged->judge->without_track)
        printf("%" PRIu64 " lines of more than %d series, left out: give fewer files at once\n",
               judged->judge->without_track, ORDO_LOG_TRACKS);
}

/* The share of the time in which the clock was locked, in percent; NAN if there is no time. */
static double locked_percent(const struct ordo_log_track *track)
{
    if (track->observed_ns <= 0 || track->key.series != ORDO_LOG_SERVO)
        return NAN;
    return fmax(0, 100 * (1 - track->unlocked_ns / track->observed_ns));
}

static void print_series(const struct judged *judged, const struct ordo_log_track *track)
{
    const struct ordo_log_offsets *offsets = &track->offsets;
    char label[JUDGED_LABEL];
    const double columns[] = {
        offsets->readings ? offsets->mean_ns : NAN,
        ordo_log_rms_ns(offsets),
        ordo_sketch_percentile(&offsets->magnitude, 50),
        ordo_sketch_percentile(&offsets->magnitude, 99),
        ordo_log_worst_ns(offsets),
        ordo_log_jitter_ns(offsets),
        track->delays ? track->delay_sum_ns / (double)track->delays : NAN,
        track->bounds ? track->bound_high_ns : NAN,
    };
    printf("%10" PRIu64, offsets->readings + offsets->summaries);
    print_columns(columns, sizeof columns / sizeof *columns);
    double locked = locked_percent(track);
    if (isnan(locked))
        printf(" %8s", "-");
    else
        printf(" %7.2f%%", locked);
    printf("  %s%s\n", judged_label(judged, track, label), offsets->summaries ? " (maxima of summaries)" : "");
}

static bool has_offsets(const struct ordo_log_track *track)
{
    return track->offsets.readings + track->offsets.summaries > 0;
}

static void print_all_series(const struct judged *judged)
{
    if (ordo_log_judge_readings(judged->judge) == 0)
        return;
    printf("\n%10s %10s %10s %10s %10s %10s %10s %10s %10s %8s  %s\n", "readings", "mean", "rms", "50% within",
           "99% within", "worst", "jitter", "delay", "bound", "locked", "series");
    for (int i = 0; i < judged->judge->track_count; i++)
        if (has_offsets(judged->judge->tracks[i]))
            print_series(judged, judged->judge->tracks[i]);
    for (int i = 0; i < judged->judge->track_count; i++) {
        const struct ordo_log_track *track = judged->judge->tracks[i];
        char label[JUDGED_LABEL], worst[24];
        if (track->start_readings)
            printf("%s: %" PRIu64 " reading%s before the first lock do not count, the worst %s\n",
                   judged_label(judged, track, label), track->start_readings,
                   ordo_plural((int64_t)track->start_readings), show_ns(track->start_worst_ns, worst));
        if (track->repeated)
            printf("%s: %" PRIu64 " reading%s of another file, left out\n", judged_label(judged, track, label),
                   track->repeated, ordo_plural((int64_t)track->repeated));
    }
}

static void print_allan(const struct judged *judged, const struct ordo_log_track *track)
{
    char label[JUDGED_LABEL];
    bool begun = false;
    for (int i = 0; i < ORDO_OCTAVES && track->grid.octaves.octave[i].terms >= LEAST_TERMS; i++) {
        double apart_ns = (double)track->grid.apart_ns;
        if (!begun)
            printf("Allan deviation of %s:", judged_label(judged, track, label));
        printf("%s %.3g s %.2g", begun ? "," : "", ldexp(apart_ns, i) * 1e-9,
               ordo_octaves_deviation(&track->grid.octaves, i, apart_ns));
        begun = true;
    }
    if (begun)
        printf("\n");
}

static void print_octave(double least_ns, uint64_t count, uint64_t all)
{
    static const char bar[] = "########################################";
    char from[24];
    double share = (double)count / (double)all;
    if (least_ns < 1)
        (void)snprintf(from, sizeof from, least_ns > 0 ? "%.2g ns" : "0", least_ns);
    printf("  from %8s %10" PRIu64 " %6.2f%% %.*s\n", least_ns < 1 ? from : show_ns(least_ns, from), count, 100 * share,
           (int)ceil(BARS * share), bar);
}

static void print_histogram(const struct judged *judged, const struct ordo_log_track *track)
{
    const struct ordo_sketch *sketch = &track->offsets.magnitude;
    char label[JUDGED_LABEL];
    printf("histogram of %s, magnitudes:\n", judged_label(judged, track, label));
    if (sketch->zeros)
        print_octave(0, sketch->zeros, sketch->count);
    for (int i = 0; i < ORDO_SKETCH_OCTAVES; i++) {
        uint64_t count = ordo_sketch_octave(sketch, i);
        if (count)
            print_octave(ordo_sketch_least(i), count, sketch->count);
    }
}

static void print_distributions(const struct judged *judged)
{
    int series = 0;
    printf("\n");
    for (int i = 0; i < judged->judge->track_count; i++)
        if (has_offsets(judged->judge->tracks[i])) {
            series++;
            print_allan(judged, judged->judge->tracks[i]);
        }
    for (int i = 0; i < judged->judge->track_count && series <= FEW; i++)
        if (has_offsets(judged->judge->tracks[i]))
            print_histogram(judged, judged->judge->tracks[i]);
}

static void print_span(const struct ordo_log_finding *finding)
{
    int64_t lasted_ns;
    char text[24], worst[24];
    if (!isnan(finding->worst_ns))
        printf(", %s %s", finding->wrong == ORDO_LOG_SILENT || finding->wrong == ORDO_LOG_TIME_BACK ? "by" : "worst",
               show_ns(finding->worst_ns, worst));
    if (finding->is_open)
        printf(", until the end");
    else if (ordo_log_elapsed(&finding->begin, &finding->end, &lasted_ns) && lasted_ns > 0)
        printf(", for %s", show_ns((double)lasted_ns, text));
    if (finding->count > 1)
        printf(", %" PRIu64 " times", finding->count);
}

static void print_findings(const struct judged *judged)
{
    const struct ordo_log_findings *findings = &judged->judge->findings;
    int shown = findings->listed <= SHOWN || judged->all ? findings->listed : SHOWN;
    printf(findings->listed ? "\nfindings:\n" : "\nno findings\n");
    for (int i = 0; i < shown; i++) {
        const struct ordo_log_finding *finding = &findings->list[i];
        char label[JUDGED_LABEL], time[JUDGED_TIME];
        printf("%19s  %-12s %s", judged_time(&finding->begin, time), ordo_log_wrong_name(finding->wrong),
               judged_label(judged, judged->judge->tracks[finding->track], label));
        print_span(finding);
        printf("%s%s (%s:%" PRIu64 ")\n", *finding->text ? ": " : "", finding->text,
               cli_show(judged->files->file[finding->file].path), finding->line);
    }
    if (shown < findings->listed)
        printf("... and %d more: --all prints them\n", findings->listed - shown);
    for (int i = 0; i < ORDO_LOG_WRONGS; i++)
        if (findings->counts[i] && findings->listed > SHOWN)
            printf("%12" PRIu64 " %s\n", findings->counts[i], ordo_log_wrong_name(i));
}

static void print_value(enum ordo_log_limit limit, double value)
{
    char text[24];
    if (limit == ORDO_LOG_LIMIT_LOST)
        printf("%.0f times", value);
    else
        printf("%s", show_ns(value, text));
}

static void print_verdicts(const struct judged *judged)
{
    for (int i = 0; i < ORDO_LOG_LIMITS; i++) {
        enum ordo_log_verdict verdict = ordo_log_judge_limit(judged->judge, i);
        static const char *const words[] = {"", "holds", "EXCEEDED", "UNKNOWN"};
        char label[JUDGED_LABEL];
        double value = NAN;
        if (verdict == ORDO_LOG_UNLIMITED)
            continue;
        const struct ordo_log_track *worst = judged_worst(judged, i, &value);
        printf("%s within ", judged_limit(i));
        print_value(i, judged_limit_value(judged, i));
        if (i == ORDO_LOG_LIMIT_OFFSET && judged->judge->limits.percent < 100)
            printf(" for %g%%", judged->judge->limits.percent);
        printf(": %s", words[verdict]);
        if (worst) {
            printf(", at most ");
            print_value(i, value);
            printf(", of %s", judged_label(judged, worst, label));
        }
        printf("\n");
    }
}

void judged_print_text(const struct judged *judged)
{
    print_files(judged);
    print_odd(judged);
    print_all_series(judged);
    print_distributions(judged);
    print_findings(judged);
    print_verdicts(judged);
}
