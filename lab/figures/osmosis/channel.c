/* Figure 3: the signalling channel. Data, timer and command synchronisation, and messages of users on one line. */
#include <string.h>

#include "base/random.h"
#include "lab/figures/osmosis/osmosis.h"
#include "lab/net/osmosis/signal.h"

enum { DATA = 4000, TS_EVERY = 100, CS_EVERY = 37, USER_EVERY = 61, USER_NUMBER = 9, DRAWN = 400 };
enum { LANE_DATA, LANE_TS, LANE_CS, LANE_USER, LANES };

/* A line with two receivers; only the first one wants the messages of the user. */
struct line {
    bool sender, receiver; /* running disparities */
    struct ordo_net_signal_receiver end[2];
    struct ordo_figure_curve *lane[LANES];
    uint8_t got[2][DATA];
    int bytes[2], messages[2][ORDO_NET_SIGNAL_OTHER], sent[ORDO_NET_SIGNAL_OTHER];
    int symbols, last, run, longest_run, undecoded;
};

/* Finds the longest run of equal bits. */
static void count_runs(struct line *line, uint16_t bits)
{
    for (int i = 9; i >= 0; i--) {
        int bit = bits >> i & 1;
        line->run = bit == line->last ? line->run + 1 : 1;
        line->last = bit;
        line->longest_run = line->run > line->longest_run ? line->run : line->longest_run;
    }
}

static void pass_on(struct line *line, struct ordo_net_symbol symbol, int lane)
{
    struct ordo_net_symbol found;
    uint16_t bits = ordo_net_symbol_encode(symbol, &line->sender);
    bool known = ordo_net_symbol_decode(bits, &line->receiver, &found);
    count_runs(line, bits);
    line->undecoded += !known;
    if (line->symbols++ < DRAWN)
        ordo_figure_point(line->lane[lane], line->symbols * 4.0, lane);
    for (int i = 0; i < 2; i++) {
        enum ordo_net_signal_result result = ordo_net_signal_take(&line->end[i], known ? &found : NULL);
        if (result == ORDO_NET_SIGNAL_DATA && line->bytes[i] < DATA)
            line->got[i][line->bytes[i]++] = found.value;
        else if (result == ORDO_NET_SIGNAL_MESSAGE)
            line->messages[i][line->end[i].signal.kind]++;
    }
}

static void send_signal(struct line *line, enum ordo_net_signal_kind kind, int number, int bytes)
{
    const struct ordo_net_signal signal = {.kind = kind, .number = (uint8_t)number, .bytes = bytes};
    struct ordo_net_symbol symbols[ORDO_NET_SIGNAL_SYMBOLS];
    int count = ordo_net_signal_write(&signal, symbols);
    line->sent[kind]++;
    for (int i = 0; i < count; i++)
        pass_on(line, symbols[i], LANE_TS + (int)kind);
}

static bool is_passed(const struct line *line, int end, const uint8_t *data, int users)
{
    return line->bytes[end] == DATA && memcmp(line->got[end], data, DATA) == 0 &&
           line->messages[end][ORDO_NET_SIGNAL_TS] == line->sent[ORDO_NET_SIGNAL_TS] &&
           line->messages[end][ORDO_NET_SIGNAL_CS] == line->sent[ORDO_NET_SIGNAL_CS] &&
           line->messages[end][ORDO_NET_SIGNAL_USER] == users;
}

int figure_osmosis_channel(struct ordo_figure_run *run, struct ordo_error *error)
{
    static const char *const lanes[] = {"data", "TS", "CS", "a user's message"};
    struct ordo_figure_panel *panel =
        ordo_figure_panel(run, "2.5 Gbit/s, ten bits a symbol", "time (ns)", "lane", ORDO_FIGURE_LINEAR);
    struct line line = {.last = -1};
    uint8_t data[DATA];
    uint64_t random = ordo_figure_seed(run);
    (void)error;
    for (int i = 0; i < LANES; i++)
        line.lane[i] = ordo_figure_curve(panel, lanes[i], ORDO_FIGURE_POINTS);
    line.end[0].wanted[USER_NUMBER] = true;
    for (int i = 0; i < DATA; i++) {
        data[i] = (uint8_t)ordo_random_next(&random);
        pass_on(&line, (struct ordo_net_symbol){false, data[i]}, LANE_DATA);
        if (i % TS_EVERY == 0)
            send_signal(&line, ORDO_NET_SIGNAL_TS, 0, 8);
        if (i % CS_EVERY == 0)
            send_signal(&line, ORDO_NET_SIGNAL_CS, i % 3, 4);
        if (i % USER_EVERY == 0)
            send_signal(&line, ORDO_NET_SIGNAL_USER, USER_NUMBER, 12);
    }
    ordo_figure_claim(run, line.longest_run <= 5, "the line has many transitions, so that the clock can be recovered");
    ordo_figure_claim(run, is_passed(&line, 0, data, line.sent[ORDO_NET_SIGNAL_USER]) && line.undecoded == 0,
                      "data, TS, CS and the user's messages share the line, and all arrive");
    ordo_figure_claim(run, is_passed(&line, 1, data, 0) && line.end[1].ignored > 0 && line.end[1].broken == 0,
                      "a receiver that does not know the user's messages ignores them, and loses nothing else");
    return ORDO_OK;
}
