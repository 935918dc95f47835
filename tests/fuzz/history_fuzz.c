/* Damaged and forged histories: the checker must neither crash nor loop for ever, and must return one of its documented
 * answers. Built by clang with -fsanitize=fuzzer, this file is a libFuzzer target; otherwise it is a program:
 *
 *     history_fuzz [--seed N] [--count N]    mutants of histories made at random; exit 0 or 1 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ordo/cc/history.h>

#include "cc/history/format.h"

/* Feeds the bytes in pieces of `piece` bytes. Each piece is an allocation of its own, so that a sanitizer finds a read
 * beyond it. */
static int check(const unsigned char *bytes, size_t count, size_t piece, struct ordo_history_report *report)
{
    struct ordo_history_checker *checker = ordo_history_checker_create();
    if (!checker)
        abort();
    for (size_t at = 0; at < count; at += piece) {
        size_t length = count - at < piece ? count - at : piece;
        unsigned char *copy = malloc(length);
        if (!copy)
            abort();
        memcpy(copy, bytes + at, length);
        (void)ordo_history_check(checker, copy, length);
        free(copy);
    }
    int code = ordo_history_finish(checker, report);
    ordo_history_checker_destroy(checker);
    return code;
}

/* Checks the promises that hold for every answer, at any input. */
static void keep_promises(const unsigned char *bytes, size_t count, size_t piece)
{
    struct ordo_history_report report, again;
    int code = check(bytes, count, piece, &report);
    uint64_t kinds = 0;
    for (int i = 0; i < ORDO_ANOMALY_KINDS; i++)
        kinds += report.by_kind[i];
    if ((code != ORDO_OK && code != ORDO_E_MALFORMED && code != ORDO_E_LAYOUT && code != ORDO_E_TRUNCATED &&
         code != ORDO_E_SYSTEM) ||
        kinds != report.anomalies || (report.anomalies > 0) != (report.first_anomaly != ORDO_ANOMALY_NONE) ||
        !memchr(report.first_text, 0, sizeof report.first_text) || report.by_kind[ORDO_ANOMALY_NONE]) {
        fprintf(stderr, "code %d, %llu anomalies\n", code, (unsigned long long)report.anomalies);
        abort();
    }
    if (check(bytes, count, count ? count : 1, &again) != code || again.anomalies != report.anomalies) {
        fprintf(stderr, "another answer in one piece\n");
        abort();
    }
}

#if defined ORDO_FUZZ_LIBFUZZER

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)
{
    keep_promises(bytes, count, 1 + count % 61);
    return 0;
}

#else

enum { LARGEST = 2048 }; /* words */

static uint64_t state;

static uint64_t draw(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}

/* Makes a history of some windows, in which transactions read and write at random. Returns its number of words. */
static size_t make(uint64_t *words)
{
    size_t count = 0, windows = draw(4), window;
    uint64_t number = 1, head[] = {HISTORY_MAGIC, HISTORY_LAYOUT, 1 + draw(2), draw(2)};
    memcpy(words, head, sizeof head);
    count += HISTORY_FILE_WORDS;
    while (windows-- > 0) {
        window = count;
        words[count++] = (uint64_t)HISTORY_WINDOW << 32;
        words[count++] = 0;
        for (uint64_t txns = draw(16); txns > 0; txns--, number++) {
            uint64_t accesses = draw(6), begin = draw(100);
            words[count++] = (draw(8) ? UINT64_C(1) : UINT64_C(2)) << 32 | accesses;
            words[count++] = number << 16 | 1;
            words[count++] = begin;
            words[count++] = begin + draw(100);
            for (; accesses > 0; accesses--) {
                uint64_t kind = 1 + draw(4), key = draw(4);
                words[count++] = kind << 32 | draw(2);
                words[count++] = key;
                words[count++] = kind == HISTORY_SCAN ? key + draw(4) : draw(3) ? (1 + draw(number)) << 16 | 1 : 0;
            }
        }
        words[window + 1] = count - window - HISTORY_WINDOW_WORDS;
    }
    return count;
}

static size_t mutate(unsigned char *bytes, size_t count)
{
    static const uint64_t extremes[] = {0, 1, UINT64_MAX, UINT64_C(1) << 63, UINT32_MAX, UINT64_C(1) << 32};
    uint64_t word = extremes[draw(sizeof extremes / sizeof *extremes)];
    switch (draw(4)) {
    case 0:
        bytes[draw(count)] ^= (unsigned char)(1u << draw(8));
        break;
    case 1:
        memcpy(bytes + draw(count / 8) * 8, &word, sizeof word);
        break;
    case 2:
        return 32 + draw(count - 31);
    default:
        memmove(bytes + draw(count / 16) * 8, bytes + draw(count / 16) * 8, draw(count / 2));
        break;
    }
    return count;
}

int main(int argc, char **argv)
{
    static uint64_t words[LARGEST];
    uint64_t seed = 1;
    long count = 5000, sound = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = strtol(argv[i + 1], NULL, 0);
    }
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (long i = 0; i < count; i++) {
        struct ordo_history_report report;
        size_t bytes = make(words) * sizeof *words;
        sound += check((const unsigned char *)words, bytes, 4096, &report) == ORDO_OK;
        for (uint64_t mutations = draw(4); mutations > 0; mutations--)
            bytes = mutate((unsigned char *)words, bytes);
        keep_promises((const unsigned char *)words, bytes, 1 + draw(200));
    }
    printf("%ld histories, %ld of them sound before they were damaged\n", count, sound);
    return sound != count;
}

#endif
