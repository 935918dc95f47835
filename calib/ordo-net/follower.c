#include "ordo-net/follower.h"

#include <stdlib.h>
#include <time.h>

#include "base/plural.h"
#include "common/result.h"
#include "ordo-net/pairs.h"

enum { MOST_CHANGES = 200 }; /* of alarms that are reported one by one in a window */

static struct ordo_json make_event(const char *event, const char *text)
{
    return event_begin(ordo_json_document("ordo-measure-event/1"), event, text);
}

/* Begins an event: prints it, and makes its document. */
static struct ordo_json begin_event(const struct follower *follower, const char *event, const char *text)
{
    char at[32];
    time_t now = time(NULL);
    struct tm utc;
    (void)strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (follower->prints)
        printf("%s %s: %s\n", at, event, text);
    return make_event(event, text);
}

static void put_event(struct follower *follower, struct ordo_json *event)
{
    struct ordo_error error = {0};
    if (follower->logs)
        follower_file(follower, FOLLOWER_LOG, event_log_put(&follower->log, event, &error), &error);
    else
        ordo_json_drop(event);
}

static void say_event(struct follower *follower, const char *event, const char *text)
{
    struct ordo_json document = begin_event(follower, event, text);
    put_event(follower, &document);
}

/* A trouble of the log itself is reported on stderr only. */
void follower_file(struct follower *follower, enum follower_file file, int code, const struct ordo_error *error)
{
    static const char *const names[] = {"log", "file of metrics", "drawing"};
    char text[PAIR_TEXT];
    if ((code != ORDO_OK) == follower->troubled[file])
        return;
    follower->troubled[file] = code != ORDO_OK;
    if (code)
        cli_warn(follower->program, error->text);
    if (file == FOLLOWER_LOG)
        return;
    if (code)
        (void)snprintf(text, sizeof text, "%.400s; this will be tried again", error->text);
    else
        (void)snprintf(text, sizeof text, "the %s can be written again", names[file]);
    say_event(follower, code ? "trouble" : "recovered", text);
}

bool follower_troubled(const struct follower *follower)
{
    return follower->troubled[FOLLOWER_LOG] || follower->troubled[FOLLOWER_METRICS] ||
           follower->troubled[FOLLOWER_DRAWING];
}

static void tell_change(void *context, enum alarm_kind kind, int a, int b, bool rises)
{
    struct follower *follower = context;
    const struct measured *measured = follower->measured;
    char text[PAIR_TEXT];
    if (++follower->changes > MOST_CHANGES)
        return;
    struct ordo_net_survey_pair pair = ordo_net_survey_pair(&measured->result, a, b);
    struct ordo_json event =
        begin_event(follower, rises ? "exceeds" : "cleared", pairs_describe(measured, kind, a, b, text));
    ordo_json_put_text(&event, "a", measured->name[a]);
    ordo_json_put_text(&event, "b", measured->name[b]);
    ordo_json_put_text(&event, "limit", alarm_word(kind));
    ordo_json_put_int(&event, "limit_ns", measured->alarm->limit_ns[kind]);
    ordo_json_put_ints(&event, "proved_offset_ns", pair.offset_ns.low, pair.offset_ns.high);
    put_event(follower, &event);
}

static void tell_host(struct follower *follower, int host)
{
    const struct measured *measured = follower->measured;
    bool silent = !measured->result.host[host].answers;
    char text[PAIR_TEXT];
    if (silent == follower->silent[host])
        return;
    follower->silent[host] = silent;
    (void)snprintf(text, sizeof text, "%.250s %s", measured->name[host], silent ? "does not answer" : "answers again");
    struct ordo_json event = begin_event(follower, silent ? "silent" : "answers", text);
    ordo_json_put_text(&event, "host", measured->name[host]);
    put_event(follower, &event);
}

static void tell_contradiction(struct follower *follower)
{
    const struct ordo_net_survey_result *result = &follower->measured->result;
    bool contrary = result->contraries > 0;
    char text[PAIR_TEXT];
    if (contrary == follower->contrary)
        return;
    follower->contrary = contrary;
    if (!contrary) {
        say_event(follower, "agreement", "the intervals of the edges contradict each other no longer");
        return;
    }
    const struct ordo_net_survey_edge *edge = &result->edge[result->contrary[0]];
    (void)snprintf(text, sizeof text, "the intervals of %d edge%s contradict each other, from %.250s to %.250s on",
                   result->contraries, ordo_plural(result->contraries), follower->measured->name[edge->a],
                   follower->measured->name[edge->b]);
    say_event(follower, "contradiction", text);
}

static void tell_failure(struct follower *follower, const char *failure)
{
    if ((failure != NULL) == follower->failed)
        return;
    follower->failed = failure != NULL;
    say_event(follower, failure ? "failed" : "measured", failure ? failure : "windows have results again");
}

void follower_take(struct follower *follower, const char *failure)
{
    struct measured *measured = follower->measured;
    char text[PAIR_TEXT];
    tell_failure(follower, failure);
    for (int i = 0; i < measured->result.hosts; i++)
        tell_host(follower, i);
    if (!failure)
        tell_contradiction(follower);
    follower->changes = 0;
    alarm_judge(measured->alarm, &measured->result, tell_change, follower);
    if (follower->changes <= MOST_CHANGES)
        return;
    (void)snprintf(text, sizeof text, "%zu more alarms rose or cleared; --json lists the pairs",
                   follower->changes - MOST_CHANGES);
    say_event(follower, "more", text);
}

bool follower_begin(struct follower *follower, const char *log, bool prints, const char *program)
{
    char text[PAIR_TEXT];
    int hosts = follower->measured->alarm->hosts;
    follower->program = program;
    follower->prints = prints;
    follower->logs = log != NULL;
    follower->silent = calloc((size_t)hosts, sizeof *follower->silent);
    event_log_open(&follower->log, log);
    if (!follower->silent)
        return false;
    if (!follower->logs)
        return true;
    (void)snprintf(text, sizeof text, "%d hosts against %.250s", hosts, follower->measured->name[0]);
    struct ordo_json event = make_event("start", text);
    put_event(follower, &event);
    return true;
}

void follower_end(struct follower *follower)
{
    if (follower->logs) {
        struct ordo_json event = make_event("stop", "the measurement ends");
        put_event(follower, &event);
        event_log_close(&follower->log);
    }
    free(follower->silent);
}
