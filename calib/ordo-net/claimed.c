#include "ordo-net/claimed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the names of all sources: "chrony, fbclock, ...". */
static void name_all(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; ordo_sources[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", ordo_sources[i]->name);
}

static int add_source(struct claimed *claimed, const struct ordo_source *source, const char *path,
                      struct ordo_error *error)
{
    if (claimed->count == ORDO_NET_MOST_HOST_CLAIMS)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "--claims: more than %d sources: leave some out",
                              ORDO_NET_MOST_HOST_CLAIMS);
    claimed->source[claimed->count++] = (struct ordo_net_claimed_source){.source = source, .path = path};
    return ORDO_OK;
}

/* Adds the source of a word: NAME or NAME=PATH. */
static int add_word(struct claimed *claimed, char *word, struct ordo_error *error)
{
    char names[160], *path = strchr(word, '=');
    if (path)
        *path++ = '\0';
    const struct ordo_source *source = ordo_source_find(word);
    if (source && (!path || *path))
        return add_source(claimed, source, path, error);
    name_all(names, sizeof names);
    return ordo_error_set(error, ORDO_E_INVALID, 0, "--claims %.30s%s: not one of %s, with =PATH or without", word,
                          path ? "=" : "", names);
}

static int add_words(struct claimed *claimed, char *list, struct ordo_error *error)
{
    int code = ORDO_OK;
    for (char *rest = list, *word; !code && (word = strsep(&rest, ","));)
        code = add_word(claimed, word, error);
    return code;
}

int claimed_parse(struct claimed *claimed, const char *list, struct ordo_error *error)
{
    int code = ORDO_OK;
    *claimed = (struct claimed){0};
    if (list && strcmp(list, "none") == 0)
        return ORDO_OK;
    for (int i = 0; !list && !code && ordo_sources[i]; i++)
        code = add_source(claimed, ordo_sources[i], NULL, error);
    if (list && !(claimed->text = strdup(list)))
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    return list ? add_words(claimed, claimed->text, error) : code;
}

void claimed_free(struct claimed *claimed)
{
    free(claimed->text);
    *claimed = (struct claimed){0};
}
