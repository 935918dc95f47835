#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "workload.h"

#define MOST_THREADS 4096
#define MOST_RUNS 100000
#define MOST_SECONDS 3600
/* Beyond it, one wait for the boundary would outlast any trial. */
#define MOST_BOUNDARY_TICKS UINT32_MAX

/* Beyond every character: there are no short options. */
enum key { KEY_THREADS = 256, KEY_SECONDS, KEY_RUNS, KEY_CPUS, KEY_RECORD, KEY_BOUNDARY, KEY_JSON };

/* A decimal number at the start of `text`, where nothing but one of `ends` follows. */
static bool read_number(const char *text, const char *ends, uint64_t low, uint64_t high, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return digits > 0 && errno == 0 && strchr(ends, text[digits]) && *number >= low && *number <= high;
}

uint64_t bench_parse_number(const struct argp_state *state, const char *option, const char *text, uint64_t low,
                            uint64_t high)
{
    uint64_t number;
    if (!read_number(text, "", low, high, &number))
        argp_failure(state, BENCH_USAGE, 0, "%s '%s': not a number from %ju to %ju", option, text, (uintmax_t)low,
                     (uintmax_t)high);
    return number;
}

/* Inserts `number` into ascending numbers, unless it is there; returns how many there are. */
static int insert(int *numbers, int count, int number)
{
    int at = count;
    for (int i = 0; i < count; i++)
        if (numbers[i] == number)
            return count;
    for (; at > 0 && numbers[at - 1] > number; at--)
        numbers[at] = numbers[at - 1];
    numbers[at] = number;
    return count + 1;
}

int bench_parse_numbers(const struct argp_state *state, const char *option, const char *text, int low, int high,
                        int *numbers, int limit)
{
    int count = 0;
    for (const char *cursor = text;; cursor++) {
        uint64_t number;
        if (!read_number(cursor, ",", (uint64_t)low, (uint64_t)high, &number) || count == limit)
            argp_failure(state, BENCH_USAGE, 0, "%s '%s': not a list such as 1,2,4 of at most %d numbers from %d to %d",
                         option, text, limit, low, high);
        count = insert(numbers, count, (int)number);
        cursor += strspn(cursor, "0123456789");
        if (*cursor == '\0')
            return count;
    }
}

static double parse_seconds(const struct argp_state *state, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);
    /* Only digits and a point to begin with: strtod also takes "inf", "nan" and white space. */
    if (!strchr("0123456789.", *text) || end == text || *end != '\0' || !(seconds > 0 && seconds <= MOST_SECONDS))
        argp_failure(state, BENCH_USAGE, 0, "--seconds '%s': not a positive number of at most %d", text, MOST_SECONDS);
    return seconds;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct bench_options *options = state->input;
    switch (key) {
    case KEY_THREADS:
        options->thread_counts =
            bench_parse_numbers(state, "--threads", argument, 1, MOST_THREADS, options->threads, BENCH_THREAD_COUNTS);
        return 0;
    case KEY_SECONDS:
        options->seconds = parse_seconds(state, argument);
        return 0;
    case KEY_RUNS:
        options->runs = (int)bench_parse_number(state, "--runs", argument, 1, MOST_RUNS);
        return 0;
    case KEY_CPUS:
        options->cpus = argument;
        return 0;
    case KEY_RECORD:
        options->record = argument;
        return 0;
    case KEY_BOUNDARY:
        options->boundary_ticks = bench_parse_number(state, "--boundary", argument, 0, MOST_BOUNDARY_TICKS);
        options->boundary_given = true;
        return 0;
    case KEY_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_failure(state, BENCH_USAGE, 0, "'%s': takes options only", argument);
        return 0;
    case ARGP_KEY_END:
        if (options->record && options->boundary_given)
            argp_failure(state, BENCH_USAGE, 0, "--boundary and --record: give one of them, not both");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp bench_options_argp = {
    .options =
        (const struct argp_option[]){
            {"threads", KEY_THREADS, "LIST", 0, "Thread counts, such as 1,2,4 (default: doubling, and all CPUs)", 0},
            {"seconds", KEY_SECONDS, "S", 0, "Length of a trial (default 0.05)", 0},
            {"runs", KEY_RUNS, "N", 0, "Rounds that count; one more warms up (default 15)", 0},
            {"cpus", KEY_CPUS, "LIST", 0, "CPUs to run on, such as 0-3,8; N threads take the first N (default: all)",
             0},
            {"record", KEY_RECORD, "FILE", 0, "Boundary record to open (default: as ordo_open searches)", 0},
            {"boundary", KEY_BOUNDARY, "TICKS", 0, "Use this boundary instead of a record", 0},
            {"json", KEY_JSON, NULL, 0, "Write the result as JSON, schema ordo-bench/1", 0},
            {0},
        },
    .parser = parse,
};
