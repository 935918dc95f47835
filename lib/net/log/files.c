#include "net/log/files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "net/log/item.h"

enum { HEAD = 1024, HEAD_LINES = 200 };

static const int64_t second_ns = 1000000000, day_s = 86400;

/* FNV-1a. */
static uint64_t hash_of_text(struct ordo_log_text text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (; text.at < text.end; text.at++)
        hash = (hash ^ (unsigned char)*text.at) * UINT64_C(0x100000001b3);
    return hash;
}

/* Finds the first time in the text: of a line of these programs, or of a row of chronyd. */
static void find_first(struct ordo_log_file *file, struct ordo_log_text text)
{
    struct ordo_log_habit habit = {.latest_ns = file->latest_ns};
    for (int i = 0; i < HEAD_LINES && text.at < text.end; i++) {
        const char *end = memchr(text.at, '\n', ordo_log_length(text));
        struct ordo_log_text raw = {text.at, end ? end : text.end};
        struct ordo_log_line line;
        struct ordo_log_item item = {.kind = ORDO_LOG_FOREIGN};
        text.at = end ? end + 1 : text.end;
        if (ordo_log_chrony_row(raw, false, &file->first, &item))
            return;
        ordo_log_line_read(&line, raw, &habit);
        if (line.program || (line.time.has_up && !file->first.has_up) || (line.time.has_wall && !file->first.has_wall))
            file->first = line.time;
        if (line.program && (line.time.has_wall || line.time.has_up))
            return;
    }
}

/* Returns the length of a path without the ending of a program that compresses. */
static size_t without_packing(const char *path)
{
    static const char *const endings[] = {".gz", ".zst", ".xz", ".bz2", ".Z", ".z"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0)
            return length - ending;
    }
    return length;
}

/* Cuts ".2026-11-29" from the end of a stem, and returns the date as a number of eight digits; 0: it has no such end. */
static int64_t cut_iso_date(char *stem)
{
    static const char form[] = "0000-00-00";
    size_t length = strlen(stem), digits = sizeof form - 1;
    int64_t date = 0;
    if (length < digits + 2 || !strchr(".-_", stem[length - digits - 1]))
        return 0;
    for (size_t i = 0; i < digits; i++) {
        char letter = stem[length - digits + i];
        if (form[i] == '-' ? letter != '-' : !isdigit((unsigned char)letter))
            return 0;
        date = form[i] == '-' ? date : 10 * date + (letter - '0');
    }
    stem[length - digits - 1] = '\0';
    return date;
}

/* Cuts ".3", ".old", "-20261129" or ".2026-11-29" from the end of a stem, and returns the turn: the file without such an end is the
 * youngest, of numbers the smaller one is younger, and of dates the later one. */
static int64_t cut_rotation(char *stem)
{
    static const int64_t before_numbers = INT64_C(1000000000000);
    size_t length = strlen(stem), end = length;
    int64_t date = cut_iso_date(stem);
    if (date)
        return date * 1000000 - 100 * before_numbers - INT64_C(100000000000000);
    if (length > 4 && strcmp(stem + length - 4, ".old") == 0) {
        stem[length - 4] = '\0';
        return -1;
    }
    while (end > 0 && isdigit((unsigned char)stem[end - 1]))
        end--;
    size_t digits = length - end;
    if (end < 2 || digits == 0 || digits > 14 || !strchr(".-", stem[end - 1]))
        return 0;
    int64_t number = strtoll(stem + end, NULL, 10);
    bool is_number = stem[end - 1] == '.' && digits < 5;
    if (!is_number && digits < 8)
        return 0;
    stem[end - 1] = '\0';
    while (digits < 14) { /* dates may have hours, minutes and seconds */
        number *= is_number ? 1 : 10;
        digits++;
    }
    return is_number ? -number : number - 100 * before_numbers - INT64_C(100000000000000);
}

static int look_at_file(struct ordo_log_file *file, struct ordo_error *error)
{
    struct stat info;
    int code = ordo_log_reader_open(&file->reader, file->path, error);
    if (code)
        return code;
    file->is_regular = ordo_log_reader_is_regular(&file->reader);
    int64_t written_s = file->is_regular && fstat(file->reader.fd, &info) == 0 ? info.st_mtime : time(NULL);
    static const int64_t most_s = 7200000000; /* the times of files may be anything */
    file->latest_ns = ((written_s < most_s ? written_s : most_s) + day_s) * second_ns;
    struct ordo_log_text text = ordo_log_reader_peek(&file->reader);
    find_first(file, text);
    if (ordo_log_length(text) > HEAD)
        text.end = text.at + HEAD;
    file->head = text.at < text.end ? hash_of_text(text) : 0;
    if (file->is_regular)
        ordo_log_reader_close(&file->reader);
    file->stem = strndup(file->path, without_packing(file->path));
    if (!file->stem)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "%s: out of memory", file->path);
    file->turn = cut_rotation(file->stem);
    return ORDO_OK;
}

