/* ordo advise: names the clock that programs should read on this machine, and the settings for each of them. */
#include "common/command.h"
#include "common/options.h"
#include "common/place.h"
#include "ordo/advice/print.h"

struct options {
    const char *machine;
    bool json;
};

enum { MACHINE = 1, JSON };

static const struct argp_option argp_options[] = {
    {"machine", MACHINE, "DIR", 0, "Advise on the machine that the folder DIR shows (default: this one)", 0},
    {"json", JSON, NULL, 0, "Print the advice as JSON (schema ordo-advise/1)", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const struct cli_store stores[] = {
        CLI_TEXT_STORE(MACHINE, "--machine", struct options, machine),
        CLI_FLAG_STORE(JSON, "--json", struct options, json),
        {0},
    };
    if (key == MACHINE && argument[0] == '\0')
        cli_wrong(state, "--machine '': names no folder");
    return cli_store(stores, key, argument, state);
}

/* True if the record is evidence for the counter. A forced record is not. */
static bool carries(const struct advice_record *record)
{
    return record->usable && !record->forced;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {argp_options,
                                     parse,
                                     NULL,
                                     "Tells, within a second, which clock source the kernel uses and why, what a "
                                     "reading costs, whether the evidence allows the counter, and what to set for "
                                     "which program.\v"
                                     "Exit status: 0 told; 2 it could not be told; 64 usage.",
                                     NULL,
                                     NULL,
                                     NULL};
    struct options options = {0};
    struct advice advice = {0};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    advice.machine = options.machine;
    if (ordo_situation_read(&advice.situation, options.machine, &error))
        return cli_fail(EXIT_UNKNOWN, argv[0], error.text);
    if (!options.machine)
        advice_record_read(&advice.record);
    if (!options.machine)
        cli_tell_passed_over(argv[0], advice.record.path);
    advice.situation.recorded = carries(&advice.record);
    if (options.json && advice_write_json(&advice, stdout))
        return cli_fail_output(argv[0]);
    if (!options.json)
        advice_write_text(&advice, stdout);
    return cli_close_stdout(argv[0]);
}

const struct command command_advise = {
    .name = "advise",
    .title = "say which clock to read, and what to set for which program",
    .schema = "ordo-advise/1",
    .run = run,
};
