/* The advice as text: the verdict, the facts, the next command, and the settings. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "common/age.h"
#include "common/result.h"
#include "print.h"

enum { COLUMNS = 100, INDENT = 13 };

/* Returns the number of bytes of the whole words at the start of `text` that fit into `room` columns. Returns `room` if
 * the first word does not fit. */
static size_t fitting(const char *text, size_t room)
{
    size_t length = strlen(text), end = room;
    if (length <= room)
        return length;
    while (end > 0 && text[end] != ' ')
        end--;
    return end > 0 ? end : room;
}

/* Copies `text`, and replaces bytes that are not part of a printable UTF-8 character (such as an escape sequence in a
 * path) by "?". */
static void copy_letters(char *copy, size_t size, const char *text)
{
    size_t have = 0, left = strlen(text);
    while (left > 0 && have + 5 < size) {
        size_t bytes = ordo_utf8_letter(text, left), taken = bytes ? bytes : 1;
        memcpy(copy + have, bytes ? text : "?", taken);
        have += taken;
        text += taken;
        left -= taken;
    }
    copy[have] = '\0';
}

/* Writes a label and a text. The text is wrapped in its own column. */
static void put_words(FILE *stream, const char *label, const char *words)
{
    char letters[1024];
    const char *text = letters;
    copy_letters(letters, sizeof letters, words);
    do {
        size_t bytes = fitting(text, COLUMNS - INDENT);
        fprintf(stream, "%-*s%.*s\n", INDENT, label, (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        label = "";
    } while (*text);
}

static const char *chosen_sentence(const struct ordo_situation *situation)
{
    switch (situation->chosen) {
    case ORDO_CHOSEN_PARAMETER:
        return "by the kernel's command line";
    case ORDO_CHOSEN_PREFERRED:
        return "the counter, which it prefers to all other clocks";
    case ORDO_CHOSEN_FAULT:
        return "because it saw a fault of the counter";
    case ORDO_CHOSEN_INCAPABLE:
        return "because the processor does not promise a constant rate";
    case ORDO_CHOSEN_HYPERVISOR:
        return "the hypervisor's clock, which this kernel prefers";
    case ORDO_CHOSEN_OPERATOR:
        return "chosen by hand: the counter is listed";
    default:
        return "it does not say why";
    }
}

static void put_kernel(const struct ordo_situation *situation, FILE *stream)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    char text[1000];
    if (!evidence->current[0])
        (void)snprintf(text, sizeof text, "its clock source cannot be read");
    else
        (void)snprintf(text, sizeof text, "uses %s (of: %s): %s%s%s%s", evidence->current,
                       evidence->available[0] ? evidence->available : "a list that cannot be read",
                       chosen_sentence(situation), evidence->parameters[0] ? " (" : "", evidence->parameters,
                       evidence->parameters[0] ? ")" : "");
    put_words(stream, "kernel", text);
}

static void cost_text(double ns, const char *none, char text[32])
{
    if (ns > 0)
        (void)snprintf(text, 32, "%.0f ns", ns);
    else
        (void)snprintf(text, 32, "%s", none);
}

static void put_costs(const struct advice *advice, FILE *stream)
{
    const struct ordo_situation *situation = &advice->situation;
    const char *none = advice->machine ? "not measured" : "unknown";
    char monotonic[32], counter[32], text[240];
    if (advice->machine && situation->monotonic_ns <= 0 && situation->counter_ns <= 0)
        none = "not measured: another machine";
    cost_text(situation->monotonic_ns, none, monotonic);
    cost_text(situation->counter_ns, none, counter);
    (void)snprintf(text, sizeof text, "CLOCK_MONOTONIC %s, %s; counter, ordered, %s%s", monotonic,
                   situation->vdso > 0    ? "by the vDSO"
                   : situation->vdso == 0 ? "by a system call"
                                          : "by the vDSO or a system call: unknown",
                   counter, situation->evidence.trapped ? ", because the kernel executes it" : "");
    put_words(stream, "a reading", text);
}

static void put_record_lines(const struct advice_record *record, FILE *stream)
{
    char age[48], text[900];
    if (record->usable)
        (void)snprintf(text, sizeof text, "%s: holds, %s, boundary %" PRIu64 " ns%s", cli_show(record->path),
                       ordo_trust_word(record->trust), record->boundary_ns, cli_age_text(record->age_ns, age));
    else
        (void)snprintf(text, sizeof text, "none that holds: %s", record->reason);
    put_words(stream, "record", text);
}

static const char *use_sentence(enum ordo_counter_use use)
{
    return use == ORDO_COUNTER_YES  ? "the evidence supports it"
           : use == ORDO_COUNTER_NO ? "must not be used: programs read CLOCK_MONOTONIC (<ordo/any.h>)"
                                    : "only after a calibration, which is then the only evidence for it";
}

static const char *next_sentence(const struct advice *advice)
{
    const char *next = advice_next(advice);
    if (strcmp(next, "ordo calibrate") == 0)
        return "ordo calibrate (measures how far the CPUs' clocks can be apart, and publishes that)";
    if (strcmp(next, "ordo watch") == 0)
        return "ordo watch (keeps the record valid)";
    return advice->situation.verdict.trust == ORDO_TRUST_FAULTED
               ? "nothing to run: update the firmware or the host, boot, and ask again"
               : "nothing to run: this processor, or what the host shows of it, cannot order events";
}

static void put_setting(const struct advice *advice, const struct ordo_advised *advised, FILE *stream)
{
    struct ordo_setting setting;
    advised->advise(&advice->situation, &setting);
    put_words(stream, advised->name, setting.setting);
    put_words(stream, "", setting.reason);
}

void advice_write_text(const struct advice *advice, FILE *stream)
{
    const struct ordo_situation *situation = &advice->situation;
    put_words(stream, ordo_trust_word(situation->verdict.trust), situation->verdict.reason);
    put_kernel(situation, stream);
    put_costs(advice, stream);
    if (!advice->machine)
        put_record_lines(&advice->record, stream);
    put_words(stream, "counter", use_sentence(ordo_situation_counter(situation)));
    put_words(stream, "next", next_sentence(advice));
    if (ordo_situation_prefers_counter(situation))
        put_words(stream, "unmodified",
                  "'ordo run -- COMMAND' lets a program read the counter; --measure says if that pays");
    fputs("\nwhat to set, and why (keep: the default is right; none: nothing here concerns it)\n", stream);
    for (const struct ordo_advised *const *at = ordo_adviseds; *at; at++)
        put_setting(advice, *at, stream);
}
