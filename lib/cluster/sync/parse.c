/* Parses "ALGORITHM[:KEY=VALUE,...]" strictly: an unknown word is an error, never a default. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/sync/sync.h"

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

static bool count(const char *value, int *into)
{
    int64_t n;
    bool ok = number(value, 1, 1000000, &n);
    *into = ok ? (int)n : *into;
    return ok;
}

static bool read_fit(const char *value, struct ordo_sync_spec *spec)
{
    return count(value, &spec->fit);
}

static bool read_pingpong(const char *value, struct ordo_sync_spec *spec)
{
    return count(value, &spec->pingpong);
}

static bool read_window(const char *value, struct ordo_sync_spec *spec)
{
    return duration(value, &spec->window_ns);
}

static bool read_intercept(const char *value, struct ordo_sync_spec *spec)
{
    int64_t n;
    bool ok = number(value, 0, 1, &n);
    spec->recompute_intercept = ok ? n : spec->recompute_intercept;
    return ok;
}

static bool read_offset(const char *value, struct ordo_sync_spec *spec)
{
    spec->offset = ordo_offset_estimator_find(value);
    return spec->offset;
}

const struct ordo_sync_key ordo_sync_keys[] = {
    {"fit", "a whole number from 1 to 1000000", read_fit},
    {"pingpong", "a whole number from 1 to 1000000", read_pingpong},
    {"window", "a whole number with ns, us, ms or s, at most an hour", read_window},
    {"intercept", "0 or 1", read_intercept},
    {"offset", "skampi or mean-rtt", read_offset},
    {0},
};

/* Writes the names of all keys: "fit, pingpong, window, intercept or offset". */
static void list_keys(char *text, size_t size)
{
    size_t used = 0;
    for (const struct ordo_sync_key *key = ordo_sync_keys; key->name && used < size; key++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 used == 0     ? ""
                                 : key[1].name ? ", "
                                               : " or ",
                                 key->name);
}

/* Sets one parameter. `seen` has a bit for each key that was set before. */
static int set(struct ordo_sync_spec *spec, const char *name, const char *value, uint64_t *seen,
               struct ordo_error *error)
{
    char names[160] = "";
    for (const struct ordo_sync_key *key = ordo_sync_keys; key->name; key++) {
        uint64_t bit = UINT64_C(1) << (key - ordo_sync_keys);
        if (strcmp(key->name, name) != 0)
            continue;
        if (!key->read(value, spec))
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s=%s: not %s", name, value, key->range);
        if (*seen & bit)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: given twice", name);
        *seen |= bit;
        return ORDO_OK;
    }
    list_keys(names, sizeof names);
    return ordo_error_set(error, ORDO_E_INVALID, 0, "%s: not a parameter: %s", name, names);
}

_Static_assert(sizeof ordo_sync_keys / sizeof *ordo_sync_keys <= 65, "a bit for each key");

static int parse_spec(char *text, struct ordo_sync_spec *spec, struct ordo_error *error)
{
    char *rest = strchr(text, ':'), *key;
    uint64_t seen = 0;
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
        int code = set(spec, key, value, &seen, error);
        if (code)
            return code;
    }
    return ORDO_OK;
}

int ordo_sync_parse(const char *text, struct ordo_sync_spec *spec, struct ordo_error *error)
{
    struct ordo_sync_spec read = *spec;
    char *copy = strdup(text);
    int code =
        copy ? parse_spec(copy, &read, error) : ordo_error_set(error, ORDO_E_SYSTEM, errno, "%s: out of memory", text);
    free(copy);
    if (!code)
        *spec = read;
    return code;
}

/* Copies the parameters of `from` to `level`, except the algorithm. */
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