/* Orders files: those without wall times first, by stem, turn and time; the others by their first wall time. */
static int older_first(const void *a, const void *b)
{
    const struct ordo_log_file *one = a, *other = b;
    if (one->first.has_wall != other->first.has_wall)
        return one->first.has_wall ? 1 : -1;
    if (one->first.has_wall && one->first.wall_ns != other->first.wall_ns)
        return one->first.wall_ns < other->first.wall_ns ? -1 : 1;
    int stems = strcmp(one->stem, other->stem);
    if (stems)
        return stems;
    if (one->turn != other->turn)
        return one->turn < other->turn ? -1 : 1;
    if (one->first.up_ns != other->first.up_ns)
        return one->first.up_ns < other->first.up_ns ? -1 : 1;
    return one->path < other->path ? -1 : one->path > other->path;
}

int ordo_log_file_begin(struct ordo_log_file *file, struct ordo_error *error)
{
    return file->is_regular ? ordo_log_reader_open(&file->reader, file->path, error) : ORDO_OK;
}

/* Returns how the content of two open files compares: 0 equal, -1 the first ends within the second, 1 the reverse, 2
 * different. */
static int compare_contents(struct ordo_log_reader *one, struct ordo_log_reader *other)
{
    for (;;) {
        struct ordo_log_text a = ordo_log_reader_peek(one), b = ordo_log_reader_peek(other);
        size_t length = ordo_log_length(a) < ordo_log_length(b) ? ordo_log_length(a) : ordo_log_length(b);
        if (length == 0)
            return ordo_log_length(b) > 0 ? -1 : ordo_log_length(a) > 0;
        if (memcmp(a.at, b.at, length) != 0)
            return 2;
        one->at += length;
        other->at += length;
    }
}

/* True if a file ended because it could not be read further: what follows is not known, so it is no copy. */
static bool is_spoilt(const struct ordo_log_file *file)
{
    return file->reader.is_damaged || file->reader.failure;
}

/* Marks one of two files if it is a copy of the other. */
static int mark_copy(struct ordo_log_file *one, struct ordo_log_file *other, struct ordo_error *error)
{
    int code = ordo_log_file_begin(one, error);
    if (code)
        return code;
    code = ordo_log_file_begin(other, error);
    if (!code) {
        int comparison = compare_contents(&one->reader, &other->reader);
        if (comparison <= 0 && !is_spoilt(one))
            one->copy_of = other->path;
        else if ((comparison == 0 || comparison == 1) && !is_spoilt(other))
            other->copy_of = one->path;
        ordo_log_reader_close(&other->reader);
    }
    ordo_log_reader_close(&one->reader);
    return code;
}

/* Finds copies among the files whose content begins alike. */
static int find_copies(struct ordo_log_files *files, struct ordo_error *error)
{
    for (int i = 0; i < files->count; i++)
        for (int j = i + 1; j < files->count; j++) {
            struct ordo_log_file *one = &files->file[i], *other = &files->file[j];
            if (!one->is_regular || !other->is_regular || one->copy_of || other->copy_of || one->head == 0 ||
                one->head != other->head)
                continue;
            int code = mark_copy(one, other, error);
            if (code)
                return code;
        }
    return ORDO_OK;
}

int ordo_log_files_open(struct ordo_log_files *files, const char *const *paths, int count, struct ordo_error *error)
{
    *files = (struct ordo_log_files){.file = calloc((size_t)count, sizeof *files->file)};
    if (!files->file)
        return ordo_error_set(error, ORDO_E_SYSTEM, ENOMEM, "out of memory");
    int code = ORDO_OK;
    for (int i = 0; i < count && !code; i++) {
        files->file[i] = (struct ordo_log_file){.path = paths[i], .reader = {.fd = -1}};
        files->count++;
        code = look_at_file(&files->file[i], error);
    }
    if (!code) {
        qsort(files->file, (size_t)files->count, sizeof *files->file, older_first);
        code = find_copies(files, error);
    }
    if (code)
        ordo_log_files_free(files);
    return code;
}

void ordo_log_files_free(struct ordo_log_files *files)
{
    for (int i = 0; i < files->count; i++) {
        ordo_log_reader_close(&files->file[i].reader);
        free(files->file[i].stem);
    }
    free(files->file);
    *files = (struct ordo_log_files){0};
}
