/* Corrected traces: the straight line of two sessions, and the spline of many. The exchanges are those of a simulated
 * cluster, whose clocks are known; the correction is that of ordo-trace. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster/transport/sim.h"
#include "lab/figures/itc/itc.h"
#include "lab/figures/program.h"

enum { CHILDREN = 3, MESSAGES = 50, MOST_EVENTS = 4000, TAG = 1 };

/* A program of `seconds` seconds, with sessions at equal distances, and its events on rank 1. */
struct traced {
    int sessions, seconds;
    bool slow; /* every twelfth answer is late by 2 ms */
    FILE *sync;
    int events;
    int64_t local_ns[MOST_EVENTS], truth_ns[MOST_EVENTS], global_ns[MOST_EVENTS]; /* truth: the clock of rank 0 */
};

static int64_t session_at_ns(const struct traced *traced, int session)
{
    return INT64_C(1000000000) + (traced->seconds - 2) * INT64_C(1000000000) * session / (traced->sessions - 1);
}

/* Makes one exchange of a child with the master, and writes it down. */
static int ask_master(struct ordo_transport *world, const struct traced *traced, int session, int number)
{
    const int64_t late_ns = 2000000;
    int64_t send_ns = world->now_ns(world), master_ns = 0;
    char byte = 0;
    int code = world->send(world, 0, TAG, &byte, 1);
    code = code ? code : world->receive(world, 0, TAG, &master_ns, sizeof master_ns);
    if (traced->slow && number % 12 == 0)
        ordo_sim_sleep_until(world, ordo_sim_true_ns(world) + late_ns);
    fprintf(traced->sync, "%d,%d,%" PRId64 ",%" PRId64 ",%" PRId64 "\n", session, world->rank, send_ns, master_ns,
            world->now_ns(world));
    return code;
}

static int answer_children(struct ordo_transport *world)
{
    int code = ORDO_OK;
    char byte;
    for (int child = 1; child < world->size && !code; child++) {
        code = world->receive(world, child, TAG, &byte, 1);
        int64_t now_ns = world->now_ns(world);
        code = code ? code : world->send(world, child, TAG, &now_ns, sizeof now_ns);
    }
    return code;
}

static void add_event(struct ordo_transport *world, struct traced *traced, int64_t true_ns)
{
    traced->local_ns[traced->events] = ordo_sim_clock_ns(world, 1, true_ns);
    traced->truth_ns[traced->events++] = ordo_sim_clock_ns(world, 0, true_ns);
}

static int traced_body(struct ordo_transport *world, void *context)
{
    const int64_t step_ns = 200000000;
    struct traced *traced = context;
    int code = ORDO_OK;
    for (int session = 0; session < traced->sessions && !code; session++) {
        ordo_sim_sleep_until(world, session_at_ns(traced, session));
        for (int i = 0; i < MESSAGES && !code; i++)
            code = world->rank ? ask_master(world, traced, session, i) : answer_children(world);
    }
    for (int64_t at_ns = 0; world->rank == 1 && at_ns < traced->seconds * INT64_C(1000000000); at_ns += step_ns)
        if (traced->events < MOST_EVENTS)
            add_event(world, traced, at_ns);
    return code;
}

static int write_local_times(const struct traced *traced, const char *path, struct ordo_error *error)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return ordo_error_errno(error, "%s", path);
    fprintf(file, "rank,time_ns,kind,name\n");
    for (int i = 0; i < traced->events; i++)
        fprintf(file, "1,%" PRId64 ",event,e\n", traced->local_ns[i]);
    return fclose(file) ? ordo_error_errno(error, "%s", path) : ORDO_OK;
}

