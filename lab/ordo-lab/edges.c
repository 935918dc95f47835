#include "lab/ordo-lab/edges.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECIMALS = 3, DIGITS_MOST = 15 /* of picoseconds: 1000 s */ };

static bool add_edge(struct edges *edges, int64_t fs)
{
    if (edges->count == edges->room) {
        size_t room = edges->room ? 2 * edges->room : 4096;
        int64_t *larger = realloc(edges->fs, room * sizeof *larger);
        if (!larger)
            return false;
        edges->fs = larger;
        edges->room = room;
    }
    edges->fs[edges->count++] = fs;
    return true;
}

/* Reads a number such as "8000" or "8000.125" as whole femtoseconds. A double would round a time of hours. */
static bool parse_fs(const char *text, int64_t *fs)
{
    size_t whole = strspn(text, "0123456789");
    const char *rest = text + whole;
    if (whole == 0 || whole > DIGITS_MOST)
        return false;
    *fs = strtoll(text, NULL, 10) * 1000;
    if (*rest == '.') {
        size_t decimals = strspn(++rest, "0123456789");
        int64_t worth = 100;
        if (decimals == 0 || decimals > DECIMALS)
            return false;
        for (; decimals > 0; decimals--, worth /= 10)
            *fs += worth * (*rest++ - '0');
    }
    return *rest == '\0';
}

/* Removes space and comment from a line. Returns the number as text; empty if there is none. */
static char *trim(char *line)
{
    line[strcspn(line, "#")] = '\0';
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    return line;
}

static int take_edge(struct edges *edges, const char *path, size_t number, const char *text, bool periods,
                     struct ordo_error *error)
{
    int64_t fs, last_fs = edges->count ? edges->fs[edges->count - 1] : -1;
    if (!parse_fs(text, &fs))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: '%.40s' is not a time in ps, such as 8000.125: up to %d digits and %d decimals",
                              path, number, text, DIGITS_MOST, DECIMALS);
    if (periods && (fs == 0 || fs > INT64_MAX - last_fs))
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: a period of %.40s ps: must be positive, and all "
                              "together at most 9000 s",
                              path, number, text);
    fs += periods ? last_fs : 0;
    if (fs <= last_fs)
        return ordo_error_set(error, ORDO_E_INVALID, 0,
                              "%s:%zu: %.40s ps is not after the edge before: sort the edges, or give --periods", path,
                              number, text);
    return add_edge(edges, fs) ? ORDO_OK : ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path);
}

static int read_lines(struct edges *edges, FILE *file, const char *path, bool periods, struct ordo_error *error)
{
    char *line = NULL;
    size_t room = 0;
    int code = ORDO_OK;
    if (periods && !add_edge(edges, 0))
        code = ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", path);
    for (size_t number = 1; !code && getline(&line, &room, file) >= 0; number++) {
        const char *text = trim(line);
        if (*text)
            code = take_edge(edges, path, number, text, periods, error);
    }
    if (!code && ferror(file))
        code = ordo_error_errno(error, "%s", path);
    free(line);
    return code;
}

int edges_read(struct edges *edges, const char *path, bool periods, struct ordo_error *error)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "re");
    *edges = (struct edges){0};
    if (!file)
        return ordo_error_errno(error, "%s", path);
    int code = read_lines(edges, file, path, periods, error);
    if (!is_stdin)
        (void)fclose(file);
    if (code)
        edges_free(edges);
    return code;
}

void edges_free(struct edges *edges)
{
    free(edges->fs);
    *edges = (struct edges){0};
}
