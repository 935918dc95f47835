/* The referee of claims about UTC (lib/net/referee/referee.c): hosts with known clocks, honest claims and lies. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/random.h"
#include "net/referee/referee.h"

enum { MOST_HOSTS = 9, MOST_CLAIMS = 3 * MOST_HOSTS + 1 };

static const int64_t second_ns = 1000000000;

/* Hosts with known clocks. `off_ns` is the clock minus UTC at the instant; a clock's rate differs from 1 by up to
 * `rate`. */
static struct world {
    uint64_t seed;
    int hosts, cases;
    int64_t utc_ns, off_ns[MOST_HOSTS];
    double rate, wrong_rate[MOST_HOSTS];
    struct ordo_net_proof proof[MOST_HOSTS];
    struct ordo_net_case one[MOST_CLAIMS];
    struct ordo_net_judgement found;
} world;

static int64_t draw_ns(int64_t most_ns)
{
    return (int64_t)(ordo_random_unit(&world.seed) * (double)most_ns);
}

/* Proves the offset of each host by an interval that contains it, up to 60 us wide. */
static void make_world(uint64_t seed, int hosts, double rate)
{
    world = (struct world){.seed = seed, .hosts = hosts, .rate = rate, .utc_ns = INT64_C(1790000000) * second_ns};
    for (int i = 0; i < hosts; i++) {
        world.off_ns[i] = draw_ns(100 * second_ns) - 50 * second_ns;
        world.wrong_rate[i] = rate * (2 * ordo_random_unit(&world.seed) - 1);
        int64_t apart_ns = world.off_ns[i] - world.off_ns[0];
        world.proof[i] =
            (struct ordo_net_proof){true, {apart_ns - (i ? draw_ns(30000) : 0), apart_ns + (i ? draw_ns(30000) : 0)}};
    }
}

/* Adds a claim that was read `after_ns` after the instant, and that is true: UTC is somewhere in it. */
static struct ordo_net_case *claim(int host, int64_t after_ns, int64_t wide_ns)
{
    struct ordo_net_case *one = &world.one[world.cases++];
    int64_t at_ns = after_ns + (int64_t)((double)after_ns * world.wrong_rate[host]), below_ns = draw_ns(wide_ns);
    one->host = host;
    one->authority = false;
    one->reading_ns = world.utc_ns + at_ns + world.off_ns[host];
    int64_t utc_ns = world.utc_ns + after_ns - one->reading_ns; /* UTC minus the clock */
    one->utc_ns = (struct ordo_interval){utc_ns - below_ns, utc_ns + wide_ns - below_ns};
    return one;
}

static void judge(int wrong)
{
    const struct ordo_net_bench bench = {.hosts = world.hosts,
                                         .proof = world.proof,
                                         .at_ns = world.utc_ns + world.off_ns[0],
                                         .rate = world.rate / (1 - world.rate),
                                         .wrong = wrong};
    cr_assert(ordo_net_referee_judge(&bench, world.one, world.cases, &world.found));
}

static void move(struct ordo_net_case *one, int64_t by_ns)
{
    one->utc_ns.low += by_ns;
    one->utc_ns.high += by_ns;
}

/* Adds three honest claims a host, at readings of up to 2 s before and after the instant. */
static void claim_all(void)
{
    for (int i = 0; i < world.hosts; i++)
        for (int k = 0; k < 3; k++)
            (void)claim(i, draw_ns(4 * second_ns) - 2 * second_ns, 1 + draw_ns(k == 0 ? 1000 : 40000000));
}

Test(referee, refutes_and_disputes_none_of_100000_honest_claims)
{
    int judged = 0;
    for (uint64_t seed = 1; judged < 100000; seed++) {
        make_world(seed, 2 + (int)(seed % (MOST_HOSTS - 1)), seed % 3 ? 500e-6 : 1e-9);
        claim_all();
        if (seed % 2)
            claim(world.hosts - 1, draw_ns(second_ns), 100000)->authority = true;
        judge((int)(seed % 4));
        cr_assert_eq(world.found.refuted + world.found.disputed, 0, "seed %llu", (unsigned long long)seed);
        cr_assert_eq(world.found.least_wrong, 0);
        judged += world.cases;
    }
}

