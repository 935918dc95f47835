/* A survey in which one host lies: the lie spoils only the results for the lying host (lib/net/live). */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "net/graph/mesh.h"
#include "net/live/agent.h"
#include "net/live/survey.h"

enum { HONEST, LIAR, OTHER, HOSTS }; /* HONEST and OTHER are honest, and have only key 1 */

static const struct ordo_net_keys all_keys = {.count = 2, .number = {1, 7}, .key = {{{42}}, {{43}}}};
static const struct ordo_net_keys honest_keys = {.count = 1, .number = {1}, .key = {{{42}}}};
static const struct ordo_net_keys liars_keys = {.count = 1, .number = {7}, .key = {{{43}}}};

enum lie {
    NONE,
    NO_PLACE,      /* refuses its own edges, which a host is allowed to do */
    EVERY_EDGE,    /* refuses every edge one after the other, even edges of other hosts, before its own */
    NO_SUCH_EDGE,  /* answers orders with the number of an edge that does not exist */
    OTHER_HARVEST, /* delivers an edge other than the requested one */
    NO_SESSION,    /* grants session 0 */
    ABSURD,        /* delivers a pair from the beginning of time */
    ONE_ALONE      /* answers only the first host */
};

struct village {
    struct ordo_net_agent *agent[HOSTS]; /* NULL: the liar */
    struct ordo_net_port port;           /* the liar's */
    struct ordo_net_address address[HOSTS];
    _Atomic int lie; /* the current lie, of enum lie */
    uint32_t edge;
    _Atomic uint64_t lies, pings, ends;
    _Atomic int ended;
    pthread_t thread;
};

static struct ordo_net_port port_at(struct ordo_net_address *address, const struct ordo_net_keys *keys)
{
    struct ordo_net_port port = {.keys = *keys};
    struct ordo_error error;
    cr_assert(ordo_net_address_find(address, "127.0.0.1:1", NULL) == ORDO_OK);
    address->socket.ip4.sin_port = 0;
    cr_assert(ordo_net_socket_open(&port.socket, address, 0, ORDO_NET_MONOTONIC, &error) == ORDO_OK, "%s", error.text);
    cr_assert(getsockname(port.socket.fd, &address->socket.any, &address->bytes) == 0);
    return port;
}

static void refuse_in_turn(struct village *village, struct ordo_net_order *order)
{
    uint32_t own = order->edge;
    order->edge = village->edge++ % HOSTS;
    order->done = order->edge == own ? ORDO_NET_DONE : ORDO_NET_NO_KEY;
    village->lies += order->edge != own;
}

static void answer_order(struct village *village, struct ordo_net_order *order)
{
    order->done = ORDO_NET_DONE;
    village->ends += order->lease_s == 0;
    if (village->lie == NO_PLACE)
        order->done = ORDO_NET_NO_PLACE;
    if (village->lie == EVERY_EDGE)
        refuse_in_turn(village, order);
    if (village->lie == NO_SUCH_EDGE) {
        order->edge = 99;
        village->lies++;
    }
}

static struct ordo_net_message answer_to(struct village *village, const struct ordo_net_message *question)
{
    struct ordo_net_message answer = *question;
    answer.kind = (enum ordo_net_kind)(question->kind + 1);
    if (answer.kind == ORDO_NET_WELCOME) {
        answer.welcome.session = village->lie == NO_SESSION ? 0 : 77;
        answer.welcome.now_ns = ordo_net_port_now_ns();
        village->lies += village->lie == NO_SESSION;
        village->edge = 0;
    } else if (answer.kind == ORDO_NET_PONG) {
        answer.pong.received_ns = answer.pong.returned_ns = ordo_net_port_now_ns();
        answer.pong.about_ns = 0;
        village->pings++;
    } else if (answer.kind == ORDO_NET_ORDERED) {
        answer_order(village, &answer.order);
    } else if (answer.kind == ORDO_NET_HARVEST && village->lie == ABSURD) {
        bool marks =
            question->harvest.first == UINT64_MAX; /* the question asks only for the position of the next pair */
        answer.harvest.first = 0;
        answer.harvest.count = !marks;
        answer.harvest.pair[0] = (struct ordo_net_pair){{{1, 1, 1, 1, 15}, {1, 1, 1, 1, 15}}};
        village->lies += !marks;
    } else if (answer.kind == ORDO_NET_HARVEST && village->lie == OTHER_HARVEST) {
        answer.harvest.edge++;
        village->lies++;
    }
    return answer;
}

static void step(struct village *village)
{
    struct ordo_net_message question;
    struct ordo_net_arrival arrival;
    for (int got; (got = ordo_net_port_receive(&village->port, &question, &arrival)) >= 0;) {
        if (got == 0 || (village->lie == ONE_ALONE &&
                         arrival.from.socket.ip4.sin_port != village->address[HONEST].socket.ip4.sin_port))
            continue;
        struct ordo_net_message answer = answer_to(village, &question);
        (void)ordo_net_port_send(&village->port, &arrival.from, &answer, NULL);
    }
}

