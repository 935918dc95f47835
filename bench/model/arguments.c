#include "model/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"

#define MOST_DEFER 1000000

/* Larger than every character, because there are no short options. */
enum key { KEY_MACHINE = 512, KEY_UPDATES, KEY_DEFER };

struct input {
    struct rlu_options *rlu;
    const struct model_machine *machine;
};

static _Noreturn void list_machines(void)
{
    const struct model_machine *each;
    printf("%-20s %5s %10s %8s  %s\n", "name", "CPUs", "median ns", "most ns", "published");
    for (size_t i = 0; (each = model_machine_at(i)); i++)
        printf("%-20s %5d %10.1f %8.1f  %s\n", each->name, each->cpus, each->median_ns, each->most_ns, each->source);
    exit(EXIT_OK);
}

static error_t parse_model(int key, char *argument, struct argp_state *state)
{
    struct input *input = state->input;
    switch (key) {
    case KEY_MACHINE:
        if (strcmp(argument, "list") == 0)
            list_machines();
        input->machine = model_machine_find(argument);
        if (!input->machine)
            cli_wrong(state, "--machine '%s': not one of those that --machine list shows", argument);
        return 0;
    case KEY_UPDATES:
        input->rlu->update_count =
            cli_numbers(state, "--update-percent", argument, 0, 100, input->rlu->updates, RLU_UPDATES);
        return 0;
    case KEY_DEFER:
        input->rlu->defers[0] = (unsigned)cli_number(state, "--defer", argument, 0, MOST_DEFER);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &input->rlu->common;
        return 0;
    case ARGP_KEY_END:
        if (input->rlu->common.thread_counts > 0)
            cli_wrong(state, "--threads: the model is fitted at 1 and 2 threads: leave the option out");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct model_machine *model_options_parse(struct rlu_options *options, int argc, char **argv)
{
    static const struct argp_child children[] = {{&bench_options_argp, 0, NULL, 0}, {0}};
    static const struct argp_option own[] = {
        {"machine", KEY_MACHINE, "NAME", 0,
         "Project onto a machine whose transfers of cache lines were published, up to 512 CPUs; 'list' shows them", 0},
        {"update-percent", KEY_UPDATES, "LIST", 0, "Percentages of the operations that add or remove (default 2,20)",
         0},
        {"defer", KEY_DEFER, "N", 0, "Most commits of a thread that RLU merges into one (default 0: none are merged)",
         0},
        {0},
    };
    static const struct argp argp = {
        .options = own,
        .parser = parse_model,
        .children = children,
        .doc = "A MODEL, not a measurement: projects our RLU on the stamps ordo and logical to 240 threads, from costs "
               "measured here at 1 and 2 threads, or to all CPUs of a published machine.",
    };
    struct input input = {.rlu = options};
    rlu_options_default(options);
    options->stamps = (struct bench_choice){
        .chosen = {[RLU_STAMP_ORDO] = true, [RLU_STAMP_LOGICAL] = true, [RLU_STAMP_CLOCK] = true}};
    options->baselines = (struct bench_choice){.given = false};
    cli_parse(&argp, argc, argv, &input);
    options->common.threads[0] = 1;
    options->common.threads[1] = 2;
    options->common.thread_counts = 2;
    return input.machine;
}
