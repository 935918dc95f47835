/* ordo watch: keeps the published record valid. */
#include "common/command.h"
#include "common/options.h"
#include "ordo/watch/loop.h"

enum { RECORD = 1, SHARE, GROWTH, LOG, METRICS, VMCLOCK, ONCE };

static const struct argp_option argp_options[] = {
    {"record", RECORD, "FILE", 0, "Record to watch (default: the record that ordo calibrate would publish)", 0},
    {"share", SHARE, "PERCENT", 0, "Share of one core to use for watching (default 0.1)", 0},
    {"growth", GROWTH, "SECONDS", 0,
     "Time for which a boundary must hold that is widened because two clocks drift apart (default 600)", 0},
    {"log", LOG, "FILE", 0, "Append events to FILE, one line of JSON each (schema ordo-watch/1; default: stdout)", 0},
    {"metrics", METRICS, "FILE", 0, "Write metrics to FILE every 10 s, in the text format of Prometheus", 0},
    {"vmclock", VMCLOCK, "FILE", 0, "The VMClock device of a virtual machine (default " ORDO_VMCLOCK_PATH ")", 0},
    {"once", ONCE, NULL, 0, "Check everything once, act on the result, and end", 0},
    {"quiet", 'q', NULL, 0, "With --log, do not print events on stderr", 0},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(RECORD, "--record", struct watch_options, record),
    CLI_STORE(SHARE, "--share", struct watch_options, share_percent, 0.001, 100),
    CLI_STORE(GROWTH, "--growth", struct watch_options, growth_s, 1, 1e8),
    CLI_TEXT_STORE(LOG, "--log", struct watch_options, log),
    CLI_TEXT_STORE(METRICS, "--metrics", struct watch_options, metrics),
    CLI_TEXT_STORE(VMCLOCK, "--vmclock", struct watch_options, vmclock),
    CLI_FLAG_STORE(ONCE, "--once", struct watch_options, once),
    CLI_FLAG_STORE('q', "--quiet", struct watch_options, quiet),
    {0},
};

static error_t parse_watch(int key, char *argument, struct argp_state *state)
{
    return cli_store(stores, key, argument, state);
}

static int run_watch(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_watch,
        NULL,
        "Keeps the published record valid: measures the clocks continuously, at low cost, withdraws a record that is "
        "proved wrong, and publishes a new one. SIGHUP requests a calibration. SIGTERM ends the watcher; the record "
        "remains.\vExit status: 0 ended by a signal, or with --once there is a valid record at the end; 1 with --once, "
        "the record was proved wrong and could not be replaced; 2 another watcher watches the record, or with --once "
        "there is no usable record; 64 usage; 70 a file could not be written.",
        NULL,
        NULL,
        NULL};
    struct watch_options options = {.share_percent = 0.1, .growth_s = 600, .vmclock = ORDO_VMCLOCK_PATH};
    struct watch watch = {.options = &options, .program = argv[0]};
    cli_parse(&argp, argc, argv, &options);
    return watch_run(&watch);
}

const struct command command_watch = {
    .name = "watch",
    .title = "keep the published record valid, continuously and at low cost",
    .run = run_watch,
};
