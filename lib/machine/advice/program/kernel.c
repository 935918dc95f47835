/* The command line of the Linux kernel (Documentation/admin-guide/kernel-parameters.txt: clocksource=, tsc=, notsc). */
#include <stdio.h>
#include <string.h>

#include "machine/advice/advice.h"

#define CURRENT "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static bool is_word(const char *word, size_t length, const char *other)
{
    return strlen(other) == length && memcmp(word, other, length) == 0;
}

/* True if the parameter forbids the kernel to use the counter. */
static bool refuses(const struct ordo_evidence *evidence, const char *word, size_t length)
{
    const char *source = ordo_evidence_source(evidence->arch);
    if (is_word(word, length, "tsc=unstable") || is_word(word, length, "notsc"))
        return true;
    return length > 12 && memcmp(word, "clocksource=", 12) == 0 && !is_word(word + 12, length - 12, source);
}

/* True if the parameter makes the kernel use the counter, or makes it skip a check of the counter. */
static bool forces(const struct ordo_evidence *evidence, const char *word, size_t length)
{
    const char *source = ordo_evidence_source(evidence->arch);
    return is_word(word, length, "tsc=reliable") || is_word(word, length, "tsc=nowatchdog") ||
           (length > 12 && memcmp(word, "clocksource=", 12) == 0 && is_word(word + 12, length - 12, source));
}

typedef bool choose(const struct ordo_evidence *evidence, const char *word, size_t length);

/* Writes "remove " and the parameters for which `chosen` is true; "keep" if there are none. */
static void list_parameters(const struct ordo_evidence *evidence, choose *chosen, char *text, size_t size)
{
    size_t have = 0;
    (void)snprintf(text, size, "keep");
    for (const char *word = evidence->parameters; *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        if (chosen(evidence, word, length) && have + length + 9 < size)
            have += (size_t)snprintf(text + have, size - have, "%s%.*s", have ? " " : "remove ", (int)length, word);
        word += length;
    }
}

static bool removes(const char *text)
{
    return strncmp(text, "remove ", 7) == 0;
}

static void advise_vouched(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    const char *source = ordo_evidence_source(evidence->arch);
    char text[96];
    list_parameters(evidence, forces, text, sizeof text);
    if (source[0] && evidence->current[0] && !ordo_situation_kernel_counts(situation)) {
        (void)snprintf(text, sizeof text, "clocksource=%s", source);
        ordo_setting_put(setting, text, "the kernel lists %s and uses %s; until the next boot: echo %s > " CURRENT,
                         source, evidence->current, source);
    } else if (removes(text) && !evidence->hypervisor && strstr(evidence->parameters, "tsc=")) {
        ordo_setting_put(setting, "keep",
                         "the counter is in use; but '%.60s' ends the kernel's watchdog, so a later fault goes "
                         "unseen unless 'ordo watch' runs",
                         evidence->parameters);
    } else {
        ordo_setting_put(
            setting, "keep",
            "the counter is in use; tsc=reliable would only disable the watchdog, which would notice a fault");
    }
}

static void advise_measured(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    char text[sizeof setting->setting];
    list_parameters(&situation->evidence, refuses, text, sizeof text);
    if (removes(text))
        ordo_setting_put(setting, text, "a boot parameter, not a fault, keeps the kernel from using the counter: %s",
                         situation->recorded ? "it was measured to be good"
                                             : "measure it first ('ordo calibrate'), then remove the parameter");
    else
        ordo_setting_put(setting, text,
                         "the kernel saw no fault and does not list the counter: never force it by tsc=reliable or "
                         "clocksource=, measure it ('ordo calibrate')");
}

static void advise_never(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    char text[sizeof setting->setting];
    list_parameters(&situation->evidence, forces, text, sizeof text);
    ordo_setting_put(setting, text, "%s",
                     removes(text) ? "it disables the check of a counter that failed it, or would fail it"
                     : situation->verdict.trust == ORDO_TRUST_FAULTED
                         ? "tsc=reliable, tsc=nowatchdog or clocksource=tsc would hide the fault, and repair nothing; "
                           "look for an update of the firmware"
                         : "no parameter gives the counter the constant rate that the processor does not promise");
}

static void advise_kernel(const struct ordo_situation *situation, struct ordo_setting *setting)
{
    if (situation->verdict.trust == ORDO_TRUST_VOUCHED)
        advise_vouched(situation, setting);
    else if (situation->verdict.trust == ORDO_TRUST_MEASURED)
        advise_measured(situation, setting);
    else
        advise_never(situation, setting);
}

const struct ordo_advised ordo_advised_kernel = {"kernel", "Linux, command line", advise_kernel};
