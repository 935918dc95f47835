/* Surveys of agents on a simulated network, in virtual time: clocks that change between windows, and hosts that die
 * (lib/net/live). No call waits in real time. */
#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/minmax.h"
#include "base/random.h"
#include "net/live/agent.h"
#include "net/live/survey.h"

enum { HOSTS = 3, SURVEYOR = HOSTS, ENDS, FIRST_FD = 1000, MOST_FLYING = 256 };

static const struct ordo_net_keys keys = {.count = 1, .number = {1}, .key = {{{42}}}};
static const int64_t ms = 1000000, way_ns = 100000, never_ns = INT64_MAX;

struct datagram {
    int from, to;
    int64_t due_ns;
    struct ordo_net_message message;
};

static struct world {
    int64_t now_ns;
    struct ordo_net_agent *agent[HOSTS];
    int64_t wake_ns[HOSTS]; /* the time of the agent's next action */
    int64_t begin_ns[HOSTS], set_at_ns[HOSTS], set_by_ns[HOSTS], dies_ns[HOSTS], fast_ppm[HOSTS];
    struct datagram flying[MOST_FLYING];
    int count;
    uint64_t random;
    char *const *name; /* the names of the hosts */
    int64_t lie_ns;    /* host 1 adds this to the reported clock of each host that it has probed; 0: no lie */
    int liars;         /* the number of liars that surveys allow for */
    int64_t patience_ns;
    bool claims, old;        /* surveys ask for claims; host 1 is too old to know the question */
    int questions;           /* number of questions about claims to host 1 */
    enum ordo_net_kind slow; /* host 1's answers of this kind to the surveyor arrive 2 s late */
    uint64_t seed;           /* the seed of the edges */
} world;

static int64_t clock_of(int end)
{
    int64_t now_ns = world.now_ns;
    if (end == SURVEYOR)
        return now_ns;
    int64_t set_ns = now_ns >= world.set_at_ns[end] ? world.set_by_ns[end] : 0;
    return now_ns + world.begin_ns[end] + now_ns / 1000 * world.fast_ppm[end] / 1000 + set_ns;
}

static struct ordo_net_address address_of(int end)
{
    struct ordo_net_address address = {.bytes = sizeof address.socket.ip4};
    address.socket.ip4.sin_family = AF_INET;
    address.socket.ip4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.socket.ip4.sin_port = htons((uint16_t)(end + 1));
    return address;
}

/* --- replacements for the system's network and time (the linker wraps them) */

int64_t __wrap_ordo_net_port_now_ns(void);
int64_t __wrap_ordo_net_socket_now_ns(const struct ordo_net_socket *socket);
bool __wrap_ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                               const struct ordo_net_message *message, int64_t *before_ns);
int __wrap_ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                                 struct ordo_net_arrival *arrival);
void __wrap_ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns);
int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left);

int64_t __wrap_ordo_net_port_now_ns(void)
{
    return world.now_ns;
}

int64_t __wrap_ordo_net_socket_now_ns(const struct ordo_net_socket *socket)
{
    return clock_of(socket->fd - FIRST_FD);
}

/* Replaces a harvest by probes that took no time, of a clock that is ahead of the real one by the lie. */
static void lie(struct ordo_net_message *harvest)
{
    for (int i = 0; i < harvest->harvest.count; i++)
        for (int k = 0; k < 2; k++) {
            struct ordo_net_exchange *exchange = &harvest->harvest.pair[i].of[k];
            int64_t ahead_ns =
                (exchange->received_ns - exchange->sent_ns + exchange->returned_ns - exchange->back_ns) / 2;
            exchange->received_ns = exchange->sent_ns + ahead_ns + world.lie_ns;
            exchange->returned_ns = exchange->back_ns + ahead_ns + world.lie_ns;
        }
}

