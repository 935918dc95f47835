/* Meshes in which some hosts lie: the bounds of the honest hosts hold for every position of the liars
 * (lib/net/graph/liars.c). */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/random.h"
#include "net/graph/liars.h"

enum { MOST = 6, PAIRS = MOST * (MOST - 1) / 2, HALF_PS = 10, LIES = 3 };

/* The true potentials of the clocks. The potentials of liars are not used. */
static const int64_t truth_ps[MOST] = {0, 1000, -700, 40, 5000, 5010};

static struct world {
    struct ordo_net_mesh mesh;
    struct ordo_net_edge edge[PAIRS];
    struct ordo_interval proved[PAIRS], potential[MOST];
    int64_t about_ps[MOST];
    bool refuted[MOST];
    int64_t most_ps[MOST * MOST];
    int loop[MOST];
    struct ordo_net_bounds bounds;
    double rate;
    unsigned liars; /* a set of hosts, as bits */
} world;

/* Makes the graph of the edges whose bits are set in `graph`, in the order of their hosts. */
static void make_graph(int hosts, unsigned graph)
{
    int pair = 0;
    world = (struct world){.mesh = {.hosts = hosts, .edge = world.edge}};
    world.bounds = (struct ordo_net_bounds){.potential = world.potential, .refuted = world.refuted, .loop = world.loop};
    for (int a = 0; a < hosts; a++)
        for (int b = a + 1; b < hosts; b++)
            if (graph >> pair++ & 1) /* some edges point to host 0, and some away from it */
                world.edge[world.mesh.edges++] = pair % 2 ? (struct ordo_net_edge){a, b} : (struct ordo_net_edge){b, a};
}

static void bound(int liars)
{
    const struct ordo_net_readings readings = {&world.mesh, NULL, world.proved, world.about_ps, world.rate};
    cr_assert(ordo_net_mesh_bound(&readings, liars, &world.bounds));
    cr_assert(ordo_net_mesh_bound_pairs(&readings, liars, world.most_ps));
}

static bool lies(int host)
{
    return world.liars >> host & 1;
}

/* Returns the interval of an honest edge. The edge was read when clock a was ahead of host 0's clock by about_ps; since
 * then its offset has changed by the most that its rate allows, in the direction `way`. */
static struct ordo_interval honest(const struct ordo_net_edge *edge, int way)
{
    double apart_ps = world.rate * (double)(world.about_ps[edge->a] - truth_ps[edge->a]);
    int64_t read_ps = truth_ps[edge->b] - truth_ps[edge->a] + (int64_t)(way * apart_ps);
    return (struct ordo_interval){read_ps - HALF_PS, read_ps + HALF_PS};
}

/* Returns the interval of a lie: far off in one direction or the other, or so small that it contradicts no other edge
 * by itself. */
static struct ordo_interval lie(const struct ordo_net_edge *edge, unsigned kind)
{
    static const int64_t by_ps[LIES] = {900, -900, HALF_PS + 5};
    int64_t said_ps = truth_ps[edge->b] - truth_ps[edge->a] + by_ps[kind % LIES];
    return (struct ordo_interval){said_ps, said_ps + 1};
}

/* Sets the intervals of all edges. Each digit of `lie_number` chooses a lie for one edge of a liar. Returns the number
 * of combinations. */
static unsigned tell(unsigned lie_number)
{
    unsigned count = 1;
    for (int i = 0; i < world.mesh.edges; i++) {
        const struct ordo_net_edge *edge = &world.edge[i];
        if (!lies(edge->a) && !lies(edge->b)) {
            world.proved[i] = honest(edge, i % 2 ? 1 : -1);
            continue;
        }
        world.proved[i] = lie(edge, lie_number / count);
        count *= LIES;
    }
    return count;
}

static bool holds_truth(int host)
{
    return world.potential[host].low <= truth_ps[host] && truth_ps[host] <= world.potential[host].high;
}

