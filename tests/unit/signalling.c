/* The channels of OSMOSIS: their symbols, the messages between the data, and the clocks recovered from them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/jitter.h"
#include "base/random.h"
#include "lab/net/osmosis/pll.h"
#include "lab/net/osmosis/signal.h"

static const struct ordo_net_symbol comma = {true, ORDO_NET_SYMBOL(28, 5)};

Test(symbol, known_symbols_have_their_published_codes)
{
    static const struct {
        struct ordo_net_symbol symbol;
        uint16_t less, more;
    } known[] = {{{true, ORDO_NET_SYMBOL(28, 5)}, 0x0fa, 0x305},  {{true, ORDO_NET_SYMBOL(28, 1)}, 0x0f9, 0x306},
                 {{true, ORDO_NET_SYMBOL(28, 7)}, 0x0f8, 0x307},  {{true, ORDO_NET_SYMBOL(23, 7)}, 0x3a8, 0x057},
                 {{false, ORDO_NET_SYMBOL(21, 5)}, 0x2aa, 0x2aa}, {{false, ORDO_NET_SYMBOL(0, 0)}, 0x274, 0x18b},
                 {{false, ORDO_NET_SYMBOL(17, 7)}, 0x237, 0x231}, {{false, ORDO_NET_SYMBOL(7, 3)}, 0x38c, 0x073}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        bool more = false;
        cr_expect_eq(ordo_net_symbol_encode(known[i].symbol, &more), known[i].less, "%zu", i);
        more = true;
        cr_expect_eq(ordo_net_symbol_encode(known[i].symbol, &more), known[i].more, "%zu", i);
    }
}

Test(symbol, every_symbol_is_decoded_and_no_two_share_a_code)
{
    int symbols = 0, refused = 0;
    for (int disparity = 0; disparity < 2; disparity++)
        for (int bits = 0; bits < 1024; bits++) {
            bool more = disparity, again = disparity;
            struct ordo_net_symbol symbol;
            if (!ordo_net_symbol_decode((uint16_t)bits, &more, &symbol)) {
                refused++;
                continue;
            }
            symbols++;
            cr_assert_eq(ordo_net_symbol_encode(symbol, &again), bits);
            cr_assert_eq(again, more);
        }
    cr_expect_eq(symbols, 2 * (256 + 12));
    cr_expect_eq(refused, 2 * (1024 - 268));
}

/* A comma, seven bits with five equal ones at their end, lets the receiver find the beginning of a symbol. It may occur
 * only within K.28.1, K.28.5 and K.28.7. */
Test(symbol, sequences_are_balanced_and_have_short_runs_and_no_false_comma)
{
    bool more = false;
    uint64_t random = 3;
    unsigned window = 0x155;
    int run = 0, last = -1, balance = 0;
    for (int i = 0; i < 200000; i++) {
        struct ordo_net_symbol symbol = {false, (uint8_t)ordo_random_next(&random)};
        if (i % 50 == 0)
            symbol = comma;
        uint16_t bits = ordo_net_symbol_encode(symbol, &more);
        for (int bit = 9; bit >= 0; bit--) {
            int value = bits >> bit & 1;
            run = value == last ? run + 1 : 1;
            last = value;
            balance += 2 * value - 1;
            window = (window << 1 | (unsigned)value) & 0x7f;
            bool is_comma = window == 0x1f || window == 0x60;
            cr_assert(run <= 5 && abs(balance) <= 4, "symbol %d", i);
            cr_assert(!is_comma || (symbol.control && bit == 3), "symbol %d, bit %d", i, bit);
        }
    }
}

/* A channel: the bits of symbols, of which some may be damaged. */
struct line {
    bool sender, receiver; /* running disparities */
    struct ordo_net_signal_receiver end;
    uint8_t data[4096];
    int bytes, messages;
    struct ordo_net_signal last;
};

static void pass_symbol(struct line *line, struct ordo_net_symbol symbol, uint16_t damage)
{
    struct ordo_net_symbol found;
    uint16_t bits = ordo_net_symbol_encode(symbol, &line->sender) ^ damage;
    bool known = ordo_net_symbol_decode(bits, &line->receiver, &found);
    enum ordo_net_signal_result result = ordo_net_signal_take(&line->end, known ? &found : NULL);
    if (result == ORDO_NET_SIGNAL_DATA)
        line->data[line->bytes++] = found.value;
    else if (result == ORDO_NET_SIGNAL_MESSAGE) {
        line->messages++;
        line->last = line->end.signal;
    }
}

