#include "machine/advice/advice.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *ordo_chosen_word(enum ordo_chosen chosen)
{
    static const char *const words[] = {"unknown",   "boot-parameter", "preferred", "fault",
                                        "incapable", "hypervisor",     "operator"};
    return words[chosen];
}

const char *ordo_counter_use_word(enum ordo_counter_use use)
{
    static const char *const words[] = {"no", "after-calibration", "yes"};
    return words[use];
}

enum ordo_counter_use ordo_situation_counter(const struct ordo_situation *situation)
{
    switch (situation->verdict.trust) {
    case ORDO_TRUST_VOUCHED:
        return ORDO_COUNTER_YES;
    case ORDO_TRUST_MEASURED:
        return situation->recorded ? ORDO_COUNTER_YES : ORDO_COUNTER_AFTER_CALIBRATION;
    default:
        return ORDO_COUNTER_NO;
    }
}

bool ordo_situation_prefers_counter(const struct ordo_situation *situation)
{
    return ordo_situation_counter(situation) == ORDO_COUNTER_YES && !situation->evidence.trapped;
}

bool ordo_situation_kernel_counts(const struct ordo_situation *situation)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    const char *source = ordo_evidence_source(evidence->arch);
    return source[0] && (strcmp(evidence->current, source) == 0 ||
                         (evidence->arch == ORDO_ARCH_X86_64 && strcmp(evidence->current, "tsc-early") == 0));
}

void ordo_setting_put(struct ordo_setting *setting, const char *value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)snprintf(setting->setting, sizeof setting->setting, "%s", value);
    (void)vsnprintf(setting->reason, sizeof setting->reason, format, arguments);
    va_end(arguments);
}