/* Sends a datagram. Sending takes a microsecond, and the transport about one more. */
bool __wrap_ordo_net_port_send(struct ordo_net_port *port, const struct ordo_net_address *to,
                               const struct ordo_net_message *message, int64_t *before_ns)
{
    struct datagram *datagram = &world.flying[world.count++];
    cr_assert(world.count < MOST_FLYING);
    *datagram = (struct datagram){.from = port->socket.fd - FIRST_FD, .to = ntohs(to->socket.ip4.sin_port) - 1};
    datagram->due_ns = world.now_ns + way_ns + (int64_t)(1000 * ordo_random_unit(&world.random));
    datagram->message = *message;
    if (datagram->from == 1 && datagram->to == SURVEYOR && message->kind == world.slow)
        datagram->due_ns += 2000 * ms;
    if (datagram->to == 1 && message->kind == ORDO_NET_CLAIMS) {
        world.questions++;
        world.count -= world.old; /* it refuses the kind, without an answer */
    }
    if (datagram->from == 1 && message->kind == ORDO_NET_HARVEST && world.lie_ns)
        lie(&datagram->message);
    if (before_ns)
        *before_ns = clock_of(datagram->from);
    world.now_ns += 1000;
    return true;
}

static struct datagram *arrived(int end)
{
    for (int i = 0; i < world.count; i++)
        if (world.flying[i].to == end && world.flying[i].due_ns <= world.now_ns)
            return &world.flying[i];
    return NULL;
}

int __wrap_ordo_net_port_receive(struct ordo_net_port *port, struct ordo_net_message *message,
                                 struct ordo_net_arrival *arrival)
{
    int end = port->socket.fd - FIRST_FD;
    struct datagram *datagram = arrived(end);
    if (!datagram)
        return -1;
    *message = datagram->message;
    *arrival = (struct ordo_net_arrival){.from = address_of(datagram->from), .came_ns = clock_of(end), .fine = true};
    *datagram = world.flying[--world.count];
    if (end != SURVEYOR)
        world.wake_ns[end] = world.now_ns; /* the message may be an order */
    return 1;
}

static void die(int host)
{
    for (int i = 0; i < world.count;)
        if (world.flying[i].to == host)
            world.flying[i] = world.flying[--world.count];
        else
            i++;
    world.wake_ns[host] = never_ns;
}

static void step_all(void)
{
    for (int host = 0; host < HOSTS; host++) {
        if (world.now_ns >= world.dies_ns[host])
            die(host);
        while (world.wake_ns[host] <= world.now_ns || arrived(host))
            ordo_net_agent_step(world.agent[host], never_ns);
    }
}

static int64_t next_ns(int64_t until_ns)
{
    for (int i = 0; i < world.count; i++)
        if (world.flying[i].due_ns > world.now_ns ||
            world.flying[i].to != SURVEYOR) /* a message that has arrived for the surveyor is no further event */
            until_ns = ordo_min(until_ns, world.flying[i].due_ns);
    for (int host = 0; host < HOSTS; host++)
        until_ns = ordo_min(until_ns, world.wake_ns[host]);
    return ordo_max(until_ns, world.now_ns);
}

/* Suspends an agent until that time. If the surveyor waits, the agents run in the meantime. */
void __wrap_ordo_net_port_wait(const struct ordo_net_port *port, int64_t until_ns)
{
    int end = port->socket.fd - FIRST_FD;
    if (end != SURVEYOR) {
        world.wake_ns[end] = until_ns;
        return;
    }
    for (step_all(); !arrived(SURVEYOR) && world.now_ns < until_ns; step_all())
        world.now_ns = next_ns(until_ns);
}

static void pass(int64_t until_ns)
{
    for (step_all(); world.now_ns < until_ns; step_all())
        world.now_ns = next_ns(until_ns);
}

int __wrap_clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
    (void)clock, (void)flags, (void)left;
    pass((int64_t)until->tv_sec * 1000000000 + until->tv_nsec);
    return 0;
}

/* --- surveys */