static void expect_truth(void)
{
    cr_assert(world.bounds.sound);
    for (int host = 0; host < world.mesh.hosts; host++)
        cr_assert(lies(host) || (!world.refuted[host] && holds_truth(host)), "host %d of %d, liars %x: %lld to %lld",
                  host, world.mesh.hosts, world.liars, (long long)world.potential[host].low,
                  (long long)world.potential[host].high);
}

/* True if both bounds of the pair hold, and the pair is not refuted. */
static bool pair_holds_truth(int u, int v)
{
    int64_t up_ps = world.most_ps[u * world.mesh.hosts + v], down_ps = world.most_ps[v * world.mesh.hosts + u];
    int64_t true_ps = truth_ps[v] - truth_ps[u];
    return up_ps != INT64_MIN && down_ps != INT64_MIN && true_ps <= up_ps && -true_ps <= down_ps;
}

static void expect_true_pairs(void)
{
    for (int u = 1; u < world.mesh.hosts; u++)
        for (int v = 1; v < world.mesh.hosts; v++)
            cr_assert(u == v || lies(u) || lies(v) || pair_holds_truth(u, v), "%d and %d of %d, liars %x", u, v,
                      world.mesh.hosts, world.liars);
}

static int popcount(unsigned set)
{
    return __builtin_popcount(set);
}

/* Calls `see` for each graph of `hosts` hosts, each set of at most `liars` liars without host 0, and each lie. */
static void for_all_lies(int hosts, int liars, void (*see)(int liars))
{
    for (unsigned graph = 0; graph < 1u << (hosts * (hosts - 1) / 2); graph++)
        for (unsigned set = 0; set < 1u << hosts; set += 2) {
            if (popcount(set) > liars)
                continue;
            make_graph(hosts, graph);
            world.liars = set;
            for (unsigned lie_number = 0; lie_number < tell(lie_number); lie_number++)
                see(liars);
        }
}

static void see_truth(int liars)
{
    bound(liars);
    expect_truth();
    expect_true_pairs();
}

Test(liars, the_allowed_number_of_liars_cannot_spoil_honest_hosts)
{
    for (int hosts = 2; hosts <= 4; hosts++)
        for (int liars = 0; liars <= 3; liars++)
            for_all_lies(hosts, liars, see_truth);
    for_all_lies(5, 1, see_truth);
}

static int fooled, pairs_fooled;

static void see_fooled(int liars)
{
    bound(liars - 1);
    for (int host = 1; world.bounds.sound && host < world.mesh.hosts; host++)
        fooled += !lies(host) && !world.refuted[host] && !holds_truth(host);
    for (int u = 1; world.bounds.sound && u < world.mesh.hosts; u++)
        for (int v = u + 1; v < world.mesh.hosts; v++)
            pairs_fooled += !lies(u) && !lies(v) && !pair_holds_truth(u, v);
}

Test(liars, one_liar_too_many_can_spoil_honest_hosts)
{
    fooled = pairs_fooled = 0;
    for_all_lies(4, 1, see_fooled);
    cr_assert(fooled > 0 && pairs_fooled > 0);
    fooled = 0;
    for_all_lies(4, 2, see_fooled);
    cr_assert(fooled > 0);
}

/* Edges that are read at a wrong instant, because of a lie or by chance: [L5], [L6]. The cases are drawn at random,
 * because there are too many. */
Test(liars, bounds_hold_whenever_a_measurement_is_evaluated)
{
    uint64_t random = 7;
    for (int round = 0; round < 30000; round++) {
        int hosts = 3 + (int)(ordo_random_next(&random) % 4), liars = (int)(ordo_random_next(&random) % 3);
        make_graph(hosts, (unsigned)ordo_random_next(&random));
        for (unsigned set = world.liars; popcount(set) < liars;) {
            set |= 2u << ordo_random_next(&random) % ((unsigned)hosts - 1);
            world.liars = set;
        }
        world.rate = (double[]){0.001, 0.1, 0.5}[round % 3];
        for (int host = 0; host < hosts; host++)
            world.about_ps[host] = truth_ps[host] + (int64_t)(ordo_random_next(&random) % 4001) - 2000;
        (void)tell((unsigned)ordo_random_next(&random));
        bound(liars);
        expect_truth();
        expect_true_pairs();
    }
}

