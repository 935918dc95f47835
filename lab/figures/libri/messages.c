/* Figure 5: the messages of an update, with the times at which they left and came. The document measures with the delay
 * of both ends, and leaves the peer delay mechanism to others (footnote 2); it is drawn as well. */
#include <stdlib.h>

#include "lab/figures/libri/libri.h"
#include "lab/net/ptp/message.h"

enum { PACKETS = 100000, SLAVES = 10, TYPES = ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP + 1, NTP = -1 };

static const double seconds = 400;

static const char *const type_names[TYPES] = {"Announce",   "Sync",       "Follow_Up",   "Delay_Req",
                                              "Delay_Resp", "Pdelay_Req", "Pdelay_Resp", "Pdelay_Resp_Follow_Up"};

static int type_of(const struct ordo_net_logged *packet)
{
    struct ordo_net_packet same = {.words = {packet->words[0], packet->words[1], packet->words[2]}};
    return ordo_net_ptp_unpack(&same).type;
}

/* Draws the first message of a type after `after`, and returns it. The x axis begins at `zero_ps`, or, if that is
 * negative, when the message left. */
static const struct ordo_net_logged *draw_message(struct ordo_figure_panel *panel, const struct ordo_net_log *log,
                                                  int type, const struct ordo_net_logged *after, int64_t zero_ps)
{
    for (size_t i = after ? (size_t)(after - log->packet) + 1 : 0; i < log->count; i++) {
        const struct ordo_net_logged *packet = &log->packet[i];
        if (type != NTP && type_of(packet) != type)
            continue;
        struct ordo_figure_curve *curve = ordo_figure_curve(
            panel, type == NTP ? packet->from ? "query" : "reply" : type_names[type], ORDO_FIGURE_LINE);
        zero_ps = zero_ps < 0 ? packet->left_ps : zero_ps;
        ordo_figure_point(curve, (double)(packet->left_ps - zero_ps) * 1e-6, packet->from);
        ordo_figure_point(curve, (double)(packet->came_ps - zero_ps) * 1e-6, packet->to);
        return packet;
    }
    return NULL;
}

static struct ordo_figure_panel *begin_messages(struct ordo_figure_run *run, const char *title)
{
    return ordo_figure_panel(run, title, "true time, us", "0: master or server, 1: slave or client",
                             ORDO_FIGURE_LINEAR);
}

/* Draws `count` messages of which each follows the one before. Returns true if all were found, and each left its sender
 * no earlier than the message before it left or came there. */
static bool draw_exchange(struct ordo_figure_run *run, const char *title, const struct ordo_net_log *log,
                          const int *types, int count)
{
    struct ordo_figure_panel *panel = begin_messages(run, title);
    const struct ordo_net_logged *last = NULL;
    int64_t zero_ps = -1;
    for (int i = 0; i < count; i++) {
        const struct ordo_net_logged *next = draw_message(panel, log, types[i], last, zero_ps);
        if (!next || (last && next->left_ps < (next->from == last->from ? last->left_ps : last->came_ps)))
            return false;
        zero_ps = zero_ps < 0 ? next->left_ps : zero_ps;
        last = next;
    }
    return true;
}

static int log_ptp(struct ordo_figure_run *run, int hosts, enum ordo_net_ptp_delay delay, struct ordo_net_log *log,
                   struct ordo_error *error)
{
    struct ordo_net_options options = ordo_net_testbed_network(hosts, seconds, ordo_figure_seed(run));
    struct ordo_net_ptp ptp = ordo_net_testbed_ptp(0);
    struct ordo_net_score score;
    options.log = log;
    log->count = 0;
    ptp.delay = delay;
    ptp.judgements = 200;
    return ordo_net_ptp_run(&options, &ptp, &score, NULL, error);
}

static int log_ntp(struct ordo_figure_run *run, struct ordo_net_log *log, struct ordo_error *error)
{
    struct ordo_net_options options = ordo_net_testbed_network(2, seconds, ordo_figure_seed(run));
    struct ordo_net_ntp ntp = ordo_net_testbed_ntp();
    struct ordo_net_score score;
    options.log = log;
    log->count = 0;
    ntp.judgements = 200;
    return ordo_net_ntp_run(&options, &ntp, &score, NULL, error);
}

/* Returns the number of messages that the master sent and received, for each of its Syncs from the second half of the
 * log on. Every slave has a copy of a multicast message. */
static double messages_per_update(const struct ordo_net_log *log)
{
    double syncs = 0, all = 0;
    for (size_t i = log->count / 2; i < log->count; i++) {
        const struct ordo_net_logged *packet = &log->packet[i];
        int type = type_of(packet);
        if (type == ORDO_NET_PTP_ANNOUNCE || (packet->to && packet->from))
            continue;
        syncs += type == ORDO_NET_PTP_SYNC ? 1.0 / SLAVES : 0;
        all += packet->to ? 1.0 / SLAVES : 1;
    }
    return all / syncs;
}

static int draw_all(struct ordo_figure_run *run, struct ordo_net_log *log, struct ordo_error *error)
{
    static const int ntp[] = {NTP, NTP}, sync[] = {ORDO_NET_PTP_SYNC, ORDO_NET_PTP_FOLLOW_UP},
                     delay[] = {ORDO_NET_PTP_DELAY_REQ, ORDO_NET_PTP_DELAY_RESP},
                     peer[] = {ORDO_NET_PTP_PDELAY_REQ, ORDO_NET_PTP_PDELAY_RESP, ORDO_NET_PTP_PDELAY_RESP_FOLLOW_UP};
    int code = log_ntp(run, log, error);
    if (code)
        return code;
    ordo_figure_claim(run, draw_exchange(run, "NTP", log, ntp, 2) && log->packet[0].from == 1,
                      "NTP: a query of the client, and the reply of the server, give four times");
    code = log_ptp(run, 2, ORDO_NET_PTP_END_TO_END, log, error);
    if (code)
        return code;
    bool there = draw_exchange(run, "PTP: from the master", log, sync, 2);
    ordo_figure_claim(run, draw_exchange(run, "PTP: delay", log, delay, 2) && there,
                      "PTP: Sync and Follow_Up give t1 and t2; Delay_Req and Delay_Resp give t3 and t4");
    code = log_ptp(run, 2, ORDO_NET_PTP_PEER_TO_PEER, log, error);
    if (!code)
        ordo_figure_claim(
            run, draw_exchange(run, "PTP: peer delay", log, peer, 3),
            "the peer delay mechanism: Pdelay_Req, Pdelay_Resp and Pdelay_Resp_Follow_Up give four times");
    return code;
}

int ordo_libri_messages(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct ordo_net_log log = {.packet = calloc(PACKETS, sizeof *log.packet), .room = PACKETS};
    int code = log.packet ? draw_all(run, &log, error) : ordo_error_errno(error, "a log");
    if (!code)
        code = log_ptp(run, SLAVES + 1, ORDO_NET_PTP_END_TO_END, &log, error);
    /* 10 slaves ask at random times, so the number of questions in 30 s is off by up to 10%. */
    if (!code)
        ordo_figure_value(run, "messages of the master for each update, 10 slaves", "", 2 + 2 * SLAVES,
                          messages_per_update(&log), ORDO_FIGURE_EQUAL, 1.1);
    free(log.packet);
    return code;
}
