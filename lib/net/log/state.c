#include "net/log/state.h"

#include <math.h>

enum { MERGED_S = 10, USUAL = 16 /* readings over which the usual change is smoothed */ };

static const int64_t second_ns = 1000000000;

/* A change is a jump if it is this many times the usual change, and at least JUMP_LEAST_NS. */
static const double jump_factor = 25, jump_least_ns = 1000;

static struct ordo_log_text words_of(const char *text)
{
    return (struct ordo_log_text){text, text + strlen(text)};
}

/* Begins a finding. Without a time of its own, an event has the time of the last reading. */
static void begin_finding(const struct ordo_log_spot *spot, enum ordo_log_wrong wrong, double worst_ns,
                          struct ordo_log_text text)
{
    struct ordo_log_track *track = spot->track;
    bool has_time = spot->time.has_wall || spot->time.has_up || !track->has_last;
    struct ordo_log_time time = has_time ? spot->time : track->last;
    struct ordo_log_finding finding = {wrong, spot->number, spot->file, spot->line, time, time, 1, worst_ns, false, ""};
    ordo_log_copy(finding.text, sizeof finding.text, text);
    track->place[wrong] = ordo_log_finding_begin(&spot->judge->findings, &finding);
    track->has_place[wrong] = true;
    track->wrongs[wrong]++;
}

/* Adds an event to the last finding of its kind if that was a moment ago, else begins a finding. */
static void note_event(const struct ordo_log_spot *spot, enum ordo_log_wrong wrong, double worst_ns,
                       struct ordo_log_text text)
{
    struct ordo_log_track *track = spot->track;
    int place = track->has_place[wrong] ? track->place[wrong] : -1;
    int64_t since_ns;
    if (place >= 0 && ordo_log_elapsed(&spot->judge->findings.list[place].end, &spot->time, &since_ns) &&
        since_ns >= 0 && since_ns <= MERGED_S * second_ns)
        ordo_log_finding_extend(&spot->judge->findings, place, &spot->time, worst_ns);
    else
        begin_finding(spot, wrong, worst_ns, text);
}

/* Notes a value beyond a limit, or back within it. */
static void note_limit(const struct ordo_log_spot *spot, enum ordo_log_wrong wrong, double value_ns, double limit_ns)
{
    struct ordo_log_track *track = spot->track;
    bool is_over = fabs(value_ns) > limit_ns; /* false if there is no value, or no limit */
    if (is_over && track->is_over[wrong])
        ordo_log_finding_extend(&spot->judge->findings, track->place[wrong], &spot->time, value_ns);
    else if (is_over)
        begin_finding(spot, wrong, value_ns, words_of(""));
    if (!isnan(value_ns))
        track->is_over[wrong] = is_over;
}

/* The first lock: the readings so far belong to the start. */
static void end_start(struct ordo_log_track *track)
{
    struct ordo_log_offsets *offsets = &track->offsets;
    if (offsets->readings + offsets->summaries > 0) {
        track->start_readings += offsets->readings + offsets->summaries;
        track->start_worst_ns = ordo_log_worst_ns(offsets);
    }
    memset(offsets, 0, sizeof *offsets);
    memset(&track->grid, 0, sizeof track->grid);
    memset(&track->band, 0, sizeof track->band);
    track->observed_ns = 0;
    track->silence_high_ns = 0;
    track->usual_change_ns = 0;
    track->delays = track->bounds = track->freqs = 0;
    track->has_time = false;
    for (int i = ORDO_LOG_OVER_OFFSET; i <= ORDO_LOG_OVER_BOUND; i++)
        track->is_over[i] = false;
}

static void lock(const struct ordo_log_spot *spot)
{
    struct ordo_log_track *track = spot->track;
    int64_t lost_ns;
    if (track->lock == ORDO_LOG_STARTING)
        end_start(track);
    if (track->lock == ORDO_LOG_UNLOCKED) {
        if (ordo_log_elapsed(&track->lost_at, &spot->time, &lost_ns) && lost_ns > 0)
            track->unlocked_ns += (double)lost_ns;
        if (track->place[ORDO_LOG_LOST] >= 0) {
            struct ordo_log_finding *finding = &spot->judge->findings.list[track->place[ORDO_LOG_LOST]];
            finding->end = spot->time;
            finding->is_open = false;
        }
    }
    track->lock = ORDO_LOG_LOCKED;
}

static void lose_lock(const struct ordo_log_spot *spot, struct ordo_log_text text)
{
    struct ordo_log_track *track = spot->track;
    if (track->lock == ORDO_LOG_UNLOCKED || track->lock == ORDO_LOG_STARTING)
        return;
    begin_finding(spot, ORDO_LOG_LOST, NAN, text);
    if (track->place[ORDO_LOG_LOST] >= 0)
        spot->judge->findings.list[track->place[ORDO_LOG_LOST]].is_open = true;
    track->lock = ORDO_LOG_UNLOCKED;
    track->lost_at = spot->time;
}

