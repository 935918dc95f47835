#include "net/log/judge.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "net/log/item.h"
#include "net/log/state.h"

struct ordo_log_judge *ordo_log_judge_create(const struct ordo_log_limits *limits)
{
    struct ordo_log_judge *judge = calloc(1, sizeof *judge);
    if (judge)
        judge->limits = *limits;
    return judge;
}

void ordo_log_judge_free(struct ordo_log_judge *judge)
{
    for (int i = 0; judge && i < judge->track_count; i++)
        free(judge->tracks[i]);
    free(judge);
}

/* The source of the lines that are being read. */
struct source {
    struct ordo_log_judge *judge;
    const struct ordo_log_file *file;
    int number;
    struct ordo_log_habit habit;
    struct ordo_log_chronyc chronyc;
    int last_track;
    struct ordo_log_time last; /* of the last line that has a time */
};

/* True if `stored` is the copy of `text` (ordo_log_copy). */
static bool is_copy(const char *stored, struct ordo_log_text text)
{
    size_t length = ordo_log_length(text) < ORDO_LOG_NAME - 1 ? ordo_log_length(text) : ORDO_LOG_NAME - 1;
    char copy[ORDO_LOG_NAME];
    if (strncmp(stored, text.at, length) == 0 && stored[length] == '\0')
        return true;
    ordo_log_copy(copy, sizeof copy, text);
    return strcmp(stored, copy) == 0;
}

/* What a line says about its series. */
struct named {
    enum ordo_log_program program;
    struct ordo_log_text host;
    const char *file; /* NULL: the line names a host */
    const struct ordo_log_line *line;
    const struct ordo_log_item *item;
};

static bool is_same_but_pid(const struct ordo_log_key *key, const struct named *named)
{
    return key->program == named->program && key->series == named->item->series &&
           is_copy(key->clock, named->item->clock) && !key->file == !named->file &&
           (named->file ? strcmp(key->file, named->file) == 0 : is_copy(key->host, named->host)) &&
           is_copy(key->tag, named->line->tag);
}

static bool is_same_series(const struct ordo_log_key *key, const struct named *named)
{
    return key->pid == named->line->pid && is_same_but_pid(key, named);
}

/* True if another process may continue the series: the last one has been silent for longer than from one reading to
 * the next. A line that is earlier by the wall clock is of a process that wrote at the same time. */
static bool has_paused(const struct ordo_log_track *track, const struct ordo_log_time *time)
{
    int64_t since_ns, usual_ns = track->grid.apart_ns > 1000000000 ? track->grid.apart_ns : 1000000000;
    bool is_earlier = time->has_wall && track->last.has_wall && time->wall_ns < track->last.wall_ns;
    return !track->has_last || !ordo_log_elapsed(&track->last, time, &since_ns) ||
           (since_ns < 0 ? !is_earlier : since_ns > 2 * usual_ns);
}

static int add_track(struct ordo_log_judge *judge, const struct named *named)
{
    if (judge->track_count == ORDO_LOG_TRACKS)
        return -1;
    struct ordo_log_track *track = calloc(1, sizeof *track);
    if (!track) {
        judge->is_full = true;
        return -1;
    }
    struct ordo_log_key *key = &track->key;
    key->program = named->program;
    key->series = named->item->series;
    key->pid = named->line->pid;
    key->file = named->file;
    ordo_log_copy(key->host, sizeof key->host, named->host);
    ordo_log_copy(key->tag, sizeof key->tag, named->line->tag);
    ordo_log_copy(key->clock, sizeof key->clock, named->item->clock);
    for (int i = 0; i < ORDO_LOG_WRONGS; i++)
        track->place[i] = -1;
    judge->tracks[judge->track_count] = track;
    return judge->track_count++;
}

/* Searches the series of a line, first the last one. Returns its number; -1: there is none of this process. Sets
 * `*continued` to a series that this process may continue, or to -1. */
static int search_track(const struct source *source, const struct named *named, int *continued)
{
    const struct ordo_log_judge *judge = source->judge;
    *continued = -1;
    if (source->last_track < judge->track_count && is_same_series(&judge->tracks[source->last_track]->key, named))
        return source->last_track;
    for (int i = 0; i < judge->track_count; i++) {
        if (is_same_series(&judge->tracks[i]->key, named))
            return i;
        if (*continued < 0 && is_same_but_pid(&judge->tracks[i]->key, named) &&
            has_paused(judge->tracks[i], &named->line->time))
            *continued = i;
    }
    return -1;
}

static int track_of_line(struct source *source, const struct named *named, bool *is_continued)
{
    int continued, track = search_track(source, named, &continued);
    *is_continued = track < 0 && continued >= 0;
    if (*is_continued) {
        track = continued;
        source->judge->tracks[track]->key.pid = named->line->pid;
    } else if (track < 0)
        track = add_track(source->judge, named);
    if (track >= 0)
        source->last_track = track;
    return track;
}