/* True if a path joins the host to host 0 after the set `without` of hosts is removed. */
static bool is_reached(int host, unsigned without)
{
    unsigned reached = 1;
    for (int round = 0; round < world.mesh.hosts; round++)
        for (int i = 0; i < world.mesh.edges; i++) {
            unsigned both = 1u << world.edge[i].a | 1u << world.edge[i].b;
            if (!(both & without) && (both & reached))
                reached |= both;
        }
    return reached >> host & 1;
}

/* True if no set of up to `liars` hosts cuts the host off from host 0. By Menger's theorem this is so if the host has
 * an edge to host 0, or `liars` + 1 disjoint paths. */
static bool stays_reached(int host, int liars)
{
    for (unsigned set = 0; set < 1u << world.mesh.hosts; set += 2)
        if (popcount(set) <= liars && !(set >> host & 1) && !is_reached(host, set))
            return false;
    return true;
}

Test(liars, a_host_is_proved_if_no_liars_cut_it_off)
{
    for (int liars = 0; liars <= 2; liars++)
        for (unsigned graph = 0; graph < 1u << 10; graph++) {
            make_graph(5, graph);
            (void)tell(0);
            bound(liars);
            for (int host = 0; host < 5; host++)
                cr_assert((world.potential[host].low != INT64_MIN) == stays_reached(host, liars), "%x: host %d", graph,
                          host);
        }
}

static void use(const struct ordo_net_edge *edges, const struct ordo_interval *proved, int count)
{
    make_graph(4, 0);
    for (int i = 0; i < count; i++) {
        world.edge[i] = edges[i];
        world.proved[i] = proved[i];
    }
    world.mesh.edges = count;
}

Test(liars, a_path_of_edges_bounds_an_offset_like_one_edge)
{
    const struct ordo_net_edge edges[] = {{0, 1}, {1, 2}, {2, 0}};
    use(edges, (struct ordo_interval[]){{10, 20}, {5, 6}, {-100, 100}}, 3);
    bound(0);
    cr_expect(world.bounds.sound && world.bounds.loops == 0);
    cr_expect(world.potential[1].low >= 8 && world.potential[1].low <= 10); /* each edge adds 1 by rounding */
    cr_expect(world.potential[1].high >= 20 && world.potential[1].high <= 22);
    cr_expect(world.potential[2].low >= 12 && world.potential[2].low <= 15);
    cr_expect(world.potential[2].high >= 26 && world.potential[2].high <= 29);
    cr_expect(world.potential[3].low == INT64_MIN && world.potential[3].high == INT64_MAX);
}

/* Hosts 1 and 2 are known to 10 each, and their difference to 1, by the edge between them. If at most one host lies, and
 * hosts 1 and 2 do not, it can only be host 3, which has no edge. */
Test(liars, a_pair_is_bounded_by_its_own_edge)
{
    const struct ordo_net_edge edges[] = {{0, 1}, {0, 2}, {2, 1}};
    use(edges, (struct ordo_interval[]){{-10, 10}, {-10, 10}, {4, 6}}, 3);
    for (int liars = 0; liars <= 1; liars++) {
        bound(liars);
        int64_t up_ps = world.most_ps[2 * 4 + 1], down_ps = world.most_ps[1 * 4 + 2];
        cr_expect(up_ps >= 6 && up_ps <= 7 && down_ps >= -4 && down_ps <= -3, "%lld, %lld", (long long)up_ps,
                  (long long)down_ps);
        cr_expect(world.most_ps[1 * 4 + 3] == INT64_MAX && world.most_ps[3 * 4 + 1] == INT64_MAX);
    }
}

