#include "lab/cores/calibrate/calibrate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "common/options.h"
#include "lab/cores/calibrate/measure.h"

enum { OUTPUT = 1 };

struct options {
    const char *output; /* NULL: only print the table */
};

static const struct argp_option argp_options[] = {
    {"output", OUTPUT, "FILE", 0, "Write the machine to FILE", 1},
    {0},
};

static const struct cli_store stores[] = {
    CLI_TEXT_STORE(OUTPUT, "--output", struct options, output),
    {0},
};

static error_t parse_calibrate(int key, char *argument, struct argp_state *state)
{
    return key == ARGP_KEY_END ? 0 : cli_store(stores, key, argument, state);
}

static const struct argp argp = {
    argp_options,
    parse_calibrate,
    "",
    "Measures on two CPUs of this machine the constants of a simulated machine: instructions, caches, memory, atomic "
    "operations, clocks, system calls, and transfers of a line. Takes about 40 seconds; other programs disturb it.\v"
    "Exit status: 0 measured; 64 usage; 70 internal, or the system does not allow it.",
    NULL,
    NULL,
    NULL};

/* Copies the name of the processor, without characters that a file of a machine must not have. */
static void read_title(char *title, size_t size)
{
    static const char key[] = "model name";
    char text[256];
    FILE *file = fopen("/proc/cpuinfo", "re");
    (void)snprintf(title, size, "Processor");
    while (file && fgets(text, sizeof text, file)) {
        const char *colon = strchr(text, ':');
        if (strncmp(text, key, strlen(key)) != 0 || !colon)
            continue;
        size_t at = 0;
        for (const char *from = colon + 2; *from && at + 1 < size; from++)
            if (isprint((unsigned char)*from) && *from != '"' && *from != '\\')
                title[at++] = *from;
        title[at] = '\0';
        break;
    }
    if (file)
        (void)fclose(file);
}

/* Returns a value of sysconf(3), or another one if the system does not know it. */
static long known_or(int name, long otherwise)
{
    long value = sysconf(name);
    return value > 0 ? value : otherwise;
}

/* Returns the size of a cache that the kernel names, because some guests' processors report the whole host's; or
 * `otherwise`. */
static uint64_t size_of_cache(int index, uint64_t otherwise)
{
    char path[80];
    unsigned long long kilobytes = 0;
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    FILE *file = fopen(path, "re");
    if (file && fscanf(file, "%lluK", &kilobytes) != 1)
        kilobytes = 0;
    if (file)
        (void)fclose(file);
    return kilobytes ? kilobytes << 10 : otherwise;
}

static void read_machine(struct cores_calibrate_machine *machine)
{
    *machine = (struct cores_calibrate_machine){
        .l1_bytes = size_of_cache(0, (uint64_t)known_or(_SC_LEVEL1_DCACHE_SIZE, 32768)),
        .l2_bytes = size_of_cache(2, (uint64_t)known_or(_SC_LEVEL2_CACHE_SIZE, 1048576)),
        .l3_bytes = size_of_cache(3, (uint64_t)known_or(_SC_LEVEL3_CACHE_SIZE, 0)),
        .l1_ways = (int)known_or(_SC_LEVEL1_DCACHE_ASSOC, 8),
        .l2_ways = (int)known_or(_SC_LEVEL2_CACHE_ASSOC, 8),
        .l3_ways = (int)known_or(_SC_LEVEL3_CACHE_ASSOC, 16),
        .line_bytes = (int)known_or(_SC_LEVEL1_DCACHE_LINESIZE, 64),
    };
    read_title(machine->title, sizeof machine->title);
}

static int measure(struct cores_calibrate_machine *machine, struct ordo_error *error)
{
    read_machine(machine);
    int failed = cores_calibrate_pin(0, error);
    if (!failed)
        failed = cores_calibrate_single(machine, error);
    if (!failed)
        failed = cores_calibrate_chase(machine, error);
    if (!failed)
        failed = cores_calibrate_pages(machine, error);
    if (!failed)
        failed = cores_calibrate_pair(machine, error);
    return failed ? failed : cores_calibrate_wake(machine, error);
}

static void print_table(const struct cores_calibrate_machine *machine)
{
    (void)printf("%-34s %10s %10s %10s\n", machine->title, "median ns", "low", "high");
    for (int i = 0; i < CORES_CALIBRATE_VALUES; i++) {
        const struct cores_calibrate_interval *ns = &machine->ns[i];
        (void)printf("%-34s %10.3f %10.3f %10.3f\n", cores_calibrate_words(i), ns->median, ns->low, ns->high);
    }
}

static int write_machine(const struct cores_calibrate_machine *machine, const char *path, struct ordo_error *error)
{
    char *text = cores_calibrate_text(machine);
    if (!text)
        return ordo_error_errno(error, "the machine's file");
    int failed = ordo_file_replace(path, text, strlen(text), 0644, error);
    free(text);
    return failed;
}

int cores_command_calibrate(int argc, char **argv)
{
    struct options options = {NULL};
    struct cores_calibrate_machine machine;
    struct ordo_error error = {0};
    cli_parse(&argp, argc, argv, &options);
    int failed = options.output ? ordo_file_prepare(options.output, false, &error) : ORDO_OK;
    if (!failed)
        failed = measure(&machine, &error);
    if (!failed)
        print_table(&machine);
    if (!failed && options.output)
        failed = write_machine(&machine, options.output, &error);
    return failed ? cli_fail(EXIT_INTERNAL, "ordo-lab cores calibrate", error.text) : EXIT_SUCCESS;
}
