#include "net/live/survey.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/live/points.h"
#include "net/live/prober.h"
#include "net/offset/rate.h"
#include "net/window/window.h"

enum { LEAST_PURE = 4 }; /* in each direction, for an estimate of pure pairs alone */

/* An edge while it is measured. */
struct track {
    uint64_t first; /* the number of the pair that is to be collected next */
    bool ordered, collected;
    bool after;              /* what is left of it was sent after the window */
    enum ordo_net_done done; /* what the host has answered to the order */
    struct ordo_net_points all, pure;
};

struct ordo_net_survey {
    struct ordo_net_port port;
    struct ordo_net_survey_options options;
    struct ordo_net_mesh mesh;
    struct ordo_net_window window;
    struct ordo_net_asked *asked;
    struct track *track;
    struct ordo_net_survey_host *host;
    struct ordo_net_survey_edge *edge;
    double *middle_ps;            /* potentials and bounds in the middle of the window, */
    struct ordo_interval *middle; /* and at its beginning and its end */
    struct ordo_interval *begin;
    double *begin_ps;
    int *contrary, contraries; /* of the first look that found a contradiction */
    bool *refuted, sound;      /* by host, and all of them: in any look */
    bool *slow;                /* by host: in this window nothing more is asked of it */
    int64_t base_at_ns;        /* CLOCK_MONOTONIC here: the middle of the window */
    int64_t until_ns;          /* of CLOCK_MONOTONIC: nobody is asked any more; 0: no such time */
    uint32_t lease_s;
    bool marking; /* collections ask for no pairs, but where the next will be */
    bool began, full, *counted;
};

static struct ordo_net_limits limits_of(const struct ordo_net_survey_options *options)
{
    double rate = ordo_net_rate_apart(1e-6 * options->rate_ppm);
    return (struct ordo_net_limits){.rate = rate, .change = 2 * rate, .stamp_ps = 2000 * options->stamp_ns};
}

static bool allocate(struct ordo_net_survey *survey, int hosts)
{
    size_t edges = (size_t)survey->mesh.edges, count = (size_t)hosts;
    survey->asked = calloc(count, sizeof *survey->asked);
    survey->host = calloc(count, sizeof *survey->host);
    survey->counted = calloc(count, sizeof *survey->counted);
    survey->middle_ps = calloc(count, sizeof *survey->middle_ps);
    survey->middle = calloc(count, sizeof *survey->middle);
    survey->begin_ps = calloc(count, sizeof *survey->begin_ps);
    survey->begin = calloc(count, sizeof *survey->begin);
    survey->contrary = calloc(count, sizeof *survey->contrary);
    survey->refuted = calloc(count, sizeof *survey->refuted);
    survey->slow = calloc(count, sizeof *survey->slow);
    survey->track = calloc(edges, sizeof *survey->track);
    survey->edge = calloc(edges, sizeof *survey->edge);
    return survey->asked && survey->host && survey->counted && survey->middle_ps && survey->middle &&
           survey->begin_ps && survey->begin && survey->contrary && survey->refuted && survey->slow && survey->track &&
           survey->edge && ordo_net_window_make(&survey->window, &survey->mesh);
}

struct ordo_net_survey *ordo_net_survey_new(const struct ordo_net_port *port, const struct ordo_net_address *hosts,
                                            const uint16_t *keys, int count,
                                            const struct ordo_net_survey_options *options)
{
    struct ordo_net_survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return NULL;
    survey->port = *port;
    survey->options = *options;
    survey->lease_s = (uint32_t)((3 * options->window_ns + 3 * options->patience_ns) / 1000000000) + 10;
    if (!ordo_net_mesh_make(&survey->mesh, count, options->peers, options->seed) || !allocate(survey, count)) {
        ordo_net_survey_free(survey);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        survey->asked[i].address = hosts[i];
        survey->asked[i].key = keys && keys[i] ? keys[i] : port->keys.number[0];
    }
    for (int i = 0; i < survey->mesh.edges; i++) {
        survey->edge[i].a = survey->mesh.edge[i].a;
        survey->edge[i].b = survey->mesh.edge[i].b;
    }
    survey->window.limits = limits_of(options);
    survey->window.liars = options->liars;
    return survey;
}

