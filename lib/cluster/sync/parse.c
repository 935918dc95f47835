/* "ALGORITHM[:KEY=VALUE,...]", strictly: a word that is not known is an error, never a default. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/sync/sync.h"

enum { KEYS = 5 }; /* their first letters differ */

static bool number(const char *text, int64_t least, int64_t most, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && !errno && *value >= least && *value <= most;
}

static bool duration(const char *text, int64_t *value_ns)
{
    static const struct {
        const char *unit;
        int64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char digits[24];
    size_t length = strspn(text, "0123456789");
    for (size_t i = 0; i < sizeof units / sizeof *units && length < sizeof digits; i++)
        if (strcmp(text + length, units[i].unit) == 0) {
            memcpy(digits, text, length);
            digits[length] = '\0';
            bool ok = number(digits, 0, INT64_C(3600000000000) / units[i].ns, value_ns);
            *value_ns *= ok ? units[i].ns : 0;
            return ok;
        }
    return false;
}

static int set(struct ordo_sync_spec *spec, const char *key, const char *value, struct ordo_error *error)
{
    int64_t n = 0;
    bool ok = false;
    const char *range = NULL;
    if (strcmp(key, "fit") == 0 || strcmp(key, "pingpong") == 0) {
        ok = number(value, 1, 1000000, &n);
        range = "a whole number from 1 to 1000000";
        *(*key == 'f' ? &spec->fit : &spec->pingpong) = (int)n;
    } else if (strcmp(key, "window") == 0) {
        ok = duration(value, &spec->window_ns);
        range = "a whole number with ns, us, ms or s, at most an hour";
    } else if (strcmp(key, "intercept") == 0) {
        ok = number(value, 0, 1, &n);
        range = "0 or 1";
        spec->recompute_intercept = n;
    } else if (strcmp(key, "offset") == 0) {
        spec->offset = ordo_offset_estimator_find(value);
        ok = spec->offset;
        range = "skampi or mean-rtt";
    }
    if (!range)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s: not a parameter: fit, pingpong, window, intercept or offset", key);
    return ok ? ORDO_OK : ordo_error_set(error, ORDO_E_INVALID, 0, "%s=%s: not %s", key, value, range);
}

/* Whether a key has not been there before; `seen` holds the first letters of those that were. */
static bool is_new(char *seen, const char *key)
{
    size_t count = strlen(seen);
    if (strchr(seen, *key) || count == KEYS)
        return false;
    seen[count] = *key;
    return true;
}

static int parse(char *text, struct ordo_sync_spec *spec, struct ordo_error *error)
{
    char *rest = strchr(text, ':'), *key, seen[KEYS + 1] = "";
    if (rest)
        *rest++ = '\0';
    spec->algorithm = ordo_sync_algorithm_find(text);
    if (!spec->algorithm)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: not an algorithm: see --list", text);
    while ((key = strsep(&rest, ","))) {
        char *value = strchr(key, '=');
        if (!value)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: not KEY=VALUE", key);
        *value++ = '\0';
        int code = set(spec, key, value, error);
        if (code)
            return code;
        if (!is_new(seen, key))
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: given twice", key);
    }
    return ORDO_OK;
}

int ordo_sync_parse(const char *text, struct ordo_sync_spec *spec, struct ordo_error *error)
{
    struct ordo_sync_spec read = *spec;
    char *copy = strdup(text);
    int code =
        copy ? parse(copy, &read, error) : ordo_error_set(error, ORDO_E_SYSTEM, errno, "%s: out of memory", text);
    free(copy);
    if (!code)
        *spec = read;
    return code;
}

/* The parameters of `from`, the algorithm of its own. */
static void inherit(struct ordo_sync_spec *level, const struct ordo_sync_spec *from)
{
    const struct ordo_sync_algorithm *own = level->algorithm;
    *level = *from;
    level->algorithm = own;
}

int ordo_sync_read(const char *algorithm, const char *inter, const char *socket, const char *intra,
                   struct ordo_sync_options *options, struct ordo_error *error)
{
    struct {
        const char *name, *text;
        struct ordo_sync_spec *spec;
    } levels[] = {
        {"inter", inter, &options->inter}, {"socket", socket, &options->socket}, {"intra", intra, &options->intra}};
    int code = algorithm ? ordo_sync_parse(algorithm, &options->main, error) : ORDO_OK;
    const struct ordo_sync_algorithm *found = options->main.algorithm;
    for (int i = 0; i < 3 && !code; i++) {
        if (found->composed && algorithm)
            inherit(levels[i].spec, &options->main);
        if (!levels[i].text)
            continue;
        if (!found->composed || (i == 1 && found != ordo_sync_algorithm_find("h3hca")))
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s %s: %s has no such level", levels[i].name,
                                  levels[i].text, found->name);
        code = ordo_sync_parse(levels[i].text, levels[i].spec, error);
    }
    return code;
}
