/* Figure 3: JK, HCA, HCA2 and HCA3 on 32 x 16 ranks of Jupiter, ten runs each. */
#include "lab/figures/hca3/hca3.h"
#include "lab/figures/hca3/machine.h"

enum { JK, HCA, HCA2, HCA3, COUNT };

/* The runs have fewer fit points than the paper, over the same time. One more run of JK and of HCA3 has the points of
 * the paper, and shows that they take this time. */
static const struct hca3_contender contenders[COUNT] = {
    [JK] = {"jk/1000/SKaMPI-Offset/20", "jk:fit=1000,pingpong=20,window=0ms", "jk:fit=25,pingpong=20,window=60s"},
    [HCA] = {"hca/500/SKaMPI-Offset/100", NULL, "hca:fit=20,pingpong=100,window=200ms"},
    [HCA2] = {"hca2/500/SKaMPI-Offset/100", NULL, "hca2:fit=20,pingpong=100,window=200ms"},
    [HCA3] = {"hca3/500/SKaMPI-Offset/100", "hca3:fit=500,pingpong=100,window=0ms",
              "hca3:fit=20,pingpong=100,window=200ms"},
};

/* Which of HCA2 and HCA3 is more precise? A link that HCA2 learns among the leaves is old when the root is reached; with
 * HCA3, the old links are few, and near the root. At once, this matters if the clocks of all ranks drift apart at changing
 * rates, and if the last pass of ordo_sync_run does not measure all offsets again. After 10 s, the errors come from the
 * slopes, and both algorithms learn these by the same measurements. */
static int compare_bare(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct hca3_trial trial = {.machine = HCA3_JUPITER,
                                     .nodes = 32,
                                     .runs = 6,
                                     .percent = 100,
                                     .seed = ordo_figure_seed(run),
                                     .wander_ppb = 100,
                                     .apart = true,
                                     .bare = true};
    struct hca3_series hca2, hca3;
    int code = hca3_repeat(&trial, "hca2:fit=20,pingpong=50,window=200ms", &hca2, error);
    code = code ? code : hca3_repeat(&trial, "hca3:fit=20,pingpong=50,window=200ms", &hca3, error);
    if (code)
        return code;
    ordo_figure_claim(
        run, hca3_mean_us(&hca3, 0) < hca3_mean_us(&hca2, 0),
        "at once, HCA3 alone is more precise than HCA2 alone, if the clock of each rank wanders by 100 ppb");
    return ORDO_OK;
}

/* Where do the errors after 10 s come from? If from the slopes, points over five times the time reduce them. */
static int lengthen_window(struct ordo_figure_run *run, struct ordo_error *error)
{
    const struct hca3_trial trial = {
        .machine = HCA3_JUPITER, .nodes = 32, .runs = 5, .percent = 100, .seed = ordo_figure_seed(run)};
    struct hca3_series hca2[2], hca3[2];
    int code = hca3_repeat(&trial, "hca2:fit=10,pingpong=50,window=200ms", &hca2[0], error);
    code = code ? code : hca3_repeat(&trial, "hca2:fit=10,pingpong=50,window=1s", &hca2[1], error);
    code = code ? code : hca3_repeat(&trial, "hca3:fit=10,pingpong=50,window=200ms", &hca3[0], error);
    code = code ? code : hca3_repeat(&trial, "hca3:fit=10,pingpong=50,window=1s", &hca3[1], error);
    if (code)
        return code;
    ordo_figure_claim(
        run,
        hca3_mean_us(&hca2[1], 1) < hca3_mean_us(&hca2[0], 1) / 2 &&
            hca3_mean_us(&hca3[1], 1) < hca3_mean_us(&hca3[0], 1) / 2,
        "with points over 1 s instead of 0.2 s, the errors of HCA2 and HCA3 after 10 s are less than half");
    return ORDO_OK;
}

static void report(struct ordo_figure_run *run, const struct hca3_series *series, const struct hca3_synchronised full[])
{
    /* Within a factor of 1.5: the paper's numbers are rounded, and its parameters partly unknown. */
    ordo_figure_value(run, "duration of JK", "s", 60, full[JK].seconds, ORDO_FIGURE_LESS, 1.5);
    ordo_figure_value(run, "duration of HCA3", "s", 2, full[HCA3].seconds, ORDO_FIGURE_LESS, 1.5);
    ordo_figure_claim(run, full[JK].seconds / full[HCA3].seconds < 56,
                      "JK takes longer, but not by p / log p, which is 56");
    double worst_us = 0;
    for (int i = 0; i < COUNT; i++)
        worst_us = hca3_most_us(&series[i], 0) > worst_us ? hca3_most_us(&series[i], 0) : worst_us;
    /* Within a factor of 2: "about 4 us in the worst case", of single runs. */
    ordo_figure_value(run, "largest offset at once, of all algorithms and runs", "us", 4, worst_us, ORDO_FIGURE_LESS,
                      2);
    bool drift = true, best = true;
    for (int i = 0; i < COUNT; i++) {
        drift &= hca3_mean_us(&series[i], 1) > hca3_mean_us(&series[i], 0);
        best &= hca3_mean_us(&series[JK], 1) <= hca3_mean_us(&series[i], 1);
    }
    ordo_figure_claim(run, drift, "after 10 s, all clocks are less precise than at once");
    ordo_figure_claim(run, best, "after 10 s, JK is the most precise on this machine");
    static const char improves[] = "after 10 s, HCA3 is more precise than HCA and HCA2";
    ordo_figure_claim(run,
                      hca3_mean_us(&series[HCA3], 1) < hca3_mean_us(&series[HCA2], 1) &&
                          hca3_mean_us(&series[HCA3], 1) < hca3_mean_us(&series[HCA], 1),
                      improves);
    ordo_figure_explain(
        run, improves,
        "after 10 s the errors of HCA, HCA2 and HCA3 come from the slopes, which all three learn by the "
        "same measurements; at once and without our last pass, HCA3 is more precise");
}

int ordo_figure_hca3_fig3(struct ordo_figure_run *run, struct ordo_error *error)
{
    struct hca3_trial trial = {
        .machine = HCA3_JUPITER, .nodes = 32, .runs = 10, .percent = 100, .seed = ordo_figure_seed(run)};
    struct hca3_series series[COUNT], one;
    struct hca3_synchronised full[COUNT] = {{0}};
    int code = ORDO_OK;
    for (int i = 0; i < COUNT && !code; i++)
        code = hca3_repeat(&trial, contenders[i].spread, &series[i], error);
    trial.runs = 1;
    for (int i = 0; i < COUNT && !code; i++)
        if (contenders[i].algorithm) {
            code = hca3_repeat(&trial, contenders[i].algorithm, &one, error);
            full[i] = one.run[0];
        }
    if (code)
        return code;
    hca3_draw(run, contenders, series, COUNT);
    report(run, series, full);
    code = compare_bare(run, error);
    return code ? code : lengthen_window(run, error);
}