/* Follows the servo's state, which is -1 if the line has none. */
static void follow_servo(const struct ordo_log_spot *spot, const struct ordo_log_item *item)
{
    struct ordo_log_track *track = spot->track;
    if (item->servo >= 2)
        lock(spot);
    else if (item->servo >= 0 && track->lock == ORDO_LOG_LOCK_UNKNOWN && !track->has_last)
        track->lock = ORDO_LOG_STARTING;
    else if (item->servo >= 0)
        lose_lock(spot, words_of(item->servo == 1 ? "servo state s1: the clock is set" : "servo state s0"));
    if (item->servo == 1) {
        if (track->lock == ORDO_LOG_UNLOCKED)
            note_event(spot, ORDO_LOG_SET, item->offset_ns, words_of("servo state s1"));
        ordo_log_grid_break(&track->grid);
    }
}

void ordo_log_state_restart(const struct ordo_log_spot *spot, const char *why)
{
    struct ordo_log_track *track = spot->track;
    if (track->has_last)
        note_event(spot, ORDO_LOG_RESTARTED, NAN, words_of(why));
    ordo_log_grid_break(&track->grid);
    track->has_last = false;
    if (track->lock == ORDO_LOG_LOCK_UNKNOWN && track->offsets.readings + track->offsets.summaries == 0)
        track->lock = ORDO_LOG_STARTING;
    else if (track->lock != ORDO_LOG_LOCK_UNKNOWN || track->key.program == ORDO_LOG_PTP4L)
        lose_lock(spot, words_of(why)); /* the summaries of the others never tell that the lock is back */
}

/* Judges the time from the last reading to this one. Returns false if the two do not follow each other: the difference
 * of their offsets then says nothing. */
static bool follow_time(const struct ordo_log_spot *spot)
{
    struct ordo_log_track *track = spot->track;
    const struct ordo_log_limits *limits = &spot->judge->limits;
    int64_t since_ns, usual_ns = track->grid.apart_ns;
    if (!track->has_last)
        return false;
    if (!ordo_log_elapsed(&track->last, &spot->time, &since_ns))
        return true; /* lines without times follow each other */
    if (since_ns < 0 && spot->time.has_up && track->last.has_up) {
        if (since_ns < -second_ns)
            ordo_log_state_restart(spot, "the time since the start of the machine went back: it was started anew");
        return false;
    }
    if (since_ns < 0) {
        if (since_ns < -2 * second_ns)
            note_event(spot, ORDO_LOG_TIME_BACK, (double)since_ns, words_of(""));
        return false;
    }
    track->observed_ns += (double)since_ns;
    if (since_ns > track->silence_high_ns)
        track->silence_high_ns = since_ns;
    bool is_long = isnan(limits->silence_ns) ? usual_ns > 0 && since_ns / 10 > usual_ns && since_ns > 10 * second_ns
                                             : (double)since_ns > limits->silence_ns;
    if (is_long)
        begin_finding(spot, ORDO_LOG_SILENT, (double)since_ns, words_of(""));
    return usual_ns == 0 || since_ns / ORDO_LOG_GAP <= usual_ns;
}

/* Judges the change from the last reading, which directly precedes this one. */
static void follow_change(const struct ordo_log_spot *spot, double offset_ns)
{
    struct ordo_log_track *track = spot->track;
    double change_ns = offset_ns - track->last_offset_ns, size_ns = fabs(change_ns);
    track->offsets.changes++;
    track->offsets.change_squares += change_ns * change_ns;
    bool is_usual =
        track->offsets.changes <= USUAL || size_ns <= jump_factor * track->usual_change_ns || size_ns < jump_least_ns;
    if (!is_usual && track->lock != ORDO_LOG_STARTING && track->lock != ORDO_LOG_UNLOCKED)
        note_event(spot, ORDO_LOG_JUMPED, change_ns, words_of(""));
    double most_ns = track->offsets.changes <= USUAL ? size_ns : fmin(size_ns, jump_factor * track->usual_change_ns);
    track->usual_change_ns += (most_ns - track->usual_change_ns) / USUAL;
}

