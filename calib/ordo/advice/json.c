/* The advice as JSON: everything that the text has, and more of the evidence. */
#include <string.h>

#include "print.h"
#include "json/builder.h"

const char *advice_next(const struct advice *advice)
{
    if (ordo_situation_counter(&advice->situation) == ORDO_COUNTER_NO)
        return "none";
    return advice->record.usable ? "ordo watch" : "ordo calibrate";
}

static struct ordo_json words(const char *list)
{
    struct ordo_json array = ordo_json_array();
    for (list += strspn(list, " "); *list; list += strspn(list, " ")) {
        char word[256];
        size_t length = strcspn(list, " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, list);
        ordo_json_add(&array, ordo_json_text(word));
        list += length;
    }
    return array;
}

static struct ordo_json kernel_of(const struct ordo_situation *situation)
{
    const struct ordo_evidence *evidence = &situation->evidence;
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "source", evidence->current[0] ? evidence->current : "unknown");
    ordo_json_put_text(&object, "chosen", ordo_chosen_word(situation->chosen));
    ordo_json_put(&object, "available", words(evidence->available));
    ordo_json_put(&object, "parameters", words(evidence->parameters));
    ordo_json_put_text(&object, "says", evidence->line);
    return object;
}

static void put_cost(struct ordo_json *object, const char *key, double ns)
{
    ordo_json_put(object, key, ns > 0 ? ordo_json_real(ns) : ordo_json_null());
}

static struct ordo_json reading_of(const struct ordo_situation *situation)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "vdso", situation->vdso > 0 ? "yes" : situation->vdso == 0 ? "no" : "unknown");
    put_cost(&object, "monotonic_ns", situation->monotonic_ns);
    put_cost(&object, "counter_ns", situation->counter_ns);
    ordo_json_put_bool(&object, "counter_traps", situation->evidence.trapped != 0);
    return object;
}

static struct ordo_json record_of(const struct advice *advice)
{
    const struct advice_record *record = &advice->record;
    if (advice->machine || !record->there)
        return ordo_json_null();
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "path", record->path);
    ordo_json_put_bool(&object, "usable", record->usable);
    ordo_json_put_text(&object, "reason", record->reason);
    ordo_json_put_text(&object, "trust", ordo_trust_word(record->trust));
    ordo_json_put_int(&object, "boundary_ns", (int64_t)record->boundary_ns);
    ordo_json_put(&object, "age_ns", record->age_ns < 0 ? ordo_json_null() : ordo_json_int(record->age_ns));
    return object;
}

static struct ordo_json programs_of(const struct ordo_situation *situation)
{
    struct ordo_json array = ordo_json_array();
    for (const struct ordo_advised *const *at = ordo_adviseds; *at; at++) {
        struct ordo_json object = ordo_json_object();
        struct ordo_setting setting;
        (*at)->advise(situation, &setting);
        ordo_json_put_text(&object, "program", (*at)->name);
        ordo_json_put_text(&object, "title", (*at)->title);
        ordo_json_put_text(&object, "setting", setting.setting);
        ordo_json_put_text(&object, "reason", setting.reason);
        ordo_json_add(&array, object);
    }
    return array;
}

int advice_write_json(const struct advice *advice, FILE *stream)
{
    const struct ordo_situation *situation = &advice->situation;
    struct ordo_json document = ordo_json_document("ordo-advise/1");
    ordo_json_put_text(&document, "machine", advice->machine);
    ordo_json_put_text(&document, "trust", ordo_trust_word(situation->verdict.trust));
    ordo_json_put_text(&document, "why", ordo_evidence_why_word(situation->verdict.why));
    ordo_json_put_text(&document, "reason", situation->verdict.reason);
    ordo_json_put_text(&document, "hypervisor",
                       situation->evidence.hypervisor ? situation->evidence.hypervisor_name : NULL);
    ordo_json_put_bool(&document, "vmclock", situation->evidence.vmclock != 0);
    ordo_json_put(&document, "kernel", kernel_of(situation));
    ordo_json_put(&document, "reading", reading_of(situation));
    ordo_json_put(&document, "record", record_of(advice));
    ordo_json_put_text(&document, "counter", ordo_counter_use_word(ordo_situation_counter(situation)));
    ordo_json_put_text(&document, "next", advice_next(advice));
    ordo_json_put(&document, "programs", programs_of(situation));
    return ordo_json_write(&document, stream);
}
