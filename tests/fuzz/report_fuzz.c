/* Damaged reports from other people (lib/calibrate/collection). Usage: report_fuzz [--seed N] [--count N]
 *
 * A report is refused with one printable line, or it can be written and read again: the written text is valid, and
 * equals the text written after a second reading. */
#include <ctype.h>
#include <stdio.h>

#include "../unit/synthetic_machine.h"
#include "calibrate/collection/compare.h"
#include "calibrate/collection/read.h"

_Noreturn static void fail(const char *what, const char *detail)
{
    printf("%s: %s\n", what, detail);
    abort();
}

static void check_line(const char *line)
{
    if (!*line || !strstr(line, "; "))
        fail("no line with a remedy", line);
    for (; *line; line++)
        if (!isprint((unsigned char)*line))
            fail("a line that is not printable", line);
}

/* True if the text is accepted. */
static bool check(const char *text, size_t bytes)
{
    struct ordo_collection_report *report, *again = NULL;
    struct ordo_compared_reports comparison;
    struct ordo_error error = {.text = ""};
    size_t second_bytes, third_bytes;
    int code = ordo_collection_parse(text, bytes, "FILE", &report, &error);
    if (code) {
        if (code != ORDO_E_MALFORMED || report)
            fail("refused in another way", error.text);
        check_line(error.text);
        return false;
    }
    char *second = ordo_collection_render(report, &second_bytes);
    if (!second || ordo_collection_parse(second, second_bytes, "AGAIN", &again, &error))
        fail("written again it is refused", error.text);
    char *third = ordo_collection_render(again, &third_bytes);
    if (!third || third_bytes != second_bytes || memcmp(third, second, third_bytes) != 0)
        fail("written again it is another", third);
    ordo_collection_compare(report, again, &comparison);
    free(second);
    free(third);
    ordo_collection_free(report);
    ordo_collection_free(again);
    return true;
}

#ifdef ORDO_FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)
{
    (void)check((const char *)bytes, count);
    return 0;
}

#else

enum { ROOM = 70000, SLACK = 128 };

static uint64_t state;

static size_t draw(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)((state >> 11) % below);
}

static size_t replace(char *text, size_t bytes, size_t at, size_t length, const char *by)
{
    size_t by_length = strlen(by);
    memmove(text + at + by_length, text + at + length, bytes - at - length);
    memcpy(text + at, by, by_length);
    return bytes - length + by_length;
}

/* Replaces the number, word or bracket at a random place by another value. Mostly the text stays JSON. */
static size_t change_token(char *text, size_t bytes)
{
    static const char *const values[] = {
        "0",  "1",    "-1",    "null", "7",           "9007199254740993", "-9223372036854775808", "1e308", "[]",
        "{}", "true", "\"x\"", "0.5",  "\"vouched\"", "[[0,0]]"};
    size_t at = draw(bytes), length;
    while (at < bytes && !isalnum((unsigned char)text[at]))
        at++;
    for (length = 0; at + length < bytes && isalnum((unsigned char)text[at + length]);)
        length++;
    return replace(text, bytes, at, length, values[draw(sizeof values / sizeof *values)]);
}

/* Adds or removes a digit at a random place. */
static size_t change_digit(char *text, size_t bytes)
{
    size_t at = draw(bytes);
    while (at < bytes && !isdigit((unsigned char)text[at]))
        at++;
    if (at < bytes)
        text[at] = (char)('0' + draw(10));
    return bytes;
}

static size_t damage(char *text, size_t bytes)
{
    size_t at = draw(bytes);
    switch (draw(8)) {
    case 0:
        text[at] ^= (char)(1 << draw(8));
        return bytes;
    case 1:
        return at + 1;
    case 2:
        return replace(text, bytes, at, 0, "\"host\":\"alice\",");
    case 3:
        return replace(text, bytes, at, draw(bytes - at < 40 ? bytes - at : 40), "");
    case 4:
        return change_token(text, bytes);
    default:
        return change_digit(text, bytes);
    }
}

static char *make(const char *description, size_t *bytes)
{
    struct synthetic machine;
    struct ordo_collection_report *report;
    struct ordo_error error;
    char *text;
    if (synthetic_make(&machine, description, 1) || synthetic_report(&machine, &report, &error) ||
        ordo_collection_fit(report, &text, bytes, &error))
        abort();
    ordo_collection_free(report);
    synthetic_drop(&machine);
    return text;
}

int main(int argc, char **argv)
{
    static const char *const machines[] = {"pack:1 core:1 pu:1", "pack:2 l3:1 core:2 pu:2", "pack:3 numa:1 core:4 pu:1",
                                           "pack:4 numa:2 l3:4 core:5 pu:1"};
    enum { MACHINES = sizeof machines / sizeof *machines };
    static char text[ROOM + SLACK];
    char *originals[MACHINES];
    size_t sizes[MACHINES];
    long count = 20000, accepted = 0;
    uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 0);
    }
    for (int i = 0; i < MACHINES; i++) {
        originals[i] = make(machines[i], &sizes[i]);
        if (sizes[i] > ROOM || !check(originals[i], sizes[i]))
            fail("refused as it is", machines[i]);
    }
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (long i = 0; i < count; i++) {
        int chosen =
            draw(20) ? (int)draw(MACHINES - 1) : MACHINES - 1; /* the large machine is rare, because it takes long */
        size_t bytes = sizes[chosen];
        memcpy(text, originals[chosen], bytes);
        for (size_t damages = draw(3); damages < 3 && bytes > 0; damages++)
            bytes = damage(text, bytes);
        accepted += check(text, bytes);
    }
    for (int i = 0; i < MACHINES; i++)
        free(originals[i]);
    printf("%ld reports: %ld accepted\n", count, accepted);
    return accepted == 0 || accepted == count;
}

#endif