static void pass_signal(struct line *line, const struct ordo_net_signal *signal, int damaged)
{
    struct ordo_net_symbol symbols[ORDO_NET_SIGNAL_SYMBOLS];
    int count = ordo_net_signal_write(signal, symbols);
    for (int i = 0; i < count; i++)
        pass_symbol(line, symbols[i], i == damaged ? 0x3f0 : 0);
}

static struct ordo_net_signal signal_of(enum ordo_net_signal_kind kind, int number, int bytes, uint64_t *random)
{
    struct ordo_net_signal signal = {.kind = kind, .number = (uint8_t)number, .bytes = bytes};
    for (int i = 0; i < bytes; i++)
        signal.byte[i] = (uint8_t)ordo_random_next(random);
    return signal;
}

static bool is_same(const struct ordo_net_signal *a, const struct ordo_net_signal *b)
{
    return a->kind == b->kind && a->number == b->number && a->bytes == b->bytes &&
           memcmp(a->byte, b->byte, (size_t)a->bytes) == 0;
}

Test(signal, data_pass_unchanged_around_messages)
{
    static struct line line;
    uint8_t sent[2000];
    uint64_t random = 5;
    for (int i = 0; i < 2000; i++) {
        sent[i] = (uint8_t)ordo_random_next(&random);
        pass_symbol(&line, (struct ordo_net_symbol){false, sent[i]}, 0);
        if (i % 7 == 0) {
            struct ordo_net_signal signal = signal_of((enum ordo_net_signal_kind)(i % 3), i, i % 65, &random);
            pass_signal(&line, &signal, -1);
            cr_expect(signal.kind == ORDO_NET_SIGNAL_USER || is_same(&signal, &line.last));
        }
    }
    cr_expect_eq(line.bytes, 2000);
    cr_expect_arr_eq(line.data, sent, 2000);
    cr_expect_eq(line.end.broken, 0);
}

Test(signal, only_processes_that_want_a_message_of_a_user_take_it)
{
    static struct line wants, other;
    uint64_t random = 6;
    struct ordo_net_signal user = signal_of(ORDO_NET_SIGNAL_USER, 77, 9, &random);
    wants.end.wanted[77] = true;
    other.end.wanted[78] = true;
    pass_signal(&wants, &user, -1);
    pass_signal(&other, &user, -1);
    cr_expect(wants.messages == 1 && is_same(&wants.last, &user));
    cr_expect(other.messages == 0 && other.end.ignored == 1 && other.end.broken == 0);
    /* A kind of message that does not exist yet */
    pass_symbol(&other, (struct ordo_net_symbol){true, ORDO_NET_SYMBOL(28, 3)}, 0);
    pass_symbol(&other, (struct ordo_net_symbol){false, 1}, 0);
    pass_symbol(&other, (struct ordo_net_symbol){true, ORDO_NET_SYMBOL(29, 7)}, 0);
    cr_expect(other.messages == 0 && other.end.ignored == 2 && other.bytes == 0);
}

Test(signal, a_damaged_message_is_dropped_and_the_next_one_is_taken)
{
    static struct line line;
    uint64_t random = 7;
    struct ordo_net_signal signal = signal_of(ORDO_NET_SIGNAL_CS, 3, 8, &random);
    for (int damaged = 1; damaged < 10; damaged++) {
        int before = line.messages;
        pass_signal(&line, &signal, damaged);
        cr_expect(line.messages == before || !is_same(&line.last, &signal));
        pass_signal(&line, &signal, -1);
        pass_signal(&line, &signal, -1);
        cr_expect_geq(line.messages, before + 1, "symbol %d", damaged);
        cr_expect(is_same(&line.last, &signal));
    }
    uint64_t broken = line.end.broken;
    pass_symbol(&line, comma, 0); /* begins a message whose end is missing */
    pass_signal(&line, &signal, -1);
    cr_expect(line.end.broken == broken + 1 && is_same(&line.last, &signal));
    struct ordo_net_symbol symbols[] = {comma, {false, 1}};
    pass_symbol(&line, symbols[0], 0);
    for (int i = 0; i < ORDO_NET_SIGNAL_BYTES + 2; i++)
        pass_symbol(&line, symbols[1], 0);
    pass_symbol(&line, (struct ordo_net_symbol){true, ORDO_NET_SYMBOL(29, 7)}, 0);
    cr_expect_eq(line.end.broken, broken + 2, "a message that is too long");
}