/* The program that wrote an item, also if the line does not name it. */
static enum ordo_log_program program_of(const struct ordo_log_line *line, const struct ordo_log_item *item)
{
    if (item->series != ORDO_LOG_SERVO)
        return ORDO_LOG_CHRONYD;
    if (line->program)
        return line->program;
    return ordo_log_find(line->text, "phc offset") || ordo_log_find(line->text, "sys offset") ? ORDO_LOG_PHC2SYS
                                                                                              : ORDO_LOG_PTP4L;
}

static void judge_item(struct source *source, const struct ordo_log_line *line, const struct ordo_log_item *item)
{
    const char *stem = source->file->stem;
    bool is_file = line->host.at == line->host.end, is_continued;
    struct named named = {program_of(line, item),
                          is_file ? (struct ordo_log_text){stem, stem + strlen(stem)} : line->host,
                          is_file ? stem : NULL, line, item};
    int track = track_of_line(source, &named, &is_continued);
    if (track < 0) {
        source->judge->without_track++;
        return;
    }
    struct ordo_log_spot spot = {source->judge,  source->judge->tracks[track], track,
                                 source->number, source->file->reader.line,    line->time};
    if (is_continued)
        ordo_log_state_restart(&spot, "another process continues");
    ordo_log_state_take(&spot, item);
}

static void count_odd(struct source *source, enum ordo_log_odd odd, struct ordo_log_text text)
{
    struct ordo_log_oddity *oddity = &source->judge->odd[odd];
    if (oddity->count++ > 0)
        return;
    oddity->line = source->file->reader.line;
    oddity->file = source->number;
    ordo_log_copy(oddity->text, sizeof oddity->text, text);
}

/* Reads a line in the forms of all programs. */
static void read_item(struct source *source, struct ordo_log_text raw, struct ordo_log_line *line,
                      struct ordo_log_item *item)
{
    if (raw.at < raw.end && ordo_log_is_digit(*raw.at) && ordo_log_chrony_row(raw, line->is_cut, &line->time, item)) {
        line->host = line->tag = line->text = (struct ordo_log_text){raw.at, raw.at};
        return;
    }
    bool is_cut = line->is_cut;
    ordo_log_line_read(line, raw, &source->habit);
    line->is_cut = is_cut;
    if (line->program == ORDO_LOG_CHRONYD)
        ordo_log_chronyd(line, item);
    else if (line->program)
        ordo_log_linuxptp(line, item);
    else {
        struct ordo_log_time time = {0};
        if (ordo_log_chronyc_line(&source->chronyc, raw, source->habit.latest_ns, &time, item)) {
            line->time = time;
            line->host = line->tag = (struct ordo_log_text){raw.at, raw.at};
            return;
        }
        ordo_log_chronyd(line, item);
        if (item->kind == ORDO_LOG_FOREIGN)
            ordo_log_linuxptp(line, item);
    }
}

/* Clears values that no clock has, such as 1e300 s in a damaged line, before they spoil sums. */
static void drop_absurd(struct ordo_log_item *item)
{
    static const double most_ns = 1e20; /* 3000 years */
    double *const extras[] = {&item->delay_ns, &item->bound_ns, &item->freq_ppb, &item->value_ns};
    for (size_t i = 0; i < sizeof extras / sizeof *extras; i++)
        if (!(fabs(*extras[i]) <= most_ns))
            *extras[i] = NAN;
    if ((item->kind == ORDO_LOG_READING && !(fabs(item->offset_ns) <= most_ns)) ||
        (item->kind == ORDO_LOG_SUMMARY && !(fabs(item->rms_ns) <= most_ns && fabs(item->max_ns) <= most_ns)))
        item->kind = ORDO_LOG_MALFORMED;
}

/* Notes the time of a line. A line of another program is trusted only for a wall time that the file can have. */
static void note_time(struct source *source, const struct ordo_log_line *line, const struct ordo_log_item *item)
{
    const struct ordo_log_time *time = &line->time;
    if (item->kind != ORDO_LOG_FOREIGN && (time->has_wall || time->has_up))
        source->last = *time;
    else if (time->has_wall && time->wall_ns <= source->habit.latest_ns)
        source->last = (struct ordo_log_time){.wall_ns = time->wall_ns, .has_wall = true};
}

