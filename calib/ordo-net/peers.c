#include "ordo-net/peers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the name without "NUMBER@" in front. */
static const char *host_of(const char *name)
{
    const char *at = strchr(name, '@');
    return at ? at + 1 : name;
}

/* True if the name can be printed in every format as it is. The names of hosts and of network interfaces may have any
 * characters, and /etc/hosts may be another person's file. */
static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (*name <= ' ' || *name >= 0x7f || strchr("\"'\\<>&{}$`", *name))
            return false;
    return true;
}

static int add_peer(struct peers *peers, const char *name, struct ordo_error *error)
{
    if (!is_plain(name))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "'%.80s': has a character that no name of a host has: write the host's address", name);
    for (int i = 0; i < peers->count; i++)
        if (strcmp(host_of(peers->name[i]), host_of(name)) == 0)
            return ordo_error_set(error, ORDO_E_INVALID, 0, "'%.80s' is given twice: leave one out", name);
    if (peers->count == PEERS_MOST)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "more than %d hosts: leave some out", PEERS_MOST);
    if (!(peers->name[peers->count] = strdup(name)))
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    int i = peers->count++;
    return ordo_net_address_find_keyed(&peers->address[i], &peers->key[i], name, error);
}

/* Adds a host for each word of a line. Words are separated by commas and blanks. */
static int add_line(struct peers *peers, char *line, struct ordo_error *error)
{
    int code = ORDO_OK;
    line[strcspn(line, "#\n")] = 0;
    for (char *rest = line, *word; !code && (word = strsep(&rest, ", \t\r"));)
        if (*word)
            code = add_peer(peers, word, error);
    return code;
}

static int read_file(struct peers *peers, const char *path, struct ordo_error *error)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        return ordo_error_errno(error, "%.150s", path);
    int code = ORDO_OK;
    while (!code && getline(&line, &room, file) >= 0)
        code = add_line(peers, line, error);
    if (!code && ferror(file))
        code = ordo_error_errno(error, "%.150s", path);
    free(line);
    (void)fclose(file);
    return code;
}

static int read_list(struct peers *peers, const char *text, struct ordo_error *error)
{
    char *copy = strdup(text);
    int code = copy ? add_line(peers, copy, error) : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    free(copy);
    return code;
}

int peers_read(struct peers *peers, const char *text, struct ordo_error *error)
{
    *peers = (struct peers){.name = calloc(PEERS_MOST, sizeof *peers->name),
                            .key = calloc(PEERS_MOST, sizeof *peers->key),
                            .address = calloc(PEERS_MOST, sizeof *peers->address)};
    if (!peers->name || !peers->key || !peers->address)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    int code = (access(text, F_OK) == 0 ? read_file : read_list)(peers, text, error);
    if (!code && peers->count < 2)
        code = ordo_error_set(error, ORDO_E_INVALID, 0,
                              "--peers %.80s: names %d host, but at least two are needed: the first is the reference",
                              text, peers->count);
    return code;
}

void peers_free(struct peers *peers)
{
    for (int i = 0; peers->name && i < peers->count; i++)
        free(peers->name[i]);
    free(peers->name);
    free(peers->key);
    free(peers->address);
    *peers = (struct peers){0};
}