/* Reads the fifth column of the corrected trace, global_ns. */
static int read_globals(struct traced *traced, const char *path, struct ordo_error *error)
{
    char line[300];
    FILE *file = fopen(path, "re");
    int count = 0;
    if (!file)
        return ordo_error_errno(error, "%s", path);
    bool head = fgets(line, sizeof line, file) && strncmp(line, "rank,time_ns,kind,name,global_ns", 32) == 0;
    while (head && count < traced->events && fgets(line, sizeof line, file))
        head = sscanf(line, "1,%*[-0-9],event,e,%" SCNd64, &traced->global_ns[count++]) == 1;
    (void)fclose(file);
    return head && count == traced->events
               ? ORDO_OK
               : ordo_error_set(error, ORDO_E_MEASURE, 0, "%s: not the columns of a corrected trace", path);
}

static int correct_trace(struct traced *traced, const char *folder, const char *method, struct ordo_error *error)
{
    char sync[PATH_MAX], trace[PATH_MAX], out[PATH_MAX];
    (void)snprintf(sync, sizeof sync, "%s/sync.csv", folder);
    (void)snprintf(trace, sizeof trace, "%s/trace.csv", folder);
    (void)snprintf(out, sizeof out, "%s/out.csv", folder);
    const char *const arguments[] = {"ordo-trace", "correct", "--json",           "--method", method, "--sync", sync,
                                     "-o",         out,       "--max-wander-ppb", "1000",     trace,  NULL};
    struct ordo_json_value *document = NULL;
    int code = write_local_times(traced, trace, error);
    code = code ? code : ordo_figure_program(arguments, &document, error);
    ordo_json_free(document);
    code = code ? code : read_globals(traced, out, error);
    (void)unlink(trace);
    (void)unlink(out);
    return code;
}

static int simulate_sessions(struct traced *traced, const struct ordo_sim_options *cluster, const char *folder,
                             struct ordo_error *error)
{
    char path[PATH_MAX];
    struct ordo_sim_result result;
    (void)snprintf(path, sizeof path, "%s/sync.csv", folder);
    traced->sync = fopen(path, "we");
    if (!traced->sync)
        return ordo_error_errno(error, "%s", path);
    fprintf(traced->sync, "session,rank,send_ns,master_ns,receive_ns\n");
    int code = ordo_sim_run(cluster, traced_body, traced, &result, error);
    return fclose(traced->sync) && !code ? ordo_error_errno(error, "%s", path) : code;
}

/* Simulates the program, and corrects its trace by a method. */
static int trace_program(struct traced *traced, const struct ordo_sim_options *cluster, const char *method,
                         struct ordo_error *error)
{
    char folder[] = "/tmp/ordo-figure-XXXXXX", sync[PATH_MAX];
    if (!mkdtemp(folder))
        return ordo_error_errno(error, "%s", folder);
    traced->events = 0;
    int code = simulate_sessions(traced, cluster, folder, error);
    code = code ? code : correct_trace(traced, folder, method, error);
    (void)snprintf(sync, sizeof sync, "%s/sync.csv", folder);
    (void)unlink(sync);
    (void)rmdir(folder);
    return code;
}

static struct ordo_sim_options traced_cluster(struct ordo_figure_run *run, double wander_ppb)
{
    struct ordo_sim_options cluster = ordo_sim_defaults();
    cluster.ranks = CHILDREN + 1;
    cluster.ranks_per_socket = cluster.sockets_per_node = 1;
    cluster.seed = ordo_figure_seed(run);
    cluster.wander_ppb = wander_ppb;
    cluster.wander_period_s = 300;
    return cluster;
}

static double error_us(const struct traced *traced, int i)
{
    return (double)(traced->global_ns[i] - traced->truth_ns[i]) / 1e3;
}

static double worst_error_us(const struct traced *traced)
{
    double worst = 0;
    for (int i = 0; i < traced->events; i++)
        worst = fmax(worst, fabs(error_us(traced, i)));
    return worst;
}

