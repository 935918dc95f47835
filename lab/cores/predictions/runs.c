#include "lab/cores/predictions/runs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "common/call.h"
#include "lab/cores/missing.h"

enum { OUTPUT_BYTES = 16 << 20, COMMAND_TEXT = 160, READ_BYTES = 1 << 16 };

static const int64_t most_ns = 600 * (int64_t)1000000000;
static const char *keep_folder;

void cores_runs_keep(const char *folder)
{
    keep_folder = folder;
}

void cores_call_begin(struct cores_call *call)
{
    *call = (struct cores_call){.count = 1}; /* the program's path is added by cores_call_run */
}

static void call_word(struct cores_call *call, const char *word, size_t bytes)
{
    if (call->count == CORES_CALL_MOST || call->used + bytes >= CORES_CALL_TEXT) {
        call->full = true;
        return;
    }
    char *at = call->text + call->used;
    memcpy(at, word, bytes);
    at[bytes] = '\0';
    call->used += bytes + 1;
    call->arguments[call->count++] = at;
}

void cores_call_words(struct cores_call *call, const char *words)
{
    for (; *words; words += *words == ' ') {
        size_t bytes = strcspn(words, " ");
        call_word(call, words, bytes);
        words += bytes;
    }
}

void cores_call_option(struct cores_call *call, const char *option, const char *value)
{
    if (!value)
        return;
    call_word(call, option, strlen(option));
    call_word(call, value, strlen(value));
}

void cores_call_number(struct cores_call *call, const char *option, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    cores_call_option(call, option, text);
}

/* FNV-1a. A collision brings no gain: the folder belongs to the user. */
static uint64_t hash_more(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3;
    return hash;
}

/* The hash of the program's bytes and of the arguments: a program that was built from other sources has another hash. */
static int call_hash(const struct cores_call *call, uint64_t *hash, struct ordo_error *error)
{
    unsigned char bytes[READ_BYTES];
    size_t count;
    *hash = 0xcbf29ce484222325;
    FILE *program = fopen(call->arguments[0], "rbe");
    if (!program)
        return ordo_error_errno(error, "%s", call->arguments[0]);
    while ((count = fread(bytes, 1, sizeof bytes, program)) > 0)
        *hash = hash_more(*hash, bytes, count);
    bool failed = ferror(program) != 0;
    (void)fclose(program);
    for (int i = 1; i < call->count; i++)
        *hash = hash_more(*hash, call->arguments[i], strlen(call->arguments[i]) + 1);
    return failed ? ordo_error_errno(error, "%s", call->arguments[0]) : ORDO_OK;
}

/* The path of the kept result; empty if results are not kept. */
static int kept_path(const struct cores_call *call, char path[PATH_MAX], struct ordo_error *error)
{
    uint64_t hash;
    path[0] = '\0';
    if (!keep_folder)
        return ORDO_OK;
    int code = call_hash(call, &hash, error);
    if (code)
        return code;
    if (snprintf(path, PATH_MAX, "%s/%016" PRIx64 ".json", keep_folder, hash) >= PATH_MAX)
        return ordo_error_set(error, ORDO_E_INVALID, 0, "%.60s...: too long a path: name another folder", keep_folder);
    return ordo_file_prepare(path, true, error);
}

/* The command line for messages, truncated. */
static void command_shown(const struct cores_call *call, char shown[COMMAND_TEXT])
{
    size_t used = (size_t)snprintf(shown, COMMAND_TEXT, CORES_PROGRAM);
    for (int i = 1; i < call->count && used < COMMAND_TEXT - 1; i++)
        used += (size_t)snprintf(shown + used, COMMAND_TEXT - used, " %.40s", call->arguments[i]);
}

/* A failed audit also ends the program with 1, which is refused before; the document is judged by itself. */
static int refuse_failed_audit(const struct ordo_json_value *document, struct ordo_error *error)
{
    const struct ordo_json_value *results = ordo_json_get(document, "results");
    for (size_t i = 0; i < ordo_json_count(results); i++) {
        const struct ordo_json_value *result = ordo_json_item(results, i);
        const char *audit = ordo_json_word(result, "audit"), *algorithm = ordo_json_word(result, "algorithm");
        if (audit && strcmp(audit, "failed") == 0)
            return ordo_error_set(error, ORDO_E_MEASURE, 0,
                                  "'%.40s' failed its audit, so the simulation is wrong: report it",
                                  algorithm ? algorithm : CORES_PROGRAM);
    }
    return ORDO_OK;
}

static int call_execute(const struct cores_call *call, char *text, const char *path, struct ordo_json_value **document,
                        struct ordo_error *error)
{
    char shown[COMMAND_TEXT];
    struct ordo_json_fault fault = {0};
    command_shown(call, shown);
    ptrdiff_t bytes = ordo_output_of(call->arguments, most_ns, text, OUTPUT_BYTES);
    if (bytes < 0)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "'%s' failed, or took 10 minutes: run it by itself", shown);
    int code = ordo_json_read(text, (size_t)bytes, document, &fault);
    if (code == -1)
        return ordo_error_set(error, ORDO_E_MEASURE, 0, "'%s' printed no JSON document: %s: %s", shown, fault.path,
                              fault.found);
    if (code)
        return ordo_error_errno(error, "%s", shown);
    code = refuse_failed_audit(*document, error);
    if (!code && path[0])
        code = ordo_file_replace(path, text, (size_t)bytes, 0644, error);
    if (code)
        ordo_json_free(*document);
    return code;
}

int cores_call_run(struct cores_call *call, struct ordo_json_value **document, struct ordo_error *error)
{
    char program[PATH_MAX], path[PATH_MAX];
    if (call->full)
        return ordo_error_set(error, ORDO_E_SYSTEM, 0, CORES_PROGRAM ": too long a command line");
    if (!cli_beside(CORES_PROGRAM, program, sizeof program))
        return ordo_error_set(error, ORDO_E_MEASURE, 0, CORES_MISSING);
    call->arguments[0] = program;
    int code = kept_path(call, path, error);
    if (code)
        return code;
    /* A kept result that is damaged is computed again. */
    if (path[0] && access(path, R_OK) == 0 && ordo_json_load(path, "remove it", document, NULL) == ORDO_OK)
        return ORDO_OK;
    char *text = malloc(OUTPUT_BYTES);
    if (!text)
        return ordo_error_errno(error, CORES_PROGRAM);
    code = call_execute(call, text, path, document, error);
    free(text);
    return code;
}