void ordo_net_survey_free(struct ordo_net_survey *survey)
{
    if (!survey)
        return;
    for (int i = 0; survey->track && i < survey->mesh.edges; i++) {
        ordo_net_points_free(&survey->track[i].all);
        ordo_net_points_free(&survey->track[i].pure);
    }
    if (survey->window.mesh)
        ordo_net_window_free(&survey->window);
    ordo_net_mesh_free(&survey->mesh);
    ordo_net_socket_close(&survey->port.socket);
    ordo_net_keys_forget(&survey->port.keys);
    free(survey->asked);
    free(survey->host);
    free(survey->counted);
    free(survey->middle_ps);
    free(survey->middle);
    free(survey->begin_ps);
    free(survey->begin);
    free(survey->contrary);
    free(survey->refuted);
    free(survey->slow);
    free(survey->track);
    free(survey->edge);
    free(survey);
}

/* Orders: each edge is probed by its first host, which needs the address of the other. */
static bool next_order(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    int i = survey->slow[host] ? survey->mesh.edges : 0;
    while (i < survey->mesh.edges && (survey->edge[i].a != host || survey->track[i].ordered))
        i++;
    if (i == survey->mesh.edges)
        return false;
    *question = (struct ordo_net_message){.kind = ORDO_NET_ORDER};
    question->order.edge = (uint32_t)i;
    question->order.every_us = (uint32_t)(survey->options.every_ns / 1000);
    question->order.spacing_ns = (uint32_t)survey->options.spacing_ns;
    question->order.lease_s = survey->lease_s;
    question->order.key = survey->asked[survey->edge[i].b].key;
    ordo_net_address_give(&survey->asked[survey->edge[i].b].address, &question->order);
    return true;
}

/* A host speaks for its own edges alone. */
static bool ordered(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    uint32_t i = survey->asked[host].question.order.edge;
    if (answer->order.edge != i)
        return false;
    survey->track[i].ordered = true;
    survey->track[i].done = (enum ordo_net_done)answer->order.done;
    return true;
}

/* What the edges of a host saw, until nothing is left. */
static bool next_collection(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    int i = survey->slow[host] ? survey->mesh.edges : 0;
    while (i < survey->mesh.edges && (survey->edge[i].a != host || survey->track[i].collected))
        i++;
    if (i == survey->mesh.edges)
        return false;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COLLECT};
    question->harvest.edge = (uint32_t)i;
    question->harvest.first = survey->marking ? UINT64_MAX : survey->track[i].first;
    return true;
}

static int64_t base_of(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].now_ns + (survey->base_at_ns - survey->asked[host].now_at_ns);
}

/* Whether the pair was surely sent after the window, and so belongs to the next: the base may be too early by what the host's answer
 * took. */
static bool is_after(const struct ordo_net_survey *survey, int host, const struct ordo_net_pair *pair)
{
    int64_t sent_ns = pair->of[0].sent_ns, later_ns;
    return sent_ns && !__builtin_sub_overflow(sent_ns, base_of(survey, host), &later_ns) &&
           later_ns > survey->options.window_ns / 2 + survey->asked[host].now_took_ns;
}

static void take_pair(struct ordo_net_survey *survey, int i, const struct ordo_net_pair *pair)
{
    struct ordo_net_survey_edge *edge = &survey->edge[i];
    struct track *track = &survey->track[i];
    const unsigned whole = ORDO_NET_THERE | ORDO_NET_BACK;
    const struct ordo_net_bases bases = {base_of(survey, edge->a), base_of(survey, edge->b)};
    edge->pairs++;
    edge->came += (pair->of[0].flags & pair->of[1].flags & whole) == whole;
    if (!ordo_net_points_add(&track->all, &track->pure, pair, &bases, survey->options.tolerance_ns))
        survey->full = true;
}