static struct ordo_net_port port_of(int end)
{
    return (struct ordo_net_port){.keys = keys, .socket = {.fd = FIRST_FD + end, .clock = ORDO_NET_MONOTONIC}};
}

static void begin(void)
{
    world = (struct world){.now_ns = 1000 * ms, .random = 1, .seed = 1, .patience_ns = 10000 * ms};
    for (int host = 0; host < HOSTS; host++) {
        struct ordo_net_port port = port_of(host);
        world.begin_ns[host] = 1000000 * ms * host;
        world.wake_ns[host] = world.set_at_ns[host] = world.dies_ns[host] = never_ns;
        cr_assert((world.agent[host] = ordo_net_agent_new(&port, 100000)));
    }
}

static struct ordo_net_survey *survey_of(int hosts, int64_t window_ns, int64_t every_ns, double rate_ppm)
{
    const struct ordo_net_survey_options options = {.estimator = ordo_net_offset_estimator_find("min-rtt"),
                                                    .peers = hosts,
                                                    .window_ns = window_ns,
                                                    .every_ns = every_ns,
                                                    .tolerance_ns = 2000,
                                                    .patience_ns = world.patience_ns,
                                                    .rate_ppm = rate_ppm,
                                                    .stamp_ns = 100,
                                                    .seed = world.seed,
                                                    .liars = world.liars,
                                                    .pairs = true,
                                                    .claims = world.claims,
                                                    .name = world.name};
    struct ordo_net_port port = port_of(SURVEYOR);
    struct ordo_net_address address[HOSTS];
    for (int host = 0; host < HOSTS; host++)
        address[host] = address_of(host);
    struct ordo_net_survey *survey = ordo_net_survey_new(&port, address, NULL, hosts, &options);
    cr_assert(survey);
    return survey;
}

static void end(struct ordo_net_survey *survey)
{
    ordo_net_survey_free(survey);
    for (int host = 0; host < HOSTS; host++)
        ordo_net_agent_free(world.agent[host]);
}

/* Runs a window, and expects that all edges are used, all hosts are known, and each interval contains the true offset,
 * which may change during the window. */
static void see_all(struct ordo_net_survey *survey, uint64_t least_pairs)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    int64_t before_ns[HOSTS], after_ns[HOSTS];
    for (int host = 0; host < HOSTS; host++)
        before_ns[host] = clock_of(host) - clock_of(0);
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_OK, "%s", error.text);
    for (int host = 0; host < HOSTS; host++)
        after_ns[host] = clock_of(host) - clock_of(0);
    for (int i = 0; i < result.edges; i++)
        cr_assert(result.edge[i].used && result.edge[i].pairs >= least_pairs, "edge %d: %d, %llu pairs", i,
                  (int)result.edge[i].why, (unsigned long long)result.edge[i].pairs);
    cr_assert(result.sound);
    for (int host = 0; host < result.hosts; host++)
        cr_assert(result.host[host].answers && result.host[host].joined &&
                      result.host[host].offset_ns.low <= ordo_max(before_ns[host], after_ns[host]) &&
                      result.host[host].offset_ns.high >= ordo_min(before_ns[host], after_ns[host]),
                  "host %d", host);
    for (int a = 0; a < result.hosts; a++)
        for (int b = 0; b < result.hosts; b++) {
            struct ordo_net_survey_pair pair = ordo_net_survey_pair(&result, a, b);
            int64_t one_ns = before_ns[b] - before_ns[a], other_ns = after_ns[b] - after_ns[a];
            cr_assert(a == b || (pair.proved && pair.offset_ns.low <= ordo_max(one_ns, other_ns) &&
                                 pair.offset_ns.high >= ordo_min(one_ns, other_ns)),
                      "hosts %d and %d", a, b);
        }
}