static void take_extras(const struct ordo_log_spot *spot, const struct ordo_log_item *item)
{
    struct ordo_log_track *track = spot->track;
    if (!isnan(item->delay_ns)) {
        track->delay_low_ns = track->delays ? fmin(track->delay_low_ns, item->delay_ns) : item->delay_ns;
        track->delay_high_ns = track->delays ? fmax(track->delay_high_ns, item->delay_ns) : item->delay_ns;
        track->delay_sum_ns = track->delays ? track->delay_sum_ns + item->delay_ns : item->delay_ns;
        track->delays++;
    }
    if (!isnan(item->bound_ns)) {
        track->bound_high_ns = track->bounds ? fmax(track->bound_high_ns, item->bound_ns) : item->bound_ns;
        track->bounds++;
    }
    if (!isnan(item->freq_ppb)) {
        track->freq_low_ppb = track->freqs ? fmin(track->freq_low_ppb, item->freq_ppb) : item->freq_ppb;
        track->freq_high_ppb = track->freqs ? fmax(track->freq_high_ppb, item->freq_ppb) : item->freq_ppb;
        track->freqs++;
    }
}

/* Returns the clock of a time for intervals: since the start of the machine if it has that. */
static bool clock_of(const struct ordo_log_time *time, int64_t *ns)
{
    *ns = time->has_up ? time->up_ns : time->wall_ns;
    return time->has_up || time->has_wall;
}

static void take_offset(const struct ordo_log_spot *spot, const struct ordo_log_item *item, bool follows)
{
    struct ordo_log_track *track = spot->track;
    const double limit_ns = isnan(spot->judge->limits.offset_ns) ? INFINITY : spot->judge->limits.offset_ns;
    bool is_reading = item->kind == ORDO_LOG_READING;
    double high_ns = is_reading ? item->offset_ns : fabs(item->max_ns);
    int64_t at_ns;
    if (is_reading && follows)
        follow_change(spot, item->offset_ns);
    if (is_reading)
        ordo_log_offsets_add(&track->offsets, item->offset_ns, limit_ns);
    else
        ordo_log_offsets_add_summary(&track->offsets, item->rms_ns, item->max_ns, limit_ns);
    if (clock_of(&spot->time, &at_ns)) {
        if (is_reading)
            ordo_log_grid_add(&track->grid, at_ns, item->offset_ns);
        ordo_log_band_add(&track->band, at_ns, is_reading ? high_ns : -high_ns, high_ns);
    }
    int lost = track->lock == ORDO_LOG_UNLOCKED ? track->place[ORDO_LOG_LOST] : -1;
    if (lost >= 0 && !(fabs(high_ns) <= fabs(spot->judge->findings.list[lost].worst_ns)))
        spot->judge->findings.list[lost].worst_ns = high_ns;
    if (track->lock != ORDO_LOG_STARTING && ordo_log_judge_concerns(spot->judge, track)) {
        note_limit(spot, ORDO_LOG_OVER_OFFSET, high_ns, limit_ns);
        note_limit(spot, ORDO_LOG_OVER_DELAY, item->delay_ns, spot->judge->limits.delay_ns);
        note_limit(spot, ORDO_LOG_OVER_BOUND, item->bound_ns, spot->judge->limits.bound_ns);
    }
}

/* True if an earlier file had this line already. Wall times of whole seconds may be equal in two successive files, so
 * the time since the start of the machine decides if the lines have it. */
static bool is_repeated(const struct ordo_log_spot *spot)
{
    const struct ordo_log_track *track = spot->track;
    bool has_up = spot->time.has_up && track->last.has_up;
    return track->has_last && spot->file != track->last_file && spot->time.has_wall && track->last.has_wall &&
           spot->time.wall_ns <= track->last.wall_ns && (!has_up || spot->time.up_ns <= track->last.up_ns);
}

static void take_reading(const struct ordo_log_spot *spot, const struct ordo_log_item *item)
{
    struct ordo_log_track *track = spot->track;
    bool follows = follow_time(spot), was_starting = track->lock == ORDO_LOG_STARTING;
    follow_servo(spot, item);
    if (track->key.series == ORDO_LOG_TRACKING)
        lock(spot);
    follows = follows && !(was_starting && track->lock == ORDO_LOG_LOCKED); /* the last reading is set aside */
    take_extras(spot, item);
    take_offset(spot, item, follows);
    if (!track->has_time) {
        track->first = spot->time;
        track->has_time = spot->time.has_wall || spot->time.has_up;
    }
    track->last = spot->time;
    track->last_file = spot->file;
    track->last_line = spot->line;
    track->last_offset_ns = item->offset_ns;
    track->has_last = true;
}

static void take_master(const struct ordo_log_spot *spot, struct ordo_log_text name)
{
    struct ordo_log_track *track = spot->track;
    char copy[ORDO_LOG_NAME];
    ordo_log_copy(copy, sizeof copy, name);
    if (*copy == '\0' || strcmp(copy, track->master) == 0)
        return;
    if (*track->master)
        note_event(spot, ORDO_LOG_NEW_MASTER, NAN, name);
    memcpy(track->master, copy, sizeof copy);
}