static void draw_errors(struct ordo_figure_panel *panel, const char *name, const struct traced *traced)
{
    struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
    for (int i = 0; i < traced->events; i++)
        ordo_figure_point(curve, (double)(traced->truth_ns[i] - traced->truth_ns[0]) / 1e9, error_us(traced, i));
}

/* Returns the rate of global time over local time, less 1, from event i to event j. */
static double rate_less_one(const struct traced *traced, int i, int j)
{
    int64_t local_ns = traced->local_ns[j] - traced->local_ns[i],
            global_ns = traced->global_ns[j] - traced->global_ns[i];
    return (double)(global_ns - local_ns) / (double)local_ns;
}

/* Returns the largest change of the rate from one second to the next. */
static double largest_bend(const struct traced *traced)
{
    enum { SECOND = 5 }; /* events in a second */
    double most = 0;
    for (int i = 0; i + 2 * SECOND < traced->events; i++)
        most =
            fmax(most, fabs(rate_less_one(traced, i, i + SECOND) - rate_less_one(traced, i + SECOND, i + 2 * SECOND)));
    return most;
}

int ordo_figure_itc_regression(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct traced plain = {.sessions = 2, .seconds = 600}, slow = {.sessions = 2, .seconds = 600, .slow = true};
    struct ordo_sim_options cluster = traced_cluster(run, 0);
    int code = trace_program(&plain, &cluster, "collector", error);
    code = code ? code : trace_program(&slow, &cluster, "collector", error);
    if (code)
        return code;
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "error of corrected times, sessions at the start and the end", "time [s]", "error [us]",
                          ORDO_FIGURE_LINEAR);
    draw_errors(panel, "all answers in time", &plain);
    draw_errors(panel, "every twelfth answer late by 2 ms", &slow);
    ordo_figure_claim(run, largest_bend(&plain) < 5e-9,
                      "the correction is linear: it scales local times and shifts them");
    ordo_figure_claim(run, worst_error_us(&plain) < 1,
                      "clocks of steady rates are corrected to less than a latency, 1 us");
    ordo_figure_claim(run, worst_error_us(&slow) < 1,
                      "late answers, at most 10%, are ignored: the error remains below a latency");
    return ORDO_OK;
}

int ordo_figure_itc_spline(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct traced called = {.sessions = 11, .seconds = 600}, spline = {.sessions = 11, .seconds = 600},
                         line = {.sessions = 2, .seconds = 600};
    struct ordo_sim_options cluster = traced_cluster(run, 100);
    int code = trace_program(&called, &cluster, "collector", error);
    code = code ? code : trace_program(&spline, &cluster, "spline", error);
    code = code ? code : trace_program(&line, &cluster, "collector", error);
    if (code)
        return code;
    struct ordo_figure_panel *panel = ordo_figure_panel(run, "error of corrected times, rates that wander by 100 ppb",
                                                        "time [s]", "error [us]", ORDO_FIGURE_LINEAR);
    draw_errors(panel, "VT_timesync called each minute: spline", &called);
    draw_errors(panel, "not called: line", &line);
    double at_joints_us = 0;
    for (int session = 0; session < called.sessions; session++) {
        int64_t event = session_at_ns(&called, session) / 200000000;
        at_joints_us = fmax(at_joints_us, fabs(error_us(&called, (int)event)));
    }
    bool same = memcmp(called.global_ns, spline.global_ns, (size_t)called.events * sizeof *called.global_ns) == 0;
    ordo_figure_claim(run, same, "the spline is chosen because VT_timesync was called");
    ordo_figure_claim(run, at_joints_us < 1,
                      "it goes through the sessions: the error there is less than a latency, 1 us");
    ordo_figure_claim(
        run, largest_bend(&called) < 20e-9,
        "its first derivative is continuous: from second to second, the rate changes by less than 20 ppb");
    ordo_figure_claim(run, 3 * worst_error_us(&called) < worst_error_us(&line),
                      "it follows rates that change: the line's error is more than three times as large");
    return ORDO_OK;
}