static bool collected(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    uint32_t i = survey->asked[host].question.harvest.edge;
    if (answer->harvest.edge != i)
        return false;
    struct track *track = &survey->track[i];
    track->first = answer->harvest.first;
    track->collected = answer->harvest.count < ORDO_NET_MOST_PAIRS || survey->edge[i].pairs >= ORDO_NET_KEPT_PAIRS;
    for (int k = 0; k < answer->harvest.count; k++) {
        if (is_after(survey, host, &answer->harvest.pair[k])) {
            track->collected = track->after = true;
            break;
        }
        take_pair(survey, (int)i, &answer->harvest.pair[k]);
        track->first++;
    }
    return true;
}

static bool next_count(void *context, int host, struct ordo_net_message *question)
{
    struct ordo_net_survey *survey = context;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COUNT};
    return !survey->counted[host] && !survey->slow[host];
}

static bool counted(void *context, int host, const struct ordo_net_message *answer)
{
    struct ordo_net_survey *survey = context;
    survey->counted[host] = survey->host[host].told = true;
    memcpy(survey->host[host].refused, answer->count, sizeof survey->host[host].refused);
    survey->host[host].accepted = answer->count[ORDO_NET_REFUSALS];
    return true;
}

/* Asks for at most `patience_ns`. A host that could be asked more at its end is slow: it costs a window its time once. */
static void ask(struct ordo_net_survey *survey, int64_t patience_ns,
                bool (*next)(void *, int, struct ordo_net_message *),
                bool (*answered)(void *, int, const struct ordo_net_message *))
{
    const struct ordo_net_asking asking = {survey, next, answered, survey->options.stopped,
                                           ordo_net_port_now_ns() + patience_ns};
    struct ordo_net_message question;
    ordo_net_ask(&survey->port, survey->asked, survey->mesh.hosts, &asking);
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->slow[i] = survey->slow[i] || (!survey->asked[i].silent && next(survey, i, &question));
}

/* Hosts that were silent may have begun anew, and know nothing of what they were told. All tell anew what their clocks show: a clock
 * goes away from what CLOCK_MONOTONIC here makes of an earlier answer, by its rate, when it is set, and while this host is suspended. */
static int call_in(struct ordo_net_survey *survey, struct ordo_error *error)
{
    for (int i = 0; i < survey->mesh.hosts; i++) {
        if (survey->asked[i].silent)
            survey->asked[i].session = 0;
        survey->asked[i].silent = false;
    }
    for (int i = 0; i < survey->mesh.edges; i++) {
        survey->track[i].ordered = false; /* each window renews the lease */
        if (!survey->asked[survey->edge[i].a].session)
            survey->track[i].first = 0;
    }
    memset(survey->slow, 0, (size_t)survey->mesh.hosts * sizeof *survey->slow);
    if (!ordo_net_ask_in(&survey->port, survey->asked, survey->mesh.hosts, survey->options.stopped))
        return ordo_error_set(error, ORDO_E_SYSTEM, EAGAIN, "the system gives no random numbers");
    ask(survey, survey->options.patience_ns, next_order, ordered);
    return ORDO_OK;
}

static bool is_stopped(const struct ordo_net_survey *survey)
{
    return survey->options.stopped && survey->options.stopped();
}

static void wait_until(const struct ordo_net_survey *survey, int64_t until_ns)
{
    while (!is_stopped(survey) && ordo_net_port_now_ns() < until_ns) {
        struct timespec until = {(time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000)};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL); /* a signal may end it */
    }
}

static void forget(struct ordo_net_survey *survey)
{
    for (int i = 0; i < survey->mesh.edges; i++) {
        struct ordo_net_survey_edge *edge = &survey->edge[i];
        ordo_net_points_empty(&survey->track[i].all);
        ordo_net_points_empty(&survey->track[i].pure);
        edge->pairs = edge->came = edge->pure_there = edge->pure_back = 0;
        survey->track[i].after = false;
    }
    memset(survey->counted, 0, (size_t)survey->mesh.hosts * sizeof *survey->counted);
}

