#include "ordo-timed/words.h"

#include "common/duration.h"

static const int64_t most_error_ns = INT64_C(3600000000000);

/* Begins the next reference, whose name is the part of `text` before the last '='. `*error_text` gets the part behind it;
 * NULL: there is none. NULL if the name does not fit or is taken, or if there are too many references. */
static struct ordo_timed_reference_options *begin_reference(struct ordo_timed_options *options, const char *text,
                                                            const char **error_text, struct ordo_error *error)
{
    struct ordo_timed_reference_options *next = &options->reference[options->references];
    const char *equals = strrchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (options->references == ORDO_TIMED_REFERENCES) {
        (void)ordo_error_set(error, ORDO_E_INVALID, 0, "more than %d references: leave some out",
                             ORDO_TIMED_REFERENCES);
        return NULL;
    }
    *next = (struct ordo_timed_reference_options){.source = NULL};
    *error_text = equals ? equals + 1 : NULL;
    if (length == 0 || length >= sizeof next->name) {
        (void)ordo_error_set(error, ORDO_E_INVALID, 0, "'%.60s': no name of a reference", text);
        return NULL;
    }
    (void)snprintf(next->name, sizeof next->name, "%.*s", (int)length, text);
    for (int i = 0; i < options->references; i++)
        if (strcmp(options->reference[i].name, next->name) == 0) {
            (void)ordo_error_set(error, ORDO_E_INVALID, 0, "'%.80s' is given twice: leave one out", next->name);
            return NULL;
        }
    return next;
}

/* Reads the error; `text` may be NULL if it is optional. */
static int read_error(struct ordo_timed_reference_options *next, const char *text, bool optional,
                      struct ordo_error *error)
{
    if (!text && optional)
        return ORDO_OK;
    next->error_ns = !text ? -1 : strcmp(text, "0") == 0 ? 0 : duration_between(text, 0, most_error_ns);
    if (next->error_ns >= 0)
        return ORDO_OK;
    return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.80s': give its largest error, from 0 to 1h, as in %.60s=100us",
                          next->name, next->name);
}

/* Refuses a host that is a reference already, under another name: its error would count twice against --liars. */
static int check_apart(const struct ordo_timed_options *options, const struct ordo_timed_reference_options *next,
                       struct ordo_error *error)
{
    for (int i = 0; i < options->references; i++)
        if (!options->reference[i].source && ordo_net_address_same(&options->reference[i].address, &next->address))
            return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.80s' and '%.80s' are one host: leave one out",
                                  options->reference[i].name, next->name);
    return ORDO_OK;
}

int words_reference(struct ordo_timed_options *options, const char *text, struct ordo_error *error)
{
    const char *error_text;
    struct ordo_timed_reference_options *next = begin_reference(options, text, &error_text, error);
    if (!next)
        return ORDO_E_INVALID;
    int code = read_error(next, error_text, false, error);
    if (!code)
        code = ordo_net_address_find_keyed(&next->address, &next->key, next->name, error);
    if (!code)
        code = check_apart(options, next, error);
    options->references += !code;
    return code;
}

int words_source(struct ordo_timed_options *options, const char *text, struct ordo_error *error)
{
    const char *error_text;
    char name[64];
    struct ordo_timed_reference_options *next = begin_reference(options, text, &error_text, error);
    if (!next)
        return ORDO_E_INVALID;
    size_t length = strcspn(next->name, ":");
    (void)snprintf(name, sizeof name, "%.*s", (int)length, next->name);
    if (next->name[length] == ':')
        (void)snprintf(next->path, sizeof next->path, "%s", next->name + length + 1);
    next->source = ordo_source_find(name);
    if (!next->source)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--source %.60s: no such source: see --list", name);
    int code = read_error(next, error_text, true, error);
    options->references += !code;
    return code;
}
