#include "judged.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *judged_verdict(enum ordo_log_verdict verdict)
{
    static const char *const words[] = {"not-given", "holds", "exceeded", "unknown"};
    return words[verdict];
}

const char *judged_limit(enum ordo_log_limit limit)
{
    static const char *const words[ORDO_LOG_LIMITS] = {"offset", "jitter", "delay", "bound", "silence", "lost"};
    return words[limit];
}

const char *judged_odd(enum ordo_log_odd odd)
{
    static const char *const words[ORDO_LOG_ODDS] = {"too-long", "binary", "malformed", "cut-off", "damaged", "failed"};
    return words[odd];
}

double judged_limit_value(const struct judged *judged, enum ordo_log_limit limit)
{
    const struct ordo_log_limits *limits = &judged->judge->limits;
    const double values[ORDO_LOG_LIMITS] = {limits->offset_ns, limits->jitter_ns,  limits->delay_ns,
                                            limits->bound_ns,  limits->silence_ns, limits->lost};
    return values[limit];
}

const struct ordo_log_track *judged_worst(const struct judged *judged, enum ordo_log_limit limit, double *value)
{
    const struct ordo_log_track *worst = NULL;
    for (int i = 0; i < judged->judge->track_count; i++) {
        double own;
        enum ordo_log_verdict verdict = ordo_log_judge_track(judged->judge, judged->judge->tracks[i], limit, &own);
        if (verdict == ORDO_LOG_UNLIMITED || isnan(own) || (worst && own <= *value))
            continue;
        worst = judged->judge->tracks[i];
        *value = own;
    }
    return worst;
}

/* True if all series have the same host. */
static bool has_one_host(const struct ordo_log_judge *judge)
{
    for (int i = 1; i < judge->track_count; i++)
        if (strcmp(judge->tracks[i]->key.host, judge->tracks[0]->key.host) != 0)
            return false;
    return true;
}

/* True if two series differ only by the process. */
static bool has_twin(const struct ordo_log_judge *judge, const struct ordo_log_key *key)
{
    int same = 0;
    for (int i = 0; i < judge->track_count; i++) {
        const struct ordo_log_key *other = &judge->tracks[i]->key;
        same += other->program == key->program && other->series == key->series && !strcmp(other->host, key->host) &&
                !strcmp(other->tag, key->tag) && !strcmp(other->clock, key->clock);
    }
    return same > 1;
}

/* Appends a part of a label, if it is not empty. */
static void append_part(char label[JUDGED_LABEL], const char *before, const char *part, const char *after)
{
    size_t length = strlen(label);
    if (*part)
        (void)snprintf(label + length, JUDGED_LABEL - length, "%s%s%s", before, part, after);
}

const char *judged_label(const struct judged *judged, const struct ordo_log_track *track, char label[JUDGED_LABEL])
{
    const struct ordo_log_key *key = &track->key;
    *label = '\0';
    if (!has_one_host(judged->judge))
        append_part(label, "", key->host, " ");
    append_part(label, "", ordo_log_program_name(key->program), "");
    append_part(label, "[", key->tag, "]");
    if (key->series != ORDO_LOG_SERVO)
        append_part(label, " ", ordo_log_series_name(key->series), "");
    append_part(label, " ", key->clock, "");
    if (has_twin(judged->judge, key)) {
        char pid[24];
        (void)snprintf(pid, sizeof pid, "%" PRId64, key->pid);
        append_part(label, " process ", pid, "");
    }
    return label;
}

const char *judged_time(const struct ordo_log_time *time, char text[JUDGED_TIME])
{
    *text = '\0';
    if (time->has_wall)
        return ordo_log_show_wall(time->wall_ns, text);
    if (time->has_up)
        (void)snprintf(text, JUDGED_TIME, "%.3f s", (double)time->up_ns * 1e-9);
    return text;
}
