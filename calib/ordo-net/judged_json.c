/* The judgement of logs as JSON. */
#include <math.h>

#include "judged.h"
#include "json/builder.h"

static const double percents[] = {50, 90, 95, 99, 99.9, 99.99};
static const char *const percent_keys[] = {"p50", "p90", "p95", "p99", "p99_9", "p99_99"};

static void put_count(struct ordo_json *object, const char *key, uint64_t count)
{
    ordo_json_put_int(object, key, (int64_t)count);
}

static struct ordo_json time_of_log(const struct ordo_log_time *time)
{
    struct ordo_json object = ordo_json_object();
    if (time->has_wall)
        ordo_json_put_int(&object, "wall_ns", time->wall_ns);
    if (time->has_up)
        ordo_json_put_int(&object, "up_ns", time->up_ns);
    return object;
}

static struct ordo_json magnitudes_of(const struct ordo_log_offsets *offsets)
{
    struct ordo_json object = ordo_json_object();
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++)
        ordo_json_put_real(&object, percent_keys[i], ordo_sketch_percentile(&offsets->magnitude, percents[i]));
    ordo_json_put_real(&object, "max", ordo_log_worst_ns(offsets));
    return object;
}

static struct ordo_json histogram_of(const struct ordo_sketch *sketch)
{
    struct ordo_json array = ordo_json_array();
    for (int i = -1; i < ORDO_SKETCH_OCTAVES; i++) {
        uint64_t count = i < 0 ? sketch->zeros : ordo_sketch_octave(sketch, i);
        if (!count)
            continue;
        struct ordo_json cell = ordo_json_object();
        ordo_json_put_real(&cell, "from_ns", i < 0 ? 0 : ordo_sketch_least(i));
        put_count(&cell, "count", count);
        ordo_json_add(&array, cell);
    }
    return array;
}

static struct ordo_json allan_of(const struct ordo_log_grid *grid)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < ORDO_OCTAVES && grid->octaves.octave[i].terms > 0; i++) {
        struct ordo_json span = ordo_json_object();
        ordo_json_put_real(&span, "span_s", ldexp((double)grid->apart_ns, i) * 1e-9);
        ordo_json_put_real(&span, "deviation", ordo_octaves_deviation(&grid->octaves, i, (double)grid->apart_ns));
        put_count(&span, "terms", grid->octaves.octave[i].terms);
        ordo_json_add(&array, span);
    }
    return array;
}

static void put_names(struct ordo_json *object, const struct ordo_log_key *key)
{
    ordo_json_put_text(object, "program", ordo_log_program_name(key->program));
    ordo_json_put_text(object, "kind", ordo_log_series_name(key->series));
    ordo_json_put_text(object, key->file ? "file" : "host", key->host);
    if (*key->tag)
        ordo_json_put_text(object, "tag", key->tag);
    if (*key->clock)
        ordo_json_put_text(object, "clock", key->clock);
    if (key->pid >= 0)
        ordo_json_put_int(object, "pid", key->pid);
}

static void put_extremes(struct ordo_json *object, const struct ordo_log_track *track)
{
    if (track->delays) {
        ordo_json_put_real(object, "delay_mean_ns", track->delay_sum_ns / (double)track->delays);
        ordo_json_put_reals(object, "delay_range_ns", track->delay_low_ns, track->delay_high_ns);
    }
    if (track->bounds)
        ordo_json_put_real(object, "bound_max_ns", track->bound_high_ns);
    if (track->freqs)
        ordo_json_put_reals(object, "freq_range_ppb", track->freq_low_ppb, track->freq_high_ppb);
}

static struct ordo_json series_of(const struct judged *judged, const struct ordo_log_track *track)
{
    const struct ordo_log_offsets *offsets = &track->offsets;
    struct ordo_json object = ordo_json_object();
    put_names(&object, &track->key);
    ordo_json_put_bool(&object, "judged", ordo_log_judge_concerns(judged->judge, track));
    put_count(&object, "readings", offsets->readings);
    put_count(&object, "summaries", offsets->summaries);
    put_count(&object, "start_readings", track->start_readings);
    put_count(&object, "repeated_readings", track->repeated);
    put_count(&object, "over_limit", offsets->over);
    ordo_json_put(&object, "first", time_of_log(&track->first));
    ordo_json_put(&object, "last", time_of_log(&track->last));
    ordo_json_put_real(&object, "mean_ns", offsets->readings ? offsets->mean_ns : NAN);
    ordo_json_put_real(&object, "deviation_ns", ordo_log_deviation_ns(offsets));
    ordo_json_put_real(&object, "rms_ns", ordo_log_rms_ns(offsets));
    ordo_json_put_real(&object, "jitter_ns", ordo_log_jitter_ns(offsets));
    ordo_json_put(&object, "magnitude_ns", magnitudes_of(offsets));
    put_extremes(&object, track);
    put_count(&object, "locks_lost", track->wrongs[ORDO_LOG_LOST]);
    ordo_json_put_real(&object, "observed_s", track->observed_ns * 1e-9);
    ordo_json_put_real(&object, "unlocked_s", track->unlocked_ns * 1e-9);
    ordo_json_put_real(&object, "silence_max_s", (double)track->silence_high_ns * 1e-9);
    ordo_json_put_real(&object, "interval_s", track->grid.apart_ns ? (double)track->grid.apart_ns * 1e-9 : NAN);
    ordo_json_put(&object, "allan", allan_of(&track->grid));
    ordo_json_put(&object, "histogram", histogram_of(&offsets->magnitude));
    return object;
}

