/* ordo-timed show: prints the published time. */
#include <time.h>

#include <ordo/now.h>

#include "common/command.h"
#include "common/options.h"
#include "json/builder.h"

struct options {
    const char *page;
    bool json;
};

enum { PAGE = 1, JSON };

static const struct argp_option argp_options[] = {
    {"page", PAGE, "FILE", 0, "The page (default: as programs find it, see ordo_now(3))", 1},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-time/1)", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(PAGE, "--page", struct options, page),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    {0},
};

static error_t parse_show(int key, char *argument, struct argp_state *state)
{
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {argp_options,
                                 parse_show,
                                 NULL,
                                 "Prints the interval that 'ordo-timed publish' claims for the present time of day, as "
                                 "programs with <ordo/now.h> read "
                                 "it.\vExit status: 0 the time is known; 2 it is not: there is no page, or it is void, "
                                 "withdrawn or refused; 64 usage; "
                                 "70 internal.",
                                 NULL,
                                 NULL,
                                 NULL};

/* Prints a time as people read it, with all its nanoseconds. */
static void print_time(const char *name, int64_t ns)
{
    char text[64];
    time_t seconds = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &utc))
        (void)snprintf(text, sizeof text, "%lld s", (long long)seconds);
    printf("%-9s %s.%09lld\n", name, text, (long long)(ns - (int64_t)seconds * 1000000000));
}

static const char *clock_word(const struct ordo_now_handle *h)
{
    return h->kernel ? "kernel" : "counter";
}

static const struct ordo_now_slot *last_slot(const struct ordo_now_handle *h)
{
    uint64_t number = __atomic_load_n(&h->head->count, __ATOMIC_ACQUIRE) - 1; /* pairs with ordo_timed_page_add */
    return &h->slots[number < h->capacity ? number : 0];
}

static int print_json(const struct ordo_now_handle *h, const struct ordo_now_interval *now)
{
    const struct ordo_now_slot *slot = last_slot(h);
    struct ordo_json document = ordo_json_document("ordo-time/1");
    ordo_json_put_text(&document, "status", ordo_now_word(now->status));
    ordo_json_put_int(&document, "earliest_ns", now->earliest_ns);
    ordo_json_put_int(&document, "latest_ns", now->latest_ns);
    ordo_json_put_int(&document, "width_ns", now->latest_ns - now->earliest_ns);
    ordo_json_put_text(&document, "clock", clock_word(h));
    ordo_json_put_int(&document, "boundary_ns", (int64_t)h->head->boundary_ns);
    ordo_json_put_real(&document, "rate_ppm", (double)slot->rate / 4294.967296);
    ordo_json_put_int(&document, "sources", slot->sources);
    ordo_json_put_bool(&document, "vmclock", h->vmclock != NULL);
    ordo_json_put_int(&document, "generation", (int64_t)h->generation);
    ordo_json_put_int(&document, "slot", slot - h->slots);
    return ordo_json_write(&document, stdout);
}

static void print_text(const struct ordo_now_handle *h, const struct ordo_now_interval *now)
{
    const struct ordo_now_slot *slot = last_slot(h);
    print_time("earliest", now->earliest_ns);
    print_time("latest", now->latest_ns);
    printf("width     %.3f us\n", 1e-3 * (double)(now->latest_ns - now->earliest_ns));
    printf("status    %s, %u references, clock: the %s, rate %.3g ppm\n", ordo_now_word(now->status), slot->sources,
           clock_word(h), (double)slot->rate / 4294.967296);
}

static int run_show(int argc, char **argv)
{
    struct options options = {0};
    struct ordo_now_handle h;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    if (ordo_now_open(&h, options.page, &error))
        return cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    struct ordo_now_interval now = ordo_now(&h);
    bool known = now.earliest_ns <= now.latest_ns && now.status != ORDO_NOW_CLOSED &&
                 (now.status == ORDO_NOW_VALID || now.status == ORDO_NOW_SUPERSEDED);
    int code = EXIT_UNKNOWN;
    if (!known)
        code = cli_failf(EXIT_UNKNOWN, argv[0], "the time became unknown: %s", ordo_now_word(now.status));
    else if (options.json && print_json(&h, &now))
        code = cli_fail_output(argv[0]);
    else {
        if (!options.json)
            print_text(&h, &now);
        code = cli_close_stdout(argv[0]);
    }
    ordo_now_close(&h);
    return code;
}

const struct command command_show = {
    .name = "show",
    .title = "print the published time",
    .schema = "ordo-time/1",
    .run = run_show,
};