static void *live(void *context)
{
    struct village *village = context;
    while (!atomic_load(&village->ended)) {
        step(village);
        ordo_net_agent_step(village->agent[HONEST], ordo_net_port_now_ns() + 300000);
        ordo_net_agent_step(village->agent[OTHER], ordo_net_port_now_ns() + 300000);
    }
    return NULL;
}

static void begin(struct village *village, enum lie lie)
{
    const struct ordo_net_keys *keys = lie == ONE_ALONE ? &all_keys : &honest_keys;
    village->lie = lie;
    village->port = port_at(&village->address[LIAR], &liars_keys);
    for (int i = HONEST; i <= OTHER; i += OTHER - HONEST) {
        struct ordo_net_port port = port_at(&village->address[i], keys);
        cr_assert((village->agent[i] = ordo_net_agent_new(&port, 100000)));
    }
    cr_assert(pthread_create(&village->thread, NULL, live, village) == 0);
}

static void end(struct village *village)
{
    atomic_store(&village->ended, 1);
    (void)pthread_join(village->thread, NULL);
    ordo_net_agent_free(village->agent[HONEST]);
    ordo_net_agent_free(village->agent[OTHER]);
    ordo_net_socket_close(&village->port.socket);
}

/* Returns a seed with which the edges form a ring: the first host probes the liar, the liar probes the third host, and
 * the third host probes the first. */
static uint64_t seed_of_ring(void)
{
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct ordo_net_mesh mesh;
        int right = 0;
        cr_assert(ordo_net_mesh_make(&mesh, HOSTS, HOSTS, seed));
        for (int i = 0; i < mesh.edges; i++)
            right += mesh.edge[i].b == (mesh.edge[i].a + 1) % HOSTS;
        ordo_net_mesh_free(&mesh);
        if (right == HOSTS)
            return seed;
    }
    cr_assert(false, "no seed draws these edges");
    return 0;
}

/* Makes a survey of `count` hosts, beginning with host `first`. */
static struct ordo_net_survey *survey_of(const struct village *village, int first, int count)
{
    const uint16_t keys[HOSTS] = {1, 7, 1};
    const struct ordo_net_survey_options options = {.estimator = ordo_net_offset_estimator_find("svm"),
                                                    .peers = HOSTS,
                                                    .window_ns = 200000000,
                                                    .every_ns = 2000000,
                                                    .tolerance_ns = 2000,
                                                    .patience_ns = 10000000000,
                                                    .rate_ppm = 500,
                                                    .stamp_ns = 100,
                                                    .seed = seed_of_ring()};
    struct ordo_net_port port = {.keys = all_keys};
    cr_assert(ordo_net_socket_open(&port.socket, NULL, AF_INET, ORDO_NET_MONOTONIC, NULL) == ORDO_OK);
    struct ordo_net_survey *survey =
        ordo_net_survey_new(&port, village->address + first, keys + first, count, &options);
    cr_assert(survey);
    return survey;
}

static struct ordo_net_survey *begin_survey(struct village *village, enum lie lie)
{
    begin(village, lie);
    return survey_of(village, 0, HOSTS);
}

static void end_survey(struct village *village, struct ordo_net_survey *survey)
{
    ordo_net_survey_free(survey);
    end(village);
}

/* Runs windows until the honest hosts are joined: on a busy machine some windows are empty. */
static void look_until_joined(struct ordo_net_survey *survey, struct ordo_net_survey_result *result)
{
    struct ordo_error error = {.text = "not joined"};
    bool joined = false;
    for (int tries = 0; tries < 10 && !joined; tries++) {
        int code = ordo_net_survey_window(survey, result, &error);
        cr_assert(code == ORDO_OK || code == ORDO_E_MEASURE, "%s", error.text);
        joined = code == ORDO_OK && result->host[OTHER].joined;
    }
    cr_assert(joined, "%s", error.text);
    cr_assert(result->sound && result->host[OTHER].offset_ns.low <= 0 && result->host[OTHER].offset_ns.high >= 0);
}

static void lie_and_see(enum lie lie)
{
    struct village village = {.port.accepted = 0};
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey = begin_survey(&village, lie);
    do
        look_until_joined(survey, &result);
    while (lie == ONE_ALONE ? village.pings < 100 : village.lies == 0);
    cr_assert(!result.host[LIAR].answers);
    for (int i = 0; i < result.edges; i++)
        if (result.edge[i].a == LIAR)
            cr_assert(!result.edge[i].used && result.edge[i].why == ORDO_NET_WITHOUT_ANSWER);
    ordo_net_survey_end(survey, NULL);
    end_survey(&village, survey);
}

Test(liar, a_host_cannot_refuse_measurements_of_other_hosts, .timeout = 100)
{
    lie_and_see(EVERY_EDGE);
}

Test(liar, a_host_that_names_an_unknown_pair_counts_as_silent, .timeout = 100)
{
    lie_and_see(NO_SUCH_EDGE);
}

Test(liar, a_host_that_delivers_the_wrong_pair_counts_as_silent, .timeout = 100)
{
    lie_and_see(OTHER_HARVEST);
}

