/* ordo-lab testbed: compares NTP and PTP on a model of a published test bed with its published figures. */
#include "lab/ordo-lab/testbed.h"
#include "common/command.h"
#include "common/options.h"

struct options {
    struct testbed testbed;
    bool json, csv;
};

enum { SECONDS = 1, SEED, JSON, CSV };

static const struct argp_option argp_options[] = {
    {"seconds", SECONDS, "S", 0, "Seconds to simulate for each row of offsets (default 40000)", 1},
    {"seed", SEED, "N", 0, "Seed of all random numbers (default 1)", 1},
    {"json", JSON, NULL, 0, "Print the result as JSON (schema ordo-lab-testbed/1)", 2},
    {"csv", CSV, NULL, 0, "Print one line per figure as CSV", 2},
    {0},
};

static const struct cli_store stores[] = {
    CLI_STORE(SECONDS, "--seconds", struct options, testbed.seconds, 1000, 86400),
    CLI_STORE(SEED, "--seed", struct options, testbed.seed, 0, INT32_MAX),
    CLI_FLAG_STORE(JSON, "--json", struct options, json),
    CLI_FLAG_STORE(CSV, "--csv", struct options, csv),
    {0},
};

static error_t parse_testbed(int key, char *argument, struct argp_state *state)
{
    const struct options *options = state->input;
    if (key == ARGP_KEY_END && options->json && options->csv)
        cli_wrong(state, "--json and --csv: only one of them can go to stdout: leave the other out");
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_testbed,
    NULL,
    "Runs NTP and PTP on a model of the test bed of Libri et al. (HPCS 2016), and compares the results with the "
    "published figures: the offset between two boards, and the traffic of a server in bytes.\vThe jitter model is "
    "fitted to the mean and the deviation of NTP, and to the deviation of PTP at 12 Hz; all other figures are "
    "predictions. Exit status: 0 every prediction is within 25 percent of the published figure; 1 a prediction is not; "
    "2 the simulation was too short to tell; 64 usage; 70 internal.",
    NULL,
    NULL,
    NULL};

static int simulate_testbed(struct testbed *testbed, struct ordo_error *error)
{
    int code = ordo_net_testbed_run(testbed->rows, testbed->seconds, testbed->seed, error);
    for (int protocol = 0; protocol < TESTBED_PROTOCOLS && !code; protocol++)
        code = ordo_net_testbed_count(testbed->traffic[protocol], testbed_protocols[protocol], testbed->seed, error);
    return code;
}

static int print_testbed(const struct options *options)
{
    if (options->json)
        return testbed_print_json(&options->testbed);
    (options->csv ? testbed_print_csv : testbed_print_table)(&options->testbed);
    return 0;
}

static int verdict(const struct testbed *testbed)
{
    for (int i = 0; i < ORDO_NET_TESTBED_ROWS; i++)
        for (int figure = 0; figure < ORDO_NET_TESTBED_FIGURES; figure++)
            if (!ordo_net_testbed_holds(&testbed->rows[i], (enum ordo_net_testbed_figure)figure))
                return EXIT_FAILS;
    return EXIT_OK;
}

static int run_testbed(int argc, char **argv)
{
    struct options options = {.testbed = {.seconds = 40000, .seed = 1}};
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    int code = simulate_testbed(&options.testbed, &error);
    if (code)
        return cli_fail(code == ORDO_E_MEASURE ? EXIT_UNKNOWN : EXIT_INTERNAL, argv[0], error.text);
    if (print_testbed(&options))
        return cli_fail(EXIT_INTERNAL, argv[0], "out of memory, or stdout cannot be written");
    code = cli_close_stdout(argv[0]);
    return code ? code : verdict(&options.testbed);
}

const struct command command_testbed = {
    .name = "testbed",
    .title = "simulate NTP and PTP on a model of a published test bed",
    .schema = "ordo-lab-testbed/1",
    .run = run_testbed,
};
