/* ordo clocks: the clock sources of this machine, their steps and prices. */
#include <stdlib.h>

#include "base/quantile.h"
#include "base/time.h"
#include "clocks.h"
#include "machine/clock/source.h"
#include "report.h"
#include "json/builder.h"

enum { JSON = 1, READS = 20000 };

static const struct argp_option argp_options[] = {
    {"json", JSON, NULL, 0, "Print the clock sources as JSON (schema ordo-clocks/1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    (void)argument;
    if (key != JSON)
        return ARGP_ERR_UNKNOWN;
    *(bool *)state->input = true;
    return 0;
}

struct cost {
    int64_t step_units; /* the mode of the non-zero steps between reads in a row */
    double read_ns;
};

static struct cost measure(const struct ordo_clock_source *source)
{
    static int64_t steps[READS];
    size_t count = 0;
    int64_t start_ns = ordo_raw_ns();
    uint64_t last = source->read();
    for (int i = 0; i < READS; i++) {
        uint64_t now = source->read();
        if (now > last)
            steps[count++] = (int64_t)(now - last);
        last = now;
    }
    int64_t took_ns = ordo_raw_ns() - start_ns;
    return (struct cost){count ? ordo_stats_mode(steps, count) : 0, (double)took_ns / READS};
}

static json_t *clock_of(const struct ordo_clock_source *source, const struct cost *cost)
{
    struct ordo_json object = ordo_json_object();
    ordo_json_put_text(&object, "clock", source->name);
    ordo_json_put_text(&object, "unit", source->unit_hz ? "ns" : "ticks");
    ordo_json_put_int(&object, "step_units", cost->step_units);
    ordo_json_put_real(&object, "read_ns", cost->read_ns);
    ordo_json_put_bool(&object, "steered", source->steered);
    return ordo_json_end(&object);
}

int cli_clocks(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse,
        NULL,
        "Lists the clock sources: the unit, the usual step between reads in a row, and the "
        "price of a read (kernel clocks by system call).\v"
        "Exit status: 0; 64 usage.",
        NULL,
        NULL,
        NULL};
    bool json = false;
    cli_parse(&argp, argc, argv, &json);
    struct ordo_json document = ordo_json_document("ordo-clocks/1"), array = ordo_json_array();
    if (!json)
        printf("%-14s %12s %10s %10s  %s\n", "clock", "unit", "step", "ns a read", "");
    for (const struct ordo_clock_source *const *at = ordo_clock_sources; *at; at++) {
        const struct ordo_clock_source *source = *at;
        struct cost cost = measure(source);
        const char *unit = source->unit_hz ? "ns" : "ticks";
        if (json)
            ordo_json_add(&array, clock_of(source, &cost));
        else
            printf("%-14s %12s %10lld %10.1f  %s\n", source->name, unit, (long long)cost.step_units, cost.read_ns,
                   source->title);
    }
    ordo_json_put(&document, "clocks", ordo_json_end(&array));
    if (json && ordo_json_write(&document, stdout))
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written");
    json_decref(ordo_json_end(&document)); /* where it was not written */
    return cli_close_stdout(argv[0]);
}
