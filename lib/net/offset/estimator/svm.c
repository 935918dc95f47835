/* A linear support vector machine separates forward and reverse points. The line of separation is the estimate.
 *
 * Y. Geng, S. Liu, Z. Yin, A. Naik, B. Prabhakar, M. Rosenblum, A. Vahdat, Exploiting a natural network effect for
 * scalable, fine-grained clock synchronization, NSDI 2018, section 3.2. The soft margin depends on many points; the
 * hard margin of `lp` depends on only three points, and has their noise.
 *
 * The library penalises the bias, which would pull the line to the origin. So the middle line of the widest corridor is
 * subtracted from the deltas first, and the deltas are divided by half the width of the corridor. Then the best line is
 * near 0, and the penalty has little effect. Points far behind their margin do not change the solution, so training
 * leaves them out. If the solution shows that a point which was left out is not behind its margin, training is repeated
 * with more points. */
#include <linear.h>
#include <math.h>
#include <stdlib.h>

#include "net/offset/estimator.h"

enum { FEATURES = 3, NODES = FEATURES + 1 }; /* features: time, delta, bias; a list of nodes has one more, its end */

static const double cost = 100;        /* weight of the squared distance of a point on the wrong side of its margin */
static const double precision = 1e-8;  /* training ends when the gradient is below this share of its value at 0 */
static const double first_band = 0.05; /* the first training uses points up to this far behind the corridor, in units of
                                        * half its width */

struct training {
    const struct ordo_net_samples *samples;
    struct ordo_net_line trend;
    double half_ps, span_ps, band;
    struct feature_node *nodes, **rows;
    double *labels;
    int count;
};

static struct feature_node *scaled(const struct training *training, const struct ordo_net_point *point,
                                   struct feature_node *row)
{
    double left_ps = (double)point->delta_ps - ordo_net_line_at(&training->trend, point->at_ps);
    row[0] = (struct feature_node){1, (double)(point->at_ps - training->trend.at_ps) / training->span_ps};
    row[1] = (struct feature_node){2, left_ps / training->half_ps};
    row[2] = (struct feature_node){3, 1};
    row[3] = (struct feature_node){-1, 0};
    return row;
}

static void select_points(struct training *training, const struct ordo_net_point *points, size_t count, int label)
{
    for (size_t i = 0; i < count; i++) {
        struct feature_node *row = scaled(training, &points[i], &training->nodes[training->count * NODES]);
        if (label * row[1].value > 1 + training->band)
            continue;
        training->rows[training->count] = row;
        training->labels[training->count++] = label;
    }
}

/* True if all points that were left out are behind their margin, so that they would not change the solution. */
static bool all_behind(const struct training *training, const struct ordo_net_point *points, size_t count, int label,
                       const double *w)
{
    for (size_t i = 0; i < count; i++) {
        struct feature_node row[NODES];
        (void)scaled(training, &points[i], row);
        double side = label * (w[0] * row[0].value + w[1] * row[1].value + w[2]);
        if (label * row[1].value > 1 + training->band && side < 1)
            return false;
    }
    return true;
}

static bool solve_training(struct training *training, double *w)
{
    struct problem problem = {training->count, FEATURES, training->labels, training->rows, 1};
    struct parameter parameter = {.solver_type = L2R_L2LOSS_SVC, .eps = precision, .C = cost, .p = 0.1};
    struct model *model = train(&problem, &parameter);
    if (!model)
        return false;
    for (int i = 0; i < FEATURES; i++)
        w[i] = model->w[i];
    free_and_destroy_model(&model);
    return true;
}

static bool train_on_band(struct training *training, double *w)
{
    const struct ordo_net_samples *samples = training->samples;
    for (training->band = first_band;; training->band *= 4) {
        training->count = 0;
        select_points(training, samples->forward, samples->forwards, 1);
        select_points(training, samples->reverse, samples->reverses, -1);
        if (!solve_training(training, w))
            return false;
        if (all_behind(training, samples->forward, samples->forwards, 1, w) &&
            all_behind(training, samples->reverse, samples->reverses, -1, w))
            return true;
    }
}

static bool allocate_training(struct training *training)
{
    size_t count = training->samples->forwards + training->samples->reverses;
    training->nodes = calloc(count, NODES * sizeof *training->nodes);
    training->rows = calloc(count, sizeof *training->rows);
    training->labels = calloc(count, sizeof *training->labels);
    return training->nodes && training->rows && training->labels;
}

static void release_training(struct training *training)
{
    free(training->nodes);
    free(training->rows);
    free(training->labels);
}

static double span_of_samples(const struct ordo_net_samples *samples, int64_t at_ps)
{
    double first_ps = (double)(at_ps - samples->forward[0].at_ps);
    double last_ps = (double)(samples->forward[samples->forwards - 1].at_ps - at_ps);
    return fmax(fmax(fabs(first_ps), fabs(last_ps)), 1);
}

static void silent(const char *text)
{
    (void)text;
}

static bool estimate_svm(const struct ordo_net_samples *samples, const struct ordo_net_hulls *hulls,
                         struct ordo_net_line *line)
{
    struct training training = {.samples = samples};
    double w[FEATURES], half_ps;
    training.trend = ordo_net_corridor(hulls, line->at_ps, &half_ps);
    training.half_ps = fmax(half_ps, 1000);
    training.span_ps = span_of_samples(samples, line->at_ps);
    set_print_string_function(silent);
    bool made = allocate_training(&training) && train_on_band(&training, w);
    release_training(&training);
    if (!made)
        return false;
    *line = training.trend;
    if (w[1] > 0) { /* else the points overlap too much, and the result is the middle of the corridor */
        line->offset_ps -= w[2] / w[1] * training.half_ps;
        line->slope -= w[0] / w[1] * training.half_ps / training.span_ps;
    }
    return true;
}

const struct ordo_net_offset_estimator ordo_net_offset_estimator_svm = {
    .name = "svm",
    .title = "a support vector machine between the probes there and back",
    .estimate = estimate_svm,
};