Test(liars, a_pair_of_hosts_that_contradict_each_other_has_no_bound)
{
    const struct ordo_net_edge edges[] = {{0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 1}, {3, 2}};
    use(edges, (struct ordo_interval[]){{0, 9}, {0, 9}, {100, 109}, {-900, 900}, {-900, 900}, {-900, 900}}, 6);
    bound(1);
    cr_expect(world.bounds.sound && world.most_ps[1 * 4 + 2] == INT64_MIN && world.most_ps[2 * 4 + 1] == INT64_MIN);
    cr_expect(world.most_ps[1 * 4 + 3] < 1000);
    bound(0);
    cr_expect(world.most_ps[1 * 4 + 3] == INT64_MIN); /* without liars, nothing is proved */
}

/* The bounds of an edge may be as far as a liar can make them. */
Test(liars, the_bounds_of_pairs_do_not_overflow)
{
    const int64_t far_ps = INT64_C(1) << 53;
    const struct ordo_net_edge edges[] = {{0, 1}, {1, 2}, {2, 3}};
    use(edges, (struct ordo_interval[]){{-far_ps, -far_ps + 1}, {-far_ps, -far_ps + 1}, {far_ps - 1, far_ps}}, 3);
    world.rate = 0.5;
    bound(0);
    for (int i = 1; i < 4; i++)
        for (int k = 1; k < 4; k++)
            cr_expect(i == k || world.most_ps[i * 4 + k] == INT64_MAX || world.most_ps[i * 4 + k] >= -2 * far_ps);
}

/* Returns the loop's edges, as bits. */
static unsigned loop_of(void)
{
    unsigned set = 0;
    for (int i = 0; i < world.bounds.loops; i++) {
        cr_assert_not(set >> world.loop[i] & 1);
        set |= 1u << world.loop[i];
    }
    return set;
}

Test(liars, contradicting_measurements_are_named)
{
    const struct ordo_net_edge edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
    use(edges, (struct ordo_interval[]){{0, 9}, {0, 9}, {100, 109}, {-900, 900}, {-900, 900}, {-900, 900}}, 6);
    bound(0);
    cr_expect(!world.bounds.sound && loop_of() == 7, "%x", loop_of());
    bound(1);
    cr_expect(world.bounds.sound && loop_of() == 7, "%x", loop_of());
    cr_expect(world.potential[1].low != INT64_MIN && world.potential[2].low != INT64_MIN);
    const struct ordo_net_edge behind[] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}}; /* host 3 is in no loop */
    use(behind, (struct ordo_interval[]){{0, 9}, {0, 9}, {100, 109}, {0, 9}}, 4);
    bound(0);
    cr_expect(!world.bounds.sound && loop_of() == 7, "%x", loop_of());
    use(edges, (struct ordo_interval[]){{0, 9}, {9, -9}, {-900, 900}}, 3);
    bound(0);
    cr_expect(!world.bounds.sound && loop_of() == 2, "%x", loop_of());
}

/* Hosts 1 and 2 agree with the reference and with each other. Host 3 contradicts all three, so if there is one liar, it
 * is host 3. */
Test(liars, only_the_host_that_contradicts_all_is_refuted)
{
    const struct ordo_net_edge edges[] = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 1}, {3, 2}};
    use(edges, (struct ordo_interval[]){{-9, 9}, {-9, 9}, {-9, 9}, {100, 109}, {500, 509}, {-400, -391}}, 6);
    bound(1);
    cr_expect(world.bounds.sound && !world.refuted[1] && !world.refuted[2] && world.refuted[3]);
    cr_expect(world.potential[3].low == INT64_MIN);
}

Test(liars, the_possible_sets_of_liars_are_counted_correctly)
{
    cr_assert(ordo_net_liars_sets(2, 5) == 1 && ordo_net_liars_sets(3, 1) == 2 && ordo_net_liars_sets(3, 2) == 2);
    cr_assert(ordo_net_liars_sets(128, 0) == 1 && ordo_net_liars_sets(128, 1) == 127);
    cr_assert(ordo_net_liars_sets(128, 2) == 8001 && ordo_net_liars_sets(1024, 16) == INT32_MAX);
}