/* Collects from all edges that probe; marks only where they are, with `marking`. Where the second host has told no time, its stamps
 * say nothing. */
static void collect(struct ordo_net_survey *survey, bool marking)
{
    for (int i = 0; i < survey->mesh.edges; i++)
        survey->track[i].collected = !survey->track[i].ordered || survey->track[i].done != ORDO_NET_DONE ||
                                     !survey->asked[survey->edge[i].b].session;
    survey->marking = marking;
    ask(survey, survey->options.patience_ns, next_collection, collected);
}

/* Gathers the pairs that were sent in a window, and were closed one age of an open pair later. */
static void gather(struct ordo_net_survey *survey)
{
    int64_t open_ns = ORDO_NET_OPEN_PAIRS * survey->options.every_ns, begin_ns;
    forget(survey);
    if (survey->began) /* what was sent while the last window was gathered is passed over: a window has its length */
        collect(survey, true);
    begin_ns = ordo_net_port_now_ns() - (survey->began ? open_ns : 0);
    wait_until(survey, begin_ns + survey->options.window_ns + open_ns);
    survey->began = true;
    survey->base_at_ns = begin_ns + survey->options.window_ns / 2;
    collect(survey, false);
    ask(survey, survey->options.patience_ns, next_count, counted);
}

static enum ordo_net_unused why_unused(const struct ordo_net_survey *survey, int i)
{
    const struct ordo_net_survey_edge *edge = &survey->edge[i];
    const struct track *track = &survey->track[i];
    if (track->ordered && track->done != ORDO_NET_DONE)
        return track->done == ORDO_NET_NO_KEY ? ORDO_NET_WITHOUT_KEY : ORDO_NET_WITHOUT_PLACE;
    if (!survey->host[edge->a].answers || !survey->host[edge->b].answers)
        return ORDO_NET_WITHOUT_ANSWER;
    if (survey->slow[edge->a])
        return ORDO_NET_WITHOUT_TIME;
    bool all_after = edge->pairs == 0 && track->after; /* what it probed is all dated ahead */
    return edge->came > 0 || all_after ? ORDO_NET_CLOCK_SET : ORDO_NET_WITHOUT_PROBE;
}

static bool take_edge(struct ordo_net_survey *survey, int i)
{
    struct ordo_net_survey_edge *edge = &survey->edge[i];
    struct track *track = &survey->track[i];
    ordo_net_points_finish(&track->all);
    ordo_net_points_finish(&track->pure);
    edge->pure_there = track->pure.samples.forwards;
    edge->pure_back = track->pure.samples.reverses;
    edge->coded = edge->pure_there >= LEAST_PURE && edge->pure_back >= LEAST_PURE;
    const struct ordo_net_points *likely = edge->coded ? &track->pure : &track->all;
    if (!ordo_net_window_take(&survey->window, i, &likely->samples, survey->options.estimator))
        return false;
    edge->used = survey->window.used[i];
    edge->why = edge->used ? ORDO_NET_USED : why_unused(survey, i);
    return !edge->used || ordo_net_window_prove(&survey->window, i, &track->all.samples);
}

/* Remembers the refuted hosts, and the first loop that contradicts itself. */
static void note_contradictions(struct ordo_net_survey *survey)
{
    const struct ordo_net_bounds *bounds = &survey->window.bounds;
    survey->sound = survey->sound && bounds->sound;
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->refuted[i] = survey->refuted[i] || bounds->refuted[i];
    if (survey->contraries == 0 && bounds->loops > 0) {
        survey->contraries = bounds->loops;
        memcpy(survey->contrary, bounds->loop, (size_t)bounds->loops * sizeof *survey->contrary);
    }
}

/* Where all hosts are when the clock of host 0 is so far from the middle of the window. */
static bool look(struct ordo_net_survey *survey, int64_t at_ns, double *potential_ps, struct ordo_interval *bound)
{
    struct ordo_net_window *window = &survey->window;
    size_t hosts = (size_t)survey->mesh.hosts;
    if (!ordo_net_window_at(window, at_ns * 1000))
        return false;
    note_contradictions(survey);
    if (potential_ps) {
        memcpy(potential_ps, window->potential_ps, hosts * sizeof *potential_ps);
        memcpy(bound, window->bounds.potential, hosts * sizeof *bound);
    }
    return true;
}