/* One host lies and the promise that at most one host is wrong holds: no honest claim may be refuted by
 * any lie. */
Test(referee, refutes_no_honest_claim_if_one_host_lies)
{
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        make_world(seed, 3 + (int)(seed % (MOST_HOSTS - 2)), 500e-6);
        claim_all();
        int liar = (int)(seed % (uint64_t)world.hosts);
        for (int k = 0; k < 3; k++)
            move(&world.one[3 * liar + k], draw_ns(200000000) - 100000000);
        judge(1);
        for (int i = 0; i < world.cases; i++)
            cr_assert(world.one[i].host == liar || world.one[i].verdict != ORDO_NET_REFUTED, "seed %llu",
                      (unsigned long long)seed);
    }
}

/* Returns the widths by which a lie of `host` may hide: of the proofs, of both claims, and of the drift between the
 * readings, at most 2 s from the instant. */
static int64_t hidden_ns(int host, int64_t claims_ns)
{
    const struct ordo_interval *own = &world.proof[host].offset_ns;
    return own->high - own->low + 60000 + claims_ns + (int64_t)(4.1e9 * world.rate);
}

Test(referee, refutes_1000_of_1000_lies_by_two_honest_hosts)
{
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        make_world(seed, 3 + (int)(seed % 4), seed % 2 ? 500e-6 : 1e-6);
        for (int i = 0; i < world.hosts; i++)
            (void)claim(i, draw_ns(4 * second_ns) - 2 * second_ns, 20000);
        int liar = (int)(seed % (uint64_t)world.hosts);
        int64_t by_ns = hidden_ns(liar, 40000) + 1 + draw_ns(10 * second_ns);
        move(&world.one[liar], seed % 3 ? by_ns : -by_ns);
        judge(1);
        cr_assert_eq(world.one[liar].verdict, ORDO_NET_REFUTED, "seed %llu", (unsigned long long)seed);
        cr_assert_eq(world.found.refuted, 1);
        cr_assert_geq(world.one[liar].hosts_against, 2);
        cr_assert_geq(world.one[liar].against, 0);
        cr_assert_gt(world.one[liar].gap_ns, 0);
    }
}

Test(referee, refutes_1000_of_1000_lies_by_an_authority)
{
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        make_world(seed, 2, seed % 2 ? 500e-6 : 1e-6);
        claim(0, 0, 2000)->authority = true;
        struct ordo_net_case *lie = claim(1, draw_ns(4 * second_ns) - 2 * second_ns, 20000);
        int64_t by_ns = hidden_ns(1, 22000) + 1 + draw_ns(10 * second_ns);
        move(lie, seed % 3 ? by_ns : -by_ns);
        judge(0);
        cr_assert_eq(lie->verdict, ORDO_NET_REFUTED, "seed %llu", (unsigned long long)seed);
        cr_assert_eq(lie->against, 0);
        cr_assert(world.found.authority);
    }
}

Test(referee, disputes_two_claims_if_it_is_not_known_which_is_wrong)
{
    make_world(1, 2, 1e-6);
    (void)claim(0, 0, 1000);
    move(claim(1, 0, 1000), second_ns);
    judge(1);
    cr_assert_eq(world.one[0].verdict, ORDO_NET_DISPUTED);
    cr_assert_eq(world.one[1].verdict, ORDO_NET_DISPUTED);
    cr_assert_eq(world.found.least_wrong, 1);
    cr_assert(world.found.sound);
    judge(0);
    cr_assert(!world.found.sound, "one of them is wrong, but none is promised to be");
    cr_assert_eq(world.found.refuted, 0);
}