/* A port that becomes SLAVE ends a loss that a port began, and the start of a log of summaries, which show no state. */
static void take_port_slave(const struct ordo_log_spot *spot)
{
    struct ordo_log_track *track = spot->track;
    if (track->lock == ORDO_LOG_LOCK_UNKNOWN && track->offsets.readings == 0)
        track->lock = ORDO_LOG_STARTING;
    if (track->lock == ORDO_LOG_STARTING && track->offsets.readings > 0)
        return; /* the servo's state tells the lock */
    lock(spot);
}

/* chronyd has no source. Rows and reports without words repeat this state, so at the begin of a log they tell no loss. */
static void take_unsynced(const struct ordo_log_spot *spot, struct ordo_log_text words)
{
    struct ordo_log_track *track = spot->track;
    bool has_words = words.at < words.end;
    if (!has_words && track->lock == ORDO_LOG_LOCK_UNKNOWN && !track->has_last)
        track->lock = ORDO_LOG_STARTING;
    else
        lose_lock(spot, has_words ? words : words_of("not synchronised"));
}

static void take_state(const struct ordo_log_spot *spot, const struct ordo_log_item *item)
{
    switch (item->event) {
    case ORDO_LOG_CLOCKCHECK:
    case ORDO_LOG_TIME_JUMP:
        note_event(spot, ORDO_LOG_SAW_JUMP, NAN, item->detail);
        ordo_log_grid_break(&spot->track->grid);
        break;
    case ORDO_LOG_PORT_FAULT:
        note_event(spot, ORDO_LOG_FAILED, NAN, item->detail);
        /* fall through */
    case ORDO_LOG_PORT_LOST:
        if (item->event == ORDO_LOG_PORT_LOST || ordo_log_find(item->detail, "SLAVE to"))
            lose_lock(spot, item->detail);
        break;
    case ORDO_LOG_PORT_SLAVE:
        take_port_slave(spot);
        break;
    case ORDO_LOG_MASTER:
        take_master(spot, item->detail);
        break;
    case ORDO_LOG_FAULT:
        note_event(spot, ORDO_LOG_FAILED, NAN, item->detail);
        break;
    case ORDO_LOG_STEPPED:
        note_event(spot, ORDO_LOG_SET, item->value_ns, item->detail);
        break;
    case ORDO_LOG_WRONG:
        /* chronyd says this only of large offsets, so it is no reading, but it can exceed a limit. */
        spot->track->offsets.over += fabs(item->value_ns) > spot->judge->limits.offset_ns;
        note_event(spot, ORDO_LOG_JUMPED, item->value_ns, item->detail);
        break;
    case ORDO_LOG_UNSYNCED:
        take_unsynced(spot, item->detail);
        break;
    case ORDO_LOG_FALSE:
        note_event(spot, ORDO_LOG_LIAR, NAN, item->detail);
        break;
    case ORDO_LOG_STARTED:
        ordo_log_state_restart(spot, "the daemon starts");
        break;
    case ORDO_LOG_EVENTS:
        break;
    }
}

void ordo_log_state_take(const struct ordo_log_spot *spot, const struct ordo_log_item *item)
{
    if (is_repeated(spot)) {
        spot->track->repeated += item->kind != ORDO_LOG_STATE;
        return;
    }
    if (item->kind == ORDO_LOG_STATE) {
        spot->track->seen = spot->time;
        take_state(spot, item);
    } else
        take_reading(spot, item);
    /* chronyd names its source in each row of its tracking, and selects one after it had none. */
    if (item->series != ORDO_LOG_TRACKING)
        return;
    if (item->kind == ORDO_LOG_READING)
        take_master(spot, item->detail);
    else if (item->event == ORDO_LOG_MASTER)
        lock(spot);
}

void ordo_log_state_end(const struct ordo_log_spot *spot)
{
    struct ordo_log_track *track = spot->track;
    struct ordo_log_spot end = *spot;
    int64_t lost_ns = 0, quiet_ns;
    ordo_log_grid_end(&track->grid);
    if (track->has_last && ordo_log_elapsed(&track->last, &track->seen, &quiet_ns) && quiet_ns > 0) {
        end.time = track->seen; /* the daemon wrote on, but no reading */
        (void)follow_time(&end);
    }
    bool never = track->lock == ORDO_LOG_STARTING && track->offsets.readings + track->offsets.summaries > 0;
    if (never) {
        track->unlocked_ns = track->observed_ns;
        begin_finding(spot, ORDO_LOG_LOST, ordo_log_worst_ns(&track->offsets), words_of("never locked"));
    }
    if (track->lock != ORDO_LOG_UNLOCKED)
        return;
    if (ordo_log_elapsed(&track->lost_at, &end.time, &lost_ns) && lost_ns > 0)
        track->unlocked_ns += (double)lost_ns;
    if (track->place[ORDO_LOG_LOST] >= 0 && track->has_last && lost_ns > 0)
        spot->judge->findings.list[track->place[ORDO_LOG_LOST]].end = end.time;
}