Test(liar, a_host_that_grants_no_session_counts_as_silent, .timeout = 100)
{
    lie_and_see(NO_SESSION);
}

Test(liar, a_host_that_answers_only_another_host_counts_as_silent, .timeout = 100)
{
    lie_and_see(ONE_ALONE);
}

/* True if the first host soon hears nothing more, before any lease ends. */
static bool is_quiet(const struct village *village)
{
    for (int tries = 0; tries < 20; tries++) {
        uint64_t before = ordo_net_agent_port(village->agent[HONEST])->accepted;
        (void)usleep(100000);
        if (ordo_net_agent_port(village->agent[HONEST])->accepted == before)
            return true;
    }
    return false;
}

Test(liar, absurd_times_do_not_end_the_probing_of_a_neighbour, .timeout = 100)
{
    struct village village = {.port.accepted = 0};
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey = begin_survey(&village, ABSURD);
    do
        look_until_joined(survey, &result);
    while (village.lies < 3);
    cr_assert(result.host[OTHER].answers);
    ordo_net_survey_end(survey, NULL);
    cr_assert(is_quiet(&village));
    end_survey(&village, survey);
}

/* Runs windows until the edge from host `a` is left out for the reason `why`. */
static void look_until(struct ordo_net_survey *survey, struct ordo_net_survey_result *result, int a,
                       enum ordo_net_unused why)
{
    int i = 0;
    for (int tries = 0; tries < 10; tries++) {
        look_until_joined(survey, result);
        for (i = 0; result->edge[i].a != a;)
            i++;
        if (result->edge[i].why == why)
            return;
    }
    cr_assert(false, "the edge of host %d: %d", a, (int)result->edge[i].why);
}

Test(liar, the_result_states_why_a_pair_is_not_measured, .timeout = 100)
{
    struct village village = {.port.accepted = 0};
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey = begin_survey(&village, NO_PLACE);
    look_until(survey, &result, HONEST, ORDO_NET_WITHOUT_KEY);
    look_until(survey, &result, LIAR, ORDO_NET_WITHOUT_PLACE);
    look_until(survey, &result, OTHER, ORDO_NET_USED);
    village.lie = NONE;
    look_until(survey, &result, LIAR, ORDO_NET_WITHOUT_PROBE);
    end_survey(&village, survey);
}

static void see_alone(struct village *village, int first, const char *text)
{
    struct ordo_net_survey_result result;
    struct ordo_error error = {.text = ""};
    struct ordo_net_survey *survey = survey_of(village, first, 2);
    for (int tries = 0; tries < 10 && !strstr(error.text, text); tries++)
        cr_assert(ordo_net_survey_window(survey, &result, &error) == ORDO_E_MEASURE);
    cr_assert(strstr(error.text, text), "%s", error.text);
    ordo_net_survey_free(survey);
}

Test(liar, the_error_states_why_the_reference_is_unreachable, .timeout = 100)
{
    struct village village = {.port.accepted = 0};
    begin(&village, NO_PLACE);
    see_alone(&village, HONEST, "has no key 7, with which");
    see_alone(&village, LIAR, "probes along as many edges as it can");
    village.lie = NONE;
    see_alone(&village, LIAR, "no probe came there and back");
    end(&village);
}

static bool at_once(void)
{
    return true;
}

Test(liar, the_end_of_a_survey_can_be_interrupted, .timeout = 100)
{
    struct village village = {.port.accepted = 0};
    struct ordo_net_survey_result result;
    struct ordo_net_survey *survey = begin_survey(&village, NONE);
    look_until_joined(survey, &result);
    ordo_net_survey_end(survey, at_once);
    cr_assert(village.ends == 0);
    ordo_net_survey_end(survey, NULL);
    cr_assert(village.ends > 0);
    end_survey(&village, survey);
}

static bool ask_for_ever(void *context, int host, struct ordo_net_message *question)
{
    (void)context, (void)host;
    *question = (struct ordo_net_message){.kind = ORDO_NET_COUNT};
    return true;
}

static bool count_answers(void *context, int host, const struct ordo_net_message *answer)
{
    (void)host, (void)answer;
    ++*(uint64_t *)context;
    return true;
}

Test(liar, a_caller_that_asks_endlessly_stops_at_the_deadline, .timeout = 100)
{
    struct village village = {.port.accepted = 0};
    uint64_t answers = 0;
    struct ordo_net_port port = {.keys = all_keys};
    begin(&village, NONE);
    cr_assert(ordo_net_socket_open(&port.socket, NULL, AF_INET, ORDO_NET_MONOTONIC, NULL) == ORDO_OK);
    while (answers == 0) {
        struct ordo_net_asked asked = {.address = village.address[LIAR], .key = 7, .session = 77};
        const struct ordo_net_asking asking = {&answers, ask_for_ever, count_answers, NULL,
                                               ordo_net_port_now_ns() + 50000000};
        ordo_net_ask(&port, &asked, 1, &asking);
    }
    ordo_net_socket_close(&port.socket);
    end(&village);
}
