#include "lab/cores/lines/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/cores/lines/start.h"

static int compare_pcs(const void *a, const void *b)
{
    uint64_t x = ((const struct cores_source *)a)->pc, y = ((const struct cores_source *)b)->pc;
    return (x > y) - (x < y);
}

const struct cores_source *cores_sources_find(const struct cores_sources *sources, uint64_t pc)
{
    struct cores_source key = {.pc = pc};
    if (!sources->count)
        return NULL;
    return bsearch(&key, sources->items, sources->count, sizeof key, compare_pcs);
}

const struct cores_variable *cores_sources_variable(const struct cores_sources *sources, uint64_t address)
{
    for (size_t i = 0; i < sources->variable_count; i++)
        if (address - sources->variables[i].address < sources->variables[i].bytes)
            return &sources->variables[i];
    return NULL;
}

/* Makes the sorted list of addresses, without repetitions. */
static int items_fill(struct cores_sources *sources, const uint64_t *pcs, size_t count, struct ordo_error *error)
{
    sources->items = calloc(count + 1, sizeof *sources->items);
    if (!sources->items)
        return ordo_error_errno(error, "%zu source lines", count);
    for (size_t i = 0; i < count; i++)
        sources->items[i].pc = pcs[i];
    qsort(sources->items, count, sizeof *sources->items, compare_pcs);
    for (size_t i = 0; i < count; i++)
        if (!i || sources->items[i].pc != sources->items[sources->count - 1].pc)
            sources->items[sources->count++] = sources->items[i];
    return ORDO_OK;
}

/* An instruction's hook returns behind the call, which may be in the next source line already. */
static int addresses_write(const struct cores_sources *sources, const char *path, struct ordo_error *error)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return ordo_error_errno(error, "%s", path);
    for (size_t i = 0; i < sources->count; i++)
        (void)fprintf(file, "%#" PRIx64 "\n", sources->items[i].pc - 1);
    return fclose(file) ? ordo_error_errno(error, "%s", path) : ORDO_OK;
}

/* Removes "./" at the begin of a path, and "folder/../" from it. */
static void path_shorten(char *path)
{
    char *up;
    if (strncmp(path, "./", 2) == 0)
        memmove(path, path + 2, strlen(path + 2) + 1);
    while ((up = strstr(path, "/../"))) {
        char *folder = up;
        while (folder > path && folder[-1] != '/')
            folder--;
        memmove(folder, up + 4, strlen(up + 4) + 1);
    }
}

/* Reads "file:line" or "file:line (discriminator 3)". */
static void location_read(struct cores_source *item, char *text)
{
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?' || atoi(colon + 1) <= 0)
        return;
    item->line = atoi(colon + 1);
    *colon = '\0';
    path_shorten(text);
    item->file = strdup(text);
}

/* Reads pairs of a function and a location for each address; the pairs behind the first are the callers that a function
 * was inlined into. */
static void locations_read(struct cores_sources *sources, FILE *file)
{
    char text[1000];
    struct cores_source *item = NULL;
    for (int at = 0; fgets(text, sizeof text, file); at++) {
        text[strcspn(text, "\n")] = '\0';
        if (strncmp(text, "0x", 2) == 0) {
            item = (struct cores_source *)cores_sources_find(sources, strtoull(text, NULL, 16) + 1);
            at = -1;
        } else if (item && at == 0 && text[0] != '?') {
            item->function = strdup(text);
        } else if (item && at == 1) {
            location_read(item, text);
        } else if (item && at > 1 && at % 2 == 0) {
            free(item->inlined_into);
            item->inlined_into = strdup(text);
        }
    }
}

/* Runs a program of binutils and opens its output. */
static int tool_run(char *const *arguments, const char *in, FILE **file, struct ordo_error *error)
{
    struct cores_temporary out;
    int code = cores_temporary_open(&out, error);
    *file = NULL;
    if (code)
        return code;
    const struct cores_streams streams = {in, out.path, "/dev/null", false};
    if (cores_start(arguments, &streams, error))
        code = ordo_error_set(error, ORDO_E_SYSTEM, 0,
                              "%s: cannot be run, so addresses have no names: install binutils", arguments[0]);
    else if (!(*file = fopen(out.path, "re")))
        code = ordo_error_errno(error, "%s", arguments[0]);
    cores_temporary_close(&out);
    return code;
}

static int locations_find(struct cores_sources *sources, const char *program, struct ordo_error *error)
{
    char *const arguments[] = {"addr2line", "-a", "-f", "-i", "-e", (char *)program, NULL};
    struct cores_temporary in;
    FILE *file = NULL;
    int code = cores_temporary_open(&in, error);
    if (!code)
        code = addresses_write(sources, in.path, error);
    if (!code)
        code = tool_run(arguments, in.path, &file, error);
    cores_temporary_close(&in);
    if (code)
        return code;
    locations_read(sources, file);
    (void)fclose(file);
    return ORDO_OK;
}

/* Reads lines of nm: address, bytes, type, name. */
static void variables_read(struct cores_sources *sources, FILE *file)
{
    char text[1000], name[900], type;
    uint64_t address, bytes;
    size_t room = 0;
    while (fgets(text, sizeof text, file)) {
        if (sscanf(text, "%" SCNx64 " %" SCNx64 " %c %899s", &address, &bytes, &type, name) != 4 ||
            !strchr("bBdDrRvV", type))
            continue;
        if (sources->variable_count == room) {
            room = room ? 2 * room : 256;
            struct cores_variable *grown = realloc(sources->variables, room * sizeof *grown);
            if (!grown)
                return;
            sources->variables = grown;
        }
        sources->variables[sources->variable_count++] = (struct cores_variable){address, bytes, strdup(name)};
    }
}

static int variables_find(struct cores_sources *sources, const char *program, struct ordo_error *error)
{
    char *const arguments[] = {"nm", "-n", "-S", "--defined-only", (char *)program, NULL};
    FILE *file = NULL;
    int code = tool_run(arguments, NULL, &file, error);
    if (code)
        return code;
    variables_read(sources, file);
    (void)fclose(file);
    return ORDO_OK;
}

int cores_sources_open(struct cores_sources *sources, const char *program, const uint64_t *pcs, size_t count,
                       struct ordo_error *error)
{
    *sources = (struct cores_sources){0};
    int code = items_fill(sources, pcs, count, error);
    if (!code)
        code = locations_find(sources, program, error);
    if (!code)
        code = variables_find(sources, program, error);
    return code;
}

void cores_sources_close(struct cores_sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->items[i].file);
        free(sources->items[i].function);
        free(sources->items[i].inlined_into);
    }
    for (size_t i = 0; i < sources->variable_count; i++)
        free(sources->variables[i].name);
    free(sources->items);
    free(sources->variables);
}
