/* The verdict of a run. */
#include <math.h>
#include <string.h>

#include "lab/figures/run.h"

enum ordo_figure_verdict ordo_figure_judge_value(const struct ordo_figure_value *value)
{
    double ratio = value->published == value->ours ? 1 : value->ours / value->published;
    if (!isfinite(ratio) || ratio < 0)
        return ORDO_FIGURE_DIFFERS;
    if (ratio >= 1 / value->factor && ratio <= value->factor)
        return ORDO_FIGURE_REPRODUCED;
    if (value->sense == ORDO_FIGURE_LIMIT && ratio < 1)
        return ORDO_FIGURE_REPRODUCED;
    if (value->sense == ORDO_FIGURE_LESS && ratio < 1)
        return ORDO_FIGURE_BETTER;
    return value->sense == ORDO_FIGURE_MORE && ratio > 1 ? ORDO_FIGURE_BETTER : ORDO_FIGURE_DIFFERS;
}

enum ordo_figure_verdict ordo_figure_judge(const struct ordo_figure_run *run)
{
    int better = 0;
    for (int i = 0; i < run->claims; i++)
        if (!run->claim[i].holds)
            return ORDO_FIGURE_DIFFERS;
    for (int i = 0; i < run->values; i++) {
        enum ordo_figure_verdict verdict = ordo_figure_judge_value(&run->value[i]);
        if (verdict == ORDO_FIGURE_DIFFERS)
            return verdict;
        better += verdict == ORDO_FIGURE_BETTER;
    }
    return run->values && better == run->values ? ORDO_FIGURE_BETTER : ORDO_FIGURE_REPRODUCED;
}

static bool is_explained(const struct ordo_figure_run *run, const char *what)
{
    return run->differs && strcmp(run->differs, what) == 0;
}

const char *ordo_figure_reason(const struct ordo_figure_run *run)
{
    for (int i = 0; i < run->claims; i++)
        if (!run->claim[i].holds && !is_explained(run, run->claim[i].what))
            return NULL;
    for (int i = 0; i < run->values; i++)
        if (ordo_figure_judge_value(&run->value[i]) == ORDO_FIGURE_DIFFERS && !is_explained(run, run->value[i].what))
            return NULL;
    return run->because;
}

const char *ordo_figure_verdict_name(enum ordo_figure_verdict verdict)
{
    static const char *const names[] = {"better", "reproduced", "differs", "cannot be had here"};
    return names[verdict];
}