Test(referee, disputes_no_claim_that_only_a_refuted_claim_contradicts)
{
    make_world(1, 3, 1e-6);
    for (int i = 0; i < 3; i++)
        (void)claim(i, 0, 1000);
    move(claim(2, 0, 1000), second_ns);
    judge(1);
    cr_assert_eq(world.one[3].verdict, ORDO_NET_REFUTED);
    cr_assert_eq(world.found.disputed, 0);
    cr_assert_eq(world.one[2].verdict, ORDO_NET_CONSISTENT, "the other claim of this host");
    cr_assert_neq(world.one[3].against, 3);
}

Test(referee, compares_the_claims_of_a_host_without_a_proof)
{
    make_world(1, 2, 1e-6);
    world.proof[1].proved = false;
    (void)claim(0, 0, 1000);
    (void)claim(1, 0, 1000);
    move(claim(1, 0, 1000), 5000);
    judge(1);
    cr_assert_eq(world.one[0].verdict, ORDO_NET_UNJUDGED);
    cr_assert_eq(world.one[1].verdict, ORDO_NET_DISPUTED);
    cr_assert_eq(world.one[2].against, 1);
    cr_assert_eq(world.one[2].view_ns.low, INT64_MIN);
}

Test(referee, takes_a_lone_claim_as_unjudged)
{
    make_world(1, 2, 1e-6);
    (void)claim(1, 0, 1000);
    judge(1);
    cr_assert_eq(world.one[0].verdict, ORDO_NET_UNJUDGED);
    cr_assert_eq(world.one[0].against, -1);
}

Test(referee, refutes_nothing_by_authorities_that_contradict_each_other)
{
    make_world(1, 3, 1e-6);
    claim(0, 0, 1000)->authority = true;
    struct ordo_net_case *other = claim(1, 0, 1000);
    other->authority = true;
    move(other, second_ns);
    (void)claim(2, 0, 1000);
    judge(1);
    cr_assert(!world.found.authority);
    cr_assert_eq(other->verdict, ORDO_NET_DISPUTED);
    cr_assert_eq(world.one[2].verdict, ORDO_NET_DISPUTED);
    cr_assert_eq(world.found.refuted, 0);
}

Test(referee, does_not_overflow_at_the_ends_of_the_numbers)
{
    static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
    enum { ENDS = sizeof ends / sizeof *ends };
    for (int i = 0; i < ENDS * ENDS * ENDS; i++) {
        make_world(1, 2, 1e-3);
        (void)claim(0, 0, 10);
        struct ordo_net_case *one = claim(1, 0, 10);
        one->reading_ns = ends[i % ENDS];
        one->utc_ns = (struct ordo_interval){ends[i / ENDS % ENDS], INT64_MAX};
        world.proof[1].offset_ns.low = ends[i / ENDS / ENDS];
        judge(1);
        cr_assert_eq(world.found.refuted, 0);
    }
}

/* f(x) by counting, for the sweep of depth.c. */
static int count_wrong(int64_t x)
{
    int wrong = 0;
    for (int i = 0; i < world.cases; i += 2) {
        bool agrees = true;
        for (int k = i; k < i + 2; k++)
            agrees = agrees && world.one[k].view_ns.low <= x && x <= world.one[k].view_ns.high;
        wrong += !agrees;
    }
    return wrong;
}

Test(referee, counts_the_hosts_against_a_claim_as_a_count_at_each_point_does)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        make_world(seed, 5, 1e-12);
        for (int i = 0; i < world.hosts; i++) {
            world.off_ns[i] = 0;
            world.proof[i].offset_ns = (struct ordo_interval){0, 0};
        }
        for (int i = 0; i < 2 * world.hosts; i++)
            move(claim(i / 2, 0, draw_ns(12)), draw_ns(20));
        judge(1);
        for (int i = 0; i < world.cases; i++) {
            int least = world.hosts;
            for (int64_t x = world.one[i].view_ns.low; x <= world.one[i].view_ns.high; x++)
                least = count_wrong(x) < least ? count_wrong(x) : least;
            cr_assert_eq(world.one[i].hosts_against, least, "seed %llu, claim %d", (unsigned long long)seed, i);
        }
    }
}