static void judge_log_line(struct source *source, struct ordo_log_text raw, bool is_cut)
{
    struct ordo_log_line line = {.pid = -1, .is_cut = is_cut};
    struct ordo_log_item item = {.clock = {raw.at, raw.at},
                                 .detail = {raw.at, raw.at},
                                 .offset_ns = NAN,
                                 .rms_ns = NAN,
                                 .max_ns = NAN,
                                 .delay_ns = NAN,
                                 .bound_ns = NAN,
                                 .freq_ppb = NAN,
                                 .value_ns = NAN,
                                 .servo = -1};
    read_item(source, raw, &line, &item);
    drop_absurd(&item);
    note_time(source, &line, &item);
    source->judge->kinds[item.kind]++;
    if (item.kind == ORDO_LOG_MALFORMED)
        count_odd(source, ORDO_LOG_ODD_MALFORMED, raw);
    else if (item.kind == ORDO_LOG_READING || item.kind == ORDO_LOG_SUMMARY || item.kind == ORDO_LOG_STATE)
        judge_item(source, &line, &item);
    if (is_cut && item.kind != ORDO_LOG_FOREIGN)
        count_odd(source, ORDO_LOG_ODD_CUT, raw);
}

static int judge_file(struct ordo_log_judge *judge, struct ordo_log_file *file, int number, struct ordo_error *error)
{
    struct source source = {.judge = judge, .file = file, .number = number, .habit = {.latest_ns = file->latest_ns}};
    int code = ordo_log_file_begin(file, error);
    struct ordo_log_text text;
    enum ordo_log_odd odd = ORDO_LOG_ODD_LONG;
    uint64_t before = ordo_log_judge_readings(judge);
    if (code)
        return code;
    for (;;) {
        enum ordo_log_step step = ordo_log_reader_next(&file->reader, &text, &odd);
        if (step == ORDO_LOG_END)
            break;
        if (step == ORDO_LOG_SKIPPED)
            count_odd(&source, odd, text);
        else
            judge_log_line(&source, text, step == ORDO_LOG_CUT_LINE);
    }
    file->last = source.last;
    file->lines = file->reader.line;
    file->readings = ordo_log_judge_readings(judge) - before;
    judge->lines += file->lines;
    ordo_log_reader_close(&file->reader);
    return judge->is_full ? ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", file->path) : ORDO_OK;
}

/* Orders findings by time, with those of one clock first, and by their places in the files. */
static int earlier_first(const void *a, const void *b)
{
    const struct ordo_log_finding *one = a, *other = b;
    const struct ordo_log_time *from = &one->begin, *to = &other->begin;
    if (from->has_wall && to->has_wall && from->wall_ns != to->wall_ns)
        return from->wall_ns < to->wall_ns ? -1 : 1;
    if (from->has_wall != to->has_wall)
        return from->has_wall ? -1 : 1;
    if (one->file != other->file)
        return one->file < other->file ? -1 : 1;
    return one->line < other->line ? -1 : one->line > other->line;
}

/* Drops the findings beyond limits that, as it turned out, do not concern their series. */
static void drop_unconcerned(struct ordo_log_judge *judge)
{
    struct ordo_log_findings *findings = &judge->findings;
    int kept = 0;
    for (int i = 0; i < findings->listed; i++) {
        const struct ordo_log_finding *finding = &findings->list[i];
        bool is_limit = finding->wrong >= ORDO_LOG_OVER_OFFSET;
        if (!is_limit || ordo_log_judge_concerns(judge, judge->tracks[finding->track]))
            findings->list[kept++] = *finding;
        else
            findings->counts[finding->wrong]--;
    }
    findings->listed = kept;
}

/* The log may go on without the series, because its daemon died: then the series is silent until the end of the log. */
static void see_end(struct ordo_log_track *track, const struct ordo_log_files *files)
{
    const char *stem = files->file[track->last_file].stem;
    int64_t later_ns;
    for (int i = 0; i < files->count; i++)
        if (strcmp(files->file[i].stem, stem) == 0 && ordo_log_elapsed(&track->last, &files->file[i].last, &later_ns) &&
            later_ns > 0 && (!ordo_log_elapsed(&track->seen, &files->file[i].last, &later_ns) || later_ns > 0))
            track->seen = files->file[i].last;
}

static void end_tracks(struct ordo_log_judge *judge, const struct ordo_log_files *files)
{
    for (int i = 0; i < judge->track_count; i++) {
        struct ordo_log_track *track = judge->tracks[i];
        struct ordo_log_spot spot = {judge, track, i, track->last_file, track->last_line, track->last};
        see_end(track, files);
        ordo_log_state_end(&spot);
    }
    drop_unconcerned(judge);
    qsort(judge->findings.list, (size_t)judge->findings.listed, sizeof *judge->findings.list, earlier_first);
}

int ordo_log_judge_files(struct ordo_log_judge *judge, struct ordo_log_files *files, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (int i = 0; i < files->count && !code; i++)
        if (!files->file[i].copy_of)
            code = judge_file(judge, &files->file[i], i, error);
    if (!code)
        end_tracks(judge, files);
    return code;
}

uint64_t ordo_log_judge_readings(const struct ordo_log_judge *judge)
{
    return judge->kinds[ORDO_LOG_READING] + judge->kinds[ORDO_LOG_SUMMARY];
}
