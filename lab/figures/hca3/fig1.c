/* Figure 1: in which order HCA2 and HCA3 learn the links of four ranks. The sketch is drawn from the messages of a run. */
#include <stdio.h>
#include <stdlib.h>

#include "cluster/sync/sync.h"
#include "cluster/transport/tags.h"
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { SKETCH_RANKS = 4, MOST_LINKS = 512 };

/* A link: the child asked the parent from `begin_ns` to `end_ns`, in true time. */
struct learnt_link {
    int64_t begin_ns, end_ns;
    int parent;
};

struct links {
    const struct ordo_sync_algorithm *algorithm;
    struct learnt_link of[MOST_LINKS]; /* of each child */
    int64_t models_ns[MOST_LINKS];     /* when the child got a model from its parent */
    int (*send)(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count);
};

/* The links of the run that goes on; a simulation has one thread. */
static struct links *the_links;

/* Replaces the send of a transport: writes down who asks whom, and when. */
static int observed_send(struct ordo_transport *self, int to, int tag, const void *bytes, size_t count)
{
    struct learnt_link *link = &the_links->of[self->rank];
    int64_t now_ns = ordo_sim_true_ns(self);
    if (tag == ORDO_TAG_PING) {
        link->begin_ns = link->end_ns ? link->begin_ns : now_ns;
        link->end_ns = now_ns + 1;
        link->parent = to;
    }
    if (tag == ORDO_TAG_MODEL)
        the_links->models_ns[to] = now_ns;
    return the_links->send(self, to, tag, bytes, count);
}

static int observed_sync(struct ordo_transport *world, void *context)
{
    struct links *links = context;
    struct ordo_sync_options options = ordo_sync_defaults();
    struct ordo_sync_spec spec = options.main;
    struct ordo_model model;
    spec.algorithm = links->algorithm;
    spec.window_ns = 0;
    links->send = world->send;
    world->send = observed_send;
    return links->algorithm->run(world, &options, &spec, &model, NULL);
}

static int observe_links(struct ordo_figure_run *run, const char *algorithm, int ranks, struct links *links,
                         struct ordo_error *error)
{
    struct ordo_sim_options cluster = hca3_cluster(HCA3_JUPITER, 1, ordo_figure_seed(run));
    struct ordo_sim_result result;
    *links = (struct links){.algorithm = ordo_sync_algorithm_find(algorithm)};
    the_links = links;
    cluster.ranks = ranks;
    cluster.ranks_per_socket = cluster.sockets_per_node = 1;
    return ordo_sim_run(&cluster, observed_sync, links, &result, error);
}

/* Draws the time in which each link was learnt, from the rank of the child to that of the parent. */
static void draw_links(struct ordo_figure_run *run, const char *title, const struct links *links)
{
    struct ordo_figure_panel *panel = ordo_figure_panel(run, title, "true time [ms]", "rank", ORDO_FIGURE_LINEAR);
    for (int child = 1; child < SKETCH_RANKS; child++) {
        const struct learnt_link *link = &links->of[child];
        char name[40];
        (void)snprintf(name, sizeof name, "cm(%d, %d)", link->parent, child);
        struct ordo_figure_curve *curve = ordo_figure_curve(panel, name, ORDO_FIGURE_LINE);
        double begin_ms = (double)link->begin_ns / 1e6, end_ms = (double)link->end_ns / 1e6;
        ordo_figure_point(curve, begin_ms, link->parent);
        ordo_figure_point(curve, begin_ms, child);
        ordo_figure_point(curve, end_ms, child);
        ordo_figure_point(curve, end_ms, link->parent);
        ordo_figure_point(curve, begin_ms, link->parent);
    }
}

/* Returns the number of links on the longest chain of links of which each begins when the one before has ended. */
static int rounds_of_links(const struct links *links, int ranks)
{
    int rounds = 0;
    for (int64_t now_ns = -1;; rounds++) {
        int64_t end_ns = INT64_MAX; /* the earliest end of a link that begins after `now_ns` */
        for (int child = 1; child < ranks; child++)
            if (links->of[child].begin_ns > now_ns && links->of[child].end_ns < end_ns)
                end_ns = links->of[child].end_ns;
        if (end_ns == INT64_MAX)
            return rounds;
        now_ns = end_ns;
    }
}

static bool link_precedes(const struct links *links, int one, int other)
{
    return links->of[one].end_ns < links->of[other].begin_ns;
}

static bool at_once(const struct links *links, int one, int other)
{
    return !link_precedes(links, one, other) && !link_precedes(links, other, one);
}

int ordo_figure_hca3_fig1(struct ordo_figure_run *run, struct ordo_error *error)
{
    static struct links hca2, hca3, large;
    int code = observe_links(run, "hca2", SKETCH_RANKS, &hca2, error);
    code = code ? code : observe_links(run, "hca3", SKETCH_RANKS, &hca3, error);
    code = code ? code : observe_links(run, "hca3", MOST_LINKS, &large, error);
    if (code)
        return code;
    draw_links(run, "(a) HCA2", &hca2);
    draw_links(run, "(b) HCA3", &hca3);
    /* Numbers of rounds are facts. */
    ordo_figure_value(run, "rounds of HCA2, 4 ranks", "", 2, rounds_of_links(&hca2, SKETCH_RANKS), ORDO_FIGURE_EQUAL,
                      1);
    ordo_figure_value(run, "rounds of HCA3, 4 ranks", "", 2, rounds_of_links(&hca3, SKETCH_RANKS), ORDO_FIGURE_EQUAL,
                      1);
    ordo_figure_value(run, "rounds of HCA3, 512 ranks", "", 9, rounds_of_links(&large, MOST_LINKS), ORDO_FIGURE_EQUAL,
                      1);
    ordo_figure_claim(run,
                      hca2.of[1].parent == 0 && hca2.of[2].parent == 0 && hca2.of[3].parent == 2 &&
                          hca3.of[1].parent == 0 && hca3.of[2].parent == 0 && hca3.of[3].parent == 2,
                      "both learn cm(0, 1), cm(0, 2) and cm(2, 3)");
    ordo_figure_claim(run, at_once(&hca2, 1, 3) && link_precedes(&hca2, 1, 2) && link_precedes(&hca2, 3, 2),
                      "HCA2 learns cm(0, 1) and cm(2, 3) at once, and then cm(0, 2)");
    ordo_figure_claim(run, at_once(&hca3, 1, 3) && link_precedes(&hca3, 2, 1) && link_precedes(&hca3, 2, 3),
                      "HCA3 learns cm(0, 2), and then cm(0, 1) and cm(2, 3) at once");
    ordo_figure_claim(run, hca2.models_ns[3] > hca2.of[2].end_ns,
                      "with HCA2, a leaf gets its model only when the root has learnt its last link");
    return ORDO_OK;
}