/* Sets the clocks of every subset of the hosts. If all clocks are set, it is as if the surveyor had slept. */
Test(survey, clocks_that_are_set_between_windows_are_measured)
{
    for (int who = 1; who < 1 << HOSTS; who++) {
        begin();
        struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
        see_all(survey, 80);
        see_all(survey, 80);
        for (int host = 0; host < HOSTS; host++)
            world.begin_ns[host] += who >> host & 1 ? 10000 * ms : 0;
        pass(world.now_ns + 100 * ms); /* a window also uses probes from shortly before its begin */
        for (int i = 0; i < 3; i++)
            see_all(survey, 80);
        end(survey);
    }
}

/* In 200 windows, one clock gains more than the length of two windows on the other clocks. */
Test(survey, drifting_clocks_are_measured_in_every_window)
{
    for (int fast = 0; fast < HOSTS; fast++) {
        begin();
        world.fast_ppm[fast] = 10000;
        struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 20000);
        for (int i = 0; i < 200; i++)
            see_all(survey, 80);
        end(survey);
    }
}

/* One clock is as slow as promised, and the others are as fast as promised: measured by the slow clock, their offset
 * changes by more than twice the promise. Probes are up to half a window away from the instants of the bounds. */
Test(survey, intervals_hold_at_the_largest_promised_rate_errors)
{
    const int64_t promises_ppm[] = {500, 2000, 20000, 100000};
    for (size_t i = 0; i < sizeof promises_ppm / sizeof *promises_ppm; i++)
        for (int slow = 0; slow < HOSTS; slow++) {
            begin();
            for (int host = 0; host < HOSTS; host++)
                world.fast_ppm[host] = host == slow ? -promises_ppm[i] : promises_ppm[i];
            struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, (double)promises_ppm[i]);
            for (int window = 0; window < 5; window++)
                see_all(survey, 60);
            end(survey);
        }
}

/* The clocks are set just after the first host of the edge has reported its time, so no probe that it sends belongs to
 * this window. */
Test(survey, the_setting_of_a_clock_in_a_window_is_reported)
{
    struct ordo_net_survey_result result;
    struct ordo_error error;
    begin();
    struct ordo_net_survey *survey = survey_of(2, 200 * ms, 2 * ms, 500);
    for (int host = 0; host < 2; host++) {
        world.set_at_ns[host] = world.now_ns + 2 * way_ns + way_ns / 2;
        world.set_by_ns[host] = 10000 * ms;
    }
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_E_MEASURE);
    cr_assert(result.edge[0].pairs == 0 && result.edge[0].why == ORDO_NET_CLOCK_SET, "%d", (int)result.edge[0].why);
    cr_assert(strstr(error.text, "a clock was set"), "%s", error.text);
    for (int i = 0; i < 3; i++)
        see_all(survey, 80);
    end(survey);
}

/* Runs a window that joins no host, and expects an error with this text. Returns the duration of the window. */
static int64_t see_nothing(struct ordo_net_survey *survey, const char *text)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    int64_t before_ns = world.now_ns;
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_E_MEASURE);
    cr_assert(strstr(error.text, text), "%s", error.text);
    return world.now_ns - before_ns;
}

Test(survey, a_dead_reference_does_not_delay_a_window)
{
    begin();
    struct ordo_net_survey *survey = survey_of(HOSTS, 10000 * ms, 20 * ms, 500);
    see_all(survey, 400);
    world.dies_ns[0] = world.now_ns;
    for (int i = 0; i < 3; i++)
        cr_assert(see_nothing(survey, ":1, the reference, does not answer") < 4000 * ms);
    end(survey);
}

Test(survey, a_reference_that_dies_in_a_window_is_reported)
{
    begin();
    struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
    world.dies_ns[0] = world.now_ns + 5 * way_ns; /* after it has got its orders, and before a probe reaches it */
    (void)see_nothing(survey, ":1, the reference, does not answer");
    end(survey);
}

