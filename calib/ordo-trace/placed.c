#include "placed.h"

#include <string.h>

#include "base/file.h"
#include "trace/correct/correct.h"

enum { SYNC = 2000, METHOD, WANDER, SKEW, GRANULE, RAW, NO_DEVICES };

static const struct argp_option argp_options[] = {
    {"sync", SYNC, "FILE", 0,
     "Correct by the sessions in FILE, as ordo-trace correct does; not for traces that are corrected already", 5},
    {"method", METHOD, "NAME", 0, "A method of correct --list (default interval)", 5},
    {"max-wander-ppb", WANDER, "N", 0,
     "Assumption: no clock's rate changes by more than N ppb within a minute (default 100)", 5},
    {"max-skew-ppb", SKEW, "N", 0, "Assumption: no clock's rate is wrong by more than N ppb (default 500000)", 5},
    {"granule", GRANULE, "NS", 0,
     "Step of all clocks (default: for each rank, the unit of which its times are multiples)", 5},
    {"no-devices", NO_DEVICES, NULL, 0, "Leave the events of devices (GPUs) as they are", 5},
    {"raw", RAW, NULL, 0, "Do not correct the clocks", 5},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(SYNC, "--sync", struct placed_options, correct.sync),
    CLI_STORE(WANDER, "--max-wander-ppb", struct placed_options, wander_ppb, 0, 1e6),
    CLI_STORE(SKEW, "--max-skew-ppb", struct placed_options, skew_ppb, 0.001, 1e6),
    CLI_STORE(GRANULE, "--granule", struct placed_options, granule_ns, 0, 1000000000),
    CLI_FLAG_STORE(NO_DEVICES, "--no-devices", struct placed_options, correct.leaves_devices),
    CLI_FLAG_STORE(RAW, "--raw", struct placed_options, raw),
    {0},
};

static error_t parse_placed(int key, char *argument, struct argp_state *state)
{
    struct placed_options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->correct.traces;
        return 0;
    case METHOD:
        options->correct.method = ordo_method_find(argument);
        if (!options->correct.method)
            cli_wrong(state, "--method %.40s: is not one of %s", argument, inputs_methods());
        return 0;
    case ARGP_KEY_ARGS:
    case ARGP_KEY_NO_ARGS:
        return inputs_parse_files(key, state, &options->correct.traces);
    default:
        return cli_store(stores, key, argument, state);
    }
}

static const struct argp_child children[] = {{&inputs_argp, 0, NULL, 0}, {0}};
const struct argp placed_argp = {argp_options, parse_placed, NULL, NULL, children, NULL, NULL};

struct placed_options placed_defaults(void)
{
    return (struct placed_options){.correct = {.traces = inputs_defaults(), .method = ordo_method_find("interval")},
                                   .wander_ppb = ordo_declared_defaults().max_wander_ppb,
                                   .skew_ppb = ordo_declared_defaults().max_skew_ppb,
                                   .granule_ns = ORDO_GRANULE_OF_DIGITS};
}

/* True if all files are corrected traces. In JSON the first event shows this; ordo_traces_start has read the first
 * event. */
static bool is_corrected(const struct ordo_traces *traces)
{
    for (int i = 0; i < traces->count; i++)
        if (!traces->files[i].reader.corrected)
            return false;
    return true;
}

int placed_open(struct ordo_traces *traces, struct ordo_correct_report *report, struct placed_options *options,
                struct ordo_error *error)
{
    *report = (struct ordo_correct_report){0};
    options->correct.declared = ordo_declared_defaults();
    options->correct.declared.max_wander_ppb = options->wander_ppb;
    options->correct.declared.max_skew_ppb = options->skew_ppb;
    options->correct.declared.granule_ns = options->granule_ns;
    int code = ordo_traces_open(traces, &options->correct.traces, error);
    if (!code)
        code = ordo_traces_start(traces, NULL, error);
    if (code || options->raw || is_corrected(traces))
        return code;
    code = ordo_session_learn(traces, &options->correct, report, error);
    return code ? code : ordo_traces_start(traces, &report->clocks, error);
}

int placed_again(struct ordo_traces *traces, struct ordo_error *error)
{
    return ordo_traces_start(traces, traces->clocks, error);
}

void placed_close(struct ordo_traces *traces, struct ordo_correct_report *report)
{
    ordo_traces_close(traces);
    ordo_correct_report_free(report);
}

/* Checks that an output replaces no trace and no file of sessions. Returns 0 or ORDO_E_INVALID. */
static int spare_inputs(const char *output, const struct placed_options *options, struct ordo_error *error)
{
    const struct ordo_traces_options *traces = &options->correct.traces;
    int code = inputs_spare(output, traces->paths, traces->count, error);
    return code ? code : inputs_spare(output, &options->correct.sync, 1, error);
}

int placed_write(const char *command, const char *output, struct placed_options *options, placed_writer *write,
                 const void *context)
{
    struct ordo_traces traces = {0};
    struct ordo_correct_report report;
    struct ordo_file_stream file;
    struct ordo_error error = {0}, unclosed = {0};
    int code = spare_inputs(output, options, &error);
    if (!code)
        code = ordo_file_stream_open(&file, strcmp(output, "-") == 0 ? "/dev/stdout" : output, 0644, &error);
    if (code)
        return inputs_fail(command, &error);
    code = placed_open(&traces, &report, options, &error);
    if (!code)
        code = write(&traces, &report, context, file.stream, &error);
    placed_close(&traces, &report);
    int closed = ordo_file_stream_close(&file, !code, &unclosed);
    return code || closed ? inputs_fail(command, code ? &error : &unclosed) : EXIT_OK;
}