static int64_t floor_ns(int64_t ps)
{
    return ps / 1000 - (ps % 1000 < 0);
}

static double clip(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* The mean rate of an offset over the window is its change by what host 0's clock went on meanwhile; what is promised of
 * any rate holds for the mean as well. What is proved overrules what is likely. */
static void describe(struct ordo_net_survey *survey, int i)
{
    struct ordo_net_survey_host *host = &survey->host[i];
    double per_ps = 1e9 / (1000.0 * (double)survey->options.window_ns), most_ppb = survey->window.limits.rate * 1e9;
    int64_t apart_ns = base_of(survey, i) - base_of(survey, 0);
    struct ordo_interval middle = survey->middle[i], begin = survey->begin[i], end = survey->window.bounds.potential[i];
    host->joined = i == 0 || survey->window.via[i] >= 0;
    host->refuted = survey->refuted[i];
    host->proved = survey->sound && host->joined && !host->refuted && middle.low != INT64_MIN;
    host->offset_ns.low = apart_ns + floor_ns(middle.low);
    host->offset_ns.high = apart_ns - floor_ns(-middle.high);
    host->estimate_ns =
        ordo_min(ordo_max(apart_ns + llround(clip(survey->middle_ps[i] / 1000, -1e18, 1e18)), host->offset_ns.low),
                 host->offset_ns.high);
    host->drift_low_ppb = clip(((double)end.low - (double)begin.high) * per_ps, -most_ppb, most_ppb);
    host->drift_high_ppb = clip(((double)end.high - (double)begin.low) * per_ps, -most_ppb, most_ppb);
    host->drift_ppb = clip((survey->window.potential_ps[i] - survey->begin_ps[i]) * per_ps, host->drift_low_ppb,
                           host->drift_high_ppb);
    if (i == 0)
        host->drift_low_ppb = host->drift_ppb = host->drift_high_ppb = 0;
}

static bool answers(const struct ordo_net_survey *survey, int host)
{
    return survey->asked[host].session != 0 && !survey->asked[host].silent;
}

static void see_who_answers(struct ordo_net_survey *survey)
{
    for (int i = 0; i < survey->mesh.hosts; i++) {
        survey->host[i].answers = answers(survey, i);
        survey->host[i].slow = survey->slow[i];
        survey->host[i].clock = survey->asked[i].clock;
        survey->host[i].stamps = survey->asked[i].stamps;
    }
}

static bool settle(struct ordo_net_survey *survey)
{
    struct ordo_net_window *window = &survey->window;
    int64_t half_ns = survey->options.window_ns / 2;
    ordo_net_window_forget(window);
    see_who_answers(survey);
    for (int i = 0; i < survey->mesh.edges; i++)
        if (!take_edge(survey, i))
            return false;
    ordo_net_window_close(window);
    survey->sound = true;
    survey->contraries = 0;
    memset(survey->refuted, 0, (size_t)survey->mesh.hosts * sizeof *survey->refuted);
    if (!look(survey, -half_ns, survey->begin_ps, survey->begin) ||
        !look(survey, 0, survey->middle_ps, survey->middle) || !look(survey, half_ns, NULL, NULL))
        return false;
    for (int i = 0; i < survey->mesh.hosts; i++)
        describe(survey, i);
    return true;
}

static struct ordo_net_survey_result result_of(const struct ordo_net_survey *survey)
{
    return (struct ordo_net_survey_result){.hosts = survey->mesh.hosts,
                                           .edges = survey->mesh.edges,
                                           .host = survey->host,
                                           .edge = survey->edge,
                                           .sound = survey->sound,
                                           .contraries = survey->contraries,
                                           .contrary = survey->contrary};
}

/* Two of them fit into a message. */
static void name_of(const struct ordo_net_survey *survey, int host, char text[ORDO_NET_ADDRESS_TEXT])
{
    if (survey->options.name)
        (void)snprintf(text, ORDO_NET_ADDRESS_TEXT * 3 / 4, "%s", survey->options.name[host]);
    else
        ordo_net_address_print(&survey->asked[host].address, text);
}

/* The reference may have died since it was given its session. */
static int check(const struct ordo_net_survey *survey, struct ordo_error *error)
{
    char name[ORDO_NET_ADDRESS_TEXT];
    if (is_stopped(survey))
        return ordo_error_set(error, ORDO_E_CANCELLED, 0, "stopped");
    name_of(survey, 0, name);
    if (!answers(survey, 0))
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "%s, the reference, does not answer: see that an agent runs there with this key", name);
    return ORDO_OK;
}

