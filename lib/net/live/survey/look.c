/* The fourth stage: computes the offsets of all hosts at the beginning, in the middle and at the end of the window; and
 * the bounds of all pairs in the middle. */
#include <string.h>

#include "net/live/survey/stages.h"

/* Adds the refuted hosts to those found before. Keeps the loop of the first contradiction. */
static void note_contradictions(struct ordo_net_survey *survey)
{
    const struct ordo_net_bounds *bounds = &survey->window.bounds;
    survey->sound = survey->sound && bounds->sound;
    for (int i = 0; i < survey->mesh.hosts; i++)
        survey->refuted[i] = survey->refuted[i] || bounds->refuted[i];
    if (survey->contraries == 0 && bounds->loops > 0) {
        survey->contraries = bounds->loops;
        memcpy(survey->contrary, bounds->loop, (size_t)bounds->loops * sizeof *survey->contrary);
    }
}

/* Computes the offsets of all hosts at `at_ns` after the middle of the window, by the clock of host 0. */
static bool look_at_all(struct ordo_net_survey *survey, int64_t at_ns, double *potential_ps,
                        struct ordo_interval *bound)
{
    struct ordo_net_window *window = &survey->window;
    size_t hosts = (size_t)survey->mesh.hosts;
    if (!ordo_net_window_at(window, at_ns * 1000))
        return false;
    note_contradictions(survey);
    if (potential_ps) {
        memcpy(potential_ps, window->potential_ps, hosts * sizeof *potential_ps);
        memcpy(bound, window->bounds.potential, hosts * sizeof *bound);
    }
    return true;
}

/* Computes the bounds of pairs for the instant of the last look, if they are wanted and do not take too long. */
static bool look_at_pairs(struct ordo_net_survey *survey)
{
    const double most_steps = 1.5e8; /* about 5 s */
    survey->through_reference = ordo_net_pairs_steps(&survey->mesh, survey->options.liars) > most_steps;
    return !survey->most_ns || survey->through_reference || ordo_net_window_pairs(&survey->window, survey->most_ns);
}

bool ordo_net_survey_look(struct ordo_net_survey *survey)
{
    int64_t half_ns = survey->options.window_ns / 2;
    survey->sound = true;
    survey->contraries = 0;
    memset(survey->refuted, 0, (size_t)survey->mesh.hosts * sizeof *survey->refuted);
    return look_at_all(survey, -half_ns, survey->begin_ps, survey->begin) &&
           look_at_all(survey, 0, survey->middle_ps, survey->middle) && look_at_pairs(survey) &&
           look_at_all(survey, half_ns, NULL, NULL);
}