Test(survey, hosts_are_named_as_they_were_written)
{
    char *const names[HOSTS] = {"a.example", "2@b.example", "c.example"};
    begin();
    world.name = names;
    struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
    see_all(survey, 75);
    world.dies_ns[0] = world.now_ns;
    (void)see_nothing(survey, "a.example, the reference, does not answer");
    end(survey);
}

Test(survey, a_reference_without_live_hosts_is_reported)
{
    begin();
    struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
    see_all(survey, 75);
    world.dies_ns[1] = world.dies_ns[2] = world.now_ns;
    (void)see_nothing(survey, "no host but 127.0.0.1:1, the reference, answers");
    end(survey);
}

/* The neighbours of the dead host still deliver their observations of it. */
Test(survey, a_host_that_dies_late_is_still_measured)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    begin();
    struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
    world.dies_ns[1] = world.now_ns + 200 * ms;
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_OK, "%s", error.text);
    cr_assert(result.sound && result.host[1].joined && !result.host[1].answers);
    cr_assert(result.host[1].offset_ns.low <= clock_of(1) - clock_of(0) &&
              result.host[1].offset_ns.high >= clock_of(1) - clock_of(0));
    end(survey);
}

/* --- a host that lies */

static bool is_true(const struct ordo_net_survey_result *result, int host)
{
    int64_t truth_ns = clock_of(host) - clock_of(0);
    return result->host[host].offset_ns.low <= truth_ns && truth_ns <= result->host[host].offset_ns.high;
}

/* Runs a survey in which host 1 probes host 2, and lies about this edge. */
static void hear_lie(int64_t lie_ns, int liars, struct ordo_net_survey_result *result, struct ordo_net_survey **survey)
{
    struct ordo_error error = {.text = ""};
    bool probes = false;
    for (uint64_t seed = 1; !probes; seed++) {
        begin();
        world.lie_ns = lie_ns;
        world.liars = liars;
        world.seed = seed;
        *survey = survey_of(HOSTS, 200 * ms, 2 * ms, 500);
        cr_assert(ordo_net_survey_window(*survey, result, &error) == ORDO_OK, "%s", error.text);
        for (int i = 0; i < result->edges; i++)
            probes = probes || (result->edge[i].a == 1 && result->edge[i].b == 2);
        if (!probes)
            end(*survey);
    }
}

static bool is_named(const struct ordo_net_survey_result *result, int a, int b)
{
    for (int i = 0; i < result->contraries; i++) {
        const struct ordo_net_survey_edge *edge = &result->edge[result->contrary[i]];
        if ((edge->a == a && edge->b == b) || (edge->a == b && edge->b == a))
            return true;
    }
    return false;
}

Test(survey, an_allowed_liar_spoils_no_other_host)
{
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey;
    hear_lie(way_ns * 3 / 2, 0, &result, &survey);
    cr_assert(result.sound && result.contraries == 0 && result.host[2].proved && !is_true(&result, 2),
              "the survey does not believe the lie");
    end(survey);
    hear_lie(way_ns * 3 / 2, 1, &result, &survey);
    cr_assert(result.sound && result.host[2].proved && is_true(&result, 2));
    end(survey);
}

Test(survey, contradicting_measurements_are_named)
{
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey;
    for (int liars = 0; liars <= 1; liars++) {
        hear_lie(1000 * ms, liars, &result, &survey);
        cr_assert(is_named(&result, 1, 2) && result.contraries == 3);
        cr_assert(result.sound == (liars > 0) && result.host[2].proved == result.sound);
        cr_assert(ordo_net_survey_pair(&result, 0, 2).proved == result.sound);
        cr_assert_not(ordo_net_survey_pair(&result, 1, 2).proved); /* they contradict each other */
        cr_assert(liars == 0 || is_true(&result, 2));
        end(survey);
    }
    world.lie_ns = 0;
}

/* --- a host that is slow */

/* The answers come later than the survey waits, but too early to count as silence. The survey waits once in a window;
 * for a welcome it waits as long as for silence. */