static bool answers_alone(const struct ordo_net_survey *survey)
{
    for (int i = 1; i < survey->mesh.hosts; i++)
        if (answers(survey, i))
            return false;
    return true;
}

/* Why nothing joins the reference: an order that was refused or a clock that was set, if there is one, and otherwise the network. */
static int alone(const struct ordo_net_survey *survey, struct ordo_error *error)
{
    char a[ORDO_NET_ADDRESS_TEXT], b[ORDO_NET_ADDRESS_TEXT];
    for (int i = 0; i < survey->mesh.edges; i++) {
        const struct ordo_net_survey_edge *edge = &survey->edge[i];
        name_of(survey, edge->a, a);
        name_of(survey, edge->b, b);
        if (edge->a != 0 && edge->b != 0)
            continue;
        if (edge->why == ORDO_NET_WITHOUT_KEY)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s has no key %u, with which %s is probed: add it to the file of its agent", a,
                                  (unsigned)survey->asked[edge->b].key, b);
        if (edge->why == ORDO_NET_WITHOUT_PLACE)
            return ordo_error_set(
                error, ORDO_E_MEASURE, 0,
                "%s probes along as many edges as it can, and has no place for that to %s: wait until "
                "other measurements have ended, or let each host probe fewer",
                a, b);
        if (edge->why == ORDO_NET_WITHOUT_TIME)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s was too slow to tell what it saw of %s: wait for longer, or leave it out", a, b);
        if (edge->why == ORDO_NET_CLOCK_SET)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "%s and %s: a clock was set while they were measured: measure again", a, b);
    }
    name_of(survey, 0, a);
    if (answers_alone(survey))
        return ordo_error_set(error, ORDO_E_MEASURE, 0,
                              "no host but %s, the reference, answers: see that agents run there with this key", a);
    return ordo_error_set(error, ORDO_E_MEASURE, 0,
                          "%s, the reference: no probe came there and back: see that the hosts reach each other under "
                          "these addresses",
                          a);
}

int ordo_net_survey_window(struct ordo_net_survey *survey, struct ordo_net_survey_result *result,
                           struct ordo_error *error)
{
    int code = call_in(survey, error);
    if (!code)
        code = check(survey, error);
    if (code)
        return code;
    gather(survey);
    if (is_stopped(survey))
        return check(survey, error);
    if (survey->full || !settle(survey))
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    *result = result_of(survey);
    if (survey->window.joined > 1)
        return ORDO_OK;
    code = check(survey, error);
    return code ? code : alone(survey, error);
}

static bool next_end(void *context, int host, struct ordo_net_message *question)
{
    bool more = next_order(context, host, question);
    question->order.lease_s = 0;
    return more;
}

void ordo_net_survey_end(struct ordo_net_survey *survey, bool (*stopped)(void))
{
    const int64_t at_most_ns = 5000000000; /* a host that is silent takes 2.6 to 3.5 s of it, and ends by its lease */
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->asked[i].silent = survey->slow[i] = false; /* it may hear this */
    for (int i = 0; i < survey->mesh.edges; i++)
        survey->track[i].ordered = !survey->asked[survey->edge[i].a].session;
    survey->options.stopped = stopped;
    ask(survey, at_most_ns, next_end, ordered);
}