enum { EDGES = 200000, SPAN = 442 };

static int64_t *ideal_clock(size_t edges, int64_t period_fs)
{
    int64_t *edge_fs = calloc(edges, sizeof *edge_fs);
    for (size_t i = 0; edge_fs && i < edges; i++)
        edge_fs[i] = (int64_t)(i + 1) * period_fs;
    return edge_fs;
}

Test(pll, phases_match_in_every_cell_after_the_timer_synchronisation)
{
    enum { CELLS = 1000, ENABLED = 10 };
    int64_t *reference = ideal_clock(4 * CELLS, 8000000), *own = calloc(5 * CELLS, sizeof *own);
    const struct ordo_net_pll pll = {.up = 5,
                                     .down = 4,
                                     .period_fs = 6.4e6,
                                     .off = 1e-4,
                                     .proportional = 0.1,
                                     .integral = 0.002,
                                     .enabled = ENABLED,
                                     .first_fs = 3e6,
                                     .seed = 1};
    cr_assert_eq(ordo_net_pll_follow(&pll, reference, 4 * CELLS, own), 5 * CELLS);
    for (int cell = 0; cell < CELLS; cell++) {
        double apart_fs = fabs((double)(own[5 * cell] - reference[4 * cell]));
        if (cell < ENABLED)
            cr_expect_gt(apart_fs, 1e6, "cell %d", cell);
        else /* the drift of 100 ppm, until the loop has learnt it */
            cr_expect_lt(apart_fs, cell < 400 ? 32e6 * 1e-4 / 0.1 + 1 : 100, "cell %d: %g", cell, apart_fs);
    }
    free(reference);
    free(own);
}

Test(pll, jitter_over_short_spans_follows_the_law_of_white_noise)
{
    int64_t *reference = ideal_clock(EDGES, 8000000), *own = calloc(EDGES, sizeof *own);
    const struct ordo_net_pll pll = {
        .up = 1, .down = 1, .period_fs = 8e6, .noise_fs = 14.27e3, .proportional = 1e-4, .seed = 2};
    size_t edges = ordo_net_pll_follow(&pll, reference, EDGES, own);
    struct ordo_jitter jitter = ordo_jitter_of(own, edges, SPAN);
    double converted_fs = ordo_jitter_cycle_to_cycle(jitter.absolute_fs, jitter.period_fs, SPAN * jitter.period_fs);
    cr_expect_float_eq(jitter.cycle_to_cycle_fs, 20.18e3, 300);
    cr_expect_float_eq(converted_fs / jitter.cycle_to_cycle_fs, 1, 0.1);
    cr_expect(ordo_jitter_whiteness(own, edges).is_white);
    free(reference);
    free(own);
}

Test(pll, deviations_from_the_master_add_up_hop_by_hop)
{
    int64_t *edge[2] = {ideal_clock(EDGES, 8000000), calloc(EDGES, sizeof(int64_t))};
    double squares[10] = {0};
    for (int hop = 0; hop < 9; hop++) {
        const struct ordo_net_pll pll = {
            .up = 1, .down = 1, .period_fs = 8e6, .noise_fs = 10e3, .proportional = 0.1, .seed = (uint64_t)hop};
        (void)ordo_net_pll_follow(&pll, edge[hop % 2], EDGES, edge[1 - hop % 2]);
        for (int i = 1000; i < EDGES; i++)
            squares[hop] += pow((double)(edge[1 - hop % 2][i] - (int64_t)(i + 1) * 8000000), 2) / (EDGES - 1000);
    }
    cr_expect_float_eq(sqrt(squares[0]), 10e3 / sqrt(0.2 - 0.01), 300); /* J2; a discrete loop has 2 k - k^2 */
    cr_expect(squares[8] > 3 * squares[0] && squares[8] < 10 * squares[0], "%g", squares[8] / squares[0]);
    free(edge[0]);
    free(edge[1]);
}