Test(survey, a_slow_host_does_not_delay_the_others)
{
    const enum ordo_net_kind kinds[] = {ORDO_NET_WELCOME, ORDO_NET_ORDERED, ORDO_NET_HARVEST, ORDO_NET_TALLY};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct ordo_net_survey_result result;
        struct ordo_error error = {.text = ""};
        begin();
        world.slow = kinds[i];
        world.patience_ns = 1500 * ms;
        bool is_hello = kinds[i] == ORDO_NET_WELCOME;
        struct ordo_net_survey *survey = survey_of(HOSTS, 1000 * ms, 2 * ms, 500);
        for (int window = 0; window < 3; window++) {
            int64_t before_ns = world.now_ns;
            cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_OK, "%s", error.text);
            cr_assert(world.now_ns - before_ns < (1000 + 1500 + 500) * ms + (is_hello ? 2000 * ms : 0), "%d: %lld ns",
                      (int)kinds[i], (long long)(world.now_ns - before_ns));
            cr_assert(result.host[1].answers && result.host[1].slow == !is_hello);
            cr_assert(!result.host[0].slow && !result.host[2].slow);
            cr_assert(result.host[1].proved && is_true(&result, 1) && result.host[2].proved && is_true(&result, 2));
            for (int edge = 0; edge < result.edges; edge++)
                cr_assert(result.edge[edge].used ||
                              (result.edge[edge].a == 1 && result.edge[edge].why == ORDO_NET_WITHOUT_TIME),
                          "answers %d, window %d, edge %d: %d", (int)kinds[i], window, edge,
                          (int)result.edge[edge].why);
        }
        end(survey);
    }
}

Test(survey, a_slow_host_is_asked_in_the_next_window)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    begin();
    world.slow = ORDO_NET_HARVEST;
    world.patience_ns = 1500 * ms;
    struct ordo_net_survey *survey = survey_of(HOSTS, 1000 * ms, 2 * ms, 500);
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_OK, "%s", error.text);
    cr_assert(result.host[1].slow);
    world.slow = 0;
    cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_OK, "%s", error.text);
    cr_assert(!result.host[1].slow);
    for (int edge = 0; edge < result.edges; edge++)
        cr_assert(result.edge[edge].used, "edge %d: %d", edge, (int)result.edge[edge].why);
    end(survey);
}

Test(survey, a_host_that_is_too_old_to_tell_claims_is_measured)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    begin();
    world.claims = world.old = true;
    struct ordo_net_survey *survey = survey_of(HOSTS, 1000 * ms, 5 * ms, 50);
    see_all(survey, 100);
    int questions = world.questions;
    cr_assert_gt(questions, 1);
    for (int window = 0; window < 2; window++) {
        cr_assert_eq(ordo_net_survey_window(survey, &result, &error), ORDO_OK, "%s", error.text);
        for (int host = 0; host < HOSTS; host++) {
            cr_assert_eq(result.claims[host].telling, host == 1 ? ORDO_NET_IGNORANT : ORDO_NET_TOLD, "host %d", host);
            cr_assert(result.host[host].answers && result.host[host].proved && !result.host[host].slow);
        }
    }
    cr_assert_eq(world.questions, questions, "it is not asked again");
    cr_assert_leq(llabs(result.at_ns - clock_of(0)), 3000 * ms);
    end(survey);
}

Test(survey, hosts_without_a_claim_say_so)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    begin();
    world.claims = true;
    struct ordo_net_survey *survey = survey_of(HOSTS, 200 * ms, 5 * ms, 50);
    cr_assert_eq(ordo_net_survey_window(survey, &result, &error), ORDO_OK, "%s", error.text);
    for (int host = 0; host < HOSTS; host++)
        cr_assert(result.claims[host].telling == ORDO_NET_TOLD && result.claims[host].count == 0);
    end(survey);
}
