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
    {"machine", MACHINE, "DIR", 0, "Advise on the machine that the files in DIR describe (default: this machine)", 0},
    {"json", JSON, NULL, 0, "Print the advice as JSON (schema ordo-advise/1)", 0},
    {0},
};

static error_t parse_advise(int key, char *argument, struct argp_state *state)
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

static int run_advise(int argc, char **argv)
{
    static const struct argp argp = {
        argp_options,
        parse_advise,
        NULL,
        "Shows, within a second, which clock source the kernel uses and why, what a reading costs, whether the "
        "evidence allows programs to use the counter, and the right settings of programs.\vExit status: 0 the advice "
        "was printed; 2 the machine cannot be read; 64 usage.",
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
    .title = "show which clock programs should read, and their settings",
    .schema = "ordo-advise/1",
    .run = run_advise,
};