static struct ordo_json finding_of(const struct judged *judged, const struct ordo_log_finding *finding)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "kind", ordo_log_wrong_name(finding->wrong));
    ordo_json_put_int(&object, "series", finding->track);
    ordo_json_put(&object, "begin", time_of_log(&finding->begin));
    ordo_json_put(&object, "end", time_of_log(&finding->end));
    ordo_json_put_bool(&object, "open", finding->is_open);
    put_count(&object, "count", finding->count);
    ordo_json_put_real(&object, "worst_ns", finding->worst_ns);
    ordo_json_put_text(&object, "text", finding->text);
    ordo_json_put_text(&object, "file", judged->files->file[finding->file].path);
    put_count(&object, "line", finding->line);
    return object;
}

static void put_files(struct ordo_json *document, const struct judged *judged)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < judged->files->count; i++) {
        const struct ordo_log_file *file = &judged->files->file[i];
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "file", file->path);
        put_count(&object, "lines", file->lines);
        put_count(&object, "readings", file->readings);
        ordo_json_put_text(&object, "copy_of", file->copy_of);
        ordo_json_add(&array, object);
    }
    ordo_json_put(document, "files", array);
}

static void put_odd(struct ordo_json *document, const struct judged *judged)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < ORDO_LOG_ODDS; i++) {
        const struct ordo_log_oddity *odd = &judged->judge->odd[i];
        if (odd->count == 0)
            continue;
        struct ordo_json object = ordo_json_object();
        ordo_json_put_text(&object, "kind", judged_odd(i));
        put_count(&object, "count", odd->count);
        ordo_json_put_text(&object, "file", judged->files->file[odd->file].path);
        put_count(&object, "line", odd->line);
        ordo_json_put_text(&object, "text", odd->text);
        ordo_json_add(&array, object);
    }
    ordo_json_put(document, "odd", array);
}

static void put_limits(struct ordo_json *document, const struct judged *judged)
{
    struct ordo_json array = ordo_json_array();
    for (int i = 0; i < ORDO_LOG_LIMITS; i++) {
        enum ordo_log_verdict verdict = ordo_log_judge_limit(judged->judge, i);
        double value = NAN;
        if (verdict == ORDO_LOG_UNLIMITED)
            continue;
        struct ordo_json object = ordo_json_object();
        const char *unit = i == ORDO_LOG_LIMIT_LOST ? "limit" : "limit_ns";
        ordo_json_put_text(&object, "of", judged_limit(i));
        ordo_json_put_real(&object, unit, judged_limit_value(judged, i));
        if (i == ORDO_LOG_LIMIT_OFFSET)
            ordo_json_put_real(&object, "percent", judged->judge->limits.percent);
        (void)judged_worst(judged, i, &value);
        ordo_json_put_real(&object, i == ORDO_LOG_LIMIT_LOST ? "worst" : "worst_ns", value);
        ordo_json_put_text(&object, "verdict", judged_verdict(verdict));
        ordo_json_add(&array, object);
    }
    ordo_json_put(document, "limits", array);
}

static void put_findings(struct ordo_json *document, const struct judged *judged)
{
    const struct ordo_log_findings *findings = &judged->judge->findings;
    struct ordo_json array = ordo_json_array(), counts = ordo_json_object();
    for (int i = 0; i < ORDO_LOG_WRONGS; i++)
        if (findings->counts[i])
            put_count(&counts, ordo_log_wrong_name(i), findings->counts[i]);
    for (int i = 0; i < findings->listed; i++)
        ordo_json_add(&array, finding_of(judged, &findings->list[i]));
    ordo_json_put(document, "finding_counts", counts);
    ordo_json_put(document, "findings", array);
}

int judged_print_json(const struct judged *judged)
{
    struct ordo_json document = ordo_json_document("ordo-judge/1"), array = ordo_json_array();
    for (int i = 0; i < judged->judge->track_count; i++)
        ordo_json_add(&array, series_of(judged, judged->judge->tracks[i]));
    put_count(&document, "lines", judged->judge->lines);
    put_count(&document, "foreign_lines", judged->judge->kinds[ORDO_LOG_FOREIGN]);
    put_count(&document, "readings", ordo_log_judge_readings(judged->judge));
    put_count(&document, "lines_without_series", judged->judge->without_track);
    put_files(&document, judged);
    put_odd(&document, judged);
    ordo_json_put(&document, "series", array);
    put_limits(&document, judged);
    put_findings(&document, judged);
    return ordo_json_write(&document, stdout);
}
