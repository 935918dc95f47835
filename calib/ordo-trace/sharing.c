#include "sharing.h"

#include "base/plural.h"

static enum sharing sharing_of_rank(const struct ordo_clocks *clocks, int32_t rank)
{
    const struct ordo_clock *clock = rank < clocks->count ? &clocks->of[rank] : NULL;
    if (clock && clock->has_shared && clock->shared == 0)
        return clock->apart.for_ns > 0 ? SHARING_VERIFIED : SHARING_DECLARED;
    return clock && clock->is_same ? SHARING_CONSISTENT : SHARING_NONE;
}

enum sharing sharing_of(const struct ordo_correct_report *report)
{
    enum sharing least = report->rank_count > 1 ? SHARING_VERIFIED : SHARING_NONE;
    for (int i = 0; i < report->rank_count; i++) {
        enum sharing own =
            report->ranks[i].rank == 0 ? SHARING_VERIFIED : sharing_of_rank(&report->clocks, report->ranks[i].rank);
        least = own < least ? own : least;
    }
    return least;
}

const char *sharing_word(enum sharing sharing)
{
    static const char *const words[] = {NULL, "consistent", "declared", "verified"};
    return words[sharing];
}

void sharing_print(const struct ordo_correct_report *report, FILE *stream)
{
    static const char *const texts[] = {NULL,
                                        "run under one kernel, and no session contradicts that they read one clock",
                                        "are declared to read one clock", "read one clock, which was verified"};
    const char *text = texts[sharing_of(report)];
    uint64_t changed = report->changed - report->on_devices;
    if (!text)
        return;
    fprintf(stream, "all ranks %s: ", text);
    if (changed == 0)
        fprintf(stream, "the times are left as they are\n");
    else
        fprintf(stream, "the times are left as they are, but for %llu time%s outside the proved bounds\n",
                (unsigned long long)changed, ordo_plural((int64_t)changed));
}
